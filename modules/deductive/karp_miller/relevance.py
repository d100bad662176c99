"""Which values matter to a counting search: what others are is not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from cseq.modules.deductive.transitions import (
    Action,
    Array,
    Assign,
    Assume,
    Check,
    Create,
    Edge,
    Element,
    Expression,
    Havoc,
    System,
    Template,
    expressions,
    read,
    written,
)


def irrelevant(system: System) -> frozenset[str]:
    """The variables on which no assumption, no check, and no index depends."""
    relevant: set[str] = set()
    actions = [action for template in system.templates for edge in template.edges for action in edge.actions]
    for action in actions:
        for expression in expressions(action):
            if isinstance(action, Assume | Check):
                relevant |= {variable.name for variable in read(expression)}
        if isinstance(action, Assign | Havoc) and isinstance(action.target, Element):
            relevant |= {variable.name for variable in read(action.target.index)}
    size = -1
    while size != len(relevant):
        size = len(relevant)
        for action in actions:
            for target, value in _flows(action):
                if target in relevant:
                    relevant |= {variable.name for variable in read(value)}
    every = [*system.shared, *(variable for template in system.templates for variable in template.locals)]
    return frozenset(variable.name for variable in every) - relevant


def _flows(action: Action) -> Iterator[tuple[str, Expression]]:
    """The variables that an action gives values to, each with what it depends on."""
    variable = written(action)
    if isinstance(action, Assign) and variable is not None:
        yield variable.name, action.value
    if isinstance(action, Create):
        for parameter, value in action.arguments:
            yield parameter.name, value


def live_locals(template: Template, forgotten: frozenset[str]) -> dict[int, frozenset[str]]:
    """The locals whose values matter at each location."""
    live = {location: frozenset[str]() for location in template.locations}
    changed = True
    while changed:
        changed = False
        for edge in reversed(template.edges):
            before = live[edge.source] | _used(edge, live[edge.target], forgotten)
            changed = changed or before != live[edge.source]
            live[edge.source] = before
    return live


def _used(edge: Edge, after: frozenset[str], forgotten: frozenset[str]) -> frozenset[str]:
    live = set(after)
    for action in reversed(edge.actions):
        variable = written(action)
        whole = variable is not None and not isinstance(variable.type, Array)
        if whole and variable is not None and not variable.is_shared and variable.name not in live:
            continue  # what is computed is not used
        if whole and variable is not None:
            live.discard(variable.name)
        live |= {used.name for value in expressions(action) for used in read(value) if not used.is_shared}
    return frozenset(live - forgotten)
