"""The types of the intermediate representation, as the data model lays them out.

They are interned per program: two types are the same object if C calls them compatible and they look the same to the
machine. `long` and `long long` are one type where they have the same width; an enumeration is an integer type; what a
typedef name means is used in its place. Qualifiers are properties of objects.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from pycparser import c_ast

from cseq.c.symbols import Symbols, tag_key
from cseq.model.errors import UnsupportedError
from cseq.modules.ir.slotted import Slotted

_WIDTH_OF_BOOL = 1


class Type(metaclass=Slotted):
    """A type. number: dense within a program. size: in bytes; 1 for void and functions, as in GNU C."""

    __match_args__ = ()

    number: int
    size: int


class Int(Type):
    """An integer type, `_Bool` (one bit wide), or an enumeration."""

    __match_args__ = ("width", "signed")

    width: int
    signed: bool

    @property
    def is_bool(self) -> bool:
        """Whether it is `_Bool`, to which conversions compare with 0."""
        return self.width == _WIDTH_OF_BOOL

    def __str__(self) -> str:
        return "bool" if self.is_bool else f"{'i' if self.signed else 'u'}{self.width}"


class Float(Type):
    """A real floating type; width: that of its object, in bits."""

    __match_args__ = ("width",)

    width: int

    def __str__(self) -> str:
        return f"f{self.width}"


class Void(Type):
    """`void`."""

    def __str__(self) -> str:
        return "void"


class Pointer(Type):
    """A pointer to an object or a function."""

    __match_args__ = ("to",)

    to: Type

    def __str__(self) -> str:
        return f"{self.to}*"


class Array(Type):
    """An array; length: None where it is not known, as in a flexible member."""

    __match_args__ = ("element", "length")

    element: Type
    length: int | None

    def __str__(self) -> str:
        return f"[{'' if self.length is None else self.length} x {self.element}]"


class Code(Type):
    """The type of a function. parameters: their types; None where C does not say."""

    __match_args__ = ("result", "parameters", "is_variadic")

    result: Type
    parameters: tuple[Type, ...] | None
    is_variadic: bool

    def __str__(self) -> str:
        parts = ["..."] if self.parameters is None else [str(part) for part in self.parameters]
        return f"{self.result}({', '.join(parts)})"


class Field(metaclass=Slotted):
    """A named member of a record, also one of an anonymous member.

    offset: in bytes from the beginning of *record*. bits: of a bit-field, its first bit, counted from *offset*, and its
    width; None for other members. declaration: what declares it.
    """

    record: Record
    name: str
    type: Type
    offset: int
    bits: tuple[int, int] | None
    declaration: Any


class Record(Type):
    """A struct or union. tag: with its keyword. is_complete: whether its members are known.

    make: finds its members; found: those that have been found.
    """

    __match_args__ = ("tag",)

    tag: str
    align: int
    is_complete: bool
    make: Callable[[Record], list[Field]] | None
    found: dict[str, Field]

    @property
    def is_union(self) -> bool:
        """Whether its members share their bytes."""
        return self.tag.startswith("union ")

    @property
    def fields(self) -> dict[str, Field]:
        """Its members by name, in order, with those of anonymous members; found when they are first asked for."""
        if self.make is not None:
            make, self.make = self.make, None
            self.found.update((each.name, each) for each in make(self))
        return self.found

    def __str__(self) -> str:
        return self.tag


_AnyType = TypeVar("_AnyType", bound=Type)


def without_arrays(type_: Type) -> Type:
    """*type_* without the arrays that it begins with."""
    while isinstance(type_, Array):
        type_ = type_.element
    return type_


class TypePool:
    """The types of one program, made from declarators. symbols: the symbol table of its tree."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._made: dict[Hashable, Any] = {}
        self._of: dict[int, tuple[c_ast.Node, Type]] = {}
        self.all: list[Type] = []
        word = symbols.model.pointer
        self.void = self._new(Void, (), 1)
        self.bool = self.integer(_WIDTH_OF_BOOL, False)
        self.char = self.integer(8, True)
        self.c_int = self.integer(32, True)
        self.offset = self.integer(8 * word, True)
        self.size = self.integer(8 * word, False)
        self.void_pointer = self.pointer(self.void)

    def _new(self, cls: type[_AnyType], key: Hashable, *fields: Any) -> _AnyType:
        found = self._made.get((cls, key))
        if found is None:
            found = self._made[cls, key] = cls(len(self.all), *fields)
            self.all.append(found)
        return found

    def integer(self, width: int, signed: bool) -> Int:
        """The integer type of this width."""
        return self._new(Int, (width, signed), max(width // 8, 1), width, signed)

    def floating(self, width: int) -> Float:
        """The floating type of this width."""
        return self._new(Float, width, width // 8, width)

    def pointer(self, to: Type) -> Pointer:
        """The type of pointers to *to*."""
        return self._new(Pointer, to.number, self._symbols.model.pointer, to)

    def array(self, element: Type, length: int | None) -> Array:
        """The type of arrays of *length* elements."""
        return self._new(Array, (element.number, length), element.size * (length or 0), element, length)

    def code(self, result: Type, parameters: tuple[Type, ...] | None, is_variadic: bool) -> Code:
        """The type of functions with this result and these parameters."""
        numbers = None if parameters is None else tuple(type_.number for type_ in parameters)
        return self._new(Code, (result.number, numbers, is_variadic), 1, result, parameters, is_variadic)

    def arithmetic(self, name: str) -> Type:
        """The type with this canonical name, such as ``unsigned long``."""
        if name == "void":
            return self.void
        if name == "_Bool":
            return self.bool
        size = 8 * self._symbols.model.size(name)
        if name in ("float", "double", "long double"):
            return self.floating(size)
        return self.integer(size, not name.startswith("unsigned "))

    def of(self, declarator: c_ast.Node) -> Type:
        """The type that *declarator* stands for. Raises UnsupportedError for what the core language does not have."""
        known = self._of.get(id(declarator))
        if known is None:
            known = self._of[id(declarator)] = (declarator, self._made_of(declarator))
        return known[1]

    def _made_of(self, declarator: c_ast.Node) -> Type:
        resolved = self._symbols.resolve(declarator)
        match resolved:
            case c_ast.PtrDecl():
                return self.pointer(self.of(resolved.type))
            case c_ast.ArrayDecl():
                length = None if resolved.dim is None else self._length(resolved)
                return self.array(self.of(resolved.type), length)
            case c_ast.FuncDecl():
                return self._function(resolved)
        name = self._symbols.arithmetic(resolved)
        if name is not None:
            return self.arithmetic(name)
        record = self._symbols.record(resolved)
        if record is not None:
            return self._record(record)
        raise UnsupportedError(f"a type of kind {type(resolved).__name__}", declarator.coord)

    def _length(self, array: c_ast.ArrayDecl) -> int | None:
        """The length of an array; None where it is a constant that only a later stage knows."""
        return self._symbols.constant_or_none(array.dim)

    def _function(self, declarator: c_ast.FuncDecl) -> Code:
        result = self.of(declarator.type)
        if declarator.args is None:
            return self.code(result, None, False)
        given = declarator.args.params
        is_variadic = any(isinstance(part, c_ast.EllipsisParam) for part in given)
        parts = [self.of(part.type) for part in given if not isinstance(part, c_ast.EllipsisParam)]
        parameters = tuple(self.decayed(part) for part in parts if part is not self.void)
        return self.code(result, parameters, is_variadic)

    def decayed(self, type_: Type) -> Type:
        """The type of the value of an object of *type_*: arrays and functions become pointers."""
        if isinstance(type_, Array):
            return self.pointer(type_.element)
        return self.pointer(type_) if isinstance(type_, Code) else type_

    def _record(self, node: Any) -> Record:
        tag = tag_key(node)
        is_complete = node.decls is not None
        plain = c_ast.TypeDecl(None, [], None, node)
        size, align = (self._symbols.sizeof(plain), self._symbols.alignof(plain)) if is_complete else (0, 1)

        def make(record: Record) -> list[Field]:
            return self._fields(record, plain, 0)

        return self._new(Record, tag if node.name else id(node), size, tag, align, is_complete, make, {})

    def _fields(self, record: Record, type_: c_ast.Node, start: int) -> list[Field]:
        """The members of the record *type_*, which begins at bit *start* of *record*."""
        found: list[Field] = []
        if not record.is_complete:
            return found
        for field in self._symbols.fields(type_):
            at = start + field.start
            if field.member.name is None:
                found.extend(self._fields(record, field.type, at) if field.width is None else ())
                continue
            bits = None if field.width is None else (at % 8, field.width)
            found.append(Field(record, field.member.name, self.of(field.type), at // 8, bits, field.member))
        return found

    def promoted(self, type_: Type) -> Type:
        """What an operand of *type_* becomes by the integer promotions (C11 §6.3.1.1)."""
        return self.c_int if isinstance(type_, Int) and type_.width < self.c_int.width else type_

    def common(self, one: Type, other: Type) -> Type:
        """The usual arithmetic conversions (C11 §6.3.1.8)."""
        if isinstance(one, Float) or isinstance(other, Float):
            return max((each for each in (one, other) if isinstance(each, Float)), key=lambda each: each.width)
        one, other = self.promoted(one), self.promoted(other)
        assert isinstance(one, Int) and isinstance(other, Int)
        if one.width != other.width:
            return one if one.width > other.width else other
        return one if not one.signed else other
