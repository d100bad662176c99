"""How soon are the bugs of SCTBench found?

SCTBench (Thomson, Donaldson and Betts, TOPC 2016) is fetched by whoever runs this: github.com/mc-imperial/sctbench.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common
from benchmarks.compiled.exploring import Explored, explored
from cseq.modules.compiled.cc.wrapper import invocation

_FOLDERS = {
    "concurrent-software-benchmarks": "CS", "chess": "chess", "inspect_examples": "inspect",
    "inspect_benchmarks": "inspect", "conc-bugs": "CB", "safestack": "misc",
}  # fmt: skip
"""The suites that are single programs, and their names in the paper."""

_PLACES = {"stringbuffer-jdk1.4": ("main.cpp", "stringbuffer.cpp"), "bug1": ("SafeStack.cpp",)}
"""The sources of programs that have not the name of their source. Paths are relative to the program's folder."""

_ARGUMENTS = re.compile(r"^//\s*args:(.*)")


@dataclass(frozen=True)
class Program:
    """A program with a bug. threads: as SCTBench's own list counts them, with main."""

    suite: str
    name: str
    threads: int
    sources: tuple[Path, ...]
    arguments: tuple[str, ...]


def programs(folder: Path) -> Iterator[Program]:
    """The programs of SCTBench's list of buggy ones that are a few files, in its order. folder: the checkout."""
    root = folder / "benchmarks"
    for line in (root / "buggy.txt").read_text(encoding="utf-8").splitlines():
        suite, name, threads, *_ = line.split()
        if suite not in _FOLDERS:
            continue
        place = root / suite
        sources = [place / name / each for each in _PLACES.get(name, ())] if (place / name).is_dir() else []
        sources = sources or [place / each for each in _PLACES.get(name, ())]
        sources = sources or [place / f"{name}{end}" for end in (".c", ".cpp") if (place / f"{name}{end}").is_file()]
        if sources:
            first = sources[0].read_text(encoding="utf-8", errors="replace").split("\n", 1)[0]
            match = _ARGUMENTS.match(first)
            words = match[1].format(NUMTHREADS=int(threads) - 1, OUTFILE=os.devnull).split() if match else []
            yield Program(_FOLDERS[suite], name, int(threads), tuple(sources), tuple(words))


def built(program: Program, folder: Path) -> Path | None:
    """The program, built as SCTBench builds it but with our compilers; None if that fails."""
    is_cxx = program.sources[0].suffix == ".cpp"
    output = folder / f"{program.suite}-{program.name}"
    flags = ["-std=c++11"] if is_cxx else []
    sources = [str(source) for source in program.sources]
    command = [*invocation(is_cxx), "-w", *flags, "-pthread", "-g", "-O0", *sources, "-o", str(output)]
    done = common.run(command, folder=program.sources[0].parent)
    if done.status != 0:
        common.progress(done.stderr[-500:])
        return None
    return output


_HEADER = ("suite", "program", "threads", "found", "runs until it", "s", "runs/s", "races, first in run", "what")


def row(program: Program, result: Explored | None) -> list[str]:
    """A line of the table. result: None if the program could not be built."""
    start = [program.suite, f"`{program.name}`", str(program.threads)]
    if result is None or result.error:
        return [*start, "does not build" if result is None else result.error, "", "", "", "", ""]
    races = f"{len(result.races)}, {result.first_race}" if result.races else "none"
    if result.failure:
        end = ["yes", str(result.run), common.number(result.at)]
    else:
        cut = "".join(f"; {count} cut off: {name}" for name, count in result.cut.items())
        end = ["no" + ("; only races" if result.races else ""), f"{result.runs}{cut}", common.number(result.seconds)]
    what = result.failure.split(";")[0].replace("|", "\\|")
    return [*start, *end, common.number(result.per_second, 0), races, what]


_ABOUT = """\
Each program of SCTBench's list of buggy programs that consists of a few files is built with `cseq-cc` or `cseq-c++`
(`-g -O0`, as SCTBench does), with its arguments, and explored by one process for at most {seconds:g} s, at most
{steps} operations a run, all strategies in rotation, seed {seed}. *Found*: a failed assertion, a crash, a deadlock or
misuse, which was repeated; data races are counted beside it and do not end the search here (they
do in `cseq run`, after a second). *Runs until it*: the number of the run; if there was none, all runs. *s*: until it
was found and repeated. All programs have a bug. Those of PARSEC, SPLASH-2, RADBench and two of CB, which come with
builds of their own, are not here.
"""


def main() -> None:
    parser = common.arguments(__doc__ or "", __file__, runs=1)
    parser.add_argument("folder", type=Path, help="a checkout of github.com/mc-imperial/sctbench")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each search (default: 20)")
    parser.add_argument("--steps", type=int, default=100_000, help="limit of a run (default: 100000)")
    parser.set_defaults(output=Path(__file__).with_name("SCTBENCH.md"))
    options = parser.parse_args()
    rows, found = [], 0
    with tempfile.TemporaryDirectory() as name:
        for program in programs(options.folder.resolve()):
            path = built(program, Path(name))
            result = None
            if path is not None:
                place = program.sources[0].parent
                result = explored([str(path), *program.arguments], options.seconds, place, options.steps, status=None)
            found += result is not None and bool(result.failure)
            rows.append(row(program, result))
            common.progress(" ".join(rows[-1]))
    about = _ABOUT.format(seconds=options.seconds, steps=options.steps, seed=1)
    sections = [about, f"**{found} of {len(rows)} found.**\n", common.table(_HEADER, rows, "llrlrrrll")]
    common.report("SCTBench", __file__, sections, options.output, {"compiler": common.compiler()})


if __name__ == "__main__":
    main()
