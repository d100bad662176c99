"""Proof strategies: kinds of invariants and methods to find them, the cheapest first, and how they share the time.

A strategy that ends without a proof is not tried again, nor is one that cannot do better. A strategy that runs out of
time is tried again with more time. Each attempt runs in a process of its own, which can be ended at any time. A proof
only counts if the certificate check, in the same process, accepts it.
"""

from __future__ import annotations

import math
import resource
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from cseq.model.errors import BackendError, CSeqError, MissingError, UnsupportedError, UsageError
from cseq.model.proof import ProofKind
from cseq.model.tries import Try, TryEnd
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind, Proof
from cseq.modules.deductive.transitions import System
from cseq.process.portfolio import Contender, contest

if TYPE_CHECKING:
    from cseq.modules.deductive.certificate import CheckResult


class Method(StrEnum):
    """What looks for the invariants."""

    HORN = "horn"
    """A solver of Horn clauses."""
    COUNTED = "counted"
    """The same, with ghost variables that count the threads at each location."""
    HOUDINI = "houdini"
    """The strongest conjunction of candidates, with these ghost variables."""
    COUNTING = "counting"
    """A search of states that counts the threads in each local state. Its proof is modular or about pairs."""


@dataclass(frozen=True)
class ProofStrategy:
    """How to look for a proof. share: of the time of a round, in proportion to the others.

    is_fine: whether each location has a counter of its own, where threads are counted; a counting search has no ghost
    variables otherwise.
    """

    invariant_kind: InvariantKind
    arithmetic: Arithmetic
    method: Method = Method.HORN
    share: float = 1.0
    is_fine: bool = False


STRATEGIES = (
    ProofStrategy(InvariantKind.MODULAR, Arithmetic.EXACT, share=2.0),
    ProofStrategy(InvariantKind.PAIRS, Arithmetic.WRAPPING, Method.COUNTING, share=0.5),
    ProofStrategy(InvariantKind.PRODUCT, Arithmetic.EXACT, share=2.0),
    ProofStrategy(InvariantKind.PAIRS, Arithmetic.EXACT, share=2.0),
    ProofStrategy(InvariantKind.MODULAR, Arithmetic.EXACT, Method.HOUDINI, share=2.0),
    ProofStrategy(InvariantKind.MODULAR, Arithmetic.WRAPPING),
    ProofStrategy(InvariantKind.PRODUCT, Arithmetic.WRAPPING, share=2.0),
    ProofStrategy(InvariantKind.PAIRS, Arithmetic.WRAPPING, Method.COUNTING, is_fine=True),
    ProofStrategy(InvariantKind.PAIRS, Arithmetic.WRAPPING),
    ProofStrategy(InvariantKind.MODULAR, Arithmetic.EXACT, Method.COUNTED, share=0.5),
    ProofStrategy(InvariantKind.MODULAR, Arithmetic.EXACT, Method.HOUDINI, is_fine=True),
    ProofStrategy(InvariantKind.MODULAR, Arithmetic.WRAPPING, Method.HOUDINI, share=0.5),
    ProofStrategy(InvariantKind.MODULAR, Arithmetic.BITS, share=0.5),
    ProofStrategy(InvariantKind.PRODUCT, Arithmetic.BITS, share=0.5),
    ProofStrategy(InvariantKind.PAIRS, Arithmetic.BITS, share=0.5),
)
"""All strategies, in the order in which they are tried."""

FIRST = 1.0
"""Seconds per share in the first round."""
GROWTH = 4.0
"""How much longer the next round is."""

_STRENGTH = {InvariantKind.MODULAR: 0, InvariantKind.PAIRS: 1, InvariantKind.PRODUCT: 2}
"""What invariants of one kind prove, those of a stronger kind prove, too."""
_MOST_THREADS = 4
_MOST_COMBINATIONS = 20_000
_MOST_PAIRED = 60
"""Threads and combinations of locations of a product, and locations of pairs."""
_GRACE = 2.0


@dataclass(frozen=True)
class AcceptedProof:
    """A proof that the check has accepted. system: what it is about, with ghost variables perhaps."""

    system: System
    proof: Proof
    checked: CheckResult


@dataclass(frozen=True)
class ProofAttempt:
    """The result of the search. tries: the last attempt of each strategy. timed_out: whether more time might help."""

    accepted: AcceptedProof | None = None
    tries: tuple[Try, ...] = ()
    timed_out: bool = False


Attempted = tuple[Try, AcceptedProof | None]


def attempt(system: System, strategy: ProofStrategy, seconds: float) -> Attempted:
    """Look for a proof by *strategy*, and check it; each for *seconds* at most."""
    from cseq.modules.deductive import certificate, counters, horn, houdini, phases
    from cseq.modules.deductive.karp_miller import search as counting_search

    begun = time.monotonic()

    def ended(end: TryEnd, why: str = "") -> Try:
        return _try(strategy, end, time.monotonic() - begun, why)

    has_ghosts = strategy.is_fine if strategy.method is Method.COUNTING else strategy.method is not Method.HORN
    subject = counters.counted(system, strategy.is_fine) if has_ghosts else system
    if strategy.method is Method.HORN and strategy.invariant_kind is InvariantKind.MODULAR:
        subject = phases.phased(system)
    if strategy.method is Method.COUNTING:
        found = counting_search.prove(subject, seconds)
    elif strategy.method is Method.HOUDINI:
        found = houdini.prove(subject, strategy.arithmetic, seconds)
    else:
        found = horn.prove(subject, strategy.invariant_kind, strategy.arithmetic, timeout=seconds)
    if found.proof is None:
        return ended(TryEnd(found.answer), found.reason), None
    left = max(2 * seconds - (time.monotonic() - begun), 1.0)
    checked = certificate.check(subject, found.proof, left)
    if not checked.accepted:
        return ended(TryEnd.REJECTED, f"{checked.cause}: {checked.message or checked.rejected}"), None
    return ended(TryEnd.PROVED), AcceptedProof(subject, found.proof, checked)


def _try(strategy: ProofStrategy, end: TryEnd, seconds: float, why: str = "") -> Try:
    return Try(
        ProofKind(strategy.invariant_kind.value), strategy.arithmetic.value, strategy.method.value, end, seconds, why
    )


def strategies(system: System) -> list[ProofStrategy]:
    """The strategies that make sense for *system*, in order."""
    return [strategy for strategy in STRATEGIES if _suits(strategy, system)]


def _suits(strategy: ProofStrategy, system: System) -> bool:
    is_small = _is_small(system)
    creates = any(edge.creations for template in system.templates for edge in template.edges)
    if strategy.method is not Method.HORN:
        return creates
    if strategy.invariant_kind is InvariantKind.PRODUCT:
        return creates and is_small
    if strategy.invariant_kind is InvariantKind.PAIRS:
        places = sum(len(template.locations) for template in system.templates)
        return creates and not is_small and places <= _MOST_PAIRED
    return True


def _is_small(system: System) -> bool:
    """Whether the product of the threads is small enough to be written down."""
    if any(template.is_replicated for template in system.templates) or len(system.templates) > _MOST_THREADS:
        return False
    return math.prod(len(template.locations) + 1 for template in system.templates) <= _MOST_COMBINATIONS


def cannot_do_better(strategy: ProofStrategy, refuted: ProofStrategy) -> bool:
    """Whether *strategy* has no proof either, as the abstraction of *refuted* has a counterexample.

    What goes wrong where nothing overflows goes wrong in exact arithmetic, too, but not the other way round.
    """
    if (strategy.method, strategy.is_fine) != (refuted.method, refuted.is_fine) or _STRENGTH[
        strategy.invariant_kind
    ] > _STRENGTH[refuted.invariant_kind]:
        return False
    return refuted.arithmetic is not Arithmetic.EXACT or strategy.arithmetic is Arithmetic.EXACT


@dataclass
class _Attempts:
    """The attempts at one proof; the arguments are those of `search_proof`."""

    system: System
    folder: Path
    end: float | None
    most: int
    memory: int | None
    doing: Callable[[System, ProofStrategy, float], Attempted]
    hear: Callable[[ProofStrategy, float], None]
    last: dict[ProofStrategy, Try] = field(default_factory=dict)
    refuted: list[ProofStrategy] = field(default_factory=list)

    def round(self, budget: float) -> AcceptedProof | None:
        """Try each strategy that is open once, for *budget* seconds per share."""
        byname = {
            f"{strategy.method} {strategy.invariant_kind} {strategy.arithmetic} {strategy.is_fine}": strategy
            for strategy in self.open()
        }
        accepted: list[AcceptedProof] = []

        def contenders() -> Iterator[Contender[float, Attempted]]:
            for name, strategy in byname.items():
                seconds = min(budget * strategy.share, self.left())
                if accepted or seconds <= 0 or strategy not in self.open():
                    continue
                self.hear(strategy, seconds)
                yield Contender(name, self.work(strategy, seconds))

        def wanted(name: str, answer: Attempted) -> bool:
            self.take(byname[name], answer)
            accepted.extend([answer[1]] if answer[1] is not None else [])
            return bool(accepted)

        def over(name: str, answer: Attempted | Exception) -> None:
            if isinstance(answer, Exception):
                self.take(byname[name], (self.failed(byname[name], answer), None))

        contest(contenders(), wanted, self.folder, over=over, most=self.most, patience=None)
        return accepted[0] if accepted else None

    def work(self, strategy: ProofStrategy, seconds: float) -> Callable[[Callable[[float], None]], Attempted]:
        """What the process for *strategy* does; it ends itself if it is not ended."""

        def work(_: Callable[[float], None]) -> Attempted:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, 2 * seconds + _GRACE)
            if self.memory is not None:
                most = self.memory << 20
                resource.setrlimit(resource.RLIMIT_AS, (most, most))
            return self.doing(self.system, strategy, seconds)

        return work

    def take(self, strategy: ProofStrategy, answer: Attempted) -> None:
        self.last[strategy] = answer[0]
        if answer[0].end is TryEnd.REFUTED:
            self.refuted.append(strategy)

    def failed(self, strategy: ProofStrategy, error: Exception) -> Try:
        seconds = 0.0
        if isinstance(error, UnsupportedError):
            return _try(strategy, TryEnd.UNSUPPORTED, seconds, str(error))
        if isinstance(error, MissingError | UsageError):
            raise error
        if isinstance(error, BackendError) and f"signal {signal.SIGALRM.value}" in error.message:
            return _try(strategy, TryEnd.TIMEOUT, seconds)
        said = str(error) if isinstance(error, CSeqError) else f"{type(error).__name__}: {error}"
        return _try(strategy, TryEnd.FAILED, seconds, said)

    def open(self) -> list[ProofStrategy]:
        """The strategies that may still lead to a proof."""
        return [
            strategy
            for strategy in strategies(self.system)
            if (strategy not in self.last or self.last[strategy].end is TryEnd.TIMEOUT)
            and not any(cannot_do_better(strategy, refuted) for refuted in self.refuted)
        ]

    def left(self) -> float:
        return math.inf if self.end is None else self.end - time.monotonic()


def search_proof(
    system: System,
    folder: Path,
    end: float | None = None,
    *,
    most: int = 1,
    memory: int | None = None,
    doing: Callable[[System, ProofStrategy, float], Attempted] = attempt,
    hear: Callable[[ProofStrategy, float], None] = lambda strategy, seconds: None,
) -> ProofAttempt:
    """Look for a proof of *system* until there is one, no strategy is left, or the time is up.

    folder: for temporary files. end: when the time is up, in `time.monotonic` seconds. most: how many attempts are made
    at the same time. memory: megabytes for each. doing: what makes an attempt. hear: called when one begins.
    """
    state = _Attempts(system, folder, end, most, memory, doing, hear)
    budget = FIRST
    while state.open() and state.left() > 0:
        accepted = state.round(budget)
        if accepted is not None:
            return ProofAttempt(accepted, tuple(state.last.values()))
        budget *= GROWTH
    return ProofAttempt(None, tuple(state.last.values()), timed_out=bool(state.open()))
