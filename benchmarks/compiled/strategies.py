"""How many runs does each strategy need until it meets the bugs of sv-benchmarks/compiled?"""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import common
from benchmarks.compiled.building import COMPILERS, Build, built, programs, versions
from cseq.modules.compiled.client.record import MOST_WEIGHTS, Strategy
from cseq.modules.compiled.client.server import RunBatch, Server
from cseq.modules.compiled.rotation import Slice, slices
from cseq.modules.compiled.sameness import is_bad

ALONE = (
    (Strategy.WALK, 0), (Strategy.PCT, 2), (Strategy.PCT, 3), (Strategy.POS, 0), (Strategy.SURW, 0),
    (Strategy.PREEMPT, 1), (Strategy.PREEMPT, 2),
)  # fmt: skip
ROTATION = "rotation"
_RUN_SECONDS = 2.0
_MISSES = 3
"""After so many seeds without the bug, and none with it, no more are tried."""

_NATIVE = re.compile(r"^\| `(\w+)` \| [^|]* \| (\d+) \| [^|]* \| [^|]* \| (\d+|never) \|", re.MULTILINE)


@dataclass
class Counts:
    """How many runs were needed. needed: with each seed, 0 where the limit was reached before."""

    needed: list[int] = field(default_factory=list)

    def median(self, most: int) -> float:
        """The median, with `inf` where half of the seeds met nothing within *most* runs."""
        middle = common.median(count or most + 1 for count in self.needed)
        return float("inf") if middle > most else middle


def ways() -> dict[str, Callable[[], Iterator[Slice]]]:
    """The ways to choose strategies, by name."""

    def alone(strategy: Strategy, depth: int) -> Callable[[], Iterator[Slice]]:
        return lambda: iter([Slice(strategy, depth, 1 << 20)])

    return {ROTATION: slices} | {Slice(*one, 0).name: alone(*one) for one in ALONE}


def until_failure(server: Server, parts: Iterable[Slice], seed: int, most: int) -> int:
    """The number of the first run that violates something; 0 if there is none among *most* runs."""
    server.run(RunBatch(1, Strategy.RUN, seconds=_RUN_SECONDS))  # for what strategies expect of a run
    entries = server.array("entries")
    length, weights = len(entries), [0] * MOST_WEIGHTS
    for entry in entries:
        if entry.thread < MOST_WEIGHTS:
            weights[entry.thread] += 1
    done = 0
    for part in parts:
        left = min(part.runs, most - done)
        while left > 0:
            order = RunBatch(
                left, part.strategy, seed + done, depth=part.depth, seconds=_RUN_SECONDS, length=length, weights=weights
            )
            result = server.run(order)
            done, left = done + result.runs, left - result.runs
            if is_bad(result, 0):
                return int(done)
        if done >= most:
            break
    return 0


def measured(path: Path, seeds: int, most: int) -> dict[str, Counts]:
    """What each way needs for a program."""
    found: dict[str, Counts] = {}
    with Server([str(path)], cpu=min(os.sched_getaffinity(0))) as server:
        for name, parts in ways().items():
            counts = found[name] = Counts()
            for number in range(seeds):
                if number == _MISSES and not any(counts.needed):
                    break
                counts.needed.append(until_failure(server, parts(), 1 + number * 1_000_003, most))
    return found


_ABOUT = """\
Each program of [sv-benchmarks/compiled](../../sv-benchmarks/compiled/README.md) that has a bug is built by the wrappers
({compiler}, `{level}`) and run under one strategy alone, and under the rotation that is the default, until a run
violates something (the first data race counts), {most} runs at most. Numbers are medians of {seeds} seeds; *never* is
more than {most}. If the first {misses} seeds met nothing, no others were tried. The last column has the number of the
first native run that failed, of up to 1 000 ([NATIVE.md](NATIVE.md)): an assertion, a hang, no race.
"""


def native(text: str) -> Mapping[str, str]:
    """By program: the number of the first native run that failed, from the table of `native_repetition`."""
    return {name: first if first != "never" else f"never in {runs}" for name, runs, first in _NATIVE.findall(text)}


def tables(found: Mapping[str, Mapping[str, Counts]], first: Mapping[str, str], most: int) -> Iterator[str]:
    """The medians, and for each way in how many programs it met the bug."""
    names = list(next(iter(found.values())))
    rows = []
    for program, those in found.items():
        middles = [those[name].median(most) for name in names]
        rows.append([f"`{program}`", *map(_shown, middles), first.get(program, "")])
    yield common.table(("program", *names, "native"), rows, "l")
    sums = []
    for name in names:
        middles = [those[name].median(most) for those in found.values()]
        met = [middle for middle in middles if middle <= most]
        worst = max((count or most + 1 for those in found.values() for count in those[name].needed), default=0)
        mean = common.geometric_mean([min(middle, most + 1) for middle in middles])
        shown = _shown(float(worst) if worst <= most else float("inf"))
        sums.append([name, f"{len(met)} of {len(middles)}", common.number(mean, 1), shown])
    yield "## In all\n\n" + common.table(
        ("strategy", "bugs met in the median", "geometric mean of the medians", "worst of all seeds"), sums, "l"
    )
    if any("never" not in one for one in first.values()):
        noticed = [name for name in found if "never" not in first.get(name, "never")]
        yield f"Native repetition met {len(noticed)} of {len(found)} bugs.\n"


def _shown(middle: float) -> str:
    return "never" if middle == float("inf") else f"{middle:g}"


def asked(wanted: argparse.Namespace) -> dict[str, dict[str, Counts]]:
    """What was measured of each program; known results are not measured again."""
    found: dict[str, dict[str, Counts]] = {}
    if wanted.results and wanted.results.exists():
        for line in wanted.results.read_text(encoding="utf-8").splitlines():
            name, those = json.loads(line)
            found[name] = {way: Counts(needed) for way, needed in those.items()}
    for program in programs("", wanted.programs):
        if not program.violated or program.name in found:
            continue
        with tempfile.TemporaryDirectory(prefix="cseq-strategies-") as folder:
            path = built(program, Build(wanted.compiler, wanted.level), Path(folder))
            those = found[program.name] = measured(path, wanted.runs, wanted.most)
        common.progress(f"{program.name}: { {way: counts.needed for way, counts in those.items()} }")
        if wanted.results:
            with wanted.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps([program.name, {way: counts.needed for way, counts in those.items()}]) + "\n")
    return dict(sorted(found.items()))


def arguments() -> argparse.Namespace:
    parser = common.arguments(__doc__ or "", __file__, runs=5)
    parser.set_defaults(output=Path(__file__).resolve().parent / "STRATEGIES.md")
    parser.add_argument("--most", type=int, default=2000, metavar="N", help="runs until a search is given up")
    parser.add_argument("--compiler", choices=COMPILERS, default="gcc")
    parser.add_argument("--level", default="-O2", metavar="-O2", help="the level of optimisation, as --level=-O0")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep results there, and take known ones from it")
    parser.add_argument("programs", nargs="*", metavar="NAME", help="only these programs")
    return parser.parse_args()


def main() -> None:
    wanted = arguments()
    found = asked(wanted)
    first = native((Path(__file__).resolve().parent / "NATIVE.md").read_text(encoding="utf-8"))
    about = _ABOUT.format(
        compiler=wanted.compiler, level=wanted.level, most=wanted.most, seeds=wanted.runs, misses=_MISSES
    )
    tools = {wanted.compiler: versions()[wanted.compiler]}
    common.report("Runs until the bug", __file__, [about, *tables(found, first, wanted.most)], wanted.output, tools)


if __name__ == "__main__":
    main()
