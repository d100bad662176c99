"""Breadth-first search by several processes: it says what one process says, or that it failed."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

SHARED = ["--together", "2"]
"""Small layers are shared, too."""

JOBS = [["--jobs", "1", "--shared"], ["--jobs", "2", *SHARED], ["--jobs", "3", *SHARED]]

VARYING = ("queue", "seconds", "cpu_seconds", "jobs", "states_per_second", "memory", "state_bytes", "bytes_per_state")
"""Statistics that may differ. Each process has its own pages in use, so the size of a state is one of them."""

LARGE = ("MODULUS=200",)
"""Eight million states of `many`."""


def _same(engine: Any, name: str, *options: str, **how: Any) -> Any:
    """What one process says; several have to say the same."""
    alone = engine(name, "--search", "bfs", *options, **how)
    for jobs in JOBS:
        together = engine(name, "--search", "bfs", *options, *jobs, **how)
        assert int(jobs[1]) >= together.json["statistics"]["jobs"] > 0
        for answer in (alone, together):
            for statistic in VARYING:
                answer.json["statistics"].pop(statistic, None)
        assert together.json == alone.json, jobs
    return alone


def test_several_processes_take_part(engine):
    assert engine("many", "--no-por", "--jobs", "3").jobs == 3
    assert engine("many", "--no-por").jobs == 1
    assert engine("counters", "--no-por", "--jobs", "2").jobs == 1  # too few states for two


@pytest.mark.parametrize("reduction", [[], ["--no-por"]], ids=["reduced", "full"])
@pytest.mark.parametrize(
    ("name", "defines", "options", "status"),
    [
        ("lost_update", (), (), "safe"),
        ("lost_update", ("BUG",), (), "violated"),
        ("circle", (), ("--check", "deadlock"), "safe"),
        ("circle", ("BUG",), ("--check", "deadlock"), "violated"),
        ("deep", ("COUNT=8",), (), "safe"),
        ("deep", ("COUNT=5", "BUG"), (), "violated"),
        ("deep", ("COUNT=8",), ("--check", "race"), "safe"),
        ("deep", ("COUNT=8", "BUG"), ("--check", "race"), "violated"),
        ("pages", (), (), "safe"),
        ("pages", ("BUG",), (), "violated"),
        ("pages", (), ("--depth", "9"), "unknown"),
        ("counters", ("EXITS",), (), "safe"),
    ],
)
def test_they_say_what_one_says(engine, name, defines, options, status, reduction):
    assert _same(engine, name, *options, *reduction, defines=defines).status == status


@pytest.mark.parametrize("check", ["assertion", "deadlock", "race"])
def test_they_agree_on_random_programs(engine, check):
    found = {_same(engine, "any", "--check", check, env={"SEED": str(seed)}).status for seed in (1, 2, 3, 6, 9, 173)}
    assert found == {"safe", "violated"}


def test_what_any_process_reaches_is_reached(engine):
    defines = ("MODULUS=16", "MARKED")
    assert _same(engine, "many", "--no-por", defines=defines).json["reached"] == list(range(16**3))
    together = engine("many", "--no-por", "--search", "bfs", "--jobs", "3", *SHARED, defines=defines)
    assert (together.jobs, together.json["reached"]) == (3, list(range(16**3)))
    assert "reached" not in engine("many", "--no-por", "--search", "bfs", defines=("MODULUS=16",)).json


def test_keys_are_the_same_whatever_pages_a_process_has_used(engine):
    # 13 numbers for each thread, and its end.
    assert _same(engine, "pages", "--no-por").states == 14**3


def test_cuts_are_told_in_the_same_order(engine):
    assert _same(engine, "pages", "--no-por", defines=("CUT",)).cuts == ["another bound", "one bound"]


def test_no_thread_is_put_off_for_ever_where_one_goes_on_alone(engine):
    for longest in ("1", "64"):  # of a superstep
        assert _same(engine, "futures", "--superstep", longest).status == "safe"
        assert _same(engine, "futures", "--superstep", longest, defines=("BUG",)).text == "assertion `sum < 2'"
    assert engine("futures", "--superstep", "1").states < engine("futures", "--superstep", "1", "--not-alone").states


def test_they_begin_again_where_a_thread_touches_what_it_was_not_to_touch(engine):
    found = _same(engine, "futures", defines=("LIES",))
    assert (found.status, found.text) == ("violated", "assertion `x[thread] < 100'")
    assert found.coarse == ["a coarse step"]
    assert engine.follow("futures", found, defines=("LIES",))[-1] == "failed assertion `x[thread] < 100'"


@pytest.mark.parametrize("search", ["bfs", "auto"])
def test_they_stop_at_a_cut(engine, search):
    for jobs in JOBS:
        answer = engine(
            "pages", "--no-por", "--search", search, "--turn", "6", "--stop", "one bound", *jobs, defines=("CUT",)
        )
        assert (answer.status, answer.cuts, answer.states) == ("unknown", ["one bound"], 0)


@pytest.mark.parametrize("jobs", ["2", "3"])
def test_bounds_of_memory_and_time(engine, jobs):
    answer = engine("many", "--no-por", "--memory", "8", "--jobs", jobs, defines=LARGE)
    assert (answer.status, answer.complete) == ("memory", False)
    assert 10_000 < answer.states < 200**3
    assert answer.memory <= 9 * 2**20
    answer = engine("many", "--no-por", "--time", "0.05", "--jobs", jobs, defines=LARGE)
    assert (answer.status, answer.complete) == ("time", False)
    assert 0 < answer.states < 200**3


def _workers(process: subprocess.Popen[str]) -> list[int]:
    """The processes that the engine has made, when there are some."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    end = time.monotonic() + 30
    while not (found := children.read_text().split()) and time.monotonic() < end:
        time.sleep(0.002)
    return [int(number) for number in found]


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not show whose children there are")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGKILL, "memory"), (signal.SIGSEGV, "error")])
def test_a_worker_that_is_lost_is_no_proof(engine, number, status):
    command = [engine.program("many", *LARGE), "--no-por", "--search", "bfs", "--jobs", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        workers = _workers(process)
        os.kill(workers[0], number)
        answer = json.loads(process.communicate(timeout=60)[0])
    assert (answer["status"], answer["complete"]) == (status, False)
    assert answer["text"] == f"a process of the search was ended by signal {int(number)}"
    assert not any(map(_is_alive, workers))


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not show whose children there are")
@pytest.mark.parametrize("search", ["bfs", "auto"])
def test_workers_end_with_the_engine(engine, search):
    command = [engine.program("many", *LARGE), "--no-por", "--search", search, "--turn", "100", "--jobs", "3"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        workers = _workers(process)
        process.kill()
        process.wait(60)
    end = time.monotonic() + 30
    while any(map(_is_alive, workers)) and time.monotonic() < end:
        time.sleep(0.002)
    assert workers
    assert not any(map(_is_alive, workers))


@pytest.mark.parametrize("jobs", ["2", "3"])
def test_breadth_first_search_and_the_others_race(engine, jobs):
    race = ["--search", "auto", "--turn", "6", "--jobs", jobs, *SHARED]
    answer = engine("deep", *race, defines=("BUG", "COUNT=1000"))
    assert (answer.status, answer.text, answer.jobs) == ("violated", "assertion `number[0] == 2 * COUNT'", int(jobs))
    shares = {share["name"]: share for share in answer.searches}
    assert [name for name, share in shares.items() if share["found"]] in (["walks"], ["dfs"], ["icb"])
    assert "bfs" in shares
    assert (
        engine.follow("deep", answer, defines=("BUG", "COUNT=1000"))[-1] == "failed assertion `number[0] == 2 * COUNT'"
    )
    for seed in range(6):
        env = {"SEED": str(seed)}
        for check in ("assertion", "deadlock"):
            alone = engine("any", "--check", check, env=env)
            answer = engine("any", "--check", check, *race, env=env)
            assert (answer.status, answer.complete) == (alone.status, alone.complete), seed


def test_when_memory_ends_in_a_race_a_swarm_goes_on(engine):
    defines = ("FIBONACCI=1000000", "COUNT=14")
    for jobs in ("2", "3"):
        answer = engine(
            "deep", "--search", "auto", "--turn", "10000", "--memory", "4", "--no-por", "--jobs", jobs, defines=defines
        )
        assert (answer.status, answer.complete) == ("memory", False)
        assert any(share["name"] == "swarm" and share["walks"] > 0 for share in answer.searches)


def test_the_number_of_jobs_is_at_least_one(engine):
    for word in ("0", "many"):
        command = [engine.program("counters"), "--jobs", word]
        assert engine.failure(*command) == "--jobs: no such option, or not with this value\n"
