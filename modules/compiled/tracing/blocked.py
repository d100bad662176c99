"""The threads of a recorded run that are blocked for ever in its last state."""

from dataclasses import dataclass, replace

from cseq.model import trace
from cseq.model.actions import Mode, ObjectKind
from cseq.model.claims import Claim, Kind
from cseq.model.verdict import Property
from cseq.modules.compiled.client.record import EntryFlag, Op
from cseq.modules.compiled.client.recorded import Operation, RecordedRun
from cseq.modules.compiled.tracing.compiledsteps import OBJECTS, CompiledSteps
from cseq.modules.compiled.tracing.held_locks import READS, Ledger, Possession
from cseq.modules.tracing.circles import circle, special_reason

_LOCKS = frozenset({
    Op.LOCK, Op.TIMED_LOCK, Op.READ_LOCK, Op.TIMED_READ_LOCK, Op.WRITE_LOCK, Op.TIMED_WRITE_LOCK, Op.SPIN_LOCK,
    Op.ONCE_BEGIN, Op.ONCE_PASS, Op.GUARD_BEGIN, Op.GUARD_PASS,
})  # fmt: skip


@dataclass(frozen=True)
class _BlockedThread:
    """A thread that cannot go on. who: those that have to act first. lock: the address of the one it waits for."""

    operation: Operation
    wait: trace.Wait
    who: frozenset[int] = frozenset()
    lock: int = 0


class BlockedThreads:
    """The blocked threads: first those in a circle, or those that wait for none of the others.

    stuck: these threads. violated: the deadlock; its place is where the last of those that come first got stuck.
    """

    def __init__(self, recorded: RecordedRun, steps: CompiledSteps) -> None:
        self._steps = steps
        self._ledger = Ledger()
        last: dict[int, int] = {}
        for number, operation in enumerate(steps.executed):
            self._ledger.book(operation)
            last[operation.thread] = number
        pending = [each for each in recorded.operations if each.flags & EntryFlag.BLOCKED]
        waiting = {each.thread: self._waiting(each) for each in pending}
        around = [waiting[number] for number in circle({number: one.who for number, one in waiting.items()})]
        others = [one for _, one in sorted(waiting.items()) if one not in around]
        causes = around or [one for one in others if one.who.isdisjoint(waiting)] or others
        ahead = {one.operation.thread: before for one, before in zip(around, [*around[-1:], *around], strict=False)}
        self.stuck = [
            self._stuck(one, ahead.get(one.operation.thread), one in around)
            for one in causes + [one for one in others if one not in causes]
        ]
        self.violated: Property | None = None
        if causes:
            latest = max(causes, key=lambda one: last.get(one.operation.thread, -1))
            claim = Claim(Kind.DEADLOCK, special_reason(self.stuck))
            self.violated = Property(claim, self._steps.place(latest.operation), account=tuple(self.stuck))

    def steps(self) -> list[trace.Step]:
        """Where the threads are in the end: one step each."""
        found = [trace.Step(s.thread, s.origin, self._steps.line(s.origin), stands=True, why=s) for s in self.stuck]
        return sorted(found, key=lambda step: step.thread.number)

    def _stuck(self, one: _BlockedThread, ahead: _BlockedThread | None, in_circle: bool) -> trace.Stuck:
        number = one.operation.thread
        held = self._ledger.held_by(number)
        blocks = next((each for each in held if ahead is not None and each.object == ahead.lock), None)
        return trace.Stuck(
            self._steps.thread(number),
            self._steps.place(one.operation),
            one.wait,
            tuple(self._steps.thread(other) for other in sorted(one.who)),
            tuple(self._hold(each) for each in held),
            in_circle,
            self._hold(blocks) if blocks is not None else None,
        )

    def _hold(self, held: Possession) -> trace.Hold:
        return hold(self._steps, held)

    def _waiting(self, operation: Operation) -> _BlockedThread:
        """What a thread waits for, from the operation that it has announced."""
        op, thing = operation.op, operation.object
        name = self._steps.object_name(operation) if op in OBJECTS else ""
        if op is Op.WAKE:
            return self._woken(operation)
        if op in _LOCKS:
            return self._for_lock(operation, OBJECTS[op])
        match op:
            case Op.JOIN:
                return _BlockedThread(
                    operation,
                    trace.ThreadWait(self._steps.thread(operation.argument)),
                    frozenset({operation.argument} - self._ledger.ended),
                )
            case Op.TAKE | Op.TIMED_TAKE:
                return _BlockedThread(operation, trace.SemaphoreWait(name))
            case Op.ARRIVE | Op.LEAVE | Op.OMP_BARRIER:
                arrived = len(self._ledger.arrived[thing])
                return _BlockedThread(
                    operation, trace.BarrierWait(name or "barrier", arrived, self._ledger.counts.get(thing, 0))
                )
            case Op.FUTEX_WAIT | Op.FUTEX_RETURN:
                return _BlockedThread(operation, trace.ChangeWait(self._steps.word(operation)))
            case Op.INPUT_OUTPUT:
                return _BlockedThread(operation, trace.TransferWait(operation.argument))
        return _BlockedThread(operation, trace.TransferWait(-1))

    def _woken(self, operation: Operation) -> _BlockedThread:
        """A wait on a condition variable: the thread has no signal yet, or the mutex is not free."""
        asleep = operation.thread in self._ledger.asleep[operation.argument]
        taken = [held for held in self._ledger.holders(operation.object) if held.thread != operation.thread]
        if taken and not asleep:
            return self._for_lock(operation, ObjectKind.MUTEX)
        condition = replace(operation, op=Op.WAIT, object=operation.argument)
        name = self._steps.object_name(condition)
        if not taken:
            return _BlockedThread(operation, trace.SignalWait(name))
        found = self._for_lock(operation, ObjectKind.MUTEX)
        assert isinstance(found.wait, trace.LockWait)
        return _BlockedThread(operation, trace.SignalWait(name, found.wait), found.who, found.lock)

    def _for_lock(self, operation: Operation, kind: ObjectKind) -> _BlockedThread:
        holders = {held.thread: held for held in self._ledger.holders(operation.object)}
        mode = Mode.EXCLUSIVE
        if kind is ObjectKind.RWLOCK:
            mode = Mode.READING if operation.op in READS else Mode.WRITING
        name = self._steps.object_name(operation)
        if not holders:
            return _BlockedThread(operation, trace.ChangeWait(name))
        number = operation.thread if operation.thread in holders else min(holders)
        since = self._steps.place(holders[number].since)
        holder = trace.Holder(self._steps.thread(number), since, number in self._ledger.ended)
        return _BlockedThread(operation, trace.LockWait(kind, name, holder, mode), frozenset(holders), operation.object)


def hold(steps: CompiledSteps, held: Possession) -> trace.Hold:
    """A lock that a thread holds, as reports have it."""
    return trace.Hold(steps.object_name(held.since), steps.place(held.since), held.reading, held.kind)
