"""Executes transition systems: all of a finite one, or random walks through any. What proofs are compared with.

A value that is not determined (of a local at creation, after `Havoc`, …) stays open until somebody reads it; then each
of some values is tried. Where these are not all values of the type, the exploration is not complete.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cseq.modules.deductive import transitions as ts

_ACTIONS = 8
"""Actions per state, after as many of which an exploration is not complete."""

Value = int | tuple[int | None, ...] | None
"""The value of a variable: None while it is open; of an array a tuple."""

Thread = tuple[int, int, tuple[Value, ...]]
"""A thread: the number of its template, its location, and its locals in the order of the template."""


@dataclass(frozen=True)
class State:
    """shared: the values of the shared variables, in order. created: how many threads have been given an identity."""

    shared: tuple[Value, ...]
    threads: tuple[Thread, ...]
    created: int = 0


@dataclass
class Found:
    """What an exploration found.

    errors: for each check that failed, the steps to it: the template and the edge of each. complete: whether all that
    can happen was seen. evaluated: what the system must not evaluate, such as a quotient by zero without a check.
    """

    errors: dict[ts.Check, list[tuple[str, ts.Edge]]] = field(default_factory=dict)
    complete: bool = True
    states: int = 0
    evaluated: set[str] = field(default_factory=set)


class _OpenError(Exception):
    """The value of *variable* (of its element *index*) is needed, and open."""

    def __init__(self, variable: ts.Variable, index: int | None) -> None:
        super().__init__(variable.name)
        self.variable, self.index = variable, index


class UndefinedError(Exception):
    """The system evaluates what has no value, without a check before it."""


def wrapped(value: int, scalar: ts.Scalar) -> int:
    """*value* modulo 2^width, within the type."""
    if scalar.width == 0:
        return value
    value &= (1 << scalar.width) - 1
    return value - (1 << scalar.width) if scalar.signed and value > scalar.greatest else value


class _Running:
    """One thread in the middle of an edge. The state is changed in place."""

    def __init__(self, world: _World, state: State, position: int) -> None:
        self.world = world
        self.shared = list(state.shared)
        self.others = [thread for number, thread in enumerate(state.threads) if number != position]
        self.template, self.location, values = state.threads[position]
        self.locals = list(values)
        self.created = state.created

    def copy(self) -> _Running:
        new = object.__new__(_Running)
        new.world, new.template, new.location, new.created = self.world, self.template, self.location, self.created
        new.shared, new.others, new.locals = list(self.shared), list(self.others), list(self.locals)
        return new

    # Values

    def _place(self, variable: ts.Variable) -> tuple[list[Value], int]:
        if variable.is_shared:
            return self.shared, self.world.shared[variable.name]
        return self.locals, self.world.locals[self.template][variable.name]

    def get(self, variable: ts.Variable, index: int | None = None) -> int:
        values, position = self._place(variable)
        value = values[position]
        if index is not None:
            assert isinstance(value, tuple)
            if not 0 <= index < len(value):
                raise UndefinedError(f"element {index} of {variable.name}")
            value = value[index]
        if value is None:
            raise _OpenError(variable, index)
        assert isinstance(value, int)
        return value

    def set(self, variable: ts.Variable, index: int | None, value: int | None) -> None:
        values, position = self._place(variable)
        if index is None:
            values[position] = value
            return
        whole = values[position]
        assert isinstance(whole, tuple)
        if not 0 <= index < len(whole):
            raise UndefinedError(f"element {index} of {variable.name}")
        values[position] = (*whole[:index], value, *whole[index + 1 :])

    def target(self, place: ts.Read | ts.Element) -> tuple[ts.Variable, int | None]:
        if isinstance(place, ts.Read):
            return place.variable, None
        return place.array, self.value(place.index)

    def value(self, expression: ts.Expression) -> int:
        """The value of *expression*. Raises _OpenError, UndefinedError."""
        match expression:
            case ts.Number(value, type_):
                if wrapped(value, type_) != value:
                    raise UndefinedError(f"the number {value} is not within its type")
                return value
            case ts.Read(variable):
                return self.get(variable)
            case ts.Element(array, index):
                return self.get(array, self.value(index))
            case ts.Convert(operand, type_):
                value = self.value(operand)
                return int(value != 0) if type_ == ts.BOOL else wrapped(value, type_)
            case ts.Choose(condition, then, otherwise):
                return self.value(then if self.value(condition) else otherwise)
            case ts.Apply(ts.Operator.AND, operands):
                return int(all(self.value(operand) for operand in operands))
            case ts.Apply(ts.Operator.OR, operands):
                return int(any(self.value(operand) for operand in operands))
            case ts.Apply(operator, operands, type_):
                values = [self.value(operand) for operand in operands]
                return wrapped(_applied(operator, values, type_), type_)
        raise AssertionError(expression)

    # The end of the edge

    def state(self, target: int) -> State:
        threads = list(self.others)
        if self.world.goes_on(self.template, target):
            threads.append((self.template, target, tuple(self.locals)))
        return State(tuple(self.shared), tuple(sorted(threads, key=_order)), self.created)


def _order(thread: Thread) -> tuple[int, int, str]:
    return thread[0], thread[1], repr(thread[2])


def _applied(operator: ts.Operator, values: list[int], type_: ts.Scalar) -> int:
    a, b = values[0], values[-1]
    match operator:
        case ts.Operator.ADD:
            return sum(values)
        case ts.Operator.SUB:
            return a - b
        case ts.Operator.MUL:
            return a * b
        case ts.Operator.DIV | ts.Operator.REM:
            if b == 0:
                raise UndefinedError("a quotient by zero")
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if operator is ts.Operator.DIV else a - b * quotient
        case ts.Operator.NEG:
            return -a
        case ts.Operator.BIT_AND:
            return a & b
        case ts.Operator.BIT_OR:
            return a | b
        case ts.Operator.BIT_XOR:
            return a ^ b
        case ts.Operator.BIT_NOT:
            return ~a
        case ts.Operator.SHL | ts.Operator.SHR:
            if not 0 <= b < type_.width:
                raise UndefinedError(f"a shift by {b}")
            return a << b if operator is ts.Operator.SHL else a >> b
        case ts.Operator.NOT:
            return int(not a)
    return int({
        ts.Operator.EQ: a == b, ts.Operator.NE: a != b, ts.Operator.LT: a < b,
        ts.Operator.LE: a <= b, ts.Operator.GT: a > b, ts.Operator.GE: a >= b,
    }[operator])  # fmt: skip


_MOST_ALONE = 17


class _World:
    """The system, with what is looked up often. most: how many values are tried of an open one."""

    def __init__(self, system: ts.System, most: int) -> None:
        self.system = system
        self.most = most
        self.shared = {variable.name: number for number, variable in enumerate(system.shared)}
        self.locals = [
            {variable.name: number for number, variable in enumerate(template.locals)} for template in system.templates
        ]
        self._numbers = {template.name: number for number, template in enumerate(system.templates)}
        self.edges: dict[tuple[int, int], list[ts.Edge]] = {}
        for number, template in enumerate(system.templates):
            for edge in template.edges:
                self.edges.setdefault((number, edge.source), []).append(edge)
        self._constants = sorted(_constants(system), key=abs)
        self.found = Found()
        self.acted, self.most_acted = 0, sys.maxsize

    def goes_on(self, template: int, location: int) -> bool:
        return (template, location) in self.edges

    def first(self) -> State:
        shared = tuple(_initial(variable, self.system.initial.get(variable.name)) for variable in self.system.shared)
        return State(shared, (self._begun(self.system.main, {}, 0),))

    def _begun(self, template: ts.Template, arguments: dict[str, int], created: int) -> Thread:
        values: list[Value] = []
        for variable in template.locals:
            value = _initial(variable, None)
            if variable.name in arguments:
                value = arguments[variable.name]
            if template.identity is not None and variable.name == template.identity.name:
                # The builder's threads assume that theirs are greater than those of templates with one thread.
                value = template.number if template.number is not None else _MOST_ALONE + created
            values.append(value)
        return self._numbers[template.name], template.start, tuple(values)

    def _tried(self, scalar: ts.Scalar) -> list[int]:
        if scalar.width > 0 and 1 << scalar.width <= self.most:
            return list(range(scalar.least, scalar.greatest + 1))
        self.found.complete = False
        ends = [scalar.least, scalar.greatest] if scalar.width else []
        near = [0, 1, -1, *(value + step for value in self._constants for step in (0, 1, -1)), 2, 3]
        fit = [value for value in near if wrapped(value, scalar) == value]
        return list(dict.fromkeys([*ends, *fit]))[: self.most]

    def steps(self, state: State, position: int, edge: ts.Edge) -> Iterator[State]:
        """The states after *edge*; failures are noted in `failed`."""
        self.failed: list[ts.Check] = []
        work = [(_Running(self, state, position), 0)]
        while work:
            self.acted += 1
            if self.acted > self.most_acted:
                self.found.complete = False
                return
            running, number = work.pop()
            if number == len(edge.actions):
                yield running.state(edge.target)
                continue
            try:
                if self._acted(running, edge, number):
                    work.append((running, number + 1))
            except _OpenError as needed:
                scalar = needed.variable.type
                for value in self._tried(scalar.element if isinstance(scalar, ts.Array) else scalar):
                    decided = running.copy()
                    decided.set(needed.variable, needed.index, value)
                    work.append((decided, number))
            except UndefinedError as error:
                self.found.evaluated.add(str(error))

    def _acted(self, running: _Running, edge: ts.Edge, number: int) -> bool:
        """Do an action; whether the edge goes on. Nothing is changed where it raises."""
        match edge.actions[number]:
            case ts.Assign(target, value):
                variable, index = running.target(target)
                running.set(variable, index, running.value(value))
            case ts.Havoc(target):
                variable, index = running.target(target)
                running.set(variable, index, None)
            case ts.Assume(condition):
                return bool(running.value(condition))
            case ts.Check(condition) as check:
                if not running.value(condition):
                    self.failed.append(check)
                    return False
            case ts.Create(name, arguments):
                template = self.system.template(name)
                values = {variable.name: running.value(value) for variable, value in arguments}
                if not template.is_replicated and any(thread[0] == self._numbers[name] for thread in running.others):
                    raise UndefinedError(f"a second thread of {name}")
                if template.identity is not None and template.is_replicated:
                    running.created += 1
                thread = self._begun(template, values, running.created)
                if self.goes_on(thread[0], thread[1]):
                    running.others.append(thread)
        return True


def _initial(variable: ts.Variable, value: int | tuple[int, ...] | None) -> Value:
    if isinstance(variable.type, ts.Array) and not isinstance(value, tuple):
        return (value,) * variable.type.length
    return value


def _constants(system: ts.System) -> set[int]:
    every = (part for template in system.templates for edge in template.edges for action in edge.actions
             for expression in ts.expressions(action) for part in ts.parts(expression))  # fmt: skip
    return {part.value for part in every if isinstance(part, ts.Number)}


def explore(system: ts.System, limit: int = 20_000, most: int = 8, first: bool = True) -> Found:
    """All executions of *system*, in breadth; up to *limit* states.

    most: the values that are tried of one that is open. first: whether to stop at the first error.
    """
    world = _World(system, most)
    world.most_acted = _ACTIONS * limit
    found = world.found
    start = world.first()
    known: dict[State, tuple[State, str, ts.Edge] | None] = {start: None}
    work = [start]
    for state in work:
        for position, (template, location, _) in enumerate(state.threads):
            if position and state.threads[position - 1] == state.threads[position]:
                continue  # an equal thread has made the same steps
            for edge in world.edges.get((template, location), ()):
                step = state, system.templates[template].name, edge
                for after in world.steps(state, position, edge):
                    if after not in known:
                        known[after] = step
                        work.append(after)
                for check in world.failed:
                    found.errors.setdefault(check, _path(known, step))
                if found.errors and first:
                    found.states = len(known)
                    return found
        if len(known) > limit or world.acted > world.most_acted:
            found.complete = False
            break
    found.states = len(known)
    return found


def _path(
    known: dict[State, tuple[State, str, ts.Edge] | None], last: tuple[State, str, ts.Edge]
) -> list[tuple[str, ts.Edge]]:
    path = [(last[1], last[2])]
    step = known[last[0]]
    while step is not None:
        path.append((step[1], step[2]))
        step = known[step[0]]
    return path[::-1]


def walk(
    system: ts.System,
    seed: int,
    walks: int = 50,
    steps: int = 200,
    most: int = 16,
    visit: Callable[[State], None] = lambda _: None,
) -> Found:
    """Random executions of *system*, each of at most *steps* edges. *visit* is called with each state."""
    world, rng = _World(system, most), random.Random(seed)
    found = world.found
    for _ in range(walks):
        state, path = world.first(), list[tuple[str, ts.Edge]]()
        for _ in range(steps):
            ways = [
                (position, edge)
                for position, (template, location, _) in enumerate(state.threads)
                for edge in world.edges.get((template, location), ())
            ]
            rng.shuffle(ways)
            for position, edge in ways:
                step = system.templates[state.threads[position][0]].name, edge
                after = list(world.steps(state, position, edge))
                for check in world.failed:
                    found.errors.setdefault(check, [*path, step])
                if after:
                    state = rng.choice(after)
                    visit(state)
                    path.append(step)
                    break
            else:
                break
        found.states += len(path)
    found.complete = False
    return found
