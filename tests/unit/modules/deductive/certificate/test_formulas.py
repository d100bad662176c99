"""Only formulas get through, and only over the symbols that they may use."""

import pytest

from cseq.modules.deductive.certificate.formulas import MalformedError, admitted, parsed

NAMES = {"x": "parameter/0", "y!2": "parameter/1", "select": "parameter/2"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", "true"),
        ("(<= x 12)", "(<= parameter/0 12)"),
        ("(<= |x| (- y!2))", "(<= parameter/0 (- parameter/1))"),
        ("(= (select select x) 0)", "(= (select parameter/2 parameter/0) 0)"),
        ("(let ((a!1 (+ x 1))) (> a!1 x))", "(let ((bound/1 (+ parameter/0 1))) (> bound/1 parameter/0))"),
        ("(let ((x (+ x 1))) (> x 0))", "(let ((bound/1 (+ parameter/0 1))) (> bound/1 0))"),
        ("(forall ((x Int)) (> x y!2))", "(forall ((bound/1 Int)) (> bound/1 parameter/1))"),
        ("(bvule x (_ bv7 32))", "(bvule parameter/0 (_ bv7 32))"),
        ("(= ((_ extract 7 0) x) #x0f)", "(= ((_ extract 7 0) parameter/0) #x0f)"),
        ("(= x ((as const (Array Int Int)) 0))", "(= parameter/0 ((as const (Array Int Int)) 0))"),
    ],
)
def test_a_formula_is_admitted_with_its_symbols_renamed(text: str, expected: str) -> None:
    assert str(admitted(text, NAMES)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        ")",
        "()",
        "true false",
        "true) (check-sat) (assert true",
        "(= x 0) ; comment",
        "z",
        "(f x)",
        "(x)",
        "(assert (= x 0))",
        "(push 1)",
        "(declare-const a Int)",
        "(! (= x 0) :named a)",
        "(let ((a 1) (a 2)) (= a x))",
        "(let ((a 1)) b)",
        "(forall ((a Real)) (= a a))",
        '(= x "text")',
        "(_ x 3)",
        "(_ bv7 |32) (exit|)",
        "((_ extract 7) x)",
        "|x\\|",
        "(= x \u0661)",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(MalformedError):
        admitted(text, NAMES)


def test_what_is_nested_without_end_is_refused() -> None:
    with pytest.raises(MalformedError, match="deeply"):
        parsed("(" * 100000)
