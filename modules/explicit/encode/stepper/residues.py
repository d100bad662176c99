"""Which locals of a step function may still have a value, where a transition ends.

At the end of a transition, dead locals are cleared, so that equal states have equal bytes. Only those need it that the
thread has used since they were cleared last. Without this, a function of n statements would clear n temporaries in n
places, and compilers take minutes for what that makes. A forward may-analysis (Aho, Lam, Sethi, Ullman: Compilers,
§9.2.4); where it is imprecise, a local is cleared once more than necessary.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.analysis.dataflow import Analysis, BitSets, Digraph, Direction, solve
from cseq.modules.analysis.tree_flow import Edge, TreeFlow

_State = tuple[int | None, int | None]
"""What may have a value where the flag is 0, and where it is 1; None where control does not get."""

_NOWHERE: _State = (None, None)
_ENTRY = -1
"""The node before all blocks: control goes from there to the beginning, and to the labels of places."""


class Residues(Analysis[int, Edge | _State, _State]):
    """The locals that may have a value at each *stop* in the statements of a step function.

    body:    the statements. flag: the variable that is 1 until a transition has made a visible step.
    stops:   the statements that end transitions. resumes: the labels at which the function goes on, and the locals that
             have a value there. begun: the locals that have a value at the beginning, where the flag is 1.
    """

    direction = Direction.FORWARD

    def __init__(
        self,
        body: Sequence[c_ast.Node],
        flag: str,
        stops: Sequence[c_ast.Node],
        resumes: Mapping[str, frozenset[str]],
        begun: frozenset[str],
    ) -> None:
        self._flag = flag
        self._bits = BitSets[str]()
        ends = {id(stop) for stop in stops}
        self._flow = flow = TreeFlow(body, lambda node: id(node) in ends or isinstance(node, c_ast.Return))
        edges: list[tuple[int, Edge | _State, int]] = [(_ENTRY, (None, self._bits.of(begun)), flow.entry)]
        edges += [(_ENTRY, (self._bits.of(names), None), flow.labels[label]) for label, names in resumes.items()]
        edges += [(block, edge, after) for block in flow.nodes() for edge, after in flow.leaving(block)]
        self._ends = ends
        self._mentions = [[(node, self._mentioned(node)) for node in block] for block in flow.blocks]
        self._after = solve(Digraph(_ENTRY, [_ENTRY, *flow.nodes()], edges), self).after

    def at(self, stop: c_ast.Node) -> frozenset[str]:
        """The names that may have a value at *stop*, among names of other things."""
        (block, _), *_ = self._flow.before[id(stop)]
        zero, one = self._after[block]
        return frozenset(self._bits.elements((zero or 0) | (one or 0)))

    def _mentioned(self, node: Any) -> int:
        """The names in a statement, or in the condition of a branch; a stop mentions none that matter."""
        if id(node) in self._ends or isinstance(node, c_ast.Return):
            return 0
        return self._bits.of(build.names(node.cond if isinstance(node, c_ast.If | c_ast.While) else node))

    def boundary(self) -> _State:
        """No state: it is on the edges from the entry."""
        return _NOWHERE

    def bottom(self) -> _State:
        """The state of what control does not reach."""
        return _NOWHERE

    def join(self, one: _State, other: _State) -> _State:
        """The names that may have a value in either state."""
        return _union(one[0], other[0]), _union(one[1], other[1])

    def transfer(self, node: int, state: _State) -> _State:
        """The state after a block: each statement may give a value to whatever it mentions."""
        for statement, names in self._mentions[node] if node != _ENTRY else ():
            match statement:
                case c_ast.If(cond=c_ast.ID(name=name)) if name == self._flag:
                    continue
                case c_ast.Assignment(lvalue=c_ast.ID(name=name)) if name == self._flag:
                    either = _union(*state)
                    state = (either, None) if build.is_constant(statement.rvalue, 0) else (None, either)
                case _:
                    state = _with(names, state[0]), _with(names, state[1])
        return state

    def along(self, edge: Edge | _State, state: _State) -> _State:
        """The state on the other side of an edge, which may tell the value of the flag."""
        if not isinstance(edge, Edge):
            return edge
        cond = edge.branch.cond if edge.branch is not None else None
        if isinstance(cond, c_ast.ID) and cond.name == self._flag:
            return (None, state[1]) if edge.holds else (state[0], None)
        return state


def _union(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return one | other


def _with(names: int, known: int | None) -> int | None:
    return None if known is None else known | names
