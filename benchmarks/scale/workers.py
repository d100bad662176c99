"""A model of many workers that check tiles: who checks which when, and what it costs."""

from __future__ import annotations

import heapq
import random
import statistics
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat

from benchmarks.scale.run import TileSet


@dataclass(frozen=True)
class Tile:
    """seconds: of one processor. violated: whether it has a violation."""

    seconds: float
    violated: bool


@dataclass(frozen=True)
class Scheduler:
    """Times in seconds. service: of the scheduler alone for one task, during which it does nothing else.

    latency: for which a worker waits between two tasks in addition, while the scheduler can do other things.
    start: until the workers are ready.
    """

    service: float = 0.0
    latency: float = 0.0
    start: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """Times in seconds from the start. first: of the first violation; None without any. done: of the last tile.

    work_first: processor time that tiles have had until the first violation. work: that of all of them.
    """

    workers: int
    first: float | None
    done: float
    work_first: float
    work: float

    @property
    def efficiency_first(self) -> float:
        """The share of the workers' time that tiles had, until the first violation."""
        return self.work_first / (self.workers * self.first) if self.first else 0.0

    @property
    def efficiency(self) -> float:
        """The share of the workers' time that tiles had, for the complete answer."""
        return self.work / (self.workers * self.done) if self.done else 0.0


def simulate(tiles: Sequence[Tile], workers: int, scheduler: Scheduler) -> Outcome:
    """Check *tiles* in this order: whenever a worker is free, the scheduler gives it the next one."""
    ready = list(repeat(scheduler.start, min(workers, len(tiles))))
    free = done = scheduler.start
    first: float | None = None
    begins, ends = array("d"), array("d")
    for tile in tiles:
        free = max(heapq.heappop(ready), free) + scheduler.service
        begin = free + scheduler.latency
        end = begin + tile.seconds
        heapq.heappush(ready, end)
        begins.append(begin)
        ends.append(end)
        done = max(done, end)
        if tile.violated:
            first = end if first is None else min(first, end)
    work = sum(tile.seconds for tile in tiles)
    until = done if first is None else first
    work_first = sum(min(end, until) - begin for begin, end in zip(begins, ends, strict=True) if begin < until)
    return Outcome(workers, first, done, work_first, work)


@dataclass(frozen=True)
class Plan:
    """A question that is divided into tiles.

    tiles: their number. mean: seconds of one without a violation. bugs: how many have a violation.
    """

    tiles: int
    mean: float
    bugs: int


@dataclass(frozen=True)
class Shape:
    """What the run times of tiles look like: those measured, divided by the mean of those without a violation.

    clean: of the tiles without a violation. bad: of those with one.
    """

    clean: Sequence[float]
    bad: Sequence[float]

    @classmethod
    def of(cls, sets: Sequence[TileSet]) -> Shape:
        """The shape of what was measured, each set of tiles on its own scale; a set all violated has none."""
        clean: list[float] = []
        bad: list[float] = []
        for found in sets:
            without = [seconds for number, seconds in enumerate(found.seconds) if number not in found.violated]
            if not without:
                continue
            mean = statistics.fmean(without)
            for number, seconds in enumerate(found.seconds):
                (bad if number in found.violated else clean).append(seconds / mean)
        return cls(clean, bad)

    def draw(self, plan: Plan, source: random.Random, share: float | None = None) -> list[Tile]:
        """The tiles of *plan* in random order. share: of them come before the only one with a violation; None: any."""
        bad = set(source.sample(range(plan.tiles), plan.bugs) if share is None else [int(share * plan.tiles)])
        return [
            Tile(plan.mean * source.choice(self.bad if number in bad else self.clean), number in bad)
            for number in range(plan.tiles)
        ]


@dataclass(frozen=True)
class Expected:
    """Means over repetitions, in seconds and core-hours. low, high: a tenth of the first bugs is below, and above."""

    plan: Plan
    workers: int
    first: float
    low: float
    high: float
    done: float
    efficiency_first: float
    efficiency: float
    cost_first: float
    cost: float


def expected(
    plan: Plan, workers: Sequence[int], shape: Shape, scheduler: Scheduler, repetitions: int, seed: int = 0
) -> list[Expected]:
    """What *repetitions* simulations of *plan* give, for each number of *workers* with the same tiles.

    The place of an only bug takes its values at equal distances: by chance, few repetitions would say little of a mean.
    """
    found: list[list[Outcome]] = [[] for _ in workers]
    for repetition in range(repetitions):
        share = (repetition + 0.5) / repetitions if plan.bugs == 1 else None
        tiles = shape.draw(plan, random.Random(f"{seed} {repetition} {plan}"), share)
        for number, outcomes in zip(workers, found, strict=True):
            outcomes.append(simulate(tiles, number, scheduler))
    return [_means(plan, number, outcomes) for number, outcomes in zip(workers, found, strict=True)]


def _means(plan: Plan, workers: int, outcomes: Sequence[Outcome]) -> Expected:
    firsts = sorted(outcome.done if outcome.first is None else outcome.first for outcome in outcomes)
    first, done = statistics.fmean(firsts), statistics.fmean(outcome.done for outcome in outcomes)
    return Expected(
        plan,
        workers,
        first=first,
        low=firsts[len(firsts) // 10],
        high=firsts[len(firsts) * 9 // 10],
        done=done,
        efficiency_first=statistics.fmean(outcome.efficiency_first for outcome in outcomes),
        efficiency=statistics.fmean(outcome.efficiency for outcome in outcomes),
        cost_first=workers * first / 3600,
        cost=workers * done / 3600,
    )


def saturation(mean: float, scheduler: Scheduler) -> float:
    """The number of workers that the scheduler can keep busy with tiles of *mean* seconds."""
    return (mean + scheduler.latency) / scheduler.service + 1 if scheduler.service else float("inf")
