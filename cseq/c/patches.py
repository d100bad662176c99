"""Changes of the user's files as a patch."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import unified_diff

_NO_END = "\n\\ No newline at end of file\n"


def patch(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """The differences of the files as a unified diff, for ``patch -p0``; empty if there are none.

    before, after: the texts, by file name.
    """
    return "".join(
        line if line.endswith("\n") else line + _NO_END
        for name, text in before.items()
        if after[name] != text
        for line in unified_diff(text.splitlines(keepends=True), after[name].splitlines(keepends=True), name, name)
    )
