"""How reports say things, one at a time."""

import pytest

from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.origin import CallSite, Origin
from cseq.model.verdict import Attempt, Bound, Caution, Outcome, Property, Reason, Verdict
from cseq.report import words

ASSERTION = Claim(Kind.ASSERTION, subject="x")
ROUNDS, UNWIND = Bound("rounds", 2, Cut(Limit.ROUNDS, 2)), Bound("unwinding", 3, Cut(Limit.LOOP, 3))


def cut(kind: str, value: int) -> Bound:
    """A bound of the kind."""
    return Bound(kind, value, Cut(Limit.LOOP if kind == "unwinding" else Limit(kind), value))


def test_what_cannot_be_printed_is_escaped_and_stays_on_its_line() -> None:
    assert words.clean("a\tb\n\x1b[1mé") == "a b\\n\\x1b[1mé"


def test_wide_characters_take_two_columns() -> None:
    assert [words.cells(text) for text in ("", "abc", "é", "漢字")] == [0, 3, 1, 4]


@pytest.mark.parametrize(
    "violated, said",
    [
        (Property(ASSERTION, Origin("a.c", 3, function="main")),
         "assertion `x` is violated at a.c:3 in main"),
        (Property(ASSERTION, Origin("a.c", 3)), "assertion `x` is violated at a.c:3"),
        (Property(ASSERTION), "assertion `x` is violated"),
        (Property(Claim(Kind.RACE), Origin("a.c", 3), description="main reads `x`"), "main reads `x`"),
        (Property(Claim(Kind.UNWINDING, cut=Cut(Limit.LOOP, 2)), Origin("a.c", 3, function="f")),
         "the loop at a.c:3 in f may run more than 2 times"),
    ],
)  # fmt: skip
def test_what_is_wrong_and_where(violated: Property, said: str) -> None:
    assert words.violation(violated) == said


@pytest.mark.parametrize(
    "bounds, said",
    [
        ([], "the bounds"),
        ([ROUNDS], "2 rounds"),
        ([cut("rounds", 1)], "1 round"),
        ([cut("contexts", 2)], "2 context switches"),
        ([ROUNDS, UNWIND], "2 rounds and unwinding 3"),
        ([ROUNDS, UNWIND, cut("unwinding", 5)], "2 rounds and unwinding 3 to 5"),
        ([ROUNDS, UNWIND, cut("recursion", 3)], "2 rounds and unwinding 3"),
        ([ROUNDS, UNWIND, cut("threads", 4)], "2 rounds, unwinding 3 and 4 threads"),
    ],
)
def test_the_bounds_of_a_run(bounds: list[Bound], said: str) -> None:
    assert words.limits(bounds) == said


def test_bounds_with_a_place_are_said_once() -> None:
    loop = Bound("unwinding", 2, Cut(Limit.LOOP, 2), Origin("a.c", 7))
    assert words.places_cut([ROUNDS, loop, loop]) == ["a.c:7: the loop may run more than 2 times"]


def test_answers_without_a_message_of_their_own() -> None:
    assert words.answer(Outcome(Verdict.TRUE)) == "no violation in any execution"
    assert words.answer(Outcome(Verdict.FALSE)) == "a violation was found"
    bounded = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[ROUNDS])
    assert words.answer(bounded) == "no violation within 2 rounds"
    assert words.answer(Outcome(Verdict.UNKNOWN, Reason.TIMEOUT)) == Reason.TIMEOUT.value


def test_an_answer_about_deadlocks_says_that_waits_may_end() -> None:
    warnings = [Caution("a wait", of="no-deadlock")]
    end = " (the environment may end waits)"
    assert words.open_waits(Outcome(Verdict.TRUE, property="no-deadlock", warnings=warnings)) == end
    assert words.open_waits(Outcome(Verdict.TRUE, property="no-deadlock", warnings=[Caution("an order")])) == ""
    assert words.open_waits(Outcome(Verdict.TRUE, warnings=warnings)) == ""
    assert words.open_waits(Outcome(Verdict.FALSE, property="no-deadlock", warnings=warnings)) == ""


def test_the_memory_model_is_said_where_the_program_asks_for_a_weaker_one() -> None:
    weaker = [Caution("an order", strengthens=True)]
    assert words.memory_model(Outcome(Verdict.TRUE, warnings=weaker)) == " (memory model: SC)"
    assert words.memory_model(Outcome(Verdict.TRUE, warnings=[Caution("an order")])) == ""
    assert words.memory_model(Outcome(Verdict.TRUE, memory_model="tso", warnings=weaker)) == " (memory model: TSO)"
    assert words.memory_model(Outcome(Verdict.FALSE, warnings=weaker)) == ""


def test_who_answered() -> None:
    one, other = (
        Outcome(Verdict.TRUE, backend="native", property="a"),
        Outcome(Verdict.TRUE, backend="cbmc", property="b"),
    )
    assert words.engines(one) == "by native"
    assert words.engines(Outcome(Verdict.TRUE, parts=[one, other])) == "a by native, b by cbmc"
    assert words.attempt(Attempt("native", "out of memory")) == "native: out of memory"


def test_numbers_of_a_search() -> None:
    assert words.statistics({"states": 1234567, "seconds": 1.5, "unheard": 1}) == [
        "1 234 567 states stored",
        "1.50 seconds",
    ]


def test_where_in_the_code_a_step_is() -> None:
    assert words.function(Origin("a.c", 1, function="f", iteration=(2, 1))) == "f (iteration 2.1)"
    assert (
        words.callers([CallSite("main", "a.c", 9), CallSite("f", "a.c", 3)]) == "called by f at a.c:3, by main at a.c:9"
    )
    assert words.callers([]) == ""
