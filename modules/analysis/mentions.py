"""Which functions a program uses as values."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import Visitor
from cseq.modules.library.primitives import STARTS
from cseq.pipeline.translator import rebuilt


class _Functions(Visitor):
    """Collects some of *functions*."""

    def __init__(self, functions: Iterable[str]) -> None:
        self._functions = set(functions)
        self._found: set[str] = set()

    def within(self, nodes: Iterable[c_ast.Node]) -> set[str]:
        """The functions that are found in *nodes*."""
        for node in nodes:
            self.visit(node)
        return self._found

    def visit_StructRef(self, node: c_ast.StructRef) -> None:
        """Members have a name space of their own."""
        self.visit(node.name)

    def visit_NamedInitializer(self, node: c_ast.NamedInitializer) -> None:
        """The same for members of a designator."""
        for designator in node.name:
            if not isinstance(designator, c_ast.ID):
                self.visit(designator)
        self.visit(node.expr)


class _Mentions(_Functions):
    """Collects functions that are mentioned other than by a call or by starting a thread."""

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        start = STARTS.get(node.name.name) if isinstance(node.name, c_ast.ID) else None
        if not isinstance(node.name, c_ast.ID):
            self.visit(node.name)
        for position, argument in enumerate(node.args.exprs if node.args else []):
            if not (position == start and isinstance(argument, c_ast.ID)):
                self.visit(argument)

    def visit_ID(self, node: c_ast.ID) -> None:
        if node.name in self._functions:
            self._found.add(node.name)


def mentioned(nodes: Iterable[c_ast.Node], functions: Iterable[str]) -> set[str]:
    """The members of *functions* that *nodes* use as values."""
    return _Mentions(functions).within(nodes)


def address_only(node: c_ast.FuncDef | c_ast.Decl) -> c_ast.FuncDef:
    """The function without its body: pointers can still point to it, but nothing calls it.

    A definition needs parameter names, which a prototype may omit.
    """
    decl = node.decl if isinstance(node, c_ast.FuncDef) else node
    arguments = decl.type.args
    if arguments is None or isinstance(node, c_ast.FuncDef):
        return c_ast.FuncDef(decl, None, c_ast.Compound([]))
    params = [
        build.declare(f"__cs_{number}", item.type)
        if isinstance(item, c_ast.Typename) and not build.is_void(item.type)
        else item
        for number, item in enumerate(arguments.params)
    ]
    type_ = rebuilt(decl.type, args=rebuilt(arguments, params=params))
    return c_ast.FuncDef(rebuilt(decl, type=type_), None, c_ast.Compound([]))


def function_name(node: c_ast.Node) -> str | None:
    """The name in ``f``, ``&f`` or ``(type) f``; None for other expressions."""
    while isinstance(node, c_ast.Cast) or (isinstance(node, c_ast.UnaryOp) and node.op in "&*"):
        node = node.expr
    return node.name if isinstance(node, c_ast.ID) else None
