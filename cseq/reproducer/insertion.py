"""Putting calls into the text of a C file: on the same lines, and nothing else is changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from cseq.c.numbering import Slot, Text
from cseq.c.scanner import tokens
from cseq.reproducer.turns import CannotReproduceError


@dataclass
class Around:
    """What is put around one slot, each in order.

    before: expressions in front of it. behind: calls behind a statement, or around the value of an expression, whose
    last argument is missing: ``CSEQ_AFTER(3, ``, with what they are as statements. inner: the places of reads in it, as
    (text, which one of these, such a call around it).
    """

    before: list[str] = field(default_factory=list)
    behind: list[tuple[str, str]] = field(default_factory=list)
    inner: list[tuple[str, int, str]] = field(default_factory=list)


def inserted(text: Text, around: Mapping[int, Around]) -> str:
    """The text with what stands *around* slots, by their numbers. Raises CannotReproduceError."""
    pieces: list[tuple[int, int, str]] = []
    for number, what in around.items():
        pieces.extend(_pieces(text, text.slot(number), what))
    result, last = [], 0
    for offset, _, piece in sorted(pieces, key=lambda found: found[:2]):
        result += [text.text[last:offset], piece]
        last = offset
    return "".join([*result, text.text[last:]])


def _pieces(text: Text, slot: Slot, what: Around) -> list[tuple[int, int, str]]:
    """What is inserted at which offset. Of pieces at one offset, the number in the middle tells the order."""
    found = [
        (offset, order, piece)
        for wanted, which, call in what.inner
        for offset, order, piece in _read(text, slot, wanted, which, call)
    ]
    before = "".join(f"{call}; " for call in what.before)
    front = "".join(f"{call}, " for call in what.before)
    match slot.kind:
        case "condition":
            found.append((slot.first, 1, front + "".join(value for value, _ in what.behind)))
            found.append((slot.behind, -1, ")" * len(what.behind)))
        case "next":
            found.append((slot.first, 1, front))
            found.append((slot.behind, -1, "".join(f", {call}" for _, call in what.behind)))
        case "return":
            open_, close = _braces(slot, bool(before))
            found.append((slot.first, 0, open_ + before))
            found.append((slot.value, 1, (" " if what.behind else "") + "".join(value for value, _ in what.behind)))
            found.append((slot.behind - 1, -1, ")" * len(what.behind)))
            found.append((slot.whole, -slot.first, close))
        case "statement":
            open_, close = _braces(slot, bool(before or what.behind))
            found.append((slot.first, 0, open_ + before))
            found.append((slot.behind, -1, "".join(f" {call};" for _, call in what.behind)))
            found.append((slot.whole, 0, close))
        case _:
            if what.behind:
                raise CannotReproduceError(f"there is no place behind the statement at {slot.file}:{slot.line}")
            open_, close = _braces(slot, bool(before))
            found.append((slot.first, 0, open_ + before))
            found.append((slot.whole, 0, close))
    return [piece for piece in found if piece[2]]


def _braces(slot: Slot, needed: bool) -> tuple[str, str]:
    return ("{ ", " }") if slot.bare and needed else ("", "")


def _read(text: Text, slot: Slot, wanted: str, which: int, call: str) -> list[tuple[int, int, str]]:
    """``x`` becomes ``call(…, x)`` where it is read for the *which*-th time."""
    pattern = r"\s*".join(map(re.escape, tokens(wanted)))
    here = text.text[slot.first : slot.behind]
    matches = list(re.finditer(rf"(?<![\w.>]){pattern}(?!\w)", here))
    if which >= len(matches):
        where = f"{slot.file}:{slot.line}"
        raise CannotReproduceError(
            f"other threads run inside of what is at {where}, where its text has no place for it"
        )
    match = matches[which]
    return [(slot.first + match.start(), 2, call), (slot.first + match.end(), -2, ")")]
