"""The values that a traced program prints: one type for each meaning.

The tracer creates these (`modules/tracing/tracer.py`), and a traced program prints the number of one, with the bits
seen. Readers of its output turn the numbers back into these types.
"""

from dataclasses import dataclass

from cseq.model.actions import ActionKind, ObjectKind


@dataclass(frozen=True)
class AccessedValue:
    """A value that the statement reads or writes. kind, name: as in `cseq.model.trace.Access`.

    type: of the value, as `Symbols.arithmetic` has it, or ``pointer``.
    """

    kind: str
    name: str
    type: str


@dataclass(frozen=True)
class Address:
    """The address of the next access, in memory that other threads can reach."""


@dataclass(frozen=True)
class Identifier:
    """The ``pthread_t`` of the thread that the last action is about. name: the expression."""

    name: str


@dataclass(frozen=True)
class Subject:
    """The address of the object that an action is about: the first action whose object is not known yet."""


@dataclass(frozen=True)
class Result:
    """The result of the call that is the last action.

    success: the kind of that action if the result is 0, or EOWNERDEAD. failure: its kind otherwise.
    """

    success: ActionKind
    failure: ActionKind


@dataclass(frozen=True)
class Attempt:
    """The result of a call that has done nothing if it returns 0.

    actions: how many actions, the last ones, it has performed otherwise.
    """

    actions: int


@dataclass(frozen=True)
class SleepState:
    """Whether the thread waits for a signal that has not been sent, before a wait with a deadline ends."""


@dataclass(frozen=True)
class SpuriousEvent:
    """Whether the last action happens without a reason. kind: of the action that is to be reported then.

    if_asleep: it does only if the thread was seen asleep.
    """

    kind: ActionKind
    if_asleep: bool = False


@dataclass(frozen=True)
class Input:
    """The result of a nondeterministic function. type: as in `AccessedValue`; empty if the value is unknown."""

    type: str


@dataclass(frozen=True)
class ObjectAddress:
    """The address of one of the user's objects. name: as declared in the traced program."""

    name: str


@dataclass(frozen=True)
class LibraryObject:
    """The address of a library object that a call uses; for a thread, its identifier. name: as C text."""

    kind: ObjectKind
    name: str


@dataclass(frozen=True)
class ObjectState:
    """A part of the state of the object sighted last. member: of the object; empty for the whole object.

    shift: of a value with more than 64 bits, the number of the first bit that is shown.
    """

    member: str
    shift: int = 0


@dataclass(frozen=True)
class ThreadEnded:
    """Whether a thread has ended. thread: its number."""

    thread: int


@dataclass(frozen=True)
class RaceAnnouncement:
    """For data races: whether a thread has announced by now what it is about to access.

    name: of the memory, as C text. function: the library function that makes the access. Either may be empty.
    """

    name: str
    function: str


@dataclass(frozen=True)
class RaceVariable:
    """For data races: what the judge recorded about one of the two accesses. variable: of the judge. side: 0 or 1."""

    variable: str
    side: int


@dataclass(frozen=True)
class Loop:
    """The beginning of a loop. number: of the loop, in the traced program."""

    number: int


@dataclass(frozen=True)
class Iteration:
    """The beginning of an iteration of a loop. number: of the loop."""

    number: int


@dataclass(frozen=True)
class ObjectOrder:
    """Two objects lie in memory so that the comparison *text* holds."""

    text: str


Clue = ObjectAddress | LibraryObject | ObjectState | ThreadEnded | RaceAnnouncement | RaceVariable
"""Evidence about the last state (`modules/tracing/evidence.py`), which is not shown to readers."""

Observation = (
    AccessedValue
    | Address
    | Identifier
    | Subject
    | Result
    | Attempt
    | SleepState
    | SpuriousEvent
    | Input
    | ObjectOrder
    | Clue
    | Loop
    | Iteration
)
"""Anything that is observed in a traced program."""
