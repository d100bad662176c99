"""Searches: verdicts, counterexamples and numbers of states of programs that are small enough to count."""

import subprocess

import pytest

BUG = ("BUG",)


@pytest.mark.parametrize("reduction", [[], ["--no-por"]])
@pytest.mark.parametrize("order", ["bfs", "dfs", "random", "heuristic", "icb"])
def test_each_search_is_complete(engine, order, reduction):
    answer = engine("lost_update", "--search", order, *reduction)
    assert (answer.status, answer.complete) == ("safe", True)
    answer = engine("lost_update", "--search", order, *reduction, defines=BUG)
    assert (answer.status, answer.kind, answer.text) == ("violated", "assertion", "assertion `x == 2'")
    assert engine.follow("lost_update", answer, defines=BUG)[-1] == "failed assertion `x == 2'"


@pytest.mark.parametrize("order", ["bfs", "dfs", "random", "heuristic"])
def test_all_interleavings(engine, order):
    # Three threads that count to 4 each, and end: 6 * 6 * 6 states.
    assert engine("counters", "--search", order, "--no-por").states == 216
    # Nothing that they do is in conflict, but they end one by one.
    assert engine("counters", "--search", order).states == 8


@pytest.mark.parametrize("stride", [1000, 5000, 300000])
@pytest.mark.parametrize("order", ["bfs", "dfs", "icb"])
def test_what_no_transition_writes_costs_nothing(engine, order, stride):
    defines = (f"STRIDE={stride}",)
    answer = engine("counters", "--search", order, "--no-por", defines=defines)
    assert (answer.status, answer.states) == ("safe", engine("counters", "--search", order, "--no-por").states)
    assert engine("counters", defines=defines).states == 8
    if stride > 1000:  # a page for each counter, and what lies around them
        assert answer.state_bytes < 8 * 4096 < 3 * stride * 4


def test_the_end_of_the_process_is_in_conflict_with_nothing(engine):
    assert engine("counters", "--no-por", defines=("EXITS",)).states == 36
    assert engine("counters", defines=("EXITS",)).states == 4


@pytest.mark.parametrize("options", [[], ["--no-por"], ["--store", "compact"]], ids=["reduced", "full", "compact"])
def test_breadth_first_finds_the_shortest_counterexample(engine, options):
    # Five transitions of each of the three threads.
    assert len(engine("lost_update", *options, defines=BUG).schedule) == 15
    # Each takes its first fork, and nothing else happens.
    assert len(engine("circle", "--check", "deadlock", *options, defines=BUG).schedule) == 2
    for seed, check in [(173, "assertion"), (24, "deadlock"), (3, "race"), (9, "race"), (9, "deadlock")]:
        env = {"SEED": str(seed)}
        shortest = engine("any", "--check", check, "--no-por", env=env).schedule
        assert len(engine("any", "--check", check, *options, env=env).schedule) == len(shortest)


def test_it_tells_how_far_it_is(engine):
    command = [engine.program("counters"), "--no-por", "--tell", "1e-9"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    told = [line.split() for line in done.stderr.splitlines()]
    assert len(told) == 4  # of 216 states, once for 64
    assert {line[0] for line in told} == {"progress"}
    states = [int(line[2]) for line in told]
    assert states == sorted(states)
    assert 0 < states[0] < states[-1] <= 216
    assert engine("counters", "--no-por").states == 216  # and otherwise it says nothing
    assert subprocess.run(command[:2], capture_output=True, text=True, timeout=60, check=True).stderr == ""
