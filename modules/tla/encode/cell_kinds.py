"""The cells that the objects of a C type consist of: its scalar parts, in order."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from pycparser import c_ast

from cseq.c.constants import FLOATING
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.tla.encode.tla_names import Identifiers, plain
from cseq.modules.tla.numbers import number

POINTER = "Pointer"

_UNNAMED = "record"

_LISTED = 16
"""Objects with at most so many cells are written cell by cell."""

_FEW = 4
"""So many kinds in a row are written one by one."""


class Cells:
    """The cells of the types that *symbols* knows.

    constants: what has a name in the specification → its TLA+ text: the offsets of members, such as ``node_next``, the
    numbers of cells of records, such as ``node_cells``, their kinds, such as ``node_kinds``, and enumerators. Only what
    was asked for is there.
    """

    def __init__(self, symbols: Symbols, identifiers: Identifiers) -> None:
        self.constants: dict[str, str] = {}
        self._symbols = symbols
        self._identifiers = identifiers
        self._named: dict[object, str] = {}
        self._typedefs: dict[str, str] = {}
        self._kinds: dict[int, tuple[c_ast.Node, tuple[str, ...]]] = {}
        for name, type_ in symbols.typedefs.items():
            inner = getattr(type_, "type", None)
            if isinstance(type_, c_ast.TypeDecl) and isinstance(inner, (c_ast.Struct, c_ast.Union)):
                self._typedefs.setdefault(str(inner.name), name)

    def is_scalar(self, type_: c_ast.Node) -> bool:
        """Whether an object of *type_* is one value."""
        return not self._symbols.is_array(type_) and self._symbols.record(type_) is None

    def kind(self, type_: c_ast.Node, origin: Origin | None = None) -> str:
        """The kind of the values of a scalar type, such as ``Int32``. Raises UnsupportedError for floating point."""
        if self._symbols.is_pointer(type_):
            return POINTER
        self._refuse_complex(type_, origin)
        name = self._symbols.arithmetic(type_)
        if name is None or name == "void":
            raise UnsupportedError("a value that is neither a number nor a pointer", origin)
        if name in FLOATING:
            raise UnsupportedError("floating point", origin)
        if "__int128" in name:
            raise UnsupportedError("integers of 128 bits", origin)
        if name == "_Bool":
            return "Bool"
        return f"{'UInt' if name.startswith('unsigned') else 'Int'}{8 * self._symbols.model.size(name)}"

    def _refuse_complex(self, type_: c_ast.Node, origin: Origin | None) -> None:
        resolved = self._symbols.resolve(type_)
        names = getattr(getattr(resolved, "type", None), "names", ())
        if isinstance(resolved, c_ast.TypeDecl) and any("omplex" in name for name in names):
            raise UnsupportedError("complex numbers", origin)

    def kinds(self, type_: c_ast.Node, origin: Origin | None = None) -> tuple[str, ...]:
        """The kinds of all cells of *type_*, in order. A flexible array member has none."""
        resolved: Any = self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            if self._symbols.is_variable(resolved):
                raise UnsupportedError("an array whose size is known only at run time", origin)
            return self._symbols.length(resolved) * self.kinds(resolved.type, origin)
        record = self._symbols.record(resolved)
        if record is None:
            return (self.kind(type_, origin),)
        known = self._kinds.get(id(record))
        if known is None:
            if record.decls is None:  # type: ignore[attr-defined]
                raise UnsupportedError(f"`{record.name}`, which is not defined,", origin)  # type: ignore[attr-defined]
            known = self._kinds[id(record)] = (record, self._of_record(record, origin))
        return known[1]

    def _of_record(self, record: c_ast.Node, origin: Origin | None) -> tuple[str, ...]:
        parts = [self._of_member(type_, origin) for _, type_, _ in self._symbols.parts(record)]
        if isinstance(record, c_ast.Union):
            if any(part != parts[0] for part in parts):
                raise UnsupportedError("a union whose members differ in their cells", origin or record.coord)
            return parts[0] if parts else ()
        return tuple(kind for part in parts for kind in part)

    def _of_member(self, type_: c_ast.Node, origin: Origin | None) -> tuple[str, ...]:
        resolved = self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl) and resolved.dim is None:
            return ()
        return self.kinds(type_, origin)

    def count(self, type_: c_ast.Node, origin: Origin | None = None) -> int:
        """The number of cells of *type_*; that of one cell for void and functions, which is what GNU C counts in."""
        resolved = self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.FuncDecl) or self._symbols.is_void(resolved):
            return 1
        return len(self.kinds(type_, origin))

    def is_closed(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is a struct all of whose cells are known: it has no flexible array member."""
        record: Any = self._symbols.record(type_)
        if not isinstance(record, c_ast.Struct) or record.decls is None:
            return False
        parts = [self._symbols.resolve(part) for _, part, _ in self._symbols.parts(record)]
        return not any(
            (isinstance(part, c_ast.ArrayDecl) and part.dim is None)
            or (isinstance(self._symbols.record(part), c_ast.Struct) and not self.is_closed(part))
            for part in parts
        )

    def member(self, record: c_ast.Node, name: str, origin: Origin | None = None) -> int:
        """The number of the first cell of the member *name* in a struct or union type."""
        definition = self._symbols.record(record)
        offset = 0
        for part, type_, _ in self._symbols.parts(definition) if definition is not None else ():
            if part == name:
                return offset
            if part is None and any(one.name == name for one in self._symbols.members_of(type_)):
                return offset + self.member(type_, name, origin)
            if not isinstance(definition, c_ast.Union):
                offset += len(self._of_member(type_, origin))
        raise UnsupportedError(f"a member named `{name}`, which this type does not have,", origin)

    # Names of constants

    def offset(self, record: c_ast.Node, name: str, origin: Origin | None = None) -> str:
        """The name of the constant that is the offset of a member in cells."""
        key = (self._tag(record), "member", name)
        return self._constant(key, f"{self.tag(record)}_{plain(name)}", str(self.member(record, name, origin)))

    def size(self, record: c_ast.Node, origin: Origin | None = None) -> str:
        """The name of the constant that is the number of cells of a struct or union."""
        count = str(self.count(record, origin))
        return self._constant((self._tag(record), "cells"), f"{self.tag(record)}_cells", count)

    def layout(self, type_: c_ast.Node, origin: Origin | None = None) -> str:
        """The TLA+ text of the sequence of the kinds of the cells of *type_*: a constant for a struct or union."""
        if self._symbols.is_void(type_):
            return "<<Int8>>"
        text = sequence_of(self.kinds(type_, origin))
        if self._symbols.record(type_) is None:
            return text
        return self._constant((self._tag(type_), "kinds"), f"{self.tag(type_)}_kinds", text)

    def enumerator(self, name: str) -> str:
        """The name of the constant that is the enumerator *name*."""
        return self._constant((name, "enumerator"), plain(name), number(self._symbols.enumerators[name]))

    def _constant(self, key: object, name: str, text: str) -> str:
        known = self._named.get(key)
        if known is None:
            known = self._named[key] = self._identifiers.operator(name)
            self.constants[known] = text
        return known

    def _tag(self, type_: c_ast.Node) -> str:
        record: Any = self._symbols.record(type_)
        return f"{type(record).__name__} {record.name or id(record)}"

    def tag(self, type_: c_ast.Node) -> str:
        """A name for a struct or union type: its tag, or the typedef name that it has instead."""
        record: Any = self._symbols.record(type_)
        name = record.name
        if name is None or name.startswith("__cs_"):
            name = self._typedefs.get(str(name), name or _UNNAMED)
            name = name.removesuffix("_t").removeprefix("pthread_")
        return plain(name)


def function_of(values: Iterable[str]) -> str:
    """The TLA+ text of the function from 0, 1, ... to these texts."""
    listed = list(values)
    runs = [(value, len(list(group))) for value, group in groupby(listed)]
    domain = f"0..{len(listed) - 1}" if listed else "{}"
    if len(runs) < 2:
        return f"[i \\in {domain} |-> {listed[0] if listed else 0}]"
    period = next((size for size in range(2, _LISTED + 1) if _repeats(listed, size)), None)
    if period is not None and len(listed) > _LISTED:
        return f"[i \\in {domain} |-> <<{', '.join(listed[:period])}>>[(i % {period}) + 1]]"
    if len(listed) <= _LISTED or 2 * len(runs) > len(listed):
        return f"[i \\in {domain} |-> <<{', '.join(listed)}>>[i + 1]]"
    where: dict[str, list[int]] = {}
    for at, value in enumerate(listed):
        where.setdefault(value, []).append(at)
    most = max(where, key=lambda value: len(where[value]))
    cases = []
    for value, cells in where.items():
        if value != most:
            chosen = f"i = {cells[0]}" if len(cells) == 1 else f"i \\in {{{', '.join(map(str, cells))}}}"
            cases.append(f"{chosen} -> {value}")
    return f"[i \\in {domain} |-> CASE {' [] '.join(cases)} [] OTHER -> {most}]"


def _repeats(listed: list[str], size: int) -> bool:
    return len(listed) % size == 0 and listed == listed[:size] * (len(listed) // size)


def sequence_of(kinds: Iterable[str]) -> str:
    """The TLA+ text of a sequence of kinds, where long arrays are short."""
    parts: list[str] = []
    listed: list[str] = []
    for kind, group in groupby(kinds):
        same = list(group)
        if len(same) <= _FEW:
            listed.extend(same)
            continue
        if listed:
            parts.append(f"<<{', '.join(listed)}>>")
            listed = []
        parts.append(f"Repeat({kind}, {len(same)})")
    if listed or not parts:
        parts.append(f"<<{', '.join(listed)}>>")
    return " \\o ".join(parts)
