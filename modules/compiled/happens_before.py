"""What happens before what in a recorded run, and which pairs of operations could have come in the other order."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cseq.modules.compiled.client.record import OP_CLASS, EntryFlag, Op

SEQUENTIAL = 5
"""The order of operations that are sequentially consistent."""

_ENTRY = struct.Struct("<HHBBBBIIQQQQ")
ATOMIC = frozenset({Op.ATOMIC_LOAD, Op.ATOMIC_STORE, Op.ATOMIC_UPDATE, Op.ATOMIC_COMPARE, Op.ATOMIC_DIFFERS})
"""Atomic operations."""

_WITH_ARGUMENT = frozenset({Op.WAIT, Op.TIMED_WAIT, Op.WAKE})
"""Operations on two objects: the condition variable and its mutex."""

_ON_THREAD = frozenset({Op.END, Op.JOIN, Op.DETACH})
"""Operations on a thread, whose number is the argument: handles are used again."""

_ENABLING = frozenset({
    Op.CREATE, Op.END, Op.UNLOCK, Op.RWLOCK_UNLOCK, Op.SPIN_UNLOCK, Op.WAIT, Op.TIMED_WAIT, Op.SIGNAL, Op.BROADCAST,
    Op.GIVE, Op.ARRIVE, Op.ONCE_FINISH, Op.GUARD_FINISH, Op.GUARD_ABORT, Op.FUTEX_WAKE, Op.FILE_UNLOCK, Op.EXIT,
})  # fmt: skip
"""Operations that can only let others go on: one that waits for them cannot come before them."""


@dataclass(frozen=True, slots=True)
class Event:
    """An operation that a thread has executed or, at the end of a run, has announced.

    keys: what it is on, in cells of 4 bytes. kind: its class, which says what it commutes with. choice: how many
    choices had been made before it. enabled: the threads that could have gone on instead, a bit each. place, size,
    order, unheard: of atomic operations, as in entries.
    """

    op: int
    thread: int
    keys: tuple[int, ...]
    kind: str
    choice: int
    enabled: int
    value: int
    argument: int
    place: int = 0
    size: int = 0
    order: int = SEQUENTIAL
    unheard: int = 0


def events(record: bytes) -> tuple[list[Event], list[Event]]:
    """The executed operations of a record, in order of time, and those that are announced at its end.

    record: the array of entries, see `backends/compiled/runtime/base/record.h`.
    """
    executed: list[Event] = []
    announced: list[Event] = []
    for op, thread, flags, size, ordered, unheard, _, choice, where, value, argument, enabled in _ENTRY.iter_unpack(
        record
    ):
        if flags & (EntryFlag.OBSERVED | EntryFlag.IN_SECTION):  # the section itself stands for what is in it
            continue
        last = where + max(size, 1) - 1
        if op in _ON_THREAD:
            keys: tuple[int, ...] = (~argument,)
        elif op in _WITH_ARGUMENT:
            keys = (where >> 2, argument >> 2)
        else:
            keys = tuple(range(where >> 2, (last >> 2) + 1))
        known = (where, size, ordered, unheard) if op in ATOMIC else (where,)
        event = Event(op, thread, keys, OP_CLASS[op], choice, enabled, value, argument, *known)
        (announced if flags & EntryFlag.PENDING else executed).append(event)
    return executed, announced


def dependent(one: Event, other: Event) -> bool:
    """Whether the order of two operations of different threads matters."""
    if Op.EXIT in (one.op, other.op):
        return True
    if "LOCAL" in (one.kind, other.kind):
        return False
    if "ALL" in (one.kind, other.kind):
        return True
    return not (one.kind == other.kind == "READ") and not set(one.keys).isdisjoint(other.keys)


def enables(one: Event) -> bool:
    """Whether *one* can only let others go on, so that what waits for it cannot come before it."""
    return one.op in _ENABLING


class Order:
    """What happens before what: operations of the same thread, and dependent ones, as they were executed.

    Each operation has a clock: for each thread, how many events of the run up to its last one that happened before.
    """

    def __init__(self, run: Sequence[Event]) -> None:
        self.run = run
        self.clocks: list[dict[int, int]] = []
        self._before: list[dict[int, int]] = []
        self._of_thread: dict[int, dict[int, int]] = {}
        self._on: dict[int, list[int]] = {}
        self._everywhere: list[int] = []
        self._created: dict[int, int] = {}
        for number, event in enumerate(run):
            self._add(number, event)

    def _add(self, number: int, event: Event) -> None:
        before = self.before(event)
        clock = dict(before)
        for other in self.conflicting(event, number):
            _join(clock, self.clocks[other])
        clock[event.thread] = number + 1
        self._before.append(before)
        self.clocks.append(clock)
        self._of_thread[event.thread] = clock
        if event.kind == "ALL":
            self._everywhere.append(number)
        elif event.kind != "LOCAL":
            for key in event.keys:
                self._on.setdefault(key, []).append(number)
        if event.op == Op.CREATE:
            self._created[event.value] = number

    def before(self, event: Event) -> dict[int, int]:
        """The clock of what the thread of *event* has done before it, if *event* came now."""
        found = self._of_thread.get(event.thread)
        if found is None and event.thread in self._created:
            found = self.clocks[self._created[event.thread]]
        return found or {}

    def preceding(self, number: int) -> dict[int, int]:
        """The clock of what happened before the operation with this *number*, but for its own conflicts."""
        return self._before[number]

    def conflicting(self, event: Event, number: int) -> Iterator[int]:
        """The operations before the one with this *number* whose order with *event* matters, of any thread."""
        if event.kind == "LOCAL":
            yield from (n for n in self._everywhere if self.run[n].op == Op.EXIT)
            return
        if event.op == Op.EXIT:
            yield from range(number)
            return
        if event.kind == "ALL":
            yield from (n for n in range(number) if self.run[n].kind != "LOCAL")
            return
        yield from self._everywhere
        for key in event.keys:
            for other in self._on.get(key, ()):
                if event.kind != "READ" or self.run[other].kind != "READ":
                    yield other

    def precedes(self, one: int, other: int) -> bool:
        """Whether the operation *one* happens before the operation *other*, or is it."""
        return self.clocks[other].get(self.run[one].thread, 0) > one

    def reversible(self, number: int, event: Event) -> list[int]:
        """The operations that *event*, the one with this *number*, might have preceded instead."""
        before = self._before[number] if number < len(self.run) else self.before(event)
        return [
            other
            for other in dict.fromkeys(self.conflicting_before(event, number))
            if self.run[other].thread != event.thread and before.get(self.run[other].thread, 0) <= other
        ]

    def conflicting_before(self, event: Event, number: int) -> Iterator[int]:
        """As `conflicting`, but of a run that is complete: only operations before *number*."""
        return (other for other in self.conflicting(event, number) if other < number)

    def initials(self, one: int, number: int, event: Event) -> dict[int, Event]:
        """The threads that can begin an execution in which *event* precedes the operation *one*, with their first
        operations."""
        kept = [n for n in range(one + 1, min(number, len(self.run))) if not self.precedes(one, n)]
        first: dict[int, Event] = {}
        for n in kept:
            thread = self.run[n].thread
            if thread not in first and not any(self.precedes(m, n) for m in kept if m < n):
                first[thread] = self.run[n]
        if event.thread not in {self.run[n].thread for n in kept}:
            before = self._before[number] if number < len(self.run) else self.before(event)
            needs = any(before.get(self.run[n].thread, 0) > n for n in kept)
            if not needs and not any(dependent(self.run[n], event) for n in kept):
                first[event.thread] = event
        return first


def _join(clock: dict[int, int], other: dict[int, int]) -> None:
    for thread, time in other.items():
        if clock.get(thread, 0) < time:
            clock[thread] = time
