"""The progress of a run, put together from the events that its parts report."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from cseq.model.activity import Phase
from cseq.model.jobrecords import JobName
from cseq.model.verdict import Level


@dataclass(frozen=True)
class PropertyBegan:
    """The check of the property *name* begins. It is check *number*, from 1, of *count*."""

    name: str
    number: int
    count: int


@dataclass(frozen=True)
class RunBegan:
    """A run of a chain begins. stages: the names of its stages; the results of the first *known* of them are reused."""

    stages: tuple[str, ...]
    known: int = 0


@dataclass(frozen=True)
class StageBegan:
    """A stage begins."""

    name: str


@dataclass(frozen=True)
class StageDone:
    """A stage has ended. seconds: how long it took."""

    name: str
    seconds: float


@dataclass(frozen=True)
class PhaseBegan:
    """The running stage begins another phase, or has made progress in its phase."""

    phase: Phase


@dataclass(frozen=True)
class LevelBegan:
    """A level of bounds is tried: the values of the parameters that grow. tried: the results of previous levels."""

    bounds: dict[str, int]
    tried: tuple[Level, ...] = ()


@dataclass(frozen=True)
class EngineReported:
    """One of several engines that run at the same time reports an event."""

    engine: str
    event: Event


@dataclass(frozen=True)
class EngineDone:
    """One of several engines has ended, and the others go on. result: its result, as in the report."""

    engine: str
    result: str


@dataclass(frozen=True)
class JobsChanged:
    """A job of a pool has begun or ended. *done* have ended, *waiting* are known that have not begun."""

    running: tuple[JobName, ...]
    done: int
    waiting: int = 0


@dataclass(frozen=True)
class RunningTask:
    """One of several programs that is checked now. since: when that began, in `time.monotonic` seconds."""

    name: str
    since: float


@dataclass(frozen=True)
class TasksChanged:
    """One of *total* programs has begun or ended. *done* have ended, *violated* of them with a violation."""

    running: tuple[RunningTask, ...]
    done: int
    violated: int
    total: int


Event: TypeAlias = (
    PropertyBegan
    | RunBegan
    | StageBegan
    | StageDone
    | PhaseBegan
    | LevelBegan
    | EngineReported
    | EngineDone
    | JobsChanged
    | TasksChanged
)
"""Something that changes while a run goes on."""


@dataclass(frozen=True)
class Lane:
    """The progress of one engine, or of the whole run where there is only one engine, or none yet.

    stages: the stages of the current run of the chain; the results of the first *known* of them were reused.
    times:  the seconds that each stage took last time, by name.
    stage:  the running stage. since: when it began, in `time.monotonic` seconds. phase: what it is doing.
    level:  the bounds that are being tried, by name. tried: the results of the levels before.
    result: the result of an engine that has ended. jobs: those of its pool, if it has any now.
    """

    stages: tuple[str, ...] = ()
    known: int = 0
    times: dict[str, float] = field(default_factory=dict)
    stage: str = ""
    since: float = 0.0
    phase: Phase | None = None
    level: dict[str, int] = field(default_factory=dict)
    tried: tuple[Level, ...] = ()
    result: str = ""
    jobs: JobsChanged | None = None

    def after(self, event: Event, now: float) -> Lane:
        """The progress after *event*."""
        match event:
            case RunBegan(stages, known):
                return replace(self, stages=stages, known=known, stage="", phase=None)
            case StageBegan(name):
                return replace(self, stage=name, since=now, phase=None)
            case StageDone(name, seconds):
                return replace(self, stage="", phase=None, times={**self.times, name: seconds})
            case PhaseBegan(phase):
                return replace(self, phase=phase)
            case LevelBegan(bounds, tried):
                return replace(self, level=bounds, tried=tried)
            case EngineDone(_, result):
                return replace(self, result=result, stage="", phase=None, level={})
            case JobsChanged():
                return replace(self, jobs=event if event.running or event.waiting else None)
            case PropertyBegan() | EngineReported() | TasksChanged():
                return self  # every engine checks the same property, and none has engines or programs of its own


class Status:
    """The progress of a run. One thread reports; others may read at any time, and never see a half-made change.

    timeout: the seconds of --timeout. memory: the megabytes of --memlimit.
    told:    whether the results of levels are printed on the same terminal already.
    property, number, count: the property that is checked, its number, and how many there are.
    begun:   when the run began, by the clock.
    lane:    the progress of the run as a whole. engines: those that run at the same time, by name.
    tasks:   where several programs are checked, each for itself, which; else None.
    """

    def __init__(
        self,
        timeout: float | None = None,
        memory: int | None = None,
        told: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self.begun = clock()
        self.timeout = timeout
        self.memory = memory
        self.told = told
        self.property, self.number, self.count = "", 1, 1
        self.lane = Lane()
        self.engines: dict[str, Lane] = {}
        self.tasks: TasksChanged | None = None

    def report(self, event: Event) -> None:
        """Take note of *event*."""
        now = self._clock()
        match event:
            case PropertyBegan(name, number, count):
                if name != self.property:
                    self.lane, self.engines = Lane(times=self.lane.times), {}
                self.property, self.number, self.count = name, number, count
            case TasksChanged():
                self.tasks = event
            case EngineReported(engine, reported):
                self._change(engine, reported, now)
            case EngineDone(engine):
                self._change(engine, event, now)
            case _:
                self.lane = self.lane.after(event, now)

    def _change(self, engine: str, event: Event, now: float) -> None:
        self.engines = {**self.engines, engine: self.engines.get(engine, Lane()).after(event, now)}
