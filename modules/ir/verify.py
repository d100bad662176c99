"""The rules of the intermediate representation, and a check that a program keeps them.

V1   A block has one terminator, whose targets exist; edges back lead to the heads of loops only.
V2   Operands and results have the types that the expressions and instructions state.
V3   An instruction makes at most one visible access, unless it is in a section, is coarse, or is a call.
V4   The access that an instruction notes is the one in its expressions.
V5   What may not be evaluated, in `&&`, `||` and `?:`, reads nothing visible.
V6   Neither do the arguments of calls, nor the place of their result. A call that enters a template assigns its
     parameters one by one, so each argument may make one visible access.
V7   The sections that are open do not depend on the path, but for sections of the user's, which are marked then. A
     section that is one access has no loop.
V8   A local is used in its own template only.
V9   An input has a place in the program; an undefined scalar has none.
V10  A creation names a template of a thread.
V11  Only library functions wait; they do not call each other in a circle.
V12  The layout has each written instruction once, in the order of the text.

The library's functions are one step, so V3 to V7 do not apply to them.
"""

from collections.abc import Iterator

from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.emit import written
from cseq.modules.ir.instructions import AccessKind, Instruction
from cseq.modules.ir.objects import Storage
from cseq.modules.ir.program import Kind, Program, SectionKind, Template
from cseq.modules.ir.types import Array, Code, Float, Int, Pointer, Record, Type, Void
from cseq.modules.library import lexicon


class VerificationError(Exception):
    """A program breaks rules; the message has one line for each time."""


def verify(program: Program) -> None:
    """Raise VerificationError if *program* breaks a rule."""
    found = list(violations(program))
    if found:
        raise VerificationError("\n".join(found))


def violations(program: Program) -> Iterator[str]:
    """Each time that *program* breaks a rule: which, and where."""
    yield from _Expressions(program).found()
    for template in list(program.templates):
        for rule, number, text in _Function(program, template).found():
            yield f"{rule}: {template.name}: {'' if number is None else f'#{number}: '}{text}"
    yield from _circles(program)


class _Expressions:
    """V2 and V5, once per expression and place."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._types = program.types

    def found(self) -> Iterator[str]:
        for number, node in enumerate(self._program.expressions.all):
            if node.number != number:
                yield f"V2: the expression {number} has the number {node.number}"
            if not self._is_typed(node):
                yield f"V2: {type(node).__name__} {number} has operands of the wrong type"
        for place in self._program.expressions.places:
            if not self._is_place(place):
                yield f"V2: the place {place.number} has a path of the wrong type"

    def _is_typed(self, node: ex.Expr) -> bool:
        match node:
            case ex.Read(place):
                return node.type is place.type and not isinstance(place.type, (Array, Code, Void))
            case ex.AddressOf(place):
                return isinstance(node.type, Pointer) and node.type.to is place.type
            case ex.Convert(operand):
                return _is_scalar(operand.type) and (_is_scalar(node.type) or isinstance(node.type, Void))
            case ex.Unary("!", operand):
                return node.type is self._types.c_int and _is_scalar(operand.type)
            case ex.Unary(op, operand):
                return operand.type is node.type and isinstance(node.type, (Int,) if op == "~" else (Int, Float))
            case ex.Binary("<<" | ">>", left, right):
                return left.type is node.type and isinstance(left.type, Int) and isinstance(right.type, Int)
            case ex.Binary(_, left, right):
                return left.type is node.type and right.type is node.type and isinstance(node.type, (Int, Float))
            case ex.Compare(_, left, right):
                return node.type is self._types.c_int and left.type is right.type and _is_scalar(left.type)
            case ex.Logical(_, left, right):
                return node.type is self._types.c_int and _is_scalar(left.type) and _is_scalar(right.type)
            case ex.PointerAdd(pointer, index, stride):
                pointed = pointer.type
                return (
                    node.type is pointed
                    and isinstance(pointed, Pointer)
                    and (pointed.to.size == stride and index.type is self._types.offset)
                )
            case ex.PointerDiff(left, right, _):
                return left.type is right.type and isinstance(left.type, Pointer)
            case ex.Select(condition, then, other):
                return _is_scalar(condition.type) and then.type is node.type and other.type is node.type
        return True

    def _is_place(self, place: ex.Place) -> bool:
        type_: Type = place.base.type
        if isinstance(place.base, ex.Expr):
            if not isinstance(type_, Pointer):
                return False
            type_ = type_.to
        for part in place.path:
            if isinstance(part, ex.Index):
                if not isinstance(type_, Array) or part.value.type is not self._types.offset:
                    return False
                type_ = type_.element
            else:
                if part.record is not type_ or not isinstance(type_, Record):
                    return False
                type_ = part.type
        return type_ is place.type


def _is_scalar(type_: Type) -> bool:
    return isinstance(type_, (Int, Float, Pointer))


class _Function:
    """The rules about one template."""

    def __init__(self, program: Program, template: Template) -> None:
        self._program = program
        self._template = template

    def found(self) -> Iterator[tuple[str, int | None, str]]:
        """The rules that are broken, with the instructions that do."""
        yield from self._edges()
        for instruction in self._template.instructions():
            for rule, text in self._instruction(instruction):
                yield rule, instruction.number, text
            if self._template.kind is not Kind.STEP:
                for rule, text in self._accesses(instruction):
                    yield rule, instruction.number, text
        if self._template.kind is not Kind.STEP:
            yield from self._sections()
            yield from self._layout()

    def _edges(self) -> Iterator[tuple[str, int | None, str]]:
        blocks = self._template.blocks
        for number, block in enumerate(blocks):
            if block.number != number:
                yield "V1", None, f"the block {number} has the number {block.number}"
            for instruction in block.body:
                if isinstance(instruction, ir.Terminator):
                    yield "V1", instruction.number, "a terminator in the middle of a block"
            for to in block.end.successors():
                if not 0 <= to < len(blocks):
                    yield "V1", block.end.number, f"there is no block {to}"
                elif to <= number and blocks[to].loop != to:
                    yield "V1", block.end.number, f"a jump back to block {to}, which is no loop's head"
                elif number not in blocks[to].predecessors:
                    yield "V1", block.end.number, f"block {to} does not know its predecessor {number}"

    def _instruction(self, instruction: Instruction) -> Iterator[tuple[str, str]]:
        if self._program.instructions[instruction.number] is not instruction:
            yield "V1", "another instruction has its number"
        match instruction:
            case ir.Assign(place, value) if place.type is not value.type:
                yield "V2", "the value has another type than the target"
            case ir.Return(value) if value is not None:
                expected = self._program.types.void_pointer if isinstance(instruction, ir.ThreadExit) else None
                if value.type is not (expected or self._template.result):
                    yield "V2", "the value has another type than the function's result"
            case ir.Input(_, _, None) if instruction.at is None:
                yield "V9", "an input without a place"
            case ir.Create(start, _) if start.storage is not Storage.CODE or (
                self._kind_of(start.name) not in (Kind.THREAD, None)
            ):
                yield "V10", f"`{start.name}` is no template of a thread"
            case ir.Wait() if self._template.kind is not Kind.STEP:
                yield "V11", "a wait outside of the library"
            case ir.Call(function) if type(instruction) is ir.Call and self._kind_of(function) is None:
                yield "V11", f"there is no template `{function}`"
        for place in _places(instruction):
            object_ = place.object
            if object_ is not None and object_.template not in (None, self._template.number):
                yield "V8", f"`{object_.name}` belongs to another template"

    def _kind_of(self, name: str) -> Kind | None:
        template = self._program.by_name.get(name)
        if template is not None:
            return template.kind
        return Kind.STEP if name in self._program.steps else None

    def _accesses(self, instruction: Instruction) -> Iterator[tuple[str, str]]:
        target = instruction.target()
        loads = instruction.loads
        if isinstance(instruction, (ir.Call, ir.Create)):
            is_user_s = type(instruction) is ir.Call
            most = max((len(each.loads) for each in instruction.operands()), default=0)
            if most > (1 if is_user_s else 0) or (target is not None and target.loads):
                yield "V6", "an argument reads shared memory"
            if target is not None and target.is_visible and not is_user_s and not _is_new(instruction):
                yield "V6", "the result is stored in shared memory"
            return
        count = len(loads) + (target is not None and target.is_visible)
        access = instruction.access
        if count > 1 and instruction.grain is None and not self._is_in_section(instruction):
            yield "V3", f"{count} visible accesses"
        if instruction.grain is None:
            if (access is None) != (count == 0):
                yield "V4", "the access is not the one in the expressions"
            elif access is not None and access.place not in (target, *loads):
                yield "V4", "the access is to another place"
            elif access is not None and (access.kind is AccessKind.WRITE) != (access.place is target):
                yield "V4", "the access is of another kind"
        for operand in instruction.operands():
            if _reads_lazily(operand):
                yield "V5", "what may not be evaluated reads shared memory"

    def _is_in_section(self, instruction: Instruction) -> bool:
        return instruction.section is not None

    def _sections(self) -> Iterator[tuple[str, int | None, str]]:
        for block in self._template.blocks:
            for instruction in block.instructions():
                if isinstance(instruction, ir.Begin):
                    section = self._program.sections[instruction.opens]
                    if section.is_dynamic and section.kind is not SectionKind.USER:
                        yield "V7", instruction.number, "what is in a section that is one access depends on the path"
                number = instruction.section
                if number is None or self._program.sections[number].kind is SectionKind.USER:
                    continue
                if instruction is block.end and any(to <= block.number for to in block.end.successors()):
                    yield "V7", instruction.number, "a loop in a section that is one access"

    def _layout(self) -> Iterator[tuple[str, int | None, str]]:
        numbers = list(written(self._template.layout))
        if numbers != sorted(set(numbers)):
            yield "V12", None, "the layout is not in the order of the text"
        expected = {each.number for each in self._template.instructions() if each.source is not None}
        for number in expected - set(numbers):
            yield "V12", number, "the layout lacks it"


def _is_new(instruction: Instruction) -> bool:
    """Whether the call only touches memory that no other thread knows, or none, so that the store is its access."""
    return isinstance(instruction, ir.Operation) and instruction.function in lexicon.LOCAL


def _places(instruction: Instruction) -> Iterator[ex.Place]:
    """All places in an instruction."""
    todo: list[ex.Expr] = list(instruction.operands())
    target = instruction.target()
    if target is not None:
        yield target
        todo.extend(target.operands())
    if isinstance(instruction, ir.Lifetime):
        yield instruction.place
    while todo:
        node = todo.pop()
        if isinstance(node, (ex.Read, ex.AddressOf)):
            yield node.place
        todo.extend(node.operands())


def _reads_lazily(node: ex.Expr) -> bool:
    """Whether there is an operand in *node* that may not be evaluated, and reads shared memory."""
    if not node.loads:
        return False
    if isinstance(node, ex.Logical) and node.right.loads:
        return True
    if isinstance(node, ex.Select) and (node.then.loads or node.other.loads):
        return True
    return any(map(_reads_lazily, node.operands()))


def _circles(program: Program) -> Iterator[str]:
    """V11 for the library functions that have been lowered."""
    calls = {
        template.name: {each.function for each in template.instructions() if isinstance(each, ir.Call)}
        for template in program.templates
        if template.kind is Kind.STEP
    }
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> Iterator[str]:
        if name in above:
            yield f"V11: {name}: it calls itself"
        elif name in calls and name not in done:
            for other in sorted(calls[name]):
                yield from visit(other, (*above, name))
            done.add(name)

    for name in calls:
        yield from visit(name, ())
