"""Expressions of the core language as text in the user's terms."""

from pycparser import c_ast

from cseq.c import Printer
from cseq.modules.library import lexicon
from cseq.pipeline.translator import rebuilt, user_name

OURS = "…"
"""Printed in place of a value or member of our own in an expression."""


class UserPrinter(Printer):
    """Prints expressions with the user's names, and a variable of ours as the expression that it was assigned."""

    def __init__(self, meanings: dict[str, str]) -> None:
        super().__init__()
        self.reduce_parentheses = True
        self._meanings = meanings

    def visit_ID(self, node: c_ast.ID) -> str:
        return user_name(node.name) or self._meanings.get(node.name, OURS)

    def visit_Cast(self, node: c_ast.Cast) -> str:
        """An address of an object with elements of a flexible array member is a cast of ours."""
        return str(self.visit(node.expr) if _sized(node) is not None else super().visit_Cast(node))

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> str:
        sized = _sized(node.expr) if node.op == "*" else None
        return str(self.visit(sized) if sized is not None else super().visit_UnaryOp(node))

    def visit_StructRef(self, node: c_ast.StructRef) -> str:
        """``b.m``, where the core language has ``(*(struct s *) &b).m``."""
        pointer = node.name.expr if isinstance(node.name, c_ast.UnaryOp) and node.name.op == "*" else None
        sized = _sized(pointer)
        return str(super().visit_StructRef(node if sized is None else rebuilt(node, name=sized)))


def _sized(node: c_ast.Node | None) -> c_ast.ID | None:
    """The object whose address *node* is, if it has elements of a flexible array member."""
    if not isinstance(node, c_ast.Cast) or not isinstance(node.expr, c_ast.UnaryOp) or node.expr.op != "&":
        return None
    named = node.expr.expr
    return named if isinstance(named, c_ast.ID) and lexicon.SIZED in named.name else None
