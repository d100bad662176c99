"""What a run is doing, and which engine does it, as values. `cseq.report.activity_words` puts them into words."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias


class ActivityKind(Enum):
    """The kinds of activity."""

    TRANSLATING = auto()
    COMPILING = auto()
    MAKING_VERIFIER = auto()
    REPLAYING = auto()
    TRYING_REPRODUCER = auto()
    RUNNING = auto()
    READING = auto()
    EXECUTING_SYMBOLICALLY = auto()
    MAKING_FORMULA = auto()
    SOLVING = auto()
    SEARCHING = auto()
    PROVING = auto()


class Amount(Enum):
    """The quantities that are counted meanwhile."""

    STEPS = auto()
    VARIABLES = auto()
    CLAUSES = auto()
    ASSIGNMENTS = auto()
    STATES = auto()
    STATES_PER_SECOND = auto()
    DEPTH = auto()
    WAITING = auto()
    RUNS = auto()
    SCHEDULES = auto()
    RACES = auto()
    SCENARIOS = auto()


@dataclass(frozen=True)
class Activity:
    """One activity. amounts: how much has been done so far, as far as that is known, most important first."""

    doing: ActivityKind
    amounts: tuple[tuple[Amount, float], ...] = ()


Activities: TypeAlias = tuple[tuple[str, Activity], ...]
"""Activities that go on at the same time, each with the name of its solver; "" if there is only one."""


@dataclass(frozen=True)
class Phase:
    """Something that a stage does now.

    engine: the engine that does it; empty for CSeq itself. about_bounds: whether the engine was asked about the bounds.
    """

    activities: Activities
    engine: str = ""
    about_bounds: bool = False


def phase(doing: ActivityKind, engine: str = "", about_bounds: bool = False) -> Phase:
    """A phase with a single activity of which nothing else is known."""
    return Phase((("", Activity(doing)),), engine, about_bounds)
