"""Objects that the program declares and does not define."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import Visitor
from cseq.c.symbols import Symbols
from cseq.model.errors import UndefinedError
from cseq.modules.analysis.initializers import undefined
from cseq.modules.analysis.mentions import mentioned
from cseq.pipeline.translator import beginning_with, rebuilt


def refuse_undefined_objects(symbols: Symbols, nodes: Iterable[c_ast.Node]) -> None:
    """Raise UndefinedError if one of *nodes*, what the program needs at file level, declares such an object."""
    for node in undefined_objects(symbols, nodes):
        raise undefined_object(node.name, node)


def undefined_object(name: str, node: c_ast.Node) -> UndefinedError:
    """The exception for the object *name*, which *node* declares or mentions."""
    return UndefinedError(f"the object `{name}`, which is not defined, is not supported", node.coord)


def undefined_objects(symbols: Symbols, nodes: Iterable[c_ast.Node]) -> Iterator[c_ast.Decl]:
    """The declarations in *nodes* of such objects."""
    for node in nodes:
        if not isinstance(node, c_ast.Decl) or not node.name or "extern" not in (node.storage or []):
            continue
        is_function = isinstance(symbols.resolve(node.type), c_ast.FuncDecl)
        if not is_function and "extern" in symbols.qualified[node.name].storage:
            yield node


def with_any_contents(tree: c_ast.FileAST, symbols: Symbols) -> tuple[c_ast.FileAST, frozenset[str]]:
    """*tree* with definitions of the undefined objects that it mentions, and those of them that no statement may use.

    Numbers get any contents when main begins. What has pointers in it, or no known size, is unknown: a pointer with
    any value leads nowhere.
    """
    names = {node.name: node for node in undefined_objects(symbols, tree.ext) if _is_complete(symbols, node.type)}
    used = mentioned((node for node in tree.ext if getattr(node, "name", None) not in names), names) if names else ()
    if not used:
        return tree, frozenset()
    unknown = frozenset(name for name in used if not _is_numbers(symbols, names[name].type))
    given = [
        statement
        for name in sorted(used - unknown)
        for statement in undefined(symbols, c_ast.ID(name), names[name].type, names[name].coord, is_input=True)
    ]
    items: list[c_ast.Node] = []
    for node in tree.ext:
        if isinstance(node, c_ast.Decl) and node.name in used:
            items.append(_defined(node))
        elif isinstance(node, c_ast.FuncDef) and node.decl.name == "main":
            items.append(beginning_with(given, node))
        else:
            items.append(node)
    return c_ast.FileAST(items), unknown


def _defined(node: c_ast.Decl) -> c_ast.Decl:
    """The declaration as a definition."""
    type_ = node.type
    if isinstance(type_, c_ast.ArrayDecl) and type_.dim is None:
        type_ = rebuilt(type_, dim=build.number(1))
    storage = [word for word in node.storage if word != "extern"]
    return rebuilt(node, type=type_, storage=storage, quals=[word for word in node.quals if word != "const"])


def _is_complete(symbols: Symbols, type_: c_ast.Node) -> bool:
    """Whether the program says what is in an object of this type, or in its elements."""
    resolved = symbols.resolve(type_)
    if isinstance(resolved, c_ast.ArrayDecl):
        return _is_complete(symbols, resolved.type)
    record = symbols.record(resolved)
    return record is None or bool(symbols.parts(record))


def _is_numbers(symbols: Symbols, type_: c_ast.Node) -> bool:
    """Whether an object of this type has a known size, and only numbers in it."""
    resolved = symbols.resolve(type_)
    if isinstance(resolved, c_ast.ArrayDecl):
        return resolved.dim is not None and _is_numbers(symbols, resolved.type)
    record = symbols.record(resolved)
    if record is None:
        return symbols.arithmetic(resolved) is not None
    parts = symbols.parts(record)
    return bool(parts) and all(_is_numbers(symbols, part) for _, part, _ in parts)


class Uses(Visitor):
    """Finds the first of *names* that an expression mentions."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def check(self, node: c_ast.Node | None) -> None:
        """Raise UndefinedError where *node* mentions one of the names."""
        if node is not None and self._names:
            self.visit(node)

    def visit_ID(self, node: c_ast.ID) -> None:
        if node.name in self._names:
            raise undefined_object(node.name, node)

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        self.visit(node.name)
