"""Which questions a planner asks about a property, and what it makes of the answers."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cseq.model.actions import ActionKind, Manner
from cseq.model.claims import Cut, Limit
from cseq.model.errors import UsageError
from cseq.model.origin import Origin
from cseq.model.trace import Action, Counterexample, Step, Thread
from cseq.model.verdict import Bound, Outcome, Reason, Spurious, Verdict
from cseq.modules.analysis.spurious import HAS_SPURIOUS
from cseq.modules.symbolic.questions import SymbolicQuestions
from cseq.pipeline.facts import Facts
from cseq.pipeline.stage import Context

THREAD, PLACE = Thread(0, "main"), Origin("a.c", 1)
WAKES = Step(THREAD, PLACE, actions=[Action(ActionKind.WAKE, "c", manner=Manner.SPURIOUS)])


def outcome(verdict: Verdict, reason: Reason | None = None, steps: tuple[Step, ...] = ()) -> Outcome:
    shown = Counterexample(list(steps), [THREAD]) if verdict is Verdict.FALSE else None
    return Outcome(verdict, reason, counterexample=shown)


TRUE, FALSE, WOKEN = outcome(Verdict.TRUE), outcome(Verdict.FALSE), outcome(Verdict.FALSE, steps=(WAKES,))
BOUNDED, MEMORY = outcome(Verdict.UNKNOWN, Reason.BOUNDED), outcome(Verdict.UNKNOWN, Reason.MEMORY)
TIMEOUT = outcome(Verdict.UNKNOWN, Reason.TIMEOUT)


class Engine:
    """A session that has these answers, one after the other, to the questions that it is asked."""

    def __init__(self, context: Context, answers: list[Outcome], spurious: bool) -> None:
        self.context = context
        self.asked: list[tuple[object, object]] = []
        self._answers = [replace(answer) for answer in answers]
        self._has_spurious = spurious

    def run(self, values: dict[str, object], folder: Path | None = None, until: str | None = None) -> Any:
        self.asked.append((values["spurious_wakeups"], values["weak_fails"]))
        self.context.facts = Facts()
        self.context.facts[HAS_SPURIOUS] = self._has_spurious
        return self._answers.pop(0)

    @property
    def left(self) -> list[Outcome]:
        """The answers to questions that were not asked."""
        return self._answers


def planned(
    answers: list[Outcome], tmp_path: Path, spurious: bool = True, **given: object
) -> tuple[Outcome, list[tuple[object, object]]]:
    """The outcome, and for each question whether waits may end without a signal, and weak exchanges fail."""
    values = {parameter.name: parameter.default for parameter in SymbolicQuestions.takes} | given
    context = Context(values=values, workdir=tmp_path)
    engine = Engine(context, answers, spurious)
    found = SymbolicQuestions(context).plan(engine)
    assert not engine.left
    return found, engine.asked


ALL, USUAL = (True, True), (False, False)


@pytest.mark.parametrize("answer", [TRUE, FALSE, BOUNDED, TIMEOUT])
def test_one_answer_about_all_executions_is_enough(tmp_path: Path, answer: Outcome) -> None:
    found, asked = planned([answer], tmp_path)
    assert (found.verdict, found.reason, found.spurious, asked) == (answer.verdict, answer.reason, None, [ALL])


def test_a_violation_that_needs_nothing_spurious_is_preferred(tmp_path: Path) -> None:
    found, asked = planned([WOKEN, FALSE], tmp_path)
    assert (found.counterexample, found.spurious, asked) == (FALSE.counterexample, None, [ALL, USUAL])


@pytest.mark.parametrize("without", [TRUE, BOUNDED, TIMEOUT])
def test_one_that_needs_something_says_so(tmp_path: Path, without: Outcome) -> None:
    found, asked = planned([WOKEN, without], tmp_path)
    assert (found.verdict, found.spurious, asked) == (Verdict.FALSE, Spurious.NEEDED, [ALL, USUAL])


def test_where_memory_is_too_small_the_usual_executions_are_searched(tmp_path: Path) -> None:
    assert planned([MEMORY, FALSE], tmp_path)[0].verdict is Verdict.FALSE
    found, _ = planned([MEMORY, TRUE], tmp_path)
    assert (found.verdict, found.reason, found.spurious) == (Verdict.UNKNOWN, Reason.MEMORY, Spurious.UNDECIDED)
    assert planned([MEMORY, MEMORY], tmp_path)[0].spurious is None


def test_a_program_without_such_calls_is_asked_about_once(tmp_path: Path) -> None:
    found, asked = planned([MEMORY], tmp_path, spurious=False)
    assert (found.reason, asked) == (Reason.MEMORY, [ALL])


def test_deepening_goes_on_for_a_violation_that_needs_nothing_spurious(tmp_path: Path) -> None:
    bounds = {"auto": True, "rounds": 1, "unwind": 1, "recursion": None, "threads": None}
    more = replace(BOUNDED, bounds=[Bound.of(Cut(Limit.ROUNDS, 9))])
    found, asked = planned([WOKEN, more, more, FALSE], tmp_path, **bounds)
    assert (found.counterexample, asked) == (FALSE.counterexample, [ALL, USUAL, USUAL, USUAL])
    assert [level.verdict for level in found.levels] == [Verdict.FALSE, Verdict.UNKNOWN, Verdict.FALSE]
    found, _ = planned([WOKEN, TRUE, TRUE], tmp_path, **bounds)
    assert found.spurious is Spurious.NEEDED


def test_one_question_is_asked_where_that_is_wanted(tmp_path: Path) -> None:
    found, asked = planned([TRUE], tmp_path, no_spurious_wakeups=True)
    assert (found.verdict, found.spurious, asked) == (Verdict.TRUE, Spurious.EXCLUDED, [USUAL])
    found, asked = planned([WOKEN], tmp_path, spurious_wakeups=True)
    assert (found.verdict, found.spurious, asked) == (Verdict.FALSE, None, [ALL])


def test_a_part_of_the_schedules_says_what_its_answer_assumes(tmp_path: Path) -> None:
    """The answers about all parts are a proof, which then assumes as much."""
    part = Bound.of(Cut(Limit.TILE, 0, runs=2))
    for bounds, assumes in (([part], Spurious.EXCLUDED), ([part, Bound.of(Cut(Limit.ROUNDS, 2))], None)):
        found, _ = planned([replace(BOUNDED, bounds=bounds)], tmp_path, no_spurious_wakeups=True)
        assert (found.reason, found.spurious) == (Reason.BOUNDED, assumes)


def test_both_options_together_are_refused() -> None:
    values = {parameter.name: parameter.default for parameter in SymbolicQuestions.takes}
    with pytest.raises(UsageError, match="cannot be combined"):
        SymbolicQuestions.settle({**values, "spurious_wakeups": True, "no_spurious_wakeups": True}, ())
