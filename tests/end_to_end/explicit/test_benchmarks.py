"""Programs of sv-benchmarks get their verdicts by explicit-state search, too: without bounds, and twins are proved."""

import pytest

import cseq
from cseq.model.verdict import Reason, Verdict
from tests.end_to_end.test_verdicts import (
    DEADLOCK,
    DEADLOCKS,
    MARKS,
    RACE,
    RACES,
    REACH,
    TASKS,
    Task,
    check_race,
    check_stuck,
    check_violation,
)
from tests.support.selection import everything

SOME = {
    *("atomic_sections", "barrier", "escaping_local", "list_insert", "main_pthread_exit", "recursion", "seqlock"),
    *("two_units", "join_circle", "rwlock_upgrade", "condition_handoff", "mixed_atomic"),
}
"""Pairs that show what differs. With --all, all of them are checked."""

SAMPLED = {"pthread_exit_early_good"}
"""Programs without a bug of whose inputs only some values are tried, so that there is no proof."""

OTHERWISE = {"wraparound_bad"}
"""Programs whose bug needs another data model than the one that is explored here."""

QUESTIONS = {REACH: (TASKS, {}), DEADLOCK: (DEADLOCKS, {"deadlock": True}), RACE: (RACES, {"race": True})}


@pytest.mark.parametrize(
    ("question", "task"),
    [
        pytest.param(question, task, id=task.name)
        for question, (tasks, _) in QUESTIONS.items()
        for task in tasks
        if task.name not in OTHERWISE and (task.pair in SOME or everything())
    ],
)
def test_verdict(question: str, task: Task) -> None:
    values = {"bits": 64, "recursion": 4, "timeout": 60, **QUESTIONS[question][1]}
    answer = cseq.verify(task.files, chain="explicit", **values).of(question)
    if task.name in SAMPLED:
        assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)
    elif task.is_safe:
        assert answer.verdict is Verdict.TRUE, (answer.reason, answer.message, answer.violated, answer.bounds)
    elif question == REACH:
        check_violation(answer, MARKS[question])
    else:
        {DEADLOCK: check_stuck, RACE: check_race}[question](answer)
