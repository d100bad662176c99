"""Threads that are blocked for ever, and who holds what."""

from typing import Any

from cseq.model.claims import Reason
from cseq.model.trace import Atomicity, BarrierWait, ChangeWait, Race, RaceKind, SemaphoreWait, SignalWait, TransferWait
from cseq.modules.compiled.client.record import AccessKind, End, EntryFlag, Op
from cseq.modules.compiled.client.recorded import Operation, RaceFound, RaceSide
from cseq.modules.compiled.tracing.execution import RunTrace
from cseq.modules.compiled.tracing.held_locks import Ledger
from cseq.report.waits import deadlock, plain
from tests.support.recorded_runs import Example, did

STACKS = [["in_deposit", "after_deposit"], ["locks"], ["in_main"]]
DEPOSIT, LOCKS, MAIN = 1, 2, 3
BLOCKED = EntryFlag.PENDING | EntryFlag.BLOCKED


def told(example: Example, *operations: Operation, **more: Any) -> RunTrace:
    return RunTrace(example.run(*operations, stacks=STACKS, end=End.DEADLOCK, **more), example.folder)


def blocked(op: Op, thread: int, thing: int, stack: int = LOCKS, **more: Any) -> Operation:
    return did(op, thread, thing, stack, flags=BLOCKED, **more)


def waits(example: Example, *operations: Operation) -> list[str]:
    return [plain(stuck) for stuck in told(example, *operations).blocked.stuck]


def test_a_circle_of_two(example: Example) -> None:
    a, b = example.at["small"], example.at["done"]
    found = told(
        example,
        did(Op.LOCK, 1, a, DEPOSIT), did(Op.LOCK, 2, b, DEPOSIT), did(Op.LOCK, 0, example.at["top"], MAIN),
        blocked(Op.JOIN, 0, 0, MAIN, argument=1), blocked(Op.LOCK, 1, b), blocked(Op.LOCK, 2, a),
    )  # fmt: skip
    stuck = found.blocked.stuck
    assert [(one.thread.number, one.in_circle) for one in stuck] == [(1, True), (2, True), (0, False)]
    said = deadlock(stuck)
    assert "worker (thread 1) holds `small` since example.cpp" in said and "and waits for `done` at" in said
    violated = found.blocked.violated
    assert violated is not None and violated.claim.reason is None
    shown = found.of_deadlock()
    assert [step.thread.number for step in shown.steps if step.stands] == [0, 1, 2]


def test_one_that_waits_for_itself_or_for_one_that_has_ended(example: Example) -> None:
    m = example.at["small"]
    itself = told(example, did(Op.LOCK, 1, m, DEPOSIT), blocked(Op.LOCK, 1, m)).blocked
    assert itself.violated is not None and itself.violated.claim.reason is Reason.ITSELF
    ended = told(example, did(Op.LOCK, 1, m, DEPOSIT), did(Op.END, 1, stack=0), blocked(Op.LOCK, 2, m)).blocked
    assert ended.violated is not None and ended.violated.claim.reason is Reason.ENDED_HOLDER


def test_signals_that_do_not_come(example: Example) -> None:
    c, m = example.at["small"], example.at["done"]
    locks = did(Op.LOCK, 1, m, LOCKS), did(Op.WAIT, 1, c, LOCKS, argument=m)
    (alone,) = told(example, *locks, blocked(Op.WAKE, 1, m, argument=c)).blocked.stuck
    assert alone.wait == SignalWait("small")
    other = did(Op.LOCK, 2, m, DEPOSIT)
    asleep = told(example, *locks, other, blocked(Op.WAKE, 1, m, argument=c)).blocked.stuck[0]
    assert isinstance(asleep.wait, SignalWait) and asleep.wait.mutex is not None
    signalled = did(Op.SIGNAL, 2, c, DEPOSIT, value=2)
    (woken,) = waits(example, *locks, other, signalled, blocked(Op.WAKE, 1, m, argument=c))
    assert woken.startswith("waits for done, held by worker (thread 2)")


def test_other_waits(example: Example) -> None:
    thing = example.at["small"]
    found = told(
        example,
        did(Op.BARRIER_INIT, 0, thing, MAIN, argument=3), did(Op.ARRIVE, 0, thing, MAIN),
        blocked(Op.LEAVE, 0, thing, MAIN), blocked(Op.TAKE, 1, thing), blocked(Op.FUTEX_RETURN, 2, thing),
    ).blocked.stuck  # fmt: skip
    assert [one.wait for one in found] == [BarrierWait("small", 1, 3), SemaphoreWait("small"), ChangeWait("small")]
    (reads,) = told(example, blocked(Op.INPUT_OUTPUT, 1, 0, argument=3)).blocked.stuck
    assert reads.wait == TransferWait(3)


def test_a_barrier_counts_the_threads_of_its_last_round() -> None:
    ledger = Ledger()
    first, second = did(Op.ARRIVE, 1, 8), did(Op.ARRIVE, 2, 8)
    for operation in (did(Op.BARRIER_INIT, 0, 8, argument=2), first, second, did(Op.LEAVE, 1, 8), second):
        ledger.book(operation)
    assert ledger.arrived[8] == [2]
    ledger.book(first)
    assert ledger.arrived[8] == []


def test_locks_that_are_taken_twice_and_shared() -> None:
    ledger = Ledger()
    for operation in (
        did(Op.LOCK, 1, 8), did(Op.LOCK, 1, 8), did(Op.UNLOCK, 1, 8), did(Op.READ_LOCK, 1, 16),
        did(Op.READ_LOCK, 2, 16),
        did(Op.TRY_LOCK, 2, 8, flags=EntryFlag.FAILED),
    ):  # fmt: skip
        ledger.book(operation)
    assert [(held.object, held.reading, held.times) for held in ledger.held_by(1)] == [(8, False, 1), (16, True, 1)]
    assert [held.thread for held in ledger.holders(16)] == [1, 2]
    ledger.book(did(Op.UNLOCK, 1, 8))
    assert ledger.holders(8) == []


def test_races_have_both_sides_with_their_locks(example: Example) -> None:
    m, small = example.at["done"], example.at["small"]
    operations = [did(Op.LOCK, 1, m, LOCKS), did(Op.UNLOCK, 1, m, LOCKS), did(Op.LOCK, 2, m, LOCKS)]
    node = 3  # that of in_deposit, called by worker
    sides = (RaceSide(1, 0, 2, AccessKind.READ, True, 1, 1), RaceSide(2, 0, node, AccessKind.WRITE, False, 1, 3))
    race = RaceFound(sides[0], sides[1], small, 0)
    found = RunTrace(example.run(*operations, stacks=STACKS, races=(race, race)), example.folder)
    (violated,) = found.races
    account = violated.account
    assert isinstance(account, Race)
    first, second = account.sides
    assert account.memory == "small"
    assert (first.thread.number, first.action, [held.name for held in first.holds]) == (2, RaceKind.WRITE, ["done"])
    assert (second.thread.number, second.how) == (1, Atomicity.ATOMIC)
    assert [held.name for held in second.holds] == ["done"]
    assert found.of_race(violated).steps[-1].thread.number == 2
