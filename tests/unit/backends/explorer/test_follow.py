"""Schedules that are followed, and single runs."""

import pytest

BUG = ("BUG",)


def test_trace_of_a_schedule(engine):
    answer = engine("telling")
    assert engine.follow("telling", answer) == [
        "thread 0 1",
        "turn 0",
        "at 1",
        "value 3 2a",
        "thread 1 a",
        "turn 1",
        "at a",
        "at b",
        "failed assertion `0'",
    ]


def test_where_threads_stand(engine):
    answer = engine("telling", "--check", "deadlock")
    assert (answer.status, answer.threads) == ("violated", [0])
    lines = engine.follow("telling", answer, "--stand", "0,1")
    stands = ["asked 0", "place 2", "at 2", "blocked 0", "asked 1", "place a", "at a", "at b"]
    assert lines[lines.index("ended") :] == ["ended", *stands]


def test_schedule_that_does_not_fit(engine):
    answer = engine("telling")
    answer.json["schedule"] = [[1, []]]
    assert engine.follow("telling", answer) == ["thread 0 1", "refused the schedule names a thread that does not exist"]
    answer = engine("outcomes", env={"CASE": "choice"})
    answer.json["schedule"] = [[0, [5]]]
    lines = engine.follow("outcomes", answer, env={"CASE": "choice"})
    assert lines[-1] == "refused a choice that the program does not have here"


def test_round_robin(engine):
    answer = engine("lost_update", "--simulate", "roundrobin", defines=BUG)
    assert [thread for thread, _ in answer.schedule][:8] == [0, 1, 0, 1, 2, 1, 2, 1]
    # Thread 1 began earlier, and is just ahead of thread 2.
    assert (answer.status, answer.limits, len(answer.schedule)) == ("unknown", ["one run"], 15)


@pytest.mark.parametrize("seed", range(3))
def test_random_run_is_the_same_for_the_same_seed(engine, seed):
    asked = ["--simulate", "random", "--seed", str(seed)]
    first, again = (engine("lost_update", *asked, defines=BUG) for _ in range(2))
    assert first.schedule == again.schedule
    other = engine("lost_update", "--simulate", "random", "--seed", str(seed + 1), defines=BUG)
    assert other.schedule != first.schedule
    lines = engine.follow("lost_update", first, defines=BUG)
    assert lines[-1] == ("failed assertion `x == 2'" if first.status == "violated" else "ended")


def test_some_random_runs_find_a_bug_and_some_do_not(engine):
    runs = [engine("lost_update", "--simulate", "random", "--seed", str(seed), defines=BUG) for seed in range(12)]
    assert {run.status for run in runs} == {"violated", "unknown"}


def test_simulation_ends_at_its_bound(engine):
    assert len(engine("circle", "--simulate", "random", "--depth", "50").schedule) == 50


def test_simulation_finds_deadlock(engine):
    answer = engine("circle", "--simulate", "roundrobin", "--check", "deadlock", defines=BUG)
    assert (answer.status, answer.kind, answer.threads) == ("violated", "deadlock", [0, 1])
