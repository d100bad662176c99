"""Who runs the tasks: BenchExec, which needs cgroups to measure and to limit, or the runner of this package."""

from __future__ import annotations

import bz2
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from cseq.base.errors import BackendError, UsageError
from cseq.bench.definition import Definition
from cseq.bench.scores import Tally

_ASKING = 60.0  # seconds that the question may take


@dataclass(frozen=True)
class Choice:
    """Whether BenchExec runs the tasks, and the line that says why or why not."""

    benchexec: bool
    line: str

    def run(self, definition: Definition, folder: Path, given: dict[str, Any]) -> tuple[list[Path], list[Tally], bool]:
        """Run *definition* with BenchExec: the result files, the sums, and False for no tasks at fault.

        given: the options of the command line.
        """
        before = set(folder.iterdir())
        done = subprocess.run(command(definition, folder, given), env=_environment(), check=False)
        if done.returncode:
            raise BackendError(f"BenchExec ended with exit status {done.returncode}")
        files = sorted(path for path in set(folder.iterdir()) - before if ".results." in path.name)
        results = [path for path in files if path.name.endswith((".xml", ".xml.bz2"))]
        return results, [tally(path) for path in results], False


def choose(asked: str, reason: str) -> Choice:
    """Who runs the tasks where *asked* is ``auto``, ``benchexec`` or ``cseq-bench``.

    reason: why BenchExec cannot, if there is one.
    """
    if asked == "cseq-bench":
        return Choice(False, "runner: cseq-bench")
    why = reason or unusable()
    if asked == "benchexec" and why:
        raise UsageError(f"BenchExec cannot run this: {why}")
    if why:
        return Choice(False, f"runner: cseq-bench, and not BenchExec, because {why}")
    return Choice(True, "runner: BenchExec, as cgroups are usable here")


def unusable() -> str:
    """Why BenchExec cannot be used on this machine; empty where it can."""
    if importlib.util.find_spec("benchexec") is None:
        return "BenchExec is not installed"
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchexec.check_cgroups"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_ASKING,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "its check of the cgroups does not end"
    if done.returncode == 0:
        return ""
    said = [line.partition(": ")[2] or line for line in done.stderr.splitlines() if line.strip()]
    return f"cgroups are not usable here ({said[0] if said else f'exit status {done.returncode}'})"


def command(definition: Definition, folder: Path, given: dict[str, Any]) -> list[str]:
    """The command line of BenchExec."""
    words = [sys.executable, "-m", "benchexec.benchexec", str(definition.path), "--no-container"]
    words += ["--outputpath", f"{folder}{os.sep}", "--no-compress-results", "--numOfThreads", str(definition.jobs)]
    home = given["tool_directory"] or (str(_checkout()) if definition.tool.startswith("cseq.") else "")
    if home and (given["tool_directory"] or (_checkout() / "lazy-cseq.py").exists()):
        words += ["--tool-directory", home]
    for option, name in (
        ("timelimit", "--timelimit"),
        ("walltimelimit", "--walltimelimit"),
        ("memlimit", "--memorylimit"),
    ):
        if given[option]:
            words += [name, given[option]]
    for name in given["selected"]:
        words += ["--rundefinition", name]
    return words


def _checkout() -> Path:
    import cseq

    return Path(cseq.__file__).resolve().parent.parent


def _environment() -> dict[str, str]:
    """The package `cseq` has to be found by BenchExec."""
    paths = [str(_checkout()), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def tally(path: Path) -> Tally:
    """The sum of a result file."""
    with bz2.open(path) if path.suffix == ".bz2" else path.open("rb") as file:
        root = ElementTree.parse(file).getroot()
    found = Tally(root.get("name") or "all")
    for status, category, expected, cputime in _runs(root):
        found.add(status, category, expected, cputime)
    return found


def _runs(root: ElementTree.Element) -> Iterator[tuple[str, str, bool | None, float]]:
    for run in root.findall("run"):
        values = {column.get("title"): column.get("value", "") for column in run.findall("column")}
        if values.get("status"):
            expected = run.get("expectedVerdict", "").partition("(")[0]
            verdict = {"true": True, "false": False}.get(expected)
            seconds = float(values.get("cputime", "0").removesuffix("s") or 0)
            yield values["status"], values.get("category", ""), verdict, seconds
