"""Inputs in library functions that remain calls, as choices among few values."""

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic
from cseq.modules.analysis.inputs import is_undefined
from cseq.modules.analysis.liveness import whole_object
from cseq.modules.library import lexicon
from cseq.pipeline.translator import Rewriter, rebuilt, user_name

SPREAD = "__CSEQ_spread"
"""``SPREAD(n, mask)``: the bits of n, moved to the positions of the bits that are set in the mask."""
ONE_OF, MEMBER = "__CSEQ_one_of", "__CSEQ_member"
"""``ONE_OF(set)``: any one bit of the set; ``MEMBER(set)``: the number of one."""
SAMPLE, SAMPLE_BYTE = "__CSEQ_sample", "__CSEQ_sample_byte"
"""One of the numbers in a table, and the next byte of one of the texts in a table (`Samples.library`)."""
CHOICES = {
    lexicon.CHOOSE: "unsigned long long", lexicon.SAMPLED: "unsigned long long", MEMBER: "unsigned int",
    ONE_OF: "unsigned long long", SPREAD: "unsigned long long", SAMPLE: "long long",
}  # fmt: skip
"""Functions that choose → the types of their results; see `backends/explorer/program/program.h`."""

_DIGIT = "__cs_put_number"
_BYTE = 256
_SMALL = {"bool": 2, "char": _BYTE, "schar": _BYTE, "uchar": _BYTE}
_MOST_BITS = 8


def declare_choices(symbols: Symbols) -> None:
    """Add the functions that choose to *symbols*: the program has calls of them, but no declarations."""
    for name, type_ in CHOICES.items():
        if name not in symbols.types:
            symbols.declare(build.declare(name, c_ast.FuncDecl(None, basic(type_))))


class LibraryInputs(Rewriter):
    """Rewrites library functions. is_open: whether the last one has an input with too many values: some are tried.

    sampled: the functions that have such an input. Of theirs, bytes are sampled as well.
    """

    def __init__(self, sampled: Collection[str] = ()) -> None:
        super().__init__()
        self.is_open = False
        self._sampled = sampled
        self._function = ""
        self._locals: dict[str | None, str] = {}

    def visit_FuncDef(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        self.is_open = False
        self._function = node.decl.name
        self._locals = {user_name(name): name for name in _declared(node)}
        result: c_ast.FuncDef = self.generic_visit(node)
        return result

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        items = list(node.block_items or [])
        for position, (item, next_item) in enumerate(pairwise(list(items))):
            items[position] = self._chosen(item, next_item)
        result: c_ast.Compound = self.generic_visit(rebuilt(node, block_items=items))
        return result

    def _chosen(self, item: Any, next_item: Any) -> Any:
        """*item*, with a choice for its input, if any: an assumption in *next_item* gives the values that matter."""
        value = item.init if isinstance(item, c_ast.Decl) else getattr(item, "rvalue", None)
        if not _is_input(value) or not build.is_call(next_item, lexicon.ASSUME):
            return item
        name = item.name if isinstance(item, c_ast.Decl) else item.lvalue.name
        choice = next((c for part in _conjuncts(next_item.args.exprs[0]) if (c := _choice(part, name))), None)
        if self._function == _DIGIT:  # which has no other input
            value, power, base = (build.ident(self._locals[word]) for word in ("value", "power", "base"))
            choice = c_ast.BinaryOp("%", c_ast.BinaryOp("/", value, power), base)
        if choice is None:
            return item
        return rebuilt(item, init=choice) if isinstance(item, c_ast.Decl) else rebuilt(item, rvalue=choice)

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> c_ast.Node:
        if node.op == "&" and _is_input(node.left) and isinstance(node.right, c_ast.Constant):
            mask = int(node.right.value, 0)
            if 0 < mask.bit_count() <= _MOST_BITS:
                chosen = build.call(lexicon.CHOOSE, build.number(1 << mask.bit_count()))
                return chosen if mask & (mask + 1) == 0 else build.call(SPREAD, chosen, build.number(mask))
        if node.op == ">>" and _is_input(node.left):  # without the sign
            self.is_open = True
            return c_ast.BinaryOp("&", build.call(SAMPLE), build.number((1 << 63) - 1))
        result: c_ast.Node = self.generic_visit(node)
        return result

    def visit_Assignment(self, node: c_ast.Assignment) -> c_ast.Node:
        if is_undefined(node):
            return rebuilt(node, rvalue=build.number(0))  # a local that the library writes before it reads it
        result: c_ast.Node = self.generic_visit(node)
        return result

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        if node.name.name == lexicon.HAVOC:
            if whole_object(node) is not None:
                return build.call("__CSEQ_zero", *node.args.exprs, origin=node.coord)
            self.is_open = True
        if not _is_input(node):
            result: c_ast.Node = self.generic_visit(node)
            return result
        count = _SMALL.get(node.name.name.removeprefix(lexicon.NONDET))
        if count is None:
            self.is_open = True
            return build.call(SAMPLE, origin=node.coord)
        if count == _BYTE and self._function in self._sampled:
            return build.call(SAMPLE_BYTE, origin=node.coord)
        return build.call(lexicon.CHOOSE, build.number(count), origin=node.coord)


def _declared(function: Any) -> list[str]:
    """The names of the parameters and locals of a library function."""
    decls = [*(function.decl.type.args.params if function.decl.type.args else []), *(function.body.block_items or [])]
    return [decl.name for decl in decls if isinstance(decl, c_ast.Decl) and decl.name]


def _is_input(node: Any) -> bool:
    return isinstance(node, c_ast.FuncCall) and node.name.name.startswith(lexicon.NONDET)


def _conjuncts(node: Any) -> Iterator[c_ast.Node]:
    if isinstance(node, c_ast.BinaryOp) and node.op == "&&":
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node


def _choice(node: Any, name: str) -> c_ast.Node | None:
    """The choice left by ``(name & set) != 0`` or ``set >> name & 1``. For the first, *name* is one bit."""
    match node:
        case c_ast.BinaryOp(op="!=", left=c_ast.BinaryOp(op="&", left=c_ast.ID(name=given), right=members)):
            return build.call(ONE_OF, members) if given == name else None
        case c_ast.BinaryOp(op="&", left=c_ast.BinaryOp(op=">>", left=members, right=c_ast.ID(name=given))):
            return build.call(MEMBER, members) if given == name else None
    return None
