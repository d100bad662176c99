"""The end of a process that calls functions when it ends: to return from main is to call `exit`."""

from __future__ import annotations

from pycparser import c_ast

from cseq.c import build
from cseq.modules.library import clibrary
from cseq.pipeline.translator import Rewriter, rebuilt


def with_exit(tree: c_ast.FileAST) -> c_ast.FileAST:
    """*tree* with calls of `exit` where main returns, if the program registers functions for its end."""
    functions = {node.decl.name: node for node in tree.ext if isinstance(node, c_ast.FuncDef)}
    if clibrary.RUN_EXIT not in functions or "main" not in functions:
        return tree
    main = _exiting(functions["main"])
    return c_ast.FileAST([main if node is functions["main"] else node for node in tree.ext])


def _exiting(main: c_ast.FuncDef) -> c_ast.FuncDef:
    body = _Returns().visit(main.body)
    items = body.block_items or []
    last = items[-1].coord if items else main.coord
    if not (items and build.is_call(items[-1], "exit")):
        items = [*items, build.call("exit", build.number(0), origin=last)]
    return rebuilt(main, body=rebuilt(body, block_items=items))


class _Returns(Rewriter):
    """Replaces the returns of a function."""

    def visit_Return(self, node: c_ast.Return) -> c_ast.Node:
        return build.call("exit", build.number(0) if node.expr is None else node.expr, origin=node.coord)
