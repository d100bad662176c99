"""The contracts of the design, checked for every stage on many programs."""

import re
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from cseq.backends.registry import backend
from cseq.c import parse, print_unit
from cseq.modules.symbolic.encode.instrumenter import instrumented
from cseq.pipeline.stage import Unit
from cseq.pipeline.unparser import Unparser
from tests.support.checkout import ROOT
from tests.support.pairwise import features, sampled
from tests.support.tasks import about, input_files


def _features(task: Path) -> frozenset[str]:
    """The features of a task: those of its text, and whether it has several files."""
    files = input_files(task)
    return features(files) | (frozenset({"files"}) if len(files) > 1 else frozenset())


HERE = Path(__file__).resolve().parent
BENCHMARKS = ROOT / "sv-benchmarks"
TASKS = sampled(sorted(BENCHMARKS.glob("*.yml")), _features)
PROGRAMS = sorted((HERE / "behaviour").glob("*.c"))
UNWIND = {"oddities": 6, "recursion": 6, "jumps": 5, "duff": 9, "oldstyle": 3}


# What each stage gives is C, and knows its lines


@pytest.mark.parametrize("task", TASKS, ids=lambda path: path.stem)
def test_each_stage_s_output_parses_again_and_knows_its_lines(task, translated):
    paths = input_files(task)
    bounds = about(task)["cseq"]
    for stage, unit in translated.units(*paths, unwind=bounds["unwind"], rounds=bounds["rounds"]):
        where = f"behind the {stage}"
        assert len(unit.linemap) == len(unit.text.splitlines()), where
        again, linemap = print_unit(parse(unit.text, linemap=unit.linemap))
        assert again == unit.text, where
        assert list(linemap) == list(unit.linemap), where
        assert lines_without_origin(unit) == [], where
        assert origins_in_nowhere(unit, paths) == [], where


def visitor(kind: str) -> Callable[..., str]:
    """A method of a stage's own that prints as all do."""

    def visit(self: Unparser, *arguments: Any, **more: Any) -> str:
        text: str = getattr(Unparser, kind)(self, *arguments, **more)
        return text

    return visit


EVERYTHING = {name: visitor(name) for name in dir(Unparser) if name.startswith("visit_")}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_stage_that_unparses_prints_each_stage_s_output_and_knows_its_lines(path, translated):
    """However little or much of it the stage prints by methods of its own."""
    for stage, unit in translated.units(path, until="inliner"):
        where = f"behind the {stage}"
        for methods in ({}, EVERYTHING):
            made = type("Stage", (Unparser,), dict(methods))(translated.context()).run(Unit(tree=unit.tree))
            again, linemap = print_unit(parse(made.text, linemap=made.linemap))
            assert again == unit.text, where
            assert list(made.linemap) == list(linemap) == list(unit.linemap), where


@pytest.mark.parametrize("task", TASKS[::4], ids=lambda path: path.stem)
@pytest.mark.parametrize("engine", ["cbmc", "esbmc"])
def test_the_instrumenter_s_output_has_the_lines_of_the_sequentialized_program(task, engine, translated):
    paths = input_files(task)
    (*_, (_, unit)) = translated.units(*paths, unwind=1, rounds=2)
    made = instrumented(unit, backend(engine).dialect)
    lines = made.text.splitlines()
    assert len(lines) == len(made.linemap) == made.before + len(unit.linemap)
    assert list(made.linemap) == [None] * made.before + list(unit.linemap)
    plain = [line for line in unit.text.splitlines() if "__CSEQ_" not in line]
    assert [line for line in lines[made.before :] if line in set(plain)] == plain


def test_the_fixtures_are_there():
    assert len(TASKS) >= 12
    assert len(PROGRAMS) >= 15


def lines_without_origin(unit: Unit) -> list[str]:
    """The lines of the user's functions that should have an origin, and have none.

    Declarations of variables of our own have none, and what the sequentializer adds.
    """
    found = []
    inside = False
    for number, line in enumerate(unit.text.splitlines(), 1):
        if line == "{":
            inside = unit.linemap[number] is not None
        elif line in ("}", "};"):
            inside = False
        elif inside and unit.linemap[number] is None and not OURS.match(line):
            found.append(line)
    return found


OURS = re.compile(r"""
    \s+(static\ )?[\w ]+\ \**\w+(\[\d+\])*;$               # a declaration
    |\s+__cs_tmp_moved_\d+\ =\ [01];$                        # whether an iteration has changed anything
    |\s+__cs_\w+:(\ ;)?$                                     # a label, where the thread can be switched
    |\s+if\ \(\(__cs_pc_\d+\ >\ \d+\)                      # and the hop that goes with it
    |\s+__CSEQ_assume\(__cs_cs_\d+\ >=\ \d+\);$             # the guesses that are left
    |\s+\w+\ =\ \([^()]*\)\ __cs_argument\[\d+\];$         # the parameter of a thread
    |\s+(if\ \()?__cs_entry_\d+\ ==?\ .*;$                  # where a jump into a loop wants to go
    |\s+__cs_step_exit\(0\);$|\s+__CSEQ_assume\(0\);$       # the end of a thread, the end of main
    """, re.VERBOSE)  # fmt: skip


def origins_in_nowhere(unit: Unit, paths: list[Path]) -> list[str]:
    """The origins that are no line of a file of the user's (or of the library's) with something on it."""
    sources = {str(file): file.read_text().splitlines() for path in paths for file in path.parent.glob("*.[ch]")}
    found = []
    for origin in unit.linemap:
        if origin is None or origin.file.startswith("<cseq>/") or "/pthread_stubs/include/" in origin.file:
            continue
        lines = sources.get(origin.file, [])
        if not 0 < origin.line <= len(lines) or not lines[origin.line - 1].strip():
            found.append(str(origin))
    return found


# Programs without threads do what they did


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_behaviour_is_preserved(path, translated, compiler, prelude, epilogue):
    expected = compiler.run(prelude + path.read_text() + epilogue, f"-I{path.parent}")
    assert expected
    for stage, unit in translated.units(path, unwind=UNWIND.get(path.stem, 13)):
        found = compiler.run(prelude + sequential(unit.text) + epilogue)
        assert first_difference(found, expected) is None, f"behind the {stage}"


def sequential(text: str) -> str:
    """The program *text* of a stage as one that runs: the only thread is never switched out."""
    text = re.sub(r"(\w+) = __CSEQ_nondet_bits_\d+\(\);\n\s*(__CSEQ_assume\(\1 <= (\d+)\);)", r"\1 = \3;\n\2", text)
    return text.replace("__CSEQ_assume(0);", "exit(0);")


def first_difference(found: str, expected: str) -> str | None:
    """The first line of *found* that is not as *expected*, and what it should be."""
    for one, other in zip_longest(found.splitlines(), expected.splitlines()):
        if one != other:
            return f"{one} instead of {other}"
    return None
