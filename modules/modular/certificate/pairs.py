"""The pairs of accesses that may conflict, and whether a reason holds for one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import gcd
from typing import NamedTuple

from cseq.modules.ir.program import Program
from cseq.modules.ir.types import Array, Record
from cseq.modules.modular.certificate.form import (
    Atom,
    AtomKind,
    Held,
    Limits,
    Location,
    LockKind,
    Names,
    Numbers,
    Sum,
    ThreadClaim,
)
from cseq.modules.modular.certificate.logic import Logic
from cseq.modules.modular.certificate.pointers import meet
from cseq.modules.modular.certificate.semantics import Access, lie_apart

_NO_LIMITS = Limits()
_DEPTH = 5


class Moment(NamedTuple):
    """A point of a thread: the creations whose threads may exist, and what limits atoms."""

    thread: ThreadClaim
    alive: Mapping[int, Numbers | None] | None
    limits: Mapping[Atom, Limits]

    def may_have(self, creation: int) -> bool:
        """Whether threads of a creation may exist; without *alive*, all may."""
        return self.alive is None or creation in self.alive


class Spot(NamedTuple):
    """Memory that a thread accesses at some point."""

    moment: Moment
    address: Sum | None
    size: int | None
    places: frozenset[Location]


def spot_of(access: Access) -> Spot:
    """What is accessed, and when."""
    moment = Moment(access.thread, access.state.alive, access.state.limits)
    return Spot(moment, access.address, access.size, access.places)


class Reasons:
    """Decides whether a reason holds, by the claims of a certificate about threads."""

    def __init__(self, program: Program, names: Names, logic: Logic, threads: Mapping[int, ThreadClaim]) -> None:
        self._program = program
        self._names = names
        self._logic = logic
        self._threads = threads

    # Threads

    def path(self, thread: ThreadClaim) -> list[ThreadClaim]:
        """Main, and the threads that lead to *thread*, which is the last one."""
        found = [thread]
        while found[-1].parent is not None:
            found.append(self._threads[found[-1].parent])
        return found[::-1]

    def may_be_parallel(self, one: Moment, other: Moment) -> bool:
        """Whether two different threads may be at two points at the same time."""
        mine, theirs = self.path(one.thread), self.path(other.thread)
        for at, (left, right) in enumerate(zip(mine, theirs, strict=False)):
            if left is right:
                if left.is_many:
                    return not self._is_one(one, other)
                continue
            # Two creations of one thread: the threads exist together only if one did when the other was created.
            assert at
            return right.number in left.beside or left.number in right.beside
        if len(mine) == len(theirs):
            return False
        if len(mine) < len(theirs):
            return one.may_have(theirs[len(mine)].number)
        return other.may_have(mine[len(theirs)].number)

    def _is_one(self, one: Moment, other: Moment) -> bool:
        """Whether only the thread with one certain number comes to both points."""
        if one.thread is not other.thread or not self._are_numbered(one.thread):
            return False
        own = self._names.atom(AtomKind.OWN, one.thread.number)
        known, rival = one.limits.get(own, _NO_LIMITS), other.limits.get(own, _NO_LIMITS)
        return any(
            not each.parts and each in rival.lower and frozenset({each}) in known.upper & rival.upper
            for each in known.lower
        )

    def _are_numbered(self, thread: ThreadClaim) -> bool:
        path = self.path(thread)
        return thread.parent is not None and thread.is_numbered and not any(each.is_many for each in path[:-1])

    # Memory

    def are_disjoint(self, one: Spot, other: Spot) -> bool:
        """Whether two threads that exist together never access the same memory there."""
        if not meet(one.places, other.places):
            return True
        if one.address is None or other.address is None:
            return False
        mine, theirs = _base(one.address), _base(other.address)
        if mine is not None and theirs is not None:
            known = self._is_one_object(one.moment.thread, mine, other.moment.thread, theirs)
            if known is not True:
                return known is False
        return self._is_apart(one, other) or self._is_apart(other, one)

    def _is_one_object(self, one: ThreadClaim, mine: Atom, other: ThreadClaim, theirs: Atom) -> bool | None:
        is_fixed = self._logic.is_fixed_atom
        if mine.is_object and theirs.is_object:
            return mine is theirs and is_fixed(mine)  # one that is not fixed belongs to its thread
        if mine is theirs and mine in one.owned:
            return False
        for given, owner, rival in ((mine, one, theirs), (theirs, other, mine)):
            if given in owner.owned and (
                rival.kind is AtomKind.ADDRESS or (rival.kind is AtomKind.BLOCK and is_fixed(rival))
            ):
                return False
        return None

    def _is_apart(self, one: Spot, other: Spot) -> bool:
        if one.address is None or other.address is None or one.size is None or other.size is None:
            return False
        distance = self._distance(one.address, other.address)
        if distance is not None and lie_apart(*distance, one.size, other.size):
            return True
        least, most = self._ends(one, False), self._ends(one, True)
        below, above = self._ends(other, False), self._ends(other, True)
        if any(self._is_after(one, low, other, high, other.size) for low in least for high in above):
            return True
        if any(self._is_after(other, low, one, high, one.size) for low in below for high in most):
            return True
        mine, theirs = one.moment.thread, other.moment.thread
        if mine is theirs:
            return self._are_numbered(mine) and self._have_own_ranges(
                self._names.atom(AtomKind.OWN, mine.number), (least, most, one.size), (below, above, other.size)
            )
        is_parent = theirs.parent == mine.number and not any(each.is_many for each in self.path(mine))
        return is_parent and self._is_outside(one, other, below, above)

    def never_equal(self, one: Sum, other: Sum) -> bool:
        """Whether two sums of different threads are different numbers."""
        distance = self._distance(one, other)
        return distance is not None and lie_apart(*distance, 1, 1)

    def _distance(self, one: Sum, other: Sum) -> tuple[int, int] | None:
        """The difference of two sums of different threads, modulo a step."""
        fixed: dict[Atom, int] = {}
        steps: list[int] = []
        for sum_, sign in ((one, 1), (other, -1)):
            for atom, coefficient in sum_.parts:
                if self._logic.is_fixed_atom(atom):
                    fixed[atom] = fixed.get(atom, 0) + sign * coefficient
                else:
                    steps.append(coefficient)
        if any(c and a.is_object for a, c in fixed.items()):
            return None
        return one.constant - other.constant, gcd(*steps, *fixed.values())

    def _ends(self, spot: Spot, is_upper: bool) -> list[Sum]:
        """Sums of fixed atoms and the thread's number that an address is at most, or at least."""
        assert spot.address is not None
        logic, limits = self._logic, spot.moment.limits
        own = self._names.atom(AtomKind.OWN, spot.moment.thread.number)
        found: list[Sum] = []
        todo, seen = [(spot.address, 0)], {spot.address}
        while todo:
            sum_, depth = todo.pop()
            open_ = next((a for a, _ in sum_.parts if not logic.is_fixed_atom(a) and a is not own), None)
            if open_ is None:
                found.append(sum_)
            elif depth < _DEPTH:
                coefficient = sum_.of(open_)
                for each in self._limits(open_, (coefficient > 0) is is_upper, limits):
                    new = sum_.without(open_).plus(each, coefficient)
                    if new not in seen:
                        seen.add(new)
                        todo.append((new, depth + 1))
        return found

    def _limits(self, atom: Atom, is_upper: bool, limits: Mapping[Atom, Limits]) -> Iterator[Sum]:
        known = limits.get(atom, _NO_LIMITS)
        end = self._logic.range(atom)[is_upper]
        if end is not None:
            yield Sum(end)
        yield from (each for part in known.upper if len(part) == 1 for each in part) if is_upper else known.lower

    def _is_after(self, one: Spot, low: Sum, other: Spot, high: Sum, size: int) -> bool:
        """Whether *low*, of one thread, is at least *size* after *high*, of another one."""
        gap = low.minus(high).add(-size)
        positive, is_fixed = self._logic.positive, self._logic.is_fixed
        return (is_fixed(high) and positive(gap, one.moment.limits)) or (
            is_fixed(low) and positive(gap, other.moment.limits)
        )

    def _have_own_ranges(
        self, own: Atom, mine: tuple[list[Sum], list[Sum], int], theirs: tuple[list[Sum], list[Sum], int]
    ) -> bool:
        """Whether both lie in ``base + step * number`` up to the next step, for one base and one step."""
        for low in mine[0]:
            step, base = low.of(own), low.without(own)
            starts = [each.without(own).minus(base) for each in theirs[0] if each.of(own) == step]
            ends = [
                [each.without(own).minus(base).add(size) for each in sums if each.of(own) == step]
                for _, sums, size in (mine, theirs)
            ]
            begin = max((min(0, each.constant) for each in starts if not each.parts), default=None)
            known = [min((each.constant for each in sums if not each.parts), default=None) for sums in ends]
            if step and begin is not None and known[0] is not None and known[1] is not None and (
                max(known[0], known[1]) - begin <= abs(step)
            ):  # fmt: skip
                return True
        return False

    def _is_outside(self, one: Spot, other: Spot, below: list[Sum], above: list[Sum]) -> bool:
        """Whether *one*, of the creator, is outside of the ranges of all threads of the creation of *other*."""
        creation = other.moment.thread.number
        own = self._names.atom(AtomKind.OWN, creation)
        alive = one.moment.alive
        numbers = None if alive is None else alive.get(creation)
        if numbers is None or one.address is None or one.size is None or other.size is None:
            return False
        positive, limits = self._logic.positive, one.moment.limits
        last = numbers.upper.add(-1)
        for sums, is_upper in ((above, True), (below, False)):
            for each in sums:
                step, rest = each.of(own), each.without(own)
                if not step or not self._logic.is_fixed(rest):
                    continue
                end = rest.plus(last if (step > 0) is is_upper else numbers.lower, step)
                if is_upper and positive(one.address.minus(end).add(-other.size), limits):
                    return True
                if not is_upper and positive(end.minus(one.address).add(-one.size), limits):
                    return True
        return False


def _base(address: Sum) -> Atom | None:
    """The object that an address is in, or the value that the creator handed over which it is computed from."""
    if any(a.is_object for a, _ in address.parts):
        return address.object
    found = [a for a, c in address.parts if c == 1 and a.kind is AtomKind.GIVEN]
    return found[0] if len(found) == 1 else None


class Locks:
    """Decides which locks exclude. accesses: all; flags, semaphores: see `Around`."""

    def __init__(
        self, logic: Logic, names: Names, accesses: Iterable[Access],
        flags: list[tuple[int, frozenset[Location], bool]], semaphores: list[tuple[frozenset[Location], bool]],
    ) -> None:  # fmt: skip
        self._logic = logic
        self._names = names
        self._writes = [
            each for each in accesses
            if each.writes and not each.state.is_first and not each.is_private and not each.is_free
        ]  # fmt: skip
        self._flags = flags
        self._semaphores = semaphores
        self._known: dict[tuple[LockKind, frozenset[Location]], bool] = {}

    def excludes(self, held: Held) -> bool:
        """Whether only one thread at a time can hold a lock."""
        key = held.kind, held.places
        if key not in self._known:
            self._known[key] = self._excludes(held)
        return self._known[key]

    def _excludes(self, held: Held) -> bool:
        if held.kind is LockKind.SEMAPHORE:
            return all(is_good for places, is_good in self._semaphores if meet(places, held.places))
        proper: set[int] = set()
        if held.kind is LockKind.FLAG:
            stores = [(number, good) for number, places, good in self._flags if meet(places, held.places)]
            if not all(good for _, good in stores):
                return False
            proper = {number for number, _ in stores}
        return not any(
            each.instruction.number not in proper and meet(each.places, held.places) for each in self._writes
        )

    def common(self, one: Access, other: Access) -> bool:
        """Whether a lock excludes one of two accesses, if they are to the same memory, while the other is made."""
        mine = dict(self._keys(one))
        return any(key in mine and (held.writes or mine[key].writes) for key, held in self._keys(other))

    def _keys(self, access: Access) -> Iterator[tuple[object, Held]]:
        """The locks that are held, each by what it is in relation to the memory."""
        for lock, held in access.state.held.items():
            if not self.excludes(held):
                continue
            if self._logic.is_fixed(lock):
                yield ("fixed", lock), held
            for record, address in access.records:
                distance = lock.minus(address)
                if not distance.parts and 0 <= distance.constant < record.size:
                    yield ("record", record.number, distance.constant), held
            if access.address is None or not access.size:
                continue
            around = _record_around(held.places)
            if around is not None:
                record, offset = around
                distance = access.address.minus(lock.add(-offset))
                if not distance.parts and 0 <= distance.constant <= record.size - access.size:
                    yield ("record", record.number, offset), held
            open_ = [(a, c) for a, c in access.address.parts if not self._logic.is_fixed_atom(a)]
            if len(open_) == 1 and access.size <= abs(open_[0][1]):
                atom, step = open_[0]
                index = self._names.atom(AtomKind.COUNTER, "the index of a cell")
                relative = self._names.replaced(lock, {atom: index.sum}.get)
                if self._is_relative(relative, index):
                    yield ("cell", access.address.without(atom), step, relative), held

    def _is_relative(self, sum_: Sum, index: Atom) -> bool:
        """Whether a sum is a function of fixed atoms and *index*."""
        return all(
            atom is index
            or self._logic.is_fixed_atom(atom)
            or (atom.kind is AtomKind.APPLIED and all(self._is_relative(each, index) for each in atom.arguments))
            for atom, _ in sum_.parts
        )


def _record_around(places: Iterable[Location]) -> tuple[Record, int] | None:
    """The record that a lock is a member of, and at which offset, wherever it may be."""
    found: set[tuple[Record, int] | None] = set()
    for each in places:
        last = each.path[-1] if each.path else None
        found.add(None if last is None or isinstance(last.type, Array) else (last.record, last.offset))
    return found.pop() if len(found) == 1 else None
