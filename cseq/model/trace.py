"""A counterexample in terms of the user's program."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Any

from cseq.model.actions import ActionKind, Manner, Mode, ObjectKind
from cseq.model.claims import Cut
from cseq.model.origin import Origin


@dataclass(frozen=True)
class Thread:
    """A thread instance: its number in creation order (main is 0) and its start function."""

    number: int
    function: str

    def __str__(self) -> str:
        return "main" if self.number == 0 else f"{self.function} (thread {self.number})"


@dataclass(frozen=True)
class OrderNeeded:
    """An atomic access or a fence whose memory order is too weak, and the one that it takes.

    what: ``load``, ``store``, ``update`` or ``fence``. before and after: names of orders, such as ``acq_rel``.
    """

    origin: Origin
    what: str
    before: str
    after: str


@dataclass(frozen=True)
class Unseen:
    """A store that came before a read in the order of the steps, and that the read does not see under a weak model.

    value: what was stored, as C text. order: the memory order of the read; empty if it is not atomic. is_buffered:
    whether the store may be in a buffer of its thread.
    """

    thread: Thread
    origin: Origin
    value: str
    order: str
    is_buffered: bool = False


@dataclass(frozen=True)
class Access:
    """One value that a step reads or writes. name and value are C text.

    kind: ``read``, ``write``, or ``undefined`` for the arbitrary value of a variable declared without an initialiser.
    shared: whether other threads can reach the memory. address: the address of shared memory in this execution, the
    same for all its names; 0 where it is not known. unseen: the last store that a read does not see.
    """

    kind: str
    name: str
    value: str
    shared: bool = False
    address: int = 0
    unseen: Unseen | None = None


@dataclass(frozen=True)
class Action:
    """What a step did with a thread, with an object of the thread library, or with a block of memory.

    Waiting for a condition variable is two actions: the thread unlocks the mutex, then it waits. Waking up is two as
    well: the thread wakes, then it locks the mutex.

    name: the name of the object or the memory, as C text; of a thread only where *thread* is not known. Of an order,
    the comparison that holds.
    thread: the thread that is created, joined, cancelled or detached; None where the identifier belongs to no thread.
    object: the address of the object in this execution; 0 where it is not known. mode: the mode of a lock.
    """

    kind: ActionKind
    name: str = ""
    thread: Thread | None = None
    object: int = 0
    manner: Manner = Manner.PLAIN
    mode: Mode = Mode.EXCLUSIVE

    @property
    def key(self) -> int | str:
        """What identifies the object: its address or, where that is not known, its name."""
        return self.object or self.name


def by_call(actions: Iterable[Action]) -> list[tuple[Action, ...]]:
    """Group *actions* by call: waiting for a condition variable, and waking up, are two actions each."""
    found: list[tuple[Action, ...]] = []
    for action in actions:
        before = found[-1][-1].kind if found and len(found[-1]) == 1 else None
        if (before, action.kind) in _TOGETHER:
            found[-1] = (*found[-1], action)
        else:
            found.append((action,))
    return found


_TOGETHER = frozenset({(ActionKind.UNLOCK, ActionKind.WAIT), (ActionKind.WAKE, ActionKind.LOCK)})
"""The kinds of two consecutive actions that are one call."""


@dataclass(frozen=True)
class Hold:
    """A lock that a thread holds. since: where it was taken. reading: held for reading, perhaps with other threads."""

    name: str
    since: Origin
    reading: bool = False
    kind: ObjectKind = ObjectKind.MUTEX


@dataclass(frozen=True)
class Holder:
    """The holder of what another thread waits for. since: where it was taken. ended: whether the holder has ended.

    is_next: it does not hold it, but waits to lock it for writing, and gets it first.
    """

    thread: Thread
    since: Origin | None = None
    ended: bool = False
    is_next: bool = False


@dataclass(frozen=True)
class LockWait:
    """The thread waits for a lock, or for the routine of a ``pthread_once``.

    holder: one of the threads that hold it and do not release it.
    """

    kind: ObjectKind
    name: str
    holder: Holder
    mode: Mode = Mode.EXCLUSIVE


@dataclass(frozen=True)
class SignalWait:
    """The thread waits for a signal on a condition variable. mutex: the one it must lock then, if that is held."""

    name: str
    mutex: LockWait | None = None


@dataclass(frozen=True)
class SemaphoreWait:
    """The thread waits for a semaphore whose value is 0."""

    name: str


@dataclass(frozen=True)
class BarrierWait:
    """The thread waits at a barrier. arrived: how many of *count* threads have arrived so far."""

    name: str
    arrived: int
    count: int


@dataclass(frozen=True)
class ThreadWait:
    """The thread waits for another thread to end, or for itself."""

    thread: Thread


@dataclass(frozen=True)
class ChangeWait:
    """The thread waits for another thread to change a value and to say so, as with ``std::atomic::wait``."""

    name: str


@dataclass(frozen=True)
class TransferWait:
    """The thread waits for input or output. descriptor: of the file; -1 where it waits for something else outside."""

    descriptor: int


@dataclass(frozen=True)
class CallWait:
    """The thread waits in a call of *function* for what another thread of the program writes or announces."""

    function: str


Wait = LockWait | SignalWait | SemaphoreWait | BarrierWait | ThreadWait | ChangeWait | TransferWait | CallWait
"""What a thread waits for."""


@dataclass(frozen=True)
class Stuck:
    """A thread that is blocked for ever.

    who: the threads that would have to do something first; empty where no thread is left that could.
    in_circle: whether the thread is part of a circle of threads that wait for each other. blocks: the lock that it
    holds and that the thread before it in the circle waits for; None where that thread waits for this one to end.
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
        """The lock that the thread waits for, at once or after a signal; None where there is none."""
        wait = self.wait.mutex if isinstance(self.wait, SignalWait) else self.wait
        return wait if isinstance(wait, LockWait) else None

    @property
    def holder(self) -> Holder | None:
        """The holder of the lock that the thread waits for; None where it waits for no lock."""
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
    """How an access protects itself from others. The values are those of the JSON report."""

    NONE = ""
    ATOMIC = "atomically"
    SECTION = "in an atomic section"


@dataclass(frozen=True)
class Racing:
    """One side of a data race: what a thread is about to do at a place.

    name: the name of the memory, if it has one. function: the library function that makes the access, if the access is
    not in the user's own code.
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
    """A data race. sides: a write comes first. memory: the name of what both sides access, if it has one."""

    sides: tuple[Racing, Racing]
    memory: str = ""


@dataclass
class Step:
    """What one thread did at one line of the user's source, without a context switch in between.

    actions: what the thread did apart from reading and writing, in order.
    stands: whether the thread has stopped before what is at the line. why: for a deadlock or a data race, what it waits
    for there, or is about to do.
    created: the threads that it creates, in order.
    inputs: the values that its calls of functions for nondeterministic values returned, in order, as C text; "" where
    that is not known.
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
    """What a call of the library means for a reproducer, which lets threads run in turns.

    LOOKS: it changes nothing, so a switch after it is as good as one before it. PAUSES: its thread sleeps inside the
    user's call while others run. BEGINS, FINISHES: a routine of the user's runs between the two, inside a call that
    pauses when the routine has run. CANCELS: it asks another thread to end. TESTS: it changes nothing, but ends its
    thread if another thread has asked for that.
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

    origin: includes the number of the user's statement that the move is part of. point: the number of the move's own
    statement in the program that was run. visible: whether other threads can notice the move.
    more: whether something that others can notice may follow in the same statement.
    function: the library function that it calls. ends: whether the thread ends with it. stands: as for a step.
    effect: the effect of the call.
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
    """The steps of an execution, in order of time; the last ones, where threads have stopped, violate the property.

    stuck: for a deadlock, the threads in it. racing: for a data race, its two sides. cycle: for an infinite execution,
    how many steps come before the steps that are repeated for ever; if none are repeated, nothing happens any more.
    execution: what an explicit-state engine needs to repeat it (`modules/explicit/engine.py`); None for other
    engines. cut: where it ends, if not in a violation. partial: whether accesses that may matter are left out. moves:
    what the steps are made of, in order of time, where a reproducer is wanted. needed: the memory orders with which
    this execution is impossible, or has no data race.
    """

    steps: list[Step]
    threads: list[Thread]
    stuck: list[Stuck] = field(default_factory=list)
    racing: list[Racing] = field(default_factory=list)
    cycle: int | None = None
    execution: dict[str, Any] | None = None
    cut: Cut | None = None
    partial: bool = False
    moves: list[Move] = field(default_factory=list)
    needed: tuple[OrderNeeded, ...] = ()

    def spurious(self) -> Iterator[tuple[Step, Action]]:
        """What the threads do without a reason, in order of time, each with its step."""
        return ((step, action) for step in self.steps for action in step.actions if action.manner is Manner.SPURIOUS)
