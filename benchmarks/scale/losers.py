"""Measure how long losers live: after the first answer, and after the end of the whole run by a signal.

    python -m benchmarks.scale.losers [--runs N] [--jobs N]

Each run is a race for a program without a quick answer, with everything nested in it that there is: the explicit
search, further searches, and a level that is divided into parts, each with an engine. After some seconds the result of
the further search that ends first is taken for the answer, or the main process gets a signal. From then on the
processes of the run are counted, again and again, until none is left (after an answer: none but the main process). The
table is written to LOSERS.md.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("programs") / "elimination_stack.c"
MARK = "CSEQ_LOSERS"

_FEWEST = 8
"""So many processes at least go on when it is over, or the run does not count."""

_LATEST = 60.0
"""Seconds after which a run is given up."""

_DRIVER = """
import os, sys, time
from cseq.cli import auto, cli, further
from cseq.modules.symbolic.levels import level

level._BOX, further._SECONDS, further._GROWTH = 1.0, float(sys.argv[1]), 1.0
known = auto.is_sound

def is_sound(outcome):
    if known(outcome) or time.monotonic() < begun + 3:
        return False
    print(f"answer {time.monotonic()}", flush=True)
    return True

begun = time.monotonic()
auto.is_sound = is_sound if sys.argv[2] == "answer" else lambda outcome: False
sys.exit(cli.main(sys.argv[3:]))
"""


@dataclass(frozen=True)
class Run:
    """One run. processes: how many there were when it was over. seconds: until none was left but the main one.

    everything: until that one was gone as well; None after an answer, which it reports.
    """

    processes: int
    seconds: float
    everything: float | None = None


def family(mark: str) -> list[int]:
    """The processes that have *mark* in their environment, which each inherits from the process that began it."""
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208  # often, and only names
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:  # noqa: PTH123
                    if mark.encode() in file.read():  # a zombie has no environment
                        found.append(int(name))
            except OSError:
                continue
    return found


def measured(how: str, jobs: int) -> Run | None:
    """One run that ends by *how*: ``answer``, or the name of a signal. None if too little went on when it ended."""
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.c"
        program.write_text(f"#define REPAIRED\n{PROGRAM.read_text(encoding='utf-8')}", encoding="utf-8")
        command = [sys.executable, "-c", _DRIVER, "6", how, str(program), "--jobs", str(jobs), "--timeout", "90"]
        main = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, MARK: mark}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True,
        )  # fmt: skip
        assert main.stdout is not None
        count = 0
        if how == "answer":
            begun = 0.0
            for line in main.stdout:
                if line.startswith("answer "):
                    begun, count = float(line.split()[1]), len(family(mark))
                    break
            done = _gone(mark, {main.pid})
            main.kill()
        else:
            end = time.monotonic() + _LATEST
            time.sleep(8)
            while (count := len(family(mark))) < _FEWEST and time.monotonic() < end:
                time.sleep(0.01)
            begun = time.monotonic()
            main.send_signal(signal.Signals[how])
            done = _gone(mark, {main.pid})
        main.wait()
        everything = None if how == "answer" else _gone(mark, set()) - begun
    return Run(count, done - begun, everything) if count >= _FEWEST else None


def _gone(mark: str, main: set[int]) -> float:
    """When no process with *mark* is left but *main*."""
    end = time.monotonic() + _LATEST
    while set(family(mark)) - main and time.monotonic() < end:
        time.sleep(0.001)
    return time.monotonic()


def table(runs: dict[str, Sequence[Run]], jobs: int) -> str:
    """The results as Markdown."""
    lines = [
        "# How long losers live",
        "",
        f"`python -m benchmarks.scale.losers`: a race with `--jobs {jobs}` for a program without a quick answer, with",
        "further searches and a level in parts. Seconds until no process of the run is left but the main one, until",
        "that is gone, too, as seen from outside by looking through /proc again and again.",
        "",
        "| ended by | runs | processes, median | seconds, median | most | main process, median | most |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for how, made in runs.items():
        seconds = [run.seconds for run in made]
        many = statistics.median(run.processes for run in made)
        last = [run.everything for run in made if run.everything is not None]
        own = f"{statistics.median(last):.3f} | {max(last):.3f}" if last else "| "
        row = f"{len(made)} | {many:.0f} | {statistics.median(seconds):.3f} | {max(seconds):.3f} | {own}"
        lines.append(f"| {how} | {row} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--how", nargs="*", default=["answer", "SIGINT", "SIGTERM", "SIGKILL"])
    given = parser.parse_args(arguments)
    runs: dict[str, Sequence[Run]] = {}
    for how in given.how:
        made = [measured(how, given.jobs) for _ in range(given.runs)]
        runs[how] = [run for run in made if run is not None]
        print(how, [(run.processes, round(run.seconds, 3)) for run in runs[how]], flush=True)
    text = table({how: made for how, made in runs.items() if made}, given.jobs)
    Path(__file__).with_name("LOSERS.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
