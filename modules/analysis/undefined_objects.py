"""Objects that the program declares and does not define."""

from collections.abc import Iterable, Iterator, Mapping

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import Visitor
from cseq.c.symbols import Symbols
from cseq.model.errors import UndefinedError
from cseq.modules.analysis.initializers import undefined
from cseq.modules.analysis.mentions import mentioned
from cseq.modules.analysis.places import called
from cseq.modules.library import lexicon
from cseq.pipeline.translator import beginning_with, rebuilt


def refuse_undefined_objects(symbols: Symbols, nodes: Iterable[c_ast.Node]) -> None:
    """Raise UndefinedError if one of *nodes*, what the program needs at file level, declares such an object."""
    for node in undefined_objects(symbols, nodes):
        raise UndefinedError(f"the object `{node.name}`, which is not defined, is not supported", node.coord)


def undefined_objects(symbols: Symbols, nodes: Iterable[c_ast.Node]) -> Iterator[c_ast.Decl]:
    """The declarations in *nodes* of such objects."""
    for node in nodes:
        if not isinstance(node, c_ast.Decl) or not node.name or "extern" not in (node.storage or []):
            continue
        is_function = isinstance(symbols.resolve(node.type), c_ast.FuncDecl)
        if not is_function and "extern" in symbols.qualified[node.name].storage:
            yield node


def with_any_contents(tree: c_ast.FileAST, symbols: Symbols) -> tuple[c_ast.FileAST, dict[str, str]]:
    """*tree* with definitions of the undefined objects that it mentions, and those objects that no statement may use.

    Numbers get any contents when main begins. What has pointers in it, or no known size, is unknown: a pointer with
    any value leads nowhere. So is an object whose initialiser mentions such an object, which its value leads to: the
    second result maps the names of both kinds to what is said of them.
    """
    names = {node.name: node for node in undefined_objects(symbols, tree.ext) if not lexicon.is_ours(node.coord)}
    others = [node for node in tree.ext if getattr(node, "name", None) not in names]
    used = mentioned(others, names) | {name for node in others for name in called(node)} if names else set()
    used &= names.keys()
    unknown = {name: name for name in used if not _is_numbers(symbols, names[name].type)}
    holders = _holders(others, unknown)
    given = [
        statement
        for name in sorted(used - unknown.keys())
        for statement in undefined(symbols, c_ast.ID(name), names[name].type, names[name].coord, is_input=True)
    ]
    items: list[c_ast.Node] = []
    for node in tree.ext:
        name = getattr(node, "name", None)
        if isinstance(node, c_ast.Decl) and name in names:
            items += [_defined(node)] if name in used and _is_complete(symbols, node.type) else []
        elif isinstance(node, c_ast.Decl) and name in holders:
            items.append(rebuilt(node, init=None))  # which no statement reads
        elif isinstance(node, c_ast.FuncDef) and node.decl.name == "main":
            items.append(beginning_with(given, node))
        else:
            items.append(node)
    said = {name: f"the object `{name}`, which is not defined," for name in unknown}
    for name, root in holders.items():
        said[name] = f"the object `{name}`, which leads to the object `{root}`, which is not defined,"
    return c_ast.FileAST(items) if names else tree, said


def _holders(nodes: Iterable[c_ast.Node], unknown: Mapping[str, str]) -> dict[str, str]:
    """The objects whose initialisers mention one of *unknown*, or an object that does: name → name of *unknown*."""
    roots = dict(unknown)
    objects = [node for node in nodes if isinstance(node, c_ast.Decl) and node.name and node.init is not None]
    before = -1
    while roots and len(roots) > before:
        before = len(roots)
        for node in objects:
            if node.name not in roots and (found := mentioned([node.init], roots)):
                roots[node.name] = roots[min(found)]
    return {name: root for name, root in roots.items() if name not in unknown}


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
    """Finds the first of *names* that an expression mentions. They are mapped to what is said of them."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def check(self, node: c_ast.Node | None) -> None:
        """Raise UndefinedError where *node* mentions one of the names."""
        if node is not None and self._names:
            self.visit(node)

    def visit_ID(self, node: c_ast.ID) -> None:
        if node.name in self._names:
            raise UndefinedError(f"{self._names[node.name]} is not supported", node.coord)

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        self.visit(node.name)
