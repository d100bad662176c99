"""What is shared, and what protects it: the reasons of a thread-modular analysis, by object.

An object is a variable, or a member of variables or of allocated blocks, without the indices. A pair of accesses is
described only if several threads make it, and at least one of the two writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cseq.model.origin import Origin
from cseq.model.sharing import (
    LockOrderEdge,
    OpenPair,
    Protection,
    ProtectionKind,
    SharedAccess,
    SharedData,
    SharedObject,
)
from cseq.modules.analysis.points_to import Location, overlap
from cseq.modules.ir.objects import Object
from cseq.modules.modular.accesses import Access, Why, common_lock, why_not
from cseq.modules.modular.lock_names import LockNames, of_location
from cseq.modules.modular.program_analysis import ProgramAnalysis
from cseq.modules.modular.state import Event, EventKind, Held, MayHold
from cseq.modules.modular.terms import OBJECTS, ZERO, SymbolKind, Term
from cseq.pipeline.translator import user_name

_EVENTS = {
    EventKind.WAIT: ProtectionKind.SEMAPHORE,
    EventKind.STORE: ProtectionKind.SEEN,
    EventKind.ARRIVE: ProtectionKind.BARRIER,
}
_REASONS = {
    Why.ATOMIC: ProtectionKind.ATOMIC,
    Why.SECTIONS: ProtectionKind.SECTIONS,
    Why.PRIVATE: ProtectionKind.UNPUBLISHED,
}


@dataclass(eq=False)
class Group:
    """The accesses to one object.

    reasons: for its pairs, each with whether the access that gives it writes. locks: the locks that both accesses of a
    pair hold, by name; empty for pairs that have none.
    """

    location: Location
    accesses: list[Access]
    reasons: dict[tuple[ProtectionKind, str], bool] = field(default_factory=dict)
    locks: set[str] = field(default_factory=set)
    open: list[tuple[Access, Access]] = field(default_factory=list)


class Sharing:
    """The shared data that *analysis* has found. groups: the accesses by object."""

    def __init__(self, analysis: ProgramAnalysis) -> None:
        self.analysis = analysis
        self.names = LockNames(analysis)
        self._functions = {
            instruction: user_name(template.name) or ""
            for template in analysis.program.templates
            for instruction in template.instructions()
        }
        self._is_lock: dict[Held, bool] = {}
        self.groups = [group for group in self._grouped() if self._explain(group)]

    def data(self) -> SharedData:
        """All of it."""
        analysis = self.analysis
        objects = [self._object(group) for group in self.groups]
        unknown = self._elsewhere()
        return SharedData(
            objects=tuple(sorted([*objects, *unknown], key=_order)),
            given_valid=analysis.rests_on_memory_safety(),
            cut=analysis.cuts[0].origin if analysis.cuts else None,
        )

    # Objects

    def _grouped(self) -> Iterator[Group]:
        """The accesses by object: a location that no other one is a part of."""
        by_root: dict[object, dict[Location, None]] = {}
        for access in self.analysis.accesses:
            for place in access.places:
                if place.root is not None:
                    by_root.setdefault(place.root, {})[place] = None
        of_root = self.analysis.by_object()
        for root, places in by_root.items():
            whole = {place.path[:length] for place in places for length in range(len(place.path))}
            for place in places:
                if place.path not in whole:
                    around = [each for each in of_root[root] if any(overlap(place, other) for other in each.places)]
                    yield Group(place, around)

    def _explain(self, group: Group) -> bool:
        """Find the reasons for the pairs of a group; returns whether several threads access it, and one writes."""
        accesses = group.accesses
        if all(each.is_private for each in accesses):
            return False
        for number, one in enumerate(accesses):
            for other in accesses[number:]:
                if not (one.writes or other.writes) or _is_of_one_thread(one, other):
                    continue
                self._note(group, one, other)
        if len(group.locks) == 1 and not group.open and "" not in group.locks:
            group.reasons = {(ProtectionKind.LOCK, lock): False for lock in group.locks}
        return bool(group.reasons or group.open)

    def _note(self, group: Group, one: Access, other: Access) -> None:
        why = why_not(one, other)
        writes = False
        key = common_lock(one, other)
        by = "" if key is None else self.names.of_key(group.location, one, key)
        group.locks.add(by)
        if why is Why.LOCKED:
            kind = ProtectionKind.LOCK
        elif why is None:
            event = self.analysis.signals.awaited(one, other)
            if event is None:
                group.open.append((one, other))
                return
            kind, by = _EVENTS[event.kind], self.names.of(event.at)
        elif why is Why.ORDERED:
            (kind, writes), by = _order_of(one, other), ""
        elif why is Why.ELSEWHERE:
            is_own = one.thread.number == other.thread.number or any(map(_is_of_its_thread, (one, other)))
            kind, by = ProtectionKind.OWN_PART if is_own else ProtectionKind.OTHER_PART, ""
        else:
            kind, by = _REASONS[why], ""
        group.reasons[kind, by] = group.reasons.get((kind, by), False) or writes

    def _object(self, group: Group) -> SharedObject:
        root = group.location.root
        is_only = len(group.reasons) == 1 and not group.open
        protections = tuple(
            Protection(kind, by, writes, is_only) for (kind, by), writes in sorted(group.reasons.items(), key=_ranked)
        )
        local = ""
        if isinstance(root, Object) and root.template is not None:
            local = user_name(self.analysis.program.templates[root.template].name) or ""
        return SharedObject(
            name=of_location(group.location),
            origin=None if root is None else root.origin,
            function=local,
            protections=protections,
            accesses=self._shown(group.accesses),
            open=self._pairs(group.open),
        )

    def _elsewhere(self) -> Iterator[SharedObject]:
        """What is left over of memory of which it is not known where it is."""
        told = {pair for group in self.groups for pair in group.open}
        left = [pair for pair in self.analysis.open if pair not in told]
        if left:
            pairs = self._pairs(left)
            accesses = dict.fromkeys(each for pair in pairs for each in (pair.one, pair.other))
            yield SharedObject("", None, "", (), tuple(accesses), pairs)

    def _pairs(self, pairs: Iterable[tuple[Access, Access]]) -> tuple[OpenPair, ...]:
        found = dict.fromkeys(OpenPair(self._access(one), self._access(other)) for one, other in pairs)
        return tuple(found)

    def _shown(self, accesses: Iterable[Access]) -> tuple[SharedAccess, ...]:
        found = dict.fromkeys(map(self._access, accesses))
        return tuple(sorted(found, key=lambda each: (each.origin.file, each.origin.line, each.thread, each.writes)))

    def _access(self, access: Access) -> SharedAccess:
        origin = access.instruction.origin or Origin("", 0)
        function = self._functions.get(access.instruction, origin.function or "")
        holds = {self.names.of(lock) for lock, how in access.held.items() if self._excludes(how)}
        return SharedAccess(
            origin=Origin(origin.file, origin.line, function=function or None),
            thread=user_name(access.thread.template.name) or "",
            writes=access.writes,
            atomic=access.is_atomic,
            holds=tuple(sorted(holds)),
        )

    def _excludes(self, how: Held) -> bool:
        if how not in self._is_lock:
            self._is_lock[how] = self.analysis.excludes(how)
        return self._is_lock[how]


def orders(analysis: ProgramAnalysis) -> SharedData:
    """What threads wait for while they may hold a lock."""
    names = LockNames(analysis)
    found: dict[tuple[str, str], LockOrderEdge] = {}
    for wait in analysis.waits.all():
        wanted = names.of_places(wait.what.lock, wait.what.places) if isinstance(wait.what, MayHold) else ""
        for each in wait.may_hold:
            held = names.of_places(each.lock, each.places)
            found.setdefault((held, wanted), LockOrderEdge(held, wanted, wait.instruction.origin))
    cut = analysis.cuts[0].origin if analysis.cuts else None
    return SharedData(
        given_valid=analysis.rests_on_memory_safety(),
        orders=tuple(found[key] for key in sorted(found)),
        of_locks=True,
        cut=cut,
    )


def _order(found: SharedObject) -> tuple[bool, str, int, str]:
    """What is left over comes first; then the order of the text."""
    origin = found.origin or Origin("", 0)
    return not found.open, origin.file, origin.line, found.name


def _ranked(item: tuple[tuple[ProtectionKind, str], bool]) -> tuple[int, str]:
    (kind, by), _ = item
    return _RANKS.index(kind), by


_RANKS = [*ProtectionKind]


def _is_of_one_thread(one: Access, other: Access) -> bool:
    return one.thread.number == other.thread.number and one.thread.is_unique


def _is_of_its_thread(access: Access) -> bool:
    """Whether an address is computed from what only one thread has: its number, an argument, an object of its own."""
    address = access.address
    own = {SymbolKind.OWN, SymbolKind.GIVEN}
    return address is not None and any(
        symbol.kind in own or (symbol.kind in OBJECTS and not symbol.is_fixed) for symbol in address.symbols
    )


def _order_of(one: Access, other: Access) -> tuple[ProtectionKind, bool]:
    """How creations and joins order two accesses, and whether the one of the creator writes."""
    for near, far in ((one, other), (other, one)):
        path = far.thread.path
        if near.is_first and not far.is_first:
            return ProtectionKind.BEFORE, near.writes
        if any(each.number == near.thread.number for each in path[:-1]) and near.thread.number != far.thread.number:
            child = path[len(near.thread.path)]
            if near.counts.get(Event(EventKind.CREATE, Term(child.number)), ZERO) == ZERO:
                return ProtectionKind.BEFORE, near.writes
            return ProtectionKind.AFTER, near.writes
    return ProtectionKind.TURNS, False
