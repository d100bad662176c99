"""Merge several translation units into one, with distinct names for what is internal to each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import Printer
from cseq.model.errors import InputError
from cseq.model.origin import Origin
from cseq.pipeline.translator import Rewriter, rebuilt


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
        rename = _Renamer(names, tags)
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


class _Renamer(Rewriter):
    """Renames file-scope names in a whole unit. A local name that shadows one is renamed too, which changes nothing."""

    def __init__(self, names: dict[str, str], tags: dict[str, str]) -> None:
        super().__init__()
        self._names = names
        self._tags = tags

    def visit(self, node: c_ast.Node) -> Any:
        return super().visit(node) if self._names or self._tags else node

    def visit_ID(self, node: c_ast.ID) -> c_ast.ID:
        return c_ast.ID(self._names[node.name], node.coord) if node.name in self._names else node

    def visit_IdentifierType(self, node: c_ast.IdentifierType) -> c_ast.IdentifierType:
        if len(node.names) == 1 and node.names[0] in self._names:
            return c_ast.IdentifierType([self._names[node.names[0]]], node.coord)
        return node

    def _declaration(self, node: Any) -> Any:
        node = self.generic_visit(node)
        return rebuilt(node, name=self._names[node.name]) if node.name in self._names else node

    visit_Decl = _declaration
    visit_Typedef = _declaration

    def visit_TypeDecl(self, node: c_ast.TypeDecl) -> c_ast.TypeDecl:
        node = self.generic_visit(node)
        return rebuilt(node, declname=self._names[node.declname]) if node.declname in self._names else node

    def _tagged(self, node: Any) -> Any:
        new = self.generic_visit(node) if not isinstance(node, (c_ast.Struct, c_ast.Union)) else self._record(node)
        tag = f"{type(node).__name__.lower()} {node.name}"
        return rebuilt(new, name=self._tags[tag]) if tag in self._tags else new

    def _record(self, node: Any) -> Any:
        """Members have a name space of their own: only their types are visited."""
        if node.decls is None:
            return node
        members = []
        for member in node.decls:
            if isinstance(member, c_ast.Decl) and member.name in self._names:
                kept, self._names = self._names, {k: v for k, v in self._names.items() if k != member.name}
                members.append(self.visit(member))
                self._names = kept
            else:
                members.append(self.visit(member))
        return rebuilt(node, decls=members)

    def visit_NamedInitializer(self, node: c_ast.NamedInitializer) -> c_ast.NamedInitializer:
        names = [item if isinstance(item, c_ast.ID) else self.visit(item) for item in node.name]
        return c_ast.NamedInitializer(names, self.visit(node.expr), node.coord)

    def visit_Enumerator(self, node: c_ast.Enumerator) -> c_ast.Enumerator:
        new: c_ast.Enumerator = self.generic_visit(node)
        return rebuilt(new, name=self._names[node.name]) if node.name in self._names else new

    visit_Struct = _tagged
    visit_Union = _tagged
    visit_Enum = _tagged
