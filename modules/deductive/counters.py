"""Ghost counters: how many threads stand where.

"Any number of threads add one each" cannot be said about shared variables and the locals of one thread. With a
counter per location it can: the sum is the number of threads that stand after the addition. The counters are ghosts:
they are only assigned, by edges that move a thread, so the counted system does what the system does.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.unfolding import exposed, unfolded

Groups = dict[int, int]
"""For each location of a template the least of the locations that share a counter with it."""


def counted(system: ts.System, fine: bool = False) -> ts.System:
    """The system with ghost counters of its threads, whose flags are part of their locations.

    Locations of a template share a counter if edges that change nothing shared lead from one to the other. With *fine*
    they all have their own, and the locals of threads that there are one of are shared, too. The counter of such a
    thread is its program counter: one where it stands, else zero. It has none if it stays in one group.
    """
    system = unfolded(exposed(system) if fine else system)
    population: dict[tuple[str, int], ts.Variable] = {}
    counters: dict[tuple[str, int], ts.Variable] = {}
    for template in system.templates:
        groups = _groups(system, template, fine)
        used = sorted(set(groups.values()))
        if len(used) == 1 and not template.is_replicated:
            continue
        for location, group in groups.items():
            key = (template.name, group)
            if key not in counters:
                counters[key] = ts.Variable(f"__cs_at_{template.name}_{group}", ts.UNBOUNDED)
            population[template.name, location] = counters[key]
    initial = {variable.name: 0 for variable in counters.values()}
    at_start = population.get((system.main.name, system.main.start))
    if at_start is not None:
        initial[at_start.name] = 1
    return replace(
        system,
        shared=[*system.shared, *counters.values()],
        initial={**system.initial, **initial},
        templates=[
            replace(template, edges=[_counting(system, template, edge, population) for edge in template.edges])
            for template in system.templates
        ],
        population=population,
    )


def _groups(system: ts.System, template: ts.Template, fine: bool) -> Groups:
    """Which locations of a template share a counter."""
    groups = {location: location for location in template.locations}

    def group(location: int) -> int:
        while groups[location] != location:
            location = groups[location]
        return location

    for edge in template.edges:
        if not fine and not _is_noticed(edge.actions):
            one, other = sorted((group(edge.source), group(edge.target)))
            groups[other] = one
    return {location: group(location) for location in groups}


def _is_noticed(actions: Iterable[ts.Action]) -> bool:
    """Whether actions change anything shared, or begin a thread."""
    for action in actions:
        variable = ts.written(action)
        if isinstance(action, ts.Create) or (variable is not None and variable.is_shared):
            return True
    return False


def _counting(
    system: ts.System, template: ts.Template, edge: ts.Edge, population: dict[tuple[str, int], ts.Variable]
) -> ts.Edge:
    """The edge, followed by what it does to the counters."""
    changes: dict[ts.Variable, int] = {}
    for place, change in _moves(system, template, edge):
        counter = population.get(place)
        if counter is not None:
            changes[counter] = changes.get(counter, 0) + change
    counting = [_add(counter, change) for counter, change in changes.items() if change]
    return replace(edge, actions=(*edge.actions, *counting))


def _moves(system: ts.System, template: ts.Template, edge: ts.Edge) -> Iterator[tuple[tuple[str, int], int]]:
    """By how much an edge changes the number of threads at a location."""
    yield (template.name, edge.source), -1
    yield (template.name, edge.target), 1
    for action in edge.actions:
        if isinstance(action, ts.Create):
            yield (action.template, system.template(action.template).start), 1


def _add(counter: ts.Variable, change: int) -> ts.Assign:
    operator = ts.Operator.ADD if change > 0 else ts.Operator.SUB
    return ts.Assign(
        ts.Read(counter), ts.Apply(operator, (ts.Read(counter), ts.Number(abs(change), ts.UNBOUNDED)), ts.UNBOUNDED)
    )
