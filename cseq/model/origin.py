"""The origin of each line of a translated program.

An :class:`Origin` names a place of the user's source. Every statement of a tree carries one (as the
node's ``coord``), so that maps compose by construction: a stage that copies a statement copies its
origin, and adds what it knows (the call path on inlining, the iteration on unrolling).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class CallSite(NamedTuple):
    """One call on a call path: the calling function and the place of the call."""

    function: str
    file: str
    line: int


class Origin(NamedTuple):
    """A place in the user's source, and the path by which the translation reached it.

    file, line, column: the place, as the preprocessor names it; lines and columns count from 1.
    function:  the function that the user wrote the line in.
    path:      the calls that lead there from the thread's start function, outermost first.
    iteration: the iteration of each unrolled loop around it, outermost first, from 1.
    stages:    the line in the output of each stage so far; filled only when a line-map table is wanted.
    statement: the numbers of the calls that lead there, and last that of the statement (`cseq/c/numbering.py`), each
              with what sets it apart from others of the same statement; filled only when a reproducer is wanted.
    """

    file: str
    line: int
    column: int = 0
    function: str | None = None
    path: tuple[CallSite, ...] = ()
    iteration: tuple[int, ...] = ()
    stages: tuple[int, ...] = ()
    statement: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def plain(self) -> Origin:
        """The same origin without the number of the statement: for the reader, everything on one line is one place."""
        return self._replace(statement=()) if self.statement else self


class LineMap:
    """The origin of each line of one text; ``None`` for lines that do not come from the user's source."""

    __slots__ = ("_origins",)

    def __init__(self, origins: Sequence[Origin | None]) -> None:
        self._origins = list(origins)

    def __getitem__(self, line: int) -> Origin | None:
        """The origin of *line* (from 1); ``None`` also for a line outside the text."""
        return self._origins[line - 1] if 0 < line <= len(self._origins) else None

    def __len__(self) -> int:
        return len(self._origins)

    def __iter__(self) -> Iterator[Origin | None]:
        return iter(self._origins)

    def shifted(self, lines: int) -> LineMap:
        """The map of the same text with *lines* lines of our own put before it."""
        return LineMap([None] * lines + self._origins)

    def then(self, later: LineMap) -> LineMap:
        """Compose: *later* maps a text's lines to places in this map's text (its ``line`` fields)."""
        return LineMap([self[origin.line] if origin else None for origin in later])


FILE_PREFIX = "<cseq>/"
"""The prefix of the names of the library's files in origins. No file of the user's begins with it."""


def is_ours(origin: Origin | None) -> bool:
    """Whether a statement with this origin is our own code: generated, or part of the thread library."""
    return origin is None or not origin.file or origin.file.startswith(FILE_PREFIX)
