"""What threads wait for, in words."""

from __future__ import annotations

import pytest

from cseq.model.origin import Origin
from cseq.model.trace import (
    BarrierWait,
    CallWait,
    Hold,
    Holder,
    LockWait,
    Mode,
    ObjectKind,
    SemaphoreWait,
    SignalWait,
    Stuck,
    Thread,
    ThreadWait,
    Wait,
)
from cseq.report.waits import deadlock, plain

MAIN, WORKER = Thread(0, "main"), Thread(1, "worker")
HERE, THERE = Origin("a.c", 9, function="main"), Origin("a.c", 5, function="worker")
MUTEX = LockWait(ObjectKind.MUTEX, "m", Holder(WORKER, THERE))


@pytest.mark.parametrize(
    "wait, words",
    [
        (MUTEX, "for m, held by worker (thread 1) since a.c:5"),
        (LockWait(ObjectKind.SPIN_LOCK, "s", Holder(MAIN, THERE)), "for s, which it holds itself since a.c:5"),
        (LockWait(ObjectKind.MUTEX, "m", Holder(WORKER, None, True)),
         "for m, held by worker (thread 1), which has ended"),
        (LockWait(ObjectKind.RWLOCK, "l", Holder(WORKER, THERE), Mode.READING),
         "to lock l for reading, held by worker (thread 1) since a.c:5"),
        (LockWait(ObjectKind.ONCE, "o", Holder(MAIN)), "for the routine of o, which it runs itself"),
        (LockWait(ObjectKind.ONCE, "o", Holder(WORKER, THERE)),
         "for the routine of o, run by worker (thread 1) since a.c:5"),
        (SignalWait("c"), "for a signal on c, and no thread is left to send one"),
        (SignalWait("c", MUTEX), "for a signal on c and for m, held by worker (thread 1) since a.c:5"),
        (SemaphoreWait("s"), "for semaphore s, whose value is 0, and no thread is left to post it"),
        (BarrierWait("b", 1, 2), "for the others at barrier b, where 1 of 2 has arrived"),
        (BarrierWait("b", 2, 3), "for the others at barrier b, where 2 of 3 have arrived"),
        (CallWait("read"), "in read, and no thread is left to end that"),
        (ThreadWait(WORKER), "for worker (thread 1) to end"),
        (ThreadWait(MAIN), "for itself to end"),
    ],
)  # fmt: skip
def test_waits(wait: Wait, words: str) -> None:
    assert plain(Stuck(MAIN, HERE, wait)) == f"waits {words}"


def test_threads_in_a_circle_and_behind_it() -> None:
    once = Hold("o", HERE, kind=ObjectKind.ONCE)
    circle = [
        Stuck(MAIN, HERE, MUTEX, in_circle=True, blocks=once),
        Stuck(
            WORKER, THERE, LockWait(ObjectKind.ONCE, "o", Holder(MAIN, HERE)), in_circle=True, blocks=Hold("m", THERE)
        ),
    ]
    other = Stuck(Thread(2, "late"), THERE, ThreadWait(MAIN))
    assert deadlock([*circle, other]) == (
        "deadlock: main runs `o` since a.c:9 and waits for `m` at a.c:9; "
        "worker (thread 1) holds `m` since a.c:5 and waits for the routine of `o` at a.c:5; "
        "late (thread 2) waits at a.c:5 for main to end"
    )


def test_who_waits_for_itself() -> None:
    itself = Stuck(MAIN, HERE, LockWait(ObjectKind.MUTEX, "m", Holder(MAIN, THERE)), in_circle=True)
    assert itself.waits_for_itself and deadlock([itself]) == (
        "deadlock: main waits at a.c:9 for `m`, which it holds itself since a.c:5"
    )
    assert Stuck(MAIN, HERE, ThreadWait(MAIN)).waits_for_itself
    assert not Stuck(MAIN, HERE, MUTEX).waits_for_itself and not Stuck(MAIN, HERE, SemaphoreWait("s")).waits_for_itself
