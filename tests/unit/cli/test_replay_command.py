"""`cseq replay`: the same violation again, another program, and gdb."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cseq.cli.main import main
from cseq.modules.compiled.saved import read
from tests.support.checkout import ROOT


@pytest.fixture(scope="module")
def run(explorable: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a run with a deadlock."""
    path = tmp_path_factory.mktemp("saved") / "run.cseq"
    assert main(["run", "-q", "--save", str(path), "--", str(explorable), "deadlock"]) == 1
    return path


def test_a_saved_run_fails_every_time(run: Path, explorable: Path, capfd: pytest.CaptureFixture[str]) -> None:
    saved = read(str(run))
    assert (saved.program, saved.arguments, saved.end) == (str(explorable), ("deadlock",), "deadlock")
    assert main(["replay", "-q", "--times", "20", str(run)]) == 1
    assert main(["replay", str(run), "-q", "--", str(explorable), "deadlock"]) == 1
    assert capfd.readouterr().out == "FALSE\n" * 2


def test_a_program_that_does_something_else(run: Path, explorable: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "-q", str(run), "--", str(explorable), "0"]) == 0
    assert capfd.readouterr().out == "UNKNOWN\n"


def test_a_program_that_does_not_follow(run: Path, explorable: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.cseq"
    other.write_text(run.read_text().replace('"choices": "', '"choices": "t7 '))
    assert main(["replay", "-q", str(other)]) == 3


def test_what_cannot_be_repeated_is_one_line(run: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "program"
    shutil.copy(read(str(run)).program, copy)
    with copy.open("ab") as file:
        file.write(b"!")
    for words, status, message in [
        ([], 2, "no file with a run"),
        ([str(tmp_path / "none")], 2, "cannot read"),
        ([str(copy)], 2, "is not a run that --save has written"),
        ([str(run), "--", "true"], 2, "was not compiled by cseq-cc or cseq-c++"),
        ([str(run), "-q", "--", str(copy), "deadlock"], 1, "is not the program of the saved run"),
    ]:
        assert main(["replay", *words]) == status, words
        err = capfd.readouterr().err
        assert err.count("\n") == 1 and message in err


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")
def test_gdb_stops_at_the_violation(run: Path) -> None:
    command = [sys.executable, "-m", "cseq", "replay", "--gdb", str(run)]
    text = "break backwards\nrun\nclear backwards\ncontinue\nbt\n"
    made = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT, env=dict(os.environ)
    )
    assert made.returncode == 1, made.stderr
    assert "hit Breakpoint 1, backwards" in made.stdout
    assert "SIGTRAP" in made.stdout and " in backwards " in made.stdout
    assert "the run failed in the debugger as it did" in made.stderr


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")
def test_steps_in_gdb_do_not_enter_the_runtime(run: Path) -> None:
    command = [sys.executable, "-m", "cseq", "replay", "--gdb", str(run)]
    text = "break backwards\nrun\nstep\nstep\nframe\nkill\n"
    made = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT, env=dict(os.environ)
    )
    assert "hit Breakpoint 1, backwards" in made.stdout
    assert "#0  backwards" in made.stdout, made.stdout
