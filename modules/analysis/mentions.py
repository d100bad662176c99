"""Which functions a program uses as values."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import LEAVES, PAIRS
from cseq.modules.library.primitives import STARTS
from cseq.pipeline.translator import rebuilt


def mentioned(nodes: Iterable[c_ast.Node], functions: Iterable[str]) -> set[str]:
    """The members of *functions* that *nodes* use as values: other than in a call, or to start a thread."""
    return {name for node in nodes for name in _values(node)}.intersection(functions)


@lru_cache(maxsize=4096)
def _values(node: c_ast.Node) -> frozenset[str]:
    """The identifiers that *node* uses as values; cached, since trees are shared and never change."""
    found = set[str]()
    todo: list[Any] = [node]
    while todo:
        part = todo.pop()
        cls = part.__class__
        if cls is c_ast.ID:
            found.add(part.name)
        elif cls is c_ast.StructRef:
            todo.append(part.name)  # members have a name space of their own
        elif cls in PAIRS:
            todo += PAIRS[cls](part)
        elif cls is c_ast.NamedInitializer:
            todo += [each for each in (*part.name, part.expr) if each is part.expr or not isinstance(each, c_ast.ID)]
        elif cls is c_ast.FuncCall:
            arguments = part.args.exprs if part.args else []
            start = STARTS.get(build.callee(part))
            todo += [one for n, one in enumerate(arguments) if n != start or not isinstance(one, c_ast.ID)]
            if not isinstance(part.name, c_ast.ID):
                todo.append(part.name)
        elif cls not in LEAVES:
            todo += part
    return frozenset(found)


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
