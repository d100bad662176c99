"""Prove programs that no bound covers, by each family alone and by default options: what proves which, and how soon.

    python -m benchmarks.proofs.run [INDEX.csv ...] --limit 60 --ways horn,native,cbmc,auto --results results.jsonl

Without an index the programs are the pairs of `sv-benchmarks/unbounded`; with any, those of the indexes, which have the
form of `benchmarks/field/run.py`. Each program is asked about alone, in each way, with the same limit on the clock; a
results file that exists is continued.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks import common
from benchmarks.field import run as field
from benchmarks.field.tools import ASSERTION, FOUND, INVALID, OPEN, PROVED, Answer, Task

PAIRS = common.ROOT / "sv-benchmarks" / "unbounded"

WAYS: Mapping[str, Sequence[str]] = {
    "horn": ("-b", "horn"),
    "native": ("-b", "native"),
    "cbmc": ("-b", "cbmc", "--prove"),
    "auto": (),
}
"""Way → the options that ask for it. The last one are default options."""


@dataclass(frozen=True)
class Proved(Answer):
    """An answer, and how it was come by.

    by: the engine that gave it. rung: of a proof by invariants, what they are about, the arithmetic, and the method.
    """

    by: str = ""
    rung: str = ""


Row = tuple[Task, str, Proved]


def main() -> int:
    """Ask, write the tables; the exit status is 1 where an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("indexes", nargs="*", type=Path, metavar="INDEX.csv")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per program and way (default: 60)")
    parser.add_argument("--ways", default=",".join(WAYS), help=f"of {','.join(WAYS)} (default: all)")
    parser.add_argument("--runs", type=int, default=1, help="runs of each, of which the median counts (default: 1)")
    parser.add_argument("--only", default="", help="programs whose category and name contain this")
    parser.add_argument("--include", type=Path, help="a folder of headers for the programs of the indexes")
    parser.add_argument("--results", type=Path, help="a line of JSON for each answer; continued if it exists")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "RESULTS.md")
    options = parser.parse_args()
    ways = [way for way in WAYS if way in options.ways.split(",")]
    try:
        listed = [task for index in options.indexes for task in field.read(index)] if options.indexes else pairs()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    tasks = [task for task in listed if options.only in task.key]
    more = ["--spec", str(common.ROOT / "sv-benchmarks" / "properties" / "unreach-call.prp")] if options.indexes else []
    more += ["-I", str(options.include.resolve())] if options.include else []
    rows = list(asked(tasks, ways, options.limit, options.runs, options.results, more))
    about = _ABOUT.format(limit=options.limit)
    parts = [about, field.summary(rows), rungs(rows), each(rows, ways), *field.causes(rows), field.wrong(rows)]
    common.report("Proofs without bounds", __file__, parts, options.output, common.engines())
    return int(any(field.is_wrong(task, answer) for task, _, answer in rows))


_ABOUT = """\
Each way gets {limit:g} s of wall-clock time for each program, one program after the other. `horn`, `native` and `cbmc`
are one family alone (`-b horn`, `-b native`, `-b cbmc --prove`); `auto` is `cseq.py FILE` without options. `TRUE` is
only said of a proof; one by `horn` has been checked by two solvers. Times are of the right answers.
"""


def pairs() -> list[Task]:
    """The tasks of `sv-benchmarks/unbounded`."""
    found = []
    for path in sorted(PAIRS.glob("*.yml")):
        about = yaml.safe_load(path.read_text(encoding="utf-8"))
        safe = about["properties"][0]["expected_verdict"]
        bits = 32 if about["options"]["data_model"] == "ILP32" else 64
        file = path.parent / about["input_files"]
        found.append(Task("unbounded", path.stem, file, ASSERTION, PROVED if safe else FOUND, bits))
    return found


def asked(
    tasks: Iterable[Task], ways: Sequence[str], limit: float, runs: int, results: Path | None, more: Sequence[str] = ()
) -> Iterator[Row]:
    """The answer of each way to each task. results: where they are kept; what is there is not asked again."""
    known: dict[tuple[str, str], Proved] = {}
    if results is not None and results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            found = json.loads(line)
            key = found.pop("key"), found.pop("way")
            known[key] = Proved(**found)
    for task in tasks:
        for way in ways:
            if (task.key, way) not in known:
                answer = known[task.key, way] = median([ask(task, way, limit, more) for _ in range(runs)])
                common.progress(f"{way}: {task.key}: {answer.verdict} {answer.rung} {answer.cause} {answer.cpu:.1f} s")
                if results is not None:
                    with results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({"key": task.key, "way": way, **asdict(answer)}) + "\n")
            yield task, way, known[task.key, way]


def ask(task: Task, way: str, limit: float, more: Sequence[str] = ()) -> Proved:
    """The answer of a way to a task, by the command line. more: options besides."""
    words = [*WAYS[way], *more, f"--{task.bits}", "--timeout", f"{limit:g}", "--json", task.file.name]
    run = common.run([*common.CSEQ, *words], limit=limit + 10, folder=task.file.parent)
    if run.timed_out:
        return Proved(OPEN, "out of time", run.cpu, run.seconds)
    if run.status not in (0, 1, 3) or not run.stdout:
        said = [line for line in run.stderr.splitlines() if line.strip()]
        return Proved(INVALID, (said or ["nothing"])[-1], run.cpu, run.seconds)
    answer = next(part for part in json.loads(run.stdout)["properties"] if part["name"] == "unreach-call")
    cause = answer["message"] if answer["verdict"] == OPEN else ""
    return Proved(answer["verdict"], cause, run.cpu, run.seconds, answer["backend"] or "", rung(answer))


def rung(answer: Mapping[str, Any]) -> str:
    """What the attempt that proved *answer* was, in a JSON report's words; nothing for another kind of answer."""
    if answer["verdict"] != PROVED:
        return ""
    proved = [attempt for attempt in answer.get("tries", ()) if attempt["end"] == "proved"]
    return " ".join(proved[-1][part] for part in ("kind", "arithmetic", "method")) if proved else ""


def median(answers: Sequence[Proved]) -> Proved:
    """Of several answers the one with the median of the times; an answer that differs from the others comes first."""
    ordered = sorted(answers, key=lambda answer: answer.cpu)
    verdicts = [answer.verdict for answer in answers]
    rarest = min(ordered, key=lambda answer: verdicts.count(answer.verdict))
    return ordered[len(ordered) // 2] if len(set(verdicts)) == 1 else rarest


def rungs(rows: Iterable[Row]) -> str:
    """The table of what was proved by which engine, and on which rung of the ladder."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for task, way, answer in rows:
        if answer.verdict == PROVED and task.expected == PROVED:
            found[way, answer.by, answer.rung].append(answer.cpu)
    lines = [
        (way, by, on, str(len(times)), common.number(statistics.median(times)), common.number(max(times)))
        for (way, by, on), times in sorted(found.items())
    ]
    header = ("way", "engine", "rung", "proved", "CPU, s, median", "CPU, s, most")
    return "## What proves it\n\n" + common.table(header, lines, "lll")


def each(rows: Iterable[Row], ways: Sequence[str]) -> str:
    """The table of all programs: the answer of each way, with its time."""
    answers: dict[str, dict[str, Proved]] = defaultdict(dict)
    expected: dict[str, str] = {}
    for task, way, answer in rows:
        name = f"`{task.category}/{task.name}`"
        answers[name][way], expected[name] = answer, task.expected
    lines = []
    for name, said in answers.items():
        on = next((answer.rung for answer in said.values() if answer.rung), "")
        cells = (f"{said[way].verdict} {common.number(said[way].cpu)}" for way in ways)
        lines.append((name, expected[name], *cells, on))
    header = ("program", "expected", *ways, "rung")
    about = "## Each program\n\nThe answer, and seconds of CPU time.\n\n"
    return about + common.table(header, lines, "l" * len(header))


if __name__ == "__main__":
    raise SystemExit(main())
