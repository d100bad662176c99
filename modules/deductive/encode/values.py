"""Expressions of the intermediate representation as expressions of transition systems."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from math import prod
from typing import TypeVar

from cseq.model.claims import Claim, Kind, Reason
from cseq.model.origin import Origin
from cseq.modules.analysis.points_to import ANYWHERE, PointsTo, overlap, pointer_within, uncast
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import (
    TRUE,
    apply,
    choose,
    conjunction,
    convert,
    disjunction,
    equal,
    implication,
    negation,
)
from cseq.modules.deductive.encode.cells import OPAQUE, Cells, Path, Spot, check_member, dimensions, scalar
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.ir import expressions as ir
from cseq.modules.ir.expressions import AddressOf, Convert, Expr, Place, Read
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.types import Array, Field, Float, Int, Pointer, Type, Void
from cseq.modules.library import lexicon

_LONG = ts.Scalar(64, True)
_ACCESS = Claim(Kind.CRASH, Reason.ACCESS)
_DIVISION = Claim(Kind.CRASH, Reason.DIVISION)
_INDEX = Claim(Kind.CRASH, Reason.INDEX)

_T = TypeVar("_T")

Alternatives = list[tuple[ts.Expression, Spot]]
"""The spots that an lvalue may be, each with the condition that it is this one. No two conditions hold at once."""


class Values:
    """Translates the expressions of the threads of one template.

    before: what has to be done before the statement is executed whose expressions were translated last. bound: what
    parameters and temporaries of library functions stand for, by the number of the object; given: the arguments that
    they stand for. computed: what temporaries stand for as long as nothing is stored, with the number of stores until
    then. constants: settings with known values. in_library: whether the text is a library function's.
    """

    def __init__(
        self, template: str, identity: ts.Expression, cells: Cells, program: Program, points_to: PointsTo,
        constants: dict[str, int],
    ) -> None:  # fmt: skip
        self.template = template
        self.identity = identity
        self.cells = cells
        self.program = program
        self.before: list[ts.Action] = []
        self.bound: dict[int, ts.Expression | Spot] = {}
        self.given: dict[int, Expr] = {}
        self.computed: dict[int, tuple[ts.Expression, int]] = {}
        self.stores = 0
        self.in_library = False
        self.origin: Origin | None = None
        self._points_to = points_to
        self._constants = constants
        self._guards: list[ts.Expression] = []

    # Values

    def value(self, node: Expr) -> ts.Expression:
        """The value of an expression; what its evaluation demands is added to `before`."""
        match node:
            case ir.Const(value):
                return ts.Number(value, self._scalar(node)) if isinstance(value, int) else self.unknown(OPAQUE)
            case ir.Setting(name):
                return self._setting(name)
            case Read(place):
                return self._load(place)
            case AddressOf(place):
                return self._address(place)
            case Convert():
                return self._converted(node)
            case ir.Unary("!") | ir.Logical():
                return convert(self.truth(node), ts.INT)
            case ir.Unary():
                return self._unary(node)
            case ir.Compare():
                return convert(self._comparison(node), ts.INT)
            case ir.Binary():
                return self._binary(node)
            case ir.PointerAdd():
                return self._moved(node)
            case ir.PointerDiff(left, right):
                return self._distance(node, left, right)
            case ir.Select():
                return self._select(node)
        raise refused(f"an expression of kind {type(node).__name__}", self.origin)

    def truth(self, node: Expr) -> ts.Expression:
        """Whether the value of an expression differs from zero."""
        match node:
            case ir.Unary("!", operand):
                return negation(self.truth(operand))
            case ir.Logical(op, left_, right_):
                left = self.truth(left_)
                with self.only_if(left if op == "&&" else negation(left)):
                    right = self.truth(right_)
                return conjunction([left, right]) if op == "&&" else disjunction([left, right])
        return convert(self.value(node), ts.BOOL)

    def _scalar(self, node: Expr) -> ts.Scalar:
        return scalar(node.type, self.origin)

    def unknown(self, type_: ts.Scalar) -> ts.Expression:
        """Any value of *type_*."""
        variable = self.cells.fresh(type_, self.template)
        self.before.append(ts.Havoc(ts.Read(variable)))
        return ts.Read(variable)

    def check(self, condition: ts.Expression, claim: Claim) -> None:
        """Claim *condition* where what is being translated is evaluated."""
        condition = implication(conjunction(self._guards), condition)
        if condition != TRUE:
            self.before.append(ts.Check(condition, claim, self.origin))

    @contextmanager
    def only_if(self, condition: ts.Expression) -> Iterator[None]:
        """What is translated meanwhile is only evaluated if *condition* holds."""
        self._guards.append(condition)
        try:
            yield
        finally:
            self._guards.pop()

    def _setting(self, name: str) -> ts.Expression:
        if name == lexicon.THREAD:
            return self.identity
        if name not in self._constants:
            raise refused(f"`{name}`", self.origin)
        return ts.Number(self._constants[name])

    def _load(self, place: Place) -> ts.Expression:
        object_ = named(place)
        if object_ is not None:
            number = object_.number
            found = self.bound.get(number)
            if found is not None:
                return self.address(found) if isinstance(found, Spot) else found
            if number in self.computed and self.computed[number][1] == self.stores:
                return self.computed[number][0]
        return self._loaded(self.places(place), place)

    def _loaded(self, places: Alternatives, place: Place) -> ts.Expression:
        """The value of the object *place*, which is at one of *places*."""
        type_ = scalar(place.type, self.origin)
        if not places:
            return self.unknown(type_)  # the claim before it never holds
        found = [(condition, self.cells.reference(self.template, spot)) for condition, spot in places]
        values = [(holds, each if each.type == ts.UNBOUNDED else convert(each, type_)) for holds, each in found]
        result = values[-1][1]
        for condition, value in reversed(values[:-1]):
            result = choose(condition, value, result)
        return result

    def _unary(self, node: ir.Unary) -> ts.Expression:
        operand = self.value(node.operand)
        if isinstance(node.type, Float):
            return self.unknown(OPAQUE)
        return apply(ts.Operator.NEG if node.op == "-" else ts.Operator.BIT_NOT, operand)

    def _converted(self, node: Convert) -> ts.Expression:
        type_ = node.type
        operand = pointer_within(node) if isinstance(type_, Pointer) else node.operand
        source = operand.type
        is_number = isinstance(type_, Int) and not type_.is_bool
        if is_number and any(each.root for each in self._points_to.targets(operand)):
            raise refused("a number that is made from an address", self.origin)  # they count elements here
        value = self.value(operand)
        if isinstance(type_, Void) or (isinstance(type_, Float) and isinstance(source, Float)):
            return value
        if isinstance(type_, Float) or isinstance(source, Float):
            return self.unknown(self._scalar(node))
        if self.in_library and value.type == ts.UNBOUNDED and is_number:
            return value  # the library's types are wide enough for the number of a thread
        return convert(value, self._scalar(node))

    def _select(self, node: ir.Select) -> ts.Expression:
        condition = self.truth(node.condition)
        with self.only_if(condition):
            then = self.value(node.then)
        with self.only_if(negation(condition)):
            other = self.value(node.other)
        type_ = ts.UNBOUNDED if ts.UNBOUNDED in (then.type, other.type) else self._scalar(node)
        return choose(condition, convert(then, type_), convert(other, type_))

    def _binary(self, node: ir.Binary) -> ts.Expression:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.type, Float):
            return self.unknown(OPAQUE)
        operator = ts.Operator(node.op)
        if operator in (ts.Operator.SHL, ts.Operator.SHR):
            return self._shift(operator, left, right)
        type_ = ts.UNBOUNDED if ts.UNBOUNDED in (left.type, right.type) else self._scalar(node)
        left, right = convert(left, type_), convert(right, type_)
        if operator in (ts.Operator.DIV, ts.Operator.REM):
            self.check(apply(ts.Operator.NE, right, ts.Number(0, type_)), _DIVISION)
            if type_.signed and type_ != ts.UNBOUNDED:
                fits = [
                    negation(equal(left, ts.Number(type_.least, type_))),
                    negation(equal(right, ts.Number(-1, type_))),
                ]
                self.check(disjunction(fits), _DIVISION)
        if type_ == ts.UNBOUNDED and operator in (ts.Operator.BIT_AND, ts.Operator.BIT_OR, ts.Operator.BIT_XOR):
            raise refused("an operation on the bits of a thread's identifier", self.origin)
        return apply(operator, left, right)

    def _comparison(self, node: ir.Compare) -> ts.Expression:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.left.type, Float):
            return self.unknown(ts.BOOL)
        if isinstance(node.left.type, Pointer):
            self._compared(node)
        type_ = ts.UNBOUNDED if ts.UNBOUNDED in (left.type, right.type) else self._scalar(node.left)
        return apply(ts.Operator(node.op), convert(left, type_), convert(right, type_))

    def _compared(self, node: ir.Compare) -> None:
        """Refuse to compare pointers to an object and to a part of it, which are not the same numbers here."""
        if node.op not in ("==", "!="):
            self._ordered(node.left, node.right)
        one, other = (self._points_to.targets(part) for part in (node.left, node.right))
        for first, second in product(one, other):
            root = first.root
            if isinstance(root, Object) and first is not second and overlap(first, second) and root is second.root:
                raise refused(f"a comparison of pointers to `{root.name}` and to a part of it", self.origin)

    def _ordered(self, *pointers: Expr) -> None:
        """Refuse what depends on where different objects lie in memory."""
        roots = [frozenset(each.root for each in self._points_to.targets(pointer)) for pointer in pointers]
        if all(roots) and len(frozenset.union(*roots)) > 1:
            raise refused("a comparison of pointers that may lead to different objects", self.origin)

    def _distance(self, node: ir.PointerDiff, left: Expr, right: Expr) -> ts.Expression:
        self._ordered(left, right)
        difference = apply(ts.Operator.SUB, *(convert(self.value(part), _LONG) for part in (left, right)))
        return apply(ts.Operator.DIV, difference, ts.Number(self._stride(left), _LONG))

    def _moved(self, node: ir.PointerAdd) -> ts.Expression:
        pointer, index = self.value(node.pointer), node.index
        is_back = isinstance(index, ir.Unary) and index.op == "-"
        offset = self.value(index.operand if isinstance(index, ir.Unary) and is_back else index)
        if isinstance(offset, ts.Number) and offset.type == _LONG and offset.value < 0:
            is_back, offset = not is_back, ts.Number(-offset.value, _LONG)
        size = ts.Number(self._stride(node.pointer), ts.Address.POINTER)
        moved = apply(ts.Operator.MUL, convert(convert(offset, _LONG), ts.Address.POINTER), size)
        return apply(ts.Operator.SUB if is_back else ts.Operator.ADD, pointer, moved)

    def _stride(self, pointer: Expr) -> int:
        """How many elements lie between an object that *pointer* points to and the next one."""
        assert isinstance(pointer.type, Pointer)
        type_: Type = pointer.type.to
        found = 1
        if isinstance(type_, Void):
            raise refused("arithmetic with a pointer to void", self.origin)
        while isinstance(type_, Array):
            found *= type_.length or 0
            type_ = type_.element
        return found

    def _shift(self, operator: ts.Operator, left: ts.Expression, right: ts.Expression) -> ts.Expression:
        type_ = left.type
        if ts.UNBOUNDED in (type_, right.type):
            raise refused("a shift by, or of, a thread's identifier", self.origin)
        if isinstance(right, ts.Convert) and right.type.contains(right.operand.type):
            right = right.operand  # the conversion changes no value
        bounds = [apply(ts.Operator.LT, right, ts.Number(type_.width, right.type))]
        if right.type.signed:
            bounds.append(apply(ts.Operator.GE, right, ts.Number(0, right.type)))
        inside = conjunction(bounds)
        result = apply(operator, left, convert(right, type_))
        return result if inside == TRUE else choose(inside, result, self.unknown(type_))

    # Calls of library functions

    def bind(self, function: Template, arguments: tuple[Expr, ...], keep: bool = False) -> None:
        """Let the parameters of *function* stand for *arguments*.

        keep: whether the function changes something, so that the values of the arguments have to be kept.
        """
        found = [
            (parameter, node, self._argument(node, parameter.type))
            for parameter, node in zip(function.parameters, arguments, strict=False)
        ]
        for parameter, node, argument in found:
            self.given[parameter.number] = node
            self.bound[parameter.number] = self._kept(argument) if keep else argument

    def _kept(self, argument: ts.Expression | Spot) -> ts.Expression | Spot:
        """*argument*, with what it reads stored in locals of ours."""
        if isinstance(argument, Spot):
            index = None if argument.index is None else self._kept(argument.index)
            assert not isinstance(index, Spot)
            return Spot(argument.root, argument.path, index, argument.type)
        if isinstance(argument, ts.Number) or argument == self.identity:
            return argument
        variable = self.cells.fresh(argument.type, self.template)
        self.before.append(ts.Assign(ts.Read(variable), argument))
        return ts.Read(variable)

    def _argument(self, node: Expr, type_: Type) -> ts.Expression | Spot:
        """What a parameter of *type_* stands for: a spot that it points to, or a value."""
        inner = uncast(node)
        if isinstance(inner, AddressOf) and _is_object(inner.place):
            places = self.places(inner.place)
            if len(places) == 1:
                return places[0][1]
        elif (bound := _entry(inner, self.bound)) is not None:
            return bound
        value = self.value(node)
        return value if value.type == ts.UNBOUNDED else convert(value, scalar(type_, self.origin))

    # Places

    def _address(self, place: Place) -> ts.Expression:
        base = place.base
        if isinstance(base, Object) and base.storage is Storage.CODE:
            return ts.Number(self.cells.constant(f"function {base.name}"), ts.Address.POINTER)
        if isinstance(base, Object) and base.storage is Storage.STRING and len(place.path) == 1:
            index = self._index(place.path[0].value)  # type: ignore[union-attr]
            first = ts.Number(self.cells.constant(f"string {base.name}"), ts.Address.POINTER)
            return apply(ts.Operator.ADD, first, convert(convert(index, _LONG), ts.Address.POINTER))
        places = self.places(place, inside=False)
        if not places:
            return self.unknown(ts.Address.POINTER)
        result = self.address(places[-1][1])
        for condition, spot in reversed(places[:-1]):
            result = choose(condition, self.address(spot), result)
        return result

    def address(self, spot: Spot) -> ts.Expression:
        """The pointer to the first element of *spot*."""
        base = ts.Number(self.cells.base(self.template, spot.root, spot.path), ts.Address.POINTER)
        if spot.index is None:
            return base
        rest = prod(dimensions(spot.type))
        index = convert(convert(spot.index, _LONG), ts.Address.POINTER)
        return apply(ts.Operator.ADD, base, apply(ts.Operator.MUL, index, ts.Number(rest, ts.Address.POINTER)))

    def places(self, place: Place, inside: bool = True) -> Alternatives:
        """The spots that *place* may be. inside: whether it is accessed, so that it has to exist."""
        if place.parent is not None:
            last = place.path[-1]
            places = self.places(place.parent, inside)
            if isinstance(last, Field):
                return [(condition, self._member(spot, last)) for condition, spot in places]
            index = self._index(last.value)
            return [(condition, self._element(spot, index, inside)) for condition, spot in places]
        if isinstance(place.base, Expr):
            return self._followed(place.base, place.type, inside)
        if not _is_object(place) or is_temporary(place.base):
            raise refused(f"`{place.base.name}`", self.origin)
        return [(TRUE, Spot(place.base, (), None, place.type))]

    def _member(self, spot: Spot, member: Field) -> Spot:
        check_member(member, self.origin)
        return Spot(spot.root, (*spot.path, member), spot.index, member.type)

    def _index(self, node: Expr) -> ts.Expression:
        """The value of an index, in its own type."""
        if (
            isinstance(node, Convert)
            and isinstance(node.operand.type, Int)
            and node.operand.type.size <= node.type.size
        ):
            node = node.operand  # whether it is inside of an array does not depend on the conversion
        value = self.value(node)
        return convert(value, ts.INT) if isinstance(value, ts.Number) and abs(value.value) <= ts.INT.greatest else value

    def _element(self, spot: Spot, index: ts.Expression, inside: bool) -> Spot:
        assert isinstance(spot.type, Array)
        (length, *_), type_ = dimensions(spot.type), spot.type.element
        if inside:
            self.check(within(index, length), _INDEX)
        if spot.index is not None:
            before = apply(ts.Operator.MUL, convert(spot.index, _LONG), ts.Number(length, _LONG))
            index = apply(ts.Operator.ADD, before, convert(index, _LONG))
        return Spot(spot.root, spot.path, index, type_)

    def _followed(self, pointer: Expr, type_: Type, inside: bool) -> Alternatives:
        """Where *pointer*, which leads to an object of *type_*, leads."""
        inner = uncast(pointer)
        spot = _entry(inner, self.bound)
        if isinstance(spot, Spot) and _alike(spot.type, type_):
            return [(TRUE, spot)]
        if isinstance(inner, AddressOf) and _alike(inner.place.type, type_):
            return self.places(inner.place, inside)
        value = self.value(pointer)
        found = [] if value == ts.Number(0, value.type) else self._targets(pointer, value, type_)
        if inside:
            self.check(disjunction([condition for condition, _ in found]), _ACCESS)
        return [(TRUE, found[0][1])] if len(found) == 1 else found

    def _targets(self, pointer: Expr, value: ts.Expression, type_: Type) -> Alternatives:
        inner = pointer
        while (given := _entry(uncast(inner), self.given)) is not None:
            inner = given
        targets: dict[tuple[str, ...], tuple[Object, Path]] = {}
        for each in self._points_to.pointed(inner):
            if each is ANYWHERE:
                raise refused("a pointer that may lead anywhere", self.origin)
            if not isinstance(each.root, Object):
                raise refused("memory that is allocated (`malloc`)", self.origin)
            targets[each.root.name, *(member.name for member in each.path)] = each.root, each.path
        many = len(targets) > 1
        found: Alternatives = []
        for _, (root, path) in sorted(targets.items()):
            lengths, element = self.cells.around(root, path)
            if not _alike(element, type_):
                what = f"the object `{root.name}`, accessed through a pointer as one of another type"
                raise refused(what, self.origin)
            base, length = self.cells.base(self.template, root, path), prod(lengths)
            start = ts.Number(base, ts.Address.POINTER)
            if not lengths:
                found.append((equal(value, start), Spot(root, path, None, element)))
                continue
            end = ts.Number(base + length, ts.Address.POINTER)
            condition = conjunction([apply(ts.Operator.GE, value, start), apply(ts.Operator.LT, value, end)])
            index = (
                apply(ts.Operator.SUB, convert(value, ts.UNBOUNDED), convert(start, ts.UNBOUNDED))
                if many
                else apply(ts.Operator.SUB, value, start)
            )
            found.append((condition, Spot(root, path, index, element)))
        return found


def _is_object(place: Place) -> bool:
    """Whether *place* is neither a function nor in a string."""
    return not (isinstance(place.base, Object) and place.base.storage in (Storage.CODE, Storage.STRING))


def named(place: Place) -> Object | None:
    """The object that *place* is as a whole."""
    return place.base if isinstance(place.base, Object) and not place.path else None


def _entry(node: Expr, table: Mapping[int, _T]) -> _T | None:
    """What *table* has for the object that *node* reads as a whole, if it reads one."""
    object_ = named(node.place) if isinstance(node, Read) else None
    return None if object_ is None else table.get(object_.number)


def is_temporary(object_: Object) -> bool:
    """Whether an object is one that lowering made in the text of a library function."""
    return object_.storage is Storage.TEMPORARY and object_.declaration is None


def _alike(one: Type, other: Type) -> bool:
    """Whether an object of one type can be accessed as one of the other."""
    if isinstance(one, Int) and isinstance(other, Int):
        return one.width == other.width  # the value is converted
    return one is other or (isinstance(one, Pointer) and isinstance(other, Pointer))


def within(index: ts.Expression, length: int) -> ts.Expression:
    """The condition that *index* is one of an array with *length* elements."""
    bounds: list[ts.Expression] = []
    type_ = index.type
    if type_.signed or type_ == ts.UNBOUNDED:
        bounds.append(apply(ts.Operator.GE, index, ts.Number(0, type_)))
    if type_ == ts.UNBOUNDED or type_.greatest >= length:
        bounds.append(apply(ts.Operator.LT, index, ts.Number(length, type_)))
    return conjunction(bounds)
