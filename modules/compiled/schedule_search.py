"""The search for violations: many runs, by several strategies, and each violation once more before it is believed."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from cseq.modules.compiled.client.record import MOST_WEIGHTS, End, RequestFlag, ResultRecord, Strategy
from cseq.modules.compiled.client.recorded import RecordedRun
from cseq.modules.compiled.client.server import RunBatch, Server
from cseq.modules.compiled.rotation import Slice, slices
from cseq.modules.compiled.sameness import is_wrong_exit, places_of, same_failure

_SECONDS_AFTER_RACE = 1.0
_RUNS_AFTER_RACE = 200
"""How long the search goes on after the first data race, in case that there is something worse."""

_CUT = frozenset({End.STEPS, End.TIME, End.THREADS, End.LOG, End.UNHANDLED})
"""The ends of runs that were cut off."""

_MOST_SITES = 4096

_ALL_SPIN = 1000
"""`RecordedRun.spinning` of a run beyond its limit of operations in which all threads repeat what they did."""

_MOST_WEIGHED = 5000
"""The operations of the longest run whose threads' operations are counted."""

_BATCH_SECONDS = 1.0
"""How often a search looks at what was found."""


@dataclass(frozen=True)
class Settings:
    """What the user wants of a search.

    strategies: none for all in rotation. runs: the most of them; None for any number. end: when it is over, in
    `time.monotonic` seconds. steps, seconds: the limits of a run. status: the expected exit status; None for any.
    past_races: whether a search goes on until `end` or `runs` after a data race. races: whether data races are
    violations; their places are switch points in any case.
    """

    strategies: Sequence[Strategy] = ()
    runs: int | None = None
    end: float = float("inf")
    seed: int = 1
    flags: RequestFlag = RequestFlag(0)  # noqa: RUF009 (a constant)
    steps: int = 100_000
    seconds: float = 10.0
    status: int | None = 0
    past_races: bool = False
    races: bool = True


@dataclass(frozen=True)
class ViolatingRun:
    """A run with a violation. order: repeats it. run: its number, from 1. by: the strategy.

    hang: whether it goes on for ever, as far as can be seen: it did beyond its limit, and also when each thread had its
    turn from then on.
    """

    order: RunBatch
    recorded: RecordedRun
    run: int
    by: Slice
    hang: bool = False

    @property
    def is_race(self) -> bool:
        """Whether nothing is wrong but data races."""
        return bool(self.recorded.races) and not self.recorded.failed and not self.hang


@dataclass
class Tally:
    """What one strategy has done. found: violations. distinct: schedules that none had run before."""

    runs: int = 0
    distinct: int = 0
    found: int = 0
    seconds: float = 0.0


@dataclass
class Statistics:
    """What a search has done.

    schedules: the hashes of the schedules, up to the order of operations that commute. races: distinct data races.
    cut: how many runs were cut off, by how. unrepeated: runs with a violation that did not repeat it, which are not
    believed. operations: of the longest run. world: what runs depended on besides their schedules. late: how many runs
    were out of time, also because the search was over.
    """

    runs: int = 0
    schedules: set[int] = field(default_factory=set)
    races: int = 0
    cut: Counter[End] = field(default_factory=Counter)
    unrepeated: int = 0
    operations: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict)
    world: int = 0
    late: int = 0

    @property
    def distinct(self) -> int:
        """How many distinct schedules were run."""
        return len(self.schedules)


Progress = Callable[[Statistics], None]


class ScheduleSearch:
    """One search. servers: each makes its runs at the same time as the others."""

    def __init__(self, servers: Sequence[Server], settings: Settings, progress: Progress = lambda _: None) -> None:
        # Places and choices are exchanged among the processes, which needs the same addresses in each.
        self._servers = [server for server in servers if server.modules == servers[0].modules]
        self._settings, self._progress = settings, progress
        self.statistics = Statistics()
        self.races: dict[frozenset[int], ViolatingRun] = {}
        self._found: ViolatingRun | None = None
        self._slices: Iterator[Slice] = slices(settings.strategies, RequestFlag.WEAK in settings.flags)
        self._sites: dict[int, None] = {}
        self._seed = settings.seed
        self._started = 0
        self._weights: list[int] = []
        self._length = 0
        self._race_seen: tuple[float, int] | None = None
        self._lock = threading.Lock()
        self._error: BaseException | None = None

    def go(self) -> ViolatingRun | None:
        """The first violation that repeats; a data race only if nothing else was found soon after it.

        Raises ServerError if the program's process has ended.
        """
        others = [threading.Thread(target=self._work, args=(server,), daemon=True) for server in self._servers[1:]]
        for thread in others:
            thread.start()
        self._work(self._servers[0])
        for thread in others:
            thread.join()
        if self._error is not None:
            raise self._error
        return self._found or (next(iter(self.races.values()), None) if self._settings.races else None)

    def _work(self, server: Server) -> None:
        try:
            while (taken := self._take()) is not None:
                self._make(server, *taken)
        except BaseException as error:
            with self._lock:
                self._error = self._error or error

    def _take(self) -> tuple[Slice, RunBatch] | None:
        """The next runs to be made; None when the search is over."""
        with self._lock:
            settings = self._settings
            left = None if settings.runs is None else settings.runs - self._started
            if self._found or self._error or time.monotonic() >= settings.end or (left is not None and left <= 0):
                return None
            if self._race_seen is not None and not settings.past_races:
                since, runs = self._race_seen
                if time.monotonic() > since + _SECONDS_AFTER_RACE or self.statistics.runs > runs + _RUNS_AFTER_RACE:
                    return None
            part = next(self._slices)
            runs = part.runs if left is None else min(part.runs, left)
            self._started += runs
            seed = self._seed
            self._seed += runs
            order = RunBatch(
                runs, part.strategy, seed, settings.flags, part.depth, settings.steps, self._seconds(),
                length=self._length, sites=tuple(self._sites), weights=tuple(self._weights),
                status=settings.status,
            )  # fmt: skip
            return part, order

    def _seconds(self) -> float:
        """The limit of time of a run: no longer than the search."""
        return max(0.05, min(self._settings.seconds, self._settings.end - time.monotonic()))

    def _make(self, server: Server, part: Slice, order: RunBatch) -> None:
        """Make the runs of *order*; the first that is remarkable is looked at, and the others come after it."""
        left, seed = order.runs, order.seed
        while left > 0 and self._found is None and time.monotonic() < self._settings.end:
            begun = time.monotonic()
            known = [_pair(places) for places in tuple(self.races)]
            until = max(0.0, min(_BATCH_SECONDS, self._settings.end - begun))
            asked = replace(order, runs=left, seed=seed, known=known, batch_seconds=until)
            result = server.run(asked)
            made = result.runs
            left, seed = left - made, seed + made
            self._count(server, part, made, time.monotonic() - begun)
            ends_well = result.end in (End.EXITED, End.REDUNDANT)
            wrong = is_wrong_exit(result.end, result.detail, self._settings.status)
            if (ends_well and not wrong and not result.races) or self._is_just_cut(result, asked):
                continue
            recorded = server.copied(asked)
            self._judge(server, part, replace(asked, runs=1, seed=recorded.seed), recorded)
            if self._race_seen is not None:
                break
        with self._lock:
            self._started -= left
        self._progress(self.statistics)

    def _is_just_cut(self, result: ResultRecord, order: RunBatch) -> bool:
        """Count a run that was cut off. Returns whether there is nothing else to be said of it."""
        if result.end not in _CUT:
            return False
        with self._lock:
            self.statistics.late += result.end == End.TIME
            if result.end != End.TIME or order.seconds >= self._settings.seconds:  # else the search was over
                self.statistics.cut[End(result.end)] += 1
        return not result.races and not (result.end == End.STEPS and result.spinning == _ALL_SPIN)

    def _count(self, server: Server, part: Slice, made: int, seconds: float) -> None:
        with self._lock:
            statistics = self.statistics
            briefs = server.array("briefs", made)
            new = {brief.schedule for brief in briefs} - statistics.schedules
            statistics.schedules |= new
            statistics.runs += made
            statistics.world |= server.shared.result.world
            statistics.operations = max(statistics.operations, *(brief.operations for brief in briefs))
            lengths = [brief.operations for brief in briefs if brief.end == End.EXITED]
            if lengths:
                self._length = int(median(lengths))
            tally = statistics.tallies.setdefault(part.name, Tally())
            tally.runs, tally.distinct = tally.runs + made, tally.distinct + len(new)
            tally.seconds += seconds
            if server.shared.result.end == End.EXITED and server.shared.result.entries < _MOST_WEIGHED:
                latest = _weights(server)
                before = self._weights or latest
                self._weights = [(3 * old + new) // 4 for old, new in zip(before, latest, strict=True)]

    def _judge(self, server: Server, part: Slice, order: RunBatch, recorded: RecordedRun) -> None:
        """Have the run repeated if it had a violation."""
        choices = tuple((int(each.kind), each.value) for each in recorded.decisions)
        strict = replace(
            order, choices=choices, flags=order.flags | RequestFlag.STRICT, strategy=Strategy.RUN, known=()
        )
        detailed = replace(strict, flags=strict.flags | RequestFlag.DETAIL)
        if recorded.end in _CUT and not recorded.races:
            self._judge_hang(server, part, strict, recorded)
            return
        again = server.recorded(detailed)
        ended = recorded.failed or is_wrong_exit(recorded.end, recorded.detail, self._settings.status)
        same = same_failure(recorded.end, recorded.detail, places_of(recorded), again, self._settings.status)
        with self._lock:
            if not same:
                self.statistics.unrepeated += 1
                return
            self.statistics.tallies[part.name].found += ended or self._settings.races
            found = ViolatingRun(strict, again, self.statistics.runs, part)
            self._learn(again, found)
            if ended and self._found is None:
                self._found = found

    def _learn(self, recorded: RecordedRun, found: ViolatingRun) -> None:
        """Keep the data races of a run, and make their places switch points of later runs."""
        for race in recorded.races:
            places = frozenset((race.first.pc, race.second.pc))
            if places in self.races:
                continue
            self.races[places] = found
            self.statistics.races += self._settings.races
            if len(self._sites) < _MOST_SITES:
                self._sites.update(dict.fromkeys(places))
            if self._race_seen is None and self._settings.races:
                self._race_seen = time.monotonic(), self.statistics.runs

    def _judge_hang(self, server: Server, part: Slice, strict: RunBatch, recorded: RecordedRun) -> None:
        """A run that did not end goes on for ever if it also does so when each thread has its turn from there on, and
        if no thread makes progress: a run that is just long is no violation."""
        fair = replace(
            strict,
            strategy=Strategy.ROUND,
            steps=2 * strict.steps,
            flags=(strict.flags & ~RequestFlag.STRICT) | RequestFlag.DETAIL,
            seconds=min(2 * strict.seconds, max(0.05, self._settings.end - time.monotonic())),
        )
        again = server.recorded(fair)
        if again.end == recorded.end and again.spinning == _ALL_SPIN:
            with self._lock:
                if self._found is None:
                    self.statistics.tallies[part.name].found += 1
                    self._found = ViolatingRun(fair, again, self.statistics.runs, part, hang=True)


def _pair(places: frozenset[int]) -> tuple[int, int]:
    return min(places), max(places)


def _weights(server: Server) -> list[int]:
    """How many operations each thread made in the last run."""
    counts = [0] * MOST_WEIGHTS
    for entry in server.array("entries"):
        if entry.thread < MOST_WEIGHTS:
            counts[entry.thread] += 1
    return counts
