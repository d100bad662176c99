"""What the parser takes and the scoper does not lower yet: refused with its name. Not a stage."""

from __future__ import annotations

from pycparser import c_ast

from cseq.cparser import nodes
from cseq.errors import UnsupportedError

_CONSTRUCTS: dict[type, str] = {
    nodes.StatementExpression: "a statement expression `({ … })`",
    nodes.CaseRange: "a range `… ... …`",
    nodes.OmittedConditional: "a conditional `… ?: …` without its second operand",
    nodes.Asm: "`asm`",
    nodes.LabelAddress: "the address of a label `&&…`",
    nodes.ComputedGoto: "a computed `goto`",
    c_ast.TypeOf: "`typeof`",
    c_ast.InferredType: "`__auto_type`",
    c_ast.GenericSelection: "`_Generic`",
    c_ast.Alignas: "`_Alignas`",
}
_HARMLESS = frozenset({"gnu_inline", "transparent_union", "gcc_struct"})
_OPERATORS = ("__real__", "__imag__", "__alignof__")
_TYPES = ("__int128", "_Float", "__float", "__bf16", "_Decimal", "__builtin_va_list", "__uint128_t", "__ibm128")


class Refusals(c_ast.NodeVisitor):
    """Raise UnsupportedError for the first such construct of a tree."""

    def generic_visit(self, node: c_ast.Node) -> None:
        """Visit the children of a node that is none of these."""
        name = _CONSTRUCTS.get(type(node))
        if name is not None:
            raise UnsupportedError(f"{name} is not supported", node.coord)
        for _, child in node.children():
            self.visit(child)

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.align:
            self.visit(node.align[0])
        self.generic_visit(node)

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
