"""Runs per second of the scheduler, of plain processes, and of ThreadSanitizer."""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common
from benchmarks.compiled.building import Build, Program, built, programs, versions
from cseq.modules.compiled.client.record import Strategy
from cseq.modules.compiled.client.server import RunBatch, Server

PROGRAMS = ("aba_stack_ok", "barrier_phase_ok", "bounded_buffer_if_ok", "deadlock3_ok", "signal_one_ok")
PLAIN = Program(Path(__file__).with_suffix(".cpp"), ("-std=c++20",), ())
BUILD = Build("gcc", "-O2")


@dataclass(frozen=True)
class Speeds:
    """Processor time of a run, in seconds. operations: of a run that is scheduled."""

    operations: int
    ours: float
    native: float
    sanitized: float


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def repeated(path: Path, runs: int) -> float:
    """Processor time of a run of *path* as a process of its own, the mean of so many. Raises OSError if it fails."""
    before = _spent()
    for _ in range(runs):
        child = os.posix_spawn(path, [str(path)], os.environ)
        _, status = os.waitpid(child, 0)
        if status:
            raise OSError(f"{path} ends with {os.waitstatus_to_exitcode(status)}")
    return (_spent() - before) / runs


def scheduled(path: Path, runs: int) -> tuple[float, int]:
    """Processor time of a run of *path* under the scheduler, fork and start included, and its visible operations.

    Raises OSError if a run does not end well.
    """
    before = _spent()
    with Server([str(path)], cpu=min(os.sched_getaffinity(0))) as server:
        result = server.run(RunBatch(runs, Strategy.WALK, seconds=10))
        if result.runs != runs:
            raise OSError(f"{path}: run {result.runs} is remarkable: {result.end}")
        operations = int(result.entries)
    return (_spent() - before) / runs, operations


def plainly(program: Program, folder: Path, *more: str) -> Path:
    """The program compiled without our hooks. more: options."""
    path = folder / f"{program.name}{'.tsan' if more else '.native'}"
    compiler = "gcc" if program.source.suffix == ".c" else "g++"
    words = [compiler, *program.flags, BUILD.level, "-g", *more, "-pthread", str(program.source), "-o", str(path)]
    done = common.run(words)
    if done.status:
        raise SystemExit(done.stderr)
    return path


def measured(program: Program, runs: int, times: int) -> Speeds:
    """The medians of so many *times*, each of so many *runs*."""
    with tempfile.TemporaryDirectory(prefix="cseq-speed-") as name:
        folder = Path(name)
        ours = built(program, BUILD, folder)
        native, sanitized = plainly(program, folder), plainly(program, folder, "-fsanitize=thread")
        mine = [scheduled(ours, runs) for _ in range(times)]
        return Speeds(
            mine[0][1],
            common.median(seconds for seconds, _ in mine),
            common.median(repeated(native, runs // 4) for _ in range(times)),
            common.median(repeated(sanitized, runs // 10) for _ in range(times)),
        )


_ABOUT = """\
Processor time of one run, of gcc -O2, on one processor: *ours* is a run of the fork server under a random walk, with
the creation of its process and the detection of data races; *native* is `fork` and `exec` of the program without any
instrumentation; *libtsan* is the same with gcc's own ThreadSanitizer. Ours and libtsan's are also shown as multiples of
native. Medians of {times} times {runs} runs (a quarter of it for native, a tenth for libtsan). Operations: those that
are scheduled. `speed` ([speed.cpp](speed.cpp)) makes 800 000 plain accesses; the others are small programs of
[sv-benchmarks/compiled](../../sv-benchmarks/compiled/README.md), whose time is mostly that of a process.
"""


def tables(found: Mapping[str, Speeds]) -> Iterator[str]:
    """Runs per second of processor time, and slowdowns."""
    rows = []
    for name, one in found.items():
        rates = [common.number(1 / each, 0) for each in (one.ours, one.native, one.sanitized)]
        ratios = [common.number(each / one.native) for each in (one.ours, one.sanitized)]
        rows.append([f"`{name}`", str(one.operations), common.number(1000 * one.ours), *rates, *ratios])
    header = (
        "program", "operations", "ms, ours", "runs/s, ours", "runs/s, native", "runs/s, libtsan", "ours / native",
        "libtsan / native",
    )  # fmt: skip
    yield common.table(header, rows, "l")


def chosen(names: Sequence[str]) -> Iterator[Program]:
    """The programs with these names, and the one of plain accesses."""
    yield from programs("", names)
    yield PLAIN


def arguments() -> argparse.Namespace:
    parser = common.arguments(__doc__ or "", __file__, runs=1000)
    parser.set_defaults(output=Path(__file__).resolve().parent / "SPEED.md")
    parser.add_argument("--times", type=int, default=3, metavar="N", help="medians of N")
    return parser.parse_args()


def main() -> None:
    wanted = arguments()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = {}
    for program in chosen(PROGRAMS):
        few = wanted.runs if program is not PLAIN else max(20, wanted.runs // 10)
        found[program.name] = measured(program, few, wanted.times)
        common.progress(f"{program.name}: {found[program.name]}")
    about = _ABOUT.format(times=wanted.times, runs=wanted.runs)
    common.report("Speed of compiled programs", __file__, [about, *tables(found)], wanted.output, versions())


if __name__ == "__main__":
    main()
