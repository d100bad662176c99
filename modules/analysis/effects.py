"""What the evaluation of an expression does, as far as the order of evaluation matters for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cseq.c import build, nodes
from cseq.c.nodes import Visitor
from cseq.c.signatures import atomic_builtin
from cseq.c.symbols import Symbols
from cseq.modules.analysis.places import variable
from cseq.modules.library import lexicon

_MEMORY = "*"
"""What pointers lead to: any object whose address is taken, and blocks."""

_ENDS = frozenset({"exit", "_Exit", "_exit", "quick_exit", "abort", "thrd_exit", lexicon.EXIT}) | lexicon.ASSUMPTIONS
_CLAIMS = frozenset(lexicon.ASSERTIONS) | frozenset(lexicon.FAILS)
_LOOKS = frozenset({
    "printf", "fprintf", "puts", "fputs", "putchar", "perror", "fflush",
    "strlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "memcmp", "atoi", "atol",
})  # fmt: skip
"""Functions of the C library that get pointers, and only look at what these lead to."""

_INCREMENTS = ("++", "--", "p++", "p--")


@dataclass
class Effects:
    """The effects of an evaluation.

    reads, writes: the variables, and `_MEMORY`. synchronises: it calls the thread library. ends: it may end the
    execution or its thread. claims: it may violate something by itself. calls: the user's functions that it calls.
    """

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    synchronises: bool = False
    ends: bool = False
    claims: bool = False
    calls: set[str] = field(default_factory=set)

    def add(self, other: Effects) -> None:
        """Have the effects of *other*, too."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.synchronises |= other.synchronises
        self.ends |= other.ends
        self.claims |= other.claims


class ProgramEffects:
    """Knows the effects of a program's functions."""

    def __init__(self, symbols: Symbols, tree: c_ast.FileAST) -> None:
        self._symbols = symbols
        self._own = {name: _found(symbols, node.body) for name, node in symbols.functions.items() if _is_users(node)}
        exposed = _Exposed(symbols)
        exposed.visit(tree)
        self._exposed = exposed.names
        self._has_threads = exposed.has_threads
        self._closed: dict[str, Effects] = {}

    def of(self, node: c_ast.Node) -> Effects:
        """The effects of evaluating the expression *node*, those of the functions that it calls included."""
        found = _found(self._symbols, node)
        for name in found.calls:
            found.add(self._function(name))
        return found

    def clash(self, one: Effects, other: Effects) -> bool:
        """Whether it matters which of two evaluations comes first, to themselves or to other threads."""
        return self._matters(one, other) or self._matters(other, one)

    def _matters(self, one: Effects, other: Effects) -> bool:
        if self._meet(one.writes, other.reads | other.writes):
            return True
        acts = one.synchronises or self._seen(one.writes)
        if acts and (other.synchronises or self._seen(other.writes | other.reads)):
            return True
        return one.ends and (other.claims or other.ends or other.synchronises or self._seen(other.writes))

    def _meet(self, some: set[str], others: set[str]) -> bool:
        if some & others:
            return True
        return (_MEMORY in some and bool(others & self._exposed)) or (_MEMORY in others and bool(some & self._exposed))

    def _seen(self, names: set[str]) -> bool:
        """Whether another thread can access one of *names*."""
        return self._has_threads and any(name == _MEMORY or self._is_shared(name) for name in names)

    def _is_shared(self, name: str) -> bool:
        if name in self._symbols.locals:
            return name in self._exposed
        declared = self._symbols.qualified.get(name)
        return declared is None or not {"_Thread_local", "__thread"} & set(declared.storage)

    def _function(self, name: str) -> Effects:
        """The effects of calling the function *name* that others can notice, its locals left out."""
        known = self._closed.get(name)
        if known is not None:
            return known
        reached, waiting = {name}, [name]
        while waiting:
            more = self._own[waiting.pop()].calls - reached
            reached |= more
            waiting.extend(more)
        found = Effects()
        for each in reached:
            found.add(self._own[each])
        kept = self._symbols.locals.keys() - self._exposed
        found.reads -= kept
        found.writes -= kept
        self._closed[name] = found
        return found


def may_act(node: c_ast.Node) -> bool:
    """Whether evaluating *node* does anything at all besides reading."""
    match node:
        case c_ast.FuncCall() | c_ast.Assignment() | nodes.StatementExpression():
            return True
        case c_ast.UnaryOp(op="sizeof" | "_Alignof") | c_ast.Typename():
            return False
        case c_ast.UnaryOp() if node.op in _INCREMENTS:
            return True
    return any(may_act(child) for child in build.parts(node))


def _is_users(node: c_ast.FuncDef) -> bool:
    return not lexicon.is_ours(node.coord)


def _found(symbols: Symbols, node: c_ast.Node) -> Effects:
    visitor = _Visitor(symbols)
    visitor.visit(node)
    return visitor.found


class _Visitor(Visitor):
    """Collects what is done directly in a piece of a program."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.found = Effects()

    def visit_ID(self, node: c_ast.ID) -> None:
        if node.name not in self._symbols.functions and node.name not in self._symbols.enumerators:
            self.found.reads.add(node.name)

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.init is not None:
            self.visit(node.init)

    def visit_Typename(self, node: c_ast.Typename) -> None:
        return

    def visit_Goto(self, node: c_ast.Goto) -> None:
        return

    def visit_Assignment(self, node: c_ast.Assignment) -> None:
        self._address(node.lvalue)
        self.found.writes.add(self._root(node.lvalue))
        if node.op != "=":
            self.found.reads.add(self._root(node.lvalue))
        self.visit(node.rvalue)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        if node.op in ("sizeof", "_Alignof"):
            return
        if node.op == "&":
            self._address(node.expr)
        elif node.op == "*" or node.op in _INCREMENTS:
            place = node if node.op == "*" else node.expr
            self._address(place)
            self.found.reads.add(self._root(place))
            if node.op != "*":
                self.found.writes.add(self._root(place))
        else:
            self.visit(node.expr)

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> None:
        self._address(node)
        self.found.reads.add(self._root(node))

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        self._address(node)
        self.found.reads.add(self._root(node))

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        arguments = node.args.exprs if node.args else []
        for argument in arguments:
            self.visit(argument)
        name = str(node.name.name) if isinstance(node.name, c_ast.ID) else ""
        definition = self._symbols.functions.get(name)
        if definition is not None and _is_users(definition) and name not in lexicon.FAILS:
            self.found.calls.add(name)
        elif name in _ENDS:
            self.found.ends = True
        elif name in _CLAIMS:
            self.found.claims = True
        elif atomic_builtin(name) is not None:
            self.found.reads.add(_MEMORY)
            if "load" not in name:
                self.found.writes.add(_MEMORY)
        elif lexicon.is_library(name):
            self.found.synchronises = True
        elif name in lexicon.SECTIONS or name in (lexicon.ATOMIC_BEGIN, lexicon.ATOMIC_END):
            return
        elif not name or name in self._symbols.locals or self._symbols.is_object(name):  # through a pointer
            self.found.reads.add(_MEMORY)
            self.found.writes.add(_MEMORY)
            self.found.calls |= {each for each, body in self._symbols.functions.items() if _is_users(body)} - {"main"}
        elif any(self._leads_somewhere(argument) for argument in arguments):
            self.found.reads.add(_MEMORY)
            if name not in _LOOKS:
                self.found.writes.add(_MEMORY)

    def _leads_somewhere(self, argument: c_ast.Node) -> bool:
        if isinstance(argument, (c_ast.Constant, c_ast.Typename)):
            return False
        type_ = self._symbols.value_type(argument)
        return self._symbols.is_pointer(type_)

    def _address(self, place: Any) -> None:
        """What finding the address of *place* does."""
        match place:
            case c_ast.ArrayRef():
                array = self._symbols.is_array(self._symbols.type_of(place.name))
                self._address(place.name) if array else self.visit(place.name)
                self.visit(place.subscript)
            case c_ast.StructRef():
                self.visit(place.name) if place.type == "->" else self._address(place.name)
            case c_ast.UnaryOp(op="*"):
                self.visit(place.expr)
            case c_ast.ID() | c_ast.Constant():
                return
            case _:
                self.visit(place)

    def _root(self, place: Any) -> str:
        """The variable that *place* is, or is a part of; `_MEMORY` where a pointer leads to it."""
        return variable(self._symbols, place) or _MEMORY


class _Exposed(Visitor):
    """Collects the variables that pointers may lead to. has_threads: whether the program starts threads."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.names = {name for name, type_ in symbols.types.items() if self._holds_array(type_)}
        self.has_threads = False

    def _holds_array(self, type_: c_ast.Node) -> bool:
        resolved = self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            return True
        record = self._symbols.record(resolved)
        return record is not None and any(self._holds_array(part) for _, part, _ in self._symbols.parts(record))

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        place = node.expr
        while node.op == "&" and isinstance(place, (c_ast.ArrayRef, c_ast.StructRef)):
            place = place.name
        if node.op == "&" and isinstance(place, c_ast.ID):
            self.names.add(place.name)
        self.generic_visit(node)

    def visit_ID(self, node: c_ast.ID) -> None:
        self.has_threads |= node.name in (lexicon.CREATE, lexicon.THRD_CREATE)
