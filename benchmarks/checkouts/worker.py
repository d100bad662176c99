"""Run the command line of one checkout on many programs, each in a process of its own that is forked from this one.

    python worker.py CHECKOUT FOLDER JOBS < RUNS

RUNS is a JSON object per line: the number of the run, its words, and its time limit in seconds. In each word, `{out}`
is a folder for files that the run writes. Leaves in FOLDER/NUMBER what the run has printed and written, and prints the
number and the exit status (None where the limit was reached) when a run has ended.

Modules are imported once, which makes short runs several times faster. Uses nothing but the standard library and the
checkout, so that the worker of this checkout can run the code of any other.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import time
import tomllib
import traceback
from pathlib import Path
from typing import Any

CRASHED = 70
"""The exit status of a run that ended with an exception."""

FIRST = 12
"""The number of runs at the beginning that leave the names of the modules that they have imported."""


def main() -> None:
    """Do the runs of the standard input."""
    checkout, folder, jobs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    sys.path[0] = str(checkout)
    scripts = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    runs = [json.loads(line) for line in sys.stdin]
    running: dict[int, tuple[int, float]] = {}  # process → number of the run, and when its time is up
    for count, run in enumerate(runs):
        while len(running) >= jobs:
            _wait(running)
        place = folder / str(run["number"])
        place.mkdir()
        tells = folder / "modules" if count < FIRST else None
        running[_start(scripts["cseq"], run, place, tells)] = run["number"], time.monotonic() + run["limit"]
        if tells is not None:
            while running:
                _wait(running)
            _import(tells)
    while running:
        _wait(running)


def _start(entry: str, run: dict[str, Any], place: Path, tells: Path | None) -> int:
    """Start a process that does *run*. tells: the file in which it leaves the names of the modules it has imported."""
    process = os.fork()
    if process:
        return process
    os.setsid()
    for number, name in (1, "stdout"), (2, "stderr"):
        os.dup2(os.open(place / name, os.O_WRONLY | os.O_CREAT, 0o666), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    status = CRASHED
    try:
        out = place / "out"
        out.mkdir()
        words = [word.replace("{out}", str(out)) for word in run["words"]]
        sys.argv = ["cseq", *words]
        module, _, function = entry.partition(":")
        status = getattr(importlib.import_module(module), function)(words)
        sys.stdout.flush()
        if tells is not None:
            tells.write_text("\n".join(sys.modules), encoding="utf-8")
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _import(names: Path) -> None:
    """Import the modules that a run has needed, for the runs after it."""
    if names.exists():
        for name in names.read_text(encoding="utf-8").split("\n"):
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        names.unlink()


def _wait(running: dict[int, tuple[int, float]]) -> None:
    """Wait until a run has ended, by itself or because its time is up."""
    while True:
        for process, (number, end) in running.items():
            late = time.monotonic() > end
            ended = os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT | os.WNOHANG)
            if late or ended:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process, signal.SIGKILL)  # everything that it has left running, too
                _, status = os.waitpid(process, 0)
                del running[process]
                print(json.dumps((number, os.waitstatus_to_exitcode(status) if ended else None)), flush=True)
                return
        time.sleep(0.005)


if __name__ == "__main__":
    main()
