"""A solver for data-flow equations over any control-flow graph, and the analyses that need nothing but the graph.

The solver is the worklist algorithm of Kildall (POPL 1973), as in Aho, Lam, Sethi, Ullman: Compilers, §9.3: it finds
the least solution of the equations of a monotone framework. An analysis gives the lattice (`bottom`, `join`), the
direction and the transfer functions. A *may* analysis joins by union, a *must* analysis by intersection; the bottom of
the latter is the set of everything. Sets are best `int`s whose bits are the numbers of their elements (see `BitSets`).

Procedures and threads need nothing more: the nodes of a graph may be pairs of a context and a block, and its edges lead
from a call or a creation to the beginning of what it begins.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from heapq import heappop, heappush
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

N = TypeVar("N", bound=Hashable)
E = TypeVar("E")
E_co = TypeVar("E_co", covariant=True)
S = TypeVar("S")
T = TypeVar("T", bound=Hashable)
C = TypeVar("C", bound=tuple[int, ...])


class Graph(Protocol[N, E_co]):
    """A control-flow graph with labelled edges."""

    @property
    def entry(self) -> N:
        """The node that control enters first."""

    def nodes(self) -> Iterable[N]:
        """All nodes, each once, in any order; also those that control cannot reach."""

    def leaving(self, node: N) -> Iterable[tuple[E_co, N]]:
        """The edges that leave *node*: their labels, and the nodes to which they lead."""


class Endless(Protocol[C, E_co]):
    """A graph that may have infinitely many nodes, of which a state reaches finitely many.

    Nodes are compared in the order of control: an edge leads to a greater one, unless it closes a cycle.
    """

    @property
    def entry(self) -> C:
        """The node that control enters first."""

    def leaving(self, node: C) -> Iterable[tuple[E_co, C]]:
        """The edges that leave *node*, asked after the transfer function of an analysis has seen it."""


class Digraph(Generic[N, E]):
    """A graph with the given nodes and edges; an edge is its source, its label, and its target."""

    def __init__(self, entry: N, nodes: Iterable[N], edges: Iterable[tuple[N, E, N]]) -> None:
        self.entry = entry
        self._leaving: dict[N, list[tuple[E, N]]] = {node: [] for node in nodes}
        for source, label, target in edges:
            self._leaving[source].append((label, target))

    def nodes(self) -> Iterable[N]:
        """All nodes, in the order in which they were given."""
        return self._leaving

    def leaving(self, node: N) -> Sequence[tuple[E, N]]:
        """The edges that leave *node*, in the order in which they were given."""
        return self._leaving[node]


class Direction(Enum):
    """Where the state of a node comes from: its predecessors (forward) or its successors (backward)."""

    FORWARD = auto()
    BACKWARD = auto()


class Analysis(ABC, Generic[N, E, S]):
    """A monotone framework: a join semilattice of states with a least element, and monotone transfer functions.

    States are compared by `==`, and are never changed in place.
    """

    direction: Direction

    @abstractmethod
    def boundary(self) -> S:
        """The state before the entry (forward), or after every node that no edge leaves (backward)."""

    @abstractmethod
    def bottom(self) -> S:
        """The least state, which `join` leaves out: what is known of a node that no execution reaches."""

    @abstractmethod
    def join(self, one: S, other: S) -> S:
        """The least state that is at least both."""

    def transfer(self, node: N, state: S) -> S:
        """The state on the other side of *node*: after it (forward), before it (backward)."""
        return state

    def along(self, edge: E, state: S) -> S | None:
        """The state on the other side of an edge, as far as the label tells. None: no execution takes the edge."""
        return state

    def widened(self, old: S, new: S, turns: int) -> S:
        """At one node of each cycle at least: a state that is at least *new*, which is at least *old*.

        turns: how often the state there has grown. A lattice with infinite ascending chains needs it.
        """
        return new


class LimitReachedError(Exception):
    """A solution takes more visits of nodes than allowed."""


@dataclass(frozen=True)
class Solution(Generic[N, S]):
    """The states before and after each node; the bottom where no state gets."""

    before: dict[N, S]
    after: dict[N, S]


def reachable(successors: Callable[[N], Iterable[N]], starts: Iterable[N]) -> list[N]:
    """The nodes on paths from *starts*, which are among them, in reverse postorder of a depth-first search."""
    seen: set[N] = set()
    finished: list[N] = []
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        path = [(start, iter(successors(start)))]
        while path:
            node, rest = path[-1]
            for after in rest:
                if after not in seen:
                    seen.add(after)
                    path.append((after, iter(successors(after))))
                    break
            else:
                finished.append(node)
                path.pop()
    return finished[::-1]


def solve(graph: Graph[N, E], analysis: Analysis[N, E, S], limit: int | None = None) -> Solution[N, S]:
    """The least solution of *analysis* on *graph*.

    limit: how many visits of nodes are allowed; raises `LimitReachedError` if these do not suffice. A forward analysis
    visits only the nodes that some state reaches; a backward one visits all.
    """
    order, flows, boundary = _oriented(graph, analysis.direction)
    rank = {node: number for number, node in enumerate(order)}
    turns = {after: 0 for node in order for _, after in flows[node] if rank[after] <= rank[node]}
    starts = boundary if analysis.direction is Direction.FORWARD else order
    found = _fixed_point(
        analysis, boundary, starts, flows.__getitem__, rank.__getitem__, order.__getitem__, turns, limit
    )
    unreached = dict.fromkeys(order, analysis.bottom())
    inputs, outputs = {**unreached, **found.before}, {**unreached, **found.after}
    return Solution(inputs, outputs) if analysis.direction is Direction.FORWARD else Solution(outputs, inputs)


def solve_on_demand(graph: Endless[C, E], analysis: Analysis[C, E, S], limit: int | None = None) -> Solution[C, S]:
    """The least solution of a forward analysis on the part of *graph* that its states reach, as in `solve`."""
    return _fixed_point(analysis, [graph.entry], [graph.entry], graph.leaving, lambda n: n, lambda n: n, {}, limit)


def _fixed_point(
    analysis: Analysis[N, E, S],
    boundary: Sequence[N],
    starts: Sequence[N],
    flows: Callable[[N], Iterable[tuple[E, N]]],
    rank: Callable[[N], Any],
    at: Callable[[Any], N],
    turns: dict[N, int],
    limit: int | None,
) -> Solution[N, S]:
    """The states on both sides of the nodes, in the direction of the flow.

    starts: the nodes that are visited whether or not a state gets there. rank: where a node is in the order of visits;
    at: the node of that rank. turns: the nodes at which states are widened, each with 0.
    """
    bottom = analysis.bottom()
    states = dict.fromkeys(boundary, analysis.boundary()) if boundary else {}
    results: dict[N, S] = {}
    waiting = sorted(map(rank, starts))
    queued = set(waiting)
    visits = 0
    while waiting:
        number = heappop(waiting)
        queued.remove(number)
        node = at(number)
        visits += 1
        if limit is not None and visits > limit:
            raise LimitReachedError
        result = results[node] = analysis.transfer(node, states.setdefault(node, bottom))
        for edge, receiver in flows(node):
            new = analysis.along(edge, result)
            if new is None:
                continue
            if receiver in states:
                old = states[receiver]
                new = analysis.join(old, new)
                if new == old:
                    continue
                if receiver in turns:
                    turns[receiver] += 1
                    new = analysis.widened(old, new, turns[receiver])
            states[receiver] = new
            if (after := rank(receiver)) not in queued:
                queued.add(after)
                heappush(waiting, after)
    return Solution(states, results)


def _oriented(graph: Graph[N, E], direction: Direction) -> tuple[list[N], dict[N, list[tuple[E, N]]], list[N]]:
    """The nodes in an order that follows the flow of states, their edges in its direction, and where it begins."""
    leaving = {node: list(graph.leaving(node)) for node in graph.nodes()}
    order = reachable(lambda node: [after for _, after in leaving[node]], [graph.entry, *leaving])
    if direction is Direction.FORWARD:
        return order, leaving, [graph.entry]
    entering: dict[N, list[tuple[E, N]]] = {node: [] for node in leaving}
    for node, edges in leaving.items():
        for edge, after in edges:
            entering[after].append((edge, node))
    return order[::-1], entering, [node for node, edges in leaving.items() if not edges]


class BitSets(Generic[T]):
    """Sets as `int`s: each element has a bit, in the order in which they are first seen."""

    def __init__(self, elements: Iterable[T] = ()) -> None:
        self._numbers: dict[T, int] = {}
        self.of(elements)

    def of(self, elements: Iterable[T]) -> int:
        """The set of *elements*."""
        bits = 0
        for element in elements:
            bits |= 1 << self._numbers.setdefault(element, len(self._numbers))
        return bits

    def elements(self, bits: int) -> Iterator[T]:
        """The elements of a set, in the order of their bits."""
        return (element for element, number in self._numbers.items() if bits >> number & 1)


class UseDef(NamedTuple):
    """What an instruction does with variables.

    uses: those whose values it needs. defines: those that it overwrites as a whole, after that. is_needed: whether it
    matters even if what it defines does not.
    """

    uses: int
    defines: int = 0
    is_needed: bool = True


def live_before(instructions: Iterable[UseDef], live: int) -> int:
    """The variables that are live before *instructions*, if *live* are after them."""
    for uses, defines, is_needed in reversed([*instructions]):
        if is_needed or defines & live:
            live = uses | live & ~defines
    return live


@dataclass(frozen=True)
class _LiveVariables(Analysis[N, Sequence[UseDef], int]):
    in_nodes: dict[N, Sequence[UseDef]]
    direction = Direction.BACKWARD

    def boundary(self) -> int:
        return 0

    def bottom(self) -> int:
        return 0

    def join(self, one: int, other: int) -> int:
        return one | other

    def transfer(self, node: N, state: int) -> int:
        return live_before(self.in_nodes[node], state)

    def along(self, edge: Sequence[UseDef], state: int) -> int:
        return live_before(edge, state)


def live_variables(
    graph: Graph[N, E],
    in_node: Callable[[N], Sequence[UseDef]] = lambda node: (),
    on_edge: Callable[[E], Sequence[UseDef]] = lambda edge: (),
) -> Solution[N, int]:
    """The variables that may be used before they are overwritten.

    Backward, may: sets under union (Compilers, §9.2.5). Over-approximates: a path that no execution takes counts. If
    instructions are not needed but for what they define, faint variables, which are used only to compute each other,
    are not live (strongly live variables: Nielson, Nielson, Hankin: Principles of Program Analysis, exercise 2.4).
    """
    labelled = Digraph(
        graph.entry,
        graph.nodes(),
        ((node, on_edge(edge), after) for node in graph.nodes() for edge, after in graph.leaving(node)),
    )
    return solve(labelled, _LiveVariables({node: in_node(node) for node in labelled.nodes()}))
