"""Relevance: the variables that conditions depend on (the cone of influence).

A may analysis of sets of variables, without regard to the order of actions: the least set that has what conditions
read, and with a variable also what is stored in it depends on.
"""

from collections.abc import Iterable

from cseq.modules.analysis.dataflow import reachable
from cseq.modules.deductive import transitions as ts


def depended_on(actions: Iterable[ts.Action], with_indices: bool = False) -> set[ts.Variable]:
    """The variables that assumptions and checks depend on. with_indices: also those of the indices of stores."""
    influences: dict[ts.Variable, set[ts.Variable]] = {}
    conditions: list[ts.Variable] = []
    for action in actions:
        match action:
            case ts.Assume(condition) | ts.Check(condition):
                conditions.extend(ts.read(condition))
            case ts.Create(arguments=arguments):
                for variable, value in arguments:
                    influences.setdefault(variable, set()).update(ts.read(value))
            case ts.Assign(target) | ts.Havoc(target):
                if with_indices and isinstance(target, ts.Element):
                    conditions.extend(ts.read(target.index))
                variable_ = ts.written(action)
                assert variable_ is not None
                influences.setdefault(variable_, set()).update(*map(ts.read, ts.expressions(action)))
    return set(reachable(lambda variable: influences.get(variable, ()), conditions))


def irrelevant(system: ts.System) -> frozenset[str]:
    """The variables on which no assumption, no check, and no index depends."""
    actions = (action for template in system.templates for edge in template.edges for action in edge.actions)
    found = depended_on(actions, with_indices=True)
    every = [*system.shared, *(variable for template in system.templates for variable in template.locals)]
    return frozenset(variable.name for variable in every if variable not in found)
