"""The operations of a recorded run as the steps of a counterexample."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from cseq.model.actions import ActionKind, Manner, Mode, ObjectKind
from cseq.model.origin import Origin
from cseq.model.trace import Access, Action, Step, Thread
from cseq.modules.compiled.client.record import EntryFlag, Op
from cseq.modules.compiled.client.recorded import Operation, RecordedRun
from cseq.modules.compiled.tracing import usedobjects
from cseq.modules.compiled.tracing.callpaths import CallPaths
from cseq.modules.compiled.tracing.debugtypes import Form
from cseq.modules.compiled.tracing.memorynames import MemoryNames

_K, _M = ActionKind, Manner

_READING = frozenset({Op.READ, Op.VOLATILE_READ, Op.ATOMIC_LOAD, Op.ATOMIC_DIFFERS})
_WRITING = frozenset({Op.WRITE, Op.VOLATILE_WRITE, Op.ATOMIC_STORE})
_UPDATING = frozenset({Op.ATOMIC_UPDATE, Op.ATOMIC_COMPARE})
_PLAIN = frozenset({Op.READ, Op.WRITE, Op.VOLATILE_READ, Op.VOLATILE_WRITE})
_SETTLED = frozenset({Op.ATOMIC_STORE, *_UPDATING})
_UNDER_WAY = EntryFlag.PENDING | EntryFlag.BLOCKED

OBJECTS: dict[Op, ObjectKind] = {
    **dict.fromkeys(
        (Op.LOCK, Op.TRY_LOCK, Op.TIMED_LOCK, Op.UNLOCK, Op.MUTEX_INIT, Op.MUTEX_DESTROY, Op.WAKE), ObjectKind.MUTEX
    ),
    **dict.fromkeys(
        (Op.READ_LOCK, Op.TRY_READ_LOCK, Op.TIMED_READ_LOCK, Op.WRITE_LOCK, Op.TRY_WRITE_LOCK, Op.TIMED_WRITE_LOCK,
         Op.RWLOCK_UNLOCK, Op.RWLOCK_INIT, Op.RWLOCK_DESTROY), ObjectKind.RWLOCK),
    **dict.fromkeys(
        (Op.SPIN_LOCK, Op.SPIN_TRY_LOCK, Op.SPIN_UNLOCK, Op.SPIN_INIT, Op.SPIN_DESTROY), ObjectKind.SPIN_LOCK),
    **dict.fromkeys(
        (Op.WAIT, Op.TIMED_WAIT, Op.SIGNAL, Op.BROADCAST, Op.COND_INIT, Op.COND_DESTROY), ObjectKind.CONDITION),
    **dict.fromkeys(
        (Op.TAKE, Op.TRY_TAKE, Op.TIMED_TAKE, Op.GIVE, Op.SEMAPHORE_INIT, Op.SEMAPHORE_DESTROY), ObjectKind.SEMAPHORE),
    **dict.fromkeys((Op.ARRIVE, Op.LEAVE, Op.BARRIER_INIT, Op.BARRIER_DESTROY), ObjectKind.BARRIER),
    **dict.fromkeys(
        (Op.ONCE_BEGIN, Op.ONCE_FINISH, Op.ONCE_PASS, Op.GUARD_BEGIN, Op.GUARD_FINISH, Op.GUARD_ABORT, Op.GUARD_PASS),
        ObjectKind.ONCE),
}  # fmt: skip
"""The operations on objects of the thread library → the kinds of these objects."""

_ACTIONS: dict[Op, tuple[ActionKind, ActionKind | None, Mode, Manner]] = {
    Op.LOCK: (_K.LOCK, _K.TRY, Mode.EXCLUSIVE, _M.TRIED),
    Op.TRY_LOCK: (_K.LOCK, _K.TRY, Mode.EXCLUSIVE, _M.TRIED),
    Op.TIMED_LOCK: (_K.LOCK, _K.TRY, Mode.EXCLUSIVE, _M.EXPIRED),
    Op.READ_LOCK: (_K.READ_LOCK, _K.READ_TRY, Mode.READING, _M.TRIED),
    Op.TRY_READ_LOCK: (_K.READ_LOCK, _K.READ_TRY, Mode.READING, _M.TRIED),
    Op.TIMED_READ_LOCK: (_K.READ_LOCK, _K.READ_TRY, Mode.READING, _M.EXPIRED),
    Op.WRITE_LOCK: (_K.LOCK, _K.TRY, Mode.WRITING, _M.TRIED),
    Op.TRY_WRITE_LOCK: (_K.LOCK, _K.TRY, Mode.WRITING, _M.TRIED),
    Op.TIMED_WRITE_LOCK: (_K.LOCK, _K.TRY, Mode.WRITING, _M.EXPIRED),
    Op.SPIN_LOCK: (_K.LOCK, _K.TRY, Mode.EXCLUSIVE, _M.TRIED),
    Op.SPIN_TRY_LOCK: (_K.LOCK, _K.TRY, Mode.EXCLUSIVE, _M.TRIED),
    Op.TAKE: (_K.TAKE, None, Mode.EXCLUSIVE, _M.PLAIN),
    Op.TRY_TAKE: (_K.TAKE, _K.TRY_TAKE, Mode.EXCLUSIVE, _M.TRIED),
    Op.TIMED_TAKE: (_K.TAKE, _K.TRY_TAKE, Mode.EXCLUSIVE, _M.EXPIRED),
    **{
        op: (kind, None, Mode.EXCLUSIVE, _M.PLAIN)
        for kind, ops in {
            _K.UNLOCK: (Op.UNLOCK, Op.RWLOCK_UNLOCK, Op.SPIN_UNLOCK),
            _K.INIT: (Op.MUTEX_INIT, Op.RWLOCK_INIT, Op.SPIN_INIT, Op.COND_INIT, Op.SEMAPHORE_INIT, Op.BARRIER_INIT),
            _K.DESTROY: (
                Op.MUTEX_DESTROY, Op.RWLOCK_DESTROY, Op.SPIN_DESTROY, Op.COND_DESTROY, Op.SEMAPHORE_DESTROY,
                Op.BARRIER_DESTROY,
            ),
            _K.SIGNAL: (Op.SIGNAL,),
            _K.BROADCAST: (Op.BROADCAST,),
            _K.GIVE: (Op.GIVE,),
            _K.ARRIVE: (Op.ARRIVE,),
            _K.LEAVE: (Op.LEAVE,),
            _K.BEGIN: (Op.ONCE_BEGIN, Op.GUARD_BEGIN),
            _K.FINISH: (Op.ONCE_FINISH, Op.GUARD_FINISH, Op.GUARD_ABORT),
            _K.PASS: (Op.ONCE_PASS, Op.GUARD_PASS),
        }.items()
        for op in ops
    },
}  # fmt: skip
"""Operations on one object: the kind of action, that of an attempt that failed if that is shown, the mode of a lock,
and the manner of a failed attempt."""

_THREADS = {Op.CREATE: _K.CREATE, Op.JOIN: _K.JOIN, Op.DETACH: _K.DETACH, Op.CANCEL: _K.CANCEL}

_HEAP = frozenset({"", "operator new", "operator delete", "operator new[]", "operator delete[]", "malloc", "free"})
_LATEST = 8
"""The last reads of the thread that ended the run, which are shown although no other thread has come there."""

_INITIALISERS = ("_GLOBAL__", "__static_initialization", "__cxx_global_var_init")
"""Functions that give variables their first values, before main begins."""

_MOST_OPERATIONS = 8_000
"""Of longer runs, the beginning is left out, except for what creates and joins threads and takes locks."""

_MOST_OBSERVED = 5_000
"""Of accesses that are no switch points, the last so many are shown."""


class CompiledSteps:
    """Makes steps of the executed operations of a run. until: the number of operations after which it is cut off."""

    def __init__(self, recorded: RecordedRun, paths: CallPaths, names: MemoryNames, until: int | None = None) -> None:
        self._paths = paths
        self._failing = recorded.thread if recorded.failed else -1
        self._failed_at = recorded.object
        self._names = names
        executed = [each for each in recorded.operations if not each.flags & _UNDER_WAY]
        self.executed = executed if until is None else executed[:until]
        self._last: dict[int, Origin] = {}  # by thread
        self._running = -1
        self._looked = {each.thread: n for n, each in enumerate(self.executed) if each.op in _PLAIN}
        self._unchanged: dict[int, list[tuple[int, int]]] = _uses(self.executed)
        self.steps: list[Step] = []
        for number, operation in self._shown():
            self._add(number, operation)

    def thread(self, number: int) -> Thread:
        """The thread with this number."""
        known = self._paths.threads
        return known[number] if number < len(known) else Thread(number, "thread")

    def line(self, origin: Origin) -> str:
        """The text of the source at a place; "" if it cannot be read."""
        return self._paths.line(origin)

    def place(self, operation: Operation) -> Origin:
        """The user's line of an operation; where there is none, the last line of its thread."""
        found = self._paths.origin(operation.stack) if operation.stack else None
        return found or self._last.get(operation.thread) or self._start(operation)

    def object_name(self, operation: Operation) -> str:
        """The name of the object that an operation is on."""
        kind = OBJECTS.get(operation.op, ObjectKind.MUTEX)
        return self._object(kind, operation.object, operation)

    def _object(self, kind: ObjectKind, address: int, operation: Operation) -> str:
        origin = self._paths.origin(operation.stack) if operation.stack else None
        source = self._paths.line(origin) if origin is not None else ""
        return self._names.object_name(kind, address, usedobjects.used(source, kind.value))

    def _start(self, operation: Operation) -> Origin:
        return self._paths.place(operation.stack)

    def _shown(self) -> Iterator[tuple[int, Operation]]:
        """The operations that become steps, with their numbers."""
        shared = _shared(self.executed) | self._latest()
        observed = [n for n, each in enumerate(self.executed) if each.flags & EntryFlag.OBSERVED and n in shared]
        kept = set(observed[-_MOST_OBSERVED:])
        blocks = {block.address for n in shared if (block := self._names.block_at(self.executed[n].object)) is not None}
        if (block := self._names.block_at(self._failed_at)) is not None:
            blocks.add(block.address)
        late = len(self.executed) - _MOST_OPERATIONS
        begun = False  # whether there is a second thread
        for number, operation in enumerate(self.executed):
            if operation.op in (Op.ALLOCATE, Op.FREE):
                if operation.object in blocks and self._is_seen(operation):
                    yield number, operation
            elif operation.flags & EntryFlag.OBSERVED:
                if number in kept and number >= late and self._is_users(operation):
                    yield number, operation
            elif operation.op in OBJECTS and operation.thread == 0 and not begun and self._is_initialising(operation):
                continue
            elif number >= late or operation.op in _THREADS or operation.op in OBJECTS or operation.op is Op.END:
                begun |= operation.op is Op.CREATE
                yield number, operation

    def _is_seen(self, operation: Operation) -> bool:
        """Whether it is the user's code that allocates or frees a block, or the block has a type of the user's."""
        if self._paths.origin(operation.stack) is None:
            return False
        by = self._paths.library_function(operation.stack)
        return by in _HEAP or not self._names.block_name(operation.object).startswith("block#")

    def _latest(self) -> set[int]:
        """The numbers of what the thread that ended the run has read last: it may have ended it for what it found."""
        own = [
            number
            for number, each in enumerate(self.executed)
            if each.thread == self._failing and each.op is Op.READ and self._is_users(each)
        ]
        return set(own[-_LATEST:])

    def _is_users(self, operation: Operation) -> bool:
        """Whether an access is made by the user's code, or by a function of a library to memory of the user's."""
        origin = self._paths.origin(operation.stack)
        if origin is None:
            return False
        if self._is_initialising(operation):
            return False
        named = self._names.name(operation.object, operation.size)
        return bool(named.type) or not self._paths.library_function(operation.stack)

    def _is_initialising(self, operation: Operation) -> bool:
        """Whether an operation gives variables their first values; so is what happens in no line of the user's."""
        origin = self._paths.origin(operation.stack)
        if origin is None:
            return not self._last
        functions = [origin.function or "", *(call.function for call in origin.path)]
        return any(function.startswith(_INITIALISERS) for function in functions)

    def _add(self, number: int, operation: Operation) -> None:
        accesses = list(self._accesses(number, operation))
        actions = list(self._actions(operation))
        switched = operation.thread != self._running
        if not accesses and not actions:
            return
        origin = self.place(operation)
        if operation.op is Op.END and operation.thread in self._last:
            origin = _outermost(self._last[operation.thread])
        self._last[operation.thread] = origin
        self._running = operation.thread
        step = self.steps[-1] if self.steps else None
        # Within a step its actions are shown before its accesses: what is done after an access needs a step of its own.
        later = step is not None and bool(step.accesses) and bool(actions)
        if step is None or switched or later or step.origin != origin:
            step = Step(self.thread(operation.thread), origin, self._paths.line(origin))
            self.steps.append(step)
        step.accesses += accesses
        step.actions += actions
        step.created += [each.thread for each in actions if each.kind is _K.CREATE and each.thread is not None]

    # Accesses

    def _accesses(self, number: int, operation: Operation) -> Iterator[Access]:
        op = operation.op
        if op in _READING or op in _UPDATING:
            yield self._access("read", operation, operation.value)
        if op in _WRITING or op in _UPDATING:
            after = operation.argument if op in _SETTLED else self._after(number, operation)
            yield self._access("write", operation, after)

    def _access(self, kind: str, operation: Operation, value: int | None) -> Access:
        named = self._names.name(operation.object, operation.size)
        known = operation.size <= 8 and not (named.type is not None and named.type.form is Form.ARRAY)
        shown = "..." if value is None or not known else self._names.value(value, operation.size, named.type)
        name = named.name or f"*{operation.object:#x}"
        return Access(kind, name, shown, shared=True, address=operation.object)

    def _after(self, number: int, operation: Operation) -> int | None:
        """What a plain access has written: what the next access finds there, or else what the runtime found later.

        None where it did not look again: the thread has made no plain access after that.
        """
        for later, size in self._unchanged.get(operation.object, ()):
            if later > number:
                return self.executed[later].value if size == operation.size else operation.argument
        looked = number < self._looked.get(operation.thread, -1)
        return operation.argument if looked or operation.argument else None

    # Actions

    def _actions(self, operation: Operation) -> Iterator[Action]:
        op, failed = operation.op, bool(operation.flags & EntryFlag.FAILED)
        if op in _THREADS:
            if not failed:
                yield Action(_THREADS[op], thread=self.thread(operation.argument))
        elif op in _ACTIONS:
            kind, attempt, mode, manner = _ACTIONS[op]
            name = self.object_name(operation)
            if not failed:
                yield Action(kind, name, object=operation.object, mode=mode)
            elif attempt is not None:
                yield Action(attempt, name, object=operation.object, manner=manner, mode=mode)
        elif op is Op.END:
            yield Action(_K.END)
        else:
            yield from self._others(operation, failed)

    def _others(self, operation: Operation, failed: bool) -> Iterator[Action]:
        op, thing = operation.op, operation.object
        expired = Manner.EXPIRED if operation.flags & EntryFlag.TIMED_OUT else Manner.PLAIN
        if op in (Op.WAIT, Op.TIMED_WAIT) and not failed:
            mutex = self._object(ObjectKind.MUTEX, operation.argument, operation)
            yield Action(_K.UNLOCK, mutex, object=operation.argument)
            yield Action(_K.WAIT, self.object_name(operation), object=thing)
        elif op is Op.WAKE and not failed:
            name = self._object(ObjectKind.CONDITION, operation.argument, operation)
            yield Action(_K.WAKE, name, object=operation.argument, manner=expired)
            yield Action(_K.LOCK, self.object_name(operation), object=thing)
        elif op in _FUTEXES and not failed:
            kind = _K.SIGNAL if op is Op.FUTEX_WAKE and operation.argument == 1 else _FUTEXES[op]
            yield Action(kind, self.word(operation), object=thing, manner=expired)
        elif op is Op.ALLOCATE:
            yield Action(_K.ALLOCATE, self._names.block_name(thing), object=thing)
        elif op is Op.FREE:
            yield Action(_K.FREE, self._names.block_name(thing), object=thing)
        elif op in _SIMPLE:
            yield Action(_SIMPLE[op], f"signal {operation.argument}" if "SIGNAL" in op.name else "")
        elif op is Op.INPUT_OUTPUT:
            yield Action(_K.TRANSFER, f"file descriptor {operation.argument}")

    def word(self, operation: Operation) -> str:
        """The name of the value that an operation of `futex` is on."""
        named = self._names.name(operation.object)
        origin = self._paths.origin(operation.stack)
        used = usedobjects.used(self._paths.line(origin)) if origin is not None else ""
        library = self._paths.library_function(operation.stack)
        return named.name if named.name and not named.private else used or library or "a value"


_FUTEXES = {Op.FUTEX_WAIT: _K.WAIT, Op.FUTEX_WAKE: _K.BROADCAST, Op.FUTEX_RETURN: _K.WAKE}
_SIMPLE = {
    Op.SLEEP: _K.SLEEP, Op.YIELD: _K.YIELD, Op.SIGNAL_SENT: _K.SEND, Op.SIGNAL_HANDLED: _K.HANDLE,
}  # fmt: skip


def _outermost(origin: Origin) -> Origin:
    """Where the start function of the thread was when it made its last step."""
    if not origin.path:
        return origin
    call = origin.path[0]
    return origin._replace(file=call.file, line=call.line, function=call.function, path=())


def _uses(operations: Sequence[Operation]) -> dict[int, list[tuple[int, int]]]:
    """By address: the numbers of the operations that found a value there, and the sizes of their accesses."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, each in enumerate(operations):
        if each.op in _READING or each.op in _WRITING or each.op in _UPDATING:
            found[each.object].append((number, each.size))
    return found


def _shared(operations: Sequence[Operation]) -> set[int]:
    """The numbers of the accesses to memory that several threads access, one of them to write."""
    grain = 1 if len(operations) <= _MOST_OPERATIONS else 8
    threads: dict[int, set[int]] = defaultdict(set)
    written: set[int] = set()
    numbers: dict[int, list[int]] = defaultdict(list)
    for number, each in enumerate(operations):
        writes = each.op in _WRITING or each.op in _UPDATING
        if writes or each.op in _READING:
            for cell in range(each.object // grain, (each.object + max(each.size, 1) - 1) // grain + 1):
                threads[cell].add(each.thread)
                numbers[cell].append(number)
                if writes:
                    written.add(cell)
    return {n for cell, found in numbers.items() if len(threads[cell]) > 1 and cell in written for n in found}
