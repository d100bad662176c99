"""Expressions with the constants in them evaluated, and what is known of their values."""

import itertools

import pytest

from cseq.modules.deductive.encode.algebra import (
    FALSE,
    TRUE,
    apply,
    choose,
    computed,
    conjunction,
    convert,
    converted,
    disjunction,
    equal,
    implication,
    negation,
    possible,
    simplified,
    substituted,
)
from cseq.modules.deductive.transitions import (
    BOOL,
    INT,
    UNBOUNDED,
    Apply,
    Array,
    Convert,
    Element,
    Number,
    Operator,
    Read,
    Scalar,
    Variable,
)

UCHAR, UNSIGNED = Scalar(8, False), Scalar(32, False)
X, Y, B = Variable("x", INT), Variable("y", INT), Variable("b", BOOL)
A = Variable("a", Array(INT, 2))
IS_ONE, IS_TWO = (equal(Read(X), Number(n)) for n in (1, 2))


@pytest.mark.parametrize(
    ("value", "type_", "expected"),
    [(256, UCHAR, 0), (-1, UCHAR, 255), (-1, UNSIGNED, (1 << 32) - 1), (1 << 31, INT, -(1 << 31)), (7, BOOL, 1),
     (0, BOOL, 0), (1 << 70, UNBOUNDED, 1 << 70)],
)  # fmt: skip
def test_conversions_of_numbers(value, type_, expected):
    assert converted(value, type_) == expected
    assert convert(Number(value, UNBOUNDED), type_) == Number(expected, type_)


@pytest.mark.parametrize(
    ("operator", "values", "type_", "expected"),
    [
        (Operator.ADD, (2147483647, 1), INT, -2147483648), (Operator.SUB, (0, 1), UNSIGNED, 4294967295),
        (Operator.DIV, (-7, 2), INT, -3), (Operator.REM, (-7, 2), INT, -1), (Operator.DIV, (1, 0), INT, None),
        (Operator.SHL, (1, 31), INT, -2147483648), (Operator.SHL, (1, 32), INT, None), (Operator.SHR, (-3, 1), INT, -2),
        (Operator.BIT_NOT, (0,), INT, -1), (Operator.NEG, (-2147483648,), INT, -2147483648),
        (Operator.LE, (1, 1), BOOL, 1), (Operator.NOT, (0,), BOOL, 1),
    ],
)  # fmt: skip
def test_operators_as_c_computes(operator, values, type_, expected):
    assert computed(operator, values, type_) == expected


def test_conditions_are_simplified():
    assert conjunction([TRUE, IS_ONE, IS_ONE]) == IS_ONE
    assert conjunction([IS_ONE, FALSE]) == FALSE and disjunction([IS_ONE, TRUE]) == TRUE
    assert conjunction([IS_ONE, negation(IS_ONE)]) == FALSE
    assert negation(negation(Read(B))) == Read(B)
    assert implication(TRUE, IS_ONE) == IS_ONE and implication(FALSE, IS_ONE) == TRUE
    assert apply(Operator.NE, convert(Read(B), INT), Number(0)) == Read(B)
    assert apply(Operator.EQ, convert(Read(B), INT), Number(0)) == negation(Read(B))
    assert apply(Operator.EQ, convert(Read(B), INT), Number(2)) == FALSE
    assert apply(Operator.LT, Number(1), Read(X)) == apply(Operator.GT, Read(X), Number(1))
    assert choose(TRUE, Read(X), Read(Y)) == Read(X) and choose(Read(B), Read(X), Read(X)) == Read(X)
    b, is_one = Convert(Read(B), INT), Convert(IS_ONE, INT)
    assert choose(Read(B), is_one, b) == convert(conjunction([Read(B), IS_ONE]), INT)  # B && X == 1
    assert choose(negation(Read(B)), is_one, b) == convert(disjunction([Read(B), IS_ONE]), INT)  # B || X == 1
    assert choose(Read(B), Number(1), Number(0)) == b and choose(Read(B), Number(2), Number(0)).type == INT


def test_a_conversion_that_changes_values_stays():
    narrow = Convert(Read(X), UCHAR)
    assert convert(narrow, INT) == Convert(narrow, INT)
    assert convert(Convert(Read(Variable("c", UCHAR)), INT), UCHAR) == Read(Variable("c", UCHAR))
    assert convert(Convert(Read(X), UNSIGNED), Scalar(64, True)) == Convert(
        Convert(Read(X), UNSIGNED), Scalar(64, True)
    )


def test_simplification_keeps_the_value():
    """Every condition over two small values has the value that its simplification has."""
    operands = [Read(X), Read(Y), Number(0), Number(1), convert(Read(B), INT)]
    tried = 0
    for operator in (op for op in Operator if op.compares):
        for left, right in itertools.product(operands, operands):
            condition = apply(operator, left, right)
            for x, y, b in itertools.product((0, 1, 2), (0, 1), (0, 1)):
                values = {X: Number(x), Y: Number(y), B: Number(b, BOOL)}
                now = substituted(condition, values)
                plain = computed(operator, tuple(substituted(side, values).value for side in (left, right)), BOOL)
                assert now == Number(plain, BOOL) and substituted(negation(condition), values).value == 1 - plain
                tried += 1
    assert tried == 6 * 25 * 12


def test_the_values_that_an_expression_may_have():
    known = {X: frozenset({1, 2}), A: frozenset({4, 5})}
    assert possible(apply(Operator.ADD, Read(X), Number(1)), known) == {2, 3}
    assert possible(Read(Y), known) is None
    assert possible(Element(A, Read(Y)), known) == {4, 5}
    assert possible(apply(Operator.LT, Read(Y), Number(1)), known) == {0, 1}
    assert possible(disjunction([IS_ONE, IS_TWO]), known) == {1}
    assert possible(disjunction([IS_ONE, equal(Read(Y), Number(1)), IS_TWO]), known) == {1}
    assert possible(apply(Operator.DIV, Number(1), Apply(Operator.SUB, (Read(X), Number(1)), INT)), known) is None


def test_what_is_known_simplifies():
    known = {X: frozenset({1}), B: frozenset({0, 1})}
    assert simplified(choose(IS_ONE, Read(Y), Number(3)), known) == Read(Y)
    assert simplified(apply(Operator.ADD, Read(Y), Read(X)), known) == apply(Operator.ADD, Read(Y), Number(1))
    assert simplified(Read(B), known) == Read(B)
