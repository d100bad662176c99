"""Expressions of C as expressions of transition systems, whose types are explicit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.constants import FLOATING
from cseq.c.literals import character_value, integer_value
from cseq.c.symbols import Symbols, basic
from cseq.model.claims import Claim, Kind, Reason
from cseq.model.origin import Origin
from cseq.modules.analysis.address_numbers import is_number_of_address
from cseq.modules.analysis.points_to import ANYWHERE, HEAP, Pointees, pointer_within
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
from cseq.modules.deductive.encode.cells import OPAQUE, Cells, Spot
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.library import lexicon

_LONG = ts.Scalar(64, True)
_ACCESS = Claim(Kind.CRASH, Reason.ACCESS)
_DIVISION = Claim(Kind.CRASH, Reason.DIVISION)
_INDEX = Claim(Kind.CRASH, Reason.INDEX)
_ARITHMETIC = {
    "+": ts.Operator.ADD, "-": ts.Operator.SUB, "*": ts.Operator.MUL, "/": ts.Operator.DIV, "%": ts.Operator.REM,
    "&": ts.Operator.BIT_AND, "|": ts.Operator.BIT_OR, "^": ts.Operator.BIT_XOR,
}  # fmt: skip
_COMPARISONS = {
    "==": ts.Operator.EQ, "!=": ts.Operator.NE, "<": ts.Operator.LT, "<=": ts.Operator.LE, ">": ts.Operator.GT,
    ">=": ts.Operator.GE,
}  # fmt: skip

Alternatives = list[tuple[ts.Expression, Spot]]
"""The spots that an lvalue may be, each with the condition that it is this one. No two conditions hold at once."""


class Values:
    """Translates the expressions of the threads of one template.

    before: what has to be done before the statement is executed whose expressions were translated last. bound: what
    parameters of library functions stand for. constants: names with known values.
    """

    def __init__(
        self, template: str, identity: ts.Expression, cells: Cells, symbols: Symbols, pointees: Pointees,
        constants: dict[str, int],
    ) -> None:  # fmt: skip
        self.template = template
        self.identity = identity
        self.cells = cells
        self.symbols = symbols
        self.before: list[ts.Action] = []
        self.bound: dict[str, ts.Expression | Spot] = {}
        self.given: dict[str, c_ast.Node] = {}  # the arguments that they stand for
        self.origin: Origin | None = None
        self.calls: Callable[[c_ast.FuncDef, list[c_ast.Node]], ts.Expression] | None = None  # writes a call
        self._pointees = pointees
        self._constants = constants
        self._guards: list[ts.Expression] = []

    # Values

    def value(self, node: Any) -> ts.Expression:
        """The value of an expression; what its evaluation demands is added to `before`."""
        match node:
            case c_ast.ID():
                return self._named(node)
            case c_ast.Constant(type="string"):
                return ts.Number(self.cells.base(self.template, f"string {node.value}", ()), ts.Address.POINTER)
            case c_ast.Constant():
                return self._constant(node)
            case c_ast.UnaryOp(op="&"):
                return self._address(node.expr)
            case c_ast.UnaryOp(op="sizeof" | "_Alignof" | "__alignof__"):
                return convert(ts.Number(self.symbols.constant(node), ts.UNBOUNDED), self.scalar(node))
            case c_ast.UnaryOp(op="!"):
                return convert(negation(self.truth(node.expr)), ts.INT)
            case c_ast.UnaryOp(op="-" | "+" | "~"):
                return self._unary(node)
            case c_ast.BinaryOp(op="&&" | "||"):
                return convert(self.truth(node), ts.INT)
            case c_ast.BinaryOp():
                return self._binary(node)
            case c_ast.TernaryOp():
                return self._ternary(node)
            case c_ast.Cast():
                return self._cast(node)
            case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                return self._load(node)
            case c_ast.FuncCall():
                return self._call(node)
        raise refused(f"an expression of kind {type(node).__name__}", self.origin)

    def truth(self, node: Any) -> ts.Expression:
        """Whether the value of an expression differs from zero."""
        match node:
            case c_ast.UnaryOp(op="!"):
                return negation(self.truth(node.expr))
            case c_ast.BinaryOp(op="&&" | "||"):
                left = self.truth(node.left)
                with self.only_if(left if node.op == "&&" else negation(left)):
                    right = self.truth(node.right)
                return conjunction([left, right]) if node.op == "&&" else disjunction([left, right])
        value = self.value(node)
        return convert(value, ts.BOOL)

    def scalar(self, node: c_ast.Node) -> ts.Scalar:
        """The type of the value of an expression, as C has it."""
        return self.cells.scalar(self.symbols.value_type(node), self.origin)

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
        yield
        self._guards.pop()

    def _named(self, node: c_ast.ID) -> ts.Expression:
        name = node.name
        if name == lexicon.THREAD:
            return self.identity
        if name in self._constants:
            return ts.Number(self._constants[name])
        if name in self.bound:
            found = self.bound[name]
            return self.address(found) if isinstance(found, Spot) else found
        if name in self.symbols.enumerators and name not in self.symbols.types:
            return ts.Number(self.symbols.enumerators[name])
        type_ = self.symbols.types.get(name)
        if type_ is None:
            raise refused(f"`{name}`", self.origin)
        if isinstance(self.symbols.resolve(type_), c_ast.FuncDecl):
            return ts.Number(self.cells.of_function(name), ts.Address.POINTER)
        return self._load(node)

    def _constant(self, node: c_ast.Constant) -> ts.Expression:
        if node.type in FLOATING:
            return self.unknown(OPAQUE)
        value = character_value(node.value) if node.type == "char" else integer_value(node.value)
        return convert(ts.Number(value, ts.UNBOUNDED), self.scalar(node))

    def _load(self, node: c_ast.Node) -> ts.Expression:
        if self.symbols.is_array(self.symbols.type_of(node)):
            return self._address(node)
        return self.loaded(self.places(node), self.symbols.type_of(node))

    def loaded(self, places: Alternatives, type_: c_ast.Node) -> ts.Expression:
        """The value of an object of *type_* at one of *places*."""
        scalar = self.cells.scalar(type_, self.origin)
        if not places:
            return self.unknown(scalar)  # the claim before it never holds
        result: ts.Expression = self.cells.reference(self.template, places[-1][1])
        for condition, spot in reversed(places[:-1]):
            result = choose(condition, self.cells.reference(self.template, spot), result)
        return result

    def _unary(self, node: c_ast.UnaryOp) -> ts.Expression:
        operand = self.value(node.expr)
        type_ = self.scalar(node)
        if type_ == OPAQUE and self._is_floating(node):
            return self.unknown(OPAQUE)
        if operand.type != ts.UNBOUNDED:
            operand = convert(operand, type_)
        if node.op == "+":
            return operand
        return apply(ts.Operator.NEG if node.op == "-" else ts.Operator.BIT_NOT, operand)

    def _is_floating(self, node: c_ast.Node) -> bool:
        return self.symbols.arithmetic(self.symbols.value_type(node)) in FLOATING

    def _cast(self, node: c_ast.Cast) -> ts.Expression:
        operand = self.value(self._converted(node))
        if self.symbols.is_void(node.to_type):
            return operand
        if self.symbols.arithmetic(node.to_type) in FLOATING or self._is_floating(node.expr):
            return self.unknown(self.cells.scalar(node.to_type.type, self.origin))
        return convert(operand, self.cells.scalar(node.to_type.type, self.origin))

    def _converted(self, node: c_ast.Cast) -> c_ast.Node:
        """What *node* converts. Numbers that are made of addresses are refused: addresses count elements here."""
        if is_number_of_address(self.symbols, self._pointees, node):
            raise refused("a number that is made from an address", self.origin)
        return pointer_within(self.symbols, node) if self.symbols.is_pointer(node.to_type) else node.expr

    def _ternary(self, node: c_ast.TernaryOp) -> ts.Expression:
        condition = self.truth(node.cond)
        with self.only_if(condition):
            then = self.value(node.iftrue)
        with self.only_if(negation(condition)):
            otherwise = self.value(node.iffalse)
        type_ = ts.UNBOUNDED if ts.UNBOUNDED in (then.type, otherwise.type) else self.scalar(node)
        return choose(condition, convert(then, type_), convert(otherwise, type_))

    def _binary(self, node: c_ast.BinaryOp) -> ts.Expression:
        left, right = self.value(node.left), self.value(node.right)
        if self._is_floating(node.left) or self._is_floating(node.right):
            return (
                convert(self.unknown(ts.BOOL), ts.INT) if node.op in _COMPARISONS else self.unknown(self.scalar(node))
            )
        pointers = [self.symbols.is_pointer(self.symbols.value_type(part)) for part in (node.left, node.right)]
        if node.op in _COMPARISONS:
            return convert(self._comparison(node, left, right, any(pointers)), ts.INT)
        if any(pointers):
            return self._of_pointers(node, left, right, pointers)
        if node.op in ("<<", ">>"):
            return self._shift(node, convert(left, self.scalar(node)), right)
        type_ = ts.UNBOUNDED if ts.UNBOUNDED in (left.type, right.type) else self.scalar(node)
        left, right = convert(left, type_), convert(right, type_)
        if node.op in ("/", "%"):
            self.check(apply(ts.Operator.NE, right, ts.Number(0, type_)), _DIVISION)
            if type_.signed and type_ != ts.UNBOUNDED:
                fits = [
                    negation(equal(left, ts.Number(type_.least, type_))),
                    negation(equal(right, ts.Number(-1, type_))),
                ]
                self.check(disjunction(fits), _DIVISION)
        if type_ == ts.UNBOUNDED and node.op in ("&", "|", "^"):
            raise refused("an operation on the bits of a thread's identifier", self.origin)
        return apply(_ARITHMETIC[node.op], left, right)

    def _comparison(
        self, node: c_ast.BinaryOp, left: ts.Expression, right: ts.Expression, pointers: bool
    ) -> ts.Expression:
        if pointers:
            self._compared(node)
            type_ = ts.Address.POINTER
        elif ts.UNBOUNDED in (left.type, right.type):
            type_ = ts.UNBOUNDED
        else:
            common = self.symbols.usual(self.symbols.value_type(node.left), self.symbols.value_type(node.right))
            type_ = self.cells.scalar(common)
        return apply(_COMPARISONS[node.op], convert(left, type_), convert(right, type_))

    def _compared(self, node: c_ast.BinaryOp) -> None:
        """Refuse to compare pointers to an object and to a part of it, which are not the same numbers here."""
        one, other = (self._pointees.targets(part) for part in (node.left, node.right))
        for root, path in one:
            for other_root, other_path in other:
                nested = f"{path}.".startswith(f"{other_path}.") or f"{other_path}.".startswith(f"{path}.")
                nested = nested or not path or not other_path
                if root == other_root and path != other_path and nested:
                    raise refused(
                        f"a comparison of pointers to `{root}` and to a part of it",
                        self.origin,
                    )

    def _of_pointers(
        self, node: c_ast.BinaryOp, left: ts.Expression, right: ts.Expression, pointers: list[bool]
    ) -> ts.Expression:
        if all(pointers):
            size = self._stride(node.left)
            difference = apply(ts.Operator.SUB, convert(left, _LONG), convert(right, _LONG))
            return apply(ts.Operator.DIV, difference, ts.Number(size, _LONG))
        pointer, offset = (left, right) if pointers[0] else (right, left)
        size = self._stride(node.left if pointers[0] else node.right)
        if size == 0:
            raise refused("arithmetic with a pointer to void", self.origin)
        moved = apply(
            ts.Operator.MUL, convert(convert(offset, _LONG), ts.Address.POINTER), ts.Number(size, ts.Address.POINTER)
        )
        return apply(_ARITHMETIC[node.op], convert(pointer, ts.Address.POINTER), moved)

    def _stride(self, pointer: c_ast.Node) -> int:
        """How many elements lie between an object that *pointer* points to and the next one."""
        type_ = self.symbols.element(self.symbols.value_type(pointer))
        return 0 if self.symbols.is_void(type_) else prod(self.cells.dimensions(type_))

    def _shift(self, node: c_ast.BinaryOp, left: ts.Expression, right: ts.Expression) -> ts.Expression:
        operator = ts.Operator.SHL if node.op == "<<" else ts.Operator.SHR
        type_ = left.type
        if ts.UNBOUNDED in (type_, right.type):
            raise refused("a shift by, or of, a thread's identifier", self.origin)
        bounds = [apply(ts.Operator.LT, right, ts.Number(type_.width, right.type))]
        if right.type.signed:
            bounds.append(apply(ts.Operator.GE, right, ts.Number(0, right.type)))
        inside = conjunction(bounds)
        result = apply(operator, left, convert(right, type_))
        return result if inside == TRUE else choose(inside, result, self.unknown(type_))

    def _call(self, node: c_ast.FuncCall) -> ts.Expression:
        """The value of a call inside of an expression: of an input, or of a library function that only computes."""
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        if name.startswith(lexicon.NONDET):
            kind = lexicon.NONDET_TYPES.get(name.removeprefix(lexicon.NONDET))
            if kind is None:
                raise refused(f"the input `{name}`", self.origin)
            return self.unknown(ts.Address.POINTER if "*" in kind else self.cells.scalar(basic(kind), self.origin))
        function = self.symbols.functions.get(name)
        body = function.body.block_items or [] if function is not None else []
        if function is None:
            raise refused(f"the function `{name}`", self.origin)
        if len(body) != 1 or not isinstance(body[0], c_ast.Return) or body[0].expr is None:
            if self._guards or self.calls is None:
                raise refused(f"a call of `{name}` under a condition", self.origin)
            return self.calls(function, node.args.exprs if node.args else [])
        outer, given = dict(self.bound), dict(self.given)
        self.bind(function, node.args.exprs if node.args else [])
        result = self.value(body[0].expr)
        self.bound, self.given = outer, given
        return convert(result, result.type if result.type == ts.UNBOUNDED else self.scalar(node))

    def bind(self, function: c_ast.FuncDef, arguments: list[c_ast.Node], keep: bool = False) -> None:
        """Let the parameters of *function*, which it does not change, stand for *arguments*.

        keep: whether the function changes something, so that the values of the arguments have to be kept.
        """
        parameters = function.decl.type.args.params if function.decl.type.args else []
        found = [(parameter, one, self.argument(one)) for parameter, one in zip(parameters, arguments, strict=False)]
        for parameter, node, argument in found:
            if isinstance(parameter, c_ast.Decl) and parameter.name:
                self.given[parameter.name] = node
                given = argument
                if not isinstance(given, Spot) and given.type != ts.UNBOUNDED:
                    given = convert(given, self.cells.scalar(parameter.type, self.origin))
                self.bound[parameter.name] = self._kept(given) if keep else given

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

    def argument(self, node: c_ast.Node) -> ts.Expression | Spot:
        """What a parameter stands for: a spot that it points to, or a value."""
        inner = build.uncast(node)
        if isinstance(inner, c_ast.ID) and inner.name in self.bound:
            return self.bound[inner.name]
        if isinstance(inner, c_ast.UnaryOp) and inner.op == "&":
            places = self.places(inner.expr)
            if len(places) == 1:
                return places[0][1]
        elif isinstance(inner, c_ast.ID) and inner.name in self.symbols.types:
            type_ = self.symbols.types[inner.name]
            if self.symbols.is_array(type_):
                return Spot(inner.name, (), ts.Number(0), self.symbols.element(type_))
        return self.value(node)

    # Places

    def _address(self, lvalue: c_ast.Node) -> ts.Expression:
        if isinstance(lvalue, c_ast.ID):
            type_ = self.symbols.types.get(lvalue.name)
            if type_ is not None and isinstance(self.symbols.resolve(type_), c_ast.FuncDecl):
                return ts.Number(self.cells.of_function(lvalue.name), ts.Address.POINTER)
        places = self.places(lvalue, inside=False)
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
        rest = prod(self.cells.dimensions(spot.type))
        index = convert(convert(spot.index, _LONG), ts.Address.POINTER)
        return apply(ts.Operator.ADD, base, apply(ts.Operator.MUL, index, ts.Number(rest, ts.Address.POINTER)))

    def places(self, lvalue: Any, inside: bool = True) -> Alternatives:
        """The spots that *lvalue* may be. inside: whether it is accessed, so that it has to exist."""
        match lvalue:
            case c_ast.ID():
                return [(TRUE, Spot(lvalue.name, (), None, self.symbols.type_of(lvalue)))]
            case c_ast.StructRef():
                if lvalue.type == "->":
                    places = self._followed(lvalue.name, None, inside)
                else:
                    places = self.places(lvalue.name, inside)
                return [(condition, self._member(spot, lvalue.field.name)) for condition, spot in places]
            case c_ast.ArrayRef():
                if self.symbols.is_array(self.symbols.type_of(lvalue.name)):
                    places = self.places(lvalue.name, inside)
                    index = self.value(lvalue.subscript)
                    return [(condition, self._element(spot, index, inside)) for condition, spot in places]
                return self._followed(lvalue.name, lvalue.subscript, inside)
            case c_ast.UnaryOp(op="*"):
                return self._followed(lvalue.expr, None, inside)
        raise refused(f"an lvalue of kind {type(lvalue).__name__}", self.origin)

    def _member(self, spot: Spot, name: str) -> Spot:
        return Spot(spot.root, (*spot.path, name), spot.index, self.cells.member(spot.type, name, self.origin))

    def _element(self, spot: Spot, index: ts.Expression, inside: bool) -> Spot:
        array: Any = self.symbols.resolve(spot.type)
        length = self.symbols.length(array)
        if inside:
            self.check(within(index, length), _INDEX)
        if spot.index is not None:
            before = apply(ts.Operator.MUL, convert(spot.index, _LONG), ts.Number(length, _LONG))
            index = apply(ts.Operator.ADD, before, convert(index, _LONG))
        return Spot(spot.root, spot.path, index, array.type)

    def _followed(self, pointer: Any, offset: c_ast.Node | None, inside: bool) -> Alternatives:
        """Where *pointer* leads, moved by *offset* elements."""
        inner = build.uncast(pointer)
        no_offset = offset is None or build.is_constant(offset, 0)
        if no_offset and isinstance(inner, c_ast.ID) and isinstance(self.bound.get(inner.name), Spot):
            spot = self.bound[inner.name]
            assert isinstance(spot, Spot)
            return [(TRUE, spot)]
        if no_offset and isinstance(inner, c_ast.UnaryOp) and inner.op == "&":
            named, type_ = self.symbols.type_of(inner.expr), self.symbols.element(self.symbols.value_type(pointer))
            if self._spelled(named) != self._spelled(type_):
                raise refused("an object, accessed as one of another type", self.origin)
            return self.places(inner.expr, inside)
        if offset is not None:
            pointer = c_ast.BinaryOp("+", pointer, offset)
        value = self.value(pointer)
        type_ = self.symbols.element(self.symbols.value_type(pointer))
        found = [] if value == ts.Number(0, value.type) else self._targets(pointer, value, type_)
        if inside:
            self.check(disjunction([condition for condition, _ in found]), _ACCESS)
        return [(TRUE, found[0][1])] if len(found) == 1 else found

    def _targets(self, pointer: c_ast.Node, value: ts.Expression, type_: c_ast.Node) -> Alternatives:
        inner: Any = pointer
        while isinstance(build.uncast(inner), c_ast.ID) and build.uncast(inner).name in self.given:  # type: ignore[attr-defined]
            inner = self.given[build.uncast(inner).name]  # type: ignore[attr-defined]
        targets = sorted(self._pointees.pointed(inner))
        many = len(targets) > 1
        found: Alternatives = []
        for root, dotted in targets:
            if (root, dotted) == ANYWHERE:
                raise refused("a pointer that may lead anywhere", self.origin)
            if root.startswith(HEAP):
                raise refused("memory that is allocated (`malloc`)", self.origin)
            path = tuple(dotted.split(".")) if dotted else ()
            lengths, element = self.cells.around(root, path)
            if self.symbols.is_array(type_) or self._spelled(element) != self._spelled(type_):
                raise refused(
                    f"the object `{root}`, accessed through a pointer as one of another type",
                    self.origin,
                )
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

    def _spelled(self, type_: c_ast.Node) -> str:
        if self.symbols.is_pointer(type_):
            return "pointer"
        return self.symbols.spelled(type_)


def within(index: ts.Expression, length: int) -> ts.Expression:
    """The condition that *index* is one of an array with *length* elements."""
    bounds: list[ts.Expression] = []
    type_ = index.type
    if type_.signed or type_ == ts.UNBOUNDED:
        bounds.append(apply(ts.Operator.GE, index, ts.Number(0, type_)))
    if type_ == ts.UNBOUNDED or type_.greatest >= length:
        bounds.append(apply(ts.Operator.LT, index, ts.Number(length, type_)))
    return conjunction(bounds)
