"""Which accesses another thread can notice: the one analysis that all families of engines share.

It is a syntactic escape analysis. A local or thread-local object whose address never escapes can be reached by its own
thread only; everything else is visible, except what cannot change. Unknown means visible.
"""

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import Visitor
from cseq.c.signatures import atomic_builtin
from cseq.c.symbols import Symbols
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.analysis.variadic import MEMBERS
from cseq.modules.library import clibrary, lexicon, primitives

_WHOLE_OBJECT = lexicon.WHOLE | {lexicon.BEGINS, lexicon.ENDS, lexicon.SHOW, lexicon.CHECKS}


class Visibility:
    """The visible accesses in the expressions of one unit that has a single scope."""

    def __init__(self, symbols: Symbols, tree: c_ast.FileAST) -> None:
        self._symbols = symbols
        self._escaping: set[str] = set()
        self._shared: dict[str, bool] = {}
        escapes = Escapes(symbols, self._escaping)
        for node in tree.ext:
            if isinstance(node, c_ast.FuncDef):
                escapes.visit(node.body)

    def is_visible(self, lvalue: c_ast.Node) -> bool:
        """Whether another thread can notice an access to *lvalue*."""
        match lvalue:
            case c_ast.ID():
                return self._is_shared(lvalue.name)
            case c_ast.ArrayRef():
                if isinstance(lvalue.name, c_ast.Constant) and lvalue.name.type == "string":
                    return False
                return (
                    self.is_visible(lvalue.name) if self._symbols.is_array(self._symbols.type_of(lvalue.name)) else True
                )
            case c_ast.StructRef() if lvalue.field.name.startswith(MEMBERS):
                return False
            case c_ast.StructRef():
                return lvalue.type == "->" or self.is_visible(lvalue.name)
            case c_ast.UnaryOp(op="*"):
                return True
        return False

    def _is_shared(self, name: str) -> bool:
        known = self._shared.get(name)
        if known is None:
            known = self._is_shared_now(name)
            if name in self._symbols.types:  # what a declared name means does not change
                self._shared[name] = known
        return known

    def _is_shared_now(self, name: str) -> bool:
        if _is_own(self._symbols, name):
            return name in self._escaping
        if name.startswith("__cs_tmp") or name not in self._symbols.types:
            return False
        type_ = self._symbols.types[name]
        return not (isinstance(type_, c_ast.FuncDecl) or self._symbols.is_const(type_))

    def is_load(self, node: c_ast.Node) -> bool:
        """Whether evaluating *node* itself (not its parts) reads memory that another thread can change."""
        if not isinstance(node, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp)) or not self.is_visible(
            node
        ):
            return False
        type_ = self._symbols.resolve(self._symbols.type_of(node))
        return not isinstance(type_, (c_ast.ArrayDecl, c_ast.FuncDecl))

    def loads(self, node: c_ast.Node | None) -> Iterator[c_ast.Node]:
        """The visible loads of the expression *node*, in the order of evaluation."""
        match node:
            case c_ast.ID():
                if self._is_shared(node.name) and self.is_load(node):
                    yield node
            case None | c_ast.Constant() | c_ast.Typename():
                return
            case c_ast.BinaryOp():
                yield from self.loads(node.left)
                yield from self.loads(node.right)
            case c_ast.UnaryOp(op="sizeof" | "_Alignof"):
                return
            case c_ast.UnaryOp(op="&"):
                yield from self.address_loads(node.expr)
            case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                yield from self.address_loads(node)
                if self.is_load(node):
                    yield node
            case c_ast.Cast():
                yield from self.loads(node.expr)
            case _:
                for child in build.parts(node):
                    yield from self.loads(child)

    def address_loads(self, lvalue: c_ast.Node) -> Iterator[c_ast.Node]:
        """The visible loads that computing the address of *lvalue* takes."""
        match lvalue:
            case c_ast.ArrayRef():
                array = self._symbols.is_array(self._symbols.type_of(lvalue.name))
                yield from self.address_loads(lvalue.name) if array else self.loads(lvalue.name)
                yield from self.loads(lvalue.subscript)
            case c_ast.StructRef():
                yield from self.loads(lvalue.name) if lvalue.type == "->" else self.address_loads(lvalue.name)
            case c_ast.UnaryOp(op="*"):
                yield from self.loads(lvalue.expr)
            case c_ast.ID() | c_ast.Constant():
                return
            case _:
                yield from self.loads(lvalue)

    def reaches_others(self, argument: c_ast.Node) -> bool:
        """Whether a library function can reach memory of other threads through *argument*."""
        if isinstance(argument, c_ast.UnaryOp) and argument.op == "&":
            return self.is_visible(argument.expr)
        if isinstance(argument, c_ast.Constant):
            return False  # a string
        if isinstance(argument, c_ast.BinaryOp) and self._symbols.is_array(self._symbols.type_of(argument.left)):
            return self.is_visible(argument.left)
        type_ = self._symbols.type_of(argument)
        return self.is_visible(argument) if self._symbols.is_array(type_) else self._symbols.is_pointer(type_)

    def count(self, node: c_ast.Node | None) -> int:
        """The number of visible loads of an expression."""
        return sum(1 for _ in self.loads(node))


class Escapes(Visitor):
    """Collects the objects whose address is taken, or that decay to a pointer."""

    def __init__(self, symbols: Symbols, escaping: set[str]) -> None:
        self._symbols = symbols
        self._escaping = escaping
        self._mentioned: set[str] = set()

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        if node.op == "sizeof":
            return
        if node.op == "&":
            root = object_of(self._symbols, node.expr)
            if root is not None:
                self._escaping.add(root)
                self._inside(node.expr)
                return
        self.visit(node.expr)

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> None:
        root = object_of(self._symbols, node)
        if root is None:
            self.visit(node.name)
        else:
            self._inside(node.name)
            if self._symbols.is_array(self._symbols.type_of(node)):
                self._escaping.add(root)  # a row decays, as a whole array does
        self.visit(node.subscript)

    def _inside(self, node: c_ast.Node) -> None:
        """Visit the base of an access that stays inside one object: only subscripts can let an address escape."""
        while isinstance(node, (c_ast.ArrayRef, c_ast.StructRef)):
            if isinstance(node, c_ast.ArrayRef):
                self.visit(node.subscript)
            node = node.name

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        root = object_of(self._symbols, node)
        if root is None:
            self.visit(node.name)
            return
        self._inside(node)
        if self._symbols.is_array(self._symbols.type_of(node)):
            self._escaping.add(root)

    def visit_ID(self, node: c_ast.ID) -> None:
        if node.name in self._mentioned:
            return
        self._mentioned.add(node.name)
        if self.concerns(node.name) and self._symbols.is_array(self._symbols.types[node.name]):
            self._escaping.add(node.name)

    def concerns(self, name: str) -> bool:
        """Whether it matters if the array *name* decays to a pointer."""
        return _is_own(self._symbols, name)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        if name in _WHOLE_OBJECT:
            return
        definition = self._symbols.functions.get(name)
        known = lexicon.is_library(name) or lexicon.is_library(name + primitives.FOLLOWED)
        ours = known and (definition is None or lexicon.is_ours(definition.coord))
        keeps_nothing = ours and not (clibrary.is_modelled(name) and clibrary.keeps_addresses(name))
        keeps_nothing = keeps_nothing or (definition is None and atomic_builtin(name) is not None)
        for position, argument in enumerate(node.args.exprs if node.args else []):
            # The thread library keeps no addresses, except what it passes to a new thread, or returns later.
            if keeps_nothing and position != primitives.HANDED_ON.get(name) and self._is_own_address(argument):
                continue
            self.visit(argument)
        if not name:
            self.visit(node.name)

    def _is_own_address(self, node: c_ast.Node) -> bool:
        """Whether *node* is the address of (a part of) a named object."""
        node = build.uncast(node)
        if isinstance(node, c_ast.BinaryOp) and node.op == "+" and self._is_own_address(node.left):
            self.visit(node.right)
            return True
        if isinstance(node, c_ast.ID):
            return self.has_address(node.name) and self._symbols.is_array(self._symbols.types[node.name])
        if not (isinstance(node, c_ast.UnaryOp) and node.op == "&" and object_of(self._symbols, node.expr)):
            return False
        self._inside(node.expr)
        return True

    def has_address(self, name: str) -> bool:
        """Whether the array *name*, as an argument, is an address that can be identified."""
        return name in self._symbols.locals

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.init is not None:
            self.visit(node.init)


def _is_own(symbols: Symbols, name: str) -> bool:
    """Whether each thread has its own object *name*."""
    return name in symbols.locals or is_thread_local(symbols.qualified.get(name))


def object_of(symbols: Symbols, node: c_ast.Node) -> str | None:
    """The name of the object that *node* is a part of; None if it is reached through a pointer."""
    while True:
        match node:
            case c_ast.ID():
                return str(node.name)
            case c_ast.ArrayRef():
                if isinstance(node.name, c_ast.Constant) or not symbols.is_array(symbols.type_of(node.name)):
                    return None
                node = node.name
            case c_ast.StructRef(type="."):
                node = node.name
            case _:
                return None
