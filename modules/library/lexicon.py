"""What the stages know about functions that the user calls but does not define.

Three kinds: the thread library (C, in ``pthread_stubs/``), the verification functions of SV-COMP and
assert.h, and a small part of the C library, which the engines model or which has no effect that counts.
"""

from functools import cache

from cseq.c.verification import (
    ANY_VALUE,
    ASSERTIONS,
    ASSUME,
    ASSUMPTIONS,
    ATOMIC_BEGIN,
    ATOMIC_END,
    NONDET,
    NONDET_TYPES,
    SECTIONS,
    nondet_kind,
)
from cseq.model.claims import Reason
from cseq.model.origin import FILE_PREFIX, is_ours
from cseq.modules.library import clibrary, primitives, stubs
from cseq.modules.library.stubs import (
    CREATE,
    CREATE_STEP,
    END_STEP,
    EXIT,
    STEP_PREFIX,
    THRD_CREATE,
    THRD_EXIT,
    is_contained,
    is_library,
    keeps_a_set_of_threads,
)

__all__ = [
    "ANY_VALUE",
    "ASSERTIONS",
    "ASSUME",
    "ASSUMPTIONS",
    "ATOMIC_BEGIN",
    "ATOMIC_END",
    "CREATE",
    "CREATE_STEP",
    "END_STEP",
    "EXIT",
    "FILE_PREFIX",
    "NONDET",
    "NONDET_TYPES",
    "SECTIONS",
    "STEP_PREFIX",
    "THRD_CREATE",
    "THRD_EXIT",
    "is_contained",
    "is_library",
    "is_ours",
    "keeps_a_set_of_threads",
    "nondet_kind",
]

ASSERT = "__CSEQ_assert"
STOP = "__CSEQ_stop"
COARSE = "__CSEQ_coarse"
CHOOSE = "__CSEQ_choose"  # any number that is less than the argument
SAMPLED = "__CSEQ_sampled"  # the same, where the numbers stand for some of the values of an input; notes that
ACCESS = "__CSEQ_access"
FAIL = "__CSEQ_fail"
STANDS = "__CSEQ_stands"
CHECKS = "__CSEQ_checks"  # the claims that are made before the next statement, in the same step
STANDING = "__cs_standing"
INSIDE = 2  # its value if the thread that is asked is inside an atomic section
STANDS_AT = "__cs_stands_"
AHEAD = "__CSEQ_ahead"
CHAINED = "__cs_chained"
SHOW = "__CSEQ_show"  # a traced program reports a value, which may be an address
HAVOC = "__CSEQ_havoc"
UNDEFINE = "__CSEQ_undefine"  # an object that has not been written yet, if that is tracked
FRESH = "__CSEQ_fresh"  # the contents of a block that has not been written yet
BEGINS = "__CSEQ_begins"
ENDS = "__CSEQ_ends"
PROCESS_ENDS = "__CSEQ_process_ends"
DEMAND = "__CSEQ_demand"
MISUSE_STUB = "__CSEQ_fail_unless"
THREAD = "__CSEQ_thread"
THREADS = "__CSEQ_THREADS"
SPURIOUS = "__CSEQ_SPURIOUS"
ZEROED = "__CSEQ_ZEROED"  # 1 if zeroed memory is an initialised object, as on Linux, else 0
KEYS = "__CSEQ_KEYS"
FREED = "__CSEQ_FREED"

ATOMIC_PREFIX = "__VERIFIER_atomic_"
"""A user function whose name begins like this is executed as one step (SV-COMP's rule)."""

JUMPS = frozenset({
    "setjmp", "sigsetjmp", "longjmp", "siglongjmp", "builtin_setjmp", "builtin_longjmp",
    "getcontext", "setcontext", "swapcontext", "makecontext",
})  # fmt: skip
"""Jumps between functions, which are refused. Some headers put underscores before these names."""

REFUSED = {
    **dict.fromkeys(("fork", "vfork", "wait", "waitpid"), "processes"),
    **dict.fromkeys(("sigwait", "sigsuspend", "alarm"), "signals"),
}
"""System functions that are not supported → what they are about. Functions of threads are primitives."""

FAILS = {
    **dict.fromkeys(("reach_error", "__VERIFIER_error"), Reason.CALLED),
    **dict.fromkeys(
        ("__assert_fail", "__assert", "__assert_perror_fail", "__assert_rtn", "__assert_func"), Reason.FAILS
    ),
    "__builtin_unreachable": Reason.UNREACHABLE,
    "__builtin_trap": Reason.SIGNAL,
}
"""Calls that violate unreach-call, whether the user defines them or not, and end an execution for other properties.

The signal of a trap is SIGILL, as on x86.
"""

MODELLED = frozenset({
    "malloc", "calloc", "free", "memset", "memcpy", "memmove", "__CSEQ_allocate",
})  # fmt: skip
"""C library functions that every engine models itself, and ours for memory that is never freed; one step each."""

VARIADIC_MEMBERS = "__cs_va_"  # how the names of members begin that only a caller and its callees can access
ALLOCATE = "__CSEQ_allocate"
LENGTH = "__cs_length"
"""How the names of variables begin that have the length of an array whose length is not constant."""

BESIDE = "beside"
"""The kind of the temporaries that hold the neighbours of a bit-field; the tracer recognises them by it."""

BYTE = "__cs_tmp_byte_"
CARRIED, INDICES = f"{BYTE}k_of_", {f"{BYTE}{name}_of_": name for name in ("at", "end")}
"""How variables of loops over bytes begin: all; bytes that are only copied; indices, with what the tracer shows."""

SIZED = "__cs_sized"
"""Part of the names of objects with elements of a flexible array member; the tags of their types begin with it."""

WEAK = "weak"
"""The kind of the temporaries that say whether a weak compare-exchange fails without a reason; likewise."""

WHOLE = frozenset({HAVOC, FRESH, UNDEFINE, "__CSEQ_zero"})
"""Functions that give a whole object a value: the arguments are the object and its size."""

LOCAL = frozenset({"malloc", "calloc", "__CSEQ_zeroed", "__CSEQ_allocate", UNDEFINE, CHOOSE, SAMPLED})
"""Functions that touch no memory that another thread can know: it is new, or there is none."""


@cache
def known_names() -> frozenset[str]:
    """The names of the functions that stages know by their names, whatever declares them."""
    groups = (
        MODELLED, REFUSED, JUMPS, FAILS, ASSERTIONS, ASSUMPTIONS, SECTIONS, primitives.PRIMITIVES,
        clibrary.ANY_VALUE, clibrary.CONSTANT, clibrary.WRITES, clibrary.FRESH, clibrary.STOPS, clibrary.FORMATTED,
        clibrary.RETURNS_NEW, clibrary.SORTS, clibrary.SHOWS, clibrary.PRINTS, clibrary.SCANNED, clibrary.WAITING,
        (clibrary.THREAD, clibrary.ALLOCATES_TEXT),
    )  # fmt: skip
    return frozenset(stubs.items()).union(*groups)


@cache
def is_step(function: str) -> bool:
    """Whether a call of *function* is one step of its thread: a library function that consists of no further steps."""
    if function in stubs.items():
        return not stubs.has_steps(function)
    return function in MODELLED
