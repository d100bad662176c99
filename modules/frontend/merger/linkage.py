"""What attributes say about how the units of a program are linked, and what runs before and after `main`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build, parse
from cseq.c.layout import attributes
from cseq.model.errors import UnsupportedError
from cseq.modules.library import clibrary, stubs
from cseq.pipeline.translator import Rewriter, beginning_with, rebuilt

_STARTS, _ENDS = "constructor", "destructor"
_WEAK, _ALIAS, _WEAKREF = "weak", "alias", "weakref"
_LINKING = frozenset({_WEAK, _ALIAS, _WEAKREF})
_RUNNING = frozenset({_STARTS, _ENDS})
_SECTION = "section"
_START_SECTION = re.compile(r'"\.(?:(pre)?init_array|ctors)(?:\.(\d+))?"')
_END_SECTION = re.compile(r'"\.(?:(pre)?fini_array|dtors)(?:\.(\d+))?"')
_LAST = 65535  # the priority of functions without one
_PRAGMA = re.compile(r"weak\s+(\w+)\s*(?:=\s*(\w+)\s*)?$")
_REGISTERS = "atexit"


def linked(trees: Sequence[c_ast.FileAST]) -> list[c_ast.FileAST]:
    """The units without weak definitions that others override, with aliases resolved and the attributes removed.

    A weak name that nothing defines is null. Raises UnsupportedError for an alias that leads nowhere.
    """
    units = [_Unit(tree.ext) for tree in trees]
    if not any(unit.weak or unit.aliases for unit in units):
        return list(trees)
    strong = {name for unit in units for name in unit.defined - unit.weak}
    seen: set[str] = set(strong)
    result = []
    for unit in units:
        names: dict[str, str] = {}
        for name, (target, is_reference) in unit.aliases.items():
            if name in strong and name not in unit.static:
                continue  # overridden
            if target not in unit.defined and not is_reference:
                message = f"an alias of `{target}`, which is not defined here, is not supported"
                raise UnsupportedError(message, unit.place(name))
            names[name] = target
        gone = {name for name in unit.defined & unit.weak if name in seen}
        seen |= unit.defined
        result.append((unit, names, gone))
    everything = seen | {name for _, names, _ in result for name, target in names.items() if target in seen}
    return [c_ast.FileAST(unit.rewritten(names, gone, everything)) for unit, names, gone in result]


class _Unit:
    """The names of one unit: weak ones, those that are defined, and alias → (its target, whether it is a weakref)."""

    def __init__(self, nodes: list[c_ast.Node]) -> None:
        self.nodes = nodes
        self.weak: set[str] = set()
        self.aliases: dict[str, tuple[str, bool]] = {}
        self.defined: set[str] = set()
        self.static: set[str] = set()
        self._places: dict[str, c_ast.Node] = {}
        for node in nodes:
            if isinstance(node, c_ast.Pragma):
                self._pragma(node)
                continue
            decl: Any = node.decl if isinstance(node, c_ast.FuncDef) else node
            if not isinstance(decl, c_ast.Decl) or not decl.name:
                continue
            self._places.setdefault(decl.name, decl)
            if "static" in decl.storage:
                self.static.add(decl.name)
            is_function = isinstance(decl.type, c_ast.FuncDecl)
            if isinstance(node, c_ast.FuncDef) or (not is_function and "extern" not in decl.storage):
                self.defined.add(decl.name)
            for name, arguments in _of(decl):
                if name == _WEAK:
                    self.weak.add(decl.name)
                elif name in (_ALIAS, _WEAKREF) and arguments:
                    self.aliases[decl.name] = (arguments.strip().strip('"'), name == _WEAKREF)

    def _pragma(self, node: c_ast.Pragma) -> None:
        found = _PRAGMA.match(str(node.string).strip())
        if found is not None:
            self.weak.add(found.group(1))
            if found.group(2):
                self.aliases[found.group(1)] = (found.group(2), False)

    def place(self, name: str) -> Any:
        """Where *name* is declared."""
        node = self._places.get(name)
        return None if node is None else node.coord

    def rewritten(self, names: dict[str, str], gone: set[str], defined: set[str]) -> list[c_ast.Node]:
        """The declarations with aliases as their targets, without the definitions of *gone* names."""
        null = {
            name
            for name in (*(self.weak - names.keys()), *names.values())
            if name not in defined and not _is_known(name)
        }
        null &= self.weak | {target for name, target in names.items() if self.aliases[name][1]}
        objects = {
            decl.name
            for decl in self.nodes
            if isinstance(decl, c_ast.Decl) and decl.name in null and not isinstance(decl.type, c_ast.FuncDecl)
        }
        rename = _Names(
            names, null, objects, {name for name in (*self.weak, *names.values()) if _is_known(name)} - defined
        )
        found: list[c_ast.Node] = []
        for node in self.nodes:
            decl: Any = node.decl if isinstance(node, c_ast.FuncDef) else node
            name = getattr(decl, "name", None)
            if _repeats(decl):
                continue
            if isinstance(node, c_ast.Pragma) or name in names:
                if name in names and names[name] in null and isinstance(decl.type, c_ast.FuncDecl):
                    found.append(_null(decl, names[name]))
                if not isinstance(node, c_ast.Pragma) or not _PRAGMA.match(str(node.string).strip()):
                    found += [node] if isinstance(node, c_ast.Pragma) else []
            elif name in null and isinstance(decl, c_ast.Decl):
                found.append(_null(decl, name))
            elif name in gone:
                plain = rebuilt(decl, init=None, storage=sorted({*decl.storage, "extern"}))
                found.append(rename.visit(_without(plain, _LINKING)))
            else:
                found.append(rename.visit(_without(node, _LINKING)))
        return found


def _repeats(decl: Any) -> bool:
    """Whether a declaration is ``extern __typeof__(f) f``, which only adds attributes to an earlier one."""
    if not isinstance(decl, c_ast.Decl) or "extern" not in decl.storage:
        return False
    type_ = getattr(decl.type, "type", None)
    return isinstance(type_, c_ast.TypeOf) and isinstance(type_.expr, c_ast.ID) and type_.expr.name == decl.name


def _is_known(name: str) -> bool:
    """Whether the library has *name*: then it is linked."""
    return stubs.is_library(name) or clibrary.is_known(name)


def _null(decl: c_ast.Decl, name: str) -> c_ast.Decl:
    """A null pointer in place of a function or an object that nothing defines."""
    pointer = c_ast.PtrDecl(["const"], build.renamed(decl.type, name))
    return c_ast.Decl(name, [], [], ["static"], [], pointer, build.number(0), None, coord=decl.coord)


class _Names(Rewriter):
    """Replaces names, and resolves questions whether weak ones are defined.

    null: names of functions and objects that are now null pointers, so that `&f` is f. objects: the latter, which
    stand for what their pointers lead to. known: names of the library's functions.
    """

    def __init__(self, names: dict[str, str], null: set[str], objects: set[str], known: set[str]) -> None:
        super().__init__()
        self._names = names
        self._null = null
        self._objects = objects
        self._known = known

    def visit(self, node: c_ast.Node) -> Any:
        return super().visit(node) if self._names or self._null or self._known else node

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        if node.name in self._objects:
            return c_ast.UnaryOp("*", node, node.coord)
        return c_ast.ID(self._names[node.name], node.coord) if node.name in self._names else node

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> Any:
        new = self.generic_visit(node)
        if new.op == "!":
            return rebuilt(new, expr=self._truth(new.expr))
        named = node.expr if isinstance(node.expr, c_ast.ID) else None
        if new.op != "&" or named is None or named.name not in self._null:
            return new
        return named if named.name in self._objects else new.expr

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> Any:
        new = self.generic_visit(node)
        if new.op not in ("&&", "||", "==", "!="):
            return new
        left, right = self._truth(new.left), self._truth(new.right)
        return new if left is new.left and right is new.right else rebuilt(new, left=left, right=right)

    def _condition(self, node: Any) -> Any:
        new = self.generic_visit(node)
        cond = self._truth(new.cond)
        return new if cond is new.cond else rebuilt(new, cond=cond)

    visit_If = visit_While = visit_TernaryOp = _condition

    def _truth(self, node: Any) -> Any:
        """1 for the address of a function that the library has."""
        inner = node.expr if isinstance(node, c_ast.UnaryOp) and node.op == "&" else node
        known = isinstance(inner, c_ast.ID) and inner.name in self._known
        return build.number(1) if known else node


def with_start_and_end(nodes: list[c_ast.Node]) -> list[c_ast.Node]:
    """*nodes* where `main` calls the constructors first, and destructors are called as functions of `atexit` are."""
    starts = sorted([*_marked(nodes, _STARTS), *_in_sections(nodes, _START_SECTION)], key=_when)
    ends = sorted([*_marked(nodes, _ENDS), *_in_sections(nodes, _END_SECTION)], key=_when)
    if not starts and not ends:
        return nodes
    calls: list[c_ast.Node] = []
    for _, _, decl in ends:
        _check(decl, _ENDS)
        calls.append(build.call(_REGISTERS, c_ast.ID(decl.name), origin=decl.coord))
    for _, _, decl in starts:
        _check(decl, _STARTS)
        calls.append(build.call(decl.name, origin=decl.coord))
    before: list[c_ast.Node] = []
    if ends and not any(getattr(node, "name", None) == _REGISTERS for node in nodes):
        before = list(parse(f"int {_REGISTERS}(void (*function)(void));").ext)
    declared = [rebuilt(_without(decl, _RUNNING), funcspec=[]) for _, _, decl in (*starts, *ends)]
    result: list[c_ast.Node] = []
    for node in nodes:
        if isinstance(node, c_ast.FuncDef) and node.decl.name == "main":
            result += [*before, *declared, beginning_with(calls, node)]
        else:
            result.append(_without(node, _RUNNING))
    return result


def _when(found: tuple[int, int, Any]) -> tuple[int, int]:
    return found[:2]


def _in_sections(nodes: list[c_ast.Node], section: re.Pattern[str]) -> Iterator[tuple[int, int, Any]]:
    """The same as `_marked`, for functions whose address is in an object in a *section* of such addresses."""
    functions = {node.decl.name: node.decl for node in nodes if isinstance(node, c_ast.FuncDef)}
    for place, node in enumerate(nodes):
        decl = _declaration(node)
        for name, arguments in _of(decl) if decl is not None else ():
            found = section.search(arguments) if name == _SECTION and arguments else None
            if found is None:
                continue
            target = build.uncast(decl.init) if getattr(decl, "init", None) is not None else None
            if isinstance(target, c_ast.UnaryOp) and target.op == "&":
                target = target.expr
            if not isinstance(target, c_ast.ID) or target.name not in functions:
                raise UnsupportedError(f"this object in the section {found[0]} is not supported", decl.coord)
            yield -1 if found[1] else int(found[2] or _LAST), place, functions[target.name]


def starting(nodes: Iterable[c_ast.Node]) -> list[str]:
    """The names of what runs before or after `main`; only sections that are called then are still attributes."""
    return [decl.name for node in nodes for decl in [_declaration(node)] if decl is not None
            and any(name in (_STARTS, _ENDS, "section") for name, _ in _of(decl))]  # fmt: skip


def _marked(nodes: list[c_ast.Node], attribute: str) -> Iterator[tuple[int, int, Any]]:
    """Priority, position and declaration of the functions with *attribute*."""
    found: dict[str, int] = {}
    for node in nodes:
        decl = _declaration(node)
        for name, arguments in _of(decl) if decl is not None else ():
            if name == attribute:
                text = arguments.strip("() ")
                found[decl.name] = int(text) if text.isdecimal() else _LAST
    for place, node in enumerate(nodes):
        if isinstance(node, c_ast.FuncDef) and node.decl.name in found:
            yield found[node.decl.name], place, node.decl


def _check(decl: c_ast.Decl, attribute: str) -> None:
    parameters = decl.type.args.params if decl.type.args is not None else []
    if any(not build.is_void(getattr(item, "type", None)) for item in parameters):
        raise UnsupportedError(f"a {attribute} with parameters is not supported", decl.coord)


def _declaration(node: c_ast.Node) -> Any:
    decl = node.decl if isinstance(node, c_ast.FuncDef) else node
    return decl if isinstance(decl, c_ast.Decl) and decl.name else None


def _of(decl: Any) -> Iterator[tuple[str, str]]:
    """The attributes of a declaration and of the types that it is made from."""
    while decl is not None and not isinstance(decl, (c_ast.Struct, c_ast.Union, c_ast.Enum)):
        yield from attributes(decl)
        decl = getattr(decl, "type", None)


def _without(node: Any, names: frozenset[str]) -> Any:
    """*node* without the attributes *names*, which have been dealt with."""
    if isinstance(node, c_ast.FuncDef):
        decl = _without(node.decl, names)
        return node if decl is node.decl else rebuilt(node, decl=decl)
    if not isinstance(node, (c_ast.Decl, c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl)):
        return node
    changes: dict[str, Any] = {}
    known = list(getattr(node, "attributes", None) or [])
    kept = [item for group in known for item in _remaining(group, names)]
    if len(known) != len(kept) or any(a is not b for a, b in zip(known, kept, strict=True)):
        changes["attributes"] = kept
    inner = _without(node.type, names)
    if inner is not node.type:
        changes["type"] = inner
    return rebuilt(node, **changes) if changes else node


def _remaining(group: Any, names: frozenset[str]) -> list[Any]:
    items = getattr(group, "attributes", None)
    if items is None:
        return [] if group.name.strip("_") in names else [group]
    kept = [item for item in items if item.name.strip("_") not in names]
    if len(kept) == len(items):
        return [group]
    return [rebuilt(group, attributes=kept)] if kept else []
