"""The objects in which pthread_create stores the identifiers of threads.

POSIX does not order that store before the actions of the new thread, so it is a step of its own, after the thread has
begun. Where no other thread can read the object, this makes no difference, and it is one step.
"""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import Visitor
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility, object_of
from cseq.modules.core.thread_local_promotion import Owners
from cseq.modules.library import lexicon

_CREATES = frozenset({lexicon.CREATE, lexicon.THRD_CREATE})


class Identifiers:
    """Which identifiers in the program *tree* only the creating thread can read."""

    def __init__(self, tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility) -> None:
        self._tree = tree
        self._symbols = symbols
        self._visibility = visibility
        self._private: set[str] | None = None

    def is_private(self, pointer: c_ast.Node) -> bool:
        """Whether no other thread can access what *pointer*, the first argument of pthread_create, points to."""
        place = _pointed(pointer)
        root = object_of(self._symbols, place)
        if root is None:
            return False
        if not self._visibility.is_visible(place):
            return True
        if root in self._symbols.locals:
            return False
        if self._private is None:
            self._private = self._found()
        return root in self._private

    def _found(self) -> set[str]:
        """The objects at file level, as above."""
        uses = _Uses(self._symbols)
        for node in self._tree.ext:
            if not isinstance(node, c_ast.Decl) or node.init is not None:
                uses.visit(node)
        objects = uses.created - uses.reached
        return Owners(self._tree, objects).private() if objects else set()


def _pointed(pointer: c_ast.Node) -> Any:
    """What *pointer* points to: an object, or a part of it, whichever part it is."""
    plain: Any = build.uncast(pointer)
    if isinstance(plain, c_ast.UnaryOp) and plain.op == "&":
        return plain.expr
    if isinstance(plain, c_ast.BinaryOp) and plain.op in "+-":
        return _pointed(plain.left)
    return plain


class _Uses(Visitor):
    """Collects the objects whose addresses only creations use, and those whose addresses go anywhere else."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.created: set[str] = set()
        self.reached: set[str] = set()

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        arguments: list[Any] = node.args.exprs if node.args else []
        if isinstance(node.name, c_ast.ID) and node.name.name in _CREATES and arguments:
            first, *arguments = arguments
            place = _pointed(first)
            root = object_of(self._symbols, place)
            if root is None:
                self.visit(first)
            else:
                self.created.add(root)
                self._subscripts(first)
        else:
            self.visit(node.name)
        for argument in arguments:
            self.visit(argument)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        root = object_of(self._symbols, node.expr) if node.op == "&" else None
        if root is not None:
            self.reached.add(root)
        self.generic_visit(node)

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> None:
        self._part(node)

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        self._part(node)

    def visit_ID(self, node: c_ast.ID) -> None:
        self._part(node)

    def _part(self, node: c_ast.Node) -> None:
        """A part of an object that is read or written, or that decays to its address."""
        root = object_of(self._symbols, node)
        if root is None:
            self.generic_visit(node)
            return
        if root in self._symbols.types and self._symbols.arithmetic(self._symbols.type_of(node)) is None:
            self.reached.add(root)
        self._subscripts(node)

    def _subscripts(self, node: c_ast.Node) -> None:
        """Visit what selects a part."""
        match node:
            case c_ast.ArrayRef():
                self._subscripts(node.name)
                self.visit(node.subscript)
            case c_ast.StructRef():
                self._subscripts(node.name)
            case c_ast.UnaryOp() | c_ast.Cast():
                self._subscripts(node.expr)
            case c_ast.BinaryOp():
                self._subscripts(node.left)
                self.visit(node.right)
