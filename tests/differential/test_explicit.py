"""Explicit-state search agrees with references that enumerate all executions, on a few generated programs."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.differential import deadlocks, endless, explicit, fuzz, races
from tests.differential import reference as ref
from tests.differential.exhaustive import everything
from tests.differential.explicit_properties import is_wrong


def lost_update(expected: int) -> ref.Program:
    """Two threads increment x, and main claims that it is not *expected* then."""
    thread = ref.Function("t", "thread", "void", (), (ref.Do(ref.Increment("++", False, ref.Var("x"))),))
    main = []
    for name in ("one", "two"):
        main += [ref.Declare("thread", name), ref.Create(name, "t")]
    main += [
        ref.Join("one"),
        ref.Join("two"),
        ref.Observe("o", ref.Var("x")),
        ref.Assert(ref.Binary("!=", ref.Var("o"), ref.Const(expected))),
    ]
    return ref.Program(
        (ref.Shared("int", "x"),), (), (), (thread, ref.Function("main", "main", "int", (), tuple(main)))
    )


@pytest.mark.parametrize(("expected", "needed"), [(0, None), (1, 1), (2, 0)])
def test_the_reference_counts_preemptions(expected: int, needed: int | None) -> None:
    result = everything(lost_update(expected), 1, counts=True)
    assert result.violated == (needed is not None)
    assert needed is None or result.preemptions == needed
    assert set(result.seen["o"]) <= {1, 2}


@pytest.mark.parametrize("expected", [0, 1, 2])
def test_a_lost_update(tmp_path: Path, expected: int) -> None:
    program = lost_update(expected)
    assert explicit.disagreement(program, everything(program, 1), tmp_path, Counter()) == ""


def test_generated_programs(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    for number, program in fuzz.programs(seed=5, count=6, size=5):
        rng = random.Random(number)
        for test, expected in explicit.tests_of(program, rng, counts):
            assert explicit.disagreement(test, expected, tmp_path, counts, rng) == "", explicit.to_c(test)
    assert counts["safe --no-por"] >= 3, counts
    assert counts["violated --no-por"] >= 3, counts


def test_programs_that_go_on_for_ever(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    for number, program in endless.programs(seed=6, count=5):
        rng = random.Random(number)
        for test, violated in endless.tests_of(program, rng):
            assert endless.disagreement(test, violated, tmp_path, counts, explicit.some(rng)) == "", test.to_c()
    assert counts["safe --no-por"] >= 3, counts
    assert counts["violated --no-por"] >= 3, counts


@pytest.mark.parametrize("kind", [deadlocks, races], ids=["deadlocks", "races"])
def test_other_properties(tmp_path: Path, kind: Any) -> None:
    counts: Counter[str] = Counter()
    for number, program in kind.programs(11, 4):
        assert is_wrong(program, tmp_path, counts, explicit.some(random.Random(number))) == "", kind.to_c(program)
    assert sum(times for what, times in counts.items() if what.startswith("safe")) == 6, counts
    assert sum(times for what, times in counts.items() if what.startswith("violated")) == 6, counts
