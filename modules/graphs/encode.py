"""Write a program for the explorer of execution graphs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pycparser import c_ast

from cseq.c import print_unit
from cseq.c.symbols import Symbols
from cseq.model.claims import Claim, Kind
from cseq.model.errors import UnsupportedError
from cseq.model.origin import LineMap
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.graphs.loops import Loop, Loops
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import AccessKind, Instruction, Order
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program, SectionKind, Template
from cseq.modules.ir.types import Float, Int, Pointer, Type
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import REUSING
from cseq.options.properties import DEADLOCK, PROPERTY
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.stage import Unit
from cseq.pipeline.translator import Translator, rebuilt, user_name

PROGRAM = Fact[tuple[Program, Symbols]]("graphs_program")
"""The program whose instructions the explorer's answers name, and its declarations."""

_POINTERS_SIZE = 8
_SECTION = "__cs_fresh"

_PRELUDE = f"""\
#include "interface.h"
typedef unsigned long __cs_ul;
#define {lexicon.THREADS} 16
#define {lexicon.FREED} 1
#define __cs_FRESH static __attribute__((section("{_SECTION}"), aligned(16)))
static int __cs_is_written(const char *at, __cs_ul size, __cs_ul locals)
{{
    for (__cs_ul i = 0; i < size; i++)
        if (at[locals + i])
            return 0;
    return 1;
}}
static void __cs_fill(char *at, __cs_ul size, int value)
{{
    while (size-- > 0)
        *at++ = value;
}}
static void __cs_copy(char *to, const char *from, __cs_ul size)
{{
    while (size-- > 0)
        *to++ = *from++;
}}
#define __cs_READ(type, at, where) ({{ char *__cs_at = (char *)(at); \\
    if (!__cs_is_written(__cs_at, sizeof(type), sizeof __cs_l[0])) \\
        __CSEQ_refuse("a variable that may not have been written is read", where); *(type *)__cs_at; }})
#define __cs_WRITE(type, at, value) ({{ char *__cs_to = (char *)(at); type __cs_value = (value); \\
    *(type *)__cs_to = __cs_value; __cs_fill(__cs_to + sizeof __cs_l[0], sizeof(type), 0); }})
#define __cs_LOAD(type, at, order, where) ({{ \\
    __CSEQ_word __cs_word = __CSEQ_load((const void *)(at), sizeof(type), order, where); \\
    *(type *)&__cs_word; }})
#define __cs_STORE(type, at, order, value, where) ({{ char *__cs_to = (char *)(at); type __cs_value = (value); \\
    __CSEQ_word __cs_word = 0; *(type *)&__cs_word = __cs_value; \\
    __CSEQ_store(__cs_to, sizeof(type), order, __cs_word, where); }})
#define __cs_INDEX(index, length, where) ({{ long __cs_index = (index); \\
    if (__cs_index < 0 || __cs_index >= (length)) \\
        __CSEQ_refuse("an index outside of its array", where); __cs_index; }})
#define __cs_READY(mutex) (((const pthread_mutex_t *)(mutex))->__cs_state == 1 && \\
    ((const pthread_mutex_t *)(mutex))->__cs_type == 0)
"""

_NOTHING = frozenset({
    lexicon.ACCESS, lexicon.BEGINS, lexicon.ENDS, lexicon.SHOW, "__CSEQ_may_hang", "__CSEQ_may_wait", "__CSEQ_again",
    "__CSEQ_dozes", "__CSEQ_contends", "sched_yield", "thrd_yield",
})  # fmt: skip
"""Calls that have no effect here."""

_OTHER_PROPERTIES = frozenset({Kind.MEMSAFETY, Kind.OVERFLOW})


class NotFollowedError(UnsupportedError):
    """The program has something that this family does not follow."""


class GraphsEncoder(Translator):
    """in: the core language without calls. out: a program for the explorer of execution graphs.

    What the family does not follow is refused by name.
    """

    takes = (PROPERTY,)
    program = Gives(PROGRAM)

    def translate(self, tree: c_ast.FileAST) -> Unit:
        """Write the declarations, and a function for each thread."""
        symbols = Symbols(tree, self.context.model)
        if self.context.model.pointer != _POINTERS_SIZE:
            raise NotFollowedError("a program for 32 bits", None)
        program = lower(tree, symbols, Visibility(symbols, tree))
        self.program = program, symbols
        text, _ = print_unit(c_ast.FileAST(list(_declarations(program))))
        whole = [_PRELUDE, text, *_Writer(program, self.parameter(PROPERTY)).lines()]
        return Unit(text="\n".join(whole) + "\n", linemap=LineMap([]))


def _declarations(program: Program) -> Iterator[c_ast.Node]:
    """What is declared outside of functions; objects are static, as their names may be those of the explorer's."""
    for node in program.ordered:
        if isinstance(node, (Template, c_ast.FuncDef)):
            continue
        if isinstance(node, c_ast.Decl) and node.name:
            if isinstance(node.type, c_ast.FuncDecl):
                continue
            yield rebuilt(node, storage=["static"])
        else:
            yield node


def type_text(type_: Type) -> str:
    """The C type of a scalar."""
    match type_:
        case Int(width, _) if type_.is_bool:
            return "_Bool"
        case Int(width, signed) if width <= 64:
            name = {8: "char", 16: "short", 32: "int", 64: "long"}[width]
            return f"{'signed' if signed else 'unsigned'} {name}"
        case Float(64):
            return "double"
        case Float(32):
            return "float"
        case Pointer():
            return "__cs_ul"
    raise NotFollowedError(f"a value of the type `{type_}`", None)


class _Writer:
    """Writes the threads of *program*."""

    def __init__(self, program: Program, property_: str) -> None:
        self._program = program
        self._property = property_
        self._starts: dict[str, int] = {"main": 0}
        self._where = 0
        self._loops = 0
        self._instruction: Instruction
        self._template: Template
        self._fences: set[int] = set()

    def lines(self) -> Iterator[str]:
        """The functions of the threads, and the one that chooses between them."""
        program = self._program
        if "main" not in program.by_name:
            raise NotFollowedError("a program without main", None)
        for creation in program.creations:
            self._starts.setdefault(creation.start.name, len(self._starts))
        for name in self._starts:
            if name not in program.by_name:
                raise NotFollowedError(f"the start function `{name}`", None)
            yield from self._function(program.by_name[name])
        started = {program.by_name[name].number for name in self._starts}
        yield "const struct __CSEQ_object __CSEQ_objects[] = {"
        for each in program.objects:
            if each.storage is Storage.STATIC:
                yield f'{{"{each.name}", &{each.name}, sizeof {each.name}}},'
            elif each.storage is Storage.THREAD_LOCAL and each.is_visible and each.template in started:
                name = f"__cs_v{each.number}"
                yield f'{{"{name}", &{name}, sizeof {name}}},'
        yield "{0, 0, 0}};"
        yield "__CSEQ_word __CSEQ_thread(unsigned __cs_function, __CSEQ_word __cs_argument)"
        yield "{"
        for name, number in self._starts.items():
            yield f"if (__cs_function == {number}) return __cs_thread_{name}(__cs_argument);"
        yield "return 0;"
        yield "}"

    def _function(self, template: Template) -> Iterator[str]:
        self._template = template
        program = self._program
        own = [*template.parameters, *template.locals]
        for each in own:
            if each.storage is Storage.THREAD_LOCAL and each.is_visible:
                yield f"static {_declared(each, f'__cs_v{each.number}[16]')}"
                yield from self._initialised(each)
            elif each.is_visible:
                yield f"__cs_FRESH {_declared(each, f'__cs_v{each.number}[16]')}"
        yield f"static __CSEQ_word __cs_thread_{template.name}(__CSEQ_word __cs_argument)"
        yield "{"
        yield "struct { char __cs_first;"
        for each in own:
            if not each.is_visible:
                yield _declared(each, f"__cs_l{each.number}")
        yield "} __cs_l[2];"
        yield "__cs_fill((char *)__cs_l, sizeof __cs_l, 0);"
        for parameter in template.parameters:
            if parameter.is_visible:
                raise self._refused(f"the address of the parameter `{parameter.name}`", None)
            text = type_text(parameter.type)
            yield f"__cs_WRITE({text}, &__cs_l[0].__cs_l{parameter.number}, ({text})__cs_argument);"
        for each in template.locals:
            if each.storage is Storage.THREAD_LOCAL and not each.is_visible:
                at, size = f"(char *)&__cs_l[0].__cs_l{each.number}", max(each.type.size, 1)
                yield f"__cs_fill({at} + sizeof __cs_l[0], {size}, 0);"
                for place, value in program.initial(each):
                    yield f"__cs_WRITE({type_text(place.type)}, {self.address(place)}, {self.value(value)});"
        self._fences = {
            one.opens
            for block in template.blocks
            for one, after in pairwise(block.body)
            if isinstance(one, ir.Begin) and isinstance(after, ir.End)
        }
        loops = Loops(template, self._text)
        for block in template.blocks:
            yield f"__cs_b{block.number}:;"
            for index, instruction in enumerate(block.instructions()):
                self._instruction = instruction
                self._where = instruction.number
                if loop := loops.at.get((block.number, index)):
                    yield from self._repeated(loop)
                if loop := loops.entered.get((block.number, index)):
                    yield f"goto __cs_again{loop.number};"
                    break
                if instruction.grain is not None:
                    raise self._refused("a statement that is several accesses", None)
                yield from self._statement(instruction, block.loop is not None)
        self._loops += len(loops.at)
        yield "return 0;"
        yield "}"

    def _text(self, instruction: Instruction) -> str:
        self._instruction = instruction
        self._where = 0
        return "\n".join(self._statement(instruction, True))

    def _repeated(self, loop: Loop) -> Iterator[str]:
        """The place that each iteration passes, where locals that nothing reads any more are cleared."""
        yield f"__cs_again{loop.number}:;"
        for each in loop.dead:
            at, size = f"(char *)&__cs_l[0].__cs_l{each.number}", max(each.type.size, 1)
            yield f"__cs_fill({at}, {size}, 0); __cs_fill({at} + sizeof __cs_l[0], {size}, 1);"
        yield f"__CSEQ_loop({self._loops + loop.number}, __cs_l, sizeof __cs_l, {self._where});"

    def _initialised(self, each: Object) -> Iterator[str]:
        """What gives each thread's copy of a thread-local object that others may access its first values."""
        yield f"__attribute__((constructor)) static void __cs_initial_{each.number}(void)"
        yield "{"
        yield "for (unsigned __cs_number = 0; __cs_number < 16; __cs_number++) {"
        for place, value in self._program.initial(each):
            at = self.address(place).replace("__CSEQ_self()", "__cs_number")
            yield f"*({type_text(place.type)} *){at} = {self.value(value)};"
        yield "}"
        yield "}"

    def _refused(self, what: str, node: Instruction | None) -> NotFollowedError:
        where = node if node is not None else getattr(self, "_instruction", None)
        return NotFollowedError(what, where.origin if where is not None else None)

    # Instructions

    def _statement(self, node: Instruction, in_loop: bool) -> Iterator[str]:
        match node:
            case ir.Skip():
                pass
            case ir.Assign(place, value):
                yield self._assigned(place, value)
            case ir.Undefine(place, how, _):
                yield from self._undefined(place, how, in_loop)
            case ir.Zero(place, size) if self._is_own(place):
                yield f"__cs_fill({self.address(place)}, {self.value(size)}, 0);"
                yield f"__cs_fill({self.address(place)} + sizeof __cs_l[0], {self.value(size)}, 0);"
            case ir.Input(place, "bool", None):
                yield self._stored(place, f"__CSEQ_choice(2, {self._where})")
            case ir.Input():
                raise self._refused("an input", node)
            case ir.Choose(place, bound):
                yield self._stored(place, f"__CSEQ_choice({self.value(bound)}, {self._where})")
            case ir.Lifetime():
                pass
            case ir.Create():
                yield from self._created(node)
            case ir.Call():
                yield from self._called(node)
            case ir.Check(condition, key):
                yield f"if (!({self.value(condition)})) {self._failed(key)}"
            case ir.Assume(condition):
                yield f"if (!({self.value(condition)})) __CSEQ_drop();"
            case ir.CutUnless(condition, _):
                yield f"if (!({self.value(condition)})) __CSEQ_cut({self._where});"
            case ir.Begin(opens):
                yield from self._begun(opens)
            case ir.End():
                yield from self._ended(node)
            case ir.Goto(to):
                yield f"goto __cs_b{to};"
            case ir.Branch(condition, then, other):
                yield f"if ({self.value(condition)}) goto __cs_b{then}; else goto __cs_b{other};"
            case ir.Return(value):
                if isinstance(node, ir.ThreadExit) and self._template.name == "main" and self._property == DEADLOCK:
                    raise self._refused("the end of main's thread before that of the process", node)
                result = "0" if value is None or not isinstance(value.type, (Int, Pointer)) else self.value(value)
                yield f"return (__CSEQ_word)({result});"
            case ir.ProcessExit():
                yield "__CSEQ_exit();"
            case ir.Stop():
                yield "__CSEQ_drop();"
            case ir.Fail(key):
                yield self._failed(key)
            case ir.Abandon():
                yield f"__CSEQ_cut({self._where});"
            case _:
                raise self._refused(f"a statement ({type(node).__name__})", node)

    def _failed(self, key: str) -> str:
        if Claim.of(key).kind in _OTHER_PROPERTIES:
            raise self._refused("a claim about memory or arithmetic", None)
        return f"__CSEQ_violate({self._where});"

    def _assigned(self, place: ex.Place, value: ex.Expr) -> str:
        if isinstance(place.type, (Int, Float, Pointer)):
            return self._stored(place, self.value(value))
        if isinstance(value, ex.Read) and self._is_own(place) and self._is_own(value.place):
            to, source, size = self.address(place), self.address(value.place), place.type.size
            shadow = "sizeof __cs_l[0]"
            return f"__cs_copy({to}, {source}, {size}); __cs_copy({to} + {shadow}, {source} + {shadow}, {size});"
        raise self._refused("a copy of a structure", None)

    def _stored(self, place: ex.Place, value: str) -> str:
        """The statement that stores a value, which is text, at *place*."""
        if place.bits is not None:
            raise self._refused("a bit-field", None)
        text = type_text(place.type)
        if self._is_own(place):
            return f"__cs_WRITE({text}, {self.address(place)}, ({text})({value}));"
        access = self._instruction.access
        order = Order.PLAIN
        if access is not None and access.kind in (AccessKind.WRITE, AccessKind.UPDATE) and access.place is place:
            order = access.order
        return f"__cs_STORE({text}, {self.address(place)}, {int(order)}, ({text})({value}), {self._where});"

    def _undefined(self, place: ex.Place, how: str, in_loop: bool) -> Iterator[str]:
        if self._is_own(place):
            size = place.type.size
            yield f"__cs_fill({self.address(place)}, {size}, 0);"
            yield f"__cs_fill({self.address(place)} + sizeof __cs_l[0], {size}, 1);"
        elif how == lexicon.FRESH:
            pass  # memory that was allocated just now is not written yet
        elif place.object is None or not place.object.is_local or in_loop:
            raise self._refused("an object without a value", None)

    def _created(self, node: ir.Create) -> Iterator[str]:
        if not (isinstance(node.attributes, ex.Const) and node.attributes.value == 0):
            raise self._refused("the attributes of a thread", node)
        number = self._starts[node.start.name]
        yield "{"
        argument = self.value(node.argument)
        yield f"unsigned __cs_number = __CSEQ_create({number}, (__CSEQ_word)({argument}), {self._where});"
        if not isinstance(node.handle, ex.Const):
            yield self._stored(self._program.expressions.deref(node.handle), "__cs_number + 1")
        if node.result is not None:
            yield self._stored(node.result, "0")
        yield "}"

    def _called(self, node: ir.Call) -> Iterator[str]:
        name, arguments = node.function.removesuffix(REUSING), [self.value(each) for each in node.arguments]
        where = self._where
        result = "0"
        if name in _NOTHING or name.startswith("__CSEQ_may"):
            if node.result is None:
                return
        elif name in ("pthread_join", "thrd_join"):
            joined = f"__CSEQ_join({arguments[0]} - 1, {where})"
            pointer = node.arguments[1]
            if isinstance(pointer, ex.Const) and pointer.value == 0:
                yield f"{joined};"
            else:
                yield f"{{ __CSEQ_word __cs_result = {joined};"
                yield self._stored(self._program.expressions.deref(pointer), "__cs_result")
                yield "}"
        elif name in ("pthread_self", "thrd_current"):
            result = "__CSEQ_self() + 1"
        elif name == "malloc":
            result = f"(__cs_ul)__CSEQ_allocate({arguments[0]}, {int(name != node.function)}, {where})"
        elif name == "free":
            yield f"__CSEQ_free((const void *)({arguments[0]}), {where});"
        elif name in ("pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_mutex_init"):
            at = f"(const void *)({arguments[0]}), __cs_READY({arguments[0]})"
            match name.removeprefix("pthread_mutex_"):
                case "lock":
                    yield f"__CSEQ_lock({at}, 1, {where});"
                case "unlock":
                    yield f"__CSEQ_unlock({at}, {where});"
                case "trylock":
                    result = f"__CSEQ_lock({at}, 0, {where}) ? 0 : 16"
                case _:
                    attributes = node.arguments[1]
                    if not (isinstance(attributes, ex.Const) and attributes.value == 0):
                        raise self._refused("the attributes of a mutex", node)
                    yield f"__CSEQ_initialise({at}, {where});"
        else:
            called = user_name(name)
            raise self._refused(f"a call of `{called}`" if called else "what the library does here", node)
        if node.result is not None:
            yield self._stored(node.result, result)
        elif name == "malloc":
            yield f"{result};"

    def _begun(self, opens: int) -> Iterator[str]:
        section = self._program.sections[opens]
        access = section.access
        if section.kind is SectionKind.USER and opens in self._fences:
            yield f"__CSEQ_fence({int(Order.SEQ_CST)}, {self._where});"
            return
        if section.kind is not SectionKind.RMW or section.is_dynamic or access is None:
            raise self._refused("an atomic section", None)
        if access.kind is AccessKind.FENCE:
            yield f"__CSEQ_fence({int(access.order)}, {self._where});"
        else:
            failure = access.order if access.failure is None else access.failure
            yield f"__CSEQ_begin({int(access.order)}, {int(failure)});"

    def _ended(self, node: ir.End) -> Iterator[str]:
        access = None if node.section is None else self._program.sections[node.section].access
        if node.section in self._fences:
            return
        if access is None:
            raise self._refused("an atomic section", node)
        if access.kind is not AccessKind.FENCE:
            yield "__CSEQ_end();"

    # Expressions

    def _is_own(self, place: ex.Place) -> bool:
        """Whether *place* is in the locals that the thread keeps on its stack."""
        return place.object is not None and place.object.is_local and not place.object.is_visible

    def address(self, place: ex.Place) -> str:
        """The address of *place*, as a pointer to characters."""
        base = place.base
        if isinstance(base, ex.Expr):
            assert isinstance(base.type, Pointer)
            text, type_ = self.value(base), base.type.to
        else:
            text, type_ = f"&{self._object(base)}", base.type
        text = f"(char *)({text})"
        for part in place.path:
            if isinstance(part, ex.Index):
                type_ = type_.element  # type: ignore[attr-defined]
                index = self.value(part.value)
                if part.length is not None:
                    index = f"__cs_INDEX({index}, {part.length}, {self._where})"
                text += f" + {index} * {type_.size}L"
            else:
                type_ = part.type
                text += f" + {part.offset}"
        return f"({text})"

    def _object(self, each: Object) -> str:
        if each.storage is Storage.STRING:
            raise self._refused("a string", None)
        if each.storage is Storage.CODE:
            raise self._refused(f"the address of the function `{each.name}`", None)
        if not each.is_local:
            return each.name
        return f"__cs_v{each.number}[__CSEQ_self()]" if each.is_visible else f"__cs_l[0].__cs_l{each.number}"

    def _read(self, place: ex.Place) -> str:
        if place.bits is not None:
            raise self._refused("a bit-field", None)
        text, at = type_text(place.type), self.address(place)
        if self._is_own(place):
            return f"__cs_READ({text}, {at}, {self._where})"
        if place.object is not None and place.object.is_const:
            return f"(*(const {text} *){at})"
        access = self._instruction.access
        order = Order.PLAIN
        if access is not None and access.kind in (AccessKind.READ, AccessKind.UPDATE) and access.place is place:
            order = access.order
        return f"__cs_LOAD({text}, {at}, {int(order)}, {self._where})"

    def value(self, node: ex.Expr) -> str:
        """The value of an expression."""
        match node:
            case ex.Const(value):
                if isinstance(value, str):
                    return f"(({type_text(node.type)}){value})"
                return f"(({type_text(node.type)}){value & 0xFFFFFFFFFFFFFFFF:#x}UL)"
            case ex.Read(place):
                return self._read(place)
            case ex.AddressOf(place):
                return f"((__cs_ul){self.address(place)})"
            case ex.Convert(operand):
                return f"(({type_text(node.type)}){self.value(operand)})"
            case ex.Unary(op, operand):
                return f"({op}{self.value(operand)})"
            case ex.Binary(op, left, right) if op in ("/", "%") and isinstance(node.type, Int):
                by, text = self.value(right), type_text(node.type)
                zero = f'__CSEQ_refuse("a division by zero", {self._where})'
                return f"({{ {text} __cs_by = {by}; if (__cs_by == 0) {zero}; {self.value(left)} {op} __cs_by; }})"
            case ex.Binary(op, left, right) | ex.Compare(op, left, right) | ex.Logical(op, left, right):
                return f"({self.value(left)} {op} {self.value(right)})"
            case ex.PointerAdd(pointer, index, stride):
                return f"({self.value(pointer)} + {self.value(index)} * {stride}L)"
            case ex.PointerDiff(left, right, stride):
                return f"((long)({self.value(left)} - {self.value(right)}) / {stride}L)"
            case ex.Select(condition, then, other):
                return f"({self.value(condition)} ? {self.value(then)} : {self.value(other)})"
            case ex.Setting(lexicon.THREAD):
                return "__CSEQ_self()"
            case ex.Setting(name):
                raise self._refused(f"`{name}`", None)
        raise self._refused(f"an expression ({type(node).__name__})", None)


def _declared(each: Object, name: str) -> str:
    """The declaration of a local under another *name*; only its size and alignment matter."""
    size = max(each.type.size, 1)
    suffix = name[name.index("[") :] if "[" in name else ""
    stem = name.removesuffix(suffix)
    return f"struct {{ char __cs_bytes[{size}] __attribute__((aligned(16))); }} {stem}{suffix};"
