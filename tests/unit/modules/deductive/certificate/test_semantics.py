"""Terms mean what C says: operators on values at and near the bounds of types, against arithmetic in Python."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest
import z3

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.certificate.semantics import Evaluation, InapplicableError, constant, in_range
from cseq.modules.deductive.proofs import Arithmetic

BYTE = ts.Scalar(8, False)
SIGNED_BYTE = ts.Scalar(8, True)
LONG = ts.Scalar(64, True)
TYPES = (BYTE, SIGNED_BYTE, ts.INT, LONG)


def truncated(left: int, right: int) -> int:
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


RESULTS: dict[ts.Operator, Callable[[int, int], int]] = {
    ts.Operator.ADD: lambda left, right: left + right,
    ts.Operator.SUB: lambda left, right: left - right,
    ts.Operator.MUL: lambda left, right: left * right,
    ts.Operator.DIV: truncated,
    ts.Operator.REM: lambda left, right: left - right * truncated(left, right),
    ts.Operator.BIT_AND: lambda left, right: left & right,
    ts.Operator.BIT_OR: lambda left, right: left | right,
    ts.Operator.BIT_XOR: lambda left, right: left ^ right,
    ts.Operator.SHL: lambda left, right: left << right,
    ts.Operator.SHR: lambda left, right: left >> right,
    ts.Operator.NEG: lambda left, _: -left,
    ts.Operator.BIT_NOT: lambda left, _: ~left,
    ts.Operator.EQ: lambda left, right: left == right,
    ts.Operator.NE: lambda left, right: left != right,
    ts.Operator.LT: lambda left, right: left < right,
    ts.Operator.LE: lambda left, right: left <= right,
    ts.Operator.GT: lambda left, right: left > right,
    ts.Operator.GE: lambda left, right: left >= right,
}


def fitted(value: int, type_: ts.Scalar) -> int:
    """The value modulo 2^width."""
    low = value % (1 << type_.width)
    return low - (1 << type_.width) if low > type_.greatest else low


class Meaning:
    """Evaluates expressions without variables with Z3."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic = arithmetic
        self._commands: list[str] = []
        self._count = 0

    def _named(self, term: str, type_: ts.Scalar) -> str:
        self._count += 1
        self._commands.append(f"(define-fun n{self._count} () Int {term})")
        return f"n{self._count}"

    def evaluated(self, expression: ts.Expression) -> tuple[str, str]:
        """The term of an expression, and what has to hold for it to have C's value."""

        def unknown(variable: ts.Variable) -> str:
            raise AssertionError(variable)

        needed: list[str] = []
        evaluation = Evaluation(self._arithmetic, unknown, self._named, self._commands.append, needed.append)
        return evaluation.term(expression), f"(and true {' '.join(needed)})"

    def claim(self, formula: str) -> None:
        """Say that a formula holds."""
        self._commands.append(f"(assert {formula})")

    def holds(self) -> bool:
        """All of them at once, which has no variable."""
        solver = z3.Solver()
        solver.from_string("\n".join(self._commands))
        return bool(solver.check() == z3.sat)


def operands(type_: ts.Scalar) -> Iterator[int]:
    yield from sorted({0, 1, 2, 3, 100, type_.least, type_.least + 1, type_.greatest - 1, type_.greatest})
    if type_.signed:
        yield from (-1, -2, -7)


def applications() -> Iterator[tuple[ts.Expression, int, bool]]:
    """Expressions with their values, and whether exact arithmetic has them, too."""
    for type_, operator in product(TYPES, RESULTS):
        unary = operator in (ts.Operator.NEG, ts.Operator.BIT_NOT)
        for left, right in product(operands(type_), operands(type_)):
            if (unary and right) or (operator in (ts.Operator.DIV, ts.Operator.REM) and right == 0):
                continue
            if operator in (ts.Operator.SHL, ts.Operator.SHR) and not 0 <= right < type_.width:
                continue
            result = RESULTS[operator](left, right)
            of = ts.BOOL if operator.compares else type_
            numbers = (ts.Number(left, type_),) if unary else (ts.Number(left, type_), ts.Number(right, type_))
            value = fitted(result, type_) if not operator.compares else result
            yield ts.Apply(operator, numbers, of), value, value == result
    for given, wanted in product((*TYPES, ts.BOOL), (*TYPES, ts.BOOL)):
        for number in operands(given) if given != ts.BOOL else (0, 1):
            value = int(number != 0) if wanted == ts.BOOL else fitted(number, wanted)
            yield ts.Convert(ts.Number(number, given), wanted), value, wanted == ts.BOOL or value == number


@pytest.mark.parametrize("arithmetic", Arithmetic)
def test_expressions_have_the_values_that_c_gives_them(arithmetic: Arithmetic) -> None:
    meaning = Meaning(arithmetic)
    count = 0
    for expression, value, _ in applications():
        term, needed = meaning.evaluated(expression)
        meaning.claim(f"(=> {needed} (= {term} {constant(value, expression.type, arithmetic)}))")
        count += 1
    assert count > 5000
    assert meaning.holds()


def test_exact_arithmetic_needs_that_nothing_wraps_around() -> None:
    meaning = Meaning(Arithmetic.EXACT)
    wrapped = 0
    for expression, _, fits in applications():
        # In Python ~x is negative, whatever x is.
        if not (isinstance(expression, ts.Apply) and expression.operator is ts.Operator.BIT_NOT):
            _, needed = meaning.evaluated(expression)
            meaning.claim(needed if fits else f"(not {needed})")
            wrapped += not fits
    assert wrapped > 500
    assert meaning.holds()


def test_numbers_are_within_their_type() -> None:
    with pytest.raises(InapplicableError):
        Meaning(Arithmetic.EXACT).evaluated(ts.Number(256, BYTE))
    assert in_range("x", BYTE, Arithmetic.EXACT) == "(and (<= 0 x) (<= x 255))"
    assert in_range("x", BYTE, Arithmetic.BITS) is None
