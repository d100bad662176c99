"""Static footprints: what the steps of threads may access.

Memory is divided into locations: each object at file level that is only ever called by its name; everything that a
pointer can lead to; the creation of each thread, and its end; objects of the thread library. Locals that do not escape
do not concern other threads. A footprint is an over-approximation: two steps whose footprints do not conflict commute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Escapes, Visibility, object_of
from cseq.modules.library import lexicon, stubs
from cseq.modules.symbolic.encode.sequentializer.joins import Numbers, join_of, joined
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction

_MEMORY = "memory behind pointers"
_ENDS = "the end of thread {}"
_STARTS = "the creation of thread {}"
_JOINS = "who was joined or detached"
_SECTION = "__cs_atomic"

_BY_THREAD = {
    "__cs_active": _STARTS, "__cs_argument": _STARTS, "__cs_finished": _ENDS, "__cs_result": _ENDS,
}  # fmt: skip
"""Library objects that only the creation or the end of a thread writes, and only that thread's part."""

_NAMED = {
    "__cs_joined": _JOINS, "__cs_detached": _JOINS, "__cs_watched": "the watched object", "__cs_serial": "barriers",
    "__cs_cancelled": "cancellation", "__cs_cancel_disabled": "cancellation",
    **dict.fromkeys(("__cs_keys", "__cs_key_exists", "__cs_destructible", "__cs_specific", "__cs_destroyed",
                     "__cs_destructor_round", "__cs_destructor", "__cs_specific_value"), "keys"),
}  # fmt: skip
"""Library objects that no pointer leads to. Others count as memory reached through pointers."""

_THREAD_LOCAL = frozenset({"__cs_errno"})
"""Library objects of which each thread only accesses its own part."""

_SHALLOW = frozenset({
    "attr.c", "barrier.c", "cancel.c", "cond.c", "key.c", "mutex.c", "once.c", "rwlock.c", "semaphore.c", "spin.c",
    "thrd.c", "thread.c", "time.c", "watch.c",
})  # fmt: skip
"""Files of the library whose functions follow no pointers except those that they are given."""


@dataclass(frozen=True)
class Footprint:
    """The locations that a step may read, and those that it may write, as bit sets.

    section: whether the step may begin or end an atomic section that is determined at run time.
    """

    reads: int = 0
    writes: int = 0
    section: bool = False

    def __or__(self, other: Footprint) -> Footprint:
        return Footprint(self.reads | other.reads, self.writes | other.writes, self.section or other.section)

    @property
    def touches(self) -> int:
        """The locations that are read or written."""
        return self.reads | self.writes


NOTHING = Footprint()
_ANYTHING = Footprint(1, 1)


def footprints(
    threads: Sequence[ThreadFunction], tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility
) -> list[list[Footprint]]:
    """For each thread, and each of its labels: what the step that begins there may access.

    tree: the program before sequentialization. Bits that cannot cause a conflict are left out.
    """
    locations = _Locations(len(threads), tree, symbols, visibility)
    joins = joined(threads, symbols, visibility, locations.pointed)
    found = [_Regions(thread, locations, known).found for thread, known in zip(threads, joins, strict=True)]
    return _compressed(found, locations.all)


def _compressed(found: list[list[Footprint]], everything: int) -> list[list[Footprint]]:
    """The footprints restricted to the bits that matter: locations that two threads access and one of them writes."""
    whole = [[_spread(step, everything) for step in steps] for steps in found]
    touched = [_union(step.touches for step in steps) for steps in whole]
    written = [_union(step.writes for step in steps) for steps in whole]
    kept = 0
    for number in range(len(whole)):
        others = _union(written[:number] + written[number + 1 :])
        kept |= touched[number] & others
    bits = [bit for bit in range(kept.bit_length()) if kept >> bit & 1]
    return [
        [Footprint(_picked(step.reads, bits), _picked(step.writes, bits), step.section) for step in steps]
        for steps in whole
    ]


def _spread(step: Footprint, everything: int) -> Footprint:
    return Footprint(everything, everything, step.section) if step.touches & _ANYTHING.reads else step


def _union(sets: Iterable[int]) -> int:
    result = 0
    for item in sets:
        result |= item
    return result


MOST = 62
"""Above this number, several locations share a bit of the word, which only makes more steps conflict."""


def _picked(mask: int, bits: list[int]) -> int:
    return _union(1 << position % MOST for position, bit in enumerate(bits) if mask >> bit & 1)


class _Locations:
    """The footprints of expressions, statements and calls."""

    def __init__(self, threads: int, tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility) -> None:
        self.threads = threads
        self._symbols = symbols
        self._visibility = visibility
        self.pointed = _pointed_to(tree, symbols)
        self._bits: dict[str, int] = {}
        self._known: dict[int, Footprint] = {}

    @property
    def all(self) -> int:
        """The bits of all locations."""
        return (2 << len(self._bits)) - 1

    def _bit(self, name: str) -> int:
        return 2 << self._bits.setdefault(name, len(self._bits))  # the lowest bit is for anything

    def starts(self, number: int) -> int:
        """The location for the creation of a thread."""
        return self._bit(_STARTS.format(number))

    def statement(self, node: c_ast.Node, number: int) -> Footprint:
        """The accesses of an assignment or a call of the thread *number*."""
        known = self._known.get(id(node))
        if known is None or _is_end(node):
            known = self._known[id(node)] = self._statement(node, number)
        return known

    def join(self, node: c_ast.Node, call: c_ast.FuncCall, joined: Numbers) -> Footprint:
        """The accesses of the statement *node*, a *call* of pthread_join for one of the threads *joined*."""
        numbers = range(self.threads) if joined is None else sorted(joined)
        about = _union(self.starts(number) | self._bit(_ENDS.format(number)) for number in numbers)
        result = self._values(call.args.exprs) | self._targets(call.args.exprs[1:])
        result |= Footprint(about, self._bit(_JOINS))
        return result | self._store(node.lvalue) if isinstance(node, c_ast.Assignment) else result

    def _statement(self, node: c_ast.Node, number: int) -> Footprint:
        if isinstance(node, c_ast.FuncCall):
            return self._call(node, number)
        if not isinstance(node, c_ast.Assignment):
            return _ANYTHING
        if isinstance(node.lvalue, c_ast.ID) and node.lvalue.name == _SECTION:
            return Footprint(section=True)
        right = self._call(node.rvalue, number) if isinstance(node.rvalue, c_ast.FuncCall) else self.value(node.rvalue)
        return right | self._store(node.lvalue)

    def _store(self, lvalue: c_ast.Node) -> Footprint:
        writes = self._location(lvalue) if self._visibility.is_visible(lvalue) else 0
        return self._address(lvalue) | Footprint(0, writes)

    def _address(self, lvalue: c_ast.Node) -> Footprint:
        if _calls(lvalue):
            return _ANYTHING
        return Footprint(_union(self._location(load) for load in self._visibility.address_loads(lvalue)))

    def value(self, node: c_ast.Node | None) -> Footprint:
        """The reads of evaluating an expression."""
        if node is not None and _calls(node):
            return _ANYTHING
        return Footprint(_union(self._location(load) for load in self._visibility.loads(node)))

    def _location(self, lvalue: c_ast.Node) -> int:
        name = object_of(self._symbols, lvalue)
        if name in _BY_THREAD and isinstance(lvalue, c_ast.ArrayRef):
            number = self._symbols.constant_or_none(lvalue.subscript)
            numbers = range(self.threads) if number is None else [number]
            return _union(self._bit(_BY_THREAD[name].format(number)) for number in numbers)
        if name in stubs.items():
            return self._bit(_NAMED.get(str(name), _MEMORY))
        if name is None or name in self._symbols.locals or name in self.pointed:
            return self._bit(_MEMORY)
        return self._bit(f"the object {name}")

    def _call(self, node: c_ast.FuncCall, number: int) -> Footprint:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        arguments = node.args.exprs if node.args else []
        if name.startswith(lexicon.NONDET) or name in lexicon.LOCAL:
            return self._values(arguments)
        if name in (lexicon.ASSUME, lexicon.ASSERT, "__CSEQ_unwound"):
            # What follows a condition that does not hold is part of no execution.
            return self._values(arguments[:1])
        if name in (lexicon.BEGINS, lexicon.ENDS):
            return self._targets(arguments)
        if name in lexicon.WHOLE:
            target = arguments[0]
            named = target.expr if isinstance(target, c_ast.UnaryOp) and target.op == "&" else target
            return self._values(arguments) | self._store(named)
        if name == lexicon.CREATE_STEP:
            return self._creation(arguments)
        if name == lexicon.END_STEP:
            return self._values(arguments) | Footprint(0, self._bit(_ENDS.format(number)))
        if name in lexicon.MODELLED:
            return self._values(arguments) | self._targets(arguments) | Footprint(0, self._bit(_MEMORY))
        definition = self._symbols.functions.get(name)
        if name in stubs.items() and definition is not None and lexicon.is_ours(definition.coord):
            pointers = [argument for argument, given in self._with_types(arguments, definition) if given]
            return self._values(arguments) | self._targets(pointers) | self._of_library(name, number)
        return _ANYTHING

    def _with_types(self, arguments: Sequence[c_ast.Node], definition: c_ast.FuncDef) -> list[tuple[c_ast.Node, bool]]:
        """The arguments, and whether each may be a pointer that the function follows."""
        parameters = definition.decl.type.args.params if definition.decl.type.args else []
        kinds = [self._symbols.arithmetic(parameter.type) for parameter in parameters]
        return [(node, place >= len(kinds) or kinds[place] is None) for place, node in enumerate(arguments)]

    def _values(self, arguments: Sequence[c_ast.Node]) -> Footprint:
        result = NOTHING
        for argument in arguments:
            result |= self.value(argument)
        return result

    def _creation(self, arguments: Sequence[c_ast.Node]) -> Footprint:
        thread, attr, number, _ = arguments
        result = self._values(arguments) | self._targets([thread])
        created = self._symbols.constant_or_none(number)
        if created is None or "__cs_same_as" in self._symbols.types:
            return _ANYTHING
        result |= Footprint(0, self.starts(created))
        if self._symbols.constant_or_none(build.uncast(attr)) != 0:
            result |= self._targets([attr]) | Footprint(0, self._bit(_JOINS))
        return result

    def _targets(self, arguments: Sequence[c_ast.Node]) -> Footprint:
        """The accesses of a function through the pointers that it is given."""
        writes = 0
        for argument in arguments:
            pointer = build.uncast(argument)
            if isinstance(pointer, c_ast.Constant) or self._symbols.constant_or_none(pointer) is not None:
                continue
            if isinstance(pointer, c_ast.UnaryOp) and pointer.op == "&":
                lvalue: c_ast.Node = pointer.expr
            elif self._symbols.is_array(self._symbols.type_of(pointer)):
                lvalue = pointer
            else:
                writes |= self._bit(_MEMORY)
                continue
            if self._visibility.is_visible(lvalue):
                writes |= self._location(lvalue)
        return Footprint(0, writes)

    def _of_library(self, function: str, number: int) -> Footprint:
        """The accesses that a library function makes by itself."""
        reads = writes = 0
        for name in _mentioned(function):
            if name in _BY_THREAD:
                reads |= _union(self._bit(_BY_THREAD[name].format(thread)) for thread in range(self.threads))
            elif name not in _THREAD_LOCAL:
                writes |= self._bit(_NAMED.get(name, _MEMORY))
        if not _is_shallow(function):
            writes |= self._bit(_MEMORY)
        return Footprint(reads, writes)


@cache
def _functions(function: str) -> frozenset[str]:
    """The library functions that *function* calls, directly or indirectly, and the function itself."""
    item = stubs.items()[function]
    found = {function}
    for word in item.words - item.names:
        if word in stubs.items() and stubs.items()[word].is_function:
            found |= _functions(word)
    return frozenset(found)


@cache
def _mentioned(function: str) -> frozenset[str]:
    """The library objects that *function* accesses, directly or through others."""
    known = stubs.items()
    words = {word for name in _functions(function) for word in known[name].words if word in known}
    return frozenset(word for word in words if not known[word].is_function and not known[word].text.startswith("enum"))


def _is_shallow(function: str) -> bool:
    items = [stubs.items()[name] for name in _functions(function)]
    return all(item.file in _SHALLOW or "*" not in item.text for item in items)


def _is_end(node: c_ast.Node) -> bool:
    """Whether *node*, which instances of a start function may share, has a different meaning in each."""
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name == lexicon.END_STEP


def _calls(node: c_ast.Node) -> bool:
    """Whether an expression contains a call, other than one that gives any value."""
    return any(not build.callee(call).startswith(lexicon.NONDET) for call in build.inside(node, c_ast.FuncCall))


def _pointed_to(tree: c_ast.FileAST, symbols: Symbols) -> set[str]:
    """The objects at file level that a pointer may lead to."""
    found: set[str] = set()
    escapes = _FileEscapes(symbols, found)
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef):
            if not lexicon.is_ours(node.coord):
                escapes.visit(node.body)
        elif isinstance(node, c_ast.Decl):
            escapes.visit(node)
    return found


class _FileEscapes(Escapes):
    """As for locals: objects whose address is taken, or that decay to a pointer."""

    def concerns(self, name: str) -> bool:
        return name in self._symbols.types

    has_address = concerns

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        if isinstance(node.name, c_ast.ID) and node.name.name == lexicon.STANDS:
            return  # which runs when everything is over
        super().visit_FuncCall(node)


class _Regions:
    """What can happen from each label of a thread function up to the next label where a context can begin.

    All jumps of a thread function lead forward, so one pass from its end to its beginning is enough.
    """

    def __init__(self, thread: ThreadFunction, locations: _Locations, joins: list[Numbers]) -> None:
        self._joins = list(joins)  # visited from the last to the first
        self._number = thread.number
        self._locations = locations
        self._at: dict[str, Footprint] = {}  # what can happen after a label of the program
        self._stays: set[int] = set()  # labels at which no context can begin
        self._pc = thread.pc
        self._switches = {f"__cs_{thread.number}_{label}": label for label in range(thread.size + 1)}
        self.found = [NOTHING] * thread.size
        self._list(thread.function.body.block_items, NOTHING)
        if thread.number:
            self.found[0] |= Footprint(locations.starts(thread.number))

    def _list(self, nodes: Sequence[c_ast.Node] | None, after: Footprint) -> Footprint:
        for node in reversed(nodes or []):
            after = self._before(node, after)
        return after

    def _before(self, node: c_ast.Node, after: Footprint) -> Footprint:
        """What can happen from *node* on, if *after* is what can happen after it."""
        match node:
            case c_ast.Decl() | c_ast.EmptyStatement():
                return after
            case c_ast.Label() if node.name in self._switches:
                number = self._switches[node.name]
                if number < len(self.found):
                    self.found[number] |= after
                return after if number in self._stays else NOTHING
            case c_ast.Label():
                self._at[node.name] = self._before(node.stmt, after)
                return self._at[node.name]
            case c_ast.Goto():
                return self._at.get(node.name, _ANYTHING)
            case c_ast.Compound():
                return self._list(node.block_items, after)
            case c_ast.If():
                otherwise = self._before(node.iffalse, after) if node.iffalse is not None else after
                then = self._before(node.iftrue, after)
                return self._locations.value(node.cond) | then | otherwise
        if (label := self._staying(node)) is not None:
            self._stays.add(label)
            return after
        if (call := join_of(node)) is not None:
            return self._locations.join(node, call, self._joins.pop()) | after
        return self._locations.statement(node, self._number) | after

    def _staying(self, node: c_ast.Node) -> int | None:
        """The number of the label before *node*, if *node* says that a thread switched out there stays there."""
        match node:
            case c_ast.FuncCall(
                name=c_ast.ID(name=lexicon.ASSUME),
                args=c_ast.ExprList(exprs=[c_ast.BinaryOp(op="!=", left=c_ast.ID(name=self._pc), right=number)]),
            ):
                return int(number.value)
        return None
