"""Linking: the part of the thread library that a program uses is appended to the program."""

from typing import Any

from pycparser import c_ast

from cseq.c import build, parse
from cseq.c.unused import names_of
from cseq.model.errors import InputError, UnsupportedError
from cseq.model.origin import LineMap, Origin
from cseq.modules.library import clibrary, lexicon, stubs
from cseq.modules.library.headers import Pool, is_own, is_prototype, own_declarations
from cseq.modules.library.primitives import FOLLOWED, REPEATED, ROBUST, WRITERS
from cseq.modules.library.primitives.object_types import TYPES
from cseq.modules.library.renaming import Renamer
from cseq.pipeline.translator import OWN, Rewriter, rebuilt

_MAKES_ROBUST = "pthread_mutexattr_setrobust"
_SETS_KIND, _PREFERS_WRITERS = "pthread_rwlockattr_setkind_np", "__cs_prefers_writers"
_DRAWS_FROM_SEED = "rand_r"
_GENERATORS = {"rand": "srand", "random": "srandom"}
"""Functions that draw random numbers → those that give the generator its seed."""
_REPLACED = frozenset({"malloc", "calloc", "realloc", "free"})
_CAPTURED = 9
"""The number in names of the program that the library uses for functions of its own."""
_ARGUMENTS = 2  # of what sets an attribute: the attributes, and the value
_NOT_WITH_ROBUST = frozenset({
    "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "pthread_mutex_setprioceiling",
    "pthread_mutexattr_setprotocol",
})  # fmt: skip


def with_library(nodes: list[c_ast.Node], trees: list[c_ast.FileAST], bits: int) -> list[c_ast.Node]:
    """Append what *nodes* use of the library, after any declarations that it needs and that are missing.

    nodes: the program, without what it does not use.
    trees: its units, with everything.
    Raises InputError for a function of the library that is called without being declared, UnsupportedError for a type
    of the library that the user has defined otherwise.
    """
    used = _used(nodes)
    if _MAKES_ROBUST in used and _may_set(nodes, _MAKES_ROBUST, (0,)):
        nodes = _with_variants(nodes, ROBUST, _NOT_WITH_ROBUST)
    if _PREFERS_WRITERS in used or (_SETS_KIND in used and _may_set(nodes, _SETS_KIND, (0, 1))):
        nodes = _with_variants(nodes, WRITERS)
    if _may_repeat_numbers(nodes, used):
        nodes = _with_variants(nodes, REPEATED)
    used = _used(nodes)
    declared = {name for node in nodes for name in names_of(node).declared}
    defined = {name for node in nodes if _defines(node) for name in names_of(node).declared}
    candidates = {name for name in clibrary.with_helpers(used - defined) if stubs.is_library(name)}
    called = {name for name in candidates if not clibrary.is_ordinary(name) or name in declared}
    called |= _called(nodes, candidates - called)
    builtin = {name.removeprefix("__builtin_") for name in used if name.startswith("__builtin_")}
    called |= {name for name in builtin - defined if clibrary.is_modelled(name)}
    if not called.isdisjoint(clibrary.CONNECTED):
        called |= {name for name in (each + FOLLOWED for each in (used & declared) - defined) if stubs.is_library(name)}
        called |= {clibrary.FILE_OF, clibrary.OTHER_FILE, "__cs_file_control"}
    nodes = [*nodes, *clibrary.streams(nodes)]
    headers = [node for tree in trees for node in tree.ext if is_own(node)]
    _check_declared(nodes, headers, called - declared)
    items = stubs.needed(called, without=defined)
    nodes, defined = _without_captured(nodes, defined, items)
    items = stubs.needed(called, without=defined)
    words = {word for item in items for word in item.words}
    units = [tree.ext for tree in trees]
    pool = Pool(nodes, headers, *units)
    if any(stubs.is_type(word) and word not in pool for word in words):
        pool = Pool(nodes, headers, own_declarations(bits).all, *units)
    added = parsed(items)
    mentioned = {name for node in added for name in names_of(node).mentioned}
    for node in nodes:
        if isinstance(node, c_ast.Typedef) and node.name in TYPES & mentioned and not is_own(node):
            message = f"a `{node.name}` that is not the type of the thread library is not supported"
            raise UnsupportedError(message, node.coord)
    present = declared | {name for node in added for name in names_of(node).declared}
    return nodes + pool.needed(sorted(mentioned), present) + added


def _without_captured(
    nodes: list[c_ast.Node], defined: set[str], items: list[stubs.Item]
) -> tuple[list[c_ast.Node], set[str]]:
    """The program with what would change the meaning of *items* under other names, and what it then defines.

    It may define functions, types or enumerators that are called as a function of the C library is, if it does not
    include the header of that. An external object is the same for the program and the library, and so is a function
    that allocates memory: those may be replaced.
    """
    used = {word for item in items for word in item.words - item.names if stubs.is_library(word)}
    objects = {name for node in nodes if _is_external_object(node) for name in names_of(node).declared}
    captured = (used & defined) - _REPLACED - objects
    if not captured:
        return nodes, defined
    names = {name: f"{name}__cs{_CAPTURED}" for name in captured}
    return Renamer(names, {}).visit_all(nodes), defined - captured


def _is_external_object(node: Any) -> bool:
    is_object = isinstance(node, c_ast.Decl) and not isinstance(node.type, c_ast.FuncDecl)
    return is_object and "static" not in node.storage


def _used(nodes: list[c_ast.Node]) -> set[str]:
    return {name for node in nodes if _has_code(node) for name in names_of(node).mentioned}


def _may_set(nodes: list[c_ast.Node], setter: str, ordinary: tuple[int, ...]) -> bool:
    """Whether *nodes* may call *setter*, which sets an attribute, with other values than the *ordinary* ones."""
    todo: list[Any] = [node for node in nodes if _has_code(node) and setter in names_of(node).mentioned]
    while todo:
        node = todo.pop()
        if isinstance(node, c_ast.ID) and node.name == setter:
            return True
        if isinstance(node, c_ast.StructRef):
            todo.append(node.name)
            continue
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name == setter:
            arguments = node.args.exprs if node.args else []
            if len(arguments) != _ARGUMENTS or not any(build.is_constant(arguments[-1], value) for value in ordinary):
                return True
            todo.extend(arguments)
        else:
            todo.extend(list(node))
    return False


def _may_repeat_numbers(nodes: list[c_ast.Node], used: set[str]) -> bool:
    """Whether the program *nodes*, which mentions the names *used*, may ask for random numbers with one seed twice.

    A generator that main seeds once, outside of loops, repeats nothing, unless it is given the seed with which it
    begins. If both generators are used, it depends on the library whether they are the same: then nothing is said.
    """
    if _DRAWS_FROM_SEED in used and not all(map(_seeds_from_outside, filter(_has_code, nodes))):
        return True
    seeders = [seeder for draws, seeder in _GENERATORS.items() if draws in used]
    if len(seeders) != 1:
        return False
    mentions = [node for each in nodes if _has_code(each) for node in build.inside(each, c_ast.ID)]
    count = sum(node.name == seeders[0] for node in mentions)
    return count > 0 and not (count == 1 and any(_seeds_once(node, seeders[0]) for node in nodes))


def _seeds_from_outside(node: c_ast.Node) -> bool:
    """Whether the seeds in *node* are locals that come from calls, such as of `time`: they may all be different."""
    calls = [call for call in build.inside(node, c_ast.FuncCall) if build.is_call(call, _DRAWS_FROM_SEED)]
    if len(calls) != sum(each.name == _DRAWS_FROM_SEED for each in build.inside(node, c_ast.ID)):
        return False
    places = {build.addressed(build.uncast(call.args.exprs[0])) if call.args else None for call in calls}
    names = {place.name if isinstance(place, c_ast.ID) else None for place in places}
    values = [(each.name, each.init) for each in build.inside(node, c_ast.Decl)]
    values += [(getattr(each.lvalue, "name", None), each.rvalue) for each in build.inside(node, c_ast.Assignment)]
    given = [(name, value) for name, value in values if name in names and value is not None]
    return names == {name for name, _ in given} and all(any(build.inside(value, c_ast.FuncCall)) for _, value in given)


def _seeds_once(node: Any, seeder: str) -> bool:
    """Whether *node* is main, and seeds a generator in one of its own statements by something else than 1."""
    if not isinstance(node, c_ast.FuncDef) or node.decl.name != "main" or any(build.inside(node.body, c_ast.Label)):
        return False
    calls = [item for item in node.body.block_items or () if build.is_call(item, seeder)]
    arguments = calls[0].args.exprs if calls and calls[0].args else []
    return len(arguments) == 1 and not build.is_constant(arguments[0], 1)


class _Variants(Rewriter):
    """Replaces functions by their variants with *suffix*, for programs in which objects may be of another kind.

    refused: functions that know nothing of such objects.
    """

    def __init__(self, suffix: str, refused: frozenset[str]) -> None:
        super().__init__()
        self._suffix = suffix
        self._without_variant = refused
        self._all = {name.removesuffix(suffix) for name in stubs.items() if name.endswith(suffix)} | refused
        self._names: dict[str, str] = {}
        self._refused: frozenset[str] = frozenset()

    def replaced(self, node: c_ast.Node) -> c_ast.Node:
        """*node*, a declaration at file level: only what it means by these names at file level is replaced."""
        names = names_of(node)
        meant = self._all & (names.mentioned | names.declared)
        self._names = {name: name + self._suffix for name in meant - self._without_variant}
        self._refused = self._without_variant & names.mentioned
        return self.visit(node)  # type: ignore[no-any-return]

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        if node.name in self._refused:
            raise UnsupportedError(f"`{node.name}` in a program with robust mutexes is not supported", node.coord)
        return c_ast.ID(self._names[node.name], node.coord) if node.name in self._names else node

    def visit_Decl(self, node: c_ast.Decl) -> Any:
        node = self.generic_visit(node)
        name = self._names.get(node.name)
        return node if name is None else rebuilt(node, name=name, type=build.renamed(node.type, name))


def _with_variants(nodes: list[c_ast.Node], suffix: str, refused: frozenset[str] = frozenset()) -> list[c_ast.Node]:
    """*nodes* with calls of the variants with *suffix*. Raises UnsupportedError for functions that are *refused*."""
    rename = _Variants(suffix, refused)
    return [rename.replaced(node) for node in nodes]


def _called(nodes: list[c_ast.Node], undeclared: set[str]) -> set[str]:
    """The names in *undeclared* that are called, perhaps as built-ins; the others are names of variables."""
    mentioning = [node for node in nodes if not names_of(node).mentioned.isdisjoint(undeclared)]
    calls = (call for node in mentioning for call in build.inside(node, c_ast.FuncCall))
    return {build.callee(call).removeprefix("__builtin_") for call in calls} & undeclared


def _defines(node: c_ast.Node) -> bool:
    """Whether *node* is more than the declaration of a function, or of an object of the library."""
    if is_prototype(node):
        return False
    if isinstance(node, c_ast.Decl) and "extern" in node.storage and node.init is None:
        return node.name not in stubs.items()
    return True


def _has_code(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncDef) or (isinstance(node, c_ast.Decl) and node.init is not None)


def parsed(items: list[stubs.Item]) -> list[c_ast.Node]:
    """The *items* of the library as trees, in which every name is reserved for us or one of the standard's.

    The texts of the library are written with plain names for parameters and locals. Here these get names that a
    program cannot have, so that no name of the program means anything in them: no enumerator, type, tag or function.
    """
    return [_Local(node, OWN).visit(node) if isinstance(node, c_ast.FuncDef) else node for node in _trees(items)]


def behind_scoper(items: list[stubs.Item]) -> list[c_ast.Node]:
    """As `parsed`, for what a stage adds after the normalisation, where each name must have a single meaning."""
    return [
        _Local(node, f"{OWN}_{number}").visit(node) if isinstance(node, c_ast.FuncDef) else node
        for number, node in enumerate(_trees(items))
    ]


def _trees(items: list[stubs.Item]) -> list[c_ast.Node]:
    origins: list[Origin | None] = []
    for item in items:
        lines = range(item.line, item.line + item.text.count("\n") + 1)
        origins.extend(Origin(lexicon.FILE_PREFIX + item.file, number) for number in lines)
    types = sorted({word for item in items for word in item.words if stubs.is_type(word)})
    nodes: list[c_ast.Node] = parse("\n".join(item.text for item in items), "", LineMap(origins), types).ext
    return nodes


class _Local(Rewriter):
    """Renames the parameters and locals of one function: each gets *suffix*."""

    def __init__(self, function: c_ast.FuncDef, suffix: str) -> None:
        super().__init__()
        self._own: dict[str, str] = {}
        for node in (*build.inside(function.decl.type, c_ast.Decl), *build.inside(function.body, c_ast.Decl)):
            if node.name and not (suffix == OWN and node.name.startswith("__cs_")):
                self._own[node.name] = node.name + suffix

    def visit_Decl(self, node: c_ast.Decl) -> Any:
        name = self._own.get(node.name)
        node = self.generic_visit(node)
        return node if name is None else rebuilt(node, name=name, type=build.renamed(node.type, name))

    def visit_ID(self, node: c_ast.ID) -> Any:
        return rebuilt(node, name=self._own[node.name]) if node.name in self._own else node

    def visit_StructRef(self, node: c_ast.StructRef) -> Any:
        return rebuilt(node, name=self.visit(node.name))  # members have their own name space


def _check_declared(nodes: list[c_ast.Node], headers: list[Any], undeclared: set[str]) -> None:
    """Raise InputError, with its place, for the first call of a thread function that no header has declared."""
    declared = {node.name for node in headers if is_prototype(node)}
    of_threads = stubs.prototypes()
    mentioning = (node for node in nodes if not names_of(node).mentioned.isdisjoint(undeclared))
    for call in (call for node in mentioning for call in build.inside(node, c_ast.FuncCall)):
        name = build.callee(call)
        if name in undeclared and name in of_threads:
            message = f"<{of_threads[name]}> is not included"
            if any(of_threads.get(other) == of_threads[name] for other in declared):
                message = "no header that is included declares it (some only do with _GNU_SOURCE)"
            raise InputError(f"`{name}` is called, but {message}", call.coord)
