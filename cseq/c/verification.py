"""The functions by which programs communicate with verifiers, under the names of several verifiers."""

ASSUME = "__CSEQ_assume"
ATOMIC_BEGIN = "__VERIFIER_atomic_begin"
ATOMIC_END = "__VERIFIER_atomic_end"
NONDET = "__CSEQ_nondet_"

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

ASSUMPTIONS = frozenset({ASSUME, "__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume"})
"""Calls that discard the executions in which their argument is 0."""

ASSERTIONS = frozenset({"__CSEQ_check", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert", "assert"})
"""Calls that claim that their first argument is not 0. `assert` is one only where <assert.h> is not included."""

SECTIONS = {
    "__CPROVER_atomic_begin": ATOMIC_BEGIN, "__CPROVER_atomic_end": ATOMIC_END,
    "__ESBMC_atomic_begin": ATOMIC_BEGIN, "__ESBMC_atomic_end": ATOMIC_END,
}  # fmt: skip
"""Other names of the functions that begin and end an atomic section."""

ANY_VALUE = ("nondet_", "__CPROVER_nondet_", "__ESBMC_nondet_")
"""The prefixes of the names of functions that return any value of their declared return type."""


def nondet_kind(function: str) -> str | None:
    """The kind of ``__VERIFIER_nondet_X``, as a key of NONDET_TYPES; None for other functions.

    Raises KeyError for an unknown kind.
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
