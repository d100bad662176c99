"""The scalars of an object: what the accesses to it are made of."""

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols

_WORD = 8
"""The maximum number of bytes of a union that one access copies."""

Group = list[c_ast.Node]
"""What one access reads or writes: a scalar, a small union, or the bit-fields of one storage unit."""


class Indivisible(Exception):
    """Raised for an object with bytes that belong to none of its members. Its message names the object."""


class Scalars:
    """Splits objects of the types in *symbols* into scalars."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols

    def scalars(self, place: c_ast.Node, type_: c_ast.Node) -> Iterator[c_ast.Node]:
        """The scalars of the object *place*, in order; a union counts as one."""
        for group in self.groups(place, type_):
            yield from group

    def groups(self, place: c_ast.Node, type_: c_ast.Node) -> Iterator[Group]:
        """The accesses that copying *place* takes: each to a scalar, or to the bit-fields of a storage unit."""
        resolved = self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            if resolved.dim is None:
                return  # a flexible array member, which is not copied
            for index in range(self._symbols.length(resolved)):
                yield from self.groups(c_ast.ArrayRef(place, build.number(index)), resolved.type)
            return
        record = self._symbols.record(resolved)
        if record is None or self._symbols.is_atomic(type_):
            yield [place]
        elif isinstance(record, c_ast.Union):
            yield from self._union(place, record, type_)
        else:
            yield from self._members(place, record)

    def _members(self, place: c_ast.Node, record: c_ast.Node) -> Iterator[Group]:
        unit: Group = []
        number: int | None = None
        for field in self._symbols.fields(c_ast.TypeDecl(None, [], None, record)):
            name = field.member.name
            lies_in = None if field.width is None else field.start // (8 * self._symbols.sizeof(field.type))
            if unit and (lies_in is None or lies_in != number):
                yield unit
                unit = []
            number = lies_in
            if field.width is None:
                yield from self.groups(_member(place, name) if name else place, field.type)
            elif name:
                unit = [*unit, _member(place, name)]
        if unit:
            yield unit

    def _union(self, place: c_ast.Node, record: c_ast.Node, type_: c_ast.Node) -> Iterator[Group]:
        """A small union is one access; of a larger one, all bytes must belong to scalars of its largest member."""
        parts = self._symbols.parts(record)
        size = max((self._symbols.sizeof(part[1]) for part in parts), default=0)
        if size <= _WORD and _is_whole(place, type_, self._symbols):
            yield [place]
            return
        for name, largest, _ in parts:
            groups = list(self.groups(place if name is None else _member(place, name), largest))
            if self.bits(groups) == 8 * size:
                yield from groups
                return
        raise Indivisible(f"a copy of a union of {size} bytes")

    def bits(self, groups: list[Group]) -> int:
        """How many bits the accesses cover."""
        return sum(self._width(leaf) for group in groups for leaf in group)

    def _width(self, leaf: c_ast.Node) -> int:
        field = self._symbols.bit_field(leaf)
        if field is not None and field.bitsize is not None:
            return self._symbols.constant(field.bitsize)
        return 8 * self._symbols.sizeof(self._symbols.type_of(leaf))


def _is_whole(place: c_ast.Node, type_: c_ast.Node, symbols: Symbols) -> bool:
    """Whether *place* is the union itself, and not a struct that it is an anonymous member of."""
    return symbols.record(symbols.type_of(place)) is symbols.record(type_)


def _member(place: c_ast.Node, name: str) -> c_ast.Node:
    return c_ast.StructRef(place, ".", build.ident(name))
