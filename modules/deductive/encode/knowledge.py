"""What is known of the variables of a system before it is proved: those with few values, those that nobody reads.

A variable that only ever has one value is a constant, and a branch that no value leads to is not there. So the parts
of the library's models that a program makes no use of, such as recursive mutexes, cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cseq.modules.deductive.encode.algebra import FALSE, TRUE, Values, possible, simplified
from cseq.modules.deductive.encode.flow import Flow, Step
from cseq.modules.deductive.transitions import (
    BOOL,
    Action,
    Array,
    Assign,
    Assume,
    Check,
    Create,
    Element,
    Havoc,
    Read,
    Variable,
    expressions,
    read,
    with_expressions,
    written,
)

_ANY_BOOL: Values = frozenset({0, 1})

Flows = Mapping[str, Flow]
"""The flows of templates, by name; the first is main's."""
Initial = Mapping[str, int | tuple[int, ...]]


def tidied(flows: Flows, initial: Initial) -> None:
    """Simplify *flows* in place. initial: as in `System`."""
    for _ in range(3):
        for flow in flows.values():
            _drop_dead(flow)
        _evaluate(flows, initial)
        _drop_unread(flows)


# Values


class _Search:
    """The values that variables may have, in the system that *flows* are of."""

    def __init__(self, flows: Flows, initial: Initial) -> None:
        self.known: dict[Variable, Values] = {}
        self._flows = flows
        self._initial = initial
        self._any: set[Variable] = set()
        for name, flow in flows.items():
            given = {variable for one in flows.values() for variable in _given(one, name)}
            self._any |= _live_at_entry(flow) - given
        self._alive = {next(iter(flows))}
        self._changed = True
        while self._changed:
            self._changed = False
            for name in [name for name in flows if name in self._alive]:
                for step in self._steps(flows[name]):
                    for action in step.actions:
                        self._act(action)

    def _steps(self, flow: Flow) -> Iterator[Step]:
        seen = {id(flow.entry)}
        pending = [flow.entry]
        while pending:
            step = pending.pop()
            yield step
            for condition, after in step.next:
                values = possible(condition, _Known(self))
                if id(after) not in seen and (values is None or 1 in values):
                    seen.add(id(after))
                    pending.append(after)

    def of(self, variable: Variable) -> Values:
        """The values found for *variable* so far; those that it begins with, if it was not asked for yet."""
        if variable not in self.known:
            values: Values = frozenset()
            if variable in self._any or (variable.template is not None and isinstance(variable.type, Array)):
                values = None
            elif variable.is_shared:
                first = self._initial.get(variable.name)
                values = None if first is None else frozenset(first if isinstance(first, tuple) else (first,))
            if values is None and variable.type == BOOL:
                values = _ANY_BOOL
            self.known[variable] = values
        return self.known[variable]

    def _add(self, variable: Variable, values: Values) -> None:
        old = self.of(variable)
        if old is None or (values is not None and values <= old):
            return
        type_ = variable.type.element if isinstance(variable.type, Array) else variable.type
        if values is None and type_ == BOOL:
            values = _ANY_BOOL
        new = None if values is None or len(old | values) > 12 else old | values
        if new != old:
            self.known[variable] = new
            self._changed = True

    def _act(self, action: Action) -> None:
        match action:
            case Assign(target, value):
                self._add(_variable(target), possible(value, _Known(self)))
            case Havoc(target):
                self._add(_variable(target), None)
            case Create(template, arguments):
                if template not in self._alive:
                    self._alive.add(template)
                    self._changed = True
                for variable, value in arguments:
                    self._add(variable, possible(value, _Known(self)))


class _Known(dict[Variable, Values]):
    """What a search knows, as a mapping."""

    def __init__(self, search: _Search) -> None:
        super().__init__()
        self._search = search

    def get(self, variable: Variable, default: Any = None) -> Values:
        return self._search.of(variable)


def _variable(target: Read | Element) -> Variable:
    return target.variable if isinstance(target, Read) else target.array


def _given(flow: Flow, template: str) -> Iterator[Variable]:
    """The locals of *template* that the creations in *flow* give a value."""
    for step in flow.steps():
        for action in step.actions:
            if isinstance(action, Create) and action.template == template:
                yield from (variable for variable, _ in action.arguments)


def _evaluate(flows: Flows, initial: Initial) -> None:
    search = _Search(flows, initial)
    known = _Known(search)
    for flow in flows.values():
        for step in list(flow.steps()):
            step.actions = [new for action in step.actions if (new := _simplified(action, known)) is not None]
            conditions = [(simplified(condition, known), after) for condition, after in step.next]
            step.next = [(condition, after) for condition, after in conditions if condition != FALSE]


def _simplified(action: Action, known: _Known) -> Action | None:
    match action:
        case Assign(Read(variable)) if (values := known.get(variable)) is not None and len(values) == 1:
            return None  # nobody reads it any more
    new = with_expressions(action, lambda expression: simplified(expression, known))
    return None if isinstance(new, Assume | Check) and new.condition == TRUE else new


# Reads


def _drop_unread(flows: Flows) -> None:
    """Drop what is stored in variables that nobody reads."""
    while True:
        used = {variable for flow in flows.values() for variable in _read_elsewhere(flow)}
        changed = False
        for flow in flows.values():
            for step in flow.steps():
                kept = [action for action in step.actions if (to := written(action)) is None or to in used]
                kept = [_with_read_arguments(action, used) for action in kept]
                changed = changed or kept != step.actions
                step.actions = kept
        if not changed:
            return


def _read_elsewhere(flow: Flow) -> Iterator[Variable]:
    """The variables that a thread reads other than to change them."""
    for step in flow.steps():
        for action in step.actions:
            own = action.target.variable if isinstance(action, Assign) and isinstance(action.target, Read) else None
            yield from (one for expression in expressions(action) for one in read(expression) if one != own)
        for condition, _ in step.next:
            yield from read(condition)


def _with_read_arguments(action: Action, used: set[Variable]) -> Action:
    if not isinstance(action, Create):
        return action
    return Create(action.template, tuple(pair for pair in action.arguments if pair[0] in used), action.origin)


Live = dict[int, frozenset[Variable]]


def _before(step: Step, live: frozenset[Variable]) -> frozenset[Variable]:
    """The locals that are needed before *step*, if *live* are needed after its actions."""
    needed = set(live)
    for condition, _ in step.next:
        needed.update(read(condition))
    for action in reversed(step.actions):
        needed = backwards(action, needed)
    return frozenset(variable for variable in needed if not variable.is_shared)


def backwards(action: Action, needed: set[Variable]) -> set[Variable]:
    """The variables that are needed before *action*, if *needed* are after it."""
    if isinstance(action, Assign | Havoc) and isinstance(action.target, Read):
        needed = needed - {action.target.variable}
    return needed.union(*(read(expression) for expression in expressions(action)))


def _liveness(flow: Flow) -> Live:
    steps = list(flow.steps())
    live: Live = {id(step): frozenset() for step in steps}
    changed = True
    while changed:
        changed = False
        for step in reversed(steps):
            after = frozenset().union(*(live.get(id(one), frozenset()) for _, one in step.next))
            before = _before(step, after)
            if before != live[id(step)]:
                live[id(step)] = before
                changed = True
    return live


def _live_at_entry(flow: Flow) -> set[Variable]:
    return set(_liveness(flow)[id(flow.entry)])


def _drop_dead(flow: Flow) -> None:
    """Drop what is stored in locals that are not read afterwards."""
    live = _liveness(flow)
    for step in flow.steps():
        needed: set[Variable] = set().union(*(live.get(id(after), frozenset()) for _, after in step.next))
        for condition, _ in step.next:
            needed.update(read(condition))
        step.actions = without_dead(step.actions, needed)


def without_dead(actions: Sequence[Action], needed: set[Variable]) -> list[Action]:
    """Actions without stores to locals that are not read afterwards. needed: what is read after all of them."""
    kept: list[Action] = []
    for action in reversed(actions):
        target = action.target if isinstance(action, Assign | Havoc) else None
        if isinstance(target, Read) and not target.variable.is_shared and target.variable not in needed:
            continue
        kept.append(action)
        needed = backwards(action, needed)
    return kept[::-1]
