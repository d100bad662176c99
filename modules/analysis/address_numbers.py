"""Numbers that are made from addresses: where a program may look at how its objects lie in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import LEAVES
from cseq.c.symbols import Symbols
from cseq.modules.analysis.pointees import IGNORED, Pointees, pointer_within


def is_number_of_address(symbols: Symbols, pointees: Pointees, node: Any) -> bool:
    """Whether *node* makes a number from a pointer that may lead to an object of the program."""
    if not isinstance(node, c_ast.Cast) or not _is_number_of_pointer(symbols, node):
        return False
    return any(root for root, _ in pointees.targets(node.expr))


def numbers_of_addresses(symbols: Symbols, tree: c_ast.FileAST, threads: list[c_ast.FuncDef]) -> Iterator[c_ast.Cast]:
    """Where *threads*, functions of the inlined core, make such numbers, and do not convert them back at once."""
    candidates = [cast for node in threads for cast in numbers_of_pointers(symbols, node)]
    if candidates:
        pointees = Pointees(symbols, tree, threads)
        yield from (cast for cast in candidates if is_number_of_address(symbols, pointees, cast))


def numbers_of_pointers(symbols: Symbols, function: c_ast.FuncDef) -> list[c_ast.Cast]:
    """Where *function* makes a number of a pointer, whatever that leads to, and does not convert it back at once."""
    return [cast for cast in _casts(symbols, function.body) if _is_number_of_pointer(symbols, cast)]


def _is_number_of_pointer(symbols: Symbols, node: c_ast.Cast) -> bool:
    if symbols.arithmetic(node.to_type) in (None, "_Bool", "void"):
        return False
    return symbols.is_pointer(symbols.value_type(node.expr)) and symbols.constant_or_none(node) is None


def _casts(symbols: Symbols, node: c_ast.Node) -> Iterator[c_ast.Cast]:
    todo = [node]
    while todo:
        node = todo.pop()
        if isinstance(node, c_ast.Cast):
            yield node
            todo += [pointer_within(symbols, node)] if symbols.is_pointer(node.to_type) else [node.expr, node.to_type]
        elif node.__class__ not in LEAVES and build.callee(node) not in IGNORED:
            todo += build.parts(node)[::-1]
