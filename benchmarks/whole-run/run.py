"""Measure whole runs, from the start of the process to the verdict, of a program of 50 lines and its safe twin."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import common

BOUNDS = ("--rounds", "2", "--unwind", "2")
TARGET = 1.0
"""Seconds."""

_HERE = Path(__file__).resolve().parent
_EXPECTED = {"buggy.c": "FALSE", "safe.c": "UNKNOWN"}
_PHASES = {
    "translation": ("merger", "instrumenter"),
    "engine": ("symbolic/run", "symbolic/run"),
    "replay": ("replayer", "replayer"),
    "judgement": ("symbolic/verdict", "symbolic/verdict"),
}


@dataclass
class Measurement:
    """The measurements of one program, one value per run.

    seconds: of the command line with ``--cex``, as a user calls it. report: of the run that reports the phases.
    """

    file: str
    verdict: str = ""
    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    report: list[float] = field(default_factory=list)
    phases: dict[str, list[float]] = field(default_factory=dict)

    def measure(self) -> None:
        """Run once as a user does, and once to learn the phases."""
        words = [*common.CSEQ, "-i", self.file, *BOUNDS]
        run = common.run([*words, "--cex"], folder=_HERE)
        self.seconds.append(run.seconds)
        self.memory.append(run.memory)
        self.verdict = run.stdout.partition(":")[0]
        if self.verdict != _EXPECTED[self.file]:
            raise SystemExit(f"{self.file}: {run.stdout}{run.stderr}")
        run = common.run([*words, "--json"], folder=_HERE)
        self.report.append(run.seconds)
        self._add_phases(json.loads(run.stdout)["times"], run.seconds)

    def _add_phases(self, times: dict[str, float], whole: float) -> None:
        names = list(times)
        for phase, (first, last) in _PHASES.items():
            stages = names[names.index(first) : names.index(last) + 1]
            self.phases.setdefault(phase, []).append(sum(times[stage] for stage in stages))
        self.phases.setdefault("start, imports, report", []).append(whole - sum(times.values()))

    @property
    def row(self) -> list[str]:
        """The row of the table of whole runs."""
        seconds = common.median(self.seconds)
        return [
            f"`{self.file}`",
            self.verdict,
            common.number(seconds),
            common.number(min(self.seconds)),
            common.number(max(self.seconds)),
            common.number(common.median(self.memory) / 1e6, 0),
            "met" if seconds < TARGET else "**missed**",
        ]


def _phase_table(found: list[Measurement]) -> str:
    rows = [[name, *(_ms(common.median(one.phases[name])) for one in found)] for name in found[0].phases]
    rows.append(["**whole run**", *(_ms(common.median(one.report)) for one in found)])
    return common.table(("ms", *(f"`{one.file}`" for one in found)), rows, "l")


def _ms(seconds: float) -> str:
    return common.number(seconds * 1000, 1)


def main() -> None:
    """Measure, and write the results."""
    options = common.arguments(__doc__ or "", __file__, runs=11).parse_args()
    found = [Measurement(file) for file in _EXPECTED]
    Measurement(found[0].file).measure()  # the first time does not count
    for number in range(options.runs):
        common.progress(f"run {number + 1} of {options.runs}")
        for measurement in found:
            measurement.measure()
    header = ("program", "verdict", "seconds", "fastest", "slowest", "peak memory, MB", f"under {TARGET:g} s")
    sections = (
        f"`cseq.py -i PROGRAM {' '.join(BOUNDS)} --cex` on a program of 50 lines with two threads, from the start of "
        "the process to its end: the counterexample is replayed and printed. The safe twin's UNKNOWN says that "
        f"there is no violation within the bounds. Medians; runs of each: {options.runs}, in turn. Memory is that of "
        "the largest process.\n",
        common.table(header, (one.row for one in found), "llrrrrl"),
        "## Phase by phase\n",
        "As `--json` tells them, in runs of their own; medians. The engine's time includes starting it.\n",
        _phase_table(found),
    )
    version = next(iter(common.engines()), "none")
    common.report("Whole runs", __file__, sections, options.output, {"CBMC": version, "compiler": common.compiler()})


if __name__ == "__main__":
    main()
