"""The statements of a start function, and where control goes after each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.analysis.cuts import UNWOUND
from cseq.modules.analysis.dataflow import Analysis, Digraph, Direction, solve
from cseq.modules.library import lexicon

_MARKS = (
    lexicon.ACCESS, lexicon.BEGINS, lexicon.ENDS, lexicon.DEMAND, lexicon.STANDS, lexicon.CHECKS, lexicon.FRESH,
    lexicon.SHOW, "__CSEQ_at",
)  # fmt: skip
"""Calls that say something about the statements around them, and do nothing themselves."""


@dataclass(eq=False)
class Point:
    """A point of control: a thread stands before the statement *node*.

    node: None for the end of a function without a return. next: where control goes; for a branch or a loop, if the
    condition holds. other: where it goes if it does not. depths: of the atomic sections that may be around it.
    whole: where *node* is a part of a statement, because that is a call of a function with a frame: the statement.
    is_return: whether this is the point at which the result is stored.
    """

    node: Any
    origin: Origin | None = None
    next: Point | None = None
    other: Point | None = None
    depths: frozenset[int] = frozenset()
    whole: c_ast.Assignment | None = None
    is_return: bool = False

    @property
    def call(self) -> c_ast.FuncCall | None:
        """The call that the statement is, or whose result it stores; None for other statements."""
        node = self.node.rvalue if isinstance(self.node, c_ast.Assignment) else self.node
        return node if isinstance(node, c_ast.FuncCall) else None

    def successors(self) -> Iterator[Point]:
        """Where control may go from here."""
        for point in (self.next, self.other):
            if point is not None:
                yield point


class Flow:
    """The points of control of the start function *function*, in the core language after the inliner.

    framed: the names of the functions that have frames of their own: calls of these are points, and so is the store of
    what they return. entry: the first one. points: those that control may reach, in the order of the text.
    Raises UnsupportedError for a statement that the core language does not have.
    """

    def __init__(self, function: c_ast.FuncDef, framed: frozenset[str] = frozenset()) -> None:
        self._framed = framed
        self._made: list[Point] = []
        self._labels: dict[str, Point] = {}
        self._mentioned = _first_mentions(function.body)
        end = self._point(Point(None))
        self.entry = self._before(function.body, end, False)
        edges = [(point, None, after) for point in self._made for after in point.successors()]
        for point, depths in solve(Digraph(self.entry, self._made, edges), _Depths()).before.items():
            point.depths = depths
        self.points = [point for point in reversed(self._made) if point.depths]

    def _point(self, point: Point) -> Point:
        self._made.append(point)
        return point

    def _before(self, node: Any, after: Point, in_loop: bool) -> Point:
        """The point before the statement *node*. From the end to the beginning, as all jumps lead forwards."""
        match node:
            case c_ast.Compound():
                for item in reversed(node.block_items or []):
                    after = self._before(item, after, in_loop)
                return after
            case c_ast.Decl() | c_ast.EmptyStatement() | c_ast.Pragma():
                return after
            case c_ast.Label():
                self._labels[node.name] = self._before(node.stmt, after, in_loop)
                return self._labels[node.name]
            case c_ast.Goto():
                return self._labels[node.name]
            case c_ast.If():
                # The second branch first, as the first may jump into it.
                other = after if node.iffalse is None else self._before(node.iffalse, after, in_loop)
                return self._point(Point(node, node.coord, self._before(node.iftrue, after, in_loop), other))
            case c_ast.While():
                point = Point(node, node.coord, None, after)
                point.next = self._before(node.stmt, point, True)
                return self._point(point)
            case c_ast.Return():
                return self._point(Point(node, node.coord))
            case c_ast.Assignment():
                if build.is_call(node.rvalue, *self._framed):
                    after = self._point(Point(node, node.coord, after, whole=node, is_return=True))
                    return self._point(Point(node.rvalue, node.coord, after, whole=node))
                return self._point(Point(node, node.coord, after))
            case c_ast.FuncCall():
                if build.is_call(node, *_MARKS) or (not in_loop and self._is_undefined(node)):
                    return after
                ends = build.is_call(node, lexicon.STOP, lexicon.EXIT)
                never = build.is_call(node, lexicon.ASSERT, lexicon.ASSUME, UNWOUND) and build.is_constant(
                    node.args.exprs[0], 0
                )
                return self._point(Point(node, node.coord, None if ends or never else after))
        raise UnsupportedError(f"a statement of kind {type(node).__name__} is not supported", node.coord)

    def _is_undefined(self, node: c_ast.FuncCall) -> bool:
        """Whether *node* says of an object that it has no value yet, before anything else mentions it."""
        return id(node) in self._mentioned


class _Depths(Analysis[Point, None, frozenset[int]]):
    """The depths of the atomic sections that may be around a point; 2 stands for more. Forward, may."""

    direction = Direction.FORWARD

    def boundary(self) -> frozenset[int]:
        return frozenset({0})

    def bottom(self) -> frozenset[int]:
        return frozenset()

    def join(self, one: frozenset[int], other: frozenset[int]) -> frozenset[int]:
        return one | other

    def transfer(self, node: Point, state: frozenset[int]) -> frozenset[int]:
        change = build.is_call(node.node, lexicon.ATOMIC_BEGIN) - build.is_call(node.node, lexicon.ATOMIC_END)
        return frozenset(min(max(depth + change, 0), 2) for depth in state)


def _first_mentions(body: c_ast.Node) -> set[int]:
    """The marks of whole objects as undefined, before which the text does not mention the object."""
    found: set[int] = set()
    seen: set[str] = set()

    def visit(node: Any) -> None:
        if isinstance(node, c_ast.Decl):
            return
        if build.is_call(node, lexicon.UNDEFINE):
            target = build.addressed(node.args.exprs[0])
            if isinstance(target, c_ast.ID) and target.name not in seen:
                found.add(id(node))
        if isinstance(node, c_ast.ID):
            seen.add(node.name)
        for _, child in node.children():
            visit(child)

    visit(body)
    return found
