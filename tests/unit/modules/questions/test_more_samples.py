"""Searches that are repeated with more samples of the inputs."""

from __future__ import annotations

from cseq.model.claims import Cut, Limit
from cseq.model.verdict import Bound, Outcome, Reason, Verdict
from cseq.modules.questions.more_samples import with_more_samples

SAMPLED = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(Cut(Limit.SAMPLED, 3, "x.c:1"))])
FOUND = Outcome(Verdict.FALSE)


def asked(outcomes: list[Outcome], left: float | None = None) -> tuple[Outcome, list[object]]:
    """The outcome, and the numbers with which searches ran."""
    seen: list[object] = []

    def run(values: dict[str, object]) -> Outcome:
        seen.append(values.get("sampling", 0))
        return outcomes[len(seen) - 1]

    return with_more_samples(run, {}, lambda: left), seen


def test_it_is_repeated_until_something_is_found():
    assert asked([SAMPLED, FOUND]) == (FOUND, [0, 1])
    assert asked([SAMPLED] * 3) == (SAMPLED, [0, 1, 2])


def test_nothing_is_repeated_without_samples_or_without_time():
    assert asked([FOUND]) == (FOUND, [0])
    assert asked([SAMPLED], left=0.0)[1] == [0]


def test_a_search_that_does_not_end_says_less_than_the_one_before():
    assert asked([SAMPLED, Outcome(Verdict.UNKNOWN, Reason.TIMEOUT)]) == (SAMPLED, [0, 1])
