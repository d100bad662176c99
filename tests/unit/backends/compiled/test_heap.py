"""The heap of the runtime: memory used correctly, and wrongly."""

from pathlib import Path

import pytest

from cseq.modules.compiled.client.record import End
from cseq.modules.compiled.client.server import RunBatch
from tests.support.compiled_programs import compiled, ending

pytestmark = pytest.mark.engine

WRONG = {
    "freed_twice": End.DOUBLE_FREE, "deleted_twice": End.DOUBLE_FREE, "inside": End.INVALID_FREE,
    "of_stack": End.INVALID_FREE, "used_late": End.USE_AFTER_FREE, "read_late": End.USE_AFTER_FREE,
    "above": End.OVERFLOW, "below": End.OVERFLOW,
}  # fmt: skip


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = Path(__file__).parent / "system" / "heap.cpp"
    return compiled(source, tmp_path_factory.mktemp("heap"), "-O0", "-w", cxx=True)


@pytest.mark.parametrize("mode", ["containers", "resized", "aligned", "zeroed", "thrown"])
def test_no_schedule_of_a_correct_program_fails(program: Path, mode: str) -> None:
    assert ending([str(program), mode], RunBatch(runs=20)) == (End.EXITED, 0, 0)


def test_memory_used_wrongly_ends_a_run(program: Path) -> None:
    for mode, end in WRONG.items():
        assert ending([str(program), mode], RunBatch(runs=20, status=None))[0] == end, mode
