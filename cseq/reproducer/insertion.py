"""Insert calls into the text of a C file, without adding lines or changing anything else."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cseq.c.numbering import Slot, Text
from cseq.c.scanner import tokens
from cseq.reproducer.turns import CannotReproduceError


@dataclass
class Insertions:
    """What is inserted around one slot, each list in order.

    before: expressions before it. after: calls after it, as pairs: a call around the value of an expression, without
    its last argument (``CSEQ_AFTER(3, ``), and the call as a statement of its own. inner: calls around reads in it, as
    (the text that is read, the number of its occurrence from 0, a call without its last argument).
    """

    before: list[str] = field(default_factory=list)
    after: list[tuple[str, str]] = field(default_factory=list)
    inner: list[tuple[str, int, str]] = field(default_factory=list)


class Piece(NamedTuple):
    """A text that is inserted at an offset; slot: the number of the slot for which it is."""

    offset: int
    text: str
    slot: int


def pieces(text: Text, around: Mapping[int, Insertions]) -> list[Piece]:
    """What is inserted *around* slots, by the numbers of these, in the order of the text.

    Raises CannotReproduceError.
    """
    found: list[tuple[int, int, str, int]] = []
    for number, what in around.items():
        found.extend((*piece, number) for piece in _pieces(text, text.slot(number), what))
    ordered = sorted(found, key=lambda piece: piece[:2])
    return [Piece(offset, piece, number) for offset, _, piece, number in ordered]


def inserted(text: Text, around: Mapping[int, Insertions]) -> str:
    """The text with the insertions *around* slots, by the numbers of these. Raises CannotReproduceError."""
    result, last = [], 0
    for piece in pieces(text, around):
        result += [text.text[last : piece.offset], piece.text]
        last = piece.offset
    return "".join([*result, text.text[last:]])


def _pieces(text: Text, slot: Slot, what: Insertions) -> list[tuple[int, int, str]]:
    """The insertions as (offset, order, text). *order* sorts the pieces at one offset."""
    found = [
        (offset, order, piece)
        for wanted, which, call in what.inner
        for offset, order, piece in _read(text, slot, wanted, which, call)
    ]
    before = "".join(f"{call}; " for call in what.before)
    front = "".join(f"{call}, " for call in what.before)
    match slot.kind:
        case "condition":
            found.append((slot.first, 1, front + "".join(value for value, _ in what.after)))
            found.append((slot.stop, -1, ")" * len(what.after)))
        case "next":
            found.append((slot.first, 1, front))
            found.append((slot.stop, -1, "".join(f", {call}" for _, call in what.after)))
        case "return":
            open_, close = _braces(slot, bool(before))
            found.append((slot.first, 0, open_ + before))
            found.append((slot.value, 1, (" " if what.after else "") + "".join(value for value, _ in what.after)))
            found.append((slot.stop - 1, -1, ")" * len(what.after)))
            found.append((slot.whole, -slot.first, close))
        case "statement":
            open_, close = _braces(slot, bool(before or what.after))
            found.append((slot.first, 0, open_ + before))
            found.append((slot.stop, -1, "".join(f" {call};" for _, call in what.after)))
            found.append((slot.whole, 0, close))
        case _:
            if what.after:
                raise CannotReproduceError(f"there is no place after the statement at {slot.file}:{slot.line}")
            open_, close = _braces(slot, bool(before))
            found.append((slot.first, 0, open_ + before))
            found.append((slot.whole, 0, close))
    return [piece for piece in found if piece[2]]


def _braces(slot: Slot, needed: bool) -> tuple[str, str]:
    return ("{ ", " }") if slot.bare and needed else ("", "")


def _read(text: Text, slot: Slot, wanted: str, which: int, call: str) -> list[tuple[int, int, str]]:
    """Turn the read number *which*, from 0, of ``x`` into ``call(…, x)``."""
    pattern = r"\s*".join(map(re.escape, tokens(wanted)))
    here = text.text[slot.first : slot.stop]
    matches = list(re.finditer(rf"(?<![\w.>]){pattern}(?!\w)", here))
    if which >= len(matches):
        where = f"{slot.file}:{slot.line}"
        raise CannotReproduceError(
            f"other threads run inside the statement at {where}, whose text has no place for that"
        )
    match = matches[which]
    return [(slot.first + match.start(), 2, call), (slot.first + match.end(), -2, ")")]
