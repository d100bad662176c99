"""Jobs in words."""

from dataclasses import replace

import pytest

from cseq.model.claims import Cut, Limit
from cseq.model.jobrecords import JobEnd, JobName, JobRecord
from cseq.model.verdict import Bound, Level, Outcome, Reason, Tiles, Verdict
from cseq.report import job_words, words
from cseq.report.text.terminal import render
from cseq.report.ways_out import ways_out

PART = JobName("cbmc", "unreach-call", (("rounds", 3), ("unwind", 4)), "3/16")
SEARCH = JobName("native", "unreach-call", search="dfs", seed=4)


def test_which_job_it_is_and_what_became_of_it() -> None:
    assert job_words.record(JobRecord(PART, JobEnd.TIMEOUT, 20)) == (
        "cbmc, 3 rounds, unwind 4, part 3/16: out of time (20.0 s)"
    )
    assert job_words.record(JobRecord(SEARCH, JobEnd.LOST, 2, "w1")) == (
        "native, dfs, seed 4: lost with its worker on w1 (2.0 s)"
    )
    ends = (JobEnd.NOTHING, JobEnd.STOPPED, JobEnd.NOTHING)
    assert job_words.summary([JobRecord(PART, end, 1) for end in ends]) == "3 jobs: 2 no violation, 1 stopped"
    assert job_words.summary([]) == ""


@pytest.mark.parametrize(
    "running, done, waiting, said",
    [
        ([PART] * 5, 12, 23, "parts of 3 rounds, unwind 4: 5 running, 12 of 40 done"),
        ([PART], 7, 0, "parts of 3 rounds, unwind 4: 1 running, 7 of 8 done"),
        ([SEARCH, SEARCH], 3, 0, "further searches: 2 running, 3 done"),
        ([], 1, 3, "3 waiting for a processor, 1 of 4 done"),
    ],
)
def test_what_goes_on(running: list[JobName], done: int, waiting: int, said: str) -> None:
    assert job_words.now(running, done, waiting) == said


def test_a_level_says_into_how_many_parts_it_was_divided() -> None:
    bounds = {"rounds": 3, "unwind": 4}
    whole = Level("a", bounds, Verdict.UNKNOWN, Reason.BOUNDED, Cut(Limit.MORE), 41, Tiles(16, 16))
    assert words.level(whole) == ("3 rounds, unwind 4: no violation; one more round can begin (16 parts, 41.0 s)")
    cut = Level("a", bounds, Verdict.UNKNOWN, Reason.TIMEOUT, None, 41, Tiles(12, 16))
    assert words.level(cut) == (
        "3 rounds, unwind 4: out of time; 12 of 16 parts of the schedules have no violation (41.0 s)"
    )
    found = Level("a", bounds, Verdict.FALSE, None, None, 41, Tiles(12, 16))
    assert words.level(found) == "3 rounds, unwind 4: violated (41.0 s)"


def test_no_time_for_all_parts_is_said_with_the_answer() -> None:
    late = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "out of time", tiles=Tiles(12, 16))
    assert words.answer(late) == "out of time; 12 of 16 parts of the schedules have no violation"
    assert words.answer(Outcome(Verdict.TRUE, tiles=Tiles(16, 16))) == "no violation in any execution"


def test_jobs_are_details_of_the_report() -> None:
    jobs = tuple(JobRecord(PART, JobEnd.NOTHING, number) for number in range(30))
    outcome = Outcome(Verdict.TRUE, jobs=jobs)
    assert "job" not in render(outcome)
    shown = render(outcome, details=True)
    assert "30 jobs: 30 no violation\n  cbmc, 3 rounds, unwind 4, part 3/16: no violation (0.0 s)\n" in shown
    assert "(19.0 s)\n  and 10 more (--json lists them)\n" in shown


def test_parts_that_are_left_have_ways_out() -> None:
    late = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "out of time", backend="cbmc", tiles=Tiles(12, 16))
    more = ["a --cluster with more processors", "--resume with a file, to continue"]
    assert ways_out(late) == ["a larger --timeout", *more]
    assert ways_out(replace(late, tiles=None)) == ["a larger --timeout"]
    levels = [Level("a", {"rounds": 3}, Verdict.UNKNOWN, Reason.TIMEOUT, None, 41, Tiles(12, 16))]
    deepened = Outcome(
        Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(Cut(Limit.LOOP, 2))], backend="cbmc", levels=levels
    )
    assert ways_out(deepened) == ["a larger --timeout", "a --cluster with more processors"]
