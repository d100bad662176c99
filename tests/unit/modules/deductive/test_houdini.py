"""Proofs by counters: those of safe systems are accepted, and there are none of their buggy twins."""

import pytest

from cseq.modules.deductive.certificate import check
from cseq.modules.deductive.counters import counted
from cseq.modules.deductive.houdini import prove
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind
from cseq.modules.deductive.transitions import UNBOUNDED, Read, Scalar, System
from tests.support import systems
from tests.support.counted_systems import COARSE, FINE, taking
from tests.support.interpreter import walk
from tests.support.selection import everything

pytestmark = pytest.mark.engine

ALL = {**COARSE, **FINE}
FULL = everything()
PROVED = [name for name in ALL if FULL or name not in {"n_each", "ring"}]
"""Without those that take longest, which --all includes."""
REFUTED = [name for name in ALL if FULL or name not in {"produced_and_consumed", "ring"}]
"""The same of the buggy twins."""


def accepted(system: System, arithmetic: Arithmetic = Arithmetic.EXACT) -> bool:
    """Whether there is a proof, which then has to be right."""
    found = prove(system, arithmetic, 120)
    if found.proof is None:
        assert found.answer == "unknown"
        assert found.reason
        return False
    assert (found.answer, found.proof.invariant_kind, found.proof.arithmetic) == (
        "proved",
        InvariantKind.MODULAR,
        arithmetic,
    )
    checked = check(system, found.proof, 120)
    assert checked.accepted, (checked.cause, checked.rejected, checked.message)
    return True


@pytest.mark.parametrize("name", PROVED)
def test_safe_systems_are_proved(name: str) -> None:
    assert accepted(counted(ALL[name](False), fine=name in FINE))


@pytest.mark.parametrize("name", REFUTED)
def test_buggy_twins_are_not(name: str) -> None:
    assert not accepted(counted(ALL[name](True), fine=name in FINE))


@pytest.mark.parametrize("name", ["at_most_created", "all_have_arrived", "test_and_set"])
def test_the_bug_of_a_twin_is_there(name: str) -> None:
    assert walk(counted(ALL[name](True)), seed=1, walks=60, steps=60).errors
    assert not walk(counted(ALL[name](False)), seed=1, walks=60, steps=60).errors


def test_what_is_true_only_if_nothing_overflows_is_not_proved() -> None:
    assert not accepted(systems.successor(systems.INT))
    assert not accepted(systems.successor(systems.INT), Arithmetic.WRAPPING)
    assert accepted(systems.successor(systems.INT, "!="), Arithmetic.WRAPPING)


def test_what_wraps_around_is_proved_as_such() -> None:
    byte = Scalar(8, False)
    x, y = systems.shared("x", byte), systems.shared("y", byte)
    both = [systems.put(x, systems.apply(x, "+", 1)), systems.put(y, systems.apply(y, "+", 1))]
    for right, is_safe in ((y, True), (0, False)):
        worker = systems.template("worker", None, [(0, 0, both), (0, 1, [systems.check(x, "==", right)])])
        system = System([x, y], {"x": 0, "y": 0}, [systems.many("worker"), worker])
        assert accepted(counted(system), Arithmetic.WRAPPING) is is_safe


def test_a_thread_is_told_from_others_by_its_identity() -> None:
    """Who holds the lock is alone with `x`; without identities nobody knows that it is he who holds it."""
    owner, x, me = systems.shared("owner"), systems.shared("x"), Read(systems.local("worker", "id"))
    inside = [systems.check(x, "==", 0), systems.put(x, 1)]
    edges = [(0, 1, taking(owner, me)), (1, 2, inside), (2, 0, [systems.put(x, 0), systems.put(owner, 0)])]
    worker = systems.template("worker", None, edges)
    system = System([owner, x], {"owner": 0, "x": 0}, [systems.many("worker"), worker])
    assert accepted(system)
    worker.identity = None
    assert not accepted(system)


def test_a_comparison_of_the_program_can_be_a_guard() -> None:
    """The loop runs n times if n is positive, and otherwise never: i <= n holds under n >= 0 alone."""
    n, i = systems.shared("n"), systems.local("main", "i")
    edges = [
        (0, 1, [systems.put(i, 0)]),
        (1, 1, [systems.assume(i, "<", n), systems.put(i, systems.apply(i, "+", 1))]),
        (1, 2, [systems.assume(i, ">=", n), systems.assume(n, ">=", 0), systems.check(i, "==", n)]),
    ]
    assert accepted(counted(System([n], {}, [systems.template("main", 0, edges, [i])])))


def test_time_that_is_over_is_no_answer() -> None:
    assert prove(counted(COARSE["ring"](False)), Arithmetic.EXACT, 0.01).answer == "timeout"


def test_bits_are_refused() -> None:
    found = prove(systems.counter(), Arithmetic.BITS, 10)
    assert (found.answer, found.reason) == ("unknown", "bit-vectors in invariants of counters")


def test_proofs_say_no_more_than_is_needed() -> None:
    x, y = systems.shared("x"), systems.shared("y", UNBOUNDED)
    edges = [(0, 1, [systems.put(x, 3)]), (1, 2, [systems.check(x, ">", 2)])]
    found = prove(System([x, y], {"x": 0}, [systems.template("main", 0, edges)]), Arithmetic.EXACT, 10)
    assert found.proof is not None
    terms = {place: invariant.term for (place,), invariant in found.proof.invariants.items()}
    assert terms[("main", 0)] == terms[("main", 2)] == "true"
    assert "x" in terms[("main", 1)]
