"""Which threads a call of pthread_join can be about, where that can be determined.

One pass over each thread function, whose jumps all lead forward. Identifiers come from pthread_create, and are kept in
objects that only their own thread can reach, or in objects at file level that nothing else writes.
"""

from collections.abc import Collection, Iterable, Sequence

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility, object_of
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction

JOIN = "pthread_join"

Numbers = frozenset[int] | None
"""The numbers of threads; None for any of them."""

_Kept = dict[str, frozenset[int]]  # object, or element with constant subscript → whose identifiers it may hold


def joined(
    threads: Iterable[ThreadFunction], symbols: Symbols, visibility: Visibility, pointed: Collection[str]
) -> list[list[Numbers]]:
    """For each thread, for each call of pthread_join in the order of the text, which threads it can be about.

    pointed: the objects at file level that a pointer may lead to.
    """
    functions = [thread.function for thread in threads]
    shared = _Shared(symbols, pointed)
    for function in functions:
        shared.visit(function.body)
    return [_Flow(symbols, visibility, shared, function).found for function in functions]


def join_of(node: c_ast.Node) -> c_ast.FuncCall | None:
    """The call of pthread_join that the statement *node* makes."""
    call = node.rvalue if isinstance(node, c_ast.Assignment) else node
    if isinstance(call, c_ast.FuncCall) and isinstance(call.name, c_ast.ID) and call.name.name == JOIN:
        return call
    return None


def _key(symbols: Symbols, lvalue: c_ast.Node) -> str | None:
    """The key of an object, or of an element of an array object; None for other places."""
    if isinstance(lvalue, c_ast.ID):
        return str(lvalue.name)
    if isinstance(lvalue, c_ast.ArrayRef) and isinstance(lvalue.name, c_ast.ID):
        subscript = symbols.constant_or_none(lvalue.subscript)
        if subscript is not None and symbols.is_array(symbols.type_of(lvalue.name)):
            return f"{lvalue.name.name}[{subscript}]"
    return None


class _Shared(c_ast.NodeVisitor):
    """Collects what is stored in objects at file level: identifiers, or anything else."""

    def __init__(self, symbols: Symbols, pointed: Collection[str]) -> None:
        self._symbols = symbols
        self._lost = set(pointed)
        self._kept: _Kept = {}

    def threads(self, place: c_ast.Node) -> Numbers:
        """The threads whose identifiers *place* can hold, if it is part of an object at file level."""
        root = object_of(self._symbols, place)
        declared = self._symbols.qualified.get(root) if root is not None else None
        if root is None or declared is None or root in self._symbols.locals or root in self._lost or declared.init:
            return None
        key = _key(self._symbols, place)
        parts = [name for name in self._kept if name.partition("[")[0] == root]
        if key is None or not all(name.startswith(f"{root}[") for name in parts):
            return frozenset().union(*(self._kept[name] for name in parts))
        return self._kept.get(key, frozenset())

    def visit_Assignment(self, node: c_ast.Assignment) -> None:
        root = object_of(self._symbols, node.lvalue)
        if root is not None:
            self._lost.add(root)
        self.visit(node.rvalue)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        for position, argument in enumerate(node.args.exprs if node.args else []):
            place = _addressed(self._symbols, argument)
            root = object_of(self._symbols, place) if place is not None else None
            if root is None:
                continue
            key = _key(self._symbols, place) if place is not None else None
            if position == 0 and node.name.name == lexicon.CREATE_STEP and place is not None:
                number = self._symbols.constant_or_none(node.args.exprs[2])
                if number is None:
                    self._lost.add(root)
                else:
                    name = key if key is not None else root
                    self._kept[name] = self._kept.get(name, frozenset()) | {number}
            else:
                self._lost.add(root)


def _addressed(symbols: Symbols, argument: c_ast.Node) -> c_ast.Node | None:
    """The place whose address an argument is."""
    plain = build.uncast(argument)
    if isinstance(plain, c_ast.UnaryOp) and plain.op == "&":
        place: c_ast.Node = plain.expr
        return place
    is_place = isinstance(plain, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef))
    return plain if is_place and symbols.is_array(symbols.type_of(plain)) else None


class _Flow:
    """The contents of one thread's locals, statement by statement; None where control does not come."""

    def __init__(self, symbols: Symbols, visibility: Visibility, shared: _Shared, function: c_ast.FuncDef) -> None:
        self._symbols = symbols
        self._visibility = visibility
        self._shared = shared
        self._coming: dict[str, _Kept] = {}  # label → what is known at the jumps to it
        self.found: list[Numbers] = []
        self._list(function.body.block_items, {})

    def _list(self, nodes: Sequence[c_ast.Node] | None, kept: _Kept | None) -> _Kept | None:
        for node in nodes or []:
            kept = self._after(node, kept)
        return kept

    def _after(self, node: c_ast.Node, kept: _Kept | None) -> _Kept | None:
        match node:
            case c_ast.Label():
                kept = _merged(kept, self._coming.get(node.name))
                # A jump to another label changes nothing: a thread that resumes has what it had there.
                return kept if isinstance(node.stmt, c_ast.If) else self._after(node.stmt, kept)
            case c_ast.Goto():
                coming = _merged(self._coming.get(node.name), kept)
                if coming is not None:
                    self._coming[node.name] = coming
                return None
            case c_ast.Compound():
                return self._list(node.block_items, kept)
            case c_ast.If():
                then = self._after(node.iftrue, None if kept is None else dict(kept))
                otherwise = self._after(node.iffalse, kept) if node.iffalse is not None else kept
                return _merged(then, otherwise)
            case c_ast.Assignment():
                return self._assigned(node, kept)
            case c_ast.FuncCall():
                return self._called(node, kept)
        return kept

    def _assigned(self, node: c_ast.Assignment, kept: _Kept | None) -> _Kept | None:
        numbers = None
        if isinstance(node.rvalue, c_ast.FuncCall):
            kept = self._called(node.rvalue, kept)
        elif kept is not None and node.op == "=":
            numbers = self._numbers(node.rvalue, kept)
        return self._set(node.lvalue, numbers, kept)

    def _called(self, node: c_ast.FuncCall, kept: _Kept | None) -> _Kept | None:
        arguments = node.args.exprs if node.args else []
        if join_of(node) is not None:
            self.found.append(None if kept is None else self._numbers(arguments[0], kept))
        for position, argument in enumerate(arguments):
            place = _addressed(self._symbols, argument)
            if place is None:
                continue
            created = position == 0 and node.name.name == lexicon.CREATE_STEP
            number = self._symbols.constant_or_none(arguments[2]) if created else None
            kept = self._set(place, None if number is None else frozenset({number}), kept)
        return kept

    def _numbers(self, value: c_ast.Node, kept: _Kept) -> Numbers:
        place = build.uncast(value)
        if not isinstance(place, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef)):
            return None
        key = _key(self._symbols, place)
        return kept[key] if key is not None and key in kept else self._shared.threads(place)

    def _set(self, place: c_ast.Node, numbers: Numbers, kept: _Kept | None) -> _Kept | None:
        """*place* gets the identifier of one of these threads, or something else."""
        root = object_of(self._symbols, place)
        if kept is None or root is None:
            return kept  # the target of a pointer is not a local that is tracked here
        key = _key(self._symbols, place)
        whole = key is None or key == root
        kept = {name: old for name, old in kept.items() if name != key and not (whole and _is_part(name, root))}
        if key is not None and numbers is not None and not self._visibility.is_visible(place):
            kept[key] = numbers
        return kept


def _is_part(name: str, root: str) -> bool:
    return name == root or name.startswith(f"{root}[")


def _merged(one: _Kept | None, other: _Kept | None) -> _Kept | None:
    """What is known where control comes from two places."""
    if one is None or other is None:
        return one if other is None else other
    return {name: one[name] | other[name] for name in one.keys() & other.keys()}
