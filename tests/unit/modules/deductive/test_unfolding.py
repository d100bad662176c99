"""Flags in locations, and locals as shared variables: nothing that threads can do changes."""

import pytest

from cseq.modules.deductive.transitions import Apply, Create, Operator, Read, System
from cseq.modules.deductive.unfolding import exposed, unfolded
from tests.support import counted_systems, systems
from tests.support.interpreter import explore


def test_locations_are_split_where_a_flag_matters() -> None:
    worker = unfolded(systems.test_and_set()).template("worker")
    assert len(worker.locations) == 6  # 0, 1 with either value, 2, 3, 4
    assert len(worker.edges) == 7  # from 0 to each of the two, from each of them where it leads, and three more


def test_the_start_is_not_split() -> None:
    worker = unfolded(systems.test_and_set()).template("worker")
    assert worker.start == 0
    assert 0 in worker.locations


def test_constants_make_a_flag_and_anything_else_does_not() -> None:
    system = counted_systems.at_most_five()
    assert len(unfolded(system).template("worker").locations) == 4
    worker = system.template("worker")
    got = worker.locals[0]
    worker.edges.append(systems.template("worker", None, [(2, 1, [systems.put(got, Read(system.shared[0]))])]).edges[0])
    assert unfolded(system).template("worker") is worker


def test_an_argument_of_threads_is_no_flag_unless_it_is_a_truth_value() -> None:
    system = counted_systems.at_most_five()
    got = system.template("worker").locals[0]
    system.main.edges[0] = systems.template("main", 0, [(0, 0, [Create("worker", ((got, systems.value(7)),))])]).edges[
        0
    ]
    assert unfolded(system).template("worker") is system.template("worker")


def test_locals_of_single_threads_are_shared_and_begin_with_zero() -> None:
    system = exposed(systems.pair())
    assert [variable.name for variable in system.shared] == ["total", "one_done", "two_done"]
    assert system.initial == {"total": 0, "one_done": 0, "two_done": 0}
    assert all(variable.is_shared for variable in system.shared)
    assert system.template("one").locals == []


def test_a_local_that_is_read_first_begins_with_any_value() -> None:
    k = systems.local("main", "k")
    main = systems.template("main", 0, [(0, 1, [systems.check(k, "==", 0)])], [k])
    assert exposed(System([], {}, [main])).initial == {}


def test_arguments_of_single_threads_are_assigned() -> None:
    k, mine = systems.local("one", "k"), systems.local("main", "mine")
    main = systems.template("main", 0, [(0, 1, [systems.put(mine, 4), Create("one", ((k, Read(mine)),))])], [mine])
    for expected, is_safe in ((4, True), (5, False)):
        one = systems.template("one", 1, [(0, 1, [systems.check(k, "==", expected)])], [k])
        found = explore(exposed(System([], {}, [main, one])))
        assert (not found.errors) is is_safe


def small(buggy: bool) -> System:
    """Three threads that take a lock by test and set, once each; in the twin two can be inside."""
    system = systems.test_and_set(buggy)
    system.templates[0] = systems.template("main", 0, [(n, n + 1, [Create("worker")]) for n in range(3)])
    return system


def either_way(buggy: bool) -> System:
    """Two threads that add one to a counter three times each; the twin expects too little."""
    system = systems.pair(buggy)
    least = Apply(Operator.LE, (Read(system.shared[0]), systems.value(5 if buggy else 6)), systems.BOOL)
    main = systems.one_each("one", "two")
    final = systems.template("main", 0, [(2, 3, [systems.Check(least, systems.Claim(systems.Kind.ASSERTION))])])
    main.edges.append(final.edges[0])
    main.locations[3] = final.locations[3]

    def thread(name: str, number: int):  # type: ignore[no-untyped-def]
        done, total = systems.local(name, "done"), system.shared[0]
        loop = [systems.put(total, systems.apply(total, "+", 1)), systems.put(done, systems.apply(done, "+", 1))]
        edges = [(0, 1, [systems.put(done, 0)]), (1, 1, [systems.assume(done, "<", 3), *loop])]
        return systems.template(name, number, edges, [done])

    return System(system.shared, system.initial, [main, thread("one", 1), thread("two", 2)])


@pytest.mark.parametrize("make", [small, either_way])
@pytest.mark.parametrize("buggy", [False, True])
def test_the_same_checks_fail(make, buggy: bool) -> None:  # type: ignore[no-untyped-def]
    system = make(buggy)
    expected = explore(system, first=False)
    assert expected.complete
    assert bool(expected.errors) is buggy
    for changed in (unfolded(system), exposed(system), unfolded(exposed(system))):
        found = explore(changed, first=False)
        assert found.complete
        assert found.states >= expected.states
        assert bool(found.errors) is buggy
