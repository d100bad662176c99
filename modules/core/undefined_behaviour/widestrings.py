"""Give string literals names, as arrays: engines do not always know where the literals end."""

from pycparser import c_ast

from cseq.c import build
from cseq.c.literals import encoding, string_units
from cseq.c.symbols import Symbols
from cseq.modules.analysis import cuts
from cseq.modules.library import lexicon
from cseq.pipeline.translator import Rewriter, rebuilt

_SAYING = frozenset({lexicon.ASSERT, lexicon.COARSE, lexicon.DEMAND, lexicon.MISUSE_STUB, cuts.UNWOUND})
"""Calls with strings that are not the program's."""


def named(tree: c_ast.FileAST, symbols: Symbols, all_strings: bool = False) -> c_ast.FileAST:
    """*tree* with names for the user's wide strings, or for all of them; initialisers of arrays stay."""
    rewriter = _WideStrings(symbols, all_strings)
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

    def __init__(self, symbols: Symbols, all_strings: bool) -> None:
        super().__init__()
        self._symbols = symbols
        self._all = all_strings
        self._count = 0
        self._new: list[c_ast.Node] = []

    def taken(self) -> list[c_ast.Node]:
        """The declarations of the new names."""
        new, self._new = self._new, []
        return new

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        if isinstance(node.name, c_ast.ID) and node.name.name in _SAYING:
            cond, *said = node.args.exprs
            return rebuilt(node, args=c_ast.ExprList([self.visit(cond) if said else cond, *said]))
        call: c_ast.FuncCall = self.generic_visit(node)
        return call

    def visit_Constant(self, node: c_ast.Constant) -> c_ast.Node:
        if node.type != "string" or (not self._all and encoding(node.value) not in ("L", "u", "U")):
            return node
        name = f"__cs_string_{self._count}"
        self._count += 1
        units = [*string_units(node.value), 0]
        type_ = c_ast.ArrayDecl(self._symbols.character(node), build.number(len(units)), [])
        declared = build.declare(name, type_, storage=["static"])
        if self._all:  # nothing that others could change
            declared.type.type.quals = ["const"]
        declared.init = c_ast.InitList([build.number(unit) for unit in units])
        self._symbols.declare(declared)
        self._new.append(declared)
        return build.ident(name)
