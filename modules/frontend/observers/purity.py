"""Pure functions, which look at a state and change nothing in it: what they may do, and what they read."""

from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build, nodes
from cseq.c.symbols import Symbols, pointer_to
from cseq.model.errors import InputError
from cseq.model.origin import Origin
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.library import lexicon

PURE = frozenset({"abs", "labs", "llabs", "memcmp", "strcmp", "strncmp", "strlen"})
"""Functions of the C library that only look at their arguments."""

FILLS = frozenset({"memcpy", "memset"})
"""Functions of the C library that only write to what their first argument points to."""

_STEPS = frozenset({"++", "--", "p++", "p--"})


class Look(c_ast.NodeVisitor):
    """Check one function, and note what it does.

    It may assign to its locals, but not through pointers. It may call the functions in PURE, and functions that the
    program defines, which have to be checked too. The function that writes an abstract state may also write to what its
    parameter *target* points to.

    symbols:   the symbols at file level; the function's locals are entered there until `forget` is called.
    functions: the functions that the unit defines, by name.
    reads:     the objects at file level that the function names.
    follows:   whether it follows pointers, so that it may read anything.
    calls:     the functions of the program that it calls.
    Raises InputError, with its place, for anything else.
    """

    def __init__(
        self,
        function: c_ast.FuncDef,
        symbols: Symbols,
        functions: Mapping[str, c_ast.FuncDef],
        target: str | None = None,
    ) -> None:
        self._name = function.decl.name
        self._symbols = symbols
        self._functions = functions
        self._target = target
        self._locals: dict[str, str] = {}
        self._hidden: dict[str, c_ast.Node | None] = {}
        self.reads: set[str] = set()
        self.calls: set[str] = set()
        self.follows = False
        if function.param_decls:
            self._refuse("declares its parameters in the old style", function.decl)
        for item in function.decl.type.args.params if function.decl.type.args else []:
            if isinstance(item, c_ast.Decl) and item.name:
                self._parameter(item)
        self.visit(function.body)

    def _refuse(self, what: str, node: Any) -> None:
        origin = node.coord if isinstance(node.coord, Origin) else None
        raise InputError(f"`{self._name}` {what}, but may only look at the state", origin)

    # Declarations

    def _parameter(self, node: c_ast.Decl) -> None:
        resolved = self._symbols.resolve(node.type)
        if isinstance(resolved, c_ast.ArrayDecl):
            node = build.declare(node.name, pointer_to(resolved.type), node.coord)
        self._declare(node)

    def _declare(self, node: c_ast.Decl) -> None:
        """Enter a local. A name has one meaning here, so that a pointer is never mistaken for an array."""
        type_ = Printer().visit(build.declare("_", node.type))
        if node.name not in self._locals:
            hidden = self._symbols.types.get(node.name)
            if node.name in self._symbols.enumerators or not (hidden is None or self._is_function(hidden)):
                self._refuse(f"uses the name `{node.name}` for several things", node)
            self._hidden[node.name] = hidden
        elif self._locals[node.name] != type_:
            self._refuse(f"uses the name `{node.name}` for several things", node)
        self._locals[node.name] = type_
        self._symbols.declare(node)

    def _is_function(self, type_: c_ast.Node) -> bool:
        return isinstance(self._symbols.resolve(type_), c_ast.FuncDecl)

    def forget(self) -> None:
        """Remove the locals from the symbols."""
        for name, hidden in self._hidden.items():
            del self._symbols.types[name]
            if hidden is not None:
                self._symbols.types[name] = hidden

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.name and not isinstance(node.type, c_ast.FuncDecl) and "extern" not in (node.storage or []):
            static = "static" in (node.storage or []) and not self._symbols.is_const(node.type)
            if static or is_thread_local(node):
                self._refuse(f"keeps `{node.name}` from call to call", node)
            self._declare(node)
        elif not node.name:
            self._symbols.declare(node)
        self.generic_visit(node)

    def visit_Typedef(self, node: c_ast.Typedef) -> None:
        self._symbols.declare(node)

    # Expressions

    def visit_ID(self, node: c_ast.ID) -> None:
        name = node.name
        if name in self._locals or name in self._symbols.enumerators:
            return
        type_ = self._symbols.types.get(name)
        if type_ is None:
            raise InputError(f"`{name}` is not declared at file level", node.coord)
        if self._is_function(type_):
            self._refuse(f"uses the function `{name}` other than by calling it", node)
        if is_thread_local(self._symbols.qualified[name]):
            self._refuse(f"reads `{name}`, of which each thread has its own", node)
        self.reads.add(name)

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        self.follows |= node.type == "->"
        self.visit(node.name)

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> None:
        self.follows |= not self._symbols.is_array(self._symbols.type_of(node.name))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        if node.op in _STEPS:
            self._written(node.expr, node)
        self.follows |= node.op == "*"
        self.generic_visit(node)

    def visit_Assignment(self, node: c_ast.Assignment) -> None:
        self._written(node.lvalue, node)
        self.generic_visit(node)

    def _written(self, lvalue: c_ast.Node, node: c_ast.Node) -> None:
        if not self._is_own(lvalue):
            self._refuse(f"assigns to `{Printer().visit(lvalue)}`", node)

    def _is_own(self, lvalue: c_ast.Node) -> bool:
        """Whether *lvalue* is part of a local, or of the abstract state."""
        match lvalue:
            case c_ast.ID():
                return lvalue.name in self._locals and lvalue.name != self._target
            case c_ast.StructRef():
                return self._points_home(lvalue.name) if lvalue.type == "->" else self._is_own(lvalue.name)
            case c_ast.ArrayRef():
                array = self._symbols.is_array(self._symbols.type_of(lvalue.name))
                return self._is_own(lvalue.name) if array else self._points_home(lvalue.name)
            case c_ast.UnaryOp(op="*"):
                return self._points_home(lvalue.expr)
        return False

    def _points_home(self, pointer: c_ast.Node) -> bool:
        match pointer:
            case c_ast.ID(name=name):
                is_array = name in self._locals and self._symbols.is_array(self._symbols.types[name])
                return name == self._target or is_array
            case c_ast.UnaryOp(op="&"):
                return self._is_own(pointer.expr)
            case c_ast.StructRef() | c_ast.ArrayRef():
                return self._symbols.is_array(self._symbols.type_of(pointer)) and self._is_own(pointer)
        return False

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        name = node.name.name if isinstance(node.name, c_ast.ID) else None
        if name is None or name in self._locals:
            self._refuse("calls a function through a pointer", node)
        definition = self._functions.get(str(name))
        arguments = node.args.exprs if node.args else []
        if name in PURE or name in FILLS:
            self.follows = True
            if name in FILLS and not (arguments and self._points_home(arguments[0])):
                self._refuse(f"calls `{name}` on memory that is not its own", node)
        elif definition is None or lexicon.is_ours(definition.coord or definition.decl.coord):
            called = "assert" if name == "__CSEQ_check" else name
            self._refuse(f"calls `{called}`, which is not a function of the program", node)
        else:
            self.calls.add(str(name))
        for argument in arguments:
            self.visit(argument)

    def visit_Asm(self, node: nodes.Asm) -> None:
        self._refuse("contains assembly", node)
