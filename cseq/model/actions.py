"""The words for what threads do with each other, with objects of the thread library, and with memory."""

from enum import Enum, StrEnum


class ObjectKind(Enum):
    """The kind of an object that threads wait for: an object of the thread library, or a thread.

    ONCE: the control object of ``pthread_once``; the thread that runs the routine holds it.
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
    """The mode in which a lock is taken. EXCLUSIVE: the lock does not distinguish readers from writers."""

    EXCLUSIVE = "exclusive"
    READING = "reading"
    WRITING = "writing"


class ActionKind(StrEnum):
    """What a thread does with another thread, with an object of the thread library, or with a block of memory.

    The values are those of the JSON report.
    """

    CREATE = "create"
    JOIN = "join"
    TRY_JOIN = "try_join"  # it failed, or whether it succeeded is not known
    CANCEL = "cancel"
    DETACH = "detach"
    END = "end"
    LOCK = "lock"
    READ_LOCK = "read_lock"
    TRY = "try"  # to lock: it failed, or whether it succeeded is not known
    READ_TRY = "read_try"
    UNLOCK = "unlock"
    BEGIN = "begin"  # the routine of a `pthread_once`
    FINISH = "finish"
    PASS = "pass"  # a `pthread_once` whose routine has run already
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
    REPAIR = "repair"  # a robust mutex whose owner has ended
    CREATE_KEY = "create_key"  # of thread-specific data
    DELETE_KEY = "delete_key"
    ALLOCATE = "allocate"
    FREE = "free"
    SLEEP = "sleep"  # for some time
    YIELD = "yield"
    SEND = "send"  # a signal of the operating system
    HANDLE = "handle"  # such a signal
    TRANSFER = "transfer"  # input or output that may block
    COMPARE_EXCHANGE = "compare_exchange"  # a weak one that fails although the values are equal
    ORDER = "order"  # of two objects in memory: chosen, or relied on, where their addresses are compared
    LOAD_BIT_FIELDS = "load_bit_fields"  # those that share memory with the one being stored

    @property
    def has_object(self) -> bool:
        """Whether the action is about an object at which threads wait for each other."""
        return self in _WITH_OBJECT

    @property
    def has_thread(self) -> bool:
        """Whether the action is about another thread."""
        return self in _WITH_THREAD


_WITH_THREAD = frozenset({
    ActionKind.CREATE, ActionKind.JOIN, ActionKind.TRY_JOIN, ActionKind.CANCEL, ActionKind.DETACH,
})  # fmt: skip
_WITH_OBJECT = frozenset({
    ActionKind.LOCK, ActionKind.READ_LOCK, ActionKind.TRY, ActionKind.READ_TRY, ActionKind.UNLOCK,
    ActionKind.BEGIN, ActionKind.FINISH, ActionKind.PASS,
    ActionKind.WAIT, ActionKind.WAKE, ActionKind.SIGNAL, ActionKind.BROADCAST,
    ActionKind.TAKE, ActionKind.TRY_TAKE, ActionKind.GIVE, ActionKind.ARRIVE, ActionKind.LEAVE,
    ActionKind.INIT, ActionKind.DESTROY, ActionKind.REPAIR,
})  # fmt: skip


class Manner(Enum):
    """How an action is done.

    TRIED: it does not wait. TIMED: it waits until a time limit. CANCELLABLE: the thread could have been cancelled while
    it waited. WAITED: of a join, the thread has waited for the other one to end; the rest of the join comes later.
    CANCELLED: of an end, another thread asked for it. SPURIOUS: without a reason, as POSIX or C allows.
    EXPIRED: the time limit has been reached.
    """

    PLAIN = "plain"
    TRIED = "tried"
    TIMED = "timed"
    CANCELLABLE = "cancellable"
    WAITED = "waited"
    CANCELLED = "cancelled"
    SPURIOUS = "spurious"
    EXPIRED = "expired"
