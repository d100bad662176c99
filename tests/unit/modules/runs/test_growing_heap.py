"""The heap of explicit-state searches grows where it is too small."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.base.claims import Cut, Limit
from cseq.base.errors import UnsupportedError
from cseq.base.verdict import Bound, Outcome, Reason, Verdict
from cseq.modules.runs.growing_heap import with_enough_heap


def searching(needed: int, tried: list[int], beyond: Callable[[], Outcome] | None = None) -> Callable[..., Outcome]:
    """A search of a program that allocates *needed* bytes. beyond: what happens with 1000 bytes and more."""

    def run(values: dict[str, object]) -> Outcome:
        size = int(str(values.get("heap") or 128))
        tried.append(size)
        if size < needed and not (beyond and size >= 1000):
            return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(Cut(Limit.HEAP, size))])
        return beyond() if beyond else Outcome(Verdict.TRUE)

    return run


def test_the_search_begins_again_until_the_heap_is_large_enough() -> None:
    tried: list[int] = []
    assert with_enough_heap(searching(4096, tried), {"heap": None}).verdict is Verdict.TRUE
    assert tried == [128, 1024, 8192]


def test_the_user_s_bound_stays() -> None:
    tried: list[int] = []
    outcome = with_enough_heap(searching(4096, tried), {"heap": 256})
    assert (outcome.verdict, tried) == (Verdict.UNKNOWN, [256])


def test_it_grows_up_to_a_limit() -> None:
    tried: list[int] = []
    outcome = with_enough_heap(searching(10**9, tried), {})
    assert (outcome.verdict, tried[-1]) == (Verdict.UNKNOWN, 1 << 16)


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.MEMORY])
def test_the_last_search_that_came_to_an_end_counts(reason: Reason) -> None:
    tried: list[int] = []
    outcome = with_enough_heap(searching(10**9, tried, lambda: Outcome(Verdict.UNKNOWN, reason)), {})
    assert (outcome.reason, outcome.bounds[0].value, tried) == (Reason.BOUNDED, 128, [128, 1024])


def test_a_refusal_with_more_heap_is_a_warning() -> None:
    def refuse() -> Outcome:
        raise UnsupportedError("memory is read before it is written")

    outcome = with_enough_heap(searching(10**9, [], refuse), {})
    assert (outcome.verdict, outcome.exit_status) == (Verdict.UNKNOWN, 0)
    assert str(outcome.warnings[0]) == "with --heap 1024 there is no answer: memory is read before it is written"
