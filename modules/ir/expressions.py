"""Expressions and places: typed, without side effects, interned per program.

Two expressions are equal if and only if they are the same object, and their numbers are dense, so facts about them are
lists or bit sets. All conversions are explicit. An expression knows the loads of shared memory in it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Final, TypeVar

from cseq.c.integer_operators import converted
from cseq.modules.ir.objects import Object
from cseq.modules.ir.slotted import Slotted, field
from cseq.modules.ir.types import Array, Code, Field, Int, Pointer, Type, TypePool
from cseq.modules.library import lexicon


class Expr(metaclass=Slotted):
    """An expression. loads: the places of shared memory that evaluating it reads, in order; lazy operands included."""

    __match_args__ = ()

    number: int
    type: Type
    loads: tuple[Place, ...]

    def operands(self) -> tuple[Expr, ...]:
        """The expressions that it evaluates, those of its place among them."""
        return ()


class Const(Expr):
    """A number: an integer within the range of its type, also where that is a pointer; the C text of a floating one."""

    __match_args__ = ("value",)

    value: int | str


class Setting(Expr):
    """What a chain or an engine fixes: the index of the executing thread, the number of threads, and so on."""

    __match_args__ = ("name",)

    name: str


class _OfPlace(Expr):
    __match_args__ = ("place",)

    place: Place

    def operands(self) -> tuple[Expr, ...]:
        return tuple(self.place.operands())


class Read(_OfPlace):
    """The value at a place."""

    __match_args__ = ("place",)


class AddressOf(_OfPlace):
    """The address of a place; that of an array's first element is what the array decays to."""

    __match_args__ = ("place",)


class Convert(Expr):
    """A conversion, as by a cast, to another type."""

    __match_args__ = ("operand",)

    operand: Expr

    def operands(self) -> tuple[Expr, ...]:
        return (self.operand,)


class Unary(Expr):
    """``-``, ``~`` or ``!``. The operand of the first two has the type of the result."""

    __match_args__ = ("op", "operand")

    op: str
    operand: Expr

    def operands(self) -> tuple[Expr, ...]:
        return (self.operand,)


class Pair(Expr):
    """An operation with two operands."""

    __match_args__ = ("op", "left", "right")

    op: str
    left: Expr
    right: Expr

    def operands(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


class Binary(Pair):
    """An operation on numbers. Both operands have its type, but for the right one of a shift, which is promoted."""

    __match_args__ = ("op", "left", "right")


class Compare(Pair):
    """A comparison of operands of one type, which is arithmetic or a pointer; its type is int."""

    __match_args__ = ("op", "left", "right")


class Logical(Pair):
    """``&&`` or ``||``: the right operand is evaluated only if the left one does not decide. Its type is int."""

    __match_args__ = ("op", "left", "right")


class PointerAdd(Expr):
    """*pointer* moved by *index* elements of *stride* bytes; the index is signed, and as wide as a pointer."""

    __match_args__ = ("pointer", "index", "stride")

    pointer: Expr
    index: Expr
    stride: int

    def operands(self) -> tuple[Expr, ...]:
        return (self.pointer, self.index)


class PointerDiff(Expr):
    """The distance of two pointers of one type, in elements of *stride* bytes."""

    __match_args__ = ("left", "right", "stride")

    left: Expr
    right: Expr
    stride: int

    def operands(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


class Select(Expr):
    """``condition ? then : other``; both have its type, and only one of them is evaluated."""

    __match_args__ = ("condition", "then", "other")

    condition: Expr
    then: Expr
    other: Expr

    def operands(self) -> tuple[Expr, ...]:
        return (self.condition, self.then, self.other)


class Index(metaclass=Slotted):
    """The element of an array in an access path. length: that of the array, if it is known."""

    __match_args__ = ("value",)

    value: Expr
    length: int | None


class Place(metaclass=Slotted):
    """An lvalue: a named object, or what a pointer points to, and the way from there to a part of it.

    base: an object, or an expression that is a pointer. path: members and elements, outermost first. type: the declared
    one, also of a bit-field. loads: the shared memory that finding the place reads. is_visible: whether other threads
    can notice an access to it, as `Visibility` says. parent: the place without the last step of the path.
    """

    number: int
    base: Object | Expr
    path: tuple[Field | Index, ...]
    type: Type
    loads: tuple[Place, ...]
    is_visible: bool
    parent: Place | None = field(default=None)

    @property
    def object(self) -> Object | None:
        """The object that it is a part of; None if it is reached through a pointer."""
        return None if isinstance(self.base, Expr) else self.base

    @property
    def bits(self) -> tuple[int, int] | None:
        """The bits of a bit-field, as in `Field`; None for other places."""
        last = self.path[-1] if self.path else None
        return last.bits if isinstance(last, Field) else None

    def operands(self) -> Iterator[Expr]:
        """The expressions that finding the place evaluates."""
        if isinstance(self.base, Expr):
            yield self.base
        for part in self.path:
            if isinstance(part, Index):
                yield part.value


_AnyExpr = TypeVar("_AnyExpr", bound=Expr)


class ExprPool:
    """The expressions and places of one program; its methods make them, simplified where C says they are the same."""

    def __init__(self, types: TypePool) -> None:
        self.types: Final = types
        self.all: list[Expr] = []
        self.places: list[Place] = []
        self._made: dict[Hashable, Any] = {}

    def _new(self, cls: type[_AnyExpr], key: Hashable, type_: Type, loads: tuple[Place, ...], *fields: Any) -> _AnyExpr:
        """The expression of this kind that has this *key*, which tells its *fields* from those of others."""
        found = self._made.get((cls, key))
        if found is None:
            found = self._made[cls, key] = cls(len(self.all), type_, loads, *fields)
            self.all.append(found)
        return found

    # Places

    def _place(self, key: Hashable, *arguments: Any) -> Place:
        found: Place | None = self._made.get(key)
        if found is None:
            found = self._made[key] = Place(len(self.places), *arguments)
            self.places.append(found)
        return found

    def variable(self, object_: Object) -> Place:
        """The object itself."""
        return self._place(("object", object_.number), object_, (), object_.type, (), object_.is_visible)

    def deref(self, pointer: Expr) -> Place:
        """What *pointer* points to; the place itself for its address."""
        if isinstance(pointer, AddressOf):
            return pointer.place
        assert isinstance(pointer.type, Pointer)
        return self._place(("deref", pointer.number), pointer, (), pointer.type.to, pointer.loads, True)

    def field(self, record: Place, field: Field) -> Place:
        """A member of the record at a place."""
        visible = record.is_visible and not field.name.startswith(lexicon.VARIADIC_MEMBERS)
        key = ("field", record.number, field)
        return self._place(key, record.base, (*record.path, field), field.type, record.loads, visible, record)

    def element(self, array: Place, index: Expr) -> Place:
        """An element of the array at a place."""
        type_ = array.type
        assert isinstance(type_, Array)
        index = self.convert(index, self.types.offset)
        path = (*array.path, Index(index, type_.length))
        key = ("element", array.number, index.number)
        return self._place(key, array.base, path, type_.element, array.loads + index.loads, array.is_visible, array)

    # Expressions

    def const(self, value: int | str, type_: Type) -> Const:
        """A constant."""
        return self._new(Const, (value, type_.number), type_, (), value)

    def setting(self, name: str, type_: Type) -> Setting:
        """A setting."""
        return self._new(Setting, name, type_, (), name)

    def read(self, place: Place) -> Expr:
        """The value at *place*: that of an array or a function is its address, and a bit-field is promoted."""
        if isinstance(place.type, Array):
            return self.address(self.element(place, self.const(0, self.types.offset)))
        if isinstance(place.type, Code):
            return self.address(place)
        loads = (*place.loads, place) if place.is_visible else place.loads
        made = self._new(Read, place.number, place.type, loads, place)
        bits = place.bits
        if bits is not None and bits[1] < self.types.c_int.width:
            return self.convert(made, self.types.c_int)
        return made

    def address(self, place: Place) -> Expr:
        """The address of *place*; ``&*p`` is p."""
        if isinstance(place.base, Expr) and not place.path:
            return place.base
        return self._new(AddressOf, place.number, self.types.pointer(place.type), place.loads, place)

    def convert(self, operand: Expr, type_: Type) -> Expr:
        """*operand* in *type_*; an integer constant is converted at once."""
        if operand.type is type_:
            return operand
        if isinstance(operand, Const) and isinstance(operand.value, int) and isinstance(type_, (Int, Pointer)):
            return self.const(wrapped(operand.value, type_), type_)
        return self._new(Convert, (operand.number, type_.number), type_, operand.loads, operand)

    def unary(self, op: str, operand: Expr) -> Expr:
        """``-``, ``~`` or ``!`` of an operand that is promoted, if that matters."""
        if op == "!":
            return self._new(Unary, (op, operand.number), self.types.c_int, operand.loads, op, operand)
        operand = self.convert(operand, self.types.promoted(operand.type))
        type_ = operand.type
        if op == "-" and isinstance(operand, Const) and isinstance(type_, Int) and isinstance(operand.value, int):
            value = -operand.value
            if not type_.signed or value == wrapped(value, type_):
                return self.const(wrapped(value, type_), type_)
        return self._new(Unary, (op, operand.number), type_, operand.loads, op, operand)

    def _pair(self, cls: type[_AnyExpr], op: str, left: Expr, right: Expr, type_: Type) -> _AnyExpr:
        loads = left.loads + right.loads
        return self._new(cls, (op, left.number, right.number), type_, loads, op, left, right)

    def shift(self, op: str, left: Expr, right: Expr) -> Expr:
        """``<<`` or ``>>``."""
        left = self.convert(left, self.types.promoted(left.type))
        right = self.convert(right, self.types.promoted(right.type))
        return self._pair(Binary, op, left, right, left.type)

    def binary(self, op: str, left: Expr, right: Expr) -> Expr:
        """An operation on numbers, after the usual arithmetic conversions."""
        type_ = self.types.common(left.type, right.type)
        return self._pair(Binary, op, self.convert(left, type_), self.convert(right, type_), type_)

    def compare(self, op: str, left: Expr, right: Expr) -> Expr:
        """A comparison; what is compared with a pointer becomes one."""
        if isinstance(left.type, Pointer):
            type_: Type = left.type
        elif isinstance(right.type, Pointer):
            type_ = right.type
        else:
            type_ = self.types.common(left.type, right.type)
        return self._pair(Compare, op, self.convert(left, type_), self.convert(right, type_), self.types.c_int)

    def logical(self, op: str, left: Expr, right: Expr) -> Expr:
        """``&&`` or ``||``."""
        return self._pair(Logical, op, left, right, self.types.c_int)

    def select(self, condition: Expr, then: Expr, other: Expr, type_: Type) -> Expr:
        """A choice between two values, in *type_*."""
        then, other = self.convert(then, type_), self.convert(other, type_)
        loads = condition.loads + then.loads + other.loads
        key = (condition.number, then.number, other.number)
        return self._new(Select, key, type_, loads, condition, then, other)

    def moved(self, pointer: Expr, index: Expr) -> Expr:
        """``pointer + index``."""
        assert isinstance(pointer.type, Pointer)
        index = self.convert(index, self.types.offset)
        if isinstance(index, Const) and index.value == 0:
            return pointer
        key, loads = (pointer.number, index.number), pointer.loads + index.loads
        return self._new(PointerAdd, key, pointer.type, loads, pointer, index, pointer.type.to.size)

    def distance(self, left: Expr, right: Expr) -> Expr:
        """``left - right`` of two pointers."""
        assert isinstance(left.type, Pointer)
        right = self.convert(right, left.type)
        key, loads = (left.number, right.number), left.loads + right.loads
        return self._new(PointerDiff, key, self.types.offset, loads, left, right, left.type.to.size)


def wrapped(value: int, type_: Type) -> int:
    """*value* converted to the integer or pointer type *type_* (C11 §6.3.1.3)."""
    if isinstance(type_, Int):
        return converted(value, type_.width, type_.signed)
    return converted(value, 8 * type_.size, False)
