"""Files of cases: a program, and what is expected of it, each.

The first line of a file is ``form NAME``, which says how the cases are run. A case begins with ``=== title``, or ``===
title | NAME=VALUE`` with arguments. What stands before ``---`` is given, and what stands after it is expected.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Case:
    """One case. after: what is expected."""

    file: Path
    form: str
    title: str
    arguments: dict[str, Any]
    before: str
    after: str

    def bless(self, made: str) -> None:
        """Replace what is expected. Cases after this one are still found, by their texts."""
        text = self.file.read_text(encoding="utf-8")
        old, new = (f"{self.before}---\n{after}" for after in (self.after, made))
        assert text.count(old) == 1
        self.file.write_text(text.replace(old, new), encoding="utf-8")


_CASE = re.compile(r"^=== (?P<title>.*)\n(?P<before>(?:(?!---\n).*\n)+)---\n(?P<after>(?:(?!=== ).*\n)*)", re.MULTILINE)


def cases(file: Path) -> list[Case]:
    """The cases in a file."""
    text = file.read_text(encoding="utf-8")
    form = text.partition("\n")[0].removeprefix("form ")
    found = []
    for match in _CASE.finditer(text):
        title, *given = match["title"].split(" | ")
        arguments = {name: int(value) if value.isdigit() else value for name, value in (g.split("=") for g in given)}
        after = match["after"].rstrip("\n") + "\n" if match["after"].strip() else ""
        found.append(Case(file, form, title, arguments, match["before"], after))
    assert len(found) == text.count("\n=== "), f"{file}: a case without `---`"
    return found
