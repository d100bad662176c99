"""Cleanup handlers (pthread_cleanup_push and pthread_cleanup_pop): the linearizer's part for them.

The two stand in one block, so what is between them in the text is what the handler is for. Where a thread ends in
between, it jumps to a place behind the pop, from which the way leads to the next handler outwards:

    argument = a;                        pthread_cleanup_push(f, a)
    __CSEQ_cleanup(1);
    …
    __CSEQ_cleaned(1);                   pthread_cleanup_pop(execute)
    if (execute) f(argument);
    goto __cs_clean_1;
    __cs_cleanup_1: ;
    f(argument);
    __CSEQ_unwind();
    __cs_clean_1: ;

The marks are the inliner's: it knows the ways out of the functions that are called in between. Any other way out, by
`return` or a jump, is undefined (POSIX.1-2017, pthread_cleanup_pop), and reported.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.base.errors import InputError
from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.modules.analysis.mentions import function_name
from cseq.modules.core.writing import Writing
from cseq.modules.library import lexicon

PUSH, POP = "__cs_cleanup_push", "__cs_cleanup_pop"
BEGIN, END, UNWIND = "__CSEQ_cleanup", "__CSEQ_cleaned", "__CSEQ_unwind"


def label_of(number: int) -> str:
    """The place to go to where a thread ends between the push and the pop with this number."""
    return f"__cs_cleanup_{number}"


class Region(NamedTuple):
    """What stands between a push and its pop, in one activation of a function.

    label: the way out. owner: the suffix of the activation's labels. inside: the labels in it.
    """

    label: str
    owner: str
    inside: frozenset[str]

    def is_left(self, target: str, owner: str) -> bool:
        """Whether a jump to the label *target* of the activation *owner* leads out of it, which C gives no meaning."""
        return owner == self.owner and target not in self.inside


def labels_inside(body: c_ast.Compound) -> dict[int, frozenset[str]]:
    """The labels between each push and pop of a function in the core language, by the number of the push."""
    finder = _Labels()
    finder.visit(body)
    return {number: frozenset(labels) for number, labels in finder.found.items()}


class _Labels(c_ast.NodeVisitor):
    """Note each label for all pushes that are open where it stands; the order of the text is that of the visit."""

    def __init__(self) -> None:
        self.found: dict[int, set[str]] = {}
        self._open: list[int] = []

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        if node.name.name == BEGIN:
            number = int(node.args.exprs[0].value)
            self.found[number] = set()
            self._open.append(number)
        elif node.name.name == END:
            self._open.pop()

    def visit_Label(self, node: c_ast.Label) -> None:
        for number in self._open:
            self.found[number].add(node.name)


class CleanupWriter:
    """Writes pushes and pops into what the linearizer *to* is writing."""

    def __init__(self, to: Writing, symbols: Symbols) -> None:
        self._to = to
        self._symbols = symbols
        self._open: list[tuple[int, c_ast.Node, c_ast.Node]] = []
        self._pushed = 0

    def call(self, name: str, node: c_ast.FuncCall) -> Any:
        """Emit a push or a pop; NotImplemented for other functions."""
        if name == PUSH:
            self._push(*node.args.exprs)
        elif name == POP:
            self._pop(node)
        else:
            return NotImplemented
        return None

    def _push(self, routine: c_ast.Node, argument: c_ast.Node) -> None:
        self._pushed += 1
        name = function_name(routine)
        known = name in self._symbols.functions or name in lexicon.MODELLED
        handler = c_ast.ID(name) if known else self._to.saved(self._to.value(routine))
        given = self._to.saved(self._to.value(argument), pointer_to(basic("void")))
        self._open.append((self._pushed, handler, given))
        self._to.emit(build.call(BEGIN, build.number(self._pushed), origin=self._to.origin))

    def _pop(self, node: c_ast.FuncCall) -> None:
        if not self._open:
            raise InputError("pthread_cleanup_pop without pthread_cleanup_push", node.coord)
        number, handler, given = self._open.pop()
        origin = self._to.origin
        call = c_ast.FuncCall(handler, c_ast.ExprList([given]), node.coord)
        execute = self._to.one_load(node.args.exprs[0])
        self._to.emit(build.call(END, build.number(number), origin=origin))
        known = self._symbols.constant_or_none(execute)
        if known is None:
            self._to.emit(build.branch(execute, self._to.effects(call), None, origin))
        elif known:
            self._to.effect(call)
        self._to.emit(build.goto(f"__cs_clean_{number}", origin))
        self._to.emit(build.label(label_of(number), origin))
        self._to.effect(call)
        self._to.emit(build.call(UNWIND, origin=origin))
        self._to.emit(build.label(f"__cs_clean_{number}", origin))
