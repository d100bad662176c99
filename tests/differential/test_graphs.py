"""A few random programs for the explorer of execution graphs; see `graphs.py`, `deadlocks.py` and `wakeups.py`."""

from __future__ import annotations

import random
from pathlib import Path

from tests.differential import deadlocks, wakeups
from tests.differential.graphs import disagreements, program


def test_the_explorer_finds_the_graphs_that_the_enumeration_finds(tmp_path: Path) -> None:
    rng = random.Random(20)
    assert not disagreements([program(rng, (4, 5, 6)) for _ in range(15)], tmp_path)


def test_deadlocks_are_those_that_a_search_finds(tmp_path: Path) -> None:
    found = set()
    for number, each in deadlocks.programs(506, 4):
        expected, answered = deadlocks.compare(each, 6, tmp_path, backend="graphs")
        assert answered == expected, f"program {number}:\n{deadlocks.to_c(each)}"
        found.add(answered)
    assert found == {False, True}


def test_waits_end_with_and_without_signals(tmp_path: Path) -> None:
    for threads in wakeups.programs(3, 4):
        assert not wakeups.disagreement(threads, tmp_path, "graphs"), wakeups.to_c(threads)
