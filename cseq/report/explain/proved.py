"""The paragraph on a proof: the invariant that matters most, what kind of proof it is, and who has checked it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cseq.model.proof import ProofKind, ProofSummary, SharedInvariant
from cseq.report.catalogue import sentence
from cseq.report.explain.phrases import listed

_KINDS = {
    ProofKind.MODULAR: "The proof is thread-modular: it has an invariant for each place of one thread, which the steps "
    "of the other threads keep",
    ProofKind.PAIRS: "The proof has an invariant for each two places of two threads, which the steps of the other "
    "threads keep",
    ProofKind.PRODUCT: "The proof has an invariant for each combination of places of all threads",
}
_SOLVERS = {"z3": "Z3"}


def proved(proof: ProofSummary) -> str:
    """The paragraph, without line breaks."""
    return " ".join(sentence("explanation", f"{part}.") for part in _parts(proof))


def _parts(proof: ProofSummary) -> Iterator[str]:
    yield from _invariants(proof.shared)
    unlimited = [f"`{name}`" for name in dict.fromkeys(proof.unlimited)]
    yield _KINDS[proof.kind] + (f"; any number of threads may execute {listed(unlimited)}" if unlimited else "")
    solvers = listed([_SOLVERS.get(name, name) for name in proof.solvers])
    yield f"{solvers} have each confirmed the {proof.conditions} conditions for that"


def _invariants(shared: Sequence[SharedInvariant]) -> Iterator[str]:
    """A sentence for what holds throughout, and one for each lock."""
    for lock in dict.fromkeys(invariant.lock for invariant in shared):
        values = listed([f"`{invariant.value}`" for invariant in shared if invariant.lock == lock])
        yield f"Whenever no thread holds `{lock}`, {values}" if lock else f"At any time, {values}"
