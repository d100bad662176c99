"""The signatures of GNU's built-in functions for atomic accesses."""

from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.c.types import Types
from cseq.model.errors import InputError


class AtomicBuiltin(NamedTuple):
    """The effect and the signature of a built-in.

    action:  ``load``, ``store``, ``initialise``, ``exchange``, ``compare``, ``swap``, ``update``, ``test_and_set``,
             ``clear``, ``release``, ``fence`` or ``lock_free``.
    value:   what it returns: ``object`` (the type that the first argument points to), ``bool`` or ``void``.
    arity:   the number of its arguments; the old built-ins accept more, which mean nothing.
    orders:  the positions of the arguments that are memory orders.
    op:      the operator of an update: ``+``, ``-``, ``&``, ``|``, ``^``, ``~&``, or the comparison that has to hold of
             the old value and the operand so that the old value stays: ``>`` or ``<``.
    unsigned: such a comparison is one of unsigned values.
    new:     an update returns the new value, not the old one.
    indirect: values are passed and returned through pointers.
    scaled:  an addition to a pointer counts elements, not bytes.
    """

    action: str
    value: str
    arity: int
    orders: tuple[int, ...] = ()
    op: str = ""
    new: bool = False
    indirect: bool = False
    scaled: bool = False
    unsigned: bool = False


_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "nand": "~&"}
_EXTREMES = {"max": ">", "min": "<"}

ATOMIC_BUILTINS = {
    "__atomic_load_n": AtomicBuiltin("load", "object", 2, (1,)),
    "__atomic_load": AtomicBuiltin("load", "void", 3, (2,), indirect=True),
    "__atomic_store_n": AtomicBuiltin("store", "void", 3, (2,)),
    "__atomic_store": AtomicBuiltin("store", "void", 3, (2,), indirect=True),
    "__atomic_exchange_n": AtomicBuiltin("exchange", "object", 3, (2,)),
    "__atomic_exchange": AtomicBuiltin("exchange", "void", 4, (3,), indirect=True),
    "__atomic_compare_exchange_n": AtomicBuiltin("compare", "bool", 6, (4, 5)),
    "__atomic_compare_exchange": AtomicBuiltin("compare", "bool", 6, (4, 5), indirect=True),
    "__atomic_test_and_set": AtomicBuiltin("test_and_set", "bool", 2, (1,)),
    "__atomic_clear": AtomicBuiltin("clear", "void", 2, (1,)),
    "__atomic_thread_fence": AtomicBuiltin("fence", "void", 1, (0,)),
    "__atomic_signal_fence": AtomicBuiltin("fence", "void", 1, (0,)),
    "__atomic_always_lock_free": AtomicBuiltin("lock_free", "bool", 2),
    "__atomic_is_lock_free": AtomicBuiltin("lock_free", "bool", 2),
    "__sync_bool_compare_and_swap": AtomicBuiltin("swap", "bool", 3),
    "__sync_val_compare_and_swap": AtomicBuiltin("swap", "object", 3),
    "__sync_lock_test_and_set": AtomicBuiltin("exchange", "object", 2),
    "__sync_lock_release": AtomicBuiltin("release", "void", 1),
    "__sync_synchronize": AtomicBuiltin("fence", "void", 0),
    # Additions of our own <stdatomic.h>: initialising is not an atomic access; C11 counts elements, GNU counts bytes.
    "__CSEQ_atomic_fetch_add": AtomicBuiltin("update", "object", 3, (2,), "+", scaled=True),
    "__CSEQ_atomic_init": AtomicBuiltin("initialise", "void", 2),
    "__CSEQ_atomic_fetch_sub": AtomicBuiltin("update", "object", 3, (2,), "-", scaled=True),
    **{f"__atomic_fetch_{n}": AtomicBuiltin("update", "object", 3, (2,), op) for n, op in _OPERATORS.items()},
    **{f"__atomic_{n}_fetch": AtomicBuiltin("update", "object", 3, (2,), op, True) for n, op in _OPERATORS.items()},
    **{f"__sync_fetch_and_{n}": AtomicBuiltin("update", "object", 2, (), op) for n, op in _OPERATORS.items()},
    **{f"__sync_{n}_and_fetch": AtomicBuiltin("update", "object", 2, (), op, True) for n, op in _OPERATORS.items()},
    # Those of Clang
    **{f"__atomic_fetch_{n}": AtomicBuiltin("update", "object", 3, (2,), op) for n, op in _EXTREMES.items()},
    **{f"__atomic_{n}_fetch": AtomicBuiltin("update", "object", 3, (2,), op, True) for n, op in _EXTREMES.items()},
    **{f"__sync_fetch_and_{n}": AtomicBuiltin("update", "object", 2, (), op) for n, op in _EXTREMES.items()},
    **{
        f"__sync_fetch_and_u{n}": AtomicBuiltin("update", "object", 2, (), op, unsigned=True)
        for n, op in _EXTREMES.items()
    },
    "__sync_swap": AtomicBuiltin("exchange", "object", 2),
    "__c11_atomic_init": AtomicBuiltin("initialise", "void", 2),
    "__c11_atomic_load": AtomicBuiltin("load", "object", 2, (1,)),
    "__c11_atomic_store": AtomicBuiltin("store", "void", 3, (2,)),
    "__c11_atomic_exchange": AtomicBuiltin("exchange", "object", 3, (2,)),
    # Without the argument that says whether it is weak: its name does.
    "__c11_atomic_compare_exchange_strong": AtomicBuiltin("compare", "bool", 5, (3, 4)),
    "__c11_atomic_compare_exchange_weak": AtomicBuiltin("compare", "bool", 5, (3, 4)),
    "__c11_atomic_is_lock_free": AtomicBuiltin("lock_free", "bool", 1),
    "__c11_atomic_thread_fence": AtomicBuiltin("fence", "void", 1, (0,)),
    "__c11_atomic_signal_fence": AtomicBuiltin("fence", "void", 1, (0,)),
    **{
        f"__c11_atomic_fetch_{n}": AtomicBuiltin("update", "object", 3, (2,), op, scaled=True)
        for n, op in (_OPERATORS | _EXTREMES).items()
    },
}


def atomic_builtin(name: str) -> AtomicBuiltin | None:
    """The built-in called *name*; None for other functions."""
    return ATOMIC_BUILTINS.get(name) if name.startswith("__") else None


def type_of_call(symbols: Types, call: c_ast.FuncCall) -> c_ast.Node | None:
    """The type of a call of such a built-in, or of ``va_arg``; None for calls of other functions."""
    if isinstance(call.name, c_ast.ID) and call.name.name == "__builtin_va_arg":
        type_: c_ast.Node = call.args.exprs[1].type
        return type_
    if not isinstance(call.name, c_ast.ID) or (builtin := atomic_builtin(call.name.name)) is None:
        return None
    if builtin.value != "object":
        return _BOOL if builtin.value == "bool" else _VOID
    arguments: list[Any] = call.args.exprs if call.args else []
    if not arguments:
        raise InputError(f"`{call.name.name}` takes {builtin.arity} arguments", call.coord)
    return symbols.element(symbols.type_of(arguments[0]), call.coord)


_BOOL = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["_Bool"]))
_VOID = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["void"]))
