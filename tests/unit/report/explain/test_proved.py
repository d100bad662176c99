"""The paragraph on a proof."""

from dataclasses import replace

from cseq.model.proof import ProofKind, ProofSummary, SharedInvariant
from cseq.model.verdict import Outcome, Verdict
from cseq.report.explain.paragraph import explain
from cseq.report.text import terminal

PROOF = ProofSummary(
    ProofKind.MODULAR, ("z3", "cvc5"), "spacer", 74, ("worker",), (SharedInvariant("little <= large", "m"),)
)
TEXT = (
    "Whenever no thread holds `m`, `little <= large`. The proof is thread-modular: it has an invariant for each place "
    "of one thread, which the steps of the other threads keep; any number of threads may execute `worker`. "
    "Z3 and cvc5 have each confirmed the 74 conditions for that."
)


def test_the_invariant_the_kind_and_the_solvers() -> None:
    assert explain(Outcome(Verdict.TRUE, proof=PROOF)) == TEXT


def test_invariants_are_listed_by_lock() -> None:
    shared = (SharedInvariant("x >= 0"), SharedInvariant("x <= y", "m"), SharedInvariant("y > 0"))
    found = explain(Outcome(Verdict.TRUE, proof=replace(PROOF, shared=shared, unlimited=())))
    assert found.startswith("At any time, `x >= 0` and `y > 0`. Whenever no thread holds `m`, `x <= y`. The proof is")
    assert "keep. Z3" in found


def test_a_proof_that_cannot_be_said_in_c() -> None:
    found = explain(Outcome(Verdict.TRUE, proof=replace(PROOF, kind=ProofKind.PAIRS, shared=(), unlimited=())))
    assert found.startswith("The proof has an invariant for each two places of two threads")


def test_other_answers_have_no_paragraph() -> None:
    assert explain(Outcome(Verdict.TRUE)) == ""
    assert explain(Outcome(Verdict.UNKNOWN, proof=PROOF)) == ""


def test_the_terminal_shows_it_on_demand() -> None:
    outcome = Outcome(Verdict.TRUE, message="no violation in any execution", proof=PROOF)
    assert "invariant" not in terminal.render(outcome)
    assert " ".join(terminal.render(outcome, explained=True).split()).endswith(TEXT)
