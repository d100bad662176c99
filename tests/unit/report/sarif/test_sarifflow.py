"""A counterexample as a code flow, stacks, and related locations."""

from pathlib import Path
from typing import Any

import pytest

from cseq.model.actions import ActionKind, ObjectKind
from cseq.model.claims import Claim, Kind, Memory, MemoryState, Reason
from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Action, Counterexample, Hold, Holder, LockWait, Step, Stuck
from cseq.model.verdict import Property
from cseq.report.sarif.sarifflow import Flow
from cseq.report.sarif.sarifplaces import Places
from tests.support.counterexamples import LOST, MAIN, ONE, TWO, at, create, lock, own, read, wrote

ASSERTION = Property(Claim(Kind.ASSERTION, subject="x == 2"), at(23, "main"))


@pytest.fixture
def flow(tmp_path: Path) -> Any:
    """The flow of some steps."""

    def made(*steps: Step, violated: Property | None = ASSERTION, **more: Any) -> Flow:
        shown = Counterexample(list(steps), [MAIN, ONE, TWO], **more)
        return Flow(shown, Places(tmp_path, ("a.c",)), violated)

    return made


def locations(flow: Flow) -> dict[int, dict[str, Any]]:
    """The locations of all threads, by their place in time."""
    found = [place for thread in flow.code_flow()["threadFlows"] for place in thread["locations"]]
    return {place["executionOrder"]: place for place in found}


def test_each_thread_has_a_flow_and_steps_are_numbered_across_them(flow: Any) -> None:
    threads = flow(*LOST).code_flow()["threadFlows"]
    assert [(thread["id"], thread["message"]["text"]) for thread in threads] == [
        ("0", "main"), ("1", "work (thread 1)"), ("2", "work (thread 2)"),
    ]  # fmt: skip
    orders = [[place["executionOrder"] for place in thread["locations"]] for thread in threads]
    assert orders == [[1, 5], [2, 4], [3]]


def test_what_a_step_says(flow: Any) -> None:
    inside = Origin("a.c", 5, function="f", path=(CallSite("work", "a.c", 3),), iteration=(2, 1))
    found = locations(flow(create(ONE), Step(ONE, inside, "x++;", [read("x", "0"), wrote("x", "1")]), LOST[-1]))[2]
    assert found["location"]["message"]["text"].startswith("work (thread 1): ")
    assert found["nestingLevel"] == 1 and found["properties"] == {"iteration": [2, 1]}
    assert found["state"] == {"x": {"text": "1"}}


def test_a_step_that_does_nothing_goes_on(flow: Any) -> None:
    found = locations(flow(Step(MAIN, at(19, "main"), "{"), LOST[-1]))[1]
    assert found["location"]["message"]["text"] == "main: goes on."
    assert "state" not in found and "kinds" not in found and "properties" not in found


def test_what_matters_how_much(flow: Any) -> None:
    steps = [
        Step(ONE, at(1), "int n = 1;", [own("n", "1")]), Step(ONE, at(2), "y = 1;", [wrote("y", "1", 72)]),
        Step(ONE, at(3), "x = 1;", [wrote("x", "1", 64)]), lock(ONE, 4), LOST[-1],
    ]  # fmt: skip
    assert [place["importance"] for _, place in sorted(locations(flow(*steps)).items())] == [
        "unimportant", "important", "essential", "important", "essential",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("step", "kinds"),
    [
        (lock(ONE, 3), ["enter", "function", "acquire", "lock"]),
        (lock(MAIN, 3, kind="unlock"), ["release", "lock"]),
        (Step(MAIN, at(3), "if (x)"), ["branch"]),
        (Step(MAIN, at(3), "} else while (x)"), ["branch"]),
        (Step(MAIN, at(3), "iffy(x);"), None),
        (Step(MAIN, at(3), "", actions=[Action(ActionKind.UNLOCK, "m"), Action(ActionKind.WAIT, "c")]),
         ["release", "lock", "call", "condition"]),
        (Step(ONE, at(3), "", actions=[Action(ActionKind.END)]), ["enter", "function", "exit", "thread"]),
    ],
)  # fmt: skip
def test_kinds_of_locations(flow: Any, step: Step, kinds: list[str] | None) -> None:
    assert locations(flow(step, LOST[-1]))[1].get("kinds") == kinds


def test_the_last_step_is_where_the_danger_is_unless_it_goes_on_for_ever(flow: Any) -> None:
    assert locations(flow(*LOST))[5]["kinds"] == ["danger"]
    assert "kinds" not in locations(flow(*LOST, cycle=2))[5]


@pytest.mark.parametrize(
    ("cycle", "message"),
    [
        (None, None),
        (2, "The steps from number 3 on are repeated for ever."),
        (5, "After the last step, nothing more happens."),
    ],
)
def test_what_is_said_of_all_steps(flow: Any, cycle: int | None, message: str | None) -> None:
    made = flow(*LOST, cycle=cycle)
    assert made.code_flow().get("message") == (message and {"text": message})
    explained = made.code_flow("It fails.")["message"]["text"]
    assert explained == " ".join(filter(None, ["It fails.", message]))


def test_where_the_values_come_from_that_the_last_step_reads(flow: Any) -> None:
    (related,) = flow(*LOST).related
    assert (related.origin, related.what, related.step) == (at(5), "work (thread 1) sets x = 1", 3)
    other = Step(TWO, at(9), "*p = 1;", [wrote("*p", "1", 64)])
    (related,) = flow(*LOST[:4], other, LOST[-1]).related
    assert (related.what, related.step) == ("work (thread 2) sets *p = 1", 4)


def test_values_of_memory_at_another_address_or_of_locals_come_from_elsewhere(flow: Any) -> None:
    elsewhere = Step(TWO, at(9), "*p = 1;", [wrote("x", "1", 128)])
    last = Step(MAIN, at(23, "main"), "assert(x == 2);", [read("x", "1", 64)])
    assert flow(elsewhere, last).related == []
    assert flow(*LOST, cycle=1).related == []


def test_the_place_that_the_claim_names(flow: Any) -> None:
    freed = Step(ONE, at(5), "free(p);", actions=[Action(ActionKind.FREE, "p")])
    use = Step(MAIN, at(23, "main"), "*p = 1;")
    claim = Claim(Kind.MEMSAFETY, Reason.WRITE, "*p", memory=Memory(MemoryState.FREED, at(5)))
    (related,) = flow(create(ONE), freed, use, violated=Property(claim, use.origin)).related
    assert (related.origin, related.step) == (at(5), 1) and related.what.startswith("work (thread 1): ")
    assert flow(create(ONE), freed, use, violated=Property(Claim(Kind.MEMSAFETY), use.origin)).related == []


def test_where_threads_stand_and_where_they_took_their_locks(flow: Any) -> None:
    stuck = [
        Stuck(ONE, at(10), LockWait(ObjectKind.MUTEX, "n", Holder(TWO, at(6))), (TWO,), (Hold("m", at(5)),), True),
        Stuck(TWO, at(11), LockWait(ObjectKind.MUTEX, "m", Holder(ONE, at(5))), (ONE,), (Hold("n", at(6)),), True),
    ]
    stands = [Step(each.thread, each.origin, "pthread_mutex_lock(…);", stands=True, why=each) for each in stuck]
    made = flow(lock(ONE, 5, "m"), lock(TWO, 6, "n"), *stands, violated=None, stuck=stuck)
    assert [(place.origin.line, place.step) for place in made.ends] == [(10, 2), (11, 3)]
    assert [(place.what, place.step) for place in made.before] == [
        ("work (thread 1) locks m", 0), ("work (thread 2) locks n", 1),
    ]  # fmt: skip
    assert [stack["frames"][0]["threadId"] for stack in made.stacks()] == [1, 2]
    assert made.stacks()[0]["message"]["text"].startswith("work (thread 1): waits for n")


def test_a_stack_leads_from_the_last_step_outwards(flow: Any) -> None:
    calls = (CallSite("main", "a.c", 20), CallSite("outer", "a.c", 8))
    (stack,) = flow(Step(MAIN, Origin("a.c", 3, function="inner", path=calls), "assert(0);")).stacks()
    frames = [frame["location"] for frame in stack["frames"]]
    assert [frame["physicalLocation"]["region"]["startLine"] for frame in frames] == [3, 8, 20]
    assert [frame["logicalLocations"][0]["name"] for frame in frames] == ["inner", "outer", "main"]
    assert stack["message"]["text"] == "main." and stack["frames"][0]["threadId"] == 0


def test_a_counterexample_without_steps(flow: Any) -> None:
    empty = flow()
    assert empty.related == [] and empty.stacks() == [] and empty.code_flow()["threadFlows"] == []
