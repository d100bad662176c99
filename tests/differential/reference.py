"""What a small multi-threaded program does: an explicit-state reference, independent of CSeq.

A program is data (the classes below). `to_c` prints it; `explore` executes it directly, in all interleavings of
single accesses to shared memory within the same bounds: K rounds in which each thread runs once, in the order
of creation, then main once more; at most U executions of a loop's body per activation of the loop, at
most U activations of a function on the stack. What would go beyond U is cut off: the thread gets stuck there.

How it works: the interpreter of one thread is a Python generator. It yields what it wants to do (load, store, lock, …)
and is told the answer, so that a thread's state is the list of answers that it has got so far. `_Node` memoises
that. The scheduler keeps sets of global states and knows nothing of the language.

C leaves the order of evaluation of operands open. This is the tool's: from left to right, the place of an
assignment before its value; for `p op= e`: the place's index, then p's old value, then e, but e first where it has
side effects or guarded accesses, or where the assignment is part of an expression.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

# The language: expressions


class Expr:
    """An expression."""


@dataclass(frozen=True)
class Const(Expr):
    value: int


@dataclass(frozen=True)
class Var(Expr):
    """A variable. Names are unique in the program; in C, what stands behind a ``#`` is left out (shadowing)."""

    name: str


@dataclass(frozen=True)
class Index(Expr):
    """``array[index]``."""

    array: str
    index: Expr


@dataclass(frozen=True)
class Deref(Expr):
    pointer: Expr


@dataclass(frozen=True)
class AddressOf(Expr):
    target: Expr


@dataclass(frozen=True)
class Unary(Expr):
    op: str
    operand: Expr


@dataclass(frozen=True)
class Cast(Expr):
    type: str
    operand: Expr


@dataclass(frozen=True)
class Binary(Expr):
    """With the operators ``&&``, ``||`` and ``,`` too."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Ternary(Expr):
    cond: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True)
class Assign(Expr):
    """``target op value``; *op* is ``=``, ``+=``, …"""

    op: str
    target: Expr
    value: Expr


@dataclass(frozen=True)
class Increment(Expr):
    """``target++`` and the like."""

    op: str
    prefix: bool
    target: Expr


@dataclass(frozen=True)
class Call(Expr):
    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True)
class CallPointer(Expr):
    """A call through a variable of type ``fn``: int (*)(int)."""

    pointer: Expr
    argument: Expr


@dataclass(frozen=True)
class FunctionName(Expr):
    name: str


@dataclass(frozen=True)
class PointerIndex(Expr):
    """``pointer[index]``, or ``*(pointer + index)``."""

    pointer: Expr
    index: Expr
    brackets: bool


@dataclass(frozen=True)
class Decayed(Expr):
    """An array as a pointer to its first element."""

    array: str


@dataclass(frozen=True)
class TryLock(Expr):
    mutex: str


@dataclass(frozen=True)
class IsEqual(Expr):
    """``variable == value`` for a local that may be uninitialised: no value is then ruled out."""

    variable: str
    value: int


@dataclass(frozen=True)
class Atomic(Expr):
    """One step on *target*.

    action: ``load``, ``store``, ``exchange``, ``fetch`` (the value is the old one), ``new``, or ``set`` (and test).
    style: ``gnu``, ``sync`` (which only stores 0) or ``c11``.
    op: of ``fetch`` and ``new``, as in the functions' names.
    """

    style: str
    action: str
    op: str
    target: Expr
    value: Expr | None = None


@dataclass(frozen=True)
class Swap(Expr):
    """Compare and swap.

    form: ``bool`` and ``val`` (`__sync_…`), or ``strong`` and ``weak``, where *expected* is a place.
    """

    form: str
    c11: bool
    target: Expr
    expected: Expr
    value: Expr


# The language: statements


class Stmt:
    """A statement."""


Body = tuple[Stmt, ...]


@dataclass(frozen=True)
class Declare(Stmt):
    """A local; without a value it is undefined, and only `IsEqual` may look at it."""

    type: str
    name: str
    value: Expr | None = None


@dataclass(frozen=True)
class DeclareArray(Stmt):
    """``type name[size] = { values };``"""

    type: str
    name: str
    size: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Choose(Stmt):
    """A local with any value from *low* to *high*: nondeterministic, or undefined and then assumed to be there."""

    type: str
    name: str
    low: int
    high: int
    call: bool


@dataclass(frozen=True)
class Static(Stmt):
    """A static local."""

    type: str
    name: str
    value: int


@dataclass(frozen=True)
class CopyRecord(Stmt):
    """``target = source;`` for structs; a local *target* is declared by it, if it says so."""

    target: str
    source: str
    declares: bool = False


@dataclass(frozen=True)
class Do(Stmt):
    """An expression statement."""

    value: Expr


@dataclass(frozen=True)
class If(Stmt):
    cond: Expr
    then: Body
    other: Body | None = None


@dataclass(frozen=True)
class While(Stmt):
    cond: Expr
    body: Body


@dataclass(frozen=True)
class DoWhile(Stmt):
    body: Body
    cond: Expr


@dataclass(frozen=True)
class For(Stmt):
    init: Stmt | None
    cond: Expr | None
    step: Expr | None
    body: Body


@dataclass(frozen=True)
class Case:
    """``case value:``, or ``default:``, with what stands behind it."""

    value: int | None
    body: Body


@dataclass(frozen=True)
class Switch(Stmt):
    value: Expr
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Block(Stmt):
    body: Body


@dataclass(frozen=True)
class Break(Stmt):
    pass


@dataclass(frozen=True)
class Continue(Stmt):
    pass


@dataclass(frozen=True)
class Return(Stmt):
    value: Expr | None = None


@dataclass(frozen=True)
class Goto(Stmt):
    label: str


@dataclass(frozen=True)
class Label(Stmt):
    """A place that jumps lead to: from in front of it, or, if it is called R…, back from behind it in its list."""

    name: str

    @property
    def is_back(self) -> bool:
        """Whether jumps lead back to it."""
        return self.name.startswith("R")


@dataclass(frozen=True)
class Lock(Stmt):
    mutex: str


@dataclass(frozen=True)
class Unlock(Stmt):
    mutex: str


@dataclass(frozen=True)
class Wait(Stmt):
    cond: str
    mutex: str


@dataclass(frozen=True)
class Signal(Stmt):
    cond: str


@dataclass(frozen=True)
class Broadcast(Stmt):
    cond: str


@dataclass(frozen=True)
class Sync(Stmt):
    """``sem_wait``, ``sem_post``, ``pthread_rwlock_rdlock``, …, ``pthread_barrier_wait``: *object* is in ``syncs``."""

    call: str
    object: str


@dataclass(frozen=True)
class AtomicBegin(Stmt):
    pass


@dataclass(frozen=True)
class AtomicEnd(Stmt):
    pass


@dataclass(frozen=True)
class Create(Stmt):
    """pthread_create; *thread* is a variable of type pthread_t, *function* a name or a shared variable of type tfn."""

    thread: str
    function: str
    argument: Expr | None = None


@dataclass(frozen=True)
class Join(Stmt):
    """pthread_join; the thread's result goes to *result*, a long that is declared here."""

    thread: str
    result: str | None = None


@dataclass(frozen=True)
class ThreadExit(Stmt):
    value: Expr | None = None


@dataclass(frozen=True)
class Exit(Stmt):
    """``exit(0);``, or ``abort();``"""

    call: str = "exit(0)"


@dataclass(frozen=True)
class Fail(Stmt):
    """``reach_error();``"""


@dataclass(frozen=True)
class Assert(Stmt):
    cond: Expr


@dataclass(frozen=True)
class Assume(Stmt):
    cond: Expr


@dataclass(frozen=True)
class Observe(Stmt):
    """The reference notes the values of an expression, which is assigned to a local *name*."""

    name: str
    value: Expr


# The language: programs


@dataclass(frozen=True)
class Shared:
    """A global. init: a number, for an array numbers, for a pointer the name of a global or of a function."""

    type: str
    name: str
    init: Any = 0
    size: int | None = None
    const: bool = False
    atomic: bool = False


@dataclass(frozen=True)
class Function:
    """role: ``main``, ``thread`` (parameter: one or none, passed as void *), or ``helper``."""

    name: str
    role: str
    type: str
    parameters: tuple[tuple[str, str], ...]
    body: Body


@dataclass(frozen=True)
class Program:
    shared: tuple[Shared, ...]
    mutexes: tuple[str, ...]  # normal; recursive if the name begins with r, error-checking if with e
    conds: tuple[str, ...]
    functions: tuple[Function, ...]
    syncs: tuple[tuple[str, int], ...] = ()
    """Semaphores (s…, and the count), read-write locks (w…), barriers (b…, and the number of threads)."""

    def function(self, name: str) -> Function:
        return next(f for f in self.functions if f.name == name)


def walk(node: Any) -> Iterator[Any]:
    """*node* and everything in it, in the order of the text."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif dataclasses.is_dataclass(node):
        yield node
        for item in dataclasses.fields(node):
            yield from walk(getattr(node, item.name))


# Printing

_C_TYPES = {
    "bool": "_Bool", "uchar": "unsigned char", "schar": "signed char", "short": "short", "ushort": "unsigned short",
    "int": "int", "uint": "unsigned int", "long": "long", "ulong": "unsigned long", "llong": "long long",
    "void": "void", "thread": "pthread_t", "u3": "unsigned int", "s2": "int",
}  # fmt: skip

_FUNCTIONS = {"fn": "int (*{})(int)", "tfn": "void *(*{})(void *)"}

_HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""


# What declares an object, and what main does first with it.
_SYNCS = {
    "s": ("sem_t {};", "sem_init(&{}, 0, {});"),
    "w": ("pthread_rwlock_t {};", "pthread_rwlock_init(&{}, 0);"),
    "b": ("pthread_barrier_t {};", "pthread_barrier_init(&{}, 0, {});"),
}


_SYNC_STEPS = frozenset(
    {"sem_wait", "sem_post", "rwlock_rdlock", "rwlock_wrlock", "rwlock_unlock", "arrive", "leave_barrier"}
)


def c_name(name: str) -> str:
    """How a name is written in C."""
    return name.split("#", maxsplit=1)[0]


def c_declaration(type_: str, name: str) -> str:
    """``T name``, ``T *name``, or a pointer to a function."""
    if type_ in _FUNCTIONS:
        return _FUNCTIONS[type_].format(name)
    return f"{_C_TYPES[type_[1:]]} *{c_name(name)}" if type_[0] == "*" else f"{_C_TYPES[type_]} {c_name(name)}"


_INITIALISERS = {"m": "PTHREAD_MUTEX_INITIALIZER", "r": "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
                 "e": "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP"}  # fmt: skip


def c_expr(e: Expr) -> str:
    """An expression in C, with parentheses around everything."""
    match e:
        case Const():
            return str(e.value) if e.value >= 0 else f"({e.value})"
        case Var():
            return c_name(e.name)
        case Index():
            return f"{c_name(e.array)}[{c_expr(e.index)}]"
        case Deref():
            return f"(*{c_expr(e.pointer)})"
        case AddressOf():
            return f"(&{c_expr(e.target)})"
        case Unary():
            return f"({e.op}{c_expr(e.operand)})"
        case Cast():
            return f"(({_C_TYPES[e.type]}){c_expr(e.operand)})"
        case Binary():
            return f"({c_expr(e.left)} {e.op} {c_expr(e.right)})"
        case Ternary():
            return f"({c_expr(e.cond)} ? {c_expr(e.then)} : {c_expr(e.other)})"
        case Assign():
            return f"({c_expr(e.target)} {e.op} {c_expr(e.value)})"
        case Increment():
            return f"({e.op}{c_expr(e.target)})" if e.prefix else f"({c_expr(e.target)}{e.op})"
        case Call():
            return f"{e.function}({', '.join(map(c_expr, e.arguments))})"
        case CallPointer():
            return f"{c_expr(e.pointer)}({c_expr(e.argument)})"
        case FunctionName():
            return e.name
        case PointerIndex():
            pointer, index = c_expr(e.pointer), c_expr(e.index)
            return f"{pointer}[{index}]" if e.brackets else f"(*({pointer} + {index}))"
        case Decayed():
            return c_name(e.array)
        case TryLock():
            return f"pthread_mutex_trylock(&{e.mutex})"
        case IsEqual():
            return f"({c_name(e.variable)} == {e.value})"
        case Atomic():
            return _c_atomic(e)
        case Swap():
            target, expected, value = c_expr(e.target), c_expr(e.expected), c_expr(e.value)
            if e.form in ("bool", "val"):
                return f"__sync_{e.form}_compare_and_swap(&{target}, {expected}, {value})"
            if e.c11:
                return f"atomic_compare_exchange_{e.form}(&{target}, &{expected}, {value})"
            return f"__atomic_compare_exchange_n(&{target}, &{expected}, {value}, {int(e.form == 'weak')}, 5, 5)"
    raise TypeError(e)


def _c_atomic(e: Atomic) -> str:
    arguments = [f"&{c_expr(e.target)}"] + ([c_expr(e.value)] if e.value is not None else [])
    if e.style == "c11":
        name = f"atomic_{e.action}" + (f"_{e.op}" if e.op else "")
    elif e.style == "sync":
        name = {"exchange": "lock_test_and_set", "store": "lock_release", "fetch": f"fetch_and_{e.op}",
                "new": f"{e.op}_and_fetch"}[e.action]  # fmt: skip
        name = f"__sync_{name}"
        arguments = arguments[:1] if e.action == "store" else arguments
    else:
        name = {"load": "load_n", "store": "store_n", "exchange": "exchange_n", "fetch": f"fetch_{e.op}",
                "new": f"{e.op}_fetch", "set": "test_and_set"}[e.action]  # fmt: skip
        name = f"__atomic_{name}"
        arguments.append("__ATOMIC_SEQ_CST")
    return f"{name}({', '.join(arguments)})"


def _bare(e: Expr) -> str:
    text = c_expr(e)
    if isinstance(e, Binary) and e.op == ",":
        return text
    return text[1:-1] if text.startswith("(") and isinstance(e, (Assign, Increment, Binary)) else text


def _cond(e: Expr) -> str:
    return f"({_bare(e)})"


def c_lines(body: Body, program: Program, function: Function, indent: str = "    ") -> Iterator[str]:
    """Statements in C."""
    for s in body:
        for line in _c_statement(s, program, function):
            yield indent + line


def _c_statement(s: Stmt, program: Program, function: Function) -> Iterator[str]:
    def inner(body: Body) -> Iterator[str]:
        return c_lines(body, program, function)

    match s:
        case Declare():
            yield c_declaration(s.type, s.name) + (f" = {_bare(s.value)};" if s.value is not None else ";")
        case DeclareArray():
            yield f"{c_declaration(s.type, s.name)}[{s.size}] = {{ {', '.join(map(str, s.values))} }};"
        case Choose():
            yield c_declaration(s.type, s.name) + (" = __VERIFIER_nondet_int();" if s.call else ";")
            name = c_name(s.name)
            yield f"__VERIFIER_assume({name} >= {s.low} && {name} <= {s.high});"
        case Static():
            yield f"static {c_declaration(s.type, s.name)} = {s.value};"
        case CopyRecord():
            yield f"{'struct record ' if s.declares else ''}{c_name(s.target)} = {c_name(s.source)};"
        case Do():
            yield _bare(s.value) + ";"
        case If():
            yield f"if {_cond(s.cond)} {{"
            yield from inner(s.then)
            if s.other is not None:
                yield "} else {"
                yield from inner(s.other)
            yield "}"
        case While():
            yield f"while {_cond(s.cond)} {{"
            yield from inner(s.body)
            yield "}"
        case DoWhile():
            yield "do {"
            yield from inner(s.body)
            yield f"}} while {_cond(s.cond)};"
        case For():
            init = next(_c_statement(s.init, program, function)) if s.init is not None else ";"
            cond = _bare(s.cond) if s.cond is not None else ""
            yield f"for ({init} {cond}; {_bare(s.step) if s.step is not None else ''}) {{"
            yield from inner(s.body)
            yield "}"
        case Switch():
            yield f"switch {_cond(s.value)} {{"
            for case in s.cases:
                yield f"case {case.value}:" if case.value is not None else "default:"
                yield from inner(case.body)
                yield "    ;"
            yield "}"
        case Block():
            yield "{"
            yield from inner(s.body)
            yield "}"
        case Break():
            yield "break;"
        case Continue():
            yield "continue;"
        case Return():
            if function.role == "thread":
                yield f"return {_as_pointer(s.value, function)};"
            else:
                yield f"return {_bare(s.value)};" if s.value is not None else "return;"
        case Goto():
            yield f"goto {s.label};"
        case Label():
            yield f"{s.name}: ;"
        case Lock():
            yield f"pthread_mutex_lock(&{s.mutex});"
        case Unlock():
            yield f"pthread_mutex_unlock(&{s.mutex});"
        case Wait():
            yield f"pthread_cond_wait(&{s.cond}, &{s.mutex});"
        case Signal():
            yield f"pthread_cond_signal(&{s.cond});"
        case Broadcast():
            yield f"pthread_cond_broadcast(&{s.cond});"
        case Sync():
            yield f"{s.call}(&{s.object});"
        case AtomicBegin():
            yield "__VERIFIER_atomic_begin();"
        case AtomicEnd():
            yield "__VERIFIER_atomic_end();"
        case Create():
            argument = "0"
            if s.argument is not None:
                argument = _as_pointer(s.argument, program.function(s.function))
            yield f"pthread_create(&{c_name(s.thread)}, 0, {s.function}, {argument});"
        case Join():
            if s.result is None:
                yield f"pthread_join({c_name(s.thread)}, 0);"
            else:
                yield f"void *p_{s.result};"
                yield f"pthread_join({c_name(s.thread)}, &p_{s.result});"
                yield f"long {c_name(s.result)} = (long)p_{s.result};"
        case ThreadExit():
            yield f"pthread_exit({_as_pointer(s.value, function)});"
        case Exit():
            yield s.call + ";"
        case Fail():
            yield "reach_error();"
        case Assert():
            yield f"assert({_bare(s.cond)});"
        case Assume():
            yield f"__VERIFIER_assume({_bare(s.cond)});"
        case Observe():
            yield f"long {c_name(s.name)} = {_bare(s.value)};"
        case _:
            raise TypeError(s)


def _as_pointer(value: Expr | None, started: Function) -> str:
    if value is None:
        return "0"
    if isinstance(value, (AddressOf, Deref, Decayed)) or (isinstance(value, Var) and _is_pointer(value.name, started)):
        return c_expr(value)
    return f"(void *)(long){c_expr(value)}"


def _is_pointer(name: str, function: Function) -> bool:
    return any(name == other and type_[0] == "*" for type_, other in function.parameters)


def _width(type_: str) -> str:
    return f" : {_TYPES[type_][0]}" if type_ in _BIT_FIELDS else ""


def _signature(f: Function) -> str:
    if f.role == "main":
        return "int main(void)"
    if f.role == "thread":
        return f"void *{f.name}(void *arg)"
    parameters = ", ".join(c_declaration(*p) for p in f.parameters) or "void"
    return f"{c_declaration(f.type, f.name)}({parameters})"


def to_c(program: Program) -> str:
    """The program in C."""
    lines = [f"{_signature(f)};" for f in program.functions if f.role != "main"]
    members: dict[str, list[Shared]] = {}
    for v in program.shared:
        if "." in v.name:
            members.setdefault(v.name.split(".")[0], []).append(v)
            continue
        init = f"{{ {', '.join(map(str, v.init))} }}" if v.size is not None else v.init
        if v.type[0] == "*" and v.init:
            array = next(w for w in program.shared if w.name == v.init).size is not None
            init = v.init if array else f"&{v.init}"
        brackets = f"[{v.size}]" if v.size is not None else ""
        const = "const " if v.const else "_Atomic " if v.atomic else ""
        lines.append(f"{const}{c_declaration(v.type, v.name)}{brackets} = {init};" if init else
                     f"{const}{c_declaration(v.type, v.name)}{brackets};")  # fmt: skip
    for number, (record, fields) in enumerate(members.items()):
        types = " ".join(f"{c_declaration(v.type, v.name.split('.')[1])}{_width(v.type)};" for v in fields)
        head = "struct record" if number else f"struct record {{ {types} }}"
        lines.append(f"{head} {record} = {{ {', '.join(str(v.init) for v in fields)} }};")
    lines.extend(f"pthread_mutex_t {name} = {_INITIALISERS[name[0]]};" for name in program.mutexes)
    lines.extend(f"pthread_cond_t {name} = PTHREAD_COND_INITIALIZER;" for name in program.conds)
    lines.extend(_SYNCS[name[0]][0].format(name, count) for name, count in program.syncs)
    for f in program.functions:
        lines.append("")
        lines.append(_signature(f) + " {")
        if f.role == "main":
            lines.extend("    " + _SYNCS[name[0]][1].format(name, count) for name, count in program.syncs)
        if f.role == "thread" and f.parameters:
            type_, name = f.parameters[0]
            cast = "arg" if type_[0] == "*" else f"({_C_TYPES[type_]})(long)arg"
            lines.append(f"    {c_declaration(type_, name)} = {cast};")
        lines.extend(c_lines(f.body, program, f))
        if f.role == "thread":
            lines.append("    return 0;")
        lines.append("}")
    c11 = any((isinstance(p, Atomic) and p.style == "c11") or (isinstance(p, Swap) and p.c11) for p in walk(program))
    headers = ("#include <stdatomic.h>\n" if c11 else "") + ("#include <semaphore.h>\n" if program.syncs else "")
    return _HEAD + headers + "\n".join(lines) + "\n"


# Types: name → bits, signed (bool apart); long has the size of a pointer

_TYPES = {
    "uchar": (8, False), "schar": (8, True), "short": (16, True), "ushort": (16, False), "int": (32, True),
    "uint": (32, False), "long": (0, True), "ulong": (0, False), "llong": (64, True), "ullong": (64, False),
    "u3": (3, False), "s2": (2, True),
}  # fmt: skip
_RANKS = ["int", "long", "llong"]
_BIT_FIELDS = ("u3", "s2")


class _Arithmetic:
    """C's integer conversions."""

    def __init__(self, pointer_bits: int) -> None:
        self._pointer_bits = pointer_bits

    def _bits(self, type_: str) -> int:
        return _TYPES[type_][0] or self._pointer_bits

    def convert(self, value: Any, type_: str) -> Any:
        if type_[0] == "*" or type_ in ("thread", "fn", "tfn"):
            return value
        if type_ == "bool":
            return int(value != 0)
        value &= (1 << self._bits(type_)) - 1
        return value - (1 << self._bits(type_)) if _TYPES[type_][1] and value >> (self._bits(type_) - 1) else value

    def promote(self, type_: str) -> str:
        return "int" if type_ == "bool" or 0 < _TYPES[type_][0] < 32 else type_

    def common(self, one: str, other: str) -> str:
        one, other = self.promote(one), self.promote(other)
        low, high = sorted((one, other), key=lambda t: _RANKS.index(t.replace("u", "")))
        base = high.replace("u", "")
        if low.replace("u", "") == base or low[0] != "u" or high[0] == "u":
            return "u" + base if "u" in (high[0], low[0]) and (high[0] == "u" or low.replace("u", "") == base) else high
        return base if self._bits(base) > self._bits(low) else "u" + base

    def binary(self, op: str, left: tuple[int, str], right: tuple[int, str]) -> tuple[int, str]:
        type_ = self.common(left[1], right[1])
        if op in ("<<", ">>"):
            type_ = self.promote(left[1])
        a, b = self.convert(left[0], type_), self.convert(right[0], type_)
        if op in _COMPARE:
            return int(_COMPARE[op](a, b)), "int"
        if op in "/%" and b == 0:
            raise Undefined("division by zero")
        return self.convert(_OPERATORS[op](a, b), type_), type_


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "&": lambda a, b: a & b,
    "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
}  # fmt: skip


_ATOMIC_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "nand": "nand"}


# One thread

Cell = tuple[Any, ...]
Key = tuple[int, tuple[Any, ...]]
"""A thread's name, which sorts in the order of creation: generation, and the places of creation of its ancestors
and itself in the unrolled text."""

_UNDEFINED = object()
_ANYTHING = (-1, 0, 1, 2, 3)
"""The values that an undefined local is tried with: each that `IsEqual` compares with, and another."""


class Undefined(Exception):
    """The program has an execution whose behaviour C leaves undefined: it is no test."""


class TooBig(Exception):
    """There are too many states."""


class _ThreadEnd(Exception):
    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


class _Activation:
    def __init__(self, function: Function, depth: int) -> None:
        self.function = function
        self.depth = depth
        self.locals: dict[Any, Any] = {}


Run = Generator[tuple[Any, ...], Any, Any]


class _Thread:
    """The interpreter of one thread."""

    def __init__(self, world: _World, key: Key, function: Function) -> None:
        self._world = world
        self._key = key
        self._function = function
        self._stack: list[_Activation] = []
        self._path: list[int] = []

    def run(self, argument: Any) -> Run:
        """Yields actions and gets the answers; the last action is ``done``, ``fail``, ``stuck``, ``exit``."""
        function = self._function
        self._stack.append(_Activation(function, 0))
        yield ("start",)
        try:
            for type_, name in function.parameters:
                yield from self._set_local(name, type_, argument)
            outcome = yield from self._body(function.body)
            result = outcome[1] if outcome and outcome[0] == "return" else (0, "int")
            if result is None:
                result = (0, "int")
        except _ThreadEnd as end:
            result = end.result
        else:
            if function.role == "main":
                yield ("exit",)
        yield ("done", self._world.arithmetic.convert(result[0], "long"))

    # Variables

    def _cell(self, name: str) -> Cell | None:
        """Where a variable is, if other threads can get at it."""
        if name in self._world.shared:
            return (name,)
        if name in self._world.escaping:
            return (name, self._key, self._stack[-1].depth)
        return None

    def _type(self, name: str) -> str:
        return self._world.types[name]

    def _set_local(self, name: str, type_: str, value: Any) -> Run:
        value = self._world.arithmetic.convert(value, type_)
        cell = self._cell(name)
        if cell is not None:
            yield ("store", cell, value)
        else:
            self._stack[-1].locals[name] = value

    def _place(self, e: Expr) -> Run:
        """An lvalue: how to get at it, and its type."""
        match e:
            case Var():
                cell = self._cell(e.name)
                return ("local", e.name) if cell is None else ("shared", cell), self._type(e.name)
            case Index():
                index, _ = yield from self._value(e.index)
                if not 0 <= index < self._world.sizes[e.array]:
                    raise Undefined("out of bounds")
                cell = self._cell(e.array)
                type_ = self._type(e.array)
                return (("local", (e.array, index)) if cell is None else ("shared", (*cell, index))), type_
            case Deref():
                cell, type_ = yield from self._value(e.pointer)
                if not isinstance(cell, tuple):
                    raise Undefined("not a pointer")
                return ("shared", cell), type_[1:]
            case PointerIndex():
                cell, type_ = yield from self._value(e.pointer)
                index, _ = yield from self._value(e.index)
                if (
                    not isinstance(cell, tuple)
                    or len(cell) != 2
                    or not 0 <= cell[1] + index < self._world.sizes[cell[0]]
                ):
                    raise Undefined("no element")
                return ("shared", (cell[0], cell[1] + index)), type_[1:]
        raise TypeError(e)

    def _load(self, place: Any) -> Run:
        kind, where = place
        if kind == "shared":
            known = self._world.constants.get(where)
            return known if known is not None else (yield ("load", where))
        value = self._stack[-1].locals.get(where, _UNDEFINED)
        if value is _UNDEFINED:
            raise Undefined(f"{where} is not initialised")
        return value

    def _store(self, place: Any, value: Any) -> Run:
        kind, where = place
        if kind == "shared":
            beside = self._world.beside.get(where, ())
            kept = yield from self._load_all(beside)
            yield from self._store_all(((where, value), *zip(beside, kept, strict=True)))
        else:
            self._stack[-1].locals[where] = value

    def _load_all(self, cells: tuple[Cell, ...]) -> Run:
        """The values of several cells in one step."""
        values = []
        if len(cells) > 1:
            yield ("begin",)
        for cell in cells:
            values.append((yield ("load", cell)))
        if len(cells) > 1:
            yield ("end",)
        return values

    def _store_all(self, stores: tuple[tuple[Cell, Any], ...]) -> Run:
        if len(stores) > 1:
            yield ("begin",)
        for cell, value in stores:
            yield ("store", cell, value)
        if len(stores) > 1:
            yield ("end",)

    def _copy(self, s: CopyRecord) -> Run:
        """A copy of a struct: an access for each member, or for adjacent bit-fields; all loads before all stores."""
        values: dict[str, Any] = {}
        for group in self._world.groups:
            if f"{s.source}.{group[0]}" in self._world.shared:
                found = yield from self._load_all(tuple((f"{s.source}.{member}",) for member in group))
            else:
                found = [self._stack[-1].locals[f"{s.source}.{member}"] for member in group]
            values.update(zip(group, found, strict=True))
        for group in self._world.groups:
            if f"{s.target}.{group[0]}" in self._world.shared:
                yield from self._store_all(tuple(((f"{s.target}.{member}",), values[member]) for member in group))
            else:
                self._stack[-1].locals.update({f"{s.target}.{member}": values[member] for member in group})

    # Expressions

    def _atomic(self, e: Atomic) -> Run:
        arithmetic = self._world.arithmetic
        place, type_ = yield from self._place(e.target)
        value = 0
        if e.value is not None:
            value, _ = yield from self._value(e.value)
            value = arithmetic.convert(value, type_)
        if e.action == "load":
            return (yield from self._load(place)), type_
        if e.action == "store":
            yield from self._store(place, 0 if e.style == "sync" else value)
            return 0, "int"

        def change(old: int) -> int:
            if e.action in ("exchange", "set"):
                return value if e.action == "exchange" else 1
            if e.op == "nand":
                return ~(old & value)
            return _OPERATORS[_ATOMIC_OPERATORS[e.op]](old, value)

        old, new = yield from self._updated(place, type_, change)
        if e.action == "set":
            return int(old != 0), "bool"
        return (new if e.action == "new" else old), type_

    def _updated(self, place: Any, type_: str, change: Callable[[int], int]) -> Run:
        """Load and store in one step: the values before and after."""
        yield ("begin",)
        old = yield from self._load(place)
        new = self._world.arithmetic.convert(change(old), type_)
        yield from self._store(place, new)
        yield ("end",)
        return old, new

    def _swap(self, e: Swap) -> Run:
        arithmetic = self._world.arithmetic
        place, type_ = yield from self._place(e.target)
        expected = None
        if e.form in ("strong", "weak"):
            expected, _ = yield from self._place(e.expected)
            wanted = yield from self._load(expected)
        else:
            wanted, _ = yield from self._value(e.expected)
        wanted = arithmetic.convert(wanted, type_)
        new, _ = yield from self._value(e.value)
        fails = (yield ("choose", (0, 1))) if e.form == "weak" else 0
        yield ("begin",)
        old = yield from self._load(place)
        equal = old == wanted and not fails
        if equal:
            yield from self._store(place, arithmetic.convert(new, type_))
        yield ("end",)
        if expected is not None and not equal:
            yield from self._store(expected, old)
        return (old, type_) if e.form == "val" else (int(equal), "bool")

    def _value(self, e: Expr, statement: bool = False) -> Run:
        """The value of an expression and its type. statement: whether nobody wants the value."""
        arithmetic = self._world.arithmetic
        match e:
            case Const():
                return e.value, "int"
            case FunctionName():
                return e.name, "fn"
            case Decayed():
                return (e.array, 0), "*" + self._type(e.array)
            case CallPointer():
                return (yield from self._call_pointer(e))
            case Var() | Index() | Deref() | PointerIndex():
                place, type_ = yield from self._place(e)
                return (yield from self._load(place)), type_
            case AddressOf():
                (_, where), type_ = yield from self._place(e.target)
                return where, "*" + type_
            case Unary(op="!"):
                value, _ = yield from self._value(e.operand)
                return int(value == 0), "int"
            case Unary():
                value, type_ = yield from self._value(e.operand)
                type_ = arithmetic.promote(type_)
                return arithmetic.convert(-value if e.op == "-" else ~value, type_), type_
            case Cast():
                value, _ = yield from self._value(e.operand)
                return arithmetic.convert(value, e.type), e.type
            case Binary(op="&&" | "||"):
                left, _ = yield from self._value(e.left)
                if (left != 0) == (e.op == "||"):
                    return int(left != 0), "int"
                right, _ = yield from self._value(e.right, statement)
                return int(right != 0), "int"
            case Binary(op=","):
                yield from self._value(e.left, statement=True)
                return (yield from self._value(e.right, statement))
            case Binary():
                left = yield from self._value(e.left)
                right = yield from self._value(e.right)
                return arithmetic.binary(e.op, left, right)
            case Ternary():
                cond, _ = yield from self._value(e.cond)
                value, type_ = yield from self._value(e.then if cond else e.other, statement)
                type_ = arithmetic.common(self._static_type(e.then), self._static_type(e.other))
                return arithmetic.convert(value, type_), type_
            case Assign():
                return (yield from self._assign(e, statement))
            case Atomic():
                return (yield from self._atomic(e))
            case Swap():
                return (yield from self._swap(e))
            case Increment() if self._is_atomic(e.target):
                place, type_ = yield from self._place(e.target)
                change = lambda old: arithmetic.binary(e.op[0], (old, type_), (1, "int"))[0]  # noqa: E731
                old, new = yield from self._updated(place, type_, change)
                return (new if e.prefix else old), type_
            case Increment():
                place, type_ = yield from self._place(e.target)
                old = yield from self._load(place)
                one, _ = arithmetic.binary(e.op[0], (old, type_), (1, "int"))
                new = arithmetic.convert(one, type_)
                yield from self._store(place, new)
                return (new if e.prefix else old), type_
            case Call():
                return (yield from self._call(e))
            case TryLock():
                return (yield ("trylock", e.mutex)), "int"
            case IsEqual():
                return (yield from self._is_equal(e)), "int"
        raise TypeError(e)

    def _static_type(self, e: Expr) -> str:
        """The type of an expression that is not evaluated."""
        arithmetic = self._world.arithmetic
        match e:
            case Const() | TryLock() | IsEqual() | Unary(op="!"):
                return "int"
            case Var():
                return self._type(e.name)
            case Index():
                return self._type(e.array)
            case Deref() | PointerIndex():
                return self._static_type(e.pointer)[1:]
            case CallPointer():
                return "int"
            case Unary():
                return arithmetic.promote(self._static_type(e.operand))
            case Cast():
                return e.type
            case Binary(op=","):
                return self._static_type(e.right)
            case Binary():
                if e.op in _COMPARE or e.op in ("&&", "||"):
                    return "int"
                if e.op in ("<<", ">>"):
                    return arithmetic.promote(self._static_type(e.left))
                return arithmetic.common(self._static_type(e.left), self._static_type(e.right))
            case Ternary():
                return arithmetic.common(self._static_type(e.then), self._static_type(e.other))
            case Atomic(action="set") | Swap(form="bool" | "strong" | "weak"):
                return "bool"
            case Assign() | Increment() | Atomic() | Swap():
                return self._static_type(e.target)
            case Call():
                return self._world.program.function(e.function).type
        raise TypeError(e)

    def _assign(self, e: Assign, statement: bool) -> Run:
        arithmetic = self._world.arithmetic
        if e.op == "=":
            place, type_ = yield from self._place(e.target)
            value, _ = yield from self._value(e.value)
            value = arithmetic.convert(value, type_)
            yield from self._store(place, value)
            return value, type_
        if self._is_atomic(e.target):
            place, type_ = yield from self._place(e.target)
            operand = yield from self._value(e.value)
            _, new = yield from self._updated(
                place, type_, lambda old: arithmetic.binary(e.op[:-1], (old, type_), operand)[0]
            )
            return new, type_
        later = statement and self._is_plain(e.value)
        if statement and not later:
            value = yield from self._value(e.value)
            place, type_ = yield from self._place(e.target)
            old = yield from self._load(place)
        elif later:
            place, type_ = yield from self._place(e.target)
            old = yield from self._load(place)
            value = yield from self._value(e.value)
        else:
            place, type_ = yield from self._place(e.target)
            value = yield from self._value(e.value)
            old = yield from self._load(place)
        result, _ = arithmetic.binary(e.op[:-1], (old, type_), value)
        result = arithmetic.convert(result, type_)
        yield from self._store(place, result)
        return result, type_

    def _is_atomic(self, e: Expr) -> bool:
        return isinstance(e, Var) and e.name in self._world.atomic

    def _is_plain(self, e: Expr) -> bool:
        """No side effects, no accesses that depend on a condition."""
        for part in walk(e):
            if isinstance(part, (Assign, Increment, Call, CallPointer, TryLock, Atomic, Swap)) or (
                isinstance(part, Binary) and part.op == ","
            ):
                return False
            guarded: tuple[Expr, ...] = ()
            if isinstance(part, Binary) and part.op in ("&&", "||"):
                guarded = (part.right,)
            elif isinstance(part, Ternary):
                guarded = (part.then, part.other)
            if any(self._accesses(branch) for branch in guarded):
                return False
        return True

    def _accesses(self, e: Expr) -> bool:
        for part in walk(e):
            name = part.name if isinstance(part, Var) else part.array if isinstance(part, Index) else None
            if isinstance(part, (Deref, PointerIndex)) or name in self._world.visible:
                return True
        return False

    def _is_equal(self, e: IsEqual) -> Run:
        value = self._stack[-1].locals.get(e.variable, _UNDEFINED)
        if value is _UNDEFINED:
            if e.variable not in self._stack[-1].locals:
                raise Undefined(f"the declaration of {e.variable} is never reached")
            value = yield ("choose", _ANYTHING)
            self._stack[-1].locals[e.variable] = value
        return int(value == e.value)

    def _call_pointer(self, e: CallPointer) -> Run:
        name, _ = yield from self._value(e.pointer)
        if not isinstance(name, str):
            raise Undefined("not a function")
        argument, _ = yield from self._value(e.argument)
        return (yield from self._enter(self._world.program.function(name), [argument]))

    def _call(self, e: Call) -> Run:
        values = []
        for argument in e.arguments:
            value, _ = yield from self._value(argument)
            values.append(value)
        return (yield from self._enter(self._world.program.function(e.function), values))

    def _enter(self, function: Function, values: list[Any]) -> Run:
        depth = sum(1 for a in self._stack if a.function is function)
        if depth >= self._world.unwind:
            yield ("stuck", "cut")
        atomic = function.name.startswith("__VERIFIER_atomic_")
        if atomic:
            yield ("begin",)
        self._stack.append(_Activation(function, depth))
        for (type_, name), value in zip(function.parameters, values, strict=True):
            yield from self._set_local(name, type_, value)
        outcome = yield from self._body(function.body)
        self._stack.pop()
        if atomic:
            yield ("end",)
        if function.type == "void":
            return 0, "int"
        if not outcome or outcome[1] is None:
            return _UNDEFINED, function.type
        return self._world.arithmetic.convert(outcome[1][0], function.type), function.type

    # Statements. An outcome says how control leaves: None, or ("break",), ("goto", label), ("return", value), …

    def _body(self, body: Body, seek: str | None = None) -> Run:
        """Execute a list of statements; from the label *seek* on, if one is given."""
        position = 0
        back = {s.name: p for p, s in enumerate(body) if isinstance(s, Label) and s.is_back}
        counts: dict[str, int] = {}
        while position < len(body):
            statement = body[position]
            if seek is not None and not _has_label(statement, seek):
                position += 1
                continue
            if isinstance(statement, Label) and statement.is_back:
                counts[statement.name] = 1
            # Where control goes back to a label in front, what is behind it is in an iteration.
            mark = len(self._path)
            for name, count in counts.items():
                self._path += [back[name], count]
            self._path.append(position)
            outcome = yield from self._statement(statement, seek)
            del self._path[mark:]
            seek = None
            if outcome and outcome[0] == "goto" and any(_has_label(s, outcome[1]) for s in body[position + 1 :]):
                seek, outcome = outcome[1], None
            elif outcome and outcome[0] == "goto" and outcome[1] in back:
                name = outcome[1]
                position, outcome = back[name], None
                counts = {other: count for other, count in counts.items() if back[other] <= position}
                counts[name] += 1
                yield from self._iteration(counts[name])
            if outcome:
                return outcome
            position += 1
        return None

    def _statement(self, s: Stmt, seek: str | None) -> Run:
        if seek is not None and not isinstance(s, (Label, If, Switch, Block)):
            raise Undefined("a jump into a loop")
        match s:
            case Declare():
                if s.value is None:
                    if self._cell(s.name) is not None:
                        raise Undefined("an undefined local that others can see")
                    self._stack[-1].locals[s.name] = _UNDEFINED
                else:
                    value, _ = yield from self._value(s.value)
                    yield from self._set_local(s.name, s.type, value)
            case DeclareArray():
                for index in range(s.size):
                    value = s.values[index] if index < len(s.values) else 0
                    self._stack[-1].locals[s.name, index] = self._world.arithmetic.convert(value, s.type)
            case Choose():
                value = yield ("choose", tuple(range(s.low, s.high + 1)))
                yield from self._set_local(s.name, s.type, value)
            case CopyRecord():
                if "copies" in self._world.whole:
                    yield ("begin",)
                yield from self._copy(s)
                if "copies" in self._world.whole:
                    yield ("end",)
            case Do():
                yield from self._value(s.value, statement=True)
            case Switch():
                return (yield from self._switch(s, seek))
            case If():
                return (yield from self._if(s, seek))
            case While():
                return (yield from self._loop(None, s.cond, None, s.body))
            case DoWhile():
                return (yield from self._do(s))
            case For():
                return (yield from self._loop(s.init, s.cond, s.step, s.body))
            case Block():
                return (yield from self._body(s.body, seek))
            case Break():
                return ("break",)
            case Continue():
                return ("continue",)
            case Return():
                value = None
                if s.value is not None:
                    value = yield from self._value(s.value)
                return ("return", value)
            case Goto():
                return ("goto", s.label)
            case Label() | Static():
                pass
            case Observe():
                value, _ = yield from self._value(s.value)
                value = self._world.arithmetic.convert(value, "long")
                self._stack[-1].locals[s.name] = value
                yield ("observe", s.name, value)
            case _:
                yield from self._thread_statement(s)
        return None

    def _thread_statement(self, s: Stmt) -> Run:
        match s:
            case Lock() | Unlock():
                yield (type(s).__name__.lower(), s.mutex)
            case Wait():
                yield ("sleep", s.cond, s.mutex)
                yield ("wake", s.cond, s.mutex)
            case Signal() | Broadcast():
                yield (type(s).__name__.lower(), s.cond)
            case Sync(call="pthread_barrier_wait"):
                phase = yield ("arrive", s.object)
                yield ("leave_barrier", s.object, phase)
            case Sync():
                yield (s.call.removeprefix("pthread_"), s.object)
            case AtomicBegin():
                yield ("begin",)
            case AtomicEnd():
                yield ("end",)
            case Create():
                argument = 0
                if s.argument is not None:
                    argument, _ = yield from self._value(s.argument)
                cell = self._cell(s.thread)
                generation, ancestors = self._key
                key = (generation + 1, (*ancestors, tuple(self._path)))
                function = s.function
                if function in self._world.shared:
                    function = yield ("load", (function,))
                yield ("create", key, function, argument, cell)
                if cell is None:
                    self._stack[-1].locals[s.thread] = key
            case Join():
                place, _ = yield from self._place(Var(s.thread))
                key = yield from self._load(place)
                result = yield ("join", key)
                if s.result is not None:
                    self._stack[-1].locals[s.result] = result
            case ThreadExit():
                result = (0, "int")
                if s.value is not None:
                    result = yield from self._value(s.value)
                raise _ThreadEnd(result)
            case Exit():
                yield ("exit",)
            case Fail():
                yield ("fail",)
            case Assert():
                value, _ = yield from self._value(s.cond)
                if not value:
                    yield ("fail",)
            case Assume():
                value, _ = yield from self._value(s.cond)
                if not value:
                    yield ("stuck", "assume")
            case _:
                raise TypeError(s)

    def _if(self, s: If, seek: str | None) -> Run:
        other = s.other or ()
        if seek is not None:
            taken = any(_has_label(t, seek) for t in s.then)
        else:
            cond, _ = yield from self._value(s.cond)
            taken = bool(cond)
        self._path.append(0 if taken else 1)
        outcome = yield from self._body(s.then if taken else other, seek)
        self._path.pop()
        if taken and outcome and outcome[0] == "goto" and any(_has_label(t, outcome[1]) for t in other):
            self._path.append(1)
            outcome = yield from self._body(other, outcome[1])
            self._path.pop()
        return outcome

    def _switch(self, s: Switch, seek: str | None) -> Run:
        statements: list[Stmt] = []
        starts: dict[int | None, int] = {}
        for case in s.cases:
            starts[case.value] = len(statements)
            statements.extend(case.body)
        first = 0
        if seek is None:
            value, _ = yield from self._value(s.value)
            first = starts.get(value, starts.get(None, len(statements)))
        self._path.append(first)
        outcome = yield from self._body(tuple(statements[first:]), seek)
        self._path.pop()
        return None if outcome == ("break",) else outcome

    def _iteration(self, count: int) -> Run:
        if count > self._world.unwind:
            yield ("stuck", "cut")

    def _loop(self, init: Stmt | None, cond: Expr | None, step: Expr | None, body: Body) -> Run:
        if init is not None:
            yield from self._statement(init, None)
        count = 0
        while True:
            if cond is not None:
                value, _ = yield from self._value(cond)
                if not value:
                    return None
            count += 1
            yield from self._iteration(count)
            self._path.append(count)
            outcome = yield from self._body(body)
            self._path.pop()
            if outcome == ("break",):
                return None
            if outcome and outcome != ("continue",):
                return outcome
            if step is not None:
                yield from self._value(step, statement=True)

    def _do(self, s: DoWhile) -> Run:
        count = 0
        while True:
            count += 1
            yield from self._iteration(count)
            self._path.append(count)
            outcome = yield from self._body(s.body)
            self._path.pop()
            if outcome == ("break",):
                return None
            if outcome and outcome != ("continue",):
                return outcome
            value, _ = yield from self._value(s.cond)
            if not value:
                return None


def _has_label(s: Stmt, name: str) -> bool:
    return any(isinstance(part, Label) and part.name == name for part in walk(s))


class _Node:
    """A thread behind the answers that it has got: what it wants to do next."""

    __slots__ = ("_answers", "_children", "_live", "_start", "action")

    def __init__(self, start: Callable[[], Run], answers: tuple[Any, ...], live: Run, action: tuple[Any, ...]) -> None:
        self._start = start
        self._answers = answers
        self._children: dict[Any, _Node] = {}
        self._live: Run | None = live
        self.action = action

    @classmethod
    def first(cls, start: Callable[[], Run]) -> _Node:
        live = start()
        return cls(start, (), live, next(live))

    def told(self, answer: Any) -> _Node:
        """The thread behind one more answer."""
        child = self._children.get(answer)
        if child is None:
            live = self._live
            if live is None:
                live = self._start()
                next(live)
                for old in self._answers:
                    live.send(old)
            self._live = None
            action = live.send(answer)
            child = self._children[answer] = _Node(self._start, (*self._answers, answer), live, action)
        return child


# All threads


@dataclass
class Result:
    """violated: whether an assertion fails or the thread library is misused. seen: values per `Observe`, with how
    many states have them."""

    violated: bool
    states: int
    seen: dict[str, dict[int, int]] = field(default_factory=dict)


class _Violated(Exception):
    pass


# A state: threads (key → node, in order), memory, and how many atomic sections the running thread is in.
State = tuple[tuple[tuple[Key, _Node], ...], tuple[Any, ...], int]
MAIN: Key = (0, ())


class _World:
    """The exploration of one program."""

    def __init__(
        self, program: Program, rounds: int, unwind: int, bits: int, limit: int, loose: frozenset[str]
    ) -> None:
        self.program = program
        self.rounds = rounds
        self.unwind = unwind
        self.arithmetic = _Arithmetic(bits)
        self._limit = limit
        self._loose = loose
        self.whole: frozenset[str] = frozenset()
        self.states = 0
        self.seen: dict[str, dict[int, int]] = {}
        self.types: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self.escaping: set[str] = set()
        self._roots: dict[tuple[Key, str, Any], _Node] = {}
        self._cells: dict[Cell, int] = {}
        self._initial: list[Any] = []
        self.shared: set[str] = set()
        self.visible: set[str] = set()
        self.constants: dict[Cell, int] = {}
        self.atomic = {v.name for v in program.shared if v.atomic}
        for v in program.shared:
            self._declare_shared(v)
        self.groups = _groups(program)
        self.beside = _beside(program, self.groups)
        for mutex in program.mutexes:
            self._add(("mutex", mutex), (None, 0))
        for cond in program.conds:
            self._add(("cond", cond), frozenset())
        self._threads_at = {name: count for name, count in program.syncs if name[0] == "b"}
        for name, count in program.syncs:
            self._add(("sync", name), count if name[0] == "s" else (None, ()) if name[0] == "w" else (0, 0))
        for part in walk(program):
            self._note(part)
        self.visible = self.shared - {v.name for v in program.shared if v.const} | self.escaping

    def _add(self, cell: Cell, value: Any) -> None:
        self._cells[cell] = len(self._initial)
        self._initial.append(value)

    def _declare_shared(self, v: Shared) -> None:
        self.shared.add(v.name)
        if v.const:
            self.constants[(v.name,)] = v.init
        self.types[v.name] = v.type
        if v.size is not None:
            self.sizes[v.name] = v.size
            for index in range(v.size):
                self._add((v.name, index), self.arithmetic.convert(v.init[index], v.type))
        elif v.type[0] == "*":
            target = next((w for w in self.program.shared if w.name == v.init), None)
            array = target is not None and target.size is not None
            self._add((v.name,), (v.init, 0) if array else (v.init,) if v.init else 0)
        else:
            self._add((v.name,), self.arithmetic.convert(v.init, v.type))

    def _note(self, part: Any) -> None:
        match part:
            case Declare() | Choose():
                self.types[part.name] = part.type
            case DeclareArray():
                self.types[part.name] = part.type
                self.sizes[part.name] = part.size
            case Static():
                self._declare_shared(Shared(part.type, part.name, part.value))
            case CopyRecord(declares=True):
                for member in (member for group in self.groups for member in group):
                    self.types[f"{part.target}.{member}"] = self.types[f"r.{member}"]
            case Observe():
                self.types[part.name] = "long"
            case Join() if part.result is not None:
                self.types[part.result] = "long"
            case AddressOf(target=Var()):
                if part.target.name not in self.shared:
                    self.escaping.add(part.target.name)
            case Function():
                self.types.update({name: type_ for type_, name in part.parameters})

    # Threads and memory

    def _root(self, key: Key, function: str, argument: Any) -> _Node:
        node = self._roots.get((key, function, argument))
        if node is None:
            definition = self.program.function(function)

            def start() -> Run:
                return _Thread(self, key, definition).run(argument)

            node = self._roots[key, function, argument] = _Node.first(start)
        return node

    def _read(self, memory: tuple[Any, ...], cell: Cell) -> Any:
        index = self._cells.get(cell)
        if index is None or index >= len(memory) or memory[index] is _UNDEFINED:
            raise Undefined(f"{cell} has no value")
        return memory[index]

    def _written(self, memory: tuple[Any, ...], cell: Cell, value: Any) -> tuple[Any, ...]:
        index = self._cells.setdefault(cell, len(self._cells))
        if index >= len(memory):
            memory += (_UNDEFINED,) * (index + 1 - len(memory))
        return (*memory[:index], value, *memory[index + 1 :])

    # Exploration

    def explore(self) -> None:
        """Raises _Violated."""
        state: State = (((MAIN, self._root(MAIN, "main", 0)),), tuple(self._initial), 0)
        states = {state}
        for _ in range(self.rounds):
            states = self._round(states)
        self._context(states, MAIN)

    def _round(self, states: set[State]) -> set[State]:
        """Each thread that is there when its turn comes runs for as long as it likes."""
        waiting: dict[Key, set[State]] = {MAIN: states}
        order = [MAIN]
        done: set[State] = set()
        while order:
            key = heappop(order)
            for state in self._context(waiting.pop(key), key):
                following = min((k for k, _ in state[0] if k > key), default=None)
                if following is None:
                    done.add(state)
                elif following in waiting:
                    waiting[following].add(state)
                else:
                    waiting[following] = {state}
                    heappush(order, following)
        return done

    def _context(self, states: set[State], key: Key) -> list[State]:
        """What the thread can make of the states in any number of steps."""
        known = set(states)
        work = list(states)
        while work:
            for state in self._step(work.pop(), key):
                if state not in known:
                    known.add(state)
                    work.append(state)
                    self.states += 1
                    if self.states > self._limit:
                        raise TooBig
        for threads, _, section in known:
            if section and dict(threads)[key].action[0] == "done":
                raise Undefined("a thread ends in an atomic section")
        return [state for state in known if state[2] == 0]

    def _step(self, state: State, key: Key) -> Iterator[State]:
        """One visible action of a thread, and what follows that nobody can notice."""
        threads, memory, section = state
        node = dict(threads)[key]
        for after in self._visible(node.action, key, threads, memory, section):
            answer, threads_, memory_, section_ = after
            for end in self._settled(node.told(answer)):
                yield tuple((k, end if k == key else n) for k, n in threads_), memory_, section_

    def _settled(self, node: _Node) -> Iterator[_Node]:
        """Make the choices of a thread up to its next visible action."""
        match node.action:
            case ("choose", options):
                for value in options:
                    yield from self._settled(node.told(value))
            case ("observe", name, value):
                counts = self.seen.setdefault(name, {})
                counts[value] = counts.get(value, 0) + 1
                yield from self._settled(node.told(None))
            case ("fail",):
                raise _Violated
            case ("stuck", reason):
                if reason not in self._loose:
                    yield node
            case _:
                yield node

    def _visible(self, action: Any, key: Key, threads: Any, memory: Any, section: int) -> Iterator[Any]:
        """The ways to do an action: the answer and the new state. None when it blocks."""
        match action:
            case ("start",):
                yield None, threads, memory, section
            case ("load", cell):
                yield self._read(memory, cell), threads, memory, section
            case ("store", cell, value):
                yield None, threads, self._written(memory, cell, value), section
            case ("begin",):
                yield None, threads, memory, section + 1
            case ("end",):
                if section == 0:
                    raise Undefined("the end of no atomic section")
                yield None, threads, memory, section - 1
            case ("lock" | "trylock" | "unlock", mutex):
                yield from self._mutex(action[0], mutex, key, threads, memory, section)
            case ("sleep", cond, mutex):
                if self._read(memory, ("mutex", mutex))[0] != key:
                    raise _Violated
                memory = self._written(memory, ("mutex", mutex), (None, 0))
                sleepers = self._read(memory, ("cond", cond)) | {key}
                yield None, threads, self._written(memory, ("cond", cond), sleepers), section
            case ("wake", cond, mutex):
                # Who has not been signalled can wake up spuriously, and it makes no difference how long before this.
                if self._read(memory, ("mutex", mutex))[0] is None:
                    sleepers = self._read(memory, ("cond", cond)) - {key}
                    memory = self._written(memory, ("cond", cond), sleepers)
                    yield None, threads, self._written(memory, ("mutex", mutex), (key, 0)), section
            case ("signal", cond):
                sleepers = self._read(memory, ("cond", cond))
                for chosen in sleepers:
                    yield None, threads, self._written(memory, ("cond", cond), sleepers - {chosen}), section
                if not sleepers:
                    yield None, threads, memory, section
            case ("broadcast", cond):
                yield None, threads, self._written(memory, ("cond", cond), frozenset()), section
            case ("create", new, function, argument, cell):
                added = tuple(sorted([*threads, (new, self._root(new, function, argument))], key=lambda pair: pair[0]))
                if len({k for k, _ in added}) < len(added):
                    raise TypeError("two threads with one key")
                yield None, added, self._written(memory, cell, new) if cell is not None else memory, section
            case ("join", other):
                yield from self._join(other, key, threads, memory, section)
            case (call, name, *phase) if call in _SYNC_STEPS:
                if (found := self._sync(call, name, phase, key, memory)) is not None:
                    yield found[0], threads, self._written(memory, ("sync", name), found[1]), section

    def _sync(self, call: str, name: str, phase: list[int], key: Key, memory: Any) -> tuple[Any, Any] | None:
        """A semaphore, a read-write lock or a barrier: the answer and what becomes of it. None when it blocks."""
        now = self._read(memory, ("sync", name))
        match call:
            case "sem_wait":
                return (None, now - 1) if now else None
            case "sem_post":
                return None, now + 1
            case "rwlock_rdlock" if now[0] is None:
                return None, (None, tuple(sorted((*now[1], key))))
            case "rwlock_wrlock" if now == (None, ()):
                return None, (key, ())
            case "rwlock_unlock" if now[0] == key:
                return None, (None, ())
            case "rwlock_unlock" if key in now[1]:
                place = now[1].index(key)
                return None, (None, now[1][:place] + now[1][place + 1 :])
            case "rwlock_unlock":
                raise _Violated
            case "arrive":
                arrived, passed = now
                last = arrived + 1 == self._threads_at[name]
                return passed, (0, passed + 1) if last else (arrived + 1, passed)
            case "leave_barrier" if now[1] > phase[0]:
                return None, now
        return None

    def _mutex(self, action: str, mutex: str, key: Key, threads: Any, memory: Any, section: int) -> Iterator[Any]:
        owner, count = self._read(memory, ("mutex", mutex))
        kind = mutex[0]
        if action == "unlock":
            if owner != key and kind == "m":
                raise _Violated
            new = (owner, count) if owner != key else (owner, count - 1) if count else (None, 0)
            answer = 1 if owner != key else 0
        elif owner is None:
            new, answer = (key, 0), 0
        elif owner == key and kind == "r":
            new, answer = (key, count + 1), 0
        elif action == "trylock":
            new, answer = (owner, count), 16
        elif owner == key and kind == "e":
            new, answer = (owner, count), 35
        else:
            return
        yield answer, threads, self._written(memory, ("mutex", mutex), new), section

    def _join(self, other: Any, key: Key, threads: Any, memory: Any, section: int) -> Iterator[Any]:
        joined = ("joined", other)
        index = self._cells.get(joined)
        if not isinstance(other, tuple) or (index is not None and index < len(memory) and memory[index] is True):
            raise _Violated
        if other == key:
            yield None, threads, memory, section
            return
        action = dict(threads)[other].action
        if action[0] == "done":
            yield action[1], threads, self._written(memory, joined, True), section


def _groups(program: Program) -> tuple[tuple[str, ...], ...]:
    """The members of the one struct type that there is, with adjacent bit-fields together."""
    groups: list[tuple[str, ...]] = []
    bits = False
    for v in program.shared:
        if v.name.startswith("r."):
            again = bits and v.type in _BIT_FIELDS
            bits = v.type in _BIT_FIELDS
            member = v.name.removeprefix("r.")
            groups[-1:] = [(*groups[-1], member)] if again else [*groups[-1:], (member,)]
    return tuple(groups)


def _beside(program: Program, groups: tuple[tuple[str, ...], ...]) -> dict[Cell, tuple[Cell, ...]]:
    """For each bit-field the others in its memory location."""
    found: dict[Cell, tuple[Cell, ...]] = {}
    records = {v.name.split(".")[0] for v in program.shared if "." in v.name}
    for record in records:
        for group in groups:
            for member in group:
                found[(f"{record}.{member}",)] = tuple((f"{record}.{other}",) for other in group if other != member)
    return found


def explore(
    program: Program,
    rounds: int,
    unwind: int,
    bits: int = 64,
    limit: int = 100_000,
    loose: frozenset[str] = frozenset(),
    whole: frozenset[str] = frozenset(),
) -> Result:
    """Whether an assertion can fail within the bounds.

    loose: what happens where a thread gets stuck for good, in an assumption that does not hold ("assume") or
    at an unwinding bound ("cut"). Others go on. Where the set names it, the step before it is not taken, either.

    whole: "copies" makes a copy of a struct one step, to see what only torn ones do.

    Raises Undefined for programs that are no tests, and TooBig.
    """
    world = _World(program, rounds, unwind, bits, limit, loose)
    world.whole = whole
    try:
        world.explore()
        violated = False
    except _Violated:
        violated = True
    return Result(violated, world.states, world.seen)


# Well-formedness, for programs that something was cut out of


def is_well_formed(program: Program) -> bool:
    """Whether the C text means what the data say: names, labels, jumps."""
    try:
        _check(program)
    except KeyError:
        return False
    return True


def _check(program: Program) -> None:
    known = {v.name for v in program.shared} | {f.name for f in program.functions}
    for v in program.shared:
        if isinstance(v.init, str) and v.init not in known:
            raise KeyError(v.init)
    top = {c_name(v.name).split(".")[0]: v.name for v in program.shared}
    for f in program.functions:
        labels = [part.name for part in walk(f.body) if isinstance(part, Label)]
        if len(set(labels)) < len(labels):
            raise KeyError("a label twice")
        scope = {c_name(name): name for _, name in f.parameters}
        _Checker(program, f).body(f.body, [top, scope], loops=(), seen=set(), switch=False)


class _Checker:
    def __init__(self, program: Program, function: Function) -> None:
        self._program = program
        self._function = function
        self._known = {v.name for v in program.shared} | {name for _, name in function.parameters}
        declarations = (Declare, DeclareArray, Choose, Static, Observe)
        self._known |= {part.name for part in walk(function.body) if isinstance(part, declarations)}
        copies = [part for part in walk(function.body) if isinstance(part, CopyRecord) and part.declares]
        members = [member for group in _groups(program) for member in group]
        self._known |= {f"{part.target}.{member}" for part in copies for member in members}
        self._known |= {part.result for part in walk(function.body) if isinstance(part, Join) and part.result}
        self._next = 0

    def _name(self, name: str, scopes: list[dict[str, str]]) -> None:
        record = c_name(name).split(".")[0]
        found = next((scope[record] for scope in reversed(scopes) if record in scope), None)
        if found is None or ("." not in name and found != name) or name not in self._known:
            raise KeyError(name)

    def _names(self, node: Any, scopes: list[dict[str, str]]) -> None:
        functions = {f.name for f in self._program.functions}
        variables = {v.name for v in self._program.shared}
        for part in walk(node):
            match part:
                case Var():
                    self._name(part.name, scopes)
                case Index():
                    self._name(part.array, scopes)
                case IsEqual():
                    self._name(part.variable, scopes)
                case Create():
                    self._name(part.thread, scopes)
                    if part.function not in functions | variables:
                        raise KeyError(part.function)
                case FunctionName() if part.name not in functions:
                    raise KeyError(part.name)
                case Decayed():
                    self._name(part.array, scopes)
                case Join():
                    self._name(part.thread, scopes)
                case Call():
                    if part.function not in functions:
                        raise KeyError(part.function)

    def _declare(self, name: str, scopes: list[dict[str, str]]) -> None:
        if c_name(name) in scopes[-1]:
            raise KeyError(name)
        scopes[-1][c_name(name)] = name

    def body(
        self, body: Body, scopes: list[dict[str, str]], loops: tuple[int, ...], seen: set[str], switch: bool
    ) -> None:
        for s in body:
            self._statement(s, scopes, loops, seen, switch)

    def _statement(
        self, s: Stmt, scopes: list[dict[str, str]], loops: tuple[int, ...], seen: set[str], switch: bool
    ) -> None:
        match s:
            case Declare():
                self._declare(s.name, scopes)
                self._names(s.value, scopes)
            case DeclareArray() | Choose() | Static():
                self._declare(s.name, scopes)
            case CopyRecord():
                if s.declares:
                    self._declare(s.target, scopes)
                for record in (s.target, s.source):
                    for group in _groups(self._program):
                        for member in group:
                            self._name(f"{record}.{member}", scopes)
            case Observe():
                self._declare(s.name, scopes)
                self._names(s.value, scopes)
            case If():
                self._names(s.cond, scopes)
                self.body(s.then, [*scopes, {}], loops, seen, switch)
                self.body(s.other or (), [*scopes, {}], loops, seen, switch)
            case While():
                self._names(s.cond, scopes)
                self._next += 1
                self.body(s.body, [*scopes, {}], (*loops, self._next), seen, False)
            case DoWhile():
                self._next += 1
                self.body(s.body, [*scopes, {}], (*loops, self._next), seen, False)
                self._names(s.cond, scopes)
            case For():
                scopes = [*scopes, {}]
                if s.init is not None:
                    self._statement(s.init, scopes, loops, seen, switch)
                self._names((s.cond, s.step), scopes)
                self._next += 1
                self.body(s.body, [*scopes, {}], (*loops, self._next), seen, False)
            case Switch():
                self._names(s.value, scopes)
                inside = [*scopes, {}]
                values = [case.value for case in s.cases]
                if len(set(values)) < len(values):
                    raise KeyError("a case twice")
                for case in s.cases:
                    self.body(case.body, inside, loops, seen, True)
            case Block():
                self.body(s.body, [*scopes, {}], loops, seen, switch)
            case Break():
                if not loops and not switch:
                    raise KeyError("break")
            case Continue():
                if not loops:
                    raise KeyError("continue")
            case Label():
                seen.add(s.name)
            case Goto():
                labels = [p for p in walk(self._function) if isinstance(p, Label) and p.name == s.label]
                if not labels or (s.label in seen) != labels[0].is_back:
                    raise KeyError(s.label)
            case Join():
                self._names(s, scopes)
                if s.result is not None:
                    self._declare(s.result, scopes)
            case _:
                self._names(s, scopes)
