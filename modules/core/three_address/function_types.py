"""Which functions work where they are called as functions of another type.

C leaves such a call undefined (C11 §6.3.2.3). On every ABI there is, pointers are passed alike, whatever they point to,
and so are integers of one size that are not narrower than `int`. What a function of type void returns is any value; a
result that is not used gets lost; and a function defined with `()` does not look at its arguments. Where anything
else differs (the number of arguments, widths, integers and pointers, floating-point numbers, structs), the call does
not work.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import Visitor
from cseq.c.symbols import Symbols
from cseq.model.errors import CSeqError
from cseq.modules.analysis.mentions import function_name
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import STARTS

_COPIES = frozenset({"memcpy", "memmove", "mempcpy", "__builtin_memcpy", "__builtin_memmove"})
_INT = 4
"""The bytes of the narrowest integers that are passed alike whether or not they are signed."""


class FunctionTypes:
    """Compares the types of functions with those as which they are called."""

    def __init__(self, symbols: Symbols, tree: c_ast.FileAST) -> None:
        self._symbols = symbols
        self._tree = tree

    @cached_property
    def _conversions(self) -> _Conversions:
        found = _Conversions(self._symbols)
        found.visit(self._tree)
        for record in self._symbols.tags.values():
            found.overlap(record)
        return found

    @cached_property
    def converted(self) -> set[str]:
        """The functions that pointers of another type may point to."""
        found, functions = self._conversions, self._symbols.functions.items()
        return found.names | {name for name, node in functions if self._symbols.spelled(node.decl.type) in found.types}

    @property
    def starting(self) -> set[str]:
        """Those and others with which calls of pthread_create may start threads."""
        return self.converted | self._conversions.started

    def works_as(self, name: str, type_: c_ast.Node) -> bool:
        """Whether a call of the function *name* as one of *type_* works on every ABI."""
        called, function = self._function(type_), self._function(self._symbols.types[name])
        if called is None or function is None or called.args is None:
            return False
        if not self._is_returned_alike(called.type, function.type):
            return False
        if function.args is None:
            return name in self._symbols.functions
        wanted, found = _parameters(called), _parameters(function)
        variable = [any(isinstance(part, c_ast.EllipsisParam) for part in parts) for parts in (wanted, found)]
        if variable[0] != variable[1] or len(wanted) != len(found):
            return False
        return all(
            isinstance(one, c_ast.EllipsisParam) or self._is_passed_alike(one.type, other.type)
            for one, other in zip(wanted, found, strict=True)
        )

    def is_start(self, name: str) -> bool:
        """Whether a thread that starts with the function *name* works on every ABI, whatever its type is."""
        function = self._function(self._symbols.types[name])
        if function is None or self._symbols.record(function.type) is not None or self._is_floating(function.type):
            return False
        found = _parameters(function) if function.args is not None else []
        types = [getattr(parameter, "type", None) for parameter in found]
        return len(types) <= 1 and all(
            type_ is not None and self._symbols.record(type_) is None and not self._is_floating(type_)
            for type_ in types
        )

    def is_exactly_start(self, name: str) -> bool:
        """Whether the function *name* has the type that pthread_create asks for."""
        function = self._function(self._symbols.types[name])
        if function is None or self._symbols.spelled(function.type) != "void *":
            return False
        return function.args is None or self._symbols.parameters(function) == ["void *"]

    def looks_at_arguments(self, name: str) -> bool:
        """Whether the function *name* has parameters, or may have: it is not defined with `()`."""
        function = self._function(self._symbols.types[name])
        return name not in self._symbols.functions or (function is not None and function.args is not None)

    def returns_nothing(self, name: str) -> bool:
        """Whether the function *name* is of type void."""
        function = self._function(self._symbols.types[name])
        return function is not None and self._symbols.is_void(function.type)

    def _function(self, type_: c_ast.Node) -> Any:
        """The function type that *type_* is, or that it leads to; None for other types."""
        type_ = self._symbols.resolve(type_)
        while isinstance(type_, c_ast.PtrDecl):
            type_ = self._symbols.resolve(type_.type)
        return type_ if isinstance(type_, c_ast.FuncDecl) else None

    def _is_returned_alike(self, wanted: c_ast.Node, found: c_ast.Node) -> bool:
        if self._symbols.is_void(wanted):
            return self._symbols.record(found) is None and not self._is_floating(found)
        if self._symbols.is_void(found):
            return self._symbols.record(wanted) is None and not self._is_floating(wanted)
        return self._is_passed_alike(wanted, found)

    def _is_floating(self, type_: c_ast.Node) -> bool:
        return self._symbols.arithmetic(type_) in ("float", "double", "long double")

    def _is_passed_alike(self, one: c_ast.Node, other: c_ast.Node) -> bool:
        """Whether both are the same type, both pointers, or both integers of one size."""
        one, other = (self._decayed(type_) for type_ in (one, other))
        if self._symbols.is_pointer(one) or self._symbols.is_pointer(other):
            return self._symbols.is_pointer(one) and self._symbols.is_pointer(other)
        if self._symbols.spelled(one) == self._symbols.spelled(other):
            return True
        if any(self._symbols.arithmetic(type_) in (None, "void") or self._is_floating(type_) for type_ in (one, other)):
            return False
        size = self._symbols.sizeof(one)
        return size == self._symbols.sizeof(other) and size >= _INT

    def _decayed(self, type_: c_ast.Node) -> c_ast.Node:
        resolved = self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.FuncDecl):
            return c_ast.PtrDecl([], resolved)
        return c_ast.PtrDecl([], resolved.type) if isinstance(resolved, c_ast.ArrayDecl) else resolved


class _Conversions(Visitor):
    """Collects functions whose address becomes a pointer of another type.

    names: the functions. types: types, spelled out, such that pointers to functions of that type are converted.
    started: the functions that are named in calls of pthread_create.
    A mention counts unless what it is for is certainly of the same type. Pointers are also converted where their memory
    has another type too: in a union, by a copy of bytes, and through a pointer to pointers that is converted.
    """

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.names: set[str] = set()
        self.types: set[str] = set()
        self.started: set[str] = set()
        self._returned: c_ast.Node | None = None

    def visit_FuncDef(self, node: c_ast.FuncDef) -> None:
        outer, self._returned = self._returned, node.decl.type.type
        self.generic_visit(node)
        self._returned = outer

    def visit_ID(self, node: c_ast.ID) -> None:
        if node.name in self._symbols.functions:
            self.names.add(node.name)

    def visit_Cast(self, node: c_ast.Cast) -> None:
        self._given(node.expr, node.to_type.type)

    def visit_Assignment(self, node: c_ast.Assignment) -> None:
        self.visit(node.lvalue)
        self._given(node.rvalue, self._type(node.lvalue))

    def visit_Return(self, node: c_ast.Return) -> None:
        if node.expr is not None:
            self._given(node.expr, self._returned)

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.init is not None:
            self._initialises(node.init, node.type)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        called = str(node.name.name) if isinstance(node.name, c_ast.ID) else ""
        if not isinstance(node.name, c_ast.ID):
            self.visit(node.name)
        type_ = self._type(node.name)
        type_ = None if type_ is None else self._symbols.resolve(type_)
        if isinstance(type_, c_ast.PtrDecl):
            type_ = self._symbols.resolve(type_.type)
        parameters = _parameters(type_) if isinstance(type_, c_ast.FuncDecl) and type_.args is not None else []
        for position, argument in enumerate(node.args.exprs if node.args else []):
            if position == STARTS.get(called) and function_name(argument) is not None:
                if called == lexicon.CREATE:
                    self.started.add(str(function_name(argument)))
                continue  # the three-address stage looks at these itself
            wanted = getattr(parameters[position], "type", None) if position < len(parameters) else None
            self._given(argument, wanted)
        if called in _COPIES and node.args is not None and len(node.args.exprs) > 1:
            self._copied(*node.args.exprs[:2])

    def overlap(self, record: c_ast.Node) -> None:
        """Collect the types of functions to which members of the unions in *record* lead, if others overlap them."""
        parts = [type_ for _, type_, _ in self._symbols.parts(record)] if getattr(record, "decls", None) else []
        if isinstance(record, c_ast.Union) and len({self._symbols.spelled(type_) for type_ in parts}) > 1:
            self.types.update(found for type_ in parts for found in self._inside(type_))
        for name, type_, _ in self._symbols.parts(record) if parts else ():
            if name is None and (inner := self._symbols.record(type_)) is not None:
                self.overlap(inner)

    def _inside(self, type_: c_ast.Node) -> Iterator[str]:
        """The types of functions to which pointers in an object of *type_* lead."""
        resolved = self._symbols.resolve(type_)
        while isinstance(resolved, c_ast.ArrayDecl):
            resolved = self._symbols.resolve(resolved.type)
        leads_to = self._leads_to(resolved)
        if leads_to is not None:
            yield leads_to
        record = self._symbols.record(resolved)
        if record is not None:
            for _, part, _ in self._symbols.parts(record):
                yield from self._inside(part)

    def _copied(self, to: c_ast.Node, source: c_ast.Node) -> None:
        """The bytes of what *source* leads to are copied to where *to* leads."""
        target, copied = (self._pointee(self._type(build.uncast(argument))) for argument in (to, source))
        if copied is None:
            return
        if target is None or self._symbols.spelled(target) != self._symbols.spelled(copied):
            self.types.update(self._inside(copied))

    def _pointee(self, type_: c_ast.Node | None) -> c_ast.Node | None:
        resolved = None if type_ is None else self._symbols.resolve(type_)
        return resolved.type if isinstance(resolved, (c_ast.PtrDecl, c_ast.ArrayDecl)) else None

    def _initialises(self, init: c_ast.Node, type_: c_ast.Node | None) -> None:
        if not isinstance(init, c_ast.InitList):
            self._given(init, type_)
            return
        resolved = None if type_ is None else self._symbols.resolve(type_)
        element = resolved.type if isinstance(resolved, c_ast.ArrayDecl) else None
        record = None if resolved is None else self._symbols.record(resolved)
        members = [part for _, part, _ in self._symbols.parts(record)] if isinstance(record, c_ast.Struct) else []
        plain = not any(isinstance(item, c_ast.NamedInitializer) for item in init.exprs)
        for position, item in enumerate(init.exprs):
            if isinstance(item, c_ast.NamedInitializer):
                self._initialises(item.expr, self._designated(item, record) if element is None else element)
            else:
                member = members[position] if plain and position < len(members) else None
                self._initialises(item, element or member)

    def _designated(self, item: c_ast.NamedInitializer, record: c_ast.Node | None) -> c_ast.Node | None:
        if record is None or len(item.name) != 1 or not isinstance(item.name[0], c_ast.ID):
            return None
        return next((part for name, part, _ in self._symbols.parts(record) if name == item.name[0].name), None)

    def _given(self, value: c_ast.Node, target: c_ast.Node | None) -> None:
        """*value* becomes the value of something of the type *target*, None if that is not known."""
        name = function_name(value) if not isinstance(value, c_ast.Cast) else None
        if name is not None and name in self._symbols.functions:
            if target is None or self._leads_to(target) != self._symbols.spelled(self._symbols.types[name]):
                self.names.add(name)
            return
        type_ = self._leads_to(self._type(value))
        if type_ is not None and type_ != self._leads_to(target):
            self.types.add(type_)
        inner, wanted = self._pointee(self._type(value)), self._pointee(target)
        type_ = self._leads_to(inner)
        is_known = wanted is not None and not self._symbols.is_void(wanted)
        if type_ is not None and is_known and type_ != self._leads_to(wanted):
            self.types.add(type_)
        self.visit(value)

    def _type(self, node: c_ast.Node) -> c_ast.Node | None:
        try:
            return self._symbols.value_type(node)
        except CSeqError:
            return None  # calls of what is not declared, which others refuse

    def _leads_to(self, type_: c_ast.Node | None) -> str | None:
        """The type of the function that *type_* is or leads to, spelled out; None for other types."""
        resolved = None if type_ is None else self._symbols.resolve(type_)
        if isinstance(resolved, c_ast.PtrDecl):
            resolved = self._symbols.resolve(resolved.type)
        return self._symbols.spelled(resolved) if isinstance(resolved, c_ast.FuncDecl) else None


def _parameters(declarator: Any) -> list[Any]:
    """The parameters of a function declarator that has some; none for ``(void)``."""
    return [item for item in declarator.args.params if not build.is_void(getattr(item, "type", None))]
