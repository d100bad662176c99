"""Programs that are preprocessed already, with the system's headers, get the same verdicts as their sources."""

import subprocess
from pathlib import Path

import pytest

import cseq
from cseq.c.preprocess import compiler
from cseq.model.verdict import Verdict
from cseq.report.words import message
from tests.end_to_end.test_verdicts import read_task
from tests.support.checkout import ROOT
from tests.support.pairwise import features, sampled
from tests.support.tasks import about, input_files

FOLDER = ROOT / "sv-benchmarks"
TASKS = sorted(FOLDER.glob("*.yml"))


def _some() -> list[Path]:
    """With each verdict, programs in which any two features come together that do so in one. All with --all."""
    tasks = [read_task(path) for path in TASKS if path.stem not in DIFFERENT]
    groups = [[task for task in tasks if task.is_safe is safe] for safe in (True, False)]
    names = {task.name for group in groups for task in sampled(group, lambda task: features(task.files))}
    return [path for path in TASKS if path.stem in names]


def _preprocess(path: Path, folder: Path, bits: int) -> Path:
    """The file *path* as the compiler's preprocessor makes it with the headers of the system."""
    output = folder / f"{path.stem}.i"
    command = [compiler(), "-E", f"-m{bits}", str(path), "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return output


def _bits(data_model: str, folder: Path) -> int:
    """32 for such a task where the system has the headers for that."""
    if data_model != "ILP32":
        return 64
    probe = folder / "probe.c"
    probe.write_text("#include <pthread.h>\n")
    done = subprocess.run([compiler(), "-E", "-m32", str(probe)], capture_output=True, check=False)
    return 64 if done.returncode else 32


DIFFERENT = {
    "late_mutex_init_bad": "a static mutex that is never initialised cannot be told from one that is initialised"
}
"""Programs whose bugs the system's preprocessor hides."""


def test_there_are_enough_programs() -> None:
    assert len(TASKS) >= 140
    assert len(_some()) >= 24


@pytest.mark.parametrize("task", _some(), ids=lambda task: task.stem)
def test_verdict(task: Path, tmp_path: Path) -> None:
    said = about(task)
    bits = _bits(said["options"]["data_model"], tmp_path)
    if task.stem == "wraparound_bad" and bits == 64:
        pytest.skip("its bug is one of 32 bits only")
    files = [_preprocess(file, tmp_path, bits) for file in input_files(task) if file.suffix == ".c"]
    bounds = said["cseq"]
    outcome = cseq.verify(files, rounds=bounds["rounds"], unwind=bounds["unwind"], bits=bits, timeout=120)
    if said["properties"][0]["expected_verdict"]:
        assert outcome.verdict is not Verdict.FALSE, outcome.violated
        assert outcome.exit_status == 0, message(outcome)
        return
    assert outcome.verdict is Verdict.FALSE, (outcome.reason, message(outcome))
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert outcome.counterexample is not None
    place = outcome.violated.origin
    line = Path(place.file).read_text().splitlines()[place.line - 1]
    assert "// FAIL" in line, f"{place}: {line}"
    assert outcome.counterexample.steps[-1].origin == place
    assert outcome.counterexample.steps[-1].source == line.strip()
