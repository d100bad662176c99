"""Runs that check each program in a folder for itself: the lines, the reports, the exit statuses, and what is left."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cseq.cli.main import main
from cseq.cli.options import asked
from tests.support.checkout import ROOT
from tests.support.jsonschema_check import check_schema, schema
from tests.support.processes import alive, waited_for
from tests.support.sarif_check import check_schema as check_sarif_schema
from tests.unit.cli.tasks.conftest import CXX, ENDLESS, FAILING, RACING, TRUE

pytestmark = pytest.mark.engine

NATIVE = ("-b", "native")
FAILS = "assertion `x == 2` is violated at all/inside/failing.c:2 in main"


def say(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit status of `cseq` with *words* and `native`, and what it prints, but for the time."""
    status = main([*NATIVE, *words])
    out, err = capfd.readouterr()
    return status, out, err


def test_a_line_about_each_program_and_a_summary(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = say(capfd, "all")
    *lines, summary = out.splitlines()
    assert (status, err) == (1, "")
    assert sorted(lines)[:2] == [
        f"FALSE    all/inside/failing.c  {FAILS}",
        "TRUE     all/correct.c         no violation in any execution",
    ]
    assert sorted(lines)[2].startswith("error    all/unreadable.c      all/unreadable.c:3: expected expression before ")
    assert summary.startswith("3 programs: 1 violated, 1 correct, 1 failed (") and summary.endswith(" s)")


def test_quiet_and_verbose(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = say(capfd, "-q", "all")
    names = ["FALSE    all/inside/failing.c", "TRUE     all/correct.c", "error    all/unreadable.c"]
    assert (status, sorted(out.splitlines())) == (1, names)
    status, out, _ = say(capfd, "--cex", "all/inside")
    lines = out.splitlines()
    assert lines[1] == f"    FALSE: {FAILS}" and "assert(x == 2)" in out


def test_exit_statuses(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    failing = folder / "inside" / "failing.c"
    failing.unlink()
    assert say(capfd, "all")[0] == 2
    (folder / "unreadable.c").unlink()
    assert say(capfd, "all")[0] == 0
    failing.write_text(ENDLESS)
    status, out, _ = say(capfd, "--memlimit", "1", "all")  # which is too little for any answer about it
    assert status == 3 and "UNKNOWN  all/inside/failing.c  " in out and "1 unknown" in out


def test_each_program_has_a_way_of_its_own(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "modern.cpp").write_text(CXX)
    status, out, _ = say(capfd, "all")
    assert status == 1
    assert "error    all/modern.cpp        the backend `native` does not read C++" in out
    words = asked(None, ["all"])
    assert not isinstance(words, str)
    ways = [words.request([f"all/{name}"]).way.chain.path.stem for name in ("modern.cpp", "correct.c")]
    assert ways == ["compiled", "lazy"]


def test_json(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = say(capfd, "--json", "all")
    report = json.loads(out)
    assert (status, err) == (1, "")
    check(report)
    ends = {task["path"]: (task["end"], task["exit_status"]) for task in report["tasks"]}
    assert list(ends.items()) == [
        ("all/correct.c", ("answered", 0)),
        ("all/unreadable.c", ("failed", 2)),
        ("all/inside/failing.c", ("answered", 1)),
    ]
    correct, unreadable, failing = report["tasks"]
    assert correct["report"]["verdict"] == "TRUE" and correct["report"]["inputs"] == ["all/correct.c"]
    assert (unreadable["error"]["file"], unreadable["error"]["line"]) == ("all/unreadable.c", 3)
    assert failing["report"]["counterexample"]["steps"]
    counts = {name: number for name, number in report["summary"].items() if name != "seconds"}
    assert counts == {
        **dict.fromkeys(counts, 0),
        "tasks": 3,
        "violated": 1,
        "correct": 1,
        "failed": 1,
        "exit_status": 1,
    }


def check(report: dict[str, Any]) -> None:
    """Check that the object about several programs is what the schema says."""
    of_all = {**schema(), **schema()["$defs"]["tasks"]}
    del of_all["required"]
    strict = json.loads(json.dumps(of_all).replace('"$ref": "#"', '"type": "object"'))
    strict["additionalProperties"] = False
    assert sorted(report) == sorted(schema()["$defs"]["tasks"]["required"])
    assert not list(Draft202012Validator(strict).iter_errors(report))
    for task in report["tasks"]:
        if task["report"] is not None:
            check_schema(task["report"])


def test_sarif_has_one_run_with_all_violations(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "other.c").write_text(FAILING)
    status, out, _ = say(capfd, "--sarif", "all")
    log = json.loads(out)
    check_sarif_schema(log)
    (run,) = log["runs"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert (status, places) == (1, ["all/other.c", "all/inside/failing.c"])
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("all/unreadable.c: ")
    assert run["invocations"][0]["exitCode"] == 1
    assert run["invocations"][0]["executionSuccessful"] is False  # one program has no answer
    (folder / "unreadable.c").unlink()
    again = json.loads(say(capfd, "--sarif", "all")[1])["runs"][0]["invocations"][0]
    assert again["executionSuccessful"] is True and again["exitCode"] == 1


def test_files_are_written_for_each_program(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["--html", "made/pages", "--reproducer", "made", "--witness", "made", "--keep", "kept"]
    assert say(capfd, "-q", *words, "all")[0] == 1
    assert sorted(str(path) for path in Path("made").rglob("*") if path.is_file()) == [
        "made/correct.c.witness.yml",
        "made/inside/failing.c.reproducer.c",
        "made/inside/failing.c.witness.yml",
        "made/pages/inside/failing.c.html",
    ]
    assert any(Path("kept/inside/failing.c").iterdir()) and any(Path("kept/correct.c").iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tiles", "4", "all"], "--tiles is about one program, and all is a folder of programs"),
        (["--keep", "all/kept", "all"], "--keep: all/kept: what is written there would be among the programs of all"),
        (["--dump-after", "merger", "all"], "--dump-after is about one program"),
        (["--simulate", "run.json", "all"], "--simulate is about one program"),
        (["--html", "all/correct.c", "all"], "--html: all/correct.c is a file; with a folder of programs"),
        (["--json", "--sarif", "all"], "--json and --sarif cannot be combined"),
        (["all", "all/correct.c"], "all is a folder and all/correct.c is a file"),
        (["--stop-on-violation", "all/correct.c"], "--stop-on-violation is for the programs in a folder"),
        (["all/.hidden/.."], ""),
    ],
)
def test_what_does_not_go_together(
    folder: Path, capfd: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    status, out, err = say(capfd, *words)
    if message:
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert message in err
    else:
        assert status == 1 and "3 programs" in out


def test_what_is_expected(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each property of a definition is a task; an answer that is not expected is named."""
    (folder / "reach.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    (folder / "race.prp").write_text("CHECK( init(main()), LTL(G ! data-race) )\n")
    (folder / "race.c").write_text(RACING)
    definition = "format_version: '2.0'\ninput_files: race.c\nproperties:\n"
    definition += "  - property_file: reach.prp\n    expected_verdict: true\n"
    definition += "  - property_file: race.prp\n    expected_verdict: {}\n"
    (folder / "race.yml").write_text(definition.format("false"))
    (folder / "wrong.yml").write_text(definition.format("true"))
    for program in ("correct.c", "unreadable.c", "inside/failing.c"):
        (folder / program).unlink()
    status, out, _ = say(capfd, "--json", "all")
    report = json.loads(out)
    check(report)
    found = {(task["path"], task["only"]): (task["exit_status"], task["as_expected"]) for task in report["tasks"]}
    assert status == 1
    assert found == {
        ("all/race.yml", "reach"): (0, True),
        ("all/race.yml", "race"): (1, True),
        ("all/wrong.yml", "reach"): (0, True),
        ("all/wrong.yml", "race"): (1, False),
    }
    status, out, _ = say(capfd, "--spec", "all/race.prp", "all")
    lines = sorted(out.splitlines())
    assert status == 1 and lines[0].startswith("2 programs: 2 violated (")
    assert lines[0].endswith(" s); 1 answer as expected, 1 not as expected")
    assert lines[1].startswith("FALSE    all/race.yml   data race on `shared`")
    assert not lines[1].endswith("(expected: TRUE)") and lines[2].endswith("(expected: TRUE)")


# What ends the others


def test_the_first_violation_ends_the_others(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "correct.c").write_text(ENDLESS)
    (folder / "unreadable.c").unlink()
    status, out, _ = say(capfd, "--stop-on-violation", "--jobs", "2", "--json", "all")
    report = json.loads(out)
    check(report)
    assert status == 1
    assert [task["end"] for task in report["tasks"]] == ["stopped", "answered"]
    assert report["summary"]["stopped"] == 1


def test_an_interruption_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    """And the summary says what is known."""
    (folder / "endless.c").write_text(ENDLESS)
    (folder / "unreadable.c").write_text(TRUE)
    (tmp_path / "temporary").mkdir()
    words = [sys.executable, str(ROOT / "cseq.py"), *NATIVE, "--jobs", "2", str(folder)]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as run:
        assert run.stdout is not None and run.stderr is not None
        lines = [run.stdout.readline() for _ in range(3)]  # of those that end
        waited_for(lambda: _exploring(tmp_path))
        engines = _exploring(tmp_path)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
    assert (run.returncode, err) == (130, "cseq: interrupted\n")
    assert sorted(line.split()[0] for line in lines) == ["FALSE", "TRUE", "TRUE"]
    assert out.startswith("4 programs: 1 violated, 2 correct, 1 stopped (")
    assert not any(alive(engine) for engine in engines)
    assert list((tmp_path / "temporary").iterdir()) == []


def _exploring(folder: Path) -> list[int]:
    """The processes whose program is below *folder*."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                if os.readlink(process / "exe").startswith(str(folder)):  # noqa: PTH115
                    found.append(int(process.name))
            except OSError:
                continue
    return found
