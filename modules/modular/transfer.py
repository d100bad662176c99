"""The transfer functions: what the instructions of a thread do with a state.

Values are terms. A value that is not known is a symbol of its own, named by the instruction that gets it; when that is
executed again, all that was known of the former value is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import gcd

from cseq.c.integer_operators import computed
from cseq.model.actions import ActionKind, Mode
from cseq.modules.analysis.points_to import ALLOCATES, ANYWHERE, GETS_SPECIFIC, SETS_SPECIFIC, Location, uncast
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import AccessKind, Order
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import SectionKind
from cseq.modules.ir.types import Array, Field, Int, Pointer, Record
from cseq.modules.library import lexicon
from cseq.modules.library.acts import Act
from cseq.modules.modular.accesses import Access, lie_apart, meet
from cseq.modules.modular.environment import Activation, Execution
from cseq.modules.modular.state import (
    NO_TICKETS,
    Attempt,
    Cell,
    Event,
    EventKind,
    FlagUse,
    Guard,
    Held,
    LockKind,
    MayHold,
    Origin,
    Range,
    State,
    Tickets,
    blocks_in,
    escaped,
    guard_of,
)
from cseq.modules.modular.terms import NO_BOUNDS, OBJECTS, ZERO, Bounds, Symbol, SymbolKind, Term, is_positive

_ACQUIRE = frozenset({Order.ACQUIRE, Order.ACQ_REL, Order.SEQ_CST})
_RELEASE = frozenset({Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST})
_SPECIFIC = "specific value"
"""The function that gives where the thread's own value for a key is."""
_POINTER = 8
"""Bytes."""
_MOST_BOUNDS = 6
_TICKET = 32
"""Bits: of fewer, there may be more threads than tickets."""
_MOST_CONDITIONS = 8
"""More decided conditions than are remembered."""
_MOST_CASES = 3
"""More undecided conditions than an access is noted for, with each of their values."""
_INVERSE = {"<0": ("<=0", -1), "<=0": ("<0", -1), "=0": ("!=0", 1), "!=0": ("=0", 1)}
_IDENTIFIER = "identifier of a thread"
"""The function that gives the identifier of a thread, by its creation and its number."""

_WITHOUT_EFFECT = frozenset({
    ActionKind.DESTROY, ActionKind.WAIT, ActionKind.WAKE, ActionKind.SIGNAL, ActionKind.BROADCAST, ActionKind.DETACH,
    ActionKind.LEAVE, ActionKind.CREATE_KEY, ActionKind.DELETE_KEY,
})  # fmt: skip
"""What orders nothing: a thread may wake up for any reason."""

_WAITED = frozenset({ActionKind.LOCK, ActionKind.READ_LOCK, ActionKind.TAKE, ActionKind.JOIN, ActionKind.BEGIN,
                     ActionKind.UNLOCK, ActionKind.TRY, ActionKind.READ_TRY, ActionKind.TRY_TAKE})  # fmt: skip
"""What a thread waits for by a lock, or by the end of another thread."""


class Transfer:
    """The execution of instructions at one node, beginning in a state."""

    def __init__(self, analysis: Execution, activation: Activation, state: State, collect: bool) -> None:
        self._analysis = analysis
        self._environment = analysis.environment
        self._symbols = analysis.environment.symbols
        self._points_to = analysis.environment.points_to
        self._thread = analysis.thread
        self._activation = activation
        self._node = state.at
        self._collect = collect
        self.cells = dict(state.cells)
        self.held = dict(state.held)
        self.may_hold = state.may_hold
        self.private = state.private
        self.stored_in = dict(state.stored_in)
        self.bounds = dict(state.bounds)
        self.alive = dict(state.alive)
        self.attempts = dict(state.attempts)
        self.origins = dict(state.origins)
        self.section_reads = dict(state.section_reads)
        self.sections = state.sections
        self.counts = dict(state.counts)
        self.observed = state.observed
        self.is_first = state.is_first
        self.callers = state.callers
        self.restarts = state.restarts
        self.conditions = dict(state.conditions)
        self.held_if = dict(state.held_if)
        self.alive_if = state.alive_if
        self.unfenced = state.unfenced
        self.is_released = state.is_released
        self.tickets = state.tickets
        self.is_dead = False
        self._is_once = False
        self._loads: dict[int, Term] = {}

    def state(self) -> State:
        """The state that has been reached."""
        return State(
            self._node, dict(self.cells), dict(self.held), self.may_hold, self.private, dict(self.stored_in),
            dict(self.bounds), dict(self.alive), dict(self.attempts), dict(self.origins), dict(self.section_reads),
            self.sections, dict(self.counts), self.observed, self.is_first, self.callers, self.restarts,
            dict(self.conditions), dict(self.held_if), self.alive_if, self.unfenced, self.is_released, self.tickets,
        )  # fmt: skip

    # Values

    def value(self, node: ex.Expr) -> Term:
        """The value of an expression."""
        match node:
            case ex.Const(value):
                return Term(value) if isinstance(value, int) else self._symbols.applied(f"constant {value}")
            case ex.Setting(name):
                return self._symbols.applied(f"setting {name}")
            case ex.Read(place):
                return self._read(place)
            case ex.AddressOf(place):
                return self.address(place)
            case ex.Convert(operand):
                return self._converted(self.value(operand), operand, node)
            case ex.Unary(op, operand):
                return self._unary(op, self.value(operand), node)
            case ex.Binary(op, left, right):
                return self._binary(op, self.value(left), self.value(right), node)
            case ex.Compare(op, left, right):
                return self._compared(op, self.value(left).minus(self.value(right)))
            case ex.Logical(op, left, right):
                return self._logical(op, self._truth(self.value(left)), self._truth(self.value(right)))
            case ex.PointerAdd(pointer, index, stride):
                return self.value(pointer).plus(self.value(index), stride)
            case ex.PointerDiff(left, right, stride):
                difference = self.value(left).minus(self.value(right))
                found = difference.divided(stride)
                return found if found is not None else self._symbols.applied(f"/{stride}", difference)
            case ex.Select(condition, then, other):
                chosen = self._truth(self.value(condition))
                if chosen.is_constant:
                    return self.value(then if chosen.constant else other)
                one, rival = self.value(then), self.value(other)
                return one if one == rival else self._symbols.applied("?", chosen, one, rival)
        return self._symbols.applied(f"expression {node.number}", *map(self.value, node.operands()))

    def address(self, place: ex.Place) -> Term:
        """The address of a place."""
        base = place.base
        found = self.value(base) if isinstance(base, ex.Expr) else self._analysis.object(base, self._activation)
        for part in place.path:
            if isinstance(part, ex.Index):
                found = found.plus(self.value(part.value), self._element_size(place, part))
            else:
                found = found.shifted(part.offset)
        return found

    def _element_size(self, place: ex.Place, index: ex.Index) -> int:
        around: ex.Place | None = place
        while around is not None and (not around.path or around.path[-1] is not index):
            around = around.parent
        assert around is not None
        return around.type.size

    def _read(self, place: ex.Place) -> Term:
        if place.bits is not None:
            self._reveal(place, self.address(place), place.type.size)
            return self._unknown(("bits", place.number))
        if place.type.size == 0 or isinstance(place.type, (Array, Record)):
            self._reveal(place, self.address(place), place.type.size or None)
            return self._unknown(("record", place.number))
        known = self._loads.get(place.number)
        if known is not None:
            return known
        address = self.address(place)
        thread = self._identified(place, address)
        if thread is not None:
            return thread
        cell = self.cells.get(address)
        if cell is not None and cell.size == place.type.size:
            return cell.value
        self._reveal(place, address, place.type.size)
        if place.type.size and self._is_quiet(place, address):
            value = self._unknown(("read", place.number))
            self._limit(value, place)
            self.cells[address] = Cell(value, place.type.size)
        elif self._environment.is_constant(address, place.type.size, self._where(place, address)):
            value = self._symbols.applied(f"constant of {place.type.size}", address)
            self._limit(value, place)
        else:
            value = self._unknown(("read", place.number))
            self._limit(value, place)
            origin = Origin(address, self._acquires())
            if address.is_fixed:
                self.origins[value.parts[0][0]] = origin
            if self.tickets.taken and isinstance(place.type, Int) and self._is_atomic():
                shown = {**self.tickets.shown, value.parts[0][0]: (origin, self._where(place, address))}
                self.tickets = self.tickets._replace(shown=shown)
        if place.is_visible:
            self._loads[place.number] = value
            if self.sections or self._instruction.section is not None:
                self.section_reads[address] = value
        return value

    def _reveal(self, place: ex.Place, address: Term, size: int | None) -> None:
        """Forget that blocks are private whose addresses may be read from memory without being recognised."""
        if not self.private:
            return
        holders = blocks_in(address)
        lost = {block for block, around in self.stored_in.items() if around in holders}
        for key, cell in self.cells.items():
            blocks = blocks_in(cell.value) & self.private
            if blocks - lost and self._may_touch(place, address, size, key, cell.size):
                lost |= blocks
        self.private = escaped(self.private, self.stored_in, lost)

    def _limit(self, value: Term, place: ex.Place) -> None:
        type_ = place.type
        symbol = value.symbol
        if isinstance(type_, Int) and symbol is not None and symbol.least is None:
            width = type_.width - type_.signed
            symbol.least, symbol.most = (-(1 << width) if type_.signed else 0), (1 << width) - 1

    def _unknown(self, what: object) -> Term:
        """A new value of the instruction that is executed; *what* identifies it among its values."""
        key = (self._thread.number, self._node[:-1], self._instruction.number, what)
        is_fixed = self._is_once
        symbol = self._symbols.of(SymbolKind.VALUE, key, is_fixed)
        if not is_fixed:
            self._forget(symbol)
        return symbol.term

    def _forget(self, symbol: Symbol) -> None:
        """Forget what mentions the former value of a symbol."""
        gone = frozenset({symbol})
        lost: set[Symbol] = set()
        for key, cell in list(self.cells.items()):
            if key.mentions(gone) or cell.value.mentions(gone):
                lost |= blocks_in(key, cell.value)
                del self.cells[key]
        for lock in [lock for lock in self.held if lock.mentions(gone)]:
            del self.held[lock]
        self.conditions = {c: holds for c, holds in self.conditions.items() if not c.mentions(gone)}
        self.held_if = {
            (lock, guard): how for (lock, guard), how in self.held_if.items()
            if not lock.mentions(gone) and not guard.condition.mentions(gone)
        }  # fmt: skip
        self.alive_if = frozenset(each for each in self.alive_if if not each[1].condition.mentions(gone))
        self.may_hold = frozenset(
            MayHold(None, each.places) if each.lock is not None and each.lock.mentions(gone) else each
            for each in self.may_hold
        )
        for creation, range_ in list(self.alive.items()):
            if range_ is not None and (range_.lower.mentions(gone) or range_.upper.mentions(gone)):
                self.alive[creation] = None
        self.origins = {each: at for each, at in self.origins.items() if not each.mentions(gone)}
        if self.tickets is not NO_TICKETS:
            self.tickets = self.tickets.without(gone)
        for key in [k for k, v in self.section_reads.items() if k.mentions(gone) or v.mentions(gone)]:
            del self.section_reads[key]
        for each in [s for s, a in self.attempts.items() if s.mentions(gone) or a.lock.mentions(gone)]:
            del self.attempts[each]
        for each, known in list(self.bounds.items()):
            if each.mentions(gone):
                del self.bounds[each]
            elif any(term.mentions(gone) for term in known.lower) or any(
                term.mentions(gone) for part in known.upper for term in part
            ):
                self.bounds[each] = Bounds(
                    frozenset(term for term in known.lower if not term.mentions(gone)),
                    frozenset(part for part in known.upper if not any(term.mentions(gone) for term in part)),
                )
        self.stored_in = {b: a for b, a in self.stored_in.items() if symbol not in (a, b)}
        self.private = escaped(self.private, self.stored_in, lost - gone) - gone

    def _converted(self, value: Term, operand: ex.Expr, node: ex.Convert) -> Term:
        to, source = node.type, operand.type
        if isinstance(to, Int) and to.is_bool:
            return self._truth(value)
        if isinstance(to, (Int, Pointer)) and isinstance(source, (Int, Pointer)):
            if value.is_constant:
                return Term(ex.wrapped(value.constant, to)) if isinstance(to, Int) else value
            if self._fits(value, source, to):
                return value
            return self._symbols.applied(f"to {to}", value)
        return self._symbols.applied(f"from {source} to {to}", value)

    def _fits(self, value: Term, source: object, to: object) -> bool:
        """Whether a conversion does not change a value."""
        # A pointer is a signed number, as far as it is none to an object: those are in the lower half of all addresses.
        width, signed = (source.width, source.signed) if isinstance(source, Int) else (64, True)
        to_width, to_signed = (to.width, to.signed) if isinstance(to, Int) else (64, True)
        if (signed == to_signed and width <= to_width) or (to_signed and width < to_width):
            return True
        if to_width == width == 64 and value.has_object:
            return True
        if not isinstance(to, Int):
            return is_positive(Term((1 << 63) - 1).minus(value), self.bounds)
        top = to.width - to.signed
        return is_positive(value.shifted(1 << top if to.signed else 0), self.bounds) and (
            (to.width >= width and not (to.signed and not signed))
            or is_positive(Term((1 << top) - 1).minus(value), self.bounds)
        )

    def _truth(self, value: Term) -> Term:
        """1 for what is not 0, else 0."""
        if value.is_constant:
            return Term(int(value.constant != 0))
        if _comparison(value) is not None:
            return value
        return self._compared("!=", value)

    def _unary(self, op: str, value: Term, node: ex.Unary) -> Term:
        if op == "!":
            return self._not(value)
        if op == "-" and (value.is_constant or (isinstance(node.type, Int) and node.type.signed)):
            return self._normal(value.times(-1), node.type)
        return self._symbols.applied(op, value)

    def _not(self, value: Term) -> Term:
        inner = _comparison(value)
        if inner is None:
            return self._compared("==", value)
        if inner.operator in ("&&", "||"):
            one, other = (self._not(each) for each in inner.of)
            return self._logical("||" if inner.operator == "&&" else "&&", one, other)
        operator, sign = _INVERSE[inner.operator]
        return self._symbols.applied(operator, inner.of[0].times(sign))

    def _normal(self, value: Term, type_: object) -> Term:
        """The result of arithmetic on signed numbers, which does not overflow."""
        if value.is_constant and isinstance(type_, Int):
            return Term(ex.wrapped(value.constant, type_))
        return value

    def _binary(self, op: str, left: Term, right: Term, node: ex.Binary) -> Term:
        type_ = node.type
        if isinstance(type_, Int):
            found: Term | None = None
            if op == "+":
                found = left.plus(right)
            elif op == "-":
                found = left.minus(right)
            elif op == "*" and right.is_constant:
                found = left.times(right.constant)
            elif op == "*" and left.is_constant:
                found = right.times(left.constant)
            elif op == "<<" and right.is_constant and 0 <= right.constant < type_.width - 1:
                found = left.times(1 << right.constant)
            if found is not None and (found.is_constant or type_.signed or self._is_in_range(found, op, type_)):
                return self._normal(found, type_)
            if left.is_constant and right.is_constant:
                number = computed(op, left.constant, right.constant, type_.width, type_.signed) if op not in "/%" or (
                    right.constant) else None  # fmt: skip
                if number is not None:
                    return Term(number)
        if (
            op == "%" and isinstance(type_, Int) and type_.signed and right.is_constant and right.constant > 0
            and is_positive(left, self.bounds)
        ):  # fmt: skip
            op = "mod"  # a function of its own, since its range holds wherever it is used
        made = self._symbols.applied(f"{op} {type_}", left, right)
        if isinstance(type_, Int):
            symbol = made.parts[0][0]
            if op in ("%", "mod") and right.is_constant and right.constant > 0:
                symbol.least = 0 if op == "mod" or not type_.signed else 1 - right.constant
                symbol.most = right.constant - 1
            elif op == "&" and right.is_constant and right.constant >= 0:
                symbol.least, symbol.most = 0, right.constant
            elif not type_.signed:
                symbol.least, symbol.most = 0, (1 << type_.width) - 1
        return made

    def _is_in_range(self, value: Term, op: str, type_: Int) -> bool:
        """Whether unsigned arithmetic does not wrap around."""
        if op == "-" or any(c < 0 for _, c in value.parts) or value.constant < 0:
            if not is_positive(value, self.bounds):
                return False
            if op == "-":
                return True
        return value.has_object or is_positive(Term((1 << type_.width) - 1).minus(value), self.bounds)

    def _compared(self, op: str, difference: Term) -> Term:
        if op in (">", ">="):
            op, difference = {">": "<", ">=": "<="}[op], difference.times(-1)
        zero = {"<": "<0", "<=": "<=0", "==": "=0", "!=": "!=0"}[op]
        known = self._decided(zero, difference)
        if known is not None:
            return Term(int(known))
        if zero in ("=0", "!=0") and difference.parts[0][1] < 0:
            difference = difference.times(-1)
        return self._symbols.applied(zero, difference)

    def _decided(self, operator: str, difference: Term) -> bool | None:
        if difference.is_constant:
            number = difference.constant
            return {"<0": number < 0, "<=0": number <= 0, "=0": number == 0, "!=0": number != 0}[operator]
        if operator in ("<0", "<=0"):
            strict = operator == "<0"
            if is_positive(difference.times(-1).shifted(-1 if strict else 0), self.bounds):
                return True
            if is_positive(difference.shifted(0 if strict else -1), self.bounds):
                return False
            return None
        is_apart = is_positive(difference.shifted(-1), self.bounds) or is_positive(
            difference.times(-1).shifted(-1), self.bounds
        )
        if is_apart:
            return operator == "!=0"
        if is_positive(difference, self.bounds) and is_positive(difference.times(-1), self.bounds):
            return operator == "=0"
        return None

    def _logical(self, op: str, left: Term, right: Term) -> Term:
        absorbing = int(op == "||")
        for one, other in ((left, right), (right, left)):
            if one.is_constant:
                return one if one.constant == absorbing else other
        return self._symbols.applied(op, left, right)

    # What is known after branches

    def assume(self, value: Term, holds: bool) -> None:
        """Continue only if *value* is not 0 (or if it is, unless *holds*)."""
        if value.is_constant:
            if bool(value.constant) is not holds:
                self.is_dead = True
            return
        inner = _comparison(value)
        if inner is None:
            self._assume_sign("!=0" if holds else "=0", value)
            return
        if inner.operator in ("&&", "||"):
            if holds is (inner.operator == "&&"):
                for each in inner.of:
                    self.assume(each, holds)
            return
        operator, difference = inner.operator, inner.of[0]
        if not holds:
            operator, sign = _INVERSE[operator]
            difference = difference.times(sign)
        self._assume_sign(operator, difference)

    def _assume_sign(self, operator: str, difference: Term) -> None:
        known = self._decided(operator, difference)
        if known is not None:
            self.is_dead |= not known
            return
        if operator == "!=0":
            if is_positive(difference, self.bounds):
                self._at_most(Term(1).minus(difference))
            elif is_positive(difference.times(-1), self.bounds):
                self._at_most(difference.shifted(1))
        elif operator == "=0":
            self._at_most(difference)
            self._at_most(difference.times(-1))
        else:
            self._at_most(difference.shifted(1) if operator == "<0" else difference)
        if operator in ("=0", "!=0") and len(difference.parts) == 1 and difference.constant == 0:
            self._learn(difference.parts[0][0], operator == "=0")
        self._decide(operator, difference)
        if operator == "=0" and self.tickets.taken:
            self._served(difference)
        self._observe(operator, difference)
        self._forget_ended()

    def _decide(self, operator: str, difference: Term) -> None:
        """Note that a condition holds, and what depends on it."""
        guard = guard_of(self._symbols, operator, difference)
        self.conditions.pop(guard.condition, None)
        self.conditions[guard.condition] = guard.holds
        if len(self.conditions) > _MOST_CONDITIONS:
            del self.conditions[next(iter(self.conditions))]
        for (lock, needed), how in list(self.held_if.items()):
            if needed == guard:
                self._hold(lock, how)
            elif needed.condition is guard.condition:
                self.held_if.pop((lock, needed), None)
        for creation, needed in self.alive_if:
            if needed.condition is guard.condition and needed != guard:
                self._ended(creation)
        self.alive_if = frozenset(each for each in self.alive_if if each[1].condition is not guard.condition)

    def _hold(self, lock: Term, how: Held) -> None:
        """The thread holds a lock from now on."""
        self.held[lock] = how
        self.held_if = {each: how for each, how in self.held_if.items() if each[0] != lock}

    def _ended(self, creation: int) -> None:
        """No thread of a creation exists."""
        self.alive.pop(creation, None)
        self._forget_conditions(creation)

    def _forget_conditions(self, creation: int) -> None:
        self.alive_if = frozenset(each for each in self.alive_if if each[0] != creation)

    def _observe(self, operator: str, difference: Term) -> None:
        """Note what variables were at least when they were read."""
        for symbol, _ in difference.parts:
            origin = self.origins.get(symbol)
            if origin is None:
                continue
            found = {each for each in self.bounds.get(symbol, NO_BOUNDS).lower if each.is_fixed}
            if operator == "!=0" and difference.symbol is symbol:
                found.add(Term(1))  # or less than 0
            seen = {(origin.address, each) for each in found if each.parts or each.constant > 0}
            if origin.is_acquired:
                self.observed |= seen
            else:
                self.unfenced |= seen

    def _count(self, kind: EventKind, at: Term) -> None:
        """The thread does once more what others may wait for."""
        if at.is_fixed:
            event = Event(kind, at)
            self.counts[event] = self.counts.get(event, ZERO).shifted(1)

    def _at_most(self, term: Term) -> None:
        """*term* is at most 0."""
        for symbol, coefficient in term.parts:
            rest = term.without(symbol)
            if abs(coefficient) != 1 or rest.mentions(frozenset({symbol})):
                continue
            known = self.bounds.get(symbol, NO_BOUNDS)
            if coefficient == 1 and len(known.upper) < _MOST_BOUNDS:
                self.bounds[symbol] = Bounds(known.lower, known.upper | {frozenset({rest.times(-1)})})
            elif coefficient == -1 and len(known.lower) < _MOST_BOUNDS:
                self.bounds[symbol] = Bounds(known.lower | {rest}, known.upper)

    def _learn(self, symbol: Symbol, is_zero: bool) -> None:
        """The result of an attempt to take a lock is known."""
        attempt = self.attempts.pop(symbol, None)
        if attempt is None:
            return
        gained = attempt.if_zero if is_zero else attempt.if_other
        is_done = is_zero and attempt.if_other is not None  # what is done once was done before
        if gained is not None:
            self._hold(attempt.lock, gained)
        if is_done or attempt.lock not in self.held:
            self.may_hold = frozenset(each for each in self.may_hold if each.lock != attempt.lock)

    def _forget_ended(self) -> None:
        """Forget creations none of whose threads can exist."""
        for creation, range_ in list(self.alive.items()):
            if range_ is not None and is_positive(range_.lower.minus(range_.upper), self.bounds):
                self._ended(creation)

    # Memory

    def _where(self, place: ex.Place, address: Term) -> frozenset[Location]:
        """The locations of a place, as far as they are known from its address and from the pointers to it."""
        found = self._points_to.locations(place) or frozenset({ANYWHERE})
        root = self._environment.root_of(address)
        if root is not None:
            known = frozenset(each for each in found if each.root is root)
            if known:
                return known
            return frozenset({self._points_to.location(root)})
        return found

    def _is_quiet(self, place: ex.Place, address: Term) -> bool:
        """Whether no other thread may change memory, as long as no further thread is created."""
        base = place.base
        if isinstance(base, Object) and not place.is_visible:
            return True
        if self._is_private(address):
            return True
        if self.is_first and self._thread.parent is None:
            return True
        return self._environment.is_quiet(
            self._thread, self.alive, self.bounds, address, place.type.size, self._where(place, address)
        )

    def _is_private(self, address: Term) -> bool:
        return address.is_in(self.private)

    def _write(self, place: ex.Place, address: Term, value: Term | None, size: int | None) -> None:
        """Store *value*, or something, in *size* bytes at *address*; None: it is not known how many."""
        self._overwrite(place, address, size)
        if value is None:
            return
        self._publish(address, value, place)
        if (
            size
            and place.bits is None
            and not isinstance(place.type, (Array, Record))
            and self._is_quiet(place, address)
        ):
            self.cells[address] = Cell(value, size)

    def _overwrite(self, place: ex.Place, address: Term, size: int | None) -> None:
        """Forget what memory held."""
        lost: set[Symbol] = set()
        for key, cell in list(self.cells.items()):
            if self._may_touch(place, address, size, key, cell.size):
                if key != address:
                    lost |= blocks_in(cell.value)
                del self.cells[key]
        self.private = escaped(self.private, self.stored_in, lost)

    def _may_touch(self, place: ex.Place, address: Term, size: int | None, key: Term, length: int) -> bool:
        mine, theirs = address.object, key.object
        if mine is not None and theirs is not None and mine is not theirs:
            return False
        root, rival = self._environment.root_of(address), self._environment.root_of(key)
        if root is not None and rival is not None and root is not rival:
            return False
        if (rival is None and self._is_unknown_to_pointers(root)) or (
            root is None and self._is_unknown_to_pointers(rival)
        ):
            return False
        if theirs is not None and mine is None:
            if theirs in self.private and not self.stored_in and address.parts and theirs not in blocks_in(address):
                return False
            if rival is not None and all(each.root not in (None, rival) for each in self._where(place, address)):
                return False
        if size is None:
            return True
        difference = key.minus(address)
        if difference.is_constant:
            return -length < difference.constant < size
        if is_positive(difference.shifted(-size), self.bounds) or is_positive(
            difference.times(-1).shifted(-length), self.bounds
        ):
            return False
        if mine is theirs and mine is not None:
            return not lie_apart(difference.constant, gcd(*(c for _, c in difference.parts)), length, size)
        return True

    def _is_unknown_to_pointers(self, root: object) -> bool:
        """Whether no pointer leads to an object."""
        return isinstance(root, Object) and root not in self._points_to.exposed

    def _publish(self, address: Term, value: Term, place: ex.Place) -> None:
        """Others may learn the blocks whose addresses are in *value*, which is stored at *address*."""
        blocks = blocks_in(value) & self.private
        if not blocks:
            return
        base = place.base
        if isinstance(base, Object) and not place.is_visible:
            return
        if self._collect and (not isinstance(place.type, Pointer) or not self._releases()):
            self._environment.publish(blocks, isinstance(place.type, Pointer))
        holder = next((s for s, c in address.parts if c == 1 and s in self.private), None)
        if holder is None:
            self.private = escaped(self.private, self.stored_in, blocks)
            return
        for block in blocks:
            if block is holder:
                continue
            if self.stored_in.get(block, holder) is not holder:
                self.private = escaped(self.private, self.stored_in, {block})
            self.stored_in[block] = holder

    # Accesses

    def _note(
        self, place: ex.Place | None, address: Term | None, size: int | None, writes: bool,
        where: frozenset[Location] | None = None, is_free: bool = False, is_atomic: bool | None = None,
    ) -> None:  # fmt: skip
        """Note an access, if that is what the transfer is for."""
        if is_atomic is None:
            is_atomic = self._is_atomic()
        self.is_released &= is_atomic
        if not self._collect:
            return
        if where is None:
            assert place is not None and address is not None
            where = self._where(place, address)
        if where and all(isinstance(each.root, Object) and _is_unshared(each.root) for each in where):
            return
        if place is not None and place.bits is not None and address is not None:
            address, size = self._memory_location(place, address)
        for held, alive in self._cases():
            self._analysis.accesses.append(
                Access(
                    self._thread, self._instruction, address, size, where, writes, is_atomic,
                    held, alive, dict(self.bounds), self._records(place), {},
                    address is not None and self._is_private(address),
                    self.is_first, is_free, self.sections > 0, dict(self.counts), self.observed,
                )
            )  # fmt: skip

    def _cases(self) -> Iterator[tuple[dict[Term, Held], dict[int, Range | None]]]:
        """The locks that are held, and the threads that may exist, by the values of what they depend on."""
        guards = [*(guard for _, guard in self.held_if), *(guard for _, guard in sorted(self.alive_if, key=_by_number))]
        conditions = [*dict.fromkeys(guard.condition for guard in guards)][:_MOST_CASES]
        for values in product((True, False), repeat=len(conditions)):
            case = {Guard(condition, value) for condition, value in zip(conditions, values, strict=True)}
            held, alive = dict(self.held), dict(self.alive)
            held |= {lock: how for (lock, guard), how in self.held_if.items() if guard in case}
            for creation, guard in self.alive_if:
                if Guard(guard.condition, not guard.holds) in case:
                    alive.pop(creation, None)
            yield held, alive

    def _memory_location(self, place: ex.Place, address: Term) -> tuple[Term, int]:
        """Where the memory location of a bit-field begins, and its size: its neighbours are part of it (C11 3.14)."""
        field = place.path[-1]
        assert isinstance(field, Field)
        run: list[Field] = []
        for each in [*field.record.fields.values()]:
            if each.bits is not None:
                run.append(each)
            elif field in run:
                break
            else:
                run = []
        first = min(each.offset for each in run)
        last = max(each.offset + -(-sum(each.bits or (0, 0)) // 8) for each in run)
        return address.shifted(first - field.offset), last - first

    def _is_atomic(self) -> bool:
        instruction = self._instruction
        if instruction.access is not None and instruction.access.is_atomic:
            return True
        section = instruction.section
        if section is None:
            return False
        found = self._environment.program.sections[section]
        return found.kind is SectionKind.RMW and found.access is not None and found.access.is_atomic

    def _records(self, place: ex.Place | None) -> tuple[tuple[Record, Term], ...]:
        """The records that a place is in, and where they are."""
        found: list[tuple[Record, Term]] = []
        while place is not None and (self.held or self.held_if):
            if isinstance(place.type, Record):
                found.append((place.type, self.address(place)))
            place = place.parent
        return tuple(found)

    # Instructions

    def execute(self, instruction: ir.Instruction, is_once: bool) -> None:
        """Execute one instruction that is neither a call of the user's function nor a terminator."""
        self._start(instruction, is_once)
        match instruction:
            case ir.Assign(place, value):
                self._assign(place, value)
            case ir.Input(place, _, size) | ir.Undefine(place, _, size):
                self._havoc(instruction, place, size)
            case ir.Zero(place, size):
                self._whole(place, size)
            case ir.Choose(place, bound):
                chosen = self._unknown("choice")
                self._at_most(chosen.minus(self.value(bound)).shifted(1))
                self._at_most(chosen.times(-1))
                self._write(place, self.address(place), chosen, place.type.size)
            case ir.Create():
                self._create(instruction)
            case ir.Call():
                self._operation(instruction)
            case ir.Check(condition) | ir.Assume(condition):
                self.assume(self._truth(self.value(condition)), True)
            case ir.CutUnless(condition):
                holds = self._truth(self.value(condition))
                if self._collect and not (holds.is_constant and holds.constant):
                    self._environment.cut(instruction)
                self.assume(holds, True)
            case ir.Begin(opens):
                self._begin(opens)
            case ir.End():
                self._finish(instruction)
            case ir.Lifetime() | ir.Skip():
                pass
            case _:
                self._refuse(instruction)

    def _refuse(self, instruction: ir.Instruction) -> None:
        if self._collect:
            self._environment.refuse(instruction)

    def condition(self, instruction: ir.Branch, is_once: bool) -> Term:
        """The condition of a branch, whose loads are noted."""
        self._start(instruction, is_once)
        return self._truth(self.value(instruction.condition))

    def _start(self, instruction: ir.Instruction, is_once: bool) -> None:
        self._instruction = instruction
        self._is_once = is_once
        self._loads = {}
        for place in instruction.loads:
            if place.is_visible and not isinstance(place.type, Array):
                self._note(place, self.address(place), place.type.size, False)

    def values(self, instruction: ir.Instruction, nodes: Iterable[ex.Expr], is_once: bool) -> list[Term]:
        """The values of *nodes* in an instruction, whose loads are noted."""
        self._start(instruction, is_once)
        return [self.value(each) for each in nodes]

    def bind(self, place: ex.Place, value: Term) -> None:
        """Store the value of a call."""
        address = self.address(place)
        if place.is_visible:
            self._note(place, address, place.type.size, True)
        self._write(place, address, value, place.type.size)

    def store(self, place: ex.Place, address: Term, value: Term) -> None:
        """Give a parameter a value."""
        self._write(place, address, value, place.type.size)

    def returned(self, call: ir.Call, value: Term | None, is_once: bool) -> None:
        """A call of the user's function has returned *value*; None: something."""
        self._start(call, is_once)
        if call.result is None:
            return
        if value is None:
            value = self._unknown("result")
            self._limit(value, call.result)
        self.bind(call.result, self._normal(value, call.result.type))

    def forget_locals(self) -> None:
        """Forget all but what is fixed, since several activations share what comes next."""
        self.cells = {k: c for k, c in self.cells.items() if k.is_fixed and c.value.is_fixed}
        self.held = {lock: how for lock, how in self.held.items() if lock.is_fixed}
        self.may_hold = frozenset(
            each if each.lock is None or each.lock.is_fixed else MayHold(None, each.places) for each in self.may_hold
        )
        self.private, self.stored_in = frozenset(), {}
        self.attempts, self.origins, self.section_reads = {}, {}, {}
        self.tickets = Tickets(out=self.tickets.out)
        self.conditions, self.held_if, self.alive_if = {}, {}, frozenset()
        self.bounds = {
            s: Bounds(frozenset(t for t in b.lower if t.is_fixed),
                      frozenset(p for p in b.upper if all(t.is_fixed for t in p)))
            for s, b in self.bounds.items() if s.is_fixed
        }  # fmt: skip
        self.alive = {
            c: r if r is not None and r.lower.is_fixed and r.upper.is_fixed else None for c, r in self.alive.items()
        }

    def _assign(self, place: ex.Place, value: ex.Expr) -> None:
        address = self.address(place)
        if isinstance(place.type, Record):
            self._copy_record(place, address, value)
            return
        result = self.value(value)
        if place.is_visible:
            self._note(place, address, place.type.size, True)
            self._flag(place, address, result)
            self._store(place, address, result)
        self._write(place, address, result, place.type.size)

    def _copy_record(self, place: ex.Place, address: Term, value: ex.Expr) -> None:
        if place.is_visible:
            self._note(place, address, place.type.size, True)
        copies: list[tuple[int, Cell]] = []
        self.value(value)
        if isinstance(value, ex.Read):
            source = self.address(value.place)
            for key, cell in self.cells.items():
                distance = key.minus(source)
                if distance.is_constant and 0 <= distance.constant <= place.type.size - cell.size:
                    copies.append((distance.constant, cell))
        self._overwrite(place, address, place.type.size)
        for offset, cell in copies:
            if self._is_quiet(place, address):
                self.cells[address.shifted(offset)] = cell

    def _havoc(self, instruction: ir.Input | ir.Undefine, place: ex.Place, size: ex.Expr | None) -> None:
        address = self.address(place)
        if size is not None:
            is_new = isinstance(instruction, ir.Undefine) and instruction.how == lexicon.FRESH
            length = self.value(size)
            if not is_new:
                self._note(place, address, length.constant if length.is_constant else None, True)
            self._overwrite(place, address, length.constant if length.is_constant else None)
            return
        if place.is_visible and isinstance(instruction, ir.Input):
            self._note(place, address, place.type.size, True)
        value = self._unknown("input")
        self._limit(value, place)
        self._write(place, address, value, place.type.size)

    def _whole(self, place: ex.Place, size: ex.Expr) -> None:
        address, length = self.address(place), self.value(size)
        is_known = length.is_constant
        where = None if is_known else self._everything(self._where(place, address))
        self._note(place, address, length.constant if is_known else None, True, where)
        self._overwrite(place, address, length.constant if is_known else None)

    def _everything(self, where: Iterable[Location]) -> frozenset[Location]:
        return frozenset(map(self._points_to.whole, where))

    # Atomic sections, and flags that are used as locks

    def _begin(self, opens: int) -> None:
        kind = self._environment.program.sections[opens].kind
        if kind is SectionKind.USER:
            self.sections += 1
        access = self._environment.program.sections[opens].access
        if access is not None and access.kind is AccessKind.FENCE:
            self._fence(access.order)
        self.section_reads = {}

    def _finish(self, instruction: ir.End) -> None:
        section = instruction.section
        kind = SectionKind.USER if section is None else self._environment.program.sections[section].kind
        if kind is SectionKind.USER:
            self.sections = max(0, self.sections - 1)
        self.section_reads = {}

    def _fence(self, order: Order) -> None:
        """A fence: what was read before has happened before what follows, or what was done before what is stored."""
        if order in _ACQUIRE:
            self.observed |= self.unfenced
            self.unfenced = frozenset()
            self.held = {lock: how._replace(is_acquired=True) for lock, how in self.held.items()}
            self.held_if = {each: how._replace(is_acquired=True) for each, how in self.held_if.items()}
            self.attempts = {
                symbol: Attempt(each.lock, _acquired(each.if_zero), _acquired(each.if_other))
                for symbol, each in self.attempts.items()
            }
            self.origins = {symbol: each._replace(is_acquired=True) for symbol, each in self.origins.items()}
            shown = {s: (each._replace(is_acquired=True), where) for s, (each, where) in self.tickets.shown.items()}
            self.tickets = self.tickets._replace(shown=shown) if shown else self.tickets
        self.is_released |= order in _RELEASE

    def _acquires(self) -> bool:
        """Whether what the instruction reads from, and is no race, happens before what follows."""
        return bool(self.sections) or self._order() in _ACQUIRE or not self._is_atomic()

    def _releases(self) -> bool:
        """Whether what was done before happens before what reads from the store, if that acquires."""
        return bool(self.sections) or self._order() in _RELEASE or self.is_released or not self._is_atomic()

    def _flag(self, place: ex.Place, address: Term, value: Term) -> None:
        """Take or release a flag that is a lock: it is set if it was clear, and cleared by the thread that set it."""
        if isinstance(place.type, Record):
            return
        is_atomic = bool(self.sections) or self._is_atomic()
        where = self._where(place, address)
        taken = Held(True, LockKind.FLAG, where, self._acquires())
        use = FlagUse.NONE
        if value == ZERO and self.is_first and not meet(where, self.tickets.out):
            use = FlagUse.CLEARED
            self.held.pop(address, None)
        if value == ZERO and is_atomic and self._releases():
            if self._is_held(address, LockKind.FLAG):
                use = FlagUse.FLAG
                del self.held[address]
        elif value.is_constant and value.constant and is_atomic and address in self.section_reads:
            before = self.section_reads[address]
            if before.is_constant or (is_positive(before, self.bounds) and is_positive(before.times(-1), self.bounds)):
                if not before.is_constant or before.constant == 0:
                    self._hold(address, taken)
                use = FlagUse.FLAG
            elif before.symbol is not None:
                self.attempts[before.symbol] = Attempt(address, taken, None)
                use = FlagUse.FLAG
        elif is_atomic and isinstance(place.type, Int) and place.type.width >= _TICKET:
            use = self._count_ticket(address, value, where)
        if self._collect:
            self._environment.flag(self._instruction, where, use)

    def _is_held(self, address: Term, kind: LockKind) -> bool:
        held = self.held.get(address)
        return held is not None and held.kind is kind

    # Ticket locks (Reed, Kanodia, CACM 1979; Mellor-Crummey, Scott, TOCS 1991): a thread takes a number, and holds the
    # lock while that is shown. Only the holder changes what is shown, by one. Each thread has one number at most, so
    # there are fewer than can be distinguished.

    def _count_ticket(self, address: Term, value: Term, where: frozenset[Location]) -> FlagUse:
        """Take a ticket, or show the next one: one is added to a variable."""
        before = _one_less(value)
        if self._is_held(address, LockKind.TICKET):
            shown = None if before is None else self.tickets.shown.get(before)
            is_next = shown is not None and shown[0].address == address
            if not is_next or not self._releases():
                return FlagUse.NONE
            held = self.held.pop(address)
            self.tickets = Tickets(
                {s: known for s, known in self.tickets.taken.items() if not meet(known[1], held.tickets)},
                self.tickets.shown, self.tickets.out - held.tickets,
            )  # fmt: skip
            return FlagUse.SHOWN
        if before is None or self.section_reads.get(address) != before.term:
            return FlagUse.NONE
        has_one = meet(where, self.tickets.out)
        self.tickets = Tickets({**self.tickets.taken, before: (address, where)}, self.tickets.shown,
                               self.tickets.out | where)  # fmt: skip
        return FlagUse.NONE if has_one else FlagUse.TAKEN

    def _served(self, difference: Term) -> None:
        """The number of a ticket is shown."""
        if difference.constant or sorted(c for _, c in difference.parts) != [-1, 1]:
            return
        for ticket, shown in (difference.symbols, difference.symbols[::-1]):
            taken, known = self.tickets.taken.get(ticket), self.tickets.shown.get(shown)
            if taken is None or known is None:
                continue
            origin, where = known
            self._hold(origin.address, Held(True, LockKind.TICKET, where, origin.is_acquired, taken[1]))
            self._environment.ticket(where, origin.address.minus(taken[0]))
            # What was read before it was held is of no use any more.
            still = {s: each for s, each in self.tickets.shown.items() if not meet(each[1], where)}
            own = Origin(origin.address, True), where
            self.tickets = self.tickets._replace(shown={**still, ticket: own, shown: own})
            return

    def _store(self, place: ex.Place, address: Term, value: Term) -> None:
        """Count a store to a variable on which others may wait."""
        if not isinstance(place.type, Int) or not isinstance(place.base, Object) or place.path:
            return
        self._count(EventKind.STORE, address)
        if self._collect:
            before = _one_less(value)
            origin = None if before is None else self.origins.get(before)
            is_increment = (
                before is not None and origin is not None and origin.address == address
                and (origin.is_acquired or self.section_reads.get(address) == before.term)
            )  # fmt: skip
            self._environment.signals.store(
                self._thread, address, is_increment, value, self.is_first, self._releases(), self.counts, self.bounds
            )

    def _order(self) -> Order:
        instruction = self._instruction
        section = instruction.section
        if section is not None and self._environment.program.sections[section].access is not None:
            access = self._environment.program.sections[section].access
            return access.order if access is not None else Order.PLAIN
        return instruction.access.order if instruction.access is not None else Order.PLAIN

    # Calls of the library

    def _operation(self, call: ir.Call) -> None:
        name = call.function
        arguments = [self.value(each) for each in call.arguments]
        result: Term | None = None
        if name in ALLOCATES:
            result = self._allocated(call)
        elif isinstance(call, ir.Operation) and call.acts:
            result = self._act(call, arguments)
        elif name == "free":
            self._free(call, arguments[0])
        elif name in GETS_SPECIFIC:
            known = self.cells.get(self._specific(arguments[0]))
            result = None if known is None else known.value
        elif name in SETS_SPECIFIC:
            for at in [each for each in self.cells if (s := each.symbol) is not None and s.operator == _SPECIFIC]:
                del self.cells[at]  # another key may be the same
            self.cells[self._specific(arguments[0])] = Cell(arguments[1], _POINTER)
        else:
            self._library(call, arguments)
        if call.result is not None:
            if result is None:
                result = self._unknown("result")
                self._limit(result, call.result)
            self.bind(call.result, result)

    def _specific(self, key: Term) -> Term:
        """Where the thread's own value for a key is: it is no memory, so it is the address of no object."""
        return self._symbols.applied(_SPECIFIC, key, Term(self._thread.number))

    def _allocated(self, call: ir.Call) -> Term:
        key = (self._thread.number, call, self._node[:-1])
        symbol = self._symbols.of(SymbolKind.BLOCK, key, self._is_once)
        if not self._is_once:
            self._forget(symbol)
        self.private |= {symbol}
        return symbol.term

    def _free(self, call: ir.Call, pointer: Term) -> None:
        self._note(None, pointer, None, True, self._objects(call.arguments[0], pointer), is_free=True)

    def _objects(self, argument: ex.Expr, value: Term) -> frozenset[Location]:
        """The objects that an argument may point to, from their beginnings to their ends."""
        root = self._environment.root_of(value)
        if root is not None:
            return frozenset({self._points_to.location(root)})
        return self._everything(self._points_to.targets(uncast(argument))) or frozenset({ANYWHERE})

    def _act(self, call: ir.Operation, arguments: list[Term]) -> Term | None:
        """What a call of the thread library does."""
        for act in call.acts:
            if act.argument is None or act.argument >= len(arguments):
                self._refuse(call)
                continue
            target = arguments[act.argument]
            where = self._targets(call, act.argument)
            writing, reading = Held(True, LockKind.LOCK, where), Held(False, LockKind.LOCK, where)
            how = reading if act.mode is Mode.READING else writing
            if act.kind in (ActionKind.TAKE, ActionKind.TRY_TAKE):
                how = how._replace(kind=LockKind.SEMAPHORE)
            match act.kind:
                case ActionKind.LOCK | ActionKind.TAKE | ActionKind.READ_LOCK:
                    if act.kind is ActionKind.TAKE:
                        self._count(EventKind.WAIT, target)
                        self._refuse_wait(call)
                    self._wait(call, self._take(call, act, target))
                    self._hold(target, reading if act.kind is ActionKind.READ_LOCK else how)
                case ActionKind.TRY | ActionKind.READ_TRY | ActionKind.TRY_TAKE:
                    how = reading if act.kind is ActionKind.READ_TRY else how
                    taken = self._take(call, act, target)
                    result = self._unknown("result")
                    self.may_hold |= {taken}
                    self.attempts[result.parts[0][0]] = Attempt(target, how, None)
                    return result
                case ActionKind.UNLOCK | ActionKind.GIVE:
                    self._release(call, act.kind, target, act.argument)
                case ActionKind.BEGIN:
                    self._wait(call, self._take(call, act, target))
                    result = self._unknown("result")
                    self.attempts[result.parts[0][0]] = Attempt(target, reading, writing)
                    return result
                case ActionKind.FINISH:
                    self._leave(call, act.argument, target)
                    self._hold(target, reading)
                case ActionKind.JOIN:
                    known = self._thread_of(target)
                    self._wait(call, None if known is None else known[0])
                    self._join(target)
                    self._stored(call, 1)
                case ActionKind.INIT:
                    self._initialise(call, arguments)
                case ActionKind.ARRIVE:
                    self._count(EventKind.ARRIVE, target)
                    if self._collect:
                        self._environment.signals.arrive(self._thread, target, self._targets(call, act.argument))
                case ActionKind.CREATE_KEY if not _is_null(call.arguments[1]):
                    self._refuse(call)  # the destructor is called at the end of each thread
                case kind if kind not in _WITHOUT_EFFECT:
                    self._refuse(call)
            if act.kind not in _WAITED and self._environment.effects.blocks(call.function):
                self._refuse_wait(call)
        return None

    def _initialise(self, call: ir.Operation, arguments: list[Term]) -> None:
        """An object of the thread library begins."""
        self._drop(arguments[0])
        if not self._collect or call.function not in ("sem_init", "pthread_barrier_init"):
            return
        value = arguments[2].constant if arguments[2].is_constant and self.is_first else None
        where = self._targets(call, 0)
        if call.function == "sem_init":
            self._environment.semaphore(where, value is not None and value <= 1)
        self._environment.signals.initialise(arguments[0], where, value)

    def _take(self, call: ir.Operation, act: Act, lock: Term) -> MayHold:
        """Note a lock that the thread may hold from now on."""
        assert act.argument is not None
        return MayHold(lock, self._targets(call, act.argument))

    def _wait(self, call: ir.Operation, what: MayHold | int | None) -> None:
        """Note that the thread may wait for a lock, which it has then, or for a thread to end, perhaps for any."""
        if self.sections:
            self._refuse_wait(call)
        if self._collect:
            self._environment.waits.note(
                self._thread, call, self.may_hold, dict(self.held), what, dict(self.alive), dict(self.bounds)
            )
        if isinstance(what, MayHold):
            self.may_hold |= {what}

    def _refuse_wait(self, call: ir.Call) -> None:
        """Note a wait that the order of locks says nothing about."""
        if self._collect:
            self._environment.waits.refuse(call)

    def _thread_of(self, target: Term) -> tuple[int, Term] | None:
        """The creation, and the number, of the thread with this identifier; None if they are not known."""
        symbol = target.symbol
        if symbol is None or symbol.operator != _IDENTIFIER:
            return None
        creation, number = symbol.of
        return creation.constant, number

    def _leave(self, call: ir.Operation, position: int, target: Term) -> None:
        """The thread does not hold a lock any more: the one at *target*, or the only one that it may be."""
        known = {each for each in self.may_hold if each.lock == target}
        if not known:
            where = self._targets(call, position)
            known = {
                each for each in self.may_hold
                if (each.lock is None or not self._differ(each.lock, target)) and meet(each.places, where)
            }  # fmt: skip
        if len(known) == 1:
            self.may_hold -= known

    def _targets(self, call: ir.Call, position: int) -> frozenset[Location]:
        return self._points_to.targets(uncast(call.arguments[position])) or frozenset({ANYWHERE})

    def _release(self, call: ir.Operation, kind: ActionKind, target: Term, position: int) -> None:
        """Release what may be *target*."""
        is_held = target in self.held
        if kind is ActionKind.GIVE:
            self._count(EventKind.POST, target)
            if self._collect:
                where = self._targets(call, position)
                self._environment.semaphore(where, is_held)
                self._environment.signals.post(self._thread, target, where, self.counts, self.bounds)
        self._leave(call, position, target)
        self.attempts = {each: a for each, a in self.attempts.items() if self._differ(a.lock, target)}
        if is_held:
            del self.held[target]  # no other lock that is held can be the same
            return
        self._drop(target)

    def _drop(self, target: Term) -> None:
        """Forget that what may be *target* is held."""
        for lock in [lock for lock in self.held if not self._differ(lock, target)]:
            del self.held[lock]
        self.held_if = {each: how for each, how in self.held_if.items() if self._differ(each[0], target)}

    def _differ(self, one: Term, other: Term) -> bool:
        """Whether two locks are certain to be different ones."""
        difference = one.minus(other)
        if difference.is_constant:
            return difference.constant != 0
        mine, theirs = one.object, other.object
        if mine is not None and theirs is not None and mine is not theirs:
            return True
        return is_positive(difference.shifted(-1), self.bounds) or is_positive(
            difference.times(-1).shifted(-1), self.bounds
        )

    def _library(self, call: ir.Call, arguments: list[Term]) -> None:
        """A call of another function: it reads and writes what its text says, through its arguments."""
        if not self._environment.effects.is_known(call.function):
            self._refuse(call)
        if self._environment.effects.blocks(call.function):
            self._refuse_wait(call)
        effects = self._environment.effects.of(call.function)
        for writes, is_done in enumerate(self._environment.effects.elsewhere(call.function)):
            if is_done:
                self._note(None, None, None, bool(writes), frozenset({ANYWHERE}))
                if writes:
                    self.lose(self._unknown("elsewhere"))
        for position, (argument, value) in enumerate(zip(call.arguments, arguments, strict=True)):
            pointer = uncast(argument)
            if not isinstance(pointer.type, Pointer):
                continue
            reads, writes = effects(position)
            if reads:
                self._reveal(self._environment.program.expressions.deref(pointer), value, None)
            if not reads and not writes:
                self._keep(call, value)
                continue
            if value.is_constant:
                continue
            if (
                isinstance(pointer, ex.AddressOf)
                and not pointer.place.is_visible
                and isinstance(pointer.place.base, Object)
            ):
                if writes:
                    self.lose(value)
                continue
            where = self._objects(pointer, value)
            for kind in [False] * reads + [True] * writes:
                self._note(None, value, None, kind, where)
            if writes:
                self.lose(value)
            self._keep(call, value)

    def _keep(self, call: ir.Call, value: Term) -> None:
        """The library may keep an address, or copy what is in a block."""
        if call.function in ("memset",):
            return
        blocks = blocks_in(value) & self.private
        if call.function in ("memcpy", "memmove"):
            self.private = escaped(self.private, self.stored_in, [b for b, a in self.stored_in.items() if a in blocks])
        elif not self._environment.effects.keeps_nothing(call.function):
            self.private = escaped(self.private, self.stored_in, blocks)

    def lose(self, address: Term) -> None:
        """Forget what the object at *address* holds."""
        mine = address.object
        lost: set[Symbol] = set()
        for key, cell in list(self.cells.items()):
            theirs = key.object
            if mine is None or theirs is None or mine is theirs:
                if mine is None and theirs is not None and theirs.kind is SymbolKind.ADDRESS:
                    root = theirs.key[1]
                    if isinstance(root, Object) and root not in self._points_to.exposed:
                        continue
                lost |= blocks_in(cell.value)
                del self.cells[key]
        self.private = escaped(self.private, self.stored_in, lost)

    def _stored(self, call: ir.Call, position: int) -> None:
        """The library stores something where an argument points to."""
        if position >= len(call.arguments):
            return
        pointer = uncast(call.arguments[position])
        value = self.value(pointer)
        if value.is_constant or not isinstance(pointer.type, Pointer):
            return
        place = self._environment.program.expressions.deref(pointer)
        if place.is_visible:
            self._note(place, value, place.type.size, True)
        self._overwrite(place, value, place.type.size)

    # Threads

    def _create(self, create: ir.Create) -> None:
        creation = self._environment.creation(self._thread, self._node, create)
        handle, argument = self.value(create.handle), self.value(create.argument)
        pointer = uncast(create.handle)
        number = self._number(handle, argument)
        known = self.alive.get(creation, ZERO)
        if known is None:
            after: Range | None = None
        elif not isinstance(known, Range):
            after = Range(number, number.shifted(1))
        elif is_positive(number.minus(known.upper), self.bounds):
            after = Range(known.lower, number.shifted(1))
        else:
            after = None
        others = dict(self.alive)
        self._count(EventKind.CREATE, Term(creation))
        self._analysis.forms[creation] = self._form(creation, handle, number)
        place = self._environment.program.expressions.deref(pointer) if isinstance(pointer.type, Pointer) else None
        is_private_handle = self._is_private(handle)
        self.alive[creation] = after
        self._forget_conditions(creation)
        if self._collect:
            self._environment.created(self._thread, creation, create, argument, number, self.state(), others, after)
        if place is not None and not handle.is_constant:
            if place.is_visible:
                self._note(place, handle, place.type.size, True, is_atomic=False if not is_private_handle else None)
                self._environment.note_handle(creation, self._where(place, handle))
            self._overwrite(place, handle, place.type.size)
        self.private = escaped(self.private, self.stored_in, blocks_in(argument))
        self.is_first = False
        self._forget_shared()
        if create.result is not None:
            result = self._unknown("result")
            self.bind(create.result, result)

    def _forget_shared(self) -> None:
        """Forget what threads that exist now may change."""
        lost: set[Symbol] = set()
        for key, cell in list(self.cells.items()):
            if not self._environment.stays(self._thread, self.alive, self.bounds, key, cell.size, self.private):
                lost |= blocks_in(cell.value)
                del self.cells[key]
        self.private = escaped(self.private, self.stored_in, lost)

    def _number(self, handle: Term, argument: Term) -> Term:
        """The number of the thread that is created, among the threads of the same creation: a counter, or 0."""
        for term in (handle, argument):
            open_ = [s for s, _ in term.parts if s.kind is SymbolKind.COUNTER]
            if len(open_) == 1:
                return open_[0].term
        head = self._activation.head(self._node)
        for cell in self.cells.values():
            symbol = cell.value.shifted(-cell.value.constant).symbol
            if symbol is not None and symbol.kind is SymbolKind.COUNTER and symbol.key[0] == head:
                return symbol.term
        return ZERO

    def _form(self, creation: int, handle: Term, number: Term) -> Term | None:
        """Where the identifier of a thread is, by its number; None if that is not known."""
        own = self._environment.own(creation)
        found = self._symbols.replaced(handle, lambda each: own.term if each is number.symbol else None)
        bases = OBJECTS | {SymbolKind.GIVEN}
        rest = found.without(own)
        return found if all(each.is_fixed or each.kind in bases for each in rest.symbols) else None

    def _identified(self, place: ex.Place, address: Term) -> Term | None:
        """The identifier of a thread, if *address* is where one is; None if that is not certain."""
        if not self.alive or not isinstance(place.type, Int):
            return None
        found: list[tuple[int, Term]] = []
        for creation, form in self._analysis.handles.items():
            if creation not in self.alive:
                continue
            matched = True if form is None else self._matched(creation, form, address)
            if matched is True:
                return None
            if isinstance(matched, Term):
                found.append((creation, matched))
        if len(found) != 1 or not self._environment.is_safe_handle(
            self._thread, found[0][0], self._analysis.handles[found[0][0]] or ZERO
        ):
            return None
        creation, number = found[0]
        return self._symbols.applied(_IDENTIFIER, Term(creation), number)

    def _join(self, target: Term) -> None:
        """A thread has ended: the one with this identifier."""
        known = self._thread_of(target)
        if known is None:
            return
        creation, number = known
        range_ = self.alive.get(creation)
        if range_ is None or self._environment.leaves(creation):
            return
        if is_positive(range_.lower.minus(number), self.bounds) and is_positive(
            number.minus(range_.lower), self.bounds
        ):
            self.alive[creation] = Range(range_.lower.shifted(1), range_.upper)
        elif number == range_.upper.shifted(-1):
            self.alive[creation] = Range(range_.lower, number)
        self._forget_ended()

    def _matched(self, creation: int, form: Term, address: Term) -> Term | bool:
        """The number of the thread whose identifier is at *address*; True: one of them; False: of none of these."""
        own = self._environment.own(creation)
        mine, theirs = form.object, address.object
        if mine is not None and theirs is not None and mine is not theirs:
            return False
        step = form.coefficient(own)
        difference = address.minus(form.without(own))
        if not step:
            if difference == ZERO:
                range_ = self.alive[creation]
                return True if range_ is None else range_.upper.shifted(-1)  # it was stored last
            return not difference.is_constant
        found = difference.divided(step)
        if found is None:
            return True
        range_ = self.alive[creation]
        if range_ is not None and (
            is_positive(range_.lower.minus(found).shifted(-1), self.bounds)
            or is_positive(found.minus(range_.upper), self.bounds)
        ):
            return False
        return found


def _comparison(value: Term) -> Symbol | None:
    """The comparison that *value* is the result of."""
    symbol = value.symbol
    return symbol if symbol is not None and symbol.operator in ("<0", "<=0", "=0", "!=0", "&&", "||") else None


def _by_number(guarded: tuple[int, Guard]) -> tuple[int, int]:
    return guarded[0], guarded[1].condition.number


def _acquired(held: Held | None) -> Held | None:
    return None if held is None else held._replace(is_acquired=True)


def _one_less(value: Term) -> Symbol | None:
    """The symbol to which one was added; unsigned numbers may wrap around."""
    made = value.symbol
    if made is not None and made.operator.startswith("+ ") and made.of[1] == Term(1):
        return made.of[0].symbol
    return value.shifted(-1).symbol


def _is_null(pointer: ex.Expr) -> bool:
    return isinstance(uncast(pointer), ex.Const)


def _is_unshared(object_: Object) -> bool:
    """Whether an object belongs to the library, or never changes."""
    return object_.storage in (Storage.LIBRARY, Storage.STRING, Storage.CODE)
