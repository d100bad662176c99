"""Threads by what creates them, their accesses to shared memory, and why two accesses cannot happen at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import gcd
from typing import Protocol

from cseq.modules.analysis.points_to import Location, overlap
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.program import Template
from cseq.modules.ir.types import Record
from cseq.modules.modular.state import Cell, Event, Held, Node, Range
from cseq.modules.modular.terms import NO_BOUNDS, OBJECTS, ZERO, Bounds, Symbol, SymbolKind, Symbols, Term, is_positive


@dataclass(eq=False)
class Thread:
    """The threads that one creation makes; main is the one without a parent.

    number: of the creation. counted: its own number, in terms of its creator. node: the creation, in its parent.
    argument, cells, bounds, owned: what is known when one begins; owned are the blocks that were handed over to it.
    own: the symbol of its number. is_many: whether two of them may exist together; is_numbered: whether their numbers
    differ then. leaves: whether a thread that one has created may be left when it has ended. beside: the creations of
    the same parent whose threads may exist with it. observed: as in `State`, when it begins. most: how many there are
    at most in an execution, if that is known.
    """

    number: int
    template: Template
    parent: Thread | None = None
    node: Node = ()
    argument: Term = ZERO
    counted: Term = ZERO
    cells: Mapping[Term, Cell] = field(default_factory=dict)
    bounds: Mapping[Symbol, Bounds] = field(default_factory=dict)
    owned: frozenset[Symbol] = frozenset()
    own: Symbol | None = None
    is_many: bool = False
    is_numbered: bool = True
    leaves: bool = True
    beside: set[int] = field(default_factory=set)
    observed: frozenset[tuple[Term, Term]] = frozenset()
    most: int | None = None

    @property
    def path(self) -> list[Thread]:
        """The threads that created it, main first, and itself."""
        found: list[Thread] = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]

    @property
    def is_unique(self) -> bool:
        """Whether at most one of them exists at any time."""
        return not any(each.is_many for each in self.path)


class LockKey(tuple[object, ...]):
    """A lock, in relation to the memory that is accessed: accesses to the same memory with one key have one lock."""


@dataclass(eq=False)
class Access:
    """An access to memory that other threads may reach.

    address: None if it is not known. size: in bytes; None if it is not known how far it reaches. places: where it may
    be. held, alive: as in `State`. records: the records around it, each with its address. keys: the locks that are
    held, in relation to the memory, once they are known. is_private: whether only its thread knows the
    memory. is_first: whether no thread was ever created. is_release: whether it frees a block. sections: whether it is
    in an atomic section of the user's. counts, observed: as in `State`.
    """

    thread: Thread
    instruction: ir.Instruction
    address: Term | None
    size: int | None
    places: frozenset[Location]
    writes: bool
    is_atomic: bool
    held: Mapping[Term, Held]
    alive: Mapping[int, Range | None]
    bounds: Mapping[Symbol, Bounds]
    records: tuple[tuple[Record, Term], ...] = ()
    keys: Mapping[LockKey, Held] = field(default_factory=dict)
    is_private: bool = False
    is_first: bool = False
    is_free: bool = False
    sections: bool = False
    counts: Mapping[Event, Term] = field(default_factory=dict)
    observed: frozenset[tuple[Term, Term]] = frozenset()


class Why(Enum):
    """Why two accesses are in no data race."""

    READS = "both read"
    ATOMIC = "both are atomic"
    ELSEWHERE = "different memory"
    ORDERED = "never at the same time"
    AWAITED = "one waits for the other"
    PRIVATE = "before it is published"
    LOCKED = "one lock"
    SECTIONS = "atomic sections"


class Moment(Protocol):
    """A point of a thread: see `Access`."""

    @property
    def thread(self) -> Thread: ...

    @property
    def alive(self) -> Mapping[int, Range | None]: ...

    @property
    def bounds(self) -> Mapping[Symbol, Bounds]: ...


def may_be_parallel(one: Moment, other: Moment) -> bool:
    """Whether two threads may be at two points at the same time, as far as creations and joins tell."""
    mine, theirs = one.thread.path, other.thread.path
    common = 0
    while common < min(len(mine), len(theirs)) and mine[common].number == theirs[common].number:
        if mine[common].is_many or theirs[common].is_many:
            return not _are_of_one(one, other)
        common += 1
    if common == len(mine) == len(theirs):
        return False
    if common == len(mine):
        return theirs[common].number in one.alive
    if common == len(theirs):
        return mine[common].number in other.alive
    return theirs[common].number in mine[common].beside or mine[common].number in theirs[common].beside


def _are_of_one(one: Moment, other: Moment) -> bool:
    """Whether only the thread with one certain number can be at both accesses."""
    own = one.thread.own
    if one.thread.number != other.thread.number or own is None or not _are_numbered(one.thread, other.thread):
        return False
    known, rival = one.bounds.get(own, NO_BOUNDS), other.bounds.get(own, NO_BOUNDS)
    return any(
        limit.is_constant and limit in rival.lower and frozenset({limit}) in known.upper & rival.upper
        for limit in known.lower
    )


def are_disjoint(one: Access, other: Access) -> bool:
    """Whether two accesses of different threads, which exist together, never touch the same memory."""
    if one.places and other.places and not meet(one.places, other.places):
        return True
    if one.address is None or other.address is None:
        return False
    mine, theirs = one.address.base, other.address.base
    if mine is not None and theirs is not None:
        known = _may_be_one(one.thread, mine, other.thread, theirs)
        if known is False:
            return True
        if known is None:
            return False
    if one.size is None or other.size is None:
        return False
    return _is_apart(one, other) or _is_apart(other, one)


def _may_be_one(one: Thread, mine: Symbol, other: Thread, theirs: Symbol) -> bool | None:
    """Whether two objects, of different threads, are one. None: that is not known."""
    if mine.is_fixed and theirs.is_fixed and mine.kind in OBJECTS and theirs.kind in OBJECTS:
        return mine is theirs
    if mine.kind in OBJECTS and theirs.kind in OBJECTS:
        return False  # each of the two objects belongs to its own thread, or one of them is static
    if mine.kind is SymbolKind.GIVEN and mine is theirs and mine in one.owned:
        return False  # each thread was given a block of its own
    for given, owner, rival in ((mine, one, theirs), (theirs, other, mine)):
        if given in owner.owned and rival.kind is SymbolKind.ADDRESS:
            return False  # a block is no named object
        if given in owner.owned and rival.kind is SymbolKind.BLOCK and rival.is_fixed:
            return False  # it is allocated once, and each creation hands over another one
    return None


def _is_apart(one: Access, other: Access) -> bool:
    """Whether what *one* accesses lies apart from all that *other* may access, whose thread may be one of many."""
    assert one.address is not None and other.address is not None and one.size is not None and other.size is not None
    mine, theirs = one.address, other.address
    distance = _distance(mine, theirs)
    if distance is not None and lie_apart(*distance, one.size, other.size):
        return True
    below = _extremes(theirs, other, False)
    above = _extremes(theirs, other, True)
    least, most = _extremes(mine, one, False), _extremes(mine, one, True)
    for low in least:
        for high in above:
            if _is_after(one, low, other, high, other.size):
                return True
    for high in most:
        for low in below:
            if _is_after(other, low, one, high, one.size):
                return True
    own, rival = one.thread.own, other.thread.own
    if one.thread.number == other.thread.number and own is not None and _are_numbered(one.thread, other.thread):
        return _have_own_cells(own, least, most, one.size, below, above, other.size)
    parent = other.thread.parent
    if rival is not None and parent is not None and parent.number == one.thread.number and one.thread.is_unique:
        return _is_outside(one, least, most, other, below, above)
    return False


def _are_numbered(*threads: Thread) -> bool:
    """Whether the numbers of two threads that exist together are certain to differ."""
    return all(each.is_numbered and not any(around.is_many for around in each.path[:-1]) for each in threads)


def never_equal(one: Term, other: Term) -> bool:
    """Whether two terms of different threads are different numbers."""
    distance = _distance(one, other)
    return distance is not None and lie_apart(*distance, 1, 1)


def _distance(one: Term, other: Term) -> tuple[int, int] | None:
    """The difference of two terms of different threads, modulo a step: only fixed symbols are the same in both."""
    constant = one.constant - other.constant
    fixed: dict[Symbol, int] = {}
    left: list[int] = []
    for term, sign in ((one, 1), (other, -1)):
        for symbol, coefficient in term.parts:
            if symbol.is_fixed:
                fixed[symbol] = fixed.get(symbol, 0) + sign * coefficient
            else:
                left.append(coefficient)
    parts = [*left, *(c for c in fixed.values() if c)]
    objects = any(c and s.kind in OBJECTS for s, c in fixed.items())
    if objects or any(abs(c) == 1 for c in parts):
        return None
    return constant, gcd(*parts)


def lie_apart(distance: int, step: int, size: int, other: int) -> bool:
    """Whether *size* bytes that begin *distance* (modulo *step*) after *other* bytes never overlap them."""
    if not step:
        return distance >= other or -distance >= size
    rest = distance % step
    return rest >= other and step - rest >= size


def _extremes(address: Term, access: Access, upward: bool) -> list[Term]:
    """Terms of fixed symbols and the thread's number that *address* is at most (*upward*), or at least."""
    found: list[Term] = []
    todo, seen = [(address, 0)], {address}
    while todo:
        term, depth = todo.pop()
        open_ = [s for s, _ in term.parts if not s.is_fixed and s is not access.thread.own]
        if not open_:
            found.append(term)
            continue
        if depth > 4:
            continue
        symbol = open_[0]
        coefficient = term.coefficient(symbol)
        rest = term.without(symbol)
        known = access.bounds.get(symbol, NO_BOUNDS)
        if (coefficient > 0) is upward:
            limits = [each for part in known.upper if len(part) == 1 for each in part]
            limits += [] if symbol.most is None else [Term(symbol.most)]
        else:
            limits = [*known.lower, *([] if symbol.least is None else [Term(symbol.least)])]
        for limit in limits:
            new = rest.plus(limit, coefficient)
            if new not in seen:
                seen.add(new)
                todo.append((new, depth + 1))
    return found


def _is_after(one: Access, low: Term, other: Access, high: Term, size: int) -> bool:
    """Whether *low*, of one thread, is at least *size* after *high*, of another one."""
    apart = low.minus(high).shifted(-size)
    return (high.is_fixed and is_positive(apart, one.bounds)) or (low.is_fixed and is_positive(apart, other.bounds))


def _have_own_cells(
    own: Symbol, least: list[Term], most: list[Term], mine: int, below: list[Term], above: list[Term], theirs: int
) -> bool:
    """Whether the range of each thread is its own: ``base + step * number``, and no longer than the step."""
    for low in least:
        step = low.coefficient(own)
        if not step:
            continue
        start = low.without(own)
        for lower in below:
            if lower.coefficient(own) != step:
                continue
            first = lower.without(own).minus(start)
            for high in most:
                for upper in above:
                    if high.coefficient(own) != step or upper.coefficient(own) != step or not first.is_constant:
                        continue
                    last = high.without(own).minus(start), upper.without(own).minus(start)
                    if not all(each.is_constant for each in last):
                        continue
                    begin = min(0, first.constant)
                    end = max(last[0].constant + mine, last[1].constant + theirs)
                    if end - begin <= abs(step):
                        return True
    return False


def _is_outside(
    one: Access, least: list[Term], most: list[Term], other: Access, below: list[Term], above: list[Term]
) -> bool:
    """Whether *one*, of the creator, is outside of the ranges of all threads that exist, of which *other* is one."""
    own, alive = other.thread.own, one.alive.get(other.thread.number)
    assert own is not None and one.address is not None and one.size is not None and other.size is not None
    if alive is None:
        return False
    last = alive.upper.shifted(-1)
    for upward, terms in ((True, above), (False, below)):
        for term in terms:
            step = term.coefficient(own)
            if not step:
                continue
            limit = term.without(own).plus(last if (step > 0) is upward else alive.lower, step)
            if upward and is_positive(one.address.minus(limit).shifted(-other.size), one.bounds):
                return True
            if not upward and is_positive(limit.minus(one.address).shifted(-one.size), one.bounds):
                return True
    return False


def common_lock(one: Access, other: Access) -> LockKey | None:
    """A lock that excludes one of two accesses while the other is made."""
    for key, held in one.keys.items():
        rival = other.keys.get(key)
        if rival is not None and (held.writes or rival.writes):
            return key
    return None


def lock_keys(access: Access, lock: Term, around: Iterable[tuple[Record, int]], symbols: Symbols) -> Iterator[LockKey]:
    """What a lock that is held is in relation to the memory of an access.

    around: the records that the lock is certain to be a member of, and at which offset.
    """
    if lock.is_fixed:
        yield LockKey(("fixed", lock))
    for record, address in access.records:
        distance = lock.minus(address)
        if distance.is_constant and 0 <= distance.constant < record.size:
            yield LockKey(("record", record.number, distance.constant))
    if access.address is None or not access.size:
        return
    for record, offset in around:
        distance = access.address.minus(lock.shifted(-offset))
        if distance.is_constant and 0 <= distance.constant <= record.size - access.size:
            yield LockKey(("record", record.number, offset))
    open_ = [(s, c) for s, c in access.address.parts if not s.is_fixed]
    if len(open_) == 1 and access.size <= abs(open_[0][1]):
        symbol, step = open_[0]
        index = symbols.term(SymbolKind.VALUE, "the index", True)
        relative = symbols.replaced(lock, lambda each: index if each is symbol else None)
        if relative.is_fixed:
            yield LockKey(("cell", access.address.without(symbol), step, relative))


def why_not(one: Access, other: Access) -> Why | None:
    """Why two accesses are in no data race; None if nothing is known that prevents one."""
    if not (one.writes or other.writes):
        return Why.READS
    if one.is_atomic and other.is_atomic:
        return Why.ATOMIC
    if one.sections and other.sections:
        return Why.SECTIONS
    if one.is_private or other.is_private:
        return Why.PRIVATE
    if not may_be_parallel(one, other):
        return Why.ORDERED
    if common_lock(one, other) is not None:
        return Why.LOCKED
    return Why.ELSEWHERE if are_disjoint(one, other) else None


def meet(one: Iterable[Location], other: Iterable[Location]) -> bool:
    """Whether two sets of locations may have memory in common."""
    return any(overlap(a, b) for a in one for b in other)
