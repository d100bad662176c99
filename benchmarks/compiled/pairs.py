"""Are the bugs of sv-benchmarks/compiled found and repeated, and are the twins clean, whatever compiled them?"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import common
from benchmarks.compiled.building import COMPILERS, Build, Program, built, programs, versions

LEVELS = ("-O0", "-O2", "-O3")
FOUND_WITHIN = 20.0
"""Seconds in which a bug has to be found."""

_REPEATED = re.compile(r"of (\d+) runs (\d+) failed as the saved one did")


@dataclass(frozen=True)
class Said:
    """What `cseq run` said of a program. searched: the limit in seconds. seconds: what it took.

    repeated: in how many of the repetitions by `cseq replay` it failed in the same way.
    """

    name: str
    build: str
    buggy: bool
    searched: float
    verdict: str
    message: str
    seconds: float
    repeated: int = 0
    times: int = 0

    @property
    def is_right(self) -> bool:
        """Whether the bug was found and repeated each time, or the twin is clean."""
        if not self.buggy:
            return self.verdict == "UNKNOWN" and self.message.startswith("no violation")
        return self.verdict == "FALSE" and self.repeated == self.times > 0


def said(program: Program, build: Build, seconds: float, times: int) -> Said:
    """Build a program, search for *seconds*, and repeat what is found so many times."""
    buggy = bool(program.violated)
    with tempfile.TemporaryDirectory(prefix="cseq-pairs-") as name:
        folder = Path(name)
        path, saved = built(program, build, folder), folder / "run.cseq"
        words = ["run", "--time", f"{seconds:g}", "--json", "--jobs", "1", "--save", str(saved)]
        words += [*program.options, "--", str(path)]
        run = common.run([*common.CSEQ, *words], limit=seconds + 60)
        try:
            answer = json.loads(run.stdout)
            verdict, message = answer["verdict"], answer["message"]
        except ValueError:
            verdict, message = "none", (run.stderr.splitlines() or [f"status {run.status}"])[-1]
        repeated = 0
        if verdict == "FALSE":
            replay = common.run([*common.CSEQ, "replay", str(saved), "--times", str(times)], limit=120)
            found = _REPEATED.search(replay.stdout + replay.stderr)
            repeated = int(found[2]) if found else 0
        return Said(
            program.name, build.name, buggy, seconds, verdict, message, run.seconds, repeated, times if buggy else 0
        )


def asked(builds: Sequence[Build], wanted: argparse.Namespace) -> Iterator[Said]:
    """What is said of each program, in the order of builds; known answers are not asked for again."""
    known: dict[tuple[str, str, float], Said] = {}
    longest: dict[tuple[str, str], Said] = {}
    if wanted.results and wanted.results.exists():
        for line in wanted.results.read_text(encoding="utf-8").splitlines():
            one = Said(**json.loads(line))
            known[one.name, one.build, one.searched] = one
            before = longest.setdefault((one.name, one.build), one)
            longest[one.name, one.build] = max(before, one, key=lambda said: said.searched)
    for build in builds:
        for program in programs(wanted.folder, wanted.programs):
            if build.compiler == "clang" and "-fopenmp" in program.flags:
                continue  # refused: what clang's OpenMP orders by itself is not seen
            seconds = FOUND_WITHIN if program.violated else wanted.twins
            key = program.name, build.name, seconds
            if wanted.known:
                if key[:2] in longest:
                    yield longest[key[:2]]
                continue
            if key not in known:
                known[key] = one = said(program, build, seconds, wanted.times)
                common.progress(f"{'right' if one.is_right else 'WRONG'} {build.name} {one.name}: {one}")
                if wanted.results:
                    with wanted.results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(one)) + "\n")
            yield known[key]


_ABOUT = """\
Each program of [sv-benchmarks/compiled](../../sv-benchmarks/compiled/README.md) is built by `cseq-cc` or `cseq-c++` and
explored by `cseq run --jobs 1`: those with a bug for {found:g} s at most, their twins for the seconds in the table.
What is found is repeated {times} times by `cseq replay`. Programs with OpenMP are built by gcc only; clang's is
refused. Seconds are those of the whole command, with start, shrinking and report, on a machine that is busy otherwise,
too.
"""


def tables(found: Sequence[Said]) -> Iterator[str]:
    """Per build how many are right, and how long it took; the programs with what is found; what is wrong."""
    groups: dict[str, list[Said]] = {}
    for one in found:
        groups.setdefault(one.build, []).append(one)
    rows = []
    for name, those in groups.items():
        bugs, twins = [one for one in those if one.buggy], [one for one in those if not one.buggy]
        took = sorted(one.seconds for one in bugs)
        searched = {f"{one.searched:g}" for one in twins}
        rows.append([
            name, f"{sum(one.verdict == 'FALSE' for one in bugs)} of {len(bugs)}",
            f"{sum(one.repeated == one.times for one in bugs)} of {len(bugs)}",
            f"{sum(one.is_right for one in twins)} of {len(twins)}", ", ".join(sorted(searched)),
            common.number(common.median(took)) if took else "", common.number(took[-1]) if took else "",
        ])  # fmt: skip
    header = ("build", "found", "repeated each time", "twins clean", "s per twin", "s per bug, median", "longest")
    yield "## Builds\n\n" + common.table(header, rows, "l")
    names = sorted({one.name for one in found if one.buggy})
    lines = []
    for name in names:
        of = {one.build: one for one in found if one.name == name}
        lines.append([f"`{name}`", *(common.number(of[build].seconds) if build in of else "" for build in groups)])
    yield "## Seconds until the report\n\n" + common.table(("program", *groups), lines, "l")
    wrong = [
        [f"`{one.name}`", one.build, one.verdict, one.message, f"{one.repeated} of {one.times}"]
        for one in found
        if not one.is_right
    ]
    yield "## What is not as it should be\n\n" + (
        common.table(("program", "build", "verdict", "message", "repeated"), wrong, "lllll") if wrong else "Nothing.\n"
    )


def arguments() -> argparse.Namespace:
    parser = common.arguments(__doc__ or "", __file__, runs=1)
    parser.set_defaults(output=Path(__file__).resolve().parent / "PAIRS.md")
    parser.add_argument("--builds", nargs="*", default=list(COMPILERS), choices=COMPILERS, help="the compilers")
    parser.add_argument("--levels", default=",".join(LEVELS), help="levels of optimisation, with commas between them")
    parser.add_argument("--folder", default="", metavar="NAME", help="a folder in sv-benchmarks/compiled: features")
    parser.add_argument("--twins", type=float, default=5.0, metavar="SEC", help="how long twins are explored")
    parser.add_argument("--times", type=int, default=100, metavar="N", help="repetitions of each bug")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep answers there, and take known ones from it")
    parser.add_argument("--known", action="store_true", help="ask for nothing: only what is in --results")
    parser.add_argument("--programs", nargs="*", default=[], metavar="NAME", help="only these programs")
    return parser.parse_args()


def main() -> None:
    wanted = arguments()
    builds = [Build(compiler, level) for compiler in wanted.builds for level in wanted.levels.split(",")]
    found = list(asked(builds, wanted))
    about = _ABOUT.format(found=FOUND_WITHIN, times=wanted.times)
    common.report("Pairs of compiled programs", __file__, [about, *tables(found)], wanted.output, versions())


if __name__ == "__main__":
    main()
