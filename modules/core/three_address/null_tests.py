"""Whether a program looks at what functions return only to compare it to a null pointer."""

from collections.abc import Collection
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.library import lexicon

_CONDITIONS = (c_ast.If, c_ast.While, c_ast.DoWhile, c_ast.For, c_ast.TernaryOp)


def are_only_tested(tree: c_ast.FileAST, functions: Collection[str]) -> bool:
    """Whether the results of *functions* are only compared to null, directly or in variables that hold nothing else."""
    uses = _Uses(functions)
    for node in tree.ext:
        if not (isinstance(node, c_ast.FuncDef) and lexicon.is_library(node.decl.name)):
            uses.visit(node, is_tested=False)
    return not uses.is_read and uses.holders.isdisjoint(uses.read)


class _Uses:
    """is_read: whether the result of a call is used otherwise. holders: the variables that get the result of a call.

    read: the names of variables that are used in other ways than in comparisons to null.
    """

    def __init__(self, functions: Collection[str]) -> None:
        self._functions = functions
        self.is_read = False
        self.holders: set[str] = set()
        self.read: set[str] = set()

    def visit(self, node: Any, is_tested: bool) -> None:
        """Visit *node*. is_tested: whether its value is unused or only compared to null."""
        match node:
            case c_ast.ID():
                if not is_tested:
                    self.read.add(node.name)
            case c_ast.FuncCall() if build.callee(node) in self._functions:
                self.is_read |= not is_tested
            case c_ast.Assignment(op="=", lvalue=c_ast.ID()) | c_ast.Decl(type=c_ast.PtrDecl(), init=c_ast.Node()):
                self._stored(node, is_tested)
            case c_ast.Cast():
                self.visit(node.expr, is_tested)
            case c_ast.BinaryOp(op="==" | "!="):
                for side, other in ((node.left, node.right), (node.right, node.left)):
                    self.visit(side, build.is_constant(build.uncast(other), 0))
            case c_ast.BinaryOp(op="&&" | "||") | c_ast.UnaryOp(op="!"):
                for _, child in node.children():  # type: ignore[no-untyped-call]
                    self.visit(child, is_tested=True)
            case _:
                conditions = isinstance(node, _CONDITIONS)
                statements = isinstance(node, c_ast.Compound)
                for slot, child in node.children():
                    self.visit(child, statements or (conditions and slot == "cond"))

    def _stored(self, node: Any, is_tested: bool) -> None:
        name, value = (node.name, node.init) if isinstance(node, c_ast.Decl) else (node.lvalue.name, node.rvalue)
        if build.callee(build.uncast(value)) in self._functions:
            self.holders.add(name)
            if not is_tested and not isinstance(node, c_ast.Decl):
                self.read.add(name)
        else:
            self.visit(value, is_tested=False)
