"""The granularity of stores: copies of structs, and bit-fields that share a memory location."""

from collections.abc import Iterable, Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.scalars import Group, Indivisible, Scalars
from cseq.modules.core.definedness import is_place, pointed
from cseq.modules.core.writing import Writing
from cseq.modules.library import clibrary, lexicon
from cseq.modules.library.primitives import without_variant
from cseq.pipeline.translator import rebuilt

_MOST = 64
"""The maximum number of accesses in a copy that is written access by access; a larger copy is one access."""


class StoreWriter:
    """Writes stores as single accesses to memory into the output of the three-address stage *to*.

    A struct is copied scalar by scalar, unless it is atomic or very large. A store to a bit-field loads all bit-fields
    in the same memory location (C11 §3.14: adjacent bit-fields of a struct), and stores all of them.
    """

    def __init__(self, to: Writing, symbols: Symbols) -> None:
        self._to = to
        self._symbols = symbols
        self.scalars = Scalars(symbols)

    def store(self, place: c_ast.Node, value: c_ast.Node) -> None:
        """Write ``place = value``; the address of *place* has been computed, and *value* has no side effect.

        *value* accesses nothing that others can notice, unless it is a struct whose address has been computed.
        """
        shared = self._is_shared(place)
        if not shared and not self._is_shared(value):
            self._assign(place, value)
        elif shared and isinstance(place, c_ast.StructRef) and (neighbours := self.neighbours(place)):
            self._store_with(place, value, neighbours)
        elif self.is_record(place):
            self._copy(place, value)
        else:
            self._assign(place, value)

    def is_record(self, node: c_ast.Node) -> bool:
        """Whether *node* is a struct or union."""
        return self._symbols.record(self._symbols.type_of(node)) is not None

    def _is_shared(self, node: c_ast.Node) -> bool:
        return self._to.visibility.is_visible(node)

    def _assign(self, place: c_ast.Node, value: c_ast.Node) -> None:
        self._to.emit(build.assign(place, value, self._to.origin))

    def _all(self, assignments: Iterable[c_ast.Node]) -> None:
        """Write several assignments as one access."""
        statements = list(assignments)
        if len(statements) == 1:
            self._to.emit(statements[0])
            return
        self._to.note_access(atomic=False)
        self._to.emit(build.call(lexicon.ATOMIC_BEGIN, origin=self._to.origin))
        self._to.emit_all(statements)
        self._to.emit(build.call(lexicon.ATOMIC_END, origin=self._to.origin))

    # Structs and unions

    def _copy(self, place: c_ast.Node, value: c_ast.Node) -> None:
        type_ = self._symbols.type_of(place)
        to, from_ = self._is_divided(place), self._is_divided(value)
        if not to and not from_:
            if self._is_shared(place) and self._is_shared(value):
                value = self._in_one_piece(value)
            self._assign(place, value)
        elif (to and self._is_shared(value) and not from_) or (from_ and self._is_shared(place) and not to):
            # One side is atomic: it is loaded or stored as a whole, between the accesses to the other side.
            kept = self._to.temporary(type_)
            self._copy(kept, value)
            self._copy(place, kept)
        else:
            if not is_place(value):
                value = self._in_one_piece(value)
            self._by_scalars(self._frozen(place), self._frozen(value), type_)

    def _is_divided(self, node: c_ast.Node) -> bool:
        """Whether accessing the struct *node* takes several accesses, which others can notice."""
        return self._is_shared(node) and not self._symbols.is_atomic(self._symbols.type_of(node))

    def _in_one_piece(self, value: c_ast.Node) -> c_ast.ID:
        kept = self._to.temporary(self._symbols.type_of(value))
        self._assign(kept, value)
        return kept

    def _by_scalars(self, place: c_ast.Node, value: c_ast.Node, type_: c_ast.Node) -> None:
        try:
            groups = list(zip(self.scalars.groups(place, type_), self.scalars.groups(value, type_), strict=True))
        except Indivisible as coarse:
            self._as_one(place, value, str(coarse))
            return
        if len(groups) > _MOST:
            self._as_one(place, value, f"a copy of {len(groups)} members and elements")
            return
        both = self._is_shared(place) and self._is_shared(value)
        for group, source in groups:
            read: Group = source
            if both:
                read = [self._to.temporary(self._symbols.type_of(leaf)) for leaf in source]
                self._all(self._pairs(read, source))
            self._all(self._pairs(group, read))

    def _as_one(self, place: c_ast.Node, value: c_ast.Node, what: str) -> None:
        """Write a copy as one access, or as a load and a store, although each is several: both are marked."""
        self.coarse(what)
        if self._is_shared(place) and self._is_shared(value):
            value = self._in_one_piece(value)
            self.coarse(what)
        self._assign(place, value)

    def note_coarse(self, function: str, arguments: list[c_ast.Node]) -> None:
        """Mark a call of the C library's *function* as several accesses, if it accesses memory that others change."""
        known = clibrary.is_modelled(function)
        function = without_variant(function)
        others = clibrary.FORMATTED | clibrary.SCANNED.keys() | {clibrary.ALLOCATES_TEXT}
        known = known or function in lexicon.MODELLED | others
        if known and function != "free" and any(map(self._is_noticed, arguments)):
            self.coarse(f"`{function}`")

    def coarse(self, what: str) -> None:
        """Mark the next step as one that represents several accesses of its thread."""
        self._to.emit(build.call(lexicon.COARSE, build.string(what), origin=self._to.origin))

    def _pairs(self, group: Group, values: Iterable[c_ast.Node]) -> Iterator[c_ast.Node]:
        return (build.assign(leaf, value, self._to.origin) for leaf, value in zip(group, values, strict=True))

    def _frozen(self, place: c_ast.Node) -> c_ast.Node:
        """*place* in a form in which storing parts of it does not change which object it denotes."""
        match place:
            case c_ast.ArrayRef():
                subscript = self._kept(place.subscript)
                array = self._symbols.is_array(self._symbols.type_of(place.name))
                base = self._frozen(place.name) if array else self._kept(place.name)
                return rebuilt(place, name=base, subscript=subscript)
            case c_ast.StructRef():
                base = self._kept(place.name) if place.type == "->" else self._frozen(place.name)
                return rebuilt(place, name=base)
            case c_ast.UnaryOp(op="*"):
                return rebuilt(place, expr=self._kept(place.expr))
        return place

    def _kept(self, value: c_ast.Node) -> c_ast.Node:
        """A pointer or subscript as an expression that no store to a struct changes."""
        if isinstance(value, (c_ast.ID, c_ast.Constant)):
            return value
        if isinstance(value, c_ast.UnaryOp) and value.op == "&":
            return rebuilt(value, expr=self._frozen(value.expr))
        if self._symbols.is_array(self._symbols.type_of(value)):
            return self._frozen(value)
        return self._to.saved(value)

    # The C library

    def memory(self, name: str, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Write `memcpy`, `memmove` or `memset` of one whole object scalar by scalar, and return the value of the call.

        Return None, and write nothing, if that does not apply: no other thread can notice it, the size is not that of
        the objects, or the object has padding, which a copy of its members would leave out.
        """
        arguments = node.args.exprs if node.args else []
        if len(arguments) != 3:
            return None
        objects = [pointed(self._symbols, argument) for argument in arguments[: 1 if name == "memset" else 2]]
        type_ = self._symbols.type_of(objects[0])
        if not any(map(self._is_shared, objects)) or self._symbols.is_void(type_):
            return None
        if name == "memset" and self._symbols.constant_or_none(arguments[1]) != 0:
            return None
        if not self._is_whole_object(objects, arguments[2]):
            return None
        if name == "memset" and any(self.is_record(leaf) for leaf in self.scalars.scalars(objects[0], type_)):
            return None  # a union, to which 0 cannot be assigned
        pointer = self._to.saved(self._to.value(arguments[0])) if wanted else None
        places = [self._frozen(self._to.place(item)) for item in objects]
        if name == "memset":
            for group in self.scalars.groups(places[0], type_):
                self._all(build.assign(leaf, build.number(0), self._to.origin) for leaf in group)
        else:
            self._by_scalars(places[0], places[1], type_)
        return pointer or build.number(0)

    def _is_whole_object(self, objects: list[c_ast.Node], size: c_ast.Node) -> bool:
        types = [self._symbols.type_of(item) for item in objects]
        if len({self._symbols.spelled(type_) for type_ in types}) > 1 or any(map(self._is_incomplete, types)):
            return False
        known = self._symbols.constant_or_none(size)
        whole = known is not None and all(self._symbols.sizeof(type_) == known for type_ in types)
        try:
            groups = list(self.scalars.groups(objects[0], types[0])) if whole else []
        except Indivisible:
            return False
        return whole and self.scalars.bits(groups) == 8 * (known or 0) and len(groups) <= _MOST

    def _is_incomplete(self, type_: c_ast.Node) -> bool:
        resolved = self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            return resolved.dim is None
        record: Any = self._symbols.record(resolved)
        return isinstance(resolved, c_ast.FuncDecl) or (record is not None and record.decls is None)

    def _is_noticed(self, argument: c_ast.Node) -> bool:
        """Whether a function can access memory that others can change through the pointer *argument*."""
        type_ = self._symbols.type_of(argument)
        argument = build.uncast(argument)
        if isinstance(argument, c_ast.BinaryOp) and self._symbols.is_array(self._symbols.type_of(argument.left)):
            argument = argument.left  # a part of an array
        target: Any = pointed(self._symbols, argument)
        pointer = isinstance(target, c_ast.UnaryOp) and target.op == "*"
        if pointer and isinstance(target.expr, c_ast.Constant):
            return False
        return self._symbols.is_pointer(type_) and self._is_shared(target)

    # Bit-fields

    def neighbours(self, place: c_ast.StructRef) -> list[c_ast.Node]:
        """The other named bit-fields in the memory location of the bit-field *place*; none for other members."""
        if self._symbols.bit_field(place) is None:
            return []
        base = self._symbols.type_of(place.name)
        record = self._symbols.record(self._symbols.element(base) if place.type == "->" else base)
        for location in self._locations(record):
            if place.field.name in location:
                return [rebuilt(place, field=c_ast.ID(name)) for name in location if name != place.field.name]
        return []

    def _locations(self, record: Any) -> Iterator[list[str]]:
        """The names of the bit-fields in each memory location of a record that has several."""
        location: list[str] = []
        for member in getattr(record, "decls", None) or []:
            width = self._width(member) if isinstance(member, c_ast.Decl) else None
            if isinstance(record, c_ast.Union) or not width:
                yield location
                location = []
            if width and member.name:
                location = [*location, member.name]
            elif isinstance(member, c_ast.Decl) and not member.name:
                yield from self._locations(member.type)
        yield location

    def _width(self, member: c_ast.Decl) -> int | None:
        return None if member.bitsize is None else self._symbols.constant(member.bitsize)

    def _store_with(self, place: c_ast.Node, value: c_ast.Node, neighbours: list[c_ast.Node]) -> None:
        """Write a store to a bit-field as the machine does: load its storage unit, change it, and store it."""
        kept: Group = [self._to.temporary(self._symbols.type_of(other), lexicon.BESIDE) for other in neighbours]
        self._all(self._pairs(kept, neighbours))
        self._all([build.assign(place, value, self._to.origin), *self._pairs(neighbours, kept)])
