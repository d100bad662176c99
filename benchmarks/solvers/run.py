"""Compare CBMC's solvers: a few programs of sv-benchmarks and their twins, in one formula each."""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import common
from cseq.backends.base import Options
from cseq.backends.cbmc import BACKEND

PROGRAMS = (("lost_update", 3, 1), ("bounded_buffer", 3, 2), ("cond_broadcast", 4, 2), ("aba_index", 4, 1))
"""Pairs of sv-benchmarks with their bounds: rounds and unwinding."""

ANSWERS = {0: "safe", 10: "violated"}
"""What the exit status of CBMC means."""


@dataclass
class Measurement:
    """One formula. seconds: of the processors, of CBMC and the solver together, by solver; None: no answer in time."""

    name: str
    answer: str = ""
    sizes: str = ""
    seconds: dict[str, list[float | None]] = field(default_factory=dict)

    def median(self, solver: str) -> float | None:
        """The median; None where some run ran out of time."""
        found = [seconds for seconds in self.seconds[solver] if seconds is not None]
        return common.median(found) if len(found) == len(self.seconds[solver]) else None


def _measure(measurement: Measurement, solver: str, program: Path, cbmc: Path, limit: float) -> None:
    command = BACKEND.command(cbmc, program, Options(solver=solver))
    run = common.run(command, limit=limit)
    answer = ANSWERS.get(run.status)
    if not run.timed_out:
        if answer is None:
            raise SystemExit(f"{measurement.name} with {solver}: exit status {run.status}\n{run.stdout[-500:]}")
        if measurement.answer and measurement.answer != answer:
            raise SystemExit(f"{measurement.name}: {measurement.answer}, but with {solver}: {answer}")
        measurement.answer = answer
    measurement.seconds.setdefault(solver, []).append(None if run.timed_out else run.cpu)


def _sized(measurement: Measurement, program: Path, cbmc: Path) -> None:
    words = [str(cbmc), str(program), "--stop-on-fail", "--no-standard-checks", "--verbosity", "8"]
    sizes = re.search(r"^(\d+) variables, (\d+) clauses", common.run(words).stdout, re.MULTILINE)
    measurement.sizes = " / ".join(common.number(int(size), 0) for size in sizes.groups()) if sizes else "-"


def _translated(name: str, rounds: int, unwind: int, folder: Path) -> Path:
    """The file that the engine gets."""
    source = common.ROOT / "sv-benchmarks" / f"{name}.c"
    words = [*common.CSEQ, str(source), "--rounds", str(rounds), "--unwind", str(unwind)]
    common.run([*words, "--quiet", "--keep", str(folder / name)])
    return folder / name / "sequentialized.i"


def _cell(seconds: float | None, reference: float | None) -> str:
    if seconds is None:
        return "no answer"
    ratio = f" ({common.number(seconds / reference, 1)})" if reference else ""
    return f"{common.number(seconds)}{ratio}"


def main() -> None:
    """Measure, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=3)
    parser.add_argument("--limit", type=float, default=60.0, metavar="SEC", help="seconds for each formula")
    options = parser.parse_args()
    cbmc = BACKEND.find()
    solvers = BACKEND.usable(cbmc) if cbmc else []
    if cbmc is None or len(solvers) < 2:
        raise SystemExit("there is no CBMC 6, or no solver beside its own (cseq doctor says how to get them)")
    rows, everything = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, rounds, unwind in PROGRAMS:
            for whole in (f"{name}_bad", f"{name}_good"):
                program = _translated(whole, rounds, unwind, Path(folder))
                measurement = Measurement(whole)
                for number in range(options.runs):
                    common.progress(f"{whole}: run {number + 1} of {options.runs}")
                    for solver in solvers:
                        _measure(measurement, solver, program, cbmc, options.limit)
                _sized(measurement, program, cbmc)
                everything.append(measurement)
                medians = [measurement.median(solver) for solver in solvers]
                cells = [_cell(medians[0], None), *(_cell(seconds, medians[0]) for seconds in medians[1:])]
                bounds = f"{rounds} / {unwind}"
                rows.append([f"`{whole}`", bounds, measurement.answer or "-", measurement.sizes, *cells])
    for answer in ANSWERS.values():
        rows.append([f"geometric mean, {answer}", "", "", "", "1", *_means(everything, solvers, answer)])
    header = ("program", "rounds / unwind", "answer", "variables / clauses", *solvers)
    sections = (
        "Processor seconds of CBMC with the solver, medians, and in parentheses the ratio to MiniSat, which is a part "
        f"of CBMC. Runs of each: {options.runs}, in turn; at most {options.limit:g} seconds on the clock for each. "
        "The means are over those formulas that a solver has answered, with their number. All answers agree.\n",
        common.table(header, rows, "lll"),
    )
    version = ".".join(map(str, BACKEND.version(cbmc) or ()))
    tools = {"CBMC": version, **{solver: _version(solver) for solver in solvers[1:]}}
    common.report("Solvers", __file__, sections, options.output, tools)


def _means(everything: list[Measurement], solvers: list[str], answer: str) -> list[str]:
    """The geometric mean of the ratios to the first solver, for each of the others."""
    cells = []
    chosen = [measurement for measurement in everything if measurement.answer == answer]
    for solver in solvers[1:]:
        ratios = []
        for measurement in chosen:
            seconds, reference = measurement.median(solver), measurement.median(solvers[0])
            if seconds and reference:
                ratios.append(seconds / reference)
        mean = common.number(common.geometric_mean(ratios), 1) if ratios else "-"
        cells.append(f"{mean} of {len(ratios)}")
    return cells


def _version(solver: str) -> str:
    run = common.run([shutil.which(solver) or solver, "--version"], limit=10)
    return run.stdout.strip().partition("\n")[0] or "?"


if __name__ == "__main__":
    main()
