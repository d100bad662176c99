"""What invariants may speak of."""

from cseq.modules.deductive.counters import counted
from cseq.modules.deductive.live_locals import live_locals
from cseq.modules.deductive.transitions import System, Template
from cseq.modules.deductive.vocabulary import Frame, Vocabulary
from tests.support import counted_systems, systems


def frame(system: System, name: str, location: int, wide: bool = False) -> Frame:
    """The frame of a location."""
    template: Template = system.template(name)
    return Vocabulary(system, wide).frame(template, location, live_locals(template)[location])


def names(found: Frame) -> list[str]:
    return [variable.name for variable in found.variables]


def guards(found: Frame) -> list[tuple[dict[str, int], str, int]]:
    """The guards but for the first."""
    return [
        ({found.variables[index].name: factor for factor, index in guard.terms}, guard.sign, guard.value)
        for guard in found.guards[1:]
    ]


def test_locals_matter_until_they_are_read_for_the_last_time() -> None:
    system = systems.counter()
    assert names(frame(system, "worker", 1)) == ["owner", "little", "large", "worker_id"]
    assert names(frame(system, "worker", 2)) == ["owner", "little", "large", "worker_amount", "worker_id"]
    assert "worker_amount" not in names(frame(system, "worker", 3))


def test_what_is_never_read_is_left_out() -> None:
    x, y = systems.shared("x"), systems.shared("y")
    system = systems.alone([x, y], [systems.put(x, y)])
    assert names(frame(system, "main", 0)) == ["y"]


def test_locks_are_guards() -> None:
    found = guards(frame(systems.counter(), "worker", 1))
    assert found == [({"owner": 1}, "=", 0), ({"owner": 1, "worker_id": -1}, "=", 0)]
    assert guards(frame(systems.counter(), "main", 0)) == [({"owner": 1}, "=", 0)]


def test_flags_are_guards_and_counters_are_not() -> None:
    found = guards(frame(systems.test_and_set(), "main", 0))
    assert found == [({"taken": 1}, "=", 0), ({"taken": 1}, "=", 1), ({"inside": 1}, "=", 0), ({"inside": 1}, "=", 1)]
    assert guards(frame(counted_systems.all_have_arrived(), "worker", 1)) == []


def test_comparisons_are_guards_of_wide_vocabularies() -> None:
    found = guards(frame(counted_systems.one_each_up_to_n(), "main", 1, wide=True))
    assert ({"n": -1}, "<", 0) in found  # n >= 0
    assert ({"n": 1}, "<", -1) in found
    assert ({"main_i": 1, "n": -1}, "<", -1) in found  # i < n
    assert ({"main_i": -1, "n": 1}, "<", 0) in found


def test_bounds_are_constants_of_the_program_and_their_neighbours() -> None:
    thresholds = Vocabulary(counted_systems.at_most_five(), False).thresholds
    assert {4, 5, 6, 0, 1, -1} <= set(thresholds)
    assert thresholds == sorted(thresholds)
    assert 50 not in thresholds


def test_shared_variables_are_compared_with_the_threads_that_have_changed_them() -> None:
    system = counted(counted_systems.all_have_arrived())
    found = frame(system, "main", 3)
    sums = [{found.variables[index].name: factor for factor, index in terms} for terms in found.bounded]
    at = "__cs_at_worker_"
    assert {"prepared": 1, f"{at}1": -1, f"{at}2": -1} in sums
    assert {"arrived": 1, f"{at}2": -1} in sums
