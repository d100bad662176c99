"""The demands of memory accesses where a pointer is an address, and nothing tells which object it was made for.

The explorer finds the object by the address. So an access is judged by the pointer that arithmetic starts from, and
arithmetic whose result is kept is followed: where it arrives at another object, the execution is cut off.
"""

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.claims import Claim, Kind
from cseq.modules.core.undefined_behaviour.accesses import VALID, VALID_INSIDE, Accesses
from cseq.modules.core.undefined_behaviour.evaluation import Demand
from cseq.pipeline.translator import Rewriter, rebuilt

ARRIVES = "__CSEQ_arrives"
"""Looks where arithmetic leads. Declared in `backends/explorer/program/checked.h`."""

NOTE = Claim(Kind.MEMSAFETY)
"""The claim of a demand that is no claim: its condition only has to be evaluated."""


class Provenance(Accesses):
    """Accesses, and the arithmetic that makes pointers."""

    def value(self, node: c_ast.Node | None) -> Iterator[Demand]:
        """The demands of evaluating *node*."""
        yield from super().value(node)
        match node:
            case c_ast.UnaryOp(op="&"):
                yield from self._moved(root(self.symbols, node.expr), node)
            case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*") if self._decays(node):
                yield from self._moved(root(self.symbols, node), node)
            case c_ast.Cast() if self._is_pointer(node) and not self._is_pointer(self._converted(node)):
                if self.symbols.constant_or_none(node.expr) is None:
                    yield from self._moved(build.number(0), node)
            case c_ast.Cast() if self._puns(node):
                yield from self._moved(build.number(0), node)
            case c_ast.StructRef() if self._is_pointer(node) and self._is_shared(node):
                yield from self._moved(build.number(0), node)

    def operation(self, node: c_ast.Node) -> Iterator[Demand]:
        """The demands of functions, and of pointer arithmetic."""
        yield from super().operation(node)
        if isinstance(node, c_ast.BinaryOp) and node.op in ("+", "-") and self._is_pointer(node):
            yield from self._moved(base(self.symbols, node), node)

    def _moved(self, pointer: c_ast.Node | None, node: c_ast.Node) -> Iterator[Demand]:
        if pointer is not None:
            yield Demand(NOTE, node, build.call(ARRIVES, pointer, node))

    def _converted(self, node: c_ast.Cast) -> Any:
        """What a cast to a pointer converts: without a number between two pointers that loses nothing."""
        source: Any = node.expr
        kind = self.symbols.arithmetic(source.to_type) if isinstance(source, c_ast.Cast) else None
        if kind in (None, "void") or self.symbols.model.size(kind) < self.symbols.model.pointer:
            return source
        return source.expr if self._is_pointer(source.expr) else source

    def _puns(self, node: c_ast.Cast) -> bool:
        """Whether a cast gives access to the bytes of a pointer as those of a number."""
        pointers = [self.symbols.value_type(each) for each in (node.expr, node)]
        if not all(self.symbols.is_pointer(each) for each in pointers):
            return False
        kept, seen = (self.symbols.element(each) for each in pointers)
        kind = self.symbols.arithmetic(seen)
        return self.symbols.is_pointer(kept) and kind is not None and not kind.endswith("char")

    def _is_shared(self, node: c_ast.StructRef) -> bool:
        """Whether a pointer is a member of a union in which a number may have the same bytes."""
        type_ = self.symbols.type_of(node.name)
        record: Any = self.symbols.record(self.symbols.element(type_) if node.type == "->" else type_)
        if not isinstance(record, c_ast.Union):
            return False
        return any(not self.symbols.is_pointer(part) for _, part, _ in self.symbols.parts(record))

    def _is_pointer(self, node: c_ast.Node) -> bool:
        return self.symbols.is_pointer(self.symbols.value_type(node))


class BasePointers(Rewriter):
    """Hands the pointers that arithmetic starts from to the primitives that judge accesses."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__()
        self._symbols = symbols

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        if node.name.name not in (VALID, VALID_INSIDE):
            return node
        pointer, *rest = node.args.exprs
        return rebuilt(node, args=c_ast.ExprList([base(self._symbols, pointer), *rest]))


def base(symbols: Symbols, pointer: Any) -> c_ast.Node:
    """The pointer, or array, that the arithmetic in *pointer* starts from."""
    match pointer:
        case c_ast.Cast() if symbols.is_pointer(symbols.value_type(pointer.expr)):
            return base(symbols, pointer.expr)
        case c_ast.BinaryOp(op="+" | "-"):
            for side in (pointer.left, pointer.right):
                if symbols.is_pointer(symbols.value_type(side)):
                    return base(symbols, side)
        case c_ast.UnaryOp(op="&"):
            found = root(symbols, pointer.expr)
            return pointer if found is None else found
        case c_ast.ArrayRef() | c_ast.StructRef() if symbols.is_array(symbols.type_of(pointer)):
            found = root(symbols, pointer)
            return pointer if found is None else found
    return pointer  # type: ignore[no-any-return]


def root(symbols: Symbols, place: Any) -> c_ast.Node | None:
    """The pointer that leads to the object that *place* is a part of; None if it is all of an object, or a member."""
    indexed = False
    while True:
        match place:
            case c_ast.ArrayRef() if symbols.is_array(symbols.type_of(place.name)):
                indexed, place = True, place.name
            case c_ast.ArrayRef():
                return base(symbols, place.name)
            case c_ast.StructRef(type="->"):
                return base(symbols, place.name)
            case c_ast.StructRef():
                place = place.name
            case c_ast.UnaryOp(op="*"):
                return base(symbols, place.expr)
            case c_ast.ID():
                return c_ast.UnaryOp("&", place) if indexed else None
            case _:
                return None
