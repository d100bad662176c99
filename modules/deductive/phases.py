"""A ghost that says whether main has created a thread yet.

What main does before it creates threads is not disturbed by any. In a modular proof every thread is everybody's
environment from the beginning, unless the invariants can tell the two phases apart.
"""

from dataclasses import replace

from cseq.modules.analysis.dataflow import reachable
from cseq.modules.deductive.transitions import BOOL, Assign, Edge, Number, Read, System, Variable, written

BEGUN = Variable("ghost.begun", BOOL)
"""Whether main has created a thread. No program has a variable of this name."""


def phased(system: System) -> System:
    """*system* with the ghost `BEGUN`; the same, if main changes nothing before it creates its first thread.

    The ghost is only assigned, and by main's edges that create threads, so the new system does what the old one does.
    """
    if not _prepares(system):
        return system
    main = replace(system.main, edges=[_noting(edge) for edge in system.main.edges])
    return replace(
        system,
        shared=[*system.shared, BEGUN],
        initial={**system.initial, BEGUN.name: 0},
        templates=[main, *system.templates[1:]],
    )


def _noting(edge: Edge) -> Edge:
    if not edge.creations:
        return edge
    return replace(edge, actions=(*edge.actions, Assign(Read(BEGUN), Number(1, BOOL))))


def _prepares(system: System) -> bool:
    """Whether main changes a shared variable before it creates a thread, and creates one later."""
    before: dict[int, list[Edge]] = {location: [] for location in system.main.locations}
    for edge in system.main.edges:
        if not edge.creations:
            before[edge.source].append(edge)
    alone = reachable(lambda location: [edge.target for edge in before[location]], [system.main.start])
    changed = (written(action) for location in alone for edge in before[location] for action in edge.actions)
    creates = any(edge.creations for edge in system.main.edges)
    return creates and any(variable is not None and variable.is_shared for variable in changed)
