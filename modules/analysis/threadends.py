"""How a thread ends: what pthread_exit and the end of a start function lead to.

Everything that a thread calls is inlined into its start function, so all its ends can be jumps to one place, where
the destructors of thread-specific data are called.
"""

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.modules.analysis.places import calls
from cseq.modules.library import clibrary, lexicon, stubs
from cseq.modules.library.primitives import DESTRUCTORS

HOOK = "__cs_thread_end"
"""The library function that a thread calls before it ends."""

_KEY = "__cs_key"  # its variable for the current key

VALUE = "__cs_exit_value"
LABEL = "__cs_end_of_thread"


def fits_a_pointer(symbols: Symbols, type_: c_ast.Node) -> bool:
    """Whether values of *type_* can be converted to a pointer and back."""
    kind = symbols.arithmetic(type_)
    if kind is None:
        return symbols.is_pointer(type_)
    return kind not in ("float", "double", "long double", "void")


def result(symbols: Symbols, value: c_ast.Node | None) -> c_ast.Node:
    """What a join gets from a thread whose start function returns *value*; an arbitrary value if it returns none."""
    if value is None or not fits_a_pointer(symbols, symbols.value_type(value)):
        return build.call(lexicon.NONDET + "pointer")
    return c_ast.Cast(build.typename(pointer_to(basic("void"))), value)


def hooks(symbols: Symbols, tree: c_ast.FileAST) -> tuple[str, ...]:
    """What each thread calls at its end: destructors, if there are any, and what ends the process after all threads.

    The latter matters where main may leave before other threads, and functions are registered for that end.
    """
    bodies = (node.body for node in tree.ext if isinstance(node, c_ast.FuncDef) and not lexicon.is_ours(node.coord))
    found = [call for body in bodies for call in calls(body)]
    destroys = HOOK in symbols.functions and any(
        symbols.constant_or_none(build.uncast(call.args.exprs[DESTRUCTORS[call.name.name]])) != 0
        for call in found
        if build.is_call(call, *DESTRUCTORS)
    )
    leaves = any(build.is_call(call, lexicon.EXIT, lexicon.THRD_EXIT, stubs.CANCEL) for call in found)
    has_end = leaves and clibrary.END_OF_PROCESS in symbols.functions
    return (HOOK,) * destroys + (clibrary.END_OF_PROCESS,) * has_end


def is_destruction(cond: c_ast.Node) -> bool:
    """Whether *cond* is the condition of the loop over a thread's values with destructors."""
    return isinstance(cond, c_ast.BinaryOp) and isinstance(cond.left, c_ast.ID) and cond.left.name == _KEY
