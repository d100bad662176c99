"""The shared data of a program: which objects several threads access, what protects each, and what is left over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cseq.model.origin import Origin

DRIVER = "any_call"
"""How the names of files begin that call the functions of a library: what they do is not the user's."""


class ProtectionKind(StrEnum):
    """Why two accesses to an object are in no data race. The values are those of the JSON report.

    LOCK: both hold one lock. ATOMIC: both are atomic. SECTIONS: both are in atomic sections. BEFORE: one is made before
    the other's thread is created. AFTER: one is made after the other's thread was joined. TURNS: the threads never
    exist at the same time. OWN_PART: each thread has a part of its own. OTHER_PART: the parts differ otherwise.
    UNPUBLISHED: only one thread knows the memory yet. SEMAPHORE, SEEN, BARRIER: one waits for the other, by a
    semaphore, by a variable that it has seen, by a barrier. SEARCHED: a search of all executions has found no race.
    """

    LOCK = "lock"
    ATOMIC = "atomic"
    SECTIONS = "atomic sections"
    BEFORE = "before"
    AFTER = "after"
    TURNS = "turns"
    OWN_PART = "own part"
    OTHER_PART = "other part"
    UNPUBLISHED = "unpublished"
    SEMAPHORE = "semaphore"
    SEEN = "seen"
    BARRIER = "barrier"
    SEARCHED = "searched"


@dataclass(frozen=True)
class Protection:
    """A reason for some pairs of accesses. by: the name of the lock, semaphore, variable or barrier.

    writes: with BEFORE and AFTER, whether one of the accesses that come first, or last, is a write. always: whether it
    is the only reason of the object, for all accesses.
    """

    kind: ProtectionKind
    by: str = ""
    writes: bool = False
    always: bool = False


@dataclass(frozen=True)
class SharedAccess:
    """An access. thread: the start function of the threads that make it. holds: the names of the locks they hold.

    origin: its place, with the function that it is in.
    """

    origin: Origin
    thread: str
    writes: bool
    atomic: bool
    holds: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenPair:
    """Two accesses for which there is no reason. race: whether they are in a race of an execution that was replayed."""

    one: SharedAccess
    other: SharedAccess
    race: bool = False


@dataclass(frozen=True)
class SharedObject:
    """An object, or a member of objects of one kind, that several threads access, at least one of them to write.

    name: such as ``queue.head`` or ``stats[i]``; of allocated memory the member, such as ``struct node.next``. origin:
    where it is declared or allocated. function: that it is a local variable of; empty for others.
    """

    name: str
    origin: Origin | None
    function: str
    protections: tuple[Protection, ...]
    accesses: tuple[SharedAccess, ...]
    open: tuple[OpenPair, ...] = ()


@dataclass(frozen=True)
class LockOrderEdge:
    """While a thread may hold *held*, it waits for *wanted* at *origin*; empty for the end of a thread."""

    held: str
    wanted: str
    origin: Origin | None


class AnnotationKind(StrEnum):
    """What an annotation says: the lock of a variable, that of a member, or the one that callers of a function hold."""

    VARIABLE = "variable"
    MEMBER = "member"
    FUNCTION = "function"


@dataclass(frozen=True)
class Annotation:
    """A lock that protects a variable, a member or what a function accesses.

    name, origin: of what is annotated, and where it is declared. lock: a C expression; of a member, one in its record.
    type: that of the lock. shared: whether holding the lock for reading is enough. base, declared, is_static: the
    variable that the lock is or is in, where that is declared, and whether it is known in its file only.
    """

    kind: AnnotationKind
    name: str
    origin: Origin
    lock: str
    type: str
    shared: bool
    base: str
    declared: Origin | None
    is_static: bool = False


@dataclass(frozen=True)
class SharedData:
    """The shared data of a program.

    given_valid: whether the reasons hold only if all accesses are valid. orders: what the threads wait for while they
    hold a lock. of_locks: whether these were looked for, and not the objects. annotations: what can be said of it in
    the source. cut: where executions may be cut off, so that the reasons hold up to there. unfollowed: why nothing is
    known; empty if something is. entries: the functions that may be called by any number of threads, of a program
    without main.
    """

    objects: tuple[SharedObject, ...] = ()
    given_valid: bool = False
    orders: tuple[LockOrderEdge, ...] = ()
    of_locks: bool = False
    annotations: tuple[Annotation, ...] = ()
    cut: Origin | None = None
    unfollowed: str = ""
    entries: tuple[str, ...] = ()

    @property
    def left(self) -> tuple[SharedObject, ...]:
        """The objects with a pair of accesses that has no reason."""
        return tuple(each for each in self.objects if each.open)
