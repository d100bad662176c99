"""Iterations of a loop that change nothing, such as those that only wait for another thread.

Such an iteration need not be explored if another one follows: the thread could have started the later one immediately,
at the time of the earlier one, in the same state. Up to then the other threads have not noticed anything, and the next
iteration overwrites what this one has left in locals before it reads them. An error inside an iteration, such as a
failing assertion, is found in it: nothing is dropped before its end.
"""

from collections import Counter, defaultdict
from functools import cached_property
from typing import NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon, stubs

_NO_EFFECT = frozenset({lexicon.ASSERT, lexicon.ASSUME, lexicon.COARSE, lexicon.ACCESS})
"""Calls that change nothing if they return, such as calls of library functions without effect."""

_SECTIONS = {lexicon.ATOMIC_BEGIN: 1, lexicon.ATOMIC_END: -1}


class _Place(NamedTuple):
    """A statement or condition of a loop's body, in the order of the text. always: whether it is under no condition and
    in no inner loop. depth: of atomic sections before it."""

    node: c_ast.Node
    always: bool
    depth: int


class Functions:
    """How often a function names each identifier, for comparison with its loops."""

    def __init__(self, body: c_ast.Node, visibility: Visibility) -> None:
        self.visibility = visibility
        self.named = Counter(build.names(body))


class Spinning:
    """What is known about the iterations of the loop *node* in a function.

    always: no iteration changes anything. perhaps: some iterations may change nothing.
    """

    def __init__(self, node: c_ast.While, function: Functions) -> None:
        self._visibility = function.visibility
        self._places: list[_Place] = []
        self._is_balanced = True
        if self._collect(node.stmt, True, 0) != 0:
            self._is_balanced = False
        self._labels = {p.node.name: i for i, p in enumerate(self._places) if isinstance(p.node, c_ast.Label)}
        self._jumps = [(i, p.node.name) for i, p in enumerate(self._places) if isinstance(p.node, c_ast.Goto)]
        for position, name in self._jumps:
            if name in self._labels and self._places[self._labels[name]].depth != self._places[position].depth:
                self._is_balanced = False
        inside = Counter(build.names(node))
        self._outside = {name for name, count in function.named.items() if count > inside[name]}
        self._in_condition = set(build.names(node.cond))
        self._overwritten: dict[str, bool] = {}
        effects = [i for i, place in enumerate(self._places) if self.has_effect(place.node)]
        self.always = not effects
        self.perhaps = bool(effects) and not any(self._cannot_be_passed(i) for i in effects)

    def has_effect(self, node: c_ast.Node) -> bool:
        """Whether the statement *node* of the loop may change what its own or another thread finds later."""
        match node:
            case c_ast.Assignment(lvalue=c_ast.ID(), op="="):
                if not self._is_overwritten(node.lvalue.name):
                    return True
                return isinstance(node.rvalue, c_ast.FuncCall) and not is_choice(node.rvalue)
            case c_ast.FuncCall(name=c_ast.ID()):
                if node.name.name in _SECTIONS:
                    return not self._is_balanced
                return node.name.name not in _NO_EFFECT and not stubs.has_no_effect(node.name.name)
            case c_ast.Goto() | c_ast.Label() | c_ast.EmptyStatement() | c_ast.If() | c_ast.While() | c_ast.Compound():
                return False  # the parts of the last three are checked separately
            case c_ast.Return():
                return False  # no iteration follows
        return not isinstance(node, _EXPRESSIONS)

    def is_outside(self, name: str) -> bool:
        """Whether the function mentions *name* outside of the loop, too."""
        return name in self._outside

    def _collect(self, node: c_ast.Node, always: bool, depth: int) -> int:
        """Record the places in *node*; returns the depth of atomic sections after it."""
        match node:
            case c_ast.Compound():
                for item in node.block_items or []:
                    depth = self._collect(item, always, depth)
            case c_ast.If():
                self._places.append(_Place(node.cond, always, depth))
                for branch in (node.iftrue, node.iffalse):
                    if branch is not None:
                        self._inner(branch, depth)
            case c_ast.While():
                self._places.append(_Place(node.cond, always, depth))
                self._inner(node.stmt, depth)
            case c_ast.Label():
                self._places.append(_Place(node, always, depth))
                if node.stmt is not None:
                    depth = self._collect(node.stmt, always, depth)
            case _:
                self._places.append(_Place(node, always, depth))
                if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
                    depth += _SECTIONS.get(node.name.name, 0)
        return depth

    def _inner(self, node: c_ast.Node, depth: int) -> None:
        after = self._collect(node, False, depth)
        if after != depth and not isinstance(build.statements(node)[-1], (c_ast.Goto, c_ast.Return)):
            self._is_balanced = False

    def _cannot_be_passed(self, position: int) -> bool:
        """Whether each iteration that is followed by another one reaches this place."""
        around = any(g < position < self._labels[name] for g, name in self._jumps if name in self._labels)
        return self._places[position].always and not around

    @cached_property
    def _mentions(self) -> dict[str, list[int]]:
        """The places that mention each name, in order."""
        found = defaultdict[str, list[int]](list)
        for number, place in enumerate(self._places):
            for name in _mentioned(place.node):
                found[name].append(number)
        return found

    def _is_overwritten(self, name: str) -> bool:
        """Whether the next iteration gives *name* a value before anything reads it."""
        known = self._overwritten.get(name)
        if known is None:
            own = not self._visibility.is_visible(build.ident(name))
            known = self._overwritten[name] = own and self._finds_overwritten(name)
        return known

    def _finds_overwritten(self, name: str) -> bool:
        mentions = self._mentions[name]
        first = mentions[0]
        place = self._places[first]
        node = place.node
        if not (place.always and isinstance(node, c_ast.Assignment) and node.op == "="):
            return False
        if not isinstance(node.lvalue, c_ast.ID) or node.lvalue.name != name or name in set(build.names(node.rvalue)):
            return False
        for jump, target in self._jumps:
            if jump > first:
                continue
            label = self._labels.get(target)
            if label is None:
                if name in self._outside:
                    return False
            elif label > first and (name in self._outside or name in self._in_condition or mentions[-1] > label):
                return False
        return True


_EXPRESSIONS = (c_ast.ID, c_ast.Constant, c_ast.UnaryOp, c_ast.BinaryOp, c_ast.TernaryOp, c_ast.Cast, c_ast.ArrayRef,
                c_ast.StructRef)  # fmt: skip
"""The kinds of conditions; in the core language expressions have no effects."""


def is_choice(call: c_ast.FuncCall) -> bool:
    """Whether *call* gives an input or makes another choice."""
    return isinstance(call.name, c_ast.ID) and call.name.name.startswith(lexicon.NONDET)


def _mentioned(node: c_ast.Node) -> set[str]:
    return set() if isinstance(node, (c_ast.Label, c_ast.Goto)) else set(build.names(node))
