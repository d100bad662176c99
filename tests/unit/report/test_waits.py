"""What threads wait for, in words."""

import pytest

from cseq.model import trace as tr
from cseq.model.origin import Origin
from cseq.report.waits import deadlock, plain

MAIN, WORKER = tr.Thread(0, "main"), tr.Thread(1, "worker")
HERE, THERE = Origin("a.c", 9, function="main"), Origin("a.c", 5, function="worker")
MUTEX = tr.LockWait(tr.ObjectKind.MUTEX, "m", tr.Holder(WORKER, THERE))


@pytest.mark.parametrize(
    "wait, words",
    [
        (MUTEX, "for m, held by worker (thread 1) since a.c:5"),
        (tr.LockWait(tr.ObjectKind.SPIN_LOCK, "s", tr.Holder(MAIN, THERE)), "for s, which it holds itself since a.c:5"),
        (tr.LockWait(tr.ObjectKind.MUTEX, "m", tr.Holder(WORKER, None, True)),
         "for m, held by worker (thread 1), which has ended"),
        (tr.LockWait(tr.ObjectKind.RWLOCK, "l", tr.Holder(WORKER, THERE), tr.Mode.READING),
         "to lock l for reading, held by worker (thread 1) since a.c:5"),
        (tr.LockWait(tr.ObjectKind.ONCE, "o", tr.Holder(MAIN)), "for the routine of o, which it runs itself"),
        (tr.LockWait(tr.ObjectKind.ONCE, "o", tr.Holder(WORKER, THERE)),
         "for the routine of o, run by worker (thread 1) since a.c:5"),
        (tr.SignalWait("c"), "for a signal on c, and no thread is left to send one"),
        (tr.SignalWait("c", MUTEX), "for a signal on c and for m, held by worker (thread 1) since a.c:5"),
        (tr.SemaphoreWait("s"), "for semaphore s, whose value is 0, and no thread is left to post it"),
        (tr.BarrierWait("b", 1, 2), "for the others at barrier b, where 1 of 2 has arrived"),
        (tr.BarrierWait("b", 2, 3), "for the others at barrier b, where 2 of 3 have arrived"),
        (tr.CallWait("read"), "in read, and no thread is left to end that"),
        (tr.ThreadWait(WORKER), "for worker (thread 1) to end"),
        (tr.ThreadWait(MAIN), "for itself to end"),
    ],
)  # fmt: skip
def test_waits(wait: tr.Wait, words: str) -> None:
    assert plain(tr.Stuck(MAIN, HERE, wait)) == f"waits {words}"


def test_threads_in_a_circle_and_behind_it() -> None:
    once = tr.Hold("o", HERE, kind=tr.ObjectKind.ONCE)
    circle = [
        tr.Stuck(MAIN, HERE, MUTEX, in_circle=True, blocks=once),
        tr.Stuck(
            WORKER,
            THERE,
            tr.LockWait(tr.ObjectKind.ONCE, "o", tr.Holder(MAIN, HERE)),
            in_circle=True,
            blocks=tr.Hold("m", THERE),
        ),
    ]
    other = tr.Stuck(tr.Thread(2, "late"), THERE, tr.ThreadWait(MAIN))
    assert deadlock([*circle, other]) == (
        "deadlock: main runs `o` since a.c:9 and waits for `m` at a.c:9; "
        "worker (thread 1) holds `m` since a.c:5 and waits for the routine of `o` at a.c:5; "
        "late (thread 2) waits at a.c:5 for main to end"
    )


def test_who_waits_for_itself() -> None:
    itself = tr.Stuck(MAIN, HERE, tr.LockWait(tr.ObjectKind.MUTEX, "m", tr.Holder(MAIN, THERE)), in_circle=True)
    assert itself.waits_for_itself and deadlock([itself]) == (
        "deadlock: main waits at a.c:9 for `m`, which it holds itself since a.c:5"
    )
    assert tr.Stuck(MAIN, HERE, tr.ThreadWait(MAIN)).waits_for_itself
    assert (
        not tr.Stuck(MAIN, HERE, MUTEX).waits_for_itself
        and not tr.Stuck(MAIN, HERE, tr.SemaphoreWait("s")).waits_for_itself
    )
