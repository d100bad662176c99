"""Transition systems: the ranges of types, and what expressions and actions depend on."""

import pytest

from cseq.modules.deductive import transitions as ts

X, Y, A = ts.Variable("x", ts.INT), ts.Variable("y", ts.INT, template="t"), ts.Variable("a", ts.Array(ts.INT, 3))
SUM = ts.Apply(ts.Operator.ADD, (ts.Read(X), ts.Element(A, ts.Read(Y))), ts.INT)


@pytest.mark.parametrize(
    ("type_", "least", "greatest"),
    [
        (ts.BOOL, 0, 1),
        (ts.INT, -(1 << 31), (1 << 31) - 1),
        (ts.Scalar(8, False), 0, 255),
        (ts.Scalar(64, True), -(1 << 63), (1 << 63) - 1),
    ],
)
def test_the_range_of_a_type(type_, least, greatest):
    assert (type_.least, type_.greatest) == (least, greatest)


@pytest.mark.parametrize(
    ("outer", "inner", "contains"),
    [
        (ts.INT, ts.BOOL, True),
        (ts.INT, ts.Scalar(32, False), False),
        (ts.Scalar(64, True), ts.Scalar(32, False), True),
        (ts.UNBOUNDED, ts.INT, True),
        (ts.INT, ts.UNBOUNDED, False),
        (ts.UNBOUNDED, ts.UNBOUNDED, True),
    ],
)
def test_the_values_of_one_type_within_another(outer, inner, contains):
    assert outer.contains(inner) is contains


def test_the_expressions_of_an_action_are_changed():
    def change(expression):
        return ts.Number(7, expression.type)

    assert ts.with_expressions(ts.Assign(ts.Element(A, ts.Read(Y)), SUM), change) == ts.Assign(
        ts.Element(A, ts.Number(7)), ts.Number(7)
    )
    assert ts.with_expressions(ts.Havoc(ts.Read(X)), change) == ts.Havoc(ts.Read(X))
    assert ts.with_expressions(ts.Create("t", ((Y, SUM),)), change) == ts.Create("t", ((Y, ts.Number(7)),))
    assert ts.Edge(0, 1, (ts.Havoc(ts.Read(X)), ts.Create("t"))).creations == [ts.Create("t")]


def test_what_an_expression_depends_on():
    whole = ts.Choose(ts.Convert(ts.Read(Y), ts.BOOL), SUM, ts.Number(3))
    assert list(ts.read(whole)) == [Y, X, A, Y]
    assert len(list(ts.parts(whole))) == 8
    assert whole.type == ts.INT and ts.Element(A, ts.Number(0)).type == ts.INT


def test_what_an_action_evaluates_and_changes():
    store = ts.Assign(ts.Element(A, ts.Read(Y)), SUM)
    assert list(ts.expressions(store)) == [ts.Read(Y), SUM] and ts.written(store) == A
    assert list(ts.expressions(ts.Havoc(ts.Read(X)))) == [] and ts.written(ts.Havoc(ts.Read(X))) == X
    assert list(ts.expressions(ts.Create("t", ((Y, SUM),)))) == [SUM]
    assert ts.written(ts.Assume(ts.Read(X))) is None


def test_templates_and_systems():
    edges = [ts.Edge(0, 1, ()), ts.Edge(1, 0, ()), ts.Edge(0, 0, ())]
    main, many = ts.Template("main", 0, 0, edges=edges), ts.Template("t", 0, None)
    system = ts.System([X], {}, [main, many])
    assert list(main.leaving(0)) == [edges[0], edges[2]]
    assert system.main is main and system.template("t") is many
    assert many.is_replicated and not main.is_replicated
    assert X.is_shared and not Y.is_shared
    assert ts.Operator.LE.compares and not ts.Operator.ADD.compares and ts.Operator.NOT.connects
