"""The demands of memory accesses (C11 §6.5.3.2, §6.5.6): the property valid-memsafety."""

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Claim, Kind, Reason
from cseq.modules.core.undefined_behaviour.evaluation import Demand, Evaluation
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import with_reusing
from cseq.options.properties import DEREF, FREE

VALID = "__CSEQ_valid"
"""Whether some bytes at an address may be accessed. Arguments include the pointer, and the number of the demand."""

VALID_INSIDE = "__CSEQ_valid_inside"
"""The same for accesses by a library function, which may be repeated."""

FREEABLE = "__CSEQ_freeable"
"""Whether a pointer is one that `malloc` returned for a block that has not been freed."""

_RANGES: dict[str, tuple[tuple[int, str], ...]] = {
    "memcpy": ((1, "read"), (0, "write")), "memmove": ((1, "read"), (0, "write")), "memset": ((0, "write"),),
    "__CSEQ_copy": ((1, "read"), (0, "write")), "__CSEQ_move": ((1, "read"), (0, "write")),
    "__CSEQ_fill": ((0, "write"),), **dict.fromkeys(lexicon.WHOLE, ((0, "write"),)),
}  # fmt: skip
"""Functions whose last argument is the number of bytes that they access: the positions of the pointers to them."""

_FREEING = with_reusing("free") | {"__CSEQ_size"}
"""Functions whose argument is a block to be freed."""


class Accesses(Evaluation):
    """Pointers that lead to existing objects, subscripts within their arrays, blocks that can be freed.

    An object called by its name exists. Whether a pointer's target exists is decided by a primitive of the engine.
    in_library: the library's own arrays and objects are not checked, and the object that a parameter points to is
    checked once, as a whole.
    """

    def __init__(self, symbols: Symbols, in_library: bool = False) -> None:
        super().__init__(symbols)
        self._in_library = in_library
        self._valid = VALID_INSIDE if in_library else VALID

    # Objects

    def access(self, node: c_ast.Node, kind: str) -> Iterator[Demand]:
        """The subscripts on the way to *node* are within their arrays, and the object that contains it exists."""
        place: Any = node
        followed: c_ast.Node | None = None  # the pointer that leads to the object
        subscripts: list[Demand] = []
        while followed is None:
            match place:
                case c_ast.ArrayRef() if self.symbols.is_array(self.symbols.type_of(place.name)):
                    demand = self._subscript(place)
                    subscripts += [demand] if demand else []
                    if not self._in_library and not demand and self._length(place.name) is None:
                        followed = place.name  # an array that is declared without its length
                    place = place.name
                case c_ast.ArrayRef():
                    followed = place.name
                    if not self.symbols.is_pointer(self.symbols.type_of(followed)):
                        followed = place.subscript
                case c_ast.StructRef(type="->"):
                    followed = place.name
                case c_ast.StructRef():
                    place = place.name
                case c_ast.UnaryOp(op="*"):
                    followed = place.expr
                case _:
                    break  # an object that is called by its name, or a string
        yield from reversed(subscripts)
        if followed is not None:
            yield self._there(node, followed, kind)

    def _there(self, node: c_ast.Node, followed: c_ast.Node, kind: str) -> Demand:
        target = node
        if self.symbols.bit_field(node) is not None:  # which has no address of its own
            assert isinstance(node, c_ast.StructRef)
            target = c_ast.UnaryOp("*", node.name) if node.type == "->" else node.name
        if self._in_library and isinstance(node, c_ast.StructRef) and isinstance(followed, c_ast.ID):
            target = c_ast.UnaryOp("*", followed)
        size = c_ast.UnaryOp("sizeof", target)
        claim = Claim(Kind.MEMSAFETY, Reason(kind))
        return Demand(claim, node, build.call(self._valid, followed, c_ast.UnaryOp("&", target), size), DEREF)

    def _length(self, array: c_ast.Node) -> int | None:
        """The declared length of an array; None if it may be longer, or is unknown."""
        type_: Any = self.symbols.resolve(self.symbols.type_of(array))
        length = None if type_.dim is None else self.symbols.constant_or_none(type_.dim)
        if length is not None and length <= 1 and isinstance(array, c_ast.StructRef):
            return None  # possibly the last member of a struct with extra memory after it
        return length

    def _subscript(self, node: c_ast.ArrayRef) -> Demand | None:
        if self._in_library:
            return None
        length = self._length(node.name)
        if length is None:
            return None
        known = self.symbols.constant_or_none(node.subscript)
        if known is not None and 0 <= known < length:
            return None
        cond: c_ast.Node = build.number(0)
        if known is None:  # a negative value becomes a large unsigned one
            index = c_ast.Cast(build.typename(basic("unsigned long long")), node.subscript)
            cond = c_ast.BinaryOp("<", index, build.number(length))
        return Demand(Claim(Kind.MEMSAFETY, Reason.INDEX, size=length), node, cond, DEREF)

    # Functions

    def operation(self, node: c_ast.Node) -> Iterator[Demand]:
        """The demands of functions that the engine knows; functions that are modelled in C are checked there."""
        if not isinstance(node, c_ast.FuncCall):
            return
        name = node.name.name
        arguments = node.args.exprs if node.args else []
        for position, kind in _RANGES.get(name, ()):
            pointer, size = arguments[position], arguments[-1]
            if _is_whole(pointer, size):
                continue
            byte = c_ast.Cast(build.typename(pointer_to(basic("char"))), pointer)
            there: c_ast.Node = build.call(self._valid, pointer, byte, size)
            called = "" if name.startswith("__CSEQ_") else name
            known = self.symbols.constant_or_none(size)
            claim = Claim(Kind.MEMSAFETY, Reason(kind), function=called, is_range=True, size=known)
            if not known:
                there = c_ast.BinaryOp("||", c_ast.BinaryOp("==", size, build.number(0)), there)
            yield Demand(claim, pointer, there, DEREF)
        if name in _FREEING:
            null = c_ast.BinaryOp("==", arguments[0], build.number(0))
            freeable = build.call(FREEABLE, arguments[0])
            claim = Claim(Kind.MEMSAFETY, Reason.FREE)
            yield Demand(claim, arguments[0], c_ast.BinaryOp("||", null, freeable), FREE)


def _is_whole(pointer: c_ast.Node, size: c_ast.Node) -> bool:
    """Whether a range is the whole of an object that is called by its name."""
    target = pointer.expr if isinstance(pointer, c_ast.UnaryOp) and pointer.op == "&" else pointer
    return isinstance(size, c_ast.UnaryOp) and isinstance(target, c_ast.ID) and target == size.expr
