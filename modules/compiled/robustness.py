"""Whether older values, which an exhaustive search does not try, could have come up in a run.

A program is robust if its executions in C11 and C++20 are those that its schedules have. An execution that no schedule
has begins as one of a schedule, up to an operation that reads past, or comes before, a store that its thread knows of:
there is a chain of dependent operations from that store to the thread. So in some run of an exhaustive search there is
such a store that does not happen before the operation, and that the thread has not read. After O. Lahav and
R. Margalit, "Robustness against Release/Acquire Semantics" (PLDI 2019).
"""

import struct
from collections.abc import Iterable, Iterator, Sequence

from cseq.modules.compiled.client.record import EntryFlag, Op
from cseq.modules.compiled.happens_before import ATOMIC, SEQUENTIAL, Event, Order, events

_CONSUME = 1
_UNKNOWN, _LOOSE = 127, 128  # see `unheard` in `backends/compiled/runtime/base/record.h`

_WRITES = frozenset({Op.ATOMIC_STORE, Op.ATOMIC_UPDATE, Op.ATOMIC_COMPARE})
_PLACED = frozenset({Op.ATOMIC_STORE, Op.ATOMIC_UPDATE})
"""Writes that cannot come between an operation that reads and writes and the store that this reads."""

_OUTSIDE = frozenset({
    Op.INPUT_OUTPUT, Op.SIGNAL_SENT, Op.SIGNAL_HANDLED, Op.PARALLEL, Op.OMP_BARRIER, Op.OMP_CRITICAL, Op.SECTION,
})  # fmt: skip
"""What may order more operations, as the runtime sees them, than the standards say."""

_HEAD = struct.Struct("<HHBBBBIIQQQQ")

Clock = dict[int, int]
"""For each thread, how many events of the run up to its last one that came before."""


def may_deviate(record: bytes) -> bool:
    """Whether an execution that no schedule has may begin like the run with this *record*.

    record: the entries of a run to its end, of an exhaustive search. Values out of thin air are taken not to exist.
    """
    if not any(op in ATOMIC and order != SEQUENTIAL for op, _, _, _, order, *_ in _HEAD.iter_unpack(record)):
        return False  # without data races, such programs have no other executions
    if any(op in ATOMIC and flags & EntryFlag.IN_SECTION for op, _, flags, *_ in _HEAD.iter_unpack(record)):
        return True
    run, _ = events(record)
    atomic = [event for event in run if event.op in ATOMIC]
    if any(event.op in _OUTSIDE for event in run) or any(event.order == _CONSUME for event in atomic):
        return True
    if _overlap({(event.place, event.size) for event in atomic}):
        return True
    return _Run(run).deviates()


def _overlap(places: Iterable[tuple[int, int]]) -> bool:
    """Whether operations of different sizes, or at different addresses, are on the same bytes."""
    end = -1
    for place, size in sorted(places):
        if place < end:
            return True
        end = place + max(size, 1)
    return False


class _Run:
    """One run, looked at in order of time."""

    def __init__(self, run: Sequence[Event]) -> None:
        self._run = run
        self._order = Order(run)
        self._total = _total(run)
        self._stores: dict[int, list[int]] = {}
        self._reads: dict[int, dict[int, int]] = {}  # by place and thread: the first
        self._latest: dict[tuple[int, int], int] = {}  # by thread and place: its last operation there
        self._of_thread: dict[int, list[int]] = {}
        self._loose: list[int] = []

    def deviates(self) -> bool:
        """Whether any operation could have read, or come before, an older store; or been read before its time."""
        for number, event in enumerate(self._run):
            if event.op in ATOMIC or event.op == Op.FUTEX_WAIT:
                if any(self._known(number, store) for store in self._passed(event)):
                    return True
                if event.op in _WRITES and self._loose and self._foreseen(number, event):
                    return True
                self._add(number, event)
            self._of_thread.setdefault(event.thread, []).append(number)
        return False

    def _add(self, number: int, event: Event) -> None:
        self._latest[event.thread, event.place] = number
        if event.op in _WRITES:
            self._stores.setdefault(event.place, []).append(number)
        if event.op in ATOMIC and event.op != Op.ATOMIC_STORE:
            self._reads.setdefault(event.place, {}).setdefault(event.thread, number)
        if event.unheard & _LOOSE:
            self._loose.append(number)

    def _passed(self, event: Event) -> list[int]:
        """The stores that *event* could have come before, or the next older of which it could have read."""
        stores = self._stores.get(event.place, [])
        unheard = event.unheard & _UNKNOWN
        if event.op == Op.FUTEX_WAIT:
            own = self._latest.get((event.thread, event.place), -1)
            return [store for store in stores if store > own]
        found = stores if unheard in (0, _UNKNOWN) else stores[len(stores) - min(unheard - 1, len(stores)) :]
        if event.op in _PLACED:
            plain = [n for n, store in enumerate(found) if self._run[store].op == Op.ATOMIC_STORE]
            return found[plain[0] :] if plain else []
        return found

    def _known(self, number: int, store: int) -> bool:
        """Whether the thread of an operation knows of the *store* by what it has done before."""
        known = self._order.preceding(number).get(self._run[store].thread, 0) > store
        total = self._total.get(number)
        return known and not (total is not None and total.get(self._run[store].thread, 0) > store)

    def _foreseen(self, number: int, event: Event) -> bool:
        """Whether a thread could have read the store *event*, though it follows from what that thread did next.

        Such as in: a loads x and then stores y, b loads y and then stores x. At least two of the values that are passed
        on in a circle do so without synchronisation: one of them at another place than that of *event*.
        """
        before = self._order.preceding(number)
        for thread, read in self._reads.get(event.place, {}).items():
            until = before.get(thread, 0)
            if thread == event.thread or until <= read + 1:
                continue
            later = (n for n in self._of_thread[thread] if read < n < until)
            if any(self._run[n].op not in ATOMIC or self._run[n].place != event.place for n in later) and any(
                read < n < before.get(self._run[n].thread, 0) and self._run[n].place != event.place for n in self._loose
            ):
                return True
        return False


def _total(run: Sequence[Event]) -> dict[int, Clock]:
    """By number of an operation: what is before it in any total order of the sequentially consistent operations.

    Only operations at places count where all are sequentially consistent.
    """
    mixed = {event.place for event in run if event.op in ATOMIC and event.order != SEQUENTIAL}
    threads: dict[int, Clock] = {}
    stores: dict[int, Clock] = {}
    reads: dict[int, Clock] = {}
    found: dict[int, Clock] = {}
    for number, event in _at_other_places(run, mixed):
        before = threads.get(event.thread, {})
        found[number] = before
        writes = event.op in _WRITES
        now = _joined(before, stores.get(event.place, {}), reads.get(event.place, {}) if writes else {})
        now[event.thread] = number + 1
        threads[event.thread] = now
        if writes:
            stores[event.place] = now
        else:
            reads[event.place] = _joined(reads.get(event.place, {}), now)
    return found


def _at_other_places(run: Sequence[Event], mixed: set[int]) -> Iterator[tuple[int, Event]]:
    return ((n, event) for n, event in enumerate(run) if event.op in ATOMIC and event.place not in mixed)


def _joined(*clocks: Clock) -> Clock:
    joined: Clock = {}
    for clock in clocks:
        for thread, time in clock.items():
            joined[thread] = max(joined.get(thread, 0), time)
    return joined
