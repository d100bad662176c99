"""Right proofs are accepted in each arithmetic, and each kind of mistake in a proof is rejected."""

from dataclasses import replace

import pytest

from cseq.modules.deductive.certificate.certifier import Cause, CheckResult, check
from cseq.modules.deductive.certificate.obligations import Kind
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind, Place, Proof
from tests.support import proofs, systems

pytestmark = pytest.mark.engine

PROOFS = {"counter": proofs.of_counter, "peterson": proofs.of_peterson, "pair": proofs.of_pair}


def checked(name: str, arithmetic: Arithmetic = Arithmetic.EXACT) -> CheckResult:
    system = systems.PAIRS[name](False)
    return check(system, PROOFS[name](system, arithmetic), 30)


@pytest.mark.parametrize("arithmetic", Arithmetic)
@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_is_accepted_by_both_solvers(name: str, arithmetic: Arithmetic) -> None:
    found = checked(name, arithmetic)
    print(found)
    assert (found.accepted, found.cause, found.solvers) == (True, None, ("z3", "cvc5"))
    assert found.conditions > 20


def changed(proof: Proof, key: tuple[Place, ...], term: str | None) -> Proof:
    """The proof with another formula at a place, or none."""
    invariants = dict(proof.invariants)
    if term is None:
        del invariants[key]
    else:
        invariants[key] = replace(invariants[key], term=term)
    return replace(proof, invariants=invariants)


def rejection(name: str, key: tuple[Place, ...], term: str | None) -> Kind | Cause | None:
    system = systems.PAIRS[name](False)
    found = check(system, changed(PROOFS[name](system), key, term), 30)
    assert not found.accepted
    assert found.solvers == ()
    return found.rejected.kind if found.cause is Cause.REFUTED and found.rejected is not None else found.cause


WORKER = (("worker", 5),)
BOTH_WAIT = (("one", 2), ("two", 2))
ADDING = (("main", 2), ("one", 1), ("two", 1))


def test_a_weaker_invariant_no_longer_implies_the_check() -> None:
    assert rejection("counter", WORKER, "true") is Kind.CHECK


def test_a_stronger_invariant_is_not_established() -> None:
    assert rejection("counter", WORKER, "false") is Kind.CONSECUTION
    assert rejection("counter", (("main", 0),), "(= little large)") is Kind.INTERFERENCE
    assert rejection("counter", (("main", 0),), "(= little 1)") is Kind.INITIATION


def test_the_invariant_of_another_thread_has_to_be_stable() -> None:
    assert rejection("counter", (("worker", 4),), "(and (= owner 0) (<= little large))") is Kind.INTERFERENCE
    assert rejection("counter", (("worker", 0),), "(= owner 0)") is Kind.CONSECUTION


def test_a_place_without_an_invariant_is_never_reached() -> None:
    assert rejection("counter", (("worker", 3),), None) is Kind.CONSECUTION
    assert rejection("peterson", BOTH_WAIT, None) is Kind.CONSECUTION
    assert rejection("pair", ADDING, None) is Kind.CONSECUTION


def test_mutual_exclusion_needs_the_invariant_of_the_pair() -> None:
    assert rejection("peterson", (("one", 3), ("two", 2)), "(= inside 0)") is Kind.CONSECUTION
    assert rejection("peterson", (("main", 2), ("one", 3)), "true") is Kind.CHECK


def test_an_invariant_of_all_threads_has_to_count_right() -> None:
    assert rejection("pair", ADDING, "(= total (+ one_done!2 two_done!3 1))") is Kind.CHECK
    assert rejection("pair", ADDING, "(<= total 200)") is Kind.CONSECUTION


@pytest.mark.parametrize("name", PROOFS)
def test_the_proof_of_a_program_does_not_hold_for_its_buggy_twin(name: str) -> None:
    system = systems.PAIRS[name](True)
    found = check(system, PROOFS[name](system), 30)
    assert not found.accepted
    assert found.cause is Cause.REFUTED


@pytest.mark.parametrize(
    ("arithmetic", "sign", "accepted"),
    [
        (Arithmetic.EXACT, ">", False),  # the largest int has no successor
        (Arithmetic.WRAPPING, ">", False),
        (Arithmetic.BITS, ">", False),
        (Arithmetic.EXACT, "!=", False),
        (Arithmetic.WRAPPING, "!=", True),
        (Arithmetic.BITS, "!=", True),
    ],
)
def test_overflow_is_not_forgotten(arithmetic: Arithmetic, sign: str, accepted: bool) -> None:
    system = systems.successor(systems.INT, sign)
    claimed = proofs.proof(system, InvariantKind.MODULAR, {(("main", 0),): "true", (("main", 1),): "true"}, arithmetic)
    assert check(system, claimed, 30).accepted is accepted


def test_a_proof_without_wrapping_does_not_hold_with_it() -> None:
    """x <= 200, so that x + x wraps around in eight bits."""
    byte = systems.shared("x", systems.UCHAR)
    system = systems.alone(
        [byte], [systems.assume(byte, "<=", 200), systems.check(systems.apply(byte, "+", byte), ">=", byte)]
    )
    for arithmetic in Arithmetic:
        claimed = proofs.proof(
            system, InvariantKind.MODULAR, {(("main", 0),): "true", (("main", 1),): "true"}, arithmetic
        )
        assert not check(system, claimed, 30).accepted


def test_identities_differ_only_where_threads_do() -> None:
    """Without identities, two threads that hold one lock could not be told apart from one."""
    system = systems.counter()
    worker = system.templates[1]
    nobody = replace(worker, identity=None)
    system = replace(system, templates=[system.templates[0], nobody])
    found = check(system, proofs.of_counter(system), 30)
    assert (found.accepted, found.cause) == (False, Cause.REFUTED)
    assert found.rejected is not None
    assert found.rejected.kind is Kind.INTERFERENCE


def test_what_is_no_formula_is_malformed() -> None:
    system = systems.counter()
    right = proofs.of_counter(system)
    for term in ("true) (check-sat", "(nothing owner)", "main_x", "(assert true)", '"x"', "(! true :named x)"):
        found = check(system, changed(right, WORKER, term), 30)
        assert (found.accepted, found.cause) == (False, Cause.MALFORMED)


def test_a_formula_of_other_sorts_is_no_proof() -> None:
    system = systems.counter()
    found = check(system, changed(proofs.of_counter(system), WORKER, "(and owner true)"), 30)
    assert (found.accepted, found.cause) == (False, Cause.FAILED)
    assert found.message


def test_what_a_solver_does_not_know_is_no_proof() -> None:
    number = systems.shared("x", systems.UNSIGNED)
    system = systems.alone([number], [systems.check(number, "<=", systems.UNSIGNED.greatest)])
    positive, cubes = "(and (> i 0) (> j 0) (> k 0))", "(= (+ (* i i i) (* j j j)) (* k k k))"
    term = f"(forall ((i Int) (j Int) (k Int)) (=> {positive} (not {cubes})))"
    found = check(system, proofs.proof(system, InvariantKind.MODULAR, {(("main", 0),): term}), 1)
    assert not found.accepted
    assert found.cause in (Cause.UNDECIDED, Cause.TIMEOUT)
