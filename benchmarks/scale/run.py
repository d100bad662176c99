"""Time to the first bug of hard programs: the whole level on one core, tiles on one core, 2 jobs.

    python -m benchmarks.scale.run --part tiles     # each tile once: measured.json, continued if it exists
    python -m benchmarks.scale.run                  # RESULTS.md, which needs it
    python -m benchmarks.scale.run --part bounds    # BOUNDS.md: that fewer rounds do not do

Words at the end choose programs whose names contain one of them.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import common
from benchmarks.scale.programs import Program, named

MEASURED = Path(__file__).resolve().parent / "measured.json"

WAYS = {"whole": ("--jobs", "1"), "2 jobs": ("--jobs", "2")}
"""Way → the options that ask for it. A single processor divides nothing."""

ORDERS = 1001
"""Random orders of tiles, of which the median counts."""


@dataclass(frozen=True)
class Answer:
    """verdict: the word that was printed, or "out of time". seconds: on the clock. cpu: of all processors."""

    verdict: str
    seconds: float
    cpu: float


@dataclass(frozen=True)
class TileSet:
    """All tiles of a program with the same number of parts.

    whole: processor seconds of the whole, beside which the tiles were measured. whole_verdict: what it answered.
    seconds: of each tile, by number. violated: the numbers of tiles with a violation; lost: of those without an answer.
    """

    program: str
    rounds: int
    unwind: int
    parts: int
    limit: float
    whole: float
    whole_verdict: str
    seconds: list[float]
    violated: list[int]
    lost: list[int]

    def first(self, seed: int) -> float | None:
        """Processor seconds until the first violation if the tiles come in the random order *seed* on one core."""
        order = list(range(self.parts))
        random.Random(seed).shuffle(order)
        used = 0.0
        for number in order:
            used += self.seconds[number]
            if number in self.violated:
                return used
        return None


def ask(program: Program, rounds: int, more: Sequence[str], limit: float) -> Answer:
    """Run CSeq on *program* with so many *rounds*. limit: seconds on the clock."""
    bounds = ("--rounds", str(rounds), "--unwind", str(program.unwind))
    run = common.run([*common.CSEQ, str(program.path), "-b", "cbmc", "-q", *bounds, *more], limit=limit)
    verdict = run.stdout.strip().partition(":")[0]
    if run.timed_out:
        verdict = "out of time"
    elif run.status not in (0, 1) or verdict not in ("TRUE", "FALSE", "UNKNOWN"):
        raise SystemExit(f"{program.name} {' '.join(more)}: exit status {run.status}\n{run.stdout}{run.stderr}")
    common.progress(f"{program.name} {rounds} rounds {' '.join(more)}: {verdict} {run.cpu:.1f} s")
    return Answer(verdict, run.seconds, run.cpu)


def read(path: Path = MEASURED) -> list[TileSet]:
    """What `--part tiles` has measured."""
    if not path.exists():
        return []
    return [TileSet(**row) for row in json.loads(path.read_text(encoding="utf-8"))["sets"]]


def measure(programs: Iterable[Program], parts: int, limit: float, path: Path) -> None:
    """Measure each tile of *programs* once; those that *path* has are not measured again."""
    sets = read(path)
    for program in programs:
        if any((found.program, found.parts) == (program.name, parts) for found in sets):
            continue
        whole = ask(program, program.rounds, WAYS["whole"], 10 * limit)
        answers = [
            ask(program, program.rounds, ("--jobs", "1", "--tile", f"{number}/{parts}"), limit)
            for number in range(parts)
        ]
        violated = [number for number, answer in enumerate(answers) if answer.verdict == "FALSE"]
        lost = [number for number, answer in enumerate(answers) if answer.verdict == "out of time"]
        seconds = [round(answer.cpu, 3) for answer in answers]
        found = TileSet(
            program.name,
            program.rounds,
            program.unwind,
            parts,
            limit,
            round(whole.cpu, 3),
            whole.verdict,
            seconds,
            violated,
            lost,
        )
        sets.append(found)
        rows = ",\n".join(json.dumps(asdict(found)) for found in sets)
        command = json.dumps("python -m benchmarks.scale.run --part tiles")
        path.write_text(f'{{"command": {command}, "sets": [\n{rows}\n]}}\n', encoding="utf-8")


Asked = dict[tuple[str, str], list[Answer]]
"""Program and way → the answers of its runs."""


def first_bug(programs: Sequence[Program], runs: int, limit: float, path: Path | None) -> Asked:
    """*runs* answers for each of *programs* in each way; the runs take turns.

    path: a file with a line of JSON for each answer, which is continued if it exists.
    """
    found: Asked = {}
    if path is not None and path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            answer = json.loads(line)
            found.setdefault((answer.pop("program"), answer.pop("way")), []).append(Answer(**answer))
    for number in range(runs):
        for program in programs:
            for way, more in WAYS.items():
                answers = found.setdefault((program.name, way), [])
                if len(answers) <= number:
                    answers.append(ask(program, program.rounds, more, limit))
                    if path is not None:
                        with path.open("a", encoding="utf-8") as file:
                            row = {"program": program.name, "way": way, **asdict(answers[-1])}
                            file.write(json.dumps(row) + "\n")
    return found


def median(answers: Sequence[Answer]) -> Answer:
    """The medians; out of time where one is."""
    verdicts = {answer.verdict for answer in answers}
    verdict = verdicts.pop() if len(verdicts) == 1 else "out of time" if "out of time" in verdicts else "differs"
    seconds = statistics.median(answer.seconds for answer in answers)
    return Answer(verdict, seconds, statistics.median(answer.cpu for answer in answers))


def results(programs: Sequence[Program], asked: Asked, sets: Sequence[TileSet]) -> str:
    """The table of times to the first bug, the hardest program last."""
    header = ("program", "rounds", "runs", *(f"{way}: s (CPU s)" for way in WAYS), *TILE_HEADER)
    lines = []
    for program in sorted(programs, key=lambda program: median(asked[program.name, "whole"]).cpu):
        answers = {way: median(asked[program.name, way]) for way in WAYS}
        runs = min(len(asked[program.name, way]) for way in WAYS)
        mine = [found for found in sets if found.program == program.name]
        tiles = max(mine, key=lambda found: found.parts, default=None)
        cells = [_cell(answers[way]) for way in WAYS]
        lines.append([f"`{program.name}`", str(program.rounds), str(runs), *cells, *tile_cells(tiles)])
    return common.table(header, lines, "l")


TILE_HEADER = ("tiles with the bug", "tiles, one core: CPU s", "a tenth of the orders", "whole / tiles", "all tiles")


def tile_cells(tiles: TileSet | None) -> list[str]:
    """What tiles in random order on one core take, against the whole that was run beside them."""
    if tiles is None:
        return ["-"] * len(TILE_HEADER)
    firsts = sorted(first for seed in range(ORDERS) if (first := tiles.first(seed)) is not None)
    share = f"{len(tiles.violated)} of {tiles.parts}"
    everything = common.number(sum(tiles.seconds), 1) + (f", {len(tiles.lost)} lost" if tiles.lost else "")
    if not firsts:
        return [share, "-", "-", "-", everything]
    middle, few, many = firsts[ORDERS // 2], firsts[ORDERS // 10], firsts[ORDERS * 9 // 10]
    spread = f"below {common.number(few, 1)}, above {common.number(many, 1)}"
    return [share, common.number(middle, 1), spread, common.number(tiles.whole / middle), everything]


def _cell(answer: Answer) -> str:
    if answer.verdict != "FALSE":
        return f"{answer.verdict} ({common.number(answer.cpu, 1)})"
    return f"{common.number(answer.seconds, 1)} ({common.number(answer.cpu, 1)})"


def bounds(programs: Sequence[Program], limit: float) -> str:
    """The table that shows that fewer rounds find nothing."""
    lines = []
    for program in programs:
        fewer = ask(program, program.rounds - 1, ("--tile", "0/1"), limit)
        enough = ask(program, program.rounds, ("--tile", "0/1"), limit)
        cells = [f"{answer.verdict} ({common.number(answer.cpu, 1)} s)" for answer in (fewer, enough)]
        lines.append([f"`{program.name}`", f"{program.rounds} / {program.unwind}", *cells])
    return common.table(("program", "rounds / unwind", "one round fewer", "these rounds"), lines, "llll")


def main() -> None:
    """Measure, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs whose names contain this (without it, all)")
    parser.add_argument("--part", choices=("first", "tiles", "bounds"), default="first")
    parser.add_argument("--runs", type=int, default=3, help="runs of each, of which the median counts (default: 3)")
    parser.add_argument("--parts", type=int, default=16, metavar="N", help="number of tiles (default: 16)")
    parser.add_argument("--limit", type=float, help="seconds on the clock (default: 600; for a tile, 120)")
    parser.add_argument(
        "--results", type=Path, metavar="FILE", help="a line of JSON for each run; continued if it exists"
    )
    parser.add_argument("--output", type=Path, metavar="FILE")
    options = parser.parse_args()
    programs = named(options.names)
    limit = options.limit or (120.0 if options.part == "tiles" else 600.0)
    folder = Path(__file__).resolve().parent
    if options.part == "tiles":
        measure(programs, options.parts, limit, options.output or MEASURED)
        return
    if options.part == "bounds":
        sections = [_ABOUT_BOUNDS, bounds(programs, limit)]
        common.report(
            "Bounds of the hard programs", __file__, sections, options.output or folder / "BOUNDS.md", _cbmc()
        )
        return
    asked = first_bug(programs, options.runs, limit, options.results)
    about = _ABOUT.format(orders=ORDERS)
    common.report(
        "Time to the first bug",
        __file__,
        [about, results(programs, asked, read())],
        options.output or folder / "RESULTS.md",
        _cbmc(),
    )


def _cbmc() -> dict[str, str]:
    versions = list(common.engines())
    return {"CBMC": versions[0] if versions else "none", "commit": _commit()}


def _commit() -> str:
    words = ["git", "-C", str(common.ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


_ABOUT_BOUNDS = """\
The verdict of CBMC with the bounds of `programs.py` and with one round fewer, and its processor time.
"""

_ABOUT = """\
Programs of `programs/`, at the smallest bounds with the bug. *Whole* is the level as one formula, which is what a
single processor does; *2 jobs* is `cseq -b cbmc --jobs 2`, which divides a level that takes too long. Medians of runs
that took turns, on the clock and, in parentheses, of all processors together.

*Tiles, one core*: each tile was run once, alone (`--part tiles`); what tiles in random order need until the first
violation follows from these times, without scheduler. It is the median of {orders} random orders, and the times that a
tenth of the orders are below and above. *Whole / tiles* says how many times sooner tiles have the bug at the same
processor, against a run of the whole right before its tiles. A tile without an answer is lost, with the
processor time it had. *All tiles* is what the complete answer takes.
"""


if __name__ == "__main__":
    main()
