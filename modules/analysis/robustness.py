"""Whether all executions of a program under the memory orders of C11 are sequentially consistent, by a static argument.

If no execution under sequential consistency has a data race on anything but seq_cst accesses, weaker orders count as
none, then RC11 has no other executions (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, theorem 3). So it is enough
that accesses with weaker orders, and those that are not atomic, never meet a conflicting one: the analysis of movers
knows that of what is under one lock, or of one thread alone.

Counters may have any order. If all that threads do with an object while others may exist is to add to it, and no
thread looks at what was there, the updates can be left out of an execution, and put back in any order.

Under-approximates. The calls of the library that count have to be those that only synchronise.
"""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c.datamodel import DataModel
from cseq.c.symbols import Symbols
from cseq.modules.analysis.dataflow import LimitReachedError
from cseq.modules.analysis.movers import Movers
from cseq.modules.analysis.thread_steps import ACQUIRES, CONDITION_ENDS, JOINS, RELEASES, SIGNALS, SLEEPS, WAKES
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import AddressOf, Binary, Convert, Expr, Read
from cseq.modules.ir.instructions import AccessKind, Instruction, Order
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Kind, Program, SectionKind
from cseq.modules.ir.types import Int, Type

_SYNCHRONISES = (
    frozenset(ACQUIRES) | RELEASES | SIGNALS | SLEEPS | WAKES | CONDITION_ENDS | {
        "pthread_mutex_init", "pthread_mutex_destroy", "mtx_init", "mtx_destroy", "pthread_cond_init", "cnd_init",
    }
)  # fmt: skip
_HARMLESS = JOINS | {"malloc", "calloc", "free", "sched_yield", "thrd_yield"}
_OURS = "__CSEQ_"
_COMMUTES = {"+": "+", "-": "+", "|": "|", "&": "&", "^": "^"}
"""The operators of updates, by what commutes."""


def is_robust(program: Program) -> bool:
    """Whether it is certain that *program*, as the inliner leaves it, has only sequentially consistent executions."""
    try:
        return _Robustness(program).holds()
    except LimitReachedError:
        return False


def is_robust_tree(tree: c_ast.FileAST, model: DataModel) -> bool:
    """The same of the program's *tree*."""
    symbols = Symbols(tree, model)
    return is_robust(lower(tree, symbols, Visibility(symbols, tree)))


class _Robustness:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._movers = Movers(program)
        threads = [each for each in program.templates if each.kind is Kind.THREAD]
        self._instructions = [
            instruction
            for template in threads
            for block in template.blocks
            for instruction in block.instructions()
            if self._movers.is_reached(instruction.number)
        ]
        self._counters = dict(self._find_counters())

    def holds(self) -> bool:
        """Whether each access is seq_cst, or meets no other one, or is to a counter."""
        if not self._instructions:
            return False
        strong = [each for each in self._instructions if self._is_strong(each)]
        return all(map(self._is_harmless, self._instructions)) and not self._has_mixed_sizes(strong)

    def _is_harmless(self, instruction: Instruction) -> bool:
        match instruction:
            case ir.CutUnless() | ir.Abandon():
                return False  # what comes after it is not known
            case ir.Call(function) if function in _SYNCHRONISES:
                return True
            case ir.Call(function) if function not in _HARMLESS and not function.startswith(_OURS):
                return False
        if instruction.grain is not None:
            return False
        if self._is_strong(instruction) or self._movers.is_alone(instruction.number):
            return True
        return self._is_counted(instruction)

    def _is_strong(self, instruction: Instruction) -> bool:
        """Whether it is an atomic access that is seq_cst, also where it fails."""
        access = instruction.access
        if access is None or access.kind is AccessKind.CALL or access.order is not Order.SEQ_CST:
            return False
        if instruction.section is None:
            return True
        section = self._program.sections[instruction.section]
        is_one = section.kind is SectionKind.RMW and not section.is_dynamic and section.access is not None
        return is_one and section.access is not None and section.access.failure in (None, Order.SEQ_CST)

    def _has_mixed_sizes(self, strong: list[Instruction]) -> bool:
        """Whether seq_cst accesses of different sizes may meet."""
        sizes = {each.number: each.access.size for each in strong if each.access is not None}
        return any(sizes[a] != sizes[b] and self._movers.may_meet(a, b) for a in sizes for b in sizes if a < b)

    # Counters

    def _is_counted(self, instruction: Instruction) -> bool:
        """Whether all accesses that it may meet are updates that commute with it."""
        op = self._counters.get(instruction.number)
        return op is not None and all(
            self._counters.get(each.number) == op
            for each in self._instructions
            if self._movers.may_meet(instruction.number, each.number)
        )

    def _find_counters(self) -> Iterator[tuple[int, str]]:
        """The numbers of the accesses of updates whose values nothing uses, with what they commute with."""
        inside: dict[int, list[Instruction]] = {}
        for instruction in self._instructions:
            if instruction.section is not None and instruction.access is not None:
                inside.setdefault(instruction.section, []).append(instruction)
        uses = list(map(_used, self._instructions))
        for number, accesses in inside.items():
            section = self._program.sections[number]
            if section.kind is not SectionKind.RMW or section.is_dynamic or len(accesses) != 2:
                continue
            found = _update(*accesses)
            if found is not None and sum(found[0] in each for each in uses) == 1:
                yield from ((each.number, found[1]) for each in accesses)


def _update(load: Instruction, store: Instruction) -> tuple[Object, str] | None:
    """The local that has the old value and what the update commutes with, of ``old = x; x = old op …``; else None."""
    match load, store:
        case ir.Assign(place, Read(source)), ir.Assign(target, value) if source is target and not place.path:
            value = _unconverted(value)
            if not (isinstance(value, Binary) and value.op in _COMMUTES and _wraps(target.type) and _wraps(value.type)):
                return None
            left, old = _unconverted(value.left), place.object
            if isinstance(left, Read) and left.place is place and old is not None and not old.is_visible:
                return None if old in _objects([value.right]) else (old, _COMMUTES[value.op])
    return None


def _unconverted(node: Expr) -> Expr:
    """*node* without conversions between integers, all of which count modulo a power of two."""
    while isinstance(node, Convert) and _wraps(node.type) and _wraps(node.operand.type):
        node = node.operand
    return node


def _wraps(type_: Type) -> bool:
    """Whether numbers of the type count modulo a power of two."""
    return isinstance(type_, Int) and not type_.is_bool


def _used(instruction: Instruction) -> set[Object]:
    """The objects that an instruction reads, or whose addresses it takes."""
    target = instruction.target()
    return _objects([*instruction.operands(), *(target.operands() if target is not None else ())])


def _objects(todo: list[Expr]) -> set[Object]:
    """The objects that expressions read, or whose addresses they take."""
    found: set[Object] = set()
    while todo:
        node = todo.pop()
        if isinstance(node, (Read, AddressOf)) and node.place.object is not None:
            found.add(node.place.object)
        todo += node.operands()
    return found
