"""Models that solvers print, and what becomes of them."""

from textwrap import dedent

import pytest

from cseq.modules.deductive.horn.models import Model, UnreadableError, parsed, printed

MODEL = dedent(
    """
    (
      ; a comment
      (define-fun I.main.0 ((x!0 Int) (x!1 Bool)) Bool
        (let ((a!1 (not (<= x!0 0)))) (! (and a!1 x!1 (helper (+ x!0 1))) :weight 0)))
      (define-fun helper ((x!0 Int)) Bool (implies (> x!0 limit) (exists ((a Int)) (= a x!0))))
      (define-fun limit () Int 7)
      (define-fun strange ((x!0 Int)) Bool (= (select (lambda ((a Int)) a) 0) x!0))
      (define-fun endless ((x!0 Int)) Bool (endless x!0))
      (define-fun bits ((x!0 (_ BitVec 8))) Bool (bvule ((_ extract 3 0) x!0) (_ bv3 4)))
      (define-fun cells ((x!0 (Array Int Int))) Bool (= x!0 ((as const (Array Int Int)) 0)))
    )
    """
)


def test_functions_of_a_model_are_replaced_by_what_they_are() -> None:
    model = Model.read(MODEL)
    assert model.applied("I.main.0", ["a!1", "b"]) == (
        "(let (($b1 (not (<= a!1 0)))) (and $b1 b "
        "(let (($b2 (+ a!1 1))) (=> (> $b2 7) (exists (($b3 Int)) (= $b3 $b2))))))"
    )


def test_a_function_of_other_arguments_is_refused() -> None:
    with pytest.raises(UnreadableError, match="`helper` of 1 arguments in a model"):
        Model.read(MODEL).applied("helper", [])


def test_bit_vectors_and_constant_arrays_stay() -> None:
    model = Model.read(MODEL)
    assert model.applied("bits", ["u"]) == "(bvule ((_ extract 3 0) u) (_ bv3 4))"
    assert model.applied("cells", ["c"]) == "(= c ((as const (Array Int Int)) 0))"


def test_what_the_model_leaves_out_is_true() -> None:
    assert Model.read("(model (define-fun p () Bool false))").applied("p", []) == "false"
    assert Model.read("(model)").applied("p", ["x"]) == "true"


@pytest.mark.parametrize(
    ("name", "message"), [("strange", "`lambda` in a model"), ("endless", "a recursive function in a model")]
)
def test_what_not_every_solver_understands_is_refused(name: str, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        Model.read(MODEL).applied(name, ["x"])


@pytest.mark.parametrize("text", ["(a (b)", "(a))"])
def test_parentheses_have_to_match(text: str) -> None:
    with pytest.raises(UnreadableError, match="parenthesis"):
        parsed(text)


def test_what_is_read_is_printed_alike() -> None:
    text = "(assert (forall ((x Int)) (=> (p x (- 1)) false)))"
    assert [printed(node) for node in parsed(text)] == [text]
