"""Run CSeq, and CBMC's and ESBMC's own support for concurrency, on a folder of programs with an index.

    python -m benchmarks.field.run INDEX.csv --limit 60 --tools cseq,cbmc --results results.jsonl

The index is a CSV file with the columns category, name, file (beside the index, or a path), property (assertion,
deadlock, race, memsafety or overflow), expected (TRUE, FALSE, or nothing where nobody knows) and model (32 or 64).
`benchmarks/field/index.py` writes one for public suites. CSeq runs with its default options. Each tool is asked about
one program at a time, with the same limit on the clock; a results file that exists is continued.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import common
from benchmarks.field.tools import FOUND, INVALID, OPEN, PROPERTIES, PROVED, Answer, Task, Tool, installed

_CAUSES = 12  # listed per tool


def main() -> int:
    """Run, write the tables; the exit status is 1 where CSeq is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per program and tool (default: 60)")
    parser.add_argument("--tools", default="", help="of cseq,cbmc,esbmc (default: all that are installed)")
    parser.add_argument("--every", type=int, default=1, help="take every Nth program")
    parser.add_argument("--only", default="", help="programs whose category and name contain this")
    parser.add_argument("--results", type=Path, help="a line of JSON for each answer; continued if it exists")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "RESULTS.md")
    parser.add_argument("--plot", type=Path, help="a cactus plot of the right answers, as SVG (needs matplotlib)")
    options = parser.parse_args()
    try:
        tasks = [task for task in read(options.index) if options.only in task.key][:: options.every]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    tools = installed()
    if options.tools:
        tools = {name: tool for name, tool in tools.items() if name in options.tools.split(",")}
    answers = asked(tasks, tools, options.limit, options.results)
    rows = [(task, who, answers[task.key, who]) for task in tasks for who in tools]
    parts = [_ABOUT.format(limit=options.limit), summary(rows), *causes(rows), wrong(rows)]
    common.report("Programs by others", __file__, parts, options.output, common.engines())
    if options.plot:
        plot(rows, options.plot)
    return int(any(who == "cseq" and is_wrong(task, answer) for task, who, answer in rows))


_ABOUT = """\
All tools get {limit:g} s of wall-clock time for each program, one program after the other. `cseq` runs with its default
options and the property alone. CBMC is asked with unwinding 1, 2, 3, 4, 6, … until it has an answer, ESBMC with
`--incremental-bmc`. Times are of the right answers.
"""


def read(index: Path) -> Iterator[Task]:
    """The tasks in *index*. Raises ValueError, with file and line, for one that makes no sense."""
    with index.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            place = f"{index}:{number}"
            if missing := [name for name in ("category", "name", "file", "property") if not row.get(name)]:
                raise ValueError(f"{place}: error: no {missing[0]}")
            path = index.parent / row["file"]
            if not path.is_file():
                raise ValueError(f"{place}: error: no such file: {path}")
            if row["property"] not in PROPERTIES:
                raise ValueError(f"{place}: error: no such property: {row['property']}")
            expected, model = row.get("expected") or "", row.get("model") or "64"
            if expected not in ("", FOUND, PROVED) or model not in ("32", "64"):
                raise ValueError(f"{place}: error: expected is TRUE, FALSE or nothing, model is 32 or 64")
            yield Task(row["category"], row["name"], path.resolve(), row["property"], expected, int(model))


def asked(
    tasks: Iterable[Task], tools: Mapping[str, Tool], limit: float, results: Path | None
) -> dict[tuple[str, str], Answer]:
    """The answers, by task and tool. results: where they are kept; what is there is not asked again."""
    known: dict[tuple[str, str], Answer] = {}
    if results is not None and results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            found = json.loads(line)
            asked_of = found.pop("key"), found.pop("who")
            known[asked_of] = Answer(**found)
    for task in tasks:
        for who, tool in tools.items():
            if (task.key, who) in known:
                continue
            answer = known[task.key, who] = tool(task, limit)
            common.progress(f"{who}: {task.key}: {answer.verdict} {answer.cause} {answer.cpu:.1f} s")
            if results is not None:
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": task.key, "who": who, **asdict(answer)}) + "\n")
    return known


_Row = tuple[Task, str, Answer]


def is_right(task: Task, answer: Answer) -> bool:
    return bool(task.expected) and answer.verdict == task.expected


def is_wrong(task: Task, answer: Answer) -> bool:
    return {task.expected, answer.verdict} == {FOUND, PROVED}


def summary(rows: Sequence[_Row]) -> str:
    """The table of what each tool found, by category and expected verdict."""
    lines = []
    groups = sorted({(task.category, task.property, task.expected) for task, _, _ in rows})
    for category, property_, expected in groups:
        for who in dict.fromkeys(who for _, who, _ in rows):
            chosen = [
                (task, answer)
                for task, name, answer in rows
                if name == who and (task.category, task.property, task.expected) == (category, property_, expected)
            ]
            verdicts = Counter(answer.verdict for _, answer in chosen)
            right = [answer for task, answer in chosen if is_right(task, answer)]
            wrong_ones = sum(is_wrong(task, answer) for task, answer in chosen)
            said = "" if expected else ", ".join(f"{verdicts[v]} {v}" for v in (FOUND, PROVED) if verdicts[v])
            cpu = [answer.cpu for answer in right]
            wall = [answer.wall for answer in right]
            lines.append(
                (
                    category, property_, expected or "not known", who, str(len(chosen)),
                    str(len(right)) if expected else said, f"**{wrong_ones}**" if wrong_ones else "0",
                    str(verdicts[OPEN]), str(verdicts[INVALID]),
                    *(common.number(common.median(times)) if times else "" for times in (cpu, wall)),
                )
            )  # fmt: skip
    header = ("suite", "property", "expected", "tool", "programs", "right", "wrong", "open", "refused",
              "CPU, s, median", "wall, s, median")  # fmt: skip
    return common.table(header, lines, "llll")


def causes(rows: Sequence[_Row]) -> Iterator[str]:
    """Why there is no answer, for each tool."""
    for who in dict.fromkeys(who for _, who, _ in rows):
        found = Counter(
            re.sub(r"`[^`]*`|\d+|\S+\.[ci]\b", "…", answer.cause)[:150]
            for _, name, answer in rows
            if name == who and answer.verdict in (OPEN, INVALID)
        )
        if found:
            lines = [(str(count), cause.replace("|", r"\|")) for cause, count in found.most_common(_CAUSES)]
            yield f"## Why {who} has no answer\n\n" + common.table(("programs", "cause"), lines, "rl")


def wrong(rows: Sequence[_Row]) -> str:
    """The programs on which a tool contradicts the index."""
    lines = [
        (f"`{task.key}`", who, answer.verdict, task.expected) for task, who, answer in rows if is_wrong(task, answer)
    ]
    if not lines:
        return "No answer contradicts the index.\n"
    return "## Answers that contradict the index\n\n" + common.table(
        ("program", "tool", "says", "index"), lines, "llll"
    )


def plot(rows: list[_Row], path: Path) -> None:
    """Write a cactus plot to *path*: how many programs have a right answer within a time of CPU each."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for who in dict.fromkeys(who for _, who, _ in rows):
        times = sorted(answer.cpu for task, name, answer in rows if name == who and is_right(task, answer))
        axes.step(range(1, len(times) + 1), times, where="post", label=who)
    axes.set(yscale="log", xlabel="programs with a right answer", ylabel="CPU time of each, s")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


if __name__ == "__main__":
    raise SystemExit(main())
