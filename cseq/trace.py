"""A counterexample in terms of the user's program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cseq.linemap import Origin


@dataclass(frozen=True)
class Thread:
    """A thread instance: its number in creation order (main is 0) and its start function."""

    number: int
    function: str

    def __str__(self) -> str:
        return "main" if self.number == 0 else f"{self.function} (thread {self.number})"


@dataclass(frozen=True)
class Access:
    """One value seen or set by a step. name and value are C text.

    kind: ``read``, ``write``, or ``undefined`` for the value that a declaration without initialiser happens to give.
    """

    kind: str
    name: str
    value: str


@dataclass
class Step:
    """What one thread did at one line of the user's source, without a context switch in between.

    events: ``create``, ``join``, ``lock``, ``unlock``, … with a text for the reader, in order.
    stands: whether the thread does nothing any more, but stands in front of what is at the line.
    created: the threads that it creates, in order.
    inputs: what its calls of functions for nondeterministic values returned, in order, as C text; "" where that cannot
    be told.
    """

    thread: Thread
    origin: Origin
    source: str = ""
    accesses: list[Access] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    stands: bool = False
    created: list[Thread] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Hold:
    """A lock that a thread holds, since it took it at a place. reading: for reading, and perhaps with others."""

    name: str
    since: Origin
    reading: bool = False


@dataclass(frozen=True)
class Stuck:
    """A thread that is blocked for ever. waits: for what, in words.

    who: the threads that would have to do something first; where there are none, no thread is left that could.
    in_circle: whether these threads wait for each other in a circle, of which this is one.
    """

    thread: Thread
    origin: Origin
    waits: str
    who: tuple[Thread, ...] = ()
    holds: tuple[Hold, ...] = ()
    in_circle: bool = False


@dataclass(frozen=True)
class Racing:
    """One side of a data race: what a thread is about to do at a place.

    action: ``reads``, ``writes`` or ``frees``. how: ``atomically``, or ``in an atomic section``; empty for all others.
    name: of the memory, as far as it has one. function: that of the library which makes the access, if it does not
    stand in the user's own code.
    """

    thread: Thread
    origin: Origin
    action: str
    name: str
    how: str = ""
    function: str = ""
    holds: tuple[Hold, ...] = ()


@dataclass
class Counterexample:
    """The steps in order of time; the last one violates the property, or the last ones, where threads stand.

    stuck: for a deadlock, the threads in it. racing: for a data race, its two sides. cycle: for an infinite execution,
    how many steps come before those that are repeated for ever; where none do, nothing happens any more.
    execution: what an explicit-state engine needs to make it again (`modules/exploration.py`); None for others.
    """

    steps: list[Step]
    threads: list[Thread]
    stuck: list[Stuck] = field(default_factory=list)
    racing: list[Racing] = field(default_factory=list)
    cycle: int | None = None
    execution: dict[str, Any] | None = None
