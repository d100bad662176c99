"""Sums of results: categories, verdicts and points as BenchExec counts them, and tables of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchexec.outputhandler import Statistics
from benchexec.result import (
    CATEGORY_CORRECT,
    CATEGORY_WRONG,
    RESULT_CLASS_FALSE,
    RESULT_CLASS_OTHER,
    RESULT_CLASS_TRUE,
    get_result_classification,
)
from benchexec.tablegenerator import RunResult, RunSetResult, parse_results_file


class Tally(Statistics):  # type: ignore[misc]  # BenchExec has no annotations
    """The sum of some runs. others: how often there was which status that is not a verdict; cputime: in seconds."""

    def __init__(self, name: str, runs: Iterable[Any] = ()) -> None:
        super().__init__()
        self.name = name
        self.cputime = 0.0
        self.others: Counter[str] = Counter()
        for run in runs:
            self.add_result(run)

    def add_result(self, run: Any) -> None:
        """Count *run*, unless it has not ended. It is BenchExec's `Run`, or has the same attributes."""
        if not run.status:
            return
        super().add_result(run)
        self.cputime += run.values.get("cputime") or 0.0
        if run.category not in (CATEGORY_CORRECT, CATEGORY_WRONG):
            verdict = get_result_classification(run.status) != RESULT_CLASS_OTHER
            self.others[f"{run.status}, not expected" if verdict else run.status] += 1

    @property
    def wrong(self) -> int:
        """How many verdicts are wrong."""
        return int(self.dic[CATEGORY_WRONG])

    @property
    def unknown(self) -> int:
        """How many runs have no verdict, for whatever reason."""
        return int(self.counter - self.dic[CATEGORY_CORRECT] - self.wrong)


def read(path: Path) -> tuple[str, list[Any]]:
    """The name of the run set in a result file of BenchExec, and its runs, as `Tally` needs them."""
    results = RunSetResult.create_from_xml(str(path), parse_results_file(str(path)))
    results.collect_data(False)
    return "".join(results.attributes["name"]) or "all", [_run(found) for found in results.results]


def as_parts(named: Sequence[tuple[str, list[Any]]]) -> list[tuple[str, list[Any]]]:
    """*named* with the names of `read`, those of single sets of tasks as "RUN SET: TASKS".

    BenchExec also writes a file for each of them if there are several; they must not be counted twice.
    """
    names = {name for name, _ in named}
    parts = [(name.rpartition("."), name, runs) for name, runs in named]
    return [(f"{whole}: {part}" if whole in names else name, runs) for (whole, _, part), name, runs in parts]


def _run(found: RunResult) -> SimpleNamespace:
    task = found.task_id
    values = {column.title: value for column, value in zip(found.columns, found.values, strict=True)}
    return SimpleNamespace(
        status=found.status,
        category=found.category,
        properties=[task.property] if task.property else [],
        expected_results={task.property.filename: task.expected_result} if task.property else {},
        values={"cputime": float((values.get("cputime") or "0").removesuffix("s"))},
    )


HEADER = ("category", "tasks", "correct true", "correct false", "wrong true", "wrong false", "unknown", "score", "max",
          "CPU time, s")  # fmt: skip


def row(tally: Tally) -> tuple[str, ...]:
    """The cells of *tally*, under `HEADER`."""
    numbers = (
        tally.counter,
        tally.dic[CATEGORY_CORRECT, RESULT_CLASS_TRUE],
        tally.dic[CATEGORY_CORRECT, RESULT_CLASS_FALSE],
        tally.dic[CATEGORY_WRONG, RESULT_CLASS_TRUE],
        tally.dic[CATEGORY_WRONG, RESULT_CLASS_FALSE],
        tally.unknown,
        tally.score,
        tally.max_score or 0,
    )
    return (tally.name, *map(str, numbers), f"{tally.cputime:.0f}")


def reasons(tally: Tally) -> str:
    """The statuses that are not verdicts, most frequent first: "TIMEOUT 8, unknown 3"."""
    return ", ".join(f"{status} {number}" for status, number in tally.others.most_common())


def text(tallies: Iterable[Tally]) -> str:
    """The table for a terminal, with a newline at its end."""
    rows = [HEADER, *map(row, tallies)]
    widths = [max(len(line[column]) for line in rows) for column in range(len(HEADER))]
    return "".join(f"{_aligned(line, widths)}\n" for line in rows)


def _aligned(line: tuple[str, ...], widths: list[int]) -> str:
    cells = [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
    return "  ".join(cells).rstrip()


def markdown(tallies: Iterable[Tally]) -> Iterator[str]:
    """The lines of the table for a document, with the reasons why there is no verdict."""
    header = (*HEADER, "no verdict because of")
    yield f"| {' | '.join(header)} |"
    yield f"| --- |{' ---: |' * (len(HEADER) - 1)} --- |"
    for tally in tallies:
        yield f"| {' | '.join((*row(tally), reasons(tally)))} |"
