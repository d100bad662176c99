"""Turns the expansions of macros in the system's headers into the expansions of our own macros."""

from typing import Any

from pycparser import c_ast

from cseq.c import build, parse
from cseq.c.nodes import StatementExpression
from cseq.c.unused import names_of
from cseq.model.claims import Claim, Kind
from cseq.pipeline.translator import Rewriter

FAIL = "__assert_fail"
CHECK = "__CSEQ_check"
REGISTER = "__pthread_register_cancel"
KINDS = "__ctype_b_loc"
PUSH = "__cs_cleanup_push"
POP = "__cs_cleanup_pop"

_PROTOTYPES = {
    CHECK: f"void {CHECK}(int holds, const char *what);",
    PUSH: f"void {PUSH}(void (*routine)(void *), void *arg);",
    POP: f"void {POP}(int execute);",
}


def with_macros_found(nodes: list[c_ast.Node]) -> list[c_ast.Node]:
    """*nodes* with the assertions, cleanup handlers and character classes of glibc's and musl's headers as ours.

    The expansion of `assert(e)` becomes ``__CSEQ_check(e, "assertion: e")``. A call of `__assert_fail` anywhere else
    becomes a check that fails.
    """
    rewriter = _Macros()
    result = [rewriter.visit(node) if _is_concerned(node) else node for node in nodes]
    if rewriter.made:
        result = [node for node in result if not (isinstance(node, c_ast.Decl) and node.name in (FAIL, REGISTER))]
        declared = {node.name for node in nodes if isinstance(node, c_ast.Decl)}
        missing = [_PROTOTYPES.get(name, f"int {name}(int c);") for name in sorted(rewriter.made - declared)]
        result[:0] = parse("\n".join(missing)).ext
    return result


def _is_concerned(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncDef) and not names_of(node).mentioned.isdisjoint((FAIL, REGISTER, KINDS))


class _Macros(Rewriter):
    """Recognises macros by the system function in their expansion. made: the functions of ours that it inserts."""

    def __init__(self) -> None:
        super().__init__()
        self.made: set[str] = set()

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
        """``e || (__assert_fail("e", …), 0)``: musl; ``(*__ctype_b_loc())[c] & (unsigned short)_ISdigit``: glibc."""
        right = node.right
        if node.op == "&" and isinstance(node.left, c_ast.ArrayRef) and _is_kinds(node.left.name):
            kind = right.expr if isinstance(right, c_ast.Cast) else right
            if isinstance(kind, c_ast.ID) and kind.name.startswith("_IS"):
                name = "is" + kind.name.removeprefix("_IS")
                self.made.add(name)
                return build.call(name, self.visit(node.left.subscript), origin=node.coord)
        if node.op == "||" and isinstance(right, c_ast.ExprList) and len(right.exprs) > 1:
            text = _failing(right.exprs[0])
            if text is not None:
                return self._check(node.left, text, node)
        return self.generic_visit(node)

    def visit_ExprList(self, node: c_ast.ExprList) -> Any:
        """``((void)sizeof(…), ({ … }))``: the first part only makes the compiler warn."""
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
        """A call that is not part of the expansion of an assertion."""
        text = _failing(node)
        return self._check(build.number(0), text, node) if text is not None else self.generic_visit(node)

    def visit_DoWhile(self, node: c_ast.DoWhile) -> Any:
        """``do { …; __pthread_register_cancel(…); do { BODY } while (0); …; if (EXECUTE) …; } while (0)``: glibc.

        It becomes ``{ __cs_cleanup_push(ROUTINE, ARGUMENT); BODY __cs_cleanup_pop(EXECUTE); }``.
        """
        items = (node.stmt.block_items or []) if isinstance(node.stmt, c_ast.Compound) else []
        places = [number for number, item in enumerate(items) if _called(item) == REGISTER]
        values = {item.name: item.init for item in items if isinstance(item, c_ast.Decl)}
        if not places or len(items) < places[0] + 3 or not {"__cancel_routine", "__cancel_arg"} <= values.keys():
            return self.generic_visit(node)
        body, end = items[places[0] + 1], items[-1]
        if not isinstance(body, c_ast.DoWhile) or not isinstance(end, c_ast.If):
            return self.generic_visit(node)
        self.made |= {PUSH, POP}
        push = build.call(PUSH, values["__cancel_routine"], values["__cancel_arg"], origin=node.coord)
        pop = build.call(POP, end.cond, origin=end.cond.coord)
        return c_ast.Compound([push, *self.visit(body.stmt).block_items[:-1], pop], node.coord)

    def _check(self, cond: c_ast.Node, text: str, node: c_ast.Node) -> c_ast.FuncCall:
        self.made.add(CHECK)
        name = c_ast.Constant("string", f'"{Claim(Kind.ASSERTION, subject=text).key}"')
        return build.call(CHECK, self.visit(cond), name, origin=node.coord)


def _failing(node: Any) -> str | None:
    """The text of the assertion whose failure the call *node* reports, without quotes; None for anything else."""
    if isinstance(node, c_ast.Compound) and len(node.block_items or []) == 1:
        node = node.block_items[0]
    if _called(node) != FAIL:
        return None
    first = node.args.exprs[0] if node.args else None
    return str(first.value)[1:-1] if isinstance(first, c_ast.Constant) and first.type == "string" else "0"


def _called(node: Any) -> str | None:
    """The name of the function that the expression *node* calls."""
    return node.name.name if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) else None


def _is_kinds(node: Any) -> bool:
    return isinstance(node, c_ast.UnaryOp) and node.op == "*" and _called(node.expr) == KINDS


def _is_check(node: Any) -> bool:
    return _called(node) == CHECK


def _is_sizeof(node: Any) -> bool:
    if isinstance(node, c_ast.Cast):
        node = node.expr
    return isinstance(node, c_ast.UnaryOp) and node.op == "sizeof"
