"""Which locals of a step function may still have a value, where a transition ends.

At the end of a transition, dead locals are cleared, so that equal states have equal bytes. Only those need it that the
thread has used since they were cleared last. Without this, a function of n statements would clear n temporaries in n
places, and compilers take minutes for what that makes. A forward may-analysis (Aho, Lam, Sethi, Ullman: Compilers,
§9.2.4); where it is imprecise, a local is cleared once more than necessary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build

_Names = frozenset[str]
_State = tuple[_Names | None, _Names | None]
"""What may have a value where the flag is 0, and where it is 1; None where control does not get."""

_NOWHERE: _State = (None, None)


class Residues:
    """The locals that may have a value at each *stop* in the statements of a step function.

    body:    the statements. flag: the variable that is 1 until a transition has made a visible step.
    stops:   the statements that end transitions. resumes: the labels at which the function goes on, and the locals that
             have a value there. begun: the locals that have a value at the beginning, where the flag is 1.
    """

    def __init__(
        self,
        body: Sequence[c_ast.Node],
        flag: str,
        stops: Sequence[c_ast.Node],
        resumes: Mapping[str, _Names],
        begun: _Names,
    ) -> None:
        self._flag = flag
        self._resumes = resumes
        self._found: dict[int, _Names] = {id(stop): frozenset() for stop in stops}
        self._labels: dict[str, _State] = {}
        self._mentions: dict[int, _Names] = {}
        known = None
        while known != self._labels:  # another pass where a jump back brings something new
            known = dict(self._labels)
            self._block(body, (None, begun))

    def at(self, stop: c_ast.Node) -> _Names:
        """The names that may have a value at *stop*, among names of other things."""
        return self._found[id(stop)]

    def _block(self, nodes: Sequence[c_ast.Node], state: _State) -> _State:
        for node in nodes:
            state = self._statement(node, state)
        return state

    def _statement(self, node: Any, state: _State) -> _State:
        match node:
            case c_ast.Compound() if id(node) in self._found:
                self._found[id(node)] |= (state[0] or frozenset()) | (state[1] or frozenset())
                return _NOWHERE
            case c_ast.Compound():
                return self._block(node.block_items or [], state)
            case c_ast.If(cond=c_ast.ID(name=name)) if name == self._flag:
                then = self._branch(node.iftrue, (None, state[1]))
                return _joined(then, self._branch(node.iffalse, (state[0], None)))
            case c_ast.If():
                state = self._with(node.cond, state)
                return _joined(self._branch(node.iftrue, state), self._branch(node.iffalse, state))
            case c_ast.Label():
                state = _joined(state, self._labels.get(node.name, _NOWHERE))
                if node.name in self._resumes:
                    state = _joined(state, (self._resumes[node.name], None))
                return self._statement(node.stmt, state)
            case c_ast.Goto():
                self._labels[node.name] = _joined(state, self._labels.get(node.name, _NOWHERE))
                return _NOWHERE
            case c_ast.Return():
                return _NOWHERE
            case c_ast.Assignment(lvalue=c_ast.ID(name=name)) if name == self._flag:
                either = _joined(state, (state[1], state[0]))
                return (either[0], None) if build.is_constant(node.rvalue, 0) else (None, either[1])
        return self._with(node, state)

    def _branch(self, node: c_ast.Node | None, state: _State) -> _State:
        return state if node is None else self._statement(node, state)

    def _with(self, node: c_ast.Node, state: _State) -> _State:
        """The state after *node*, which may give a value to whatever it mentions."""
        if id(node) not in self._mentions:
            self._mentions[id(node)] = frozenset(build.names(node))
        names = self._mentions[id(node)]
        return (None if state[0] is None else state[0] | names, None if state[1] is None else state[1] | names)


def _joined(one: _State, other: _State) -> _State:
    return (_union(one[0], other[0]), _union(one[1], other[1]))


def _union(one: _Names | None, other: _Names | None) -> _Names | None:
    if one is None or other is None:
        return one if other is None else other
    return one | other
