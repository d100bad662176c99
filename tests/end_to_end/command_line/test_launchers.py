"""The launchers of a checkout use the Python that runs them, and `.venv` only where that one lacks the packages."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cseq.version import __version__
from tests.support.checkout import ROOT


def said(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(params=["cseq.py", "lazy-cseq.py"])
def launcher(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The launcher of a checkout whose environment and package only say what they are given."""
    copy = tmp_path / request.param
    shutil.copy(ROOT / request.param, copy)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "environment: $*"\n')
    python.chmod(0o755)
    (tmp_path / "cseq" / "cli").mkdir(parents=True)
    (tmp_path / "cseq" / "__init__.py").touch()
    for module in ("main", "svcomp"):
        path = tmp_path / "cseq" / "cli" / f"{module}.py"
        path.write_text("import sys\n\ndef main():\n    print('itself:', *sys.argv[1:])\n")
    return copy


def test_the_python_that_runs_it_is_used(launcher: Path) -> None:
    assert said(sys.executable, launcher, "--rounds", "2") == "itself: --rounds 2\n"


def test_the_environment_is_used_where_packages_are_missing(launcher: Path) -> None:
    without_packages = [sys.executable, "-S", "-E"]
    assert said(*without_packages, launcher, "--rounds", "2") == f"environment: {launcher} --rounds 2\n"


def test_without_an_environment_the_python_that_runs_it_is_all_there_is(launcher: Path) -> None:
    shutil.rmtree(launcher.parent / ".venv")
    done = subprocess.run([sys.executable, "-S", "-E", launcher], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "itself:\n")  # the package itself says what it lacks


def test_versions() -> None:
    assert said(sys.executable, ROOT / "cseq.py", "--version") == f"cseq {__version__}\n"
    assert said(sys.executable, ROOT / "lazy-cseq.py", "--version") == f"{__version__}\n"
