"""Simulate many workers that check tiles: time to the first bug, efficiency, cost, and where the scheduler saturates.

    python -m benchmarks.scale.simulation

It draws run times of tiles from those that were measured (`measured.json`), and takes the scheduler to be one server
with the overhead that was measured on dask (`scheduler.json`). It writes SIMULATION.md and `docs/scale.svg`; what is
assumed is in `docs/scale.md`.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path

from benchmarks import common
from benchmarks.scale import picture, scheduler
from benchmarks.scale.run import TileSet, read
from benchmarks.scale.workers import Expected, Plan, Scheduler, Shape, expected, saturation

WORKERS = (1, 8, 64, 1024, 16384)

WORK = 1000 * 3600.0
"""Processor seconds of all tiles of the simulated question together, less what each of them costs at least."""

COUNTS = {2**12: 20, 2**15: 20, 2**18: 10, 2**20: 4}
"""Number of tiles into which it is divided → repetitions; the more tiles, the less chance counts."""

USUAL, REPETITIONS = 2**15, 100

RARE = 1000
"""One tile of so many has a violation, where not just one has."""

LENGTHS = (1.0, 10.0, 60.0, 600.0)
"""Seconds of a tile, for the table of saturation."""


def plan(tiles: int, bugs: int, fixed: float) -> Plan:
    """The question in so many *tiles*. fixed: seconds that each tile costs at least."""
    return Plan(tiles, WORK / tiles + fixed, bugs)


def fixed_cost(sets: Sequence[TileSet]) -> float:
    """Seconds that a tile costs at least: the shortest of those that were measured."""
    return min(seconds for found in sets for seconds in found.seconds)


def duration(seconds: float) -> str:
    """*seconds* for readers."""
    if seconds < 90:
        return f"{common.number(seconds, 1)} s"
    if seconds < 90 * 60:
        return f"{common.number(seconds / 60, 1)} min"
    return f"{common.number(seconds / 3600, 1)} h"


HEADER = ("tiles", "of", "workers", "first bug", "efficiency", "core-hours", "complete answer", "efficiency",
          "core-hours", "tiles per worker")  # fmt: skip


def row(found: Expected) -> list[str]:
    """A row of the table."""
    return [
        common.number(found.plan.tiles, 0),
        duration(found.plan.mean),
        common.number(found.workers, 0),
        duration(found.first),
        f"{found.efficiency_first:.0%}",
        common.number(found.cost_first, 1),
        duration(found.done),
        f"{found.efficiency:.0%}",
        common.number(found.cost, 0),
        common.number(found.plan.tiles / found.workers, 0 if found.plan.tiles >= found.workers else 2),
    ]


def spread(found: Expected) -> list[str]:
    """A row of the table where there are several bugs."""
    return [*row(found)[2:6], f"{duration(found.low)} and {duration(found.high)}"]


def saturations(overhead: scheduler.Overhead, model: Scheduler) -> str:
    """The table of how many workers the scheduler can keep busy."""
    busy = Scheduler(1 / overhead.rate, model.latency)
    rows = [
        [duration(length), *(common.number(saturation(length, each), 0) for each in (model, busy))]
        for length in LENGTHS
    ]
    header = ("tiles of", "workers, scheduler on a core of its own", "workers, all on the machine that was measured")
    return common.table(header, rows)


def shapes(sets: Sequence[TileSet]) -> str:
    """The table of what was measured."""
    rows = []
    for found in sets:
        mean = statistics.fmean(found.seconds)
        rows.append(
            [
                f"`{found.program}`",
                str(found.parts),
                str(len(found.violated)),
                *(common.number(value, 1) for value in (found.whole, mean, min(found.seconds), max(found.seconds))),
                common.number(sum(found.seconds) / found.whole),
            ]
        )
    header = ("program", "tiles", "with the bug", "whole: CPU s", "mean tile", "shortest", "longest", "all / whole")
    return common.table(header, rows, "l")


def main() -> None:
    """Simulate, and write the table and the plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folder = Path(__file__).resolve().parent
    parser.add_argument("--output", type=Path, default=folder / "SIMULATION.md", metavar="FILE")
    parser.add_argument("--plot", type=Path, default=common.ROOT / "docs" / "scale.svg", metavar="FILE")
    options = parser.parse_args()
    sets = read()
    if not sets:
        raise SystemExit("there is no measured.json; `python -m benchmarks.scale.run --part tiles` makes it")
    overhead = scheduler.read()
    model = Scheduler(overhead.scheduler, overhead.latency, overhead.imported + overhead.started)
    shape, fixed = Shape.of(sets), fixed_cost(sets)
    needle: dict[int, list[Expected]] = {}
    for count, repetitions in COUNTS.items():
        common.progress(f"{count} tiles")
        needle[count] = expected(plan(count, 1, fixed), WORKERS, shape, model, repetitions)
    several = expected(plan(USUAL, USUAL // RARE, fixed), WORKERS, shape, model, REPETITIONS)
    usual = f"{common.number(USUAL, 0)} tiles of {duration(several[0].plan.mean)}"
    rows = [row(found) for count in COUNTS for found in needle[count]]
    sections = [
        "Simulated, not measured. Means; each worker is a core.\n",
        "## A question of 1 000 core-hours, and one tile with the bug\n",
        common.table(HEADER, rows),
        f"## The same, {usual}, a bug in one of {common.number(RARE, 0)}\n",
        common.table((*HEADER[2:6], "a tenth below, and above"), [spread(found) for found in several]),
        "## How many workers one scheduler keeps busy\n",
        saturations(overhead, model),
        "## The tiles that were measured\n",
        shapes(sets),
    ]
    tools = {
        "scheduler": f"{overhead.scheduler * 1000:.2f} ms of its processor and {overhead.latency * 1000:.1f} ms of "
        f"latency per task, {overhead.rate:.0f} tasks per second where all shared two cores, ready after "
        f"{overhead.imported + overhead.started:.1f} s (distributed {overhead.versions['distributed']})",
        "each tile at least": f"{fixed:.1f} s",
    }
    common.report("Many workers, simulated", __file__, sections, options.output, tools)
    options.plot.write_text(picture.drawn(needle), encoding="utf-8")


if __name__ == "__main__":
    main()
