"""BenchExec's view of CSeq: our tool-info module, and `lazycseq`, which comes with BenchExec."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cseq.backends import cbmc
from cseq.bench import toolinfo
from cseq.benchexec_tool import Tool
from tests.support.checkout import ROOT

PROPERTY = "sv-benchmarks/properties/unreach-call.prp"
PROGRAM = "sv-benchmarks/lost_update_bad.c"


def task(files: list[str], options: Any = None, property_file: str | None = "p.prp") -> Any:
    return toolinfo.BaseTool2.Task(files, None, property_file, options)


def result(lines: list[str], status: int = 0, reason: str | None = None) -> str:
    output = toolinfo.BaseTool2.RunOutput([f"{line}\n" for line in lines])
    return Tool().determine_result(toolinfo.BaseTool2.Run(["x"], toolinfo.exit_code(status), output, reason))


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
    with pytest.raises(toolinfo.UnsupportedFeatureException):
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
    path = toolinfo.executable(Tool(), None)
    assert Path(path) == ROOT / "lazy-cseq.py"
    files = {Path(name).name for name in Tool().program_files(path)}
    assert {"lazy-cseq.py", "cseq", "modules", "backends", "pthread_stubs"} <= files


def benchexec(*words: str) -> subprocess.CompletedProcess[str]:
    """A program of BenchExec's, in the checkout, where the `python3` that is found is this one."""
    pytest.importorskip("benchexec", reason="BenchExec is not installed")
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
    pytest.importorskip("benchexec", reason="BenchExec is not installed")
    tool = toolinfo.load("lazycseq")
    path = toolinfo.executable(tool, str(ROOT))
    for program, property_file, expected in (
        (PROGRAM, PROPERTY, "false(unreach-call)"),
        (PROGRAM, "README.md", "unknown"),
    ):
        given = task([program], {"language": "C", "data_model": "LP64"}, property_file)
        command = tool.cmdline(path, [], given, toolinfo.BaseTool2.ResourceLimits())
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        output = toolinfo.BaseTool2.RunOutput(done.stdout.splitlines(keepends=True))
        run = toolinfo.BaseTool2.Run(command, toolinfo.exit_code(done.returncode << 8), output, None)
        assert tool.determine_result(run) == expected


def test_without_benchexec(tmp_path: Path) -> None:
    """Our own module works with the stand-ins for BenchExec's classes, and others are refused by name."""
    (tmp_path / "benchexec.py").write_text("raise ImportError('not here')\n")
    program = """
import sys
from cseq.bench import toolinfo
tool = toolinfo.load("cseq.benchexec_tool")
path = toolinfo.executable(tool, None)
task = toolinfo.BaseTool2.Task(["a.c"], None, "p.prp", {"data_model": "ILP32"})
print(tool.cmdline("x", ["-o"], task, toolinfo.BaseTool2.ResourceLimits(cputime=3)), tool.version(path), tool.name())
output = toolinfo.BaseTool2.RunOutput(["TRUE: fine\\n"])
print(tool.determine_result(toolinfo.BaseTool2.Run([], toolinfo.exit_code(0), output, None)), output[0], len(output))
try:
    toolinfo.load("cbmc")
except Exception as error:
    print(error)
"""
    search = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = {"PATH": search, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.splitlines() == [
        "['x', '-o', '--32', '--spec', 'p.prp', '--input', 'a.c'] 0.1.0 CSeq",
        "true TRUE: fine 1",
        "the tool-info module `cbmc` cannot be loaded: not here (BenchExec is not installed)",
    ], done.stderr
