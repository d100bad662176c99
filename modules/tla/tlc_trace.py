"""The steps of the threads in an execution that TLC shows.

TLC shows the memory after each step, and not which thread has made it. `modules/tla/library/CMemory.tla` says
what a memory is; here it is what `cseq.backends.tlavalues` makes of one.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from cseq.model.errors import BackendError
from cseq.modules.tla.replay import Move
from cseq.modules.tla.spec import RUNS, Specification

Memory = Mapping[str, Any]

_INTEGER = r"(?:(?:unsigned|signed|char|short|int|long|_Bool)\b ?)+"
_OBJECT = re.compile(rf"^static __CSEQ_STATE {_INTEGER}(\w+)(\[\w+\])?(?: = .*)?;$", re.MULTILINE)
_FRAME = re.compile(r"^struct __cs_frame_of_(\w+)\n\{\n(.*?)^\};$", re.MULTILINE | re.DOTALL)
_MEMBER = re.compile(rf"^ *{_INTEGER}(\w+)(\[\w+\])?;$", re.MULTILINE)
_TYPE = re.compile(rf"^typedef ({_INTEGER})(\w+);$", re.MULTILINE)


class Objects:
    """The objects of the step program whose values are known from a memory: integers, and arrays of them.

    text: the step program. Others are left out: they only make it take longer to find an execution.
    """

    def __init__(self, specification: Specification, text: str) -> None:
        self._specification = specification
        for integer, name in _TYPE.findall(text):
            text = re.sub(rf"^((?:static __CSEQ_STATE| +) ){name} ", rf"\1{integer.strip()} ", text, flags=re.MULTILINE)
        names: dict[str, list[str]] = {}
        for c_name, name in specification.names.items():
            names.setdefault(name, []).append(c_name)
        self._names = names
        self._globals = {name: bool(array) for name, array in _OBJECT.findall(text)}
        self._frames = {
            start: {name: bool(array) for name, array in _MEMBER.findall(members)}
            for start, members in _FRAME.findall(text)
        }

    def values(self, before: Memory, after: Memory, thread: int) -> dict[str, int]:
        """C expressions for what a step of *thread* has changed, and their values."""
        found = self._changed(before["data"], after["data"], self._globals, "")
        frames, were = after["stack"][thread], before["stack"][thread]
        if len(frames) != 1 or len(were) != 1:
            return found
        start = self._specification.statement(_label(before, thread) or "").start
        c_name = next((one for one in self._names.get(start, (start,)) if one in self._frames), None)
        if c_name is None:
            return found
        owner = f"__cs_frames[{thread - 1}].__cs_frame_of_{c_name}." if thread else f"__cs_frame_of_{c_name}."
        return found | self._changed(were[0], frames[0], self._frames[c_name], owner)

    def _changed(self, before: Any, after: Any, known: Mapping[str, bool], owner: str) -> dict[str, int]:
        if not isinstance(before, dict) or not isinstance(after, dict):  # there are none
            return {}
        found: dict[str, int] = {}
        for name, value in after.items():
            if value == before.get(name):
                continue
            c_name = next((one for one in self._names.get(name, ()) if one in known), None)
            if c_name is None:
                continue
            cells = _cells(value) if known[c_name] else {"": value}
            found |= {f"{owner}{c_name}{at}": int(cell) for at, cell in cells.items() if isinstance(cell, int)}
        return found


def _cells(value: Any) -> dict[str, Any]:
    """The cells of an array, by their indices in C."""
    return {f"[{at}]": cell for at, cell in value.items()} if isinstance(value, dict) else {}


def steps(
    memories: Sequence[Memory], cycle: int | None, visible: Collection[str], objects: Objects | None = None
) -> tuple[list[Move], int | None]:
    """The steps that lead from each memory to the next, without those that change nothing; where they are repeated.

    cycle: the number of the memory to which the last one leads back; None for a finite execution. What is returned is
    the number of a step, or the number of all steps where the last memory stays for ever. visible: the labels before
    which other threads may run.
    """
    moves: list[Move] = []
    begins = None
    path = list(memories)
    if cycle is not None and cycle < len(memories) - 1:
        path.append(memories[cycle])
    for number, (before, after) in enumerate(pairwise(path)):
        if number == cycle:
            begins = len(moves)
        if before != after:
            moves.append(_move(before, after, visible, objects))
    return moves, len(moves) if cycle is not None and begins is None else begins


def staying(memory: Memory) -> list[list[Move]]:
    """The ways in which a memory can stay as it is for ever, as steps that lead from it to itself.

    Each thread that is left goes round, or one of them does; or all wait, or have ended.
    """
    there = {thread: label for thread in memory["register"] if (label := _label(memory, thread)) is not None}
    each = [Move(thread, label, label) for thread, label in there.items()]
    if not each:
        return [[]]
    some = replace(each[0], others=frozenset(there) - {each[0].thread})
    return [each, [some], []] if len(each) > 1 else [each, []]


def last(memories: Sequence[Memory], visible: Collection[str]) -> str | None:
    """The label of the statement with which an execution has ended; None where the memories do not say it."""
    if len(memories) > 1:
        move = _move(memories[-2], memories[-1], visible, None)
        return None if move.others else move.before
    standing = [label for thread in memories[-1]["register"] if (label := _label(memories[-1], thread)) is not None]
    return standing[0] if len(standing) == 1 else None


def _move(before: Memory, after: Memory, visible: Collection[str], objects: Objects | None) -> Move:
    thread, *others = _movers(before, after, visible)
    expected = objects.values(before, after, thread) if objects is not None and not others else {}
    return Move(thread, _label(before, thread), _label(after, thread), expected, frozenset(others))


def _movers(before: Memory, after: Memory, visible: Collection[str]) -> list[int]:
    """The threads that may have made the step; mostly one. BackendError if none can have."""
    alive = [thread for thread, register in before["register"].items() if register]
    if after["status"] == RUNS:
        for part in ("register", "stack", "ret", "heap"):
            changed = [thread for thread in alive if before[part][thread] != after[part][thread]]
            if len(changed) == 1:
                return changed
    if not alive:
        raise BackendError("the backend `tlc` failed: a step is not that of a thread")
    # An execution ends by a step of its own: that of a thread that stands where others could not run, if one does.
    ends = [thread for thread in alive if _label(before, thread) not in visible] if after["status"] != RUNS else []
    return ends or alive


def _label(memory: Memory, thread: int) -> str | None:
    """Where the thread stands; None for one that does not."""
    register = memory["register"][thread]
    return str(register[0]["pc"]) if register else None
