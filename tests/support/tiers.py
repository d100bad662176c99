"""The three tiers of tests, by what a test starts; each test is marked with its tier while it is collected.

unit      no process, except the C preprocessor and the syntax check with which the front end reads each program
engine    a compiler, a solver, a terminal, a browser, or CSeq as a command
campaign  many programs: differential tests, conformance sweeps, the examples of the manual

A folder has a tier. A test in a folder of unit tests is an engine test if it takes the fixture `processes`, itself or
by another fixture, or if it, its class or its module is marked ``engine``; one that is slow is marked ``campaign``. A
unit test that starts a process fails, and so does one that takes more than a second of processor time.
"""

import errno
import resource
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support.checkout import ROOT

FOLDERS = {
    "tests/differential": "campaign",
    "tests/end_to_end": "engine",
    "tests/end_to_end/manual": "campaign",
    "tests/programs": "campaign",
    "tests/smoke": "engine",
    "tests/unit": "unit",
}
"""The tier of the tests in each folder."""

MARKERS = (
    "unit: starts no process but the C preprocessor (set while collecting)",
    "engine: starts a compiler, a solver, a terminal, a browser, or CSeq as a command",
    "campaign: checks many programs, or takes long",
    "smoke: one of the few engine tests that `make test` runs",
)

MOST_SECONDS = 1.0
"""Of processor time, in a unit test."""

_STARTS = frozenset({"subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"})
_READING = frozenset({"-E", "-fsyntax-only"})


def tier(item: pytest.Item) -> str:
    """The tier of a test."""
    for marked in ("campaign", "engine"):
        if item.get_closest_marker(marked):
            return marked
    place = item.path.relative_to(ROOT)
    found = next(FOLDERS[str(folder)] for folder in place.parents if str(folder) in FOLDERS)
    return "engine" if found == "unit" and "processes" in getattr(item, "fixturenames", ()) else found


def is_unit(item: pytest.Item) -> bool:
    """Whether a test, which is marked, is in the tier `unit`."""
    return item.get_closest_marker("unit") is not None


class Watch:
    """Notices the processes that are started while a unit test runs."""

    def __init__(self) -> None:
        self._started: list[str] | None = None
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _STARTS or self._started is None:
            return
        words = arguments[1] if len(arguments) > 1 else arguments
        if isinstance(words, Sequence) and not isinstance(words, str) and not _READING.isdisjoint(words):
            return
        self._started.append(" ".join(map(str, words)) if words else event)
        raise PermissionError(errno.EPERM, "a unit test starts a process (see tests/support/tiers.py)")

    @contextmanager
    def unit(self) -> Iterator[None]:
        """Around each phase of a unit test: it fails if it starts a process, even if that is not noticed."""
        self._started = []
        try:
            yield
        finally:
            started, self._started = self._started, None
        if started:
            pytest.fail(f"a unit test starts a process (mark it `engine`): {started[0]}", pytrace=False)


@contextmanager
def limited() -> Iterator[None]:
    """Around the call of a unit test: it fails if it takes too much processor time."""
    before = _seconds()
    yield
    if (seconds := _seconds() - before) > MOST_SECONDS:
        pytest.fail(f"a unit test takes {seconds:.1f} s of processor time: at most {MOST_SECONDS:g}", pytrace=False)


def _seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)
