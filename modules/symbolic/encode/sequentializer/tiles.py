"""Tiles: disjoint parts of the schedules, each of which is a smaller instance for the engine.

An execution of the driver is given by the places at which its contexts are switched out, one after the other. A tile
restricts the place of each context to a range. This is the idea of reduced interleaving instances (Nguyen, Schrammel,
Fischer, La Torre and Parlato, ASE 2017, §3), with ranges for each context instead of sets of labels for each thread, so
that no two tiles have an execution in common.

Tile K/N is the interval [K/N, (K+1)/N) of [0, 1). It consists of the tiles 2K/2N and (2K+1)/2N. Its ranges follow from
the binary digits of K, first the highest: each digit is a half of the schedules that the digits before it have left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cseq.pipeline.stage import Parameter

_TILE = re.compile(r"(\d{1,18})/(\d{1,18})", re.ASCII)


@dataclass(frozen=True, order=True)
class Tile:
    """Part *number*, from 0, of the *parts* into which the schedules are cut; *parts* is a power of two."""

    number: int
    parts: int

    @classmethod
    def read(cls, text: str) -> Tile:
        """The tile that *text*, such as ``3/16``, names. Raises ValueError for anything else."""
        found = _TILE.fullmatch(text)
        if found is None:
            raise ValueError(f"`{text}` is not a tile: K/N is expected, such as 3/16")
        number, parts = int(found[1]), int(found[2])
        if parts < 1 or parts & (parts - 1):
            raise ValueError(f"`{text}` is not a tile: {parts} is not a power of two")
        if number >= parts:
            raise ValueError(f"`{text}` is not a tile: the parts are numbered from 0 to {parts - 1}")
        return cls(number, parts)

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"

    @property
    def is_whole(self) -> bool:
        """Whether it has all schedules."""
        return self.parts == 1

    @property
    def path(self) -> list[int]:
        """The halves, 0 or 1, that lead to it."""
        depth = self.parts.bit_length() - 1
        return [self.number >> depth - 1 - position & 1 for position in range(depth)]

    def halves(self) -> tuple[Tile, Tile]:
        """The two tiles of which it consists."""
        return Tile(2 * self.number, 2 * self.parts), Tile(2 * self.number + 1, 2 * self.parts)


WHOLE = Tile(0, 1)
"""All schedules."""


def missing(tiles: Iterable[Tile]) -> list[Tile]:
    """The fewest tiles that have to be added to *tiles* for each schedule to be in one, in order."""
    have = set(tiles)
    larger = {Tile(t.number >> depth, t.parts >> depth) for t in have for depth in range(1, t.parts.bit_length())}
    found: list[Tile] = []
    todo = [WHOLE]
    while todo:
        tile = todo.pop()
        if tile in have:
            continue
        if tile in larger:
            todo.extend(reversed(tile.halves()))
        else:
            found.append(tile)
    return found


TILE: Parameter[str | None] = Parameter(
    "tile", str, None,
    "explore only part K of the N parts of the schedules; N is a power of two, K counts from 0", ("--tile",), "K/N",
    check=Tile.read,
)  # fmt: skip


class Context(NamedTuple):
    """A context of the driver. thread: its number. labels: how many the thread has."""

    thread: int
    labels: int


class Range(NamedTuple):
    """The *least* and the *most* place at which a context may be switched out."""

    least: int
    most: int

    @property
    def places(self) -> int:
        """How many there are."""
        return self.most - self.least + 1

    @property
    def bits(self) -> int:
        """The number of low-order bits in which its places differ."""
        return (self.least ^ self.most).bit_length()


def ranges(tile: Tile, contexts: Sequence[Context]) -> list[Range] | None:
    """Where each of the *contexts* may be switched out in *tile*; None if there are fewer schedules than tiles.

    The places of a thread never decrease from one of its contexts to the next, and nothing else is known of them. Where
    nothing is left to be cut, the first half has everything.
    """
    found = [Range(0, context.labels) for context in contexts]
    for half in tile.path:
        cut = _cut(found, contexts)
        if cut is None:
            if half:
                return None
            continue
        position, least = cut
        thread = contexts[position].thread
        for other, (context, known) in enumerate(zip(contexts, found, strict=True)):
            if context.thread != thread:
                continue
            if half and other >= position:
                found[other] = Range(max(known.least, least), known.most)
            elif not half and other <= position:
                found[other] = Range(known.least, min(known.most, least - 1))
    return found


def _cut(found: Sequence[Range], contexts: Sequence[Context]) -> tuple[int, int] | None:
    """The context whose range is cut, and the least place of the upper half; None if each range is a single place."""
    most = max((known.places for known in found), default=1)
    if most == 1:
        return None
    position = next(position for position, known in enumerate(found) if known.places == most)
    known = found[position]
    return position, known.least + known.places // 2
