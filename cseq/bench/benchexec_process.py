"""BenchExec as a program of its own: whether it can be used on this machine, its command line, and running it."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cseq
from cseq.model.errors import BackendError, UsageError

_PATIENCE = 60.0  # seconds that the check of the cgroups may take
CHECKOUT = Path(cseq.__file__).resolve().parent.parent
"""The checkout that this package lies in; somewhere in an installation otherwise."""

OPTIONS = ("--no-container", "--no-compress-results")
"""Options of BenchExec that it always gets."""


@dataclass(frozen=True)
class Choice:
    """Whether BenchExec runs the tasks, and the line that says why or why not."""

    benchexec: bool
    line: str


def choose(asked: str, reason: str) -> Choice:
    """Who runs the tasks if the user asked for *asked*: ``auto``, ``benchexec`` or ``cseq-bench``.

    reason: why BenchExec cannot, if that is known. Raises UsageError if it is asked for and cannot.
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
    """Why BenchExec cannot be used on this machine; empty if it can."""
    if importlib.util.find_spec("benchexec") is None:
        return "BenchExec is not installed"
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchexec.check_cgroups"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "its check of the cgroups does not end"
    if done.returncode == 0:
        return ""
    lines = [line.partition(": ")[2] or line for line in done.stderr.splitlines() if line.strip()]
    return f"cgroups are not usable here ({lines[0] if lines else f'exit status {done.returncode}'})"


def carry_out(arguments: Sequence[str], folder: Path) -> list[Path]:
    """Run BenchExec with *arguments*; returns the result files that it wrote into *folder*.

    Raises BackendError if it fails.
    """
    before = set(folder.iterdir())
    command = [sys.executable, "-m", "benchexec.benchexec", *OPTIONS, *arguments]
    done = subprocess.run(command, env=_environment(), check=False)
    if done.returncode:
        raise BackendError(f"BenchExec ended with exit status {done.returncode}")
    written = sorted(path for path in set(folder.iterdir()) - before if ".results." in path.name)
    return [path for path in written if path.name.endswith((".xml", ".xml.bz2"))]


def _environment() -> dict[str, str]:
    """That of this process, with the package `cseq` where BenchExec finds it."""
    paths = [str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
