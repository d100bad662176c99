"""Which threads are interchangeable, and where their numbers are in the state of a step program.

Threads are interchangeable if main creates them with one start function and one argument, as long as nothing tells them
apart: no thread knows its number, and main uses their identifiers only to join all of them, one after the other. It may
do so several times: in a phase it creates threads, and at its end it joins them. A thread that main has not joined when
it does something else is like no other one.
`backends/explorer/symmetry.c` says why it is enough then to look at one of the states that differ in which of them is
where. What is not understood here is taken to tell threads apart.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.constant_propagation import Counting, Known
from cseq.modules.analysis.liveness import declared
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.places import calls, changed, variable
from cseq.modules.explicit.encode.step_program import AT, SET
from cseq.modules.library import lexicon

_MOST_TURNS = 4096  # of main's loops, in all
_MOST_OWNERS = 256

_JOIN = "pthread_join"
_TO_MUTEX = frozenset({"pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_mutex_init",
                       "pthread_mutex_destroy"})  # fmt: skip
_TO_SEMAPHORE = frozenset({"sem_init", "sem_destroy", "sem_wait", "sem_post"})
_TRACKED = frozenset({lexicon.UNDEFINE, "__CSEQ_define", "__CSEQ_defined"})
_ALLOWED = _TO_MUTEX | _TO_SEMAPHORE | {
    lexicon.CREATE, _JOIN, lexicon.ASSERT, lexicon.ASSUME, lexicon.ATOMIC_BEGIN, lexicon.ATOMIC_END, lexicon.EXIT,
    "__CSEQ_violate", "__CSEQ_exit", "__CSEQ_choose", "__CSEQ_reads", "__CSEQ_nondet_int", "__CSEQ_nondet_bool",
    "__CSEQ_nondet_uint",
}  # fmt: skip
"""Functions that neither tell a thread its number nor note it anywhere but where `Symmetry.tables` says."""
_LIBRARY = _ALLOWED | {lexicon.CREATE_STEP, lexicon.END_STEP, "__cs_watch", "__cs_sem_fails"}
"""The functions of the library that may be there."""
_OBJECTS = frozenset({"__cs_active", "__cs_argument", "__cs_detached", "__cs_finished", "__cs_result", "__cs_joined",
                      "__cs_watched", "__cs_errno"})  # fmt: skip
"""The objects of the library that may be there."""
_ROWS = ("__cs_finished", "__cs_result", "__cs_errno")
"""Of these, those with an element for each thread that changes before it is joined. A thread's argument does not, and
is one and the same or not used."""


class _Different(Exception):
    """Threads may be distinguishable."""


@dataclass(frozen=True)
class Symmetry:
    """classes: of the threads besides main in the order of creation; 0 for those that no other one is like.

    owners: the expressions of the owners of all mutexes. objects: of the library, in the state.
    """

    classes: tuple[int, ...]
    owners: tuple[str, ...]
    objects: frozenset[str]

    def tables(self, most_threads: int, has_frames: bool) -> list[str]:
        """The tables for the engine, as C. has_frames: whether threads besides main have frames."""
        classes = [0, *self.classes, *[0] * most_threads][:most_threads]
        rows = [f"{{ {{ &{name} }}, sizeof *{name}, 0 }}," for name in (AT, *_ROWS) if name in {AT, *self.objects}]
        rows += ["{ { &__cs_frames }, sizeof *__cs_frames, 1 },"] if has_frames else []
        joined = " && !__cs_joined[k]" if "__cs_joined" in self.objects else ""
        return [
            f"const unsigned char __CSEQ_class[] = {{ {', '.join(map(str, classes))} }};",
            "const struct __CSEQ_row __CSEQ_rows[] = {", *rows, "{ { 0 }, 0, 0 }", "};",
            "const struct __CSEQ_touchable __CSEQ_owners[] = {",
            *(f"{{ {{ &{owner} }}, sizeof {owner} }}," for owner in self.owners), "{ { 0 }, 0 }", "};",
            f"{SET} __CSEQ_alike(void)",
            "{",
            f"{SET} set = 0;",
            f"for (unsigned int k = 0; k < {lexicon.THREADS}; k++) if (__cs_active[k]{joined}) set |= __CSEQ_ONLY(k);",
            "return set;",
            "}",
        ]  # fmt: skip


def symmetry(
    tree: c_ast.FileAST, symbols: Symbols, counting: Counting, tracked: Collection[str], shown: Collection[str]
) -> Symmetry | None:
    """Which threads of the program *tree* are interchangeable; None if none are.

    tracked: the objects of which the state says whether they have been written. shown: the locals of threads besides
    main that pointers may lead to.
    """
    functions = {node.decl.name: node for node in threads_of(tree)}
    try:
        objects = frozenset(_objects(tree))
        owners = tuple(_owners(tree, symbols))
        for name, function in functions.items():
            _check_calls(function.body, symbols, name == "main")
        main = _Main(symbols, counting)
        main.run(functions["main"].body)
        _check_identifiers(tree, main.holders)
        for name in {start for start, _ in main.created}:
            if {*declared(functions[name])} & {*tracked, *shown}:
                return None
        classes = _classes(main.created, main.left, functions)
    except (_Different, KeyError):
        return None
    return Symmetry(classes, owners, objects) if any(classes) else None


def _objects(tree: c_ast.FileAST) -> Iterator[str]:
    """The objects of the library. Nothing of it is there that deals with threads in a way that is not known here."""
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef) and lexicon.is_ours(node.coord):
            if node.decl.name not in _LIBRARY:
                raise _Different
        elif isinstance(node, c_ast.Decl) and node.name and node.name.startswith(("__cs_", "__CSEQ_")):
            if isinstance(node.type, c_ast.FuncDecl):
                continue
            if node.name not in _OBJECTS:
                raise _Different
            yield node.name


def _check_calls(node: Any, symbols: Symbols, is_main: bool) -> None:
    """A start function calls nothing else, and leads to mutexes by their names only."""
    match node:
        case c_ast.FuncCall():
            name = node.name.name if isinstance(node.name, c_ast.ID) else ""
            arguments = node.args.exprs if node.args else []
            if name not in _ALLOWED and not (is_main and name in _TRACKED):
                raise _Different
            if name == lexicon.ATOMIC_BEGIN if is_main else name in (lexicon.CREATE, _JOIN):
                raise _Different
            if name in _TO_MUTEX and not _is_named(arguments[0], symbols):
                raise _Different
        case c_ast.ID(name=lexicon.THREAD | lexicon.THREADS):
            raise _Different
        case c_ast.Decl() if node.name and _has_mutex(node.type, symbols):
            raise _Different
    for _, child in node.children():
        _check_calls(child, symbols, is_main)


def _is_named(pointer: Any, symbols: Symbols) -> bool:
    """Whether *pointer* is the address of an object at file level, or of a part of it."""
    if not isinstance(pointer, c_ast.UnaryOp) or pointer.op != "&":
        return False
    name = variable(symbols, pointer.expr)
    return name in symbols.types and name not in symbols.locals


# Mutexes


def _is_mutex(type_: Any, symbols: Symbols) -> bool:
    """Whether *type_* is that of mutexes, by whatever name."""
    record = symbols.record(type_)
    return record is not None and any(member.name == "__cs_owner" for member in symbols.members(record))


def _has_mutex(type_: Any, symbols: Symbols) -> bool:
    """Whether an object of this type is or contains a mutex."""
    resolved = symbols.resolve(type_)
    if isinstance(resolved, c_ast.ArrayDecl):
        return _has_mutex(resolved.type, symbols)
    record = symbols.record(type_)
    if record is None:
        return False
    return _is_mutex(type_, symbols) or any(_has_mutex(m.type, symbols) for m in symbols.members(record))


def _owners(tree: c_ast.FileAST, symbols: Symbols) -> Iterator[str]:
    """The expressions of the owners of all mutexes at file level."""
    count = 0
    for node in tree.ext:
        if not isinstance(node, c_ast.Decl) or not node.name or isinstance(node.type, c_ast.FuncDecl):
            continue
        if not _has_mutex(node.type, symbols):
            continue
        type_ = symbols.resolve(node.type)
        if _is_mutex(type_, symbols):
            found = [node.name]
        elif isinstance(type_, c_ast.ArrayDecl) and _is_mutex(type_.type, symbols):
            size = symbols.constant_or_none(type_.dim)
            if size is None or size > _MOST_OWNERS:
                raise _Different
            found = [f"{node.name}[{index}]" for index in range(size)]
        else:
            raise _Different
        count += len(found)
        if count > _MOST_OWNERS:
            raise _Different
        yield from (f"{each}.__cs_owner" for each in found)


# What main does


class _Ends(Exception):
    """Main returns."""


class _Main:
    """Follows main, in which the order of creations and joins has to be certain.

    created: the start functions and arguments of the threads, in the order of creation. left: the positions there of
    those that main has not joined at the end of their phase. holders: the variables that hold their identifiers.
    """

    def __init__(self, symbols: Symbols, counting: Counting) -> None:
        self._symbols = symbols
        self._counting = counting
        self._turns = 0
        self._unjoined: dict[tuple[str, int | None], int] = {}  # the positions in *created* of this phase
        self._has_joined = False
        self._unfollowed_names: set[str] = set()
        self._copies: dict[str, tuple[str, int | None]] = {}  # temporary variables, and whose values they have
        self._late: set[tuple[str, int | None]] = set()  # where the identifiers of those are that are left
        self.created: list[tuple[str, c_ast.Node]] = []
        self.left: set[int] = set()
        self.holders: Counter[str] = Counter()

    def run(self, body: c_ast.Compound) -> None:
        """Follow main from its beginning to its end."""
        with suppress(_Ends):
            self._block(body.block_items or [], {})
        if not self.created:
            raise _Different
        self._end_phase()
        for call in _thread_calls(body):  # also those that are never made
            self.holders[_holder(call)] += 1
        for copy, name in _copied(body, self._copies, {*self.holders}):
            self.holders.update((copy, name))
        if self._unfollowed_names & self.holders.keys():
            raise _Different

    def _end_phase(self) -> None:
        """Main does something else than to join, or ends: if it has begun to join, the phase is over."""
        if not self._has_joined:
            return
        self.left.update(self._unjoined.values())
        self._late.update(self._unjoined)
        self._unjoined.clear()
        self._has_joined = False

    def _block(self, items: Sequence[Any], known: Known) -> None:
        position = 0
        while position < len(items):
            end = _end_of_jumps(items, position)
            if end > position + 1 or any(build.inside(items[position], c_ast.Goto, c_ast.Label)):
                for item in items[position:end]:
                    self._unfollowed(item, known)
            else:
                self._statement(items[position], known)
            position = end

    def _statement(self, node: Any, known: Known) -> None:
        match node:
            case c_ast.Compound():
                self._block(node.block_items or [], known)
            case c_ast.Decl() | c_ast.EmptyStatement():
                if isinstance(node, c_ast.Decl) and node.init is not None:
                    self._unfollowed(node, known)
            case c_ast.Return():
                raise _Ends
            case c_ast.If() if (value := self._counting.value(node.cond, known)) is not None:
                chosen = node.iftrue if value else node.iffalse
                if chosen is not None:
                    self._statement(chosen, known)
            case c_ast.While() if self._counting.value(node.cond, known) is not None and any(_thread_calls(node)):
                self._loop(node, known)
            case c_ast.Assignment() if node.op == "=" and _is_thread_call(node.rvalue):
                if not isinstance(node.lvalue, c_ast.ID) or self._counting.kind(node.lvalue.name) is None:
                    raise _Different
                self._thread_call(node.rvalue, known)
                self._counting.assign(node, known)
            case c_ast.FuncCall() if _is_thread_call(node):
                self._thread_call(node, known)
            case c_ast.Assignment() if self._is_copy(node):
                known.pop(node.lvalue.name, None)
                self._copies[node.lvalue.name] = self._place(node.rvalue, known)
            case c_ast.Assignment() if (
                isinstance(node.lvalue, c_ast.ID)
                and node.op == "="
                and self._counting.kind(node.lvalue.name) is not None
                and self._counting.value(node.rvalue, known) is not None
            ):
                self._counting.assign(node, known)
            case _:
                self._unfollowed(node, known)

    def _loop(self, node: c_ast.While, known: Known) -> None:
        while True:
            value = self._counting.value(node.cond, known)
            self._turns += 1
            if value is None or self._turns > _MOST_TURNS:
                raise _Different
            if value == 0:
                return
            self._statement(node.stmt, known)

    def _unfollowed(self, node: Any, known: Known) -> None:
        """A statement that may do anything but to create and to join threads."""
        if any(_thread_calls(node)):
            raise _Different
        self._end_phase()
        self._unfollowed_names.update(_uses(node))
        for name in changed(node):
            known.pop(name, None)

    def _thread_call(self, call: c_ast.FuncCall, known: Known) -> None:
        arguments = call.args.exprs
        if call.name.name == _JOIN:
            self._join(arguments, known)
            return
        place, attributes, start, argument = arguments
        self._end_phase()
        if not build.is_constant(build.uncast(attributes), 0):
            raise _Different
        if not isinstance(place, c_ast.UnaryOp) or place.op != "&" or not isinstance(start, c_ast.ID):
            raise _Different
        where = self._place(place.expr, known)
        if where in self._unjoined:
            raise _Different
        self._late.discard(where)
        self._unjoined[where] = len(self.created)
        self.created.append((start.name, build.uncast(argument)))

    def _join(self, arguments: Sequence[Any], known: Known) -> None:
        thread, result = arguments
        where = self._place(thread, known)
        where = self._copies.get(where[0], where)
        if not build.is_constant(build.uncast(result), 0):
            raise _Different
        if where in self._late:
            self._end_phase()
            self._late.remove(where)
            return
        if where not in self._unjoined:
            raise _Different
        self._has_joined = True
        del self._unjoined[where]

    def _is_copy(self, node: c_ast.Assignment) -> bool:
        """Whether an identifier gets into a variable of main's own."""
        if node.op != "=" or not isinstance(node.lvalue, c_ast.ID) or self._counting.kind(node.lvalue.name) is None:
            return False
        return _root(node.rvalue) in {name for name, _ in (*self._unjoined, *self._late)}

    def _place(self, node: Any, known: Known) -> tuple[str, int | None]:
        """A variable, or an element of an array."""
        match node:
            case c_ast.ID() if not self._symbols.is_array(self._symbols.type_of(node)):
                return node.name, None
            case c_ast.ArrayRef(name=c_ast.ID(name=name)) if self._symbols.is_array(self._symbols.type_of(node.name)):
                index = self._counting.value(node.subscript, known)
                if index is not None:
                    return name, index
        raise _Different


def _is_thread_call(node: Any) -> bool:
    return build.is_call(node, lexicon.CREATE, _JOIN)


def _thread_calls(node: Any) -> Iterator[c_ast.FuncCall]:
    return filter(_is_thread_call, calls(node))


def _holder(call: c_ast.FuncCall) -> str:
    """The variable in which the identifier is, that the *call* stores or uses."""
    place = call.args.exprs[0]
    if call.name.name == lexicon.CREATE:
        if not isinstance(place, c_ast.UnaryOp):
            raise _Different
        place = place.expr
    name = _root(place)
    if name is None:
        raise _Different
    return name


def _root(place: Any) -> str | None:
    """The variable that *place* is, or is an element of."""
    if isinstance(place, c_ast.ArrayRef):
        place = place.name
    return str(place.name) if isinstance(place, c_ast.ID) else None


def _copied(node: Any, copies: Collection[str], holders: Collection[str]) -> Iterator[tuple[str, str]]:
    """For each statement that copies one of *holders* to one of *copies*: both variables."""
    for part in build.inside(node, c_ast.Assignment):
        if isinstance(part.lvalue, c_ast.ID) and part.lvalue.name in copies:
            holder = _root(part.rvalue)
            if holder is not None and holder in holders:
                yield part.lvalue.name, holder


def _end_of_jumps(items: Sequence[Any], begin: int) -> int:
    """The end of the items from *begin* on among which control may jump; none may lead elsewhere."""
    end = begin + 1
    while True:
        jumps, labels = (
            {each.name for item in items[begin:end] for each in build.inside(item, kind)}
            for kind in (c_ast.Goto, c_ast.Label)
        )
        if jumps <= labels:
            return end
        if end == len(items):
            raise _Different
        end += 1


def _uses(node: Any) -> Iterator[str]:
    """The names that are used in *node*, as often as they are, but not where an object gets no value and gives none."""
    if isinstance(node, c_ast.ID):
        yield node.name
    if build.is_call(node, lexicon.UNDEFINE) or (isinstance(node, c_ast.UnaryOp) and node.op == "sizeof"):
        return
    for _, child in node.children():
        yield from _uses(child)


def _check_identifiers(tree: c_ast.FileAST, holders: Mapping[str, int]) -> None:
    """Identifiers are used in the calls that are known, and nowhere else."""
    library = {node for node in tree.ext if isinstance(node, c_ast.FuncDef) and lexicon.is_ours(node.coord)}
    uses = Counter(name for node in tree.ext if node not in library for name in _uses(node))
    if any(uses[name] != count for name, count in holders.items()):
        raise _Different


def _classes(
    created: Sequence[tuple[str, c_ast.Node]], left: Collection[int], functions: Mapping[str, c_ast.FuncDef]
) -> tuple[int, ...]:
    """The class of each thread."""
    keys = [
        (start, None if number in left else _argument(functions[start], argument))
        for number, (start, argument) in enumerate(created)
    ]
    several = [key for key, count in Counter(keys).items() if count > 1 and key[1] is not None]
    return tuple(several.index(key) + 1 if key in several else 0 for key in keys)


def _argument(function: c_ast.FuncDef, argument: Any) -> str | None:
    """The argument of a thread, as far as it is used; None if it may be another one each time."""
    parameters = function.decl.type.args.params if function.decl.type.args else []
    names = [p.name for p in parameters if isinstance(p, c_ast.Decl) and p.name]
    if not set(names) & set(build.names(function.body)):
        return ""
    return str(argument.value) if isinstance(argument, c_ast.Constant) else None
