"""The schedule in the trace of an engine that explores interleavings itself, as contexts of a sequential program.

A thread function of `orderedthread.py` reports each label of the thread that it arrives at. The engine sorts what
happens by the memory accesses of its threads, and an arrival comes right after the access of the step that ends there.
So the order of the arrivals is an order of the steps.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

ARRIVED = "__cs_at"
"""The variable that a thread stores an arrival in."""

_SHIFT = 20  # the bits of the number of a label
DONE = (1 << _SHIFT) - 1
"""In place of a label: the thread has made the access of its step, and has not arrived at the next label yet."""

_LOST = "its trace is not one of the program"


def arrival(thread: int, label: int) -> int:
    """The number that says that *thread* arrives at *label*."""
    return thread << _SHIFT | label


@dataclass
class Run:
    """What one thread does without another one between.

    end: the label at which it is switched out; None if it goes on until the execution ends. inputs: what it is given.
    is_left: whether it never goes on, and stands at the label *end* or one that comes later.
    """

    thread: int
    end: int | None = None
    inputs: list[int] = field(default_factory=list)
    is_left: bool = False


@dataclass
class _Progress:
    """A thread: the label that it arrived at last, the inputs of its present step, and that once it is in the order."""

    thread: int
    label: int = 0
    inputs: list[int] = field(default_factory=list)
    step: Run | None = None

    def place(self, order: list[Run]) -> Run:
        """The present step, which is put at the end of *order* unless it has its place."""
        if self.step is None:
            self.step = Run(self.thread)
            order.append(self.step)
        return self.step

    def ends(self, label: int | None) -> None:
        """The present step, which has its place, ends at *label*."""
        assert self.step is not None
        self.step.end, self.step.inputs = label, self.inputs
        self.inputs, self.step = [], None


def runs(events: Iterable[tuple[int, str, int]]) -> list[Run]:
    """The runs of an execution that ends in a violation, whose thread goes on until then.

    events: in the order of the trace: the engine's number for a thread, the variable, its value. The variable is
    ``ARRIVED``, or another one for an input. The last event is the violation; its name is empty. ValueError if the
    events are none of a program in which each thread begins with an arrival at its label 0.
    """
    threads: dict[int, _Progress] = {}
    order: list[Run] = []
    for engines, name, value in events:
        if name == ARRIVED:
            if engines not in threads:
                if value or engines == 0:
                    threads[engines] = _Progress(value >> _SHIFT)
                continue
            progress, label = threads[engines], value & DONE
            if progress.thread != value >> _SHIFT:
                continue  # what the variable of another thread begins with
            if label:
                progress.place(order)
            if label not in (0, DONE):
                progress.ends(label)
                progress.label = label
        elif engines not in threads:
            raise ValueError(_LOST)
        elif name:
            threads[engines].inputs.append(value)
        else:
            failing = threads[engines]
            failing.place(order)
            failing.ends(None)
            for progress in threads.values():
                if progress.step is not None:
                    progress.step.is_left = True
                    progress.ends(progress.label + 1)
            return _joined(order)
    raise ValueError(_LOST)


def _joined(order: Iterable[Run]) -> list[Run]:
    """The runs with those of the same thread that follow one another put together."""
    found: list[Run] = []
    for run in order:
        if found and found[-1].thread == run.thread:
            found[-1].end, found[-1].is_left = run.end, run.is_left
            found[-1].inputs += run.inputs
        else:
            found.append(run)
    return found
