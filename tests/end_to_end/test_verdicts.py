"""Every program of sv-benchmarks gets its verdict, with each version of CBMC that is here."""

import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

import cseq
from cseq.backends import esbmc
from cseq.backends.cbmc import BACKEND, engines_folder
from cseq.model.origin import Origin
from cseq.model.verdict import Outcome, Verdict
from cseq.report.words import description, message
from tests.support.checkout import ROOT
from tests.support.pairwise import features, sampled
from tests.support.selection import everything
from tests.support.tasks import about, input_files

FOLDER = ROOT / "sv-benchmarks"
REACH, DEADLOCK, RACE = "unreach-call", "no-deadlock", "no-data-race"
MARKS = {REACH: "// FAIL", DEADLOCK: "// DEADLOCK", RACE: "// RACE"}
"""Property → what is at the end of the lines that violate it."""

OLD_TOO = {"error_path_leak", "join_circle", "once_recursion", "philosophers_two", "semaphore_order", "signal_for_all"}
"""Pairs with a deadlock that the oldest CBMC gets, too. The others would take long, and show nothing else."""

RACES_OLD_TOO = {"atomic_section", "bit_fields", "byte_in_word", "double_checked", "freed_node", "struct_copy"}
"""The same for races."""

ALONE = {"error_path_leak", "join_self", "recursive_relock", "rwlock_upgrade", "wait_without_loop"}
"""Pairs where a thread can be stuck while no other one is."""


OLD_AS_WELL = 24
"""So many of the others, at the least, are given to the oldest CBMC: see `_with_old`."""


WITH_ESBMC = {
    *("atomic_function", "bank_transfer", "barrier", "continue_do", "list_insert", "lost_update", "trylock_inverted"),
    *("join_circle", "philosophers_two"),
    *("aliased_pointers", "bit_fields", "const_table"),
}
"""Pairs that take ESBMC little time, and show what differs between engines. With --all it checks all of them."""


@dataclass(frozen=True)
class Task:
    """What a task file says of its program. pair: its name without `_bad` or `_good`."""

    name: str
    files: tuple[Path, ...]
    property: str
    is_safe: bool
    bits: int
    rounds: int
    unwind: int

    @property
    def pair(self) -> str:
        return self.name.rsplit("_", 1)[0]

    def verify(self, **parameters: object) -> Outcome:
        """What is found within the bounds of the task."""
        bounds = {"rounds": self.rounds, "unwind": self.unwind, "bits": self.bits}
        return cseq.verify(self.files, **bounds, timeout=120, **parameters)


def read_task(path: Path) -> Task:
    said = about(path)
    question = said["properties"][0]
    assert (path.parent / question["property_file"]).is_file()
    return Task(
        path.stem,
        tuple(file for file in input_files(path) if file.suffix == ".c"),
        Path(question["property_file"]).stem,
        question["expected_verdict"],
        32 if said["options"]["data_model"] == "ILP32" else 64,
        said["cseq"]["rounds"],
        said["cseq"]["unwind"],
    )


TASKS = [read_task(path) for path in sorted(FOLDER.glob("*.yml"))]
DEADLOCKS = [read_task(path) for path in sorted((FOLDER / "deadlock").glob("*.yml"))]
RACES = [read_task(path) for path in sorted((FOLDER / "race").glob("*.yml"))]


def _engines() -> dict[str, Path | None]:
    """The CBMC that a user gets, and the oldest that is supported."""
    return {"default": BACKEND.find(), "5.12": engines_folder() / "cbmc-5.12" / "bin" / "cbmc"}


@pytest.fixture
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = _engines()[request.param]
    if path is None or not path.is_file():
        pytest.skip(f"CBMC {request.param} is not installed (setup/provide-cbmc)")
    monkeypatch.setenv("CSEQ_CBMC", str(path))
    return path


def with_engines(tasks: Iterable[Task], old_too: Iterable[Task]) -> pytest.MarkDecorator:
    """A test of each of *tasks* with the default engine, and of *old_too* with the oldest."""
    cases = [("default", task) for task in tasks] + [("5.12", task) for task in old_too]
    named = [pytest.param(engine, task, id=f"{engine}-{task.name}") for engine, task in cases]
    return pytest.mark.parametrize("engine, task", named, indirect=["engine"])


def check_violation(outcome: Outcome, mark: str) -> None:
    """What *outcome* shows is a violation, told in the user's terms, at a line with *mark* at its end."""
    assert outcome.verdict is Verdict.FALSE, (outcome.reason, message(outcome))
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert outcome.counterexample is not None
    place = outcome.violated.origin
    assert line_at(place).endswith(mark), f"{place}: {line_at(place)}"
    shown = [description(outcome.violated), *(str(step) for step in outcome.counterexample.steps)]
    assert not [text for text in shown if re.search(r"__cs|__CSEQ|<cseq>", text)]


def line_at(place: Origin) -> str:
    return Path(place.file).read_text().splitlines()[place.line - 1]


@pytest.mark.parametrize("tasks, least", [(TASKS, 40), (DEADLOCKS, 60), (RACES, 60)], ids=[REACH, DEADLOCK, RACE])
def test_there_are_enough_programs(tasks: list[Task], least: int) -> None:
    assert len(tasks) >= least
    assert [task.is_safe for task in tasks].count(False) * 2 >= len(tasks) - 2


def _with_old() -> list[Task]:
    """The tasks for the oldest CBMC: any two features of programs that come together do so in one with the verdict.

    With --all it checks all of them.
    """
    groups = [[task for task in TASKS if task.is_safe is safe] for safe in (True, False)]
    return [
        task
        for group in groups
        for task in sampled(group, lambda task: features(task.files) | {f"{task.bits} bits", *_units(task)})
    ]


def _units(task: Task) -> set[str]:
    return {"several files"} if len(task.files) > 1 else set()


def test_the_oldest_cbmc_gets_enough() -> None:
    chosen = _with_old()
    assert len(chosen) >= OLD_AS_WELL
    assert {task.bits for task in chosen} == {task.bits for task in TASKS}


@with_engines(TASKS, _with_old())
def test_verdict(task: Task, engine: Path) -> None:
    outcome = task.verify()
    if not task.is_safe:
        check_violation(outcome, MARKS[task.property])
        assert outcome.violated is not None and outcome.counterexample is not None
        assert outcome.counterexample.steps[-1].origin == outcome.violated.origin
        return
    assert outcome.verdict is not Verdict.FALSE, outcome.violated
    assert outcome.exit_status == 0, message(outcome)


@with_engines(DEADLOCKS, [task for task in DEADLOCKS if task.pair in OLD_TOO])
def test_deadlock(task: Task, engine: Path) -> None:
    outcome = task.verify(deadlock=True)
    assert outcome.of(REACH).verdict is not Verdict.FALSE, outcome.of(REACH).violated
    assert outcome.of(REACH).exit_status == 0
    answer = outcome.of(DEADLOCK)
    if task.is_safe:
        assert answer.verdict is not Verdict.FALSE, answer.violated
        assert answer.exit_status == 0, answer.message
        return
    check_stuck(answer)
    assert answer.counterexample is not None
    assert len(answer.counterexample.stuck) >= (1 if task.pair in ALONE else 2), answer.violated


def check_stuck(outcome: Outcome) -> None:
    """*outcome* is a deadlock: each thread in it ends at a marked line, and the description names both."""
    check_violation(outcome, MARKS[DEADLOCK])
    assert outcome.violated is not None and outcome.counterexample is not None
    assert outcome.violated.name == "deadlock"
    stuck = outcome.counterexample.stuck
    for one in stuck:
        assert line_at(one.origin).endswith(MARKS[DEADLOCK]), one.origin
        told = rf"{re.escape(str(one.thread))} [^;]*\bat {re.escape(str(one.origin))}\b"
        assert re.search(told, description(outcome.violated)), description(outcome.violated)
        assert [step.origin for step in outcome.counterexample.steps if step.thread == one.thread][-1] == one.origin
    assert outcome.violated.origin in [one.origin for one in stuck]


@with_engines(RACES, [task for task in RACES if task.pair in RACES_OLD_TOO])
def test_race(task: Task, engine: Path) -> None:
    outcome = task.verify(race=True)
    assert outcome.of(REACH).verdict is not Verdict.FALSE, outcome.of(REACH).violated
    assert outcome.of(REACH).exit_status == 0
    answer = outcome.of(RACE)
    if task.is_safe:
        assert answer.verdict is not Verdict.FALSE, answer.violated
        assert answer.exit_status == 0, answer.message
        return
    check_race(answer)


def check_race(outcome: Outcome) -> None:
    """*outcome* is a data race: both sides are at marked lines, in the description, and the last that threads do."""
    check_violation(outcome, MARKS[RACE])
    assert outcome.violated is not None and outcome.counterexample is not None
    assert outcome.violated.name == "race"
    sides = outcome.counterexample.racing
    assert len({side.thread for side in sides}) == len(sides) == 2
    assert "reads" not in {side.action for side in sides} or len({side.action for side in sides}) == 2
    for side in sides:
        assert line_at(side.origin).endswith(MARKS[RACE]), side.origin
        assert re.search(
            rf"{re.escape(str(side.thread))} [^,]*\bat {re.escape(str(side.origin))}(,|$)",
            description(outcome.violated),
        )
        assert [step.origin for step in outcome.counterexample.steps if step.thread == side.thread][-1] == side.origin
    assert outcome.violated.origin in [side.origin for side in sides]


@pytest.mark.parametrize("task", RACES, ids=lambda task: task.name)
def test_the_race_programs_are_clean_c(task: Task) -> None:
    command = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pthread", "-fsyntax-only", *map(str, task.files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    marked = [path.name for path in task.files if MARKS[RACE] in path.read_text()]
    assert marked == ([] if task.is_safe else [path.name for path in task.files])


QUESTIONS = {REACH: (TASKS, {}), DEADLOCK: (DEADLOCKS, {"deadlock": True}), RACE: (RACES, {"race": True})}
"""Property → the tasks that ask for it, and the parameters that make it a question."""


@pytest.mark.skipif(esbmc.BACKEND.find() is None, reason="ESBMC is not installed (setup/provide-esbmc)")
@pytest.mark.parametrize(
    "question, task",
    [
        pytest.param(question, task, id=task.name)
        for question, (tasks, _) in QUESTIONS.items()
        for task in tasks
        if task.pair in WITH_ESBMC or everything()
    ],
)
def test_with_esbmc(question: str, task: Task) -> None:
    outcome = task.verify(backend="esbmc", **QUESTIONS[question][1])
    assert outcome.of(REACH).verdict is not Verdict.FALSE or (question == REACH and not task.is_safe)
    answer = outcome.of(question)
    if task.is_safe:
        assert answer.verdict is not Verdict.FALSE, answer.violated
        assert answer.exit_status == 0, answer.message
    else:
        {REACH: lambda it: check_violation(it, MARKS[REACH]), DEADLOCK: check_stuck, RACE: check_race}[question](answer)
