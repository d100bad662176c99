"""A counting search knows how many threads there are, and who is named by shared variables."""

import time
from math import inf

import pytest

from cseq.modules.deductive.karp_miller.search import search
from cseq.modules.deductive.karp_miller.states import ForgetError, KarpMillerSearch, Precision, covers
from cseq.modules.deductive.karp_miller.steps import Stepper
from cseq.modules.deductive.transitions import Read, System
from tests.support.permits import semaphore
from tests.support.systems import apply, assume, check, local, many, one_each, put, shared, template

EXACT = Precision(inf, 1000, 10_000)


def later() -> float:
    return time.monotonic() + 60


def owners(main: list[str] | None, release: bool) -> System:
    """Threads that take a lock by their identity, see that it is theirs, and give it back; or give it back first."""
    owner = shared("owner")
    mine = Read(local("worker", "id"))
    give, look = [put(owner, 0)], [check(owner, "==", mine)]
    worker = template(
        "worker",
        None,
        [
            (0, 1, [assume(owner, "==", 0), put(owner, mine)]),
            (1, 2, give if release else look),
            (2, 0, look if release else give),
        ],
    )
    return System([owner], {"owner": 0}, [many("worker") if main is None else one_each(*main), worker])


@pytest.mark.parametrize("main", [None, ["worker"], ["worker", "worker"]])
def test_an_owner_is_the_thread_that_it_names(main: list[str] | None) -> None:
    assert search(owners(main, release=False), EXACT, later()).safe
    found = search(owners(main, release=True), EXACT, later())
    assert found.safe is False and found.exact


def test_the_name_of_one_thread_is_overwritten_by_another() -> None:
    owner = shared("owner")
    mine = Read(local("worker", "id"))
    worker = template("worker", None, [(0, 1, [put(owner, mine)]), (1, 2, [check(owner, "==", mine)])])
    alone = System([owner], {"owner": 0}, [one_each("worker"), worker])
    two = System([owner], {"owner": 0}, [one_each("worker", "worker"), worker])
    assert search(alone, EXACT, later()).safe
    assert search(two, EXACT, later()).safe is False


def test_a_repeated_creation_makes_any_number_of_threads() -> None:
    found = search(semaphore(2), EXACT, later())
    assert found.safe and any(number == inf for node in found.states for number in node.counts.values())
    assert not found.search.is_coarse


def test_a_bounded_number_of_threads_is_exact() -> None:
    total = shared("total")

    def system(limit: int) -> System:
        worker = template("worker", None, [(0, 1, [put(total, apply(total, "+", 1)), check(total, "<=", limit)])])
        return System([total], {"total": 0}, [one_each(*["worker"] * 3), worker])

    assert search(system(3), EXACT, later()).safe
    found = search(system(2), EXACT, later())
    assert found.safe is False and found.exact
    coarse = search(system(3), Precision(1, 1000, 10_000), later())
    assert coarse.safe is False and not coarse.exact


def test_a_variable_with_many_values_is_forgotten() -> None:
    x, y = shared("x"), shared("y")
    worker = template("worker", None, [(0, 0, [put(x, apply(x, "+", 1)), put(y, 1)]), (0, 1, [check(y, "<=", 1)])])
    main = template("main", 0, [(0, 1, [check(x, ">=", 0)])])
    system = System([x, y], {"x": 0, "y": 0}, [many("worker"), worker])
    assert search(system, Precision(inf, 5, 10_000), later()).safe
    about = System([x, y], {"x": 0, "y": 0}, [main, worker])
    main.edges[:] = [*many("worker").edges, *main.edges]
    with pytest.raises(ForgetError, match="x"):
        KarpMillerSearch(Stepper(about), Precision(inf, 5, 10_000), later()).run()
    found = search(about, Precision(inf, 5, 10_000), later())
    assert found.safe is False and not found.exact


def test_more_threads_cover_fewer() -> None:
    assert covers({1: 2, 2: inf}, {1: 1, 2: 7})
    assert not covers({1: 2}, {2: 1})
    assert not covers({1: 2, 2: 1}, {1: 3})
