"""The other engines on random programs: a fixed, small sample. `fuzz.py --backend NAME` goes on from there."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import deadlocks
import fuzz
import races

from cseq.backends.base import BACKENDS, backend

_SECONDS = 60.0


@pytest.fixture(params=["esbmc", "klee"])
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name not in BACKENDS or backend(name).find() is None:
        pytest.skip(f"the backend `{name}` is not installed")
    return name


def test_assertions(engine: str) -> None:
    bounds = fuzz.Bounds(1, 1, 64, backend=engine, timeout=_SECONDS)
    counts: Counter[str] = Counter()
    for number, program in fuzz.programs(401, 1, 2, size=3):
        for test in fuzz.tests_of(program, bounds, random.Random(f"401/{number}/tests"), counts):
            wrong = fuzz.disagreement(test, bounds, counts)
            assert not wrong, f"{wrong}, with {bounds}:\n{fuzz.to_c(test)}"
    assert counts["expected True: FALSE"] == 1, counts
    assert counts["expected False: UNKNOWN"] + counts["expected False: TRUE"] == 1, counts


@pytest.mark.parametrize(("number", "race"), [(29, False), (144, True)])
def test_races(engine: str, number: int, race: bool) -> None:
    bounds = fuzz.Bounds(1, 1, 64, backend=engine, timeout=_SECONDS)
    counts: Counter[str] = Counter()
    for _, program in races.programs(402, 1, number, size=2):
        wrong = races.disagreement(program, bounds, counts)
        assert not wrong, f"{wrong}, with {bounds}:\n{fuzz.to_c(program)}"
    answers = {"race True: FALSE"} if race else {"race False: UNKNOWN", "race False: TRUE"}
    assert sum(counts[answer] for answer in answers) == 1, counts


# KLEE has to follow all executions of a program without a deadlock: they are many even in the smallest one.
@pytest.mark.parametrize(
    ("engine", "number", "deadlock"),
    [("esbmc", 17, False), ("esbmc", 2713, True), ("klee", 2713, True)],
    indirect=["engine"],
)
def test_deadlocks(engine: str, number: int, deadlock: bool, tmp_path: Path) -> None:
    for _, program in deadlocks.programs(number, 1):
        answers = deadlocks.compare(program, 1, tmp_path, backend=engine, timeout=_SECONDS)
        assert answers == (deadlock, deadlock), deadlocks.to_c(program)
