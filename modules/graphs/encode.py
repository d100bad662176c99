"""Write a program for the explorer of execution graphs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from pycparser import c_ast

from cseq.c import build, print_unit
from cseq.c.symbols import Symbols
from cseq.model.claims import Claim, Kind
from cseq.model.errors import UnsupportedError
from cseq.model.origin import LineMap
from cseq.model.verdict import Bound
from cseq.modules.analysis.address_numbers import layout_bounds, overlapping_literals
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.spurious import HAS_SPURIOUS, SPURIOUS, mentions
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.core.inliner.main_entry import ALONE
from cseq.modules.core.input_choices.libraryinputs import ONE_OF, SPREAD
from cseq.modules.graphs.loops import Loop, Loops
from cseq.modules.graphs.order_sites import ORDER_USES, SITES, Site, site_numbers
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import AccessKind, Instruction, Order
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program, SectionKind, Template
from cseq.modules.ir.types import Array, Float, Int, Pointer, Record, Type
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.primitives import REUSING
from cseq.options.properties import STRICT
from cseq.pipeline.facts import Fact, Gives, Uses
from cseq.pipeline.stage import Unit
from cseq.pipeline.translator import Translator, rebuilt, user_name

PROGRAM = Fact[tuple[Program, Symbols]]("graphs_program")
"""The program whose instructions the explorer's answers name, and its declarations."""

LAYOUT = Fact[list[Bound]]("graphs_layout")
"""What depends on where objects lie in memory, of which there is one way here, and on the identifiers of threads."""

_POINTERS_SIZE = 8
_SECTION = "__cs_fresh"
_WATCH, _WATCHED = "__cs_watch", "__cs_watched"
_DEADLINE, _TIME = "__cs_deadline", "struct timespec"
_OWN_TEXTS = (_WATCH, _DEADLINE)  # of the library, which are others here

_PRELUDE = f"""\
#include "interface.h"
typedef unsigned long __cs_ul;
#define {lexicon.THREADS} 16
#define {lexicon.FREED} 1
#define {lexicon.THREAD} __CSEQ_self()
#define {lexicon.MISUSE_STUB}(condition, ...) do {{ if (!(condition)) __cs_MISUSE(__VA_ARGS__); }} while (0)
#define __cs_MISUSE(key) __CSEQ_misuse(key, __cs_where)
#define {stubs.WAIT_FOR}(condition, who) do {{ if (!(condition)) __CSEQ_block(who); }} while (0)
#define {stubs.WAIT}(condition) {stubs.WAIT_FOR}(condition, 0)
#define {stubs.WAIT_OR_WAKE}(condition) {stubs.WAIT_FOR}(condition, 0)
#define {stubs.MAY_HANG}(condition) do {{ if (condition) __CSEQ_hang(); }} while (0)
#define {lexicon.CHOOSE}(count) __CSEQ_alternative((count) - 1)
#define {ONE_OF}(set) (1ULL << __CSEQ_alternative(15))
static unsigned long long {SPREAD}(unsigned long long number, unsigned long long mask)
{{
    unsigned long long found = 0;
    for (; mask; mask &= mask - 1, number >>= 1)
        if (number & 1)
            found |= mask & -mask;
    return found;
}}
/* A deadline may pass at any moment, so to wait until what is asked for is free is to look when it is. */
#define {_DEADLINE}(is_free, time) ((time)->tv_nsec >= 0 && (time)->tv_nsec <= 999999999 \\
    ? ((is_free) ? 0 : __CSEQ_ETIMEDOUT) : ((is_free) && __CSEQ_alternative(1) ? 0 : __CSEQ_EINVAL))
#define __CSEQ_assume(condition) do {{ if (!(condition)) __CSEQ_discard(); }} while (0)
#define {_WATCH}(object)
static unsigned __cs_where;
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
"""

_NOTHING = frozenset({
    lexicon.ACCESS, lexicon.BEGINS, lexicon.ENDS, lexicon.SHOW, "__CSEQ_may_hang", "__CSEQ_may_wait", "__CSEQ_again",
    "__CSEQ_dozes", "__CSEQ_contends", "sched_yield", "thrd_yield", "sleep", "usleep",
})  # fmt: skip
"""Calls that have no effect here."""

_PLAIN, _LOOKS = (Order.PLAIN, Order.PLAIN), (Order.RELAXED, Order.RELAXED)
_TAKES, _GIVES = (Order.ACQUIRE, Order.RELAXED), (Order.RELEASE, Order.RELAXED)
_SEES, _MEETS = (Order.ACQUIRE, Order.ACQUIRE), (Order.ACQ_REL, Order.ACQ_REL)

_STEPS = {
    **{f"pthread_{kind}_{what}": _PLAIN for kind in ("mutex", "cond", "rwlock", "barrier", "spin")
       for what in ("init", "destroy")},
    **{f"pthread_{kind}attr_{what}": _PLAIN for kind in ("mutex", "cond", "rwlock", "barrier")
       for what in ("init", "destroy", "setpshared", "settype", "setclock")},
    **dict.fromkeys(("sem_init", "sem_destroy", "mtx_init", "mtx_destroy", "cnd_init", "cnd_destroy"), _PLAIN),
    **{f"pthread_{each}": _TAKES for each in (
        "mutex_lock", "mutex_trylock", "spin_lock", "spin_trylock", "rwlock_rdlock", "rwlock_tryrdlock",
        "rwlock_wrlock", "rwlock_trywrlock",
    )},
    **dict.fromkeys(("mtx_lock", "mtx_trylock", "mtx_timedlock"), _TAKES),
    **{f"sem_{each}": _TAKES for each in ("wait", "trywait", "timedwait", "clockwait")},
    **{f"pthread_{kind}_{how}{what}": _TAKES for how in ("timed", "clock")
       for kind, what in (("mutex", "lock"), ("rwlock", "rdlock"), ("rwlock", "wrlock"))},
    **{f"pthread_{kind}_unlock": _GIVES for kind in ("mutex", "spin", "rwlock")},
    **dict.fromkeys(("mtx_unlock", "sem_post", "__cs_step_once_end"), _GIVES),
    "__cs_step_once_begin": _SEES,
    "__cs_step_barrier_arrive": _MEETS,
    "__cs_step_barrier_leave": _SEES,
    **{f"{kind}_{what}": _LOOKS for kind in ("pthread_cond", "cnd") for what in ("signal", "broadcast")},
}  # fmt: skip
"""Steps of the thread library on one object → the memory orders if they change it, and if not."""

_SLEEPS = frozenset({"__cs_step_cond_sleep", "__cs_step_cnd_sleep"})
_WAKES = frozenset({"__cs_step_cond_wake", "__cs_step_cnd_wake"})
_TIMED_SLEEPS = frozenset({"__cs_step_cond_timedsleep", "__cs_step_cond_clocksleep", "__cs_step_cnd_timedsleep"})
_TIMED_WAKES = frozenset({"__cs_step_cond_timedwake", "__cs_step_cond_clockwake", "__cs_step_cnd_timedwake"})

_WRAPPED = {each: f"__cs_wrapped{each}" for each in ("__cs_step_barrier_arrive", "__cs_step_barrier_leave")}

_BARRIER = """
static void __cs_wrapped__cs_step_barrier_arrive(pthread_barrier_t *barrier)
{
    unsigned serial = barrier->__cs_count >> 16;
    barrier->__cs_count &= 0xFFFF;
    __cs_serial = 0;
    __cs_step_barrier_arrive(barrier);
    barrier->__cs_count |= (serial | (unsigned)__cs_serial) << 16;
}
static int __cs_wrapped__cs_step_barrier_leave(pthread_barrier_t *barrier)
{
    __cs_serial = barrier->__cs_count >> 16;
    int result = __cs_step_barrier_leave(barrier);
    barrier->__cs_count = (barrier->__cs_count & 0xFFFF) | (unsigned)__cs_serial << 16;
    return result;
}
"""
"""The steps of a barrier, with the threads for which the call returns another value than 0 in the object."""

_OTHER_PROPERTIES = frozenset({Kind.MEMSAFETY, Kind.OVERFLOW})


class NotFollowedError(UnsupportedError):
    """The program has something that this family does not follow."""


def not_followed(error: NotFollowedError) -> str:
    """What is not followed, as a message."""
    return f"{error} is not followed by the backend `graphs`"


class GraphsEncoder(Translator):
    """in: the core language without calls. out: a program for the explorer of execution graphs.

    What the family does not follow is refused by name.
    """

    takes = (SPURIOUS, STRICT)
    sites = Uses(SITES, list[Site]())
    program = Gives(PROGRAM)
    order_uses = Gives(ORDER_USES)
    has_spurious = Gives(HAS_SPURIOUS)
    layout = Gives(LAYOUT)

    def translate(self, tree: c_ast.FileAST) -> Unit:
        """Write the declarations, and a function for each thread."""
        symbols = Symbols(tree, self.context.model)
        if self.context.model.pointer != _POINTERS_SIZE:
            raise NotFollowedError("a program for 32 bits", None)
        threads = threads_of(tree)
        for origin in overlapping_literals(tree, symbols, threads):
            raise NotFollowedError("a comparison of pointers to literals that may overlap", origin)
        visibility = Visibility(symbols, tree)
        self.layout = list(layout_bounds(tree, symbols, visibility, threads, once=False))
        program = lower(tree, symbols, visibility)
        self.program = program, symbols
        self.has_spurious = mentions(symbols.functions)
        writer = _Writer(program, self.sites)
        lines = list(writer.lines())
        self.order_uses = writer.order_uses
        text, _ = print_unit(c_ast.FileAST(list(_declarations(program, writer.library))))
        settings = {lexicon.ZEROED: not self.parameter(STRICT), lexicon.SPURIOUS: self.parameter(SPURIOUS)}
        head = [f"#define {name} {int(value)}" for name, value in settings.items()]
        if _WRAPPED.keys() <= writer.library:
            text += _BARRIER
        if writer.library & (_WAKES | _TIMED_WAKES):
            text += (
                "unsigned __CSEQ_owner(const void *mutex) { return ((const pthread_mutex_t *)mutex)->__cs_owner; }\n"
            )
        whole = [_PRELUDE, *head, text, *lines]
        return Unit(text="\n".join(whole) + "\n", linemap=LineMap([]))


def _declarations(program: Program, library: Collection[str]) -> Iterator[c_ast.Node]:
    """What is declared outside of functions; objects are static, as their names may be those of the explorer's.

    library: the functions of the thread library that are called. What they call comes with them.
    """
    texts = _library(program)
    needed: set[str] = set()
    todo = [*library]
    while todo:
        name = todo.pop()
        if name in texts and name not in needed and name not in _OWN_TEXTS:
            needed.add(name)
            todo += [each.name for each in build.inside(texts[name].body, c_ast.ID)]
    for node in program.ordered:
        if isinstance(node, c_ast.FuncDef) and node.decl.name in needed:
            yield rebuilt(node, decl=rebuilt(node.decl, storage=["static"]))
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


def _library(program: Program) -> dict[str, c_ast.FuncDef]:
    """The texts of the functions of the thread library that the program has."""
    return {node.decl.name: node for node in program.ordered if isinstance(node, c_ast.FuncDef)}


class _Writer:
    """Writes the threads of *program*. sites: the memory orders that have numbers, which are read from a table.

    order_uses: by number of an instruction, the numbers of its memory orders.
    """

    def __init__(self, program: Program, sites: Sequence[Site]) -> None:
        self._program = program
        self._sites = sites
        self.order_uses: dict[int, tuple[int, ...]] = {}
        self._starts: dict[str, int] = {"main": 0}
        self._where = 0
        self._loops = 0
        self._instruction: Instruction
        self._template: Template
        self._texts = _library(program)
        self._strings: dict[int, str] = {}
        self._functions: dict[str, int] = {}
        self.library: set[str] = set()
        self._numbers: tuple[int, ...] = ()
        self._fences: set[int] = set()

    def lines(self) -> Iterator[str]:
        """The functions of the threads, and the one that chooses between them."""
        program = self._program
        if "main" not in program.by_name:
            raise NotFollowedError("a program without main", None)
        for creation in program.creations:
            self._starts.setdefault(creation.start.name, len(self._starts))
        texts: list[str] = []
        for name in self._starts:
            if name not in program.by_name:
                raise NotFollowedError(f"the start function `{name}`", None)
            texts += self._function(program.by_name[name])
        for number, name in self._strings.items():
            yield f"static const {_string_type(program.objects[number])} {name}[] = {program.objects[number].name};"
        yield f"static char __cs_code[{len(self._functions) + 1}];"
        yield from texts
        if self._sites:
            yield f"unsigned char __CSEQ_orders[] = {{{', '.join(str(int(site.order)) for site in self._sites)}}};"
        started = {program.by_name[name].number for name in self._starts}
        yield "const struct __CSEQ_object __CSEQ_objects[] = {"
        for each in program.objects:
            if each.storage is Storage.STATIC:
                yield f'{{"{each.name}", &{each.name}, sizeof {each.name}}},'
            elif each.storage is Storage.THREAD_LOCAL and each.is_visible and each.template in started:
                name = f"__cs_v{each.number}"
                yield f'{{"{name}", &{name}, sizeof {name}}},'
        for name in self._strings.values():
            yield f'{{"{name}", &{name}, sizeof {name}}},'
        yield "{0, 0, 0}};"
        yield "__CSEQ_word __CSEQ_run(unsigned __cs_function, __CSEQ_word __cs_argument)"
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
        """What an instruction does, without where it is, and the numbers of its memory orders."""
        self._instruction = instruction
        self._where = 0
        uses, self.order_uses = self.order_uses, {}
        numbers, self._numbers = self._numbers, ()
        lines = [*self._statement(instruction, True)]
        self.order_uses, self._numbers = uses, numbers
        return "\n".join([*lines, *map(str, site_numbers(instruction.marks) if self._sites else ())])

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

    def _order(self, order: Order, position: int = 0) -> str:
        """The memory order of the instruction's access, as C text. position: of two, which one it is."""
        numbers = self.order_uses.get(self._where, ())
        return f"__CSEQ_orders[{numbers[position]}]" if numbers else str(int(order))

    def _note_orders(self, node: Instruction) -> None:
        """Note the numbers of the memory orders of an instruction, which those in an access of several steps share."""
        numbers = site_numbers(node.marks) if self._sites else ()
        if isinstance(node, ir.Begin):
            self._numbers = numbers
        if used := numbers or self._numbers:
            self.order_uses[node.number] = used
        if isinstance(node, ir.End):
            self._numbers = ()

    def _statement(self, node: Instruction, in_loop: bool) -> Iterator[str]:
        self._note_orders(node)
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
            case ir.Input():
                raise self._refused("an input", node)
            case ir.Choose(place, bound):
                if node.is_sampled:
                    yield f"__CSEQ_note({self._where});"
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
                if isinstance(node, ir.ThreadExit) and self._template.name == "main":
                    yield "__CSEQ_leave();"
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
        return f"__cs_STORE({text}, {self.address(place)}, {self._order(order)}, ({text})({value}), {self._where});"

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
        if name == ALONE:
            yield f"__CSEQ_note({where});"
            return
        if name in _NOTHING or name.startswith("__CSEQ_may"):
            if node.result is None:
                return
        elif name in ("pthread_join", "thrd_join"):
            pointer = node.arguments[1]
            yield "{ __CSEQ_word __cs_result;"
            yield f"int __cs_error = __CSEQ_join({arguments[0]} - 1, &__cs_result, {where});"
            if not (isinstance(pointer, ex.Const) and pointer.value == 0):
                yield f"if (!__cs_error) {{ {self._stored(self._program.expressions.deref(pointer), '__cs_result')} }}"
            if node.result is not None:
                error = "__cs_error" if name == "pthread_join" else "__cs_error ? 2 : 0"
                yield self._stored(node.result, error)
            yield "}"
            return
        elif name == SPREAD:
            result = f"{SPREAD}({arguments[0]}, {arguments[1]})"
        elif name in ("pthread_self", "thrd_current"):
            result = "__CSEQ_self() + 1"
        elif name == "malloc":
            result = f"(__cs_ul)__CSEQ_allocate({arguments[0]}, 0, {int(name != node.function)}, {where})"
        elif name == "calloc":
            size = f"{arguments[0]} * {arguments[1]}"
            result = f"(__cs_ul)__CSEQ_allocate({size}, 1, {int(name != node.function)}, {where})"
        elif name in ("pthread_detach", "thrd_detach"):
            yield f"__CSEQ_detach({arguments[0]} - 1, {where});"
        elif name == "free":
            yield f"__CSEQ_free((const void *)({arguments[0]}), {where});"
        elif name in _STEPS and name in self._texts:
            yield from self._library_step(name, node)
            return
        elif name in _SLEEPS | _TIMED_SLEEPS:
            yield from self._slept(name, node)
            return
        elif name in _TIMED_WAKES:
            yield from self._woken_in_time(name, node)
            return
        elif name in _WAKES:
            yield from self._woken(name, node)
            return
        else:
            called = user_name(name)
            raise self._refused(f"a call of `{called}`" if called else "what the library does here", node)
        if node.result is not None:
            yield self._stored(node.result, result)
        elif name in ("malloc", "calloc"):
            yield f"{result};"

    # The thread library

    def _opened(self, pointer: str, type_: Type, orders: tuple[Order, Order]) -> str:
        """The statement that begins a step on the object of *type_* that *pointer* points to."""
        assert isinstance(type_, Pointer)
        success, failure = map(int, orders)
        return f"__CSEQ_open((void *)({pointer}), {type_.to.size}, {success}, {failure}, {self._where});"

    def _library_step(self, name: str, node: ir.Call) -> Iterator[str]:
        """A step on the first argument. What other arguments point to is only read: attributes."""
        self.library.add(name)
        text = self._texts[name]
        yield f"{{ __cs_where = {self._where};"
        for number, argument in enumerate(node.arguments):
            yield f"__auto_type __cs_a{number} = {self.value(argument)};"
        for number, argument in enumerate(node.arguments[1:], 1):
            if _is_time(argument):
                yield f"{_TIME} __cs_time = {{0, {self._nanoseconds(argument)}}};"
                yield f"__cs_a{number} = (__cs_ul)&__cs_time;"
            elif isinstance(argument.type, Pointer) and not self._is_own_address(argument):
                opened = self._opened(f"__cs_a{number}", argument.type, _PLAIN)
                yield f"if (__cs_a{number}) {{ {opened} __CSEQ_again(); }}"
        opened = self._opened("__cs_a0", node.arguments[0].type, _STEPS[name])
        watched = f"{_WATCHED} = " if _WATCHED in build.names(text) else ""
        arguments = ", ".join(
            f"(void *)__cs_a{number}" if isinstance(argument.type, Pointer) else f"__cs_a{number}"
            for number, argument in enumerate(node.arguments)
        )
        result = text.decl.type.type.type
        is_void = isinstance(result, c_ast.IdentifierType) and result.names == ["void"]
        called = f"{'' if is_void else '__cs_result = '}{_WRAPPED.get(name, name)}({arguments});"
        yield "long __cs_result = 0;"
        if "attr_" in name and self._is_own_address(node.arguments[0]):
            yield called
        else:
            yield f"{watched}{opened} do {called} while (__CSEQ_again());"
        if node.result is not None:
            yield self._stored(node.result, "__cs_result")
        yield "}"

    def _nanoseconds(self, time: ex.Expr) -> str:
        """The part of a deadline that decides whether it is one. The time itself is not looked at."""
        assert isinstance(time.type, Pointer) and isinstance(time.type.to, Record)
        expressions = self._program.expressions
        return self._read(expressions.field(expressions.deref(time), time.type.to.fields["tv_nsec"]))

    def _is_own_address(self, argument: ex.Expr) -> bool:
        """Whether it is the address of what only this thread accesses."""
        return isinstance(argument, ex.AddressOf) and self._is_own(argument.place)

    def _slept(self, name: str, node: ir.Call) -> Iterator[str]:
        """To go to sleep is two steps here: that of the condition variable comes first, so no signal is lost."""
        self.library.add(name)
        cond, mutex, *others = (self.value(each) for each in node.arguments)
        cond_type, mutex_type, *_ = (each.type for each in node.arguments)
        yield f"{{ __cs_where = {self._where}; long __cs_result = 1; __CSEQ_sleeps();"
        if _is_time(node.arguments[-1]):
            yield f"{_TIME} __cs_time = {{0, {self._nanoseconds(node.arguments[-1])}}};"
            others[-1] = "&__cs_time"
        yield f"__auto_type __cs_a0 = {cond}; __auto_type __cs_a1 = {mutex};"
        yield "pthread_cond_t *__cs_c = (void *)__cs_a0; pthread_mutex_t *__cs_m = (void *)__cs_a1, __cs_released;"
        yield f"{self._opened('__cs_a1', mutex_type, _LOOKS)} __CSEQ_again();"
        yield self._opened("__cs_a0", cond_type, _LOOKS)
        yield "if (__cs_c->__cs_idle >> __CSEQ_self() & 1) __CSEQ_dozes();"
        result = "__cs_result = " if others else ""
        yield f"do {result}{name}({', '.join(['__cs_c', '__cs_m', *others])}); while (__CSEQ_again());"
        yield "__cs_released = *__cs_m; if (__cs_result) {"
        yield f"{self._opened('__cs_a1', mutex_type, _GIVES)} *__cs_m = __cs_released; __CSEQ_again(); }}"
        if node.result is not None:
            yield self._stored(node.result, "__cs_result")
        yield "}"

    def _woken(self, name: str, node: ir.Call) -> Iterator[str]:
        """To wake up is two steps: to get a signal, or none, and to lock the mutex."""
        self.library.add(name)
        cond, mutex = (self.value(each) for each in node.arguments)
        cond_type, mutex_type = (each.type for each in node.arguments)
        assert isinstance(mutex_type, Pointer)
        yield f"{{ __cs_where = {self._where}; unsigned long long __cs_me = 1ULL << __CSEQ_self();"
        yield f"__auto_type __cs_a0 = {cond}; __auto_type __cs_a1 = {mutex};"
        yield "pthread_cond_t *__cs_c = (void *)__cs_a0, __cs_signalled = {1};"
        yield f"int __cs_signal = !{lexicon.SPURIOUS} || !__CSEQ_choice(2, {self._where});"
        yield self._opened("__cs_a0", cond_type, _LOOKS)
        yield f"__CSEQ_asleep((void *)__cs_a1, {mutex_type.to.size}, {self._where});"
        yield "if (__cs_signal) { if (__cs_c->__cs_waiting & __cs_me) __CSEQ_block(0); }"
        yield "else if (!(__cs_c->__cs_waiting & __cs_me)) __CSEQ_drop();"
        yield "else { __cs_c->__cs_waiting &= ~__cs_me; __cs_c->__cs_idle |= __cs_me; }"
        yield f"__CSEQ_again(); __CSEQ_asleep(0, 0, 0); {self._opened('__cs_a1', mutex_type, _TAKES)}"
        yield f"do {name}(&__cs_signalled, (void *)__cs_a1); while (__CSEQ_again());"
        yield "__CSEQ_wakes(__cs_signal); }"

    def _woken_in_time(self, name: str, node: ir.Call) -> Iterator[str]:
        """The same with a deadline, which may pass at any moment, also after a signal.

        To wait for a signal is to look when there has been one, so no thread waits there for ever.
        """
        self.library.add(name)
        cond, mutex = (self.value(each) for each in node.arguments)
        cond_type, mutex_type = (each.type for each in node.arguments)
        yield f"{{ __cs_where = {self._where}; unsigned long long __cs_me = 1ULL << __CSEQ_self();"
        yield f"__auto_type __cs_a0 = {cond}; __auto_type __cs_a1 = {mutex};"
        yield "pthread_cond_t *__cs_c = (void *)__cs_a0, __cs_own = {1};"
        yield f"long __cs_result, __cs_signal = !__CSEQ_choice(2, {self._where});"
        yield self._opened("__cs_a0", cond_type, _LOOKS)
        yield "if (!(__cs_c->__cs_waiting & __cs_me) != __cs_signal) __CSEQ_drop();"
        yield "if (!__cs_signal) { __cs_c->__cs_waiting &= ~__cs_me; __cs_c->__cs_idle |= __cs_me; }"
        yield f"__CSEQ_again(); {self._opened('__cs_a1', mutex_type, _TAKES)}"
        yield "do { __cs_own.__cs_waiting = __cs_signal ? 0 : __cs_me;"
        yield f"__cs_result = {name}(&__cs_own, (void *)__cs_a1); }} while (__CSEQ_again());"
        yield "__CSEQ_wakes(__cs_signal);"
        if node.result is not None:
            yield self._stored(node.result, "__cs_result")
        yield "}"

    def _begun(self, opens: int) -> Iterator[str]:
        section = self._program.sections[opens]
        access = section.access
        if section.kind is SectionKind.USER and opens in self._fences:
            yield f"__CSEQ_fence({int(Order.SEQ_CST)}, {self._where});"
            return
        if section.kind is not SectionKind.RMW or section.is_dynamic or access is None:
            raise self._refused("an atomic section", None)
        if access.kind is AccessKind.FENCE:
            yield f"__CSEQ_fence({self._order(access.order)}, {self._where});"
        else:
            failure = access.order if access.failure is None else access.failure
            yield f"__CSEQ_begin({self._order(access.order)}, {self._order(failure, -1)});"

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
            self._strings[each.number] = f"__cs_s{each.number}"
            return self._strings[each.number]
        if each.storage is Storage.CODE:
            return f"__cs_code[{self._functions.setdefault(each.name, len(self._functions))}]"
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
        return f"__cs_LOAD({text}, {at}, {self._order(order)}, {self._where})"

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


def _is_time(argument: ex.Expr) -> bool:
    """Whether it points to a deadline."""
    return isinstance(argument.type, Pointer) and isinstance(argument.type.to, Record) and argument.type.to.tag == _TIME


def _string_type(each: Object) -> str:
    """The type of the units of a string."""
    assert isinstance(each.type, Array)
    return type_text(each.type.element)


def _declared(each: Object, name: str) -> str:
    """The declaration of a local under another *name*; only its size and alignment matter."""
    size = max(each.type.size, 1)
    suffix = name[name.index("[") :] if "[" in name else ""
    stem = name.removesuffix(suffix)
    return f"struct {{ char __cs_bytes[{size}] __attribute__((aligned(16))); }} {stem}{suffix};"
