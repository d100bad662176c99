"""Expressions of the core language as text in the user's terms."""

from __future__ import annotations

from pycparser import c_ast

from cseq.c import Printer
from cseq.pipeline.translator import user_name

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
