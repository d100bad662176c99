"""What is printed about one answer that is made of several reports."""

from dataclasses import replace

import pytest

from cseq.model.verdict import Verdict
from cseq.report.text.merged import AnswerLine, LevelLine, contradiction, lines, listed, message, without

LEVEL = LevelLine("cbmc", {"rounds": 3, "unwind": 4}, 16, 16, (), is_divided=True)
PART = replace(LEVEL, bounds={"rounds": 4, "unwind": 4}, known=14, missing=("3/16", "9/16"))
SEARCH = LevelLine("native", {"search": "random", "seed": 3}, 1, 0, ("0/1",), is_divided=False)
UNKNOWN = AnswerLine(
    "unreach-call", Verdict.UNKNOWN, "bounded", "", "", True, LEVEL, (LEVEL, PART, SEARCH), "", "", False
)
FALSE = replace(UNKNOWN, verdict=Verdict.FALSE, reason=None, message="x == 2 is violated", level=None, place="d/1.json")


def test_levels_that_are_complete_and_the_others() -> None:
    assert list(lines([UNKNOWN], [])) == [
        "UNKNOWN: no violation within 3 rounds, unwind 4 (cbmc: 16 of 16 tiles)",
        "  4 rounds, unwind 4 (cbmc: 14 of 16 tiles); no answer about 3/16, 9/16",
        "  no answer from search random, seed 3 (native)",
    ]
    many = replace(PART, missing=tuple(f"{number}/64" for number in range(20)))
    assert list(lines([replace(UNKNOWN, levels=(many,))], []))[1].endswith("8/64, 9/64, …")


@pytest.mark.parametrize(
    "line, words",
    [
        (replace(UNKNOWN, levels=(), level=None), "no verdict: there is no report about it"),
        (replace(UNKNOWN, level=None, reason="timeout"), "no verdict: the time was up in each job"),
        (replace(UNKNOWN, level=None, reason=None), "no verdict: not every part of the schedules has an answer"),
        (
            replace(UNKNOWN, verdict=Verdict.TRUE, reason=None, assuming=", assuming peace"),
            "no violation in any execution, by 3 rounds, unwind 4 (cbmc: 16 of 16 tiles), assuming peace",
        ),
        (
            replace(UNKNOWN, verdict=Verdict.TRUE, reason=None, claims=False),
            "no assertion in the program was violated (there is none), by 3 rounds, unwind 4 (cbmc: 16 of 16 tiles)",
        ),
        (replace(UNKNOWN, verdict=Verdict.TRUE, level=None, message="proved by horn"), "proved by horn"),
    ],
)
def test_an_answer_in_words(line: AnswerLine, words: str) -> None:
    assert message(line) == words


def test_a_violation_names_its_report() -> None:
    assert list(lines([FALSE], [])) == ["FALSE: x == 2 is violated", "(from d/1.json)"]
    shown = replace(FALSE, has_steps=True)
    assert list(lines([shown], []))[-1] == "(from d/1.json; --cex shows how)"
    assert list(lines([shown], [], steps=True))[-1] == "(from d/1.json)"
    several = list(lines([FALSE, replace(UNKNOWN, property="no-deadlock", levels=(LEVEL,))], []))
    assert [line.partition(":")[0] for line in several] == ["unreach-call", "no-deadlock", "(unreach-call"]


def test_jobs_without_reports_matter_only_where_the_answer_is_open() -> None:
    lost = [(f"d/{number}.json", "none", "cseq a.c" if number else "") for number in range(12)]
    assert list(lines([FALSE], lost))[-1] == "(12 jobs have left no report, which makes no difference)"
    found = list(lines([UNKNOWN], lost))[-11:]
    assert found[0] == "d/0.json is not there: its job has not been run"
    assert found[1] == "d/1.json is not there: its job has not been run (`cseq a.c`)"
    assert found[-1] == "and 2 jobs have left no report"


def test_names_cannot_write_to_the_terminal() -> None:
    found = "".join(lines([replace(FALSE, message="\x1b[2J", place="\x1b[1m")], []))
    assert "\x1b" not in found and "\x1b" not in listed(2, "\x1b", "\x1b.d", "cseq")


def test_single_lines() -> None:
    assert listed(1, "jobs", "jobs.d", "cseq").startswith("1 job is in jobs, one per row; ")
    assert "`./cseq.py merge 'my jobs.d'`" in listed(2, "my jobs", "my jobs.d", "./cseq.py")
    assert without("d/1.json", "empty", 0) == "d/1.json is empty: its job was killed, or has not ended"
    assert without("d/1.json", "cut off", 1).endswith(", and 1 job has left none, either")
    warning = contradiction("horn", Verdict.TRUE, "cbmc", Verdict.FALSE)
    assert warning == "horn says TRUE, and cbmc FALSE: one of them is wrong; please report it"
