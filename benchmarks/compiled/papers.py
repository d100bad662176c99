"""The programs of two papers on model checkers for compiled code: what is found, and how schedules grow."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common
from benchmarks.compiled.building import Build, built, programs, versions
from cseq.backends.compiled.record import End, RequestFlag
from cseq.backends.compiled.server import Order, Server
from cseq.modules.runs.compiled.reduction import Reduction
from cseq.modules.runs.compiled.sameness import is_bad
from cseq.modules.runs.compiled.schedulesearch import Search, Settings

BUILD = Build("gcc", "-O2")

SIZES: dict[str, Sequence[str]] = {
    "simple_race": ("",),
    "spinning_philosophers": ("N=3", "N=4", "N=5", "N=6"),
    "philosophers": ("N=3", "N=4", "N=5", "N=6"),
    "peterson": ("ROUNDS=1", "ROUNDS=2", "ROUNDS=3"),
    "robots": ("N=2", "N=4", "N=6"),
    "ipc": (
        "SENDERS=1 MESSAGES=6 CAPACITY=1", "SENDERS=1 MESSAGES=6 CAPACITY=2", "SENDERS=2 MESSAGES=3 CAPACITY=1",
        "SENDERS=2 MESSAGES=3 CAPACITY=2", "SENDERS=2 MESSAGES=3 CAPACITY=3",
    ),
    "double_read": ("",),
    "spin_flag": ("",),
}  # fmt: skip
"""By program: the macros of each size."""


@dataclass(frozen=True)
class Row:
    """What was found of a program. end: how the run with the violation ended, "" where there is none.

    complete: whether all schedules were explored; None where that was not tried.
    """

    name: str
    size: str
    end: str
    runs: int
    schedules: int
    operations: int
    seconds: float
    complete: bool | None = None


def searched(path: Path, name: str, size: str, seconds: float, most: int) -> Row:
    """Search a program by the rotation, in *most* runs at most."""
    begun = time.monotonic()
    with Server([str(path)], cpu=min(os.sched_getaffinity(0))) as server:
        search = Search([server], Settings(runs=most, end=begun + seconds, seconds=2.0, steps=20_000))
        found = search.go()
    statistics = search.statistics
    if found is None:
        end = ", ".join(f"{end.name.lower()} {count}" for end, count in statistics.cut.items())
        end, runs, operations = f"({end})" if end else "", statistics.runs, statistics.operations
    else:
        recorded = found.recorded
        end = "hang" if found.hang else "data race" if found.is_race else recorded.end.name.lower()
        runs, operations = found.run, len(recorded.operations)
    return Row(name, size, end, runs, statistics.distinct, operations, time.monotonic() - begun)


def explored(path: Path, name: str, size: str, seconds: float) -> Row:
    """Explore all schedules of a program, with partial order reduction."""
    begun = time.monotonic()
    with Server([str(path)], cpu=min(os.sched_getaffinity(0))) as server:
        flags = RequestFlag.SLEEP_SETS | RequestFlag.EARLY
        order = Order(flags=flags, steps=20_000, seconds=2.0)
        result = Reduction(server, order, lambda each: is_bad(each, 0)).go(begun + seconds)
    end = "" if result.found is None else "violation"
    if result.cut not in (None, End.EXITED):
        end = end or f"({result.cut.name.lower()})"
    taken = time.monotonic() - begun
    return Row(name, size, end, result.runs, result.runs - result.redundant, result.operations, taken, result.complete)


_ABOUT = """\
The programs of [sv-benchmarks/compiled/papers](../../sv-benchmarks/compiled/papers/README.md), whose README says what
MCP (001) and pancam (000) report. They are compiled by `cseq-c++` (gcc, `-O2`; `double_read` by its flags, `-O0`) and
searched by the rotation of strategies, each for {seconds:g} s or {most} runs at most. What the papers count as states
is counted in runs and in distinct schedules: those that differ only in the order of operations that commute are one.
"""


def tables(bugs: Sequence[Row], twins: Sequence[Row], proofs: Sequence[Row]) -> Iterator[str]:
    """One table per kind of question."""
    header = ("program", "size", "found", "runs", "distinct schedules", "operations", "s")
    yield "## With the bug\n\n" + common.table(header, [_cells(row) for row in bugs], "lll")
    yield "## Twins, searched\n\n" + common.table(header, [_cells(row) for row in twins], "lll")
    rows = [[*_cells(row), "yes" if row.complete else "no"] for row in proofs]
    yield "## Twins, all schedules with partial order reduction\n\n" + common.table((*header, "complete"), rows, "lll")


def _cells(row: Row) -> list[str]:
    numbers = [common.number(each, 0) for each in (row.runs, row.schedules, row.operations)]
    return [f"`{row.name}`", row.size, row.end or "nothing", *numbers, common.number(row.seconds)]


def measured(wanted: argparse.Namespace) -> Iterator[tuple[str, Row]]:
    """The rows, each with the table that it belongs to."""
    for name, sizes in SIZES.items():
        if wanted.programs and name not in wanted.programs:
            continue
        for program in programs("papers", (name, f"{name}_ok")):
            for size in sizes:
                with tempfile.TemporaryDirectory(prefix="cseq-papers-") as folder:
                    path = built(program, BUILD, Path(folder), *(f"-D{each}" for each in size.split()))
                    kind = "bugs" if program.violated else "twins"
                    rows = [(kind, searched(path, program.name, size, wanted.seconds, wanted.runs))]
                    if not program.violated:
                        rows.append(("proofs", explored(path, program.name, size, wanted.seconds)))
                for row in rows:
                    common.progress(str(row))
                yield from rows


def arguments() -> argparse.Namespace:
    parser = common.arguments(__doc__ or "", __file__, runs=1000)
    parser.set_defaults(output=Path(__file__).resolve().parent / "PAPERS.md")
    parser.add_argument("--seconds", type=float, default=3.0, metavar="SEC", help="the limit of each search")
    parser.add_argument("--programs", nargs="*", default=[], choices=SIZES, help="only these programs")
    return parser.parse_args()


def main() -> None:
    wanted = arguments()
    kinds: dict[str, list[Row]] = {"bugs": [], "twins": [], "proofs": []}
    for kind, row in measured(wanted):
        kinds[kind].append(row)
    about = _ABOUT.format(seconds=wanted.seconds, most=wanted.runs)
    sections = [about, *tables(kinds["bugs"], kinds["twins"], kinds["proofs"])]
    common.report("Programs of two papers", __file__, sections, wanted.output, {"gcc": versions()["gcc"]})


if __name__ == "__main__":
    main()
