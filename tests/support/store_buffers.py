"""A machine whose threads have buffers of stores: the reference for TSO and PSO, which has no graphs.

Owens, Sarkar, Sewell, x86-TSO, TPHOLs 2009; under PSO the buffer keeps only the order of stores to one location. A load
takes the last value in the buffer, or that of the memory. Updates, seq_cst stores and seq_cst fences wait until the
buffer is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tests.support.litmus import CREATE, SC, VALUES, Op, Thread

_UPDATES = ("add", "swap", "compare", "acquire", "lock", "unlock")


@dataclass(frozen=True)
class _Local:
    """A thread: where it is, or -1 before it is created, what it has loaded, and its buffer of locations and values."""

    at: int = 0
    loaded: tuple[int, ...] = ()
    buffer: tuple[tuple[int, int], ...] = ()


_State = tuple[tuple[int, ...], tuple[_Local, ...]]


def outcomes(threads: Sequence[Thread], model: str) -> set[tuple[int, ...]]:
    """The values that the loads may have, in the order of the text, and those of the locations in the end."""
    locations = 1 + max(op.location for ops in threads for op in ops)
    created = [False, *(CREATE in ops for ops in threads)]
    begin: _State = (0,) * locations, tuple(_Local(-1 if created[n] else 0) for n in range(len(threads)))
    seen, work, found = {begin}, [begin], set()
    while work:
        state = work.pop()
        following = [*_following(threads, state, model == "tso")]
        if all(local.at == len(ops) and not local.buffer for local, ops in zip(state[1], threads, strict=True)):
            memory, locals_ = state
            found.add((*(value for each in locals_ for value in each.loaded), *memory))
        for each in following:
            if each not in seen:
                seen.add(each)
                work.append(each)
    return found


def _following(threads: Sequence[Thread], state: _State, keeps_order: bool) -> Iterator[_State]:
    memory, locals_ = state

    def after(number: int, local: _Local, stored: tuple[int, int] | None = None) -> _State:
        now = list(memory)
        if stored is not None:
            now[stored[0]] = stored[1]
        return tuple(now), (*locals_[:number], local, *locals_[number + 1 :])

    for number, local in enumerate(locals_):
        for position, (location, value) in enumerate(local.buffer):
            before = local.buffer[:position]
            if not before or (not keeps_order and all(other != location for other, _ in before)):
                left = (*before, *local.buffer[position + 1 :])
                yield after(number, replace(local, buffer=left), (location, value))
        if local.at < 0 or local.at == len(threads[number]):
            continue
        if threads[number][local.at] is CREATE:
            if not local.buffer:
                memory, others = after(number, replace(local, at=local.at + 1))
                yield memory, (*others[: number + 1], replace(others[number + 1], at=0), *others[number + 2 :])
        else:
            for next_, stored in _done(threads[number][local.at], number, local, memory):
                yield after(number, replace(next_, at=local.at + 1), stored)


def _done(
    op: Op, number: int, local: _Local, memory: tuple[int, ...]
) -> Iterator[tuple[_Local, tuple[int, int] | None]]:
    """The thread after an operation, and what that stores at once; nothing if it has to wait."""
    last = local.loaded[-1] if local.loaded else 0
    strong = op.kind in _UPDATES or (op.order is SC and op.kind not in ("load", "await"))
    if op.guarded and not last:
        yield local, None
    elif strong and local.buffer:
        return
    elif op.kind == "fence":
        yield local, None
    elif op.kind == "unlock":
        yield local, (op.location, 0)
    elif op.kind in ("store", "copy"):
        stored = op.location, op.value if op.kind == "store" else (last + op.value) % VALUES
        yield (local, stored) if strong else (replace(local, buffer=(*local.buffer, stored)), None)
    else:
        value = next((v for x, v in reversed(local.buffer) if x == op.location), memory[op.location])
        if op.kind in ("await", "acquire", "lock") and value != op.expected:
            return
        after = local if op.kind == "lock" else replace(local, loaded=(*local.loaded, value))
        fails = op.kind in ("load", "await") or (op.kind == "compare" and value != op.expected)
        new = {"add": (value + op.value) % VALUES, "lock": number + 2}.get(op.kind, op.value)
        yield after, None if fails else (op.location, new)
