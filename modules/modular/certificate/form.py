"""The certificate: what is claimed of each thread at each point, of pointers, and of creations.

Values are sums of atoms. An atom is named by what it is the value of, so the names are part of the form: the checker
makes the same names when it executes an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from cseq.modules.ir import instructions as ir
from cseq.modules.ir.objects import Object
from cseq.modules.ir.types import Field, Type

Node = tuple[int, ...]
"""The calls that lead to a point, and the point: block and position, for each activation, outermost first."""

SHARED = 1 << 30
"""How the nodes of activations begin that several calls share."""


class AtomKind(Enum):
    """What an atom is the value of; in parentheses, its key."""

    ADDRESS = "address"
    """A named object: ("static", object), (thread, object) of thread-local ones, (thread, object, path) of locals."""
    BLOCK = "block"
    """The address that an allocation gave last: (thread, call, path)."""
    VALUE = "value"
    """What an instruction got last: (thread, path, number of the instruction, what)."""
    COUNTER = "counter"
    """Something at a node, when control came there last: (node, …)."""
    OWN = "own"
    """The number of the executing thread among those of one creation: the creation."""
    GIVEN = "given"
    """What an atom of the creator was when it created the executing thread: (creation, atom)."""
    APPLIED = "applied"
    """A function of sums: (operator, sums)."""


class Atom:
    """A value with a name; made by `Names` only, so equal ones are one.

    is_object: whether it is the address of an object. arguments: what an applied one is a function of. inside: itself,
    and the atoms in its arguments.
    """

    __slots__ = ("arguments", "inside", "is_object", "key", "kind", "number")

    def __init__(self, number: int, kind: AtomKind, key: Any) -> None:
        self.number = number
        self.kind = kind
        self.key = key
        self.is_object = kind in (AtomKind.ADDRESS, AtomKind.BLOCK)
        self.arguments: tuple[Sum, ...] = key[1] if kind is AtomKind.APPLIED else ()
        self.inside: frozenset[Atom] = frozenset({self}).union(*(each.atoms() for each in self.arguments))

    def __repr__(self) -> str:
        if self.kind is AtomKind.APPLIED:
            return f"({self.key[0]} {' '.join(map(str, self.arguments))})"
        return f"{self.kind.value}{self.number}"

    @property
    def sum(self) -> Sum:
        """It as a sum."""
        return Sum(0, ((self, 1),))


class Sum(NamedTuple):
    """``constant + sum of coefficient * atom``: in the order of the atoms' numbers, without coefficients of 0."""

    constant: int
    parts: tuple[tuple[Atom, int], ...] = ()

    def __str__(self) -> str:
        return " + ".join([*(f"{c}*{a}" if c != 1 else str(a) for a, c in self.parts), str(self.constant)])

    def atoms(self) -> frozenset[Atom]:
        """The atoms in it, also in the arguments of functions."""
        if len(self.parts) == 1:
            return self.parts[0][0].inside
        return frozenset[Atom]().union(*(atom.inside for atom, _ in self.parts))

    def mentions(self, atom: Atom) -> bool:
        """Whether an atom is in it, or in the arguments of functions."""
        return any(atom in each.inside for each, _ in self.parts)

    def plus(self, other: Sum, times: int = 1) -> Sum:
        """``self + times * other``."""
        found = dict(self.parts)
        for atom, coefficient in other.parts:
            found[atom] = found.get(atom, 0) + times * coefficient
        parts = sorted(((a, c) for a, c in found.items() if c), key=_order)
        return Sum(self.constant + times * other.constant, tuple(parts))

    def minus(self, other: Sum) -> Sum:
        """``self - other``."""
        return self.plus(other, -1)

    def add(self, number: int) -> Sum:
        """``self + number``."""
        return Sum(self.constant + number, self.parts)

    def times(self, factor: int) -> Sum:
        """``factor * self``."""
        return NOTHING.plus(self, factor)

    def without(self, atom: Atom) -> Sum:
        """It without *atom*."""
        return Sum(self.constant, tuple(part for part in self.parts if part[0] is not atom))

    def of(self, atom: Atom) -> int:
        """The coefficient of *atom*."""
        return next((c for a, c in self.parts if a is atom), 0)

    @property
    def atom(self) -> Atom | None:
        """The atom that it consists of."""
        return self.parts[0][0] if not self.constant and len(self.parts) == 1 and self.parts[0][1] == 1 else None

    @property
    def object(self) -> Atom | None:
        """The one object that an address is in; None if it is not certain. A distance to another object is a number."""
        found: Atom | None = None
        for atom, coefficient in self.parts:
            if atom.is_object and coefficient > 0:
                if found is not None or coefficient != 1:
                    return None
                found = atom
        return found


NOTHING = Sum(0)


def _order(part: tuple[Atom, int]) -> int:
    return part[0].number


class Names:
    """Makes atoms."""

    def __init__(self) -> None:
        self._made: dict[Any, Atom] = {}

    def atom(self, kind: AtomKind, key: Any) -> Atom:
        """The atom of *kind* with this *key*."""
        found = self._made.get((kind, key))
        if found is None:
            found = self._made[kind, key] = Atom(len(self._made), kind, key)
        return found

    def applied(self, operator: str, *arguments: Sum) -> Sum:
        """A function of sums; comparisons for equality with 0 are of a sum whose first coefficient is positive."""
        if operator in ("=0", "!=0") and arguments[0].parts and arguments[0].parts[0][1] < 0:
            arguments = (arguments[0].times(-1),)
        return self.atom(AtomKind.APPLIED, (operator, arguments)).sum

    def replaced(self, sum_: Sum, new: Callable[[Atom], Sum | None]) -> Sum:
        """A sum with atoms replaced, also in the arguments of functions; None keeps one."""
        result = Sum(sum_.constant)
        for atom, coefficient in sum_.parts:
            instead = new(atom)
            if instead is None and atom.kind is AtomKind.APPLIED:
                arguments = tuple(self.replaced(each, new) for each in atom.arguments)
                if arguments != atom.arguments:
                    instead = self.applied(atom.key[0], *arguments)
            result = result.plus(atom.sum if instead is None else instead, coefficient)
        return result


class Cell(NamedTuple):
    """The value of *size* bytes."""

    value: Sum
    size: int


class Limits(NamedTuple):
    """An atom is at least each of *lower*, and at most the greatest in each set of *upper*."""

    lower: frozenset[Sum] = frozenset()
    upper: frozenset[frozenset[Sum]] = frozenset()


class Numbers(NamedTuple):
    """The threads of a creation that may exist: their numbers are at least *lower* and less than *upper*."""

    lower: Sum
    upper: Sum


Root = Object | ir.Operation | None
"""A named object, the call that allocates a block, or None for any object whose address is taken and any block."""


class Location(NamedTuple):
    """A part of an object: the members that lead to it, whatever the elements of arrays."""

    root: Root
    path: tuple[Field, ...] = ()


ANY = Location(None)


class Lock(NamedTuple):
    """A lock that may be held: its address, if that is known, and where it may be."""

    address: Sum | None
    places: frozenset[Location]


class LockKind(Enum):
    """What is used as a lock."""

    LOCK = "lock"
    SEMAPHORE = "semaphore"
    FLAG = "flag"


class Held(NamedTuple):
    """How a lock is held. writes: by this thread alone. places: where it may be."""

    writes: bool
    kind: LockKind
    places: frozenset[Location]


class Attempt(NamedTuple):
    """A result that says whether a lock is held: how, where it is 0, and where it is not; None: not held."""

    lock: Sum
    if_zero: Held | None
    if_other: Held | None


class EventKind(Enum):
    """What a thread does that others may wait for; and the wait for a post."""

    POST = "post of a semaphore"
    WAIT = "wait for a semaphore"
    ARRIVE = "wait at a barrier"
    STORE = "store to a variable"
    CREATE = "creation of a thread"


class Event(NamedTuple):
    """What is done, and the address of the semaphore, barrier or variable, or the number of the creation."""

    kind: EventKind
    at: Sum


@dataclass
class State:
    """What holds at a point of a thread, for some values of the atoms.

    cells: memory that no other thread changes, by address. held: the locks that it certainly holds. may_hold: all
    locks that may be held are among these. private: blocks of which only this thread knows; stored_in: private block →
    private block with its address; otherwise the addresses of private blocks are in *cells* only. limits: of atoms.
    alive: creation → its threads that may exist; None: any. attempts: see `Attempt`. section_reads: what was read in
    the open atomic section, by address. sections: how many of the program's sections are open. is_first: no thread was
    ever created. counts: how often the thread has done what others may wait for; 0, if it is not there. observed:
    variables, and numbers that they were at least at some time. origins: the address that a value was read from.
    """

    cells: dict[Sum, Cell] = field(default_factory=dict)
    held: dict[Sum, Held] = field(default_factory=dict)
    may_hold: frozenset[Lock] = frozenset()
    private: frozenset[Atom] = frozenset()
    stored_in: dict[Atom, Atom] = field(default_factory=dict)
    limits: dict[Atom, Limits] = field(default_factory=dict)
    alive: dict[int, Numbers | None] = field(default_factory=dict)
    attempts: dict[Atom, Attempt] = field(default_factory=dict)
    section_reads: dict[Sum, Sum] = field(default_factory=dict)
    sections: int = 0
    is_first: bool = False
    counts: dict[Event, Sum] = field(default_factory=dict)
    observed: frozenset[tuple[Sum, Sum]] = frozenset()
    origins: dict[Atom, Sum] = field(default_factory=dict)

    def copied(self) -> State:
        """Another one that is equal."""
        return State(
            dict(self.cells), dict(self.held), self.may_hold, self.private, dict(self.stored_in), dict(self.limits),
            dict(self.alive), dict(self.attempts), dict(self.section_reads), self.sections, self.is_first,
            dict(self.counts), self.observed, dict(self.origins),
        )  # fmt: skip


@dataclass
class ThreadClaim:
    """The threads of one creation; of main, if it is 0.

    start: its function. parent: the thread that creates it. counted: the number of a thread, in terms of its creator.
    initial: what holds when it begins; argument: the value of its parameter. owned: blocks that each of them was given.
    is_many: whether several may exist at once; is_numbered: whether their numbers differ then. leaves: whether a thread
    that it has created may be left when it has ended. beside: the creations of its parent whose threads may exist when
    it begins. most: how many there are at most in an execution, if that is known. handles: creation of this thread →
    where the identifiers of its threads are, by their number; None if that is not known. states: at each node that
    control reaches.
    """

    number: int
    start: str
    parent: int | None
    argument: Sum
    counted: Sum
    initial: State
    owned: frozenset[Atom]
    is_many: bool
    is_numbered: bool
    leaves: bool
    beside: frozenset[int]
    most: int | None
    handles: dict[int, Sum | None]
    states: dict[Node, State]


@dataclass
class Pointers:
    """Where pointers may lead. content: what the pointers in an object lead to. returned: what a function returns.

    used: the type as which the bytes of an allocation are used.
    """

    content: Mapping[Root, frozenset[Location]]
    returned: Mapping[str, frozenset[Location]]
    used: Mapping[ir.Operation, Type]


class Kind(Enum):
    """Why two accesses are in no data race."""

    READS = "both read"
    ATOMIC = "both are atomic"
    ELSEWHERE = "different memory"
    ORDERED = "never at the same time"
    AWAITED = "one waits for the other"
    PRIVATE = "before it is published"
    LOCKED = "one lock"
    SECTIONS = "atomic sections"


@dataclass
class Certificate:
    """What is claimed. creations: by thread, activation and block, and instruction: the number of the creation.

    reasons: why two accesses are in no data race: the kinds of reasons that two instructions, of two threads, need.
    left_out: what the answer may rest on that the form has no room for.
    """

    names: Names
    threads: dict[int, ThreadClaim]
    pointers: Pointers
    creations: dict[tuple[int, Node, ir.Instruction], int]
    reasons: dict[frozenset[Site], frozenset[Kind]]
    left_out: tuple[str, ...] = ()


Site = tuple[int, int]
"""A thread, and the number of an instruction."""
