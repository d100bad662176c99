"""Properties that nothing in a program can violate, whatever it does, so that there is nothing to ask an engine.

That is read from the program as it was merged: the user's functions and what these use of the thread library, each of
whose texts says by which primitives it blocks and what it claims. Where the text is not enough, a property is not
vacuous: nothing here depends on how often a loop runs, or on which values there are.
"""

from collections.abc import Collection, Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build, nodes
from cseq.modules.library import clibrary, lexicon, primitives, stubs
from cseq.options.properties import DEADLOCK, MEMSAFETY, RACE, UNREACH

JOIN = "pthread_join"

_STARTING = frozenset(entry.name for entry in primitives.ALL if entry.starts is not None)
_BLOCKING = stubs.BLOCKS | stubs.WAITS
_OPEN = clibrary.OPEN_WAITS | clibrary.POLLS.keys()
_CLAIMING = frozenset({"__CSEQ_check", lexicon.ASSERT, lexicon.FAIL, "abort", *lexicon.FAILS})
_MISUSED = frozenset({lexicon.MISUSE_STUB})
_IDENTIFIERS = frozenset({"pthread_self", "thrd_current"})
_CALLED = frozenset({
    "pthread_create", JOIN, "pthread_exit", "pthread_self", "pthread_equal", "pthread_detach",
    "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock",
    "pthread_mutex_destroy", "sched_yield",
})  # fmt: skip
"""Functions of the library that access nothing but the objects that their arguments are the addresses of."""
_PREFIXES = ("__CSEQ_", "__VERIFIER_", "__builtin_expect", "__atomic_", "__sync_", "atomic_")
_VALUES = frozenset({
    ("pthread_create", 3), (JOIN, 0), ("pthread_exit", 0), ("pthread_equal", 0), ("pthread_equal", 1),
    ("pthread_detach", 0),
})  # fmt: skip
"""The arguments of these that are not followed."""


def vacuous(tree: c_ast.FileAST, errors: Collection[str] = (), closed: bool = False) -> dict[str, str]:
    """The properties that hold of every execution of the merged program *tree*, and why, in words.

    errors: functions that must not be called. closed: whether nothing outside of the program ever ends a wait.
    """
    users = [node for node in tree.ext if not lexicon.is_ours(node.coord)]
    mentioned = {id(node): frozenset(build.names(node)) for node in tree.ext}
    everything = frozenset(name for names in mentioned.values() for name in names)
    found: dict[str, str] = {}
    if not _is_understood(tree, users):
        return found
    if closed and not everything.isdisjoint(_OPEN):
        pass  # a thread may wait for ever
    elif everything.isdisjoint(_BLOCKING):
        found[DEADLOCK] = "no thread ever waits for another one"
    elif _only_main_joins(tree, mentioned):
        found[DEADLOCK] = "only main waits, for threads that never wait"
    if everything.isdisjoint(_STARTING):
        found[RACE] = "the program has one thread"
    if _accesses_nothing_by_address(users):
        found[MEMSAFETY] = "the program has no pointers, arrays or memory of its own"
        if not claims(users, errors) and everything.isdisjoint(_MISUSED) and not _divides(users):
            found[UNREACH] = "the program claims nothing, and nothing in it can be misused"
    return found


def _is_understood(tree: c_ast.FileAST, users: Collection[c_ast.Node]) -> bool:
    """Whether no thread can reach anything of which it is not known here what it does."""
    defined = {node.decl.name for node in tree.ext if isinstance(node, c_ast.FuncDef)} | stubs.items().keys()
    defined |= {entry.name for entry in primitives.ALL}
    for node in (part for user in users for part in build.walk(user)):
        if isinstance(node, nodes.Asm):
            return False
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            name = node.name.name
            known = name in defined or name in lexicon.FAILS or clibrary.is_known(name)
            if not known and not name.startswith(_PREFIXES):
                return False
    return True


def claims(users: Collection[c_ast.Node], errors: Collection[str] = ()) -> bool:
    """Whether the user's part of the program claims anything itself: an assertion, or that something is not reached."""
    wanted = _CLAIMING | frozenset(errors)
    return any(
        (isinstance(node, c_ast.ID) and node.name in wanted) or (isinstance(node, c_ast.Label) and node.name == "ERROR")
        for user in users
        for node in build.walk(user)
    )


def _only_main_joins(tree: c_ast.FileAST, mentioned: dict[int, frozenset[str]]) -> bool:
    """Whether nothing blocks but joins, and only main joins: not itself, and never while the others may not run."""
    for node in tree.ext:
        names = mentioned[id(node)]
        function = node.decl.name if isinstance(node, c_ast.FuncDef) else ""
        if not names.isdisjoint(_IDENTIFIERS) or "main" in names:
            return False
        if any(name.startswith((lexicon.ATOMIC_PREFIX, "__CSEQ_atomic")) for name in names):
            return False
        if function == JOIN and lexicon.is_ours(node.coord):
            continue
        if not names.isdisjoint(_BLOCKING) or (JOIN in names and function != "main"):
            return False
    return True


def _accesses_nothing_by_address(users: Collection[c_ast.Node]) -> bool:
    """Whether each access of the user's names a variable, and all that is called is known to be as harmless."""
    defined = frozenset(node.decl.name for node in users if isinstance(node, c_ast.FuncDef))
    return all(_is_plain(node, defined) for user in users for node in _parts(user))


def _parts(node: c_ast.Node) -> Iterator[Any]:
    """What a top-level item is made of, apart from types, prototypes, and parameters of start functions."""
    match node:
        case c_ast.Decl(type=c_ast.FuncDecl()) | c_ast.Decl(name=None) | c_ast.Typedef():
            return
        case c_ast.FuncDef():
            parameters = node.decl.type.args.params if node.decl.type.args else []
            ignored = {parameter.name for parameter in parameters if _is_void_pointer(parameter)}
            for parameter in parameters:
                yield from () if _is_void_pointer(parameter) else build.walk(parameter)
            yield from build.walk(node.body)
            if not ignored.isdisjoint(build.names(node.body)):
                yield c_ast.PtrDecl([], None)  # it is used
        case _:
            yield from build.walk(node)


def _is_void_pointer(parameter: Any) -> bool:
    type_ = getattr(parameter, "type", None)
    return isinstance(type_, c_ast.PtrDecl) and build.is_void(type_.type)


def _is_plain(node: Any, defined: frozenset[str]) -> bool:
    match node:
        case c_ast.PtrDecl() | c_ast.ArrayDecl() | c_ast.ArrayRef() | c_ast.Union():
            return False
        case c_ast.UnaryOp(op="*") | c_ast.StructRef(type="->"):
            return False
        case c_ast.UnaryOp(op="&"):
            return isinstance(node.expr, c_ast.ID)
        case c_ast.FuncCall(name=c_ast.ID(name=name)):
            if name in defined:
                return node.args is None or not any(_is_address(part) for part in node.args.exprs)
            if name in _CALLED:
                arguments = node.args.exprs if node.args else []
                return all(_is_harmless(name, position, each, defined) for position, each in enumerate(arguments))
            return bool(name == "__CSEQ_check" or name.startswith("__VERIFIER_"))
        case c_ast.FuncCall():
            return False
        case c_ast.Assignment():
            return not _is_address(node.rvalue)
        case c_ast.Decl():
            return node.init is None or not _is_address(node.init)
    return True


def _is_harmless(function: str, position: int, argument: c_ast.Node, defined: frozenset[str]) -> bool:
    """Whether a library function that gets this argument accesses a variable through it, or nothing."""
    argument = build.uncast(argument)
    match argument:
        case c_ast.Constant():
            return True
        case c_ast.UnaryOp(op="&", expr=c_ast.ID()):
            return True
        case c_ast.ID(name=name) if name in defined:
            return True
    return (function, position) in _VALUES


def _is_address(node: c_ast.Node) -> bool:
    """Whether an expression contains an address."""
    return any(isinstance(part, c_ast.UnaryOp) and part.op == "&" for part in build.walk(node))


def _divides(users: Collection[c_ast.Node]) -> bool:
    operators = ("/", "%", "/=", "%=")
    return any(getattr(node, "op", "") in operators for user in users for node in build.walk(user))
