"""The values of a counterexample: what tells objects apart, what belongs to one call, and what a thread waits for."""

from __future__ import annotations

import pytest

from cseq.model.origin import Origin
from cseq.model.trace import (
    Action,
    ActionKind,
    BarrierWait,
    Holder,
    LockWait,
    ObjectKind,
    SemaphoreWait,
    SignalWait,
    Stuck,
    Thread,
    ThreadWait,
    Wait,
    by_call,
)

MAIN, WORK = Thread(0, "main"), Thread(2, "work")
HERE = Origin("a.c", 7)
MUTEX = LockWait(ObjectKind.MUTEX, "m", Holder(MAIN, Origin("a.c", 3)))


def actions(*kinds: ActionKind) -> list[Action]:
    return [Action(kind, "m" if kind in (ActionKind.LOCK, ActionKind.UNLOCK) else "c") for kind in kinds]


def grouped(*kinds: ActionKind) -> list[tuple[ActionKind, ...]]:
    return [tuple(action.kind for action in call) for call in by_call(actions(*kinds))]


def test_threads_are_called_by_their_function_and_number() -> None:
    assert [str(MAIN), str(WORK)] == ["main", "work (thread 2)"]


def test_an_object_is_told_apart_by_its_address_or_else_by_its_name() -> None:
    lock, unlock = Action(ActionKind.LOCK, "m", object=96), Action(ActionKind.UNLOCK, "*p", object=96)
    assert lock.key == unlock.key == 96
    assert Action(ActionKind.LOCK, "m").key == "m"
    assert Action(ActionKind.LOCK, "m").key != Action(ActionKind.LOCK, "*p").key


def test_an_action_is_about_an_object_or_about_a_thread() -> None:
    assert [kind for kind in ActionKind if kind.has_object and kind.has_thread] == []
    about_threads = {kind for kind in ActionKind if kind.has_thread}
    assert about_threads == {
        ActionKind.CREATE, ActionKind.JOIN, ActionKind.TRY_JOIN, ActionKind.CANCEL, ActionKind.DETACH,
    }  # fmt: skip
    neither = {kind for kind in ActionKind if not kind.has_object and not kind.has_thread}
    assert neither == {
        ActionKind.END, ActionKind.OPEN, ActionKind.CLOSE, ActionKind.UNLINK, ActionKind.CREATE_KEY,
        ActionKind.DELETE_KEY,
        ActionKind.ALLOCATE, ActionKind.FREE, ActionKind.SLEEP, ActionKind.YIELD, ActionKind.SEND, ActionKind.HANDLE,
        ActionKind.TRANSFER, ActionKind.COMPARE_EXCHANGE, ActionKind.LOAD_BIT_FIELDS, ActionKind.ORDER,
    }  # fmt: skip


def test_waiting_for_a_condition_variable_and_waking_up_are_one_call_each() -> None:
    lock, unlock = ActionKind.LOCK, ActionKind.UNLOCK
    wait, wake = ActionKind.WAIT, ActionKind.WAKE
    assert grouped(lock, unlock, wait, wake, lock, unlock) == [(lock,), (unlock, wait), (wake, lock), (unlock,)]


def test_what_merely_stands_next_to_each_other_is_not_one_call() -> None:
    lock, unlock, wait, wake = ActionKind.LOCK, ActionKind.UNLOCK, ActionKind.WAIT, ActionKind.WAKE
    assert grouped(lock, unlock) == [(lock,), (unlock,)]
    assert grouped(wait, unlock) == [(wait,), (unlock,)]
    assert grouped(unlock, wait, wait) == [(unlock, wait), (wait,)]
    assert grouped(wake, lock, lock) == [(wake, lock), (lock,)]
    assert grouped() == []


@pytest.mark.parametrize(
    ("wait", "lock"),
    [
        (MUTEX, MUTEX),
        (SignalWait("c", MUTEX), MUTEX),
        (SignalWait("c"), None),
        (SemaphoreWait("s"), None),
        (BarrierWait("b", 1, 2), None),
        (ThreadWait(MAIN), None),
    ],
)
def test_the_lock_that_is_waited_for(wait: Wait, lock: LockWait | None) -> None:
    stuck = Stuck(WORK, HERE, wait)
    assert stuck.awaits_lock == lock
    assert stuck.holder == (lock.holder if lock else None)


@pytest.mark.parametrize(
    ("thread", "wait", "expected"),
    [
        (MAIN, MUTEX, True),
        (WORK, MUTEX, False),
        (MAIN, SignalWait("c", MUTEX), True),
        (MAIN, SignalWait("c"), False),
        (WORK, ThreadWait(WORK), True),
        (WORK, ThreadWait(MAIN), False),
        (MAIN, SemaphoreWait("s"), False),
    ],
)
def test_who_waits_for_itself(thread: Thread, wait: Wait, expected: bool) -> None:
    assert Stuck(thread, HERE, wait).waits_for_itself is expected
