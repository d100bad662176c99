"""Each kind of proof is found for what it can prove, and never for a buggy twin."""

import pytest

from cseq.modules.deductive.certificate.certifier import check as certified
from cseq.modules.deductive.horn import prove
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind
from cseq.modules.deductive.transitions import BOOL, INT, Apply, Number, Operator, Read, Scalar, System
from tests.support import systems

pytestmark = pytest.mark.engine

EXAMPLES = [
    ("counter", InvariantKind.MODULAR, Arithmetic.EXACT),
    ("peterson", InvariantKind.PAIRS, Arithmetic.EXACT),
    ("peterson", InvariantKind.PRODUCT, Arithmetic.WRAPPING),
    ("test_and_set", InvariantKind.PAIRS, Arithmetic.EXACT),
]


@pytest.mark.parametrize(("name", "invariant_kind", "arithmetic"), EXAMPLES)
def test_safe_systems_are_proved_and_their_buggy_twins_are_not(
    name: str, invariant_kind: InvariantKind, arithmetic: Arithmetic
) -> None:
    system = systems.PAIRS[name](False)
    attempt = prove(system, invariant_kind, arithmetic, timeout=120)
    assert (attempt.answer, attempt.reason) == ("proved", "")
    assert attempt.proof is not None
    assert (attempt.proof.invariant_kind, attempt.proof.arithmetic, attempt.proof.by) == (
        invariant_kind,
        arithmetic,
        "z3",
    )
    assert certified(system, attempt.proof, 120).accepted
    assert prove(systems.PAIRS[name](True), invariant_kind, arithmetic, timeout=120).answer == "refuted"


def test_one_thread_and_its_environment_do_not_prove_mutual_exclusion() -> None:
    assert prove(systems.peterson(), InvariantKind.MODULAR, Arithmetic.EXACT, timeout=120).answer == "refuted"


@pytest.mark.parametrize("arithmetic", list(Arithmetic))
@pytest.mark.parametrize("type", [INT, systems.UNSIGNED, systems.UCHAR])
def test_a_successor_is_not_greater(type: Scalar, arithmetic: Arithmetic) -> None:
    assert prove(systems.successor(type), InvariantKind.MODULAR, arithmetic, timeout=60).answer == "refuted"


def test_what_only_holds_of_numbers_that_wrap_around_is_proved_of_those() -> None:
    system = systems.successor(systems.UNSIGNED, "!=")
    answers = {kind: prove(system, InvariantKind.MODULAR, kind, timeout=60) for kind in Arithmetic}
    assert {kind: attempt.answer for kind, attempt in answers.items()} == {
        Arithmetic.EXACT: "refuted",
        Arithmetic.WRAPPING: "proved",
        Arithmetic.BITS: "proved",
    }
    assert all(certified(system, it.proof, 60).accepted for it in answers.values() if it.proof is not None)


def test_bits_are_for_bit_vectors() -> None:
    x, y = systems.shared("x", systems.UCHAR), systems.shared("y", systems.UCHAR)
    both = Apply(Operator.BIT_AND, (Read(x), Read(y)), systems.UCHAR)
    system = systems.alone([x, y], [systems.check(both, "<=", Read(x))])
    exact = prove(system, InvariantKind.MODULAR, Arithmetic.EXACT, timeout=60)
    assert (exact.answer, exact.reason) == ("unknown", "`&` of two variables as integers")
    assert prove(system, InvariantKind.MODULAR, Arithmetic.BITS, timeout=60).answer == "proved"


def test_a_kind_that_a_system_has_none_of_is_unknown_with_its_reason() -> None:
    assert "any number of threads" in prove(systems.counter(), InvariantKind.PRODUCT, Arithmetic.EXACT).reason
    assert "a single thread" in prove(systems.filled(), InvariantKind.PAIRS, Arithmetic.EXACT).reason


def test_constants_are_part_of_the_invariants() -> None:
    limit, x = systems.shared("limit"), systems.shared("x")
    system = systems.alone([limit, x], [systems.put(x, limit), systems.check(x, "==", 7)])
    system = System(system.shared, {"limit": 7}, system.templates)
    proof = prove(system, InvariantKind.MODULAR, Arithmetic.EXACT, timeout=60).proof
    assert proof is not None
    assert "(= limit 7)" in proof.invariants[(("main", 0),)].term
    assert certified(system, proof, 60).accepted


def test_what_does_not_matter_may_overflow() -> None:
    count, x = systems.shared("count"), systems.shared("x")
    main = systems.template(
        "main", 0, [(0, 0, [systems.put(count, systems.apply(count, "+", 1)), systems.check(x, "==", 0)])]
    )
    system = System([count, x], {"count": 0, "x": 0}, [main])
    proof = prove(system, InvariantKind.MODULAR, Arithmetic.EXACT, timeout=60).proof
    assert proof is not None
    assert certified(system, proof, 60).accepted


def test_what_begins_with_any_value_may_be_any() -> None:
    x = systems.shared("x", BOOL)
    system = systems.alone([x], [systems.check(x, "==", Number(1, BOOL))])
    assert prove(system, InvariantKind.MODULAR, Arithmetic.EXACT, timeout=60).answer == "refuted"
    assert (
        prove(System([x], {"x": 1}, system.templates), InvariantKind.MODULAR, Arithmetic.EXACT, timeout=60).answer
        == "proved"
    )
