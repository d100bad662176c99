"""Replace the system's thread library in units that are already preprocessed by ours.

Such a unit has the types, prototypes and static initialisers of the system's headers, or copies of them that the user
made. A type is taken to be the system's if it is opaque to the user: it is not a struct, or the names of all its
members are reserved for the system. Initialisers are replaced where types are known (`system_initializers`).
"""

from collections.abc import Iterable
from typing import Any

from pycparser import c_ast

from cseq.c.symbols import tag_key
from cseq.c.unused import names_of
from cseq.modules.library import stubs
from cseq.modules.library.headers import OwnDeclarations, Pool, is_own, is_prototype, own_declarations
from cseq.modules.library.primitives.object_types import TYPES
from cseq.pipeline.translator import Rewriter, rebuilt

ZERO = c_ast.InitList([])
"""The initialiser of an object that is zero because it is static, in a unit that was preprocessed with the system's
headers: its parts that belong to the thread library are initialised."""


def with_own_threads(tree: c_ast.FileAST, bits: int, defined: set[str]) -> tuple[c_ast.FileAST, bool]:
    """*tree* with the system's types and prototypes of threads replaced by ours, and whether any types were replaced.

    defined: the functions that the program defines, in any unit.
    """
    foreign: list[Any] = [node for node in tree.ext if not is_own(node)]
    types = [node for node in foreign if isinstance(node, c_ast.Typedef) and node.name in TYPES]
    functions = {node.name for node in foreign if is_prototype(node) and node.name not in defined}
    if not types and not any(stubs.is_library(name) for name in functions):
        return tree, False
    own = own_declarations(bits)
    found = {node.name for node in types if node.name in own.types}
    replaced = found - _user_s(types, tree.ext, own, defined)
    if replaced:
        tree = c_ast.FileAST(_with_static_initialisers(tree.ext, replaced))
    functions = {name for name in functions & own.functions if own.mentioned(name).isdisjoint(found - replaced)}
    return c_ast.FileAST(_replaced(tree.ext, own, replaced, functions)), bool(replaced)


def _replaced(nodes: list[Any], own: OwnDeclarations, types: set[str], functions: set[str]) -> list[c_ast.Node]:
    """The declarations with ours in place of the system's, and with what ours need that is not declared elsewhere."""

    def is_system_s(node: Any) -> bool:
        name = getattr(node, "name", None)
        if is_own(node):
            return False
        return (isinstance(node, c_ast.Typedef) and name in types) or (is_prototype(node) and name in functions)

    user_s = [node for node in nodes if not is_system_s(node)]
    present = {name for node in user_s for name in names_of(node).declared}
    later = Pool(user_s)
    so_far: set[str] = set()
    early: set[int] = set()
    result: list[c_ast.Node] = []

    def place(node: c_ast.Node) -> None:
        so_far.update(names_of(node).declared)
        result.append(node)

    for node in nodes:
        if not is_system_s(node):
            if id(node) not in early:
                place(node)
            continue
        for ours in own.needed([node.name], present):
            # The user may declare what ours need, such as `size_t`, only further down.
            needed = later.needed(sorted(names_of(ours).mentioned - so_far), set(so_far))
            if all(isinstance(item, c_ast.Typedef) for item in needed):
                for item in needed:
                    early.add(id(item))
                    place(item)
            place(ours)
    return result


def _user_s(types: list[c_ast.Typedef], nodes: list[c_ast.Node], own: OwnDeclarations, defined: set[str]) -> set[str]:
    """The *types* that are the user's own: they expose their members, or the user's functions work on them."""
    records = {tag_key(record): record for node in nodes if (record := _record(node)) is not None and record.decls}
    worked_on = {name for function in defined & own.functions for name in own.mentioned(function)}
    found = set()
    for node in types:
        record = _record(node)
        if record is not None:
            members = (record if record.decls else records.get(tag_key(record), record)).decls or []
            if not all((getattr(member, "name", None) or "__").startswith("__") for member in members):
                found.add(node.name)
        elif node.name in worked_on and node.name != "pthread_t":
            found.add(node.name)
    return found


def _record(node: c_ast.Node) -> c_ast.Struct | c_ast.Union | None:
    """The struct or union that *node* declares, or declares a name for; None for other declarations."""
    type_ = getattr(node, "type", None)
    if isinstance(type_, c_ast.TypeDecl):
        type_ = type_.type
    return type_ if isinstance(type_, (c_ast.Struct, c_ast.Union)) else None


# Static objects without an initialiser


def _with_static_initialisers(nodes: list[Any], types: set[str]) -> list[c_ast.Node]:
    """Give `ZERO` to the static objects that have no initialiser and may contain something of *types*."""
    about = _about(nodes, types)
    done = {node.name for node in nodes if isinstance(node, c_ast.Decl) and node.init is not None}
    marker = _StaticLocals(about)
    result: list[c_ast.Node] = []
    for node in nodes:
        if isinstance(node, c_ast.FuncDef) and not names_of(node).mentioned.isdisjoint(about):
            result.append(marker.visit(node))
        elif _may_hold(node, about) and node.name not in done and "extern" not in (node.storage or []):
            done.add(node.name)
            result.append(rebuilt(node, init=ZERO))
        else:
            result.append(node)
    return result


def _about(nodes: Iterable[c_ast.Node], types: set[str]) -> set[str]:
    """*types*, and the types that mention them."""
    about = set(types)
    for node in nodes:
        names = names_of(node)
        if not isinstance(node, c_ast.FuncDef) and not is_prototype(node) and not names.mentioned.isdisjoint(about):
            about |= names.declared
    return about


def _may_hold(node: c_ast.Node, about: set[str]) -> bool:
    """Whether *node* declares, without initialiser, an object of one of the types *about*, or an array of them."""
    if not isinstance(node, c_ast.Decl) or not node.name or node.init is not None:
        return False
    type_ = node.type
    while isinstance(type_, c_ast.ArrayDecl):
        type_ = type_.type
    if not isinstance(type_, c_ast.TypeDecl):
        return False
    if isinstance(type_.type, c_ast.IdentifierType):
        return not about.isdisjoint(type_.type.names)
    names = names_of(c_ast.Decl(None, [], [], [], [], type_.type, None, None))
    return not about.isdisjoint(names.declared | names.mentioned)


class _StaticLocals(Rewriter):
    """Marks the static locals of functions."""

    def __init__(self, about: set[str]) -> None:
        super().__init__()
        self._about = about

    def visit_Decl(self, node: c_ast.Decl) -> c_ast.Decl:
        static = "static" in (node.storage or [])
        return rebuilt(node, init=ZERO) if static and _may_hold(node, self._about) else node
