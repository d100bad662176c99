"""Function definitions in the old style of Kernighan and Ritchie, as definitions with prototypes."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic
from cseq.model.errors import InputError
from cseq.pipeline.translator import rebuilt


def with_prototype(symbols: Symbols, node: c_ast.FuncDef) -> c_ast.FuncDef:
    """The definition with a prototype. A caller passes promoted arguments, which the function converts (C11 §6.9.1)."""
    parameters = node.decl.type.args.params if node.decl.type.args is not None else []
    if not node.param_decls and not any(isinstance(item, c_ast.ID) for item in parameters):
        return node
    declared: dict[str, Any] = {item.name: item for item in node.param_decls or []}
    params: list[c_ast.Node] = []
    locals_: list[c_ast.Node] = []
    for item in parameters:
        decl = declared.pop(item.name, None)
        if decl is None:
            decl = build.declare(item.name, basic("int"), item.coord)
        promoted = _promoted(symbols, decl.type)
        if promoted is None:
            params.append(rebuilt(decl, storage=[]))
            continue
        given = f"{item.name}__cs_given"
        params.append(build.declare(given, promoted, decl.coord))
        value = c_ast.Cast(c_ast.Typename(None, [], None, build.renamed(decl.type, None)), c_ast.ID(given), decl.coord)
        locals_.append(rebuilt(decl, init=value, storage=[]))
    for name, decl in declared.items():
        raise InputError(f"`{name}` is declared as a parameter, but is not one", decl.coord)
    type_ = rebuilt(node.decl.type, args=c_ast.ParamList(params))
    body = rebuilt(node.body, block_items=[*locals_, *(node.body.block_items or [])])
    return c_ast.FuncDef(rebuilt(node.decl, type=type_), None, body, node.coord)


def _promoted(symbols: Symbols, type_: c_ast.Node) -> c_ast.Node | None:
    """The type that an argument of *type_* is promoted to; None if that is the same type."""
    kind = symbols.arithmetic(type_)
    if kind == "float":
        return basic("double")
    if kind is not None and kind.split()[-1] in ("char", "short", "_Bool"):
        return basic("int")
    return None
