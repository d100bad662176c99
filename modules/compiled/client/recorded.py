"""One run of a compiled program, copied out of the file that the runtime shares with its client."""

import ctypes
import os
import signal
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cseq.modules.compiled.client import record

_ENTRY = struct.Struct("<HHBBBBIIQQQQ")
_FLAGS = {number: record.EntryFlag(number) for number in range(256)}


def signal_name(number: int) -> str:
    """The name of the signal with this *number*."""
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def is_violation(end: int) -> bool:
    """Whether a run that ends like this violates something, whatever exit status is expected."""
    return record.End.DEADLOCK <= end <= record.End.MISUSE


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation that was executed, or at the end is announced: see ``struct cs_entry``.

    choice: how many decisions had been made. enabled: a bit for each of the threads 0 to 63 that could have gone on.
    """

    op: record.Op
    thread: int
    object: int
    value: int
    argument: int
    flags: record.EntryFlag
    size: int
    order: int
    stack: int
    choice: int
    enabled: int


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice that was made, and among how many."""

    kind: record.ChoiceKind
    value: int
    alternatives: int


@dataclass(frozen=True)
class Module:
    """An object file in memory. An address in the file is the address in memory minus *base*."""

    path: str
    base: int
    end: int


@dataclass(frozen=True)
class RaceSide:
    """One access of a data race. entry: how many operations had been executed when it was made."""

    thread: int
    pc: int
    stack: int
    kind: record.AccessKind
    atomic: bool
    size: int
    entry: int


@dataclass(frozen=True)
class RaceFound:
    """Two accesses that nothing orders; the second was made when it was noticed."""

    first: RaceSide
    second: RaceSide
    address: int
    value: int


@dataclass(frozen=True)
class ThreadRecord:
    """A thread of the run. start: its start function. stack: where it was created."""

    number: int
    creator: int
    start: int
    handle: int
    stack: int
    stack_low: int
    stack_high: int


@dataclass(frozen=True)
class Block:
    """A block of memory from malloc or new. allocated, freed: stacks, the latter 0 while it lives."""

    address: int
    size: int
    allocated: int
    freed: int
    thread: int
    freeing_thread: int
    state: int


@dataclass(frozen=True)
class RecordedRun:
    """One run.

    operations: those executed in order, then those announced (EntryFlag.PENDING). frames: of each node of the call
    stacks the return address and the caller's node; node 0 is none. output: what the program wrote to the standard
    output and error. steps, plain: how many visible operations and plain accesses it made. spinning: of the last
    1000 operations, how many had no effect and brought no news.
    """

    end: record.End
    detail: int
    object: int
    other: int
    thread: int
    stack: int
    text: str
    operations: tuple[Operation, ...]
    decisions: tuple[Decision, ...]
    frames: tuple[tuple[int, int], ...]
    threads: tuple[ThreadRecord, ...]
    races: tuple[RaceFound, ...]
    blocks: tuple[Block, ...]
    modules: tuple[Module, ...]
    output: bytes
    steps: int
    plain: int
    switches: int
    preemptions: int
    schedule: int
    spinning: int
    strategy: record.Strategy
    seed: int
    flags: record.RequestFlag
    sites: tuple[int, ...]

    @property
    def failed(self) -> bool:
        """Whether the run ended by a violation. A wrong exit status is none yet: the expected one is not known here."""
        return is_violation(self.end)


def copied(
    result: record.ResultRecord,
    array: Callable[[str], Any],
    modules: Sequence[Module],
    output: bytes,
    strategy: record.Strategy,
    seed: int,
    flags: record.RequestFlag,
    sites: Sequence[int],
) -> RecordedRun:
    """Copy a run. *array* gives an array of the shared file by its name; the rest is not in the file."""
    return RecordedRun(
        end=record.End(result.end),
        detail=result.detail,
        object=result.object,
        other=result.other,
        thread=result.thread,
        stack=result.stack,
        text=result.text.decode(errors="replace"),
        operations=_operations(array("entries")),
        decisions=tuple(Decision(record.ChoiceKind(c.kind), c.value, c.alternatives) for c in array("choices")),
        frames=tuple((frame.pc, frame.caller) for frame in array("frames")),
        threads=tuple(_thread(info) for info in array("threads")),
        races=tuple(_race(race) for race in array("races")),
        blocks=tuple(_block(info) for info in array("blocks")),
        modules=(*modules, *_loaded(array("modules"), modules)),
        output=output,
        steps=result.operations,
        plain=result.plain,
        switches=result.switches,
        preemptions=result.preemptions,
        schedule=result.schedule,
        spinning=result.spinning,
        strategy=strategy,
        seed=seed,
        flags=flags,
        sites=tuple(sites),
    )


def _loaded(records: Iterable[Any], known: Sequence[Module]) -> Iterator[Module]:
    """The libraries that the run itself has loaded."""
    bases = {module.base for module in known}
    for module in records:
        if module.base not in bases:
            yield Module(os.path.realpath(os.fsdecode(module.path)), module.base, module.end)


def _operations(entries: ctypes.Array[record.Entry]) -> tuple[Operation, ...]:
    return tuple(
        Operation(record.Op(op), thread, object_, value, argument, _FLAGS[flags], size, order, stack, choice, enabled)
        for op, thread, flags, size, order, _, stack, choice, object_, value, argument, enabled in _ENTRY.iter_unpack(
            bytes(entries)
        )
    )


def _side(side: Any) -> RaceSide:
    kind = record.AccessKind(side.kind)
    return RaceSide(side.thread, side.pc, side.stack, kind, bool(side.atomic), side.size, side.entry)


def _race(race: Any) -> RaceFound:
    return RaceFound(_side(race.first), _side(race.second), race.address, race.value)


def _thread(info: Any) -> ThreadRecord:
    return ThreadRecord(info.number, info.creator, info.start, info.handle, info.stack, info.stack_low, info.stack_high)


def _block(info: Any) -> Block:
    return Block(info.address, info.size, info.allocated, info.freed, info.thread, info.freeing_thread, info.state)
