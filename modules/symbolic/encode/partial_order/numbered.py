"""Shared pointers as numbers.

CBMC refuses to store a pointer in shared memory while threads run: it may not know where it leads when another thread
follows it. These are never followed (`pointers.py`): they are stored, loaded and compared, which numbers are good for.
"""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.library import lexicon
from cseq.pipeline.translator import Rewriter, rebuilt


def shared_pointers(ext: list[c_ast.Node], symbols: Symbols) -> dict[str, c_ast.Node]:
    """The pointers among the user's objects at file level, with their types."""
    found: dict[str, c_ast.Node] = {}
    for node in ext:
        if isinstance(node, c_ast.Decl) and node.name and not lexicon.is_ours(node.coord):
            type_ = symbols.resolve(node.type)
            if isinstance(type_, c_ast.PtrDecl) and "typedef" not in (node.storage or []):
                found[node.name] = type_
    return found


def is_pointer(decl: c_ast.Decl, symbols: Symbols) -> bool:
    """Whether *decl* declares a pointer."""
    return isinstance(symbols.resolve(decl.type), c_ast.PtrDecl)


def number_type(name: str | None) -> c_ast.TypeDecl:
    """The type of numbers of the size of a pointer, as that of *name*."""
    return c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["unsigned", "long"]))


class PointerNumbering(Rewriter):
    """Rewrites code and declarations so that some objects are numbers. kept: these, by name, with their types."""

    def __init__(self, kept: dict[str, c_ast.Node]) -> None:
        super().__init__()
        self._kept = kept

    def visit_ID(self, node: c_ast.ID) -> Any:
        """The value as a pointer."""
        type_ = self._kept.get(node.name)
        return node if type_ is None else c_ast.Cast(build.typename(build.renamed(type_, None)), node)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> Any:
        """The address, as that of a pointer."""
        kept = isinstance(node.expr, c_ast.ID) and node.expr.name in self._kept
        if not kept or node.op not in ("&", "sizeof"):
            return self.generic_visit(node)
        pointer = c_ast.PtrDecl([], build.renamed(self._kept[node.expr.name], None))
        return node if node.op == "sizeof" else c_ast.Cast(build.typename(pointer), node)

    def visit_Assignment(self, node: c_ast.Assignment) -> Any:
        """A store of a pointer as a number."""
        if not (isinstance(node.lvalue, c_ast.ID) and node.lvalue.name in self._kept):
            return self.generic_visit(node)
        return rebuilt(node, rvalue=c_ast.Cast(build.typename(number_type(None)), self.visit(node.rvalue)))

    def visit_Decl(self, node: c_ast.Decl) -> Any:
        """A declaration as that of a number."""
        if node.name not in self._kept:
            return self.generic_visit(node)
        init = None
        if node.init is not None:
            init = c_ast.Cast(build.typename(number_type(None)), self.visit(node.init))
        return rebuilt(node, type=number_type(node.name), init=init)


class LibraryForThreads(Rewriter):
    """The objects and types of the thread library, which only compares pointers that it keeps, or returns them."""

    def visit_Decl(self, node: c_ast.Decl) -> Any:
        """A member or object of ours."""
        if node.name is None or not node.name.startswith("__cs_"):
            return self.generic_visit(node)
        type_ = _as_numbers(node.type, node.name)
        return node if type_ is node.type else rebuilt(node, type=type_)


def _as_numbers(type_: Any, name: str) -> Any:
    if isinstance(type_, c_ast.ArrayDecl):
        inner = _as_numbers(type_.type, name)
        return type_ if inner is type_.type else rebuilt(type_, type=inner)
    if isinstance(type_, c_ast.PtrDecl) and not isinstance(type_.type, c_ast.FuncDecl):
        return number_type(name)
    return type_
