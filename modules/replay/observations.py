"""What the values that a traced program prints are: one type for each meaning.

The tracer makes these (`modules/replay/tracer.py`), a traced program prints a number for each, and who reads what it
prints gets them back, each with the bits that were seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from cseq.base.trace import ActionKind, ObjectKind


@dataclass(frozen=True)
class Accessed:
    """A value that the statement reads or writes. kind, name: as in `cseq.base.trace.Access`.

    type: of the value, as `Symbols.arithmetic` has it, or ``pointer``.
    """

    kind: str
    name: str
    type: str


@dataclass(frozen=True)
class Address:
    """The address of what the next access is to, which other threads can reach."""


@dataclass(frozen=True)
class Identifier:
    """The thread that the last action is about, as a ``pthread_t``. name: the expression."""

    name: str


@dataclass(frozen=True)
class Subject:
    """The address of the object that an action is about: of the first whose object is not known yet."""


@dataclass(frozen=True)
class Result:
    """What the call returned that the last action is. success: the kind of that where it is 0. failure: where not."""

    success: ActionKind
    failure: ActionKind


@dataclass(frozen=True)
class Attempt:
    """What a call returned that has done nothing where it is 0. actions: how many it is otherwise, the last ones."""

    actions: int


@dataclass(frozen=True)
class Input:
    """What a function for nondeterministic values returned. type: as of an access; empty where it cannot be told."""

    type: str


@dataclass(frozen=True)
class Place:
    """The address of an object of the user's. name: of its declaration in the traced program."""

    name: str


@dataclass(frozen=True)
class Sighted:
    """The address of an object of the library that a call is about; of a thread, its identifier. name: as C text."""

    kind: ObjectKind
    name: str


@dataclass(frozen=True)
class State:
    """Something of the state of the object that was sighted last. member: of the object; empty for all of it."""

    member: str


@dataclass(frozen=True)
class Ended:
    """Whether a thread has ended. thread: its number."""

    thread: int


@dataclass(frozen=True)
class Announced:
    """For data races: whether a thread has said by now what it is about to access.

    name: of the memory, as C text. function: of the library that makes the access. Either may be empty.
    """

    name: str
    function: str


@dataclass(frozen=True)
class Judged:
    """For data races: what their judge knows of one of the two accesses. variable: of the judge. side: 0 or 1."""

    variable: str
    side: int


@dataclass(frozen=True)
class Loop:
    """A loop begins. number: of the loop, in the traced program."""

    number: int


@dataclass(frozen=True)
class Iteration:
    """An iteration of a loop begins. number: of the loop."""

    number: int


Clue = Place | Sighted | State | Ended | Announced | Judged
"""Evidence for what the last state is like (`modules/replay/evidence.py`), which no reader is shown."""

Observation = Accessed | Address | Identifier | Subject | Result | Attempt | Input | Clue | Loop | Iteration
"""What is seen in a traced program."""
