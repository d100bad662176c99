"""Data races in the runtime of compiled programs: found in each racy program, never in one that orders its accesses."""

from pathlib import Path

import pytest

from cseq.modules.compiled.client.record import AccessKind, End, EntryFlag, Op, RequestFlag
from cseq.modules.compiled.client.server import RunBatch, Server
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

RACY = (
    "write_write", "write_read", "relaxed_flag", "relaxed_load", "late_fence", "early_fence", "broken_sequence",
    "relaxed_failure", "half_locked", "atomic_then_plain", "atomic_read_and_plain", "plain_read_and_atomic",
    "volatile_flag", "overlapping", "structures", "spinning_plainly",
)  # fmt: skip
CLEAN = (
    "read_read", "release_acquire", "total_order", "fences", "sequence", "acquiring_failure", "locked", "neighbours",
    "parts", "spinning", "reused_stack", "reused_mapping", "overlapping_counters", "written_at_last",
    "annotated_mutex", "annotated",
)  # fmt: skip
RUNS = 60


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of racing.c in one."""
    return compiled(Path(__file__).with_name("racing.c"), tmp_path_factory.mktemp("racing"))


@pytest.mark.parametrize("name", RACY)
def test_accesses_that_nothing_orders_are_a_race(program: Path, name: str) -> None:
    with Server([str(program), name]) as server:
        result = server.run(RunBatch(runs=RUNS, seed=1))
        assert (result.end, result.detail) == (End.EXITED, 0)
        assert result.races > 0
        race = server.array("races")[0]
        assert race.first.thread != race.second.thread
        assert AccessKind.WRITE in (race.first.kind, race.second.kind)
        assert not (race.first.atomic and race.second.atomic)
        frames = server.array("frames")
        assert all(frames[side.stack].pc == side.pc for side in (race.first, race.second))


@pytest.mark.parametrize("name", CLEAN)
def test_accesses_that_are_ordered_are_no_race(program: Path, name: str) -> None:
    with Server([str(program), name]) as server:
        result = server.run(RunBatch(runs=RUNS, seed=1))
        assert (result.end, result.detail, result.races, result.runs) == (End.EXITED, 0, 0, RUNS)


def test_a_free_is_a_write(program: Path) -> None:
    with Server([str(program), "freed"]) as server:
        ends: set[End | str] = set()
        for seed in range(1, RUNS):
            result = server.run(RunBatch(seed=seed))
            ends.add(End(result.end))
            if result.end == End.EXITED and result.races:
                race = server.array("races")[0]
                assert (race.first.kind, race.second.kind) == (AccessKind.READ, AccessKind.FREE)
                ends.add("raced")
        assert ends == {End.EXITED, "raced"}


def test_places_of_races_become_switch_points(program: Path) -> None:
    """Both threads read before either writes: possible only where a switch between the accesses is."""
    with Server([str(program), "half_locked"]) as server:
        seed, places = 1, set[int]()
        while len(places) < 4 and seed < RUNS:
            seed += server.run(RunBatch(runs=RUNS, seed=seed)).runs
            places |= {side.pc for race in server.array("races") for side in (race.first, race.second)}
        values = set()
        for seed in range(1, RUNS):
            server.run(RunBatch(seed=seed, sites=sorted(places), flags=RequestFlag.DETAIL))
            written = [entry for entry in server.array("entries") if entry.op == Op.WRITE and not entry.flags]
            values.add(written[-1].argument)
        assert values == {1, 2}


def test_details_do_not_change_the_schedule(program: Path) -> None:
    with Server([str(program), "volatile_flag"]) as server:
        server.run(RunBatch(seed=5))
        plain = [(entry.op, entry.thread, entry.object) for entry in server.array("entries")]
        server.run(RunBatch(seed=5, flags=RequestFlag.DETAIL))
        entries = server.array("entries")
        assert [
            (entry.op, entry.thread, entry.object) for entry in entries if not entry.flags & EntryFlag.OBSERVED
        ] == plain
        observed = [entry for entry in entries if entry.flags & EntryFlag.OBSERVED]
        written = [(entry.value, entry.argument) for entry in observed if entry.op == Op.WRITE and entry.size == 4]
        assert (0, 1) in written
        volatile = next(entry for entry in entries if entry.op == Op.VOLATILE_WRITE)
        assert (volatile.value, volatile.argument, volatile.size) == (0, 1, 4)
