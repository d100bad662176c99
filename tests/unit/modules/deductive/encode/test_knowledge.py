"""What is known of variables before anything is proved."""

from __future__ import annotations

from cseq.modules.deductive.encode.algebra import FALSE, equal, negation
from cseq.modules.deductive.encode.flow import Flow, Writer
from cseq.modules.deductive.encode.knowledge import tidied
from cseq.modules.deductive.transitions import (
    INT,
    Apply,
    Assign,
    Assume,
    Create,
    Havoc,
    Number,
    Operator,
    Read,
    Variable,
)

X, Y = Variable("x", INT), Variable("y", INT)
L, P = Variable("l", INT, template="main"), Variable("p", INT, template="t")


def put(variable, value):
    return Assign(Read(variable), Number(value) if isinstance(value, int) else value)


def flow(*actions):
    writer = Writer()
    writer.at.actions += actions
    return Flow(writer.entry)


def left(main, **others):
    """The actions that are left of main's and of other threads."""
    flows = {"main": main, **others}
    tidied(flows, {"x": 0, "y": 0})
    return [[action for step in one.nodes() for action in step.actions] for one in flows.values()]


def test_a_variable_with_one_value_is_a_constant():
    asked = [Assume(equal(Read(variable), Number(value))) for variable, value in ((X, 0), (Y, 1))]
    assert left(flow(put(X, 0), asked[0], put(Y, Read(X)), asked[1])) == [[Assume(FALSE)]]


def test_a_variable_that_others_change_is_none():
    holds = Assume(equal(Read(X), Number(0)))
    assert left(flow(Create("t"), holds), t=flow(put(X, 1))) == [[Create("t"), holds], [put(X, 1)]]


def test_what_a_thread_does_that_nobody_creates_does_not_count():
    (main, _) = left(flow(Assume(equal(Read(X), Number(0)))), t=flow(put(X, 1)))
    assert main == []


def test_values_that_are_tried_decide_conditions():
    either = Assume(negation(equal(Read(X), Number(5))))
    assert left(flow(Create("t"), either), t=flow(put(X, 1))) == [[Create("t")], []]


def test_a_local_that_is_read_first_has_any_value():
    use = Assume(equal(Read(L), Number(1)))
    assert left(flow(use, put(L, 1))) == [[use]]
    assert left(flow(put(L, 1), use)) == [[]]


def test_arguments_give_parameters_values():
    asked = Assume(equal(Read(P), Number(3)))
    assert left(flow(Create("t", ((P, Number(3)),))), t=flow(asked)) == [[Create("t")], []]
    (_, other) = left(flow(Create("t", ((P, Number(3)),)), Create("t", ((P, Number(4)),))), t=flow(asked))
    assert other == [asked]


def test_any_value_is_no_constant():
    asked = Assume(equal(Read(X), Number(0)))
    assert left(flow(Havoc(Read(X)), asked)) == [[Havoc(Read(X)), asked]]


def test_what_only_changes_itself_is_dropped():
    assert left(flow(put(X, Apply(Operator.ADD, (Read(X), Number(1)), INT)))) == [[]]


def test_branches_that_are_never_taken_are_dropped():
    writer = Writer()
    start = writer.at
    for value, action in ((0, put(Y, 1)), (1, put(Y, 2))):
        writer.at = start
        writer.go_to(writer.new(), equal(Read(X), Number(value)))
        writer.at.actions += [action, Assume(equal(Read(Y), Number(7)))]
    main = Flow(writer.entry)
    tidied({"main": main}, {"x": 0, "y": 0})
    assert len(list(main.nodes())) == 2
