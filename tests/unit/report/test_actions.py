"""What steps do, in words: of each kind of action, and of two that are one call."""

import pytest

from cseq.model.actions import ActionKind, Manner, Mode
from cseq.model.origin import Origin
from cseq.model.trace import Action, Hold, RaceKind, Racing, Step, Stuck, Thread, ThreadWait
from cseq.modules.library import primitives
from cseq.modules.library.acts import Act
from cseq.report.actions import action, events
from tests.support.sentences import keys_only

MAIN, WORKER = Thread(0, "main"), Thread(1, "worker")
PLACE = Origin("a.c", 3, function="main")


def done(*actions: Action) -> list[str]:
    return events(Step(MAIN, PLACE, actions=list(actions)))


@pytest.mark.parametrize("kind", ActionKind)
@pytest.mark.parametrize("manner", Manner)
def test_each_kind_has_words_in_each_manner(kind: ActionKind, manner: Manner) -> None:
    said = action(Action(kind, "m", WORKER if kind.has_thread else None, manner=manner))
    assert said and "{" not in said
    assert ("worker (thread 1)" in said) == kind.has_thread
    with keys_only():
        assert action(Action(kind, "m", manner=manner)).startswith("<action.")


@pytest.mark.parametrize(
    "one, words",
    [
        (Action(ActionKind.LOCK, "m"), "locks m"),
        (Action(ActionKind.TRY, "m", manner=Manner.TRIED), "tries to lock m"),
        (Action(ActionKind.LOCK, "m", manner=Manner.TRIED), "tries to lock m"),
        (Action(ActionKind.TRY, "l", manner=Manner.TIMED, mode=Mode.WRITING), "locks l for writing, or waits too long"),
        (Action(ActionKind.READ_LOCK, "l", mode=Mode.READING), "locks l for reading"),
        (Action(ActionKind.TRY_TAKE, "s", manner=Manner.TIMED), "takes one from s, or waits too long"),
        (Action(ActionKind.PASS, "o"), "reaches o"),
        (Action(ActionKind.JOIN, thread=WORKER, manner=Manner.WAITED), "waits for the end of worker (thread 1)"),
        (Action(ActionKind.JOIN, "t"), "joins t, which is no thread"),
        (Action(ActionKind.DETACH, thread=MAIN), "detaches main"),
        (Action(ActionKind.END, manner=Manner.CANCELLED), "is cancelled"),
        (Action(ActionKind.FREE, "p->next"), "frees p->next"),
    ],
)
def test_words(one: Action, words: str) -> None:
    assert done(one) == [words]


def test_what_is_one_call_is_said_at_once() -> None:
    sleep = Action(ActionKind.UNLOCK, "m"), Action(ActionKind.WAIT, "c")
    wake = Action(ActionKind.WAKE, "c"), Action(ActionKind.LOCK, "m")
    assert done(Action(ActionKind.UNLOCK, "k"), *sleep) == ["unlocks k", "waits for c, unlocks m"]
    assert done(*wake, Action(ActionKind.LOCK, "k")) == ["has been woken, locks m", "locks k"]


def test_who_stands_does_nothing() -> None:
    step = Step(MAIN, PLACE, actions=[Action(ActionKind.LOCK, "m")], stands=True)
    assert events(step) == []
    step.why = Stuck(MAIN, PLACE, ThreadWait(WORKER))
    assert events(step) == ["waits for worker (thread 1) to end"]
    step.why = Racing(MAIN, PLACE, RaceKind.FREE, "", function="realloc", holds=(Hold("m", PLACE, True),))
    assert events(step) == ["is about to free memory in realloc", "holds m for reading since a.c:3"]


@pytest.mark.parametrize("function", [one.name for one in primitives.ALL if one.acts])
def test_each_call_of_the_library_has_words(function: str) -> None:
    def made(act: Act, kind: ActionKind) -> Action:
        return Action(kind, "m", WORKER if kind.has_thread else None, manner=act.manner, mode=act.mode)

    acts = primitives.acts(function)
    (said,) = done(*(made(act, act.kind) for act in acts))
    for kind in primitives.outcomes(function) or ():  # what comes of the call does not change what it is
        assert done(made(acts[0], kind)) == [said]
