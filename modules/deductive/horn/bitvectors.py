"""Expressions as terms of SMT-LIB over bit-vectors."""

from collections.abc import Mapping

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.horn.integers import Bounds, Integers, IntegerTerm, Term, negation

INDEX = ts.Scalar(64, False)
"""The type of indices."""

PLAIN = {
    ts.Operator.ADD: "bvadd", ts.Operator.SUB: "bvsub", ts.Operator.MUL: "bvmul", ts.Operator.NEG: "bvneg",
    ts.Operator.BIT_AND: "bvand", ts.Operator.BIT_OR: "bvor", ts.Operator.BIT_XOR: "bvxor",
    ts.Operator.BIT_NOT: "bvnot",
    ts.Operator.SHL: "bvshl", ts.Operator.EQ: "=", ts.Operator.NE: "distinct",
}  # fmt: skip
SIGNED = {
    ts.Operator.DIV: "bvsdiv", ts.Operator.REM: "bvsrem", ts.Operator.SHR: "bvashr",
    ts.Operator.LT: "bvslt", ts.Operator.LE: "bvsle", ts.Operator.GT: "bvsgt", ts.Operator.GE: "bvsge",
}  # fmt: skip
UNSIGNED = {
    ts.Operator.DIV: "bvudiv", ts.Operator.REM: "bvurem", ts.Operator.SHR: "bvlshr",
    ts.Operator.LT: "bvult", ts.Operator.LE: "bvule", ts.Operator.GT: "bvugt", ts.Operator.GE: "bvuge",
}  # fmt: skip


class BitVectors:
    """Bit-vectors, which wrap around by themselves."""

    def sort(self, type: ts.Scalar | ts.Array) -> str:
        """The sort of the values of *type*. UnsupportedError if it has no width."""
        if isinstance(type, ts.Array):
            return f"(Array (_ BitVec {INDEX.width}) {self.sort(type.element)})"
        if not type.width:
            raise UnsupportedError("a mathematical integer as a bit-vector")
        return "Bool" if type == ts.BOOL else f"(_ BitVec {type.width})"

    def number(self, number: int, type: ts.Scalar) -> str:
        """A constant."""
        if type == ts.BOOL:
            return "true" if number else "false"
        return f"(_ bv{number % (1 << type.width)} {type.width})" if type.width else self.sort(type)

    def range(self, text: str, type: ts.Scalar | ts.Array) -> str:
        """What is certain of a value of *type*: nothing more."""
        return "true"

    def index(self, text: str, type: ts.Scalar) -> str:
        """A value of *type* as an index of an array."""
        return self._converted(text, type, INDEX)

    def evaluate(
        self, expression: ts.Expression, values: Mapping[ts.Variable, str], bounds: Bounds | None = None
    ) -> IntegerTerm:
        """The value of *expression* where variables have *values*; *bounds* do not matter here."""
        if expression.type == ts.BOOL and isinstance(expression, ts.Apply) and self._is_logical(expression):
            parts = [self.evaluate(operand, values).term for operand in expression.operands]
            names = [ts.Variable(f"operand{number}", ts.BOOL) for number in range(len(parts))]
            shape = ts.Apply(expression.operator, tuple(ts.Read(name) for name in names), ts.BOOL)
            texts = {name: part.text for name, part in zip(names, parts, strict=True)}
            return Integers(exact=False).evaluate(shape, texts)
        return IntegerTerm(Term(self._text(expression, values)))

    @staticmethod
    def _is_logical(expression: ts.Apply) -> bool:
        return expression.operands[0].type == ts.BOOL

    def _text(self, expression: ts.Expression, values: Mapping[ts.Variable, str]) -> str:
        match expression:
            case ts.Number(number, type):
                return self.number(number, type)
            case ts.Read(variable):
                return values[variable]
            case ts.Element(array, index):
                return f"(select {values[array]} {self.index(self._text(index, values), index.type)})"
            case ts.Convert(operand, type):
                return self._converted(self._text(operand, values), operand.type, type)
            case ts.Choose(condition, then, otherwise):
                condition_, then_, otherwise_ = (self._text(part, values) for part in (condition, then, otherwise))
                if condition_ in ("true", "false"):
                    return then_ if condition_ == "true" else otherwise_
                return then_ if then_ == otherwise_ else f"(ite {condition_} {then_} {otherwise_})"
            case ts.Apply(operator, operands) if self._is_logical(expression):
                return self.evaluate(expression, values).term.text
            case ts.Apply(operator, operands):
                names = PLAIN | (SIGNED if operands[0].type.signed else UNSIGNED)
                return f"({names[operator]} {' '.join(self._text(operand, values) for operand in operands)})"
        raise AssertionError(expression)

    def _converted(self, text: str, before: ts.Scalar, after: ts.Scalar) -> str:
        if before == after or (before.width == after.width and ts.BOOL not in (before, after)):
            return text
        if after == ts.BOOL:
            return negation(f"(= {text} {self.number(0, before)})")
        if before == ts.BOOL:
            return f"(ite {text} {self.number(1, after)} {self.number(0, after)})"
        if after.width < before.width:
            return f"((_ extract {after.width - 1} 0) {text})"
        return f"((_ {'sign' if before.signed else 'zero'}_extend {after.width - before.width}) {text})"
