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
from benchmarks.compiled.building import Build, Program, built, programs, versions
from cseq.modules.compiled.build import build
from cseq.modules.compiled.client.record import ChoiceKind, End, Op, RequestFlag, Strategy
from cseq.modules.compiled.client.server import RunBatch, Server
from cseq.modules.compiled.happens_before import events
from cseq.modules.compiled.reduction import MOST_THREADS, Reduction
from cseq.modules.compiled.sameness import is_bad
from cseq.modules.compiled.schedule_search import ScheduleSearch, Settings

BUILD = Build("gcc", "-O2")

WITHOUT = "without the model"

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
    "double_read": ("-O0", "-O2"),
    "spin_flag": ("-O0", "-O2"),
    "model_cooperative": ("-O2", WITHOUT),
    "model_interrupt": ("-O2", WITHOUT),
    "model_priority": ("-O2", WITHOUT),
}  # fmt: skip
"""By program: the macros of each size, or the options of the compiler; `WITHOUT` for no scheduling model."""

CURVES = {"peterson": ("ROUNDS=1", "ROUNDS=2")}
"""The programs, with their sizes, whose schedules are counted by the bound on preemptions."""

BOUNDS = range(5)


@dataclass(frozen=True)
class Row:
    """What was found of a program. end: how the run with the violation ended, "" where there is none.

    complete: whether all schedules were explored; None where that was not tried. interleavings: how many there are if
    none are taken to be the same, "" where that is not known.
    """

    name: str
    size: str
    end: str
    runs: int
    schedules: int
    operations: int
    seconds: float
    complete: bool | None = None
    interleavings: str = ""


def searched(path: Path, name: str, size: str, seconds: float, most: int) -> Row:
    """Search a program by the rotation, in *most* runs at most."""
    begun = time.monotonic()
    with Server([str(path)], cpu=min(os.sched_getaffinity(0))) as server:
        search = ScheduleSearch([server], Settings(runs=most, end=begun + seconds, seconds=2.0, steps=20_000))
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
    """Explore all schedules of a program, with partial order reduction, and then without."""
    order = RunBatch(flags=RequestFlag.SLEEP_SETS | RequestFlag.EARLY, steps=20_000, seconds=2.0)
    with Server([str(path)], cpu=min(os.sched_getaffinity(0))) as server:
        plain = Reduction(server, order, lambda each: is_bad(each, 0), reduced=False).go(time.monotonic() + seconds)
        begun = time.monotonic()
        result = Reduction(server, order, lambda each: is_bad(each, 0)).go(begun + seconds)
    end = "" if result.found is None else "violation"
    if result.cut not in (None, End.EXITED):
        end = end or f"({result.cut.name.lower()})"
    taken = time.monotonic() - begun
    schedules = result.runs - result.redundant
    every = f"{'' if plain.complete else '> '}{common.number(plain.runs, 0)}"
    return Row(name, size, end, result.runs, schedules, result.operations, taken, result.complete, every)


@dataclass(frozen=True)
class Point:
    """The schedules of a program with `bound` preemptions at most.

    distinct: up to the order of operations that commute. first: the number of the first with a violation, from 1; 0 if
    none has one. complete: whether that is all of them.
    """

    name: str
    size: str
    bound: int
    schedules: int
    distinct: int
    first: int
    seconds: float
    complete: bool


def bounded(path: Path, name: str, size: str, bound: int, seconds: float) -> Point:
    """Run every schedule with at most *bound* preemptions: after its last choice, a run goes on without any."""
    begun = time.monotonic()
    runs, first, distinct = 0, 0, set()
    left: list[list[tuple[int, int]]] = [[]]
    with Server([str(path)], cpu=min(os.sched_getaffinity(0))) as server:
        while left and time.monotonic() < begun + seconds:
            given = left.pop()
            result = server.run(RunBatch(strategy=Strategy.RUN, choices=given, steps=20_000, seconds=2.0))
            runs += 1
            distinct.add(result.schedule)
            if not first and is_bad(result, 0):
                first = runs
            left += others(server, len(given), bound)
    return Point(name, size, bound, runs, len(distinct), first, time.monotonic() - begun, not left)


def others(server: Server, given: int, bound: int) -> Iterator[list[tuple[int, int]]]:
    """The choices of further runs: those of the last one up to a choice after the first *given*, and another thread.

    Not where the thread that runs is about to read what it has read since its last other operation.
    """
    choices = [(int(choice.kind), int(choice.value)) for choice in server.array("choices")]
    executed, _ = events(bytes(server.array("entries")))
    running, preemptions = 0, 0
    known: dict[int, set[tuple[object, int]]] = {}
    for event in executed:
        read, before = (event.keys, event.value), known.get(event.thread, set())
        rests = event.op in (Op.YIELD, Op.PAUSE)
        spins = rests or (event.kind == "READ" and read in before)
        known[event.thread] = before if rests else {*before, read} if event.kind == "READ" else set()
        position = event.choice - 1
        alternatives = [n for n in range(MOST_THREADS) if event.enabled >> n & 1]
        for thread in alternatives if len(alternatives) > 1 and position >= given and not spins else ():
            cost = int(running in alternatives and thread != running)
            if thread != event.thread and preemptions + cost <= bound:
                yield [*choices[:position], (int(ChoiceKind.THREAD), thread)]
        preemptions += running in alternatives and event.thread != running
        running = event.thread


_ABOUT = """\
The programs of [sv-benchmarks/compiled/papers](../../sv-benchmarks/compiled/papers/README.md), whose README says what
MCP (001) and pancam (000) report. They are compiled by `cseq-c++` (gcc, `-O2` where the size does not say otherwise)
and searched by the rotation of strategies, each for {seconds:g} s or {most} runs at most. What the papers count as
states is counted in runs and in distinct schedules: those that differ only in the order of operations that commute are
one.
"All interleavings" are the schedules if none are taken to be the same, as far as they were run in the same time.
"""

_ABOUT_CURVES = """\
pancam, Fig. 9: all schedules with at most so many preemptions, and how many of them are distinct (what a reduction
leaves), at `-O2`; "first with the bug" is the number of the first run that fails, in the order of a depth-first search.
A thread that waits in a loop is not interrupted where it reads once more what it has read in the loop: the states are
those of its first iteration.
"""


def tables(bugs: Sequence[Row], twins: Sequence[Row], proofs: Sequence[Row]) -> Iterator[str]:
    """One table per kind of question."""
    header = ("program", "size", "found", "runs", "distinct schedules", "operations", "s")
    yield "## With the bug\n\n" + common.table(header, [_cells(row) for row in bugs], "lll")
    yield "## Twins, searched\n\n" + common.table(header, [_cells(row) for row in twins], "lll")
    rows = [[*_cells(row), "yes" if row.complete else "no", row.interleavings] for row in proofs]
    more = ("complete", "all interleavings")
    yield "## Twins, all schedules with partial order reduction\n\n" + common.table((*header, *more), rows, "lll")


def curves(points: Sequence[Point]) -> str:
    """Schedules by the bound on preemptions."""
    header = ("program", "size", "preemptions", "schedules", "distinct", "first with the bug", "s", "complete")
    rows = [
        [
            f"`{each.name}`", each.size, str(each.bound), common.number(each.schedules, 0),
            common.number(each.distinct, 0), common.number(each.first, 0) if each.first else "none",
            common.number(each.seconds), "yes" if each.complete else "no",
        ]
        for each in points
    ]  # fmt: skip
    return "## Schedules by the bound on preemptions\n\n" + _ABOUT_CURVES + "\n" + common.table(header, rows, "ll")


def _cells(row: Row) -> list[str]:
    numbers = [common.number(each, 0) for each in (row.runs, row.schedules, row.operations)]
    return [f"`{row.name}`", row.size, row.end or "nothing", *numbers, common.number(row.seconds)]


def made(program: Program, size: str, folder: Path) -> Path:
    """The program of this size."""
    words = [] if size == WITHOUT else [word if word.startswith("-") else f"-D{word}" for word in size.split()]
    if not program.options or size == WITHOUT:
        return built(program, BUILD, folder, *words)
    path = folder / program.name
    build(
        [str(program.source)],
        [BUILD.level, *program.flags],
        path,
        model=str(program.source.parent / program.options[1]),
    )
    return path


def bounded_points(wanted: argparse.Namespace) -> Iterator[Point]:
    """The points of the curves."""
    for name, sizes in CURVES.items():
        for program in programs("papers", (name, f"{name}_ok")):
            for size in sizes:
                with tempfile.TemporaryDirectory(prefix="cseq-papers-") as folder:
                    path = made(program, size, Path(folder))
                    for bound in BOUNDS:
                        point = bounded(path, program.name, size, bound, 5 * wanted.seconds)
                        common.progress(str(point))
                        yield point
                        if not point.complete:
                            break


def measured(wanted: argparse.Namespace) -> Iterator[tuple[str, Row]]:
    """The rows, each with the table that it belongs to."""
    for name, sizes in SIZES.items():
        if wanted.programs and name not in wanted.programs:
            continue
        for program in programs("papers", (name, f"{name}_ok")):
            for size in sizes:
                with tempfile.TemporaryDirectory(prefix="cseq-papers-") as folder:
                    path = made(program, size, Path(folder))
                    kind = "bugs" if program.violated else "twins"
                    rows = [(kind, searched(path, program.name, size, wanted.seconds, wanted.runs))]
                    if kind == "twins" and not rows[0][1].end:
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
    sections = [about, *tables(kinds["bugs"], kinds["twins"], kinds["proofs"]), curves(list(bounded_points(wanted)))]
    common.report("Programs of two papers", __file__, sections, wanted.output, {"gcc": versions()["gcc"]})


if __name__ == "__main__":
    main()
