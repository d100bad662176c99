"""What C demands is found by exploring states as it is by solving formulas: the same place, in the same words."""

from pathlib import Path

import pytest

from cseq.api import run
from cseq.cli.options import read
from cseq.cli.request import Request
from cseq.model.verdict import Outcome, Verdict
from cseq.pipeline.chain import load
from cseq.report.words import message
from tests.programs.matrix import Program, programs
from tests.support.checkout import ROOT
from tests.support.selection import everything

ALL = everything()

PROPERTIES = {"memsafety": "valid-memsafety", "overflow": "no-overflow"}

SAMPLE = {
    "memsafety/use_after_free", "memsafety/dead_thread", "memsafety/leak_by_the_last_thread", "memsafety/fresh_memory",
    "overflow/loop",
}  # fmt: skip

MANY_VALUES = {"memsafety/guarded", "overflow/absolute", "overflow/negation", "overflow/only_if_needed"}
"""These take inputs of which each value counts."""

UNPROVED = {
    "memsafety/idioms", "memsafety/memcpy_too_long", "memsafety/memset_too_long", "memsafety/realloc_moves",
    "memsafety/sprintf_too_long", "memsafety/strcpy_too_long", "memsafety/strdup", "memsafety/strlen_without_end",
}  # fmt: skip
"""Twins in which a call is one step, or a pointer is made from an integer."""

CHECKED = [each for each in programs() if each.area in PROPERTIES and each.name not in MANY_VALUES]


def explored(path: Path, property_: str, *words: str) -> Outcome:
    """The answer of the explorer about one property."""
    file = str(ROOT / "sv-benchmarks" / "properties" / f"{property_}.prp")
    task = read(load("explicit"), ["--spec", file, *words, str(path)])
    assert isinstance(task, Request)
    outcome = run(task.way, task.files)
    assert isinstance(outcome, Outcome)
    return outcome


def strictness(program: Program) -> list[str]:
    return [option for option in program.options if option == "--strict-posix"]


@pytest.mark.parametrize("program", CHECKED if ALL else [p for p in CHECKED if p.name in SAMPLE], ids=lambda p: p.name)
def test_both_families_find_the_same(program: Program) -> None:
    outcome = explored(program.path, PROPERTIES[program.area], "-D", "BUG", *strictness(program))
    assert outcome.verdict is Verdict.FALSE, message(outcome)
    assert outcome.violated is not None and outcome.violated.name == program.area
    assert outcome.violated.origin is not None and outcome.violated.origin.line == program.line("// FAIL")
    twin = explored(program.path, PROPERTIES[program.area], *strictness(program))
    assert twin.verdict is (Verdict.UNKNOWN if program.name in UNPROVED else Verdict.TRUE), message(twin)
    assert bool(twin.bounds) == (program.name in UNPROVED)


STRAY = """\
int a[4], b[4], c[4];
int main(void)
{
    int *q = b;
    int *s = STRAY;
    return *(s - BACK);
}
"""


@pytest.mark.parametrize(
    "stray, back, verdict",
    [
        ("q + 4", 1, Verdict.TRUE),
        ("q + 4", 0, Verdict.FALSE),  # between two objects
        ("q + 6", 6, Verdict.UNKNOWN),  # inside of another one
    ],
)
def test_a_pointer_keeps_to_its_object(tmp_path: Path, stray: str, back: int, verdict: Verdict) -> None:
    path = tmp_path / "stray.c"
    path.write_text(STRAY.replace("STRAY", stray).replace("BACK", str(back)))
    outcome = explored(path, "valid-memsafety")
    assert outcome.verdict is verdict, message(outcome)
    assert bool(outcome.bounds) == (verdict is Verdict.UNKNOWN)


def test_what_cannot_be_followed_is_what_the_other_question_is_about() -> None:
    path = ROOT / "tests" / "programs" / "conformance" / "memsafety" / "use_after_free.c"
    task = read(load("explicit"), ["--memsafety", "-D", "BUG", str(path)])
    assert isinstance(task, Request)
    outcome = run(task.way, task.files)
    assert isinstance(outcome, Outcome)
    assert outcome.of("unreach-call").verdict is Verdict.UNKNOWN
    assert "nothing is allocated" in message(outcome.of("unreach-call"))
    assert outcome.of("valid-memsafety").verdict is Verdict.FALSE
