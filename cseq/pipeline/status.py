"""How far a run is: what those who work report while they do, put together for whoever watches."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from cseq.base.verdict import Level


@dataclass(frozen=True)
class Lane:
    """How far one engine is, or the run as a whole where there is one engine only, or none yet.

    stages: those of the run of the chain that goes on; the first *known* of them had nothing to do.
    times:  seconds that stages took the last time, by name.
    stage:  the one that runs. since: when it began, as `time.monotonic` has it. phase: what it does, in words.
    level:  the bounds that are tried, in words. tried: what came of those before.
    result: of an engine that has ended, what came of it.
    """

    stages: tuple[str, ...] = ()
    known: int = 0
    times: dict[str, float] = field(default_factory=dict)
    stage: str = ""
    since: float = 0.0
    phase: str = ""
    level: str = ""
    tried: tuple[Level, ...] = ()
    result: str = ""

    def after(self, what: str, value: Any, now: float) -> Lane:
        """How far it is when *what* has been reported: one of the words of `Status.report`. Raises ValueError else."""
        match what:
            case "property":
                return self  # each engine is asked the same
            case "stages":
                names, known = value
                return replace(self, stages=tuple(names), known=known, stage="", phase="")
            case "stage":
                return replace(self, stage=value, since=now, phase="")
            case "done":
                name, seconds = value
                return replace(self, stage="", phase="", times={**self.times, name: seconds})
            case "phase":
                return replace(self, phase=value)
            case "level":
                words, tried = value
                return replace(self, level=words, tried=tuple(tried))
        raise ValueError(f"no report is called {what}")


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

    def report(self, what: str, value: Any) -> None:
        """Take note of what is reported, which is one of these words, with its value:

        ``property``: a question begins; its name, which one it is, and of how many.
        ``stages``: a run of a chain begins; the names of its stages, and how many of them have nothing to do.
        ``stage``: one begins; its name. ``done``: it has ended; its name, and the seconds that it took.
        ``phase``: what it does now, in words.
        ``level``: bounds are tried, in words; with what came of those before, a line each.
        ``of``: one of several engines reports; its name, one of the words above, and the value.
        ``over``: one of them has ended, and the others go on; its name, and what came of it, in words.
        """
        now = self._clock()
        match what:
            case "property":
                if value[0] != self.property:
                    self.lane, self.engines = Lane(times=self.lane.times), {}
                self.property, self.number, self.count = value
            case "of":
                engine, what, value = value
                self._change(engine, self._of(engine).after(what, value, now))
            case "over":
                engine, result = value
                self._change(engine, replace(self._of(engine), result=result, stage="", phase="", level=""))
            case _:
                self.lane = self.lane.after(what, value, now)

    def _of(self, engine: str) -> Lane:
        return self.engines.get(engine, Lane())

    def _change(self, engine: str, lane: Lane) -> None:
        self.engines = {**self.engines, engine: lane}
