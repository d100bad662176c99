"""What the explicit replay makes of an engine's violation: only what the execution was seen to do is believed."""

from pathlib import Path
from typing import Any, cast

import pytest

from cseq.backends.records import Record, Tag, decoded, records
from cseq.model.claims import Claim, Kind
from cseq.model.origin import Origin
from cseq.model.trace import Step, Thread
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.explicit import replay as follower
from cseq.modules.explicit.encode.step_program import ControlPlace, Steps
from cseq.modules.explicit.engine import Exploration
from cseq.modules.explicit.replay import ExplicitReplay
from cseq.modules.explicit.step_output import StepOutput
from cseq.modules.explicit.step_tracer import NO_THREAD, StepPoint, StepTracer
from cseq.options.mutual_exclusion import read
from cseq.pipeline.stage import Context
from cseq.report.words import message

ASSERTION = Claim(Kind.ASSERTION, subject="x == 2")
OTHER = Claim(Kind.ASSERTION, subject="y == 2")
INVARIANT = Claim(Kind.INVARIANT, subject="ok")
STEP = Step(Thread(0, "main"), Origin("a.c", 7, function="main"), "assert(x == 2);")


class Program:
    """A traced program with one statement."""

    points = (StepPoint(NO_THREAD, Origin("a.c", 7)),)
    values = ()
    places = (None,)


def printed(*end: str) -> StepOutput:
    """What a program printed in which main makes one step, and then this."""
    program = Program()
    return StepOutput(
        map(decoded, ["thread 0 0", "turn 0", "at 0", *end]), cast(StepTracer, program), cast(Steps, program)
    )


def found(kind: str = "assertion", claim: Claim | None = ASSERTION, **more: Any) -> Exploration:
    return Exploration("violated", kind, claim.key if claim is not None else "", **more)


@pytest.fixture
def follow(tmp_path: Path) -> ExplicitReplay:
    return ExplicitReplay(Context({}, tmp_path))


@pytest.mark.parametrize(
    "value",
    [
        Outcome(Verdict.TRUE),
        Exploration("safe", complete=True),
        Exploration("unknown"),
        Exploration("refused", text="x"),
    ],
)
def test_what_is_no_violation_stays_as_it_is(follow: ExplicitReplay, value: Exploration | Outcome) -> None:
    assert follow.run(value) is value


def violated(follow: ExplicitReplay, engine: Exploration, *end: str) -> Claim | None:
    property_ = follow._violated(engine, printed(*end), [STEP])
    assert property_ is None or property_.origin == STEP.origin
    return property_.claim if property_ is not None else None


def test_the_assertion_that_was_seen_to_fail(follow: ExplicitReplay) -> None:
    assert violated(follow, found(), f"failed {ASSERTION.key}") == ASSERTION


@pytest.mark.parametrize(
    "end",
    [f"failed {OTHER.key}", "ended", "blocked 0", "cut ", "dropped", f"crashed {ASSERTION.key}"],
    ids=["other", "end", "b", "c", "x", "crash"],
)
def test_anything_else_is_not_believed(follow: ExplicitReplay, end: str) -> None:
    assert violated(follow, found(), end) is None


def test_an_engine_that_does_not_say_which_is_told_by_the_execution(follow: ExplicitReplay) -> None:
    assert violated(follow, found(claim=None), f"failed {OTHER.key}") == OTHER


def test_an_invariant_does_not_hold_where_the_execution_ends(follow: ExplicitReplay) -> None:
    engine = found("invariant", INVARIANT)
    assert violated(follow, engine, "ended", f"invariant {INVARIANT.key}") == INVARIANT
    assert violated(follow, engine, "ended") is None
    assert violated(follow, engine, f"failed {INVARIANT.key}") is None


def test_what_was_seen_is_of_the_kind_that_was_found() -> None:
    assert follower._seen(found("deadlock"), printed(f"failed {ASSERTION.key}")) == ""
    assert follower._seen(found("crash"), printed("crashed crash.access")) == "crash.access"
    assert follower._seen(found("crash"), printed("failed crash.access")) == ""


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("ended", "it ends without a violation"),
        ("blocked 0", "a thread is blocked on the way"),
        ("cut cut.loop 2", "a bound cuts it off"),
        ("", "it says nothing"),
        (f"failed {OTHER.key}", "it fails another assertion: assertion `y == 2`"),
    ],
)
def test_a_violation_that_is_not_followed_is_no_verdict(end: str, words: str) -> None:
    outcome = follower._not_followed(found(), *follower._ending(decoded(end)))
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.REPLAY)
    said = message(outcome)
    assert f"(assertion `x == 2`) that could not be replayed: {words}" in said


def test_two_threads_are_at_two_lines_only_if_they_were_seen_there() -> None:
    program = Program()
    program.places = (None, ControlPlace("main", Origin("a.c", 7)), ControlPlace("f", Origin("a.c", 9)))  # type: ignore[assignment]
    lines = "thread 0 1\nthread 1 2\nturn 0\nat 0\nended\nasked 0\nplace 1\nasked 1\nplace 2"
    seen = StepOutput(records(lines), cast(StepTracer, program), cast(Steps, program))
    assert seen.end == Record(Tag.ENDED)
    stands = [happening.point for happening in seen.together(read("a.c:9,a.c:7"))]
    assert [point.origin.line for point in stands if point is not None] == [7, 9]
    assert seen.together(read("a.c:9,a.c:9")) == []
