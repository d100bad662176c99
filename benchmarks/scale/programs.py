"""The hard programs, and the smallest bounds at which CBMC finds the bug of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "programs"


@dataclass(frozen=True)
class Program:
    """A program with a bug; with `-DREPAIRED` it has none.

    rounds, unwind: the smallest bounds at which CBMC was seen to find it. That fewer rounds find nothing is known of
    deque_resize, ring_spsc and safe_stack only; `--part bounds` of `run.py` asks it of all.
    switches: about how many context switches the bug needs, counted by hand.
    """

    name: str
    rounds: int
    unwind: int
    switches: int

    @property
    def path(self) -> Path:
        """Its file."""
        return FOLDER / f"{self.name}.c"

    @property
    def bounds(self) -> tuple[str, ...]:
        """The options that say the bounds."""
        return ("--rounds", str(self.rounds), "--unwind", str(self.unwind))


PROGRAMS = (
    Program("big_reader_lock", 4, 1, 6),
    Program("deque_reset", 3, 1, 5),
    Program("deque_resize", 3, 1, 5),
    Program("elimination_stack", 4, 1, 6),
    Program("hash_set", 2, 1, 4),
    Program("queue_aba", 2, 1, 4),
    Program("ring_mpmc", 3, 1, 4),
    Program("ring_spsc", 6, 1, 10),
    Program("safe_stack", 3, 2, 8),
    Program("thread_pool", 2, 1, 5),
)
"""The programs."""


def named(words: list[str]) -> list[Program]:
    """The programs whose names contain one of *words*; all without any."""
    return [program for program in PROGRAMS if not words or any(word in program.name for word in words)]
