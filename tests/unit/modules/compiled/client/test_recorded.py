"""A run is copied out of the shared file, and the object files of a process are known."""

import ctypes
import os
from pathlib import Path
from typing import Any

import pytest

from cseq.modules.compiled.client import record
from cseq.modules.compiled.client.record import AccessKind, ChoiceKind, End, EntryFlag, Op, RequestFlag, Strategy
from cseq.modules.compiled.client.recorded import Decision, Module, Operation, RecordedRun, ThreadRecord, copied
from cseq.modules.compiled.client.server import modules_of

MODULE = Module("/program", 0x1000, 0x2000)


def copy(end: End, **elements: list[ctypes.Structure]) -> RecordedRun:
    def array(name: str) -> Any:
        kind = record.ARRAYS[name]
        given = elements.get(name, [])
        return (kind * len(given))(*given)

    result = record.ResultRecord(end=end, detail=-7, thread=1, text=b"caf\xe9", operations=12, schedule=99, spinning=5)
    return copied(result, array, [MODULE], b"out", Strategy.POS, 4, RequestFlag.WEAK, [0x1010])


def test_all_that_is_in_the_arrays_is_copied() -> None:
    side = record.Side(pc=0x1010, stack=1, entry=2, thread=1, kind=1, atomic=1, size=4)
    other = record.Side(pc=0x1020, stack=1, entry=3, thread=2, kind=2, size=8)
    run = copy(
        End.ABORTED,
        entries=[
            record.Entry(op=13, thread=1, flags=4, size=8, order=5, stack=1, choice=2, object=3, value=4, argument=6,
                         enabled=7),
        ],
        choices=[record.Choice(kind=1, alternatives=3, value=2)],
        frames=[record.StackNode(pc=0, caller=0), record.StackNode(pc=0x1010, caller=0)],
        threads=[record.ThreadInfo(start=1, handle=2, stack=3, creator=4, number=5, stack_low=6, stack_high=7)],
        races=[record.RaceRecord(first=side, second=other, address=64, value=1)],
        blocks=[record.BlockInfo(address=64, size=32, allocated=1, freed=2, thread=3, freeing_thread=4, state=2)],
    )  # fmt: skip
    assert run.operations == (Operation(Op.UNLOCK, 1, 3, 4, 6, EntryFlag.PENDING, 8, 5, 1, 2, 7),)
    assert run.decisions == (Decision(ChoiceKind.THREAD, 2, 3),)
    assert run.frames == ((0, 0), (0x1010, 0))
    assert run.threads == (ThreadRecord(5, 4, 1, 2, 3, 6, 7),)
    (found,) = run.races
    assert (found.first.kind, found.first.atomic, found.second.kind, found.second.size) == (
        AccessKind.WRITE, True, AccessKind.FREE, 8,
    )  # fmt: skip
    (block,) = run.blocks
    assert (block.allocated, block.freed, block.freeing_thread, block.state) == (1, 2, 4, 2)
    assert (run.end, run.detail, run.thread, run.text, run.steps) == (End.ABORTED, -7, 1, "caf\ufffd", 12)
    assert (run.schedule, run.spinning, run.modules, run.output) == (99, 5, (MODULE,), b"out")
    assert (run.strategy, run.seed, run.flags, run.sites) == (Strategy.POS, 4, RequestFlag.WEAK, (0x1010,))


@pytest.mark.parametrize(
    ("end", "is_failure"),
    [
        (End.EXITED, False), (End.REDUNDANT, False), (End.STEPS, False), (End.TIME, False), (End.DEADLOCK, True),
        (End.CRASHED, True), (End.MISUSE, True), (End.UNHANDLED, False),
    ],
)  # fmt: skip
def test_limits_of_ours_are_no_failures(end: End, is_failure: bool) -> None:
    assert copy(end).failed is is_failure


def test_an_address_in_a_file_is_the_one_in_memory_minus_the_base() -> None:
    modules = modules_of(os.getpid())
    assert any(module.path.endswith("libc.so.6") for module in modules)
    for module in modules:
        with Path(module.path).open("rb") as file:
            is_fixed = file.read(18)[16] == 2
        if is_fixed:
            assert module.base == 0
        else:
            assert ctypes.string_at(module.base, 4) == b"\x7fELF", module
