"""The examples of the literature in sv-benchmarks/explicit get their verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

import cseq
from cseq.backends.cbmc import BACKEND as CBMC
from cseq.verdict import Outcome, Verdict

FOLDER = Path(__file__).resolve().parent.parent / "sv-benchmarks" / "explicit"

SMALLER = {"fibonacci_7": ("STEPS=2", "MOST=8"), "spinning_philosophers": ("N=3",)}
"""Pair → macros that make it small enough for a test by the symbolic engines."""

BOUNDS = {"fibonacci_7": (2, 1)}
"""The rounds and unwinding of the pairs that were made smaller, where they are smaller too."""


@dataclass(frozen=True)
class Task:
    """A task file. options: what has to stand on the command line besides."""

    path: Path
    is_safe: bool
    rounds: int
    unwind: int
    options: Sequence[str]

    @property
    def pair(self) -> str:
        return self.path.stem.rsplit("_", 1)[0]

    @property
    def program(self) -> Path:
        return self.path.with_suffix(".c")


def read_task(path: Path) -> Task:
    about = yaml.safe_load(path.read_text())
    bounds = about["cseq"]
    safe = about["properties"][0]["expected_verdict"]
    return Task(path, safe, bounds["rounds"], bounds["unwind"], bounds.get("options", ()))


TASKS = [read_task(path) for path in sorted(FOLDER.glob("*.yml"))]
BUGS = [task for task in TASKS if not task.is_safe]


def check_violation(task: Task, outcome: Outcome) -> None:
    """What *outcome* shows is a violation at a line with a mark at its end."""
    assert outcome.verdict is Verdict.FALSE, (outcome.reason, outcome.message)
    assert outcome.violated is not None and outcome.violated.origin is not None
    place = outcome.violated.origin
    line = task.program.read_text().splitlines()[place.line - 1]
    assert line.endswith("// FAIL"), f"{place}: {line}"


def test_the_programs_are_pairs() -> None:
    assert {task.path.stem for task in TASKS} == {path.stem for path in FOLDER.glob("*.c")}
    names = {task.pair for task in TASKS}
    assert {f"{name}_{twin}" for name in names for twin in ("bad", "good")} == {task.path.stem for task in TASKS}
    assert {task.pair for task in BUGS} == names - {"zune"}  # which goes on for ever, and violates no assertion


@pytest.mark.skipif(CBMC.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")
@pytest.mark.parametrize("task", BUGS, ids=lambda task: task.path.stem)
def test_symbolic_engines_find_the_bugs(task: Task) -> None:
    rounds, unwind = BOUNDS.get(task.pair, (task.rounds, task.unwind))
    macros = SMALLER.get(task.pair, ())
    check_violation(task, cseq.verify(task.program, rounds=rounds, unwind=unwind, define=macros, timeout=120))
