"""Blocks: the part of lowering that appends instructions, ends blocks, and finds the accesses of instructions."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import Const, Place
from cseq.modules.ir.instructions import Access, AccessKind, Instruction, Order, Terminator
from cseq.modules.ir.lower_objects import Objects
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Block, IfLayout, LabelLayout, LoopLayout, Template
from cseq.modules.ir.types import Array, Code, Pointer, Type
from cseq.modules.library import lexicon
from cseq.pipeline.translator import user_name


class BlockBuilder:
    """Builds the blocks of one function of the program of *objects*."""

    template: Template

    def __init__(self, objects: Objects) -> None:
        self._outer = objects
        self._program = objects.program
        self.symbols = objects.symbols
        self._types = objects.types
        self.pool = objects.pool
        self._locals: dict[str, Object] = {}
        self._declared: list[Object] = []
        self._blocks: list[Block] = []
        self._current: Block | None = None
        self._loop: int | None = None
        self._layout: list[int | IfLayout | LoopLayout | LabelLayout] = []
        self._marks: list[c_ast.FuncCall] = []
        self._names = 0

    # Locals

    def _declare(self, node: c_ast.Decl, storage: Storage | None = None) -> None:
        type_ = self._types.of(node.type)
        if storage is None:
            storage = Storage.TEMPORARY if user_name(node.name) is None else Storage.AUTO
            if "_Thread_local" in (node.storage or ()):
                storage = Storage.THREAD_LOCAL
        elif isinstance(type_, (Array, Code)):
            type_ = self._types.decayed(type_)
        made = self._outer.new_object(
            node.name,
            type_,
            storage,
            is_const=self.symbols.is_const(node.type),
            is_visible=self._outer.visibility.is_visible(c_ast.ID(node.name)),
            template=self.template.number,
            declaration=node,
        )
        self._locals[node.name] = made
        self._declared.append(made)

    def _temporary(self, type_: Type) -> Place:
        """A new local of a library function."""
        self._names += 1
        made = self._outer.new_object(
            f"__cs_part_{self._names}",
            type_,
            Storage.TEMPORARY,
            is_const=False,
            is_visible=False,
            template=self.template.number,
        )
        self._declared.append(made)
        return self.pool.variable(made)

    # Blocks

    def _start(self) -> Block:
        """Begin a block, into which the open one leads, if there is one; an open block that is empty is that block."""
        current = self._current
        if current is not None and not current.body:
            return current
        made = Block(len(self._blocks), self._loop)
        if current is not None:
            self._end(ir.Goto(made.number), listed=False)
        self._blocks.append(made)
        self._current = made
        return made

    def _fresh(self) -> Block:
        """Begin a block that nothing leads into yet."""
        assert self._current is None
        made = self._current = Block(len(self._blocks), self._loop)
        self._blocks.append(made)
        return made

    def _number(self, instruction: Instruction) -> None:
        instructions = self._program.instructions
        instruction.number = len(instructions)
        instructions.append(instruction)
        if self._marks:
            self._describe(instruction)
        if instruction.source is not None:
            self._program.numbers.setdefault(id(instruction.source), []).append(instruction.number)

    def _describe(self, instruction: Instruction) -> None:
        """Give *instruction* the marks before it."""
        instruction.marks = tuple(self._marks)
        self._marks.clear()
        access = instruction.access
        for mark in instruction.marks:
            name = mark.name.name
            if name == lexicon.COARSE:
                instruction.grain = mark.args.exprs[0].value[1:-1]
                instruction.access = None
            elif name == lexicon.ACCESS and access is not None and not build.is_constant(argument(mark), 0):
                order, _ = orders(mark)
                instruction.access = Access(access.kind, access.place, order, None, access.value)

    def _add(self, instruction: Instruction) -> None:
        """Append an instruction to the open block."""
        current = self._current
        if current is None:
            current = self._fresh()
        self._find_access(instruction)
        self._number(instruction)
        current.body.append(instruction)
        self._layout.append(instruction.number)

    def _end(self, terminator: Terminator, listed: bool = True) -> None:
        """End the open block. listed: whether the text has a statement for that, rather than just going on."""
        current = self._current
        if current is None:
            current = self._fresh()
        if listed:
            self._find_access(terminator)
        marks, self._marks = self._marks, self._marks if listed else []
        self._number(terminator)
        if not listed:
            self._marks = marks
        current.end = terminator
        self._current = None
        if listed and not isinstance(terminator, ir.Branch) and terminator.source is not None:
            self._layout.append(terminator.number)

    def _keep_marks(self) -> None:
        """Give marks that no statement follows an instruction of their own."""
        if self._marks:
            self._add(ir.Skip())

    def _find_access(self, instruction: Instruction) -> None:
        target = instruction.target()
        if isinstance(instruction, ir.Create):
            is_stored = not isinstance(instruction.handle, Const)  # a null pointer
            place = self.pool.deref(instruction.handle) if is_stored else None
            instruction.access = Access(AccessKind.CALL, place)
            return
        if isinstance(instruction, ir.Call):
            if isinstance(instruction, ir.Operation) and lexicon.is_step(instruction.function):
                instruction.access = self._call_access(instruction)
            return
        if target is not None and target.is_visible:
            value = instruction.value if isinstance(instruction, ir.Assign) else None
            instruction.access = Access(AccessKind.WRITE, target, value=value)
            return
        loads = instruction.loads
        if loads:
            instruction.access = Access(AccessKind.READ, loads[0])

    def _call_access(self, operation: ir.Operation) -> Access:
        position = next((act.argument for act in operation.acts if act.argument is not None), None)
        place = None
        if position is not None and position < len(operation.arguments):
            argument = operation.arguments[position]
            place = self.pool.deref(argument) if isinstance(argument.type, Pointer) else None
        return Access(AccessKind.CALL, place)


def orders(mark: Any) -> tuple[Order, Order]:
    """The memory order of an atomic access, and that of a compare-exchange that fails, from the mark before it."""
    _, *given = (int(each.value) for each in mark.args.exprs)
    found = [Order(value + 1) for value in given] or [Order.SEQ_CST]
    return found[0], found[-1]


def argument(mark: Any) -> c_ast.Node:
    """The argument of a call that describes a statement."""
    given: c_ast.Node = mark.args.exprs[0]
    return given
