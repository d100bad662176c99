"""The questions that are asked: how long each may take, and again for further data races."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cseq.model.claims import RACE as RACING
from cseq.model.origin import Origin
from cseq.model.trace import Race, RaceKind, Racing, Thread
from cseq.model.verdict import Listing, Outcome, Property, Reason, Verdict
from cseq.modules.core.known_races import KNOWN
from cseq.modules.symbolic.questions import SymbolicQuestions
from cseq.pipeline.stage import Context

Answer = Callable[[dict[str, Any]], Outcome]


class Session:
    """Answers a question by *answer*, from the values of the parameters."""

    is_ours = False

    def __init__(self, context: Context, answer: Answer) -> None:
        self.context = context
        self.answer = answer
        self.asked: list[tuple[str, float | None, tuple[Any, ...]]] = []

    def run(self, values: dict[str, Any], folder: Path | None = None, until: str | None = None) -> Outcome:
        left = None if self.context.end is None else self.context.end - time.monotonic()
        self.asked.append((values["property"], left, tuple(values.get(KNOWN.name, ()))))
        return self.answer(values)


def race(one: int, other: int) -> Outcome:
    sides = tuple(
        Racing(Thread(number, "f"), Origin("a.c", line), RaceKind.WRITE, "x")
        for number, line in enumerate((one, other))
    )
    account = Race((sides[0], sides[1]), "x")
    return Outcome(Verdict.FALSE, violated=Property(RACING, sides[0].origin, account=account))


def planned(folder: Path, answer: Answer, **values: Any) -> tuple[Outcome, Session, list[str]]:
    """The outcome, the session that was asked, and the properties whose answers were passed on at once."""
    told: list[str] = []
    context = Context(values, folder, answered=lambda outcome: told.append(outcome.property))
    session = Session(context, answer)
    return SymbolicQuestions(context).plan(session), session, told


def test_time_that_is_not_needed_is_for_the_others(tmp_path: Path) -> None:
    outcome, session, told = planned(
        tmp_path, lambda values: Outcome(Verdict.TRUE), deadlock=True, race=True, timeout=60.0
    )
    assert outcome.verdict is Verdict.TRUE
    assert [name for name, _, _ in session.asked] == ["unreach-call", "no-deadlock", "no-data-race"]
    assert [round(left or 0, -1) for _, left, _ in session.asked] == [20, 30, 60]
    assert told == ["unreach-call", "no-deadlock"]


def test_other_races_are_asked_for_until_there_is_none(tmp_path: Path) -> None:
    races = [race(7, 3), race(5, 5), race(3, 9)]

    def answer(values: dict[str, Any]) -> Outcome:
        known = len(values.get(KNOWN.name, ()))
        return races[known] if known < len(races) else Outcome(Verdict.TRUE)

    outcome, session, told = planned(tmp_path, answer, only="no-data-race")
    assert (outcome.violated, outcome.listing) == (races[0].violated, Listing.ALL)
    assert outcome.others == [found.violated for found in races[1:]]
    three, five, seven, nine = (("a.c", line) for line in (3, 5, 7, 9))
    assert session.asked[-1][2] == ((three, seven), (five, five), (three, nine))
    assert told == ["no-data-race"], "the first one is passed on before the others are looked for"
    assert session.asked[0][1] is None and 0 < (session.asked[1][1] or 0) <= 10


@pytest.mark.parametrize(
    "last, listing",
    [
        (Outcome(Verdict.UNKNOWN, Reason.BOUNDED), Listing.WITHIN),
        (Outcome(Verdict.UNKNOWN, Reason.TIMEOUT), Listing.STOPPED),
        (race(3, 7), Listing.STOPPED),
    ],
)
def test_what_a_list_of_races_is_worth(last: Outcome, listing: Listing, tmp_path: Path) -> None:
    outcome, _, _ = planned(tmp_path, lambda values: last if KNOWN.name in values else race(7, 3), only="no-data-race")
    assert (outcome.verdict, outcome.others, outcome.listing) == (Verdict.FALSE, [], listing)


def test_one_race_is_enough_on_request(tmp_path: Path) -> None:
    outcome, session, _ = planned(tmp_path, lambda values: race(1, 2), only="no-data-race", first=True)
    assert (len(session.asked), outcome.listing) == (1, None)
