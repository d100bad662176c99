"""What one thread knows, or two, is closed under the steps of the others."""

import time
from math import inf

import pytest

from cseq.modules.deductive.karp_miller.closure import PairViews, SingleViews
from cseq.modules.deductive.karp_miller.formulas import TooWeakError
from cseq.modules.deductive.karp_miller.search import search
from cseq.modules.deductive.karp_miller.states import KarpMillerSearch, Precision
from cseq.modules.deductive.transitions import System
from tests.support import systems
from tests.support.permits import semaphore
from tests.support.systems import assume, check, many, put, shared, template


def searched(system: System) -> KarpMillerSearch:
    found = search(system, Precision(inf, 1000, 10_000), time.monotonic() + 60)
    assert found.safe
    return found.search


def flag() -> System:
    """Threads raise a flag and find it raised; nobody takes it down."""
    raised = shared("raised")
    worker = template("worker", None, [(0, 1, [put(raised, 1)]), (1, 0, [check(raised, "==", 1)])])
    return System([raised], {"raised": 0}, [many("worker"), worker])


def test_one_thread_knows_enough_of_a_flag_that_stays() -> None:
    views = SingleViews(searched(flag())).close()
    assert {len(view) for view in views} == {2}


def test_two_threads_know_that_they_exclude_each_other() -> None:
    with pytest.raises(TooWeakError, match="not enough"):
        SingleViews(searched(systems.test_and_set())).close()
    found = searched(systems.test_and_set())
    inside = {
        number for number, local in enumerate(found.locals) if local.template == 1 and local.location in (2, 3, 4)
    }
    pairs = [view[1:] for view in PairViews(found).close() if len(view) == 3]
    assert pairs and not any(inside.issuperset(pair) for pair in pairs)


def test_two_threads_do_not_know_how_many_there_are() -> None:
    with pytest.raises(TooWeakError):
        PairViews(searched(semaphore(2))).close()


def test_the_only_thread_of_a_template_is_not_beside_itself() -> None:
    raised = shared("raised")
    main = template("main", 0, [(0, 1, [assume(raised, "==", 0), put(raised, 1)]), (1, 0, [put(raised, 0)])])
    views = PairViews(searched(System([raised], {"raised": 0}, [main]))).close()
    assert {len(view) for view in views} == {2}
