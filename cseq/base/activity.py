"""What is being done in a run, and by whom, as values. `cseq.report.activity_words` has the words for them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias


class Doing(Enum):
    """What can be done."""

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


class Amount(Enum):
    """What is counted meanwhile."""

    STEPS = auto()
    VARIABLES = auto()
    CLAUSES = auto()
    ASSIGNMENTS = auto()
    STATES = auto()
    STATES_PER_SECOND = auto()
    DEPTH = auto()
    WAITING = auto()


@dataclass(frozen=True)
class Activity:
    """What is done. amounts: how much of it there is so far, as far as that is known, in the order of importance."""

    doing: Doing
    amounts: tuple[tuple[Amount, float], ...] = ()


Activities: TypeAlias = tuple[tuple[str, Activity], ...]
"""What is done at the same time, each with the name of the solver that does it; "" if there is only one."""


@dataclass(frozen=True)
class Phase:
    """Something that a stage does now.

    engine: whose they are; empty for CSeq itself. about_bounds: whether it has been asked about the bounds.
    """

    activities: Activities
    engine: str = ""
    about_bounds: bool = False


def phase(doing: Doing, engine: str = "", about_bounds: bool = False) -> Phase:
    """A phase in which one thing is done, of which no more is known."""
    return Phase((("", Activity(doing)),), engine, about_bounds)
