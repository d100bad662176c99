"""Values of a counting search, and expressions that compute with them.

A value is a number; or `ANY`, which stands for every one; or the identity of a thread of a replicated template, of
which only is known whose it is: that of the thread that makes the step, or of another one; or a term. A value that is
not known gets a symbol when it is read, so what is computed of it, and is the same, is known to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from math import inf

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import computed, converted


class Unknown:
    """The type of `ANY`."""

    def __repr__(self) -> str:
        return "any"


ANY = Unknown()
"""Any value of the type."""


@dataclass(frozen=True)
class Identity:
    """The identity of a thread of a replicated template, with a constant added to it.

    whose: `MINE`, of the thread that computes; `SOMEBODY`, of a thread that is not told, but not that one; or a shared
    slot: of the thread that this slot named when the step began, which is not the one that computes. others: numbers
    that the value is known to differ from. least: the value is known to be at least that.
    """

    whose: int
    offset: int = 0
    others: frozenset[int] = frozenset()
    least: float = -inf

    def plus(self, number: int, scalar: ts.Scalar) -> Identity:
        """The value, with *number* added to it in the arithmetic of a type."""
        others = frozenset(converted(other + number, scalar) for other in self.others)
        return Identity(self.whose, self.offset + number, others, self.least + number if scalar.width == 0 else -inf)

    def differs(self, number: int, numbers: frozenset[int]) -> bool:
        """Whether it cannot be *number*. numbers: the identities of threads that are alone in their template."""
        return number < self.least or number in self.others or number - self.offset in numbers


MINE, SOMEBODY = -1, -2


@dataclass(frozen=True)
class Data:
    """A value that is not known, as a term of symbols (`symbol`)."""

    term: ts.Expression

    @property
    def symbol(self) -> ts.Variable | None:
        """The symbol, if the term is nothing but one."""
        return self.term.variable if isinstance(self.term, ts.Read) else None


UNTOUCHED = Unknown()
"""Any value, which a shared slot has had since the step began."""
MOST_PARTS = 5
"""Parts of a term."""
_serial = count()


def symbol(scalar: ts.Scalar, slot: int | None = None) -> Data:
    """A new symbol. slot: the shared slot that has had this value since the step began."""
    return Data(ts.Read(ts.Variable(f"new{next(_serial)}@{'' if slot is None else slot}", scalar)))


def symbols(term: ts.Expression) -> list[ts.Variable]:
    """The symbols of a term, in order; several times if they are there."""
    return list(ts.read(term))


def with_symbols(term: ts.Expression, new: Mapping[ts.Variable, ts.Expression]) -> ts.Expression:
    """The term with other terms for its symbols."""
    match term:
        case ts.Read(variable):
            return new.get(variable, term)
        case ts.Apply(operands=operands):
            return replace(term, operands=tuple(with_symbols(operand, new) for operand in operands))
        case ts.Convert(operand=operand):
            return replace(term, operand=with_symbols(operand, new))
    return term


Value = int | Unknown | Identity | Data
Values = list[Value]
Evaluator = Callable[[Values], Value]

LONGEST = 64
"""Elements of an array up to which each of them is a slot."""


class Slots:
    """Where the variables that a thread of one template can reach have their values: shared ones first.

    A variable that is forgotten has no slot, and always has any value.
    """

    def __init__(self, system: ts.System, template: ts.Template, forgotten: frozenset[str]) -> None:
        self.places: dict[str, tuple[int, int]] = {}
        self.variables: list[tuple[ts.Variable, int]] = []
        for variable in (*system.shared, *template.locals):
            length = variable.type.length if isinstance(variable.type, ts.Array) else 1
            if variable.name in forgotten or (isinstance(variable.type, ts.Array) and length > LONGEST):
                continue
            self.places[variable.name] = len(self.variables), length
            self.variables += [(variable, index) for index in range(length)]
        self.shared = sum(variable.is_shared for variable, _ in self.variables)


@dataclass(frozen=True)
class SlotPlace:
    """Where an access is to: the slot, or None if that is not known; then it is one of *every*, or none."""

    slot: Callable[[Values], int | None]
    every: range


class Evaluation:
    """Makes functions of expressions, which compute their values from those of the slots.

    numbers: the identities of threads that are the only ones of their template. width: that of identities, in bits.
    """

    def __init__(self, slots: Slots, numbers: frozenset[int], width: int) -> None:
        self.slots = slots
        self.numbers = numbers
        self.width = width

    def equal(self, one: Value, other: Value) -> Value:
        """Whether two values are the same: 1, 0, or `ANY` if that is not known."""
        if isinstance(one, int) and isinstance(other, int):
            return int(one == other)
        if isinstance(one, Data) and one == other:
            return 1
        if isinstance(one, Unknown | Data) or isinstance(other, Unknown | Data):
            return ANY
        if isinstance(one, Identity) and isinstance(other, Identity):
            if one.whose == other.whose:
                return ANY if one.whose == SOMEBODY else int(one.offset == other.offset)
            return 0 if MINE in (one.whose, other.whose) and one.offset == other.offset else ANY
        identity, number = (one, other) if isinstance(one, Identity) else (other, one)
        assert isinstance(identity, Identity) and isinstance(number, int)
        return 0 if identity.differs(number, self.numbers) else ANY

    def place(self, target: ts.Read | ts.Element) -> SlotPlace | None:
        """Where an access is to; None if that is forgotten."""
        variable = target.variable if isinstance(target, ts.Read) else target.array
        if variable.name not in self.slots.places:
            return None
        first, length = self.slots.places[variable.name]
        if isinstance(target, ts.Read):
            return SlotPlace(lambda values: first, range(first, first + 1))
        index = self.value(target.index)

        def element(values: Values) -> int | None:
            position = index(values)
            return first + position if isinstance(position, int) and 0 <= position < length else None

        return SlotPlace(element, range(first, first + length))

    def value(self, expression: ts.Expression) -> Evaluator:
        """What computes *expression*."""
        match expression:
            case ts.Number(number, _):
                return lambda values: number
            case ts.Read() | ts.Element():
                return self._access(expression)
            case ts.Convert(operand, scalar):
                return self._conversion(self.value(operand), scalar)
            case ts.Choose(condition, then, otherwise):
                return _choice(self.value(condition), self.value(then), self.value(otherwise))
            case ts.Apply(operator, operands, scalar):
                return self._applied(operator, [self.value(operand) for operand in operands], scalar)
        raise AssertionError(expression)

    def _access(self, target: ts.Read | ts.Element) -> Evaluator:
        place = self.place(target)
        if place is None:
            return lambda values: ANY
        if isinstance(target, ts.Read):
            slot = place.every.start
            return lambda values: _named(values, slot, target.type)

        def element(values: Values) -> Value:
            slot = place.slot(values)
            return ANY if slot is None else _named(values, slot, target.type)

        return element

    def _conversion(self, operand: Evaluator, scalar: ts.Scalar) -> Evaluator:
        def convert(values: Values) -> Value:
            value = operand(values)
            if scalar == ts.BOOL:
                return _negated(self.equal(value, 0))
            if isinstance(value, int):
                return converted(value, scalar)
            if isinstance(value, Identity) and (scalar.width == 0 or scalar.width >= self.width):
                others = frozenset(converted(number, scalar) for number in value.others)
                return replace(value, others=others, least=value.least if scalar.width == 0 else -inf)
            if isinstance(value, Data):
                return value if value.term.type == scalar else _data(ts.Convert(value.term, scalar))
            return ANY

        return convert

    def _applied(self, operator: ts.Operator, operands: list[Evaluator], scalar: ts.Scalar) -> Evaluator:
        first, last = operands[0], operands[-1]
        match operator:
            case ts.Operator.NOT:
                return lambda values: _negated(first(values))
            case ts.Operator.AND:
                return lambda values: _connected((operand(values) for operand in operands), 0)
            case ts.Operator.OR:
                return lambda values: _connected((operand(values) for operand in operands), 1)
            case ts.Operator.EQ:
                return lambda values: self.equal(first(values), last(values))
            case ts.Operator.NE:
                return lambda values: _negated(self.equal(first(values), last(values)))

        def apply(values: Values) -> Value:
            numbers = [operand(values) for operand in operands]
            if len(numbers) == 2 and any(isinstance(number, Identity) for number in numbers):
                return _with_identity(operator, numbers[0], numbers[1], scalar)
            known = [number for number in numbers if isinstance(number, int)]
            if len(known) < len(numbers):
                return _computed(operator, numbers, scalar)
            result = computed(operator, known, scalar)
            return ANY if result is None else result

        return apply


def _named(values: Values, slot: int, scalar: ts.Scalar) -> Value:
    """The value of a slot. If it is not known, it has a symbol from now on, unless it is a truth value."""
    value = values[slot]
    if not isinstance(value, Unknown):
        return value
    if scalar == ts.BOOL:
        return ANY
    value = values[slot] = symbol(scalar, slot if value is UNTOUCHED else None)
    return value


def _data(term: ts.Expression) -> Value:
    """The value of a term, which is not known if the term is large."""
    return Data(term) if sum(1 for _ in ts.parts(term)) <= MOST_PARTS else ANY


_SAME = {
    ts.Operator.LE: 1,
    ts.Operator.GE: 1,
    ts.Operator.LT: 0,
    ts.Operator.GT: 0,
    ts.Operator.SUB: 0,
    ts.Operator.BIT_XOR: 0,
}
"""What operators come to if both operands are the same."""


def _computed(operator: ts.Operator, operands: list[Value], scalar: ts.Scalar) -> Value:
    """What an operator makes of terms and numbers."""
    if len(operands) == 2 and operands[0] == operands[1] and operator in _SAME:
        return _SAME[operator] if isinstance(operands[0], Data) else ANY
    type_ = next((operand.term.type for operand in operands if isinstance(operand, Data)), None)
    if type_ is None or operator.compares:
        return ANY
    terms: list[ts.Expression] = []
    for operand in operands:
        if isinstance(operand, Data):
            terms.append(operand.term)
        elif isinstance(operand, int):
            terms.append(ts.Number(operand, type_))
        else:
            return ANY
    return _data(ts.Apply(operator, tuple(terms), scalar))


def _with_identity(operator: ts.Operator, one: Value, other: Value, scalar: ts.Scalar) -> Value:
    """What an operator makes of an identity and a number: the sum, or the order if it is known."""
    if operator is ts.Operator.ADD and isinstance(one, int):
        one, other = other, one
    if not isinstance(one, Identity) or not isinstance(other, int):
        return ANY
    match operator:
        case ts.Operator.ADD:
            return one.plus(other, scalar)
        case ts.Operator.SUB:
            return one.plus(-other, scalar)
        case ts.Operator.GE | ts.Operator.GT if one.least >= other + int(operator is ts.Operator.GT):
            return 1
        case ts.Operator.LT | ts.Operator.LE if one.least >= other + int(operator is ts.Operator.LE):
            return 0
    return ANY


def _choice(condition: Evaluator, then: Evaluator, otherwise: Evaluator) -> Evaluator:
    def choose(values: Values) -> Value:
        held, one, other = condition(values), then(values), otherwise(values)
        if isinstance(held, int):
            return one if held else other
        return one if one == other else ANY

    return choose


def _negated(value: Value) -> Value:
    return int(not value) if isinstance(value, int) else ANY


def _connected(operands: Iterable[Value], strong: int) -> Value:
    """A conjunction (*strong*: 0) or a disjunction (1): one operand that is *strong* decides it."""
    known = True
    for operand in operands:
        if not isinstance(operand, int):
            known = False
        elif bool(operand) == bool(strong):
            return strong
    return 1 - strong if known else ANY
