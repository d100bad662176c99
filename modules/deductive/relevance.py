"""Relevance: the variables that conditions depend on (the cone of influence).

A may analysis of sets of variables, without regard to the order of actions: the least set that has what conditions
read, and with a variable also what is stored in it depends on.
"""

from __future__ import annotations

from collections.abc import Iterable

from cseq.modules.analysis.dataflow import reachable
from cseq.modules.deductive.transitions import (
    Action,
    Assign,
    Assume,
    Check,
    Create,
    Element,
    Havoc,
    System,
    Variable,
    expressions,
    read,
    written,
)


def depended_on(actions: Iterable[Action], with_indices: bool = False) -> set[Variable]:
    """The variables that assumptions and checks depend on. with_indices: also those of the indices of stores."""
    influences: dict[Variable, set[Variable]] = {}
    conditions: list[Variable] = []
    for action in actions:
        match action:
            case Assume(condition) | Check(condition):
                conditions.extend(read(condition))
            case Create(arguments=arguments):
                for variable, value in arguments:
                    influences.setdefault(variable, set()).update(read(value))
            case Assign(target) | Havoc(target):
                if with_indices and isinstance(target, Element):
                    conditions.extend(read(target.index))
                variable_ = written(action)
                assert variable_ is not None
                influences.setdefault(variable_, set()).update(*map(read, expressions(action)))
    return set(reachable(lambda variable: influences.get(variable, ()), conditions))


def irrelevant(system: System) -> frozenset[str]:
    """The variables on which no assumption, no check, and no index depends."""
    actions = (action for template in system.templates for edge in template.edges for action in edge.actions)
    found = depended_on(actions, with_indices=True)
    every = [*system.shared, *(variable for template in system.templates for variable in template.locals)]
    return frozenset(variable.name for variable in every if variable not in found)
