"""Pointers of C in TLA+: conversions, comparisons and arithmetic."""

from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.terms import Guard, Level, Scope, Value, together
from cseq.modules.tla.encode.wrapping import compared, converted, extent, integer, negative

NULL = Value("Null")

_UNRELATED = '"refused.a comparison of pointers to different objects"'
_CROSSED = '"refused.pointer arithmetic across values of different types"'
_CAST = '"refused.a pointer to an object of another type"'


class Pointers:
    """Operations on the pointers to objects of the types that *symbols* knows."""

    def __init__(self, symbols: Symbols, cells: Cells) -> None:
        self._symbols = symbols
        self._cells = cells

    def converted(self, value: Value, source: c_ast.Node, target: c_ast.Node, scope: Scope) -> Value:
        """A pointer converted to another pointer type.

        A pointer to an object of several cells leads to cells that are laid out like it. Others are checked where
        they are used.
        """
        to, origin = self._symbols.element(target), self._symbols.element(source)
        if value.text == "Null" or self._is_opaque(to) or len(self._cells.kinds(to)) < 2:
            return value
        if not self._is_opaque(origin) and self._same_cells(origin, to):
            return value
        return value.guarded(self.looks_like(value, to, scope))

    def looks_like(self, pointer: Value, type_: c_ast.Node, scope: Scope) -> Guard:
        """That the cells that a pointer leads to, as far as they exist, are laid out like an object of *type_*."""
        return Guard(f"LooksLike({scope.memory}, {pointer.text}, {self._cells.layout(type_)})", _CAST, Level.ATOM)

    def _is_opaque(self, type_: c_ast.Node) -> bool:
        """Whether objects of *type_* have no cells that are known: void, a function, or an incomplete type."""
        resolved: Any = self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            return resolved.dim is None or self._is_opaque(resolved.type)
        record: Any = self._symbols.record(resolved)
        incomplete = record is not None and record.decls is None
        return incomplete or isinstance(resolved, c_ast.FuncDecl) or self._symbols.is_void(resolved)

    def _same_cells(self, one: c_ast.Node, other: c_ast.Node) -> bool:
        kinds = [[kind.removeprefix("U") for kind in self._cells.kinds(part)] for part in (one, other)]
        return kinds[0] == kinds[1]

    def difference(self, left: Value, right: Value, type_: c_ast.Node, node: c_ast.BinaryOp, scope: Scope) -> Value:
        """How many elements are between two pointers of *type_*."""
        element = self._symbols.element(type_)
        count = self._cells.count(element)
        least, greatest = -(1 << 31), (1 << 31) - 1
        distance = f"Distance({left.text}, {right.text})"
        related = Guard(f"SameArea({left.text}, {right.text})", _UNRELATED, Level.ATOM)
        guards = together([left.guards, right.guards, [related]])
        if not self._begins_array(node):
            moved = self.consists(right, Value(distance), element, scope)
            guards = together([guards, [moved]])
        if count == 1:
            return Value(distance, guards, Level.ATOM, least, greatest)
        return Value(f"{distance} \\div {count}", guards, Level.QUOTIENT, least, greatest)

    def shifted(self, pointer: Value, index: Value, type_: c_ast.Node, node: c_ast.BinaryOp, scope: Scope) -> Value:
        """A pointer of *type_* moved by a number of elements."""
        index = converted(index, "Int64")
        if node.op == "-":
            index = negative("Int64", index)
        guards = together([pointer.guards, index.guards])
        if index.constant == 0:
            return replace(pointer, guards=guards)
        element = self._symbols.element(type_)
        steps = self.steps(index, element)
        if not self._begins_array(node):
            guards = together([guards, [self.consists(pointer, steps, element, scope)]])
        return Value(f"Shift({pointer.text}, {steps.text})", guards)

    def consists(self, pointer: Value, steps: Value, element: c_ast.Node, scope: Scope) -> Guard:
        """That a pointer to *element* passes over nothing else when it is moved by a number of cells."""
        arguments = f"{scope.memory}, {pointer.text}, {steps.text}, {self._cells.layout(element)}"
        return Guard(f"Consists({arguments})", _CROSSED, Level.ATOM)

    def _begins_array(self, node: c_ast.BinaryOp) -> bool:
        """Whether the pointer operand of an addition is an array with a name, so that its cells are known."""
        return any(
            isinstance(part, c_ast.ID) and self._symbols.is_array(self._symbols.type_of(part))
            for part in (node.left, node.right)
        )

    def steps(self, index: Value, element: c_ast.Node) -> Value:
        """The number of cells of *index* elements."""
        count = self._cells.count(element)
        if count == 1:
            return index
        size = Value(self._cells.size(element)) if self._symbols.record(element) is not None else integer(count)
        if index.constant == 1:
            return size
        if index.constant == 0:
            return integer(0)
        return Value(f"{index.at(Level.PRODUCT)} * {size.text}", (), Level.PRODUCT)


def compared_pointers(op: str, left: Value, right: Value) -> Value:
    """A comparison of two pointers, by the sign that it has in C."""
    guards = together([left.guards, right.guards])
    if op in ("==", "!="):
        a, b = left.at(Level.COMPARISON), right.at(Level.COMPARISON)
        texts = f"{a} = {b}", f"{a} # {b}"
        return Value(texts[op == "!="], guards, Level.COMPARISON, opposite=texts[op == "=="])
    related = Guard(f"SameArea({left.text}, {right.text})", _UNRELATED, Level.ATOM)
    first, second = (Value(f"OffsetOf({one.text})", (), Level.ATOM, *extent("Int32")) for one in (left, right))
    return replace(compared(op, first, second), guards=together([guards, [related]]))
