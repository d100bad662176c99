"""Loops that create a few threads, or join them, written out: so each of the threads has a template of its own."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.analysis.constant_propagation import Counting, Known
from cseq.modules.analysis.places import called, changed
from cseq.modules.library import lexicon
from cseq.pipeline.translator import rebuilt

_MOST = 4
"""The maximum number of turns of such a loop."""
_THREADS = frozenset({lexicon.CREATE, "pthread_join", "thrd_join", "pthread_detach", "thrd_detach"})


def unrolled(function: str) -> str:
    """The name of the copy of *function* with such loops written out."""
    return f"{function}__cs_unrolled"


class _TooMuchError(Exception):
    """The loop cannot be written out."""


class Unrolling:
    """Writes out loops of functions that one thread executes once.

    same: statements that were copied, by the `id` of the copy.
    """

    def __init__(self, counting: Counting) -> None:
        self._counting = counting
        self._copies: list[c_ast.Node] = []  # so that no id is used again
        self._has_changed = False
        self.same: dict[int, c_ast.Node] = {}

    def function(self, node: c_ast.FuncDef) -> c_ast.FuncDef | None:
        """A copy of the function with such loops written out; None if there is none."""
        if not any(name in _THREADS for name in called(node.body)):
            return None
        self._has_changed = False
        items = self._block(build.statements(node.body), {})
        if not self._has_changed:
            return None
        decl = rebuilt(node.decl, name=unrolled(node.decl.name))
        return rebuilt(node, decl=decl, body=build.block(items, node.body.coord))

    def _block(self, nodes: list[c_ast.Node], known: Known) -> list[c_ast.Node]:
        out: list[c_ast.Node] = []
        for node in nodes:
            out += self._one(node, known)
        return out

    def _one(self, node: Any, known: Known) -> list[c_ast.Node]:
        match node:
            case c_ast.Compound():
                return self._block(node.block_items or [], known)
            case c_ast.Assignment():
                self._counting.assign(node, known)
            case c_ast.FuncCall():
                self._counting.call(node, known)
            case c_ast.While() if any(name in _THREADS for name in called(node.stmt)):
                turns: list[c_ast.Node] = []
                after = dict(known)
                try:
                    self._turns(node, after, turns)
                except _TooMuchError:
                    self._forget(node, known)
                    return [node]
                self._has_changed = True
                known.clear()
                known.update(after)
                return turns
            case c_ast.Label():
                known.clear()  # control may come from elsewhere
                self._forget(node.stmt, known)
            case _:
                self._forget(node, known)
        return [node]

    def _forget(self, node: c_ast.Node, known: Known) -> None:
        for name in changed(node):
            known.pop(name, None)

    def _turns(self, node: c_ast.While, known: Known, out: list[c_ast.Node]) -> None:
        """Append what the loop does to *out*."""
        turns = 0
        while True:
            value = self._counting.value(node.cond, known)
            if value == 0:
                return
            turns += 1
            if value is None or turns > _MOST:
                raise _TooMuchError
            for item in build.statements(node.stmt):
                self._copy(item, known, out)

    def _copy(self, node: Any, known: Known, out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.Compound():
                for item in node.block_items or []:
                    self._copy(item, known, out)
                return
            case c_ast.Assignment() | c_ast.FuncCall():
                copy = self._counting.folded(node, known)
                if isinstance(node, c_ast.Assignment):
                    self._counting.assign(node, known)
                else:
                    self._counting.call(node, known)
            case c_ast.If():
                if any(build.inside(node, c_ast.Goto, c_ast.Label, c_ast.Return, c_ast.While)):
                    raise _TooMuchError
                self._forget(node, known)
                copy = self._counting.folded(node, known)
            case c_ast.EmptyStatement():
                return
            case _:
                raise _TooMuchError
        self._copies.append(copy)
        if copy is not node:
            self.same[id(copy)] = node
        out.append(copy)
