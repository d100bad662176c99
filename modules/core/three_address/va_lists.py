"""Calls of the user's variadic functions, and their use of a va_list (see `modules/analysis/variadic.py`)."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Claim, Kind, Reason
from cseq.model.errors import InputError, UnsupportedError
from cseq.modules.analysis.variadic import ARGUMENTS, CELL, MEMBERS, is_variadic, list_type
from cseq.modules.core.writing import Writing
from cseq.modules.library import lexicon
from cseq.modules.library.assertions import claim

_NO_ARGUMENT = Claim(Kind.REACHABILITY, Reason.NO_ARGUMENT, function="va_arg")
_END, _INT, _LONG, _REAL, _POINTER, _OBJECT = 0, 1, 2, 3, 4, 16
_NARROW, _WORD = 4, 8


class VariadicCalls:
    """Writes calls of variadic functions, and uses of a va_list, into the output of the three-address stage *to*."""

    def __init__(self, to: Writing, symbols: Symbols) -> None:
        self._to = to
        self._symbols = symbols
        self._function = ""

    def enter(self, node: c_ast.FuncDef) -> list[c_ast.Node]:
        """Begin the function *node*, and return the declarations that it needs for its variable arguments."""
        self._function = node.decl.name
        if not is_variadic(node):
            return []
        declaration = build.declare(ARGUMENTS + self._function, list_type())
        self._symbols.declare(declaration)
        self._symbols.locals[declaration.name] = self._function
        return [declaration]

    # Calls

    def packed(self, name: str, arguments: list[c_ast.Node]) -> list[c_ast.Node]:
        """The arguments of a call of *name* as the function expects them: variable ones in an array."""
        definition = self._symbols.functions.get(name)
        if not is_variadic(definition) or lexicon.is_ours(definition.coord):  # type: ignore[union-attr]
            return arguments
        fixed = len(definition.decl.type.args.params) - 1  # type: ignore[union-attr]
        further = arguments[fixed:]
        cell = c_ast.TypeDecl(None, [], None, c_ast.Struct(CELL, None))
        array = self._to.temporary(c_ast.ArrayDecl(cell, build.number(len(further) + 1), []))
        for position, argument in enumerate(further):
            self._store(c_ast.ArrayRef(array, build.number(position)), argument)
        self._assign(c_ast.ArrayRef(array, build.number(len(further))), "kind", build.number(_END))
        return [*arguments[:fixed], array]

    def _store(self, cell: c_ast.Node, argument: c_ast.Node) -> None:
        type_ = self._symbols.value_type(argument)
        kind, member, as_type = self._kept(type_)
        value = argument
        if kind >= _OBJECT:
            value = c_ast.UnaryOp("&", self._to.saved(argument, type_))
        self._assign(cell, "kind", build.number(kind))
        self._assign(cell, member, c_ast.Cast(build.typename(as_type), value))

    def _assign(self, cell: c_ast.Node, member: str, value: c_ast.Node) -> None:
        place = c_ast.StructRef(cell, ".", build.ident(MEMBERS + member))
        self._to.emit(build.assign(place, value, self._to.origin))

    def _kept(self, type_: c_ast.Node) -> tuple[int, str, c_ast.Node]:
        """How an argument of *type_* is stored: the kind and the member of its cell, and the type of that member."""
        void = pointer_to(basic("void"))
        if self._symbols.is_pointer(type_):
            return _POINTER, "pointer", void
        arithmetic = self._symbols.arithmetic(type_)
        if arithmetic in ("float", "double"):
            return _REAL, "real", basic("double")
        size = self._symbols.sizeof(type_)
        if arithmetic is not None and size <= _WORD:
            return (_INT if size <= _NARROW else _LONG), "word", basic("long long")
        return _OBJECT + size, "pointer", void

    # The bodies of variadic functions

    def call(self, name: str, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Emit a call of one of FUNCTIONS, and return its value."""
        arguments: list[Any] = list(node.args.exprs) if node.args else []
        if name == "__builtin_va_arg":
            return self._next(arguments[0], arguments[1].type, node)
        if name in ("__builtin_va_copy", "__va_copy"):
            self._to.emit(build.assign(self._to.place(arguments[0]), self._to.value(arguments[1]), self._to.origin))
        elif name != "__builtin_va_end":
            declaration = self._symbols.types.get(ARGUMENTS + self._function)
            if declaration is None:
                raise InputError("`va_start` in a function that is not variadic", node.coord)
            target = self._to.place(arguments[0])
            self._to.emit(build.assign(target, build.ident(ARGUMENTS + self._function), self._to.origin))
        return None

    def _next(self, list_: c_ast.Node, type_: c_ast.Node, node: c_ast.FuncCall) -> c_ast.Node:
        if self._symbols.arithmetic(type_) == "float" or self._is_promoted(type_):
            raise UnsupportedError("`va_arg` with a type that no argument can have", node.coord)
        place = self._to.place(list_)
        cell = self._to.saved(self._to.value(place), list_type())
        kind, member, _ = self._kept(type_)
        right = c_ast.BinaryOp("==", self._member(cell, "kind"), build.number(kind))
        self._to.emit(claim(right, _NO_ARGUMENT, self._to.origin))
        value = self._member(cell, member)
        if kind >= _OBJECT:
            value = c_ast.UnaryOp("*", c_ast.Cast(build.typename(pointer_to(type_)), value))
        else:
            value = c_ast.Cast(build.typename(type_), value)
        result = self._to.saved(value, self._symbols.unqualified(type_))
        self._to.emit(build.assign(place, c_ast.BinaryOp("+", cell, build.number(1)), self._to.origin))
        return result

    def _member(self, cell: c_ast.Node, name: str) -> c_ast.Node:
        return c_ast.StructRef(cell, "->", build.ident(MEMBERS + name))

    def _is_promoted(self, type_: c_ast.Node) -> bool:
        arithmetic = self._symbols.arithmetic(type_)
        return arithmetic is not None and self._symbols.sizeof(type_) < _NARROW
