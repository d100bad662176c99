"""Assertions that the system's <assert.h> has expanded are again what ours makes of them. Not a stage."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from cseq.cparser import build, parse
from cseq.cparser.nodes import StatementExpression
from cseq.modules.unused import names_of
from cseq.translator import Rewriter

FAIL = "__assert_fail"
CHECK = "__CSEQ_check"


def with_assertions(nodes: list[c_ast.Node]) -> list[c_ast.Node]:
    """*nodes* with ``__CSEQ_check(e, "assertion `e`")`` for what `assert(e)` is in glibc and musl, of any age.

    A call of `__assert_fail` anywhere else is a check that fails.
    """
    if not any(FAIL in names_of(node).mentioned for node in nodes if isinstance(node, c_ast.FuncDef)):
        return nodes
    rewriter = _Assertions()
    result: list[c_ast.Node] = [
        rewriter.visit(node) if isinstance(node, c_ast.FuncDef) and FAIL in names_of(node).mentioned else node
        for node in nodes
        if not (isinstance(node, c_ast.Decl) and node.name == FAIL)
    ]
    if any(isinstance(node, c_ast.Decl) and node.name == CHECK for node in nodes):
        return result
    return [*parse(f"void {CHECK}(int holds, const char *what);").ext, *result]


class _Assertions(Rewriter):
    """Knows assertions by the call of `__assert_fail` in them."""

    def visit_TernaryOp(self, node: c_ast.TernaryOp) -> Any:
        """``e ? (void)0 : __assert_fail("e", …)``: glibc up to 2.24, and where there are no GNU extensions."""
        text = _failing(node.iffalse)
        return self._check(node.cond, text, node) if text is not None else self.generic_visit(node)

    def visit_StatementExpression(self, node: StatementExpression) -> Any:
        """``({ if (e) ; else __assert_fail("e", …); })``."""
        items = node.block.block_items or []
        if len(items) == 1 and isinstance(items[0], c_ast.If) and isinstance(items[0].iftrue, c_ast.EmptyStatement):
            text = _failing(items[0].iffalse)
            if text is not None:
                return self._check(items[0].cond, text, node)
        return self.generic_visit(node)

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> Any:
        """``e || (__assert_fail("e", …), 0)``: musl."""
        right = node.right
        if node.op == "||" and isinstance(right, c_ast.ExprList) and len(right.exprs) > 1:
            text = _failing(right.exprs[0])
            if text is not None:
                return self._check(node.left, text, node)
        return self.generic_visit(node)

    def visit_ExprList(self, node: c_ast.ExprList) -> Any:
        """``((void)sizeof(…), ({ … }))``: the first part only has the compiler warn."""
        new = self.generic_visit(node)
        exprs = new.exprs
        if len(exprs) == 2 and _is_check(exprs[1]) and not _is_check(node.exprs[1]) and _is_sizeof(exprs[0]):
            return exprs[1]
        return new

    def visit_Cast(self, node: c_ast.Cast) -> Any:
        """``(void)(e || …)``."""
        new = self.generic_visit(node)
        return new.expr if _is_check(new.expr) and not _is_check(node.expr) else new

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        """A call of which nothing says that it is an assertion's."""
        text = _failing(node)
        return build_check(build.number(0), text, node) if text is not None else self.generic_visit(node)

    def _check(self, cond: c_ast.Node, text: str, node: c_ast.Node) -> c_ast.FuncCall:
        return build_check(self.visit(cond), text, node)


def build_check(cond: c_ast.Node, text: str, node: c_ast.Node) -> c_ast.FuncCall:
    """The call that checks *cond*, of which the user wrote *text*, at the place of *node*."""
    name = c_ast.Constant("string", f'"assertion `{text}`"')
    return c_ast.FuncCall(c_ast.ID(CHECK, node.coord), c_ast.ExprList([cond, name]), node.coord)


def _failing(node: Any) -> str | None:
    """The text of the assertion that fails by the call *node*, without quotes; None for anything else."""
    if isinstance(node, c_ast.Compound) and len(node.block_items or []) == 1:
        node = node.block_items[0]
    if not (isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name == FAIL):
        return None
    first = node.args.exprs[0] if node.args else None
    return str(first.value)[1:-1] if isinstance(first, c_ast.Constant) and first.type == "string" else "0"


def _is_check(node: Any) -> bool:
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name == CHECK


def _is_sizeof(node: Any) -> bool:
    if isinstance(node, c_ast.Cast):
        node = node.expr
    return isinstance(node, c_ast.UnaryOp) and node.op == "sizeof"
