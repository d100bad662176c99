"""Operations as steps."""

from cseq.model.actions import ActionKind, Manner
from cseq.model.trace import Step
from cseq.modules.compiled.client.record import EntryFlag, Op
from cseq.modules.compiled.tracing.execution import RunTrace
from tests.support.recorded_runs import HEAP, STACK, Example, block, did

STACKS = [["in_deposit", "after_deposit"], ["locks"], ["in_main"], ["allocates"]]
DEPOSIT, LOCKS, MAIN, ALLOCATES = 1, 2, 3, 4
OBSERVED = EntryFlag.OBSERVED


def steps(example: Example, *operations: object, **more: object) -> list[Step]:
    run = example.run(*operations, stacks=STACKS, **more)  # type: ignore[arg-type]
    return RunTrace(run, example.folder).steps.steps


def kinds(made: list[Step]) -> list[list[str]]:
    return [[action.kind.value for action in step.actions] for step in made]


def test_one_step_for_each_line_and_turn(example: Example) -> None:
    m = STACK + 8
    made = steps(
        example,
        did(Op.CREATE, 0, stack=MAIN, argument=1), did(Op.LOCK, 1, m, LOCKS), did(Op.UNLOCK, 1, m, LOCKS),
        did(Op.LOCK, 2, m, LOCKS), did(Op.LOCK, 1, m, LOCKS), did(Op.END, 1, stack=0),
        did(Op.JOIN, 0, 0, MAIN, argument=1),
    )  # fmt: skip
    assert [(step.thread.number, step.origin.function) for step in made] == [
        (0, "main"), (1, "worker"), (2, "worker"), (1, "worker"), (0, "main"),
    ]  # fmt: skip
    assert kinds(made) == [["create"], ["lock", "unlock"], ["lock"], ["lock", "end"], ["join"]]
    assert [thread.number for thread in made[0].created] == [1]
    assert {action.name for step in made[1:3] for action in step.actions} == {"mine"}
    assert made[1].source.strip().startswith("HERE(locks)")


def test_actions_after_accesses_of_the_same_line(example: Example) -> None:
    m, small = STACK + 8, example.at["small"]
    made = steps(
        example,
        did(Op.LOCK, 1, m, LOCKS), did(Op.ATOMIC_STORE, 1, small, LOCKS, size=1, argument=1),
        did(Op.UNLOCK, 1, m, LOCKS),
    )  # fmt: skip
    assert [(*each, len(step.accesses)) for each, step in zip(kinds(made), made, strict=True)] == [
        ("lock", 1), ("unlock", 0),
    ]  # fmt: skip


def test_attempts_waits_and_wakes(example: Example) -> None:
    failed, late = EntryFlag.FAILED, EntryFlag.TIMED_OUT
    c, m = HEAP, HEAP + 8
    (step,) = steps(
        example,
        did(Op.TRY_LOCK, 1, m, LOCKS, flags=failed), did(Op.TIMED_LOCK, 1, m, LOCKS, flags=failed | late),
        did(Op.WAIT, 1, c, LOCKS, argument=m), did(Op.WAKE, 1, m, LOCKS, argument=c, flags=late),
        did(Op.FUTEX_WAIT, 1, c, LOCKS, flags=failed), did(Op.TAKE, 1, c, LOCKS, flags=failed),
    )  # fmt: skip
    assert [(action.kind, action.manner) for action in step.actions] == [
        (ActionKind.TRY, Manner.TRIED), (ActionKind.TRY, Manner.EXPIRED), (ActionKind.UNLOCK, Manner.PLAIN),
        (ActionKind.WAIT, Manner.PLAIN), (ActionKind.WAKE, Manner.EXPIRED), (ActionKind.LOCK, Manner.PLAIN),
    ]  # fmt: skip


def test_values_that_are_read_and_written(example: Example) -> None:
    small, top = example.at["small"], example.at["top"]
    made = steps(
        example,
        did(Op.WRITE, 1, small, DEPOSIT, size=1, value=0, argument=7, flags=OBSERVED),
        did(Op.READ, 2, small, LOCKS, size=1, value=9, flags=OBSERVED),
        did(Op.ATOMIC_COMPARE, 1, top, DEPOSIT, size=8, value=0, argument=HEAP),
        did(Op.ATOMIC_DIFFERS, 2, top, LOCKS, size=8, value=HEAP, argument=0),
        blocks=[block(HEAP, 16, ALLOCATES)],
    )
    shown = [[(access.kind, access.name, access.value) for access in step.accesses] for step in made]
    # What the next access finds counts more than what the runtime found when it came by again.
    assert shown == [
        [("write", "small", "9")], [("read", "small", "9")],
        [("read", "top", "nullptr"), ("write", "top", "&Node#1")], [("read", "top", "&Node#1")],
    ]  # fmt: skip


def test_accesses_that_concern_one_thread_are_left_out(example: Example) -> None:
    small, done = example.at["small"], example.at["done"]
    made = steps(
        example,
        did(Op.WRITE, 1, small, DEPOSIT, size=1, flags=OBSERVED),
        did(Op.READ, 1, small, LOCKS, size=1, flags=OBSERVED),
        did(Op.READ, 1, done, DEPOSIT, size=1, flags=OBSERVED), did(Op.READ, 2, done, LOCKS, size=1, flags=OBSERVED),
    )  # fmt: skip
    assert made == []


def test_blocks_that_come_and_go(example: Example) -> None:
    made = steps(
        example,
        did(Op.ALLOCATE, 1, HEAP, ALLOCATES, argument=16), did(Op.ALLOCATE, 1, HEAP + 64, ALLOCATES, argument=16),
        did(Op.FREE, 2, HEAP, LOCKS), object=HEAP + 8,
        blocks=[block(HEAP, 16, ALLOCATES, LOCKS)],
    )  # fmt: skip
    assert [(action.kind.value, action.name) for step in made for action in step.actions] == [
        ("allocate", "Node#1"), ("free", "Node#1"),
    ]  # fmt: skip
