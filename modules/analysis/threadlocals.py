"""Objects with thread storage duration: each thread has its own (C11 §6.2.4 p4).

Everything that a thread calls is inlined into its start function, so a thread-local object is a static local of that
function: it is initialised once, before the thread starts, and the thread-instances stage copies it with the function.
"""

from collections.abc import Iterable
from typing import TypeGuard

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import Visitor
from cseq.model.errors import InputError
from cseq.pipeline.translator import rebuilt

STORAGE = "_Thread_local"


def is_thread_local(decl: c_ast.Node | None) -> TypeGuard[c_ast.Decl]:
    """Whether *decl* declares a thread-local object."""
    return isinstance(decl, c_ast.Decl) and STORAGE in (decl.storage or [])


class ThreadLocals:
    """The thread-local objects of a unit, as the inliner gives them to the start functions."""

    def __init__(self, tree: c_ast.FileAST) -> None:
        self._definitions: dict[str, c_ast.Decl] = {}
        self._declared: dict[str, c_ast.Decl] = {}
        for node in tree.ext:
            if is_thread_local(node):
                self._declared[node.name] = node
                known = self._definitions.get(node.name)
                if "extern" not in node.storage and (known is None or known.init is None):
                    self._definitions[node.name] = node
        others = [node for node in tree.ext if not isinstance(node, c_ast.FuncDef) and not is_thread_local(node)]
        self._named = _names(others) if self._declared else set()  # by sizeof, in the initialisers of other objects

    def used(self, statements: Iterable[c_ast.Node]) -> list[c_ast.Decl]:
        """Declarations of the thread-local objects that *statements* name, in the order of their definitions."""
        if not self._declared:
            return []
        names = _names(statements)
        for name in names & self._declared.keys() - self._definitions.keys():
            raise InputError(f"the thread-local object `{name}` is not defined", self._declared[name].coord)
        return [rebuilt(decl, storage=["static", STORAGE]) for name, decl in self._definitions.items() if name in names]

    def can_change(self, argument: c_ast.Node) -> bool:
        """Whether a callee can change the value of its *argument* during the call, as it cannot if that is a local."""
        if not self._declared or build.addressed(argument) is not None:
            return False
        return not _names([argument]).isdisjoint(self._declared)

    def stays(self, node: c_ast.Node) -> bool:
        """Whether *node* stays where it is: it declares nothing thread-local, or another object needs its type."""
        return not is_thread_local(node) or node.name in self._named

    def ordered(self, nodes: list[c_ast.Node]) -> list[c_ast.Node]:
        """*nodes*, with functions that initialise such objects after everything that an initialiser can name."""
        moved = [n for n in nodes if isinstance(n, c_ast.FuncDef) and self._initialises(n)]
        if not moved:
            return nodes
        return [node.decl if node in moved else node for node in nodes] + moved

    def _initialises(self, node: c_ast.FuncDef) -> bool:
        items = node.body.block_items or []
        return any(is_thread_local(item) and item.init is not None for item in items)


class _Identifiers(Visitor):
    """Collects the identifiers of a tree."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_ID(self, node: c_ast.ID) -> None:
        self.names.add(node.name)

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        self.visit(node.name)  # not the member


def _names(nodes: Iterable[c_ast.Node]) -> set[str]:
    finder = _Identifiers()
    for node in nodes:
        finder.visit(node)
    return finder.names
