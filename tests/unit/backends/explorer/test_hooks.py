"""What a program may offer besides its steps: invariants, an abstraction, a metric, a scheduler."""

import pytest

ALL_STATES = 11 * 11
WATCH_FIRST = "WATCHED=&count[0]"


@pytest.mark.parametrize("order", ["bfs", "dfs", "random", "heuristic", "icb"])
def test_invariant_is_looked_at_in_each_state(engine, order):
    answer = engine("hooks", "--search", order, defines=("INVARIANT=7",))
    assert (answer.status, answer.kind, answer.text) == ("violated", "invariant", "the sum")
    if order in ("bfs", "icb"):
        assert len(answer.schedule) == 7
    lines = engine.follow("hooks", answer, defines=("INVARIANT=7",))
    assert (lines.count("turn 0") + lines.count("turn 1"), lines[-1]) == (len(answer.schedule), "invariant the sum")
    # That nobody knows what it reads is a reason to reduce nothing.
    answer = engine("hooks", "--search", order, defines=("INVARIANT=19",))
    assert answer.status == "safe"
    assert answer.states >= ALL_STATES


def test_states_at_the_bound_on_the_depth_are_looked_at(engine):
    assert len(engine("hooks", "--depth", "7", defines=("INVARIANT=7",)).schedule) == 7
    assert engine("hooks", "--depth", "6", defines=("INVARIANT=7",)).status == "unknown"


def test_reduction_passes_over_no_state_behind_a_write_to_what_an_invariant_reads(engine):
    # It looks at one counter alone, and the other one is reduced.
    violated, safe = "count[0] == 5 ? 0 : 18", "count[0] == 10 ? 0 : 19"
    for invariant, status in [(violated, "violated"), (safe, "safe")]:
        answer = engine("hooks", defines=(f"INVARIANT=({invariant}) + count[1] + count[0]", WATCH_FIRST))
        assert answer.status == status


def test_invariant_that_cannot_be_evaluated_is_no_verdict(engine):
    answer = engine("hooks", defines=("CRASH",))
    assert (answer.status, answer.text) == ("refused", "an invariant that cannot be evaluated")


@pytest.mark.parametrize("store", ["exact", "compact"])
def test_abstraction_is_all_that_is_matched(engine, store):
    answer = engine("hooks", "--no-por", "--store", store, defines=("ABSTRACT",))
    # What is abstracted from 0 to 4 stays at 1, since the state after the first step is taken for the one before it.
    assert answer.states == 1
    assert (answer.status, "abstraction" in answer.limits) == ("unknown", True)


def test_metric_leads_the_search(engine):
    defines = ("INVARIANT=9", "METRIC=count[0] - count[1]")
    answer = engine("hooks", "--search", "heuristic", defines=defines)
    assert [thread for thread, _ in answer.schedule] == [0] * 9
    defines = ("INVARIANT=9", "METRIC=count[1] - count[0]")
    answer = engine("hooks", "--search", "heuristic", defines=defines)
    assert [thread for thread, _ in answer.schedule] == [1] * 9


def test_scheduler_says_who_runs(engine):
    # First thread 1 to its end, then thread 0.
    answer = engine("hooks", defines=("RUNNABLE=1",))
    assert (answer.status, answer.states) == ("safe", 21)
    assert engine("hooks", "--check", "deadlock", defines=("RUNNABLE=1",)).status == "safe"
    # It lets nobody run any more.
    answer = engine("hooks", "--check", "deadlock", defines=("RUNNABLE=0",))
    assert (answer.status, answer.threads, len(answer.schedule)) == ("violated", [0], 10)
