"""What of a system matters to its checks: the cone of influence, constants, live variables, and idle places."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cseq.modules.analysis.dataflow import Digraph, UseDef, live_variables, reachable
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.horn.integers import Integers
from cseq.modules.deductive.live_locals import Locals
from cseq.modules.deductive.phases import BEGUN
from cseq.modules.deductive.proofs import OUTSIDE, Place
from cseq.modules.deductive.relevance import depended_on

IDLE = OUTSIDE - 1
"""The location of a thread which does nothing that matters any more."""


@dataclass
class Slice:
    """What of a system matters.

    relevant: the variables that a condition depends on, and ghosts. constants: shared ones that nothing writes, with
    their values. live: for each place, the relevant locals that are read before they are written. idle: the places
    after which a thread does nothing that matters. reachable: those that control can reach; idle ones are among them.
    """

    system: ts.System
    relevant: set[ts.Variable]
    constants: dict[ts.Variable, int]
    live: dict[Place, tuple[ts.Variable, ...]]
    idle: set[Place]
    reachable: set[Place]

    @property
    def shared(self) -> list[ts.Variable]:
        """The shared variables that matter, and can change."""
        return [it for it in self.system.shared if it in self.relevant and it not in self.constants]

    def canonical(self, place: Place, resting: int = IDLE) -> Place:
        """The same, with the location *resting*, for all idle places of a template, which are not told apart."""
        return (place[0], resting) if place in self.idle else place

    def live_at(self, place: Place) -> tuple[ts.Variable, ...]:
        """The locals that matter at a canonical place."""
        return self.live.get(place, ())

    def leaving(self, place: Place) -> Iterator[ts.Edge]:
        """The edges of a thread at a canonical place that matter."""
        return self.system.template(place[0]).leaving(place[1]) if place[1] >= 0 else iter(())

    def interferes(self, edge: ts.Edge) -> bool:
        """Whether an edge changes a shared variable that matters."""
        return any(it is not None and it.is_shared and it in self.relevant for it in map(ts.written, edge.actions))


def sliced(system: ts.System, exact: bool) -> Slice:
    """What of *system* matters. exact: an overflow in a condition matters, too."""
    places = _reachable(system)
    edges = [(template, edge) for template in system.templates for edge in template.edges]
    edges = [(template, edge) for template, edge in edges if (template.name, edge.source) in places]
    idle: set[Place] = set()
    relevant: set[ts.Variable] = set()
    ghosts = {*system.population.values(), *({BEGUN} & set(system.shared))}  # nothing reads them, but invariants
    for _ in range(2):  # what only idle places read does not matter
        busy = (edge for template, edge in edges if (template.name, edge.source) not in idle)
        relevant = ghosts.union(depended_on(action for edge in busy for action in edge.actions))
        idle = _idle(edges, relevant, places, exact)
    changed = {variable for _, edge in edges for variable in map(ts.written, edge.actions)}
    constants = {
        variable: value
        for variable in system.shared
        if variable not in changed
        and not isinstance(variable.type, ts.Array)
        and isinstance(value := system.initial.get(variable.name), int)
    }
    live: dict[Place, tuple[ts.Variable, ...]] = {}
    for template in system.templates:
        live |= _live(template, relevant, idle)
    return Slice(system, relevant, constants, live, idle, places)


def _reachable(system: ts.System) -> set[Place]:
    """The places that control can reach, through edges and creations."""
    after: dict[Place, list[Place]] = {}
    starts = {template.name: (template.name, template.start) for template in system.templates}
    for template in system.templates:
        for edge in template.edges:
            targets = [(template.name, edge.target), *(starts[action.template] for action in edge.creations)]
            after.setdefault((template.name, edge.source), []).extend(targets)
    return set(reachable(lambda place: after.get(place, ()), [starts[system.main.name]]))


def _idle(
    edges: list[tuple[ts.Template, ts.Edge]], relevant: set[ts.Variable], places: set[Place], exact: bool
) -> set[Place]:
    """Those of *places* from which no thread reaches an edge that matters."""

    def matters(edge: ts.Edge) -> bool:
        for action in edge.actions:
            variable = ts.written(action)
            if isinstance(action, ts.Check | ts.Create) or (
                variable is not None and variable.is_shared and variable in relevant
            ):
                return True
            if exact and isinstance(action, ts.Assume) and _may_overflow(action.condition):
                return True
        return False

    before: dict[Place, list[Place]] = {}
    busy: list[Place] = []
    for template, edge in edges:
        before.setdefault((template.name, edge.target), []).append((template.name, edge.source))
        if matters(edge):
            busy.append((template.name, edge.source))
    leading = reachable(lambda place: before.get(place, ()), busy)
    return places.difference(leading)


def _may_overflow(expression: ts.Expression) -> bool:
    names = {variable: variable.name for variable in ts.read(expression)}
    return bool(Integers(exact=True).evaluate(expression, names).needs)


def _live(template: ts.Template, relevant: set[ts.Variable], idle: set[Place]) -> dict[Place, tuple[ts.Variable, ...]]:
    """The relevant locals that are read before they are written, at each place of *template*."""
    numbers = Locals()

    def of_edge(edge: ts.Edge) -> Iterator[UseDef]:
        for action in edge.actions:
            target = ts.written(action)
            if target is None or target in relevant:
                uses = numbers.used(_matter(action, relevant))
                if target is not None and not target.is_shared and isinstance(target.type, ts.Array):
                    uses |= numbers.of([target])  # its other elements stay
                yield UseDef(uses, numbers.defined(action))

    busy = [edge for edge in template.edges if (template.name, edge.source) not in idle]
    graph = Digraph(template.start, template.locations, [(edge.source, edge, edge.target) for edge in busy])
    live = numbers.at(live_variables(graph, on_edge=lambda edge: [*of_edge(edge)]).before)
    return {
        (template.name, number): tuple(it for it in template.locals if it in variables)
        for number, variables in live.items()
        if (template.name, number) not in idle
    }


def _matter(
    action: ts.Assign | ts.Havoc | ts.Assume | ts.Check | ts.Create, relevant: set[ts.Variable]
) -> Iterable[ts.Expression]:
    """The expressions of an action whose values matter."""
    if isinstance(action, ts.Create):
        return [value for variable, value in action.arguments if variable in relevant]
    return ts.expressions(action)
