"""Parts of the schedules (--tile) against the whole: processor time of CBMC on each part, for numbers of parts.

    python -m benchmarks.scale.tiles                 # all programs of benchmarks/scale/programs
    python -m benchmarks.scale.tiles --parts 8 queue thread_pool

A program is translated once; each part is a run of CBMC of its own. Words at the end choose programs whose names
contain one of them. With fewer `--rounds` than the bug needs, all parts have to be searched.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import common
from benchmarks.scale.programs import Program, named
from cseq.backends.base import Options
from cseq.backends.registry import backend
from cseq.modules.symbolic.encode.sequentializer.tiles import TILE, Tile
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context, Unit

ENGINE = "cbmc"
FIRST, LAST = "sequentializer", "instrumenter"
"""The stages that differ from part to part."""

_ANSWERS = {0: "safe", 10: "violated"}
"""CBMC's exit statuses."""


@dataclass(frozen=True)
class Answer:
    """What CBMC says of a part. seconds: of processor time; those of the limit where it ran out of time."""

    status: str
    seconds: float


class Translated:
    """A program, translated up to where parts differ."""

    def __init__(self, path: Path, folder: Path, **bounds: int) -> None:
        chain = load("lazy")
        self._context = Context(chain.values(dict(bounds)), folder)
        stages = list(chain.chosen(self._context.values))
        begin, end = ([name for name, _ in stages].index(name) for name in (FIRST, LAST))
        value: Any = [str(path)]
        for _, stage in stages[:begin]:
            value = stage(self._context).run(value)
        self._unit: Unit = value
        self._stages = [stage for _, stage in stages[begin : end + 1]]
        self._engine = backend(ENGINE)
        found = self._engine.find()
        if found is None:
            raise SystemExit("no CBMC is installed (setup/provide-cbmc)")
        self._binary = found

    def answer(self, tile: Tile, limit: float) -> Answer:
        """CBMC's answer about *tile*, which may take *limit* seconds on the clock."""
        self._context.values[TILE.name] = str(tile)
        value: Any = self._unit
        for stage in self._stages:
            value = stage(self._context).run(value)
        program = self._context.workdir / "program.i"
        program.write_text(value.text, encoding="utf-8")
        ran = common.run(self._engine.command(self._binary, program, Options()), limit=limit)
        if ran.timed_out:
            return Answer("out of time", ran.cpu)
        if ran.status not in _ANSWERS:
            raise SystemExit(f"CBMC failed on part {tile} (exit status {ran.status})")
        return Answer(_ANSWERS[ran.status], ran.cpu)


def first(answers: list[Answer]) -> float | None:
    """The mean processor time until the first violation, where the parts are searched one by one in random order.

    Of the parts without a violation, each comes before the first one with a violation with probability 1/(m+1), where m
    have one. None if m is 0.
    """
    violated = [answer.seconds for answer in answers if answer.status == "violated"]
    others = [answer.seconds for answer in answers if answer.status != "violated"]
    return sum(violated) / len(violated) + sum(others) / (len(violated) + 1) if violated else None


def measured(program: Program, parts: list[int], rounds: int | None, limit: float) -> Iterator[list[str]]:
    """The rows of a program."""
    bounds = {"rounds": rounds or program.rounds, "unwind": program.unwind}
    with tempfile.TemporaryDirectory() as folder:
        translated = Translated(program.path, Path(folder), **bounds)
        for number in parts:
            answers = [translated.answer(Tile(part, number), limit) for part in range(number)]
            seconds = [answer.seconds for answer in answers]
            expected = first(answers)
            common.progress(f"{program.name} {number} {sum(seconds):.1f} {max(seconds):.1f} {expected}")
            yield [
                f"{program.name}, {bounds['rounds']} rounds" if number == parts[0] else "",
                str(number),
                str(sum(answer.status == "violated" for answer in answers)),
                str(sum(answer.status == "out of time" for answer in answers)),
                common.number(sum(seconds), 1),
                common.number(max(seconds), 1),
                common.number(common.median(seconds), 1),
                common.number(expected, 1) if expected is not None else "none",
            ]


def main() -> None:
    """The command line."""
    parser = common.arguments(__doc__, __file__, runs=1)
    parser.set_defaults(output=Path(__file__).with_name("TILES.md"))
    parser.add_argument("--parts", type=int, action="append", help="numbers of parts (default: 1, 2, 4, ..., 64)")
    parser.add_argument("--rounds", type=int, help="rounds (default: as many as the bug needs)")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each run of CBMC (default: 300)")
    parser.add_argument("names", nargs="*", help="words in the names of programs")
    options = parser.parse_args()
    parts = options.parts or [1, 2, 4, 8, 16, 32, 64]
    header = ["program", "parts", "violated", "out of time", "sum, s", "longest, s", "median, s", "first violation, s"]
    rows = [row for program in named(options.names) for row in measured(program, parts, options.rounds, options.limit)]
    sections = [
        "Processor time of CBMC, without translation. *First violation*: the mean time until one processor, which "
        "searches the parts one by one in random order, has found a violation.",
        common.table(header, rows, "l"),
    ]
    common.report("Parts of the schedules against the whole", __file__, sections, options.output, common.engines())


if __name__ == "__main__":
    sys.exit(main())
