"""Memory that is allocated, freed, filled and copied, in cells rather than bytes."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.errors import UnsupportedError
from cseq.modules.library.alignment import without_alignment
from cseq.modules.library.primitives import REUSING
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.rvalues import Expressions
from cseq.modules.tla.encode.terms import Guard, Level, Scope, Value, together
from cseq.modules.tla.encode.texts import quoted

MOST_ELEMENTS = 4096
"""The maximum number of elements in a block, if it is not known."""

_TOO_MANY = quoted(f"refused.a block whose size is no number of elements from 0 to {MOST_ELEMENTS}")
_NO_OBJECT = quoted("refused.memory that is filled or copied is not what it is taken for")

_ALLOCATING = {
    "malloc": (None, 0), "calloc": (0, 1), "__CSEQ_allocate": (None, 0), "__CSEQ_allocate_freeable": (None, 0),
}  # fmt: skip
"""Functions → the arguments that are the number of elements, if there is one, and their size."""

_POINTER, _NOTHING = pointer_to(basic("void")), basic("void")
_PRIMITIVES = {
    "__CSEQ_allocate": _POINTER, "__CSEQ_allocate_freeable": _POINTER, "__CSEQ_release": _NOTHING,
    "__CSEQ_fill": _NOTHING, "__CSEQ_zero": _NOTHING, "__CSEQ_copy": _NOTHING, "__CSEQ_move": _NOTHING,
}  # fmt: skip
"""Functions that the library calls without a declaration → their results."""


class Blocks:
    """Translates the calls of the C library's functions about memory."""

    def __init__(self, symbols: Symbols, expressions: Expressions, cells: Cells) -> None:
        self._symbols = symbols
        self._cells = cells
        self._expressions = expressions
        for name, type_ in _PRIMITIVES.items():
            if name not in symbols.types:
                symbols.declare(build.declare(name, c_ast.FuncDecl(None, type_)))

    def outcome(self, call: c_ast.FuncCall, scope: Scope, receiver: Any) -> Value | None:
        """The set of the memories that *call* leads to; None if it is no call of such a function.

        receiver: the type of the pointer that receives the result, if known.
        """
        name = call.name.name
        plain = name.removesuffix(REUSING)
        arguments = call.args.exprs if call.args else []
        if plain in _ALLOCATING:
            count, size = (None if at is None else arguments[at] for at in _ALLOCATING[plain])
            kinds = self._kinds(count, size, receiver, scope, call)
            operator = "AllocateReusing" if name.endswith(REUSING) else "Allocate"
            fill = "0" if plain == "calloc" else "Undef"
            return Value(f"{operator}({scope.thread}, {scope.memory}, {kinds.text}, {fill})", kinds.guards)
        if plain in ("free", "__CSEQ_release"):
            pointer = self._expressions.value(arguments[0], scope)
            operator = "FreeWaiting" if name.endswith(REUSING) else "Free"
            return Value(f"{operator}({scope.thread}, {scope.memory}, {pointer.text})", pointer.guards)
        if plain in ("memset", "__CSEQ_fill", "__CSEQ_zero"):
            to, size = arguments[0], arguments[-1]
            return self._filled(to, build.number(0) if plain == "__CSEQ_zero" else arguments[1], size, scope, call)
        if plain in ("memcpy", "memmove", "__CSEQ_copy", "__CSEQ_move"):
            return self._copied(arguments[0], arguments[1], arguments[2], scope, call)
        return None

    # Sizes

    def _kinds(self, count: Any, size: Any, receiver: Any, scope: Scope, call: c_ast.FuncCall) -> Value:
        """The sequence of the kinds of the cells of a block."""
        type_, number = self._elements(count, size, self._pointee(receiver), call)
        layout = self._cells.layout(type_, call.coord)
        length = self._symbols.constant_or_none(number)
        if length == 1:
            return Value(layout)
        if length is not None:
            return Value(f"Repeated({layout}, {length})")
        value = self._counted(number, scope)
        return Value(f"Repeated({layout}, {value.text})", value.guards)

    def _counted(self, number: Any, scope: Scope) -> Value:
        """A number of elements."""
        value = self._expressions.value(number, scope)
        if value.within(0, MOST_ELEMENTS):
            return value
        guard = Guard(f"IsBetween({value.text}, 0, {MOST_ELEMENTS})", _TOO_MANY, Level.ATOM)
        return Value(value.text, together([value.guards, [guard]]), value.level)

    def _elements(self, count: Any, size: Any, pointee: Any, call: c_ast.FuncCall) -> tuple[Any, Any]:
        """The type of the elements of memory of *count* times *size* bytes, and the expression for their number."""
        size = build.uncast(without_alignment(size))
        if isinstance(size, c_ast.UnaryOp) and size.op == "sizeof":
            return self._measured(size), count if count is not None else build.number(1)
        if isinstance(size, c_ast.BinaryOp) and size.op == "*" and count is None:
            left, right = build.uncast(size.left), build.uncast(size.right)
            for one, other in ((left, right), (right, left)):
                if isinstance(one, c_ast.UnaryOp) and one.op == "sizeof":
                    return self._measured(one), other
        if count is not None and self._symbols.constant_or_none(size) == 1:
            return self._elements(None, count, pointee, call)
        if pointee is None or self._symbols.is_void(pointee):
            pointee = basic("char")
        whole = self._symbols.constant_or_none(size)
        unit = self._symbols.sizeof(pointee)
        if whole is not None and unit > 0 and whole % unit == 0:
            times = build.number(whole // unit)
            return pointee, times if count is None else c_ast.BinaryOp("*", count, times)
        if unit == 1 and count is None:
            return pointee, size
        raise UnsupportedError(f"a size in `{call.name.name}` that is not that of objects of one type", call.coord)

    def _measured(self, node: c_ast.UnaryOp) -> c_ast.Node:
        """The type whose size `sizeof` gives."""
        type_: c_ast.Node = node.expr if isinstance(node.expr, c_ast.Typename) else self._symbols.type_of(node.expr)
        return type_

    def _pointee(self, pointer: Any) -> Any:
        return None if pointer is None else getattr(self._symbols.resolve(pointer), "type", None)

    # Contents

    def _region(self, node: Any, size: Any, scope: Scope, call: c_ast.FuncCall) -> tuple[Value, str, tuple[Guard, ...]]:
        """A pointer, how many cells *size* is from there, and what must hold for that."""
        pointee = self._pointee(self._symbols.value_type(build.uncast(node)))
        type_, number = self._elements(None, size, pointee, call)
        pointer = self._expressions.value(node, scope)
        per = len(self._cells.kinds(type_, call.coord))
        length = self._symbols.constant_or_none(number)
        if length is not None:
            cells, guards = str(per * length), pointer.guards
        else:
            value = self._counted(number, scope)
            cells = value.text if per == 1 else f"{value.at(Level.PRODUCT)} * {per}"
            guards = together([pointer.guards, value.guards])
        layout = self._cells.layout(type_, call.coord)
        given = f"IsLaidOut({scope.memory}, {pointer.text}, {layout}, {cells})"
        return pointer, cells, (*guards, Guard(given, _NO_OBJECT, Level.ATOM))

    def _filled(self, to: Any, byte: Any, size: Any, scope: Scope, call: c_ast.FuncCall) -> Value:
        pointer, cells, guards = self._region(to, size, scope, call)
        value = self._expressions.converted(byte, basic("unsigned char"), scope)
        filled = f"FillCells({scope.memory}, {pointer.text}, {cells}, {value.text})"
        text = f"Returns({scope.thread}, {filled}, {pointer.text})"
        return Value(f"{{{text}}}", together([guards, value.guards]))

    def _copied(self, to: Any, source: Any, size: Any, scope: Scope, call: c_ast.FuncCall) -> Value:
        pointer, cells, guards = self._region(to, size, scope, call)
        other, _, more = self._region(source, size, scope, call)
        copied = f"CopyCells({scope.memory}, {pointer.text}, {other.text}, {cells})"
        text = f"Returns({scope.thread}, {copied}, {pointer.text})"
        return Value(f"{{{text}}}", together([guards, more]))
