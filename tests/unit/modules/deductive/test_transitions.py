"""Transition systems: the ranges of types, and what expressions and actions depend on."""

from __future__ import annotations

import pytest

from cseq.modules.deductive.transitions import (
    BOOL,
    INT,
    UNBOUNDED,
    Apply,
    Array,
    Assign,
    Assume,
    Choose,
    Convert,
    Create,
    Edge,
    Element,
    Havoc,
    Number,
    Operator,
    Read,
    Scalar,
    System,
    Template,
    Variable,
    expressions,
    parts,
    read,
    with_expressions,
    written,
)

X, Y, A = Variable("x", INT), Variable("y", INT, template="t"), Variable("a", Array(INT, 3))
SUM = Apply(Operator.ADD, (Read(X), Element(A, Read(Y))), INT)


@pytest.mark.parametrize(
    ("type_", "least", "greatest"),
    [
        (BOOL, 0, 1),
        (INT, -(1 << 31), (1 << 31) - 1),
        (Scalar(8, False), 0, 255),
        (Scalar(64, True), -(1 << 63), (1 << 63) - 1),
    ],
)
def test_the_range_of_a_type(type_, least, greatest):
    assert (type_.least, type_.greatest) == (least, greatest)


@pytest.mark.parametrize(
    ("outer", "inner", "contains"),
    [
        (INT, BOOL, True),
        (INT, Scalar(32, False), False),
        (Scalar(64, True), Scalar(32, False), True),
        (UNBOUNDED, INT, True),
        (INT, UNBOUNDED, False),
        (UNBOUNDED, UNBOUNDED, True),
    ],
)
def test_the_values_of_one_type_within_another(outer, inner, contains):
    assert outer.contains(inner) is contains


def test_the_expressions_of_an_action_are_changed():
    def change(expression):
        return Number(7, expression.type)

    assert with_expressions(Assign(Element(A, Read(Y)), SUM), change) == Assign(Element(A, Number(7)), Number(7))
    assert with_expressions(Havoc(Read(X)), change) == Havoc(Read(X))
    assert with_expressions(Create("t", ((Y, SUM),)), change) == Create("t", ((Y, Number(7)),))
    assert Edge(0, 1, (Havoc(Read(X)), Create("t"))).creations == [Create("t")]


def test_what_an_expression_depends_on():
    whole = Choose(Convert(Read(Y), BOOL), SUM, Number(3))
    assert list(read(whole)) == [Y, X, A, Y]
    assert len(list(parts(whole))) == 8
    assert whole.type == INT and Element(A, Number(0)).type == INT


def test_what_an_action_evaluates_and_changes():
    store = Assign(Element(A, Read(Y)), SUM)
    assert list(expressions(store)) == [Read(Y), SUM] and written(store) == A
    assert list(expressions(Havoc(Read(X)))) == [] and written(Havoc(Read(X))) == X
    assert list(expressions(Create("t", ((Y, SUM),)))) == [SUM]
    assert written(Assume(Read(X))) is None


def test_templates_and_systems():
    edges = [Edge(0, 1, ()), Edge(1, 0, ()), Edge(0, 0, ())]
    main, many = Template("main", 0, 0, edges=edges), Template("t", 0, None)
    system = System([X], {}, [main, many])
    assert list(main.leaving(0)) == [edges[0], edges[2]]
    assert system.main is main and system.template("t") is many
    assert many.is_replicated and not main.is_replicated
    assert X.is_shared and not Y.is_shared
    assert Operator.LE.compares and not Operator.ADD.compares and Operator.NOT.connects
