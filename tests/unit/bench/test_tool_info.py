"""BenchExec's view of CSeq: our tool-info module, and `lazycseq`, which comes with BenchExec."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchexec.model import load_tool_info
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException
from benchexec.util import ProcessExitCode

from cseq.backends import cbmc
from cseq.bench.runner import find_tool
from cseq.bench.runsets import load
from cseq.benchexec_tool import Tool
from cseq.version import __version__
from tests.support.checkout import ROOT

pytestmark = pytest.mark.engine

PROPERTY = "sv-benchmarks/properties/unreach-call.prp"
PROGRAM = "sv-benchmarks/lost_update_bad.c"


def task(files: list[str], options: Any = None, property_file: str | None = "p.prp") -> Any:
    return BaseTool2.Task(files, None, property_file, options)


def result(lines: list[str], status: int = 0, reason: str | None = None) -> str:
    output = BaseTool2.RunOutput([f"{line}\n" for line in lines])
    return Tool().determine_result(BaseTool2.Run(["x"], ProcessExitCode.from_raw(status), output, reason))


@pytest.mark.parametrize(
    "options, words",
    [
        (None, []),
        ({"language": "C", "data_model": "ILP32"}, ["--32"]),
        ({"language": "C", "data_model": "LP64"}, ["--64"]),
        ({"language": "C"}, []),
    ],
)
def test_the_command_line(options: Any, words: list[str]) -> None:
    command = Tool().cmdline("./lazy-cseq.py", ["--witness", "w.yml"], task(["a.c", "b.i", "h.h"], options), None)
    files = ["--input", "a.c", "--input", "b.i"]
    assert command == ["./lazy-cseq.py", "--witness", "w.yml", *words, "--spec", "p.prp", *files]
    without = Tool().cmdline("./lazy-cseq.py", ["--32"], task(["INPUT"], options, None), None)
    assert without == ["./lazy-cseq.py", "--32", "--input", "INPUT"] or (not words and "--32" in without)


@pytest.mark.parametrize("options", [{"language": "Java"}, {"language": "C", "data_model": "LLP64"}])
def test_what_cannot_be_checked(options: Any) -> None:
    with pytest.raises(UnsupportedFeatureException):
        Tool().cmdline("./lazy-cseq.py", [], task(["a.c"], options), None)


@pytest.mark.parametrize(
    "line, status",
    [
        ("TRUE: no violation in any execution", "true"),
        ("FALSE(unreach-call): assertion `x` is violated at a.c:3", "false(unreach-call)"),
        ("FALSE(valid-memtrack): memory is never freed", "false(valid-memtrack)"),
        ("UNKNOWN: no violation within 3 rounds", "unknown"),
        ("UNKNOWN: out of time", "TIMEOUT"),
        ("UNKNOWN: out of memory", "OUT OF MEMORY"),
        ("UNKNOWN: a.c:3: error: `setjmp` is not supported", "unknown"),
        ("UNKNOWN: internal error: KeyError: 3 (please report it)", "ERROR (internal error)"),
        ("UNKNOWN: the backend `cbmc` is not installed (`cseq doctor` says how to get it)", "ERROR (no backend)"),
        ("UNKNOWN: the backend `cbmc` failed: it was killed by signal 11", "ERROR (backend)"),
    ],
)
def test_results(line: str, status: str) -> None:
    assert result([line]) == status


def test_what_is_no_verdict() -> None:
    assert result([]) == "ERROR (no verdict)"
    assert result(["Traceback", "TRUE: x", "FALSE(no-overflow): y"]) == "ERROR (no verdict)"
    assert result([], 9, "cputime") == "ERROR"  # the caller knows better


def test_the_checkout_has_what_it_runs() -> None:
    benchmark = load(None, [])
    find_tool(benchmark, None)
    path = benchmark.executable
    assert (Path(path), benchmark.tool_version) == (ROOT / "lazy-cseq.py", __version__)
    files = {Path(name).name for name in Tool().program_files(path)}
    assert {"lazy-cseq.py", "cseq", "modules", "backends", "pthread_stubs"} <= files


def benchexec(*words: str) -> subprocess.CompletedProcess[str]:
    """A program of BenchExec's, in the checkout, where the `python3` that is found is this one."""
    search = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = {"PATH": search, "PYTHONPATH": str(ROOT), "HOME": str(Path.home())}
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_benchexec_accepts_the_module() -> None:
    words = ["benchexec.test_tool_info", "cseq.benchexec_tool", "--no-container"]
    done = benchexec(*words, "--task-definition", "sv-benchmarks/two_units_bad.yml")
    assert done.returncode == 0
    # That is so where the command is in an environment on PATH.
    said = (done.stdout + done.stderr).replace("WARNING: Path to executable is absolute", "")
    assert "WARNING" not in said and "Traceback" not in said, said
    assert "'--input', 'sv-benchmarks/two_units_bad/a.c', '--input', 'sv-benchmarks/two_units_bad/b.c']" in said


@pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")
def test_benchexec_s_own_module_understands_the_command() -> None:
    """Called as `lazycseq` says, the command prints what that understands."""
    benchmark = load(None, [])
    _, benchmark.tool = load_tool_info("lazycseq", benchmark.config)
    find_tool(benchmark, str(ROOT))
    tool, path = benchmark.tool, benchmark.executable
    for program, property_file, expected in (
        (PROGRAM, PROPERTY, "false(unreach-call)"),
        (PROGRAM, "README.md", "unknown"),
    ):
        given = task([program], {"language": "C", "data_model": "LP64"}, property_file)
        command = tool.cmdline(path, [], given, BaseTool2.ResourceLimits())
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        output = BaseTool2.RunOutput(done.stdout.splitlines(keepends=True))
        run = BaseTool2.Run(command, ProcessExitCode.from_raw(done.returncode << 8), output, None)
        assert tool.determine_result(run) == expected


@pytest.mark.parametrize("words", [["-m", "cseq.bench"], ["-c", "import cseq.bench.command as c; exit(c.main())"]])
def test_without_benchexec(tmp_path: Path, words: list[str]) -> None:
    """One clear line, whatever is asked for; and the way to install it."""
    (tmp_path / "benchexec.py").write_text("raise ImportError('not here')\n")
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    for given in ([], ["--tasks", "nowhere"], ["--runner", "auto"]):
        command = [sys.executable, *words, *given]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (
            2, "", "cseq-bench: error: BenchExec is not installed: `pip install 'lazy-cseq[bench]'` installs it\n",
        )  # fmt: skip
    helped = subprocess.run([sys.executable, *words, "--help"], env=environment, capture_output=True, check=False)
    assert helped.returncode == 0 and b"--tasks" in helped.stdout
