"""What was tried to find a proof without bounds, and how far each attempt got."""

from dataclasses import dataclass
from enum import StrEnum

from cseq.model.proof import ProofKind


class TryEnd(StrEnum):
    """How an attempt at a proof ended. The values are those of the JSON report."""

    PROVED = "proved"
    REFUTED = "refuted"  # the abstraction has a counterexample, which need not be one of the program
    UNKNOWN = "unknown"  # the solver gave up
    TIMEOUT = "timeout"
    REJECTED = "rejected"  # there was a proof, and the check of it failed
    UNSUPPORTED = "unsupported"  # the program has something that this arithmetic does not express
    FAILED = "failed"  # for a reason of ours, or of the solver


@dataclass(frozen=True)
class Try:
    """One attempt. kind: what its invariants are about. arithmetic: `exact`, `wrapping` or `bits`.

    method: what looked for the invariants: `horn` (a solver of Horn clauses), `counted` (one, with the numbers of
    threads at each place), `houdini` (from candidates) or `counting` (a search that counts threads). seconds: how long
    it took. why: more about how it ended.
    """

    kind: ProofKind
    arithmetic: str
    method: str
    end: TryEnd
    seconds: float
    why: str = ""
