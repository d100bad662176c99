"""Where a program may look at how its objects lie in memory: numbers made from addresses, and comparisons of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import LEAVES
from cseq.c.symbols import Symbols
from cseq.modules.analysis.pointees import ALLOCATES, HEAP, IGNORED, Pointees, pointer_within
from cseq.modules.analysis.threadlocals import is_thread_local

ORDERS = frozenset({"<", ">", "<=", ">=", "-"})
"""The operators whose results depend on where two objects lie."""


def is_number_of_address(symbols: Symbols, pointees: Pointees, node: Any) -> bool:
    """Whether *node* makes a number from a pointer that may lead to an object of the program."""
    if not isinstance(node, c_ast.Cast) or not _is_number_of_pointer(symbols, node):
        return False
    return any(root for root, _ in pointees.targets(node.expr))


def numbers_of_addresses(symbols: Symbols, tree: c_ast.FileAST, threads: list[c_ast.FuncDef]) -> Iterator[c_ast.Cast]:
    """Where *threads*, functions of the inlined core, make such numbers, and do not convert them back at once."""
    casts = [cast for node in threads for cast in _casts(symbols, node.body)]
    candidates = [cast for cast in casts if _is_number_of_pointer(symbols, cast)]
    if candidates:
        pointees = Pointees(symbols, tree, threads)
        yield from (cast for cast in candidates if is_number_of_address(symbols, pointees, cast))


def unrelated_pointers(
    symbols: Symbols, tree: c_ast.FileAST, threads: list[c_ast.FuncDef], once: bool
) -> Iterator[c_ast.BinaryOp]:
    """Where *threads* compare, by `<` or `-`, pointers that may lead to different objects.

    once: whether each statement is executed at most once, so that a call allocates one block.
    """
    candidates = [
        node
        for thread in threads
        for node in _parts(thread.body)
        if isinstance(node, c_ast.BinaryOp) and node.op in ORDERS and is_between_pointers(symbols, node)
    ]
    if candidates:
        pointees = Pointees(symbols, tree, threads)
        single = _single_objects(tree, threads, pointees) if once else set[str]()
        yield from (node for node in candidates if _may_be_unrelated(symbols, pointees, node, single))


def _single_objects(tree: c_ast.FileAST, threads: list[c_ast.FuncDef], pointees: Pointees) -> set[str]:
    """The locals and the allocated objects of which there is one, if each statement is executed at most once.

    Copies of a statement, as in an unrolled loop, share their expressions.
    """
    times = Counter(
        str(node.name) if isinstance(node, c_ast.Decl) else pointees.site(node)
        for thread in threads
        for node in _parts(thread.body)
        if (isinstance(node, c_ast.Decl) and not is_thread_local(node)) or build.callee(node) in ALLOCATES
    )
    return {name for name, number in times.items() if number == 1}


def is_between_pointers(symbols: Symbols, node: c_ast.BinaryOp) -> bool:
    """Whether both operands are pointers, and neither is always NULL."""
    return all(
        symbols.is_pointer(symbols.value_type(side)) and symbols.constant_or_none(build.uncast(side)) is None
        for side in (node.left, node.right)
    )


def _may_be_unrelated(symbols: Symbols, pointees: Pointees, node: c_ast.BinaryOp, single: set[str]) -> bool:
    """Whether *node* may compare different objects. single: the locals and allocated objects of which there is one."""
    roots = [{root for root, _ in pointees.targets(side)} for side in (node.left, node.right)]
    if any(isinstance(build.uncast(side), c_ast.Constant) for side in (node.left, node.right)):
        return True  # a string
    if not all(roots):
        return False  # one has no value but NULL
    (root, *others) = roots[0] | roots[1]
    may_be_many = not root or root.startswith(HEAP) or root in symbols.locals
    return bool(others) or (may_be_many and root not in single)


def _parts(node: c_ast.Node) -> Iterator[c_ast.Node]:
    todo = [node]
    while todo:
        node = todo.pop()
        if node.__class__ not in LEAVES and build.callee(node) not in IGNORED:
            yield node
            todo += build.parts(node)[::-1]


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
