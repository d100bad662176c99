"""The same system with more in its locations, or in its shared variables, so that counters say more.

`unfolded` puts the flags of threads into their locations: how many threads have succeeded in taking a lock is then how
many stand at some locations. `exposed` makes the locals of threads that there are one of shared ghosts, so that
invariants of other threads can speak of them. Neither changes what threads can do.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.live_locals import live_locals

MOST_VALUES = 3
"""A local with more constants than this is no flag."""
MOST_FLAGS = 2
"""So many flags are put into a location at most."""

Flags = tuple[tuple[ts.Variable, int], ...]
"""The values of flags."""


def unfolded(system: ts.System) -> ts.System:
    """The system with a location for each combination of values of flags that matter there, in replicated threads.

    A flag is a local that is only ever a constant or a truth value.
    """
    return replace(
        system,
        templates=[
            _unfolded(system, template) if template.is_replicated else template for template in system.templates
        ],
    )


def _unfolded(system: ts.System, template: ts.Template) -> ts.Template:
    flags = _flags(system, template)
    live = live_locals(template)
    split = {
        location: [flag for flag in flags if flag in live[location]][:MOST_FLAGS] if location != template.start else []
        for location in template.locations
    }
    if not any(split.values()):
        return template
    numbers: dict[tuple[int, Flags], int] = {}
    locations: dict[int, ts.Location] = {}
    for location, here in split.items():
        for values in _valuations(here, flags):
            number = location if location == template.start else len(template.locations) + len(numbers) + template.start
            while number in locations:
                number += 1
            numbers[location, values] = number
            locations[number] = replace(template.locations[location], number=number)
    edges = [
        replace(
            edge,
            source=numbers[edge.source, before],
            target=numbers[edge.target, after],
            actions=(*map(_has, before), *edge.actions, *map(_has, after)),
        )
        for edge in template.edges
        for before in _valuations(split[edge.source], flags)
        for after in _valuations(split[edge.target], flags)
        if _can_be(edge, dict(before), dict(after))
    ]
    return replace(template, locations=locations, edges=edges, start=numbers[template.start, ()])


def _flags(system: ts.System, template: ts.Template) -> dict[ts.Variable, list[int]]:
    """The flags of a template, and their values. A flag that is an argument may have others, so it is none."""
    given = {
        variable
        for other in system.templates
        for edge in other.edges
        for action in edge.creations
        for variable, _ in action.arguments
    }
    flags: dict[ts.Variable, list[int]] = {}
    at_start = live_locals(template)[template.start]
    for variable in template.locals:
        if variable.type == ts.BOOL:
            flags[variable] = [0, 1]
        elif isinstance(variable.type, ts.Scalar) and variable not in {*given, *at_start, template.identity}:
            values = _constants(template, variable)
            if values is not None and 2 <= len(values) <= MOST_VALUES:
                flags[variable] = sorted(values)
    return flags


def _constants(template: ts.Template, variable: ts.Variable) -> set[int] | None:
    """The constants that are stored in a local, or None if anything else is."""
    values: set[int] = set()
    for edge in template.edges:
        for action in edge.actions:
            if isinstance(action, ts.Havoc) and action.target == ts.Read(variable):
                return None
            if isinstance(action, ts.Assign) and action.target == ts.Read(variable):
                stored = list(_stored(action.value))
                if None in stored:
                    return None
                values |= {value for value in stored if value is not None}
    return values


def _stored(value: ts.Expression) -> Iterator[int | None]:
    match value:
        case ts.Number(number):
            yield number
        case ts.Choose(_, then, otherwise):
            yield from _stored(then)
            yield from _stored(otherwise)
        case ts.Convert(operand, ts.Scalar(width)) if operand.type == ts.BOOL and width != 0:
            yield from (0, 1)
        case _:
            yield None


def _valuations(here: list[ts.Variable], flags: dict[ts.Variable, list[int]]) -> Iterator[Flags]:
    if not here:
        yield ()
        return
    for value in flags[here[0]]:
        for rest in _valuations(here[1:], flags):
            yield ((here[0], value), *rest)


def _has(flag: tuple[ts.Variable, int]) -> ts.Assume:
    """That a flag has a value. Edges that differ in it alone begin alike, and one of them goes on."""
    variable, value = flag
    assert isinstance(variable.type, ts.Scalar)
    return ts.Assume(ts.Apply(ts.Operator.EQ, (ts.Read(variable), ts.Number(value, variable.type)), ts.BOOL))


def _can_be(edge: ts.Edge, before: dict[ts.Variable, int], after: dict[ts.Variable, int]) -> bool:
    """Whether an edge may lead from some values of flags to others, as far as one can see."""
    values = dict(before)
    for action in edge.actions:
        if isinstance(action, ts.Assume) and _constant(action.condition, values) == 0:
            return False
        if isinstance(action, ts.Assign | ts.Havoc) and isinstance(action.target, ts.Read):
            value = _constant(action.value, values) if isinstance(action, ts.Assign) else None
            values.pop(action.target.variable, None)
            if value is not None:
                values[action.target.variable] = value
    return all(values.get(variable, value) == value for variable, value in after.items())


def _constant(expression: ts.Expression, values: dict[ts.Variable, int]) -> int | None:
    """The value of an expression that is made of constants, flags, comparisons and connectives."""
    match expression:
        case ts.Number(value):
            return value
        case ts.Read(variable):
            return values.get(variable)
        case ts.Convert(operand, type_):
            converted = _constant(operand, values)
            if converted is None or type_ == ts.BOOL:
                return converted if converted is None else int(converted != 0)
            return converted if type_.width == 0 or type_.least <= converted <= type_.greatest else None
        case ts.Apply(ts.Operator.NOT, (operand,)):
            negated = _constant(operand, values)
            return None if negated is None else int(not negated)
        case ts.Apply(sign, (left, right)) if sign in _EVALUATED:
            one, other = _constant(left, values), _constant(right, values)
            return None if one is None or other is None else _EVALUATED[sign](one, other)
    return None


_EVALUATED: dict[ts.Operator, Callable[[int, int], int]] = {
    ts.Operator.EQ: operator.eq,
    ts.Operator.NE: operator.ne,
    ts.Operator.LT: operator.lt,
    ts.Operator.LE: operator.le,
    ts.Operator.GT: operator.gt,
    ts.Operator.GE: operator.ge,
    ts.Operator.AND: operator.and_,
    ts.Operator.OR: operator.or_,
}


def exposed(system: ts.System) -> ts.System:
    """The system with scalar locals of templates that are not replicated as shared variables.

    Those that are assigned before they are read begin with zero, which has no effect.
    """
    fresh: dict[ts.Variable, ts.Variable] = {}
    initial = dict(system.initial)
    for template in system.templates:
        if template.is_replicated:
            continue
        at_start = live_locals(template)[template.start]
        for variable in template.locals:
            if isinstance(variable.type, ts.Scalar) and variable != template.identity:
                fresh[variable] = replace(variable, template=None)
                if variable not in at_start:
                    initial[variable.name] = 0
    return replace(
        system,
        shared=[*system.shared, *fresh.values()],
        initial=initial,
        templates=[
            replace(
                template,
                locals=[variable for variable in template.locals if variable not in fresh],
                edges=[
                    replace(edge, actions=tuple(new for action in edge.actions for new in _renamed(action, fresh)))
                    for edge in template.edges
                ],
            )
            for template in system.templates
        ],
    )


def _renamed(action: ts.Action, fresh: dict[ts.Variable, ts.Variable]) -> Iterator[ts.Action]:
    match action:
        case ts.Assign(target, value):
            yield ts.Assign(_place(target, fresh), _expression(value, fresh))
        case ts.Havoc(target):
            yield ts.Havoc(_place(target, fresh))
        case ts.Assume(condition):
            yield ts.Assume(_expression(condition, fresh))
        case ts.Check(condition):
            yield replace(action, condition=_expression(condition, fresh))
        case ts.Create(arguments=arguments):
            for variable, value in arguments:
                if variable in fresh:
                    yield ts.Assign(ts.Read(fresh[variable]), _expression(value, fresh))
            kept = tuple(
                (variable, _expression(value, fresh)) for variable, value in arguments if variable not in fresh
            )
            yield replace(action, arguments=kept)


def _place(target: ts.Read | ts.Element, fresh: dict[ts.Variable, ts.Variable]) -> ts.Read | ts.Element:
    if isinstance(target, ts.Read):
        return ts.Read(fresh.get(target.variable, target.variable))
    return ts.Element(target.array, _expression(target.index, fresh))


def _expression(expression: ts.Expression, fresh: dict[ts.Variable, ts.Variable]) -> ts.Expression:
    match expression:
        case ts.Read() | ts.Element():
            return _place(expression, fresh)
        case ts.Apply(sign, operands, type_):
            return ts.Apply(sign, tuple(_expression(operand, fresh) for operand in operands), type_)
        case ts.Convert(operand, type_):
            return ts.Convert(_expression(operand, fresh), type_)
        case ts.Choose(condition, then, otherwise):
            return ts.Choose(*(_expression(part, fresh) for part in (condition, then, otherwise)))
        case ts.Number():
            return expression
