"""Bounds for single loops: ``--unwindset FILE:LINE=N,…``."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from cseq.model.errors import UsageError
from cseq.model.origin import Origin
from cseq.pipeline.stage import Parameter

_ENTRY = re.compile(r"(?P<file>.+):(?P<line>[0-9]{1,9})=(?P<bound>[0-9]{1,9})")
_NEAR = 3  # how many loops are listed if an entry matches none


class Entry(NamedTuple):
    """The number of times that the loops at one line are unrolled."""

    file: str
    line: int
    bound: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def means(self, origin: Origin) -> bool:
        """Whether the entry applies to the loop at *origin*; the file may be given by the last parts of its path."""
        return origin.line == self.line and self.is_in(origin)

    def is_in(self, origin: Origin) -> bool:
        """Whether *origin* is in the entry's file."""
        if ".." in Path(self.file).parts:
            return Path(self.file).resolve() == Path(origin.file).resolve()
        wanted, parts = Path(self.file).parts, Path(origin.file).absolute().parts
        return parts[-len(wanted) :] == wanted


def read(text: str) -> list[Entry]:
    """The entries of *text*, separated by commas. ValueError for text that is not one."""
    entries = []
    for part in text.split(","):
        match = _ENTRY.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"`{part.strip()}` is not FILE:LINE=N")
        if int(match["bound"]) < 1:
            raise ValueError(f"`{part.strip()}`: 0 is less than 1, the minimum")
        entries.append(Entry(match["file"], int(match["line"]), int(match["bound"])))
    return entries


UNWINDSET: Parameter[Sequence[str]] = Parameter(
    "unwindset", str, (),
    "unroll the loops at single lines another number of times than --unwind says; several with commas between",
    ("--unwindset",), "FILE:LINE=N", multiple=True, check=read,
)  # fmt: skip


class Limits:
    """The bounds of the loops of one program.

    texts: what the user gave. loops: the places of all loops.
    Raises UsageError, with the loops nearby, for an entry that matches no loop.
    """

    def __init__(self, texts: str | Sequence[str], loops: Iterable[Origin]) -> None:
        given = [texts] if isinstance(texts, str) else texts
        self._entries = [entry for text in given for entry in read(text)]
        if self._entries:
            places = sorted({(origin.file, origin.line): origin for origin in loops}.values())
            for entry in self._entries:
                if not any(entry.means(origin) for origin in places):
                    raise UsageError(f"--unwindset: there is no loop at {entry}: {_nearby(entry, places)}")

    def bound(self, origin: Origin | None) -> int | None:
        """How often the loop at *origin* is unrolled; None if no entry applies. The last entry that applies counts."""
        if origin is None:
            return None
        return next((entry.bound for entry in reversed(self._entries) if entry.means(origin)), None)


def _nearby(entry: Entry, places: Sequence[Origin]) -> str:
    there = [origin for origin in places if entry.is_in(origin)]
    if not places:
        return "the program has no loops"
    if not there:
        files = list(dict.fromkeys(origin.file for origin in places))
        return f"the program has loops in {', '.join(files[:_NEAR])}{', …' if len(files) > _NEAR else ''}"
    nearest = sorted(sorted(there, key=lambda origin: abs(origin.line - entry.line))[:_NEAR])
    return f"the nearest {'is' if len(nearest) == 1 else 'are'} at {', '.join(map(str, nearest))}"
