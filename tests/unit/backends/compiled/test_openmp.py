"""OpenMP in the runtime: constructs used correctly, and wrongly."""

import shutil
import subprocess
from pathlib import Path

import pytest

from cseq.modules.compiled.cc.wrapper import invocation
from cseq.modules.compiled.client.record import End
from cseq.modules.compiled.client.server import RunBatch
from tests.support.compiled_programs import compiled, ending

pytestmark = pytest.mark.engine

CORRECT = ("loops", "critical", "atomic", "single", "tasks", "ordered", "sections", "locks")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = Path(__file__).parent / "system" / "openmp.c"
    return compiled(source, tmp_path_factory.mktemp("openmp"), "-O1", "-fopenmp")


def test_no_schedule_of_a_correct_program_fails(program: Path) -> None:
    for mode in CORRECT:
        assert ending([str(program), mode], RunBatch(runs=30)) == (End.EXITED, 0, 0), mode


def test_what_constructs_do_not_order_is_a_race(program: Path) -> None:
    for mode in ("unprotected", "unordered"):
        assert ending([str(program), mode], RunBatch(runs=30))[2] > 0, mode


def test_a_deadlock_of_locks_is_found(program: Path) -> None:
    assert ending([str(program), "crossed"], RunBatch(runs=60))[0] == End.DEADLOCK


@pytest.mark.skipif(shutil.which("clang-14") is None, reason="needs clang")
def test_openmp_of_clang_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSEQ_CC", "clang-14")
    (tmp_path / "x.c").write_text("int main(void) { return 0; }\n")
    words = [*invocation(cxx=False), "-fopenmp", "x.c", "-o", "x"]
    made = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 1 and "OpenMP" in made.stderr and not (tmp_path / "x").exists()
