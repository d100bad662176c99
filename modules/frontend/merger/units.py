"""Merge several translation units into one, with distinct names for what is internal to each."""

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import Printer
from cseq.model.errors import InputError
from cseq.model.origin import Origin
from cseq.modules.library.renaming import Renamer


def merged(trees: list[c_ast.FileAST]) -> list[c_ast.Node]:
    """The declarations of all *trees*, in order.

    Static objects and functions, types, tags and enumerators are internal. A type that means the same in two units,
    such as one from a header, keeps its name.
    """
    external = {name for tree in trees for node in tree.ext for name in _external_names(node)}
    nodes: list[c_ast.Node] = []
    taken: dict[str, str] = {}  # internal name → the text of its declaration; `struct x` for tags
    for number, tree in enumerate(trees, 1):
        unit = _renamed(tree, number, taken, external)
        for node in unit:
            taken.update((key, text) for key, _, text in _internal_names(node))
        nodes.extend(unit)
    return nodes


def _renamed(tree: c_ast.FileAST, number: int, taken: dict[str, str], external: set[str]) -> list[c_ast.Node]:
    """The unit with those internal names changed that mean something else in another unit.

    Changing a name changes the text of what uses it (a tag, say, the text of a typedef), so this is repeated until
    nothing clashes.
    """
    names: dict[str, str] = {}
    tags: dict[str, str] = {}
    while True:
        rename = Renamer(names, tags)
        unit: list[c_ast.Node] = rename.visit_all(tree.ext)
        before = len(names) + len(tags)
        for node in unit:
            for key, static, text in _internal_names(node):
                clash = key in external if static else False
                if clash or (key in taken and (static or taken[key] != text)):
                    kind, _, tag = key.rpartition(" ")
                    (tags if kind else names)[key] = f"{tag}__cs{number}"
        if len(names) + len(tags) == before:
            return unit


def check_defined_once(trees: list[c_ast.FileAST]) -> None:
    """Raise InputError, with its place, for something external that is defined twice."""
    seen: dict[str, Origin | None] = {}
    for tree in trees:
        for node in tree.ext:
            defines = _defines_function(node) or (isinstance(node, c_ast.Decl) and node.init is not None)
            for name in _external_names(node) if defines else ():
                if name in seen:
                    place = node.decl.coord if isinstance(node, c_ast.FuncDef) else node.coord
                    raise InputError(f"`{name}` is already defined at {seen[name]}", place)
                seen[name] = node.decl.coord if isinstance(node, c_ast.FuncDef) else node.coord


def _defines_function(node: c_ast.Node) -> bool:
    """Whether *node* is the only definition of a function. Inline definitions may be in each unit (C11 §6.7.4)."""
    return isinstance(node, c_ast.FuncDef) and not is_inline(node)


def is_inline(node: c_ast.FuncDef) -> bool:
    """Whether the function is declared `inline`."""
    return any(str(word).strip("_") == "inline" for word in node.decl.funcspec or [])


def _declaration(node: c_ast.Node) -> Any:
    return node.decl if isinstance(node, c_ast.FuncDef) else node


def _external_names(node: c_ast.Node) -> Iterator[str]:
    decl = _declaration(node)
    if isinstance(decl, c_ast.Decl) and decl.name and "static" not in decl.storage:
        yield decl.name


def _internal_names(node: c_ast.Node) -> Iterator[tuple[str, bool, str]]:
    """The internal names that *node* declares: the name, whether it is static, and for types what it means."""
    decl = _declaration(node)
    if isinstance(decl, c_ast.Decl) and decl.name and "static" in decl.storage:
        yield decl.name, True, ""
    elif isinstance(decl, c_ast.Typedef):
        yield decl.name, False, Printer().visit(decl)
    type_ = getattr(decl, "type", None)
    while isinstance(type_, (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl)):
        type_ = type_.type
    if isinstance(type_, (c_ast.Struct, c_ast.Union)) and type_.name and type_.decls is not None:
        yield f"{type(type_).__name__.lower()} {type_.name}", False, Printer().visit(type_)
    elif isinstance(type_, c_ast.Enum) and type_.values is not None:
        text = Printer().visit(type_)
        if type_.name:
            yield f"enum {type_.name}", False, text
        for item in type_.values.enumerators:
            yield item.name, False, text
