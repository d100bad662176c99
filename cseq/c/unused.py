"""The declarations at file level that a program uses.

A preprocessed file has thousands of lines of prototypes; unused ones are removed before the first translator visits it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import PAIRS
from cseq.c.symbols import tag_key

_WORD = re.compile(r"[A-Za-z_]\w*")  # in any text, quoted or not: assembly and attributes contain names in strings


_TYPE_WORDS = frozenset({"void", "_Bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double"})
_SCOPES = (c_ast.FuncDef, c_ast.FuncDecl, c_ast.Compound, c_ast.For, c_ast.Struct, c_ast.Union)
"""What has names of its own: locals, parameters, members."""

_MEMBERS: frozenset[str] = frozenset()
"""The scope of the members of a struct or union, which hide no other names."""


class _Names(NamedTuple):
    """The names that a declaration declares and mentions; tags are ``struct x``, ``union x`` and ``enum x``."""

    declared: frozenset[str]
    mentioned: frozenset[str]


class Declarations:
    """The file-level declarations of some units, and which of them are reachable from what is used so far."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[c_ast.Node]] = {}
        self._kept: set[int] = set()
        self._todo: list[str] = []
        self.reached: set[str] = set()

    def add(self, nodes: Iterable[c_ast.Node]) -> None:
        """Add declarations; those of a name that is already used are used too."""
        for node in nodes:
            for name in names_of(node).declared:
                self._by_name.setdefault(name, []).append(node)
                if name in self.reached:
                    self._todo.append(name)

    def use(self, names: Iterable[str]) -> None:
        """Mark everything that *names* need as used."""
        self._todo.extend(names)
        while self._todo:
            name = self._todo.pop()
            self.reached.add(name)
            for node in self._by_name.get(name, ()):
                if id(node) not in self._kept:
                    self._kept.add(id(node))
                    found = names_of(node)
                    self._todo.extend((found.mentioned | found.declared) - self.reached)

    def declared(self, name: str) -> list[c_ast.Node]:
        """The declarations of *name*."""
        return self._by_name.get(name, [])

    def used(self, nodes: Sequence[c_ast.Node]) -> list[c_ast.Node]:
        """The *nodes* that are used, and those that are at file level without being declarations."""
        return [node for node in nodes if self._stays(node)]

    def _stays(self, node: c_ast.Node) -> bool:
        if isinstance(node, (c_ast.Decl, c_ast.Typedef, c_ast.FuncDef)):
            return id(node) in self._kept
        return not isinstance(node, (c_ast.Pragma, c_ast.StaticAssert))  # which the compiler has checked


@lru_cache(maxsize=65536)
def names_of(node: c_ast.Node) -> _Names:
    """The names that the declaration *node* declares and mentions; cached, since trees are shared and never change."""
    return _collected(node)


def undeclared_calls(nodes: Sequence[c_ast.Node]) -> set[str]:
    """The functions that *nodes* call and that nothing declares."""
    declared = {name for node in nodes for name in names_of(node).declared}
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, c_ast.FuncDef) and not names_of(node).mentioned <= declared | _TYPE_WORDS:
            called, local = _called(node)
            found |= called - local
    return found - declared


def _called(function: c_ast.FuncDef) -> tuple[set[str], set[str]]:
    """The names of the functions that a function calls directly, and the names declared in it."""
    called: set[str] = set()
    local: set[str] = set()
    for node in build.walk(function):
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            called.add(node.name.name)
        elif isinstance(node, c_ast.Decl) and node.name:
            local.add(node.name)
    return called, local


def _collected(node: Any) -> _Names:
    declared: set[str] = set()
    mentioned: set[str] = set()
    identifiers: set[str] = set()
    decl = node.decl if isinstance(node, c_ast.FuncDef) else node
    if getattr(decl, "name", None):
        declared.add(decl.name)
    elif isinstance(decl, c_ast.Decl) and isinstance(decl.type, (c_ast.Struct, c_ast.Union)) and decl.type.name:
        declared.add(tag_key(decl.type))  # `struct s;`
    scopes: list[set[str] | frozenset[str]] = []  # the names declared in each block that is open
    todo: list[Any] = [node]
    while todo:
        item = todo.pop()
        cls = item.__class__
        if cls in PAIRS and cls is not c_ast.StructRef:  # most nodes that are none of these
            todo += PAIRS[cls](item)
            continue
        match item:
            case None:
                scopes.pop()
                continue
            case str():
                scopes[-1] |= {item}
                continue
            case c_ast.ID():
                if item.name not in identifiers and not _is_local(item.name, scopes):
                    identifiers.add(item.name)
                continue
            case c_ast.IdentifierType():
                mentioned.update(name for name in item.names if not _is_local(name, scopes))
            case c_ast.Struct() | c_ast.Union() | c_ast.Enum() if item.name:
                defines = (item.values if isinstance(item, c_ast.Enum) else item.decls) is not None
                (declared if defines else mentioned).add(tag_key(item))
            case c_ast.Enumerator():
                declared.add(item.name)
            case c_ast.StructRef():
                todo.append(item.name)
                continue
            case c_ast.NamedInitializer():
                todo.append(item.expr)
                todo.extend(part for part in item.name if not isinstance(part, c_ast.ID))
                continue
            case c_ast.FuncCall(name=c_ast.ID(name="offsetof" | "__builtin_offsetof"), args=c_ast.ExprList()):
                todo.extend(item.args.exprs[:1])
                todo.extend(_subscripts(item.args.exprs[1:]))
                continue
            case c_ast.Constant() | c_ast.Pragma():
                continue
        if isinstance(item, _SCOPES):
            scopes.append(_MEMBERS if isinstance(item, (c_ast.Struct, c_ast.Union)) else set())
            todo.append(None)
        for attribute in getattr(item, "attributes", None) or []:
            mentioned.update(_attribute_words(attribute))
        if isinstance(item, c_ast.Decl):
            todo.extend(item.align or [])  # which pycparser does not treat as children
        inside = list(item)
        if scopes and scopes[-1] is not _MEMBERS:
            inside[1:1] = _declares(item)  # the scope of a name begins after its type: `word word;` (C11 §6.2.1)
        todo.extend(reversed(inside))
    mentioned |= identifiers | {name.removeprefix("__builtin_") for name in identifiers}
    return _Names(frozenset(declared), frozenset(mentioned - declared))


def _is_local(name: str, scopes: list[set[str] | frozenset[str]]) -> bool:
    return any(name in scope for scope in scopes)


def _declares(node: Any) -> list[str]:
    """The names that *node* declares in the innermost block."""
    match node:
        case c_ast.FuncDef(decl=c_ast.Decl(type=c_ast.FuncDecl(args=c_ast.ParamList(params=params)))):
            return [item.name for item in params if isinstance(item, (c_ast.Decl, c_ast.ID)) and item.name]
        case c_ast.Typedef():
            return [node.name]
        case c_ast.Decl() if node.name and not isinstance(node.type, c_ast.FuncDecl) and "extern" not in node.storage:
            return [node.name]
    return []


def _subscripts(designators: list[Any]) -> Iterator[c_ast.Node]:
    """The expressions in the designators of `offsetof`, where all other names are of members."""
    for designator in designators:
        node = designator
        while isinstance(node, (c_ast.StructRef, c_ast.ArrayRef)):
            if isinstance(node, c_ast.ArrayRef):
                yield node.subscript
            node = node.name


def _attribute_words(attribute: c_ast.Node) -> Iterator[str]:
    """The words in an attribute: its name, and what its arguments mention, even in a string."""
    todo: list[Any] = [attribute]
    while todo:
        item = todo.pop()
        for slot in item.attr_names:
            value = getattr(item, slot)
            if isinstance(value, str):
                yield from _WORD.findall(value)
        todo.extend(item)
