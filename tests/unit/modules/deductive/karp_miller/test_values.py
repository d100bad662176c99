"""What expressions come to where values are numbers, identities of threads, or not known."""

import itertools
import random

import pytest

from cseq.modules.deductive.karp_miller.values import ANY, MINE, SOMEBODY, Evaluation, Identity, Slots, Value
from cseq.modules.deductive.transitions import BOOL, INT, UNBOUNDED, Choose, Convert, Operator, Read, Scalar, System
from tests.support.systems import UCHAR, Apply, Expression, apply, shared, template

X, Y = shared("x"), shared("y")
SYSTEM = System([X, Y], {}, [template("main", 0, [])])
EVALUATION = Evaluation(Slots(SYSTEM, SYSTEM.main, frozenset()), frozenset({0}), 32)


def value(expression: Expression, x: Value = ANY, y: Value = ANY) -> Value:
    return EVALUATION.value(expression)([x, y])


MY, OTHER = Identity(MINE), Identity(SOMEBODY)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(MY, MY, 1), (MY, OTHER, 0), (OTHER, OTHER, ANY), (Identity(3), Identity(3), 1), (Identity(3), Identity(4), ANY),
     (MY, Identity(3), 0), (MY, 0, 0), (MY, 5, ANY), (Identity(MINE, others=frozenset({5})), 5, 0),
     (Identity(MINE, 1), MY, 0), (Identity(MINE, 1), OTHER, ANY), (Identity(MINE, 1), 1, 0), (ANY, 1, ANY),
     (Identity(MINE, least=6), 5, 0), (Identity(MINE, least=5), 5, ANY)],
)  # fmt: skip
def test_identities_are_equal_or_not(one: Value, other: Value, same: Value) -> None:
    assert value(apply(X, "==", Y), one, other) == same == value(apply(X, "==", Y), other, one)
    assert value(apply(X, "!=", Y), one, other) == (ANY if same is ANY else 1 - same)  # type: ignore[operator]


def test_conversions_of_identities_lose_nothing_unless_they_are_narrow() -> None:
    wide = value(Convert(Read(X), Scalar(64, False)), Identity(MINE, others=frozenset({-1})))
    assert wide == Identity(MINE, others=frozenset({2**64 - 1}))
    assert value(Convert(Read(X), UCHAR), MY) is ANY
    assert value(Convert(Read(X), BOOL), MY) == 1
    assert value(Convert(Read(X), UNBOUNDED), Identity(MINE, least=3)) == Identity(MINE, least=3)
    assert value(apply(X, "+", 1), Identity(MINE, least=3)) == Identity(MINE, 1)


def test_what_is_known_decides() -> None:
    assert value(apply(apply(X, "==", 1), "&&", apply(Y, "==", 1)), ANY, 0) == 0
    assert value(apply(apply(X, "==", 1), "||", apply(Y, "==", 1)), ANY, 1) == 1
    assert value(apply(apply(X, "==", 1), "||", apply(Y, "==", 1)), ANY, 0) is ANY
    assert value(Choose(apply(X, "==", 1), Read(Y), Read(Y)), ANY, 4) == 4
    assert value(Choose(apply(X, "==", 1), Read(Y), Read(X)), ANY, 4) is ANY


def test_arithmetic_is_that_of_c() -> None:
    rng = random.Random(1)
    numbers = [0, 1, -1, 7, -7, 2**31 - 1, -(2**31), *(rng.randrange(-(2**31), 2**31) for _ in range(10))]
    for a, b in itertools.product(numbers, repeat=2):
        signed = [value(Apply(operator, (Read(X), Read(Y)), INT), a, b) for operator in (Operator.DIV, Operator.REM)]
        if b == 0:
            assert signed == [ANY, ANY]
        elif (a, b) != (-(2**31), -1):
            assert signed[0] * b + signed[1] == a and abs(signed[1]) < abs(b)  # type: ignore
            assert signed[1] == 0 or (signed[1] < 0) == (a < 0)  # type: ignore[operator]
        total = value(apply(X, "+", Y), a, b)
        assert -(2**31) <= total < 2**31 and (total - a - b) % 2**32 == 0  # type: ignore[operator]
