"""Numbers that are made from addresses: where a program may look at how its objects lie in memory."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.analysis.points_to import Location, PointsTo, pointer_within
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.expressions import Convert, Expr
from cseq.modules.ir.lower import lower
from cseq.modules.ir.types import Int, Pointer


def numbers_of_addresses(
    tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility, threads: list[c_ast.FuncDef]
) -> Iterator[Origin | None]:
    """Where *threads*, functions of the inlined core, make such numbers, and do not convert them back at once.

    Such numbers count if they are made from a pointer that may lead to an object of the program.
    """
    casts = (cast for node in threads for cast in build.inside(node.body, c_ast.Cast))
    if not any(_is_number_of_pointer(symbols, cast) for cast in casts):
        return  # without lowering
    try:
        program = lower(tree, symbols, visibility)
    except UnsupportedError as error:
        yield error.origin  # any may be one
        return
    templates = [program.by_name[node.decl.name] for node in threads]
    points_to = PointsTo(program, templates)
    for template in templates:
        for instruction in template.instructions():
            place = instruction.target()
            evaluated = [*instruction.operands(), *(() if place is None else place.operands())]
            if any(each.root for node in evaluated for each in _addresses(points_to, node)):
                yield instruction.origin


def _is_number_of_pointer(symbols: Symbols, node: c_ast.Cast) -> bool:
    if symbols.arithmetic(node.to_type) in (None, "_Bool", "void"):
        return False
    return symbols.is_pointer(symbols.value_type(node.expr)) and symbols.constant_or_none(node) is None


def _addresses(points_to: PointsTo, node: Expr) -> Iterator[Location]:
    """Where the pointers may lead of which evaluating *node* makes numbers."""
    operands = node.operands()
    if isinstance(node, Convert):
        if isinstance(node.type, Int) and not node.type.is_bool:
            yield from points_to.targets(node.operand)
        elif isinstance(node.type, Pointer):
            operands = (pointer_within(node),)
    for operand in operands:
        yield from _addresses(points_to, operand)
