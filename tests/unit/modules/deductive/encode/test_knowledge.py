"""What is known of variables before anything is proved."""

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import FALSE, equal, negation
from cseq.modules.deductive.encode.flow import Flow, Writer
from cseq.modules.deductive.encode.knowledge import tidied

X, Y = ts.Variable("x", ts.INT), ts.Variable("y", ts.INT)
L, P = ts.Variable("l", ts.INT, template="main"), ts.Variable("p", ts.INT, template="t")


def put(variable, value):
    return ts.Assign(ts.Read(variable), ts.Number(value) if isinstance(value, int) else value)


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
    asked = [ts.Assume(equal(ts.Read(variable), ts.Number(value))) for variable, value in ((X, 0), (Y, 1))]
    assert left(flow(put(X, 0), asked[0], put(Y, ts.Read(X)), asked[1])) == [[ts.Assume(FALSE)]]


def test_a_variable_that_others_change_is_none():
    holds = ts.Assume(equal(ts.Read(X), ts.Number(0)))
    assert left(flow(ts.Create("t"), holds), t=flow(put(X, 1))) == [[ts.Create("t"), holds], [put(X, 1)]]


def test_what_a_thread_does_that_nobody_creates_does_not_count():
    (main, _) = left(flow(ts.Assume(equal(ts.Read(X), ts.Number(0)))), t=flow(put(X, 1)))
    assert main == []


def test_values_that_are_tried_decide_conditions():
    either = ts.Assume(negation(equal(ts.Read(X), ts.Number(5))))
    assert left(flow(ts.Create("t"), either), t=flow(put(X, 1))) == [[ts.Create("t")], []]


def test_a_local_that_is_read_first_has_any_value():
    use = ts.Assume(equal(ts.Read(L), ts.Number(1)))
    assert left(flow(use, put(L, 1))) == [[use]]
    assert left(flow(put(L, 1), use)) == [[]]


def test_arguments_give_parameters_values():
    asked = ts.Assume(equal(ts.Read(P), ts.Number(3)))
    assert left(flow(ts.Create("t", ((P, ts.Number(3)),))), t=flow(asked)) == [[ts.Create("t")], []]
    (_, other) = left(flow(ts.Create("t", ((P, ts.Number(3)),)), ts.Create("t", ((P, ts.Number(4)),))), t=flow(asked))
    assert other == [asked]


def test_any_value_is_no_constant():
    asked = ts.Assume(equal(ts.Read(X), ts.Number(0)))
    assert left(flow(ts.Havoc(ts.Read(X)), asked)) == [[ts.Havoc(ts.Read(X)), asked]]


def test_what_only_changes_itself_is_dropped():
    assert left(flow(put(X, ts.Apply(ts.Operator.ADD, (ts.Read(X), ts.Number(1)), ts.INT)))) == [[]]


def test_branches_that_are_never_taken_are_dropped():
    writer = Writer()
    start = writer.at
    for value, action in ((0, put(Y, 1)), (1, put(Y, 2))):
        writer.at = start
        writer.go_to(writer.new(), equal(ts.Read(X), ts.Number(value)))
        writer.at.actions += [action, ts.Assume(equal(ts.Read(Y), ts.Number(7)))]
    main = Flow(writer.entry)
    tidied({"main": main}, {"x": 0, "y": 0})
    assert len(list(main.nodes())) == 2
