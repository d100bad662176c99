"""Emitting: from the intermediate representation back to a tree of the core language.

What still has its source becomes that very node, so an unchanged function is the same object, and its text and line map
are the same. Everything else is written from the instructions: lowering that gives the same program again, up to
numbers (tests/differential/lowering.py).
"""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from typing import Any, ClassVar

from pycparser import c_ast

from cseq.c import build
from cseq.model.origin import Origin
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import Instruction
from cseq.modules.ir.lower_blocks import argument
from cseq.modules.ir.objects import Storage
from cseq.modules.ir.program import IfLayout, LabelLayout, Layout, LoopLayout, Program, SectionKind, Template
from cseq.modules.ir.types import Array, Code, Float, Int, Pointer, Record, Type, Void
from cseq.modules.library import lexicon

_OLD_MARKS = frozenset({lexicon.ACCESS, lexicon.COARSE})
"""Marks that are written from the instruction."""


class Form(Enum):
    """How much of the sources a tree is made of."""

    SAME = auto()
    """All: functions of which nothing has changed are the same objects as before."""
    STATEMENTS = auto()
    """Statements are; functions, and what contains statements, are written anew."""
    ANEW = auto()
    """Only declarations are."""


def emit(program: Program, form: Form = Form.SAME) -> c_ast.FileAST:
    """The tree of *program*."""
    return c_ast.FileAST(
        [_Writer(program, item, form).function() if isinstance(item, Template) else item for item in program.ordered]
    )


class _Writer:
    """Writes one template."""

    def __init__(self, program: Program, template: Template, form: Form) -> None:
        self._program = program
        self._template = template
        self._form = form
        self._texts = Texts(program)

    def function(self) -> c_ast.FuncDef:
        """The definition."""
        source = self._template.source
        assert source is not None
        if self._form is Form.SAME and not any(map(self._is_new, written(self._template.layout))):
            return source
        declarations = [each.declaration for each in self._template.locals if each.declaration is not None]
        items = [*declarations, *self._items(self._template.layout)]
        return c_ast.FuncDef(source.decl, source.param_decls, c_ast.Compound(items, source.body.coord), source.coord)

    def _is_new(self, number: int) -> bool:
        instruction = self._program.instructions[number]
        return instruction.source is None and not isinstance(instruction, ir.Skip)

    def _source(self, instruction: Instruction) -> Any:
        """The statement that *instruction* was lowered from, if it is used."""
        return None if self._form is Form.ANEW else instruction.source

    def _items(self, layout: Layout) -> list[c_ast.Node]:
        found: list[c_ast.Node] = []
        for item in layout:
            match item:
                case LabelLayout():
                    found.append(build.label(item.name, item.origin))
                case IfLayout():
                    found.extend(self._conditional(item))
                case LoopLayout():
                    found.extend(self._loop(item))
                case _:
                    found.extend(self._instruction(self._program.instructions[item]))
        return found

    def _conditional(self, item: IfLayout) -> list[c_ast.Node]:
        branch = self._program.instructions[item.number]
        assert isinstance(branch, ir.Branch)
        marks = self._marks(branch)
        source = self._source(branch)
        if source is not None and item.jump is not None:
            return [*marks, source]
        condition = source.cond if source is not None else self._texts.expression(branch.condition)
        if item.jump is not None:
            return [*marks, build.jump_if(condition, item.jump, branch.origin)]
        other = None if item.other is None else self._items(item.other)
        return [*marks, build.branch(condition, self._items(item.then), other, branch.origin)]

    def _loop(self, item: LoopLayout) -> list[c_ast.Node]:
        first = self._program.instructions[item.number]
        marks = self._marks(first)
        body = self._items(item.body)
        source = self._source(first)
        if source is not None:
            condition = source.cond
            trailing: list[c_ast.Node] = list(item.trailing)
        else:
            value = first.condition if isinstance(first, ir.Branch) else item.always
            assert value is not None
            claims = [argument(mark) for mark in first.marks if _is_inside(mark, first)]
            condition = self._texts.expression(value)
            condition = c_ast.ExprList([*claims, condition]) if claims else condition
            trailing = self._trailing(item, first)
        node = c_ast.While(condition, build.block([*body, *trailing], first.origin), first.origin)
        return [*marks, node]

    def _trailing(self, item: LoopLayout, first: Instruction) -> list[c_ast.Node]:
        """The marks at the end of the body of a loop, which describe its condition."""
        kept = [mark for mark in item.trailing if not build.is_call(mark, *_OLD_MARKS)]
        return [*kept, *(_access(first) if item.trailing else ())]

    def _marks(self, instruction: Instruction) -> list[c_ast.Node]:
        kept: list[c_ast.Node] = []
        kept += [mark for mark in instruction.marks if not _is_inside(mark, instruction)]
        if self._source(instruction) is not None or isinstance(instruction, ir.Skip):
            return kept
        kept = [mark for mark in kept if not build.is_call(mark, *_OLD_MARKS)]
        if instruction.grain is not None:
            text = c_ast.Constant("string", f'"{instruction.grain}"')
            kept.append(build.call(lexicon.COARSE, text, origin=instruction.origin))
        if isinstance(instruction, ir.Begin):
            section = self._program.sections[instruction.opens]
            if section.kind is not SectionKind.USER:
                kept.append(_mark(section.access, instruction, section.kind is SectionKind.RMW))
        elif self._is_alone(instruction):
            kept.extend(_access(instruction))
        return kept

    def _is_alone(self, instruction: Instruction) -> bool:
        """Whether an access is no part of a section that is one access."""
        number = instruction.section
        return number is None or self._program.sections[number].kind is not SectionKind.RMW

    def _instruction(self, instruction: Instruction) -> list[c_ast.Node]:
        marks = self._marks(instruction)
        if isinstance(instruction, ir.Skip):
            return marks
        source = self._source(instruction)
        if source is not None:
            return [*marks, source]
        return [*marks, self._METHODS[type(instruction)](self, instruction)]

    # Instructions

    def _assign(self, node: ir.Assign) -> c_ast.Node:
        return build.assign(self._texts.place(node.place), self._texts.expression(node.value), node.origin)

    def _into(self, place: ex.Place | None, call: c_ast.FuncCall, origin: Origin | None) -> c_ast.Node:
        """A call, whose value is stored in *place*."""
        return call if place is None else build.assign(self._texts.place(place), call, origin)

    def _whole(self, name: str, place: ex.Place, size: ex.Expr, origin: Origin | None) -> c_ast.FuncCall:
        address = self._texts.address(place)
        return build.call(name, address, self._texts.expression(size), origin=origin)

    def _input(self, node: ir.Input) -> c_ast.Node:
        if node.size is not None:
            return self._whole(lexicon.HAVOC, node.place, node.size, node.at)
        return self._into(node.place, build.call(lexicon.NONDET + node.kind, origin=node.at), node.origin)

    def _undefine(self, node: ir.Undefine) -> c_ast.Node:
        if node.size is not None:
            return self._whole(node.how, node.place, node.size, node.origin)
        return self._into(node.place, build.call(lexicon.NONDET + node.how), node.origin)

    def _zero(self, node: ir.Zero) -> c_ast.Node:
        return self._whole("__CSEQ_zero", node.place, node.size, node.origin)

    def _choose(self, node: ir.Choose) -> c_ast.Node:
        name = lexicon.SAMPLED if node.is_sampled else lexicon.CHOOSE
        return self._into(node.place, build.call(name, self._texts.expression(node.bound)), node.origin)

    def _lifetime(self, node: ir.Lifetime) -> c_ast.Node:
        name = lexicon.BEGINS if node.begins else lexicon.ENDS
        return build.call(name, self._texts.address(node.place), origin=node.origin)

    def _call(self, node: ir.Call) -> c_ast.Node:
        arguments = [self._texts.expression(argument) for argument in node.arguments]
        return self._into(node.result, build.call(node.function, *arguments, origin=node.origin), node.origin)

    def _create(self, node: ir.Create) -> c_ast.Node:
        handle, attributes, argument = (self._texts.expression(each) for each in node.operands())
        start = build.ident(node.start.name)
        call = build.call(lexicon.CREATE, handle, attributes, start, argument, origin=node.origin)
        return self._into(node.result, call, node.origin)

    def _claim(self, node: ir.Check | ir.CutUnless) -> c_ast.Node:
        name = lexicon.ASSERT if isinstance(node, ir.Check) else "__CSEQ_unwound"
        return self._keyed(name, self._texts.expression(node.condition), node.key, node.origin)

    def _keyed(self, name: str, condition: c_ast.Node, key: str, origin: Origin | None) -> c_ast.Node:
        return build.call(name, condition, c_ast.Constant("string", f'"{key}"'), origin=origin)

    def _failing(self, node: ir.Fail | ir.Abandon) -> c_ast.Node:
        name = lexicon.ASSERT if isinstance(node, ir.Fail) else "__CSEQ_unwound"
        return self._keyed(name, build.number(0), node.key, node.origin)

    def _assume(self, node: ir.Assume) -> c_ast.Node:
        return build.call(lexicon.ASSUME, self._texts.expression(node.condition), origin=node.origin)

    def _stop(self, node: ir.Stop) -> c_ast.Node:
        return build.call(lexicon.ASSUME, build.number(0), origin=node.origin)

    def _begin(self, node: ir.Begin) -> c_ast.Node:
        return build.call(lexicon.ATOMIC_BEGIN, origin=node.origin)

    def _end(self, node: ir.End) -> c_ast.Node:
        return build.call(lexicon.ATOMIC_END, origin=node.origin)

    def _goto(self, node: ir.Goto) -> c_ast.Node:
        return build.goto(self._template.blocks[node.to].labels[0], node.origin)

    def _return(self, node: ir.Return) -> c_ast.Node:
        return c_ast.Return(None if node.value is None else self._texts.expression(node.value), node.origin)

    def _thread_exit(self, node: ir.ThreadExit) -> c_ast.Node:
        assert node.value is not None
        return build.call(lexicon.EXIT, self._texts.expression(node.value), origin=node.origin)

    def _process_exit(self, node: ir.ProcessExit) -> c_ast.Node:
        return build.call(lexicon.STOP, origin=node.origin)

    _METHODS: ClassVar[dict[type, Callable[..., c_ast.Node]]] = {
        ir.Assign: _assign,
        ir.Input: _input,
        ir.Undefine: _undefine,
        ir.Zero: _zero,
        ir.Choose: _choose,
        ir.Lifetime: _lifetime,
        ir.Call: _call,
        ir.Operation: _call,
        ir.Create: _create,
        ir.Check: _claim,
        ir.CutUnless: _claim,
        ir.Assume: _assume,
        ir.Begin: _begin,
        ir.End: _end,
        ir.Goto: _goto,
        ir.Return: _return,
        ir.ThreadExit: _thread_exit,
        ir.ProcessExit: _process_exit,
        ir.Fail: _failing,
        ir.Abandon: _failing,
        ir.Stop: _stop,
    }


def written(layout: Layout) -> Iterator[int]:
    """The numbers of the instructions that are statements of the text, in order."""
    for item in layout:
        match item:
            case LabelLayout():
                continue
            case IfLayout():
                yield item.number
                yield from written(item.then)
                yield from written(item.other or ())
            case LoopLayout():
                yield item.number
                yield from written(item.body)
            case _:
                yield item


def _is_inside(mark: c_ast.Node, instruction: Instruction) -> bool:
    """Whether a mark is part of a loop's condition."""
    return isinstance(instruction.source, c_ast.While) and mark.coord is None and build.is_call(mark, lexicon.CHECKS)


def _access(instruction: Instruction) -> Iterable[c_ast.Node]:
    """The mark of an access that is atomic."""
    if instruction.access is not None and instruction.access.is_atomic:
        yield _mark(instruction.access, instruction, True)


def _mark(access: ir.Access | None, instruction: Instruction, is_atomic: bool) -> c_ast.FuncCall:
    """The mark of an access, with its memory orders unless they are seq_cst."""
    found = [] if access is None else [access.order, *([] if access.failure is None else [access.failure])]
    orders = [int(order) - 1 for order in found] if is_atomic and set(found) - {ir.Order.SEQ_CST} else []
    arguments = map(build.number, (int(is_atomic), *orders))
    return build.call(lexicon.ACCESS, *arguments, origin=instruction.origin)


class Texts:
    """Writes expressions, places and types as trees."""

    def __init__(self, program: Program) -> None:
        self._types = program.types

    # Expressions

    def expression(self, node: ex.Expr) -> c_ast.Node:
        """An expression that lowers to *node* again."""
        match node:
            case ex.Const():
                return self._constant(node)
            case ex.Read(place):
                return self.place(place)
            case ex.AddressOf(place):
                return self.address(place)
            case ex.Convert(operand):
                return c_ast.Cast(self.typename(node.type), self.expression(operand))
            case ex.Unary(op, operand):
                return c_ast.UnaryOp(op, self.expression(operand))
            case ex.PointerAdd(pointer, index, _):
                return c_ast.BinaryOp("+", self.expression(pointer), self.expression(index))
            case ex.PointerDiff(left, right, _):
                return c_ast.BinaryOp("-", self.expression(left), self.expression(right))
            case ex.Select(condition, then, other):
                return c_ast.TernaryOp(self.expression(condition), self.expression(then), self.expression(other))
            case ex.Setting(name):
                return build.ident(name)
            case ex.Compare() | ex.Logical() | ex.Pair():
                return c_ast.BinaryOp(node.op, self.expression(node.left), self.expression(node.right))
        raise TypeError(type(node).__name__)

    def _constant(self, node: ex.Const) -> c_ast.Node:
        type_ = node.type
        if isinstance(node.value, str):
            name = {32: "float", 64: "double"}.get(type_.width, "long double")  # type: ignore[attr-defined]
            return c_ast.Constant(name, node.value)
        if isinstance(type_, Int) and type_.width in (32, 64):
            suffix = ("" if type_.signed else "U") + ("" if type_.width == self._types.c_int.width else "LL")
            value = node.value
            least = type_.signed and value == -1 << (type_.width - 1)
            if not least:
                plain = c_ast.Constant(self._name(type_), f"{abs(value)}{suffix}")
                return plain if value >= 0 else c_ast.UnaryOp("-", plain)
        wide = c_ast.Constant("unsigned long long", f"{node.value & (1 << 64) - 1}ULL")
        return c_ast.Cast(self.typename(type_), wide)

    def place(self, place: ex.Place) -> c_ast.Node:
        """An lvalue that lowers to *place* again."""
        if place.parent is not None:
            base = self.place(place.parent)
            last = place.path[-1]
            if isinstance(last, ex.Index):
                return c_ast.ArrayRef(base, self.expression(last.value))
            return c_ast.StructRef(base, ".", build.ident(last.name))
        if isinstance(place.base, ex.Expr):
            return c_ast.UnaryOp("*", self.expression(place.base))
        if place.base.storage is Storage.STRING:
            return c_ast.Constant("string", place.base.name)
        return build.ident(place.base.name)

    def address(self, place: ex.Place) -> c_ast.Node:
        """The address of *place*."""
        if isinstance(place.base, ex.Expr) and not place.path:
            return self.expression(place.base)
        if isinstance(place.type, Code):
            return self.place(place)
        return c_ast.UnaryOp("&", self.place(place))

    # Types

    def _name(self, type_: Type) -> str:
        """The name of an arithmetic type, or of void."""
        match type_:
            case Void():
                return "void"
            case Float(width):
                return {32: "float", 64: "double"}.get(width, "long double")
            case Int(width, signed):
                names = {1: "_Bool", 8: "char", 16: "short", 32: "int", 64: "long long", 128: "__int128"}
                plain = names[width]
                if type_.is_bool or (signed and width != 8):
                    return plain
                return f"{'signed' if signed else 'unsigned'} {plain}"
        raise TypeError(type(type_).__name__)

    def declarator(self, type_: Type, name: str | None = None) -> c_ast.Node:
        """A declarator of this type."""
        match type_:
            case Pointer(to):
                return c_ast.PtrDecl([], self.declarator(to, name))
            case Array(element, length):
                dim = None if length is None else build.number(length)
                return c_ast.ArrayDecl(self.declarator(element, name), dim, [])
            case Code(result, parameters):
                given: list[Any] = [build.typename(self.declarator(part)) for part in parameters or ()]
                if parameters is not None and not given:
                    given = [build.typename(self.declarator(self._types.void))]
                if type_.is_variadic:
                    given.append(c_ast.EllipsisParam())
                arguments = c_ast.ParamList(given) if given else None
                return c_ast.FuncDecl(arguments, self.declarator(result, name))
            case Record():
                keyword, _, tag = type_.tag.partition(" ")
                made = c_ast.Union(tag, None) if keyword == "union" else c_ast.Struct(tag, None)
                return c_ast.TypeDecl(name, [], None, made)
        return c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(self._name(type_).split()))

    def typename(self, type_: Type) -> c_ast.Typename:
        """The type name, for a cast."""
        return build.typename(self.declarator(type_))
