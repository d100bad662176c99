"""The models that SPIN gets in benchmarks/deadlock are of programs that are there, and have their verdicts."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.checkout import ROOT

pytestmark = pytest.mark.engine

FOLDER = ROOT / "benchmarks" / "deadlock" / "promela"
MODELS = sorted(path.stem for path in FOLDER.glob("*.pml") if path.stem != "pthread")


def test_there_are_models() -> None:
    assert len(MODELS) >= 8


@pytest.mark.skipif(shutil.which("spin") is None, reason="spin is not installed")
@pytest.mark.parametrize("kind", ["bad", "good"])
@pytest.mark.parametrize("name", MODELS)
def test_model_has_the_verdict_of_its_program(name: str, kind: str, tmp_path: Path) -> None:
    assert (ROOT / "sv-benchmarks" / "deadlock" / f"{name}_{kind}.c").is_file()
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    define = ["-DGOOD"] if kind == "good" else []
    subprocess.run(["spin", "-a", *define, f"{name}.pml"], cwd=tmp_path, check=True, capture_output=True)
    subprocess.run(["cc", "-w", "-o", "pan", "pan.c"], cwd=tmp_path, check=True)
    done = subprocess.run(["./pan"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert ("errors: 0" in done.stdout) == (kind == "good"), done.stdout
    assert ("invalid end state (" in done.stdout) == (kind == "bad"), done.stdout
