"""Programs that look at their arguments are searched with some, too."""

from __future__ import annotations

import pytest

from cseq.model.claims import Cut, Limit
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Bound, Outcome, Reason, Verdict
from cseq.modules.questions.any_arguments import with_any_arguments


def open_() -> Outcome:
    return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(Cut(Limit.NO_ARGUMENTS))])


def asked(*outcomes: Outcome, **values: object) -> tuple[Outcome, list[object]]:
    """The outcome, and for each run whether the arguments were any."""
    seen: list[object] = []

    def run(tried: dict[str, object]) -> Outcome:
        seen.append(tried.get("args_any", False))
        return outcomes[len(seen) - 1]

    return with_any_arguments(run, values), seen


@pytest.mark.parametrize("verdict", [Verdict.TRUE, Verdict.UNKNOWN, Verdict.FALSE])
def test_only_a_violation_with_arguments_is_the_answer(verdict: Verdict) -> None:
    first, second = open_(), Outcome(verdict)
    outcome, seen = asked(first, second)
    assert outcome is (second if verdict is Verdict.FALSE else first)
    assert seen == [False, True]


@pytest.mark.parametrize("values", [{"args": "1"}, {"args_any": True}])
def test_the_arguments_of_the_user_stay(values: dict[str, object]) -> None:
    assert len(asked(open_(), **values)[1]) == 1


def test_nothing_is_repeated_where_arguments_change_nothing() -> None:
    for outcome in (Outcome(Verdict.TRUE), Outcome(Verdict.UNKNOWN, Reason.TIMEOUT), Outcome(Verdict.FALSE)):
        assert asked(outcome) == (outcome, [False])


def test_what_is_not_supported_with_arguments_is_a_warning() -> None:
    first = open_()

    def run(tried: dict[str, object]) -> Outcome:
        if tried.get("args_any"):
            raise UnsupportedError("arguments of this kind are not supported")
        return first

    assert with_any_arguments(run, {}) is first
    assert "arguments of this kind" in first.warnings[0].message
