"""The catalogue of the kinds of violations: what a claim says, what went wrong, what to do, and the CWE numbers.

Reports read it: the sentences of all of them (`violations.py`), and the rules of a SARIF log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from cseq.model.claims import Claim, Kind, Limit, MemoryState, Object, Reason
from cseq.model.verdict import Property

CWE = {
    119: "Improper Restriction of Operations within the Bounds of a Memory Buffer",
    120: "Buffer Copy without Checking Size of Input ('Classic Buffer Overflow')",
    125: "Out-of-bounds Read",
    129: "Improper Validation of Array Index",
    131: "Incorrect Calculation of Buffer Size",
    190: "Integer Overflow or Wraparound",
    191: "Integer Underflow (Wrap or Wraparound)",
    248: "Uncaught Exception",
    362: "Concurrent Execution using Shared Resource with Improper Synchronization ('Race Condition')",
    366: "Race Condition within a Thread",
    369: "Divide By Zero",
    401: "Missing Release of Memory after Effective Lifetime",
    404: "Improper Resource Shutdown or Release",
    415: "Double Free",
    416: "Use After Free",
    457: "Use of Uninitialized Variable",
    459: "Incomplete Cleanup",
    476: "NULL Pointer Dereference",
    562: "Return of Stack Variable Address",
    590: "Free of Memory not on the Heap",
    617: "Reachable Assertion",
    628: "Function Call with Incorrectly Specified Arguments",
    665: "Improper Initialization",
    667: "Improper Locking",
    672: "Operation on a Resource after Expiration or Release",
    674: "Uncontrolled Recursion",
    685: "Function Call With Incorrect Number of Arguments",
    686: "Function Call With Incorrect Argument Type",
    703: "Improper Check or Handling of Exceptional Conditions",
    758: "Reliance on Undefined, Unspecified, or Implementation-Defined Behavior",
    761: "Free of Pointer not at Start of Buffer",
    763: "Release of Invalid Pointer or Reference",
    764: "Multiple Locks of a Critical Resource",
    765: "Multiple Unlocks of a Critical Resource",
    770: "Allocation of Resources Without Limits or Throttling",
    772: "Missing Release of Resource after Effective Lifetime",
    787: "Out-of-bounds Write",
    821: "Incorrect Synchronization",
    824: "Access of Uninitialized Pointer",
    825: "Expired Pointer Dereference",
    826: "Premature Release of Resource During Expected Lifetime",
    832: "Unlock of a Resource that is not Locked",
    833: "Deadlock",
    834: "Excessive Iteration",
    835: "Loop with Unreachable Exit Condition ('Infinite Loop')",
    843: "Access of Resource Using Incompatible Type ('Type Confusion')",
    908: "Use of Uninitialized Resource",
    1335: "Incorrect Bitwise Shift of Integer",
    1341: "Multiple Releases of Same Resource or Handle",
}
"""The weaknesses that rules refer to: CWE number → name."""

Key = tuple[StrEnum, ...]
"""What an entry for claims is about: a reason alone, or with the kind of the claim or of the object where the sentence
depends on it; the kind of the claim alone where there is only one sentence for it, or for any other reason."""


@dataclass(frozen=True)
class ViolationKind:
    """A kind of violation.

    id, name: stable; the name is in Pascal case. short: one sentence. full: what is wrong, and why that matters.
    help: what to look for, and how to repair it.
    cwes: the weaknesses of which it is a case, the most specific first. related: others that it may be or lead to.
    severity: the rank of a security problem by its possible effects, from 0 (none) to 10; None for other problems.
    tags: the subjects. level: ``error``, ``warning`` or ``note``.
    claims: the claims whose violations are of this kind, with the template of the sentence; without one, the subject of
    the claim is the sentence. states: the same for what became of the memory, with the reason of the claim; None for
    any but those of `_OF_BLOCKS`. limits: what cuts off the executions that the claim is about.
    """

    id: str
    name: str
    short: str
    full: str
    help: str
    cwes: tuple[int, ...] = ()
    related: tuple[int, ...] = ()
    severity: float | None = None
    tags: tuple[str, ...] = ("reliability",)
    level: str = "error"
    claims: Mapping[Key, str] = field(default_factory=dict)
    states: tuple[tuple[Reason | None, MemoryState], ...] = ()
    limits: tuple[Limit, ...] = ()


_CONCURRENT = ("concurrency", "correctness")
_ARITHMETIC = ("arithmetic", "reliability")
_CORRECT = ("correctness",)
_thread = partial(ViolationKind, severity=5.5, tags=("concurrency", "reliability"))
_memory = partial(ViolationKind, severity=5.5, tags=("memory", "reliability"))

_ORDER = (
    "Follow the steps of the code flow in the order of their execution numbers, across the threads. "
    "The last one violates the claim. "
)

KINDS = (
    ViolationKind(
        "assertion-violation", "AssertionViolation",
        "An assertion can fail.",
        "There are a schedule of the threads and values of the inputs with which a condition that the program asserts "
        "does not hold.",
        _ORDER + "Look for a value that was read before another thread changed it: what has to happen without "
            "interruption belongs under one lock, or into one atomic operation; what has to happen in an order needs a "
            "join, a condition variable or a semaphore in between.",
        (617,), tags=_CONCURRENT,
        claims={
            (Kind.ASSERTION,): "assertion `{subject}`",
            (Reason.FAILS,): "an assertion fails",
        },
    ),
    ViolationKind(
        "error-reached", "ErrorLocationReached",
        "A place that must not be reached can be reached.",
        "There are a schedule of the threads and values of the inputs with which the program gets to an error "
        "function, to a label ERROR, or to what it says cannot be reached.",
        _ORDER + "Ask at each branch on the way why its condition holds, and which other thread has made it hold.",
        (617,), tags=_CONCURRENT,
        claims={
            (Reason.CALLED,): "{function}() is reached",
            (Reason.LABEL,): "the label ERROR is reached",
            (Reason.UNREACHABLE,): "`{function}` is reached",
            (Kind.REACHABILITY,): "",
        },
    ),
    _thread(
        "data-race", "DataRace",
        "Two threads access the same memory without order, and one of them writes.",
        "Two threads get into a state in which both are about to access the same memory, at least one of them to write "
        "it, and not both atomically. In C that is undefined behaviour (C11 5.1.2.4): values may be lost, torn or "
        "stale, and compilers take for granted that it does not happen.",
        "Hold the same lock at both places, make both accesses atomic, or order them by creating, joining or "
        "signalling. `volatile` does not help, and neither do two different locks.",
        (366, 362), severity=7.5,
        claims={(Kind.RACE,): "data race"},
    ),
    _thread(
        "deadlock", "ThreadsDeadlocked",
        "Threads can be blocked for ever.",
        "There is a schedule in which threads wait for something that cannot come any more: for each other in a "
        "circle, or for a signal, a post or an arrival that no thread is left to make.",
        "For a circle of locks, take the locks in the same order everywhere. For a signal that is missed, change the "
        "condition under the lock that the waiting thread holds, and test it in a loop around the wait.",
        (833,), (667,),
        claims={(Kind.DEADLOCK,): "deadlock"},
    ),
    _thread(
        "self-deadlock", "ThreadWaitsForItself",
        "A thread can wait for what it holds itself.",
        "A thread locks again what it holds, wants to write what it has locked for reading, or joins itself: it is "
        "blocked for ever.",
        "Find the call that takes the lock first, and unlock before the second one; or split the function into one "
        "that locks and one that is called with the lock held.",
        (764, 833), (667,),
        claims={(Reason.ITSELF,): "the thread would wait for its own end"},
    ),
    _thread(
        "lock-never-released", "LockHeldByEndedThread",
        "A thread can end while it holds a lock that another one waits for.",
        "A thread has ended without unlocking. A thread that waits for the lock is blocked for ever.",
        "Unlock on each way out of the function, also on those for errors; where threads are cancelled, with "
        "`pthread_cleanup_push`.",
        (833, 772), (667,),
        claims={(Kind.DEADLOCK, Reason.ENDED_HOLDER): "deadlock"},
    ),
    _thread(
        "double-lock", "LockedTwice",
        "A thread locks what it holds already.",
        "The calling thread already holds the lock, which is not one that may be taken twice: that is undefined "
        "behaviour, in practice mostly a deadlock.",
        "Unlock before, or leave the second lock out; a recursive mutex only where that is what is meant.",
        (764,), (667, 833),
        claims={(Reason.HELD,): "the calling thread already holds the {noun}"},
    ),
    _thread(
        "unlock-not-held", "UnlockedByAnotherThread",
        "A thread unlocks what it does not hold.",
        "The lock is free, or another thread holds it: then the other thread continues without protection. POSIX and C "
        "leave that undefined.",
        "Unlock exactly once for each lock, in the thread that has locked. To let another thread continue, "
        "use a condition variable or a semaphore.",
        (667,), (832, 765), severity=6.5,
        claims={(Reason.NOT_HELD,): "the calling thread does not {hold} the {noun}"},
    ),
    _thread(
        "wait-without-lock", "WaitWithoutMutex",
        "A thread waits on a condition variable without holding the mutex.",
        "Waiting unlocks the mutex, which the calling thread has to hold. Without, the behaviour is undefined, and "
        "signals get lost.",
        "Lock the mutex, test the condition in a loop, and wait inside of the loop.",
        (667,), (832,),
        claims={(Reason.WAITS_UNLOCKED,): "the calling thread does not {hold} the {noun}"},
    ),
    _thread(
        "wait-with-two-mutexes", "WaitWithAnotherMutex",
        "Threads wait on one condition variable with different mutexes.",
        "While a thread waits on a condition variable with a mutex, that is the only one that others may wait with. "
        "The effect of another one is undefined.",
        "Use one mutex with each condition variable: that which protects what the condition is about.",
        (821,), (667,),
        claims={(Reason.OTHER_MUTEX,): "another thread waits with another mutex"},
    ),
    _thread(
        "uninitialised-object", "UninitialisedSynchronisationObject",
        "An object of the thread library is used that was never initialised.",
        "A mutex, condition variable, semaphore or the like is used before it is initialised, or without that ever "
        "being done. The behaviour is undefined.",
        "Initialise the object before the threads that use it are created, with its initialiser or its function.",
        (457, 908), (665,),
        claims={
            (Reason.UNINITIALISED,): "the {noun} {was} never initialised",
            (Reason.NOT_INITIALISED,): "the {noun} {is_} not initialised",
        },
    ),
    _thread(
        "initialised-twice", "InitialisedTwice",
        "An object of the thread library is initialised again.",
        "The object is already initialised, perhaps in use. Initialising it again is undefined, and forgets who holds "
        "or waits for it.",
        "Initialise once, before the threads are created, or with `pthread_once`.",
        (665,), severity=4.5,
        claims={(Reason.INITIALISED,): "the {noun} {is_} already initialised"},
    ),
    _thread(
        "use-after-destroy", "UsedAfterDestruction",
        "An object of the thread library is used after it was destroyed.",
        "A thread uses a mutex, condition variable, semaphore, key or the like that has been destroyed, closed or "
        "deleted. The behaviour is undefined.",
        "Destroy an object only when no thread can use it any more: mostly, after the joins.",
        (672,), (416,), severity=7.0,
        claims={
            (Reason.DESTROYED,): "the {noun} {has} been destroyed",
            (Reason.CLOSED,): "the {noun} {has} been closed",
            (Reason.DELETED,): "the {noun} {has} been deleted",
        },
    ),
    _thread(
        "destroyed-twice", "DestroyedTwice",
        "An object of the thread library is destroyed or closed again.",
        "The object has already been destroyed or closed. The behaviour is undefined.",
        "Say which thread owns the object; that one destroys it, once.",
        (1341,), (672,), severity=6.0,
        claims={
            (Reason.DESTROYED_TWICE,): "the {noun} {has} already been destroyed",
            (Reason.CLOSED_TWICE,): "the {noun} {has} already been closed",
        },
    ),
    _thread(
        "destroyed-in-use", "DestroyedInUse",
        "An object of the thread library is destroyed while it is in use.",
        "The lock is held, or threads wait for the object that is destroyed. The behaviour is undefined.",
        "Destroy an object only when no thread can use it any more: mostly, after the joins.",
        (826,), (667,), severity=6.0,
        claims={
            (Reason.IN_USE, Object.MUTEX): "the mutex is locked",
            (Reason.IN_USE, Object.LOCK): "the lock is held",
            (Reason.IN_USE, Object.COND): "a thread waits on the condition variable",
            (Reason.IN_USE, Object.BARRIER): "a thread waits at the barrier",
            (Reason.IN_USE,): "",
        },
    ),
    _thread(
        "mismatched-release", "ReleasedByWrongFunction",
        "An object is released by the function for another kind.",
        "A named semaphore is destroyed, or an unnamed one closed. The behaviour is undefined.",
        "`sem_close` goes with `sem_open`, `sem_destroy` with `sem_init`.",
        (404,), severity=4.5,
        claims={
            (Reason.NAMED,): "the semaphore was opened with sem_open",
            (Reason.NOT_NAMED,): "the semaphore was not opened with sem_open",
        },
    ),
    _thread(
        "wrong-kind-of-object", "WrongKindOfObject",
        "An object is used in a way that its kind does not allow.",
        "The object was initialised as one of another kind than the function asks for. The behaviour is undefined.",
        "Initialise the object with the kind that its use asks for.",
        (628,), severity=4.5,
        claims={(Reason.NOT_TIMED,): "the mutex was not initialised with mtx_timed"},
    ),
    _thread(
        "no-such-thread", "NoSuchThreadOrKey",
        "A function is called with an identifier that was never given to a thread or key.",
        "The value of the `pthread_t` or key comes from nowhere: its creation has failed, has not happened yet, or "
        "happens in another thread without order. The behaviour is undefined.",
        "Create before use, test whether the creation has succeeded, and hand identifiers on in an order that the "
        "program ensures.",
        (908,), (457,),
        claims={(Reason.NONE_CREATED,): "no such {noun} was ever created"},
    ),
    _thread(
        "joined-twice", "JoinedOrDetachedTwice",
        "A thread is joined or detached again.",
        "The thread has already been joined or detached: its identifier is gone, and may be that of another thread. "
        "The behaviour is undefined.",
        "Join or detach each thread once. Say which thread does that.",
        (1341,), (672,),
        claims={
            (Reason.JOINED_TWICE,): "the thread has already been joined",
            (Reason.DETACHED_TWICE,): "the thread is already detached",
        },
    ),
    _thread(
        "thread-left", "ThreadNeitherJoinedNorDetached",
        "A thread is neither joined nor detached.",
        "The object of a running thread is destroyed or assigned to: `std::terminate` ends the program (C++20 "
        "[thread.thread.destr]).",
        "Join the thread on each way out of the scope, or use `std::jthread`.",
        (404,), (772,),
        claims={(Reason.LEFT_JOINABLE,): "the thread is neither joined nor detached"},
    ),
    _thread(
        "use-of-ended-thread", "IdentifierOfEndedThread",
        "A thread is referred to whose identifier is gone.",
        "The thread has been joined, or is detached and may have ended: its identifier may be that of another thread. "
        "The behaviour is undefined.",
        "Use the identifier of a thread before it is joined, and never join one that is detached.",
        (672,),
        claims={
            (Reason.JOINED,): "the thread has already been joined",
            (Reason.DETACHED,): "the thread is detached",
            (Reason.ENDED,): "the thread is detached and has ended",
        },
    ),
    _thread(
        "recursive-once", "OnceFromItsOwnRoutine",
        "The routine of a `pthread_once` calls it for itself.",
        "`pthread_once` returns when the routine has. Called from the routine, for the same object, it cannot.",
        "Leave the inner call out.",
        (833,), (674,),
        claims={(Reason.RECURSIVE,): "the routine calls pthread_once for itself"},
    ),
    _thread(
        "missing-object", "NullForAnObject",
        "A function of the thread library is given NULL in the place of an object.",
        "The function stores to, or reads, an object that is not there.",
        "Hand in the address of an object.",
        (476,),
        claims={
            (Reason.MISSING, Object.ONCE): "there is no object that says whether it is done",
            (Reason.MISSING, Object.THREAD): "a thread is created without an object for its identifier",
            (Reason.MISSING,): "",
        },
    ),
    _thread(
        "cleanup-unbalanced", "CleanupHandlersUnbalanced",
        "A block between pthread_cleanup_push and pthread_cleanup_pop is left by a jump or return.",
        "POSIX leaves undefined what becomes of the handlers then.",
        "Leave the block at its end, or end the thread.",
        (758,), (459,), severity=4.5,
        claims={
            (Reason.LEFT_BY_RETURN,): "return between pthread_cleanup_push and pthread_cleanup_pop",
            (Reason.LEFT_BY_JUMP,): "a jump out of the code between pthread_cleanup_push and pthread_cleanup_pop",
        },
    ),
    _thread(
        "exit-while-ending", "ExitWhileThreadEnds",
        "A thread calls pthread_exit while it ends.",
        "POSIX leaves undefined what a `pthread_exit` does in a destructor of thread-specific data.",
        "Return from the destructor.",
        (758,), severity=None,
        claims={(Reason.ENDS_ALREADY,): "called while the thread ends, by a destructor"},
    ),
    _thread(
        "misuse-of-thread-library", "MisuseOfThreadLibrary",
        "A function of the thread library is called in a way that POSIX leaves undefined.",
        "The message says which demand of the function does not hold.",
        _ORDER + "The manual page of the function says what it demands.",
        (758,), severity=5.0,
        claims={
            (Reason.NO_BLOCK_OF_SIZE,): "this is no block from malloc, or it has been freed already",
            (Kind.MISUSE,): "",
        },
    ),
    _memory(
        "missing-argument", "MissingVariableArgument",
        "va_arg asks for an argument that is not there, or has another type.",
        "A function with a variable number of arguments takes more of them than it is given, or as another type. The "
        "behaviour is undefined.",
        "Compare the call with what the function takes.",
        (628,), (685, 686),
        claims={(Reason.NO_ARGUMENT,): "{function}: there is no further argument, or it has another type"},
    ),
    _memory(
        "call-of-no-function", "CallOfNoFunction",
        "A call goes through a pointer that points to no function of its type.",
        "The pointer is NULL, was never set, or points to a function of another type. The behaviour is undefined.",
        "Find out where the pointer got its value, and whether another thread sets it too late.",
        (758,), (476, 824, 843), severity=7.0,
        claims={(Reason.NO_FUNCTION,): "a call through a function pointer that points to no function of its type"},
    ),
    _memory(
        "array-length-not-positive", "ArrayLengthNotPositive",
        "The length of a variable-length array is not positive.",
        "An array is declared with a length that is 0 or negative. The behaviour is undefined.",
        "Test the length before the declaration.",
        (131,),
        claims={(Reason.NO_LENGTH,): "the length of a variable-length array is not positive"},
    ),
    _memory(
        "null-dereference", "NullDereference",
        "Memory is accessed through a null pointer.",
        "The pointer is NULL where it is followed.",
        "Test the pointer, or order the access after the place where another thread sets it.",
        (476,), states=((None, MemoryState.NULL),),
    ),
    _memory(
        "use-after-free", "UseAfterFree",
        "Memory is accessed after it was freed.",
        "The block that the pointer leads to has been freed, perhaps by another thread.",
        "Free when no thread can follow the pointer any more: after the join, or when the last reference is gone, "
        "counted atomically.",
        (416,), (362, 825), severity=8.5, states=((None, MemoryState.FREED),),
        claims={(Reason.FREED,): "the {noun} no longer exists"},
    ),
    _memory(
        "double-free", "DoubleFree",
        "Memory is freed twice.",
        "The block has already been freed, perhaps by another thread.",
        "Say which thread owns the block. Where several may free it, take the pointer away under a lock, and free what "
        "was taken.",
        (415,), (362, 1341), severity=8.0, states=((Reason.FREE, MemoryState.FREED),),
    ),
    _memory(
        "invalid-free", "InvalidFree",
        "The freed pointer is not a block from malloc.",
        "`free` or `realloc` is given a pointer that is neither NULL nor one to the beginning of a block that is "
        "allocated.",
        "Hand in exactly what `malloc`, `calloc` or `realloc` has returned, and once.",
        (763,), (415, 590, 761), severity=7.5,
        claims={
            (Reason.NO_BLOCK,): "this is no block from malloc, or it has been freed already",
            (Kind.MEMSAFETY, Reason.FREE): "invalid free{what}",
        },
    ),
    _memory(
        "use-after-lifetime", "UseAfterLifetime",
        "An object is accessed after its lifetime.",
        "The pointer leads to a local of a function that has returned, of a block that was left, or of a thread that "
        "has ended.",
        "Let the object live as long as those who use it: allocate it, or join the threads that use it before the "
        "function returns.",
        (825,), (416, 562), severity=8.0, states=((None, MemoryState.ENDED),),
    ),
    _memory(
        "out-of-bounds-read", "OutOfBoundsRead",
        "Memory is read outside of its object.",
        "The access begins before the object, or ends after it.",
        "Check the index or length, and whether another thread changes it between the check and the use.",
        (125,), (119,), severity=7.0, states=((Reason.READ, MemoryState.OUTSIDE),),
    ),
    _memory(
        "out-of-bounds-write", "OutOfBoundsWrite",
        "Memory is written outside of its object.",
        "The access begins before the object, or ends after it: it changes other objects.",
        "Check the index or length, and whether another thread changes it between the check and the use.",
        (787,), (119, 120), severity=8.5, states=((Reason.WRITE, MemoryState.OUTSIDE),),
        claims={(Kind.MEMSAFETY, Reason.TEXT): "{function}: the text does not fit into its object"},
    ),
    _memory(
        "index-out-of-bounds", "IndexOutOfBounds",
        "A subscript is outside of its array.",
        "The subscript is negative, or not less than the number of elements, also where the array is a part of "
        "something larger.",
        "Check the subscript, and whether another thread changes it between the check and the use.",
        (119,), (125, 129, 787), severity=7.5,
        claims={
            (Kind.MEMSAFETY, Reason.INDEX): "`{subject}` is outside of the array, which has {elements}",
            (Kind.CRASH, Reason.INDEX): "index outside of an array",
        },
    ),
    _memory(
        "invalid-access", "InvalidMemoryAccess",
        "Memory is accessed that does not exist.",
        "The pointer leads to no object that exists, or the access leaves the object.",
        "Find out where the pointer got its value, and whether another thread sets or frees it in between.",
        (119,), (125, 416, 476, 787, 824), severity=7.5,
        claims={
            (Kind.MEMSAFETY, Reason.READ): "invalid read{what}",
            (Kind.MEMSAFETY, Reason.WRITE): "invalid write{what}",
            (Kind.CRASH, Reason.ACCESS): "invalid memory access",
            (Kind.MEMSAFETY,): "",
        },
    ),
    _memory(
        "memory-leak", "MemoryLeak",
        "Memory is never freed, and nothing points to it.",
        "When the process ends there is a block that was not freed, and no object at file level or other block leads "
        "to it.",
        "Free the block on each way out, also where a thread ends early.",
        (401,), severity=3.5, level="warning",
        claims={(Kind.MEMSAFETY, Reason.LEAK): "memory is never freed, and nothing leads to it when the process ends"},
    ),
    ViolationKind(
        "integer-overflow", "IntegerOverflow",
        "The result of an operation does not fit into its type.",
        "Signed arithmetic overflows: undefined behaviour (C11 6.5p5).",
        "Check the operands before, or compute in a larger type.",
        (190,), (191,), severity=6.5, tags=_ARITHMETIC,
        claims={
            (Kind.OVERFLOW, Reason.RESULT): "{result} does not fit into `{type}`",
            (Kind.OVERFLOW,): "",
        },
    ),
    ViolationKind(
        "division-by-zero", "DivisionByZero",
        "A divisor can be zero.",
        "The operands of `/` or `%` are such that the second one is 0: undefined behaviour (C11 6.5.5p5).",
        "Test the divisor, and hold the lock from the test to the division.",
        (369,), severity=5.5, tags=_ARITHMETIC,
        claims={
            (Kind.OVERFLOW, Reason.DIVISION): "division by zero{where}",
            (Kind.CRASH, Reason.DIVISION): "division by zero, or one that overflows",
        },
    ),
    ViolationKind(
        "invalid-shift", "InvalidShift",
        "A shift is by a negative number of bits, or by too many.",
        "The distance is negative, or not less than the width of the type: undefined behaviour (C11 6.5.7p3).",
        "Test the distance.",
        (1335,), severity=4.5, tags=_ARITHMETIC,
        claims={(Kind.OVERFLOW, Reason.SHIFT): "a shift by less than 0 or by {size} or more bits{where}"},
    ),
    ViolationKind(
        "crash", "ProgramIsEndedBySignal",
        "The program can be ended by a signal.",
        "The execution ends in a way that the program does not handle.",
        _ORDER,
        (703,), severity=5.5,
        claims={
            (Kind.CRASH, Reason.SIGNAL): "the program is ended by {subject}",
            (Kind.CRASH,): "",
        },
    ),
    ViolationKind(
        "aborted", "ProgramAborts",
        "The program can abort.",
        "The execution calls `abort` or `std::terminate`, or the C library ends it since it has found something wrong.",
        _ORDER,
        (703,), severity=5.5,
        claims={
            (Kind.CRASH, Reason.ABORTED): "abort is called",
            (Kind.CRASH, Reason.LIBRARY): "the C library ends the program: {subject}",
            (Kind.CRASH, Reason.TERMINATED): "std::terminate is called",
        },
    ),
    ViolationKind(
        "uncaught-exception", "UncaughtException",
        "An exception can be thrown that no handler catches.",
        "An exception leaves the start function of a thread, or a function that must not throw: `std::terminate` ends "
        "the program.",
        _ORDER,
        (248,), (703,), severity=5.5,
        claims={(Kind.CRASH, Reason.EXCEPTION): "uncaught exception `{subject}`"},
    ),
    _memory(
        "stack-overflow", "StackOverflow",
        "The calls of a thread can need more stack than there is.",
        "A thread comes to the end of its stack: calls are nested too deeply, or local variables are too large.",
        "Find the recursion, or give the thread a larger stack.",
        (674,),
        claims={(Kind.CRASH, Reason.STACK): "the stack is too small for the calls"},
    ),
    ViolationKind(
        "undefined-behavior", "UndefinedBehavior",
        "The program does something that the language leaves undefined.",
        "The checks that the compiler has put into the program (UBSan) have found an operation without a meaning.",
        _ORDER,
        (758,), severity=5.5,
        claims={(Kind.UNDEFINED,): "undefined behaviour: {subject}"},
    ),
    ViolationKind(
        "wrong-exit-status", "WrongExitStatus",
        "The program can end with another exit status than expected.",
        "The execution ends by itself, and its exit status says that something went wrong: a test that failed, mostly.",
        _ORDER + "What the program has printed says more.",
        tags=_CORRECT,
        claims={(Kind.EXIT,): "the exit status is {subject}, not {size}"},
    ),
    ViolationKind(
        "bound-exceeded", "IterationsExceedBound",
        "A loop can run more often than its bound says.",
        "It is claimed (`--unwinding-assertions`) that the bounds cut nothing off, and a loop runs longer.",
        "Raise the bound of the loop, or find out why it does not end.",
        (834,), tags=("analysis",), level="note",
        claims={(Kind.UNWINDING,): ""},
    ),
    ViolationKind(
        "recursion-exceeds-bound", "RecursionExceedsBound",
        "A function can be nested deeper than its bound says.",
        "It is claimed (`--unwinding-assertions`) that the bounds cut nothing off, and a function calls itself once "
        "more.",
        "Raise the bound, or find out why the recursion does not end.",
        (674,), tags=("analysis",), level="note", limits=(Limit.RECURSION, Limit.STARTS),
    ),
    ViolationKind(
        "threads-exceed-bound", "ThreadsExceedBound",
        "More threads can be created than the bound says.",
        "It is claimed (`--unwinding-assertions`) that the bounds cut nothing off, and another thread is created.",
        "Raise the bound, or limit the number of threads in the program.",
        (770,), tags=("analysis",), level="note", limits=(Limit.THREADS,),
    ),
    ViolationKind(
        "invariant-violation", "InvariantViolation",
        "A claim about all states does not hold in one.",
        "A state can be reached in which the function given as `--invariant` returns 0.",
        _ORDER,
        tags=_CONCURRENT,
        claims={
            (Kind.INVARIANT,): "invariant `{subject}` does not hold",
            (Kind.EXCLUSION,): "two threads are at {lines} at the same time",
        },
    ),
    ViolationKind(
        "temporal-violation", "TemporalPropertyViolated",
        "A formula of linear temporal logic does not hold.",
        "There is an infinite execution that the formula, or the claim about labels, rules out.",
        "The last part of the code flow is repeated for ever: ask what would have to happen in it.",
        tags=_CONCURRENT,
        claims={
            (Kind.LTL,): "the formula `{subject}` does not hold",
            (Kind.ACCEPTANCE,): "a state with a thread at a label `accept` can come again and again",
            (Kind.ACCEPTANCE, Reason.STAYS): "the threads can come to an end with one of them at a label `accept`",
            (Kind.TLA,): "the TLA+ formula `{subject}` does not hold, according to TLC",
        },
    ),
    ViolationKind(
        "no-progress", "NoProgress",
        "The threads can run for ever without progress.",
        "There is an infinite execution in whose repeated part no thread passes a label of progress, or in which the "
        "threads do not all end.",
        "The last part of the code flow is repeated for ever: ask which thread would have to act to end it.",
        (835,), severity=5.5, tags=_CONCURRENT,
        claims={
            (Kind.NON_PROGRESS,): "the threads can run for ever without any progress",
            (Kind.TERMINATION, Reason.SPINS): "threads spin for ever: nothing that they read changes any more",
            (Kind.TERMINATION,): "the threads do not all end",
        },
    ),
    ViolationKind(
        "violation", "PropertyViolated",
        "The property that was checked is violated.",
        "The message says what was claimed.",
        _ORDER,
        tags=_CORRECT,
    ),
)  # fmt: skip
"""All kinds. Their ids and names never change; new kinds may be added."""

BY_ID = {kind.id: kind for kind in KINDS}
CLAIMS = {key: sentence for kind in KINDS for key, sentence in kind.claims.items()}
"""The sentences of claims."""

_BY_CLAIM = {key: kind for kind in KINDS for key in kind.claims}
_BY_STATE = {about: kind for kind in KINDS for about in kind.states}
_BY_LIMIT = {limit: kind for kind in KINDS for limit in kind.limits}
_OF_BLOCKS = frozenset({Reason.FREE, Reason.LEAK})


def keys(claim: Claim) -> list[Key]:
    """The keys of the entries that fit *claim*, the best first. There is always one."""
    kind, reason, noun = claim.kind, claim.reason, about(claim)
    by_reason = [] if reason is None else [(kind, reason), *([(reason, noun)] if noun is not None else []), (reason,)]
    found: list[Key] = [*by_reason, (kind,)]
    return [key for key in found if key in CLAIMS]


def about(claim: Claim) -> Object | None:
    """The kind of object that *claim* is about, if it is about one."""
    return Object(claim.subject) if claim.subject in _OBJECTS else None


_OBJECTS = frozenset(Object)


def kind_of(violated: Property | None) -> ViolationKind:
    """The kind of the violation of a property; the general one if the property is not known."""
    if violated is None:
        return BY_ID["violation"]
    claim = violated.claim
    if claim.cut is not None and claim.cut.limit in _BY_LIMIT:
        return _BY_LIMIT[claim.cut.limit]
    if claim.memory is not None:
        state = claim.memory.state
        for reason in (claim.reason, None) if claim.reason not in _OF_BLOCKS else (claim.reason,):
            if (reason, state) in _BY_STATE:
                return _BY_STATE[reason, state]
    return _BY_CLAIM[keys(claim)[0]]
