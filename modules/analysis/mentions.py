"""Which functions a program uses as values."""

from collections.abc import Iterable
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import LEAVES
from cseq.modules.library.primitives import STARTS
from cseq.pipeline.translator import rebuilt


def mentioned(nodes: Iterable[c_ast.Node], functions: Iterable[str]) -> set[str]:
    """The members of *functions* that *nodes* use as values: other than in a call, or to start a thread."""
    wanted, found = frozenset(functions), set[str]()
    todo: list[Any] = [*nodes]
    while todo:
        node = todo.pop()
        cls = node.__class__
        if cls is c_ast.ID:
            if node.name in wanted:
                found.add(node.name)
        elif cls is c_ast.StructRef:
            todo.append(node.name)  # members have a name space of their own
        elif cls is c_ast.NamedInitializer:
            todo += [part for part in (*node.name, node.expr) if part is node.expr or not isinstance(part, c_ast.ID)]
        elif cls is c_ast.FuncCall:
            arguments = node.args.exprs if node.args else []
            start = STARTS.get(build.callee(node))
            todo += [one for n, one in enumerate(arguments) if n != start or not isinstance(one, c_ast.ID)]
            if not isinstance(node.name, c_ast.ID):
                todo.append(node.name)
        elif cls not in LEAVES:
            todo += build.parts(node)
    return found


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
