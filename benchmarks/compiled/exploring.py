"""Explore one compiled program, and count what it took."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cseq.modules.compiled.client.record import End
from cseq.modules.compiled.client.server import Server, ServerError
from cseq.modules.compiled.schedule_search import ScheduleSearch, Settings, ViolatingRun
from cseq.modules.compiled.verdict import binary_at, judged
from cseq.report import words


@dataclass
class Explored:
    """What a search has done.

    runs: all of them. seconds: of the search, without the report. failure: what went wrong besides data races, in
    words; empty if nothing. run: the number of the first run with that failure, at: the seconds until it was found and
    repeated. strategy: the one that found it. races: each in words. first_race: the number of the first run with one.
    cut: how many runs were cut off, by the name of the limit. operations: of the longest run. threads: of the run with
    the failure. unrepeated: violations that did not happen again. error: why the program could not be explored.
    """

    runs: int = 0
    seconds: float = 0.0
    failure: str = ""
    run: int = 0
    at: float = 0.0
    strategy: str = ""
    races: list[str] = field(default_factory=list)
    first_race: int = 0
    cut: dict[str, int] = field(default_factory=dict)
    operations: int = 0
    unrepeated: int = 0
    error: str = ""

    @property
    def per_second(self) -> float:
        return self.runs / self.seconds if self.seconds else 0.0


def explored(
    command: Sequence[str], seconds: float, folder: Path, steps: int = 100_000, seed: int = 1, status: int | None = 0
) -> Explored:
    """Search for violations of the program for *seconds*; a data race does not end the search, all others do.

    command: the program and its arguments. folder: where it runs, and what the names of files are relative to. steps:
    the limit of a run. status: the expected exit status; None for any.
    """
    result = Explored()
    before = Path.cwd()
    os.chdir(folder)
    try:
        with Server(command, cpu=min(os.sched_getaffinity(0))) as server:
            begun = time.monotonic()
            settings = Settings(end=begun + seconds, seed=seed, steps=steps, status=status, past_races=True)
            search = ScheduleSearch([server], settings)
            found = search.go()
            result.seconds = time.monotonic() - begun
            statistics = search.statistics
            result.runs, result.operations = statistics.runs, statistics.operations
            result.unrepeated = statistics.unrepeated
            result.cut = {End(end).name.lower(): count for end, count in statistics.cut.items()}
            races = list(search.races.values())
            result.first_race = min((race.run for race in races), default=0)
            if found is not None and not found.is_race:
                result.failure = _told(found, command, folder, status)[0]
                result.run, result.at = found.run, result.seconds
                result.strategy = found.by.name
            distinct = {id(race.recorded): race for race in races}.values()
            told = [text for race in distinct for text in _told(race, command, folder, status) if "data race" in text]
            result.races = list(dict.fromkeys(told))
    except ServerError as error:
        result.error = str(error)
    finally:
        os.chdir(before)
    return result


def _told(found: ViolatingRun, command: Sequence[str], folder: Path, status: int | None) -> list[str]:
    """The violations of a run, in words."""
    outcome = judged(found.recorded, binary_at(command[0]), status, folder, hangs=found.hang)
    violated = [each for each in (outcome.violated, *outcome.others) if each is not None]
    return [_THREAD.sub("", words.violation(each)) for each in violated] or [outcome.message]


_THREAD = re.compile(r" \(thread \d+\)")  # which of the same threads it was does not matter
