"""What a status is worth: categories as BenchExec has them, points as SV-COMP gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cseq.bench.tasks import Expected

CORRECT, WRONG, UNKNOWN, ERROR, MISSING = "correct", "wrong", "unknown", "error", "missing"

POINTS = {(CORRECT, True): 2, (CORRECT, False): 1, (WRONG, False): -16, (WRONG, True): -32}
"""The competition's scheme: by category and the verdict that was given."""


def verdict(status: str) -> bool | None:
    """The verdict in *status*; None where it is none."""
    if status == "true":
        return True
    return False if status == "false" or (status.startswith("false(") and status.endswith(")")) else None


def category(status: str, expected: Expected) -> str:
    """What *status* is, measured by what is *expected*."""
    given = verdict(status)
    if given is None:
        return {"unknown": UNKNOWN, "done": MISSING}.get(status, ERROR)
    if expected.verdict is None:
        return MISSING
    if expected.subproperty and status not in ("true", f"false({expected.subproperty})"):
        return UNKNOWN  # BenchExec's rule: a violation of another part is no answer to the question
    return CORRECT if given is expected.verdict else WRONG


def points(category_: str, status: str) -> int:
    """The points for a run of this category."""
    given = verdict(status)
    return POINTS.get((category_, given), 0) if given is not None else 0


@dataclass
class Tally:
    """The sum of some runs. others: how often there was which status that is no verdict."""

    name: str
    runs: int = 0
    score: int = 0
    most: int = 0
    cputime: float = 0.0
    counts: Counter[tuple[str, bool | None]] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)

    def add(self, status: str, category_: str, expected: bool | None, cputime: float) -> None:
        """Count one run."""
        given = verdict(status)
        self.runs += 1
        self.counts[category_, given if category_ in (CORRECT, WRONG) else None] += 1
        self.score += points(category_, status)
        self.most += {True: 2, False: 1}.get(expected, 0) if expected is not None else 0
        self.cputime += cputime
        if category_ not in (CORRECT, WRONG):
            self.others[status if given is None else f"{status}, not expected"] += 1

    def count(self, category_: str, given: bool | None = None) -> int:
        """How many runs are of a category, with a verdict where one is given."""
        if given is not None:
            return self.counts[category_, given]
        return sum(number for (name, _), number in self.counts.items() if name == category_)

    @property
    def unknown(self) -> int:
        """How many have no verdict, for whatever reason."""
        return self.runs - self.count(CORRECT) - self.count(WRONG)


HEADER = ("category", "tasks", "correct true", "correct false", "wrong true", "wrong false", "unknown", "score", "max",
          "CPU time, s")  # fmt: skip


def row(tally: Tally) -> tuple[str, ...]:
    """The cells of *tally*, under `HEADER`."""
    numbers = (
        tally.runs,
        tally.count(CORRECT, True),
        tally.count(CORRECT, False),
        tally.count(WRONG, True),
        tally.count(WRONG, False),
        tally.unknown,
        tally.score,
        tally.most,
    )
    return (tally.name, *map(str, numbers), f"{tally.cputime:.0f}")


def reasons(tally: Tally) -> str:
    """The statuses that are no verdict, most frequent first: "TIMEOUT 8, unknown 3"."""
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
    """The lines of the table for a document, with why there is no verdict."""
    header = (*HEADER, "no verdict because of")
    yield f"| {' | '.join(header)} |"
    yield f"| --- |{' ---: |' * (len(HEADER) - 1)} --- |"
    for tally in tallies:
        yield f"| {' | '.join((*row(tally), reasons(tally)))} |"
