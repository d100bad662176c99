"""Who holds what, and who sleeps where, at any time of a recorded run."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from cseq.model.actions import ObjectKind
from cseq.modules.compiled.client.record import EntryFlag, Op
from cseq.modules.compiled.client.recorded import Operation

_TAKES = {
    **dict.fromkeys((Op.LOCK, Op.TRY_LOCK, Op.TIMED_LOCK, Op.WAKE), ObjectKind.MUTEX),
    **dict.fromkeys((Op.READ_LOCK, Op.TRY_READ_LOCK, Op.TIMED_READ_LOCK), ObjectKind.RWLOCK),
    **dict.fromkeys((Op.WRITE_LOCK, Op.TRY_WRITE_LOCK, Op.TIMED_WRITE_LOCK), ObjectKind.RWLOCK),
    **dict.fromkeys((Op.SPIN_LOCK, Op.SPIN_TRY_LOCK), ObjectKind.SPIN_LOCK),
    **dict.fromkeys((Op.ONCE_BEGIN, Op.GUARD_BEGIN), ObjectKind.ONCE),
}
"""The operations that take a lock → its kind."""

READS = frozenset({Op.READ_LOCK, Op.TRY_READ_LOCK, Op.TIMED_READ_LOCK})
_RELEASES = frozenset({
    Op.UNLOCK, Op.RWLOCK_UNLOCK, Op.SPIN_UNLOCK, Op.ONCE_FINISH, Op.GUARD_FINISH, Op.GUARD_ABORT,
})  # fmt: skip
_NO_EFFECT = EntryFlag.FAILED | EntryFlag.PENDING


@dataclass(frozen=True)
class Possession:
    """A lock that a thread holds. since: the operation that took it. times: how often, if it is recursive."""

    thread: int
    object: int
    kind: ObjectKind
    since: Operation
    reading: bool = False
    times: int = 1


class Ledger:
    """The locks that are held, the threads that wait for a signal, and what barriers know; one operation at a time."""

    def __init__(self) -> None:
        self._held: dict[tuple[int, int], Possession] = {}
        self.asleep: dict[int, set[int]] = defaultdict(set)  # by condition variable: the threads without a signal
        self.arrived: dict[int, list[int]] = defaultdict(list)  # by barrier: the threads of this round
        self.counts: dict[int, int] = {}  # by barrier: how many threads it waits for
        self.ended: set[int] = set()

    def book(self, operation: Operation) -> None:
        """Take an executed operation into account."""
        op, thread, thing = operation.op, operation.thread, operation.object
        if op is Op.END:
            self.ended.add(thread)
        if op in (Op.WAKE, Op.TIMED_WAIT, Op.WAIT):
            self._sleep(operation)
        if operation.flags & _NO_EFFECT:
            return
        if op in _TAKES:
            held = self._held.get((thread, thing))
            self._held[thread, thing] = (
                replace(held, times=held.times + 1)
                if held is not None
                else Possession(thread, thing, _TAKES[op], operation, op in READS)
            )
        elif op in _RELEASES:
            self._release(thread, thing)
        elif op in (Op.SIGNAL, Op.BROADCAST):
            self._wake(operation)
        elif op is Op.BARRIER_INIT:
            self.counts[thing] = operation.argument
        elif op is Op.ARRIVE:
            self.arrived[thing].append(thread)
            if len(self.arrived[thing]) == self.counts.get(thing):
                self.arrived[thing].clear()  # the next round begins; the last thread to arrive does not wait
        elif op is Op.LEAVE and thread in self.arrived[thing]:
            self.arrived[thing].remove(thread)

    def all(self) -> list[Possession]:
        """All that is held, in the order in which it was taken."""
        return list(self._held.values())

    def held_by(self, thread: int) -> list[Possession]:
        """What a thread holds, in the order in which it took it."""
        return [held for held in self._held.values() if held.thread == thread]

    def holders(self, thing: int) -> list[Possession]:
        """Who holds the lock at an address."""
        return [held for held in self._held.values() if held.object == thing]

    def _release(self, thread: int, thing: int) -> None:
        held = self._held.get((thread, thing))
        if held is None:
            for other in self.holders(thing):  # such as a mutex that another thread may unlock
                del self._held[other.thread, thing]
        elif held.times > 1:
            self._held[thread, thing] = replace(held, times=held.times - 1)
        else:
            del self._held[thread, thing]

    def _sleep(self, operation: Operation) -> None:
        """A wait unlocks the mutex and sleeps; it has ended when the thread wakes."""
        if operation.op is Op.WAKE:
            self.asleep[operation.argument].discard(operation.thread)
        elif not operation.flags & _NO_EFFECT:
            self._release(operation.thread, operation.argument)
            self.asleep[operation.object].add(operation.thread)

    def _wake(self, operation: Operation) -> None:
        """A signal says which thread it wakes: its number plus 1."""
        if operation.op is Op.BROADCAST:
            self.asleep[operation.object].clear()
        elif operation.value:
            self.asleep[operation.object].discard(operation.value - 1)


def at_times(operations: Iterable[Operation], times: Iterable[int]) -> dict[int, list[Possession]]:
    """All that is held when a number of operations have been executed, by these numbers."""
    wanted = sorted(set(times))
    found: dict[int, list[Possession]] = {}
    ledger = Ledger()
    for number, operation in enumerate(operations):
        while wanted and wanted[0] <= number:
            found[wanted.pop(0)] = ledger.all()
        ledger.book(operation)
    for left in wanted:
        found[left] = ledger.all()
    return found
