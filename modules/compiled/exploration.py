"""Explore a program: search or run every schedule, make the violation small, and judge it."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cseq.model.claims import Cut, Limit
from cseq.model.verdict import Binary, Bound, Outcome, Reason, Share, Verdict
from cseq.modules.compiled.client.record import End, RequestFlag, ResultRecord, Strategy, World
from cseq.modules.compiled.client.server import RunBatch, Server
from cseq.modules.compiled.minimisation import shrunk
from cseq.modules.compiled.reduction import Reduction, ReductionResult
from cseq.modules.compiled.robustness import may_deviate
from cseq.modules.compiled.rotation import Slice
from cseq.modules.compiled.sameness import fails, is_bad, same_result
from cseq.modules.compiled.schedule_search import Progress, ScheduleSearch, Settings, Statistics, ViolatingRun
from cseq.modules.compiled.verdict import LIMITS, judged, unviolated

# What a search has done, as reports have it.


def with_statistics(outcome: Outcome, statistics: Statistics, seed: int, seconds: float) -> Outcome:
    """The *outcome* of a search, with its numbers. seed: of its first run. seconds: how long it took."""
    numbers = {
        "runs": statistics.runs,
        "schedules": statistics.distinct,
        "runs_per_second": round(statistics.runs / max(seconds, 1e-3), 1),
        "races": statistics.races,
        "operations": statistics.operations,
        "unrepeated": statistics.unrepeated,
    }
    runs, found = Counter[str](), Counter[str]()
    for name, tally in statistics.tallies.items():
        strategy = name.rstrip("0123456789")
        runs[strategy] += tally.runs
        found[strategy] += tally.found
    shares = tuple(
        Share(name, bool(found[name]), walks=count, depth=statistics.operations, seed=seed)
        for name, count in runs.items()
    )
    return replace(outcome, statistics={name: float(number) for name, number in numbers.items()}, searches=shares)


_SHRINKING = 2.0
"""Seconds to make a schedule small."""

_WORLD = {
    World.CLOCK: Limit.WORLD_CLOCK, World.INPUT: Limit.WORLD_INPUT, World.RANDOM: Limit.WORLD_RANDOM,
    World.AWAITED: Limit.WORLD_AWAITED, World.REUSED: Limit.WORLD_REUSED, World.PROCESS: Limit.WORLD_PROCESS,
}  # fmt: skip
"""What a run may depend on besides its schedule: all schedules are then not all executions."""


@dataclass
class ExplorationResult:
    """What an exploration has found. found: the violation, with its schedule made small."""

    outcome: Outcome
    found: ViolatingRun | None = None
    statistics: Statistics = field(default_factory=Statistics)


class Exploration:
    """One exploration. servers: those that make runs. folder: the one that the names of files are relative to."""

    def __init__(
        self,
        servers: Sequence[Server],
        settings: Settings,
        binary: Binary,
        folder: Path | None = None,
        progress: Progress = lambda _: None,
    ) -> None:
        self._servers, self._settings, self._binary, self._folder = servers, settings, binary, folder
        self._progress = progress

    def search(self) -> ExplorationResult:
        """Make runs by the strategies until there is a violation, or the search is over."""
        begun = time.monotonic()
        search = ScheduleSearch(self._servers, self._settings, self._progress)
        found = search.go()
        statistics = search.statistics
        strategies = [Strategy[name.rstrip("0123456789").upper()] for name in statistics.tallies]
        if found is None:
            cut = {end: self._limit(end) for end in statistics.cut}
            ended = statistics.runs > statistics.late
            outcome = unviolated(
                statistics.runs, strategies, self._binary, cut=cut, ended=ended, unrepeated=statistics.unrepeated
            )
        else:
            outcome, found = self._judged(found, list(search.races.values()))
        seconds = time.monotonic() - begun
        return ExplorationResult(with_statistics(outcome, statistics, self._settings.seed, seconds), found, statistics)

    def exhaust(self) -> ExplorationResult:
        """Run every schedule, up to the order of operations that commute. TRUE if that was all that there is."""
        server, settings = self._servers[0], self._settings
        statistics = Statistics()
        begun = time.monotonic()
        order = RunBatch(
            seed=settings.seed, flags=settings.flags, steps=settings.steps, seconds=settings.seconds,
            status=settings.status,
        )  # fmt: skip
        watched = _RunWatcher(server, settings.status, statistics, self._progress)
        result = Reduction(server, order, watched.is_bad).go(settings.end, settings.runs)
        if result.found is not None:
            found = self._found(server, result)
            if found is not None:
                outcome, small = self._judged(found, [])
                outcome.statistics = self._counted(result, begun)
                return ExplorationResult(outcome, small, statistics)
            result = replace(result, complete=False, cut=End.DIVERGED)
        bounds = [Bound.of(Cut(limit, 0)) for bit, limit in _WORLD.items() if statistics.world & bit]
        if watched.deviates and not settings.flags & RequestFlag.WEAK:
            bounds.append(Bound.of(Cut(Limit.WORLD_MEMORY, 0)))
        complete = result.complete and not bounds
        outcome = unviolated(result.runs, [], self._binary, complete=complete)
        if not complete:
            bounds += [Bound.of(Cut(LIMITS[end], self._limit(end))) for end in [result.cut] if end in LIMITS]
            outcome.bounds = bounds
            outcome.reason = Reason.BOUNDED if result.complete or bounds else Reason.TIMEOUT
            outcome.verdict = Verdict.UNKNOWN
        outcome.statistics = self._counted(result, begun)
        return ExplorationResult(outcome, None, statistics)

    def _counted(self, result: ReductionResult, begun: float) -> dict[str, float]:
        seconds = max(time.monotonic() - begun, 1e-3)
        return {
            "runs": float(result.runs),
            "schedules": float(result.runs - result.redundant),
            "runs_per_second": round(result.runs / seconds, 1),
            "redundant": float(result.redundant),
        }

    def _found(self, server: Server, result: ReductionResult) -> ViolatingRun | None:
        """The violation that ended an exhaustive search, if it repeats."""
        assert result.found is not None
        strict = replace(result.found, flags=_following(result.found.flags))
        again = server.recorded(replace(strict, flags=strict.flags | RequestFlag.DETAIL))
        if not fails(again, self._settings.status):
            return None
        return ViolatingRun(strict, again, result.runs, Slice(strict.strategy, 0, 1))

    def _judged(self, found: ViolatingRun, races: list[ViolatingRun]) -> tuple[Outcome, ViolatingRun]:
        """The outcome for *found*, with a schedule as small as possible; the *races* were found as well."""
        server, status = self._servers[0], self._settings.status
        recorded, order = found.recorded, found.order
        if not self._settings.races:
            recorded, races = replace(recorded, races=()), []
            order = replace(order, flags=order.flags | RequestFlag.NO_RACES)
        left = max(0.2, min(_SHRINKING, self._settings.end - time.monotonic()))
        same = same_result(server, recorded, status)
        small = None if found.hang else shrunk(server, order, same, left)
        if small is not None:
            again = server.recorded(replace(small.order, flags=small.order.flags | RequestFlag.DETAIL))
            if same(server.shared.result):
                recorded, order = again, small.order
        further = [other.recorded for other in races if other.recorded is not found.recorded]
        outcome = judged(recorded, self._binary, status, self._folder, hangs=found.hang, further=further)
        return outcome, replace(found, order=order, recorded=recorded)

    def _limit(self, end: End) -> int:
        settings = self._settings
        return {End.STEPS: settings.steps, End.TIME: int(settings.seconds)}.get(end, 0)


class _RunWatcher:
    """Looks at each run of an exhaustive search."""

    def __init__(self, server: Server, status: int | None, statistics: Statistics, progress: Progress) -> None:
        self._server, self._status, self._statistics, self._progress = server, status, statistics, progress
        self.deviates = False

    def is_bad(self, result: ResultRecord) -> bool:
        """Whether the run that was just made has a violation."""
        statistics = self._statistics
        statistics.runs += 1
        statistics.world |= result.world
        statistics.schedules.add(result.schedule)
        self.deviates = self.deviates or may_deviate(bytes(self._server.array("entries")))
        self._progress(statistics)
        return is_bad(result, self._status)


def _following(flags: RequestFlag) -> RequestFlag:
    """The flags with which a schedule is repeated."""
    return (flags | RequestFlag.STRICT) & ~RequestFlag.SLEEP_SETS
