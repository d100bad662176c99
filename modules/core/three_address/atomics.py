"""Atomic accesses as single steps: the part of the three-address stage for `_Atomic` objects and GNU's built-ins."""

from collections.abc import Iterable
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.signatures import ATOMIC_BUILTINS, AtomicBuiltin
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.errors import InputError, UnsupportedError
from cseq.modules.analysis.memory_orders import ORDERS, of_name, weaker
from cseq.modules.analysis.spurious import WEAK_FAILS
from cseq.modules.core.three_address.copies import StoreWriter
from cseq.modules.core.writing import Writing
from cseq.modules.library import lexicon
from cseq.options.memory_models import BUFFERED, C11, MEMORY_MODEL, ROBUSTNESS
from cseq.options.properties import CHECKED
from cseq.pipeline.translator import Rewriter, rebuilt

_LOCK_FREE = (1, 2, 4, 8)  # bytes
_OF_COMPILERS = frozenset({"__atomic_signal_fence", "__c11_atomic_signal_fence"})
"""Fences that no hardware knows of."""
_MAY_PASS = frozenset({"store", "clear", "release", "fence"})
_FLOATING = frozenset({"float", "double", "long double"})


class AtomicWriter:
    """Writes read-modify-write accesses as atomic sections into the output of the three-address stage *to*.

    Arguments are evaluated before that, in steps of their own. Accesses of a built-in through its other pointers are
    also steps of their own (C11 §7.17.7: only the access to the atomic object is atomic).
    """

    def __init__(self, to: Writing, symbols: Symbols, copies: StoreWriter) -> None:
        self._to = to
        self._copies = copies
        self._symbols = symbols
        self._warned = False
        self._inside = False  # whether a section is being written
        self._is_plain = False  # whether the access of the built-in is an ordinary one for the hardware
        self._orders: tuple[int, ...] = ()  # the memory orders of the built-in, where they count; without: seq_cst
        self.has_weak = False  # whether a compare-exchange may fail although the values are equal

    # Objects with an atomic type

    def is_update_of_atomic(self, target: c_ast.Node) -> bool:
        """Whether ``target op= …`` has to be one step: *target* is visible to others, and its type is atomic."""
        return self._to.visibility.is_visible(target) and self._symbols.is_atomic(self._symbols.type_of(target))

    def update(self, target: c_ast.Node, op: str, operand: c_ast.Node, wanted: str = "") -> c_ast.Node:
        """Write ``target op= operand`` in one step, and return the *wanted* value, ``old`` or ``new``, if any."""
        outer, self._orders = self._orders, ()
        place = self._to.place(target)
        right = self._to.value(operand)
        value = self._update(place, lambda old: c_ast.BinaryOp(op, old, right), wanted)
        self._orders = outer
        return value

    def _update(self, place: c_ast.Node, change: Any, wanted: str) -> c_ast.Node:
        self._begin()
        old = self._load(place)
        if wanted == "new":
            new = self._keep(change(old), self._symbols.type_of(place))
            self._store(place, new)
            self._end()
            return new
        self._store(place, change(old))
        self._end()
        return old

    # Built-ins

    def call(self, name: str, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Write a call of the built-in *name*, and return its value; None if it has none."""
        builtin = ATOMIC_BUILTINS[name]
        arguments: list[c_ast.Node] = node.args.exprs if node.args else []
        if len(arguments) < builtin.arity or (len(arguments) > builtin.arity and not name.startswith("__sync")):
            raise InputError(f"`{name}` takes {builtin.arity} arguments, not {len(arguments)}", node.coord)
        outer = self._orders
        orders = [arguments[position] for position in builtin.orders]
        self._orders = self._written_orders(name, orders, node)
        self._is_plain = self._may_pass(orders, builtin)
        if not self._is_plain:
            self._check_orders(name, orders, node)
        value = self._written(name, arguments, builtin, node)
        self._orders = outer
        return value

    def _model(self) -> str:
        """The memory model whose orders the result keeps."""
        return C11 if self._to.parameter(ROBUSTNESS) else self._to.parameter(MEMORY_MODEL)

    def _written_orders(self, name: str, orders: list[c_ast.Node], node: c_ast.FuncCall) -> tuple[int, ...]:
        """The memory orders of a built-in, by their numbers in C; empty where they do not count, or all are seq_cst.

        With buffers of stores, those of fences count if they are numbered.
        """
        if self._model() != C11 and not self._is_numbered_fence(orders):
            return ()
        if implied := of_name(name):
            return (ORDERS.index(implied),)
        values = []
        for order in orders:
            value = self._symbols.constant_or_none(order)
            if value is None or not 0 <= value & lexicon.ORDER_BITS < len(ORDERS):
                raise UnsupportedError("a memory order that is no constant is not supported", node.coord)
            values.append(value & lexicon.ORDER_BITS | value >> lexicon.ORDER_NUMBER << lexicon.ORDER_NUMBER)
        return tuple(values)

    def _is_numbered_fence(self, orders: list[c_ast.Node]) -> bool:
        """Whether the explorer of execution graphs is told the order of a fence, which may be one of the hardware's."""
        values = [self._symbols.constant_or_none(order) for order in orders]
        return self._to.parameter(MEMORY_MODEL) in BUFFERED and any(
            value is not None and value >> lexicon.ORDER_NUMBER for value in values
        )

    def _written(
        self, name: str, arguments: list[c_ast.Node], builtin: AtomicBuiltin, node: c_ast.FuncCall
    ) -> c_ast.Node | None:
        if name.startswith("__c11_atomic_compare"):
            arguments = [*arguments[:3], build.number(int(name.endswith("weak"))), *arguments[3:]]
        match builtin.action:
            case "fence":
                self._effects(arguments)
                model = self._model()
                is_there = model in (*BUFFERED, C11) and not self._is_plain
                if (is_there or self._orders) and name not in _OF_COMPILERS:
                    if self._orders or model == C11:
                        self._to.note_access(atomic=True, orders=self._orders)
                    for mark in (lexicon.ATOMIC_BEGIN, lexicon.ATOMIC_END):
                        self._to.emit(build.call(mark, origin=self._to.origin))
                return None
            case "lock_free":
                return self._lock_free(arguments)
            case "test_and_set" | "clear":
                return self._flagging(arguments, builtin)
            case "initialise":
                self._initialising(arguments, builtin)
                return None
        place = self.place(arguments[0])
        match builtin.action:
            case "load":
                return self._loading(place, arguments, builtin)
            case "store":
                self._storing(place, arguments, builtin)
                return None
            case "release":
                self._effects(arguments[1:])
                self._store(place, build.number(0))
                return None
            case "exchange":
                return self._exchanging(place, arguments, builtin)
            case "compare":
                return self._comparing(place, arguments, builtin, node)
            case "swap":
                return self._swapping(place, arguments, builtin, node)
        return self._updating(place, arguments, builtin, node)

    def _may_pass(self, orders: list[c_ast.Node], builtin: AtomicBuiltin) -> bool:
        """Whether it is a store or a fence that takes no fence of the hardware: its order is weaker than seq_cst.

        That is how compilers make them for x86. Where stores overtake one another, release stores are then weaker than
        those of C.
        """
        if self._model() not in BUFFERED or builtin.action not in _MAY_PASS:
            return False
        strongest = len(ORDERS) - 1
        values = [self._symbols.constant_or_none(order) for order in orders]
        return builtin.action == "release" or any(value != strongest for value in values)

    def _check_orders(self, name: str, orders: list[c_ast.Node], node: c_ast.FuncCall) -> None:
        """Warn once if the program asks for another memory order than sequential consistency: here, all have that.

        With buffers of stores, accesses are what they are on the hardware, whatever their order.
        """
        if self._model() in (C11, *BUFFERED) or self._warned or lexicon.is_ours(node.coord):
            return
        order = of_name(name) or weaker(orders, self._symbols)
        if order or any(self._symbols.constant_or_none(order) is None for order in orders):
            self._warned = True
            what = f"memory_order_{order}" if order else "a memory order that is no constant"
            what = f"`{name}`" if of_name(name) else what
            self._to.context.warn(f"{what} is treated as sequentially consistent", node.coord, strengthens=True)

    def _effects(self, arguments: Iterable[c_ast.Node]) -> None:
        for argument in arguments:
            self._to.effect(argument)

    def _lock_free(self, arguments: list[c_ast.Node]) -> c_ast.Node:
        size = self._symbols.constant_or_none(arguments[0])
        self._effects(arguments)
        if size is None:
            return self._any_truth()
        return build.number(int(size in _LOCK_FREE))

    def _any_truth(self) -> c_ast.Node:
        return self._to.saved(build.call(lexicon.NONDET + "bool", origin=self._to.origin), basic("_Bool"))

    def _flagging(self, arguments: list[c_ast.Node], builtin: AtomicBuiltin) -> c_ast.Node | None:
        place = self._flag(arguments[0])
        self._effects(arguments[1:])
        if builtin.action == "clear":
            self._store(place, build.number(0))
            return None
        old = self._update(place, lambda _: build.number(1), "old")
        return c_ast.BinaryOp("!=", old, build.number(0))

    def _loading(self, place: c_ast.Node, arguments: list[c_ast.Node], builtin: AtomicBuiltin) -> c_ast.Node | None:
        target = self.place(arguments[1]) if builtin.indirect else None
        self._effects(arguments[-1:])
        value = self._load(place)
        if target is None:
            return value
        self._to.store(target, value)
        return None

    def _storing(self, place: c_ast.Node, arguments: list[c_ast.Node], builtin: AtomicBuiltin) -> None:
        value = self._given(arguments[1], place, builtin)
        self._effects(arguments[2:])
        self._store(place, value)

    def _initialising(self, arguments: list[c_ast.Node], builtin: AtomicBuiltin) -> None:
        """Write a store that is not atomic, although the object is (C11 §7.17.2.1)."""
        place = self.place(arguments[0])
        value = self._given(arguments[1], place, builtin)
        self._to.note_access(atomic=False)
        self._to.emit_all([build.assign(place, value, self._to.origin)])

    def _exchanging(self, place: c_ast.Node, arguments: list[c_ast.Node], builtin: AtomicBuiltin) -> c_ast.Node | None:
        value = self._given(arguments[1], place, builtin)
        target = self.place(arguments[2]) if builtin.indirect else None
        self._effects(arguments[3 if builtin.indirect else 2 :])
        old = self._update(place, lambda _: value, "old")
        if target is None:
            return old
        self._to.store(target, old)
        return None

    def _updating(
        self, place: c_ast.Node, arguments: list[c_ast.Node], builtin: AtomicBuiltin, node: c_ast.FuncCall
    ) -> c_ast.Node:
        type_ = self._symbols.type_of(place)
        kind = self._symbols.arithmetic(type_)
        if not self._symbols.is_pointer(type_) and (kind is None or kind in _FLOATING):
            raise InputError(f"`{node.name.name}` needs a pointer to an integer or to a pointer", node.coord)
        operand = self._to.value(arguments[1])
        if builtin.op in "<>":
            if self._symbols.is_pointer(type_):
                raise InputError(f"`{node.name.name}` needs a pointer to an integer", node.coord)
            operand = self._to.saved(operand, type_)
        self._effects(arguments[2:])

        def change(old: c_ast.Node) -> c_ast.Node:
            return self._changed(old, operand, builtin, type_)

        return self._update(place, change, "new" if builtin.new else "old")

    def _changed(self, old: c_ast.Node, operand: c_ast.Node, builtin: AtomicBuiltin, type_: c_ast.Node) -> c_ast.Node:
        """The value after an update of an object of *type_* whose value was *old*."""
        if not self._symbols.is_pointer(type_):
            right: c_ast.Node = c_ast.Cast(build.typename(type_), operand)
            if builtin.op in "<>":
                return self._extreme(old, right, builtin)
            if builtin.op == "~&":
                return c_ast.UnaryOp("~", c_ast.BinaryOp("&", old, right))
            if builtin.op in "+-" and self._to.parameter(CHECKED):
                return self._wrapped(builtin.op, old, right, type_)
            return c_ast.BinaryOp(builtin.op, old, right)
        if builtin.scaled and builtin.op in "+-":
            return c_ast.BinaryOp(builtin.op, old, operand)
        if self._symbols.is_pointer(self._symbols.value_type(operand)):
            operand = c_ast.Cast(build.typename(basic("long")), operand)
        if builtin.op in "+-":
            left: c_ast.Node = c_ast.Cast(build.typename(pointer_to(basic("char"))), old)
            return c_ast.Cast(build.typename(type_), c_ast.BinaryOp(builtin.op, left, operand))
        word = build.typename(basic("unsigned long"))
        bits: c_ast.Node = c_ast.BinaryOp("&" if builtin.op == "~&" else builtin.op, c_ast.Cast(word, old), operand)
        return c_ast.Cast(build.typename(type_), c_ast.UnaryOp("~", bits) if builtin.op == "~&" else bits)

    @staticmethod
    def _extreme(old: c_ast.Node, right: c_ast.Node, builtin: AtomicBuiltin) -> c_ast.Node:
        """The larger or the smaller one of two values of one type."""
        sides = [old, right]
        if builtin.unsigned:  # widening with the sign keeps this order
            word = build.typename(basic("unsigned long long"))
            sides = [c_ast.Cast(word, side) for side in sides]
        return c_ast.TernaryOp(c_ast.BinaryOp(builtin.op, *sides), old, right)

    def _wrapped(self, op: str, old: c_ast.Node, right: c_ast.Node, type_: c_ast.Node) -> c_ast.Node:
        """The result of an update that wraps around, as built-ins do for signed types, too (C11 §7.17.7.5)."""
        kind = self._symbols.arithmetic(type_)
        if kind not in ("int", "long", "long long"):
            return c_ast.BinaryOp(op, old, right)
        word = build.typename(basic(f"unsigned {kind}"))
        return c_ast.Cast(build.typename(type_), c_ast.BinaryOp(op, c_ast.Cast(word, old), c_ast.Cast(word, right)))

    def _comparing(
        self, place: c_ast.Node, arguments: list[c_ast.Node], builtin: AtomicBuiltin, node: c_ast.FuncCall
    ) -> c_ast.Node:
        """Compare with what *expected* points to; if they differ, store the value that was found there."""
        expected = self.place(arguments[1])
        wanted = self._to.saved(expected)
        new = self._given(arguments[2], place, builtin)
        weak = self._symbols.constant_or_none(arguments[3])
        self._effects(arguments[3:])
        old, equal = self._compare_and_swap(place, wanted, new, node, weak=weak != 0)
        outer = self._to.enter()
        self._to.store(expected, old)
        differing = self._to.leave(outer)
        self._to.emit(build.branch(c_ast.UnaryOp("!", equal), differing, None, self._to.origin))
        return equal

    def _swapping(
        self, place: c_ast.Node, arguments: list[c_ast.Node], builtin: AtomicBuiltin, node: c_ast.FuncCall
    ) -> c_ast.Node:
        wanted = self._converted(arguments[1], place)
        new = self._given(arguments[2], place, builtin)
        self._effects(arguments[3:])
        old, equal = self._compare_and_swap(place, wanted, new, node, weak=False)
        return equal if builtin.value == "bool" else old

    def _compare_and_swap(
        self, place: c_ast.Node, wanted: c_ast.Node, new: c_ast.Node, node: c_ast.FuncCall, weak: bool
    ) -> tuple[c_ast.Node, c_ast.Node]:
        """Store *new* if the value at *place* is *wanted*; return the old value, and whether it was *wanted*.

        weak: it may fail even so (C11 §7.17.7.4), where that is asked for.
        """
        self.has_weak = self.has_weak or weak
        fails = self._any_truth() if weak and self._to.parameter(WEAK_FAILS) else None
        self._begin()
        old = self._load(place)
        same = self._same(old, wanted, self._symbols.type_of(place), node)
        if fails is not None:
            spurious = self._to.temporary(basic("int"), lexicon.WEAK)
            self._to.emit(build.assign(spurious, c_ast.BinaryOp("&&", same, fails), self._to.origin))
            same = c_ast.BinaryOp("&&", same, c_ast.UnaryOp("!", spurious))
        equal = self._keep(same, basic("int"))
        self._to.emit(build.branch(equal, [build.assign(place, new, self._to.origin)], None, self._to.origin))
        self._end()
        return old, equal

    def _same(self, one: c_ast.Node, other: c_ast.Node, type_: c_ast.Node, node: c_ast.FuncCall) -> c_ast.Node:
        """The condition that two values are equal; records by their members, because padding does not matter here."""
        record = self._symbols.record(type_)
        if self._symbols.arithmetic(type_) in _FLOATING or isinstance(record, c_ast.Union):
            raise UnsupportedError("a compare-exchange of a floating type or a union is not supported", node.coord)
        if record is None:
            return c_ast.BinaryOp("==", one, other)
        same: c_ast.Node | None = None
        scalars = self._copies.scalars.scalars
        plain = c_ast.TypeDecl(None, [], None, record)
        for left, right in zip(scalars(one, plain), scalars(other, plain), strict=True):
            equal = self._same(left, right, self._symbols.type_of(left), node)
            same = equal if same is None else c_ast.BinaryOp("&&", same, equal)
        return same or build.number(1)

    # Places and values

    def place(self, pointer: c_ast.Node) -> c_ast.Node:
        """What *pointer* points to, as an lvalue whose address has been computed."""
        type_ = self._symbols.element(self._symbols.type_of(pointer), pointer.coord)
        target = build.addressed(pointer)
        if target is not None and self._symbols.spelled(self._symbols.type_of(target)) == self._symbols.spelled(type_):
            return self._to.place(target)
        return self._to.place(c_ast.UnaryOp("*", pointer))

    def _flag(self, pointer: c_ast.Node) -> c_ast.Node:
        """The byte that *pointer*, of any pointer type, points to."""
        target = build.addressed(pointer)
        if target is not None:
            place: c_ast.Node | None = target
            while place is not None and (record := self._symbols.record(self._symbols.type_of(place))) is not None:
                parts = self._symbols.parts(record)
                first = parts[0] if parts else None
                named = first is not None and first[0] is not None and first[2].bitsize is None
                place = c_ast.StructRef(place, ".", build.ident(first[0])) if first and named and first[0] else None
            if place is not None and self._is_byte(place):
                return self._to.place(place)
        byte = build.typename(pointer_to(basic("unsigned char")))
        return self._to.place(c_ast.UnaryOp("*", c_ast.Cast(byte, pointer)))

    def _is_byte(self, place: c_ast.Node) -> bool:
        kind = self._symbols.arithmetic(self._symbols.type_of(place))
        return kind is not None and kind != "void" and self._symbols.model.size(kind) == 1

    def _given(self, argument: c_ast.Node, place: c_ast.Node, builtin: AtomicBuiltin) -> c_ast.Node:
        """The value to be stored at *place*."""
        if builtin.indirect:
            return self._to.saved(self.place(argument))
        return self._converted(argument, place)

    def _converted(self, argument: c_ast.Node, place: c_ast.Node) -> c_ast.Node:
        """The value of *argument*, converted to the type of *place*."""
        type_ = self._symbols.type_of(place)
        value = self._to.value(argument)
        if self._symbols.record(type_) is not None:
            return value
        if self._symbols.spelled(self._symbols.value_type(value)) == self._symbols.spelled(type_):
            return value
        return c_ast.Cast(build.typename(type_), value)

    # Single steps

    def _load(self, place: c_ast.Node) -> c_ast.ID:
        return self._keep(place, self._symbols.type_of(place))

    def _keep(self, value: c_ast.Node, type_: c_ast.Node) -> c_ast.ID:
        target = self._to.temporary(type_)
        self._access(build.assign(target, value, self._to.origin), value)
        return target

    def _store(self, place: c_ast.Node, value: c_ast.Node) -> None:
        self._access(build.assign(place, value, self._to.origin), place)

    def _access(self, statement: c_ast.Node, place: c_ast.Node) -> None:
        if not self._inside and self._to.visibility.is_visible(place):
            self._to.note_access(atomic=not self._is_plain, orders=self._orders)
        self._to.emit_all([statement])

    def _begin(self) -> None:
        self._to.note_access(atomic=True, orders=self._orders)
        self._to.emit(build.call(lexicon.ATOMIC_BEGIN, origin=self._to.origin))
        self._inside = True

    def _end(self) -> None:
        self._inside = False
        self._to.emit(build.call(lexicon.ATOMIC_END, origin=self._to.origin))


class WithoutAtomic(Rewriter):
    """Removes `_Atomic` from a tree: its meaning has been written as steps, and engines need not know it."""

    def _declarator(self, node: Any) -> Any:
        node = self.generic_visit(node)
        if "_Atomic" not in (node.quals or []):
            return node
        return rebuilt(node, quals=[word for word in node.quals if word != "_Atomic"])

    visit_TypeDecl = visit_PtrDecl = visit_Decl = visit_Typedef = visit_Typename = _declarator
