"""The shared data of a program as a table: for each object what protects it, and who accesses it where."""

from __future__ import annotations

from collections.abc import Iterator

from cseq.model.sharing import SharedData, SharedObject
from cseq.report import sharing_words
from cseq.report.text.style import PLAIN, Style
from cseq.report.words import clean


def lines(name: str, sharing: SharedData, style: Style = PLAIN) -> Iterator[str]:
    """The table. name: of the program."""
    colour = "yellow" if sharing.left or sharing.unfollowed else "green"
    yield style.paint(clean(f"{name}: {sharing_words.summary(sharing)}"), fg=colour, bold=True)
    for shared in sharing.objects:
        yield f"  {clean(sharing_words.heading(shared))}"
        for reason in sharing_words.reasons(shared):
            yield f"    {clean(reason)}"
        yield from (f"      {line}" for line in _accesses(shared))
    if sharing.objects:
        yield clean(sharing_words.rests_on(sharing))


def _accesses(shared: SharedObject) -> Iterator[str]:
    rows = [tuple(map(clean, row)) for row in sharing_words.accesses(shared.accesses)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
