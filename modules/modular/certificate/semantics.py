"""The transfer functions of the checker: what instructions do with a state.

A value that is not known is an atom, named by the instruction that gets it; when that is executed again, all that was
known of the former value is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import NamedTuple, Protocol

from cseq.c.integer_operators import computed
from cseq.model.actions import ActionKind, Mode
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import Order
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program, SectionKind
from cseq.modules.ir.types import Array, Field, Int, Pointer, Record
from cseq.modules.modular.certificate.failure import UncoveredError
from cseq.modules.modular.certificate.form import (
    ANY,
    NOTHING,
    Atom,
    AtomKind,
    Attempt,
    Cell,
    Event,
    EventKind,
    Held,
    Limits,
    Location,
    Lock,
    LockKind,
    Names,
    Node,
    Numbers,
    State,
    Sum,
    ThreadClaim,
)
from cseq.modules.modular.certificate.library import Effects
from cseq.modules.modular.certificate.logic import Logic
from cseq.modules.modular.certificate.pointers import ALLOCATIONS, PointerCheck, meet, plain

_ACQUIRES = frozenset({Order.ACQUIRE, Order.ACQ_REL, Order.SEQ_CST})
_RELEASES = frozenset({Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST})
_OPPOSITE = {"<0": ("<=0", -1), "<=0": ("<0", -1), "=0": ("!=0", 1), "!=0": ("=0", 1)}
_COMPARISONS = ("<0", "<=0", "=0", "!=0", "&&", "||")
IDENTIFIER = "identifier of a thread"
"""The function that gives the identifier of a thread, by its creation and its number."""
_NO_LIMITS = Limits()
_MOST_LIMITS = 8
_IGNORED = frozenset({
    ActionKind.DESTROY, ActionKind.WAIT, ActionKind.WAKE, ActionKind.SIGNAL, ActionKind.BROADCAST, ActionKind.DETACH,
    ActionKind.LEAVE, ActionKind.DELETE_KEY,
})  # fmt: skip
"""Actions that no reason rests on."""


class Access(NamedTuple):
    """An access to memory that other threads may reach; see `State` for what is known there.

    address: None if it is not known; size: None if it is not known how far it reaches. places: where it may be.
    records: the records around it, with their addresses. is_free: whether it ends the lifetime of a block.
    """

    thread: ThreadClaim
    node: Node
    instruction: ir.Instruction
    address: Sum | None
    size: int | None
    places: frozenset[Location]
    writes: bool
    is_atomic: bool
    is_private: bool
    is_free: bool
    records: tuple[tuple[Record, Sum], ...]
    state: State


class Wait(NamedTuple):
    """A wait of a thread for a lock, for the end of a thread of a creation, or for that of any thread (None)."""

    thread: ThreadClaim
    instruction: ir.Instruction
    what: Lock | int | None
    state: State


class Around(Protocol):
    """What the execution of a thread asks of the rest of the program."""

    program: Program
    names: Names
    logic: Logic
    pointers: PointerCheck
    effects: Effects
    is_weak: bool

    def is_quiet(self, thread: ThreadClaim, state: State, address: Sum, size: int, places: frozenset[Location]) -> bool:
        """Whether no other thread that exists, or that they create, writes there."""

    def is_constant(self, address: Sum, size: int, places: frozenset[Location]) -> bool:
        """Whether nothing is written there once a thread was created."""

    def keeps_handles(self, thread: ThreadClaim, form: Sum) -> bool:
        """Whether nothing but creations of a thread writes to where identifiers are."""

    def leaves(self, creation: int) -> bool:
        """Whether threads may be left that a thread of a creation has created."""

    def note_access(self, access: Access) -> None:
        """An access."""

    def note_wait(self, wait: Wait | ir.Instruction) -> None:
        """A wait; or one of a kind that is not known."""

    def note_flag(self, instruction: ir.Instruction, places: frozenset[Location], is_good: bool) -> None:
        """A store to what may be a flag: whether it takes, releases or initialises one that is a lock."""

    def note_semaphore(self, places: frozenset[Location], is_good: bool) -> None:
        """A post or an initialisation of a semaphore: whether it is one of a lock."""

    def note_event(
        self, execution: Execution, event: Event, places: frozenset[Location], is_increment: bool, value: Sum
    ) -> None:
        """Something is done that others may wait for; a store of *value*, which may add 1."""

    def note_initial(self, at: Sum, places: frozenset[Location], value: int | None) -> None:
        """The number that a semaphore or barrier begins with; None: it is not known."""

    def create(self, execution: Execution, create: ir.Create, handle: Sum, argument: Sum) -> None:
        """A thread is created."""


def blocks_in(*sums: Sum) -> set[Atom]:
    """The blocks whose addresses are in sums, or in what functions in them are applied to."""
    return {a for s in sums for a in s.atoms() if a.kind is AtomKind.BLOCK or a.kind is AtomKind.GIVEN}


def lie_apart(distance: int, step: int, size: int, other: int) -> bool:
    """Whether *size* bytes, which begin *distance* (modulo *step*) after *other* bytes, never overlap them."""
    if not step:
        return distance >= other or -distance >= size
    rest = distance % step
    return rest >= other and step - rest >= size


class Execution:
    """The execution of instructions in one activation, from a state on.

    known: what was read from memory whose value was known → that value.
    """

    def __init__(self, around: Around, thread: ThreadClaim, node: Node, state: State) -> None:
        self.around = around
        self.thread = thread
        self.node = node
        self.state = state.copied()
        self.is_dead = False
        self._names = around.names
        self._logic = around.logic
        self._pointers = around.pointers
        self._loads: dict[int, Sum] = {}
        self.known: dict[Atom, Sum] = {}
        self.instruction: ir.Instruction = ir.Skip()

    # Values

    def value(self, node: ex.Expr) -> Sum:
        """The value of an expression."""
        names = self._names
        match node:
            case ex.Const(value):
                return Sum(value) if isinstance(value, int) else names.applied(f"constant {value}")
            case ex.Setting(name):
                return names.applied(f"setting {name}")
            case ex.Read(place):
                return self._read(place)
            case ex.AddressOf(place):
                return self.address(place)
            case ex.Convert(operand):
                return self._converted(self.value(operand), operand, node)
            case ex.Unary("!", operand):
                return self._negated(self.truth(self.value(operand)))
            case ex.Unary(op, operand):
                inner = self.value(operand)
                if op == "-" and (not inner.parts or (isinstance(node.type, Int) and node.type.signed)):
                    return _wrapped(inner.times(-1), node.type)
                return names.applied(op, inner)
            case ex.Binary(op, left, right):
                return self._binary(op, self.value(left), self.value(right), node)
            case ex.Compare(op, left, right):
                return self._compared(op, self.value(left).minus(self.value(right)))
            case ex.Logical(op, left, right):
                return self._logical(op, self.truth(self.value(left)), self.truth(self.value(right)))
            case ex.PointerAdd(pointer, index, stride):
                return self.value(pointer).plus(self.value(index), stride)
            case ex.PointerDiff(left, right, stride):
                return self._divided(self.value(left).minus(self.value(right)), stride)
            case ex.Select(condition, then, other):
                chosen = self.truth(self.value(condition))
                if not chosen.parts:
                    return self.value(then if chosen.constant else other)
                one, rival = self.value(then), self.value(other)
                return one if one == rival else names.applied("?", chosen, one, rival)
        return names.applied(f"expression {node.number}", *map(self.value, node.operands()))

    def _divided(self, sum_: Sum, by: int) -> Sum:
        if by and not sum_.constant % by and not any(c % by for _, c in sum_.parts):
            return Sum(sum_.constant // by, tuple((a, c // by) for a, c in sum_.parts))
        return self._names.applied(f"/{by}", sum_)

    def address(self, place: ex.Place) -> Sum:
        """The address of a place."""
        if place.parent is not None:
            last = place.path[-1]
            around = self.address(place.parent)
            if isinstance(last, Field):
                return around.add(last.offset)
            return around.plus(self.value(last.value), place.type.size)
        return self.value(place.base) if isinstance(place.base, ex.Expr) else self.location_of(place.base)

    def location_of(self, object_: Object) -> Sum:
        """The address of a named object."""
        names, address = self._names, AtomKind.ADDRESS
        if object_.storage is Storage.THREAD_LOCAL or self.around.effects.is_thread_local(object_):
            return names.atom(address, (self.thread.number, object_)).sum
        if object_.template is None:
            return names.atom(address, ("static", object_)).sum
        return names.atom(address, (self.thread.number, object_, self.node[:-2])).sum

    def _read(self, place: ex.Place) -> Sum:
        address = self.address(place)
        size = place.type.size
        if place.bits is not None or not size or isinstance(place.type, (Array, Record)):
            self._reveal(place, address, None)
            return self._unknown(("bits" if place.bits is not None else "record", place.number))
        if place.number in self._loads:
            return self._loads[place.number]
        thread = self._identifier(place, address)
        if thread is not None:
            return thread
        value = self._content(place, address, size)
        read = self._names.atom(AtomKind.VALUE, self._key(("read", place.number)))
        if value != read.sum:
            self.known[read] = value
        for atom in (read, value.atom) if self._logic.is_fixed(address) else ():
            if atom is not None:
                self.state.origins.setdefault(atom, address)
        if place.is_visible:
            self._loads[place.number] = value
            if self.state.sections or self.instruction.section is not None:
                self.state.section_reads[address] = value
        return value

    def _content(self, place: ex.Place, address: Sum, size: int) -> Sum:
        """What memory holds."""
        cell = self.state.cells.get(address)
        if cell is not None and cell.size == size:
            return cell.value
        self._reveal(place, address, size)
        if self._is_quiet(place, address, size):
            value = self._unknown(("read", place.number))
            self.state.cells[address] = Cell(value, size)
            return value
        if self.around.is_constant(address, size, self.places(place, address)):
            return self._names.applied(f"constant of {size}", address)
        return self._unknown(("read", place.number))

    def _key(self, what: object) -> tuple[object, ...]:
        return (self.thread.number, self.node[:-1], self.instruction.number, what)

    def _unknown(self, what: object) -> Sum:
        """The value that the instruction gets; the one that it got before is forgotten."""
        return self._renewed(self._names.atom(AtomKind.VALUE, self._key(what))).sum

    def _renewed(self, atom: Atom) -> Atom:
        forget(self.state, atom)
        self.known = {a: v for a, v in self.known.items() if a is not atom and not v.mentions(atom)}
        return atom

    def _converted(self, value: Sum, operand: ex.Expr, node: ex.Convert) -> Sum:
        to, source = node.type, operand.type
        if isinstance(to, Int) and to.is_bool:
            return self.truth(value)
        if not isinstance(to, (Int, Pointer)) or not isinstance(source, (Int, Pointer)):
            return self._names.applied(f"from {source} to {to}", value)
        if not value.parts:
            return Sum(ex.wrapped(value.constant, to)) if isinstance(to, Int) else value
        if self._is_kept(value, source, to):
            return value
        return self._names.applied(f"to {to}", value)

    def _is_kept(self, value: Sum, source: Int | Pointer, to: Int | Pointer) -> bool:
        """Whether a conversion keeps a value. Pointers are signed numbers; addresses of objects are none below 0."""
        width, is_signed = (source.width, source.signed) if isinstance(source, Int) else (64, True)
        new_width, new_signed = (to.width, to.signed) if isinstance(to, Int) else (64, True)
        if is_signed == new_signed and width <= new_width:
            return True
        if new_signed and width < new_width:
            return True
        is_address = any(c == 1 and a.is_object for a, c in value.parts)
        if is_address and width <= 64 <= new_width:
            return True
        most = (1 << (new_width - new_signed)) - 1
        least = -(most + 1) if new_signed else 0
        is_low_enough = not is_signed and width <= new_width - new_signed
        is_low_enough |= is_signed and width <= new_width
        if not is_low_enough and not self._is_positive(Sum(most).minus(value)):
            return False
        return (new_signed and not is_signed) or self._is_positive(value.add(-least))

    def _is_positive(self, sum_: Sum) -> bool:
        return self._logic.positive(sum_, self.state.limits)

    def truth(self, value: Sum) -> Sum:
        """1 for what is not 0, else 0."""
        if not value.parts:
            return Sum(int(value.constant != 0))
        return value if _comparison(value) is not None else self._compared("!=", value)

    def _negated(self, value: Sum) -> Sum:
        if not value.parts:
            return Sum(int(not value.constant))
        atom = _comparison(value)
        assert atom is not None
        operator, arguments = atom.key
        if operator in ("&&", "||"):
            return self._logical("||" if operator == "&&" else "&&", *map(self._negated, arguments))
        opposite, sign = _OPPOSITE[operator]
        return self._names.applied(opposite, arguments[0].times(sign))

    def _binary(self, op: str, left: Sum, right: Sum, node: ex.Binary) -> Sum:
        type_ = node.type
        if not isinstance(type_, Int):
            return self._names.applied(f"{op} {type_}", left, right)
        found: Sum | None = None
        if op in ("+", "-"):
            found = left.plus(right, 1 if op == "+" else -1)
        elif op == "*" and not (left.parts and right.parts):
            found = left.times(right.constant) if not right.parts else right.times(left.constant)
        elif op == "<<" and not right.parts and 0 <= right.constant < type_.width - 1:
            found = left.times(1 << right.constant)
        if found is not None and (not found.parts or type_.signed or self._is_within(found, type_)):
            return _wrapped(found, type_)
        if not left.parts and not right.parts and (op not in "/%" or right.constant):
            number = computed(op, left.constant, right.constant, type_.width, type_.signed)
            if number is not None:
                return Sum(number)
        if op == "%" and type_.signed and not right.parts and right.constant > 0 and self._is_positive(left):
            op = "mod"
        return self._names.applied(f"{op} {type_}", left, right)

    def _is_within(self, value: Sum, type_: Int) -> bool:
        """Whether unsigned arithmetic with this result does not wrap around."""
        if any(a.is_object for a, _ in value.parts) and type_.width == 64:
            return (all(c > 0 for _, c in value.parts) and value.constant >= 0) or self._is_positive(value)
        return self._is_positive(value) and self._is_positive(Sum((1 << type_.width) - 1).minus(value))

    def _compared(self, op: str, difference: Sum) -> Sum:
        if op in (">", ">="):
            op, difference = ("<" if op == ">" else "<="), difference.times(-1)
        operator = {"<": "<0", "<=": "<=0", "==": "=0", "!=": "!=0"}[op]
        known = self._decided(operator, difference)
        return Sum(int(known)) if known is not None else self._names.applied(operator, difference)

    def _decided(self, operator: str, difference: Sum) -> bool | None:
        if operator in ("!=0", "=0"):
            if self._is_positive(difference.add(-1)) or self._is_positive(difference.times(-1).add(-1)):
                return operator == "!=0"
            if self._is_positive(difference) and self._is_positive(difference.times(-1)):
                return operator == "=0"
            return None
        strict = operator == "<0"
        if self._is_positive(difference.times(-1).add(-strict)):
            return True
        return False if self._is_positive(difference.add(0 if strict else -1)) else None

    def _logical(self, op: str, left: Sum, right: Sum) -> Sum:
        for one, other in ((left, right), (right, left)):
            if not one.parts:
                return one if one.constant == (op == "||") else other
        return self._names.applied(op, left, right)

    # Conditions

    def assume(self, value: Sum, holds: bool = True) -> None:
        """Only executions continue in which *value* is not 0 (or is, unless *holds*)."""
        if not value.parts:
            self.is_dead |= bool(value.constant) is not holds
            return
        atom = _comparison(value)
        if atom is None:
            self._assume_sign("!=0" if holds else "=0", value)
            return
        operator, arguments = atom.key
        if operator in ("&&", "||"):
            for each in arguments if holds is (operator == "&&") else ():
                self.assume(each, holds)
            return
        difference = arguments[0]
        if not holds:
            operator, sign = _OPPOSITE[operator]
            difference = difference.times(sign)
        self._assume_sign(operator, difference)

    def _assume_sign(self, operator: str, difference: Sum) -> None:
        known = self._decided(operator, difference)
        if known is not None:
            self.is_dead |= not known
            return
        if operator == "!=0":
            for each in (difference, difference.times(-1)):
                if self._is_positive(each):
                    self.at_most_zero(Sum(1).minus(each))
        elif operator == "=0":
            self.at_most_zero(difference)
            self.at_most_zero(difference.times(-1))
        else:
            self.at_most_zero(difference.add(operator == "<0"))
        if operator in ("=0", "!=0") and len(difference.parts) == 1 and not difference.constant:
            self._learn(difference.parts[0][0], operator == "=0")
        self._observe(operator, difference)
        self.forget_ended()

    def _observe(self, operator: str, difference: Sum) -> None:
        """Note what variables were at least when they were read."""
        for atom, _ in difference.parts:
            at = self.state.origins.get(atom)
            if at is None:
                continue
            known = self.state.limits.get(atom, _NO_LIMITS)
            found = {each for each in known.lower if self._logic.is_fixed(each)}
            if operator == "!=0" and difference.atom is atom:
                found.add(Sum(1))  # or less than 0, which it was not at first either
            self.state.observed |= {(at, each) for each in found if each.parts or each.constant > 0}

    def count(self, kind: EventKind, at: Sum) -> Event:
        """The thread does something once more that others may wait for."""
        event = Event(kind, at)
        if self._logic.is_fixed(at):
            self.state.counts[event] = self.state.counts.get(event, NOTHING).add(1)
        return event

    def at_most_zero(self, sum_: Sum) -> None:
        """Note that *sum_* is at most 0."""
        for atom, coefficient in sum_.parts:
            rest = sum_.without(atom)
            if abs(coefficient) != 1 or rest.mentions(atom):
                continue
            known = self.state.limits.get(atom, _NO_LIMITS)
            if coefficient == 1 and len(known.upper) < _MOST_LIMITS:
                known = Limits(known.lower, known.upper | {frozenset({rest.times(-1)})})
            elif coefficient == -1 and len(known.lower) < _MOST_LIMITS:
                known = Limits(known.lower | {rest}, known.upper)
            self.state.limits[atom] = known

    def _learn(self, atom: Atom, is_zero: bool) -> None:
        attempt = self.state.attempts.pop(atom, None)
        if attempt is None:
            return
        gained = attempt.if_zero if is_zero else attempt.if_other
        if gained is not None:
            self.state.held[attempt.lock] = gained
        if attempt.lock not in self.state.held or (is_zero and attempt.if_other is not None):
            self.state.may_hold = frozenset(each for each in self.state.may_hold if each.address != attempt.lock)

    def forget_ended(self) -> None:
        """Forget creations of which no thread can exist."""
        for creation, numbers in [*self.state.alive.items()]:
            if numbers is not None and self._is_positive(numbers.lower.minus(numbers.upper)):
                del self.state.alive[creation]

    # Memory

    def places(self, place: ex.Place, address: Sum) -> frozenset[Location]:
        """Where a place may be, by its address and by the pointers to it."""
        found = self._pointers.places(place) or frozenset({ANY})
        root = self._logic.root(address)
        if root is not None:
            return frozenset(each for each in found if each.root is root) or frozenset({Location(root)})
        return found

    def _is_own(self, place: ex.Place) -> bool:
        return isinstance(place.base, Object) and not place.is_visible

    def is_private(self, address: Sum) -> bool:
        """Whether only this thread knows the block that an address is in."""
        return any(c == 1 and a in self.state.private for a, c in address.parts)

    def _is_quiet(self, place: ex.Place, address: Sum, size: int) -> bool:
        if self._is_own(place) or self.is_private(address) or (self.state.is_first and self.thread.parent is None):
            return True
        return self.around.is_quiet(self.thread, self.state, address, size, self.places(place, address))

    def _lose_privacy(self, blocks: Iterable[Atom]) -> None:
        lose_privacy(self.state, blocks)

    def _reveal(self, place: ex.Place, address: Sum, size: int | None) -> None:
        """What is read may be the address of a private block that is not recognised."""
        if not self.state.private:
            return
        holders = blocks_in(address)
        lost = {block for block, around in self.state.stored_in.items() if around in holders}
        for key, cell in self.state.cells.items():
            blocks = blocks_in(cell.value) & self.state.private
            if blocks - lost and self._may_touch(place, address, size, key, cell.size):
                lost |= blocks
        self._lose_privacy(lost)

    def overwrite(self, place: ex.Place, address: Sum, size: int | None) -> None:
        """Forget what memory holds that is written to."""
        lost: set[Atom] = set()
        for key, cell in [*self.state.cells.items()]:
            if self._may_touch(place, address, size, key, cell.size):
                if key != address or size is None or cell.size > size:
                    lost |= blocks_in(cell.value)
                del self.state.cells[key]
        self._lose_privacy(lost)

    def _may_touch(self, place: ex.Place, address: Sum, size: int | None, key: Sum, length: int) -> bool:
        mine, theirs = address.object, key.object
        if mine is not None and theirs is not None and mine is not theirs:
            return False
        root, rival = self._logic.root(address), self._logic.root(key)
        if root is not None and rival is not None and root is not rival:
            return False
        for known, unknown in ((root, rival), (rival, root)):
            if unknown is None and isinstance(known, Object) and known not in self._pointers.exposed:
                return False
        if theirs is not None and mine is None:
            if theirs in self.state.private and not self.state.stored_in and address.parts and (
                theirs not in blocks_in(address)
            ):  # fmt: skip
                return False
            if rival is not None and not meet(self.places(place, address), [Location(rival)]):
                return False
        if size is None:
            return True
        difference = key.minus(address)
        if not difference.parts:
            return -length < difference.constant < size
        if self._is_positive(difference.add(-size)) or self._is_positive(difference.times(-1).add(-length)):
            return False
        if mine is not None and mine is theirs:
            return not lie_apart(difference.constant, gcd(*(c for _, c in difference.parts)), length, size)
        return True

    def write(self, place: ex.Place, address: Sum, value: Sum | None, size: int | None) -> None:
        """Store *value*, or something, in *size* bytes at *address*."""
        self.overwrite(place, address, size)
        if value is None:
            return
        self._publish(place, address, value)
        if size and place.bits is None and not isinstance(place.type, (Array, Record)) and (
            self._is_quiet(place, address, size)
        ):  # fmt: skip
            self.state.cells[address] = Cell(value, size)

    def _publish(self, place: ex.Place, address: Sum, value: Sum) -> None:
        blocks = blocks_in(value) & self.state.private
        if not blocks or self._is_own(place):
            return
        holder = next((a for a, c in address.parts if c == 1 and a in self.state.private), None)
        if holder is None:
            self._lose_privacy(blocks)
            return
        for block in blocks - {holder}:
            if self.state.stored_in.get(block, holder) is not holder:
                self._lose_privacy({block})
            else:
                self.state.stored_in[block] = holder

    def lose(self, address: Sum) -> None:
        """Forget what the object at *address* holds."""
        mine = address.object
        lost: set[Atom] = set()
        for key, cell in [*self.state.cells.items()]:
            theirs = key.object
            if mine is not None and theirs is not None and mine is not theirs:
                continue
            root = self._logic.root(key)
            if mine is None and isinstance(root, Object) and root not in self._pointers.exposed:
                continue
            lost |= blocks_in(cell.value)
            del self.state.cells[key]
        self._lose_privacy(lost)

    # Accesses

    def _note(
        self, place: ex.Place | None, address: Sum | None, size: int | None, writes: bool,
        places: frozenset[Location] | None = None, is_free: bool = False, is_atomic: bool | None = None,
    ) -> None:  # fmt: skip
        if places is None:
            assert place is not None and address is not None
            places = self.places(place, address)
        if places and all(isinstance(each.root, Object) and _is_ours(each.root) for each in places):
            return
        records: list[tuple[Record, Sum]] = []
        around = place
        while around is not None and self.state.held:
            if isinstance(around.type, Record):
                records.append((around.type, self.address(around)))
            around = around.parent
        if place is not None and place.bits is not None and address is not None:
            address, size = _unit(place, address)
        self.around.note_access(
            Access(
                self.thread, self.node, self.instruction, address, size, places, writes,
                self._is_atomic() if is_atomic is None else is_atomic,
                address is not None and self.is_private(address) and not self.around.is_weak,
                is_free, tuple(records), self.state.copied(),
            )
        )  # fmt: skip

    def _is_atomic(self) -> bool:
        found = self.instruction.access
        if found is not None and found.is_atomic:
            return True
        if self.instruction.section is None:
            return False
        section = self.around.program.sections[self.instruction.section]
        return section.kind is SectionKind.RMW and section.access is not None and section.access.is_atomic

    def _order(self) -> Order:
        number = self.instruction.section
        within = None if number is None else self.around.program.sections[number].access
        access = within if within is not None else self.instruction.access
        return Order.PLAIN if access is None else access.order

    # Instructions

    def start(self, instruction: ir.Instruction) -> None:
        """Begin an instruction: what it reads is noted."""
        self.instruction = instruction
        self._loads = {}
        for place in instruction.loads:
            if place.is_visible and not isinstance(place.type, Array):
                self._note(place, self.address(place), place.type.size, False)

    def execute(self, instruction: ir.Instruction) -> None:
        """Execute an instruction that is neither a call of a function of the program nor a terminator."""
        self.start(instruction)
        match instruction:
            case ir.Assign(place, value):
                self._assign(place, value)
            case ir.Input(place, _, size) | ir.Undefine(place, _, size):
                self._havoc(instruction, place, size)
            case ir.Zero(place, size):
                address, length = self.address(place), self.value(size)
                known = None if length.parts else length.constant
                places = self.places(place, address)
                self._note(place, address, known, True, places if known is not None else _whole(places))
                self.overwrite(place, address, known)
            case ir.Choose(place, bound):
                chosen = self._unknown("choice")
                self.at_most_zero(chosen.minus(self.value(bound)).add(1))
                self.at_most_zero(chosen.times(-1))
                self.write(place, self.address(place), chosen, place.type.size)
            case ir.Create(_, argument):
                self._create(instruction, argument)
            case ir.Call():
                self._operation(instruction)
            case ir.Check(condition) | ir.Assume(condition):
                self.assume(self.truth(self.value(condition)))
            case ir.CutUnless(condition):
                holds = self.truth(self.value(condition))
                if holds.parts or not holds.constant:
                    raise UncoveredError("executions that are cut off")
            case ir.Begin(opens):
                self.state.sections += self.around.program.sections[opens].kind is SectionKind.USER
                self.state.section_reads = {}
            case ir.End():
                number = instruction.section
                kind = SectionKind.USER if number is None else self.around.program.sections[number].kind
                self.state.sections = max(0, self.state.sections - (kind is SectionKind.USER))
                self.state.section_reads = {}
            case ir.Lifetime() | ir.Skip():
                pass
            case _:
                raise UncoveredError(type(instruction).__name__)

    def _assign(self, place: ex.Place, value: ex.Expr) -> None:
        address, size = self.address(place), place.type.size
        if isinstance(place.type, Record):
            self._copy(place, address, value)
            return
        result = self.value(value)
        if place.is_visible:
            self._note(place, address, size, True)
            self._flag(place, address, result)
            if isinstance(place.type, Int) and isinstance(place.base, Object) and not place.path:
                before = result.add(-1).atom
                is_increment = before is not None and self.state.origins.get(before) == address
                event = self.count(EventKind.STORE, address)
                places = self.places(place, address)
                self.around.note_event(self, event, places, is_increment, result)
        self.write(place, address, result, size)

    def _copy(self, place: ex.Place, address: Sum, value: ex.Expr) -> None:
        if place.is_visible:
            self._note(place, address, place.type.size, True)
        self.value(value)
        copies: list[tuple[int, Cell]] = []
        if isinstance(value, ex.Read):
            source = self.address(value.place)
            for key, cell in self.state.cells.items():
                distance = key.minus(source)
                if not distance.parts and 0 <= distance.constant <= place.type.size - cell.size:
                    copies.append((distance.constant, cell))
        self.overwrite(place, address, place.type.size)
        self._lose_privacy(blocks_in(*(cell.value for _, cell in copies)))
        if self._is_quiet(place, address, place.type.size):
            self.state.cells |= {address.add(offset): cell for offset, cell in copies}

    def _havoc(self, instruction: ir.Instruction, place: ex.Place, size: ex.Expr | None) -> None:
        address = self.address(place)
        if size is not None:
            length = self.value(size)
            known = None if length.parts else length.constant
            if not (isinstance(instruction, ir.Undefine) and self.around.effects.is_new(instruction)):
                self._note(place, address, known, True)
            self.overwrite(place, address, known)
            return
        if place.is_visible and isinstance(instruction, ir.Input):
            self._note(place, address, place.type.size, True)
        self.write(place, address, self._unknown("input"), place.type.size)

    def _flag(self, place: ex.Place, address: Sum, value: Sum) -> None:
        """A store to a flag that may be a lock: it is set if it was clear, and cleared by the thread that set it."""
        order, state = self._order(), self.state
        places = self.places(place, address)
        is_good = False
        if value == NOTHING and (state.sections or order in _RELEASES):
            is_good = state.held.pop(address, None) is not None
        elif not value.parts and value.constant and (state.sections or order in _ACQUIRES):
            before = state.section_reads.get(address)
            held = Held(True, LockKind.FLAG, places)
            if before is not None and self._logic.equal(before, NOTHING, state.limits):
                state.held[address] = held
                is_good = True
            elif before is not None and not before.parts:
                is_good = True
            elif before is not None and before.atom is not None:
                state.attempts[before.atom] = Attempt(address, held, None)
                is_good = True
        is_cleared = value == NOTHING and state.is_first
        self.around.note_flag(self.instruction, places, is_good or is_cleared)

    # Calls of the library

    def _operation(self, call: ir.Call) -> None:
        arguments = [self.value(each) for each in call.arguments]
        result: Sum | None = None
        if call.function in ALLOCATIONS:
            key = (self.thread.number, call, self.node[:-1])
            block = self._renewed(self._names.atom(AtomKind.BLOCK, key))
            self.state.private |= {block}
            result = block.sum
        elif isinstance(call, ir.Operation) and call.acts:
            result = self._acts(call, arguments)
        elif call.function == "free":
            self._note(None, arguments[0], None, True, self._objects(call.arguments[0], arguments[0]), is_free=True)
        else:
            self._library(call, arguments)
        if call.result is not None:
            self.bind(call.result, result if result is not None else self._unknown("result"))

    def bind(self, place: ex.Place, value: Sum) -> None:
        """Store the value of a call."""
        address = self.address(place)
        if place.is_visible:
            self._note(place, address, place.type.size, True)
        self.write(place, address, value, place.type.size)

    def returned(self, call: ir.Call, value: Sum | None) -> None:
        """A call of a function of the program has returned."""
        self.start(call)
        if call.result is not None:
            found = self._unknown("result") if value is None else _wrapped(value, call.result.type)
            self.bind(call.result, found)

    def _objects(self, argument: ex.Expr, value: Sum) -> frozenset[Location]:
        root = self._logic.root(value)
        if root is not None:
            return frozenset({Location(root)})
        return _whole(self._pointers.led(plain(argument))) or frozenset({ANY})

    def _library(self, call: ir.Call, arguments: list[Sum]) -> None:
        effects = self.around.effects.of(call.function)
        if effects.waits:
            self.around.note_wait(call)
        for position, (argument, value) in enumerate(zip(call.arguments, arguments, strict=True)):
            pointer = plain(argument)
            if not isinstance(pointer.type, Pointer) or not value.parts:
                continue
            is_read, is_written = position in effects.reads, position in effects.writes
            if is_read:
                self._reveal(self.around.program.expressions.deref(pointer), value, None)
            if effects.keeps:
                self._lose_privacy(blocks_in(value))
            if not is_read and not is_written:
                continue
            place = pointer.place if isinstance(pointer, ex.AddressOf) else None
            if place is None or not self._is_own(place):
                for writes in [False] * is_read + [True] * is_written:
                    self._note(None, value, None, writes, self._objects(pointer, value))
            if is_written:
                self.lose(value)

    def _acts(self, call: ir.Operation, arguments: list[Sum]) -> Sum | None:
        result: Sum | None = None
        for act in call.acts:
            if act.argument is None or act.argument >= len(arguments):
                raise UncoveredError(f"`{call.function}`")
            target = arguments[act.argument]
            places = self._pointers.led(plain(call.arguments[act.argument])) or frozenset({ANY})
            lock = Lock(target, places)
            is_semaphore = act.kind in (ActionKind.TAKE, ActionKind.TRY_TAKE)
            kind = LockKind.SEMAPHORE if is_semaphore else LockKind.LOCK
            is_reading = act.mode is Mode.READING or act.kind in (ActionKind.READ_LOCK, ActionKind.READ_TRY)
            held = Held(not is_reading, kind, places)
            match act.kind:
                case ActionKind.LOCK | ActionKind.READ_LOCK | ActionKind.TAKE:
                    if is_semaphore:
                        self.count(EventKind.WAIT, target)
                        self.around.note_wait(call)
                    self._wait(call, lock)
                    self.state.held[target] = held
                case ActionKind.TRY | ActionKind.READ_TRY | ActionKind.TRY_TAKE:
                    result = self._unknown("result")
                    self.state.may_hold |= {lock}
                    self.state.attempts[result.parts[0][0]] = Attempt(target, held, None)
                case ActionKind.BEGIN:
                    self._wait(call, lock)
                    result = self._unknown("result")
                    self.state.attempts[result.parts[0][0]] = Attempt(
                        target, Held(False, kind, places), Held(True, kind, places)
                    )
                case ActionKind.FINISH:
                    self._leave(lock)
                    self.state.held[target] = Held(False, kind, places)
                case ActionKind.UNLOCK | ActionKind.GIVE:
                    self._release(lock, act.kind is ActionKind.GIVE)
                case ActionKind.JOIN:
                    self._join(call, target)
                case ActionKind.ARRIVE:
                    self.around.note_event(self, self.count(EventKind.ARRIVE, target), places, False, NOTHING)
                case ActionKind.INIT:
                    self._initialise(call, lock, arguments)
                case ActionKind.CREATE_KEY if is_null(call.arguments[1]):
                    pass
                case other if other not in _IGNORED:
                    raise UncoveredError(f"`{call.function}`")
            if act.kind not in _WAITED and self.around.effects.waits(call.function):
                self.around.note_wait(call)
        return result

    def _initialise(self, call: ir.Operation, lock: Lock, arguments: list[Sum]) -> None:
        assert lock.address is not None
        self._drop(lock.address)
        if call.function in ("sem_init", "pthread_barrier_init"):
            value = arguments[2].constant if not arguments[2].parts and self.state.is_first else None
            if call.function == "sem_init":
                self.around.note_semaphore(lock.places, value is not None and value <= 1)
            self.around.note_initial(lock.address, lock.places, value)

    def _wait(self, call: ir.Instruction, what: Lock | int | None) -> None:
        if self.state.sections:
            self.around.note_wait(call)
        self.around.note_wait(Wait(self.thread, call, what, self.state.copied()))
        if isinstance(what, Lock):
            self.state.may_hold |= {what}

    def _release(self, lock: Lock, is_post: bool) -> None:
        target, state = lock.address, self.state
        assert target is not None
        is_held = target in state.held
        if is_post:
            self.around.note_event(self, self.count(EventKind.POST, target), lock.places, False, NOTHING)
            self.around.note_semaphore(lock.places, is_held)
        self._leave(lock)
        differ = self._logic.differ
        state.attempts = {a: t for a, t in state.attempts.items() if differ(t.lock, target, state.limits)}
        if is_held:
            del state.held[target]  # no other lock that is held is the same one
        else:
            self._drop(target)

    def _drop(self, target: Sum) -> None:
        differ, state = self._logic.differ, self.state
        state.held = {lock: held for lock, held in state.held.items() if differ(lock, target, state.limits)}

    def _leave(self, lock: Lock) -> None:
        """A lock is not held any more: the one that is named so, or the only one that it can be."""
        state, target = self.state, lock.address
        assert target is not None
        known = {each for each in state.may_hold if each.address == target}
        if not known:
            known = {
                each for each in state.may_hold
                if meet(each.places, lock.places)
                and (each.address is None or not self._logic.differ(each.address, target, state.limits))
            }  # fmt: skip
        if len(known) == 1:
            state.may_hold -= known

    # Threads

    def _create(self, create: ir.Create, argument: ex.Expr) -> None:
        handle, value = self.value(create.handle), self.value(argument)
        is_private = self.is_private(handle)
        self.around.create(self, create, handle, value)
        pointer = plain(create.handle)
        if isinstance(pointer.type, Pointer) and handle.parts:
            place = self.around.program.expressions.deref(pointer)
            if place.is_visible:
                self._note(place, handle, place.type.size, True, is_atomic=None if is_private else False)
            self.overwrite(place, handle, place.type.size)
        self._lose_privacy(blocks_in(value))
        self.state.is_first = False
        self._forget_shared()
        if create.result is not None:
            self.bind(create.result, self._unknown("result"))

    def _forget_shared(self) -> None:
        lost: set[Atom] = set()
        for key, cell in [*self.state.cells.items()]:
            if self.is_private(key):
                continue
            root = self._logic.root(key)
            if isinstance(root, Object) and not root.is_visible and root not in self._pointers.exposed:
                continue
            places = frozenset({ANY if root is None else Location(root)})
            if not self.around.is_quiet(self.thread, self.state, key, cell.size, places):
                lost |= blocks_in(cell.value)
                del self.state.cells[key]
        self._lose_privacy(lost)

    def _identifier(self, place: ex.Place, address: Sum) -> Sum | None:
        """The identifier of the one thread whose identifier is at *address*."""
        if not self.state.alive or not isinstance(place.type, Int):
            return None
        found: list[tuple[int, Sum]] = []
        for creation, form in self.thread.handles.items():
            if creation not in self.state.alive:
                continue
            if form is None:
                return None
            number = self._number_at(creation, form, address)
            if number is None:
                return None
            if isinstance(number, Sum):
                found.append((creation, number))
        if len(found) != 1:
            return None
        creation, number = found[0]
        form = self.thread.handles[creation]
        if form is None or not self.around.keeps_handles(self.thread, form):
            return None
        return self._names.applied(IDENTIFIER, Sum(creation), number)

    def _number_at(self, creation: int, form: Sum, address: Sum) -> Sum | bool | None:
        """The number of the thread whose identifier is at *address*; False: of none; None: that is not known."""
        own = self._names.atom(AtomKind.OWN, creation)
        mine, theirs = form.object, address.object
        if mine is not None and theirs is not None and mine is not theirs:
            return False
        numbers = self.state.alive[creation]
        step = form.of(own)
        difference = address.minus(form.without(own))
        if not step:
            if difference == NOTHING:
                return None if numbers is None else numbers.upper.add(-1)  # the last one was stored last
            return None if difference.parts else False
        if difference.constant % step or any(c % step for _, c in difference.parts):
            return None
        found = Sum(difference.constant // step, tuple((a, c // step) for a, c in difference.parts))
        if numbers is not None and (
            self._is_positive(numbers.lower.minus(found).add(-1)) or self._is_positive(found.minus(numbers.upper))
        ):
            return False
        return found

    def _join(self, call: ir.Operation, target: Sum) -> None:
        atom = target.atom
        is_known = atom is not None and atom.kind is AtomKind.APPLIED and atom.key[0] == IDENTIFIER
        creation, number = (atom.arguments[0].constant, atom.arguments[1]) if atom and is_known else (None, None)
        self._wait(call, creation)
        if creation is not None and number is not None:
            self._joined(creation, number)
        if len(call.arguments) > 1:
            pointer = plain(call.arguments[1])
            value = self.value(pointer)
            if value.parts and isinstance(pointer.type, Pointer):
                place = self.around.program.expressions.deref(pointer)
                if place.is_visible:
                    self._note(place, value, place.type.size, True)
                self.overwrite(place, value, place.type.size)

    def _joined(self, creation: int, number: Sum) -> None:
        numbers = self.state.alive.get(creation)
        if numbers is None or self.around.leaves(creation):
            return
        if self._logic.equal(number, numbers.lower, self.state.limits):
            self.state.alive[creation] = Numbers(numbers.lower.add(1), numbers.upper)
        elif number == numbers.upper.add(-1):
            self.state.alive[creation] = Numbers(numbers.lower, number)
        self.forget_ended()


_WAITED = frozenset({
    ActionKind.LOCK, ActionKind.READ_LOCK, ActionKind.TAKE, ActionKind.JOIN, ActionKind.BEGIN, ActionKind.UNLOCK,
    ActionKind.TRY, ActionKind.READ_TRY, ActionKind.TRY_TAKE,
})  # fmt: skip


def lose_privacy(state: State, blocks: Iterable[Atom]) -> None:
    """Others may know *blocks* from now on, and what is stored in them."""
    todo = [*(set(blocks) & state.private)]
    while todo:
        block = todo.pop()
        if block in state.private:
            state.private -= {block}
            todo += [inner for inner, around in state.stored_in.items() if around is block]


def forget(state: State, atom: Atom) -> None:
    """Forget what is known of the value that *atom* had."""

    def mentions(*sums: Sum) -> bool:
        return any(each.mentions(atom) for each in sums)

    gone = {key: cell for key, cell in state.cells.items() if mentions(key, cell.value)}
    state.cells = {key: cell for key, cell in state.cells.items() if key not in gone}
    state.held = {lock: held for lock, held in state.held.items() if not mentions(lock)}
    state.may_hold = frozenset(
        Lock(None, each.places) if each.address is not None and mentions(each.address) else each
        for each in state.may_hold
    )
    state.alive = {
        creation: None if numbers is not None and mentions(*numbers) else numbers
        for creation, numbers in state.alive.items()
    }
    state.section_reads = {a: v for a, v in state.section_reads.items() if not mentions(a, v)}
    state.attempts = {a: t for a, t in state.attempts.items() if not mentions(a.sum, t.lock)}
    state.origins = {a: at for a, at in state.origins.items() if not mentions(a.sum)}
    if mentions(*state.counts.values()):
        raise UncoveredError("a count of events that depends on a value")
    limits: dict[Atom, Limits] = {}
    for each, known in state.limits.items():
        if not mentions(each.sum):
            lower = frozenset(term for term in known.lower if not mentions(term))
            limits[each] = Limits(lower, frozenset(part for part in known.upper if not mentions(*part)))
    state.limits = limits
    lost = {each for key, cell in gone.items() for each in blocks_in(key, cell.value)}
    lose_privacy(state, {atom, *lost})
    state.stored_in = {b: a for b, a in state.stored_in.items() if atom not in (a, b)}


def _wrapped(value: Sum, type_: object) -> Sum:
    """The result of arithmetic: signed numbers do not overflow."""
    return Sum(ex.wrapped(value.constant, type_)) if not value.parts and isinstance(type_, Int) else value


def _comparison(value: Sum) -> Atom | None:
    atom = value.atom
    return atom if atom is not None and atom.kind is AtomKind.APPLIED and atom.key[0] in _COMPARISONS else None


def is_null(pointer: ex.Expr) -> bool:
    """Whether a pointer is a constant."""
    return isinstance(plain(pointer), ex.Const)


def _is_ours(object_: Object) -> bool:
    return object_.storage in (Storage.LIBRARY, Storage.STRING, Storage.CODE)


def _whole(places: Iterable[Location]) -> frozenset[Location]:
    return frozenset(Location(each.root) for each in places)


def _unit(place: ex.Place, address: Sum) -> tuple[Sum, int]:
    """The memory location that a bit-field is part of, with its neighbours (C11 3.14): its address and its size."""
    field = place.path[-1]
    assert isinstance(field, Field)
    run: list[Field] = []
    for each in field.record.fields.values():
        if each.bits is not None:
            run.append(each)
        elif field in run:
            break
        else:
            run = []
    first = min(each.offset for each in run)
    last = max(each.offset + -(-sum(each.bits or (0, 0)) // 8) for each in run)
    return address.add(first - field.offset), last - first
