"""Each construct and each function has a buggy program that is found, and a twin in which nothing is."""

from pathlib import Path

import pytest

from cseq.backends.cbmc import BACKEND
from cseq.model.errors import CSeqError
from cseq.model.verdict import Verdict
from cseq.modules.library.lexicon import is_library
from cseq.report.violations import claim
from cseq.report.words import description, message
from tests.programs.matrix import MATRIX, Program, made, matrix, programs, sampled
from tests.programs.misuses import misuses
from tests.support.selection import everything

PROGRAMS = programs() if everything() else sampled(programs())
CHECKED = [program for program in PROGRAMS if program.refused is None]
REFUSED = [program for program in PROGRAMS if program.refused is not None]

CUT = ()  # twins of races that wait in a loop, which is cut off

needs_engine = pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")


@needs_engine
@pytest.mark.parametrize("program", CHECKED, ids=lambda program: program.name)
def test_the_bug_is_found(program: Program) -> None:
    outcome = program.run("-D", "BUG", *(["--first"] if program.area == "race" else []))
    assert outcome.verdict is Verdict.FALSE, (outcome.reason, message(outcome), outcome.bounds)
    assert outcome.violated is not None and outcome.violated.origin is not None
    if program.area in ("threads", "c11") and is_library(program.title.partition(": ")[0]) and ": " in program.title:
        assert description(outcome.violated) == program.title  # a misuse is called by its message
    if program.area in ("memsafety", "overflow", "deadlock", "race"):
        assert outcome.violated.name == program.area
    place = outcome.violated.origin
    assert place.file == str(program.path) or (program.text and Path(place.file).name == program.path.name)
    marks = {"deadlock": "// DEADLOCK", "race": "// RACE"}
    lines = program.lines(marks[program.area]) if program.area in marks else [program.line("// FAIL")]
    assert place.line in lines, outcome.violated
    if program.area == "race":
        assert outcome.counterexample is not None
        assert {side.origin.line for side in outcome.counterexample.racing} <= set(lines), outcome.violated


@needs_engine
@pytest.mark.parametrize("program", CHECKED, ids=lambda program: program.name)
def test_nothing_is_found_in_the_twin(program: Program) -> None:
    outcome = program.run()
    assert outcome.verdict is not Verdict.FALSE, outcome.violated
    assert outcome.exit_status == 0, (outcome.reason, message(outcome))
    if program.area == "race" and program.name not in CUT:
        assert outcome.of("no-data-race").verdict is Verdict.TRUE, outcome.of("no-data-race").bounds


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.name)
def test_what_is_not_supported_is_refused(program: Program) -> None:
    with pytest.raises(CSeqError) as refusal:
        program.run("--strict")
    assert refusal.value.exit_status == 2
    assert refusal.value.origin is not None, refusal.value
    assert refusal.value.origin.line == program.line("// REFUSED: ")
    assert program.refused is not None
    assert program.refused in refusal.value.message


@needs_engine
@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.name)
def test_a_thread_stops_at_what_is_not_supported(program: Program) -> None:
    try:
        outcome = program.run()
    except CSeqError as refusal:  # outside of statements
        assert refusal.exit_status == 2
        assert refusal.origin is not None and refusal.origin.line == program.line("// REFUSED: ")
    else:
        assert outcome.verdict is not Verdict.TRUE
        assert outcome.verdict is Verdict.FALSE or "unsupported" in {bound.kind for bound in outcome.bounds}


def test_every_misuse_has_a_program() -> None:
    assert {claim(misuse) for misuse in misuses()} <= {each.title for each in programs()}


def test_no_program_that_is_made_is_in_a_file_too() -> None:
    files = {each.title for each in programs() if not each.text}
    assert files.isdisjoint({each.title for each in made()})


def test_each_way_to_misuse_each_type_is_in_the_sample() -> None:
    chosen = sampled(programs())
    assert {each.group for each in chosen} == {each.group for each in made()} | {""}
    assert {each for each in programs() if not each.group} <= set(chosen)
    assert len(made()) >= 150


def test_the_matrix_is_up_to_date() -> None:
    assert MATRIX.read_text(encoding="utf-8") == matrix(), "`make support` writes it"
