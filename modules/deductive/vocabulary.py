"""What invariants may speak of: for each location, its variables, guards, sums that may have bounds, and constants."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

from cseq.modules.analysis.dataflow import reachable
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.regions import Point, Sum, total

MOST_CONSTANTS = 60
MOST_VALUES = 4
"""A variable with more constants than this is no lock and no flag."""
MOST_GUARDS = 12
MOST_PAIRED = 12
"""So many variables are compared with each other at most."""


@dataclass(frozen=True)
class Guard:
    """A condition: that a sum is equal to (sign `=`) or at most (sign `<`) a value."""

    terms: Sum = ()
    value: int = 0
    sign: str = "="

    def holds(self, point: Point) -> bool:
        """Whether it holds of a state."""
        number = total(self.terms, point)
        return number == self.value if self.sign == "=" else number <= self.value


@dataclass(frozen=True)
class Frame:
    """What the invariant of a location may speak of. Sums are of *variables*; the first guard always holds."""

    variables: tuple[ts.Variable, ...]
    guards: tuple[Guard, ...]
    bounded: tuple[Sum, ...]
    unequal: tuple[Sum, ...]


class Vocabulary:
    """The frames of a system's locations, and the constants that bounds can be.

    wide: whether the comparisons that the program makes are guards, too, and not only locks and flags.
    """

    def __init__(self, system: ts.System, wide: bool) -> None:
        self._system = system
        self._ghosts = frozenset(system.population.values())
        actions = [action for template in system.templates for edge in template.edges for action in edge.actions]
        every = [expression for action in actions for expression in ts.expressions(action)]
        self._read = {variable for expression in every for variable in ts.read(expression)}
        self.thresholds = _thresholds(system, every)
        self._controls = _controls(system)
        self._after = dict(_after(system))
        self._comparisons = list(dict.fromkeys(_comparisons(every))) if wide else []

    def frame(self, template: ts.Template, location: int, live: frozenset[ts.Variable]) -> Frame:
        """What the invariant of a location may speak of, where the locals *live* still matter."""
        shared = [variable for variable in self._system.shared if isinstance(variable.type, ts.Scalar)]
        variables = tuple(
            [variable for variable in shared if variable in self._read]
            + [
                variable
                for variable in template.locals
                if (variable in live or variable == template.identity) and isinstance(variable.type, ts.Scalar)
            ]
        )
        index = {variable: number for number, variable in enumerate(variables)}
        mine = [v for v in variables if v not in self._ghosts and v.type != ts.BOOL and v != template.identity]
        paired = mine if len(mine) <= MOST_PAIRED else []
        bounded: list[Sum] = [((sign, index[variable]),) for variable in mine for sign in (1, -1)]
        bounded += [((1, index[variable]),) for variable in variables if variable in self._ghosts]
        bounded += [((1, index[one]), (-1, index[other])) for one, other in permutations(paired, 2)]
        bounded += self._against_counters(index)
        unequal: list[Sum] = [((1, index[variable]),) for variable in mine]
        unequal += [
            ((1, index[one]), (-1, index[other])) for one, other in permutations(paired, 2) if one.name < other.name
        ]
        return Frame(variables, (Guard(), *self._guards(template, index)), tuple(bounded), tuple(unequal))

    def _against_counters(self, index: dict[ts.Variable, int]) -> Iterator[Sum]:
        """Shared variables less the number of threads of a template: of all, or of those after it was changed."""
        for (variable, _), counters in self._after.items():
            if variable in index:
                for sign in (1, -1):
                    yield ((sign, index[variable]), *((-sign, index[counter]) for counter in counters))

    def _guards(self, template: ts.Template, index: dict[ts.Variable, int]) -> Iterator[Guard]:
        guards: list[Guard] = []
        for variable, values in self._controls.items():
            if variable not in index:
                continue
            guards += [Guard(((1, index[variable]),), value) for value in sorted(values.constants)]
            if template.identity in index:
                less = ((1, index[variable]), (-1, index[template.identity]))
                guards += [Guard(less, offset) for offset in sorted(values.offsets)]
        yield from guards[:MOST_GUARDS]
        compared: list[Guard] = []
        for linear, least in self._comparisons:
            if all(variable in index for variable, _ in linear):
                terms = tuple((factor, index[variable]) for variable, factor in linear)
                negated = tuple((-factor, position) for factor, position in terms)
                compared += [Guard(negated, -least, "<"), Guard(terms, least - 1, "<")]
        yield from list(dict.fromkeys(compared))[:MOST_GUARDS]


Linear = tuple[tuple[ts.Variable, int], ...]
"""A sum of variables, each with its coefficient."""


def _comparisons(every: Iterable[ts.Expression]) -> Iterator[tuple[Linear, int]]:
    """The comparisons of linear sums that occur: the sum, and the least value for which it holds, or else does not."""
    for expression in every:
        for part in ts.parts(expression):
            if isinstance(part, ts.Apply) and part.operator in _ORDERS:
                left, right = (_linear(operand) for operand in part.operands)
                if left is None or right is None:
                    continue
                strict = part.operator in (ts.Operator.GT, ts.Operator.LE)
                sums = {key: left.get(key, 0) - right.get(key, 0) for key in left | right}
                constant = sums.pop(None, 0)
                linear = tuple((variable, factor) for variable, factor in sums.items() if variable and factor)
                if linear:
                    yield linear, -constant + strict


_ORDERS = frozenset({ts.Operator.LT, ts.Operator.LE, ts.Operator.GT, ts.Operator.GE})


def _linear(expression: ts.Expression) -> dict[ts.Variable | None, int] | None:
    """An expression as a linear sum: coefficients of variables, and the constant, which belongs to None."""
    match expression:
        case ts.Number(value):
            return {None: value}
        case ts.Read(variable):
            return {variable: 1}
        case ts.Convert(operand, type_) if ts.BOOL not in (type_, operand.type):
            return _linear(operand)
        case ts.Apply(ts.Operator.ADD | ts.Operator.SUB as sign, (left, right)):
            one, other = _linear(left), _linear(right)
            if one is None or other is None:
                return None
            factor = 1 if sign is ts.Operator.ADD else -1
            return {key: one.get(key, 0) + factor * other.get(key, 0) for key in one | other}
    return None


@dataclass
class _Values:
    """What is stored in a variable: constants, and the thread's identity plus one of *offsets*."""

    constants: set[int]
    offsets: set[int]


def _controls(system: ts.System) -> dict[ts.Variable, _Values]:
    """The shared variables that are locks or flags."""
    found: dict[ts.Variable, _Values] = {}
    ghosts = frozenset(system.population.values())
    for variable in system.shared:
        if isinstance(variable.type, ts.Scalar) and variable not in ghosts:
            initial = system.initial.get(variable.name)
            constants = {initial} if isinstance(initial, int) else set()
            found[variable] = _Values({0, 1} if variable.type == ts.BOOL else constants, set())
    for template in system.templates:
        for edge in template.edges:
            for action in edge.actions:
                variable_ = ts.written(action)
                if variable_ is None or variable_.type == ts.BOOL or variable_ not in found:
                    continue
                if isinstance(action, ts.Havoc) or not _collect(action.value, template, found[variable_]):  # type: ignore[union-attr]
                    del found[variable_]
    return {variable: values for variable, values in found.items() if len(values.constants) <= MOST_VALUES}


def _collect(value: ts.Expression, template: ts.Template, values: _Values, offset: int = 0) -> bool:
    """Take in what is stored; whether it is a constant or has to do with the thread's identity."""
    match value:
        case ts.Number(number):
            values.constants.add(number + offset)
            return True
        case ts.Read(variable) if variable == template.identity:
            values.offsets.add(offset)
            return True
        case ts.Convert(operand) if operand.type != ts.BOOL:
            return _collect(operand, template, values, offset)
        case ts.Choose(_, then, otherwise):
            return _collect(then, template, values, offset) and _collect(otherwise, template, values, offset)
        case ts.Apply(ts.Operator.ADD, (operand, ts.Number(number))):
            return _collect(operand, template, values, offset + number)
    return False


def _thresholds(system: ts.System, every: Iterable[ts.Expression]) -> list[int]:
    """The constants that occur, and those next to them."""
    constants = {part.value for expression in every for part in ts.parts(expression) if isinstance(part, ts.Number)}
    constants |= {value for value in system.initial.values() if isinstance(value, int)}
    constants = set(sorted(constants, key=abs)[:MOST_CONSTANTS]) | {0, 1}
    return sorted(
        {near for constant in constants for value in (constant, -constant) for near in (value - 1, value, value + 1)}
    )


def _after(system: ts.System) -> Iterator[tuple[tuple[ts.Variable, str], tuple[ts.Variable, ...]]]:
    """For shared variables and replicated templates: the counters of where threads stand after they changed it."""
    ghosts = frozenset(system.population.values())
    for template in system.templates:
        if not template.is_replicated:
            continue
        counters = {location: system.population.get((template.name, location)) for location in template.locations}
        everywhere = _in_order(counters.values())
        writers: dict[ts.Variable, set[int]] = {}
        successors: dict[int, list[int]] = {location: [] for location in template.locations}
        for edge in template.edges:
            successors[edge.source].append(edge.target)
            for action in edge.actions:
                variable = ts.written(action)
                if variable and variable.is_shared and variable not in ghosts and isinstance(variable.type, ts.Scalar):
                    writers.setdefault(variable, set()).add(edge.target)
        for variable in system.shared:
            if variable in ghosts or not isinstance(variable.type, ts.Scalar) or variable.type == ts.BOOL:
                continue
            yield (variable, f"{template.name} everywhere"), everywhere
            if variable in writers:
                reached = reachable(successors.__getitem__, writers[variable])
                after = _in_order(counters[location] for location in reached)
                if after != everywhere:
                    yield (variable, template.name), after


def _in_order(counters: Iterable[ts.Variable | None]) -> tuple[ts.Variable, ...]:
    return tuple(sorted({counter for counter in counters if counter is not None}, key=lambda counter: counter.name))
