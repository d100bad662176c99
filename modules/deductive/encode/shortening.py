"""Edges without the locals that only pass a value on."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import FALSE, TRUE, substituted
from cseq.modules.deductive.live_locals import live_locals, without_dead

_MOST_PARTS = 24
"""The maximum size of an expression that is written in several places."""


def shortened(template: ts.Template, initial: Mapping[ts.Variable, int] | None = None) -> None:
    """Write values in place of variables that hold them, and drop what is stored in locals that are not read.

    initial: the values of variables where the thread begins, if that is known.
    """
    entered = {edge.target for edge in template.edges}
    first = {variable: ts.Number(value, variable.type) for variable, value in (initial or {}).items()}  # type: ignore[arg-type]
    template.edges[:] = _possible(
        [
            _propagated(edge, first if edge.source == template.start and edge.source not in entered else {})
            for edge in template.edges
        ]
    )
    _skip_empty(template)
    live = live_locals(template)
    template.edges[:] = [_needed(edge, live[edge.target]) for edge in template.edges]
    _renumber(template)


def _possible(edges: list[ts.Edge]) -> list[ts.Edge]:
    """*edges* without those that cannot be taken to their end, if what they check is checked by others."""
    whole = [edge for edge in edges if ts.Assume(FALSE) not in edge.actions]
    found = list(whole)
    for edge in edges:
        if ts.Assume(FALSE) in edge.actions:
            reached = edge.actions[: edge.actions.index(ts.Assume(FALSE))]
            checks = [number for number, action in enumerate(reached) if isinstance(action, ts.Check)]
            prefix = edge.actions[: checks[-1] + 1 if checks else 0]
            others = (other for other in found if other.source == edge.source)
            if prefix and not any(other.actions[: len(prefix)] == prefix for other in others):
                found.append(ts.Edge(edge.source, edge.target, (*prefix, ts.Assume(FALSE)), edge.origin))
    return found


def _skip_empty(template: ts.Template) -> None:
    """Drop locations from which control only goes on."""
    for number in list(template.locations):
        leaving = list(template.leaving(number))
        if len(leaving) == 1 < len(template.edges) and not leaving[0].actions and leaving[0].target != number:
            target = leaving[0].target
            template.edges[:] = [
                replace(edge, target=target if edge.target == number else edge.target)
                for edge in template.edges
                if edge is not leaving[0]
            ]
            template.start = target if template.start == number else template.start
            del template.locations[number]


def _renumber(template: ts.Template) -> None:
    """Let the numbers of locations begin at 0, and leave none out."""
    numbers = {old: new for new, old in enumerate(template.locations)}
    template.locations = {numbers[old]: replace(one, number=numbers[old]) for old, one in template.locations.items()}
    template.edges[:] = [
        replace(edge, source=numbers[edge.source], target=numbers[edge.target]) for edge in template.edges
    ]
    template.start = numbers[template.start]


def _propagated(edge: ts.Edge, first: Mapping[ts.Variable, ts.Expression]) -> ts.Edge:
    known = dict(first)
    actions: list[ts.Action] = []
    for action in edge.actions:
        new = ts.with_expressions(action, partial(substituted, values=known))
        changed = ts.written(new)
        if changed is not None:
            known = {
                variable: value
                for variable, value in known.items()
                if variable != changed and changed not in ts.read(value)
            }
        if isinstance(new, ts.Assign) and isinstance(new.target, ts.Read):
            if new.value == new.target:
                continue
            own = new.target.variable
            if own not in ts.read(new.value) and sum(1 for _ in ts.parts(new.value)) <= _MOST_PARTS:
                known[own] = new.value
        if not (isinstance(new, ts.Assume | ts.Check) and new.condition == TRUE):
            actions.append(new)
    return ts.Edge(edge.source, edge.target, tuple(actions), edge.origin)


def _needed(edge: ts.Edge, live: frozenset[ts.Variable]) -> ts.Edge:
    return replace(edge, actions=tuple(without_dead(edge.actions, live)))
