"""Replace static initialisers of the system's thread library by ours.

Only the type shows what `{ { 0, 0, 0, 0, 1, 0, 0, { 0, 0 } } }` initialises, so this is done where types are known: in
the scoper. The types themselves have already been replaced (`system_types`).
"""

from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.initializers import Filler
from cseq.modules.frontend.system_types import ZERO
from cseq.modules.library.primitives.object_types import TYPES
from cseq.pipeline.translator import Rewriter

Initial = dict[str, dict[int, c_ast.Node]]
"""Type → kind → our initialiser, as in `OwnDeclarations`."""

_DARWIN = {0x32AAABA7: 0, 0x32AAABA1: 2, 0x32AAABA2: 1, 0x32AAABA3: 0}
"""The kind of a mutex by the signature that it begins with on macOS."""

_PREFERS_WRITERS = 2
"""The kind of a read-write lock for which a reader waits behind a waiting writer, in glibc."""

_LONG = 7
"""In a mutex initialiser with at least this many members (x86-64) the kind is the fifth, else (i386) the fourth."""


def own_initialiser(
    symbols: Symbols, initial: Initial, type_: c_ast.Node, init: c_ast.Node | None
) -> c_ast.Node | None:
    """*init*, which initialises an object of *type_*, with our initialisers in place of the system's.

    None for an object without an initialiser; `ZERO` counts as none, except in objects of the thread library.
    """
    if not initial or init is None:
        return init
    if isinstance(init, c_ast.InitList) and not init.exprs:
        kept = init is not ZERO and (symbols.is_array(type_) or symbols.record(type_) is not None)
        return _Statics(symbols, initial).initialiser(type_) or (init if kept else None)
    if isinstance(init, c_ast.InitList) or _thread_type(symbols, initial, type_):
        finder = _Finder(symbols, initial)
        if finder.holds(type_):
            finder.fill(build.ident("_"), type_, init)
            return _Substitution(finder.found).visit(init) if finder.found else init
    return init


def _thread_type(symbols: Symbols, initial: Initial, type_: Any) -> str | None:
    """The name of the type of the thread library that *type_* is."""
    while isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, c_ast.IdentifierType):
        name = type_.type.names[0]
        if name in TYPES:
            return str(name) if name in initial else None  # the C11 types have no static initialisers
        if name not in symbols.typedefs:
            return None
        type_ = symbols.typedefs[name]
    return None


class _Statics:
    """Makes initialisers for objects that have none."""

    def __init__(self, symbols: Symbols, initial: Initial) -> None:
        self._symbols = symbols
        self._initial = initial

    def initialiser(self, type_: c_ast.Node) -> c_ast.Node | None:
        """The initialiser of all objects of the thread library in an object of *type_*; None if there are none."""
        name = _thread_type(self._symbols, self._initial, type_)
        if name is not None:
            return self._initial[name][0]
        resolved = self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            element = self.initialiser(resolved.type) if resolved.dim is not None else None
            return None if element is None else c_ast.InitList([element] * self._symbols.length(resolved))
        record = self._symbols.record(resolved)
        items: list[c_ast.Node] = []
        for member in self._symbols.members(record) if record is not None else ():
            part = self.initialiser(member.type)
            if part is not None:
                items.append(c_ast.NamedInitializer([c_ast.ID(member.name)], part))
                if isinstance(record, c_ast.Union):
                    break
        return c_ast.InitList(items) if items else None


class _Finder(Filler):
    """Walks an initialiser, and finds the initialisers of objects of the thread library in it."""

    def __init__(self, symbols: Symbols, initial: Initial) -> None:
        super().__init__(symbols)
        self._initial = initial
        self.found: dict[int, c_ast.Node] = {}

    def holds(self, type_: c_ast.Node) -> bool:
        """Whether an object of *type_* contains an object of the thread library."""
        resolved = self._symbols.resolve(type_)
        if _thread_type(self._symbols, self._initial, type_):
            return True
        if isinstance(resolved, c_ast.ArrayDecl):
            return self.holds(resolved.type)
        record = self._symbols.record(resolved)
        return record is not None and any(self.holds(member.type) for member in self._symbols.members(record))

    def fill(self, target: c_ast.Node, type_: c_ast.Node, init: c_ast.Node) -> None:
        """Initialise *target* as in the base class, but stop at objects of the thread library."""
        name = _thread_type(self._symbols, self._initial, type_)
        if name is None:
            super().fill(target, type_, init)
        elif isinstance(init, (c_ast.InitList, c_ast.Constant, c_ast.Cast)) and not self._is_ours(name, init):
            self.found[id(init)] = self._own(name, init)

    def _is_ours(self, name: str, init: c_ast.Node) -> bool:
        """Whether *init* is ours: it is from a source that is checked together with preprocessed files."""
        text = Printer().visit(init)
        return any(Printer().visit(ours) == text for ours in self._initial[name].values())

    def _own(self, name: str, init: c_ast.Node) -> c_ast.Node:
        kinds = self._initial[name]
        kind = self._kind(init) if len(kinds) > 1 else _PREFERS_WRITERS if self._prefers_writers(name, init) else 0
        if kind is None or kind not in kinds:
            raise UnsupportedError(f"a `{name}` with this initialiser is not supported", init.coord)
        return kinds[kind]

    def _prefers_writers(self, name: str, init: c_ast.Node) -> bool:
        """Whether *init*, of an object of the type *name*, may be for a read-write lock that prefers writers."""
        if name != "pthread_rwlock_t" or not isinstance(init, c_ast.InitList):
            return False
        todo: list[Any] = list(init.exprs)
        while todo:
            node = todo.pop()
            if isinstance(node, c_ast.InitList):
                todo.extend(node.exprs)
            elif self._symbols.constant_or_none(node) not in (0, 1):
                return True
        return False

    def _kind(self, init: c_ast.Node) -> int | None:
        """The kind of a mutex; None if unknown. In glibc, all its members are in inner braces."""
        first = next(iter(init.exprs), None) if isinstance(init, c_ast.InitList) else init
        if isinstance(first, c_ast.NamedInitializer):
            return None
        if not isinstance(first, c_ast.InitList):
            return 0 if _is_zero(first) else _DARWIN.get(self._symbols.constant_or_none(first) or 0)
        position = 4 if len(first.exprs) >= _LONG else 3
        return self._symbols.constant_or_none(first.exprs[position]) if len(first.exprs) > position else 0


def _is_zero(node: c_ast.Node | None) -> bool:
    """Whether an initialiser is empty, 0, or a null pointer."""
    node = node and build.uncast(node)
    return node is None or (isinstance(node, c_ast.Constant) and node.value == "0")


class _Substitution(Rewriter):
    """Replaces some nodes by others."""

    def __init__(self, found: dict[int, c_ast.Node]) -> None:
        super().__init__()
        self._found = found

    def visit(self, node: c_ast.Node) -> Any:
        """*node*, or its replacement."""
        return self._found[id(node)] if id(node) in self._found else super().visit(node)
