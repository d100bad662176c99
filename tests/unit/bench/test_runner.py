"""cseq-bench from the command line to the result files, with the shell as the tool."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cseq.backends import cbmc
from cseq.bench.command import main
from cseq.bench.runsets import load, of_definition
from tests.support.checkout import ROOT
from tests.support.processes import alive
from tests.unit.bench.conftest import Bench

pytestmark = pytest.mark.engine

ONE_SET = """
  <option name="--all">1</option>
  <rundefinition name="one"><option name="${taskdef_name}"/>
    <tasks name="few"><include>t/*.yml</include><exclude>t/left_out.yml</exclude></tasks>
    <propertyfile>properties/unreach-call.prp</propertyfile>
  </rundefinition>
  <columns><column title="said">said </column></columns>
"""


def results(bench: Bench) -> list[ElementTree.Element]:
    """The result files, by name."""
    return [ElementTree.parse(path).getroot() for path in sorted((bench.folder / "results").glob("*.xml"))]


def statuses(root: ElementTree.Element) -> dict[str, tuple[str, str]]:
    """The name of each task, with its status and category."""
    found = {}
    for run in root.findall("run"):
        values = {column.get("title"): column.get("value") for column in run.findall("column")}
        found[Path(run.get("name", "")).stem] = (values.get("status"), values.get("category"))
    return found


def test_a_definition(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench.task("t/right", "echo 'verdict: true'; echo \"said $@\"")
    bench.task("t/wrong", "echo 'verdict: true'", "false")
    bench.task("t/alarm", "echo 'verdict: false(unreach-call)'", "true")
    bench.task("t/found", "echo 'verdict: false(unreach-call)'; exit 1", "false")
    bench.task("t/open", "echo 'verdict: unknown'")
    bench.task("t/broken", "exit 3")
    bench.task("t/crash", "kill -SEGV $$")
    bench.task("t/left_out", "exit 0")
    bench.task("t/other_property", "exit 0", prp="valid-memsafety")
    assert bench.run(bench.definition(ONE_SET), "--summary", "s.md") == 1  # there are wrong verdicts
    [root] = results(bench)
    assert statuses(root) == {
        "right": ("true", "correct"),
        "wrong": ("true", "wrong"),
        "alarm": ("false(unreach-call)", "wrong"),
        "found": ("false(unreach-call)", "correct"),
        "open": ("unknown", "unknown"),
        "broken": ("ERROR (3)", "error"),
        "crash": ("SEGMENTATION FAULT", "error"),
    }
    given = {
        name: root.get(name) for name in ("tool", "version", "timelimit", "name", "block", "benchmarkname", "error")
    }
    assert given == {
        "tool": "Shell", "version": "7", "timelimit": "20s", "name": "one.few", "block": "few", "benchmarkname": "b",
        "error": None,
    }  # fmt: skip
    right = next(run for run in root.findall("run") if "right" in run.get("name", ""))
    values = {column.get("title"): column.get("value", "") for column in right.findall("column")}
    assert values["said"] == "properties/unreach-call.prp --all 1 right.yml"
    assert re.fullmatch(r"\d+\.\d+s", values["cputime"])
    assert int(values["memory"].removesuffix("B")) > 100_000
    assert (right.get("propertyFile"), right.get("expectedVerdict")) == ("../properties/unreach-call.prp", "true")
    log = (bench.folder / "results" / right.get("logfile", "")).read_text().splitlines()
    assert log[0].endswith("/sh t/right.c properties/unreach-call.prp --all 1 right.yml")
    assert log[6] == "verdict: true"
    out = capsys.readouterr().out
    assert re.search(r"^\d\d:\d\d:\d\d   found\.yml +false\(unreach-call\) +\d+\.\d\d +\d+\.\d\d$", out, re.MULTILINE)
    assert "  Score:               -45 (max: 12)" in out
    assert (bench.folder / "s.md").read_text().splitlines()[2].startswith("| one | 7 | 1 | 1 | 1 | 1 | 3 | -45 | 12 |")


def test_limits(bench: Bench) -> None:
    bench.task("t/clock", "sleep 60")
    bench.task("t/processor", "echo 'verdict: true'; while :; do :; done")
    bench.task("t/memory", f'exec {sys.executable} -c "x = bytearray(300_000_000); import time; time.sleep(60)"')
    limits = 'timelimit="1 s" walltimelimit="6 s" memlimit="100 MB" threads="3"'
    start = time.monotonic()
    assert bench.run(bench.definition(ONE_SET, limits)) == 0
    assert time.monotonic() - start < 40
    assert {name: status for name, (status, _) in statuses(results(bench)[0]).items()} == {
        "clock": "TIMEOUT",
        "processor": "TIMEOUT",
        "memory": "OUT OF MEMORY",
    }


def test_nothing_survives_a_run(bench: Bench) -> None:
    """Neither what has left the session, nor what goes on when its parent has ended."""
    bench.task("t/leaves", "(setsid sh -c 'sleep 61 & echo $! > left; wait' &) ; sleep 0.5; echo 'verdict: true'")
    bench.task("t/killed", "setsid sh -c 'echo $$ > killed; trap \"\" TERM; sleep 61; sleep 61' & wait")
    bench.run(bench.definition(ONE_SET, 'timelimit="9 s" walltimelimit="5 s"'))
    assert statuses(results(bench)[0]) == {"killed": ("TIMEOUT", "error"), "leaves": ("true", "correct")}
    for name in ("left", "killed"):
        process = int((bench.folder / name).read_text())
        assert not alive(process)


def test_surroundings(bench: Bench) -> None:
    bench.task("t/env", 'echo "said $GIVEN"; touch "$TMPDIR/x" "$HOME/y"; echo "$TMPDIR" > where; echo "verdict: true"')
    assert bench.run(bench.definition(ONE_SET)) == 0
    [root] = results(bench)
    columns = {c.get("title"): c.get("value") for run in root.findall("run") for c in run.findall("column")}
    assert columns["said"] == "by the tool"
    assert not Path((bench.folder / "where").read_text().strip()).exists()


def test_resume(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """What is done is not done again; what was stopped is."""
    bench.task("t/left_out", "exit 0")
    bench.task("t/a", "echo a >> trace; echo 'verdict: true'")
    bench.task("t/b", "echo b >> trace; [ -e go ] || kill -INT $(cat runner); sleep 1; echo 'verdict: unknown'")
    definition = bench.definition(ONE_SET)
    command = [sys.executable, "-c", "import os, pathlib, sys; pathlib.Path('runner').write_text(str(os.getpid()))\n"
               "from cseq.bench.command import main; sys.exit(main())"]  # fmt: skip
    words = [*command, definition]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    stopped = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (stopped.returncode, stopped.stderr.lstrip()) == (130, "cseq-bench: interrupted\n")
    [root] = results(bench)
    assert root.get("error") == "interrupted"
    assert statuses(root) == {"a": ("true", "correct"), "b": (None, None)}
    bench.write("go", "")
    assert bench.run(definition, "--resume") == 0
    [root] = results(bench)
    assert root.get("error") is None
    assert statuses(root) == {"a": ("true", "correct"), "b": ("unknown", "unknown")}
    assert (bench.folder / "trace").read_text().split() == ["a", "b", "b"]
    assert "1 are done already" in capsys.readouterr().out
    assert bench.run(definition, "--resume", "--timelimit", "7 s") == 2
    assert "timelimit was 20s, and is 7s" in capsys.readouterr().err


def test_results_are_in_the_file_soon(
    bench: Bench, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A runner that is killed leaves what it has done, and that can be resumed."""
    monkeypatch.setattr("cseq.bench.resultfiles._EVERY", 0.0)
    bench.task("t/a", "echo 'verdict: true'; echo 'said once'; echo a >> trace")
    bench.task("t/b", "cp results/*.xml killed.xml; echo 'verdict: unknown'")
    bench.task("t/left_out", "exit 0")
    definition = bench.definition(ONE_SET)
    assert bench.run(definition) == 0
    killed = ElementTree.parse(bench.folder / "killed.xml").getroot()
    assert (killed.get("error"), statuses(killed)) == ("incomplete", {"a": ("true", "correct"), "b": (None, None)})
    [path] = (bench.folder / "results").glob("*.xml")
    before = path.read_text()
    path.write_bytes((bench.folder / "killed.xml").read_bytes())
    assert bench.run(definition, "--resume") == 0
    [root] = results(bench)
    assert (root.get("error"), statuses(root)) == (None, {"a": ("true", "correct"), "b": ("unknown", "unknown")})
    [run, _] = root.findall("run")
    assert ElementTree.tostring(run) == ElementTree.tostring(ElementTree.fromstring(before).findall("run")[0])
    assert (bench.folder / "trace").read_text().split() == ["a"]
    assert "  Score:                 2 (max: 4)" in capsys.readouterr().out
    [text] = (bench.folder / "results").glob("*.txt")
    lines = [line.split() for line in text.read_text().splitlines() if line.startswith(("a.yml", "b.yml"))]
    assert [(line[0], line[1], line[4:]) for line in lines] == [("a.yml", "true", ["once"]), ("b.yml", "unknown", [])]


def test_a_stopped_runner_stops_what_it_runs(bench: Bench) -> None:
    bench.task("t/a", "echo $$ > running; sleep 61")
    words = [sys.executable, "-m", "cseq.bench", bench.definition(ONE_SET)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL) as runner:
        end = time.monotonic() + 30
        while not (bench.folder / "running").exists() or not (bench.folder / "running").read_text():
            assert time.monotonic() < end
            time.sleep(0.05)
        process = int((bench.folder / "running").read_text())
        runner.send_signal(signal.SIGKILL)  # so it cannot do anything itself
    end = time.monotonic() + 20
    while alive(process):
        assert time.monotonic() < end, "the run goes on"
        time.sleep(0.05)


def test_a_folder_of_tasks(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench.task("c/one/a", "echo 'verdict: true'")
    bench.task("c/two/a", "echo 'verdict: false(valid-deref)'", "false\n    subproperty: valid-free", "valid-memsafety")
    bench.task("c/two/java", "exit 0")
    bench.write(
        "c/two/java.yml", (bench.folder / "c/two/java.yml").read_text().replace("language: C", "language: Java")
    )
    bench.task("c/two/broken", "exit 0")
    bench.write("c/two/broken.yml", "format_version: '2.0'\n\ninput_files: nothing.c\n")
    bench.write("c/two/witness.yml", "- entry_type: violation_sequence\n")
    assert bench.run("--tasks", "c", "--jobs", "2") == 2
    captured = capsys.readouterr()
    assert captured.err == "c/two/broken.yml:3: error: the input file `nothing.c` does not exist\n"
    first, second = results(bench)
    assert statuses(first) == {"a": ("true", "correct"), "java": ("ERROR (unsupported task)", "error")}
    assert statuses(second) == {"a": ("false(valid-deref)", "unknown")}
    assert (first.get("name"), second.get("name")) == ("unreach-call", "valid-memsafety.two")
    for row in ("unreach-call: one", "unreach-call: two", "unreach-call", "valid-memsafety", "total"):
        assert re.search(rf"^{row} +\d", captured.out, re.MULTILINE), row
    assert re.search(r"^total +3 +1 +0 +0 +0 +2 +2 +5 ", captured.out, re.MULTILINE)


def test_folders_in_folders_and_paths_of_both_kinds(bench: Bench) -> None:
    bench.task("c/one/deep/a", "echo 'verdict: true'")
    assert bench.run("--tasks", "c") == 0
    bench.task("c/b", "echo 'verdict: true'")
    assert bench.run("--tasks", "c/b.yml", "--tasks", str(bench.folder / "c/one"), "--output", "more") == 0
    [path] = (bench.folder / "results").glob("*.xml")
    assert path.name.endswith(".results.unreach-call.one-deep.xml")


def test_a_supervisor_that_is_killed(bench: Bench) -> None:
    """The run is no result, and others go on."""
    bench.task("t/a", "kill -KILL $PPID; sleep 0.2")
    bench.task("t/b", "echo 'verdict: true'")
    assert bench.run(bench.definition(ONE_SET)) == 0
    assert statuses(results(bench)[0]) == {"a": ("ERROR (not measured)", "error"), "b": ("true", "correct")}


def test_one_property_of_a_list(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench.task("c/a", "echo 'verdict: true'")
    bench.task("c/b", "echo 'verdict: true'", prp="valid-memsafety")
    bench.write("Some.set", "# a list\n\nc/*.yml\nd/*.yml\n")
    assert bench.run("--tasks", "Some.set", "--property", "unreach-call") == 0
    assert capsys.readouterr().err == "warning: Some.set:4: `d/*.yml` matches no file\n"
    [root] = results(bench)
    assert (statuses(root), root.get("block")) == ({"a": ("true", "correct")}, "Some")


@pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")
def test_real_tasks(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """With the options, the tool and the columns of our own definition."""
    folder = ROOT / "sv-benchmarks"
    tasks = ("two_units_bad.yml", "race/one_sided_lock_bad.yml", "deadlock/philosophers_two_good.yml")
    words = [word for task in tasks for word in ("--tasks", str(folder / task))]
    assert main([str(folder / "cseq.xml"), *words, "--walltimelimit", "300 s", "--jobs", "2"]) == 0
    found = {name: status for root in results(bench) for name, status in statuses(root).items()}
    assert found == {
        "two_units_bad": ("false(unreach-call)", "correct"),
        "one_sided_lock_bad": ("false(no-data-race)", "correct"),
        "philosophers_two_good": ("true", "correct"),
    }
    assert [column.get("title") for column in results(bench)[0].findall("columns/column")][-1] == "message"
    witnesses = sorted(path.name for path in (bench.folder / "results").glob("*.logfiles/*.witness.yml"))
    assert witnesses[0] == "no-data-race.one_sided_lock_bad.yml.witness.yml"
    assert re.search(r"^total +3 +1 +2 +0 +0 +0 +4 +4 ", capsys.readouterr().out, re.MULTILINE)


def test_the_definition_of_the_benchmarks(caplog: pytest.LogCaptureFixture) -> None:
    run_sets = of_definition(load(ROOT / "sv-benchmarks" / "cseq.xml", []), [])
    assert not any(run_set.errors for run_set in run_sets) and not caplog.records
    assert {run_set.real_name: len(run_set.runs) for run_set in run_sets} == {
        "unreach-call": 144, "no-deadlock": 60, "no-data-race": 140,
    }  # fmt: skip
    for run_set in run_sets:
        assert ("--misuse" in run_set.options) == (run_set.real_name == "unreach-call")
        assert {expected.result for run in run_set.runs for expected in run.expected_results.values()} == {True, False}


@pytest.mark.parametrize(
    "words, message",
    [
        (["none.xml"], "cseq-bench: error: none.xml: cannot be read: No such file or directory"),
        (["bad.xml"], "bad.xml:2: error: not XML: mismatched tag"),
        (["bench.xml"], "bench.xml:1: error: <table> is not a benchmark definition (<benchmark>)"),
        (["b.xml", "-r", "two"], "cseq-bench: error: b.xml: there is no run definition `two` (known: one)"),
        (["b.xml", "-T", "fast"], "cseq-bench: error: `fast` is not a limit of time, such as `60 s`"),
        (["b.xml", "-M", "8 GBit"], "cseq-bench: error: `8 GBit` is not a limit of memory, such as `8 GB`"),
        (["--tasks", "nowhere"], "cseq-bench: error: nowhere: no such file or folder"),
        (["--tasks", "u.set"], "cseq-bench: error: u.set: the list matches no file"),
        (["--tasks", "empty"], "cseq-bench: error: there is no task to run"),
        (["--jobs", "0"], "cseq-bench: error: Invalid value for '--jobs'"),
    ],
)
def test_refusals(bench: Bench, capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    bench.task("t/a", "echo 'verdict: true'")
    bench.definition(ONE_SET)
    bench.write("bad.xml", "<benchmark tool='x'>\n<a></b>\n")
    bench.write("bench.xml", "<table/>")
    bench.write("u.set", "u/*.yml\n")
    (bench.folder / "empty").mkdir()
    assert bench.run(*words) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(message)


FEW = '<tasks name="few"><include>t/*.yml</include></tasks>'
ONE = f'<rundefinition name="one">{FEW}<propertyfile>properties/unreach-call.prp</propertyfile></rundefinition>'


@pytest.mark.parametrize(
    "attributes, body, message",
    [
        ('threads="0"', ONE, "threads=`0` is not a positive number"),
        ('cpuCores="two"', ONE, "cpuCores=`two` is not a positive number"),
        ('cpuCores="999"', ONE, None),
        ('timelimit="fast"', ONE, "timelimit=`fast` is not a limit of time, such as `60 s`"),
        ('memlimit="8 GBit"', ONE, "memlimit=`8 GBit` is not a limit of memory, such as `8 GB`"),
        ('memlimit="100"', ONE, "Invalid value for memory limit: Memory limit must have a unit suffix, e.g., '100 MB'"),
        ("", ONE + ONE, "Run definitions with the following names are present more than once, "
                        "please use unique names: one"),
        ("", ONE.replace("*.yml", "*.nix"), "`t/*.nix` in <include> matches no file"),
        ("", ONE.replace("*.yml", "*.c"), "`t/a.c` is not a task definition (.yml)"),
        ("", ONE.replace("unreach-call", "nix"), "the property file `properties/nix.prp` does not exist"),
        ("", f'<rundefinition name="one">{FEW}</rundefinition>', "the run definition `one` has no <propertyfile>"),
        ("", ONE.replace("include", "withoutfile"), "<withoutfile> in <tasks> is not supported"),
        ("", ONE + "<else/>", "<else> in <benchmark> is not supported"),
    ],
)  # fmt: skip
def test_definitions_at_fault(bench: Bench, capsys: pytest.CaptureFixture[str], attributes, body, message) -> None:
    """One line, also where BenchExec would end the process; and no results."""
    bench.task("t/a", "echo 'verdict: true'")
    assert bench.run(bench.definition(body, attributes)) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    if message is None:
        assert error.startswith("cseq-bench: error: 1 runs at a time on 999 processors each are more than the ")
    else:
        assert error == f"cseq-bench: error: b.xml: {message}"
    assert not list(bench.folder.glob("results/*.xml"))


def test_tasks_of_one_name(bench: Bench) -> None:
    """Each has a log of its own."""
    bench.task("t/a", "echo 'verdict: true'")
    bench.task("u/a", "echo 'verdict: unknown'")
    assert bench.run("--tasks", "t", "--tasks", "u", "--property", "unreach-call") == 0
    [root] = results(bench)
    logs = [(bench.folder / "results" / run.get("logfile", "")).read_text() for run in root.findall("run")]
    assert [text.splitlines()[-1] for text in logs] == ["verdict: true", "verdict: unknown"]


def test_options_come_last(bench: Bench) -> None:
    bench.task("t/a", "echo 'verdict: true'; echo \"said $@\"")
    bench.task("t/left_out", "exit 0")
    assert bench.run(bench.definition(ONE_SET), "--option", "-x", "--option", "${rundefinition_name}") == 0
    [root] = results(bench)
    [said] = [column.get("value") for column in root.findall("run/column") if column.get("title") == "said"]
    assert said == "properties/unreach-call.prp --all 1 a.yml -x one"
    assert root.get("options") == "--all 1 ${taskdef_name} -x ${rundefinition_name}"


def test_benchexec_ends_the_process(
    bench: Bench, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is an error, and not the exit status of a wrong verdict."""
    monkeypatch.setattr("benchexec.systeminfo.SystemInfo.__init__", lambda _: sys.exit("the kernel is strange"))
    bench.task("t/a", "echo 'verdict: true'")
    assert bench.run("--tasks", "t") == 3
    assert capsys.readouterr().err == "cseq-bench: error: the kernel is strange\n"


def test_results_do_not_have_the_environment(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "a-password")
    bench.task("t/a", "echo 'verdict: true'")
    assert bench.run("--tasks", "t") == 0
    files = [path for path in (bench.folder / "results").rglob("*") if path.is_file()]
    assert len(files) == 3 and not any("a-password" in path.read_text() for path in files)


def test_tables(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench.task("t/a", "echo 'verdict: true'; echo 'said <b>&amp;'")
    bench.task("t/b", "printf 'said \\033[1m\\nverdict: unknown\\n'")
    assert bench.run(bench.definition(ONE_SET), "--tables") == 0
    assert capsys.readouterr().out.endswith("tables: results/b.table.html\n")
    rows = (bench.folder / "results" / "b.table.csv").read_text().splitlines()
    assert rows[0].startswith("tool\tShell 7")
    assert rows[-2].split("\t")[:2] == ["a.yml", "true"]


@pytest.mark.parametrize(
    "words, why",
    [
        ([], "cgroups are not usable here (no permission)"),
        (["--resume"], "--resume is an option of cseq-bench alone"),
        (["--option", "x"], "--option is an option of cseq-bench alone"),
        (["--tool", "tests.unit.bench.fake_tool"], "--tool is an option of cseq-bench alone"),
    ],
)
def test_who_runs_and_why(
    bench: Bench, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], why: str
) -> None:
    monkeypatch.setattr("cseq.bench.benchexec_process.unusable", lambda: "cgroups are not usable here (no permission)")
    bench.task("t/a", "echo 'verdict: true'")
    bench.task("t/left_out", "exit 0")
    definition = bench.definition(ONE_SET)
    assert bench.run(definition, "--runner", "auto", *words) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"runner: cseq-bench, and not BenchExec, because {why}"
    assert statuses(results(bench)[0]) == {"a": ("true", "correct")}
    assert bench.run(definition, "--runner", "benchexec", *words) == 2
    assert capsys.readouterr().err == f"cseq-bench: error: BenchExec cannot run this: {why}\n"


def test_benchexec_and_the_runner_agree(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    from cseq.bench.benchexec_process import unusable

    why = unusable()
    if why:
        pytest.skip(why)
    bench.task("t/a", "echo 'verdict: true'")
    bench.task("t/b", "echo 'verdict: false(unreach-call)'; exit 1", "false")
    bench.task("t/c", "exit 2")
    bench.task("t/left_out", "exit 0")
    definition = bench.definition(ONE_SET)
    assert bench.run(definition, "--runner", "auto", "--output", "theirs") == 0
    assert "runner: BenchExec, as cgroups are usable here" in capsys.readouterr().out
    assert bench.run(definition) == 0
    [theirs] = (bench.folder / "theirs").glob("*.results.*.xml")
    [ours] = results(bench)
    root = ElementTree.parse(theirs).getroot()
    assert statuses(root) == statuses(ours)
    for one, other in zip(root.findall("run"), ours.findall("run"), strict=True):
        for name in ("name", "files", "properties", "propertyFile", "expectedVerdict"):
            assert one.get(name) == other.get(name)
    shown = [[column.get("title") for column in found.findall("columns/column")] for found in (root, ours)]
    assert shown[0] == shown[1]
