"""Give numbers to the memory orders that the user's files write."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from pycparser import c_ast

from cseq.c import build
from cseq.c.signatures import atomic_builtin
from cseq.c.symbols import Symbols
from cseq.modules.analysis.memory_orders import ORDERS
from cseq.modules.ir.instructions import Order
from cseq.modules.library import lexicon
from cseq.options.memory_models import BUFFERED, MEMORY_MODEL
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Translator, rebuilt

NUMBERED = Parameter("numbered_orders", bool, False, "number the memory orders in the program, to change them")
"""Set by the search for other memory orders."""

TRIED = Parameter("tried_orders", str, "", "the memory orders of the program, by their numbers: a digit for each")
"""Set by the search for other memory orders; empty for those in the text."""


class SiteKind(Enum):
    """What has the memory order. FAILURE: a compare-exchange that does not store."""

    LOAD = "load"
    STORE = "store"
    UPDATE = "update"
    FAILURE = "failure"
    FENCE = "fence"


_KINDS = {
    "load": SiteKind.LOAD, "store": SiteKind.STORE, "clear": SiteKind.STORE, "exchange": SiteKind.UPDATE,
    "update": SiteKind.UPDATE, "test_and_set": SiteKind.UPDATE, "compare": SiteKind.UPDATE, "fence": SiteKind.FENCE,
}  # fmt: skip
_NO_FENCES = ("__atomic_signal_fence", "__c11_atomic_signal_fence")


@dataclass(frozen=True)
class Site:
    """An argument of a call that is a memory order. number: dense, in the order of the calls in the tree.

    order: the one in the text. success: of FAILURE, the number of the order for success.
    """

    number: int
    kind: SiteKind
    order: Order
    success: int | None = None


SITES = Fact[list[Site]]("order_sites")
"""The memory orders of the user's calls, by number."""

ATOMIC_NAMES = Fact[frozenset[str]]("atomic_names")
"""The names of objects and members in the user's files whose types are atomic, wherever they are declared."""

ORDER_USES = Fact[dict[int, tuple[int, ...]]]("order_uses")
"""By number of an instruction of the program, the numbers of its memory orders: that for success comes first."""


def site_numbers(marks: Iterable[c_ast.FuncCall]) -> tuple[int, ...]:
    """The numbers of the memory orders in the *marks* of an instruction; empty if they have none."""
    for mark in marks:
        if build.is_call(mark, lexicon.ACCESS):
            found = [int(each.value) >> lexicon.ORDER_NUMBER for each in mark.args.exprs[1:]]
            return tuple(number - 1 for number in found) if all(found) else ()
    return ()


class OrderSites(Translator):
    """in: the merged program. out: the same, and each memory order of the user's has its number in its higher bits.

    With buffers of stores, only the orders of fences have numbers: what accesses are on the hardware is part of them.
    """

    takes = (NUMBERED, MEMORY_MODEL)
    sites = Gives(SITES)
    atomic_names = Gives(ATOMIC_NAMES)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Leave the facts `order_sites` and `atomic_names`."""
        self._symbols = Symbols(tree, self.context.model)
        self.atomic_names = self._atomic(node for node in tree.ext if not lexicon.is_ours(node.coord))
        self._found: list[Site] = []
        nodes = [node if lexicon.is_ours(node.coord) else self.visit(node) for node in tree.ext]
        self.sites = self._found
        return c_ast.FileAST(nodes)

    def _atomic(self, nodes: Iterable[c_ast.Node]) -> frozenset[str]:
        names: dict[bool, set[str]] = {True: set(), False: set()}
        for node in nodes:
            for declared in build.inside(node, c_ast.Decl):
                type_ = declared.type
                while isinstance(type_, c_ast.ArrayDecl):
                    type_ = type_.type
                if declared.name:
                    names[self._symbols.is_atomic(type_)].add(declared.name)
        return frozenset(names[True] - names[False])

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        """Number the orders of an atomic access or a fence, if they are constants."""
        call: c_ast.FuncCall = self.generic_visit(node)
        name = build.callee(call)
        builtin = atomic_builtin(name)
        if builtin is None or builtin.action not in _KINDS or name in _NO_FENCES or call.args is None:
            return call
        arguments = list(call.args.exprs)
        values = [self._symbols.constant_or_none(arguments[position]) for position in builtin.orders]
        if any(value is None or value not in range(len(ORDERS)) for value in values):
            return call
        if builtin.action != "fence" and self.parameter(MEMORY_MODEL) in BUFFERED:
            return call
        first = len(self._found)
        for position, value in zip(builtin.orders, values, strict=True):
            assert value is not None
            number = len(self._found)
            kind, success = (_KINDS[builtin.action], None) if number == first else (SiteKind.FAILURE, first)
            self._found.append(Site(number, kind, Order(value + 1), success))
            arguments[position] = build.number(value | number + 1 << lexicon.ORDER_NUMBER)
        return rebuilt(call, args=rebuilt(call.args, exprs=arguments))
