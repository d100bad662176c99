"""Who waits for what in a deadlock, as its replay observed."""

from dataclasses import dataclass

from cseq.model import trace
from cseq.model.actions import Mode, ObjectKind
from cseq.model.claims import Claim, Kind
from cseq.model.verdict import Property
from cseq.modules.library import clibrary, primitives, stubs
from cseq.modules.tracing.circles import circle, special_reason
from cseq.modules.tracing.evidence import Evidence, HeldLock, ObservedObject, StoppedThread


@dataclass(frozen=True)
class _BlockedThread:
    """A thread that cannot go on.

    who: the numbers of the threads that have to act before it can go on; empty where any thread would do.
    lock: the one that it waits for, in its last state.
    """

    stand: StoppedThread
    wait: trace.Wait
    who: frozenset[int] = frozenset()
    lock: ObservedObject | None = None


class Deadlock:
    """The threads that are stuck: first a cycle of waiting threads, or those that wait for none of the others.

    stuck: these threads. violated: the property; its place is where the last of the threads that come first got stuck.
    """

    def __init__(self, evidence: Evidence, threads: list[trace.Thread]) -> None:
        self._evidence = evidence
        self._threads = threads
        self._stands = {stand.thread.number for stand in evidence.stands}
        blocked = {stand.thread.number: self._blocked(stand) for stand in evidence.stands}
        around = [blocked[number] for number in circle({number: one.who for number, one in blocked.items()})]
        others = [one for _, one in sorted(blocked.items()) if one not in around]
        causes = around or [one for one in others if one.who.isdisjoint(blocked)]
        last = max(causes, key=lambda one: evidence.last.get(one.stand.thread.number, -1))
        ahead = dict(zip((one.stand.thread for one in around), [*around[-1:], *around], strict=False))
        self.stuck: list[trace.Stuck] = [
            self._stuck(one, ahead.get(one.stand.thread), one in around)
            for one in causes + [one for one in others if one not in causes]
        ]
        self.violated = Property(
            Claim(Kind.DEADLOCK, special_reason(self.stuck)), last.stand.origin, account=tuple(self.stuck)
        )

    def _stuck(self, one: _BlockedThread, ahead: _BlockedThread | None, in_circle: bool) -> trace.Stuck:
        """The thread as it is reported. ahead: the thread before it in the cycle, which waits for it."""
        thread = one.stand.thread
        blocks = self._holding(ahead.lock, thread) if ahead is not None and ahead.lock is not None else None
        return trace.Stuck(
            thread,
            one.stand.origin,
            one.wait,
            tuple(self._threads[number] for number in sorted(one.who)),
            tuple(hold(held) for held in self._evidence.held_by(thread)),
            in_circle,
            hold(blocks) if blocks is not None else None,
        )

    def _holding(self, lock: ObservedObject, thread: trace.Thread) -> HeldLock | None:
        return next((held for held in self._evidence.holders(lock.address) if held.thread == thread), None)

    def _blocked(self, stand: StoppedThread) -> _BlockedThread:
        """What a thread waits for, derived from the objects that its call uses and their state."""
        cond, mutex = stand.object(ObjectKind.CONDITION), stand.object(ObjectKind.MUTEX)
        if cond is not None and mutex is not None:
            return self._woken(stand, cond, mutex)
        if primitives.without_variant(stand.function) == clibrary.OPEN_WAIT:
            return _BlockedThread(stand, trace.TransferWait(-1))
        if not stand.objects:
            return _BlockedThread(stand, trace.CallWait(primitives.called(stand.function)))
        sight = stand.objects[0]
        name = self._evidence.name_of(sight)
        match sight.kind:
            case ObjectKind.THREAD:
                number = sight.address - 1
                return _BlockedThread(stand, trace.ThreadWait(self._threads[number]), frozenset({number}))
            case ObjectKind.SEMAPHORE:
                return _BlockedThread(stand, trace.SemaphoreWait(name))
            case ObjectKind.BARRIER:
                return _BlockedThread(stand, trace.BarrierWait(name, sight.state["arrived"], sight.state["count"]))
            case ObjectKind.RWLOCK:
                return self._for_lock(stand, sight, primitives.acts(stand.function)[0].mode)
        return self._for_lock(stand, sight)

    def _woken(self, stand: StoppedThread, cond: ObservedObject, mutex: ObservedObject) -> _BlockedThread:
        """A wait on a condition variable, which ends when the thread has reacquired the mutex."""
        name = self._evidence.name_of(cond)
        asleep = cond.state["waiting"] >> stand.thread.number & 1
        if not mutex.holders():
            return _BlockedThread(stand, trace.SignalWait(name))
        found = self._for_lock(stand, mutex)
        if asleep and stubs.uses(primitives.without_variant(stand.function), stubs.WAIT_OR_WAKE):
            assert isinstance(found.wait, trace.LockWait)
            return _BlockedThread(stand, trace.SignalWait(name, found.wait), found.who, mutex)
        return found

    def _for_lock(self, stand: StoppedThread, lock: ObservedObject, mode: Mode = Mode.EXCLUSIVE) -> _BlockedThread:
        who = lock.holders()
        holder = self._holder(stand, lock, who)
        if mode is Mode.READING and not lock.state["writer"]:
            who = {number for number in self._stands if lock.state["waiting"] >> number & 1}
            holder = trace.Holder(self._threads[min(who)], is_next=True)
        wait = trace.LockWait(lock.kind, self._evidence.name_of(lock), holder, mode)
        return _BlockedThread(stand, wait, frozenset(who), lock)

    def _holder(self, stand: StoppedThread, lock: ObservedObject, who: set[int]) -> trace.Holder:
        """The holder to report: itself, or one that cannot go on. It is enough to wait for any one of them."""
        number = stand.thread.number
        if number not in who:
            ended = self._evidence.ended
            number = min(who, key=lambda n: (n not in self._stands, n not in ended, n))
        thread = self._threads[number]
        held = self._holding(lock, thread)
        return trace.Holder(thread, held.since if held is not None else None, number in self._evidence.ended)


def hold(held: HeldLock) -> trace.Hold:
    """The report's form of a lock that a thread was seen to hold."""
    return trace.Hold(held.name, held.since, held.reading, held.kind)
