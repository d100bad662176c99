"""What waits through the kernel in the runtime: futexes, descriptors and signals, under many schedules."""

import shutil
from pathlib import Path

import pytest

from cseq.modules.compiled.client.record import End, RequestFlag
from cseq.modules.compiled.client.server import RunBatch, Server
from tests.support.compiled_programs import compiled, ending

pytestmark = pytest.mark.engine

SOURCES = Path(__file__).parent / "system"

CORRECT = (
    "notified", "piped", "full", "polled", "connected", "forked", "blocked", "alarmed", "awaited", "interrupted",
    "woken", "lines",
)  # fmt: skip

DEADLOCKS = ("unnotified", "missed", "unwritten", "relocked", "paused")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SOURCES / "system.cpp", tmp_path_factory.mktemp("system"), "-O0", "-std=c++20", cxx=True)


def test_no_schedule_of_a_correct_program_fails(program: Path) -> None:
    for mode in CORRECT:
        assert ending([str(program), mode], RunBatch(runs=20)) == (End.EXITED, 0, 0), mode


def test_deadlocks_are_found(program: Path) -> None:
    for mode in DEADLOCKS:
        assert ending([str(program), mode], RunBatch(runs=100))[0] == End.DEADLOCK, mode


@pytest.mark.parametrize("flags", [RequestFlag(0), RequestFlag.DETAIL])
def test_a_library_loaded_in_a_run_is_in_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: RequestFlag
) -> None:
    (tmp_path / "parts").mkdir()
    shutil.copy(compiled(SOURCES / "library.c", tmp_path, "-O1", "-fPIC", "-shared"), tmp_path / "parts" / "library.so")
    program = compiled(SOURCES / "loading.c", tmp_path)
    monkeypatch.chdir(tmp_path)
    with Server([str(program), "parts/library.so"]) as server:
        recorded = server.recorded(RunBatch(flags=flags))
    found = [module for module in recorded.modules if module.path == str(tmp_path / "parts" / "library.so")]
    assert recorded.end == End.ABORTED and len(found) == 1
    if flags:
        assert any(found[0].base <= place < found[0].end for place, _ in recorded.frames)
