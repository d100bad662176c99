"""The steps of a counting search: what one thread can do, from values of shared variables and its local state.

A shared variable may have the identity of a thread as its value. Then it is part of that thread's local state that the
variable names it, and the shared state only says that it names somebody. So threads in the same local state can be
counted, although an owner is recorded for each lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.karp_miller.locals import Local, canonical, is_unchanged, substitute
from cseq.modules.deductive.karp_miller.values import (
    ANY,
    MINE,
    SOMEBODY,
    UNTOUCHED,
    Data,
    Evaluation,
    Evaluator,
    Identity,
    SlotPlace,
    Slots,
    Unknown,
    Value,
    Values,
)
from cseq.modules.deductive.live_locals import strongly_live_locals
from cseq.modules.deductive.relevance import irrelevant

MOST_VALUES = 32
"""Up to so many values, each of an input is tried; otherwise it has any value."""

Shared = tuple[Value, ...]


@dataclass(frozen=True)
class Outcome:
    """What a step of one thread leads to.

    thread: its local state, or None if it has nothing left to do. created: threads that it has begun. changed: shared
    slots that other threads do not know any more what they know of.
    """

    shared: Shared
    thread: Local | None
    created: tuple[Local, ...]
    changed: frozenset[int]


@dataclass
class Steps:
    """All steps of a thread from one state. failing: whether a check may fail; certain: whether that is exact."""

    outcomes: list[Outcome] = field(default_factory=list)
    failing: bool = False
    certain: bool = True


@dataclass
class _PartialStep:
    """A thread in the middle of an edge."""

    values: Values
    created: tuple[Local, ...] = ()


Refinement = Callable[[Values, bool], None]
"""Writes into values what is known of them if a condition holds, or does not."""


class TemplateProgram:
    """One template, ready to run. *forgotten* variables always have any value."""

    def __init__(self, system: ts.System, template: ts.Template, forgotten: frozenset[str], maker: Stepper) -> None:
        self.template = template
        self.slots = Slots(system, template, forgotten)
        numbers = frozenset(other.number for other in system.templates if other.number is not None)
        widths = [other.identity.type.width for other in system.templates if _is_scalar(other.identity)]  # type: ignore
        self.evaluation = Evaluation(self.slots, numbers, max(widths, default=0))
        self.maker = maker
        live = strongly_live_locals(template, (one for one in template.locals if one.name in forgotten))
        local = self.slots.variables[self.slots.shared :]
        self.keeps = {
            location: [variable in live[location] or variable == template.identity for variable, _ in local]
            for location in template.locations
        }
        self.edges: dict[int, list[tuple[ts.Edge, list[_Act]]]] = {}
        for edge in template.edges:
            acts = [self._act(edge, number) for number in range(len(edge.actions))]
            self.edges.setdefault(edge.source, []).append((edge, acts))

    def begun(self, arguments: dict[str, Value]) -> tuple[Value, ...]:
        """The values of the locals of a thread that begins."""
        number = self.template.number
        identity: Value = Identity(MINE) if number is None else number
        keeps = self.keeps[self.template.start]
        return tuple(
            identity if variable == self.template.identity else arguments.get(variable.name, ANY) if kept else ANY
            for (variable, _), kept in zip(self.slots.variables[self.slots.shared :], keeps, strict=True)
        )

    # Actions

    def _act(self, edge: ts.Edge, number: int) -> _Act:
        action = edge.actions[number]
        match action:
            case ts.Assign(target, value):
                return _Store(self.evaluation.place(target), self.evaluation.value(value))
            case ts.Havoc(target):
                return _Input(self.evaluation.place(target), _range(target, edge.actions[number + 1 :]))
            case ts.Assume(condition):
                return _Condition(self.evaluation.value(condition), self._refinement(condition), False)
            case ts.Check(condition):
                return _Condition(self.evaluation.value(condition), self._refinement(condition), True)
            case ts.Create(name, arguments):
                values = [(variable.name, self.evaluation.value(value)) for variable, value in arguments]
                return _Creation(self.maker, name, values)

    def _refinement(self, condition: ts.Expression) -> Refinement:
        match condition:
            case ts.Apply(ts.Operator.NOT, (operand,)):
                inner = self._refinement(operand)
                return lambda values, holds: inner(values, not holds)
            case ts.Apply(ts.Operator.AND | ts.Operator.OR as operator, operands):
                every = [self._refinement(operand) for operand in operands]

                def connected(values: Values, holds: bool) -> None:
                    if holds == (operator is ts.Operator.AND):
                        for one in every:
                            one(values, holds)

                return connected
            case ts.Apply(ts.Operator.EQ | ts.Operator.NE as operator, (left, right)):
                ways = [self._equated(left, right), self._equated(right, left)]

                def compared(values: Values, holds: bool) -> None:
                    for way in ways:
                        way(values, holds == (operator is ts.Operator.EQ))

                return compared
            case ts.Apply(
                ts.Operator.GE | ts.Operator.GT | ts.Operator.LT | ts.Operator.LE as operator,
                (ts.Read() as left, right),
            ):
                return self._bounded(left, operator, self.evaluation.value(right))
            case ts.Convert(ts.Read() | ts.Element() as operand, scalar) if scalar.width == 1:
                nonzero = self._equated(operand, 0)
                return lambda values, holds: nonzero(values, not holds)
            case ts.Read() | ts.Element() if condition.type.width == 1:
                return self._equated(condition, 1)
        return lambda values, holds: None

    def _equated(self, target: ts.Expression, other: ts.Expression | int) -> Refinement:
        """What is known if *target* and *other* are equal, or are not."""
        place = self.evaluation.place(target) if isinstance(target, ts.Read | ts.Element) else None
        if place is None:
            return lambda values, holds: None
        number = other if isinstance(other, int) else None
        value = self.evaluation.value(other) if not isinstance(other, int) else None
        narrow = target.type.width == 1 if isinstance(target, ts.Read | ts.Element) else False

        def refine(values: Values, holds: bool) -> None:
            slot = place.slot(values)
            known: Value | None = number if value is None else value(values)
            if slot is None or known is None or isinstance(known, Unknown):
                return
            old = values[slot]
            if isinstance(old, Data) and old.symbol is not None and holds:
                substitute(values, old.symbol, known)
            elif isinstance(old, Unknown) and holds:
                values[slot] = known
            elif isinstance(old, Unknown) and narrow and isinstance(known, int):
                values[slot] = 1 - known
            elif isinstance(old, Identity) and isinstance(known, int) and not holds:
                values[slot] = replace(old, others=old.others | {known})

        return refine

    def _bounded(self, target: ts.Read, operator: ts.Operator, limit: Evaluator) -> Refinement:
        """What a comparison says of an identity: it is at least so much."""
        place = self.evaluation.place(target)

        def refine(values: Values, holds: bool) -> None:
            slot, number = None if place is None else place.slot(values), limit(values)
            if slot is None or not isinstance(number, int) or holds != (operator in (ts.Operator.GE, ts.Operator.GT)):
                return
            old, least = values[slot], number + int(operator in (ts.Operator.GT, ts.Operator.LE))
            if isinstance(old, Identity) and old.least < least:
                values[slot] = replace(old, least=least)

        return refine

    # Steps

    def steps(self, shared: Shared, local: Local) -> Steps:
        """The steps of a thread in *local* where the shared variables have the values *shared*."""
        result = Steps()
        links = dict(local.links)
        first = [
            Data(links[slot]) if slot in links else _seen(value, slot, local.names) for slot, value in enumerate(shared)
        ]
        for edge, acts in self.edges.get(local.location, ()):
            work = [(_PartialStep([*first, *local.values]), 0)]
            while work:
                way, number = work.pop()
                if number < len(acts):
                    work += [(after, number + 1) for after in acts[number].ways(way, result)]
                else:
                    result.outcomes.append(self._outcome(shared, local, edge.target, way))
        return result

    def _outcome(self, shared: Shared, local: Local, target: int, way: _PartialStep) -> Outcome:
        values, names, changed = list(way.values[: len(shared)]), set[int](), set[int]()
        before, links = dict(local.links), dict[int, ts.Expression]()
        for slot, (old, new) in enumerate(zip(shared, values, strict=True)):
            if isinstance(new, Identity):
                if new.whose == MINE:
                    names.add(slot)
                values[slot] = replace(new, whose=SOMEBODY) if new.whose in (MINE, slot) else ANY
            elif isinstance(new, Data):
                links[slot] = new.term
            if isinstance(new, Unknown | Data):
                values[slot] = ANY
            if isinstance(old, Unknown):
                is_old = new is UNTOUCHED or (isinstance(new, Data) and is_unchanged(new, slot, before))
            else:
                is_old = not isinstance(old, Identity) or slot in local.names
                is_old = is_old or (isinstance(new, Identity) and new.whose == slot)
            if not is_old:
                changed.add(slot)
        thread = None
        if target in self.edges:
            kept = zip(way.values[len(shared) :], self.keeps[target], strict=True)
            own = tuple(_told(value) if keep else ANY for value, keep in kept)
            thread = canonical(Local(local.template, target, own, frozenset(names)), links)
        return Outcome(tuple(values), thread, way.created, frozenset(changed))


class Stepper:
    """Computes steps, each of them once. *forgotten* variables always have any value."""

    def __init__(self, system: ts.System, forgotten: frozenset[str] = frozenset()) -> None:
        self.system = system
        self.forgotten = forgotten | irrelevant(system)
        self.programs = [TemplateProgram(system, template, self.forgotten, self) for template in system.templates]
        self._numbers = {template.name: number for number, template in enumerate(system.templates)}
        self._known: dict[tuple[Shared, Local], Steps] = {}

    def first(self) -> tuple[Shared, Local]:
        """The state in the beginning, and main's."""
        slots = self.programs[0].slots
        values: list[Value] = []
        for variable, index in slots.variables[: slots.shared]:
            initial = self.system.initial.get(variable.name)
            value = initial[index] if isinstance(initial, tuple) else initial
            values.append(ANY if value is None else value)
        return tuple(values), Local(0, self.system.main.start, self.programs[0].begun({}))

    def begun(self, name: str, arguments: dict[str, Value]) -> Local | None:
        """The local state in which a thread of a template begins; None if it does nothing."""
        number = self._numbers[name]
        program = self.programs[number]
        if program.template.start not in program.edges:
            return None
        return Local(number, program.template.start, program.begun(arguments))

    def steps(self, shared: Shared, local: Local) -> Steps:
        """The steps of a thread in *local*; never change them."""
        key = (shared, local)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.programs[local.template].steps(shared, local)
        return known


# What an edge does


class _Act:
    """An action, ready to be executed."""

    def ways(self, way: _PartialStep, result: Steps) -> Iterator[_PartialStep]:
        """How the thread can be after it."""
        raise NotImplementedError


@dataclass(frozen=True)
class _Store(_Act):
    place: SlotPlace | None
    value: Evaluator

    def ways(self, way: _PartialStep, result: Steps) -> Iterator[_PartialStep]:
        if self.place is not None:
            value, slot = self.value(way.values), self.place.slot(way.values)
            for possible in self.place.every if slot is None else (slot,):
                way.values[possible] = ANY if slot is None else value
        yield way


@dataclass(frozen=True)
class _Input(_Act):
    place: SlotPlace | None
    numbers: range | None

    def ways(self, way: _PartialStep, result: Steps) -> Iterator[_PartialStep]:
        slot = None if self.place is None else self.place.slot(way.values)
        if slot is None or self.numbers is None:
            for possible in () if self.place is None else self.place.every if slot is None else (slot,):
                way.values[possible] = ANY
            yield way
            return
        for number in self.numbers:
            values = list(way.values)
            values[slot] = number
            yield _PartialStep(values, way.created)


@dataclass(frozen=True)
class _Condition(_Act):
    value: Evaluator
    refine: Refinement
    is_check: bool

    def ways(self, way: _PartialStep, result: Steps) -> Iterator[_PartialStep]:
        value = self.value(way.values)
        if not isinstance(value, int):
            result.certain = False
            self.refine(way.values, True)
            yield way
        elif value:
            yield way
        if self.is_check and not (isinstance(value, int) and value):
            result.failing = True


@dataclass(frozen=True)
class _Creation(_Act):
    maker: Stepper
    name: str
    arguments: list[tuple[str, Evaluator]]

    def ways(self, way: _PartialStep, result: Steps) -> Iterator[_PartialStep]:
        given = {name: value(way.values) for name, value in self.arguments}
        values = {
            name: replace(value, whose=SOMEBODY) if isinstance(value, Identity) else _alone(value)
            for name, value in given.items()
        }
        thread = self.maker.begun(self.name, values)
        yield way if thread is None else _PartialStep(way.values, (*way.created, thread))


def _seen(value: Value, slot: int, names: frozenset[int]) -> Value:
    """A shared value as a thread sees it that the slots *names* name."""
    if not isinstance(value, Identity):
        return UNTOUCHED if isinstance(value, Unknown) else value
    return replace(value, whose=MINE if slot in names else slot)


def _told(value: Value) -> Value:
    """A value as the local of a thread keeps it."""
    return replace(value, whose=SOMEBODY) if isinstance(value, Identity) and value.whose >= 0 else value


def _alone(value: Value) -> Value:
    """A value as another thread gets it, which does not know our symbols."""
    return ANY if isinstance(value, Data) else value


def _is_scalar(variable: ts.Variable | None) -> bool:
    return variable is not None and isinstance(variable.type, ts.Scalar)


def _range(target: ts.Read | ts.Element, later: Sequence[ts.Action]) -> range | None:
    """The values of an input, as far as the type and the assumptions next to it leave few."""
    scalar = target.type
    if scalar.width == 0:
        return None
    least, greatest = scalar.least, scalar.greatest
    for action in later:
        if isinstance(action, ts.Assume) and isinstance(target, ts.Read):
            for sign, number in _limits(action.condition, target):
                if sign in (ts.Operator.GE, ts.Operator.GT, ts.Operator.EQ):
                    least = max(least, number + int(sign is ts.Operator.GT))
                if sign in (ts.Operator.LE, ts.Operator.LT, ts.Operator.EQ):
                    greatest = min(greatest, number - int(sign is ts.Operator.LT))
        elif (
            not isinstance(action, ts.Assign | ts.Havoc)
            or not isinstance(target, ts.Read)
            or ts.written(action) == target.variable
        ):
            break
    return range(least, greatest + 1) if greatest - least < MOST_VALUES else None


_MIRRORED = {
    ts.Operator.EQ: ts.Operator.EQ,
    ts.Operator.LT: ts.Operator.GT,
    ts.Operator.GT: ts.Operator.LT,
    ts.Operator.LE: ts.Operator.GE,
    ts.Operator.GE: ts.Operator.LE,
}


def _limits(condition: ts.Expression, target: ts.Read) -> Iterator[tuple[ts.Operator, int]]:
    """The comparisons of *target* with constants that a condition consists of, or that it is one of."""
    match condition:
        case ts.Apply(ts.Operator.AND, operands):
            for operand in operands:
                yield from _limits(operand, target)
        case ts.Apply(operator, (left, right)) if operator in _MIRRORED:
            number = getattr(right, "value", None)
            if left == target and isinstance(number, int):
                yield operator, number
            number = getattr(left, "value", None)
            if right == target and isinstance(number, int):
                yield _MIRRORED[operator], number
