"""Outcomes: exit statuses, the answer for one property, and one answer for several."""

import pytest

from cseq.model.claims import Cut, Limit
from cseq.model.verdict import Bound, Outcome, Reason, Verdict, limits, summed

PROVED = Outcome(Verdict.TRUE, property="proved")
VIOLATED = Outcome(Verdict.FALSE, property="violated")
BOUNDED = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, property="bounded")
LATE = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, property="late")


@pytest.mark.parametrize(
    "outcome, status",
    [
        (PROVED, 0),
        (BOUNDED, 0),
        (Outcome(Verdict.UNKNOWN, Reason.UNWINDING), 0),
        (VIOLATED, 1),
        (LATE, 3),
        (Outcome(Verdict.UNKNOWN), 3),
        (summed([PROVED, VIOLATED, LATE]), 1),
        (summed([PROVED, BOUNDED, LATE]), 3),
        (summed([PROVED, BOUNDED]), 0),
    ],
)
def test_exit_status(outcome: Outcome, status: int) -> None:
    assert outcome.exit_status == status


def test_a_violation_outweighs_what_is_not_known_and_that_a_proof() -> None:
    assert summed([PROVED, LATE, VIOLATED]).verdict is Verdict.FALSE
    assert summed([PROVED, LATE]).reason is Reason.TIMEOUT
    assert summed([PROVED, PROVED]).verdict is Verdict.TRUE
    assert summed([LATE]) is LATE


def test_the_sum_has_what_its_parts_have_each_once() -> None:
    cut, other = Bound("rounds", 2, Cut(Limit.ROUNDS, 2)), Bound("unwinding", 1, Cut(Limit.LOOP, 1))
    parts = [Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[cut], solvers=["a"]),
             Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[cut, other], solvers=["b", "a"])]  # fmt: skip
    both = summed(parts)
    assert (both.bounds, both.solvers, both.property) == ([cut, other], ["a", "b"], "")
    assert both.all() == parts


def test_the_answer_for_one_property() -> None:
    both = summed([PROVED, VIOLATED])
    assert both.of("violated") is VIOLATED
    assert PROVED.of("proved") is PROVED
    with pytest.raises(KeyError):
        both.of("bounded")


def test_bounds_in_words() -> None:
    assert limits({"rounds": 1, "unwind": 2, "bits_of_it": 3}) == "1 round, unwind 2, bits-of-it 3"
