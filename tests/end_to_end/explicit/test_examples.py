"""The examples of the literature in sv-benchmarks/explicit get their verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

import cseq
from cseq.backends import spin
from cseq.backends.cbmc import BACKEND as CBMC
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.report.words import message
from tests.support.checkout import ROOT

FOLDER = ROOT / "sv-benchmarks" / "explicit"

SMALLER = {"fibonacci_7": ("STEPS=2", "MOST=8"), "spinning_philosophers": ("N=3",)}
"""Pair → macros that make it small enough for a test by the symbolic engines."""

SLOW = {"message_queue", "pathfinder", "robots"}
"""Pairs that take the symbolic engines longer than others."""

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
    assert outcome.verdict is Verdict.FALSE, (outcome.reason, message(outcome))
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
@pytest.mark.parametrize("task", [task for task in BUGS if task.pair not in SLOW], ids=lambda task: task.path.stem)
def test_symbolic_engines_find_the_bugs(task: Task) -> None:
    rounds, unwind = BOUNDS.get(task.pair, (task.rounds, task.unwind))
    macros = SMALLER.get(task.pair, ())
    check_violation(task, cseq.verify(task.program, rounds=rounds, unwind=unwind, define=macros, timeout=120))


EASY = {"fibonacci_7": ("STEPS=3", "MOST=21"), "spinning_philosophers": ("N=3",), "philosophers_test": ("N=3",)}
"""Pair → macros with which its states are soon seen."""

ORDERS = [{"no_por": True}, {"search": "dfs"}, {"search": "random", "seed": 2}, {"search": "icb"}]


def explored(task: Task, **options: Any) -> Outcome:
    """What the engine `native` says, with the options of the task."""
    names = [word.removeprefix("--").replace("-", "_") for word in task.options[::2]]
    asked = dict(zip(names, task.options[1::2], strict=True)) | options
    return cseq.verify(task.program, backend="native", define=EASY.get(task.pair, ()), timeout=60, **asked)


def check_explored(task: Task, outcome: Outcome) -> None:
    """The verdict of *task*, which is a proof or a violation in either case."""
    if not task.is_safe:
        check_violation(task, outcome)
    else:
        assert outcome.verdict is Verdict.TRUE, (message(outcome), outcome.bounds, outcome.violated)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.path.stem)
def test_the_verdict_of_explicit_state_search(task: Task) -> None:
    check_explored(task, explored(task))


@pytest.mark.parametrize("options", ORDERS, ids=lambda options: "-".join(map(str, options.values())))
@pytest.mark.parametrize(
    "task", [task for task in TASKS if task.pair == "peterson_pancam"], ids=lambda task: task.path.stem
)
def test_each_search_comes_to_the_same_verdict(task: Task, options: dict[str, Any]) -> None:
    check_explored(task, explored(task, **options))


def test_the_invariant_and_the_abstraction_of_peterson() -> None:
    bad, good = (task for task in TASKS if task.pair == "peterson_pancam")
    outcome = explored(bad, invariant=("check_exclusion",))
    assert outcome.violated is not None and outcome.violated.name == "invariant"
    assert explored(good, invariant=("check_exclusion",)).verdict is Verdict.TRUE
    check_violation(bad, explored(bad, abstract="abstract"))
    abstracted, full = explored(good, abstract="abstract", no_por=True), explored(good, no_por=True)
    assert abstracted.verdict is Verdict.UNKNOWN
    assert abstracted.statistics["states"] < full.statistics["states"]


def test_random_search_finds_the_deadlock_of_spinning_philosophers_where_depth_first_search_spins() -> None:
    task = next(task for task in BUGS if task.pair == "spinning_philosophers")
    asked = {"define": ("N=6", "LOOKS"), "backend": "native", "no_por": True}
    check_violation(task, cseq.verify(task.program, search="random", timeout=60, **asked))
    spins = cseq.verify(task.program, search="dfs", timeout=1, **asked)
    assert (spins.verdict, spins.reason) == (Verdict.UNKNOWN, Reason.TIMEOUT)


def test_the_reduction_takes_much_from_the_robots() -> None:
    task = next(task for task in TASKS if task.pair == "robots" and task.is_safe)
    full, reduced = explored(task, no_por=True), explored(task)
    assert full.statistics["states"] > 4 * reduced.statistics["states"]


@pytest.mark.skipif(spin.find() is None, reason="spin is not installed")
@pytest.mark.parametrize("twin, verdict", [("bad", Verdict.FALSE), ("good", Verdict.TRUE)])
def test_the_clock_stops_on_the_last_day_of_a_leap_year(twin: str, verdict: Verdict) -> None:
    outcome = cseq.verify(FOLDER / f"zune_{twin}.c", backend="spin", termination=True, timeout=60)
    assert (outcome.of("unreach-call").verdict, outcome.of("termination").verdict) == (Verdict.TRUE, verdict)
