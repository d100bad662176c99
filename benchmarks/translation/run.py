"""Measure the translation of generated programs: time, per stage and in all, peak memory, sizes and growth."""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import common
from benchmarks.translation.generate import program

THREADS = 10
STATEMENTS = (10, 100, 500)
UNWIND = 4
ROUNDS = 2
TARGET = (100, 1.5)
"""Statements of each thread, and the seconds within which they are to be translated, start-up included."""

_STAGES = "benchmarks.translation.stages"


@dataclass
class Measurement:
    """The measurements of one program, in seconds and bytes; one value per run."""

    statements: int
    source: str
    output: str = ""
    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=dict)

    def whole(self, file: Path) -> None:
        """Measure the command line, from its start to its end."""
        words = ["-i", str(file), "--unwind", str(UNWIND), "--rounds", str(ROUNDS), "--seq-only"]
        run = common.run([*common.CSEQ, *words])
        if run.status != 0:
            raise SystemExit(f"the translation of {file} failed: {run.stderr}")
        self.output = run.stdout
        self.seconds.append(run.seconds)
        self.memory.append(run.memory)

    def apart(self, file: Path) -> None:
        """Measure the stages, in a separate process."""
        words = [str(file), repr(time.perf_counter()), f"unwind={UNWIND}", f"rounds={ROUNDS}"]
        run = common.run([sys.executable, "-m", _STAGES, *words], folder=common.ROOT)
        if run.status != 0:
            raise SystemExit(f"the translation of {file} failed: {run.stderr}")
        answer = json.loads(run.stdout)
        self.start.append(answer["start"])
        for name, seconds in answer["stages"].items():
            self.stages.setdefault(name, []).append(seconds)

    @property
    def name(self) -> str:
        return f"{THREADS} x {self.statements}"

    @property
    def kilobytes(self) -> float:
        """Of output; a kilobyte is 1000 bytes."""
        return len(self.output.encode()) / 1000


def measure(folder: Path, runs: int) -> list[Measurement]:
    """Measure each program *runs* times, in turn, after a warm-up run."""
    found = []
    for statements in STATEMENTS:
        source = program(THREADS, statements)
        (folder / f"{statements}.c").write_text(source, encoding="utf-8")
        found.append(Measurement(statements, source))
    first = Measurement(0, "")
    first.whole(folder / f"{STATEMENTS[0]}.c")
    first.apart(folder / f"{STATEMENTS[0]}.c")
    for number in range(runs):
        for measurement in found:
            common.progress(f"run {number + 1} of {runs}: {measurement.name}")
            measurement.whole(folder / f"{measurement.statements}.c")
            measurement.apart(folder / f"{measurement.statements}.c")
    return found


def sizes(found: list[Measurement]) -> str:
    """The table of the sizes of inputs and outputs."""
    header = ("threads x statements", "input lines", "input bytes", "output lines", "output bytes")
    rows = []
    for one in found:
        texts = (one.source, one.output)
        counts = [common.number(count, 0) for text in texts for count in (text.count("\n"), len(text.encode()))]
        rows.append([one.name, *counts])
    return common.table(header, rows, "l")


def totals(found: list[Measurement]) -> str:
    """The table of whole runs."""
    header = ("threads x statements", "seconds", "fastest", "slowest", "peak memory, MB", "ms per output kB", "target")
    rows = []
    for one in found:
        seconds = common.median(one.seconds)
        target = ""
        if one.statements == TARGET[0]:
            target = f"under {TARGET[1]} s: {'met' if seconds < TARGET[1] else '**missed**'}"
        rows.append(
            [
                one.name,
                common.number(seconds),
                common.number(min(one.seconds)),
                common.number(max(one.seconds)),
                common.number(common.median(one.memory) / 1e6, 0),
                common.number(seconds * 1000 / one.kilobytes),
                target,
            ]
        )
    return common.table(header, rows, "lrrrrrl")


def stages(found: list[Measurement]) -> str:
    """The table of stages, in milliseconds; the last two rows show how they grow."""
    rows = [["start of Python, imports, reading the chain", *(_ms(common.median(one.start)) for one in found)]]
    rows += [[f"`{name}`", *(_ms(common.median(one.stages[name])) for one in found)] for name in found[0].stages]
    work = [sum(common.median(times) for times in one.stages.values()) for one in found]
    rows.append(["**all stages**", *(_ms(seconds) for seconds in work)])
    rates = [seconds * 1000 / one.kilobytes for seconds, one in zip(work, found, strict=True)]
    rows.append(["all stages, per output kB", *(common.number(rate) for rate in rates)])
    return common.table(("ms", *(one.name for one in found)), rows, "l")


def _ms(seconds: float) -> str:
    return common.number(seconds * 1000, 1)


def growth(found: list[Measurement]) -> str:
    """What each further kilobyte of output costs, from one size to the next."""
    sentences = []
    for small, large in itertools.pairwise(found):
        more = common.median(large.seconds) - common.median(small.seconds)
        rate = more * 1000 / (large.kilobytes - small.kilobytes)
        sentences.append(f"from {small.name} to {large.name}: {common.number(rate)} ms")
    return (
        "Each further kilobyte of output costs, " + "; ".join(sentences) + ". Where it is the same, growth is linear.\n"
    )


def main() -> None:
    """Measure, and write the results."""
    options = common.arguments(__doc__ or "", __file__, runs=5).parse_args()
    with tempfile.TemporaryDirectory(prefix="cseq-bench-") as folder:
        found = measure(Path(folder), options.runs)
    whole = (
        f"`cseq.py -i FILE --unwind {UNWIND} --rounds {ROUNDS} --seq-only`, the whole process, start-up included. "
        f"Medians; runs of each: {options.runs}, the programs in turn. Memory is that of the largest process, "
        "and a kilobyte of output has 1000 bytes.\n"
    )
    apart = (
        "The stages up to the program for the engine, each run in a fresh process; medians. Text is made when somebody "
        "wants it: here it is the instrumenter, whose time is therefore nearly all printing.\n"
    )
    sections = (
        "The programs come from `generate.py`.\n",
        sizes(found),
        "## The whole translation\n\n" + whole,
        totals(found),
        growth(found),
        "## Stage by stage\n\n" + apart,
        stages(found),
    )
    tools = {"preprocessor": common.compiler()}
    common.report("Translation: time and memory", __file__, sections, options.output, tools)


if __name__ == "__main__":
    main()
