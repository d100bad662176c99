"""Measure breadth-first search of the engine `native` by one process and by several.

    python -m benchmarks.explicit.multicore

writes MULTICORE.md. The ratios of wall-clock times mean something only on a machine that does nothing else; the ratios
of processor times are about what sharing costs.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common

HERE = Path(__file__).resolve().parent
PROGRAMS = common.ROOT / "sv-benchmarks" / "explicit"
FULL = ("--no-por",)

MODELS: list[tuple[str, Path, tuple[str, ...], tuple[str, ...]]] = [
    ("Peterson, 4 threads", PROGRAMS / "peterson_n_good.c", ("N=4",), ()),
    ("Peterson, 4 threads, full", PROGRAMS / "peterson_n_good.c", ("N=4",), FULL),
    ("dining philosophers, 6, full", PROGRAMS / "philosophers_test_good.c", ("N=6",), FULL),
    ("dining philosophers, 7", PROGRAMS / "philosophers_test_good.c", ("N=7",), ()),
    ("spinning philosophers, 7", PROGRAMS / "spinning_philosophers_good.c", ("N=7",), ()),
    ("message queue, 3 senders", PROGRAMS / "message_queue_good.c", ("SENDERS=3", "CAPACITY=3", "MESSAGES=5"), FULL),
    ("Fibonacci race, full", HERE / "speed.c", ("STEPS=8", "MOST=2584"), FULL),
    ("Fibonacci race", HERE / "speed.c", ("STEPS=8", "MOST=2584"), ()),
]
"""Title, program, macros, options of the engine."""

SAME = ("states", "matched", "transitions", "steps", "depth", "final")
"""Statistics that must not depend on the number of processes."""


@dataclass(frozen=True)
class Measured:
    """The best of several runs: seconds on the clock and of the processors, and what they all said."""

    seconds: float
    cpu: float
    status: str
    numbers: dict[str, float]

    @property
    def answer(self) -> tuple[str, list[float]]:
        """What must be the same for any number of processes."""
        return self.status, [self.numbers[name] for name in SAME]


def built(program: Path, macros: Sequence[str], folder: Path) -> Path:
    """The engine with the step program of *program*, in *folder*."""
    words = [*(f"-D{macro}" for macro in macros), "--keep", str(folder), "--json"]
    words += ["--depth", "1"]  # the search that belongs to it is not what is measured
    common.run([*common.CSEQ, str(program), "-b", "native", *words])
    binary = folder / "explore"
    if not binary.is_file():
        raise SystemExit(f"{program}: no verifier was built")
    return binary


def once(binary: Path, words: Sequence[str], limit: float) -> Measured:
    """One search."""
    run = common.run([str(binary), "--search", "bfs", "--time", f"{limit:g}", *words])
    found = json.loads(run.stdout)
    return Measured(run.seconds, run.cpu, found["status"], found["statistics"])


def best(measured: Sequence[Measured]) -> Measured:
    """The least time on the clock, and of the processors, of several runs that say the same."""
    first = measured[0]
    if any(run.answer != first.answer for run in measured):
        raise SystemExit("the same search says different things")
    seconds, cpu = min(run.seconds for run in measured), min(run.cpu for run in measured)
    return Measured(seconds, cpu, first.status, first.numbers)


def section(jobs: Sequence[int], runs: int, limit: float, words: Sequence[str]) -> Iterator[str]:
    """The table: for each model, one process, the shared search by one process, and by several."""
    ways = [("--jobs", "1"), ("--jobs", "1", "--shared"), *(("--jobs", str(count)) for count in jobs)]
    rows: list[list[str]] = []
    ratios: dict[int, list[float]] = {count: [] for count in jobs}
    costs: list[float] = []
    for title, program, macros, options in MODELS:
        if words and not any(word in title for word in words):
            continue
        with tempfile.TemporaryDirectory() as name:
            binary = built(program, macros, Path(name))
            # In turns, so that what else the machine does meets all of them.
            turns = [[once(binary, (*options, *way), limit) for way in ways] for _ in range(runs)]
        alone, shared, *several = (best(column) for column in zip(*turns, strict=True))
        if alone.status in ("time", "memory"):
            rows.append([title, alone.status, *[""] * (4 + 2 * len(jobs))])
            continue
        if any(run.answer != alone.answer for run in (shared, *several)):
            raise SystemExit(f"{title}: several processes do not say what one says")
        costs.append(shared.cpu / alone.cpu)
        cells = [common.number(alone.numbers["states"], 0), common.number(alone.seconds), common.number(alone.cpu)]
        cells += [f"{shared.cpu / alone.cpu:.2f}", f"{shared.numbers['memory'] / alone.numbers['memory']:.2f}"]
        for count, run in zip(jobs, several, strict=True):
            ratios[count].append(alone.seconds / run.seconds)
            cells += [f"{alone.seconds / run.seconds:.2f}", f"{run.cpu / alone.cpu:.2f}"]
        rows.append([title, *cells])
        common.progress(f"  {' '.join(rows[-1])}")
    header = ["", "states", "s", "CPU s", "shared: CPU", "shared: memory"]
    for count in jobs:
        header += [f"{count} jobs: speed-up", f"{count} jobs: CPU"]
    yield _ABOUT.format(runs=runs, processors=len(os.sched_getaffinity(0)))
    yield common.table(header, rows, "l")
    if not costs:
        return
    yield f"- The shared search by one process: {common.geometric_mean(costs):.2f} of the other one's CPU time."
    for count in jobs:
        yield f"- {count} jobs: {common.geometric_mean(ratios[count]):.2f} times as fast (geometric mean)."


_ABOUT = """\
Breadth-first search to its end, exact, by one process and by several that share their states (`--jobs N`). Each number
of states, of transitions and of steps, and the depth, is the same for all; otherwise the script fails. Seconds are on
the clock, with the start of the process, and those of one process alone; of {runs} runs the best, in turns with the
others. *Shared* is what several processes do, done by one (`--shared`): CPU time and memory are ratios to the search of
one process. *Speed-up*: its seconds divided by those of several; their CPU time is a ratio, too. This machine lets a
process use {processors} processors; while it does other work, the speed-ups mean nothing, and the CPU ratios little.
"""


def main() -> None:
    """Measure, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=3)
    parser.add_argument("--limit", type=float, default=300.0, metavar="SEC", help="seconds of a search (default: 300)")
    parser.add_argument("--jobs", type=int, action="append", metavar="N", help="processes (default: 2)")
    parser.add_argument("words", nargs="*", help="only models whose titles contain one of these")
    options = parser.parse_args()
    output = options.output
    if output.name == "RESULTS.md":
        output = output.with_name("MULTICORE.md")
    sections = list(section(options.jobs or [2], options.runs, options.limit, options.words))
    title = "Explicit-state search: several processors"
    common.report(title, __file__, sections, output, {"compiler": common.compiler()})


if __name__ == "__main__":
    main()
