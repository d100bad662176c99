"""Files with reports of jobs."""

import json
from pathlib import Path
from typing import Any

import pytest

from cseq.model.verdict import Outcome
from tests.support.job_reports import NAME, Writer, object_of


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    """Write the report on an outcome, of a job with given values of parameters; returns its file."""
    folder = tmp_path / "jobs.d"
    folder.mkdir()

    def written(outcome: Outcome, engine: str = "cbmc", only: str = NAME, **given: Any) -> Path:
        path = folder / f"{len(list(folder.iterdir())):04}.json"
        path.write_text(json.dumps(object_of(outcome, engine, only, **given)))
        return path

    return written
