"""Sizes, alignments and offsets, as gcc lays out objects on x86-64 and i386 (System V ABI, with GNU attributes)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from cseq.c.types import Types
from cseq.model.errors import InputError, UnsupportedError
from cseq.model.origin import Origin

_MOST_ALIGNED = 16
"""The alignment that ``aligned`` without a number means, in bytes."""


PACK = "pack"
"""The attribute of a record that `#pragma pack` is about, with the greatest alignment of a member as its argument."""


@dataclass(frozen=True)
class Field:
    """The position of a member in its record. start: in bits. width: in bits for a bit-field, else None."""

    member: c_ast.Decl
    type: c_ast.Node
    start: int
    width: int | None


class Layout:
    """The layout of the types that *symbols* knows."""

    def __init__(self, symbols: Types) -> None:
        self._symbols = symbols
        self._records: dict[int, tuple[c_ast.Node, tuple[int, int, list[Field]]]] = {}

    def sizeof(self, type_: c_ast.Node) -> int:
        """The size of *type_* in bytes; 1 for void and functions, as in GNU C."""
        return self._layout(type_)[0]

    def alignof(self, type_: c_ast.Node) -> int:
        """The alignment of *type_* in bytes, as ``_Alignof`` gives it."""
        return self._layout(type_)[1]

    def fields(self, type_: c_ast.Node) -> list[Field]:
        """The members of a struct or union in order, including unnamed ones; none for other types."""
        record = self._symbols.record(type_)
        return self._record(record)[2] if record is not None else []

    def offset(self, type_: c_ast.Node, name: str, origin: Origin | None = None) -> tuple[int, c_ast.Node]:
        """The offset of the member *name* in the record *type_*, in bytes, and its type."""
        for field in self.fields(type_):
            if field.member.name == name:
                if field.width is not None:
                    raise InputError(f"`{name}` is a bit-field, which has no offset", origin)
                return field.start // 8, field.type
            if field.member.name is None and any(m.name == name for m in self._symbols.members_of(field.type)):
                offset, found = self.offset(field.type, name, origin)
                return field.start // 8 + offset, found
        raise InputError(f"no member named `{name}` in this type", origin)

    def _layout(self, type_: c_ast.Node) -> tuple[int, int]:
        """Size and alignment."""
        aligned = self._symbols.alignment_of_name(type_)
        type_ = self._symbols.resolve(type_)
        if isinstance(type_, c_ast.PtrDecl):
            size, alignment = self._symbols.model.pointer, self._symbols.model.pointer
        elif isinstance(type_, c_ast.FuncDecl):
            size, alignment = 1, 1
        elif isinstance(type_, c_ast.ArrayDecl):
            size, alignment = self._layout(type_.type)
            size *= self._symbols.length(type_)
        elif (record := self._symbols.record(type_)) is not None:
            size, alignment, _ = self._record(record)
        else:
            name = self._symbols.arithmetic(type_) or "int"
            size, alignment = self._symbols.model.size(name), self._symbols.model.alignment(name)
        return size, alignment if aligned is None else aligned

    def _record(self, record: Any) -> tuple[int, int, list[Field]]:
        known = self._records.get(id(record))
        if known is None or known[0] is not record:
            if record.decls is None:
                raise UnsupportedError(
                    f"the size of `{type(record).__name__.lower()} {record.name}`, which is not defined", record.coord
                )
            known = self._records[id(record)] = (record, _Placing(self._symbols, self._layout).place(record))
        return known[1]


class _Placing:
    """Places the members of one record as gcc's stor-layout does, with PCC_BITFIELD_TYPE_MATTERS."""

    def __init__(self, symbols: Types, layout: Any) -> None:
        self._symbols = symbols
        self._layout = layout
        self._alignment = 1  # of the record, in bytes
        self._end = 0  # of the members placed so far, in bits

    def place(self, record: Any) -> tuple[int, int, list[Field]]:
        packed = has_attribute(record, "packed")
        fields: list[Field] = []
        size = 0
        for member in record.decls:
            if not isinstance(member, c_ast.Decl):
                continue
            if isinstance(record, c_ast.Union):
                self._end = 0
            fields.append(self._member(member, packed or has_attribute(member, "packed")))
            size = max(size, self._end)
        alignment = max(self._alignment, *alignments(record, self._symbols), 1)
        return _up(-(-size // 8), alignment), alignment, fields

    def _member(self, member: c_ast.Decl, packed: bool) -> Field:
        type_ = member.type
        if isinstance(type_, (c_ast.Struct, c_ast.Union)):
            type_ = c_ast.TypeDecl(None, [], None, type_)
        wanted = max(alignments(member, self._symbols), default=0)
        if member.bitsize is not None:
            return self._bit_field(member, type_, packed, wanted)
        array = self._symbols.resolve(type_)
        if isinstance(array, c_ast.ArrayDecl) and array.dim is None:
            size, alignment = 0, self._layout(array.type)[1]  # a flexible array member
        else:
            size, alignment = self._layout(type_)
        alignment = max(1 if packed else alignment, wanted)
        self._alignment = max(self._alignment, alignment)
        start = _up(self._end, 8 * alignment)
        self._end = start + 8 * size
        return Field(member, type_, start, None)

    def _bit_field(self, member: c_ast.Decl, type_: c_ast.Node, packed: bool, wanted: int) -> Field:
        width = self._symbols.constant(member.bitsize)
        size, alignment = self._layout(type_)
        start = _up(self._end, 8 * wanted) if wanted else self._end
        unit = 8 * alignment
        spans = -(-(start % unit + width) // unit)  # the number of units of its type's alignment
        if width == 0 or (not packed and spans > size // alignment):
            start = _up(start, unit)
        if member.name:
            self._alignment = max(self._alignment, 1 if packed else alignment, wanted)
        self._end = start + width
        return Field(member, type_, start, width)


def _up(value: int, unit: int) -> int:
    """*value*, or the next multiple of *unit* above it."""
    return -(-value // unit) * unit


def attributes(node: Any) -> Iterator[tuple[str, str]]:
    """The attributes of *node* itself, without the underscores around their names, and their arguments as text."""
    for group in getattr(node, "attributes", None) or []:
        for attribute in getattr(group, "attributes", [group]):
            name = attribute.name
            if name.startswith("__") and name.endswith("__"):
                name = name[2:-2]
            yield name, attribute.arguments or ""


def has_attribute(node: Any, name: str) -> bool:
    """Whether a declaration, or a type itself (not the types that it is made from), has the attribute *name*."""
    found = any(known == name for known, _ in attributes(node))
    inner = getattr(node, "type", None)
    return found or (isinstance(inner, (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl)) and has_attribute(inner, name))


def alignments(node: Any, symbols: Types) -> list[int]:
    """The alignments in bytes that a declaration or a record asks for, with ``aligned`` or `_Alignas`."""
    found = []
    for name, arguments in attributes(node):
        if name == "aligned":
            found.append(_argument(arguments, symbols) if arguments.strip() else _MOST_ALIGNED)
    for item in getattr(node, "align", None) or []:
        asked = item.alignment if isinstance(item, c_ast.Alignas) else item
        found.append(symbols.alignof(asked.type) if isinstance(asked, c_ast.Typename) else symbols.constant(asked))
    inner = getattr(node, "type", None)
    if isinstance(inner, (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl)):
        found.extend(alignments(inner, symbols))
    return [value for value in found if value > 0]


def _argument(text: str, symbols: Types) -> int:
    """The value of an attribute's argument, which is kept as text."""
    if text.strip().isdecimal():
        return int(text)
    from cseq.c import parse

    declaration: Any = parse(f"int _ = ({text});", typedefs=symbols.typedefs).ext[0]
    return symbols.constant(declaration.init)
