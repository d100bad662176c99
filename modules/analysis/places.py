"""What statements of a program mention: the variables that places are parts of, addresses, changes, and calls."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.dataflow import reachable


def variable(symbols: Symbols, place: Any) -> str | None:
    """The variable that *place* is, or is a part of; None if a pointer leads to it."""
    while True:
        match place:
            case c_ast.ID():
                return str(place.name)
            case c_ast.StructRef(type="."):
                place = place.name
            case c_ast.ArrayRef() if symbols.is_array(symbols.type_of(place.name)):
                place = place.name
            case _:
                return None


def addressed(node: c_ast.Node) -> set[str]:
    """The names of the variables in *node* of which the address is taken, or that of a part."""
    found = set[str]()
    for part in build.walk(node):
        if isinstance(part, c_ast.UnaryOp) and part.op == "&":
            place: c_ast.Node = part.expr
            while isinstance(place, (c_ast.ArrayRef, c_ast.StructRef)):
                place = place.name
            if isinstance(place, c_ast.ID):
                found.add(place.name)
    return found


def changed(node: c_ast.Node) -> set[str]:
    """The names of the objects that *node* may assign to, or of which it takes the address; and maybe more."""
    found = set[str]()
    for part in build.walk(node):
        match part:
            case c_ast.Assignment():
                found.update(build.names(part.lvalue))
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--" | "&"):
                found.update(build.names(part.expr))
    return found


@lru_cache(maxsize=4096)
def calls(node: c_ast.Node) -> tuple[c_ast.FuncCall, ...]:
    """The calls in *node*; cached, since trees are shared and never change."""
    return tuple(build.inside(node, c_ast.FuncCall))


def called(node: c_ast.Node) -> Iterator[str]:
    """The names of the functions that *node* calls."""
    return (call.name.name for call in calls(node) if isinstance(call.name, c_ast.ID))


def calling(functions: Mapping[str, Collection[str]], wanted: Collection[str]) -> set[str]:
    """The *functions*, each with what it calls, that call a *wanted* one, directly or through others."""
    callers: dict[str, list[str]] = {}
    for name, others in functions.items():
        for other in others:
            callers.setdefault(other, []).append(name)
    direct = [name for other in wanted for name in callers.get(other, ())]
    return {*reachable(lambda name: callers.get(name, ()), direct)}


def has_call(node: c_ast.Node, name: str) -> bool:
    """Whether *node* contains a call of the function *name*."""
    return any(build.is_call(call, name) for call in calls(node))
