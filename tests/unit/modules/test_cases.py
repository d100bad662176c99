"""What stages make of programs: the files ``*.cases`` in these folders have a program and what becomes of it, each.

The first line of a file is ``form NAME``: the fixture that is given what stands before ``---``, and returns what stands
after it. A case begins with ``=== title``, or ``=== title | NAME=VALUE`` with arguments for the fixture. ``pytest
--bless`` writes what is returned into the files; read the difference before you commit it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.cases"))


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


ALL = [case for file in FILES for case in cases(file)]
RUN = {"failing"}
"""The forms that run what a stage makes."""


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.engine] * (case.form in RUN)) for case in ALL],
    ids=[f"{case.file.stem}: {case.title}" for case in ALL],
)
def test_what_a_stage_makes(case: Case, request: pytest.FixtureRequest) -> None:
    make: Callable[..., str | list[str]] = request.getfixturevalue(case.form)
    made = make(case.before, **case.arguments)
    made = made if isinstance(made, str) else "".join(f"{line}\n" for line in made)
    if made != case.after and request.config.getoption("--bless"):
        case.bless(made)
    else:
        assert made == case.after


def test_there_are_cases() -> None:
    assert len(ALL) >= 70
