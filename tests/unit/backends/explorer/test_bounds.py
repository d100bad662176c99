"""Bounds and stored states: what is left out is reported, and never taken for a proof."""

from itertools import pairwise

import pytest

BUG = ("BUG",)


def test_preemptions(engine):
    # The lost update needs one: a thread is interrupted between its load and its store. Then the other one has ended.
    assert engine("lost_update", "--preemptions", "0", defines=BUG).status == "unknown"
    answer = engine("lost_update", "--preemptions", "1", defines=BUG)
    assert answer.status == "violated"
    answer = engine("lost_update", "--preemptions", "1")
    assert (answer.status, answer.limits) == ("unknown", ["preemptions"])


def test_as_many_preemptions_as_there_can_be_are_no_bound(engine):
    answer = engine("lost_update", "--preemptions", "20")
    assert (answer.status, answer.limits) == ("safe", [])


def test_iterative_context_bounding_finds_the_fewest_preemptions(engine):
    schedule = engine("lost_update", "--search", "icb", defines=BUG).schedule
    threads = [thread for thread, _ in schedule]
    assert sum(a != b for a, b in pairwise(threads)) == 4  # three of them where a thread ends


@pytest.mark.parametrize("order", ["bfs", "dfs", "random", "heuristic"])
def test_depth(engine, order):
    # As many states as there are three numbers up to 5 with a sum of at most 7, in whatever order they come.
    states = sum(a + b + c <= 7 for a in range(6) for b in range(6) for c in range(6))
    answer = engine("counters", "--no-por", "--depth", "7", "--search", order)
    assert (answer.states, answer.status, answer.limits, answer.depth) == (states, "unknown", ["depth"], 7)
    assert engine("counters", "--no-por", "--depth", "15", "--search", order).status == "safe"


@pytest.mark.parametrize("store", ["exact", "compact"])
@pytest.mark.parametrize("order", ["bfs", "dfs", "random", "heuristic"])
def test_a_state_that_comes_again_earlier_is_looked_at_again(engine, order, store):
    asked = ["--search", order, "--store", store, "--no-por"]
    shortest = len(engine("any", "--no-por", env={"SEED": "390"}).schedule)
    for preemptions in [[], ["--preemptions", "4"]]:
        bounded = [*asked, *preemptions]
        found = engine("any", *bounded, "--depth", str(shortest + 2), env={"SEED": "390"})
        assert (found.status, len(found.schedule) <= shortest + 2) == ("violated", True)
        assert engine("any", *bounded, "--depth", str(shortest - 1), env={"SEED": "390"}).status == "unknown"


@pytest.mark.parametrize("order", ["bfs", "dfs", "random", "heuristic"])
def test_hash_compaction_and_bits_find_bugs_and_prove_nothing(engine, order):
    for store, limit in [("compact", "hash compaction"), ("bits", "bitstate hashing")]:
        asked = ["--search", order, "--store", store, "--no-por"]
        answer = engine("lost_update", *asked, defines=BUG)
        assert (answer.status, answer.kind) == ("violated", "assertion")
        assert engine.follow("lost_update", answer, defines=BUG)[-1] == "failed assertion `x == 2'"
        answer = engine("counters", *asked)
        assert (answer.status, answer.limits, answer.states) == ("unknown", [limit], 216)


def test_coverage_is_bits_for_each_state(engine):
    answer = engine("counters", "--no-por", "--store", "bits", "--bits", "16")
    assert answer.coverage == pytest.approx(2**16 / 216, abs=0.01)
    # Too small a table takes states for others.
    assert engine("counters", "--no-por", "--store", "bits", "--bits", "6").states < 216


@pytest.mark.parametrize("order", ["bfs", "dfs"])
@pytest.mark.parametrize("store", ["exact", "compact"])
def test_memory(engine, order, store):
    answer = engine("many", "--no-por", "--memory", "2", "--search", order, "--store", store)
    assert answer.status == "memory"
    assert 1000 < answer.states < 64**3
    assert answer.memory < 3 * 2**20


def test_enough_memory(engine):
    answer = engine("many", "--no-por", "--memory", "64")
    assert (answer.status, answer.states) == ("safe", 64**3)


def test_time(engine):
    answer = engine("many", "--no-por", "--time", "0.002")
    assert answer.status == "time"
    assert 0 < answer.states < 64**3


def test_icb_needs_all_of_a_state(engine):
    command = [engine.program("counters"), "--search", "icb", "--store", "bits"]
    assert engine.failure(*command) == "--search icb: no such option, or not with this value\n"
    assert engine.failure(engine.program("counters"), "--depth", "many") == (
        "--depth: no such option, or not with this value\n"
    )
