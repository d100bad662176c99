"""The forms of reports are made of the violations in sv-benchmarks, and are what they should be.

What is data or text is checked for each violation. A page is looked at in a browser, and a reproducer is made and run,
for the programs in `SHOWN`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import cseq
from cseq.backends import spin
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Outcome, Verdict
from cseq.report.json import jsonreport
from cseq.report.page import htmlreport
from cseq.report.sarif import sarifreport
from tests.end_to_end.explicit import test_examples as examples
from tests.end_to_end.test_verdicts import DEADLOCK, DEADLOCKS, RACE, RACES, TASKS
from tests.support.browser import check_page
from tests.support.explained import check_explanation, check_lanes
from tests.support.jsonschema_check import check_json
from tests.support.pairwise import features, sampled
from tests.support.reproducers import check_reproducer
from tests.support.sarif_check import check_sarif
from tests.support.selection import everything

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

TERMINATION = "termination"
ZUNE = examples.FOLDER / "zune_bad.c"
"""Goes on for ever, and violates nothing else."""

REPRODUCED = {"array_slices_bad", "double_checked_bad", "freed_node_bad", "missing_join_bad", "struct_copy_bad"}
"""The data races of which reproducers are made, since these run under a sanitizer, which takes long."""


@dataclass(frozen=True)
class Buggy:
    """A buggy program. values: the parameters with which *engine* finds the bug. bounds: those with which CBMC does."""

    name: str
    files: tuple[Path, ...]
    property: str
    values: dict[str, Any]
    bounds: dict[str, Any]
    engine: str = "native"

    @property
    def kind(self) -> tuple[str, bool]:
        """What decides what the counterexample is like: the property, and whether the program is of the literature."""
        return self.property, self.name.startswith("explicit/")

    @property
    def is_shown(self) -> bool:
        """Whether a test looks at its page."""
        return self.name in SHOWN

    @property
    def is_reproduced(self) -> bool:
        """Whether a test makes its reproducer. Of an infinite execution there is none."""
        if self.property == TERMINATION:
            return False
        if self.property == RACE and not everything():
            return self.name in REPRODUCED
        return self.is_shown

    def outcome(self, **parameters: Any) -> Outcome:
        """The answer for the property that is violated."""
        values = {"timeout": 120, **self.values, **parameters}
        try:
            if self.bounds.get("bits", 64) == 32:
                raise UnsupportedError("native has no such model")
            outcome = cseq.verify(self.files, backend=self.engine, **values)
        except UnsupportedError:
            outcome = cseq.verify(self.files, backend="cbmc", **values, **self.bounds)
        (violated,) = [part for part in outcome.all() if part.verdict is Verdict.FALSE]
        assert violated.counterexample is not None
        return violated


def _buggy() -> list[Buggy]:
    """All buggy programs."""
    asked = {DEADLOCK: {"deadlock": True}, RACE: {"race": True}}
    found = [
        Buggy(
            task.name,
            task.files,
            task.property,
            asked.get(task.property, {}),
            {"rounds": task.rounds, "unwind": task.unwind, "bits": task.bits},
        )
        for task in [*TASKS, *DEADLOCKS, *RACES]
        if not task.is_safe
    ]
    for example in examples.BUGS:
        words = iter(example.options)
        values = {word.removeprefix("--").replace("-", "_"): next(words) for word in words}
        values["define"] = examples.SMALLER.get(example.pair, ())
        found.append(Buggy(f"explicit/{example.path.stem}", (example.program,), "unreach-call", values, {}))
    found.append(Buggy("explicit/zune_bad", (ZUNE,), TERMINATION, {"termination": True}, {}, "spin"))
    return found


def _shown(everything: list[Buggy]) -> set[str]:
    """Of each kind of violation, the names of some: any two features of programs that come together do so in one."""
    kinds = {buggy.kind for buggy in everything}
    groups = [[buggy for buggy in everything if buggy.kind == kind] for kind in kinds]
    return {buggy.name for group in groups for buggy in sampled(group, lambda buggy: features(buggy.files))}


_ALL = _buggy()
SHOWN = _shown(_ALL)
"""The programs whose reports are looked at. With --all, those of all."""

# Those of which all is checked come first, so that the tests of one program follow each other.
BUGGY = sorted(
    (buggy for buggy in _ALL if buggy.is_shown or buggy.name in REPRODUCED),
    key=lambda buggy: (not buggy.is_reproduced, not buggy.is_shown),
)


@dataclass(frozen=True)
class Found:
    """What is found in a buggy program."""

    buggy: Buggy
    outcome: Outcome

    @property
    def files(self) -> list[str]:
        return [str(path) for path in self.buggy.files]


@pytest.fixture(scope="session", params=BUGGY, ids=lambda buggy: buggy.name)
def found(request: pytest.FixtureRequest) -> Found:
    """One after the other: as it is of the whole session, the tests of one program come together."""
    if request.param.engine == "spin" and spin.find() is None:
        pytest.skip("SPIN is not installed")
    return Found(request.param, request.param.outcome(moves=True))


def test_json(found: Found) -> None:
    check_json(jsonreport.render(found.outcome, found.files, found.buggy.values), found.outcome)


def test_sarif(found: Found) -> None:
    check_sarif(sarifreport.render(found.outcome, found.files, ["cseq", *found.files]), found.outcome)


def test_each_kind_of_violation_is_shown_and_reproduced() -> None:
    assert len(_ALL) >= 140
    assert {buggy.kind for buggy in BUGGY if buggy.is_shown} == {buggy.kind for buggy in _ALL}
    reproduced = {buggy.property for buggy in BUGGY if buggy.is_reproduced}
    assert reproduced == {buggy.property for buggy in _ALL} - {TERMINATION}
    assert sum(buggy.is_shown for buggy in BUGGY) >= 30


@pytest.mark.parametrize(
    "found", [buggy for buggy in BUGGY if buggy.is_shown], ids=lambda buggy: buggy.name, indirect=True
)
def test_page(found: Found, browser: Chrome, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(htmlreport.render(found.outcome, found.files, ["cseq", *found.files]), encoding="utf-8")
    check_page(browser, path, found.outcome)


@pytest.mark.parametrize(
    "found", [buggy for buggy in BUGGY if buggy.is_reproduced], ids=lambda buggy: buggy.name, indirect=True
)
def test_reproducer(found: Found) -> None:
    bits = found.buggy.bounds.get("bits", 64)
    times = 20 if found.buggy.property == RACE else 100
    check_reproducer(found.files, found.outcome, times, bits=bits, define=found.buggy.values.get("define", ()))


def test_terminal(found: Found) -> None:
    check_lanes(found.outcome)
    check_explanation(found.outcome)
