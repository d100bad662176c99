"""Several searches that take turns: what each of them is for, and that they agree."""

import itertools

import pytest

LONG = ("BUG", "COUNT=1000")


def _who(answer):
    return [share["name"] for share in answer.searches if share["found"]]


def _switches(schedule):
    return sum(one[0] != other[0] for one, other in itertools.pairwise(schedule))


def test_what_is_small_is_searched_breadth_first_alone(engine):
    for defines, status in ((("BUG",), "violated"), ((), "safe")):
        answer, alone = (engine("lost_update", "--search", order, defines=defines) for order in ("auto", "bfs"))
        assert (answer.status, answer.states) == (alone.status, alone.states)
        assert answer.json.get("schedule") == alone.json.get("schedule")
        assert answer.status == status
        assert [share["name"] for share in answer.searches] == ["bfs"]


def test_a_deep_violation_is_found_and_its_schedule_is_short(engine):
    answer = engine("deep", "--search", "auto", defines=LONG)
    assert (answer.status, answer.text) == ("violated", "assertion `number[0] == 2 * COUNT'")
    assert _who(answer) in (["walks"], ["dfs"])
    # Main, one thread, the other one, the first one again, main: fewer switches lose no update.
    assert _switches(answer.schedule) == 4
    assert engine.follow("deep", answer, defines=LONG)[-1] == "failed assertion `number[0] == 2 * COUNT'"


def test_the_same_seed_gives_the_same_answer(engine):
    answers = [engine("deep", "--search", "auto", "--seed", seed, defines=LONG) for seed in ("3", "3")]
    assert answers[0].schedule == answers[1].schedule


def test_the_twin_of_a_deep_violation_is_proved(engine):
    answer = engine("deep", "--search", "auto", "--turn", "1000")
    assert (answer.status, answer.complete) == ("safe", True)
    assert {"bfs", "dfs", "icb", "walks"} == {share["name"] for share in answer.searches}


@pytest.mark.parametrize(("claimed", "status"), [(17711, "violated"), (17712, "unknown")])
def test_a_beam_finds_the_one_schedule_that_comes_near_enough(engine, claimed, status):
    defines = (f"FIBONACCI={claimed}", "COUNT=10")
    answer = engine("deep", "--search", "beam", "--width", "64", defines=defines)
    assert (answer.status, answer.complete) == (status, False)
    answer = engine("deep", "--search", "auto", "--turn", "100", defines=defines)
    assert answer.status == ("violated" if status == "violated" else "safe")
    if status == "violated":
        assert _who(answer) == ["directed"]
        assert engine.follow("deep", answer, defines=defines)[-1].startswith("failed ")


def test_a_beam_alone_proves_nothing(engine):
    answer = engine("lost_update", "--search", "beam", "--width", "100000")
    assert (answer.status, answer.limits) == ("unknown", ["beam"])


@pytest.mark.parametrize(
    ("check", "seeds"),
    [("assertion", [*range(30), 167, 173, 257, 270, 311, 378, 390, 452, 471, 476, 486, 600]),
     ("deadlock", range(50)), ("race", range(50))],
)  # fmt: skip
def test_the_searches_agree_on_random_programs(engine, check, seeds):
    found = set()
    for seed in seeds:
        env = {"SEED": str(seed)}
        alone = engine("any", "--check", check, env=env)
        answer = engine("any", "--check", check, "--search", "auto", "--turn", "6", "--seed", str(seed), env=env)
        assert (answer.status, answer.complete) == (alone.status, alone.complete), seed
        found.update(_who(answer))
        if answer.status != "violated":
            continue
        assert answer.kind == alone.kind or check == "assertion", seed
        followed = engine.follow("any", answer, "--stand", ",".join(map(str, answer.threads)), env=env)
        if check == "assertion":
            assert followed[-1].startswith(("failed", "crashed")), seed
        elif check == "deadlock":
            assert [line for line in followed if line.startswith("asked")], seed
            assert sum(line.startswith("blocked") for line in followed) >= len(answer.threads), seed
    assert {"bfs", "walks"} <= found


def test_when_memory_ends_a_swarm_goes_on(engine):
    defines = ("FIBONACCI=1000000", "COUNT=14")
    answer = engine("deep", "--search", "auto", "--turn", "10000", "--memory", "4", "--no-por", defines=defines)
    assert (answer.status, answer.complete) == ("memory", False)
    (swarm,) = (share for share in answer.searches if share["name"] == "swarm")
    assert swarm["walks"] > 1
    assert swarm["states"] > 0


def test_bounds_are_for_breadth_first_search_alone(engine):
    for bound in (["--depth", "5"], ["--preemptions", "1"], ["--store", "compact"]):
        answer, alone = (engine("lost_update", "--search", order, *bound) for order in ("auto", "bfs"))
        assert (answer.status, answer.states, answer.limits) == (alone.status, alone.states, alone.limits)
