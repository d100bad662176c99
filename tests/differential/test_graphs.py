"""A few random programs for the explorer of execution graphs; see `graphs.py`, `deadlocks.py` and `wakeups.py`."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from tests.differential import deadlocks, wakeups
from tests.differential.graphs import disagreements, program, waiting_program
from tests.support.litmus import build, explored


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


def test_threads_that_wait_have_the_graphs_in_which_they_go_on(tmp_path: Path) -> None:
    rng = random.Random(21)
    assert not disagreements([waiting_program(rng, (3, 4)) for _ in range(6)], tmp_path)


def test_several_processes_find_the_graphs_of_one(tmp_path: Path) -> None:
    """The stack is divided after the first graph or the fifth, so the processes give each other most of the graphs."""
    rng = random.Random(22)
    programs = [maker(rng) for maker in (program, waiting_program) for _ in range(20)]
    binary = build(programs, tmp_path)
    for number in range(len(programs)):
        alone = Counter(explored(binary, number))
        for begin in ("1", "5"):
            assert Counter(explored(binary, number, "--jobs", "3", "--alone", begin)) == alone
