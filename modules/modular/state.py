"""What is known of a thread at one point of its control flow, and what is known where paths meet.

Memory is a map from addresses to values, both symbolic. Where two paths bring different values, the value is a
*counter*: a new symbol, which values that differ by the same distance share, so that the relations between them stay
known (global value numbering, as a join: Gulwani, Necula, SAS 2004, restricted to translations).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from cseq.modules.analysis.points_to import ANYWHERE, Location
from cseq.modules.modular.terms import ZERO, Bounds, Symbol, SymbolKind, Symbols, Term, is_positive

_COMPARISONS = frozenset({"=0", "!=0", "<0", "<=0"})

Node = tuple[int, ...]
"""The calls that lead to a point, and the point: block and position, for each activation, outermost first."""


class Cell(NamedTuple):
    """The value of *size* bytes of memory."""

    value: Term
    size: int


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
    at: Term


class Range(NamedTuple):
    """Which threads of one creation may exist: those whose number is at least *lower* and less than *upper*."""

    lower: Term
    upper: Term


class LockKind(Enum):
    """What is used as a lock."""

    LOCK = "lock"
    SEMAPHORE = "semaphore"
    FLAG = "flag"
    TICKET = "ticket"
    NONE = "none"


class FlagUse(Enum):
    """What a store is for the lock that the variable may be: the right use, or none."""

    NONE = "none"
    CLEARED = "cleared before there are threads"
    FLAG = "a flag is taken or released"
    TAKEN = "a ticket is taken"
    SHOWN = "the next ticket is shown"


class Held(NamedTuple):
    """How a lock is held.

    writes: by this thread alone. kind: what is used as the lock. places: where it may be. is_acquired: whether what its
    last holder did happens before what this thread does. tickets: where the number of the next ticket may be.
    """

    writes: bool
    kind: LockKind = LockKind.LOCK
    places: frozenset[Location] = frozenset({ANYWHERE})
    is_acquired: bool = True
    tickets: frozenset[Location] = frozenset()

    def joined(self, other: Held) -> Held:
        """What is known if it is held in one of two ways. What is used in different ways is no lock."""
        kind = self.kind if self.kind is other.kind else LockKind.NONE
        return Held(
            self.writes and other.writes, kind, self.places | other.places,
            self.is_acquired and other.is_acquired, self.tickets | other.tickets,
        )  # fmt: skip


class MayHold(NamedTuple):
    """A lock that may be held: its address, if that is known, and where it may be."""

    lock: Term | None
    places: frozenset[Location]


class Guard(NamedTuple):
    """A condition, ``=0`` or ``<0`` of a term, and whether it has to hold."""

    condition: Symbol
    holds: bool


class Attempt(NamedTuple):
    """A value that says whether a lock is held: how, where it is 0, and where it is not; None if it is not then."""

    lock: Term
    if_zero: Held | None
    if_other: Held | None


class Origin(NamedTuple):
    """The address that a value was read from, and whether what it reads from happens before what follows."""

    address: Term
    is_acquired: bool


class Tickets(NamedTuple):
    """What is known of ticket locks.

    taken: the number of a ticket → where the number of the next one is, and may be. shown: what was read → where from,
    and where that may be. out: where the numbers of the next tickets may be, of locks from which a ticket was taken and
    not given back.
    """

    taken: Mapping[Symbol, tuple[Term, frozenset[Location]]] = MappingProxyType({})
    shown: Mapping[Symbol, tuple[Origin, frozenset[Location]]] = MappingProxyType({})
    out: frozenset[Location] = frozenset()

    def without(self, gone: frozenset[Symbol]) -> Tickets:
        """The same without what mentions the former values of some symbols."""
        return Tickets(
            {s: known for s, known in self.taken.items() if s not in gone and not known[0].mentions(gone)},
            {s: known for s, known in self.shown.items() if s not in gone and not known[0].address.mentions(gone)},
            self.out,
        )


NO_TICKETS = Tickets()


@dataclass(frozen=True)
class State:
    """A state before or after a node.

    at: the node. cells: memory that no other thread changes. held: the locks that are certainly held; may_hold: those
    that may be. private: the blocks whose addresses only this thread has; stored_in: private block → the private block
    that contains its address. bounds: of symbols. alive: creation → which of its threads may exist, None for any;
    creations that are not in it have none. attempts: the results of attempts to take locks. origins: where a value was
    read from, if all threads mean the same by it. section_reads: what was read in the open atomic section, by
    address. sections: how many of the user's are open. counts: how often the thread has done what others may wait for;
    0, if it is not there. observed: variables, and numbers that they were at least at some time; unfenced: those for
    which a fence is missing, so that it happened before what follows. is_released: whether there was no access that is
    not atomic since a fence that releases. tickets: what is known of ticket locks. is_first: whether no thread was ever
    created. callers: the nodes that a shared activation returns to. restarts: how often the analysis of
    a loop around the node has started again. conditions: which have been decided, oldest first. held_if: the locks that
    are held if a condition holds. alive_if: creations of whose threads some may exist only if a condition holds. via:
    the last edge to the node.
    """

    at: Node
    cells: Mapping[Term, Cell] = field(default_factory=dict)
    held: Mapping[Term, Held] = field(default_factory=dict)
    may_hold: frozenset[MayHold] = frozenset()
    private: frozenset[Symbol] = frozenset()
    stored_in: Mapping[Symbol, Symbol] = field(default_factory=dict)
    bounds: Mapping[Symbol, Bounds] = field(default_factory=dict)
    alive: Mapping[int, Range | None] = field(default_factory=dict)
    attempts: Mapping[Symbol, Attempt] = field(default_factory=dict)
    origins: Mapping[Symbol, Origin] = field(default_factory=dict)
    section_reads: Mapping[Term, Term] = field(default_factory=dict)
    sections: int = 0
    counts: Mapping[Event, Term] = field(default_factory=dict)
    observed: frozenset[tuple[Term, Term]] = frozenset()
    is_first: bool = True
    callers: frozenset[Node] = frozenset()
    restarts: int = 0
    conditions: Mapping[Symbol, bool] = field(default_factory=dict)
    held_if: Mapping[tuple[Term, Guard], Held] = field(default_factory=dict)
    alive_if: frozenset[tuple[int, Guard]] = frozenset()
    unfenced: frozenset[tuple[Term, Term]] = frozenset()
    is_released: bool = False
    tickets: Tickets = NO_TICKETS
    via: tuple[Node, int] | None = field(default=None, compare=False)

    def moved(self, to: Node) -> State:
        """The same before another node."""
        return replace(self, at=to)


def escaped(private: frozenset[Symbol], inside: Mapping[Symbol, Symbol], lost: Iterable[Symbol]) -> frozenset[Symbol]:
    """The blocks that are still private once others may know of *lost*."""
    gone = set(lost) & private
    todo = list(gone)
    while todo:
        holder = todo.pop()
        for block, around in inside.items():
            if around is holder and block in private and block not in gone:
                gone.add(block)
                todo.append(block)
    return private - gone if gone else private


def blocks_in(*terms: Term) -> set[Symbol]:
    """The blocks whose addresses are in *terms*."""
    found: set[Symbol] = set()
    for term in terms:
        for symbol, _ in term.parts:
            if symbol.kind in (SymbolKind.BLOCK, SymbolKind.GIVEN):
                found.add(symbol)
            elif symbol.kind is SymbolKind.APPLIED:
                found |= blocks_in(*symbol.of)
    return found


class Join:
    """Joins *new* into *old*, before the same node.

    guesses: terms that may bound what a loop counts. is_back: whether *new* is what a loop makes of *old*; then nothing
    is known that was not known before, so that this ends.
    """

    def __init__(
        self, symbols: Symbols, old: State, new: State, guesses: Callable[[], Iterable[Term]], is_back: bool = False
    ) -> None:
        self._symbols = symbols
        self._old = old
        self._new = new
        self._guesses = guesses
        self._is_back = is_back
        self._counters: dict[Symbol, Term] = {}  # counter of this node → what it is in the new state
        self._made: dict[Term, tuple[Symbol, Term]] = {}  # distance → counter, and its old value
        self._bases: dict[Symbol, Term] = {}  # new counter → its old value
        self._used: set[Symbol] = set()
        self._names: tuple[dict[Term, Term], dict[Term, Term]] = (
            {},
            {},
        )  # lock that is held in a state → its joined name

    def joined(self) -> State:
        """What holds on both paths."""
        old, new = self._old, self._new
        self._find_counters()
        cells: dict[Term, Cell] = {}
        lost: set[Symbol] = set()
        matched: set[Term] = set()
        for key, cell in old.cells.items():
            there = self._in_new(key)
            rival = new.cells.get(there)
            if rival is None or rival.size != cell.size:
                lost |= blocks_in(key, cell.value)
                continue
            matched.add(there)
            value = self._value(("cell", key), cell.value, rival.value)
            if value != cell.value:
                lost |= blocks_in(cell.value, rival.value) - blocks_in(value)
            cells[key] = Cell(value, cell.size)
        for key, cell in new.cells.items():
            if key not in matched:
                lost |= blocks_in(key, cell.value)
        alive = self._alive()
        counts = {
            event: self._value(("count", event), old.counts.get(event, ZERO), new.counts.get(event, ZERO))
            for event in dict.fromkeys([*old.counts, *new.counts])
        }
        held: dict[Term, Held] = {}
        for lock, before, after in self._both(old.held, new.held):
            held[lock] = old.held[before].joined(new.held[after])
            self._names[0][before] = self._names[1][after] = lock
        inside = {block: around for block, around in old.stored_in.items() if new.stored_in.get(block) is around}
        lost |= (old.stored_in.keys() | new.stored_in.keys()) - inside.keys()
        private = escaped(old.private & new.private, inside, lost)
        attempts: dict[Symbol, Attempt] = {}
        origins: dict[Symbol, Origin] = {}
        for symbol, one, other in self._same():
            attempt, origin = old.attempts.get(one), old.origins.get(one)
            if attempt is not None and new.attempts.get(other) == attempt._replace(lock=self._in_new(attempt.lock)):
                attempts[symbol] = attempt
            if origin is not None and new.origins.get(other) == origin:
                origins[symbol] = origin
        held_if = self._held_if(held)
        return State(
            old.at, cells, held, self._taken(), private, {b: a for b, a in inside.items() if b in private},
            self._bounds(cells, [*held, *(lock for lock, _ in held_if)], alive, counts), alive, attempts, origins,
            {a: v for a, v in old.section_reads.items() if new.section_reads.get(self._in_new(a)) == self._in_new(v)},
            min(old.sections, new.sections), counts, old.observed & new.observed,
            old.is_first and new.is_first, old.callers | new.callers, max(old.restarts, new.restarts),
            self._conditions(), held_if, self._alive_if(alive), old.unfenced & new.unfenced,
            old.is_released and new.is_released, self._tickets(), new.via,
        )  # fmt: skip

    def _conditions(self) -> dict[Symbol, bool]:
        """The conditions that are the same on both paths."""
        found: dict[Symbol, bool] = {}
        for condition, holds in self._old.conditions.items():
            there = self._new_guard(Guard(condition, holds))
            if there is not None and is_decided(self._new, there) is True:
                found[condition] = holds
        return found

    # What depends on a condition (a disjunction of two states, as far as it is about locks and threads)

    def _held_if(self, held: Mapping[Term, Held]) -> dict[tuple[Term, Guard], Held]:
        """The locks that are held on each of the paths if a condition holds there."""
        found: dict[tuple[Term, Guard], Held] = {}
        candidates = [*self._guarded(self._old), *self._renamed()]
        if not self._is_back:
            candidates += [each for each in self._guarded(self._new) if self._is_meant(each[0])]
        for lock, guard, how in candidates:
            if lock in held or (lock, guard) in found:
                continue
            before, after = self._old_guard(guard), self._new_guard(guard)
            if before is None or after is None:
                continue
            places = self._in_old(lock), self._in_new(lock)
            are_held = [
                _is_held(state, place, there)
                for state, place, there in zip((self._old, self._new), places, (before, after), strict=True)
            ]
            # Two names of locks that are held are those of two locks.
            if any(
                known.get(place, lock) != lock
                for known, place, is_held in zip(self._names, places, are_held, strict=True) if is_held
            ):  # fmt: skip
                continue
            if all(
                is_held or is_decided(state, there) is False
                for state, there, is_held in zip((self._old, self._new), (before, after), are_held, strict=True)
            ):
                found[lock, guard] = how
                for known, place, is_held in zip(self._names, places, are_held, strict=True):
                    if is_held:
                        known[place] = lock
        return found

    def _guarded(self, state: State) -> Iterator[tuple[Term, Guard, Held]]:
        """The locks that are held in a state, each with the conditions on which that may depend."""
        for (lock, guard), how in state.held_if.items():
            if state is self._old or self._is_meant(guard.condition.term):
                yield lock, guard, how
        guards = [*self._guards(state)] if state.held else []
        for lock, how in state.held.items():
            for guard in guards:
                yield lock, guard, how

    def _guards(self, state: State) -> Iterator[Guard]:
        """The conditions that tell the path of *state* from the other one."""
        rival, other = (self._new, self._new_guard) if state is self._old else (self._old, self._old_guard)
        guards = [Guard(condition, holds) for condition, holds in state.conditions.items()
                  if state is self._old or self._is_meant(condition.term)]  # fmt: skip
        # What is certainly 0 on the other path.
        guards += [normal_guard(self._symbols, each, True) for each in self._bases if each.key[1][0] == "cell"]
        for guard in guards:
            there = other(guard)
            if there is not None and is_decided(rival, there) is False:
                yield guard

    def _renamed(self) -> Iterator[tuple[Term, Guard, Held]]:
        """Those of the old state, where a counter of this node stands for a value of it."""
        counters = {base.symbol: counter.term for counter, base in self._bases.items() if base.symbol is not None}
        if not counters:
            return
        for (lock, guard), how in self._old.held_if.items():
            renamed = self._normal(self._symbols.replaced(guard.condition.term, counters.get), guard.holds)
            if renamed is not None:
                yield self._symbols.replaced(lock, counters.get), renamed, how

    def _alive_if(self, alive: Mapping[int, Range | None]) -> frozenset[tuple[int, Guard]]:
        """The creations of whose threads some exist, on each of the paths, only if a condition holds there."""
        old, new = self._old, self._new
        candidates = set(old.alive_if)
        if not self._is_back:
            candidates |= {each for each in new.alive_if if self._is_meant(each[1].condition.term)}
            for state, rival in ((old, new), (new, old)):
                apart = [each for each in state.alive if each not in rival.alive]
                candidates |= {(each, guard) for guard in (self._guards(state) if apart else ()) for each in apart}
        found: set[tuple[int, Guard]] = set()
        for creation, guard in candidates:
            before, after = self._old_guard(guard), self._new_guard(guard)
            if (
                creation in alive and before is not None and after is not None
                and _is_alive_if(old, creation, before) and _is_alive_if(new, creation, after)
            ):  # fmt: skip
                found.add((creation, guard))
        return frozenset(found)

    def _in_old(self, term: Term) -> Term:
        """A term of the joined state as one of the old state."""
        return self._symbols.replaced(term, self._bases.get) if self._bases else term

    def _old_guard(self, guard: Guard) -> Guard | None:
        """A guard of the joined state as one of the old state."""
        return self._normal(self._in_old(guard.condition.term), guard.holds)

    def _new_guard(self, guard: Guard) -> Guard | None:
        """A guard of the joined state as one of the new state."""
        return self._normal(self._in_new(guard.condition.term), guard.holds)

    def _normal(self, condition: Term, holds: bool) -> Guard | None:
        return None if condition.symbol is None else normal_guard(self._symbols, condition.symbol, holds)

    def _tickets(self) -> Tickets:
        """What is known of ticket locks on both paths."""
        old, new = self._old.tickets, self._new.tickets
        if old is new:
            return old
        shown = {
            symbol: old.shown[one] for symbol, one, other in self._same()
            if one in old.shown and new.shown.get(other) == old.shown[one] and self._is_meant(old.shown[one][0].address)
        }  # fmt: skip
        return Tickets(
            {s: known for s, known in old.taken.items()
             if new.taken.get(s) == known and self._is_meant(known[0]) and self._is_meant(s.term)},
            shown, old.out | new.out,
        )  # fmt: skip

    def _both(self, olds: Iterable[Term], news: Iterable[Term]) -> Iterator[tuple[Term, Term, Term]]:
        """The terms that both states have, in the joined state, in the old one, and in the new one."""
        left = set(news)
        missing: list[Term] = []
        for term in olds:
            there = self._in_new(term)
            if there in left:
                left.remove(there)
                yield term, term, there
            else:
                missing.append(term)
        for term in missing:
            for counter, base in self._bases.items():
                distance = term.minus(base)
                there = self._counters[counter].plus(distance)
                if distance.is_constant and there in left:
                    left.remove(there)
                    yield Term(distance.constant, ((counter, 1),)), term, there
                    break

    def _taken(self) -> frozenset[MayHold]:
        """The locks that may be held on one of the paths."""
        old = {each.lock: each for each in self._old.may_hold if each.lock is not None}
        new = {each.lock: each for each in self._new.may_hold if each.lock is not None}
        found = {each for each in (*self._old.may_hold, *self._new.may_hold) if each.lock is None}
        for lock, one, other in list(self._both(old, new)):
            found.add(MayHold(lock, old.pop(one).places | new.pop(other).places))
        found.update(old.values())
        for lock, each in new.items():
            found.add(each if self._is_meant(lock) else MayHold(None, each.places))
        return frozenset(found)

    def _find_counters(self) -> None:
        """What the counters of this node, which are in the old state, are in the new one."""
        entries: list[tuple[Term, Term]] = []
        for key, cell in self._old.cells.items():
            rival = self._new.cells.get(key)
            if rival is not None and rival.size == cell.size:
                entries.append((cell.value, rival.value))
        for creation, range_ in self._old.alive.items():
            there = self._new.alive.get(creation)
            if range_ is not None and there is not None:
                entries += [(range_.lower, there.lower), (range_.upper, there.upper)]
        entries += [(count, self._new.counts.get(event, ZERO)) for event, count in self._old.counts.items()]
        for before, after in entries:
            symbol = before.shifted(-before.constant).symbol
            if symbol is not None and self._is_own(symbol) and symbol not in self._counters:
                self._counters[symbol] = after.shifted(-before.constant)

    def _same(self) -> Iterator[tuple[Symbol, Symbol, Symbol]]:
        """The symbols of the joined state, each with what it is in the old and in the new one, if those are symbols."""
        for symbol in {*self._old.attempts, *self._old.origins, *self._old.tickets.shown}:
            if symbol not in self._counters:
                yield symbol, symbol, symbol
        for counter, value in self._counters.items():
            base = self._bases.get(counter, counter.term)
            if base.symbol is not None and value.symbol is not None:
                yield counter, base.symbol, value.symbol

    def _in_new(self, term: Term) -> Term:
        """A term of the old state as one of the new state."""
        if not term.parts:
            return term
        if any(self._is_unknown(symbol) for symbol in term.symbols):
            return self._symbols.term(SymbolKind.VALUE, ("stale", self._old.at))
        return self._symbols.replaced(term, self._counters.get) if self._counters else term

    def _is_unknown(self, symbol: Symbol) -> bool:
        """Whether a symbol is a counter of this node of which the new state says nothing."""
        if symbol.kind is SymbolKind.APPLIED:
            return any(self._is_unknown(each) for term in symbol.of for each in term.symbols)
        return self._is_own(symbol) and symbol not in self._counters

    def _is_own(self, symbol: Symbol) -> bool:
        """Whether a symbol is a counter of this node."""
        return symbol.kind is SymbolKind.COUNTER and symbol.key[0] == self._old.at

    def _value(self, key: object, old: Term, new: Term) -> Term:
        """A term of the joined state that is *old* on one path and *new* on the other."""
        if self._in_new(old) == new:
            return old
        distance = new.minus(self._in_new(old))
        made = self._made.get(distance)
        if made is None:
            version = 0
            while True:
                symbol = self._symbols.of(SymbolKind.COUNTER, (self._old.at, key, version))
                if symbol not in self._counters and not self._is_used(symbol):
                    break
                version += 1
            self._made[distance] = (symbol, old)
            self._counters[symbol] = new
            self._bases[symbol] = old
            return symbol.term
        symbol, base = made
        return symbol.term.plus(old.minus(base))

    def _is_used(self, symbol: Symbol) -> bool:
        """Whether the old state has a counter."""
        if not self._used:
            old = self._old
            terms = [*old.cells, *(cell.value for cell in old.cells.values()), *old.held, *old.counts.values()]
            terms += [each for lock, guard in old.held_if for each in (lock, guard.condition.term)]
            terms += [guard.condition.term for _, guard in old.alive_if] + [each.term for each in old.conditions]
            for range_ in old.alive.values():
                terms += range_ or ()
            self._used = {each for term in terms for each in _all(term)} | {*old.bounds}
        return symbol in self._used

    def _alive(self) -> dict[int, Range | None]:
        old, new = self._old.alive, self._new.alive
        found: dict[int, Range | None] = {}
        for creation in dict.fromkeys([*old, *new]):
            one, other = old.get(creation, ZERO), new.get(creation, ZERO)
            if one is None or other is None:
                found[creation] = None
            elif not isinstance(other, Range):
                found[creation] = one if isinstance(one, Range) else None
            else:
                if not isinstance(one, Range):
                    # None exist, so any empty range says the same of the old state.
                    one = Range(other.lower, other.lower)
                    if other.lower.parts and any(s.kind is SymbolKind.COUNTER for s in other.lower.symbols):
                        one = Range(ZERO, ZERO)
                found[creation] = Range(
                    self._value(("lower", creation), one.lower, other.lower),
                    self._value(("upper", creation), one.upper, other.upper),
                )
        return found

    # Bounds

    def _bounds(
        self, cells: Mapping[Term, Cell], locks: Iterable[Term], alive: Mapping[int, Range | None],
        counts: Mapping[Event, Term],
    ) -> dict[Symbol, Bounds]:  # fmt: skip
        """The bounds of the symbols that are left."""
        terms = [*cells, *(cell.value for cell in cells.values()), *locks, *counts.values()]
        for range_ in alive.values():
            terms += range_ or ()
        todo = [symbol for term in terms for symbol in _all(term)]
        found: dict[Symbol, Bounds] = {}
        while todo:
            symbol = todo.pop()
            if symbol in found:
                continue
            found[symbol] = known = self._bounds_of(symbol)
            todo += [each for term in known.lower for each in _all(term)]
            todo += [each for part in known.upper for term in part for each in _all(term)]
        return {symbol: known for symbol, known in found.items() if known.lower or known.upper}

    def _bounds_of(self, symbol: Symbol) -> Bounds:
        known = self._old.bounds.get(symbol, Bounds())
        base = self._bases.get(symbol)
        if base is not None:
            known = self._guessed(symbol, base)
        value = self._in_new(symbol.term)
        if base is None and not self._new.bounds and not value.is_constant:
            return Bounds()
        lower = frozenset(each for each in known.lower if self._is_most(value, self._in_new(each)))
        upper = frozenset(
            part for part in known.upper if any(self._is_most(self._in_new(each), value) for each in part)
        )
        return Bounds(lower, upper)

    def _is_most(self, term: Term, other: Term) -> bool:
        """Whether *term* is at least *other* in the new state."""
        return term == other or is_positive(term.minus(other), self._new.bounds)

    def _guessed(self, symbol: Symbol, base: Term) -> Bounds:
        """What may bound a new counter, whose old value is *base*."""
        value = self._counters[symbol]
        lower: set[Term] = {base}
        upper: set[frozenset[Term]] = {frozenset({base})}
        own = [(s, value.without(s)) for s, c in value.parts if c == 1]
        for inner, rest in own:
            limits = self._new.bounds.get(inner, Bounds())
            lower |= {each.plus(rest) for each in limits.lower}
            upper |= {frozenset(each.plus(rest) for each in part) for part in limits.upper}
        known = self._old.bounds
        for guess in [*self._guesses()]:
            lower |= {guess, guess.shifted(1)}
            upper |= {
                frozenset({base, guess}),
                frozenset({base, guess.shifted(1)}),
                frozenset({base, guess.shifted(-1)}),
            }
        if value.is_constant and base.is_constant:
            lower.add(value)
            upper.add(frozenset({value}))
        lower = {each for each in lower if self._is_meant(each) and is_positive(base.minus(each), known)}
        upper = {
            part for part in upper
            if all(map(self._is_meant, part)) and any(is_positive(each.minus(base), known) for each in part)
        }  # fmt: skip
        return Bounds(frozenset(lower), frozenset(upper))

    def _is_meant(self, term: Term) -> bool:
        """Whether a term means the same in the old and in the new state."""
        return not any(map(self._is_own, _all(term)))


def guard_of(symbols: Symbols, operator: str, difference: Term) -> Guard:
    """A comparison of a term with 0 in its only form: ``=0`` with a positive first coefficient, or ``<0``."""
    if operator in ("=0", "!=0"):
        if difference.parts and difference.parts[0][1] < 0:
            difference = difference.times(-1)
        return Guard(symbols.applied("=0", difference).parts[0][0], operator == "=0")
    if operator == "<=0":
        return Guard(symbols.applied("<0", difference.times(-1)).parts[0][0], False)
    return Guard(symbols.applied("<0", difference).parts[0][0], True)


def normal_guard(symbols: Symbols, condition: Symbol, holds: bool) -> Guard:
    """The guard that asks of a condition, which may be any number, that it is not 0, or that it is."""
    inner: Symbol | None = condition
    while inner is not None and inner.operator in _COMPARISONS:
        guard = guard_of(symbols, inner.operator, inner.of[0])
        condition, holds = guard.condition, guard.holds is holds
        if condition.operator != "=0" or condition.of[0].is_constant:
            return Guard(condition, holds)
        inner = condition.of[0].symbol
        if inner is None or inner.operator not in _COMPARISONS:
            return Guard(condition, holds)
        holds = not holds
    return Guard(symbols.applied("=0", condition.term).parts[0][0], not holds)


def is_decided(state: State, guard: Guard) -> bool | None:
    """Whether a condition has the value of *guard* in *state*; None if that is not known."""
    term = guard.condition.of[0]
    if term.is_constant:
        return (term.constant == 0 if guard.condition.operator == "=0" else term.constant < 0) is guard.holds
    known = state.conditions.get(guard.condition)
    return None if known is None else known is guard.holds


def _is_held(state: State, lock: Term, guard: Guard) -> bool:
    """Whether a lock is held in *state*, perhaps only if a condition has the truth value of *guard*."""
    return lock in state.held or (lock, guard) in state.held_if


def _is_alive_if(state: State, creation: int, guard: Guard) -> bool:
    """Whether threads of a creation exist in *state* only if a condition has the value of *guard*."""
    return creation not in state.alive or (creation, guard) in state.alive_if or is_decided(state, guard) is True


def _all(term: Term) -> Iterable[Symbol]:
    """The symbols of a term, and those that functions in it are applied to."""
    for symbol, _ in term.parts:
        yield symbol
        for each in symbol.of:
            yield from _all(each)
