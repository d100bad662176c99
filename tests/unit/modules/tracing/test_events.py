"""What a counterexample says of calls of the thread library: each leaves an event, and its outcome is known."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.actions import ActionKind, Manner
from cseq.model.trace import Action, Thread
from cseq.model.verdict import Outcome, Verdict
from cseq.modules.library.primitives import ALL, OUTCOMES
from cseq.report import actions

pytestmark = pytest.mark.engine

needs_engine = pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")
engines = pytest.mark.parametrize("engine", [{"rounds": 3}, {"backend": "native"}], ids=["cbmc", "native"])

WORK = Thread(1, "work")

JOINS = """\
    #define _GNU_SOURCE
    #include <assert.h>
    #include <pthread.h>

    int x;
    void *work(void *arg) { x = 1; return arg; }

    int main(void)
    {
        pthread_t thread;
        struct timespec soon = {0, 0};
        void *result;
        int error, late;
        pthread_create(&thread, 0, work, &x);
        error = pthread_tryjoin_np(thread, &result);
        late = error ? pthread_timedjoin_np(thread, &result, &soon) : 0;
        CLAIM;
        return 0;
    }
    """


def verified(folder: Path, text: str, **parameters: Any) -> Outcome:
    path = folder / "program.c"
    path.write_text(dedent(text), encoding="utf-8")
    return cseq.verify(path, timeout=60, **parameters)


def done(outcome: Outcome, *kinds: ActionKind) -> list[Action]:
    """What the threads do in the counterexample, of some kinds."""
    assert outcome.verdict is Verdict.FALSE, (outcome.reason, outcome.message)
    assert outcome.counterexample is not None
    return [action for step in outcome.counterexample.steps for action in step.actions if action.kind in kinds]


@needs_engine
@engines
@pytest.mark.parametrize(
    "claim, kinds, words",
    [
        ("assert(error)", [ActionKind.JOIN], ["tries to join work (thread 1)"]),
        (
            "assert(!error || late)",
            [ActionKind.TRY_JOIN, ActionKind.JOIN],
            ["tries to join work (thread 1)", "joins work (thread 1), or waits too long"],
        ),
        (
            "assert(!late)",
            [ActionKind.TRY_JOIN, ActionKind.TRY_JOIN],
            ["tries to join work (thread 1)", "joins work (thread 1), or waits too long"],
        ),
    ],
)
def test_joins_that_do_not_wait_leave_events(
    engine: dict[str, Any], claim: str, kinds: list[ActionKind], words: list[str], tmp_path: Path
) -> None:
    outcome = verified(tmp_path, JOINS.replace("CLAIM", claim), **engine)
    found = done(outcome, ActionKind.JOIN, ActionKind.TRY_JOIN)
    assert [action.kind for action in found] == kinds
    assert [action.thread for action in found] == [WORK] * len(kinds)
    assert outcome.counterexample is not None
    events = [event for step in outcome.counterexample.steps for event in actions.events(step)]
    assert [event for event in events if "join" in event] == words
    if kinds[-1] is ActionKind.JOIN:  # and what the thread has returned is shown
        accesses = [access for step in outcome.counterexample.steps for access in step.accesses]
        assert any(access.kind == "write" and access.name == "result" for access in accesses)


@needs_engine
@engines
def test_nothing_is_wrong_with_them_otherwise(engine: dict[str, Any], tmp_path: Path) -> None:
    claim = "assert(error || x == 1); assert(late || (x == 1 && result == &x))"
    outcome = verified(tmp_path, JOINS.replace("CLAIM", claim), **engine)
    assert outcome.verdict is not Verdict.FALSE, outcome.violated
    assert outcome.exit_status == 0, (outcome.reason, outcome.message)


CANCELLED = """\
    #include <assert.h>
    #include <pthread.h>

    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
    struct timespec soon;
    int waits;
    void unlock(void *unused) { pthread_mutex_unlock(&lock); }

    void *work(void *arg)
    {
        pthread_mutex_lock(&lock);
        pthread_cleanup_push(unlock, 0);
        waits = 1;
        pthread_cond_timedwait(&ready, &lock, &soon);
        pthread_cleanup_pop(1);
        return 0;
    }

    int main(void)
    {
        pthread_t thread;
        void *result;
        int asleep;
        pthread_create(&thread, 0, work, 0);
        pthread_mutex_lock(&lock);
        asleep = waits;
        pthread_cancel(thread);
        pthread_mutex_unlock(&lock);
        pthread_join(thread, &result);
        assert(!asleep || CLAIM);
        return 0;
    }
    """


@needs_engine
@pytest.mark.parametrize("claim, manner", [("result == 0", Manner.CANCELLABLE), ("result != 0", Manner.TIMED)])
def test_a_thread_that_is_cancelled_while_it_waits_has_its_mutex_again(
    claim: str, manner: Manner, tmp_path: Path
) -> None:
    outcome = verified(tmp_path, CANCELLED.replace("CLAIM", claim), rounds=3)
    assert [action.manner for action in done(outcome, ActionKind.WAKE)] == [manner]
    kinds = [action.kind for action in done(outcome, ActionKind.LOCK, ActionKind.UNLOCK, ActionKind.END)]
    assert kinds.count(ActionKind.LOCK) == kinds.count(ActionKind.UNLOCK) == 3


@needs_engine
def test_whether_it_is_cancelled_or_not_it_ends(tmp_path: Path) -> None:
    text = CANCELLED.replace("CLAIM", "result == 0 || result == PTHREAD_CANCELED")
    outcome = verified(tmp_path, text, rounds=3)
    assert outcome.verdict is not Verdict.FALSE, outcome.violated
    assert outcome.exit_status == 0, (outcome.reason, outcome.message)


@pytest.mark.parametrize("kind, manner", sorted({(a.kind, a.manner) for each in ALL for a in each.acts}, key=str))
def test_there_are_words_for_whatever_is_done(kind: ActionKind, manner: Manner) -> None:
    for each in {kind, *OUTCOMES.get(kind, ())}:
        assert actions.action(Action(each, "it", WORK, manner=manner))
