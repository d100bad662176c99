"""What the executions that an answer is about have reached."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from cseq.model.origin import Origin


class Kind(StrEnum):
    """What a point of a program is. The values are the names in machine-readable reports."""

    CLAIM = "assertion"
    THREAD = "thread"
    ASSUMPTION = "assume"
    FUNCTION = "function"
    LINE = "line"


@dataclass(frozen=True)
class Point:
    """A point of the program that executions may reach.

    place: in the user's source, with the function that the user wrote it in. subject: the key of a claim; the start
    function of a thread; a function that nothing calls.
    """

    kind: Kind
    place: Origin
    subject: str = ""


@dataclass(frozen=True)
class Coverage:
    """The points that some execution has reached, and the others. ending: assumptions that no execution gets past."""

    reached: tuple[Point, ...] = ()
    unreached: tuple[Point, ...] = ()
    ending: tuple[Point, ...] = ()

    @classmethod
    def of(cls, points: Iterable[Point], reached: Iterable[Point], passed: Iterable[Point]) -> Coverage:
        """The coverage of all *points*; *passed*: the assumptions that some execution got past."""
        known, beyond, all_ = frozenset(reached), frozenset(passed), tuple(points)
        return cls(
            tuple(point for point in all_ if point in known),
            tuple(point for point in all_ if point not in known),
            tuple(p for p in all_ if p.kind is Kind.ASSUMPTION and p in known and p not in beyond),
        )

    def all(self, kind: Kind) -> tuple[Point, ...]:
        """All points of this *kind*."""
        return tuple(point for point in (*self.reached, *self.unreached) if point.kind is kind)

    def missed(self, kind: Kind) -> tuple[Point, ...]:
        """The points of this *kind* that no execution reaches."""
        return tuple(point for point in self.unreached if point.kind is kind)
