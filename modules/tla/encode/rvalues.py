"""Expressions of the core language as TLA+ expressions over a memory of CMemory."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.literals import character_value, encoding, string_units
from cseq.c.printer import Printer
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.core.definedness import Copies, Definedness
from cseq.modules.tla.encode import wrapping
from cseq.modules.tla.encode.cell_kinds import POINTER, Cells, function_of
from cseq.modules.tla.encode.lvalues import INDEX, Lvalue, Objects
from cseq.modules.tla.encode.pointer_values import NULL, Pointers, compared_pointers
from cseq.modules.tla.encode.terms import (
    Guard,
    Level,
    Scope,
    Value,
    both,
    conditional,
    demanded,
    either,
    negated,
    together,
    written,
)
from cseq.modules.tla.encode.tla_names import Identifiers
from cseq.modules.tla.numbers import number
from cseq.modules.tla.spec import UNDEFINED, Global

_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_ADDRESS = '"refused.address as number"'


class Expressions:
    """Translates the expressions of a program.

    constants: names that the program does not define → their values, integers or TLA+ texts of small numbers, such as
    ``self``. strings: the objects of the string literals that occurred. Raises UnsupportedError for what has no
    counterpart in TLA+.
    """

    def __init__(
        self,
        symbols: Symbols,
        identifiers: Identifiers,
        cells: Cells,
        definedness: Definedness,
        constants: Mapping[str, int | str],
        threads: int,
    ) -> None:
        self.strings: dict[str, Global] = {}
        self.objects = Objects(symbols, identifiers, cells)
        self._symbols = symbols
        self._identifiers = identifiers
        self._cells = cells
        self._definedness = definedness
        self._pointers = Pointers(symbols, cells)
        self._copies = Copies(symbols, definedness.carriers)
        self._constants = constants
        self._threads = threads

    # Values

    def value(self, node: c_ast.Node, scope: Scope) -> Value:
        """The value of an expression, of its own type after promotion; for an array or function, a pointer."""
        found = self._value(node, scope)
        kind = self._kind_or_none(node)
        return found if kind is None or kind == POINTER or found.least is None else wrapping.converted(found, kind)

    def _kind_or_none(self, node: c_ast.Node) -> str | None:
        type_ = self._symbols.value_type(node)
        if self._is_void(type_) or not self._cells.is_scalar(type_):
            return None
        return self._cells.kind(type_, node.coord)

    def _is_void(self, type_: c_ast.Node) -> bool:
        return self._symbols.is_void(type_)

    def _value(self, node: Any, scope: Scope) -> Value:
        match node:
            case c_ast.ID():
                return self._named(node, scope)
            case c_ast.Constant(type="string"):
                return self._string(node)
            case c_ast.Constant(type="char") if encoding(node.value) in ("", "L"):
                return wrapping.integer(character_value(node.value))
            case c_ast.UnaryOp(op="&"):
                return self.address(node.expr, scope)
            case c_ast.UnaryOp(op="!") | c_ast.BinaryOp(op="&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">="):
                return wrapping.as_number(self.condition(node, scope))
            case c_ast.UnaryOp(op="-" | "+" | "~"):
                return self._unary(node, scope)
            case c_ast.BinaryOp():
                return self._binary(node, scope)
            case c_ast.TernaryOp():
                return self._conditional(node, scope)
            case c_ast.Cast():
                return self._cast(node, scope)
            case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                return self._load(node, scope)
        constant = self._symbols.constant_or_none(node)
        if constant is not None:
            return wrapping.integer(constant)
        if isinstance(node, c_ast.Constant):
            raise UnsupportedError("floating point", node.coord)
        raise UnsupportedError(f"an expression of kind {type(node).__name__}", node.coord)

    def converted(self, node: c_ast.Node, type_: c_ast.Node, scope: Scope) -> Value:
        """The value of an expression converted to *type_*, as by an assignment."""
        return self.cast(self.value(node, scope), self._symbols.value_type(node), type_, scope, node.coord)

    def cast(self, value: Value, source: c_ast.Node, target: c_ast.Node, scope: Scope, origin: Any = None) -> Value:
        """A value of the type *source* converted to the type *target*."""
        if self._is_void(target) or not self._cells.is_scalar(target):
            return value
        kind = self._cells.kind(target, origin)
        if self._symbols.is_pointer(source):
            if kind == POINTER:
                return self._pointers.converted(value, source, target, scope)
            if kind == "Bool":
                return wrapping.as_number(compared_pointers("!=", value, NULL))
            if value.text == "Null":
                return replace(wrapping.integer(0), guards=value.guards)
            # The number that an address is depends on the machine.
            known = Guard(f"IsNumber({value.text})", _ADDRESS, Level.ATOM)
            found = Value(f"ToNumber({value.text})", (), Level.ATOM, *wrapping.extent("UInt64"))
            return replace(wrapping.converted(found, kind), guards=together([value.guards, [known]]))
        if kind == POINTER:
            if value.constant == 0:
                return replace(NULL, guards=value.guards)
            numbered = wrapping.converted(value, self._address_kind)
            return Value(f"Number({numbered.text})", value.guards)
        return wrapping.converted(value, kind)

    @property
    def _address_kind(self) -> str:
        """The kind of the integers that pointers made from numbers hold, which has a sign, as small ones are common."""
        return f"Int{8 * self._symbols.model.pointer}"

    # Conditions

    def condition(self, node: c_ast.Node, scope: Scope) -> Value:
        """Whether the value of an expression differs from zero, as a TLA+ boolean."""
        match node:
            case c_ast.UnaryOp(op="!"):
                return negated(self.condition(node.expr, scope))
            case c_ast.BinaryOp(op="&&"):
                return both(self.condition(node.left, scope), self.condition(node.right, scope))
            case c_ast.BinaryOp(op="||"):
                return either(self.condition(node.left, scope), self.condition(node.right, scope))
            case c_ast.BinaryOp(op=op) if op in _COMPARISONS:
                return self._comparison(node, scope)
        if isinstance(node, c_ast.Cast) and self._only_shows_whether_null(node):
            node = build.uncast(node)
        value = self.value(node, scope)
        if self._symbols.is_pointer(self._symbols.value_type(node)):
            return compared_pointers("!=", value, NULL)
        return wrapping.differs_from_zero(value)

    def _only_shows_whether_null(self, node: c_ast.Cast) -> bool:
        """Whether a pointer is converted to an integer that is zero if the pointer is null."""
        if not self._symbols.is_pointer(self._symbols.value_type(node.expr)) or self._symbols.is_pointer(node.to_type):
            return False
        kind = self._cells.kind(node.to_type, node.coord)
        return kind == "Bool" or wrapping.bits_of(kind) == 8 * self._symbols.model.pointer

    def _comparison(self, node: c_ast.BinaryOp, scope: Scope) -> Value:
        left, right = node.left, node.right
        for one, other in ((left, right), (right, left)) if node.op in ("==", "!=") else ():
            is_zero = self._symbols.constant_or_none(other) == 0
            if is_zero and isinstance(one, c_ast.Cast) and self._only_shows_whether_null(one):
                found = self.condition(one, scope)
                return found if node.op == "!=" else negated(found)
        types = [self._symbols.value_type(part) for part in (left, right)]
        if not any(self._symbols.is_pointer(type_) for type_ in types):
            kind = self._cells.kind(self._symbols.usual(*types), node.coord)
            bits = self._symbols.constant_or_none(left.right) if isinstance(left, c_ast.BinaryOp) else None
            wanted = self._symbols.constant_or_none(right)
            if bits is not None and wanted is not None and left.op == "|" and bits >= 0:
                few = wrapping.with_bits(node.op, self.value(left.left, scope), bits, wanted)
                if few is not None:
                    return few
            return wrapping.compared(
                node.op,
                wrapping.converted(self.value(left, scope), kind),
                wrapping.converted(self.value(right, scope), kind),
            )
        pointer = types[0] if self._symbols.is_pointer(types[0]) else types[1]
        values = [
            self.value(part, scope) if self._symbols.is_pointer(type_) else self.converted(part, pointer, scope)
            for part, type_ in zip((left, right), types, strict=True)
        ]
        return compared_pointers(node.op, *values)

    # Names and constants

    def _named(self, node: c_ast.ID, scope: Scope) -> Value:
        name = node.name
        if name in self._constants and name not in scope.bound:
            known = self._constants[name]
            if isinstance(known, int):
                return wrapping.integer(known)
            return replace(written(known), least=0, greatest=self._threads - 1)
        if name in self._symbols.enumerators and name not in self._symbols.types:
            return wrapping.integer(self._symbols.enumerators[name], self._cells.enumerator(name))
        type_ = self._symbols.types.get(name)
        if type_ is None:
            raise UnsupportedError(f"`{name}`, which is not declared,", node.coord)
        if isinstance(self._symbols.resolve(type_), c_ast.FuncDecl):
            return Value(f'Code("{self._identifiers.tla(name)}")')
        return self._load(node, scope)

    def _string(self, node: c_ast.Constant) -> Value:
        known = self.strings.get(node.value)
        if known is None:
            type_ = self._symbols.type_of(node)
            kinds = self._cells.kinds(type_)
            least, greatest = wrapping.extent(kinds[0])
            units = [(unit - least) % (greatest - least + 1) + least for unit in (*string_units(node.value), 0)]
            text = function_of(map(number, units))
            name = self._identifiers.operator(f"string_{len(self.strings) + 1}")
            known = self.strings[node.value] = Global(name, text, kinds, is_scalar=False)
        return Value(f'Global("{known.name}")')

    # Operators

    def _unary(self, node: c_ast.UnaryOp, scope: Scope) -> Value:
        kind = self._cells.kind(self._symbols.type_of(node), node.coord)
        operand = wrapping.converted(self.value(node.expr, scope), kind)
        if node.op == "+":
            return operand
        return wrapping.negative(kind, operand) if node.op == "-" else wrapping.complement(kind, operand)

    def _binary(self, node: c_ast.BinaryOp, scope: Scope) -> Value:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        types = [self._symbols.value_type(part) for part in (node.left, node.right)]
        pointers = [self._symbols.is_pointer(type_) for type_ in types]
        if all(pointers):
            return self._pointers.difference(left, right, types[0], node, scope)
        if any(pointers):
            pointer, steps, type_ = (left, right, types[0]) if pointers[0] else (right, left, types[1])
            return self._pointers.shifted(pointer, steps, type_, node, scope)
        kind = self._cells.kind(self._symbols.type_of(node), node.coord)
        if node.op in ("<<", ">>"):
            return wrapping.shifted(node.op, kind, wrapping.converted(left, kind), right)
        return wrapping.computed(node.op, kind, wrapping.converted(left, kind), wrapping.converted(right, kind))

    def _conditional(self, node: c_ast.TernaryOp, scope: Scope) -> Value:
        condition = self.condition(node.cond, scope)
        type_ = self._symbols.value_type(node)
        then, other = (self.converted(part, type_, scope) for part in (node.iftrue, node.iffalse))
        guards = together([
            condition.guards, conditional(condition, then.guards), conditional(negated(condition), other.guards)
        ])  # fmt: skip
        if condition.text in ("TRUE", "FALSE"):
            return replace(then if condition.text == "TRUE" else other, guards=guards)
        text = f"IF {condition.text} THEN {then.text} ELSE {other.text}"
        found = Value(text, guards, Level.WHOLE)
        if then.least is None or other.least is None or then.greatest is None or other.greatest is None:
            return found
        return replace(found, least=min(then.least, other.least), greatest=max(then.greatest, other.greatest))

    def _cast(self, node: c_ast.Cast, scope: Scope) -> Value:
        return self.converted(node.expr, node.to_type.type, scope)

    # Places

    def _load(self, node: c_ast.Node, scope: Scope, copied: bool = False) -> Value:
        type_ = self._symbols.type_of(node)
        if self._symbols.is_array(type_):
            return self.address(node, scope)
        if isinstance(self._symbols.resolve(type_), c_ast.FuncDecl):
            return self.value(node.expr, scope)  # type: ignore[attr-defined]
        place = self.place(node, scope)
        if not self._cells.is_scalar(place.type):
            raise UnsupportedError("a struct as a value", node.coord)
        found = self.objects.read(place, scope)
        if copied or place.root in scope.bound or not self._definedness.may_be(self._symbols, node):
            return found
        is_defined = compared_pointers("!=", replace(found, guards=()), Value("Undef"))
        return found.guarded(demanded(is_defined, f'"{UNDEFINED}{self._shown(node)}"'))

    def _shown(self, node: c_ast.Node) -> str:
        """The C text of an lvalue, to show it to the user: without the numbers that make names unique."""
        text = re.sub(r"\b__cs_ret_(\w+?)(__csd?\d+)*\b", r"\1()", Printer().text(node))
        return re.sub(r"__cs\d+", "", text).replace("\\", "").replace('"', "'")

    def copied(self, node: c_ast.Node, scope: Scope) -> Value:
        """The value of the lvalue *node*, which may be ``Undef``: it must only be stored."""
        return self._load(node, scope, copied=True)

    def address(self, lvalue: c_ast.Node, scope: Scope) -> Value:
        """The pointer to an lvalue, array or function."""
        if isinstance(lvalue, c_ast.ID) and lvalue.name in self._symbols.types:
            if isinstance(self._symbols.resolve(self._symbols.types[lvalue.name]), c_ast.FuncDecl):
                return self._named(lvalue, scope)
            if lvalue.name in scope.bound:
                raise UnsupportedError(f"the address of `{lvalue.name}`", lvalue.coord)
        if isinstance(lvalue, c_ast.Constant) and lvalue.type == "string":
            return self._string(lvalue)
        if isinstance(lvalue, c_ast.TernaryOp):
            condition = self.condition(lvalue.cond, scope)
            then, other = self.address(lvalue.iftrue, scope), self.address(lvalue.iffalse, scope)
            guards = together([
                condition.guards, conditional(condition, then.guards), conditional(negated(condition), other.guards)
            ])  # fmt: skip
            return Value(f"IF {condition.text} THEN {then.text} ELSE {other.text}", guards, Level.WHOLE)
        return self.objects.address(self.place(lvalue, scope, accessed=False), scope)

    def place(self, lvalue: Any, scope: Scope, accessed: bool = True) -> Lvalue:
        """Where an lvalue is. accessed: whether it has to exist, so that indices of arrays are checked."""
        match lvalue:
            case c_ast.ID():
                return Lvalue(self._symbols.type_of(lvalue), lvalue.name)
            case c_ast.StructRef():
                if lvalue.type == "->":
                    base = self._followed(lvalue.name, scope, accessed)
                else:
                    base = self.place(lvalue.name, scope, accessed)
                return self.objects.member(base, lvalue.field.name, lvalue.coord)
            case c_ast.ArrayRef():
                return self._element(lvalue, scope, accessed)
            case c_ast.UnaryOp(op="*"):
                return self._followed(lvalue.expr, scope, accessed)
            case c_ast.Constant(type="string"):
                return Lvalue(self._symbols.type_of(lvalue), pointer=self._string(lvalue))
        raise UnsupportedError(f"an lvalue of kind {type(lvalue).__name__}", lvalue.coord)

    def _element(self, lvalue: c_ast.ArrayRef, scope: Scope, accessed: bool) -> Lvalue:
        base: Any = lvalue.name
        index = lvalue.subscript
        if not self._symbols.is_pointer(self._symbols.type_of(base)):
            base, index = index, base
        type_ = self._symbols.resolve(self._symbols.type_of(base))
        if not isinstance(type_, c_ast.ArrayDecl):
            pointer = c_ast.BinaryOp("+", base, index, lvalue.coord)
            return self._followed(pointer, scope, accessed)
        array = self.place(base, scope, accessed)
        value = self.value(index, scope)
        guards = together([array.guards, value.guards])
        if type_.dim is not None and accessed:
            inside = wrapping.between(value, 0, self._symbols.length(type_) - 1)
            if inside.text != "TRUE":
                guards = together([guards, [demanded(inside, INDEX)]])
        steps = self._pointers.steps(value, type_.type)
        if type_.dim is None and array.pointer is not None:
            start = self.objects.address(array, scope)
            guards = together([guards, [self._pointers.consists(start, steps, type_.type, scope)]])
        return replace(array.moved(type_.type, steps), guards=guards)

    def _followed(self, pointer: c_ast.Node, scope: Scope, accessed: bool) -> Lvalue:
        """What a pointer leads to."""
        element = self._symbols.element(self._symbols.value_type(pointer), pointer.coord)
        inner: Any = pointer
        if isinstance(inner, c_ast.UnaryOp) and inner.op == "&":
            return self.place(inner.expr, scope, accessed)
        if isinstance(inner, c_ast.ID) and self._symbols.is_array(self._symbols.type_of(inner)):
            return self.place(inner, scope).moved(element)
        value = self.value(pointer, scope)
        if isinstance(inner, c_ast.ID) and self._cells.is_closed(element) and self._cells.count(element) > 1:
            return Lvalue(element, pointer=value, kinds=self._cells.layout(element))
        if self._puns and self._symbols.record(element) is not None and self._cells.count(element) > 1:
            value = value.guarded(self._pointers.looks_like(value, element, scope))
        return Lvalue(element, pointer=value)

    @cached_property
    def _puns(self) -> bool:
        """Whether a pointer to a pointer is converted, so that pointers are stored as those of another type."""
        found = (
            cast for function in self._symbols.functions.values() for cast in build.inside(function.body, c_ast.Cast)
        )
        return any(self._is_pun(cast) for cast in found)

    def _is_pun(self, cast: c_ast.Cast) -> bool:
        to, source = cast.to_type.type, self._symbols.value_type(cast.expr)
        if not self._symbols.is_pointer(to) or not self._symbols.is_pointer(source):
            return False
        pointed = [self._symbols.element(type_) for type_ in (to, source)]
        if not all(self._symbols.is_pointer(type_) for type_ in pointed):
            return False
        ends = [self._symbols.element(type_) for type_ in pointed]
        records = [self._symbols.record(type_) for type_ in ends]
        return records[0] is not records[1]

    # Memories

    def stored(self, lvalue: c_ast.Node, value: Value | str, scope: Scope) -> Value:
        """The memory after *value*, which has the type of the scalar *lvalue*, has been stored there.

        Raises UnsupportedError if the lvalue is bound, as it is not in the memory.
        """
        place = self.place(lvalue, scope)
        if place.root and place.root in scope.bound:
            raise UnsupportedError(f"an assignment to `{place.root}`", lvalue.coord)
        return self.objects.store(place, self.kept(place, value if isinstance(value, Value) else written(value)), scope)

    def kept(self, place: Lvalue, value: Value) -> Value:
        """What the scalar at *place* keeps of a value of its type: not all bits, if it is a bit-field."""
        if place.width is None:
            return value
        kind = self._cells.kind(place.type)
        if value.least is None:
            value = replace(value, least=wrapping.extent(kind)[0], greatest=wrapping.extent(kind)[1])
        return wrapping.narrowed(value, kind, place.width)

    def assigned(self, node: c_ast.Assignment, scope: Scope) -> Value:
        """The memory after an assignment, of a scalar or of a struct."""
        type_ = self._symbols.type_of(node.lvalue)
        if self._symbols.record(type_) is not None:
            return self.copied_whole(node.lvalue, node.rvalue, scope)
        place = self.place(node.lvalue, scope)
        if self._copies.is_copy(node) and self._definedness.may_be(self._symbols, node.rvalue):
            value = self.copied(node.rvalue, scope)
            if place.type is not type_ or not self._same_kind(node.rvalue, type_):
                value = self.converted(node.rvalue, place.type, scope)
        else:
            value = self.converted(node.rvalue, place.type, scope)
        return self.stored(node.lvalue, value, scope)

    def _same_kind(self, node: c_ast.Node, type_: c_ast.Node) -> bool:
        return self._cells.kind(self._symbols.value_type(node), node.coord) == self._cells.kind(type_, node.coord)

    def copied_whole(self, target: c_ast.Node, source: c_ast.Node, scope: Scope) -> Value:
        """The memory after an object, a struct or an array, has been copied to another one of its type."""
        type_ = self._symbols.type_of(target)
        if not isinstance(source, c_ast.TernaryOp):
            to, origin = self.place(target, scope), self.place(source, scope)
            paths = [self.objects.whole(place, scope) for place in (to, origin)]
            if all(paths):
                return Value(f"[{scope.memory} EXCEPT !.{paths[0]} = {scope.memory}.{paths[1]}]")
        pointers = [self.address(target, scope), self.address(source, scope)]
        count = self._cells.size(type_) if self._symbols.record(type_) is not None else str(self._cells.count(type_))
        reaches = [
            Guard(f"CanReach({scope.memory}, {one.text}, {count})", f"Mishap({scope.memory}, {one.text})", Level.ATOM)
            for one in pointers
        ]
        guards = together([pointers[0].guards, pointers[1].guards, reaches])
        return Value(f"CopyCells({scope.memory}, {pointers[0].text}, {pointers[1].text}, {count})", guards)
