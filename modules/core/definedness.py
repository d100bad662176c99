"""Static analysis of which objects of a program may be read before they are written."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import object_of
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import with_reusing
from cseq.pipeline.facts import Fact

COPIES = frozenset({"memcpy", "memmove", "__CSEQ_copy", "__CSEQ_move"})
"""Functions that copy undefined bytes as they are: target, source, number of bytes."""

ALLOCATES = with_reusing("malloc", "realloc", "reallocarray") | {"__CSEQ_allocate", "__CSEQ_allocate_freeable"}
"""Functions that return memory that has not been written."""

ZEROED = with_reusing("calloc") | {"__CSEQ_zeroed"}
"""Functions that return zeroed memory."""


@dataclass
class Definedness:
    """What may be undefined: the locals *names*; what *pointers* lead to; *everything* that other threads can reach.

    carriers: variables of our own that only copy (`Copies`). has_heap: whether memory is allocated, so that accesses
    have to be checked against it. allocated: how many bytes each thread may allocate, as far as the text suggests.
    """

    names: set[str] = field(default_factory=set)
    carriers: set[str] = field(default_factory=set)
    has_heap: bool = False
    allocated: int = 0
    pointers: bool = False
    everything: bool = False

    @property
    def is_tracked(self) -> bool:
        """Whether anything may be undefined."""
        return bool(self.names) or self.pointers or self.everything

    def may_be(self, symbols: Symbols, place: c_ast.Node) -> bool:
        """Whether the object *place*, of the core language, may be undefined."""
        root = object_of(symbols, place)
        if root is None:
            return self.pointers or self.everything
        return root in self.names or (self.everything and root not in symbols.locals)

    def note(self, symbols: Symbols, place: c_ast.Node) -> bool:
        """Note that *place* may be undefined; returns whether that is new."""
        before = (len(self.names), self.pointers, self.everything)
        root = object_of(symbols, place)
        if root in symbols.locals:
            self.names.add(str(root))
        else:
            self.pointers = self.everything = True
        return before != (len(self.names), self.pointers, self.everything)


DEFINEDNESS = Fact[Definedness]("definedness")


class Copies:
    """Identifies the assignments that copy an object, or a part of one, unchanged.

    These are copies of structs, and of their members to the same members of another struct, also by way of a *carrier*,
    a variable of our own that has no other purpose: what the user writes as one copy may be several accesses.
    """

    def __init__(self, symbols: Symbols, carriers: Iterable[str] = ()) -> None:
        self._symbols = symbols
        self.carriers = set(carriers)

    def is_copy(self, node: c_ast.Assignment) -> bool:
        """Whether the assignment is a copy, so that undefined contents stay undefined."""
        if node.op != "=" or not is_place(node.rvalue):
            return False
        if _name(node.lvalue) in self.carriers or _name(node.rvalue) in self.carriers:
            return True
        return self._are_parts_alike(node.lvalue, node.rvalue)

    def find_carriers(self, functions: list[c_ast.FuncDef]) -> None:
        """Find the carriers among the variables of *functions*."""
        assigned: dict[str, list[c_ast.Assignment]] = {}
        read: dict[str, list[c_ast.Assignment | None]] = {}
        for node in assignments(functions):
            if isinstance(node.lvalue, c_ast.ID):
                assigned.setdefault(node.lvalue.name, []).append(node)
        for function in functions:
            for name, reader in _reads(function.body):
                read.setdefault(name, []).append(reader)
        for name, writers in assigned.items():
            is_single = name.startswith("__cs_tmp") and len(writers) == len(read.get(name, ())) == 1
            if name.startswith(lexicon.CARRIED) or (is_single and self._carries(writers[0], read[name][0])):
                self.carriers.add(name)

    def _carries(self, writer: c_ast.Assignment, reader: c_ast.Assignment | None) -> bool:
        if reader is None or reader.op != "=" or not is_place(writer.rvalue) or _name(reader.rvalue) is None:
            return False
        return self._are_parts_alike(reader.lvalue, writer.rvalue)

    def _are_parts_alike(self, one: Any, other: Any) -> bool:
        """Whether both are structs, or the same member of structs of one type."""
        symbols = self._symbols
        if symbols.record(symbols.type_of(one)) is not None:
            return True
        while isinstance(one, c_ast.ArrayRef) and isinstance(other, c_ast.ArrayRef):
            one, other = one.name, other.name
        if not isinstance(one, c_ast.StructRef) or not isinstance(other, c_ast.StructRef):
            return False
        if one.field.name != other.field.name:
            return False
        records = [self._record(place) for place in (one, other)]
        return records[0] is not None and records[0] is records[1]

    def _record(self, place: c_ast.StructRef) -> c_ast.Node | None:
        type_ = self._symbols.type_of(place.name)
        return self._symbols.record(self._symbols.element(type_) if place.type == "->" else type_)


def pointed(symbols: Symbols, pointer: Any) -> Any:
    """The object that *pointer* points to, by name if possible; otherwise a dereference."""
    target = build.addressed(pointer)
    if target is not None:
        return target
    pointer = build.uncast(pointer)
    return pointer if symbols.is_array(symbols.type_of(pointer)) else c_ast.UnaryOp("*", pointer)


def is_place(node: c_ast.Node) -> bool:
    return isinstance(node, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef)) or (
        isinstance(node, c_ast.UnaryOp) and node.op == "*"
    )


def _name(node: c_ast.Node) -> str | None:
    """The name of a variable, which in a step program may be in a frame."""
    if isinstance(node, c_ast.StructRef) and node.type == "->" and _name(node.name) == "__cs_f":
        return str(node.field.name)
    return node.name if isinstance(node, c_ast.ID) else None


def assignments(functions: list[c_ast.FuncDef]) -> Iterator[c_ast.Assignment]:
    """The assignments in *functions*."""
    return (node for function in functions for node in build.inside(function.body, c_ast.Assignment))


def _reads(node: Any, around: c_ast.Assignment | None = None) -> Iterator[tuple[str, c_ast.Assignment | None]]:
    """Each read of a variable, with the assignment of which it is the whole right side."""
    match node:
        case c_ast.ID():
            yield node.name, around
        case c_ast.Assignment():
            yield from _reads(node.rvalue, node)
            if not isinstance(node.lvalue, c_ast.ID):
                yield from _reads(node.lvalue)
        case c_ast.StructRef():
            yield from _reads(node.name)
        case c_ast.FuncCall():
            for argument in node.args.exprs if node.args else []:
                yield from _reads(argument)
        case _:
            for _, child in node.children():
                yield from _reads(child)
