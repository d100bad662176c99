"""A counterexample in terms of the user's program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Any

from cseq.base.linemap import Origin


@dataclass(frozen=True)
class Thread:
    """A thread instance: its number in creation order (main is 0) and its start function."""

    number: int
    function: str

    def __str__(self) -> str:
        return "main" if self.number == 0 else f"{self.function} (thread {self.number})"


@dataclass(frozen=True)
class Access:
    """One value seen or set by a step. name and value are C text.

    kind: ``read``, ``write``, or ``undefined`` for the value that a declaration without initialiser happens to give.
    shared: whether other threads can reach the memory. address: of that in this execution, where it is shared: what has
    several names has one address; 0 where it is not known.
    """

    kind: str
    name: str
    value: str
    shared: bool = False
    address: int = 0


class ObjectKind(Enum):
    """What an object of the thread library is, or the thread itself, where a thread is waited for.

    ONCE: the object of a ``pthread_once``, which the thread that runs the routine holds.
    """

    MUTEX = "mutex"
    RWLOCK = "rwlock"
    SPIN_LOCK = "spin lock"
    ONCE = "once"
    CONDITION = "cond"
    SEMAPHORE = "semaphore"
    BARRIER = "barrier"
    THREAD = "thread"


class Mode(Enum):
    """For what a lock is taken. EXCLUSIVE: it knows no difference between readers and writers."""

    EXCLUSIVE = "exclusive"
    READING = "reading"
    WRITING = "writing"


class ActionKind(StrEnum):
    """What a thread does with another thread, with an object of the thread library, or with a block of memory.

    The values are those of the JSON report.
    """

    CREATE = "create"
    JOIN = "join"
    TRY_JOIN = "try_join"  # without having got it, or without that being known
    CANCEL = "cancel"
    DETACH = "detach"
    END = "end"
    LOCK = "lock"
    READ_LOCK = "read_lock"
    TRY = "try"  # to lock, without having got it, or without that being known
    READ_TRY = "read_try"
    UNLOCK = "unlock"
    BEGIN = "begin"  # the routine of a `pthread_once`
    FINISH = "finish"
    PASS = "pass"  # it: the routine has been run
    WAIT = "wait"  # for a condition variable
    WAKE = "wake"
    SIGNAL = "signal"
    BROADCAST = "broadcast"
    TAKE = "take"  # a semaphore
    TRY_TAKE = "try_take"
    GIVE = "give"
    OPEN = "open"  # a named semaphore
    CLOSE = "close"
    UNLINK = "unlink"
    ARRIVE = "arrive"  # at a barrier
    LEAVE = "leave"
    INIT = "init"
    DESTROY = "destroy"
    CREATE_KEY = "create_key"  # of thread-specific data
    DELETE_KEY = "delete_key"
    FREE = "free"
    LOAD_BIT_FIELDS = "load_bit_fields"  # that share their memory with the one that is stored to

    @property
    def has_object(self) -> bool:
        """Whether it is about an object by which threads wait for each other."""
        return self in _WITH_OBJECT

    @property
    def has_thread(self) -> bool:
        """Whether it is about another thread."""
        return self in _WITH_THREAD


_WITH_THREAD = frozenset({
    ActionKind.CREATE, ActionKind.JOIN, ActionKind.TRY_JOIN, ActionKind.CANCEL, ActionKind.DETACH,
})  # fmt: skip
_WITH_OBJECT = frozenset({
    ActionKind.LOCK, ActionKind.READ_LOCK, ActionKind.TRY, ActionKind.READ_TRY, ActionKind.UNLOCK,
    ActionKind.BEGIN, ActionKind.FINISH, ActionKind.PASS,
    ActionKind.WAIT, ActionKind.WAKE, ActionKind.SIGNAL, ActionKind.BROADCAST,
    ActionKind.TAKE, ActionKind.TRY_TAKE, ActionKind.GIVE, ActionKind.ARRIVE, ActionKind.LEAVE,
    ActionKind.INIT, ActionKind.DESTROY,
})  # fmt: skip


class Manner(Enum):
    """How an action is done.

    TRIED: it does not wait. TIMED: it waits up to some time. CANCELLABLE: the thread could have been cancelled while it
    waited. WAITED: of a join, the thread has waited for the end; the rest of the join comes after. CANCELLED: of an
    end, another thread asked for it.
    """

    PLAIN = "plain"
    TRIED = "tried"
    TIMED = "timed"
    CANCELLABLE = "cancellable"
    WAITED = "waited"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Action:
    """What a step did with a thread, with an object of the thread library, or with a block of memory.

    To wait for a condition variable is two: the mutex is unlocked, then the thread waits. To wake up is two as well:
    the thread wakes, then it locks the mutex.

    name: of the object or the memory, as C text; of a thread only where *thread* is not known.
    thread: that is created, joined, cancelled or detached; None where the identifier belongs to no thread.
    object: the address of the object in this execution; 0 where it is not known. mode: of a lock.
    """

    kind: ActionKind
    name: str = ""
    thread: Thread | None = None
    object: int = 0
    manner: Manner = Manner.PLAIN
    mode: Mode = Mode.EXCLUSIVE

    @property
    def key(self) -> int | str:
        """What tells the object from others: its address, or where that is not known its name."""
        return self.object or self.name


def by_call(actions: Iterable[Action]) -> list[tuple[Action, ...]]:
    """The *actions*, those of one call together: waiting for a condition variable, and waking up, are two each."""
    found: list[tuple[Action, ...]] = []
    for action in actions:
        before = found[-1][-1].kind if found and len(found[-1]) == 1 else None
        if (before, action.kind) in _TOGETHER:
            found[-1] = (*found[-1], action)
        else:
            found.append((action,))
    return found


_TOGETHER = frozenset({(ActionKind.UNLOCK, ActionKind.WAIT), (ActionKind.WAKE, ActionKind.LOCK)})
"""The kinds of actions, one right after the other, that are one call."""


@dataclass(frozen=True)
class Hold:
    """A lock that a thread holds, since it took it at a place. reading: for reading, and perhaps with others."""

    name: str
    since: Origin
    reading: bool = False
    kind: ObjectKind = ObjectKind.MUTEX


@dataclass(frozen=True)
class Holder:
    """Who holds what another thread waits for. since: where it was taken. ended: whether the holder has ended."""

    thread: Thread
    since: Origin | None = None
    ended: bool = False


@dataclass(frozen=True)
class LockWait:
    """The thread waits for a lock, or for the routine of a ``pthread_once``.

    holder: one of the threads that hold it, who does not let it go.
    """

    kind: ObjectKind
    name: str
    holder: Holder
    mode: Mode = Mode.EXCLUSIVE


@dataclass(frozen=True)
class SignalWait:
    """The thread waits for a signal on a condition variable. mutex: that it has to lock then, where that is held."""

    name: str
    mutex: LockWait | None = None


@dataclass(frozen=True)
class SemaphoreWait:
    """The thread waits for a semaphore whose value is 0."""

    name: str


@dataclass(frozen=True)
class BarrierWait:
    """The thread waits at a barrier. arrived: how many have come so far, of *count*."""

    name: str
    arrived: int
    count: int


@dataclass(frozen=True)
class ThreadWait:
    """The thread waits for another one to end, or for itself."""

    thread: Thread


Wait = LockWait | SignalWait | SemaphoreWait | BarrierWait | ThreadWait
"""What a thread waits for."""


@dataclass(frozen=True)
class Stuck:
    """A thread that is blocked for ever.

    who: the threads that would have to do something first; where there are none, no thread is left that could.
    in_circle: whether these threads wait for each other in a circle, of which this is one. blocks: the lock that it
    holds and the one before it in the circle waits for; None where that waits for the thread to end.
    """

    thread: Thread
    origin: Origin
    wait: Wait
    who: tuple[Thread, ...] = ()
    holds: tuple[Hold, ...] = ()
    in_circle: bool = False
    blocks: Hold | None = None

    @property
    def awaits_lock(self) -> LockWait | None:
        """The lock that it waits for, if only after a signal; None where it waits for none."""
        wait = self.wait.mutex if isinstance(self.wait, SignalWait) else self.wait
        return wait if isinstance(wait, LockWait) else None

    @property
    def holder(self) -> Holder | None:
        """Who holds the lock that it waits for; None where it waits for none."""
        lock = self.awaits_lock
        return lock.holder if lock is not None else None

    @property
    def waits_for_itself(self) -> bool:
        """Whether the thread holds what it waits for, or waits for its own end."""
        if isinstance(self.wait, ThreadWait):
            return self.wait.thread == self.thread
        return self.holder is not None and self.holder.thread == self.thread


class RaceKind(StrEnum):
    """What one side of a data race does with the memory. The values are those of the JSON report."""

    READ = "reads"
    WRITE = "writes"
    FREE = "frees"


class Atomicity(StrEnum):
    """How an access is protected from others by itself. The values are those of the JSON report."""

    NONE = ""
    ATOMIC = "atomically"
    SECTION = "in an atomic section"


@dataclass(frozen=True)
class Racing:
    """One side of a data race: what a thread is about to do at a place.

    name: of the memory, as far as it has one. function: that of the library which makes the access, if it does not
    stand in the user's own code.
    """

    thread: Thread
    origin: Origin
    action: RaceKind
    name: str
    how: Atomicity = Atomicity.NONE
    function: str = ""
    holds: tuple[Hold, ...] = ()


@dataclass(frozen=True)
class Race:
    """A data race. sides: that of a write first. memory: what both access, as far as it has a name."""

    sides: tuple[Racing, Racing]
    memory: str = ""


@dataclass
class Step:
    """What one thread did at one line of the user's source, without a context switch in between.

    actions: what the thread did beside reading and writing, in order.
    stands: whether the thread does nothing any more, but stands in front of what is at the line. why: for a deadlock or
    a data race, what it waits for there, or is about to do.
    created: the threads that it creates, in order.
    inputs: what its calls of functions for nondeterministic values returned, in order, as C text; "" where that cannot
    be told.
    """

    thread: Thread
    origin: Origin
    source: str = ""
    accesses: list[Access] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    stands: bool = False
    created: list[Thread] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    why: Stuck | Racing | None = None


class Effect(Enum):
    """What a call of the library is for a reproducer, which lets threads run in turns.

    LOOKS: it changes nothing, so a switch after it is as good as one before. PAUSES: its thread goes to sleep inside of
    the user's call, where others run before it goes on. BEGINS, FINISHES: a routine of the user's runs between the two,
    inside of a call that pauses when it has run. CANCELS: it asks another thread to end. TESTS: it looks, and its
    thread ends there where another one has asked for that.
    """

    ACTS = auto()
    LOOKS = auto()
    PAUSES = auto()
    BEGINS = auto()
    FINISHES = auto()
    CREATES = auto()
    CANCELS = auto()
    TESTS = auto()


@dataclass
class Move:
    """One statement of the core language that a thread executed: what a reproducer is made from.

    origin: with the number of the user's statement that it is a part of. point: the number of the move's own statement
    in the program that was run. visible: whether other threads can notice it.
    more: whether what others can notice may come next in the same statement.
    function: that of the library which it calls. ends: whether the thread ends with it. stands: as for a step.
    effect: of the call.
    accesses, inputs, created: as for a step.
    """

    thread: Thread
    origin: Origin
    point: int
    visible: bool
    more: bool = False
    function: str = ""
    ends: bool = False
    stands: bool = False
    accesses: list[Access] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    created: list[Thread] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    effect: Effect = Effect.ACTS


@dataclass
class Counterexample:
    """The steps in order of time; the last one violates the property, or the last ones, where threads stand.

    stuck: for a deadlock, the threads in it. racing: for a data race, its two sides. cycle: for an infinite execution,
    how many steps come before those that are repeated for ever; where none do, nothing happens any more.
    execution: what an explicit-state engine needs to make it again (`modules/runs/explicit_engine.py`); None for
    others. moves: what the steps are made of, in order of time, where a reproducer is wanted.
    """

    steps: list[Step]
    threads: list[Thread]
    stuck: list[Stuck] = field(default_factory=list)
    racing: list[Racing] = field(default_factory=list)
    cycle: int | None = None
    execution: dict[str, Any] | None = None
    moves: list[Move] = field(default_factory=list)
