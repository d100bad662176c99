"""How far a run is: the events that those who work report while they do, put together for whoever watches."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from cseq.base.activity import Phase
from cseq.base.verdict import Level


@dataclass(frozen=True)
class PropertyBegan:
    """A question begins: whether the property *name* holds. It is the one of this *number*, from 1, of *count*."""

    name: str
    number: int
    count: int


@dataclass(frozen=True)
class RunBegan:
    """A run of a chain begins: of the *stages* with these names. The first *known* of them have nothing to do."""

    stages: tuple[str, ...]
    known: int = 0


@dataclass(frozen=True)
class StageBegan:
    """The stage of this name begins."""

    name: str


@dataclass(frozen=True)
class StageDone:
    """The stage of this name has ended, after so many seconds."""

    name: str
    seconds: float


@dataclass(frozen=True)
class PhaseBegan:
    """The stage that runs does something else now, or more of it."""

    phase: Phase


@dataclass(frozen=True)
class LevelBegan:
    """Bounds are tried: the values of the parameters that grow. tried: what came of those before."""

    bounds: dict[str, int]
    tried: tuple[Level, ...] = ()


@dataclass(frozen=True)
class EngineReported:
    """One of several engines that work at the same time reports an event."""

    engine: str
    event: Event


@dataclass(frozen=True)
class EngineDone:
    """One of several engines has ended, and the others go on. result: what came of it, as the report has it."""

    engine: str
    result: str


Event: TypeAlias = (
    PropertyBegan | RunBegan | StageBegan | StageDone | PhaseBegan | LevelBegan | EngineReported | EngineDone
)
"""Something that changes while a run goes on."""


@dataclass(frozen=True)
class Lane:
    """How far one engine is, or the run as a whole where there is one engine only, or none yet.

    stages: those of the run of the chain that goes on; the first *known* of them had nothing to do.
    times:  seconds that stages took the last time, by name.
    stage:  the one that runs. since: when it began, as `time.monotonic` has it. phase: what it does.
    level:  the bounds that are tried, by name. tried: what came of those before.
    result: of an engine that has ended, what came of it.
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

    def after(self, event: Event, now: float) -> Lane:
        """How far it is when *event* has been reported."""
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
            case PropertyBegan() | EngineReported():
                return self  # each engine is asked the same, and none has engines of its own


class Status:
    """How far a run is. One thread reports; others may look at any time, and never see what is half done.

    timeout: the seconds of --timeout. memory: the megabytes of --memlimit.
    told:    what came of levels is on the same terminal already.
    property, number, count: the question that is asked, which one it is, and of how many.
    begun:   when that was, as the clock has it.
    lane:    of the run as a whole. engines: those that work at the same time, by name.
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

    def report(self, event: Event) -> None:
        """Take note of *event*."""
        now = self._clock()
        match event:
            case PropertyBegan(name, number, count):
                if name != self.property:
                    self.lane, self.engines = Lane(times=self.lane.times), {}
                self.property, self.number, self.count = name, number, count
            case EngineReported(engine, reported):
                self._change(engine, reported, now)
            case EngineDone(engine):
                self._change(engine, event, now)
            case _:
                self.lane = self.lane.after(event, now)

    def _change(self, engine: str, event: Event, now: float) -> None:
        self.engines = {**self.engines, engine: self.engines.get(engine, Lane()).after(event, now)}
