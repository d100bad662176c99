"""The primitives of the thread library in the runtime: used correctly, and wrongly, under many schedules."""

import os
from pathlib import Path

import pytest

from cseq.modules.compiled.client.record import End, RequestFlag
from cseq.modules.compiled.client.server import RunBatch, Server
from cseq.modules.compiled.reduction import Reduction
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

SOURCES = Path(__file__).parent / "primitives"

CORRECT = {
    "primitives": (
        "mutexes", "robust", "rwlocks", "spinlocks", "conditions", "timing", "semaphores", "barriers",
    ),
    "threads": (
        "threads", "late", "leaving", "outlived", "many", "abandoned", "onces", "cancellation", "c11", "clocks",
    ),
    "standard": ("locking", "conditions", "sharing", "once", "locals", "meeting", "futures"),
}  # fmt: skip

DEADLOCKS = ("crossed", "relocked", "unheard", "preferred", "absent", "exhausted", "spun", "again", "mutual")

MISUSES = {
    "others": 1, "unread": 1, "gone": 2, "held": 3, "awaited": 3, "unlocked": 4, "two_mutexes": 5, "joined_twice": 7,
    "joined_detached": 8, "detached_twice": 9, "gone_twice": 10, "itself": 11, "nobody": 12,
}  # fmt: skip
"""The number in misuses.def of what each mode does."""


UNORDERED = ("readers", "tried", "apart", "two", "slept", "initialised")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("primitives")
    made = {name: compiled(SOURCES / f"{name}.c", folder) for name in ("primitives", "threads", "misuses", "unordered")}
    return made | {"standard": compiled(SOURCES / "standard.cpp", folder, "-O1", "-std=c++20", cxx=True)}


def ending(program: Path, mode: str, order: RunBatch) -> tuple[End, int]:
    """How the last run of *order* ended, which is the first that failed or had a race (RUNNING), and its detail."""
    cpus = sorted(os.sched_getaffinity(0))
    with Server([str(program), mode], cpu=cpus[os.getpid() % len(cpus)]) as server:
        result = server.run(order)
        return End(result.end) if result.races == 0 or result.end != End.EXITED else End.RUNNING, result.detail


@pytest.mark.parametrize("program", CORRECT)
def test_no_schedule_of_a_correct_program_fails(programs: dict[str, Path], program: str) -> None:
    for mode in CORRECT[program]:
        assert ending(programs[program], mode, RunBatch(runs=25)) == (End.EXITED, 0), mode


@pytest.mark.parametrize(
    "program, mode, flags",
    [
        ("threads", "c11", RequestFlag.SPURIOUS),
        ("primitives", "timing", RequestFlag.EARLY),
        ("standard", "once", RequestFlag.WEAK),
    ],
)
def test_no_schedule_with_more_behaviours_fails(
    programs: dict[str, Path], program: str, mode: str, flags: RequestFlag
) -> None:
    assert ending(programs[program], mode, RunBatch(runs=40, flags=flags)) == (End.EXITED, 0)


def test_deadlocks_are_found(programs: dict[str, Path]) -> None:
    for mode in DEADLOCKS:
        assert ending(programs["misuses"], mode, RunBatch(runs=60)) == (End.DEADLOCK, 0), mode


def test_misuse_ends_a_run(programs: dict[str, Path]) -> None:
    for mode, number in MISUSES.items():
        assert ending(programs["misuses"], mode, RunBatch(runs=20)) == (End.MISUSE, number), mode


@pytest.mark.parametrize("mode, flags", [("spurious", RequestFlag.SPURIOUS), ("hopeful", RequestFlag.EARLY)])
def test_an_assertion_that_relies_on_waking_or_time_fails(
    programs: dict[str, Path], mode: str, flags: RequestFlag
) -> None:
    assert ending(programs["misuses"], mode, RunBatch(runs=25)) == (End.EXITED, 0)
    assert ending(programs["misuses"], mode, RunBatch(runs=60, flags=flags))[0] is not End.EXITED


def test_a_broadcast_wakes_those_who_do_not_look_again(programs: dict[str, Path]) -> None:
    assert ending(programs["misuses"], "stolen", RunBatch(runs=60))[0] not in (End.EXITED, End.DEADLOCK)


def test_what_primitives_do_not_order_is_a_race(programs: dict[str, Path]) -> None:
    for mode in UNORDERED:
        assert ending(programs["unordered"], mode, RunBatch(runs=60)) == (End.RUNNING, 0), mode


@pytest.mark.parametrize("mode, end", [("stolen", End.ABORTED), ("unheard", End.DEADLOCK)])
def test_the_exhaustive_search_finds_what_happens_before_the_process_ends(
    programs: dict[str, Path], mode: str, end: End
) -> None:
    with Server([str(programs["misuses"]), mode]) as server:
        assert Reduction(server, RunBatch(), lambda result: result.end == end).go(most=1000).found is not None


@pytest.mark.parametrize("program, mode", [("primitives", "timing"), ("primitives", "spinlocks"), ("threads", "onces")])
def test_the_exhaustive_search_ends(programs: dict[str, Path], program: str, mode: str) -> None:
    with Server([str(programs[program]), mode]) as server:
        result = Reduction(server, RunBatch(), lambda result: result.end != End.EXITED or result.detail != 0).go(
            most=1000
        )
        assert result.complete and result.found is None and result.runs > 1
