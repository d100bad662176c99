"""What is told about proofs of the systems made by hand."""

from dataclasses import replace

import pytest

from cseq.model.origin import Origin
from cseq.model.proof import ProofKind, ProofSummary, SharedInvariant
from cseq.modules.deductive.certificate.certifier import CheckResult, check
from cseq.modules.deductive.proofs import Arithmetic, Proof
from cseq.modules.deductive.summary.summarizer import summarized
from cseq.modules.deductive.transitions import Edge, Location, System
from tests.support import proofs, systems

ACCEPTED = CheckResult(True, ("z3", "cvc5"), 10, 0.0)


def summary(system: System, proof: Proof) -> ProofSummary:
    return summarized(system, proof, ACCEPTED, seconds=20)


def test_what_holds_whenever_the_lock_is_free() -> None:
    system = systems.counter()
    found = summary(system, proofs.of_counter(system))
    assert found.kind is ProofKind.MODULAR
    assert (found.conditions, found.solvers, found.by) == (10, ("z3", "cvc5"), "hand")
    assert found.unlimited == ("worker",)
    assert found.shared == (SharedInvariant("little <= large", "owner"),)
    assert found.local == ()


def test_what_holds_at_any_time_is_told_for_each_place() -> None:
    system = systems.pair()
    origin = Origin("a.c", 7, 3, "main")
    system.main.locations[2] = Location(2, origin)
    found = summary(system, proofs.of_pair(system))
    assert set(found.shared) == {SharedInvariant("total <= 200"), SharedInvariant("total >= 0")}
    assert [invariant.origin for invariant in found.local] == [origin]
    assert found.local[0].value in ("total >= 0 && total <= 200", "total <= 200 && total >= 0")


@pytest.mark.engine
def test_what_does_not_hold_in_the_midst_of_a_step_is_not_told() -> None:
    """A step stores 500 first, and then what it should."""
    system = systems.pair()
    first = system.templates[1].edges[1]
    total = system.shared[0]
    system.templates[1].edges[1] = Edge(
        1,
        1,
        (
            first.actions[0],
            systems.put(total, systems.apply(total, "+", 300)),
            systems.put(total, systems.apply(total, "-", 300)),
            *first.actions[1:],
        ),
    )
    claimed = proofs.of_pair(system)
    assert check(system, claimed, 20).accepted
    assert summary(system, claimed).shared == ()


def test_what_is_proved_of_bits_is_not_told() -> None:
    system = systems.counter()
    assert summary(system, proofs.of_counter(system, Arithmetic.BITS)).shared == ()


def test_without_time_there_is_a_summary_still() -> None:
    system = systems.counter()
    found = summarized(system, proofs.of_counter(system), ACCEPTED, seconds=0)
    assert replace(found, shared=()) == found
