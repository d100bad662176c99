"""Report to a replay which objects exist, so that it can judge memory accesses by itself."""

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis import marks
from cseq.modules.library import lexicon
from cseq.pipeline.translator import rebuilt

_NOTE = "__CSEQ_note"


def noted(tree: c_ast.FileAST, symbols: Symbols) -> c_ast.FileAST:
    """The sequentialized program *tree*, in which main and the threads first report their objects."""
    objects = [node for node in tree.ext if isinstance(node, c_ast.Decl) and not lexicon.is_ours(node.coord)]
    nodes: list[c_ast.Node] = []
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef) and node.decl.name == "main":
            nodes.append(_with_notes(node, objects, symbols))
        elif marks.is_thread(node):
            own = [item for item in node.body.block_items or [] if isinstance(item, c_ast.Decl)]
            nodes.append(_with_notes(node, own, symbols))
        else:
            nodes.append(node)
    return c_ast.FileAST(nodes)


def _with_notes(node: c_ast.FuncDef, objects: list[c_ast.Decl], symbols: Symbols) -> c_ast.FuncDef:
    notes = [_note(decl.name) for decl in objects if _has_memory(decl, symbols)]
    items = node.body.block_items or []
    first = next((at for at, item in enumerate(items) if not isinstance(item, c_ast.Decl)), len(items))
    return rebuilt(node, body=c_ast.Compound([*items[:first], *notes, *items[first:]], node.body.coord))


def _note(name: str) -> c_ast.Node:
    target = build.ident(name)
    return build.call(_NOTE, c_ast.UnaryOp("&", target), c_ast.UnaryOp("sizeof", target), build.number(0))


def _has_memory(decl: c_ast.Decl, symbols: Symbols) -> bool:
    type_ = symbols.resolve(decl.type)
    incomplete = isinstance(type_, c_ast.ArrayDecl) and type_.dim is None
    return bool(decl.name) and "extern" not in decl.storage and not incomplete and not isinstance(type_, c_ast.FuncDecl)
