"""The patterns of orders of accesses that made a claim fail: each on the smallest counterexample that has it."""

import pytest

from cseq.model.actions import ActionKind
from cseq.model.trace import Access, Action, Counterexample, Step, Thread
from cseq.report.explain.causes import Cause, CauseKind, CauseSearch, seeds
from cseq.report.explain.history import Event, History
from tests.support.counterexamples import LOST, MAIN, ONE, TWO, at, create, lock, own, read, wrote

END_OF_ONE = Step(ONE, at(9), "return 0;", actions=[Action(ActionKind.END)])
SLEEPS = Step(
    ONE, at(4), "pthread_cond_wait(&c, &m);", actions=[Action(ActionKind.UNLOCK, "m"), Action(ActionKind.WAIT, "c")]
)
WAKES = Step(
    ONE, at(4), "pthread_cond_wait(&c, &m);", actions=[Action(ActionKind.WAKE, "c"), Action(ActionKind.LOCK, "m")]
)


def search(*steps: Step, claim: str = "x == 2", may_be_early: bool = True) -> CauseSearch:
    threads = sorted(
        {step.thread for step in steps} | {t for step in steps for t in step.created}, key=lambda t: t.number
    )
    history = History(Counterexample(list(steps), threads))
    return CauseSearch(history, seeds(history, claim), may_be_early=may_be_early)


def cause(*steps: Step, claim: str = "x == 2", may_be_early: bool = True) -> Cause | None:
    return search(*steps, claim=claim, may_be_early=may_be_early).cause()


def places(found: Cause | None) -> tuple[CauseKind, list[int | None]]:
    """The kind, and the lines of first, other and second."""
    assert found is not None
    events: list[Event | None] = [found.first, found.other, found.second]
    return found.kind, [event.origin.line if event is not None else None for event in events]


def fails(thread: Thread, value: str, line: int = 7, address: int = 64) -> Step:
    return Step(thread, at(line), "assert(x == 2);", [read("x", value, address)])


def stores(thread: Thread, line: int, value: str, name: str = "x", address: int = 64) -> Step:
    return Step(thread, at(line), f"{name} = {value};", [wrote(name, value, address)])


def looks(thread: Thread, line: int, value: str, name: str = "x", address: int = 64) -> Step:
    return Step(thread, at(line), f"if ({name})", [read(name, value, address)])


def test_a_local_that_has_no_value() -> None:
    declared = Step(ONE, at(3), "int x;", [Access("undefined", "x", "7")])
    assert places(cause(create(ONE), declared, Step(ONE, at(7), "assert(x == 2);"))) == (
        CauseKind.UNDEFINED, [3, None, None],
    )  # fmt: skip
    handed = Step(ONE, at(4), "set(&x);")
    assert cause(create(ONE), declared, handed, Step(ONE, at(7), "assert(x == 2);")) is None


def test_an_update_that_is_lost() -> None:
    found = cause(*LOST)
    assert places(found) == (CauseKind.LOST, [5, 5, 5]) and found is not None
    assert found.other is not None and (found.first.thread, found.other.thread) == (ONE, TWO)


def test_a_store_of_the_same_value_loses_nothing() -> None:
    same = Step(TWO, at(5), "x = 0;", [wrote("x", "0", 64)])
    found = cause(LOST[0], LOST[1], same, *LOST[3:])
    assert found is None or found.kind is not CauseKind.LOST


def test_a_wait_that_does_not_test_again() -> None:
    steps = [create(ONE, TWO), looks(ONE, 3, "0"), SLEEPS, stores(TWO, 12, "1"), WAKES, fails(ONE, "1")]
    assert places(cause(*steps)) == (CauseKind.WOKEN, [3, 12, 7])
    found = cause(*steps[:4], WAKES, looks(ONE, 3, "1"), fails(ONE, "1"))
    assert found is None or found.kind is not CauseKind.WOKEN


def test_what_is_read_twice_and_stored_in_between() -> None:
    steps = [create(ONE, TWO), looks(ONE, 3, "2"), stores(TWO, 12, "1"), fails(ONE, "1")]
    assert places(cause(*steps)) == (CauseKind.REREAD, [3, 12, 7])


def test_a_decision_that_is_out_of_date() -> None:
    steps = [
        create(ONE, TWO), looks(ONE, 3, "0", "busy", 72), stores(TWO, 12, "1", "busy", 72),
        stores(ONE, 5, "9"), fails(MAIN, "9", 23),
    ]  # fmt: skip
    assert places(cause(*steps)) == (CauseKind.STALE, [3, 12, 5])


def test_an_argument_that_its_creator_goes_on_to_use() -> None:
    loop = Step(MAIN, at(19, "main"), "i = 0;", [wrote("i", "0", 64)])
    again = Step(MAIN, at(21, "main"), "i = 1;", [wrote("i", "1", 64)])
    use = Step(ONE, at(3), "int id = *(int *)arg;", [read("*arg", "1", 64), own("id", "1")])
    steps = [loop, create(ONE), again, use, Step(ONE, at(7), "assert(id == 0);")]
    assert places(cause(*steps, claim="id == 0")) == (CauseKind.ARGUMENT, [3, 21, 19])
    before = [loop, again, create(ONE), *steps[3:]]
    found = cause(*before, claim="id == 0")
    assert found is None or found.kind is not CauseKind.ARGUMENT


def test_what_the_thread_has_stored_itself_and_another_one_over_it() -> None:
    steps = [create(ONE, TWO), stores(ONE, 3, "2"), stores(TWO, 12, "1"), fails(ONE, "1")]
    assert places(cause(*steps)) == (CauseKind.OVERWRITTEN, [3, 12, 7])


def test_what_one_round_of_a_loop_left_is_no_reason() -> None:
    steps = [create(ONE, TWO), stores(ONE, 8, "2"), stores(TWO, 12, "1"), fails(ONE, "1")]
    assert places(cause(*steps)) == (CauseKind.PLAIN, [7, 12, None])


def test_a_flag_that_is_set_before_what_it_stands_for() -> None:
    steps = [
        create(ONE, TWO), stores(TWO, 12, "1", "ready", 72), looks(ONE, 3, "1", "ready", 72), fails(ONE, "0"),
    ]  # fmt: skip
    assert places(cause(*steps)) == (CauseKind.FLAG, [7, 12, 3])


def test_a_value_from_inside_of_a_section_under_a_lock() -> None:
    steps = [create(ONE, TWO), lock(TWO, 11), stores(TWO, 12, "1"), fails(ONE, "1")]
    found = cause(*steps)
    assert places(found) == (CauseKind.INSIDE, [7, 12, None])
    assert found is not None and found.lock is not None and (found.lock.name, found.lock.since) == ("m", at(11))
    after = cause(*steps[:3], lock(TWO, 13, kind="unlock"), fails(ONE, "1"))
    assert after is not None and after.kind is CauseKind.PLAIN
    held = cause(*steps[:1], lock(ONE, 2, address=0), *steps[1:])
    assert held is not None and held.kind is not CauseKind.INSIDE


def test_two_values_of_which_only_one_has_changed() -> None:
    check = Step(MAIN, at(23, "main"), "assert(x == y);", [read("x", "5", 64), read("y", "0", 72)])
    steps = [create(ONE), stores(ONE, 3, "5"), check]
    assert places(cause(*steps, claim="x == y")) == (CauseKind.HALF, [23, 3, 23])
    ended = cause(*steps[:2], END_OF_ONE, check, claim="x == y")
    assert ended is not None and ended.kind is not CauseKind.HALF


def test_what_nobody_has_stored_yet_or_never_will() -> None:
    check = Step(MAIN, at(23, "main"), "assert(x == 2);", [read("x", "0", 64)])
    assert places(cause(create(ONE), check)) == (CauseKind.EARLY, [23, None, None])
    assert places(cause(create(ONE), END_OF_ONE, check)) == (CauseKind.NEVER, [23, None, None])
    assert cause(create(ONE), check, may_be_early=False) is None


def test_a_value_that_the_thread_stored_before_it_created_others() -> None:
    first = Step(MAIN, at(19, "main"), "x = 1;", [wrote("x", "1", 64)])
    check = Step(MAIN, at(23, "main"), "assert(x == 2);", [read("x", "1", 64)])
    assert places(cause(first, create(ONE), check)) == (CauseKind.EARLY, [23, None, 19])


def test_what_another_thread_stored_is_the_last_that_is_said() -> None:
    assert places(cause(create(ONE, TWO), stores(TWO, 12, "1"), fails(ONE, "1"))) == (CauseKind.PLAIN, [7, 12, None])


def test_what_was_there_when_the_thread_was_created_is_no_cause() -> None:
    first = Step(MAIN, at(19, "main"), "x = 1;", [wrote("x", "1", 64)])
    assert cause(first, create(ONE), fails(ONE, "1")) is None


def test_which_threads_have_not_come_to_their_end() -> None:
    found = search(create(ONE, TWO), stores(ONE, 3, "1"), END_OF_ONE, fails(MAIN, "1", 23))
    assert found.unfinished() == [TWO]
    assert search(create(ONE, TWO), fails(ONE, "0")).unfinished() == [MAIN, TWO]


@pytest.mark.parametrize(
    ("steps", "alone"),
    [
        ([create(ONE, TWO), stores(TWO, 12, "1", "y", 72), fails(ONE, "0")], True),
        ([create(ONE, TWO), stores(TWO, 12, "1"), fails(ONE, "1")], False),
        ([create(ONE, TWO), lock(ONE, 3), lock(TWO, 13, "n"), fails(ONE, "0")], True),
        ([create(ONE, TWO), lock(ONE, 3), lock(ONE, 4, kind="unlock"), lock(TWO, 13), fails(ONE, "0")], False),
        ([create(ONE), END_OF_ONE,
          Step(MAIN, at(21), "pthread_join(t, 0);", actions=[Action(ActionKind.JOIN, "", ONE)]), fails(MAIN, "0")],
         False),
    ],
)  # fmt: skip
def test_whether_others_matter_at_all(steps: list[Step], alone: bool) -> None:
    assert search(*steps).is_alone() is alone


def test_what_the_claim_saw() -> None:
    steps = [
        create(ONE),
        Step(ONE, at(2), "int n = 4;", [own("n", "4")]),
        Step(ONE, at(3), "if (x > n)", [read("x", "5", 64)]),
        Step(ONE, at(4), "reach_error();"),
    ]
    history = History(Counterexample(steps, [MAIN, ONE]))
    assert [(event.name, event.origin.line) for event in seeds(history, "")] == [("x", 3), ("n", 2)]
    steps[3] = Step(ONE, at(4), "assert(n < x);", [read("x", "3", 64)])
    history = History(Counterexample(steps, [MAIN, ONE]))
    assert [(event.name, event.origin.line) for event in seeds(history, "n < x")] == [("x", 4), ("n", 2)]
