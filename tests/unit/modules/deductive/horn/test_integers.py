"""Expressions as terms over integers: their values are those of C, and what wraps around is an error or does so."""

import itertools

import pytest
import z3

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.horn.integers import Integers, learnt
from tests.support.systems import UCHAR, UNSIGNED, apply

SCHAR = ts.Scalar(8, True)
X, Y = ts.Variable("x", SCHAR, "x"), ts.Variable("y", SCHAR, "y")
U, V = ts.Variable("u", UCHAR, "u"), ts.Variable("v", UCHAR, "v")


def wrapped(number: int, type: ts.Scalar) -> int:
    number %= 1 << type.width
    return number - (1 << type.width) if number > type.greatest else number


def concrete(expression: ts.Expression, values: dict[ts.Variable, int]) -> int:
    """The value of an expression, computed by Python."""
    match expression:
        case ts.Number(number):
            return number
        case ts.Read(variable):
            return values[variable]
        case ts.Convert(operand, type):
            value = concrete(operand, values)
            return int(value != 0) if type == ts.BOOL else wrapped(value, type)
        case ts.Choose(condition, then, otherwise):
            return concrete(then if concrete(condition, values) else otherwise, values)
        case ts.Apply(operator, operands, type):
            numbers = [concrete(operand, values) for operand in operands]
            return wrapped(_result(operator, *numbers), type) if type != ts.BOOL else int(_result(operator, *numbers))
    raise AssertionError(expression)


def _result(operator: ts.Operator, left: int, right: int = 0) -> int:
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1) if right else 0
    return {
        ts.Operator.ADD: lambda: left + right,
        ts.Operator.SUB: lambda: left - right,
        ts.Operator.MUL: lambda: left * right,
        ts.Operator.DIV: lambda: quotient,
        ts.Operator.REM: lambda: left - quotient * right,
        ts.Operator.NEG: lambda: -left,
        ts.Operator.BIT_AND: lambda: left & right,
        ts.Operator.BIT_OR: lambda: left | right,
        ts.Operator.BIT_XOR: lambda: left ^ right,
        ts.Operator.BIT_NOT: lambda: ~left,
        ts.Operator.SHL: lambda: left << right,
        ts.Operator.SHR: lambda: left >> right,
        ts.Operator.EQ: lambda: left == right,
        ts.Operator.NE: lambda: left != right,
        ts.Operator.LT: lambda: left < right,
        ts.Operator.LE: lambda: left <= right,
        ts.Operator.GT: lambda: left > right,
        ts.Operator.GE: lambda: left >= right,
    }[operator]()


def value(text: str, values: dict[ts.Variable, int]) -> int:
    """The value of a term of SMT-LIB, computed by Z3."""
    names = {variable.name: z3.Int(variable.name) for variable in values}
    try:
        parsed = z3.parse_smt2_string(f"(assert {text})", decls=names)[0]
    except z3.Z3Exception:
        parsed = z3.parse_smt2_string(f"(declare-const result Int)(assert (= result {text}))", decls=names)[0].arg(1)
    known = [(names[variable.name], z3.IntVal(number)) for variable, number in values.items()]
    result = z3.simplify(z3.substitute(parsed, *known))
    return int(z3.is_true(result)) if z3.is_bool(result) else result.as_long()


CASES = [
    *(apply(X, sign, Y) for sign in ("+", "-", "*", "<", "<=", "==", "!=", ">=")),
    *(apply(U, sign, V) for sign in ("+", "-", "*", ">")),
    *(apply(X, sign, number) for sign in ("+", "-", "*", "&", "|", "^") for number in (-8, -1, 0, 1, 7, 92)),
    *(apply(U, sign, number) for sign in ("+", "-", "*", "&", "|", "^") for number in (0, 1, 7, 92, 248)),
    *(apply(X, sign, number) for sign in ("/", "%") for number in (-7, -2, -1, 1, 2, 10)),
    *(apply(U, sign, number) for sign in ("/", "%") for number in (1, 2, 10, 255)),
    *(apply(X, sign, number) for sign in ("<<", ">>") for number in (0, 1, 7)),
    apply(U, ">>", ts.Apply(ts.Operator.BIT_AND, (ts.Read(V), ts.Number(7, UCHAR)), UCHAR)),
    apply(U, "<<", ts.Apply(ts.Operator.BIT_AND, (ts.Read(V), ts.Number(7, UCHAR)), UCHAR)),
    apply(X, "/", ts.Choose(apply(Y, "==", 0), ts.Number(-1, SCHAR), ts.Read(Y))),
    apply(X, "%", ts.Choose(apply(Y, "==", 0), ts.Number(5, SCHAR), ts.Read(Y))),
    ts.Apply(ts.Operator.NEG, (ts.Read(X),), SCHAR),
    ts.Apply(ts.Operator.BIT_NOT, (ts.Read(X),), SCHAR),
    ts.Apply(ts.Operator.BIT_NOT, (ts.Read(U),), UCHAR),
    ts.Convert(ts.Read(X), UCHAR),
    ts.Convert(ts.Read(U), SCHAR),
    ts.Convert(ts.Read(X), UNSIGNED),
    ts.Convert(ts.Apply(ts.Operator.MUL, (ts.Convert(ts.Read(U), ts.INT), ts.Number(1000, ts.INT)), ts.INT), SCHAR),
    ts.Convert(ts.Read(X), ts.BOOL),
    ts.Convert(apply(X, "<", Y), ts.INT),
    apply(ts.Convert(apply(X, "<", Y), ts.INT), "|", ts.Convert(apply(X, "==", 3), ts.INT)),
    apply(ts.Convert(apply(X, "<", Y), ts.INT), "==", 1),
]
SAMPLES = [-128, -127, -9, -8, -1, 0, 1, 2, 3, 7, 8, 100, 127]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_terms_have_the_values_of_c(number: int) -> None:
    expression = CASES[number]
    names = {variable: variable.name for variable in (X, Y, U, V)}
    wrapping, exact = (
        Integers(exact=False).evaluate(expression, names),
        Integers(exact=True).evaluate(expression, names),
    )
    assert wrapping.needs == []
    for left, right in itertools.islice(itertools.product(SAMPLES, SAMPLES[::2]), number % 3, None, 13):
        values = {X: left, Y: right, U: left % 256, V: right % 256}
        expected = concrete(expression, values)
        assert value(wrapping.term.text, values) == expected, (expression, values)
        if all(value(need, values) for need in exact.needs):
            assert value(exact.term.text, values) == expected, (expression, values)


def test_only_what_may_leave_its_type_is_an_error() -> None:
    exact = Integers(exact=True)
    assert exact.evaluate(apply(X, "+", 1), {X: "x"}).needs == ["(<= (+ x 1) 127)"]
    assert exact.evaluate(ts.Convert(ts.Read(U), ts.INT), {U: "u"}).needs == []
    assert exact.evaluate(ts.Convert(ts.Read(X), UCHAR), {X: "x"}).needs == ["(<= 0 x)"]
    assert exact.evaluate(apply(ts.Number(127, SCHAR), "+", 1), {}).needs[0] == "false"


def test_what_is_assumed_spares_errors() -> None:
    exact = Integers(exact=True)
    bounds: dict[str, tuple[int | None, int | None]] = {}
    learnt(apply(apply(X, "<", 100), "&&", ts.Apply(ts.Operator.NOT, (apply(X, "<", -5),), ts.BOOL)), {X: "x"}, bounds)
    assert bounds == {"x": (-5, 99)}
    assert exact.evaluate(apply(X, "+", 28), {X: "x"}, bounds).needs == []
    assert exact.evaluate(apply(X, "+", 29), {X: "x"}, bounds).needs == ["(<= (+ x 29) 127)"]


def test_bits_of_two_variables_are_refused_by_name() -> None:
    with pytest.raises(UnsupportedError, match="`\\^` of two variables as integers"):
        Integers(exact=False).evaluate(apply(X, "^", Y), {X: "x", Y: "y"})
