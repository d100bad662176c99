"""What static objects contain at first (C11 §6.7.9)."""

from typing import Any

from pycparser import c_ast

from cseq.c.literals import string_units
from cseq.model.errors import UnsupportedError
from cseq.modules.ir.expressions import Expr, Place, wrapped
from cseq.modules.ir.lower_values import ValueLowering
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.types import Array, Int, Record

_STATIC = frozenset({Storage.STATIC, Storage.LIBRARY, Storage.THREAD_LOCAL})


def initial(object_: Object, values: ValueLowering) -> list[tuple[Place, Expr]]:
    """The scalars of an object that its initialiser gives a value, with the values; all others are 0."""
    place = values.pool.variable(object_)
    filler = _Filler(values)
    declaration: Any = object_.declaration
    if object_.storage is Storage.STRING:
        filler.units(place, declaration)
    elif object_.storage in _STATIC and isinstance(declaration, c_ast.Decl) and declaration.init is not None:
        filler.fill(place, declaration.init)
    return list(filler.found.values())


class _Filler:
    """Walks an initialiser; found: number of a place → the place and its value, later ones instead of earlier ones."""

    def __init__(self, values: ValueLowering) -> None:
        self._values = values
        self._pool = values.pool
        self.found: dict[int, tuple[Place, Expr]] = {}

    def units(self, place: Place, literal: c_ast.Constant) -> None:
        """Fill a character array with the units of a string; what is left of it is 0."""
        type_ = place.type
        assert isinstance(type_, Array)
        for number, unit in enumerate(string_units(literal.value)[: type_.length]):
            self._set(self._element(place, number), self._pool.const(wrapped(unit, type_.element), type_.element))

    def fill(self, place: Place, init: Any) -> None:
        """Fill the object at *place* with *init*."""
        if isinstance(place.type, Array) and _is_string(init):
            self.units(place, init.exprs[0] if isinstance(init, c_ast.InitList) else init)
        elif isinstance(init, c_ast.InitList):
            if isinstance(place.type, (Array, Record)):
                self._list(place, init.exprs or [], 0, braced=True)
            elif init.exprs:
                self.fill(place, init.exprs[0])
        elif isinstance(init, c_ast.CompoundLiteral):
            self.fill(place, init.init)
        elif isinstance(place.type, (Array, Record)):
            raise UnsupportedError("an initialiser that is not a list", init.coord)
        else:
            self._set(place, self._pool.convert(self._values.value(init), place.type))

    def _set(self, place: Place, value: Expr) -> None:
        self.found[place.number] = (place, value)

    def _element(self, place: Place, number: int) -> Place:
        return self._pool.element(place, self._pool.const(number, self._pool.types.offset))

    def _list(self, place: Place, items: list[Any], at: int, braced: bool) -> int:
        """Fill an aggregate with items from number *at* on; return the number of the first that is left.

        braced: the list is the aggregate's own, so designators refer to it.
        """
        position = 0
        while at < len(items):
            item = items[at]
            if isinstance(item, c_ast.NamedInitializer):
                if not braced:
                    return at
                position, part = self._designated(place, item.name[0])
                for name in item.name[1:]:
                    _, part = self._designated(part, name)
                self.fill(part, item.expr)
                at += 1
                position += 1
                continue
            found = self._part(place, position)
            if found is None:
                return at
            if isinstance(found.type, (Array, Record)) and not (
                isinstance(item, (c_ast.InitList, c_ast.CompoundLiteral))
                or (isinstance(found.type, Array) and _is_string(item) and isinstance(found.type.element, Int))
            ):
                at = self._list(found, items, at, braced=False)
            else:
                self.fill(found, item)
                at += 1
            position += 1
        return at

    def _part(self, place: Place, position: int) -> Place | None:
        type_ = place.type
        if isinstance(type_, Array):
            return self._element(place, position) if type_.length is None or position < type_.length else None
        assert isinstance(type_, Record)
        fields = list(type_.fields.values())
        if position >= (1 if type_.is_union else len(fields)):
            return None
        return self._pool.field(place, fields[position])

    def _designated(self, place: Place, name: Any) -> tuple[int, Place]:
        type_ = place.type
        if isinstance(type_, Record):
            fields = list(type_.fields)
            return fields.index(name.name), self._pool.field(place, type_.fields[name.name])
        node = name.expr if isinstance(name, c_ast.ArrayDesignator) else name
        number = self._values.symbols.constant(node)
        return number, self._element(place, number)


def _is_string(init: Any) -> bool:
    if isinstance(init, c_ast.InitList) and len(init.exprs or ()) == 1:
        init = init.exprs[0]
    return isinstance(init, c_ast.Constant) and init.type == "string"
