"""The values of constant expressions (C11 §6.6)."""

import math
import operator
from collections.abc import Callable

from pycparser import c_ast

from cseq.c.datamodel import DataModel
from cseq.c.integer_operators import computed, converted, inverted
from cseq.c.literals import character_value, floating_value, integer_value
from cseq.c.types import Types
from cseq.model.errors import InputError, UnsupportedError

FLOATING = ["float", "double", "long double"]
"""The real floating types, from the smallest to the largest."""

FLOATING_BINARY: dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


def bits_and_sign(kind: str, model: DataModel) -> tuple[int, bool]:
    """The bits of an integer type, and whether it is signed, as `integer_operators` has them."""
    return (1, False) if kind == "_Bool" else (8 * model.size(kind), not kind.startswith("unsigned"))


class Constants:
    """Evaluates constant expressions with the types and enumerators of *symbols*.

    wraps: whether signed results that do not fit wrap around, as gcc has it; otherwise such an expression is none.
    """

    def __init__(self, symbols: Types, wraps: bool) -> None:
        self._symbols = symbols
        self._wraps = wraps

    def integer(self, node: c_ast.Node | None) -> int | None:
        """The value of an integer constant expression; None for other expressions."""
        match node:
            case c_ast.Constant(type="char"):
                return character_value(node.value)
            case c_ast.Constant() if node.type != "string" and node.type not in FLOATING:
                return integer_value(node.value)
            case c_ast.ID():
                return self._symbols.enumerators.get(node.name)
            case c_ast.Cast():
                return self._cast(node)
            case c_ast.UnaryOp(op="sizeof" | "_Alignof" | "__alignof__"):
                return self._measured(node)
            case c_ast.UnaryOp(op="-" | "+" | "~" | "!"):
                value = self.integer(node.expr)
                type_ = None if value is None else self._integer(self._kind(node))
                return None if value is None or type_ is None else inverted(node.op, value, *type_, wraps=self._wraps)
            case c_ast.BinaryOp():
                return self._binary(node)
            case c_ast.TernaryOp():
                return self._conditional(node)
        return None

    def _kind(self, node: c_ast.Node) -> str | None:
        return self._symbols.arithmetic(self._symbols.type_of(node))

    def _measured(self, node: c_ast.UnaryOp) -> int | None:
        type_ = node.expr.type if isinstance(node.expr, c_ast.Typename) else self._symbols.type_of(node.expr)
        if self._symbols.is_variable(type_):
            return None
        return self._symbols.sizeof(type_) if node.op == "sizeof" else self._symbols.alignof(type_)

    def _cast(self, node: c_ast.Cast) -> int | None:
        kind = self._symbols.arithmetic(node.to_type)
        value = self.integer(node.expr)
        if value is None and kind is not None and kind not in FLOATING:
            value = self._address(node.expr)
        if value is None:
            number = self.floating(node.expr)
            value = int(number) if number is not None and math.isfinite(number) else None
        return None if value is None else self._wrapped(value, kind)

    def _address(self, node: c_ast.Node) -> int | None:
        """The value of a constant pointer, as in ``(long)&((struct s *)0)->member``."""
        match node:
            case c_ast.Cast() if self._symbols.is_pointer(node.to_type):
                value = self.integer(node.expr)
                return self._address(node.expr) if value is None else value
            case c_ast.UnaryOp(op="&"):
                return self._place(node.expr)
            case c_ast.StructRef() | c_ast.ArrayRef() if self._symbols.is_array(self._symbols.type_of(node)):
                return self._place(node)
        return None

    def _place(self, node: c_ast.Node) -> int | None:
        """The address of an lvalue, if it is constant."""
        match node:
            case c_ast.StructRef():
                base = self._address(node.name) if node.type == "->" else self._place(node.name)
                type_ = self._symbols.type_of(node.name)
                record = self._symbols.element(type_, node.coord) if node.type == "->" else type_
                return None if base is None else base + self._symbols.offset(record, node.field.name, node.coord)
            case c_ast.ArrayRef():
                type_ = self._symbols.type_of(node.name)
                array = self._symbols.is_array(type_)
                base = self._place(node.name) if array else self._address(node.name)
                index = self.integer(node.subscript)
                if base is None or index is None:
                    return None
                return base + index * self._symbols.sizeof(self._symbols.element(type_, node.coord))
            case c_ast.UnaryOp(op="*"):
                return self._address(node.expr)
        return None

    def _binary(self, node: c_ast.BinaryOp) -> int | None:
        left = self.integer(node.left)
        if left is not None and node.op in ("&&", "||") and bool(left) == (node.op == "||"):
            return int(bool(left))  # the other operand is not evaluated, and need not be constant
        right = self.integer(node.right)
        if left is None or right is None:
            return self._floating_comparison(node)
        if node.op in ("<<", ">>", "&&", "||"):
            kind = self._kind(node)
        else:
            # In C, -1 < 0u does not hold: both sides are converted before they are compared.
            symbols = self._symbols
            kind = symbols.arithmetic(symbols.usual(symbols.value_type(node.left), symbols.value_type(node.right)))
            left, right = self._wrapped(left, kind), self._wrapped(right, kind)
        type_ = self._integer(kind)
        if left is None or right is None or type_ is None:
            return None
        return computed(node.op, left, right, *type_, wraps=self._wraps)

    def _floating_comparison(self, node: c_ast.BinaryOp) -> int | None:
        if node.op not in COMPARISONS:
            return None
        left, right = self.floating(node.left), self.floating(node.right)
        return None if left is None or right is None else int(COMPARISONS[node.op](left, right))

    def _conditional(self, node: c_ast.TernaryOp) -> int | None:
        cond = self.integer(node.cond)
        if cond is None:
            return None
        value = self.integer(node.iftrue if cond else node.iffalse)
        return None if value is None else self._wrapped(value, self._kind_or_none(node))

    def _kind_or_none(self, node: c_ast.Node) -> str | None:
        """The kind of *node*; int where an operand that does not matter has no type."""
        try:
            return self._kind(node)
        except (InputError, UnsupportedError):
            return "int"

    def _wrapped(self, value: int, arithmetic: str | None) -> int | None:
        """*value* converted to the integer type *arithmetic*; None if that is not an integer type."""
        type_ = self._integer(arithmetic)
        return None if type_ is None else converted(value, *type_)

    def _integer(self, arithmetic: str | None) -> tuple[int, bool] | None:
        """The bits of an integer type, and whether it is signed; None for other types."""
        if arithmetic is None or arithmetic in FLOATING or arithmetic == "void":
            return None
        return bits_and_sign(arithmetic, self._symbols.model)

    def floating(self, node: c_ast.Node) -> float | None:
        """The value of a constant expression of a floating type, rounded to a double; None for other expressions."""
        match node:
            case c_ast.Constant() if node.type in FLOATING:
                return floating_value(node.value)
            case c_ast.UnaryOp(op="-" | "+"):
                value = self.floating(node.expr)
                return value if value is None or node.op == "+" else -value
            case c_ast.Cast() if self._symbols.arithmetic(node.to_type) in FLOATING:
                return self.floating(node.expr)
            case c_ast.BinaryOp() if node.op in FLOATING_BINARY:
                left, right = self.floating(node.left), self.floating(node.right)
                if left is None or right is None or (node.op == "/" and right == 0):
                    return None
                return FLOATING_BINARY[node.op](left, right)
        whole = self.integer(node)
        return None if whole is None else float(whole)
