"""How often do the programs of sv-benchmarks/compiled fail if one simply runs them again and again?"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common

PROGRAMS = common.ROOT / "sv-benchmarks" / "compiled"
COMPILERS = {"gcc": {".c": "gcc", ".cpp": "g++"}, "clang": {".c": "clang", ".cpp": "clang++"}}
_FLAGS = re.compile(r"^  flags: \[(.*)\]$", re.MULTILINE)
_VIOLATED = re.compile(r"/([\w-]+)\.prp\n    expected_verdict: false")


@dataclass(frozen=True)
class Task:
    """A program with its bug.

    flags: what the compiler needs for it. violated: the properties that it violates.
    """

    source: Path
    flags: tuple[str, ...]
    violated: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.source.stem


@dataclass
class Count:
    """How many of the native runs failed (a status other than 0, or a signal) and how many hung."""

    runs: int = 0
    failed: int = 0
    hung: int = 0
    seconds: float = 0.0
    first: int = 0
    """The number of the first run that failed or hung; 0 if none did."""


def tasks(names: Sequence[str]) -> Iterator[Task]:
    """The programs with a bug, in the order of their names; of these the ones in *names*, if there are any."""
    for file in sorted(PROGRAMS.glob("*.yml")):
        if file.stem.endswith("_ok") or (names and file.stem not in names):
            continue
        text = file.read_text(encoding="utf-8")
        flags = _FLAGS.findall(text)[0].replace(",", " ").split()
        [source] = (path for suffix in (".c", ".cpp") if (path := file.with_suffix(suffix)).is_file())
        yield Task(source, tuple(flags), tuple(_VIOLATED.findall(text)))


def compiled(task: Task, compiler: str, level: str, folder: Path) -> Path:
    """The program, without any instrumentation; ends this script if the compiler refuses it."""
    program = folder / task.name
    command = [COMPILERS[compiler][task.source.suffix], *task.flags, level, "-pthread", str(task.source)]
    done = common.run([*command, "-o", str(program)])
    if done.status != 0:
        raise SystemExit(f"{shlex.join(command)}:\n{done.stderr}")
    return program


def repeated(program: Path, runs: int, limit: float, most_hung: int) -> Count:
    """Run *program* up to *runs* times, each *limit* seconds at most; no more once *most_hung* runs have hung."""
    count = Count()
    start = time.perf_counter()
    while count.runs < runs and count.hung < most_hung:
        count.runs += 1
        process = subprocess.Popen(
            [str(program)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            count.hung += 1
        else:
            count.failed += status != 0
        count.first = count.first or (count.runs if count.failed or count.hung else 0)
    count.seconds = time.perf_counter() - start
    return count


_ABOUT = """\
Each program of [sv-benchmarks/compiled](../../sv-benchmarks/compiled/README.md) that has a bug is compiled as usual
({compiler}, `{level}`, no instrumentation) and run up to {runs} times, at full speed and one after the other. *Failed*:
an assertion, an uncaught exception or a signal. *Hung*: it had not ended after {limit:g} s; after {most_hung} of these,
no more runs. *First*: the number of the first run that failed or hung. A data race or a use after free that does not
change the result is not seen in this way, so it counts as no failure: for these, the column says what a test would
notice.
"""


def _row(task: Task, count: Count) -> list[str]:
    per_run = 1000 * count.seconds / count.runs
    return [
        f"`{task.name}`", ", ".join(task.violated), str(count.runs), str(count.failed), str(count.hung),
        str(count.first or "never"), common.number(per_run),
    ]  # fmt: skip


def arguments() -> argparse.Namespace:
    parser = common.arguments(__doc__ or "", __file__, runs=1000)
    parser.set_defaults(output=Path(__file__).resolve().parent / "NATIVE.md")
    parser.add_argument("--compiler", choices=COMPILERS, default="gcc", help="gcc (the default) or clang")
    parser.add_argument("--level", default="-O2", metavar="-O2", help="the level of optimisation, as --level=-O0")
    parser.add_argument("--limit", type=float, default=1.0, metavar="SEC", help="a run that takes longer hangs")
    parser.add_argument("--hung", type=int, default=10, metavar="N", help="no more runs once N have hung (default: 10)")
    parser.add_argument("programs", nargs="*", metavar="NAME", help="only these programs")
    return parser.parse_args()


def main() -> None:
    wanted = arguments()
    rows, counts = [], []
    with tempfile.TemporaryDirectory(prefix="cseq-native-") as folder:
        for task in tasks(wanted.programs):
            common.progress(task.name)
            program = compiled(task, wanted.compiler, wanted.level, Path(folder))
            count = repeated(program, wanted.runs, wanted.limit, wanted.hung)
            rows.append(_row(task, count))
            counts.append(count)
    noticed = sum(bool(count.first) for count in counts)
    summary = f"{noticed} of {len(counts)} programs failed or hung at least once.\n"
    header = ("program", "violates", "runs", "failed", "hung", "first", "ms per run")
    about = _ABOUT.format(
        compiler=wanted.compiler, level=wanted.level, runs=wanted.runs, limit=wanted.limit, most_hung=wanted.hung
    )
    version = common.run([COMPILERS[wanted.compiler][".c"], "--version"]).stdout.partition("\n")[0]
    sections = [about, common.table(header, rows, "llrrrrr"), summary]
    tools = {"compiler": version, "processors": str(len(os.sched_getaffinity(0)))}
    common.report("Native repetition", __file__, sections, wanted.output, tools)


if __name__ == "__main__":
    main()
