"""What a statement accesses that other threads can notice, as calls that report it to an explicit-state engine."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import clibrary, lexicon, primitives, stubs

TOUCH = "__CSEQ_touches"
READ, WRITE, ATOMIC, EVERYTHING, SECTION = 1, 2, 4, 8, 32
"""The kinds of accesses in `backends/explorer/interface.h`."""

_PER_THREAD = {"__cs_active": READ, "__cs_finished": READ, "__cs_detached": READ | WRITE, "__cs_joined": READ | WRITE}
"""What functions about one thread touch: arrays with an element per thread.

A thread's return value is stored before the thread is marked as ended, and read after the mark has been seen.
"""
_INDEXED = re.compile(r"\b(__cs_\w+)\[([^]]*)\]")
_COPIES = {"memcpy": READ, "memmove": READ, "memset": 0}
"""Functions that write as many bytes as their third argument says, and their access to what the second points to."""


class StepAccesses:
    """Computes what statements of a unit in the core language touch.

    memory: whether it matters at the end of the process which blocks there are.
    """

    def __init__(self, symbols: Symbols, visibility: Visibility, memory: bool = False) -> None:
        self._memory = memory
        self._symbols = symbols
        self._visibility = visibility

    def of(self, node: c_ast.Node | None) -> list[c_ast.Node]:
        """What the evaluation of an expression touches."""
        return [self._touch(load, READ) for load in self._visibility.loads(node)]

    def of_target(self, node: c_ast.Assignment) -> list[c_ast.Node]:
        """What storing to the target of an assignment touches, without the value."""
        touched = [self._touch(load, READ) for load in self._visibility.address_loads(node.lvalue)]
        if self._visibility.is_visible(node.lvalue):
            touched.append(self._touch(node.lvalue, WRITE if node.op == "=" else READ | WRITE))
        return touched

    def of_call(self, call: c_ast.FuncCall) -> list[c_ast.Node]:
        """What a call touches of a function that the user does not define."""
        name = call.name.name
        arguments = call.args.exprs if call.args else []
        touched = [touch for argument in arguments for touch in self.of(argument)]
        target = build.addressed(arguments[0]) or arguments[0] if name in lexicon.WHOLE else None
        if target is not None and not (name == lexicon.UNDEFINE and self._is_local(target)):
            return [*touched, *self._bytes(arguments[0], arguments[1], WRITE)] if self._visible(target) else touched
        if self._memory and name in lexicon.LOCAL and name != lexicon.UNDEFINE:
            own = c_ast.BinaryOp("+", build.ident("__cs_heap_units"), build.ident(lexicon.THREAD))
            return [*touched, _call(own, build.number(1), WRITE)]
        if name in lexicon.LOCAL or name in primitives.SUCCEEDS:
            return touched
        if name in _COPIES:
            touched += self._bytes(arguments[0], arguments[2], WRITE)
            return touched + (self._bytes(arguments[1], arguments[2], READ) if _COPIES[name] else [])
        if not lexicon.is_library(name):
            return [*touched, self.everything()]
        if _is_of_one_thread(name):
            touched += [self._element(array, arguments[0], kind) for array, kind in _PER_THREAD.items()
                        if array in self._symbols.types]  # fmt: skip
            return touched + self._pointed(arguments[1:])
        objects = [name for name in sorted(stubs.objects(name)) if name in self._symbols.types]
        touched += [self._touch(build.ident(each), READ | WRITE | ATOMIC) for each in objects]
        return touched + self._pointed(arguments, clibrary.is_modelled(name))

    def _is_local(self, target: c_ast.Node) -> bool:
        """Whether *target* is a local, or a part of one, by its name: where that has no value yet, its life begins."""
        place: Any = target
        while isinstance(place, c_ast.ArrayRef) or (isinstance(place, c_ast.StructRef) and place.type == "."):
            place = place.name
        return isinstance(place, c_ast.ID) and place.name in self._symbols.locals

    def of_creation(self, call: c_ast.FuncCall) -> list[c_ast.Node]:
        """What pthread_create touches: the numbers of threads, of which it takes the next."""
        _, _, _, value = call.args.exprs
        if "__cs_same_as" in self._symbols.types:  # the identifier may be that of a thread that was joined before
            return [*self.of(value), self.everything()]
        numbers = self._touch(build.ident("__cs_active"), READ | WRITE | ATOMIC)
        return [*self.of(value), numbers, *self._pointed(call.args.exprs[:2])]

    def of_end(self) -> c_ast.Node:
        """What the end of the thread touches."""
        ended = c_ast.ArrayRef(build.ident("__cs_finished"), build.ident(lexicon.THREAD))
        return self._touch(ended, WRITE | ATOMIC)

    def everything(self) -> c_ast.Node:
        """The mark of a statement whose accesses are unknown, or that concerns all threads."""
        return _call(build.number(0), build.number(0), READ | WRITE | ATOMIC | EVERYTHING)

    def _visible(self, node: c_ast.Node) -> bool:
        return self._visibility.is_visible(node) or self._visibility.reaches_others(node)

    def _touch(self, place: Any, kind: int) -> c_ast.Node:
        while self._symbols.bit_field(place) is not None:
            place = place.name if place.type == "." else c_ast.UnaryOp("*", place.name)
        return _call(c_ast.UnaryOp("&", place), c_ast.UnaryOp("sizeof", place), kind)

    def _element(self, array: str, thread: c_ast.Node, kind: int) -> c_ast.Node:
        place = c_ast.ArrayRef(build.ident(array), build.call("__CSEQ_of", thread))
        return self._touch(place, kind | ATOMIC)

    def _bytes(self, pointer: c_ast.Node, size: c_ast.Node, kind: int) -> list[c_ast.Node]:
        return [_call(pointer, size, kind)] if self._visibility.reaches_others(pointer) else []

    def _pointed(self, arguments: Iterable[c_ast.Node], follows: bool = False) -> list[c_ast.Node]:
        """What the library touches through the pointers that it is given.

        follows: it also follows the pointers there, as `strsep` does.
        """
        touched: list[c_ast.Node] = []
        for argument in arguments:
            if build.is_constant(build.uncast(argument), 0) or not self._visibility.reaches_others(argument):
                continue
            if isinstance(build.uncast(argument), c_ast.Constant):
                continue
            type_: Any = self._symbols.resolve(self._symbols.value_type(argument))
            if not isinstance(type_, c_ast.PtrDecl) or self._symbols.is_void(type_.type):
                return [self.everything()]
            if self._symbols.arithmetic(type_.type) in ("char", "signed char", "unsigned char"):
                return [self.everything()]  # a string, of any length
            if follows and (self._symbols.is_pointer(type_.type) or self._is_incomplete(type_.type)):
                return [self.everything()]
            if isinstance(self._symbols.resolve(type_.type), c_ast.FuncDecl):
                continue
            place = c_ast.UnaryOp("*", argument)
            size = c_ast.UnaryOp("sizeof", place)
            touched.append(_call(argument, size, READ | WRITE | ATOMIC))
        return touched

    def _is_incomplete(self, type_: c_ast.Node) -> bool:
        record: Any = self._symbols.record(type_)
        return record is not None and record.decls is None


@cache
def _is_of_one_thread(function: str) -> bool:
    """Whether the library's *function* inspects one thread, its first argument, and no other."""
    if stubs.parameters(function)[:1] not in (["pthread_t thread"], ["thrd_t thread"]):
        return False
    indices = {index for _, index in _INDEXED.findall(stubs.items()[function].text)}
    return indices == {"thread - 1"} and stubs.objects(function) <= {*_PER_THREAD, "__cs_result"}


def _call(at: c_ast.Node, size: c_ast.Node, kind: int) -> c_ast.Node:
    return build.call(TOUCH, at, size, build.number(kind))
