"""Expressions and places: the part of lowering that has no control flow, but for what library text has.

The text of a library function is one step, so it may have side effects in expressions. They become instructions before
the expression, from left to right.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from pycparser import c_ast

from cseq.c import build
from cseq.model.errors import UnsupportedError
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import Expr, Place
from cseq.modules.ir.lower_blocks import BlockBuilder
from cseq.modules.ir.lower_objects import Objects
from cseq.modules.ir.types import Array, Pointer, Record, Type
from cseq.modules.library import lexicon

_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_RESULTS = {
    "__CSEQ_room": "unsigned long", "__CSEQ_size": "unsigned long", "__CSEQ_inside": "_Bool",
}  # fmt: skip
"""The types of primitives of library text that no program declares; others give a pointer."""
UPDATES = {"++": "+", "--": "-", "p++": "+", "p--": "-"}
"""The operators of increments, in pycparser's spelling → those of what they compute."""


class ValueLowering(BlockBuilder):
    """Lowers expressions. is_step: they are those of a library function, or of the initialiser of an object."""

    def __init__(self, objects: Objects, is_step: bool) -> None:
        super().__init__(objects)
        self._is_step = is_step
        self._places: dict[str, Place] = {}
        self._memo: dict[int, Expr] = {}

    def _update(self, lvalue: c_ast.Node, op: str, right: c_ast.Node | None, node: c_ast.Node) -> Place:
        raise NotImplementedError

    def _call(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        raise NotImplementedError

    def _assignment(self, node: c_ast.Assignment) -> None:
        raise NotImplementedError

    def _statements(self, nodes: list[c_ast.Node]) -> None:
        raise NotImplementedError

    # Expressions

    def value(self, node: c_ast.Node) -> Expr:
        """The value of an expression; arrays and functions decay."""
        known = self._memo.get(id(node))
        if known is not None:
            return known
        method = self._VALUES.get(node.__class__)
        if method is None:
            raise UnsupportedError(f"an expression of kind {type(node).__name__} in the core language", node.coord)
        made: Expr = method(self, node)
        if not self._is_step:
            self._memo[id(node)] = made
        return made

    def string_value(self, literal: c_ast.Constant) -> Expr:
        """The address of a string."""
        return self.pool.read(self.pool.variable(self._outer.string(literal)))

    def _name(self, node: c_ast.ID) -> Expr:
        place = self._places.get(node.name)
        return self._named(node) if place is None else self.pool.read(place)

    def _named(self, node: c_ast.ID) -> Expr:
        name = node.name
        if name not in self._locals:
            value = self.symbols.enumerators.get(name)
            if value is not None:
                return self.pool.const(value, self._types.of(self.symbols.type_of(node)))
            if name == lexicon.THREAD:
                return self.pool.setting(name, self._types.integer(32, False))
            if name not in self.symbols.types and name.startswith("__CSEQ_"):
                return self.pool.setting(name, self._types.c_int)
        return self.pool.read(self._variable(node))

    def _variable(self, node: c_ast.ID) -> Place:
        known = self._places.get(node.name)
        if known is None:
            object_ = self._locals.get(node.name) or self._outer.object(node.name, node.coord)
            known = self._places[node.name] = self.pool.variable(object_)
        return known

    def _constant(self, node: c_ast.Constant) -> Expr:
        return self.string_value(node) if node.type == "string" else self._outer.constant(node)

    def _unary(self, node: c_ast.UnaryOp) -> Expr:
        match node.op:
            case "&":
                return self.pool.address(self.place(node.expr))
            case "*":
                return self.pool.read(self.place(node))
            case "+":
                value = self.value(node.expr)
                return self.pool.convert(value, self._types.promoted(value.type))
            case "-" | "~" | "!":
                return self.pool.unary(node.op, self.value(node.expr))
            case "sizeof" | "_Alignof" | "__alignof__":
                size = self.symbols.constant_or_none(node)
                if size is None:
                    raise UnsupportedError("a size that is not constant in the core language", node.coord)
                return self.pool.const(size, self._types.size)
        if self._is_step and node.op in UPDATES:
            return self._updated(node)
        raise UnsupportedError(f"`{node.op}` in an expression of the core language", node.coord)

    def _updated(self, node: c_ast.UnaryOp) -> Expr:
        """The value of an increment in library text."""
        if not node.op.startswith("p"):
            return self.pool.read(self._update(node.expr, UPDATES[node.op], None, node))
        old = self.pool.read(self.place(node.expr))
        kept = self._temporary(old.type)
        self._add(ir.Assign(kept, old, origin=node.coord))
        self._update(node.expr, UPDATES[node.op], None, node)
        return self.pool.read(kept)

    def _binary(self, node: c_ast.BinaryOp) -> Expr:
        if node.op in ("&&", "||"):
            return self._logical(node)
        left = self.value(node.left)
        return self._arithmetic(node.op, left, self.value(node.right))

    def _logical(self, node: c_ast.BinaryOp) -> Expr:
        if not (self._is_step and has_effect(node.right)):
            left = self.value(node.left)
            return self.pool.logical(node.op, left, self.value(node.right))
        result = self._temporary(self._types.c_int)
        truth = c_ast.BinaryOp("!=", node.right, build.number(0))
        left = self.value(node.left)
        self._add(ir.Assign(result, self.pool.compare("!=", left, self._zero(left.type)), origin=node.coord))
        held = self.pool.read(result)
        condition = held if node.op == "&&" else self.pool.unary("!", held)
        self._guarded(condition, [(result, truth)], None, node)
        return held

    def _zero(self, type_: Type) -> Expr:
        return self.pool.convert(self._outer.number(0), type_)

    def _guarded(
        self,
        condition: Expr,
        then: list[tuple[Place, c_ast.Node]],
        other: list[tuple[Place, c_ast.Node]] | None,
        node: c_ast.Node,
    ) -> None:
        """Store values, in library text, that are evaluated only if the condition holds, or not."""
        branch = ir.Branch(condition, -1, -1, origin=node.coord)
        self._end(branch)
        ends = []
        for attribute, stores in (("then", then), ("other", other)):
            if stores is None:
                continue
            setattr(branch, attribute, self._fresh().number)
            for place, value in stores:
                self._add(ir.Assign(place, self.pool.convert(self.value(value), place.type), origin=node.coord))
            ends.append(ir.Goto(-1))
            self._end(ends[-1], listed=False)
        after = self._fresh().number
        for end in ends:
            end.to = after
        if other is None:
            branch.other = after

    def _arithmetic(self, op: str, left: Expr, right: Expr) -> Expr:
        pool = self.pool
        if op in _COMPARISONS:
            return pool.compare(op, left, right)
        if isinstance(left.type, Pointer) and op in ("+", "-"):
            if isinstance(right.type, Pointer):
                return pool.distance(left, right)
            index = pool.convert(right, self._types.offset)
            return pool.moved(left, pool.unary("-", index) if op == "-" else index)
        if isinstance(right.type, Pointer) and op == "+":
            return pool.moved(right, left)
        return pool.shift(op, left, right) if op in ("<<", ">>") else pool.binary(op, left, right)

    def _conditional(self, node: c_ast.TernaryOp) -> Expr:
        if self._is_step and (has_effect(node.iftrue) or has_effect(node.iffalse)):
            result = self._temporary(self._type_of(node))
            self._guarded(self.value(node.cond), [(result, node.iftrue)], [(result, node.iffalse)], node)
            return self.pool.read(result)
        type_ = self._types.of(self.symbols.value_type(node))
        condition, then = self.value(node.cond), self.value(node.iftrue)
        return self.pool.select(condition, then, self.value(node.iffalse), type_)

    def _type_of(self, node: c_ast.Node) -> Type:
        """The type of an expression of library text."""
        match node:
            case c_ast.TernaryOp():
                then, other = self._type_of(node.iftrue), self._type_of(node.iffalse)
                if isinstance(then, Pointer) or isinstance(other, Pointer):
                    return then if isinstance(then, Pointer) else other
                return self._types.common(then, other)
            case c_ast.FuncCall():
                return self._result(node, node.name.name)
        return self._types.of(self.symbols.value_type(node))

    def _cast(self, node: c_ast.Cast) -> Expr:
        return self.pool.convert(self.value(node.expr), self._types.of(node.to_type.type))

    def _part_of(self, node: c_ast.Node) -> Expr:
        return self.pool.read(self.place(node))

    def _nested(self, node: c_ast.FuncCall) -> Expr:
        """A call in an expression of library text."""
        if not self._is_step:
            raise UnsupportedError("a call in an expression of the core language", node.coord)
        name = node.name.name
        result = self._temporary(self._result(node, name))
        self._call(node, result, node)
        return self.pool.read(result)

    def _result(self, node: c_ast.FuncCall, name: str) -> Type:
        """The type of a call in library text, also of a primitive that no program declares."""
        if name in self.symbols.types:
            return self._types.of(self.symbols.value_type(node))
        if name in _RESULTS:
            return self._types.arithmetic(_RESULTS[name])
        if not name.startswith(lexicon.NONDET):
            return self._types.void_pointer
        words = lexicon.NONDET_TYPES[name.removeprefix(lexicon.NONDET)]
        return self._types.void_pointer if words == "void *" else self._types.arithmetic(words)

    def _last(self, node: c_ast.ExprList) -> Expr:
        """The value of a comma expression: in library text, or of the alignment and the size of new memory."""
        *before, last = node.exprs
        if self._is_step:
            self._statements(before)
        elif any(has_effect(each) or self.value(each).loads for each in before):
            raise UnsupportedError("a comma in an expression of the core language", node.coord)
        return self.value(last)

    def _assigned(self, node: c_ast.Assignment) -> Expr:
        """The value of an assignment in library text."""
        if not self._is_step:
            raise UnsupportedError("an assignment in an expression of the core language", node.coord)
        self._assignment(node)
        return self.pool.read(self.place(node.lvalue))

    _VALUES: ClassVar[dict[type, Callable[..., Expr]]] = {
        c_ast.ID: _name,
        c_ast.Constant: _constant,
        c_ast.UnaryOp: _unary,
        c_ast.BinaryOp: _binary,
        c_ast.TernaryOp: _conditional,
        c_ast.Cast: _cast,
        c_ast.ArrayRef: _part_of,
        c_ast.StructRef: _part_of,
        c_ast.FuncCall: _nested,
        c_ast.Assignment: _assigned,
        c_ast.ExprList: _last,
    }

    # Places

    def place(self, node: Any) -> Place:
        """The place that an lvalue is."""
        match node:
            case c_ast.ID():
                return self._variable(node)
            case c_ast.StructRef():
                base = self._target(node.name, node) if node.type == "->" else self.place(node.name)
                record = base.type
                assert isinstance(record, Record)
                return self.pool.field(base, record.fields[node.field.name])
            case c_ast.ArrayRef():
                return self._element(node)
            case c_ast.UnaryOp(op="*"):
                return self._target(node.expr, node)
            case c_ast.Constant(type="string"):
                return self.pool.variable(self._outer.string(node))
        raise UnsupportedError(f"an lvalue of kind {type(node).__name__} in the core language", node.coord)

    def _element(self, node: c_ast.ArrayRef) -> Place:
        name, subscript = node.name, node.subscript
        if isinstance(name, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef)) or (
            isinstance(name, c_ast.UnaryOp) and name.op == "*"
        ):
            place = self._named_place(name)
            if place is not None and isinstance(place.type, Array):
                return self.pool.element(place, self.value(subscript))
        elif isinstance(name, c_ast.Constant) and name.type == "string":
            return self.pool.element(self.place(name), self.value(subscript))
        pointer, index = self.value(name), self.value(subscript)
        if not isinstance(pointer.type, Pointer):
            pointer, index = index, pointer
        return self.pool.deref(self.pool.moved(pointer, index))

    def _target(self, node: c_ast.Node, outer: c_ast.Node) -> Place:
        """What the pointer *node* leads to, for the expression *outer*."""
        pointer = self.value(node)
        if not isinstance(pointer.type, Pointer):
            raise UnsupportedError("a number in place of a pointer", outer.coord)
        return self.pool.deref(pointer)

    def _named_place(self, node: c_ast.Node) -> Place | None:
        if isinstance(node, c_ast.ID) and node.name in self.symbols.enumerators and node.name not in self._locals:
            return None
        return self.place(node)


def has_effect(node: c_ast.Node) -> bool:
    """Whether evaluating an expression of library text does something."""
    effects = build.inside(node, c_ast.FuncCall, c_ast.Assignment, c_ast.UnaryOp)
    return any(not isinstance(part, c_ast.UnaryOp) or part.op in UPDATES for part in effects)
