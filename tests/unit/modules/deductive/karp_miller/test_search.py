"""The search that counts threads proves systems with finite data, for any number of threads."""

from collections.abc import Callable

import pytest

from cseq.modules.deductive.karp_miller.search import prove, searches
from cseq.modules.deductive.transitions import Edge, System
from tests.support import systems
from tests.support.permits import readers_and_writers, semaphore


def exclusion(buggy: bool) -> System:
    return readers_and_writers(1, buggy)


FINITE: dict[str, Callable[[bool], System]] = {
    "peterson": systems.peterson,
    "test_and_set": systems.test_and_set,
    "readers_and_writers": exclusion,
}


@pytest.mark.parametrize("name", FINITE)
def test_a_finite_system_is_proved_and_its_twin_is_not(name: str) -> None:
    assert prove(FINITE[name](False), 10).answer == "proved"
    twin = prove(FINITE[name](True), 10)
    assert twin.proof is None and twin.answer in ("refuted", "unknown")


@pytest.mark.parametrize("make", [lambda buggy: semaphore(3, buggy), lambda buggy: readers_and_writers(3, buggy)])
def test_numbers_of_threads_are_known(make: Callable[[bool], System]) -> None:
    assert [found.safe for found in searches(make(False), 10)][-1] is True
    assert [found.safe for found in searches(make(True), 10)][-1] is False


def test_proofs_that_need_numbers_need_ghost_variables() -> None:
    attempt = prove(semaphore(2), 10)
    assert attempt.answer == "unknown" and attempt.proof is None and attempt.reason


def test_a_coarse_search_is_enough_where_the_exact_one_has_no_end() -> None:
    system = systems.test_and_set()
    hits = systems.shared("hits")
    counting = [systems.put(hits, systems.apply(hits, "+", 1))]
    system.shared.append(hits)
    system.initial["hits"] = 0
    system.templates[1].edges += [Edge(4, 4, tuple(counting)), Edge(4, 4, (systems.assume(hits, "==", 5),))]
    (found,) = searches(system, 10)
    assert found.safe and found.search.is_coarse and "hits" in found.search.stepper.forgotten


def test_data_without_bounds_is_not_proved() -> None:
    assert prove(systems.ticket(), 0.4).answer in ("timeout", "unknown")
    attempt = prove(systems.counter(), 2)
    assert attempt.answer == "unknown" and attempt.reason == "a check may fail for some values"


def test_the_time_is_kept() -> None:
    attempt = prove(systems.pair(), 0.2)
    assert attempt.answer == "timeout" and attempt.seconds < 2
