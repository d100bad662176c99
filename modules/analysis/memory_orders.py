"""The memory orders that a program asks for."""

from collections.abc import Iterable

from pycparser import c_ast

from cseq.c import build
from cseq.c.datamodel import DataModel
from cseq.c.signatures import atomic_builtin
from cseq.c.symbols import Symbols
from cseq.modules.library import lexicon

ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
"""Their names; the positions are their numbers in C."""

ORDER_BITS = 0xFFFF
"""Higher bits are hints for the hardware."""

_OF_NAMES = {"__sync_lock_test_and_set": "acquire", "__sync_lock_release": "release"}


def weaker(orders: Iterable[c_ast.Node], symbols: Symbols) -> str:
    """The name of the first of *orders* that is known to be weaker than seq_cst; empty if there is none."""
    values = (symbols.constant_or_none(order) for order in orders)
    known = (ORDERS[value & ORDER_BITS] for value in values if value is not None and value & ORDER_BITS < len(ORDERS))
    return next((name for name in known if name != ORDERS[-1]), "")


def of_name(name: str) -> str:
    """The memory order that the *name* of a built-in stands for; empty if its arguments give one, or it is seq_cst."""
    return next((order for prefix, order in _OF_NAMES.items() if name.startswith(prefix)), "")


def has_weaker(tree: c_ast.FileAST, model: DataModel) -> bool:
    """Whether an atomic access or a fence in the user's part of the merged program *tree* is weaker than seq_cst."""
    found = [
        (builtin, call)
        for node in tree.ext
        if not lexicon.is_ours(node.coord)
        for call in build.inside(node, c_ast.FuncCall)
        if (builtin := atomic_builtin(build.callee(call))) is not None and call.args is not None
    ]
    if not found:
        return False
    symbols = Symbols(tree, model)
    return any(
        of_name(build.callee(call))
        or any(weaker(call.args.exprs[place : place + 1], symbols) for place in builtin.orders)
        for builtin, call in found
    )
