"""Which programs of sv-benchmarks/compiled are small enough for all their schedules to be run?"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common
from benchmarks.compiled.building import COMPILERS, Build, Program, built, programs, versions

LIMIT = 10.0
"""Seconds for the schedules of a program."""

_ABOUT = """\
Each program of [sv-benchmarks/compiled](../../sv-benchmarks/compiled/README.md) is built by `cseq-cc` or `cseq-c++`
({build}) and explored by `cseq run --exhaustive`, for {limit:g} s at most; those that take `--weak` or OpenMP are left
out. Schedules that differ only in the order of operations that commute count once. `UNKNOWN` has its cause: the limit,
or what a run depends on besides its schedule.
"""


@dataclass(frozen=True)
class Explored:
    """What `cseq run --exhaustive` said of a program."""

    name: str
    verdict: str
    schedules: int
    seconds: float
    causes: tuple[str, ...]


def explored(program: Program, build: Build, limit: float) -> Explored:
    """Build a program and have all its schedules run."""
    with tempfile.TemporaryDirectory(prefix="cseq-exhaustive-") as name:
        path = built(program, build, Path(name))
        words = ["run", "--exhaustive", "--timeout", f"{limit:g}", "--json", "--", str(path)]
        run = common.run([*common.CSEQ, *words], limit=limit + 60)
        answer = json.loads(run.stdout)
        [part] = answer["properties"]
        found = (part["statistics"] or {}).get("schedules", 0)
        causes = tuple(bound["description"] for bound in answer["bounds"]) or (answer["reason"] or "",)
        return Explored(program.name, answer["verdict"], int(found), run.seconds, causes)


def tables(found: list[Explored]) -> Iterator[str]:
    """A row for each program."""
    rows = [
        [f"`{one.name}`", one.verdict, str(one.schedules), common.number(one.seconds), "; ".join(one.causes)]
        for one in found
    ]
    yield "## Programs\n\n" + common.table(("program", "verdict", "schedules", "s", "cause"), rows, "llrrl")


def main() -> None:
    parser: argparse.ArgumentParser = common.arguments(__doc__ or "", __file__, runs=1)
    parser.set_defaults(output=Path(__file__).resolve().parent / "EXHAUSTIVE.md")
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="SEC", help="seconds for each program")
    parser.add_argument("--programs", nargs="*", default=[], metavar="NAME", help="only these programs")
    wanted = parser.parse_args()
    build = Build(next(iter(COMPILERS)), "-O2")
    found = []
    for program in programs("", wanted.programs):
        if not program.options and "-fopenmp" not in program.flags:
            found.append(explored(program, build, wanted.limit))
            common.progress(str(found[-1]))
    about = _ABOUT.format(build=build.name, limit=wanted.limit)
    common.report("All schedules", __file__, [about, *tables(found)], wanted.output, versions())


if __name__ == "__main__":
    main()
