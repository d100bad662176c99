"""Edges as formulas."""

from collections.abc import Sequence

from cseq.modules.deductive.horn.edge_formulas import LONG, EdgeFormula, EdgeFormulas
from cseq.modules.deductive.horn.integers import Integers
from cseq.modules.deductive.horn.slices import sliced
from cseq.modules.deductive.transitions import Action, Create, Element, Havoc, Read, System
from tests.support.systems import INT, Array, apply, assume, check, local, put, shared, template

X, Y, CELLS = shared("x"), shared("y"), shared("cells", Array(INT, 9))
A, B, NUMBER = local("main", "a"), local("main", "b"), local("worker", "number")


def executed(actions: Sequence[Action], exact: bool = False) -> EdgeFormula:
    """The step that does *actions*, of a thread with the suffix `!1`; everything in it matters."""
    look = [check(X, "==", Y), check(Element(CELLS, Read(A)), "==", B)]
    worker = template("worker", None, [(0, 1, [check(NUMBER, "==", X)])], [NUMBER])
    main = template("main", 0, [(0, 1, actions), (1, 2, look)], [A, B])
    system = System([X, Y, CELLS], {}, [main, worker])
    return EdgeFormulas(sliced(system, exact), Integers(exact)).step(main.edges[0], "!1")


def test_values_flow_from_action_to_action() -> None:
    step = executed([put(A, X), put(X, Y), put(Y, A)])
    assert step.after == {A: "x", X: "y", Y: "x"}
    assert (step.path, step.failures, step.created) == ([], [], [])


def test_what_is_the_same_afterwards_has_not_changed() -> None:
    assert executed([put(A, X), put(X, 1), put(X, A)]).after == {A: "x"}


def test_locals_have_the_suffix_of_their_thread() -> None:
    assert executed([put(X, A), assume(B, ">", 2)]).after == {X: "main_a!1"}
    assert executed([put(X, A), assume(B, ">", 2)]).path == ["(> main_b!1 2)"]


def test_any_value_is_one_of_its_type() -> None:
    step = executed([Havoc(Read(X)), Havoc(Element(CELLS, Read(Y)))])
    assert step.after == {X: "x$any1!1", CELLS: "(store cells y cells$any2!1)"}
    assert step.path[0] == "(and (<= (- 2147483648) x$any1!1) (<= x$any1!1 2147483647))"


def test_what_fails_does_so_after_what_was_before_it() -> None:
    step = executed([assume(X, ">", 0), check(Y, ">", X), put(X, apply(Y, "+", 1))], exact=True)
    assert step.path == ["(> x 0)", "(> y x)", "(<= (+ y 1) 2147483647)"]
    assert step.failures == [(1, "(not (> y x))"), (2, "(not (<= (+ y 1) 2147483647))")]


def test_long_terms_get_a_name() -> None:
    step = executed([put(X, apply(X, "+", Y)) for _ in range(12)])
    assert len(step.after[X]) <= LONG
    assert all(text.startswith("(= x$") for text in step.path)


def test_new_threads_get_arguments() -> None:
    step = executed([put(A, 3), Create("worker", ((NUMBER, apply(A, "+", 1)),))])
    assert step.created == [("worker", {NUMBER: "4"})]


def test_what_contradicts_itself_is_no_path() -> None:
    step = executed([assume(X, ">", 4), assume(X, "<", 4)])
    assert step.path == ["(> x 4)", "(< x 4)", "false"]


def test_only_values_at_the_beginning_have_to_be_within_their_types() -> None:
    assert executed([Havoc(Read(X)), put(Y, apply(X, "+", A))]).reads == {A}
