"""Cleanup handlers (pthread_cleanup_push and pthread_cleanup_pop): their part of the linearizer.

Push and pop are in the same block, so the handler applies to the text between them. A thread that ends in between jumps
to a place after the pop, and continues from there to the next handler outwards:

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

The marks are for the inliner, which knows the exits of the functions that are called in between. Any other exit, by
`return` or a jump, is undefined (POSIX.1-2017, pthread_cleanup_pop), and is reported.
"""

from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import Visitor
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.errors import InputError
from cseq.modules.analysis.mentions import function_name
from cseq.modules.core.writing import Writing
from cseq.modules.library import lexicon

PUSH, POP = "__cs_cleanup_push", "__cs_cleanup_pop"
BEGIN, END, UNWIND = "__CSEQ_cleanup", "__CSEQ_cleaned", "__CSEQ_unwind"


def label_of(number: int) -> str:
    """The label to jump to if a thread ends between the push and the pop with this number."""
    return f"__cs_cleanup_{number}"


class Region(NamedTuple):
    """The region between a push and its pop in one activation of a function.

    label: the target of exits. owner: the suffix of the activation's labels. inside: the labels in the region.
    """

    label: str
    owner: str
    inside: frozenset[str]

    def is_left(self, target: str, owner: str) -> bool:
        """Whether a jump to the label *target* of the activation *owner* leaves the region, which is undefined."""
        return owner == self.owner and target not in self.inside


def labels_inside(body: c_ast.Compound) -> dict[int, frozenset[str]]:
    """The labels between each push and pop of a function in the core language, by the number of the push."""
    finder = _Labels()
    finder.visit(body)
    return {number: frozenset(labels) for number, labels in finder.found.items()}


class _Labels(Visitor):
    """Notes each label for all pushes that are open there; nodes are visited in the order of the text."""

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
    """Writes pushes and pops into the output of the three-address stage *to*."""

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
