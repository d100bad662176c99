"""The locals whose values a thread may still need: live variables (see `dataflow`) of templates and flows."""

from collections.abc import Iterable, Mapping, Sequence

from cseq.modules.analysis.dataflow import BitSets, Digraph, N, UseDef, live_before, live_variables
from cseq.modules.deductive import transitions as ts


class Locals(BitSets[ts.Variable]):
    """The locals that actions use and define, as bits."""

    def used(self, values: Iterable[ts.Expression]) -> int:
        """The locals whose values *values* depend on."""
        return self.of(variable for value in values for variable in ts.read(value) if not variable.is_shared)

    def defined(self, action: ts.Action) -> int:
        """The local that an action overwrites as a whole."""
        if isinstance(action, ts.Assign | ts.Havoc) and isinstance(action.target, ts.Read):
            return self.of([action.target.variable] if not action.target.variable.is_shared else [])
        return 0

    def of_action(self, action: ts.Action) -> UseDef:
        """What an action uses and defines."""
        return UseDef(self.used(ts.expressions(action)), self.defined(action))

    def of_actions(self, actions: Iterable[ts.Action]) -> list[UseDef]:
        """What actions use and define."""
        return [self.of_action(action) for action in actions]

    def at(self, nodes: Mapping[N, int]) -> dict[N, frozenset[ts.Variable]]:
        """The locals that are live at each node."""
        sets = {bits: frozenset(self.elements(bits)) for bits in set(nodes.values())}
        return {node: sets[bits] for node, bits in nodes.items()}


def live_locals(template: ts.Template) -> dict[int, frozenset[ts.Variable]]:
    """The locals that may be read before they are overwritten, at each location of *template*."""
    numbers = Locals()
    return numbers.at(live_variables(graph(template), on_edge=numbers.of_actions).before)


def strongly_live_locals(template: ts.Template, forgotten: Iterable[ts.Variable]) -> dict[int, frozenset[ts.Variable]]:
    """The locals that may be read before they are overwritten, other than to compute locals that are dead or forgotten.

    forgotten: those whose values edges do not pass on.
    """
    numbers = Locals()
    lost = UseDef(0, numbers.of(forgotten))

    def of_edge(actions: Iterable[ts.Action]) -> list[UseDef]:
        return [lost, *(one._replace(is_needed=not one.defines) for one in numbers.of_actions(actions))]

    return numbers.at(live_variables(graph(template), on_edge=of_edge).before)


def graph(template: ts.Template) -> Digraph[int, tuple[ts.Action, ...]]:
    """The locations of a template, and its edges with their actions."""
    edges = ((edge.source, edge.actions, edge.target) for edge in template.edges)
    return Digraph(template.start, template.locations, edges)


def without_dead(actions: Sequence[ts.Action], needed: Iterable[ts.Variable]) -> list[ts.Action]:
    """Actions without stores to locals that are not read afterwards. needed: what is read after all of them."""
    numbers = Locals()
    live = numbers.of(needed)
    kept: list[ts.Action] = []
    for action in reversed(actions):
        instruction = numbers.of_action(action)
        if instruction.defines and not instruction.defines & live:
            continue
        kept.append(action)
        live = live_before([instruction], live)
    return kept[::-1]
