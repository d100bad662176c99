"""What is known of the variables of a system before it is proved: those with few values, those that are never read.

A variable that only ever has one value is a constant, and a branch that no value leads to is not there. So the parts
of the library's models that a program makes no use of, such as recursive mutexes, cost nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from cseq.modules.analysis.dataflow import Solution, UseDef, live_variables
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import FALSE, MOST, TRUE, Values, possible, simplified
from cseq.modules.deductive.encode.flow import Flow, FlowStep
from cseq.modules.deductive.live_locals import Locals, without_dead

_ANY_BOOL: Values = frozenset({0, 1})

Flows = Mapping[str, Flow]
"""The flows of templates, by name; the first is main's."""
Initial = Mapping[str, int | tuple[int, ...]]


def tidied(flows: Flows, initial: Initial, read: Collection[ts.Variable] = ()) -> None:
    """Simplify *flows* in place. initial: as in `System`. read: variables that what is written later reads."""
    for _ in range(3):
        for flow in flows.values():
            _drop_dead(flow)
        _evaluate(flows, initial)
        _drop_unread(flows, read)


# Values


class _Search:
    """The values that variables may have, in the system that *flows* are of.

    May, without regard to order: one set for each variable, under union, from the actions and the branches that the
    values found so far make possible (sparse conditional constants: Wegman, Zadeck, TOPLAS 1991). Sets of more than
    `MOST` values are unknown. A step is looked at again when a variable that it reads has more values.
    """

    def __init__(self, flows: Flows, initial: Initial) -> None:
        self.known: dict[ts.Variable, Values] = {}
        self._flows = flows
        self._initial = initial
        self._any: set[ts.Variable] = set()
        for name, flow in flows.items():
            given = {variable for one in flows.values() for variable in _given(one, name)}
            self._any |= _live_at_entry(flow) - given
        self._readers: dict[ts.Variable, list[FlowStep]] = {}
        self._reached: set[FlowStep] = set()
        self._waiting: dict[FlowStep, None] = {}
        self._reach(next(iter(flows.values())).entry)
        while self._waiting:
            self._visit(self._waiting.popitem()[0])

    def _reach(self, step: FlowStep) -> None:
        if step not in self._reached:
            self._reached.add(step)
            self._waiting[step] = None
            values = [value for action in step.actions for value in ts.expressions(action)]
            for variable in {one for value in (*values, *(value for value, _ in step.next)) for one in ts.read(value)}:
                self._readers.setdefault(variable, []).append(step)

    def _visit(self, step: FlowStep) -> None:
        known = _Known(self)
        for action in step.actions:
            self._act(action, known)
        for condition, after in step.next:
            values = possible(condition, known)
            if values is None or 1 in values:
                self._reach(after)

    def of(self, variable: ts.Variable) -> Values:
        """The values found for *variable* so far; those that it begins with, if it was not asked for yet."""
        if variable not in self.known:
            values: Values = frozenset()
            if variable in self._any or (variable.template is not None and isinstance(variable.type, ts.Array)):
                values = None
            elif variable.is_shared:
                first = self._initial.get(variable.name)
                values = None if first is None else frozenset(first if isinstance(first, tuple) else (first,))
            if values is None and variable.type == ts.BOOL:
                values = _ANY_BOOL
            self.known[variable] = values
        return self.known[variable]

    def _add(self, variable: ts.Variable, values: Values) -> None:
        old = self.of(variable)
        if old is None or (values is not None and values <= old):
            return
        type_ = variable.type.element if isinstance(variable.type, ts.Array) else variable.type
        if values is None and type_ == ts.BOOL:
            values = _ANY_BOOL
        new = None if values is None or len(old | values) > MOST else old | values
        if new != old:
            self.known[variable] = new
            self._waiting.update(dict.fromkeys(self._readers.get(variable, ())))

    def _act(self, action: ts.Action, known: _Known) -> None:
        match action:
            case ts.Assign(target, value):
                self._add(_variable(target), possible(value, known))
            case ts.Havoc(target):
                self._add(_variable(target), None)
            case ts.Create(template, arguments):
                self._reach(self._flows[template].entry)
                for variable, value in arguments:
                    self._add(variable, possible(value, known))


class _Known(dict[ts.Variable, Values]):
    """What a search knows, as a mapping."""

    def __init__(self, search: _Search) -> None:
        super().__init__()
        self._search = search

    def get(self, variable: ts.Variable, default: Any = None) -> Values:
        return self._search.of(variable)


def _variable(target: ts.Read | ts.Element) -> ts.Variable:
    return target.variable if isinstance(target, ts.Read) else target.array


def _given(flow: Flow, template: str) -> Iterator[ts.Variable]:
    """The locals of *template* that the creations in *flow* give a value."""
    for step in flow.nodes():
        for action in step.actions:
            if isinstance(action, ts.Create) and action.template == template:
                yield from (variable for variable, _ in action.arguments)


def _evaluate(flows: Flows, initial: Initial) -> None:
    search = _Search(flows, initial)
    known = _Known(search)
    for flow in flows.values():
        for step in flow.nodes():
            step.actions = [new for action in step.actions if (new := _simplified(action, known)) is not None]
            conditions = [(simplified(condition, known), after) for condition, after in step.next]
            step.next = [(condition, after) for condition, after in conditions if condition != FALSE]


def _simplified(action: ts.Action, known: _Known) -> ts.Action | None:
    match action:
        case ts.Assign(ts.Read(variable)) if (values := known.get(variable)) is not None and len(values) == 1:
            return None  # it is not read any more
    new = ts.with_expressions(action, lambda expression: simplified(expression, known))
    return None if isinstance(new, ts.Assume | ts.Check) and new.condition == TRUE else new


# Reads


def _drop_unread(flows: Flows, read: Collection[ts.Variable]) -> None:
    """Drop what is stored in variables that are never read, not even later, as *read* are."""
    while True:
        used = {*read, *(variable for flow in flows.values() for variable in _read_elsewhere(flow))}
        changed = False
        for flow in flows.values():
            for step in flow.nodes():
                kept = [action for action in step.actions if (to := ts.written(action)) is None or to in used]
                kept = [_with_read_arguments(action, used) for action in kept]
                changed = changed or kept != step.actions
                step.actions = kept
        if not changed:
            return


def _read_elsewhere(flow: Flow) -> Iterator[ts.Variable]:
    """The variables that a thread reads other than to change them."""
    for step in flow.nodes():
        for action in step.actions:
            own = (
                action.target.variable if isinstance(action, ts.Assign) and isinstance(action.target, ts.Read) else None
            )
            yield from (one for expression in ts.expressions(action) for one in ts.read(expression) if one != own)
        for condition, _ in step.next:
            yield from ts.read(condition)


def _with_read_arguments(action: ts.Action, used: set[ts.Variable]) -> ts.Action:
    if not isinstance(action, ts.Create):
        return action
    return ts.Create(action.template, tuple(pair for pair in action.arguments if pair[0] in used), action.origin)


def _live(flow: Flow) -> tuple[Locals, Solution[FlowStep, int]]:
    numbers = Locals()
    in_steps = {step: numbers.of_actions(step.actions) for step in flow.nodes()}
    return numbers, live_variables(flow, in_steps.__getitem__, lambda condition: [UseDef(numbers.used([condition]))])


def _live_at_entry(flow: Flow) -> set[ts.Variable]:
    numbers, live = _live(flow)
    return set(numbers.elements(live.before[flow.entry]))


def _drop_dead(flow: Flow) -> None:
    """Drop what is stored in locals that are not read afterwards."""
    numbers, live = _live(flow)
    for step, needed in numbers.at(live.after).items():
        step.actions = without_dead(step.actions, needed)
