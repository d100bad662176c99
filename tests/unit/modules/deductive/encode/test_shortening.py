"""Edges without what only passes values on."""

from cseq.model.claims import Claim, Kind
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import equal
from cseq.modules.deductive.encode.shortening import shortened
from cseq.modules.deductive.live_locals import live_locals

X, L, K = ts.Variable("x", ts.INT), ts.Variable("l", ts.INT, template="t"), ts.Variable("k", ts.INT, template="t")
CLAIM = Claim(Kind.ASSERTION)


def put(variable, value):
    return ts.Assign(ts.Read(variable), ts.Number(value) if isinstance(value, int) else value)


def plus(variable, number=1):
    return ts.Apply(ts.Operator.ADD, (ts.Read(variable), ts.Number(number)), ts.INT)


def template(*edges, locations=3):
    return ts.Template(
        "t", 0, 1, locations={n: ts.Location(n) for n in range(locations)}, edges=[ts.Edge(*edge) for edge in edges]
    )


def after(*edges, initial=None, locations=3):
    made = template(*edges, locations=locations)
    shortened(made, initial)
    return [(edge.source, edge.target, edge.actions) for edge in made.edges]


def test_locals_that_only_pass_a_value_on_are_gone():
    actions = (put(L, ts.Read(X)), put(K, plus(L)), put(X, ts.Read(K)))
    assert after((0, 1, actions)) == [(0, 1, (put(X, plus(X)),))]


def test_a_value_that_has_changed_since_is_not_used():
    actions = (put(L, ts.Read(X)), put(X, 5), ts.Check(equal(ts.Read(L), ts.Number(1)), CLAIM))
    assert after((0, 1, actions)) == [(0, 1, actions)]
    actions = (put(L, ts.Read(X)), ts.Havoc(ts.Read(X)), ts.Check(equal(ts.Read(L), ts.Number(1)), CLAIM))
    assert after((0, 1, actions)) == [(0, 1, actions)]


def test_locals_that_are_read_later_stay():
    edges = ((0, 1, (put(L, 3), put(K, 4))), (1, 2, (put(X, ts.Read(L)),)))
    assert after(*edges) == [(0, 1, (put(L, 3),)), edges[1]]
    assert live_locals(template(*edges))[1] == {L}


def test_what_is_stored_in_shared_variables_stays():
    assert after((0, 1, (put(X, 3), put(X, plus(X))))) == [(0, 1, (put(X, 3), put(X, 4)))]


def test_the_initial_values_are_known_where_main_begins():
    asked = ts.Check(equal(ts.Read(X), ts.Number(0)), CLAIM)
    assert after((0, 1, (asked, put(X, 1))), initial={X: 0}) == [(0, 1, (put(X, 1),))]
    again = after((0, 1, (asked, put(X, 1))), (1, 0, (put(X, 2),)), initial={X: 0})
    assert again[0][2] == (asked, put(X, 1))  # control comes back there


def test_an_edge_that_cannot_be_taken_is_dropped_unless_it_alone_checks_something():
    asked = ts.Check(equal(ts.Read(X), ts.Number(0)), CLAIM)
    dead = (put(L, 1), ts.Assume(equal(ts.Read(L), ts.Number(2))), put(X, 1))
    assert after((0, 1, dead), (0, 2, (put(X, 2),))) == [(0, 2, (put(X, 2),))]
    ((_, _, actions),) = after((0, 1, (asked, *dead)))
    assert actions[0] == asked and isinstance(actions[-1], ts.Assume)
    assert after((0, 1, (asked, *dead)), (0, 2, (asked, put(X, 2)))) == [(0, 2, (asked, put(X, 2)))]


def test_locations_that_do_nothing_are_skipped_and_the_numbers_have_no_gaps():
    made = template((0, 1, ()), (1, 2, (put(X, 1),)), (2, 1, (put(X, 2),)))
    shortened(made)
    assert [(edge.source, edge.target) for edge in made.edges] == [(0, 1), (1, 0)]
    assert made.start == 0 and sorted(made.locations) == [0, 1]
