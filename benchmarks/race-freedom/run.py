"""Ask about data races in public programs: how many the thread-modular analysis proves, and how many CSeq by default.

    python -m benchmarks.race-freedom.run FOLDER

FOLDER has a checkout of each repository of `tasks.csv`, named as the repository without its owner. What is right comes
from the suites: Goblint's markers `NORACE` and `RACE!`, and GenMC's folders `correct` and `wrong/racy`. Ten programs
whose markers are imprecision that Goblint tests (options that switch a domain off, calls of functions that are not
thread-safe, locks that may fail) are listed as race-free, after a look at each; `11-heap/01-nestedlist_nr.c` is
racy, since it reads `h->first` before it takes the lock. Programs whose test in GenMC switches the detection of races
off are not listed.
"""

from __future__ import annotations

import argparse
import csv
import resource
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import cseq
from benchmarks import common
from cseq.model.errors import CSeqError

TASKS = Path(__file__).parent / "tasks.csv"
OUTPUT = Path(__file__).parent / "RESULTS.md"
HEADERS = Path(__file__).parent / "include"


class Task(NamedTuple):
    """A program, and whether it is free of data races by what its suite says."""

    repository: str
    commit: str
    path: str
    race_free: str


class Answer(NamedTuple):
    """A verdict, or why there is none, and seconds of processor time."""

    task: Task
    verdict: str
    seconds: float
    why: str


def _used() -> float:
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def asked(folder: Path, given: dict[str, Any], task: Task) -> Answer:
    """The answer to a *task*, with the options that are *given*."""
    before = _used()
    path = folder / task.repository.partition("/")[2] / task.path
    try:
        found = cseq.verify(path, only="no-data-race", **flags(folder, path), **given)
        verdict, why = found.verdict.value, found.message or ""
    except CSeqError as error:
        verdict, why = "refused", str(error)
    except Exception as error:  # a mistake of CSeq is one line of the table
        verdict, why = "failed", repr(error)
    return Answer(task, verdict, _used() - before, why)


def flags(folder: Path, path: Path) -> dict[str, list[str]]:
    """Headers of the suites, and for a program of GenMC the first flags that its test has for the compiler."""
    repository = folder / path.relative_to(folder).parts[0]
    headers = [str(folder / "analyzer" / "lib" / "goblint" / "runtime" / "include"), str(HEADERS)]
    arguments = path.parent.parent / "args.rc11.mo.in"
    if not arguments.is_file():
        return {"include": headers}
    words = arguments.read_text(encoding="utf-8").partition("\n")[0].rpartition("|")[2].split()
    headers += [str(repository / word.removeprefix("-I")) for word in words if word.startswith("-I")]
    return {"include": headers, "define": [word.removeprefix("-D") for word in words if word.startswith("-D")]}


def answers(folder: Path, tasks: Sequence[Task], given: dict[str, Any], jobs: int) -> list[Answer]:
    """The answers to all *tasks*."""
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(partial(asked, folder, given), tasks))


def section(title: str, found: Sequence[Answer]) -> str:
    """A table of the answers of one way to ask, and what is wrong."""
    rows = []
    for repository in sorted({each.task.repository for each in found}):
        for race_free in ("true", "false"):
            mine = [each for each in found if (each.task.repository, each.task.race_free) == (repository, race_free)]
            counts = Counter(each.verdict for each in mine)
            if mine:
                rows.append((
                    repository, "race-free" if race_free == "true" else "racy", str(len(mine)),
                    *(str(counts[each]) for each in ("TRUE", "FALSE", "UNKNOWN", "refused", "failed")),
                    common.number(common.median(each.seconds for each in mine)),
                ))  # fmt: skip
    wrong = [
        each for each in found if each.verdict in ("TRUE", "FALSE") and each.verdict.lower() != each.task.race_free
    ]
    lines = [f"- `{each.task.path}`: {each.verdict}" for each in wrong]
    table = common.table(("suite", "tasks", "number", "TRUE", "FALSE", "UNKNOWN", "refused", "failed", "CPU s"), rows)
    return "\n".join((f"## {title}", "", table, "", f"Not what the suite says: {len(wrong)}.", "", *lines, ""))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all tasks with the analysis alone, and a sample by default."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=10, help="ask by default about every Nth task; 0: none")
    parser.add_argument("--timeout", type=int, default=30, help="seconds for a task by default")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--details", type=Path, help="write all answers to this file")
    options = parser.parse_args(arguments)
    with TASKS.open(encoding="utf-8", newline="") as file:
        tasks = [Task(*row) for row in list(csv.reader(file))[1:]]
    alone = answers(options.folder, tasks, {"backend": "modular", "timeout": options.timeout}, options.jobs)
    sections = [section("The analysis alone (`-b modular`)", alone)]
    some = tasks[:: options.sample] if options.sample else []
    default = answers(options.folder, some, {"timeout": options.timeout}, options.jobs)
    if default:
        sections.append(section(f"`--race --timeout {options.timeout}`, every {options.sample}th task", default))
    common.report("Race freedom", "benchmarks/race-freedom/run.py", sections, options.output, {})
    if options.details:
        rows = (f"{each.verdict}\t{each.task.race_free}\t{each.task.path}\t{each.why}\n" for each in alone + default)
        options.details.write_text("".join(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
