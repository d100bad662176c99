"""Shared parts of the benchmarks: timing a command, describing the machine, Markdown tables.

This module loads little: a child's peak memory is never reported as less than what its parent had when it forked.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import os
import platform
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
"""The checkout that is measured."""

CSEQ = (sys.executable, str(ROOT / "cseq.py"))
"""The command line, run by the Python that runs the benchmark."""

_LOAD = os.getloadavg()[0]

# Python compiles what it imports once, and keeps that, unless the environment forbids it. Here it is kept where it
# can neither be stale nor be left behind; the first run of a command fills it and must not be measured.
_BYTECODE = tempfile.TemporaryDirectory(prefix="cseq-bench-bytecode-")
_ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": _BYTECODE.name}

_GRACE = 5.0  # seconds between asking a process to stop and killing it


@dataclass(frozen=True)
class Run:
    """How a command ran.

    seconds:   wall-clock time from before it was started until after it ended.
    cpu:       processor time of all its processes, in seconds.
    memory:    peak resident size, in bytes, of the largest of its processes.
    status:    exit status; if negative, the signal that ended it.
    timed_out: it was stopped because its time was up.
    """

    seconds: float
    memory: int
    status: int
    stdout: str
    stderr: str
    timed_out: bool = False
    cpu: float = 0.0


def run(
    command: Sequence[str],
    *,
    limit: float | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Run:
    """Run *command* in *folder*, and stop it and its children after *limit* seconds.

    environment: variables that it gets in addition to those of this process.
    Its output goes to files, so that reading it costs the command nothing.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=folder,
            env={**os.environ, **_ENVIRONMENT, **(environment or {})},
            start_new_session=True,
        )
        with _alarm(process.pid, limit) as expired:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # everything that it has left running
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = [_content(file) for file in (out, err)]
    cpu = usage.ru_utime + usage.ru_stime
    return Run(seconds, usage.ru_maxrss * 1024, process.returncode, texts[0], texts[1], expired.is_set(), cpu)


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


@contextlib.contextmanager
def _alarm(pid: int, limit: float | None) -> Iterator[threading.Event]:
    """While this lasts, and no longer, the process group *pid* is stopped when *limit* seconds are over."""
    expired = threading.Event()

    def stop(number: int) -> None:
        expired.set()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, number)

    timers = []
    if limit is not None:
        # What is asked first can stop engines that it has started in groups of their own.
        timers = [
            threading.Timer(limit, stop, [signal.SIGTERM]),
            threading.Timer(limit + _GRACE, stop, [signal.SIGKILL]),
        ]
    for timer in timers:
        timer.start()
    try:
        yield expired
    finally:
        for timer in timers:
            timer.cancel()


def median(values: Iterable[float]) -> float:
    """The median."""
    return statistics.median(values)


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean, as ratios need it."""
    return statistics.geometric_mean(values)


def number(value: float, digits: int = 2) -> str:
    """*value* with *digits* digits after the point, and spaces between the thousands."""
    return f"{value:,.{digits}f}".replace(",", " ")


def table(header: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> str:
    """A Markdown table. align: a letter per column, ``l`` or ``r``; missing ones are ``r``."""
    align = align.ljust(len(header), "r")
    lines = [header, ["---:" if letter == "r" else "---" for letter in align], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def arguments(about: str, script: str, *, runs: int) -> argparse.ArgumentParser:
    """A command-line parser with the options of every script: ``--runs`` and ``--output``."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--runs", type=_positive, default=runs, metavar="N", help=f"runs of each (default: {runs})")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(script).resolve().parent / "RESULTS.md",
        metavar="FILE",
        help="where the tables go (default: RESULTS.md beside the script)",
    )
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def report(title: str, script: str, sections: Iterable[str], output: Path, tools: dict[str, str]) -> None:
    """Write the results to the file *output* and print them.

    sections: paragraphs and tables, in order. tools: the versions of what was measured, by name.
    """
    module = ".".join(Path(script).resolve().relative_to(ROOT).with_suffix("").parts)
    words = [".venv/bin/python", "-m", module, *_shown(sys.argv[1:])]
    facts = [
        ("command", f"`{shlex.join(words)}`"),
        ("date", datetime.date.today().isoformat()),
        ("machine", f"{processor()}, {os.cpu_count()} cores; load before it began: {_LOAD:.1f}"),
        ("Python", f"{platform.python_version()}, all bytecode compiled before"),
        *tools.items(),
    ]
    head = [f"# {title}\n", table(("", ""), facts, "ll")]
    text = "\n".join([*head, *sections])
    output.write_text(text, encoding="utf-8")
    print(text)


def _shown(words: Sequence[str]) -> list[str]:
    """The arguments, without the place of the results, so that they can be repeated."""
    skipped = {number + extra for number, word in enumerate(words) if word == "--output" for extra in (0, 1)}
    return [word for number, word in enumerate(words) if number not in skipped and not word.startswith("--output=")]


def progress(text: str) -> None:
    """Report progress on standard error."""
    print(text, file=sys.stderr, flush=True)


def processor() -> str:
    """The name of the processor."""
    with contextlib.suppress(OSError):
        match = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        if match:
            return match.group(1)
    return platform.processor() or platform.machine()


def compiler() -> str:
    """The version of the C compiler that preprocesses."""
    with contextlib.suppress(OSError):
        return run(["cc", "--version"]).stdout.partition("\n")[0]
    return "none"


def engines() -> dict[str, str]:
    """Every CBMC that CSeq would use: version → path, the preferred one first.

    A separate process finds out, which keeps this one small.
    """
    code = (
        "from cseq.backends import cbmc\n"
        "paths = [cbmc.find(), *sorted(cbmc.engines_folder().glob('cbmc-*/bin/cbmc'), reverse=True)]\n"
        "for path in paths:\n"
        "    if path and cbmc.version(path): print('.'.join(map(str, cbmc.version(path))), path)\n"
    )
    lines = run([sys.executable, "-c", code], folder=ROOT).stdout.splitlines()
    found: dict[str, str] = {}
    for line in lines:
        version, _, path = line.partition(" ")
        found.setdefault(version, path)
    return found
