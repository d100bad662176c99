"""Refuse, by name, what the parser accepts but no stage supports."""

from __future__ import annotations

from pycparser import c_ast

from cseq.c import nodes
from cseq.c.layout import PACK
from cseq.c.nodes import Visitor
from cseq.model.errors import UnsupportedError

_CONSTRUCTS: dict[type, str] = {
    nodes.LabelAddress: "the address of a label `&&…`",
    nodes.ComputedGoto: "a computed `goto`",
}
_HARMLESS = frozenset({"aligned", "cleanup", PACK, "gcc_struct", "gnu_inline", "packed", "transparent_union"})
_OPERATORS = ("__real__", "__imag__")
_TYPES = ("_Float16", "_Float128", "__float128", "__bf16", "_Decimal", "__uint128_t", "__ibm128")


class Refusals(Visitor):
    """Raise UnsupportedError for the first such construct of a tree."""

    def generic_visit(self, node: c_ast.Node) -> None:
        """Visit the children of a node that is not refused."""
        name = _CONSTRUCTS.get(type(node))
        if name is not None:
            raise UnsupportedError(f"{name} is not supported", node.coord)
        for _, child in node.children():
            self.visit(child)

    def visit_Pragma(self, node: c_ast.Pragma) -> None:
        if str(node.string).startswith(("pack", "weak")):  # the merger takes those that are not in a declaration
            raise UnsupportedError(f"`#pragma {node.string}` is not supported here", node.coord)

    def visit_Attribute(self, node: c_ast.Attribute) -> None:
        if node.name not in _HARMLESS:
            raise UnsupportedError(f"the attribute `{node.name}` is not supported", node.coord)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        if node.op in _OPERATORS:
            raise UnsupportedError(f"`{node.op}` is not supported", node.coord)
        self.generic_visit(node)

    def visit_Constant(self, node: c_ast.Constant) -> None:
        if "_Complex" in node.type or node.type.startswith(_TYPES):
            raise UnsupportedError(f"a constant of type `{node.type}` is not supported", node.coord)

    def visit_IdentifierType(self, node: c_ast.IdentifierType) -> None:
        for name in node.names:
            if name.startswith(_TYPES):
                raise UnsupportedError(f"the type `{name}` is not supported", node.coord)
