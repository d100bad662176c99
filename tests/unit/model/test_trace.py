"""The values of a counterexample: what tells objects apart, what belongs to one call, and what a thread waits for."""

import pytest

from cseq.model import trace as tr
from cseq.model.origin import Origin

MAIN, WORK = tr.Thread(0, "main"), tr.Thread(2, "work")
HERE = Origin("a.c", 7)
MUTEX = tr.LockWait(tr.ObjectKind.MUTEX, "m", tr.Holder(MAIN, Origin("a.c", 3)))


def actions(*kinds: tr.ActionKind) -> list[tr.Action]:
    return [tr.Action(kind, "m" if kind in (tr.ActionKind.LOCK, tr.ActionKind.UNLOCK) else "c") for kind in kinds]


def grouped(*kinds: tr.ActionKind) -> list[tuple[tr.ActionKind, ...]]:
    return [tuple(action.kind for action in call) for call in tr.by_call(actions(*kinds))]


def test_threads_are_called_by_their_function_and_number() -> None:
    assert [str(MAIN), str(WORK)] == ["main", "work (thread 2)"]


def test_an_object_is_told_apart_by_its_address_or_else_by_its_name() -> None:
    lock, unlock = tr.Action(tr.ActionKind.LOCK, "m", object=96), tr.Action(tr.ActionKind.UNLOCK, "*p", object=96)
    assert lock.key == unlock.key == 96
    assert tr.Action(tr.ActionKind.LOCK, "m").key == "m"
    assert tr.Action(tr.ActionKind.LOCK, "m").key != tr.Action(tr.ActionKind.LOCK, "*p").key


def test_an_action_is_about_an_object_or_about_a_thread() -> None:
    assert [kind for kind in tr.ActionKind if kind.has_object and kind.has_thread] == []
    about_threads = {kind for kind in tr.ActionKind if kind.has_thread}
    assert about_threads == {
        tr.ActionKind.CREATE, tr.ActionKind.JOIN, tr.ActionKind.TRY_JOIN, tr.ActionKind.CANCEL, tr.ActionKind.DETACH,
    }  # fmt: skip
    neither = {kind for kind in tr.ActionKind if not kind.has_object and not kind.has_thread}
    assert neither == {
        tr.ActionKind.END, tr.ActionKind.OPEN, tr.ActionKind.CLOSE, tr.ActionKind.UNLINK, tr.ActionKind.CREATE_KEY,
        tr.ActionKind.DELETE_KEY, tr.ActionKind.ALLOCATE, tr.ActionKind.FREE, tr.ActionKind.SLEEP, tr.ActionKind.YIELD,
        tr.ActionKind.SEND, tr.ActionKind.HANDLE, tr.ActionKind.TRANSFER, tr.ActionKind.COMPARE_EXCHANGE,
        tr.ActionKind.LOAD_BIT_FIELDS, tr.ActionKind.ORDER,
    }  # fmt: skip


def test_waiting_for_a_condition_variable_and_waking_up_are_one_call_each() -> None:
    lock, unlock = tr.ActionKind.LOCK, tr.ActionKind.UNLOCK
    wait, wake = tr.ActionKind.WAIT, tr.ActionKind.WAKE
    assert grouped(lock, unlock, wait, wake, lock, unlock) == [(lock,), (unlock, wait), (wake, lock), (unlock,)]


def test_what_merely_stands_next_to_each_other_is_not_one_call() -> None:
    lock, unlock, wait, wake = tr.ActionKind.LOCK, tr.ActionKind.UNLOCK, tr.ActionKind.WAIT, tr.ActionKind.WAKE
    assert grouped(lock, unlock) == [(lock,), (unlock,)]
    assert grouped(wait, unlock) == [(wait,), (unlock,)]
    assert grouped(unlock, wait, wait) == [(unlock, wait), (wait,)]
    assert grouped(wake, lock, lock) == [(wake, lock), (lock,)]
    assert grouped() == []


@pytest.mark.parametrize(
    ("wait", "lock"),
    [
        (MUTEX, MUTEX),
        (tr.SignalWait("c", MUTEX), MUTEX),
        (tr.SignalWait("c"), None),
        (tr.SemaphoreWait("s"), None),
        (tr.BarrierWait("b", 1, 2), None),
        (tr.ThreadWait(MAIN), None),
    ],
)
def test_the_lock_that_is_waited_for(wait: tr.Wait, lock: tr.LockWait | None) -> None:
    stuck = tr.Stuck(WORK, HERE, wait)
    assert stuck.awaits_lock == lock
    assert stuck.holder == (lock.holder if lock else None)


@pytest.mark.parametrize(
    ("thread", "wait", "expected"),
    [
        (MAIN, MUTEX, True),
        (WORK, MUTEX, False),
        (MAIN, tr.SignalWait("c", MUTEX), True),
        (MAIN, tr.SignalWait("c"), False),
        (WORK, tr.ThreadWait(WORK), True),
        (WORK, tr.ThreadWait(MAIN), False),
        (MAIN, tr.SemaphoreWait("s"), False),
    ],
)
def test_who_waits_for_itself(thread: tr.Thread, wait: tr.Wait, expected: bool) -> None:
    assert tr.Stuck(thread, HERE, wait).waits_for_itself is expected
