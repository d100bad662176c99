"""Every program of sv-benchmarks gets its verdict, with each version of CBMC that is here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import cseq
from cseq.backends.cbmc import BACKEND, engines_folder
from cseq.verdict import Verdict

FOLDER = Path(__file__).resolve().parent.parent / "sv-benchmarks"
TASKS = sorted(FOLDER.glob("*.yml"))


def _engines() -> dict[str, Path | None]:
    """The CBMC that a user gets, and the oldest that is supported."""
    return {"default": BACKEND.find(), "5.12": engines_folder() / "cbmc-5.12" / "bin" / "cbmc"}


@pytest.fixture(params=["default", "5.12"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = _engines()[request.param]
    if path is None or not path.is_file():
        pytest.skip(f"CBMC {request.param} is not installed (setup/provide-cbmc)")
    monkeypatch.setenv("CSEQ_CBMC", str(path))
    return path


def test_there_are_enough_programs() -> None:
    verdicts = [yaml.safe_load(task.read_text())["properties"][0]["expected_verdict"] for task in TASKS]
    assert len(verdicts) >= 40
    assert verdicts.count(False) * 2 >= len(verdicts) - 2


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.stem)
def test_verdict(task: Path, engine: Path) -> None:
    about = yaml.safe_load(task.read_text())
    names = about["input_files"] if isinstance(about["input_files"], list) else [about["input_files"]]
    files = [FOLDER / name for name in names]
    files = [path for path in files if path.suffix == ".c"]
    bits = 32 if about["options"]["data_model"] == "ILP32" else 64
    bounds = about["cseq"]
    outcome = cseq.verify(files, rounds=bounds["rounds"], unwind=bounds["unwind"], bits=bits, timeout=120)
    if about["properties"][0]["expected_verdict"]:
        assert outcome.verdict is not Verdict.FALSE, outcome.violated
        assert outcome.exit_status == 0, outcome.message
        return
    assert outcome.verdict is Verdict.FALSE, (outcome.reason, outcome.message)
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert outcome.counterexample is not None
    place = outcome.violated.origin
    line = Path(place.file).read_text().splitlines()[place.line - 1]
    assert "// FAIL" in line, f"{place}: {line}"
    shown = [str(step) for step in outcome.counterexample.steps]
    assert not [text for text in shown if re.search(r"__cs|__CSEQ|<cseq>", text)]
    assert outcome.counterexample.steps[-1].origin == place
