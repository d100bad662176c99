"""Expressions as terms of SMT-LIB over bit-vectors."""

from __future__ import annotations

from collections.abc import Mapping

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive.horn.integers import Bounds, Evaluated, Integers, Term, negation
from cseq.modules.deductive.transitions import (
    BOOL,
    Apply,
    Array,
    Choose,
    Convert,
    Element,
    Expression,
    Number,
    Operator,
    Read,
    Scalar,
    Variable,
)

INDEX = Scalar(64, False)
"""The type of indices."""

PLAIN = {
    Operator.ADD: "bvadd", Operator.SUB: "bvsub", Operator.MUL: "bvmul", Operator.NEG: "bvneg",
    Operator.BIT_AND: "bvand", Operator.BIT_OR: "bvor", Operator.BIT_XOR: "bvxor", Operator.BIT_NOT: "bvnot",
    Operator.SHL: "bvshl", Operator.EQ: "=", Operator.NE: "distinct",
}  # fmt: skip
SIGNED = {
    Operator.DIV: "bvsdiv", Operator.REM: "bvsrem", Operator.SHR: "bvashr",
    Operator.LT: "bvslt", Operator.LE: "bvsle", Operator.GT: "bvsgt", Operator.GE: "bvsge",
}  # fmt: skip
UNSIGNED = {
    Operator.DIV: "bvudiv", Operator.REM: "bvurem", Operator.SHR: "bvlshr",
    Operator.LT: "bvult", Operator.LE: "bvule", Operator.GT: "bvugt", Operator.GE: "bvuge",
}  # fmt: skip


class BitVectors:
    """Bit-vectors, which wrap around by themselves."""

    def sort(self, type: Scalar | Array) -> str:
        """The sort of the values of *type*. UnsupportedError if it has no width."""
        if isinstance(type, Array):
            return f"(Array (_ BitVec {INDEX.width}) {self.sort(type.element)})"
        if not type.width:
            raise UnsupportedError("a mathematical integer as a bit-vector")
        return "Bool" if type == BOOL else f"(_ BitVec {type.width})"

    def number(self, number: int, type: Scalar) -> str:
        """A constant."""
        if type == BOOL:
            return "true" if number else "false"
        return f"(_ bv{number % (1 << type.width)} {type.width})" if type.width else self.sort(type)

    def range(self, text: str, type: Scalar | Array) -> str:
        """What is certain of a value of *type*: nothing more."""
        return "true"

    def index(self, text: str, type: Scalar) -> str:
        """A value of *type* as an index of an array."""
        return self._converted(text, type, INDEX)

    def evaluate(
        self, expression: Expression, values: Mapping[Variable, str], bounds: Bounds | None = None
    ) -> Evaluated:
        """The value of *expression* where variables have *values*; *bounds* do not matter here."""
        if expression.type == BOOL and isinstance(expression, Apply) and self._is_logical(expression):
            parts = [self.evaluate(operand, values).term for operand in expression.operands]
            names = [Variable(f"operand{number}", BOOL) for number in range(len(parts))]
            shape = Apply(expression.operator, tuple(Read(name) for name in names), BOOL)
            texts = {name: part.text for name, part in zip(names, parts, strict=True)}
            return Integers(exact=False).evaluate(shape, texts)
        return Evaluated(Term(self._text(expression, values)))

    @staticmethod
    def _is_logical(expression: Apply) -> bool:
        return expression.operands[0].type == BOOL

    def _text(self, expression: Expression, values: Mapping[Variable, str]) -> str:
        match expression:
            case Number(number, type):
                return self.number(number, type)
            case Read(variable):
                return values[variable]
            case Element(array, index):
                return f"(select {values[array]} {self.index(self._text(index, values), index.type)})"
            case Convert(operand, type):
                return self._converted(self._text(operand, values), operand.type, type)
            case Choose(condition, then, otherwise):
                condition_, then_, otherwise_ = (self._text(part, values) for part in (condition, then, otherwise))
                if condition_ in ("true", "false"):
                    return then_ if condition_ == "true" else otherwise_
                return then_ if then_ == otherwise_ else f"(ite {condition_} {then_} {otherwise_})"
            case Apply(operator, operands) if self._is_logical(expression):
                return self.evaluate(expression, values).term.text
            case Apply(operator, operands):
                names = PLAIN | (SIGNED if operands[0].type.signed else UNSIGNED)
                return f"({names[operator]} {' '.join(self._text(operand, values) for operand in operands)})"
        raise AssertionError(expression)

    def _converted(self, text: str, before: Scalar, after: Scalar) -> str:
        if before == after or (before.width == after.width and BOOL not in (before, after)):
            return text
        if after == BOOL:
            return negation(f"(= {text} {self.number(0, before)})")
        if before == BOOL:
            return f"(ite {text} {self.number(1, after)} {self.number(0, after)})"
        if after.width < before.width:
            return f"((_ extract {after.width - 1} 0) {text})"
        return f"((_ {'sign' if before.signed else 'zero'}_extend {after.width - before.width}) {text})"
