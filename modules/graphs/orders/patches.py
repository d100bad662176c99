"""Changes of the user's files as a patch."""

from __future__ import annotations

from difflib import unified_diff

from cseq.modules.graphs.orders.words import Texts

_NO_END = "\n\\ No newline at end of file\n"


def patch(before: Texts, after: Texts) -> str:
    """The differences of the files as a unified diff, for ``patch -p0``; empty if there are none."""
    return "".join(
        line if line.endswith("\n") else line + _NO_END
        for name, text in before.items()
        if after[name] != text
        for line in unified_diff(text.splitlines(keepends=True), after[name].splitlines(keepends=True), name, name)
    )
