"""What the stages know of functions that the user calls but does not define.

Three kinds: the thread library (C, in ``pthread_stubs/``), the verification functions of SV-COMP and
assert.h, and a small part of the C library, which the engines model or which has no effect that counts.
"""

from __future__ import annotations

from functools import cache

from cseq.base.claims import Reason
from cseq.base.linemap import Origin
from cseq.modules.library import stubs
from cseq.modules.library.stubs import (
    CREATE,
    EXIT,
    STEP_PREFIX,
    THRD_CREATE,
    THRD_EXIT,
    is_contained,
    is_library,
    keeps_a_set_of_threads,
)

__all__ = [
    "CREATE",
    "EXIT",
    "STEP_PREFIX",
    "THRD_CREATE",
    "THRD_EXIT",
    "is_contained",
    "is_library",
    "keeps_a_set_of_threads",
]

ASSERT = "__CSEQ_assert"
ASSUME = "__CSEQ_assume"
STOP = "__CSEQ_stop"
COARSE = "__CSEQ_coarse"
ACCESS = "__CSEQ_access"
FAIL = "__CSEQ_fail"
STANDS = "__CSEQ_stands"
STANDING = "__cs_standing"
INSIDE = 2  # the value of that where the thread that is asked stands inside of an atomic section
STANDS_AT = "__cs_stands_"
AHEAD = "__CSEQ_ahead"
CHAINED = "__cs_chained"
SHOW = "__CSEQ_show"  # a traced program tells a value, which may be an address
NONDET = "__CSEQ_nondet_"
HAVOC = "__CSEQ_havoc"
UNDEFINE = "__CSEQ_undefine"  # an object to which nothing was written yet, where that is tracked
FRESH = "__CSEQ_fresh"  # the contents of a block that nothing was written to yet
BEGINS = "__CSEQ_begins"
ENDS = "__CSEQ_ends"
PROCESS_ENDS = "__CSEQ_process_ends"
DEMAND = "__CSEQ_demand"
ATOMIC_BEGIN = "__VERIFIER_atomic_begin"
ATOMIC_END = "__VERIFIER_atomic_end"
MISUSE_STUB = "__CSEQ_fail_unless"
THREAD = "__CSEQ_thread"
THREADS = "__CSEQ_THREADS"
SPURIOUS = "__CSEQ_SPURIOUS"
KEYS = "__CSEQ_KEYS"

ATOMIC_PREFIX = "__VERIFIER_atomic_"
"""A function of the user's whose name begins so is executed as one step (SV-COMP's rule)."""

FILE_PREFIX = "<cseq>/"
"""What the names of the library's files begin with in origins: nothing of the user's does."""

NONDET_TYPES = {
    "bool": "_Bool", "char": "char", "schar": "signed char", "uchar": "unsigned char", "short": "short",
    "ushort": "unsigned short", "int": "int", "uint": "unsigned int", "long": "long", "ulong": "unsigned long",
    "longlong": "long long", "ulonglong": "unsigned long long", "float": "float", "double": "double",
    "pointer": "void *", "int128": "__int128", "uint128": "unsigned __int128",
}  # fmt: skip
"""The primitives ``__CSEQ_nondet_X`` and the types that they return."""

_NONDET_ALIASES = {
    "unsigned": "uint", "unsigned_int": "uint", "unsigned_char": "uchar", "U8": "uchar", "u8": "uchar",
    "U16": "ushort", "u16": "ushort", "U32": "uint", "u32": "uint", "U64": "ulonglong", "u64": "ulonglong",
    "S8": "schar", "s8": "schar", "S16": "short", "s16": "short", "S32": "int", "s32": "int", "S64": "longlong",
    "s64": "longlong", "size_t": "ulong", "loff_t": "longlong", "sector_t": "ulong", "charp": "pointer",
    "pchar": "pointer", "_Bool": "bool", "unsigned_short": "ushort", "unsigned_long": "ulong",
}  # fmt: skip

JUMPS = frozenset({
    "setjmp", "sigsetjmp", "longjmp", "siglongjmp", "builtin_setjmp", "builtin_longjmp",
    "getcontext", "setcontext", "swapcontext", "makecontext",
})  # fmt: skip
"""Jumps between functions, which are refused. With underscores in front in some headers."""

REFUSED = {
    **dict.fromkeys(("fork", "vfork", "wait", "waitpid"), "processes"),
    **dict.fromkeys(("sigaction", "raise", "kill", "sigwait", "sigsuspend", "alarm"), "signals"),
}
"""Functions of the system that are not supported, and what they are about. Those of threads are primitives."""

ASSUMPTIONS = frozenset({ASSUME, "__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume"})
"""Calls that drop the executions in which their argument is 0."""

ASSERTIONS = frozenset({"__CSEQ_check", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert", "assert"})
"""Calls that claim that their first argument is not 0. `assert` is none but where <assert.h> is not included."""

SECTIONS = {
    "__CPROVER_atomic_begin": ATOMIC_BEGIN, "__CPROVER_atomic_end": ATOMIC_END,
    "__ESBMC_atomic_begin": ATOMIC_BEGIN, "__ESBMC_atomic_end": ATOMIC_END,
}  # fmt: skip
"""Other names of the marks of an atomic section."""

ANY_VALUE = ("nondet_", "__CPROVER_nondet_", "__ESBMC_nondet_")
"""What the names begin with of functions that return any value of the type that they are declared with."""

FAILS = {
    **dict.fromkeys(("reach_error", "__VERIFIER_error"), Reason.CALLED),
    **dict.fromkeys(
        ("__assert_fail", "__assert", "__assert_perror_fail", "__assert_rtn", "__assert_func"), Reason.FAILS
    ),
    "__builtin_unreachable": Reason.UNREACHABLE,
}
"""Calls that violate unreach-call, whether the user defines them or not, and end an execution for other properties."""

MODELLED = frozenset({
    "malloc", "calloc", "free", "memset", "memcpy", "memmove", "__CSEQ_allocate",
})  # fmt: skip
"""Functions of the C library that every engine models itself, and our own for memory that nobody frees; one step."""

ALLOCATE = "__CSEQ_allocate"

WHOLE = frozenset({HAVOC, FRESH, UNDEFINE, "__CSEQ_zero"})
"""What gives a whole object a value: the object, its size."""

LOCAL = frozenset({"malloc", "calloc", "__CSEQ_zeroed", "__CSEQ_allocate", UNDEFINE})
"""Those of them that touch no memory that another thread can know: it is new."""


def nondet_kind(function: str) -> str | None:
    """The kind of ``__VERIFIER_nondet_X``, as a key of NONDET_TYPES; None for other functions.

    Raises KeyError for a kind that there is not.
    """
    if function.startswith(NONDET):
        kind = function.removeprefix(NONDET)
    elif function.startswith("__VERIFIER_nondet_"):
        kind = function.removeprefix("__VERIFIER_nondet_")
    else:
        return None
    kind = _NONDET_ALIASES.get(kind, kind)
    if kind not in NONDET_TYPES:
        raise KeyError(kind)
    return kind


def is_ours(origin: Origin | None) -> bool:
    """Whether a statement with this origin is our own code: generated, or of the thread library."""
    return origin is None or not origin.file or origin.file.startswith(FILE_PREFIX)


@cache
def is_step(function: str) -> bool:
    """Whether a call of *function* is one step of its thread: a library function that has no steps in it."""
    if function in stubs.items():
        return not stubs.has_steps(function)
    return function in MODELLED
