"""Whether a program can tell that a freed block's address has come back: does it look at addresses as values?

A program whose accesses are all to existing objects cannot tell if it never compares two pointers that may lead to
blocks, and never makes a number of a pointer: then an execution in which a block's address comes back differs from one
in which it does not only in addresses that are never read.
"""

from collections.abc import Iterable
from math import prod
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.signatures import atomic_builtin
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import object_of

_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "-"})
_BYTES = frozenset({"memcmp", "bcmp"})
_CHARACTERS = ("char", "signed char", "unsigned char")
_SIZES = {
    "malloc": slice(0, 1), "calloc": slice(0, 2), "aligned_alloc": slice(1, 2), "memalign": slice(1, 2),
    "posix_memalign": slice(2, 3),
}  # fmt: skip
"""Functions that allocate → the arguments whose product is the size."""
_UNIT = 16  # bytes; blocks of as many are of one size
_OF_ANY_SIZE = frozenset({"realloc", "reallocarray", "strdup", "strndup", "asprintf"})
_COMPARES = frozenset({"compare", "swap"})


def looks_at_addresses(symbols: Symbols, functions: Iterable[c_ast.FuncDef]) -> bool:
    """Whether one of the user's *functions* may compare addresses of blocks, or make numbers of them."""
    return _searched(symbols, functions).found


def tells_sizes_apart(symbols: Symbols, functions: Iterable[c_ast.FuncDef]) -> bool:
    """Whether one of the user's *functions* may compare addresses of blocks of different sizes.

    That is so if they allocate memory of a size that is not constant; or of several sizes, and make numbers of
    addresses, or compare pointers to something else than structs. A pointer to a struct is taken to lead to blocks of
    one size otherwise.
    """
    search = _searched(symbols, functions)
    return search.found and (None in search.sizes or (search.untyped and len(search.sizes) > 1))


def _searched(symbols: Symbols, functions: Iterable[c_ast.FuncDef]) -> "_Search":
    functions = list(functions)
    search = _Search(symbols, _elsewhere(symbols, functions))
    for function in functions:
        search.visit(function.body)
    return search


def _elsewhere(symbols: Symbols, functions: list[c_ast.FuncDef]) -> set[str]:
    """The pointers that lead to no block: locals that are only ever set to addresses of named objects."""
    stores = _Stores()
    for function in functions:
        stores.visit(function.body)
    parameters = {p.name for f in functions if f.decl.type.args for p in f.decl.type.args.params if hasattr(p, "name")}
    found = {name for name in symbols.locals if name not in parameters | stores.addressed}
    while True:
        left = {n for n in found if all(_is_elsewhere(symbols, value, found) for value in stores.values.get(n, ()))}
        if left == found:
            return found
        found = left


def _is_elsewhere(symbols: Symbols, node: Any, names: set[str]) -> bool:
    """Whether *node* leads to no block, if the pointers *names* do not."""
    node = build.uncast(node)
    match node:
        case c_ast.UnaryOp(op="&"):
            return object_of(symbols, node.expr) is not None
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--") | c_ast.UnaryOp(op="+"):
            return _is_elsewhere(symbols, node.expr, names)
        case c_ast.BinaryOp(op="+" | "-"):
            # A number that was an address would have been found where it was made.
            parts = [n for n in (node.left, node.right) if symbols.arithmetic(symbols.type_of(n)) is None]
            return all(_is_elsewhere(symbols, part, names) for part in parts)
        case c_ast.TernaryOp():
            return _is_elsewhere(symbols, node.iftrue, names) and _is_elsewhere(symbols, node.iffalse, names)
        case c_ast.Constant() | c_ast.FuncCall(name=c_ast.ID()):
            return not isinstance(node, c_ast.FuncCall) or _is_own_call(node)
        case c_ast.ID():
            return node.name in names or symbols.is_array(symbols.type_of(node))
    return False


class _Stores(c_ast.NodeVisitor):
    """Collects what is assigned to variables, by name, and the variables whose address is taken."""

    def __init__(self) -> None:
        self.values: dict[str, list[c_ast.Node]] = {}
        self.addressed: set[str] = set()

    def visit_Assignment(self, node: c_ast.Assignment) -> None:
        if isinstance(node.lvalue, c_ast.ID):
            self.values.setdefault(node.lvalue.name, []).append(node.rvalue)
        self.generic_visit(node)

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.init is not None and node.name:
            self.values.setdefault(node.name, []).append(node.init)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        if node.op == "&":
            place: Any = node.expr
            while isinstance(place, (c_ast.StructRef, c_ast.ArrayRef)):
                place = place.name
            if isinstance(place, c_ast.ID):
                self.addressed.add(place.name)
        self.generic_visit(node)


class _Search(c_ast.NodeVisitor):
    def __init__(self, symbols: Symbols, elsewhere: set[str]) -> None:
        self._symbols = symbols
        self._elsewhere = elsewhere
        self.found = self.untyped = False
        self.sizes: set[int | None] = set()  # of blocks, in units; None for those that are not constant

    def _note(self, pointer: c_ast.Node | None = None) -> None:
        """Note a comparison of pointers of this type, or by default of numbers."""
        target = self._resolved(pointer).type if pointer is not None and self._is_pointer(pointer) else None  # type: ignore[attr-defined]
        self.found = True
        self.untyped |= target is None or self._symbols.record(target) is None

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> None:
        if node.op in _COMPARISONS and self._may_be_blocks(node.left) and self._may_be_blocks(node.right):
            self._note(self._symbols.type_of(node.left))
        self.generic_visit(node)

    def visit_Cast(self, node: c_ast.Cast) -> None:
        to, source = self._resolved(node.to_type.type), node.expr
        if self._symbols.constant_or_none(node) is not None:
            return
        if self._symbols.arithmetic(to) not in (None, "_Bool") and self._may_be_blocks(source):
            self._note()
        # What leads to pointers leads to numbers instead.
        if self._is_pointer(to) and self._leads_to_pointers(source) and not self._may_hide_pointers(to):
            self._note()
        self.generic_visit(node)

    def visit_Assignment(self, node: c_ast.Assignment) -> None:
        number = self._symbols.arithmetic(self._symbols.type_of(node.lvalue)) not in (None, "_Bool")
        if number and self._may_be_blocks(node.rvalue):
            self._note()
        self.generic_visit(node)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        builtin = atomic_builtin(name)
        arguments = node.args.exprs if node.args else []
        if name in _BYTES:
            self._note()
        if name in _OF_ANY_SIZE:
            self.sizes.add(None)
        elif name in _SIZES:
            parts = [self._symbols.constant_or_none(argument) for argument in arguments[_SIZES[name]]]
            known = [part for part in parts if part is not None]
            self.sizes.add(-(-prod(known) // _UNIT) if known and len(known) == len(parts) else None)
        if builtin is not None and builtin.action in _COMPARES and arguments:
            target = self._symbols.element(self._symbols.type_of(arguments[0]), node.coord)
            if self._symbols.arithmetic(target) is None:
                self._note(target)
        self.generic_visit(node)

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        """A member of a union that also has pointers may be the number of one."""
        of = self._symbols.type_of(node.name)
        record = self._symbols.element(of) if node.type == "->" else of
        members = self._symbols.members_of(record)
        if _is_union(self._symbols.record(record)) and self._symbols.arithmetic(self._symbols.type_of(node)):
            self.found |= (hides := any(self._has_pointers(member.type) for member in members))
            self.untyped |= hides
        self.generic_visit(node)

    # Types

    def _resolved(self, type_: c_ast.Node) -> c_ast.Node:
        return self._symbols.resolve(type_)

    def _is_pointer(self, type_: c_ast.Node) -> bool:
        return isinstance(self._resolved(type_), c_ast.PtrDecl)

    def _may_be_blocks(self, node: c_ast.Node) -> bool:
        """Whether *node* is a pointer that may lead to a block: no null pointer, and no address of a named object."""
        if _is_own_call(node) or _is_elsewhere(self._symbols, node, self._elsewhere):
            return False
        type_ = self._symbols.type_of(node)
        if not self._is_pointer(type_) or self._symbols.constant_or_none(build.uncast(node)) is not None:
            return False
        if isinstance(self._resolved(self._resolved(type_).type), c_ast.FuncDecl):  # type: ignore[attr-defined]
            return False
        place = build.uncast(node)
        return not (isinstance(place, c_ast.UnaryOp) and place.op == "&" and object_of(self._symbols, place.expr))

    def _leads_to_pointers(self, node: c_ast.Node) -> bool:
        type_: Any = self._resolved(self._symbols.type_of(node))
        return isinstance(type_, (c_ast.PtrDecl, c_ast.ArrayDecl)) and self._has_pointers(type_.type)

    def _may_hide_pointers(self, type_: c_ast.Node) -> bool:
        """Whether an object that a pointer of *type_* leads to is no number, or just a byte."""
        target: Any = self._resolved(type_)
        return self._symbols.arithmetic(target.type) in (None, *_CHARACTERS)

    def _has_pointers(self, type_: c_ast.Node) -> bool:
        type_ = self._resolved(type_)
        if isinstance(type_, c_ast.ArrayDecl):
            return self._has_pointers(type_.type)
        if isinstance(type_, c_ast.PtrDecl):
            return True
        return any(self._has_pointers(member.type) for member in self._symbols.members_of(type_))


def _is_own_call(node: c_ast.Node) -> bool:
    """Whether *node* is an input of the program, or another primitive of ours that returns no block."""
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name.startswith("__CSEQ_")


def _is_union(record: c_ast.Node | None) -> bool:
    return isinstance(record, c_ast.Union)
