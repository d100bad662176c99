"""Wrappers for library functions that a program uses as values, as if the user had written them.

A step of the library has no address, and a primitive of CSeq is not a function at all; a wrapper is a function that
calls it. An unknown function gets no wrapper: a call that may lead to it through a pointer is refused.
"""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.origin import Origin
from cseq.modules.analysis import variadic
from cseq.modules.analysis.mentions import mentioned
from cseq.modules.library import clibrary, lexicon
from cseq.pipeline.translator import Names, Rewriter, rebuilt


def with_wrappers(tree: c_ast.FileAST, symbols: Symbols) -> c_ast.FileAST:
    """*tree* with a wrapper in place of each library function whose address the user takes."""
    foreign = {name for name, type_ in symbols.types.items() if _is_foreign(name, type_, symbols)}
    users = [node for node in tree.ext if not _is_ours(node)]
    found = {name for name in mentioned(users, foreign) if _is_known(name)}
    if not found:
        return tree
    names = Names(symbols.types)
    replace = _Replacement({name: names.take(name) for name in sorted(found)})
    nodes: list[c_ast.Node] = []
    declarations: dict[str, c_ast.Decl] = {}
    for node in tree.ext:
        nodes.append(node if _is_ours(node) else replace.visit(node))
        declared = node.decl if _is_ours(node) else node  # a variant of a function has no prototype
        if isinstance(declared, c_ast.Decl) and declared.name in found and declared.name not in declarations:
            declarations[declared.name] = declared
            nodes.append(_declaration(declared, replace.names[declared.name]))
    wrappers = [_wrapper(node, replace.names[name], replace.places.get(name)) for name, node in declarations.items()]
    cells = variadic.declarations() if any(map(variadic.is_variadic, wrappers)) else []
    if variadic.LIST_TYPE in symbols.typedefs:
        cells = []
    return c_ast.FileAST([*cells, *nodes, *wrappers])


def _is_ours(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncDef) and lexicon.is_ours(node.coord)


def _is_foreign(name: str, type_: c_ast.Node, symbols: Symbols) -> bool:
    definition = symbols.functions.get(name)
    return isinstance(type_, c_ast.FuncDecl) and (definition is None or lexicon.is_ours(definition.coord))


def _is_known(name: str) -> bool:
    return lexicon.is_step(name) or lexicon.is_library(name) or name in lexicon.FAILS or clibrary.is_known(name)


def _declaration(node: c_ast.Decl, name: str) -> c_ast.Decl:
    return rebuilt(node, name=name, type=build.renamed(node.type, name), storage=["static"], funcspec=[])


def _wrapper(node: c_ast.Decl, name: str, place: Origin | None) -> c_ast.FuncDef:
    """The function *name*, which only calls the function that *node* declares."""
    parameters: list[Any] = []
    arguments: list[c_ast.Node] = []
    for position, item in enumerate(node.type.args.params if node.type.args else []):
        if isinstance(item, c_ast.EllipsisParam) or build.is_void(item.type):
            parameters.append(item)
            continue
        local = f"__cs_{node.name}_{position}"
        parameters.append(build.declare(local, build.renamed(item.type, local), place))
        arguments.append(build.ident(local))
    origin = place or node.coord
    call = build.call(node.name, *arguments, origin=origin)
    statement: c_ast.Node = call if build.is_void(node.type.type) else c_ast.Return(call, origin)
    args = c_ast.ParamList(parameters) if parameters else node.type.args
    decl = rebuilt(_declaration(node, name), type=c_ast.FuncDecl(args, build.renamed(node.type.type, name)))
    return c_ast.FuncDef(decl, None, c_ast.Compound([statement], origin), origin)


class _Replacement(Rewriter):
    """Replaces functions that are used as values by wrappers. places: the first such use of each."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self.names = names
        self.places: dict[str, Origin] = {}

    def visit_ID(self, node: c_ast.ID) -> c_ast.ID:
        if node.name not in self.names:
            return node
        if isinstance(node.coord, Origin):
            self.places.setdefault(node.name, node.coord)
        return c_ast.ID(self.names[node.name], node.coord)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        called = node.name if isinstance(node.name, c_ast.ID) else self.visit(node.name)
        args = self.visit(node.args) if node.args is not None else None
        return node if called is node.name and args is node.args else rebuilt(node, name=called, args=args)

    def visit_NamedInitializer(self, node: c_ast.NamedInitializer) -> c_ast.NamedInitializer:
        value = self.visit(node.expr)
        return node if value is node.expr else rebuilt(node, expr=value)
