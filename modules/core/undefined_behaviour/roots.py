"""The pointers that keep blocks from being lost."""

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.scalars import Indivisible, Scalars
from cseq.modules.library import lexicon
from cseq.pipeline.translator import user_name

_MOST = 128


def is_users(node: c_ast.Node) -> bool:
    """Whether *node* declares an object of the user's at file level."""
    return isinstance(node, c_ast.Decl) and bool(node.name) and not lexicon.is_ours(node.coord)


def pointers_at_file_level(symbols: Symbols, tree: c_ast.FileAST) -> tuple[list[str], bool]:
    """The pointers in the user's objects with static storage, as C text, and whether these are all of them."""
    found: list[str] = []
    scalars = Scalars(symbols)
    for node in tree.ext:
        if not is_users(node) or user_name(node.name) is None or not _has_pointers(symbols, node.type):
            continue
        try:
            for leaf in scalars.scalars(build.ident(node.name), node.type):
                type_ = symbols.type_of(leaf)
                if symbols.record(type_) is not None or len(found) >= _MOST:
                    return found, False
                if symbols.is_pointer(type_):
                    found.append(Printer().visit(leaf))
        except Indivisible:
            return found, False
    return found, True


def _has_pointers(symbols: Symbols, type_: c_ast.Node) -> bool:
    type_ = symbols.resolve(type_)
    if isinstance(type_, c_ast.ArrayDecl):
        return _has_pointers(symbols, type_.type)
    if isinstance(type_, c_ast.PtrDecl):
        return True
    return any(_has_pointers(symbols, member.type) for member in symbols.members_of(type_))
