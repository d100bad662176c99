"""A deadlock in words, from what its replay saw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cseq.base.claims import Claim, Kind, Reason
from cseq.base.trace import Hold, Stuck, Thread
from cseq.base.verdict import Property
from cseq.modules.replay.evidence import Evidence, Held, Sight, Stand

_TIMED = ("timedwake", "clockwake", "cond_cancelled")
"""Steps that wait for their mutex only, since something else than a signal ended the wait on the condition variable."""

_HOLDS, _HELD = {"once": "runs"}, {"once": "run"}
"""What a thread does with an object of a kind, and what it is then, where it is not held."""


@dataclass(frozen=True)
class Wait:
    """What a thread waits for. what: in words. who: the threads without which it cannot come; none where any would do.

    sight: the lock or the thread that it is.
    """

    stand: Stand
    what: str
    who: frozenset[int] = frozenset()
    sight: Sight | None = None


class Deadlock:
    """The threads that are stuck: first a circle, or those that wait for none of the others.

    spurious: whether a thread may wake up without a signal.
    """

    def __init__(self, evidence: Evidence, threads: list[Thread], spurious: bool = False) -> None:
        self._evidence = evidence
        self._threads = threads
        self._spurious = spurious
        waits = {stand.thread.number: self._wait(stand) for stand in evidence.stands}
        self._circle = [waits[number] for number in _circle(waits)]
        others = [wait for _, wait in sorted(waits.items()) if wait not in self._circle]
        self._causes = self._circle or [wait for wait in others if wait.who.isdisjoint(waits)]
        self._stuck = self._causes + [wait for wait in others if wait not in self._causes]

    @property
    def violated(self) -> Property:
        """The property, with the deadlock in words; its place is where the last of those that come first got stuck."""
        parts = self._circle_in_words() + [self._in_words(wait) for wait in self._stuck[len(self._circle) :]]
        last = max(self._causes, key=lambda wait: self._evidence.last.get(wait.stand.thread.number, -1))
        return Property(
            Claim(Kind.DEADLOCK, self._reason()),
            last.stand.origin,
            account=f"deadlock: {'; '.join(parts)}",
            places=tuple(held.since for held in self._evidence_of(self._stuck)),
        )

    def _evidence_of(self, waits: list[Wait]) -> Iterator[Held]:
        """What is held of what is waited for."""
        for wait in waits:
            for number in wait.who:
                held = self._holding(wait, self._threads[number])
                if held is not None:
                    yield held

    def _reason(self) -> Reason | None:
        """Why the threads are stuck, where that is something special: itself, or a thread that has ended."""
        alone = [wait for wait in self._stuck if wait not in self._circle or len(self._circle) == 1]
        if any(wait.sight is not None and wait.stand.thread.number in wait.who for wait in alone):
            return Reason.ITSELF
        locks = [wait for wait in alone if wait.sight is not None and wait.sight.kind != "thread"]
        if any(self._holder(wait) in self._evidence.ended for wait in locks):
            return Reason.ENDED_HOLDER
        return None

    def _holder(self, wait: Wait) -> int:
        """The thread to name of those that hold what is waited for: any one is enough, so one that cannot go on."""
        stands = {stand.thread.number for stand in self._evidence.stands}
        return min(wait.who, key=lambda n: (n not in stands, n not in self._evidence.ended, n))

    @property
    def stuck(self) -> list[Stuck]:
        """The threads, as facts."""
        return [
            Stuck(
                wait.stand.thread,
                wait.stand.origin,
                f"waits {wait.what}{self._held_up(wait)}".replace("`", ""),
                tuple(self._threads[number] for number in sorted(wait.who)),
                tuple(Hold(held.name, held.since, held.reading) for held in self._evidence.held_by(wait.stand.thread)),
                wait in self._circle,
            )
            for wait in self._stuck
        ]

    def _circle_in_words(self) -> list[str]:
        if len(self._circle) == 1:
            return [self._in_words(self._circle[0])]
        parts = []
        for before, wait in zip([*self._circle[-1:], *self._circle], self._circle, strict=False):
            held = self._holding(before, wait.stand.thread)
            holds = f"{_HOLDS.get(held.kind, 'holds')} `{held.name}`{_since(held)} and " if held is not None else ""
            parts.append(f"{wait.stand.thread} {holds}waits {wait.what} at {wait.stand.origin}")
        return parts

    def _in_words(self, wait: Wait) -> str:
        return f"{wait.stand.thread} waits at {wait.stand.origin} {wait.what}{self._held_up(wait)}"

    def _held_up(self, wait: Wait) -> str:
        """By whom what the thread waits for is held, and since when."""
        if wait.sight is None or wait.sight.kind == "thread":
            return ""
        if wait.stand.thread.number in wait.who:
            held = self._holding(wait, wait.stand.thread)
            return f", which it {_HOLDS.get(wait.sight.kind, 'holds')} itself{_since(held)}"
        number = self._holder(wait)
        ended = ", which has ended" if number in self._evidence.ended else ""
        thread = self._threads[number]
        return f", {_HELD.get(wait.sight.kind, 'held')} by {thread}{_since(self._holding(wait, thread))}{ended}"

    def _holding(self, wait: Wait, thread: Thread) -> Held | None:
        if wait.sight is None or wait.sight.kind == "thread":
            return None
        return next((held for held in self._evidence.holders(wait.sight.address) if held.thread == thread), None)

    def _wait(self, stand: Stand) -> Wait:
        """What a thread waits for: told from the objects that its call is about, and their state."""
        cond, mutex = stand.object("cond"), stand.object("mutex")
        if cond is not None and mutex is not None:
            return self._woken(stand, cond, mutex)
        sight = stand.objects[0]
        name = self._evidence.name_of(sight)
        match sight.kind:
            case "thread":
                itself = sight.address == stand.thread.number + 1
                whom = "itself" if itself else str(self._threads[sight.address - 1])
                return Wait(stand, f"for {whom} to end", frozenset({sight.address - 1}), sight)
            case "semaphore":
                return Wait(stand, f"for semaphore `{name}`, whose value is 0, and nobody is left to post it")
            case "barrier":
                arrived, count = sight.state["arrived"], sight.state["count"]
                have = "has" if arrived == 1 else "have"
                return Wait(stand, f"for the others at barrier `{name}`, where {arrived} of {count} {have} arrived")
            case "once":
                return Wait(stand, f"for the routine of `{name}`", frozenset(sight.holders()), sight)
            case "rwlock":
                how = "reading" if "rdlock" in stand.function else "writing"
                return Wait(stand, f"to lock `{name}` for {how}", frozenset(sight.holders()), sight)
        return Wait(stand, f"for `{name}`", frozenset(sight.holders()), sight)

    def _woken(self, stand: Stand, cond: Sight, mutex: Sight) -> Wait:
        signal = f"for a signal on `{self._evidence.name_of(cond)}`"
        asleep = cond.state["waiting"] >> stand.thread.number & 1 and not self._spurious
        if not mutex.holders():
            return Wait(stand, f"{signal}, and nobody is left to send one")
        name = f"for `{self._evidence.name_of(mutex)}`"
        if asleep and not any(step in stand.function for step in _TIMED):
            name = f"{signal} and {name}"
        return Wait(stand, name, frozenset(mutex.holders()), mutex)


def _since(held: Held | None) -> str:
    return f" since {held.since}" if held is not None else ""


def _circle(waits: dict[int, Wait]) -> list[int]:
    """Threads that wait for each other in a circle, from the one with the smallest number on; none where none do."""

    def search(number: int, way: list[int]) -> list[int]:
        if number in way:
            return way[way.index(number) :]
        if number in dead or number not in waits:
            return []
        for other in sorted(waits[number].who):
            found = search(other, [*way, number])
            if found:
                return found
        dead.add(number)
        return []

    dead: set[int] = set()
    for start in sorted(waits):
        found = search(start, [])
        if found:
            first = found.index(min(found))
            return found[first:] + found[:first]
    return []
