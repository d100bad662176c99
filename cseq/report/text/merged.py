"""What is printed about lists of jobs, and about the answer that is made of their reports."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cseq.model.verdict import Verdict, limits
from cseq.report.words import NOTHING_CLAIMED, clean

_MANY = 10
"""The number of tiles or jobs that are listed."""

_LOST = {
    "empty": "is empty: its job was killed, or has not ended",
    "cut off": "ends too early: its job was killed, or has not ended",
    "none": "is not there: its job has not been run",
}

_REASONS = {
    "timeout": "the time was up in each job",
    "memory": "there was too little memory",
    "replay": "a counterexample could not be replayed",
    "buffering": "a violation may need store buffers, which no replay has",
    "backend": "the engines failed",
    "unproved": "no proof was found",
    "interrupted": "not every part of the schedules has an answer",
}


@dataclass(frozen=True)
class LevelLine:
    """What is known of one level, or of one search.

    engine, bounds: of its jobs. tiles: how many there are. known: how many have an answer without a violation.
    missing: the others, where neighbours are one tile. is_divided: whether there are tiles.
    """

    engine: str
    bounds: Mapping[str, Any]
    tiles: int
    known: int
    missing: tuple[str, ...]
    is_divided: bool


@dataclass(frozen=True)
class AnswerLine:
    """The answer for one property. message: the words of the report that it is from, if there is one.

    reason: as in a report. assuming: what the answer from a level assumes, in words.
    claims: whether the program claims anything that could have been violated.
    level: that from which it follows. levels: all. against: what contradicts it, in words.
    place: the file of the report. has_steps: whether the report has a counterexample.
    """

    property: str
    verdict: Verdict
    reason: str | None
    message: str
    assuming: str
    claims: bool
    level: LevelLine | None
    levels: tuple[LevelLine, ...]
    against: str
    place: str
    has_steps: bool


def listed(jobs: int, name: str, folder: str, command: str) -> str:
    """What is printed when a list of *jobs* is in the file *name*; their reports go into *folder*.

    command: how CSeq is called.
    """
    many = "1 job is" if jobs == 1 else f"{jobs} jobs are"
    return (
        f"{many} in {clean(name)}, one per row; they are run in this folder. "
        f"Then `{clean(shlex.join([command, 'merge', folder]))}` makes one answer of their reports.\n"
    )


def message(line: AnswerLine) -> str:
    """The answer in words, after the word of the verdict."""
    if line.verdict is Verdict.FALSE or (line.verdict is Verdict.TRUE and line.level is None):
        return line.message
    if not line.levels:
        return "no verdict: there is no report about it"
    if line.level is None:
        return f"no verdict: {_REASONS[line.reason or 'interrupted']}"
    if line.verdict is Verdict.TRUE:
        found = "no violation in any execution" if line.claims else NOTHING_CLAIMED
        return f"{found}, by {_level(line.level)}{line.assuming}"
    return f"no violation within {_level(line.level)}{line.assuming}"


def contradiction(one: str, its: Verdict, other: str, verdict: Verdict) -> str:
    """The warning that two engines contradict each other."""
    return f"{one} says {its.value}, and {other} {verdict.value}: one of them is wrong; please report it"


def without(place: str, why: str, more: int) -> str:
    """What became of the job whose report should be at *place*, and that there are *more* like it."""
    others = f", and {_jobs(more)} left none, either" if more else ""
    return f"{place} {_LOST[why]}{others}"


def lines(answers: Sequence[AnswerLine], lost: Sequence[tuple[str, str, str]], steps: bool = False) -> Iterator[str]:
    """The report, line by line. lost: of each job without a report the file, why, and its command line.

    steps: whether the steps of counterexamples follow.
    """
    several = len(answers) > 1
    for line in answers:
        name = f"{line.property}: " if several else ""
        yield f"{name}{line.verdict.value}: {clean(message(line))}"
        if line.verdict is Verdict.UNKNOWN:
            yield from (f"  {clean(_known(level))}" for level in line.levels if level is not line.level)
    for line in answers:
        name = f"{line.property}: " if several else ""
        if line.verdict is Verdict.FALSE:
            yield f"({name}from {clean(line.place)}{'; --cex shows how' if line.has_steps and not steps else ''})"
    if lost and all(line.verdict is not Verdict.UNKNOWN for line in answers):
        yield f"({_jobs(len(lost))} left no report, which makes no difference)"
        return
    for place, why, command in lost[:_MANY]:
        job = f" (`{clean(command)}`)" if command else ""
        yield f"{clean(place)} {_LOST[why]}{job}"
    if len(lost) > _MANY:
        yield f"and {_jobs(len(lost) - _MANY)} left no report"


def _jobs(number: int) -> str:
    return "1 job has" if number == 1 else f"{number} jobs have"


def _level(level: LevelLine) -> str:
    """For example, "3 rounds, unwind 4 (cbmc: 16 of 16 tiles)"."""
    words = _bounds(level)
    how = f"{level.engine}: {_tiles(level)}" if level.is_divided else level.engine
    return f"{words} ({how})" if words else how


def _bounds(level: LevelLine) -> str:
    numbers = {name: value for name, value in level.bounds.items() if isinstance(value, int) and name != "seed"}
    others = [f"{name} {value}" for name, value in level.bounds.items() if name not in numbers]
    return ", ".join(words for words in (limits(numbers), *others) if words)


def _tiles(level: LevelLine) -> str:
    return f"{level.known} of {level.tiles} tiles"


def _known(level: LevelLine) -> str:
    """What is known of a level from which the answer does not follow."""
    if not level.missing:
        return f"no violation within {_level(level)}"
    if not level.is_divided:
        return f"no answer from {_level(level)}"
    shown = ", ".join(level.missing[:_MANY]) + (", …" if len(level.missing) > _MANY else "")
    return f"{_level(level)}; no answer about {shown}"
