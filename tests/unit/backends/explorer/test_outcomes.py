"""What a transition can come to, and what the engine makes of it when it is asked for one property or another."""

import pytest

CRASHES = {"null": "SIGSEGV", "division": "SIGFPE", "trap": "SIGILL"}


def outcome(engine, case, *options):
    return engine("outcomes", *options, env={"CASE": case})


@pytest.mark.parametrize("case", CRASHES)
def test_a_crash_is_a_violation_and_the_search_goes_on_living(engine, case):
    answer = outcome(engine, case)
    assert (answer.status, answer.kind, answer.text) == ("violated", "crash", CRASHES[case])
    assert answer.schedule == [[0, []]]
    assert engine.follow("outcomes", answer, env={"CASE": case})[-1] == f"crashed {CRASHES[case]}"
    # For the other properties it ends the execution.
    assert outcome(engine, case, "--check", "deadlock").status == "safe"
    assert outcome(engine, case, "--check", "race").status == "safe"


@pytest.mark.parametrize("case", ["not null", "constant", "drop", "exit", "no choice"])
def test_what_is_nothing_to_talk_of(engine, case):
    for check in ["assertion", "deadlock", "race"]:
        assert outcome(engine, case, "--check", check).status == "safe"


def test_memory_that_is_not_the_programs(engine):
    answer = outcome(engine, "elsewhere")
    assert (answer.status, answer.text) == ("refused", "an access to memory that is not the program's")


def test_what_is_not_followed_ends_the_search(engine):
    answer = outcome(engine, "refuse")
    assert (answer.status, answer.text) == ("refused", "an uninitialised variable")


@pytest.mark.parametrize(
    "case, cuts, coarse",
    [
        ("cut", ["too many threads"], []),
        ("endless", ["a transition that does not end within 0.2 s"], []),
        ("coarse", [], ["time"]),
    ],
)
def test_what_is_left_out_is_told_and_there_is_no_proof(engine, case, cuts, coarse):
    answer = outcome(engine, case, "--patience", "0.2")
    assert (answer.status, answer.complete, answer.cuts, answer.coarse) == ("unknown", False, cuts, coarse)


def test_choices(engine):
    # 1 + 2 + 3 combinations: for each, main makes four more transitions, and thread 1 ends somewhere after the first.
    assert outcome(engine, "choices", "--no-por").states == 1 + 6 * (1 + 4 * 2)
    answer = outcome(engine, "choice")
    assert (answer.status, answer.schedule) == ("violated", [[0, [3]]])
    assert engine.follow("outcomes", answer, env={"CASE": "choice"}) == [
        "thread 0 1",
        "turn 0",
        "failed assertion `choice != 3'",
    ]


def test_many_choices(engine):
    assert outcome(engine, "many choices", "--no-por").states == 1 + 10000 * 9
    answer = outcome(engine, "choices without end", "--time", "0.1", "--no-por")
    assert (answer.status, answer.states > 4096) == ("time", True)
    assert outcome(engine, "choices without end", "--time", "0.1").status == "time"


@pytest.mark.parametrize(
    "case, stuck",
    [
        ("block", [0]),  # until somebody does something, and there is nobody else
        ("itself", [0]),
        ("block or block", [0]),
        ("joins", [0, 1, 2]),  # main joins one of two that hold what the other needs
        ("ends with lock", [1]),  # main is gone, and holds what thread 1 needs
    ],
)
def test_stuck_threads(engine, case, stuck):
    for reduction in [[], ["--no-por"]]:
        answer = outcome(engine, case, "--check", "deadlock", *reduction)
        assert (answer.status, answer.kind, answer.threads) == ("violated", "deadlock", stuck)
        assert outcome(engine, case, *reduction).status == "safe"
        lines = engine.follow("outcomes", answer, "--stand", ",".join(map(str, stuck)), env={"CASE": case})
        told = [line for line in lines[lines.index("ended") + 1 :] if line.startswith(("asked", "blocked"))]
        asked = [f"{word} {thread}" for thread in stuck for word in ("asked", "blocked")]
        assert told == asked * (2 if case == "block or block" else 1)


@pytest.mark.parametrize("case", ["outside", "block or not", "spins"])
def test_threads_that_can_go_on(engine, case):
    assert outcome(engine, case, "--check", "deadlock").status == "safe"


@pytest.mark.parametrize("order", ["bfs", "dfs", "random", "icb"])
@pytest.mark.parametrize("reduction", [[], ["--no-por"]])
def test_deadlock_of_some_while_others_go_on(engine, order, reduction):
    asked = ["--check", "deadlock", "--search", order, *reduction]
    answer = engine("circle", *asked, defines=("BUG",))
    assert (answer.status, answer.threads) == ("violated", [0, 1])
    assert engine("circle", *asked).status == "safe"


def test_a_search_ends_at_once_where_it_is_to_begin_again(engine):
    env = {"CASE": "cut"}
    stopped = engine("outcomes", "--stop", "too few", "--stop", "too many threads", env=env)
    assert (stopped.status, stopped.complete, stopped.cuts, stopped.states) == (
        "unknown", False, ["too many threads"], 0
    )  # fmt: skip
    assert engine("outcomes", "--stop", "too few", env=env).states > 0
