"""`cseq run`: what it says of programs that cannot be explored, and what it hands on to those that can."""

import json
from pathlib import Path

import pytest

from cseq.cli.main import main

pytestmark = pytest.mark.engine

BUILD = "build it with cseq-cc or cseq-c++"


def say(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["run", *words])
    out, err = capfd.readouterr()
    return status, out, err


def test_what_cannot_be_run_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text"
    text.write_text("no program")
    for words, message in [
        ([], "no program to run"),
        (["--runs", "0", "true"], "--runs: 0 is less than 1"),
        (["--strategy", "best", "true"], "`best` is not one of run, walk, pct, pos, surw, round, preempt, pctwm"),
        (["--exit-status", "high", "true"], "`high` is neither an exit status nor `any`"),
        (["--exhaustive", "--no-race", "--", "true"], BUILD),
        (["--", "no-such-program"], "there is no program `no-such-program`"),
        ([str(tmp_path / "none")], "there is no program"),
        ([str(text)], "is not a program that can be run"),
        (["--", "true"], BUILD),
        (["--json", "true"], "--json is about one program"),
    ]:
        status, out, err = say(capfd, *words)
        assert (status, out, err.count("\n")) == (2, "", 1), words
        assert message in err


def test_what_does_not_go_together(explorable: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for words, message in [
        (["--exhaustive", "--no-race"], "--exhaustive and --no-race cannot be combined"),
        (["--exhaustive", "--strategy", "pct"], "--exhaustive and --strategy cannot be combined"),
        (["--strategy", "pctwm"], "--strategy pctwm chooses among older values, which needs --weak"),
        (["--save", "/no/such/folder/run"], "--save: /no/such/folder/run cannot be written"),
        (["--html", "/no/such/folder/page"], "--html: /no/such/folder/page cannot be written"),
    ]:
        status, out, err = say(capfd, *words, str(explorable))
        assert (status, out, err.count("\n")) == (2, "", 1), words
        assert message in err


def test_a_deadlock_is_found_and_reported(explorable: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = say(capfd, "--json", "--", str(explorable), "deadlock")
    report = json.loads(out)
    assert (status, report["verdict"], report["exit_status"]) == (1, "FALSE", 1)
    assert report["inputs"] == [str(explorable)] and report["backend"] == "compiled"


def test_arguments_input_and_exit_status(explorable: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text"
    text.write_text("input")
    runs = ["--runs", "3", "-q"]
    assert say(capfd, *runs, "--stdin", str(text), str(explorable), "input") == (0, "UNKNOWN\n", "")
    assert say(capfd, *runs, str(explorable), "input") == (1, "FALSE\n", "")
    assert say(capfd, *runs, str(explorable), "7") == (1, "FALSE\n", "")
    assert say(capfd, *runs, "--exit-status", "7", str(explorable), "7") == (0, "UNKNOWN\n", "")
    assert say(capfd, *runs, "--exit-status=any", "--", str(explorable), "7") == (0, "UNKNOWN\n", "")
