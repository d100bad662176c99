"""Where the objects of a C program are in a memory of CMemory, and how they are read and stored there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.modules.library import lexicon
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.terms import Guard, Level, Scope, Value, together
from cseq.modules.tla.encode.tla_names import Identifiers
from cseq.modules.tla.encode.wrapping import extent, integer

INDEX = '"failed.crash.index"'


@dataclass(frozen=True)
class Lvalue:
    """An lvalue.

    type: in C. root: the C name of the object that it is, or is in; "" if a pointer leads to it. pointer: that pointer.
    steps: TLA+ texts whose sum is the number of its first cell, counted from the object or from where the pointer
    leads; none for the object itself. guards: what must hold for the place to mean something. width: the number of bits
    of a bit-field. kinds: those of the cells of the struct that the pointer leads to, if it is checked as a whole.
    """

    type: c_ast.Node
    root: str = ""
    pointer: Value | None = None
    steps: tuple[Value, ...] = ()
    guards: tuple[Guard, ...] = ()
    width: int | None = None
    kinds: str = ""

    def moved(self, type_: c_ast.Node, *steps: Value) -> Lvalue:
        """A part of this place."""
        return replace(self, type=type_, steps=(*self.steps, *(step for step in steps if step.text != "0")), width=None)

    @property
    def offset(self) -> Value:
        """The number of the first cell."""
        if not self.steps:
            return integer(0)
        if len(self.steps) == 1:
            return self.steps[0]
        return Value(" + ".join(step.at(Level.REMAINDER) for step in self.steps), (), Level.SUM)


class Objects:
    """The objects of a program, as texts of TLA+."""

    def __init__(self, symbols: Symbols, identifiers: Identifiers, cells: Cells) -> None:
        self._symbols = symbols
        self._identifiers = identifiers
        self._cells = cells

    def is_frame_s(self, c_name: str) -> bool:
        """Whether the object *c_name* is in the frames of a thread's function."""
        owner = self._symbols.locals.get(c_name)
        return owner is not None and not lexicon.is_library(owner)

    def _path(self, c_name: str, scope: Scope) -> str:
        name = self._identifiers.tla(c_name)
        return f"stack[{scope.thread}][1].{name}" if self.is_frame_s(c_name) else f"data.{name}"

    def _cell(self, place: Lvalue) -> str:
        return "" if self._cells.is_scalar(self._symbols.types[place.root]) else f"[{place.offset.text}]"

    def read(self, place: Lvalue, scope: Scope) -> Value:
        """The value of the scalar at *place*, which may be ``Undef``."""
        kind = self._cells.kind(place.type)
        if place.pointer is not None and place.kinds:
            text = f"Field({scope.memory}, {place.pointer.text}, {place.offset.text})"
            guards = self._held(place, scope)
        elif place.pointer is not None:
            pointer = self.address(place, scope)
            text = f"Load({scope.memory}, {pointer.text}, {kind})"
            guards = together([pointer.guards, self._access(place, pointer, scope)])
        elif place.root in scope.bound:
            cell = f"[{place.offset.text}]" if place.steps or not self._cells.is_scalar(place.type) else ""
            text, guards = scope.bound[place.root] + cell, place.guards
        else:
            text, guards = f"{scope.memory}.{self._path(place.root, scope)}{self._cell(place)}", place.guards
        found = Value(text, guards)
        if kind == "Pointer":
            return found
        least, greatest = extent(kind)
        if place.width is not None:
            signed = least < 0
            least, greatest = (-(1 << (place.width - 1)) if signed else 0), (1 << (place.width - signed)) - 1
        return replace(found, least=least, greatest=greatest)

    def _access(self, place: Lvalue, pointer: Value, scope: Scope) -> tuple[Guard, ...]:
        text = f"CanAccess({scope.memory}, {pointer.text}, {self._cells.kind(place.type)})"
        return (Guard(text, f"Mishap({scope.memory}, {pointer.text})", Level.ATOM),)

    def _held(self, place: Lvalue, scope: Scope) -> tuple[Guard, ...]:
        """That there is a whole struct where the pointer leads."""
        assert place.pointer is not None
        of = f"{scope.memory}, {place.pointer.text}"
        holds = Guard(f"Holds({of}, {place.kinds})", f"Mishap({of})", Level.ATOM)
        return together([place.pointer.guards, place.guards, [holds]])

    def store(self, place: Lvalue, value: Value, scope: Scope) -> Value:
        """The memory after a value of the type of *place* has been stored there."""
        memory = scope.memory
        if place.pointer is not None and place.kinds:
            guards = together([value.guards, self._held(place, scope)])
            of = f"{memory}, {place.pointer.text}, {place.offset.text}"
            return Value(f"SetField({of}, {value.text})", guards)
        if place.pointer is not None:
            kind = self._cells.kind(place.type)
            pointer = self.address(place, scope)
            guards = together([value.guards, pointer.guards, self._access(place, pointer, scope)])
            return Value(f"Store({memory}, {pointer.text}, {kind}, {value.text})", guards)
        path = self._path(place.root, scope)
        read = f"{memory}.{path}{self._cell(place)}"
        text = _with_at(value, read)
        guards = together([value.guards, place.guards])
        return Value(f"[{memory} EXCEPT !.{path}{self._cell(place)} = {text}]", guards)

    def address(self, place: Lvalue, scope: Scope) -> Value:
        """The pointer to *place*; it need not exist."""
        if place.pointer is not None:
            base, guards = place.pointer.text, together([place.pointer.guards, place.guards])
        else:
            name = self._identifiers.tla(place.root)
            local = f'Local({scope.thread}, {scope.memory}, "{name}")'
            base, guards = local if self.is_frame_s(place.root) else f'Global("{name}")', place.guards
        if not place.steps:
            return Value(base, guards, place.pointer.level if place.pointer is not None else Level.ATOM)
        return Value(f"Shift({base}, {place.offset.text})", guards)

    def whole(self, place: Lvalue, scope: Scope) -> str:
        """The path of *place* in its memory if it is a whole object with a name, else ""."""
        if place.root and not place.steps and place.root not in scope.bound:
            return self._path(place.root, scope)
        return ""

    def member(self, place: Lvalue, name: str, origin: Any = None) -> Lvalue:
        """A member of the struct or union at *place*."""
        declared = self._symbols.member(place.type, name, origin)
        type_ = next((t for n, t, _ in self._all_parts(place.type) if n == name), declared.type)
        step = Value(self._cells.offset(place.type, name, origin))
        found = place.moved(type_, step)
        width = None if declared.bitsize is None else self._symbols.constant(declared.bitsize)
        return replace(found, width=width)

    def _all_parts(self, type_: c_ast.Node) -> Any:
        record = self._symbols.record(type_)
        for name, part, declared in self._symbols.parts(record) if record is not None else ():
            if name is None:
                yield from self._all_parts(part)
            else:
                yield name, part, declared


def _with_at(value: Value, read: str) -> str:
    """The text of a value that is stored where *read* is read: with ``@`` for that, if it begins with it."""
    text = value.text
    if text.startswith(read) and not text[len(read) :].lstrip().startswith(("[", ".")):
        rest = text[len(read) :]
        if rest.startswith(" ") and read not in rest:
            return f"@{rest}"
    for operator in ("Plus", "Minus", "Times", "BitAnd", "BitOr", "BitXor", "ShiftLeft", "ShiftRight"):
        if text.startswith(f"{operator}("):
            first = text.index(", ") + 2
            rest = text[first + len(read) :]
            if text.startswith(f"{read}, ", first) and read not in rest:
                return f"{text[:first]}@{rest}"
    return text
