"""What is being done, in words."""

from __future__ import annotations

import pytest

from cseq.model.activity import Activity, Amount, Doing, Phase, phase
from cseq.report.activity_words import activity_in_words, phase_in_words

SEARCHED = ((Amount.STATES, 1_234_567.0), (Amount.STATES_PER_SECOND, 81_000.4), (Amount.DEPTH, 41), (Amount.WAITING, 7))
SOLVING = Activity(Doing.SOLVING, ((Amount.STEPS, 44), (Amount.VARIABLES, 50), (Amount.CLAUSES, 51)))
SEVERAL = Phase((("minisat", Activity(Doing.EXECUTING_SYMBOLICALLY)), ("z3", Activity(Doing.SOLVING))), "cbmc")


@pytest.mark.parametrize(
    "now, words",
    [
        (phase(Doing.TRANSLATING), "translating"),
        (phase(Doing.MAKING_VERIFIER), "making SPIN's verifier"),
        (phase(Doing.RUNNING, "cbmc"), "cbmc: running"),
        (phase(Doing.SOLVING, "cbmc", about_bounds=True), "cbmc, asked about the bounds: solving"),
        (Phase((("", SOLVING),), "cbmc"), "cbmc: solving (44 steps, 50 variables, 51 clauses)"),
        (SEVERAL, "cbmc: minisat: executing the program symbolically, z3: solving"),
        (
            Phase((("", Activity(Doing.SEARCHING, SEARCHED)),), "native"),
            "native: 1 234 567 states, 81 000 per second, depth 41, 7 waiting",
        ),
    ],
)
def test_phase(now: Phase, words: str) -> None:
    assert phase_in_words(now) == words
    assert phase_in_words(now, "another") == words


def test_an_engine_s_name_is_not_said_twice() -> None:
    assert phase_in_words(phase(Doing.RUNNING, "cbmc"), "cbmc") == "running"
    about = phase(Doing.SOLVING, "cbmc", about_bounds=True)
    assert phase_in_words(about, "cbmc") == "asked about the bounds: solving"


@pytest.mark.parametrize("doing", Doing)
def test_all_that_can_be_done_has_words(doing: Doing) -> None:
    assert activity_in_words(Activity(doing))


@pytest.mark.parametrize("amount", Amount)
def test_all_that_is_counted_has_words(amount: Amount) -> None:
    assert "12" in activity_in_words(Activity(Doing.SOLVING, ((amount, 12),)))
