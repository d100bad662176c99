"""Lines at which two threads must never be at the same time: what the user says, and what it means for statements."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from cseq.model.origin import Origin
from cseq.pipeline.stage import Parameter


class Line(NamedTuple):
    """A line of a file, as the user names it: perhaps without the folders of the file."""

    file: str
    number: int

    def __str__(self) -> str:
        return f"{self.file}:{self.number}"

    def has(self, origin: Origin | None) -> bool:
        """Whether a statement with this *origin* is on the line."""
        if origin is None or origin.line != self.number:
            return False
        return origin.file == self.file or origin.file.endswith(f"/{self.file}")


class Exclusion(NamedTuple):
    """Two lines, perhaps the same one, at which no two threads may stand at the same time."""

    one: Line
    other: Line

    def __str__(self) -> str:
        return f"{self.one},{self.other}"


def read(text: str) -> Exclusion:
    """The lines in *text*, which is of the form ``a.c:10,b.c:20``. ValueError, with the reason, if it is not."""
    lines = [_line(part.strip()) for part in text.split(",")]
    if len(lines) != 2:
        raise ValueError(f"`{text}` is not of the form FILE:LINE,FILE:LINE")
    return Exclusion(*lines)


def _line(text: str) -> Line:
    file, colon, number = text.rpartition(":")
    if not colon or not file or not number.isdecimal() or int(number) == 0:
        raise ValueError(f"`{text}` is not of the form FILE:LINE")
    return Line(file, int(number))


MUTEX: Parameter[Sequence[str]] = Parameter(
    "mutex", str, (), "also claim that no two threads are at these two lines at the same time", ("--mutex",),
    "FILE:LINE,FILE:LINE", multiple=True, check=read, family="specification",
)  # fmt: skip
"""Shared by the stages that need to stop there and those that ask whether two threads do."""


class Lines:
    """The lines of some exclusions. ``origin in lines``: whether a statement is on one of them."""

    def __init__(self, exclusions: Collection[str] = ()) -> None:
        self._lines = frozenset(line for text in exclusions for line in read(text))

    def __contains__(self, origin: Origin | None) -> bool:
        return any(line.has(origin) for line in self._lines)


NOWHERE = Lines()
