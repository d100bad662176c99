"""The steps of one thread in a counting search."""

import pytest

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.karp_miller.steps import Stepper, Steps
from cseq.modules.deductive.karp_miller.values import ANY
from cseq.modules.deductive.relevance import irrelevant
from tests.support.systems import INT, UCHAR, alone, apply, assume, check, local, one_each, put, shared, template

X, Y, B = shared("x"), shared("y"), shared("b", ts.BOOL)
A = shared("a", ts.Array(INT, 3))


def steps(actions: list[ts.Action], **initial: int) -> Steps:
    """The steps of a main that does *actions* and looks at everything afterwards."""
    looks: list[ts.Action] = [assume(variable, "==", variable) for variable in (X, Y, B)]
    looks += [assume(ts.Element(A, ts.Number(index)), "==", 0) for index in range(3)]
    system = ts.System([X, Y, B, A], dict(initial), [template("main", 0, [(0, 1, actions), (1, 2, looks)])])
    stepper = Stepper(system)
    return stepper.steps(*stepper.first())


def values(found: Steps, variable: ts.Variable = X) -> set[object]:
    slot = {"x": 0, "y": 1, "b": 2, "a": 3}[variable.name]
    return {outcome.shared[slot] for outcome in found.outcomes}


def test_inputs_with_few_values_are_tried() -> None:
    assert values(steps([ts.Havoc(ts.Read(X)), assume(X, ">=", 2), assume(X, "<", 5)])) == {2, 3, 4}
    assert values(steps([ts.Havoc(ts.Read(B))]), B) == {0, 1}
    assert values(steps([ts.Havoc(ts.Read(X)), assume(X, ">=", 2)])) == {ANY}
    assert values(steps([ts.Havoc(ts.Read(X)), check(X, ">=", 0), assume(X, "==", 1)])) == {1}
    assert steps([ts.Havoc(ts.Read(X)), check(X, ">=", 0), assume(X, "==", 1)]).failing


def test_conditions_tell_values() -> None:
    assert values(steps([assume(X, "==", 7)])) == {7}
    assert values(steps([ts.Assume(ts.Read(B))]), B) == {1}
    assert values(steps([ts.Assume(ts.Apply(ts.Operator.NOT, (ts.Read(B),), ts.BOOL))]), B) == {0}
    assert values(steps([assume(B, "!=", ts.Number(0, ts.BOOL)), put(X, 1)]), B) == {1}
    both = apply(apply(X, "==", 1), "&&", apply(Y, "==", 2))
    assert values(steps([ts.Assume(both)]), Y) == {2}
    assert values(steps([ts.Assume(ts.Apply(ts.Operator.NOT, (both,), ts.BOOL))]), Y) == {ANY}


def test_impossible_edges_are_not_taken() -> None:
    assert not steps([assume(X, "==", 1)], x=0).outcomes
    assert steps([assume(X, "==", 1)], x=1).outcomes
    assert steps([check(X, "==", 1)], x=0).failing and not steps([check(X, "==", 1)], x=1).failing


def test_an_element_that_is_not_known_may_be_each() -> None:
    found = steps([put(ts.Element(A, ts.Read(X)), 5)], a=0)
    assert found.outcomes[0].shared[3:6] == (ANY, ANY, ANY)
    found = steps([put(ts.Element(A, ts.Read(X)), 5)], a=0, x=1)
    assert found.outcomes[0].shared[3:6] == (0, 5, 0)
    assert values(steps([put(X, ts.Element(A, ts.Read(Y)))], a=4)) == {ANY}


def test_what_is_not_read_any_more_does_not_count() -> None:
    own = local("main", "own")
    system = ts.System(
        [X], {"x": 0}, [template("main", 0, [(0, 1, [ts.Havoc(ts.Read(own)), put(X, own)]), (1, 1, [])], [own])]
    )
    assert irrelevant(system) == {"x", "main_own"}
    read = ts.System([X], {"x": 0}, [template("main", 0, [(0, 1, [put(own, 3)]), (1, 2, [assume(own, "==", 3)]),
                                                       (2, 2, [assume(X, "==", 0)])], [own])])  # fmt: skip
    stepper = Stepper(read)
    shared_, main = stepper.first()
    after = stepper.steps(shared_, main).outcomes[0].thread
    assert after is not None and after.values == (3,)
    last = stepper.steps(shared_, after).outcomes[0].thread
    assert last is not None and last.values == (ANY,)


def test_a_thread_begins_with_its_arguments() -> None:
    number = local("worker", "number")
    worker = template("worker", None, [(0, 1, [check(number, "==", 3)])], [number])
    main = template("main", 0, [(0, 1, [ts.Create("worker", ((number, ts.Number(3)),))])])
    stepper = Stepper(ts.System([], {}, [main, worker]))
    (begun,) = stepper.steps(*stepper.first()).outcomes[0].created
    assert begun.values[0] == 3 and not stepper.steps((), begun).failing
    without = Stepper(ts.System([], {}, [one_each("worker"), worker]))
    (begun,) = without.steps(*without.first()).outcomes[0].created
    assert begun.values[0] is ANY and without.steps((), begun).failing


@pytest.mark.parametrize(("number", "holds"), [(127, True), (255, False)])
def test_arithmetic_wraps_around(number: int, holds: bool) -> None:
    x = shared("x", UCHAR)
    system = alone([x], [assume(x, "==", number), check(apply(x, "+", 1), ">", x)])
    stepper = Stepper(system)
    assert stepper.steps(*stepper.first()).failing != holds
