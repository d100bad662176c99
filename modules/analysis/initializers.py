"""Initialisers as assignments, and nondeterministic values for objects without one."""

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.literals import string_units
from cseq.c.symbols import Symbols
from cseq.model.errors import InputError, UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.library import lexicon

_MANY = 64
"""Objects with more scalars than this are zeroed or made nondeterministic as a whole."""

NEVER = 6
"""The state of an object of the thread library that may contain anything: neither all-zero, nor that of any function.

An odd number would be a semaphore that is ready."""

_KINDS = {type_: kind for kind, type_ in lexicon.NONDET_TYPES.items()}


def nondet(symbols: Symbols, type_: c_ast.Node, origin: Origin | None = None) -> c_ast.Node:
    """An expression with a nondeterministic value of the scalar type *type_*."""
    name = symbols.arithmetic(type_)
    if name is None:
        return build.call(lexicon.NONDET + "pointer", origin=origin)
    kind = _KINDS.get("double" if name == "long double" else name)
    if kind is None:
        raise UnsupportedError(f"a nondeterministic value of type `{name}`", origin)
    return build.call(lexicon.NONDET + kind, origin=origin)


def undefined(
    symbols: Symbols, target: c_ast.Node, type_: c_ast.Node, origin: Origin | None, is_input: bool = False
) -> list[c_ast.Node]:
    """Statements that give the object *target* of type *type_* an arbitrary value.

    Objects of the thread library in it are marked as never initialised. The calls in these statements have no origin,
    which distinguishes them from calls that the user wrote, and undefined values from inputs.
    """
    if _leaf_count(symbols, type_) > _MANY or _hides_bytes(symbols, type_):
        whole = _whole(lexicon.HAVOC, symbols, target, type_, origin)
        return [whole, *(build.assign(state, build.number(NEVER), origin) for state in _states(symbols, target, type_))]
    return [
        build.assign(leaf, _library_s(leaf) or nondet(symbols, leaf_type, origin if is_input else None), origin)
        for leaf, leaf_type in _leaves(symbols, target, type_)
    ]


def _length(symbols: Symbols, array: c_ast.ArrayDecl) -> int:
    """The number of elements that belong to an object; none for a flexible array member."""
    return 0 if array.dim is None else symbols.length(array)


def _hides_bytes(symbols: Symbols, type_: c_ast.Node) -> bool:
    """Whether *type_* contains a union whose other members expose bytes that its largest member leaves out."""
    resolved = symbols.resolve(type_)
    if isinstance(resolved, c_ast.ArrayDecl):
        return _hides_bytes(symbols, resolved.type)
    record = symbols.record(resolved)
    if record is None:
        return False
    parts = symbols.parts(record)
    if isinstance(record, c_ast.Union) and len(parts) > 1:
        largest = max(parts, key=lambda part: symbols.sizeof(part[1]))
        return _written_bytes(symbols, largest[1], largest[2]) < symbols.sizeof(resolved)
    return any(_hides_bytes(symbols, part) for _, part, _ in parts)


def _written_bytes(symbols: Symbols, type_: c_ast.Node, member: c_ast.Decl | None = None) -> int:
    """How many bytes of an object are certainly written by assigning all of its scalars."""
    if member is not None and member.bitsize is not None:
        return 0
    resolved = symbols.resolve(type_)
    if isinstance(resolved, c_ast.ArrayDecl):
        return _length(symbols, resolved) * _written_bytes(symbols, resolved.type)
    record = symbols.record(resolved)
    if record is None:
        return symbols.sizeof(resolved) if symbols.arithmetic(resolved) != "long double" else 10
    found = [_written_bytes(symbols, part, declaration) for _, part, declaration in symbols.parts(record)]
    return max(found, default=0) if isinstance(record, c_ast.Union) else sum(found)


def _library_s(leaf: c_ast.Node) -> c_ast.Node | None:
    """The value of a scalar in an object of the thread library that was never initialised; None for other scalars."""
    if not isinstance(leaf, c_ast.StructRef) or not str(leaf.field.name).startswith("__cs_"):
        return None
    return build.number(NEVER if leaf.field.name == "__cs_state" else 0)


def _states(symbols: Symbols, target: c_ast.Node, type_: c_ast.Node) -> Iterator[c_ast.Node]:
    """The members of the object *target* that say whether an object of the thread library is initialised."""
    resolved = symbols.resolve(type_)
    if isinstance(resolved, c_ast.ArrayDecl):
        if any(True for _ in _states(symbols, target, resolved.type)):
            for index in range(_length(symbols, resolved)):
                yield from _states(symbols, c_ast.ArrayRef(target, build.number(index)), resolved.type)
        return
    record = symbols.record(resolved)
    for name, part_type, _ in symbols.parts(record) if record is not None else ():
        part = _part(target, name)
        if name == "__cs_state":
            yield part
        else:
            yield from _states(symbols, part, part_type)


def initialised(
    symbols: Symbols, target: c_ast.Node, type_: c_ast.Node, init: c_ast.Node, origin: Origin | None
) -> list[c_ast.Node]:
    """Statements that initialise *target* like the declaration ``type_ target = init;`` (C11 §6.7.9)."""
    if not isinstance(init, c_ast.InitList) and not _is_string(symbols, type_, init):
        return [build.assign(target, init, origin)]
    filler = Filler(symbols)
    filler.fill(target, type_, init)
    if not filler.many(type_):
        return [build.assign(leaf, value, origin) for leaf, value in filler.with_zeros(target, type_)]
    zero = _whole("__CSEQ_zero", symbols, target, type_, origin)
    return [zero, *(build.assign(leaf, value, origin) for leaf, value in filler.values.values())]


def length_of(symbols: Symbols, type_: c_ast.ArrayDecl, init: c_ast.Node) -> int:
    """The length that *init* gives to an array that is declared without one."""
    if _is_string(symbols, type_, init):
        literal: Any = init.exprs[0] if isinstance(init, c_ast.InitList) else init
        return len(string_units(literal.value)) + 1
    filler = Filler(symbols)
    filler.fill(build.ident("_"), type_, init)
    return filler.longest


def _is_string(symbols: Symbols, type_: c_ast.Node, init: Any) -> bool:
    if isinstance(init, c_ast.InitList) and len(init.exprs) == 1:
        init = init.exprs[0]
    return symbols.is_array(type_) and isinstance(init, c_ast.Constant) and init.type == "string"


def _whole(
    primitive: str, symbols: Symbols, target: c_ast.Node, type_: c_ast.Node, origin: Origin | None
) -> c_ast.Node:
    address = target if symbols.is_array(type_) else c_ast.UnaryOp("&", target)
    return build.call(primitive, address, c_ast.UnaryOp("sizeof", target), origin=origin)


def _leaf_count(symbols: Symbols, type_: c_ast.Node) -> int:
    resolved = symbols.resolve(type_)
    if isinstance(resolved, c_ast.ArrayDecl):
        return _length(symbols, resolved) * _leaf_count(symbols, resolved.type)
    record = symbols.record(resolved)
    if record is None:
        return 1
    counts = [_leaf_count(symbols, member.type) for member in symbols.members(record)]
    return max(counts, default=0) if isinstance(record, c_ast.Union) else sum(counts)


def _leaves(symbols: Symbols, target: c_ast.Node, type_: c_ast.Node) -> Iterator[tuple[c_ast.Node, c_ast.Node]]:
    """The scalars of an object, in order, with their types; for a union, the scalars of its largest member."""
    resolved = symbols.resolve(type_)
    if isinstance(resolved, c_ast.ArrayDecl):
        for index in range(_length(symbols, resolved)):
            yield from _leaves(symbols, c_ast.ArrayRef(target, build.number(index)), resolved.type)
        return
    record = symbols.record(resolved)
    if record is None:
        yield target, type_
        return
    parts = symbols.parts(record)
    if isinstance(record, c_ast.Union) and parts:
        parts = [max(parts, key=lambda part: symbols.sizeof(part[1]))]
    for name, part_type, _ in parts:
        yield from _leaves(symbols, _part(target, name), part_type)


def _part(target: c_ast.Node, name: str | None) -> c_ast.Node:
    """A member of a record; members of an anonymous member are named like members of the record itself."""
    return target if name is None else c_ast.StructRef(target, ".", build.ident(name))


class Filler:
    """Walks an initialiser list and notes which scalar gets which value."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.values: dict[str, tuple[c_ast.Node, c_ast.Node]] = {}
        self.longest = 0

    def many(self, type_: c_ast.Node) -> bool:
        """Whether the object has too many scalars to assign each of them."""
        return _leaf_count(self._symbols, type_) > _MANY

    def with_zeros(self, target: c_ast.Node, type_: c_ast.Node) -> Iterator[tuple[c_ast.Node, c_ast.Node]]:
        """All scalars of the object with their values; scalars that the list does not name are zero."""
        whole = [key for key in self.values if key.startswith("=")]
        assigned: set[str] = set()
        covered = tuple(key[1:] + mark for key in whole for mark in ".[")
        for leaf, _ in _leaves(self._symbols, target, type_):
            key = leaf_key(leaf)
            if covered and key.startswith(covered):
                continue
            assigned.add(key)
            yield self.values.get(key, (leaf, build.number(0)))
        for key, assignment in self.values.items():
            if key not in assigned:  # a whole struct, or a member of a union other than its largest
                yield assignment

    def fill(self, target: c_ast.Node, type_: c_ast.Node, init: c_ast.Node) -> None:
        """Initialise *target* by *init*, which has its own braces or is an expression."""
        resolved = self._symbols.resolve(type_)
        if _is_string(self._symbols, resolved, init):
            literal: Any = init.exprs[0] if isinstance(init, c_ast.InitList) else init
            for index, byte in enumerate(string_units(literal.value)):
                self._note(c_ast.ArrayRef(target, build.number(index)), build.number(byte))
        elif isinstance(init, c_ast.InitList):
            items = list(init.exprs)
            if not isinstance(resolved, c_ast.ArrayDecl) and self._symbols.record(resolved) is None:
                if len(items) != 1:
                    raise UnsupportedError("an initialiser list for a scalar", init.coord)
                self.fill(target, type_, items[0])
                return
            self._aggregate(target, resolved, items, outermost=True)
            if items:
                raise UnsupportedError("an initialiser with more values than the object has", init.coord)
        else:
            self._note(target, init)

    def _note(self, target: c_ast.Node, value: c_ast.Node) -> None:
        aggregate = self._symbols.record(self._type_of_value(value)) is not None
        self.values[("=" if aggregate else "") + leaf_key(target)] = (target, value)

    def _type_of_value(self, value: c_ast.Node) -> c_ast.Node:
        return (
            c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["int"]))
            if isinstance(value, c_ast.Constant)
            else (self._symbols.type_of(value))
        )

    def _aggregate(
        self, target: c_ast.Node, type_: Any, items: list[c_ast.Node], outermost: bool, designated: bool = False
    ) -> None:
        """Take the values of an array, struct or union from *items*; without braces of its own, stop when it is full.

        designated: the rest of the first item's designator continues from here.
        """
        children = self._children(target, type_)
        position = 0
        while items:
            item = items[0]
            if isinstance(item, c_ast.NamedInitializer):
                if not outermost and not designated:
                    return
                designated = False
                position, child, child_type, item = self._designated(target, type_, item)
                items[0] = item
            elif children is not None and position >= len(children):
                return
            elif children is None:
                child, child_type = c_ast.ArrayRef(target, build.number(position)), type_.type
            else:
                child, child_type = children[position]
            if isinstance(items[0], c_ast.NamedInitializer):
                longest = self.longest
                self._aggregate(child, self._symbols.resolve(child_type), items, outermost=False, designated=True)
                self.longest = longest
            else:
                self._child(child, child_type, items)
            position += 1
            if isinstance(type_, c_ast.ArrayDecl):
                self.longest = max(self.longest, position)

    def _child(self, child: c_ast.Node, type_: c_ast.Node, items: list[c_ast.Node]) -> None:
        resolved = self._symbols.resolve(type_)
        aggregate = isinstance(resolved, c_ast.ArrayDecl) or self._symbols.record(resolved) is not None
        braced = isinstance(items[0], c_ast.InitList)
        longest = self.longest  # counts the elements of the outermost array only
        if not aggregate or braced or _is_string(self._symbols, resolved, items[0]) or self._whole(resolved, items[0]):
            self.fill(child, type_, items.pop(0))
        else:
            self._aggregate(child, resolved, items, outermost=False)
        self.longest = longest

    def _whole(self, type_: c_ast.Node, item: c_ast.Node) -> bool:
        """Whether *item* is a struct that initialises a struct as a whole."""
        if self._symbols.record(type_) is None or isinstance(item, (c_ast.Constant, c_ast.NamedInitializer)):
            return False
        return self._symbols.record(self._symbols.type_of(item)) is not None

    def _children(self, target: c_ast.Node, type_: c_ast.Node) -> list[tuple[c_ast.Node, c_ast.Node]] | None:
        """The elements or members with their types; None for an array of unknown length."""
        if isinstance(type_, c_ast.ArrayDecl):
            if type_.dim is None:
                return None
            length = self._symbols.length(type_)
            return [(c_ast.ArrayRef(target, build.number(index)), type_.type) for index in range(length)]
        record = self._symbols.record(type_)
        parts = self._symbols.parts(record) if record is not None else []
        if isinstance(record, c_ast.Union):
            parts = parts[:1]
        return [(_part(target, name), part_type) for name, part_type, _ in parts]

    def _designated(
        self, target: c_ast.Node, type_: c_ast.Node, item: c_ast.NamedInitializer
    ) -> tuple[int, c_ast.Node, c_ast.Node, c_ast.Node]:
        """The position, place and type of what ``[i]`` or ``.m`` names, and what is left of the item."""
        first = item.name[0]
        rest = c_ast.NamedInitializer(item.name[1:], item.expr, item.coord) if len(item.name) > 1 else item.expr
        if isinstance(type_, c_ast.ArrayDecl):
            index = self._symbols.constant(first.expr if isinstance(first, c_ast.ArrayDesignator) else first)
            return index, c_ast.ArrayRef(target, build.number(index)), type_.type, rest
        record = self._symbols.record(type_)
        for position, (name, part_type, _) in enumerate(self._symbols.parts(record) if record is not None else []):
            if name == first.name:
                return position, _part(target, name), part_type, rest
            if name is None and any(member.name == first.name for member in self._members(part_type)):
                return position, target, part_type, item
        raise InputError(f"no member named `{first.name}` in this initialiser", item.coord)

    def _members(self, type_: c_ast.Node) -> list[c_ast.Decl]:
        record = self._symbols.record(type_)
        return self._symbols.members(record) if record is not None else []


def leaf_keys(symbols: Symbols, target: c_ast.Node, type_: c_ast.Node) -> frozenset[str]:
    """The names of the scalars of an object; for a union, the scalars of its largest member."""
    return frozenset(leaf_key(leaf) for leaf, _ in _leaves(symbols, target, type_))


def leaf_key(target: c_ast.Node) -> str:
    """A text that names a scalar of an object."""
    match target:
        case c_ast.ArrayRef():
            return f"{leaf_key(target.name)}[{target.subscript.value}]"
        case c_ast.StructRef():
            return f"{leaf_key(target.name)}.{target.field.name}"
        case c_ast.ID():
            return str(target.name)
    raise TypeError(f"{type(target).__name__} names no object")
