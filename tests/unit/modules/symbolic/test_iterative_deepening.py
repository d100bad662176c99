"""The policy of deepening: which bound grows, when it is over, and who gets how much of the time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cseq.model.claims import Cut, Limit
from cseq.model.verdict import Bound, Outcome, Reason, Verdict
from cseq.modules.symbolic import iterative_deepening as deepening
from cseq.modules.symbolic.encode.sequentializer.canonical import MORE
from cseq.modules.symbolic.iterative_deepening import Deepening, deepen
from cseq.modules.symbolic.verdict import REACHED
from cseq.pipeline.stage import Context
from cseq.pipeline.status import Event, LevelBegan
from cseq.report.words import level

LOOP, DEEP, MANY = Cut(Limit.LOOP, 99), Cut(Limit.RECURSION, 99, "f"), Cut(Limit.THREADS, 9)
BOUNDS = {
    MORE: Bound.of(Cut(Limit.ROUNDS, 9)),
    **{cut: Bound.of(cut) for cut in (LOOP, DEEP, MANY)},
    None: Bound.of(Cut(Limit.GRAIN, 1, "a step")),
}


def unknown(*cuts: Cut | None, reason: Reason = Reason.BOUNDED) -> Outcome:
    return Outcome(Verdict.UNKNOWN, reason, bounds=[BOUNDS[cut] for cut in cuts])


def growing(one: Deepening) -> dict[str, object]:
    """The bounds of the next level without the room for loops."""
    return {name: value for name, value in one.changed.items() if name not in ("room", "prove")}


def grown(cuts: list[Cut], reached: list[Cut | None], values: dict[str, Any] | None = None) -> list[dict[str, int]]:
    """The bounds of each level, where these cuts are possible and those are reached."""
    one = Deepening("unreach-call", values or {"rounds": 1, "unwind": 1, "threads": None})
    bounds = []
    for cut in reached:
        bounds.append(growing(one))
        one.add(unknown(*cuts), cut, 0.1)
    return bounds


def test_what_is_reached_grows() -> None:
    levels = grown([MORE, LOOP], [LOOP, MORE, LOOP, MORE, MORE])
    assert levels == [
        {"rounds": 1, "unwind": 1},
        {"rounds": 1, "unwind": 2},
        {"rounds": 2, "unwind": 2},
        {"rounds": 2, "unwind": 3},
        {"rounds": 3, "unwind": 3},
    ]


def test_others_get_their_turn_after_two_in_a_row() -> None:
    assert [level["rounds"] for level in grown([MORE, LOOP], [MORE] * 7)] == [1, 2, 3, 3, 4, 5, 5]
    assert [level["rounds"] for level in grown([MORE], [MORE] * 4)] == [1, 2, 3, 4]
    assert [level["unwind"] for level in grown([MORE, LOOP], [LOOP] * 6)] == [1, 2, 3, 3, 4, 6]


def test_where_the_engine_does_not_say_they_take_turns() -> None:
    levels = grown([MORE, DEEP, MANY], [None] * 5, {"rounds": 2, "unwind": 4, "threads": 1})
    assert [tuple(level.values()) for level in levels] == [(2, 4, 1), (3, 4, 1), (3, 6, 1), (3, 6, 2), (4, 6, 2)]


def test_a_bound_on_recursion_is_unwinding_where_it_has_no_limit_of_its_own() -> None:
    assert grown([MORE, DEEP], [DEEP, DEEP])[1]["unwind"] == 2
    levels = grown([MORE, DEEP, LOOP], [DEEP, DEEP], {"rounds": 1, "unwind": 1, "recursion": 3})
    assert levels[1] == {"rounds": 1, "unwind": 1, "recursion": 4}


def test_a_loop_that_runs_a_bit_too_often_is_followed_to_its_end() -> None:
    def after(runs: int, exact: int) -> dict[str, int]:
        one = Deepening("unreach-call", {"rounds": 1, "unwind": 1, "exact_limit": exact})
        cut = Cut(Limit.COUNTED, 1, runs=runs)
        one.add(Outcome(Verdict.UNKNOWN, Reason.UNWINDING, bounds=[Bound.of(cut)]), cut, 0.1)
        return growing(one)

    assert after(96, 64) == {"rounds": 1, "unwind": 1, "exact_limit": 96}
    assert after(10_000, 64) == {"rounds": 1, "unwind": 2}
    assert after(96, 96) == {"rounds": 1, "unwind": 2}
    assert after(96, 0) == {"rounds": 1, "unwind": 2}


def test_a_loop_whose_limit_the_user_set_does_not_grow() -> None:
    one = Deepening("unreach-call", {"rounds": 1, "unwind": 4})
    cut = Cut(Limit.LOOP, 2)
    one.add(Outcome(Verdict.UNKNOWN, Reason.UNWINDING, bounds=[Bound.of(cut)]), cut, 0.1)
    assert one.is_over


def test_most_bugs_need_two_rounds() -> None:
    values: dict[str, object] = {"rounds": 1, "unwind": 1, "first_rounds": 2}
    assert growing(Deepening("unreach-call", values)) == {"rounds": 2, "unwind": 1}
    assert growing(Deepening("unreach-call", {**values, "rounds": 3})) == {"rounds": 3, "unwind": 1}
    assert growing(Deepening("no-data-race", values)) == growing(Deepening("no-deadlock", values))
    assert growing(Deepening("no-deadlock", values)) == {"rounds": 1, "unwind": 1}


def played(costs: Callable[[dict[str, Any]], float], until: int, thinned: bool = True) -> list[tuple[Any, ...]]:
    """The levels (rounds, unwinding, whether loops are exact) of a program with long loops until there are so many.

    costs: the seconds of a level, which is stopped when its box is over.
    """
    one = Deepening("unreach-call", {"rounds": 2, "unwind": 1})
    tried: list[tuple[Any, ...]] = []
    while len(tried) < until and not one.is_over:
        bounds: dict[str, Any] = one.changed
        box, seconds = one.box, costs(bounds)
        tried.append((bounds["rounds"], bounds["unwind"], "room" not in bounds))
        if box is not None and seconds > box:
            assert one.add(unknown(reason=Reason.TIMEOUT), None, box) is None
        else:
            one.add(unknown(MORE, LOOP), None, seconds, thinned and "room" in bounds)
    return tried


def test_long_loops_are_cut_off_at_first() -> None:
    tried = played(lambda bounds: 0.3 if "room" in bounds else 1.0, 6)
    assert tried[:2] == [(2, 1, False), (2, 2, False)], "what was cut off comes first"
    assert (2, 1, True) in tried, "and the exact loops after a while"


def test_where_no_loop_is_cut_off_there_is_one_track() -> None:
    one = Deepening("unreach-call", {"rounds": 2, "unwind": 1})
    level_ = one.add(unknown(MORE), MORE, 1.0, False)
    assert level_ is not None and level_.bounds == {"rounds": 2, "unwind": 1} and one.box is None
    assert [bounds[2] for bounds in played(lambda bounds: 1.0, 4, thinned=False)] == [False] * 4


def test_neither_track_keeps_the_other_one_from_a_bug() -> None:
    tried = played(lambda bounds: 2.0 if "room" in bounds else 1000.0, 12)
    exact_ = [bounds for bounds in tried if bounds[2]]
    assert len(exact_) > 1 and set(exact_) == {(2, 1, True)}, "it is tried again, with more time"
    assert max(bounds[0] for bounds in tried) > 3
    tried = played(lambda bounds: 30.0 if "room" in bounds else 1.0, 12)
    assert max(bounds[0] for bounds in tried if bounds[2]) > 3


def test_the_hunt_begins_after_a_while() -> None:
    """Rounds are always reached, so only the hunt has a larger unwinding soon."""
    one = Deepening("unreach-call", {"rounds": 2, "unwind": 1})
    hunted = []
    for _ in range(24):
        if not one.changed["prove"]:
            hunted.append((one.changed["rounds"], one.changed["unwind"]))
        one.add(unknown(MORE, LOOP), MORE, 1.2)
    assert hunted[:4] == [(2, 2), (2, 3), (3, 3), (3, 4)], hunted
    quick = Deepening("unreach-call", {"rounds": 2, "unwind": 1})
    for _ in range(5):
        assert quick.changed["prove"]
        quick.add(unknown(MORE, LOOP), MORE, 0.3)
    only_rounds = Deepening("unreach-call", {"rounds": 2, "unwind": 1})
    for _ in range(5):
        assert only_rounds.changed["prove"]
        only_rounds.add(unknown(MORE), MORE, 2.0)


def test_what_took_the_whole_time_ends_the_search() -> None:
    one = Deepening("unreach-call", {"rounds": 2, "unwind": 1})
    one.add(unknown(MORE, LOOP), None, 0.1, True)
    while one.box is None:
        one.add(unknown(MORE, LOOP), None, 0.1, True)
    one.add(unknown(reason=Reason.TIMEOUT), None, one.box / 2)
    assert one.is_over and one.outcome is not None and one.outcome.reason is Reason.BOUNDED


def test_the_exact_loops_say_more_of_an_answer() -> None:
    one = Deepening("unreach-call", {"rounds": 2, "unwind": 1})
    levels: dict[bool, Outcome] = {}
    while len(levels) < 2:
        is_exact = "room" not in one.changed
        levels[is_exact] = unknown(MORE, LOOP)
        shown = one.add(levels[is_exact], None, 0.1, not is_exact)
        assert shown is not None and ("room" in shown.bounds) is not is_exact
    assert one.outcome is levels[True]
    one.add(Outcome(Verdict.FALSE), None, 0.1, "room" in one.changed)
    assert one.is_over and one.outcome.verdict is Verdict.FALSE


def test_threads_without_a_bound_do_not_grow() -> None:
    assert grown([MANY, LOOP], [None, None])[1] == {"rounds": 1, "unwind": 2}


@pytest.mark.parametrize(
    "outcome", [Outcome(Verdict.TRUE), Outcome(Verdict.FALSE), unknown(None), unknown(MORE, reason=Reason.REPLAY)]
)
def test_it_is_over(outcome: Outcome) -> None:
    one = Deepening("unreach-call", {"rounds": 1, "unwind": 1})
    level = one.add(outcome, None, 0.1)
    assert one.is_over and one.outcome is outcome and one.levels == [level]


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.MEMORY])
def test_the_last_level_that_was_completed_is_the_answer(reason: Reason) -> None:
    one = Deepening("unreach-call", {"rounds": 1, "unwind": 1})
    first = unknown(MORE)
    one.add(first, MORE, 0.1)
    assert one.add(unknown(reason=reason), None, 0.1) is None
    assert one.is_over and one.outcome is first and len(one.levels) == 1 and first.exit_status == 0


def test_without_a_level_there_is_no_answer() -> None:
    one = Deepening("unreach-call", {"rounds": 1, "unwind": 1})
    outcome = unknown(reason=Reason.TIMEOUT)
    one.add(outcome, None, 0.1)
    assert one.is_over and one.outcome is outcome and outcome.exit_status == 3


def test_properties_take_turns_and_what_is_over_runs_no_more(tmp_path: Path) -> None:
    told: list[str] = []
    context = Context({"rounds": 1, "unwind": 1}, tmp_path, tell=lambda tried, named: told.append(level(tried, named)))
    ran = []

    def run(name: str, changed: dict[str, Any]) -> Outcome:
        ran.append((name, changed["rounds"]))
        assert changed["prove"] is True and "timeout" not in changed
        context.facts[REACHED] = MORE
        return Outcome(Verdict.TRUE) if changed["rounds"] == (1 if name == "one" else 3) else unknown(MORE)

    reports: list[Event] = []
    context.watcher = reports.append
    outcomes = deepen(context, ["one", "two"], run)
    first, second = outcomes[1].levels[:2]
    assert reports == [
        *[LevelBegan({"rounds": 1, "unwind": 1})] * 2,
        LevelBegan({"rounds": 2, "unwind": 1}, (first,)),
        LevelBegan({"rounds": 3, "unwind": 1}, (first, second)),
    ]
    assert ran == [("one", 1), ("two", 1), ("two", 2), ("two", 3)]
    assert [(outcome.property, len(outcome.levels)) for outcome in outcomes] == [("one", 1), ("two", 3)]
    assert [line.partition(" (")[0] for line in told] == [
        "one: 1 round, unwind 1: proved",
        "two: 1 round, unwind 1: no violation; one more round can begin",
        "two: 2 rounds, unwind 1: no violation; one more round can begin",
        "two: 3 rounds, unwind 1: proved",
    ]


def test_the_time_that_is_left_is_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(deepening.time, "monotonic", lambda: clock[0])
    context = Context({"rounds": 1, "unwind": 1, "timeout": 60.0}, tmp_path)
    given = []

    def run(name: str, changed: dict[str, Any]) -> Outcome:
        assert context.end is not None
        given.append((name, context.end - clock[0]))
        clock[0] += 20
        return unknown(MORE)

    outcomes = deepen(context, ["one", "two"], run)
    assert given == [("one", 30.0), ("two", 40.0), ("one", 10.0)]
    assert [len(outcome.levels) for outcome in outcomes] == [2, 1]
    assert all(outcome.reason is Reason.BOUNDED for outcome in outcomes)


def test_no_time_at_all(tmp_path: Path) -> None:
    context = Context({"rounds": 1, "unwind": 1, "timeout": 0.0}, tmp_path)
    (outcome,) = deepen(context, ["one"], lambda name, changed: pytest.fail("nothing can run"))
    assert (outcome.reason, outcome.exit_status) == (Reason.TIMEOUT, 3)
