"""What was done at the same time, on one machine or on several: who did what, and how it ended."""

from dataclasses import dataclass
from enum import StrEnum


class JobEnd(StrEnum):
    """How a job ended. The values are those of the JSON report."""

    VIOLATED = "violated"
    PROVED = "proved"
    NOTHING = "none"  # no violation within the bounds of the job
    TIMEOUT = "timeout"
    MEMORY = "memory"
    FAILED = "failed"
    REFUSED = "refused"  # the engine does not support the program
    STOPPED = "stopped"  # another one had the answer
    LOST = "lost"  # with its worker; it was done again


@dataclass(frozen=True)
class JobName:
    """Which part of the work a job is.

    engine: the backend. property: what it checks. bounds: values of the parameters that grow from level to level.
    tile: its part of the schedules, such as ``3/16``; empty for all. search, seed: of the explicit-state engine.
    program: where there are several, the path of this one.
    """

    engine: str
    property: str = ""
    bounds: tuple[tuple[str, int], ...] = ()
    tile: str = ""
    search: str = ""
    seed: int | None = None
    program: str = ""


@dataclass(frozen=True)
class JobRecord:
    """What became of a job. worker: who did it; empty for this machine. seconds: how long it took."""

    name: JobName
    end: JobEnd
    seconds: float
    worker: str = ""
