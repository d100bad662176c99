"""Which questions a planner asks about a property, and what it makes of the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cseq.base.errors import UsageError
from cseq.base.verdict import Outcome, Reason, Spurious, Verdict
from cseq.modules.analysis.spurious import HAS_SPURIOUS, HAS_WEAK
from cseq.modules.runs.planner import Planner
from cseq.pipeline.facts import Facts
from cseq.pipeline.stage import Context

TRUE, FALSE = (Outcome(Verdict.TRUE),), (Outcome(Verdict.FALSE),)


def unknown(reason: Reason) -> tuple[Outcome]:
    return (Outcome(Verdict.UNKNOWN, reason),)


class Engine:
    """A session that has these answers, one after the other, to the questions that it is asked."""

    def __init__(self, context: Context, answers: list[tuple[Outcome]], spurious: bool, weak: bool) -> None:
        self.context = context
        self.asked: list[tuple[object, object]] = []
        self._answers = [Outcome(one.verdict, one.reason) for (one,) in answers]
        self._facts = {HAS_SPURIOUS: spurious, HAS_WEAK: weak}

    def run(self, values: dict[str, object], folder: Path | None = None, until: str | None = None) -> Any:
        self.asked.append((values["spurious_wakeups"], values["weak_fails"]))
        self.context.facts = Facts()
        for fact, value in self._facts.items():
            self.context.facts[fact] = value
        return self._answers.pop(0)


def planned(
    answers: list[tuple[Outcome]], tmp_path: Path, spurious: bool = True, weak: bool = False, **given: object
) -> tuple[Outcome, list[tuple[object, object]]]:
    """The outcome, and for each question whether waits may end without a signal, and weak exchanges fail."""
    values = {parameter.name: parameter.default for parameter in Planner.takes} | given
    context = Context(values=values, workdir=tmp_path)
    engine = Engine(context, answers, spurious, weak)
    return Planner(context).plan(engine), engine.asked


WITHOUT, WITH = (False, False), (True, False)


def test_a_program_without_such_calls_is_asked_about_once(tmp_path: Path) -> None:
    outcome, asked = planned([TRUE], tmp_path, spurious=False)
    assert (outcome.verdict, outcome.spurious, asked) == (Verdict.TRUE, None, [WITHOUT])


def test_a_violation_without_is_the_answer(tmp_path: Path) -> None:
    outcome, asked = planned([FALSE], tmp_path)
    assert (outcome.verdict, outcome.spurious, asked) == (Verdict.FALSE, None, [WITHOUT])


@pytest.mark.parametrize("first", [TRUE, unknown(Reason.BOUNDED), unknown(Reason.REPLAY)])
def test_a_violation_with_says_so(tmp_path: Path, first: tuple[Outcome]) -> None:
    outcome, asked = planned([first, FALSE], tmp_path)
    assert (outcome.verdict, outcome.spurious, asked) == (Verdict.FALSE, Spurious.NEEDED, [WITHOUT, WITH])


def test_a_proof_covers_both(tmp_path: Path) -> None:
    outcome, asked = planned([TRUE, TRUE], tmp_path, weak=True)
    assert (outcome.verdict, outcome.spurious, asked) == (Verdict.TRUE, None, [WITHOUT, (True, True)])


def test_what_is_not_known_with_is_not_a_proof(tmp_path: Path) -> None:
    outcome, _ = planned([TRUE, unknown(Reason.TIMEOUT)], tmp_path)
    assert (outcome.verdict, outcome.reason, outcome.spurious) == (
        Verdict.UNKNOWN,
        Reason.TIMEOUT,
        Spurious.UNDECIDED,
    )


def test_where_the_time_runs_out_the_bounds_without_are_reported(tmp_path: Path) -> None:
    outcome, _ = planned([unknown(Reason.BOUNDED), unknown(Reason.TIMEOUT)], tmp_path)
    assert (outcome.reason, outcome.spurious) == (Reason.BOUNDED, Spurious.EXCLUDED)
    outcome, asked = planned([unknown(Reason.TIMEOUT)], tmp_path)
    assert (outcome.reason, outcome.spurious, asked) == (Reason.TIMEOUT, None, [WITHOUT])


def test_one_question_is_asked_where_that_is_wanted(tmp_path: Path) -> None:
    outcome, asked = planned([TRUE], tmp_path, no_spurious_wakeups=True)
    assert (outcome.verdict, outcome.spurious, asked) == (Verdict.TRUE, Spurious.EXCLUDED, [WITHOUT])
    outcome, asked = planned([FALSE], tmp_path, spurious_wakeups=True)
    assert (outcome.verdict, outcome.spurious, asked) == (Verdict.FALSE, None, [(True, True)])


def test_both_options_together_are_refused() -> None:
    values = {parameter.name: parameter.default for parameter in Planner.takes}
    with pytest.raises(UsageError, match="do not go together"):
        Planner.settle({**values, "spurious_wakeups": True, "no_spurious_wakeups": True}, ())
