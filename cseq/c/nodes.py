"""Tree nodes for constructs of GNU C that pycparser has no nodes for.

The parser (`cseq.c.gnu`) makes them and the normalisation removes them, except `StatementExpression`: the three-address
stage turns it into statements, so that the stages before it can rewrite its contents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, ClassVar

from pycparser import c_ast

LEAVES = frozenset({
    c_ast.Break, c_ast.Constant, c_ast.Continue, c_ast.EmptyStatement, c_ast.Goto, c_ast.ID, c_ast.IdentifierType,
})  # fmt: skip
"""Nodes with nothing inside them."""

PAIRS = {
    c_ast.ArrayRef: attrgetter("name", "subscript"),
    c_ast.Assignment: attrgetter("lvalue", "rvalue"),
    c_ast.BinaryOp: attrgetter("left", "right"),
    c_ast.Cast: attrgetter("to_type", "expr"),
    c_ast.StructRef: attrgetter("name", "field"),
}
"""Nodes with two others inside them, in the order of the text: this is faster than pycparser's iterator."""


class Visitor(c_ast.NodeVisitor):
    """pycparser's visitor, which looks methods up by class, and makes no names of children."""

    _methods: dict[type, Any] | None = None

    def visit(self, node: c_ast.Node) -> Any:
        """Visit *node* with the method for its class."""
        return self._method(node.__class__)(node)

    def generic_visit(self, node: Any) -> None:
        """Visit what is inside *node*."""
        methods = self._methods or {}
        for child in PAIRS.get(node.__class__, iter)(node):
            cls = child.__class__
            (methods.get(cls) or self._method(cls))(child)

    def _method(self, cls: type) -> Any:
        """The method for nodes of the class *cls*, which is looked up once."""
        methods = self._methods
        if methods is None:
            methods = self._methods = {}
        method = methods.get(cls)
        if method is None:
            otherwise = _nothing if cls in LEAVES else self.generic_visit
            method = methods[cls] = getattr(self, f"visit_{cls.__name__}", otherwise)
        return method


def _nothing(node: c_ast.Node) -> None:
    """Visit a node with nothing inside it."""


class _GnuNode(c_ast.Node):
    """A node whose slots each hold a child or a list of children, except those in `attr_names`."""

    __slots__ = ()
    attr_names: ClassVar[tuple[str, ...]] = ()

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        """The names of the slots and their contents, as for every node of pycparser."""
        found: list[tuple[str, c_ast.Node]] = []
        slot: str
        for slot in self.__slots__:
            value = None if slot in ("coord", "__weakref__", *self.attr_names) else getattr(self, slot)
            if isinstance(value, list):
                found.extend((f"{slot}[{number}]", child) for number, child in enumerate(value))
            elif value is not None:
                found.append((slot, value))
        return tuple(found)

    def __iter__(self) -> Iterator[c_ast.Node]:
        return iter(child for _, child in self.children())


class StatementExpression(_GnuNode):
    """``({ … })``: its value is that of the block's last statement, if that is an expression."""

    __slots__ = ("__weakref__", "block", "coord")

    def __init__(self, block: c_ast.Compound, coord: Any = None) -> None:
        self.block = block
        self.coord = coord


class CaseRange(_GnuNode):
    """The expression of a case label ``first ... last``; also the designator ``[first ... last]``."""

    __slots__ = ("__weakref__", "coord", "first", "last")

    def __init__(self, first: c_ast.Node, last: c_ast.Node, coord: Any = None) -> None:
        self.first = first
        self.last = last
        self.coord = coord


class OmittedConditional(_GnuNode):
    """``cond ?: otherwise``: the value of *cond*, which is evaluated once, unless that is 0."""

    __slots__ = ("__weakref__", "cond", "coord", "otherwise")

    def __init__(self, cond: c_ast.Node, otherwise: c_ast.Node, coord: Any = None) -> None:
        self.cond = cond
        self.otherwise = otherwise
        self.coord = coord


class Asm(_GnuNode):
    """An asm statement, in a function or at file level.

    template:   its text between the quotes.
    operands:   whether it has inputs, outputs or labels.
    qualifiers: volatile, goto, inline.
    outputs, inputs: lists of `AsmOperand`. clobbers: what else it changes, such as ``memory``. labels: jump targets.
    """

    __slots__ = (
        "__weakref__", "clobbers", "coord", "inputs", "labels", "operands", "outputs", "qualifiers", "template",
    )  # fmt: skip
    attr_names = ("template", "operands", "qualifiers", "clobbers", "labels")

    def __init__(
        self,
        template: str,
        operands: bool,
        coord: Any = None,
        qualifiers: Sequence[str] = (),
        outputs: Sequence[AsmOperand] = (),
        inputs: Sequence[AsmOperand] = (),
        clobbers: Sequence[str] = (),
        labels: Sequence[str] = (),
    ) -> None:
        self.template = template
        self.operands = operands
        self.coord = coord
        self.qualifiers = list(qualifiers)
        self.outputs = list(outputs)
        self.inputs = list(inputs)
        self.clobbers = list(clobbers)
        self.labels = list(labels)


class AsmOperand(_GnuNode):
    """``[name] "constraint" (expr)``; the name may be missing."""

    __slots__ = ("__weakref__", "constraint", "coord", "expr", "name")
    attr_names = ("name", "constraint")

    def __init__(self, name: str | None, constraint: str, expr: c_ast.Node, coord: Any = None) -> None:
        self.name = name
        self.constraint = constraint
        self.expr = expr
        self.coord = coord


class LabelAddress(_GnuNode):
    """``&&label``."""

    __slots__ = ("__weakref__", "coord", "name")
    attr_names = ("name",)

    def __init__(self, name: str, coord: Any = None) -> None:
        self.name = name
        self.coord = coord


class ComputedGoto(_GnuNode):
    """``goto *target;``."""

    __slots__ = ("__weakref__", "coord", "target")

    def __init__(self, target: c_ast.Node, coord: Any = None) -> None:
        self.target = target
        self.coord = coord


class NestedFunction(_GnuNode):
    """The definition of a function in another one, without its body."""

    __slots__ = ("__weakref__", "coord", "name")
    attr_names = ("name",)

    def __init__(self, name: str, coord: Any = None) -> None:
        self.name = name
        self.coord = coord


_NO_EXPRESSIONS = (
    Asm, ComputedGoto, NestedFunction,
    c_ast.Break, c_ast.Case, c_ast.Compound, c_ast.Continue, c_ast.Decl, c_ast.DeclList,
    c_ast.Default, c_ast.DoWhile, c_ast.EmptyStatement, c_ast.For, c_ast.Goto, c_ast.If, c_ast.Label, c_ast.Pragma,
    c_ast.Return, c_ast.StaticAssert, c_ast.Switch, c_ast.Typedef, c_ast.While,
)  # fmt: skip


def is_expression(node: c_ast.Node) -> bool:
    """Whether a statement is an expression (with a semicolon)."""
    return not isinstance(node, _NO_EXPRESSIONS)


def value_of(node: StatementExpression) -> c_ast.Node | None:
    """The expression whose value a statement expression has; None where it has none."""
    items = node.block.block_items or []
    last: c_ast.Node | None = items[-1] if items else None
    return last if last is not None and is_expression(last) else None
