"""Sorting and searching with a function of the user's: loops whose statements others can notice one by one."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.modules.analysis.mentions import function_name
from cseq.modules.core.writing import Writing
from cseq.modules.library import stubs
from cseq.modules.library.clibrary import SORTS, SWAP
from cseq.modules.library.linking import behind_scoper

_SIZE = basic("unsigned long")
_Call = Callable[[c_ast.FuncCall, bool], c_ast.Node | None]


class SortWriter:
    """Writes calls of `qsort`, `qsort_r` and `bsearch` into the output of *to*; *call* writes a call in them.

    The order of equal elements stays, as with glibc, and `bsearch` looks at the elements that glibc's looks at. How
    often a loop runs depends on the number of elements and on nothing else, so loops can be unrolled exactly.
    """

    def __init__(self, to: Writing, symbols: Symbols, call: _Call) -> None:
        self._to = to
        self._symbols = symbols
        self._call = call
        self.needed: list[c_ast.Node] = []
        """Library functions that the written calls need."""

    def call(self, name: str, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Emit a call, and return its value. NotImplemented for other functions."""
        arguments = list(node.args.exprs) if node.args else []
        if name not in SORTS or len(arguments) != SORTS[name]:
            return NotImplemented  # type: ignore[no-any-return]
        if name == "bsearch":
            return self._search(arguments, node)
        self._sort(arguments, node)
        return build.number(0) if wanted else None

    def _sort(self, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> None:
        elements = self._elements(arguments[0], arguments[2])
        count = self._kept(arguments[1])
        compare = self._function(arguments[3])
        further = [self._to.saved(self._to.value(argument)) for argument in arguments[4:]]
        sorted_, at, moves = (self._to.temporary(type_) for type_ in (_SIZE, _SIZE, basic("int")))
        before = c_ast.BinaryOp("-", at, build.number(1))

        def exchange() -> None:
            self._to.emit(build.assign(moves, c_ast.BinaryOp(">", order(), build.number(0)), self._to.origin))
            self._branch(moves, lambda: elements.exchange(before, at))

        def order() -> c_ast.Node:
            return self._compared(compare, [elements.address(before), elements.address(at), *further], node)

        def inner() -> None:
            self._branch(moves, exchange)
            self._step(at, "-")

        def outer() -> None:
            self._to.emit(build.assign(at, sorted_, self._to.origin))
            self._to.emit(build.assign(moves, build.number(1), self._to.origin))
            self._loop(c_ast.BinaryOp(">", at, build.number(0)), inner)
            self._step(sorted_, "+")

        self._to.emit(build.assign(sorted_, build.number(1), self._to.origin))
        self._loop(c_ast.BinaryOp("<", sorted_, count), outer)

    def _search(self, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> c_ast.Node:
        key = self._to.saved(self._to.value(arguments[0]), pointer_to(basic("void")))
        elements = self._elements(arguments[1], arguments[3])
        count = self._kept(arguments[2])
        compare = self._function(arguments[4])
        low, high, middle, left = (self._to.temporary(_SIZE) for _ in range(4))
        order, found = self._to.temporary(basic("int")), self._to.temporary(pointer_to(basic("void")))

        def assign(place: c_ast.Node, value: c_ast.Node) -> c_ast.Node:
            return build.assign(place, value, self._to.origin)

        def look() -> None:
            half = c_ast.BinaryOp("/", c_ast.BinaryOp("+", low, high), build.number(2))
            self._to.emit(assign(middle, half))
            self._to.emit(assign(order, self._compared(compare, [key, elements.address(middle)], node)))
            after = assign(low, c_ast.BinaryOp("+", middle, build.number(1)))
            here = assign(found, elements.address(middle))
            for operator, then in (("<", assign(high, middle)), (">", after), ("==", here)):
                cond = c_ast.BinaryOp(operator, order, build.number(0))
                self._to.emit(build.branch(cond, [then], None, self._to.origin))

        def body() -> None:
            nothing = c_ast.BinaryOp("==", found, build.number(0))
            self._branch(c_ast.BinaryOp("&&", c_ast.BinaryOp("<", low, high), nothing), look)
            self._to.emit(assign(left, c_ast.BinaryOp("/", left, build.number(2))))

        for place, value in ((low, build.number(0)), (high, count), (left, count), (found, build.number(0))):
            self._to.emit(assign(place, value))
        self._loop(c_ast.BinaryOp(">", left, build.number(0)), body)
        return found

    # Parts

    def _elements(self, base: c_ast.Node, size: c_ast.Node) -> _Elements:
        place = build.uncast(base)
        type_ = self._symbols.value_type(place)
        known = self._symbols.constant_or_none(size)
        if self._symbols.is_pointer(type_) and known is not None:
            element = self._symbols.unqualified(self._symbols.element(type_))
            if not self._symbols.is_void(element) and self._symbols.sizeof(element) == known:
                array = self._to.saved(self._to.value(place), pointer_to(element))
                return _Elements(self._to, array, element)
        self.needed = self.needed or behind_scoper([stubs.items()[SWAP]])
        array = self._to.saved(self._to.value(base), pointer_to(basic("char")))
        return _Elements(self._to, array, None, self._kept(size))

    def _kept(self, count: c_ast.Node) -> c_ast.Node:
        known = self._symbols.constant_or_none(count)
        return build.number(known) if known is not None else self._to.saved(self._to.value(count), _SIZE)

    def _function(self, argument: c_ast.Node) -> c_ast.Node:
        name = function_name(argument)
        if name is not None and name in self._symbols.functions:
            return build.ident(name)
        return self._to.saved(self._to.value(argument))

    def _compared(self, compare: c_ast.Node, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> c_ast.Node:
        value = self._call(c_ast.FuncCall(compare, c_ast.ExprList(arguments), node.coord), True)
        assert value is not None
        return value

    def _branch(self, cond: c_ast.Node, write: Callable[[], None]) -> None:
        self._to.emit(build.branch(cond, self._written(write), None, self._to.origin))

    def _loop(self, cond: c_ast.Node, write: Callable[[], None]) -> None:
        body = build.block(self._written(write), self._to.origin)
        self._to.emit(c_ast.While(cond, body, self._to.origin))

    def _written(self, write: Callable[[], None]) -> list[c_ast.Node]:
        outer = self._to.enter()
        write()
        return self._to.leave(outer)

    def _step(self, place: c_ast.Node, operator: str) -> None:
        self._to.emit(build.assign(place, c_ast.BinaryOp(operator, place, build.number(1)), self._to.origin))


class _Elements:
    """The elements of an array. type_: None where it is not known; then *size* is the number of bytes of each."""

    def __init__(self, to: Writing, array: c_ast.ID, type_: c_ast.Node | None, size: c_ast.Node | None = None) -> None:
        self._to = to
        self._array = array
        self._type = type_
        self._size = size

    def address(self, index: c_ast.Node) -> c_ast.Node:
        """The address of an element, as a pointer to void."""
        offset = index if self._size is None else c_ast.BinaryOp("*", index, self._size)
        return c_ast.Cast(build.typename(pointer_to(basic("void"))), c_ast.BinaryOp("+", self._array, offset))

    def exchange(self, one: c_ast.Node, other: c_ast.Node) -> None:
        """Write the exchange of two elements: what is known to be of a type, access by access."""
        if self._type is None or self._size is not None:
            arguments = (self.address(one), self.address(other), self._size or build.number(0))
            self._to.emit(build.call(SWAP, *arguments, origin=self._to.origin))
            return
        places = [c_ast.ArrayRef(self._array, index) for index in (one, other)]
        kept = [self._to.temporary(self._type) for _ in places]
        for target, place in zip(kept, places, strict=True):
            self._to.store(target, place)
        for place, value in zip(places, reversed(kept), strict=True):
            self._to.store(place, value)
