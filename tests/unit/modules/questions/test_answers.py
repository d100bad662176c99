"""What is known is said at once, and stays when time is up or the user ends the run."""

from pathlib import Path

import pytest

from cseq.model.claims import Claim, Kind
from cseq.model.errors import note_stage
from cseq.model.verdict import Outcome, Property, Reason, Verdict
from cseq.modules.questions.answers import Answers
from cseq.pipeline.stage import Context
from cseq.process.deadline import TimeUpError

NAMES = ["unreach-call", "no-deadlock", "no-data-race"]


def proved(name: str) -> Outcome:
    return Outcome(Verdict.TRUE, property=name)


def violated(name: str) -> Outcome:
    return Outcome(Verdict.FALSE, violated=Property(Claim(Kind.ASSERTION)), property=name)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def answers(tmp_path: Path, told: list[str]) -> Answers:
    context = Context({}, tmp_path, answered=lambda outcome: told.append(outcome.property))
    return Answers(context, NAMES, "native")


def test_all_but_the_last_answer_are_told_at_once(answers: Answers, told: list[str]) -> None:
    for name in ("no-data-race", "unreach-call", "unreach-call", "no-deadlock"):
        answers.add(proved(name))
    assert told == ["no-data-race", "unreach-call"]
    assert [part.property for part in answers.summed().parts] == NAMES


def test_a_violation_stays_when_time_is_up(answers: Answers) -> None:
    with answers.as_far_as_known():
        answers.add(violated("no-deadlock"))
        error = TimeUpError()
        note_stage(error, "three_address")
        raise error
    outcome = answers.summed()
    assert (outcome.verdict, outcome.exit_status) == (Verdict.FALSE, 1)
    assert [(part.verdict, part.reason) for part in outcome.parts] == [
        (Verdict.UNKNOWN, Reason.TIMEOUT),
        (Verdict.FALSE, None),
        (Verdict.UNKNOWN, Reason.TIMEOUT),
    ]
    assert outcome.parts[0].message == "out of time in the stage `three_address`"


def test_without_a_violation_an_interruption_is_one(answers: Answers) -> None:
    with pytest.raises(KeyboardInterrupt), answers.as_far_as_known():
        answers.add(proved("no-deadlock"))
        raise KeyboardInterrupt


def test_after_a_violation_an_interruption_shows_what_is_known(answers: Answers) -> None:
    with answers.as_far_as_known():
        answers.add(violated("unreach-call"))
        answers.add(proved("no-deadlock"))
        raise KeyboardInterrupt
    outcome = answers.summed()
    assert outcome.exit_status == 1
    assert [part.verdict for part in outcome.parts] == [Verdict.FALSE, Verdict.TRUE, Verdict.UNKNOWN]
    assert (outcome.parts[2].reason, outcome.parts[2].message) == (Reason.INTERRUPTED, "interrupted")


def test_a_finished_level_is_the_answer_when_time_is_up(answers: Answers) -> None:
    so_far = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, "no violation within 2 rounds", property="no-deadlock")
    with answers.as_far_as_known({"no-deadlock": so_far}.get):
        answers.add(proved("unreach-call"))
        raise TimeUpError
    assert [part.reason for part in answers.summed().parts] == [None, Reason.BOUNDED, Reason.TIMEOUT]
