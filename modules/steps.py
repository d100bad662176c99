"""What the stepper tells of a step program. Not a stage."""

from __future__ import annotations

from dataclasses import dataclass, field

from cseq.linemap import Origin
from cseq.verdict import Bound


@dataclass(frozen=True)
class Place:
    """Where a thread can stand: in front of the statement at origin. start: of its start function.

    entry: whether it is where that begins. labels: the user's labels in front of the statement.
    """

    start: str
    origin: Origin | None = None
    entry: bool = False
    labels: tuple[str, ...] = ()


@dataclass
class Steps:
    """A step program.

    most_threads: with main. starts: the start functions, main first. places: by number; 0 is none.
    bounds: what the program cuts off, if an execution gets there: by the texts of the cuts. keys: how many keys of
    thread-specific data it creates at most, in the text. reads_results: whether it looks at what threads return.
    """

    most_threads: int
    starts: list[str]
    places: list[Place | None] = field(default_factory=lambda: [None])
    bounds: dict[str, Bound] = field(default_factory=dict)
    keys: int = 0
    reads_results: bool = False

    def place(self, place: Place) -> int:
        """The number of a new *place*."""
        self.places.append(place)
        return len(self.places) - 1
