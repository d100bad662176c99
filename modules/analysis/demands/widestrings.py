"""Give wide string literals names, as arrays: engines do not always know the length of the literals."""

from __future__ import annotations

from pycparser import c_ast

from cseq.c import build
from cseq.c.literals import encoding, string_units
from cseq.c.symbols import Symbols
from cseq.modules.library import lexicon
from cseq.pipeline.translator import Rewriter


def named(tree: c_ast.FileAST, symbols: Symbols) -> c_ast.FileAST:
    """*tree* with names for the user's wide strings; initialisers of arrays stay."""
    rewriter = _WideStrings(symbols)
    nodes: list[c_ast.Node] = []
    for node in tree.ext:
        users = not lexicon.is_ours(node.coord)
        if users and (isinstance(node, c_ast.FuncDef) or (isinstance(node, c_ast.Decl) and _is_pointer(node, symbols))):
            changed = rewriter.visit(node)
            nodes += [*rewriter.taken(), changed]
        else:
            nodes.append(node)
    return c_ast.FileAST(nodes)


def _is_pointer(node: c_ast.Decl, symbols: Symbols) -> bool:
    return isinstance(symbols.resolve(node.type), c_ast.PtrDecl)


class _WideStrings(Rewriter):
    """Replaces wide string literals by names."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__()
        self._symbols = symbols
        self._count = 0
        self._new: list[c_ast.Node] = []

    def taken(self) -> list[c_ast.Node]:
        """The declarations of the new names."""
        new, self._new = self._new, []
        return new

    def visit_Constant(self, node: c_ast.Constant) -> c_ast.Node:
        if node.type != "string" or encoding(node.value) not in ("L", "u", "U"):
            return node
        name = f"__cs_string_{self._count}"
        self._count += 1
        units = [*string_units(node.value), 0]
        type_ = c_ast.ArrayDecl(self._symbols.character(node), build.number(len(units)), [])
        declared = build.declare(name, type_, storage=["static"])
        declared.init = c_ast.InitList([build.number(unit) for unit in units])
        self._symbols.declare(declared)
        self._new.append(declared)
        return build.ident(name)
