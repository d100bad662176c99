"""The ways to a proof, the cheapest first, and how they share the time.

A way that ends without a proof is not gone again, nor are those that cannot do better. Ways that run out of time are
gone again with more of it. Each attempt has a process of its own, which can be ended at any time. A proof only counts
if the certificate check accepts it, which happens in that process, too.
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
from cseq.modules.deductive.proofs import Arithmetic, Proof, Rung
from cseq.modules.deductive.transitions import System
from cseq.process.portfolio import Contender, contest

if TYPE_CHECKING:
    from cseq.modules.deductive.certificate import Checked


class Method(StrEnum):
    """What looks for the invariants."""

    HORN = "horn"
    """A solver of Horn clauses."""
    COUNTED = "counted"
    """The same, with ghost variables that count the threads at each location."""
    HOUDINI = "houdini"
    """The strongest conjunction of candidates, with these ghost variables."""
    COUNTING = "counting"
    """A search of states that counts the threads in each local state. Its proof may be of any rung but the product."""


@dataclass(frozen=True)
class Way:
    """A way to a proof. share: of the time of a round, in proportion to the others.

    is_fine: whether each location has a counter of its own, where threads are counted; a counting search has no ghost
    variables otherwise.
    """

    rung: Rung
    arithmetic: Arithmetic
    method: Method = Method.HORN
    share: float = 1.0
    is_fine: bool = False


LADDER = (
    Way(Rung.MODULAR, Arithmetic.EXACT, share=2.0),
    Way(Rung.PAIRS, Arithmetic.WRAPPING, Method.COUNTING, share=0.5),
    Way(Rung.PRODUCT, Arithmetic.EXACT, share=2.0),
    Way(Rung.PAIRS, Arithmetic.EXACT, share=2.0),
    Way(Rung.MODULAR, Arithmetic.EXACT, Method.HOUDINI, share=2.0),
    Way(Rung.MODULAR, Arithmetic.WRAPPING),
    Way(Rung.PRODUCT, Arithmetic.WRAPPING, share=2.0),
    Way(Rung.PAIRS, Arithmetic.WRAPPING, Method.COUNTING, is_fine=True),
    Way(Rung.PAIRS, Arithmetic.WRAPPING),
    Way(Rung.MODULAR, Arithmetic.EXACT, Method.COUNTED, share=0.5),
    Way(Rung.MODULAR, Arithmetic.EXACT, Method.HOUDINI, is_fine=True),
    Way(Rung.MODULAR, Arithmetic.WRAPPING, Method.HOUDINI, share=0.5),
    Way(Rung.MODULAR, Arithmetic.BITS, share=0.5),
    Way(Rung.PRODUCT, Arithmetic.BITS, share=0.5),
    Way(Rung.PAIRS, Arithmetic.BITS, share=0.5),
)
"""All ways, in the order in which they are gone."""

FIRST = 1.0
"""Seconds per share in the first round."""
GROWTH = 4.0
"""How much longer the next round is."""

_STRENGTH = {Rung.MODULAR: 0, Rung.PAIRS: 1, Rung.PRODUCT: 2}
"""What a rung proves, a stronger one proves, too."""
_MOST_THREADS = 4
_MOST_COMBINATIONS = 20_000
_MOST_PAIRED = 60
"""Threads and combinations of locations of a product, and locations of pairs."""
_GRACE = 2.0


@dataclass(frozen=True)
class Accepted:
    """A proof that the check has accepted. system: what it is about, with ghost variables perhaps."""

    system: System
    proof: Proof
    checked: Checked


@dataclass(frozen=True)
class ProofAttempt:
    """The result of a climb. tries: the last attempt of each way. timed_out: whether more time might help."""

    accepted: Accepted | None = None
    tries: tuple[Try, ...] = ()
    timed_out: bool = False


Attempted = tuple[Try, Accepted | None]


def attempt(system: System, way: Way, seconds: float) -> Attempted:
    """Look for a proof by *way*, and check it; each for *seconds* at most."""
    from cseq.modules.deductive import certificate, counters, horn, houdini, phases
    from cseq.modules.deductive.karp_miller import search as counting_search

    begun = time.monotonic()

    def ended(end: TryEnd, why: str = "") -> Try:
        return _try(way, end, time.monotonic() - begun, why)

    has_ghosts = way.is_fine if way.method is Method.COUNTING else way.method is not Method.HORN
    subject = counters.counted(system, way.is_fine) if has_ghosts else system
    if way.method is Method.HORN and way.rung is Rung.MODULAR:
        subject = phases.phased(system)
    if way.method is Method.COUNTING:
        found = counting_search.prove(subject, seconds)
    elif way.method is Method.HOUDINI:
        found = houdini.prove(subject, way.arithmetic, seconds)
    else:
        found = horn.prove(subject, way.rung, way.arithmetic, timeout=seconds)
    if found.proof is None:
        return ended(TryEnd(found.answer), found.reason), None
    left = max(2 * seconds - (time.monotonic() - begun), 1.0)
    checked = certificate.check(subject, found.proof, left)
    if not checked.accepted:
        return ended(TryEnd.REJECTED, f"{checked.cause}: {checked.message or checked.rejected}"), None
    return ended(TryEnd.PROVED), Accepted(subject, found.proof, checked)


def _try(way: Way, end: TryEnd, seconds: float, why: str = "") -> Try:
    return Try(ProofKind(way.rung.value), way.arithmetic.value, way.method.value, end, seconds, why)


def ways(system: System) -> list[Way]:
    """The ways that make sense for *system*, in order."""
    return [way for way in LADDER if _suits(way, system)]


def _suits(way: Way, system: System) -> bool:
    is_small = _is_small(system)
    creates = any(edge.creations for template in system.templates for edge in template.edges)
    if way.method is not Method.HORN:
        return creates
    if way.rung is Rung.PRODUCT:
        return creates and is_small
    if way.rung is Rung.PAIRS:
        places = sum(len(template.locations) for template in system.templates)
        return creates and not is_small and places <= _MOST_PAIRED
    return True


def _is_small(system: System) -> bool:
    """Whether the product of the threads is small enough to be written down."""
    if any(template.is_replicated for template in system.templates) or len(system.templates) > _MOST_THREADS:
        return False
    return math.prod(len(template.locations) + 1 for template in system.templates) <= _MOST_COMBINATIONS


def cannot_do_better(way: Way, refuted: Way) -> bool:
    """Whether *way* has no proof either, as the abstraction of *refuted* has a counterexample.

    What goes wrong where nothing overflows goes wrong in exact arithmetic, too, but not the other way round.
    """
    if (way.method, way.is_fine) != (refuted.method, refuted.is_fine) or _STRENGTH[way.rung] > _STRENGTH[refuted.rung]:
        return False
    return refuted.arithmetic is not Arithmetic.EXACT or way.arithmetic is Arithmetic.EXACT


@dataclass
class _Climb:
    """One climb; the arguments are those of `climb`."""

    system: System
    folder: Path
    end: float | None
    most: int
    memory: int | None
    doing: Callable[[System, Way, float], Attempted]
    hear: Callable[[Way, float], None]
    last: dict[Way, Try] = field(default_factory=dict)
    refuted: list[Way] = field(default_factory=list)

    def round(self, budget: float) -> Accepted | None:
        """Go each way that is open once, for *budget* seconds per share."""
        byname = {f"{way.method} {way.rung} {way.arithmetic} {way.is_fine}": way for way in self.open()}
        accepted: list[Accepted] = []

        def contenders() -> Iterator[Contender[float, Attempted]]:
            for name, way in byname.items():
                seconds = min(budget * way.share, self.left())
                if accepted or seconds <= 0 or way not in self.open():
                    continue
                self.hear(way, seconds)
                yield Contender(name, self.work(way, seconds))

        def wanted(name: str, answer: Attempted) -> bool:
            self.take(byname[name], answer)
            accepted.extend([answer[1]] if answer[1] is not None else [])
            return bool(accepted)

        def over(name: str, answer: Attempted | Exception) -> None:
            if isinstance(answer, Exception):
                self.take(byname[name], (self.failed(byname[name], answer), None))

        contest(contenders(), wanted, self.folder, over=over, most=self.most, patience=None)
        return accepted[0] if accepted else None

    def work(self, way: Way, seconds: float) -> Callable[[Callable[[float], None]], Attempted]:
        """What the process for *way* does; it ends itself if nobody else does."""

        def work(_: Callable[[float], None]) -> Attempted:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, 2 * seconds + _GRACE)
            if self.memory is not None:
                most = self.memory << 20
                resource.setrlimit(resource.RLIMIT_AS, (most, most))
            return self.doing(self.system, way, seconds)

        return work

    def take(self, way: Way, answer: Attempted) -> None:
        self.last[way] = answer[0]
        if answer[0].end is TryEnd.REFUTED:
            self.refuted.append(way)

    def failed(self, way: Way, error: Exception) -> Try:
        seconds = 0.0
        if isinstance(error, UnsupportedError):
            return _try(way, TryEnd.UNSUPPORTED, seconds, str(error))
        if isinstance(error, MissingError | UsageError):
            raise error
        if isinstance(error, BackendError) and f"signal {signal.SIGALRM.value}" in error.message:
            return _try(way, TryEnd.TIMEOUT, seconds)
        said = str(error) if isinstance(error, CSeqError) else f"{type(error).__name__}: {error}"
        return _try(way, TryEnd.FAILED, seconds, said)

    def open(self) -> list[Way]:
        """The ways that may still lead to a proof."""
        return [
            way
            for way in ways(self.system)
            if (way not in self.last or self.last[way].end is TryEnd.TIMEOUT)
            and not any(cannot_do_better(way, refuted) for refuted in self.refuted)
        ]

    def left(self) -> float:
        return math.inf if self.end is None else self.end - time.monotonic()


def climb(
    system: System,
    folder: Path,
    end: float | None = None,
    *,
    most: int = 1,
    memory: int | None = None,
    doing: Callable[[System, Way, float], Attempted] = attempt,
    hear: Callable[[Way, float], None] = lambda way, seconds: None,
) -> ProofAttempt:
    """Look for a proof of *system* until there is one, no way is left, or the time is up.

    folder: for temporary files. end: when the time is up, in `time.monotonic` seconds. most: how many attempts are made
    at the same time. memory: megabytes for each. doing: what makes an attempt. hear: called when one begins.
    """
    state = _Climb(system, folder, end, most, memory, doing, hear)
    budget = FIRST
    while state.open() and state.left() > 0:
        accepted = state.round(budget)
        if accepted is not None:
            return ProofAttempt(accepted, tuple(state.last.values()))
        budget *= GROWTH
    return ProofAttempt(None, tuple(state.last.values()), timed_out=bool(state.open()))
