"""The schedule in the trace of an engine that explores interleavings itself, as contexts of a sequential program.

A thread function of `orderedthread.py` reports each label of the thread that it arrives at. The engine sorts what
happens by the memory accesses of its threads, and an arrival comes right after the access of the step that ends there.
So the order of the arrivals is an order of the steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

ARRIVED = "__cs_at"
"""The variable that a thread stores an arrival in."""

_SHIFT = 20  # the bits of the number of a label
_MOST = (1 << _SHIFT) - 1


def arrival(thread: int, label: int) -> int:
    """The number that says that *thread* arrives at *label*."""
    return thread << _SHIFT | label


@dataclass
class Run:
    """What one thread does without another one between.

    end: the label at which it is switched out; None if it goes on until the execution ends. inputs: what it is given.
    """

    thread: int
    end: int | None = None
    inputs: list[int] = field(default_factory=list)


def runs(events: Iterable[tuple[int, str, int]]) -> list[Run]:
    """The runs of an execution that ends in a violation, whose thread goes on until then.

    events: in the order of the trace: the engine's number for a thread, the variable, its value. The variable is
    ``ARRIVED``, or another one for an input. The last event is the violation; its name is empty. ValueError if the
    events are none of a program in which each thread begins with an arrival at its label 0.
    """
    threads: dict[int, int] = {}
    given: dict[int, list[int]] = {}
    found: list[Run] = []
    for engines, name, value in _in_order(list(events)):
        if name == ARRIVED:
            thread, label = value >> _SHIFT, value & _MOST
            threads[engines] = thread
            if label > 0:
                _add(found, Run(thread, label, given.pop(thread, [])))
            continue
        if engines not in threads:
            raise ValueError("an input before its thread begins")
        if name:
            given.setdefault(threads[engines], []).append(value)
        else:
            thread = threads[engines]
            _add(found, Run(thread, None, given.pop(thread, [])))
            return found
    raise ValueError("a trace without a violation")


def _in_order(events: Sequence[tuple[int, str, int]]) -> Iterable[tuple[int, str, int]]:
    """*events* without what the engine gives variables before a thread begins."""
    return (event for event in events if event[1] != ARRIVED or event[2] or event[0] == 0)


def _add(found: list[Run], run: Run) -> None:
    """Append *run*, or make it part of the last one of the same thread."""
    if found and found[-1].thread == run.thread:
        found[-1].end = run.end
        found[-1].inputs += run.inputs
    else:
        found.append(run)
