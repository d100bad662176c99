"""What was checked of a proof: a summary of invariants, and the answer of the checker of certificates."""

from dataclasses import dataclass
from enum import StrEnum

from cseq.model.origin import Origin


class ProofKind(StrEnum):
    """What the invariants of a proof are about. The values are those of the JSON report."""

    MODULAR = "modular"  # one thread, and its environment
    PAIRS = "pairs"  # two threads, and their environment
    PRODUCT = "product"  # all threads


@dataclass(frozen=True)
class LocalInvariant:
    """What holds whenever a thread is about to execute the statement at *origin*.

    value: a C expression without side effects over the user's variables that are visible there.
    """

    origin: Origin
    value: str


@dataclass(frozen=True)
class SharedInvariant:
    """What holds of shared variables throughout, or whenever no thread holds *lock*.

    value: a C expression without side effects over variables at file level. lock: the user's name; "" for throughout.
    """

    value: str
    lock: str = ""


@dataclass(frozen=True)
class CertificateCheck:
    """What the checker of certificates said of an answer that the analysis thread by thread gave.

    accepted: whether all that the answer rests on was checked. why: what was not. pairs: how many pairs of accesses, or
    of waits, were looked at.
    """

    accepted: bool
    why: str
    pairs: int


@dataclass(frozen=True)
class ProofSummary:
    """A proof that was accepted.

    solvers: those that checked it, each of which has confirmed all of the conditions. by: what found the invariants: a
    solver, or a method. conditions: the number of formulas that were checked.
    unlimited: the functions, by the user's names, of which the proof allows any number of threads.
    shared: the invariants that matter most, the most telling first. local: what holds at places, by place. Both leave
    out what C cannot say in the user's terms, so they may be weaker than the invariants that were checked.
    """

    kind: ProofKind
    solvers: tuple[str, ...]
    by: str
    conditions: int
    unlimited: tuple[str, ...] = ()
    shared: tuple[SharedInvariant, ...] = ()
    local: tuple[LocalInvariant, ...] = ()
