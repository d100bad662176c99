"""Refuse pointers that an engine would follow wrongly while threads run concurrently.

CBMC knows where a pointer may lead from the assignments that it has executed symbolically, one thread after the other:
what another thread stores in a shared pointer is not among them. Where it notices, it says that "pointer handling for
concurrency is unsound"; it does not notice all of it (an element with a variable subscript, a pointer in a struct). So
a pointer is only followed if its value has been in locals of its thread ever since its address was taken. The argument
of a new thread is such a value as well.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.visibility import Visibility, object_of
from cseq.modules.library import lexicon
from cseq.pipeline.translator import user_name

_PASSED_ON = {lexicon.CREATE: (3,), lexicon.EXIT: (0,), lexicon.END_STEP: (0,)}
"""The arguments of functions of the library that are kept or passed on and not followed."""

_ALLOCATE = frozenset({"malloc", "calloc", "realloc", "aligned_alloc", "free", lexicon.ALLOCATE, "__CSEQ_zeroed"})
_PREFIXES = ("malloc", "calloc", "realloc", "free__cs", "__CSEQ_allocate", "__CSEQ_delete", "__CSEQ_new")


def check(
    threads: Iterable[c_ast.FuncDef], library: Iterable[c_ast.FuncDef], symbols: Symbols, seen: Visibility
) -> None:
    """UnsupportedError for the first pointer that may come from shared memory and is followed.

    threads: the instances, in order of creation. library: the functions that they call.
    """
    given: dict[str, bool] = {}
    for function in threads:
        _Function(function, symbols, seen, given).check()
    for function in library:
        _Function(function, symbols, seen, {}).check()


class _Function:
    """One function. given: whether the argument of each thread may come from shared memory; added to."""

    def __init__(self, node: c_ast.FuncDef, symbols: Symbols, seen: Visibility, given: dict[str, bool]) -> None:
        self._node = node
        self._symbols = symbols
        self._seen = seen
        self._given = given
        self._own = {item.name for item in node.body.block_items or [] if isinstance(item, c_ast.Decl)}
        parameters = (
            [p.name for p in node.decl.type.args.params if isinstance(p, c_ast.Decl)] if node.decl.type.args else []
        )
        self._own |= set(parameters)
        self._lost: set[str] = set(parameters) if given.get(node.decl.name) else set()

    def check(self) -> None:
        """Refuse, or leave what the threads that it creates are given."""
        statements = list(_statements(self._node.body))
        while sum(self._learn(node) for node in statements):
            pass
        for node in statements:
            self._follow(node, node.coord)

    def _learn(self, node: Any) -> bool:
        """Note what the statement *node* stores in locals. Returns whether that is new."""
        call = node.rvalue if isinstance(node, c_ast.Assignment) else node
        found: set[str | None] = set()
        if isinstance(call, c_ast.FuncCall):
            arguments = call.args.exprs if call.args else []
            if call.name.name == lexicon.CREATE and isinstance(arguments[2], c_ast.ID):
                lost = self._is_lost(arguments[3])
                self._given[arguments[2].name] = self._given.get(arguments[2].name, False) or lost
            if not call.name.name.startswith(lexicon.NONDET):
                found = {
                    object_of(self._symbols, place) for each in arguments if (place := _addressed(each)) is not None
                }
        if isinstance(node, c_ast.Assignment) and self._is_lost(node.rvalue):
            found.add(object_of(self._symbols, node.lvalue))
        new = {name for name in found if name is not None and name in self._own} - self._lost
        self._lost |= new
        return bool(new)

    def _is_lost(self, value: Any) -> bool:
        """Whether the engine may not know where the pointer *value*, or a pointer in it, leads."""
        match value:
            case c_ast.Constant():
                return False
            case c_ast.Cast():
                if self._symbols.constant_or_none(value.expr) is not None:
                    return False
                inner = self._symbols.value_type(value.expr)
                return self._is_lost(value.expr) if self._symbols.is_pointer(inner) else True
            case c_ast.UnaryOp(op="&"):
                return self._base_is_lost(value.expr)
            case c_ast.BinaryOp():
                sides = [side for side in (value.left, value.right) if self._points(side)]
                return any(self._is_lost(side) for side in sides)
            case c_ast.TernaryOp():
                return self._is_lost(value.iftrue) or self._is_lost(value.iffalse)
            case c_ast.FuncCall():
                return not value.name.name.startswith(lexicon.NONDET)
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                type_ = self._symbols.type_of(value)
                if self._symbols.is_array(type_):
                    return self._base_is_lost(value)
                if isinstance(self._symbols.resolve(type_), c_ast.FuncDecl):
                    return False
                if not self._symbols.is_pointer(type_) and self._symbols.record(type_) is None:
                    return False
                root = object_of(self._symbols, value)
                return root is None or root not in self._own or root in self._lost or self._seen.is_visible(value)
        return True

    def _points(self, node: c_ast.Node) -> bool:
        if isinstance(node, c_ast.FuncCall) and node.name.name.startswith(lexicon.NONDET):
            return False  # a number: such functions are not declared
        return self._symbols.is_pointer(self._symbols.value_type(node))

    def _base_is_lost(self, lvalue: Any) -> bool:
        """Whether *lvalue* is found by a pointer that the engine does not know."""
        pointer = _pointer(self._symbols, lvalue)
        return pointer is not None and self._is_lost(pointer)

    def _follow(self, node: Any, place: Any) -> None:
        """Refuse pointers that are followed in *node*."""
        if isinstance(node, c_ast.FuncCall):
            name = node.name.name if isinstance(node.name, c_ast.ID) else ""
            if name in _ALLOCATE or name.startswith(_PREFIXES):
                raise UnsupportedError(f"memory from `{user_name(name) or name}` with partial orders", place)
            kept = _PASSED_ON.get(name, ())
            for position, argument in enumerate(node.args.exprs if node.args else []):
                if position not in kept and self._points(argument) and self._is_lost(argument):
                    self._refuse(argument, place)
        if isinstance(node, (c_ast.UnaryOp, c_ast.ArrayRef, c_ast.StructRef)):
            pointer = _own_pointer(self._symbols, node)
            if pointer is not None and self._is_lost(pointer):
                self._refuse(pointer, place)
        for name, child in node.children():
            if not isinstance(child, (c_ast.Typename, c_ast.Compound)) and not (
                isinstance(node, c_ast.If) and name != "cond"
            ):
                self._follow(child, place)

    def _refuse(self, pointer: c_ast.Node, place: Any) -> None:
        from cseq.modules.core.user_printer import UserPrinter

        meanings: dict[str, str] = {}
        for node in _statements(self._node.body):
            if isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID):
                meanings.setdefault(node.lvalue.name, UserPrinter(meanings).visit(node.rvalue))
        text = UserPrinter(meanings).visit(build.uncast(pointer))
        raise UnsupportedError(
            f"following the pointer `{text}`, which comes from shared memory, with partial orders", place
        )


def _addressed(argument: c_ast.Node) -> c_ast.Node | None:
    plain = build.uncast(argument)
    return plain.expr if isinstance(plain, c_ast.UnaryOp) and plain.op == "&" else None


def _own_pointer(symbols: Symbols, node: Any) -> c_ast.Node | None:
    """The pointer that the lvalue *node* itself follows."""
    match node:
        case c_ast.UnaryOp(op="*"):
            pointer: c_ast.Node = node.expr
            return pointer
        case c_ast.StructRef(type="->"):
            pointer = node.name
            return pointer
        case c_ast.ArrayRef() if not symbols.is_array(symbols.type_of(node.name)):
            pointer = node.name
            return pointer
    return None


def _pointer(symbols: Symbols, lvalue: Any) -> c_ast.Node | None:
    """The pointer by which *lvalue* is found; None if it is a part of a named object."""
    while True:
        pointer = _own_pointer(symbols, lvalue)
        if pointer is not None or not isinstance(lvalue, (c_ast.ArrayRef, c_ast.StructRef)):
            return pointer
        lvalue = lvalue.name


def _statements(node: Any) -> Iterator[Any]:
    match node:
        case c_ast.Compound():
            for item in node.block_items or []:
                yield from _statements(item)
        case c_ast.If():
            yield node
            for part in (node.iftrue, node.iffalse):
                if part is not None:
                    yield from _statements(part)
        case c_ast.While() | c_ast.Label() | c_ast.For() | c_ast.DoWhile():
            yield from _statements(node.stmt)
        case c_ast.Decl() | c_ast.Goto():
            return
        case _:
            yield node
