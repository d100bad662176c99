"""The kinds of violations, as a dashboard for results of analyses lists them: with ids, advice, and CWE numbers.

Which one a violation is of is told from the text of its claim. Each text that the chains and the thread library can
claim has an entry here: `tests/unit/report/sarif/test_weaknesses.py` goes through them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from cseq.base.verdict import Property

CWE = {
    119: "Improper Restriction of Operations within the Bounds of a Memory Buffer",
    120: "Buffer Copy without Checking Size of Input ('Classic Buffer Overflow')",
    125: "Out-of-bounds Read",
    129: "Improper Validation of Array Index",
    131: "Incorrect Calculation of Buffer Size",
    190: "Integer Overflow or Wraparound",
    191: "Integer Underflow (Wrap or Wraparound)",
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
"""The weaknesses that are referred to: number → name."""


@dataclass(frozen=True)
class Rule:
    """A kind of violation.

    id, name: stable; the name is in Pascal case. short: a sentence. full: what is wrong, and why that matters.
    help: what to look for, and how to repair it.
    cwes: the weaknesses that it is a case of, the most specific first. related: those that it may be, or lead to.
    severity: for a matter of security, from 0 (none) to 10, a ranking of the kinds by what they can lead to; else None.
    tags: what it is about. level: ``error``, ``warning`` or ``note``.
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


_THREADS = ("concurrency", "reliability")
_MEMORY = ("memory", "reliability")
_ARITHMETIC = ("arithmetic", "reliability")
_CORRECT = ("correctness",)

_ORDER = (
    "Follow the steps of the code flow in the order of their execution numbers, across the threads. "
    "The last one violates the claim. "
)

RULES = (
    Rule(
        "assertion-violation",
        "AssertionViolation",
        "An assertion can fail.",
        "There are a schedule of the threads and values of the inputs with which a condition that the program asserts "
        "does not hold.",
        _ORDER + "Look for a value that was read before another thread changed it: what has to happen without "
        "interruption belongs under one lock, or into one atomic operation; what has to happen in an order needs a "
        "join, a condition variable or a semaphore in between.",
        (617,),
        tags=("concurrency", "correctness"),
    ),
    Rule(
        "error-reached",
        "ErrorLocationReached",
        "A place that must not be reached can be reached.",
        "There are a schedule of the threads and values of the inputs with which the program gets to an error "
        "function, to a label ERROR, or to what it says cannot be reached.",
        _ORDER + "Ask at each branch on the way why its condition holds, and which other thread has made it hold.",
        (617,),
        tags=("concurrency", "correctness"),
    ),
    Rule(
        "data-race",
        "DataRace",
        "Two threads access the same memory without order, and one of them writes.",
        "Two threads get into a state in which both are about to access the same memory, at least one of them to write "
        "it, and not both atomically. In C that is undefined behaviour (C11 5.1.2.4): values may be lost, torn or "
        "stale, and compilers take for granted that it does not happen.",
        "Hold the same lock at both places, make both accesses atomic, or order them by creating, joining or "
        "signalling. `volatile` does not help, and neither do two different locks.",
        (366, 362),
        severity=7.5,
        tags=_THREADS,
    ),
    Rule(
        "deadlock",
        "ThreadsDeadlocked",
        "Threads can be blocked for ever.",
        "There is a schedule in which threads wait for something that cannot come any more: for each other in a "
        "circle, or for a signal, a post or an arrival that nobody is left to make.",
        "For a circle of locks, take the locks in the same order everywhere. For a signal that is missed, change the "
        "condition under the lock that the waiting thread holds, and test it in a loop around the wait.",
        (833,),
        (667,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "self-deadlock",
        "ThreadWaitsForItself",
        "A thread can wait for what it holds itself.",
        "A thread locks again what it holds, wants to write what it has locked for reading, or joins itself: it is "
        "blocked for ever.",
        "Find the call that takes the lock first, and unlock before the second one; or split the function into one "
        "that locks and one that is called with the lock held.",
        (764, 833),
        (667,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "lock-never-released",
        "LockHeldByEndedThread",
        "A thread can end while it holds a lock that another one waits for.",
        "A thread has ended without unlocking. Whoever waits for the lock is blocked for ever.",
        "Unlock on each way out of the function, also on those for errors; where threads are cancelled, with "
        "`pthread_cleanup_push`.",
        (833, 772),
        (667,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "double-lock",
        "LockedTwice",
        "A thread locks what it holds already.",
        "The calling thread already holds the lock, which is not one that may be taken twice: that is undefined "
        "behaviour, in practice mostly a deadlock.",
        "Unlock before, or leave the second lock out; a recursive mutex only where that is what is meant.",
        (764,),
        (667, 833),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "unlock-not-held",
        "UnlockedByAnotherThread",
        "A thread unlocks what it does not hold.",
        "The lock is free, or another thread holds it: then that one goes on unprotected. POSIX and C leave that "
        "undefined.",
        "Unlock exactly once for each lock, in the thread that has locked. Where one thread is to let another one go "
        "on, use a condition variable or a semaphore.",
        (667,),
        (832, 765),
        severity=6.5,
        tags=_THREADS,
    ),
    Rule(
        "wait-without-lock",
        "WaitWithoutMutex",
        "A thread waits on a condition variable without holding the mutex.",
        "Waiting unlocks the mutex, which the calling thread has to hold. Without, the behaviour is undefined, and "
        "signals get lost.",
        "Lock the mutex, test the condition in a loop, and wait inside of the loop.",
        (667,),
        (832,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "wait-with-two-mutexes",
        "WaitWithAnotherMutex",
        "Threads wait on one condition variable with different mutexes.",
        "While a thread waits on a condition variable with a mutex, that is the only one that others may wait with. "
        "The effect of another one is undefined.",
        "Use one mutex with each condition variable: that which protects what the condition is about.",
        (821,),
        (667,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "uninitialised-object",
        "UninitialisedSynchronisationObject",
        "An object of the thread library is used that was never initialised.",
        "A mutex, condition variable, semaphore or the like is used before it is initialised, or without that ever "
        "being done. The behaviour is undefined.",
        "Initialise the object before the threads that use it are created, with its initialiser or its function.",
        (457, 908),
        (665,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "initialised-twice",
        "InitialisedTwice",
        "An object of the thread library is initialised again.",
        "The object is already initialised, perhaps in use. Initialising it again is undefined, and forgets who holds "
        "or waits for it.",
        "Initialise once, before the threads are created, or with `pthread_once`.",
        (665,),
        severity=4.5,
        tags=_THREADS,
    ),
    Rule(
        "use-after-destroy",
        "UsedAfterDestruction",
        "An object of the thread library is used after it was destroyed.",
        "A thread uses a mutex, condition variable, semaphore, key or the like that has been destroyed, closed or "
        "deleted. The behaviour is undefined.",
        "Destroy an object only when no thread can use it any more: mostly, behind the joins.",
        (672,),
        (416,),
        severity=7.0,
        tags=_THREADS,
    ),
    Rule(
        "destroyed-twice",
        "DestroyedTwice",
        "An object of the thread library is destroyed or closed again.",
        "The object has already been destroyed or closed. The behaviour is undefined.",
        "Say which thread owns the object; that one destroys it, once.",
        (1341,),
        (672,),
        severity=6.0,
        tags=_THREADS,
    ),
    Rule(
        "destroyed-in-use",
        "DestroyedInUse",
        "An object of the thread library is destroyed while it is in use.",
        "The lock is held, or threads wait for the object that is destroyed. The behaviour is undefined.",
        "Destroy an object only when no thread can use it any more: mostly, behind the joins.",
        (826,),
        (667,),
        severity=6.0,
        tags=_THREADS,
    ),
    Rule(
        "mismatched-release",
        "ReleasedByWrongFunction",
        "An object is released by the function for another kind.",
        "A named semaphore is destroyed, or an unnamed one closed. The behaviour is undefined.",
        "`sem_close` goes with `sem_open`, `sem_destroy` with `sem_init`.",
        (404,),
        severity=4.5,
        tags=_THREADS,
    ),
    Rule(
        "wrong-kind-of-object",
        "WrongKindOfObject",
        "An object is used in a way that its kind does not allow.",
        "The object was initialised as one of another kind than the function asks for. The behaviour is undefined.",
        "Initialise the object with the kind that its use asks for.",
        (628,),
        severity=4.5,
        tags=_THREADS,
    ),
    Rule(
        "no-such-thread",
        "NoSuchThreadOrKey",
        "A function is called with an identifier that was never given to a thread or key.",
        "The value of the `pthread_t` or key comes from nowhere: its creation has failed, has not happened yet, or "
        "happens in another thread without order. The behaviour is undefined.",
        "Create before use, test whether the creation has succeeded, and hand identifiers on in an order that the "
        "program ensures.",
        (908,),
        (457,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "joined-twice",
        "JoinedOrDetachedTwice",
        "A thread is joined or detached again.",
        "The thread has already been joined or detached: its identifier is gone, and may be that of another thread. "
        "The behaviour is undefined.",
        "Join or detach each thread once. Say which thread does that.",
        (1341,),
        (672,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "use-of-ended-thread",
        "IdentifierOfEndedThread",
        "A thread is referred to whose identifier is gone.",
        "The thread has been joined, or is detached and may have ended: its identifier may be that of another thread. "
        "The behaviour is undefined.",
        "Use the identifier of a thread before it is joined, and never join one that is detached.",
        (672,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "recursive-once",
        "OnceFromItsOwnRoutine",
        "The routine of a `pthread_once` calls it for itself.",
        "`pthread_once` returns when the routine has. Called from the routine, for the same object, it cannot.",
        "Leave the inner call out.",
        (833,),
        (674,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "missing-object",
        "NullForAnObject",
        "A function of the thread library is given NULL in the place of an object.",
        "The function stores to, or reads, an object that is not there.",
        "Hand in the address of an object.",
        (476,),
        severity=5.5,
        tags=_THREADS,
    ),
    Rule(
        "cleanup-unbalanced",
        "CleanupHandlersUnbalanced",
        "A block between pthread_cleanup_push and pthread_cleanup_pop is left by a jump or return.",
        "POSIX leaves undefined what becomes of the handlers then.",
        "Leave the block at its end, or end the thread.",
        (758,),
        (459,),
        severity=4.5,
        tags=_THREADS,
    ),
    Rule(
        "exit-while-ending",
        "ExitWhileThreadEnds",
        "A thread calls pthread_exit while it ends.",
        "POSIX leaves undefined what a `pthread_exit` does in a destructor of thread-specific data.",
        "Return from the destructor.",
        (758,),
        tags=_THREADS,
    ),
    Rule(
        "misuse-of-thread-library",
        "MisuseOfThreadLibrary",
        "A function of the thread library is called in a way that POSIX leaves undefined.",
        "The message says which demand of the function does not hold.",
        _ORDER + "The manual page of the function says what it demands.",
        (758,),
        severity=5.0,
        tags=_THREADS,
    ),
    Rule(
        "missing-argument",
        "MissingVariableArgument",
        "va_arg asks for an argument that is not there, or has another type.",
        "A function with a variable number of arguments takes more of them than it is given, or as another type. The "
        "behaviour is undefined.",
        "Compare the call with what the function takes.",
        (628,),
        (685, 686),
        severity=5.5,
        tags=_MEMORY,
    ),
    Rule(
        "call-of-no-function",
        "CallOfNoFunction",
        "A call goes through a pointer that points to no function of its type.",
        "The pointer is NULL, was never set, or points to a function of another type. The behaviour is undefined.",
        "Find out where the pointer got its value, and whether another thread sets it too late.",
        (758,),
        (476, 824, 843),
        severity=7.0,
        tags=_MEMORY,
    ),
    Rule(
        "array-length-not-positive",
        "ArrayLengthNotPositive",
        "The length of a variable-length array is not positive.",
        "An array is declared with a length that is 0 or negative. The behaviour is undefined.",
        "Test the length before the declaration.",
        (131,),
        severity=5.5,
        tags=_MEMORY,
    ),
    Rule(
        "null-dereference",
        "NullDereference",
        "Memory is accessed through a null pointer.",
        "The pointer is NULL where it is followed.",
        "Test the pointer, or order the access behind the place where another thread sets it.",
        (476,),
        severity=5.5,
        tags=_MEMORY,
    ),
    Rule(
        "use-after-free",
        "UseAfterFree",
        "Memory is accessed after it was freed.",
        "The block that the pointer leads to has been freed, perhaps by another thread.",
        "Free when no thread can follow the pointer any more: behind the join, or when the last reference is gone, "
        "counted atomically.",
        (416,),
        (362, 825),
        severity=8.5,
        tags=_MEMORY,
    ),
    Rule(
        "double-free",
        "DoubleFree",
        "Memory is freed twice.",
        "The block has already been freed, perhaps by another thread.",
        "Say which thread owns the block. Where several may free it, take the pointer away under a lock, and free "
        "what was taken.",
        (415,),
        (362, 1341),
        severity=8.0,
        tags=_MEMORY,
    ),
    Rule(
        "invalid-free",
        "InvalidFree",
        "What is freed is no block from malloc.",
        "`free` or `realloc` is given a pointer that is neither NULL nor one to the beginning of a block that is "
        "allocated.",
        "Hand in exactly what `malloc`, `calloc` or `realloc` has returned, and once.",
        (763,),
        (415, 590, 761),
        severity=7.5,
        tags=_MEMORY,
    ),
    Rule(
        "use-after-lifetime",
        "UseAfterLifetime",
        "An object is accessed whose life has ended.",
        "The pointer leads to a local of a function that has returned, of a block that was left, or of a thread that "
        "has ended.",
        "Let the object live as long as those who use it: allocate it, or join the threads that use it before the "
        "function returns.",
        (825,),
        (416, 562),
        severity=8.0,
        tags=_MEMORY,
    ),
    Rule(
        "out-of-bounds-read",
        "OutOfBoundsRead",
        "Memory is read outside of its object.",
        "The access begins before the object, or ends behind it.",
        "Check the index or length, and whether another thread changes it between the check and the use.",
        (125,),
        (119,),
        severity=7.0,
        tags=_MEMORY,
    ),
    Rule(
        "out-of-bounds-write",
        "OutOfBoundsWrite",
        "Memory is written outside of its object.",
        "The access begins before the object, or ends behind it: it changes other objects.",
        "Check the index or length, and whether another thread changes it between the check and the use.",
        (787,),
        (119, 120),
        severity=8.5,
        tags=_MEMORY,
    ),
    Rule(
        "index-out-of-bounds",
        "IndexOutOfBounds",
        "A subscript is outside of its array.",
        "The subscript is negative, or not less than the number of elements, also where the array is a part of "
        "something larger.",
        "Check the subscript, and whether another thread changes it between the check and the use.",
        (119,),
        (125, 129, 787),
        severity=7.5,
        tags=_MEMORY,
    ),
    Rule(
        "invalid-access",
        "InvalidMemoryAccess",
        "Memory is accessed that is not there.",
        "The pointer leads to no object that exists, or the access leaves the object.",
        "Find out where the pointer got its value, and whether another thread sets or frees it in between.",
        (119,),
        (125, 416, 476, 787, 824),
        severity=7.5,
        tags=_MEMORY,
    ),
    Rule(
        "memory-leak",
        "MemoryLeak",
        "Memory is never freed, and nothing leads to it any more.",
        "When the process ends there is a block that was not freed, and no object at file level or other block leads "
        "to it.",
        "Free the block on each way out, also where a thread ends early.",
        (401,),
        severity=3.5,
        tags=_MEMORY,
        level="warning",
    ),
    Rule(
        "integer-overflow",
        "IntegerOverflow",
        "The result of an operation does not fit into its type.",
        "Signed arithmetic overflows: undefined behaviour (C11 6.5p5).",
        "Check the operands before, or compute in a larger type.",
        (190,),
        (191,),
        severity=6.5,
        tags=_ARITHMETIC,
    ),
    Rule(
        "division-by-zero",
        "DivisionByZero",
        "A divisor can be zero.",
        "The operands of `/` or `%` are such that the second one is 0: undefined behaviour (C11 6.5.5p5).",
        "Test the divisor, and hold the lock from the test to the division.",
        (369,),
        severity=5.5,
        tags=_ARITHMETIC,
    ),
    Rule(
        "invalid-shift",
        "InvalidShift",
        "A shift is by a negative number of bits, or by too many.",
        "The distance is negative, or not less than the width of the type: undefined behaviour (C11 6.5.7p3).",
        "Test the distance.",
        (1335,),
        severity=4.5,
        tags=_ARITHMETIC,
    ),
    Rule(
        "crash",
        "ProgramIsEndedBySignal",
        "The program can be ended by a signal.",
        "The execution ends in a way that the program does not handle.",
        _ORDER,
        (703,),
        severity=5.5,
    ),
    Rule(
        "bound-exceeded",
        "IterationsExceedBound",
        "A loop can run more often than its bound says.",
        "It is claimed (`--unwinding-assertions`) that the bounds cut nothing off, and a loop goes on.",
        "Raise the bound of the loop, or find out why it does not end.",
        (834,),
        level="note",
        tags=("analysis",),
    ),
    Rule(
        "recursion-exceeds-bound",
        "RecursionExceedsBound",
        "A function can be nested deeper than its bound says.",
        "It is claimed (`--unwinding-assertions`) that the bounds cut nothing off, and a function calls itself once "
        "more.",
        "Raise the bound, or find out why the recursion does not end.",
        (674,),
        level="note",
        tags=("analysis",),
    ),
    Rule(
        "threads-exceed-bound",
        "ThreadsExceedBound",
        "More threads can be created than the bound says.",
        "It is claimed (`--unwinding-assertions`) that the bounds cut nothing off, and another thread is created.",
        "Raise the bound, or limit the number of threads in the program.",
        (770,),
        level="note",
        tags=("analysis",),
    ),
    Rule(
        "invariant-violation",
        "InvariantViolation",
        "A claim about all states does not hold in one.",
        "A state can be reached in which the function given as `--invariant` returns 0.",
        _ORDER,
        tags=("concurrency", "correctness"),
    ),
    Rule(
        "temporal-violation",
        "TemporalPropertyViolated",
        "A formula of linear temporal logic does not hold.",
        "There is an infinite execution that the formula, or the claim about labels, rules out.",
        "The last part of the code flow is repeated for ever: ask what would have to happen in it.",
        tags=("concurrency", "correctness"),
    ),
    Rule(
        "no-progress",
        "NoProgress",
        "The threads can go on for ever without progress.",
        "There is an infinite execution in whose repeated part no thread passes a label of progress, or in which the "
        "threads do not all end.",
        "The last part of the code flow is repeated for ever: ask which thread would have to act to end it.",
        (835,),
        severity=5.5,
        tags=("concurrency", "correctness"),
    ),
    Rule(
        "violation",
        "PropertyViolated",
        "The property that was checked is violated.",
        "The message says what was claimed.",
        _ORDER,
        tags=_CORRECT,
    ),
)  # fmt: skip
"""All kinds. Their ids and names stay as they are; new ones may come."""

BY_ID = {rule.id: rule for rule in RULES}

_OBJECT = r"the (?:mutex|lock|condition variable|barrier|semaphore|attributes(?: of threads)?|key|thread)"

_MISUSE = (
    (rf"{_OBJECT} (?:was|were|is) (?:never|not) initialised$", "uninitialised-object"),
    (rf"{_OBJECT} is already initialised$", "initialised-twice"),
    (rf"{_OBJECT} has already been (?:destroyed|closed)$", "destroyed-twice"),
    (rf"{_OBJECT} (?:has|have) been (?:destroyed|closed|deleted)$", "use-after-destroy"),
    (r"(?:mutex|lock) is (?:locked|held)$|: a thread waits (?:on|at) the ", "destroyed-in-use"),
    (r"wait: the calling thread does not (?:own|hold) the mutex$", "wait-without-lock"),
    (r"wait: another thread waits with another mutex$", "wait-with-two-mutexes"),
    (r"unlock: the calling thread does not (?:own|hold) the (?:mutex|lock)$", "unlock-not-held"),
    (r"the calling thread already holds the (?:mutex|lock)$", "double-lock"),
    (r"was not initialised with mtx_timed$", "wrong-kind-of-object"),
    (r"the semaphore was (?:not )?opened with sem_open$", "mismatched-release"),
    (r"no such (?:thread|key) was ever created$", "no-such-thread"),
    (r"(?:join|detach|join_np): the thread has already been joined$", "joined-twice"),
    (r"the thread is already detached$", "joined-twice"),
    (r"the thread has already been joined$|the thread is detached", "use-of-ended-thread"),
    (r"^pthread_once: the routine calls pthread_once for itself$", "recursive-once"),
    (r"^pthread_once: there is no object |^a thread is created without an object ", "missing-object"),
    (r"between pthread_cleanup_push and pthread_cleanup_pop$", "cleanup-unbalanced"),
    (r"^pthread_exit: called while the thread ends", "exit-while-ending"),
    (r"^va_arg: ", "missing-argument"),
    (r"^free: ", "invalid-free"),
    (r"^a call through a function pointer that points to no function", "call-of-no-function"),
    (r"^the length of a variable-length array is positive", "array-length-not-positive"),
)

_MEMORY_ERRORS = (
    (r"^invalid free .*\(the memory has been freed", "double-free"),
    (r"^invalid free ", "invalid-free"),
    (r"^memory is never freed", "memory-leak"),
    (r"\(the pointer is NULL\)$", "null-dereference"),
    (r"\(the memory has been freed\b", "use-after-free"),
    (r"\(the life of the object has ended\b", "use-after-lifetime"),
    (r"(?:^|: )invalid read\b.*\(outside of the object", "out-of-bounds-read"),
    (r"(?:^|: )invalid write\b.*\(outside of the object", "out-of-bounds-write"),
    (r": the text does not fit into its object", "out-of-bounds-write"),
    (r" is outside of the array, which has ", "index-out-of-bounds"),
    (r"(?:^|: )invalid (?:read|write)\b", "invalid-access"),
)

_KINDS: dict[str, tuple[tuple[str, str], ...]] = {
    "assertion": (("", "assertion-violation"),),
    "reachability": (
        *_MISUSE,
        (r"^(?:an )?assertion\b", "assertion-violation"),
        ("", "error-reached"),
    ),
    "misuse": (*_MISUSE, ("", "misuse-of-thread-library")),
    "deadlock": (
        (r", which it (?:holds|runs) itself|\bfor itself to end", "self-deadlock"),
        (r", which has ended(?:;|$)", "lock-never-released"),
        ("", "deadlock"),
    ),
    "race": (("", "data-race"),),
    "memsafety": (*_MEMORY_ERRORS, ("", "invalid-access")),
    "overflow": (
        (r"^division by zero\b", "division-by-zero"),
        (r"^a shift by ", "invalid-shift"),
        ("", "integer-overflow"),
    ),
    "unwinding": (
        (r" may (?:call|start) itself ", "recursion-exceeds-bound"),
        (r" may be created", "threads-exceed-bound"),
        ("", "bound-exceeded"),
    ),
    "crash": (
        (r"^invalid memory access", "invalid-access"),
        (r"^division by zero", "division-by-zero"),
        (r"^index outside of an array", "index-out-of-bounds"),
        ("", "crash"),
    ),
    "invariant": (("", "invariant-violation"),),
    "ltl": (("", "temporal-violation"),),
    "acceptance": (("", "temporal-violation"),),
    "non-progress": (("", "no-progress"),),
    "termination": (("", "no-progress"),),
}
"""By the name of the property: patterns for its text, of which the first that is found counts, and the rule's id.

The user's own words can be in a text in backquotes only; what they say does not count.
"""

_QUOTED = re.compile(r"`[^`]*`")


def rule_of(violated: Property | None) -> Rule:
    """The kind of the violation of a property; the one for any where the property is not known."""
    if violated is None:
        return BY_ID["violation"]
    return BY_ID[_rule_of(violated.name, _QUOTED.sub("``", violated.description))]


@cache
def _rule_of(name: str, text: str) -> str:
    return next((id_ for pattern, id_ in _KINDS.get(name, ()) if re.search(pattern, text)), "violation")
