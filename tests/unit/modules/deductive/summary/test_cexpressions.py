"""Formulas as C expressions."""

import pytest
import z3

from cseq.modules.deductive.summary.cexpressions import expression
from cseq.modules.deductive.transitions import BOOL, INT, Address, Array, Scalar, Variable

UNSIGNED, LONG = Scalar(32, False), Scalar(64, True)
VARIABLES = [
    Variable("x", INT, "x"), Variable("y", INT, "st.y"), Variable("u", UNSIGNED, "u"), Variable("b", BOOL, "b"),
    Variable("l", LONG, "l"), Variable("p", Address.POINTER, "p"), Variable("a", Array(INT, 4), "a"),
    Variable("ours", INT),
]  # fmt: skip
SORTS = {"b": "Bool", "a": "(Array Int Int)"}


def told(formula: str) -> str | None:
    declared = "".join(f"(declare-const {v.name} {SORTS.get(v.name, 'Int')})" for v in VARIABLES)
    (parsed,) = z3.parse_smt2_string(f"{declared}(assert {formula})")
    return expression(parsed, {variable.name: variable for variable in VARIABLES})


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("(<= x y)", "x <= st.y"),
        ("(not (>= x y))", "x < st.y"),
        ("(not (= x 3))", "x != 3"),
        ("(>= (+ x (* (- 1) y)) 0)", "x >= st.y"),
        ("(<= (+ x (* (- 1) y)) (- 1))", "x < st.y"),
        ("(>= (* (- 1) x) (- 100))", "x <= 100"),
        ("(<= (+ x y) 9)", "(long long) x + st.y <= 9"),
        ("(= x (+ y 1))", "x == (long long) st.y + 1"),
        ("(= (* 2 x) y)", "2LL * x == st.y"),
        ("(<= x u)", "(long long) x <= (long long) u"),
        ("(<= u 4294967295)", "u <= 4294967295"),
        ("(= (mod u 2) 1)", "u % 2 == 1"),
        ("(and (> x 0) (or (not b) (= x y)))", "x > 0 && (!b || x == st.y)"),
        ("(=> b (> x 0))", "!b || x > 0"),
        ("(= b (> x 0))", "b == (x > 0)"),
        ("(ite b (> x 0) (< x 0))", "b ? x > 0 : x < 0"),
        ("(>= (select a 3) 7)", "a[3] >= 7"),
        ("(<= l 5)", "l <= 5"),
        ("(= p 0)", "p == 0"),
        ("(not (and b (<= x 1)))", "!b || x > 1"),
    ],
)
def test_what_c_can_say(formula: str, expected: str) -> None:
    assert told(formula) == expected


@pytest.mark.parametrize(
    "formula",
    [
        "(> ours 0)",
        "(= p 17)",  # an address of ours
        "(<= (+ l x) 9)",  # it may overflow
        "(<= x l)",
        "(= (mod x 2) 1)",  # of a negative number, C's remainder is negative
        "(>= (select a 4) 7)",
        "(>= (select a x) 7)",
        "(forall ((i Int)) (>= (select a i) 0))",
        "(<= x 99999999999)",
        "(= (* x y) 4)",
    ],
)
def test_what_c_cannot_say(formula: str) -> None:
    assert told(formula) is None
