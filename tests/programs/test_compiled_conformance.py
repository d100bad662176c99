"""Programs that are there for other families, as they are compiled: bugs are found, and none in the twins."""

import time
from pathlib import Path

import pytest

from cseq.model.verdict import Binary, Verdict
from cseq.modules.compiled.client.server import Server
from cseq.modules.compiled.exploration import Exploration
from cseq.modules.compiled.schedule_search import Settings
from tests.programs.matrix import HERE
from tests.support.compiled_programs import compiled


@pytest.mark.parametrize(
    "name", ["threads/cancel_blocked", "threads/barrier_phases", "library/nondet_undeclared", "language/struct_return"]
)
def test_bug_and_twin(name: str, tmp_path: Path) -> None:
    for flags, expected in (("-DBUG", Verdict.FALSE), ("-UBUG", Verdict.UNKNOWN)):
        program = compiled(HERE / f"{name}.c", tmp_path, "-O1", "-w", flags)
        with Server([str(program)]) as server:
            settings = Settings(runs=200, end=time.monotonic() + 60, seed=1)
            outcome = Exploration([server], settings, Binary("")).search().outcome
        assert outcome.verdict is expected, outcome
