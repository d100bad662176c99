"""The control-flow graph of statements of C that are still a tree: simple ones, `if`, `while`, labels and jumps.

The nodes are the numbers of the basic blocks, in the order of the text, as data-flow analyses ask for them
(`modules/analysis/dataflow.py`). It is for programs that the intermediate representation does not have: those with
marks that it drops, and those that the step functions of the explicit engines are.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from pycparser import c_ast

Position = tuple[int, int]
"""A point of a block: the number of the block, and how many of its statements are before the point."""


class Edge(NamedTuple):
    """An edge. branch: the `if` or `while` that it leaves; None for other edges. holds: whether its condition does."""

    branch: Any
    holds: bool


_NEXT = Edge(None, True)


def _unknown(cond: c_ast.Node) -> int | None:
    return None


class TreeFlow:
    """The graph of *statements*.

    ends: whether control does not pass a statement. constant: the value of a condition, if that is a constant.
    blocks: their statements; a branch is the last one of its block. labels: the blocks that they begin.
    before, after: the points before and after each statement, by its `id`: several for one in several places.
    """

    entry = 0

    def __init__(
        self,
        statements: Iterable[c_ast.Node],
        ends: Callable[[Any], bool],
        constant: Callable[[c_ast.Node], int | None] = _unknown,
    ) -> None:
        self.blocks: list[list[Any]] = []
        self.labels: dict[str, int] = {}
        self.before: dict[int, list[Position]] = {}
        self.after: dict[int, list[Position]] = {}
        self._statements = [*statements]  # kept, so that no `id` is used for another node
        self._ends = ends
        self._constant = constant
        self._leaving: list[list[tuple[Edge, int]]] = []
        self._jumps: list[tuple[int, str]] = []
        self._begin()
        self._all(self._statements)
        for block, label in self._jumps:
            self._leaving[block].append((_NEXT, self.labels[label]))

    def nodes(self) -> Sequence[int]:
        """The numbers of the blocks."""
        return range(len(self.blocks))

    def leaving(self, node: int) -> Sequence[tuple[Edge, int]]:
        """The edges that leave a block, and the blocks to which they lead."""
        return self._leaving[node]

    def _begin(self, *edges: tuple[int, Edge]) -> int:
        """Begin another block, to which *edges* lead: the blocks that they leave, and their labels."""
        number = len(self.blocks)
        self.blocks.append([])
        self._leaving.append([])
        for block, edge in edges:
            self._leaving[block].append((edge, number))
        return number

    @property
    def _now(self) -> int:
        return len(self.blocks) - 1

    def _here(self) -> Position:
        return self._now, len(self.blocks[-1])

    def _all(self, statements: Iterable[Any]) -> None:
        for node in statements:
            self._statement(node)

    def _statement(self, node: Any) -> None:
        """Add a statement at the end of the last block."""
        if isinstance(node, c_ast.Label | c_ast.While):
            self._begin((self._now, _NEXT))
        self.before.setdefault(id(node), []).append(self._here())
        self._parts(node)
        self.after.setdefault(id(node), []).append(self._here())

    def _parts(self, node: Any) -> None:
        if self._ends(node):
            self.blocks[-1].append(node)
            self._begin()
            return
        match node:
            case c_ast.Compound():
                self._all(node.block_items or [])
            case c_ast.Label():
                self.labels[node.name] = self._now
                self._statement(node.stmt)
            case c_ast.Goto():
                self._jumps.append((self._now, node.name))
                self._begin()
            case c_ast.If():
                self.blocks[-1].append(node)
                branch = self._now
                self._begin((branch, Edge(node, True)))
                self._statement(node.iftrue)
                ends = [(self._now, _NEXT)]
                if node.iffalse is None:
                    ends.append((branch, Edge(node, False)))
                else:
                    self._begin((branch, Edge(node, False)))
                    self._statement(node.iffalse)
                    ends.append((self._now, _NEXT))
                self._begin(*ends)
            case c_ast.While():
                self.blocks[-1].append(node)
                head, value = self._now, self._constant(node.cond)
                self._begin(*[(head, Edge(node, True))] * (value != 0))
                self._statement(node.stmt)
                self._leaving[self._now].append((_NEXT, head))
                self._begin(*[(head, Edge(node, False))] * (not value))
            case c_ast.Decl() | c_ast.EmptyStatement() | c_ast.Pragma():
                pass
            case _:
                self.blocks[-1].append(node)
