"""What is being done, in words."""

import pytest

from cseq.model.activity import Activity, ActivityKind, Amount, Phase, phase
from cseq.report.activity_words import activity_in_words, phase_in_words

SEARCHED = ((Amount.STATES, 1_234_567.0), (Amount.STATES_PER_SECOND, 81_000.4), (Amount.DEPTH, 41), (Amount.WAITING, 7))
SOLVING = Activity(ActivityKind.SOLVING, ((Amount.STEPS, 44), (Amount.VARIABLES, 50), (Amount.CLAUSES, 51)))
SEVERAL = Phase(
    (("minisat", Activity(ActivityKind.EXECUTING_SYMBOLICALLY)), ("z3", Activity(ActivityKind.SOLVING))), "cbmc"
)


@pytest.mark.parametrize(
    "now, words",
    [
        (phase(ActivityKind.TRANSLATING), "translating"),
        (phase(ActivityKind.MAKING_VERIFIER), "making SPIN's verifier"),
        (phase(ActivityKind.RUNNING, "cbmc"), "cbmc: running"),
        (phase(ActivityKind.SOLVING, "cbmc", about_bounds=True), "cbmc, asked about the bounds: solving"),
        (Phase((("", SOLVING),), "cbmc"), "cbmc: solving (44 steps, 50 variables, 51 clauses)"),
        (SEVERAL, "cbmc: minisat: executing the program symbolically, z3: solving"),
        (
            Phase((("", Activity(ActivityKind.SEARCHING, SEARCHED)),), "native"),
            "native: 1 234 567 states, 81 000 per second, depth 41, 7 waiting",
        ),
    ],
)
def test_phase(now: Phase, words: str) -> None:
    assert phase_in_words(now) == words
    assert phase_in_words(now, "another") == words


def test_an_engine_s_name_is_not_said_twice() -> None:
    assert phase_in_words(phase(ActivityKind.RUNNING, "cbmc"), "cbmc") == "running"
    about = phase(ActivityKind.SOLVING, "cbmc", about_bounds=True)
    assert phase_in_words(about, "cbmc") == "asked about the bounds: solving"


@pytest.mark.parametrize("doing", ActivityKind)
def test_all_that_can_be_done_has_words(doing: ActivityKind) -> None:
    assert activity_in_words(Activity(doing))


@pytest.mark.parametrize("amount", Amount)
def test_all_that_is_counted_has_words(amount: Amount) -> None:
    assert "12" in activity_in_words(Activity(ActivityKind.SOLVING, ((amount, 12),)))
