"""Measure specifications in TLA+ that TLC checks, without and with agglomeration, beside the engine `native`.

    python -m benchmarks.tla.run [--part states|agreement] [--limit SEC] [--results results.jsonl]

The part `states` is the table of the paper on C2TLA+, with the programs of `sv-benchmarks/specification`; `agreement`
asks about all programs of `sv-benchmarks`, and those for the thread library in `tests/programs/conformance`.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common
from benchmarks.tla import agreement

PROGRAMS = common.ROOT / "sv-benchmarks" / "specification"


@dataclass(frozen=True)
class Figures:
    """States and seconds, without and with agglomeration, in Table 1 of the paper. least: whether there are more."""

    full: int
    full_seconds: float
    reduced: int
    reduced_seconds: float
    factor: float
    least: bool = False


@dataclass(frozen=True)
class Program:
    """A row of the table: a program of ours, how many processes it has, and what the paper says of its own."""

    stem: str
    processes: int
    macros: tuple[str, ...]
    paper: Figures


TABLE = (
    Program("zune_bad", 1, (), Figures(389, 0.147, 2, 0.136, 99.48)),
    Program("dekker_good", 2, ("ONCE",), Figures(173, 0.128, 70, 0.109, 59.53)),
    Program("dekker_good", 2, (), Figures(173, 0.128, 70, 0.109, 59.53)),
    Program("peterson_good", 2, (), Figures(107, 1.37, 22, 0.131, 79.43)),
    Program("filter_good", 4, (), Figures(1_080_161, 59.2, 31_221, 4.82, 97.10)),
    Program("bakery_good", 2, (), Figures(2_389, 1.91, 223, 1.67, 90.66)),
    Program("bakery_good", 4, ("N=4",), Figures(50_515_927, 1560, 835_355, 76.6, 98.36)),
    Program("philosophers_good", 4, (), Figures(9_791_509, 366, 146_106, 12, 98.5)),
    Program("philosophers_good", 5, ("N=5",), Figures(619_309_984, 25_340, 4_179_520, 352, 99.32, least=True)),
)

FULL = ("--no-por",)
VIOLATION = ("--termination",)


@dataclass(frozen=True)
class Count:
    """What a search said: its verdict, states and processor time. least: whether it was stopped at so many states."""

    verdict: str
    states: int | None
    seconds: float
    least: bool = False

    @property
    def cells(self) -> list[str]:
        """States and seconds."""
        if self.states is None:
            return [self.verdict, ""]
        return [("> " if self.least else "") + common.number(self.states, 0), common.number(self.seconds)]


def main() -> int:
    """Measure, write the tables; the exit status is 1 where an answer is wrong."""
    parser = common.arguments(__doc__ or "", __file__, runs=3)
    parser.add_argument("--part", choices=("states", "agreement"), help="only this part; written to a file of its own")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per program of the agreement (default: 60)")
    parser.add_argument("--results", type=Path, help="a line of JSON for each program of the agreement; continued")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    options = parser.parse_args()
    faults = 0
    if options.part != "agreement":
        rows = [(one, measured(one, options.runs)) for one in TABLE if options.only in one.stem]
        parts = [_ABOUT.format(runs=options.runs), table(rows), termination()]
        faults += sum(count.verdict == "FALSE" for _, counts in rows for count in counts)
        common.report("Specifications in TLA+", __file__, parts, options.output, versions())
    if options.part != "states":
        found = list(agreement.asked(options.limit, options.only, options.results))
        output = options.output.with_name("AGREEMENT.md")
        about = agreement.ABOUT.format(limit=options.limit)
        common.report("TLC and native", __file__, [about, *agreement.tables(found)], output, versions())
        faults += sum(one.is_wrong for one in found)
    return int(faults > 0)


_ABOUT = """\
The programs are those of `sv-benchmarks/specification`, of our own writing; the paper's are not printed in it. Each is
asked about with `-b tlc --no-por` (each statement is an action), with `-b tlc` (statements that no other thread can
notice belong to the action before them), and with `-b native --no-por`, which explores the same program in terms of its
own, so that its states are counted differently. States are distinct ones. Seconds are processor time of the whole run,
which is 0.7 s for Java and about 1 s for the translation however small the program is; of several runs ({runs}) the
median. The factor is 1 - reduced / full, in per cent. A search without agglomeration that would take too long is
stopped at a number of states that shows the factor: ">".
Processes of `dekker_good` enter once (`ONCE`), or for ever; the paper does not say what its own do.
"""


def versions() -> dict[str, str]:
    """The engine."""
    about = common.run([*common.CSEQ, "doctor", "--json"]).stdout
    match = re.search(r"TLC[^\n\"]*", about)
    return {"compiler": common.compiler()} | ({"TLC": match[0]} if match else {})


def measured(program: Program, runs: int) -> tuple[Count, Count, Count]:
    """TLC without agglomeration, TLC with it, and the engine `native`."""
    words = [str(PROGRAMS / f"{program.stem}.c"), *(f"-D{macro}" for macro in program.macros)]
    reduced = median([asked(words, "tlc") for _ in range(runs)])
    needed = _needed(reduced.states or 0, program.paper.factor)
    if needed > _MANY or program.paper.full > _MANY:
        full = bounded(words, needed)
    else:
        full = median([asked([*words, *FULL], "tlc") for _ in range(runs)])
    native = median([asked([*words, *FULL], "native") for _ in range(runs)])
    counts = (full, reduced, native)
    common.progress(f"{program.stem} {program.processes}: {[one.cells for one in counts]}")
    return counts


_MANY = 1_000_000
"""States; a search without agglomeration that has more is stopped when the factor is shown."""


def _needed(reduced: int, factor: float) -> int:
    """The number of states without agglomeration that shows a *factor* in per cent."""
    return math.ceil(reduced / (1 - factor / 100)) + 1


def asked(words: Sequence[str], engine: str) -> Count:
    """Ask CSeq, and wait as long as it takes."""
    run = common.run([*common.CSEQ, *words, "-b", engine, "--json"])
    if run.status not in (0, 1, 3) or not run.stdout:
        said = [line for line in run.stderr.splitlines() if line.strip()]
        return Count((said or ["nothing"])[-1], None, run.cpu)
    answer = json.loads(run.stdout)["properties"][-1]  # the first is always about assertions
    states = (answer["statistics"] or {}).get("states")
    return Count(answer["verdict"], None if states is None else int(states), run.cpu)


def bounded(words: Sequence[str], most: int) -> Count:
    """TLC's search without agglomeration, which goes on from no state when it has found *most*."""
    from cseq.backends import tlc

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = common.run([*common.CSEQ, *words, *FULL, "--tla", name])
        [config] = folder.glob("*.cfg")
        (folder / "Bounded.tla").write_text(
            f'---- MODULE Bounded ----\nEXTENDS {config.stem}, TLC\nFew == TLCGet("distinct") < {most}\n====\n'
        )
        (folder / "Bounded.cfg").write_text(config.read_text() + "\nCONSTRAINT Few\n")
        command = tlc.command(tlc.installed(), folder, "Bounded.tla", "Bounded.cfg", tlc.TlcOptions())
        run = common.run(command, folder=folder)
    found = [int(text) for text in re.findall(r"(\d+) distinct states found", run.stdout.replace(",", ""))]
    return Count("stopped", max(found, default=None), made.cpu + run.cpu, least=True)


def median(counts: Sequence[Count]) -> Count:
    """Of several answers the one with the median of the times."""
    return sorted(counts, key=lambda count: count.seconds)[len(counts) // 2]


def factor(full: Count, reduced: Count) -> float | None:
    """How much smaller agglomeration makes the number of states, in per cent."""
    if not full.states or reduced.states is None:
        return None
    return 100 * (1 - reduced.states / full.states)


def table(rows: Sequence[tuple[Program, tuple[Count, Count, Count]]]) -> str:
    """The table of the paper, with its figures beside ours."""
    lines = []
    for program, (full, reduced, native) in rows:
        ratio = factor(full, reduced)
        paper = program.paper
        more = "> " if full.least else ""
        ours = [*full.cells, *reduced.cells, "" if ratio is None else more + common.number(ratio), *native.cells]
        theirs = [
            ("> " if paper.least else "") + common.number(paper.full, 0),
            common.number(paper.full_seconds),
            common.number(paper.reduced, 0),
            common.number(paper.reduced_seconds),
            common.number(paper.factor),
        ]
        name = " ".join([f"`{program.stem}`", *program.macros])
        lines.append([name, str(program.processes), *ours, *theirs])
    header = ["program", "processes", "full: states", "s", "reduced: states", "s", "factor", "native: states", "s"]
    header += [f"paper: {column}" for column in ("full: states", "s", "reduced: states", "s", "factor")]
    return "## Table 1 of the paper\n\n" + common.table(header, lines, "l")


def termination() -> str:
    """What is said of the clock driver, and of all twins with a bug."""
    lines = [
        [f"`{stem}`", " ".join(options), asked([str(PROGRAMS / f"{stem}.c"), *options], "tlc").verdict]
        for stem, options in _questions()
    ]
    return "## Verdicts\n\n" + common.table(("program", "options", "verdict"), lines, "lll")


def _questions() -> Iterator[tuple[str, tuple[str, ...]]]:
    for pair in ("zune", "dekker", "peterson", "filter", "bakery", "philosophers"):
        for twin in ("bad", "good"):
            yield f"{pair}_{twin}", VIOLATION if pair == "zune" else ()


if __name__ == "__main__":
    raise SystemExit(main())
