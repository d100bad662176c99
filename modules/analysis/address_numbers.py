"""Where a program may look at how its objects lie in memory: numbers made from addresses, and comparisons of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.analysis.points_to import ALLOCATES, Location, PointsTo, Root, pointer_within, uncast
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import AddressOf, Compare, Convert, Expr, PointerDiff, Read
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Template
from cseq.modules.ir.types import Field, Int, Pointer

ORDERS = frozenset({"<", ">", "<=", ">=", "-"})
"""The operators whose results depend on where two objects lie."""

_COPIES = frozenset({"memcpy", "memmove", "__CSEQ_copy", "__CSEQ_move"})

_Depends = Callable[[PointsTo, Expr], bool]
"""Whether the value of an expression depends on where objects lie."""


def numbers_of_addresses(
    tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility, threads: list[c_ast.FuncDef]
) -> Iterator[Origin | None]:
    """Where *threads*, functions of the inlined core, make such numbers, and do not convert them back at once.

    Such numbers count if they are made from a pointer that may lead to an object of the program.
    """
    if any(has_numbers_of_pointers(symbols, node) for node in threads):  # else without lowering

        def makes(points_to: PointsTo, node: Expr) -> bool:
            return any(each.root for each in _addresses(points_to, node))

        yield from _where(tree, symbols, visibility, threads, lambda _: makes)


def parts_of_pointers(
    tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility, threads: list[c_ast.FuncDef]
) -> Iterator[Origin | None]:
    """Where *threads* read the bytes of a pointer as a number: through a union, a cast, or a copy."""
    if any(_may_read_parts(symbols, node) for node in threads):  # else without lowering

        def reads(points_to: PointsTo, node: Expr) -> bool:
            return any(_is_part_of_pointer(points_to, each) for each in _within(node))

        yield from _where(tree, symbols, visibility, threads, lambda _: reads)


def unrelated_pointers(
    tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility, threads: list[c_ast.FuncDef], once: bool
) -> Iterator[Origin | None]:
    """Where *threads* compare, by `<` or `-`, pointers that may lead to different objects.

    once: whether each statement is executed at most once, so that a call allocates one block.
    """
    candidates = (part for node in threads for part in build.inside(node.body, c_ast.BinaryOp))
    if any(part.op in ORDERS and is_between_pointers(symbols, part) for part in candidates):

        def depends(templates: list[Template]) -> _Depends:
            single = _single_objects(templates) if once else frozenset[Root]()
            return lambda points_to, node: any(
                _may_be_unrelated(points_to, each, single, once) for each in _within(node)
            )

        yield from _where(tree, symbols, visibility, threads, depends)


def _where(
    tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility, threads: list[c_ast.FuncDef],
    depends: Callable[[list[Template]], _Depends],
) -> Iterator[Origin | None]:  # fmt: skip
    """The places of the instructions of *threads* that evaluate what *depends* holds for."""
    try:
        program = lower(tree, symbols, visibility)
    except UnsupportedError as error:
        yield error.origin  # any may be one
        return
    templates = [program.by_name[node.decl.name] for node in threads]
    points_to, is_one = PointsTo(program, templates), depends(templates)
    for template in templates:
        for instruction in template.instructions():
            place = instruction.target()
            evaluated = [*instruction.operands(), *(() if place is None else place.operands())]
            if any(is_one(points_to, node) for node in evaluated):
                yield instruction.origin


def is_between_pointers(symbols: Symbols, node: c_ast.BinaryOp) -> bool:
    """Whether both operands are pointers, and neither is always NULL."""
    return all(
        symbols.is_pointer(symbols.value_type(side)) and symbols.constant_or_none(build.uncast(side)) is None
        for side in (node.left, node.right)
    )


def has_numbers_of_pointers(symbols: Symbols, function: c_ast.FuncDef) -> bool:
    """Whether *function* makes a number of a pointer, whatever that leads to."""
    return any(_is_number_of_pointer(symbols, cast) for cast in build.inside(function.body, c_ast.Cast))


def _is_number_of_pointer(symbols: Symbols, node: c_ast.Cast) -> bool:
    if symbols.arithmetic(node.to_type) in (None, "_Bool", "void"):
        return False
    return symbols.is_pointer(symbols.value_type(node.expr)) and symbols.constant_or_none(node) is None


def _may_read_parts(symbols: Symbols, function: c_ast.FuncDef) -> bool:
    """Whether *function* has what reads a pointer as a number: a member of a union, a cast of a pointer, or a copy."""
    for node in build.inside(function.body, c_ast.StructRef, c_ast.Cast, c_ast.FuncCall):
        if isinstance(node, c_ast.FuncCall):
            found = build.callee(node) in _COPIES
        elif isinstance(node, c_ast.Cast):
            kept = symbols.element(node.to_type) if symbols.is_pointer(node.to_type) else None
            found = kept is not None and symbols.arithmetic(kept) not in (None, "void")
        else:
            type_ = symbols.type_of(node.name)
            record = symbols.record(symbols.element(type_) if node.type == "->" else type_)
            found = isinstance(record, c_ast.Union)
        if found:
            return True
    return False


def _is_part_of_pointer(points_to: PointsTo, node: Expr) -> bool:
    """Whether *node* reads a number where a pointer may lie: one that has room for it, or one of its bytes.

    What is smaller is none: it is likely that a tag says when it is the number. Nor is a part of a record.
    """
    if not isinstance(node, Read) or not isinstance(node.type, Int) or node.type.size not in (1, 8):
        return False
    members = [each for each in node.place.path if isinstance(each, Field)]
    if not all(each.record.is_union for each in members[-1:]):
        return False
    return any(points_to.holds_in(each, node.type) for each in points_to.locations(node.place))


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


def _within(node: Expr) -> Iterator[Expr]:
    yield node
    for operand in node.operands():
        yield from _within(operand)


def _may_be_unrelated(points_to: PointsTo, node: Expr, single: frozenset[Root], once: bool) -> bool:
    """Whether *node* may compare different objects. single: the locals and allocated objects of which there is one."""
    if not isinstance(node, PointerDiff) and not (isinstance(node, Compare) and node.op in ORDERS):
        return False
    sides = (node.left, node.right)
    if any(_is_string(uncast(side)) for side in sides):
        return True
    roots = [{each.root for each in points_to.targets(side)} for side in sides]
    if not all(roots):
        return not once  # one is always NULL, or leads into strings, which the engine finds when it gets there
    (root, *others) = roots[0] | roots[1]
    may_be_many = not isinstance(root, Object) or root.is_local or root.storage is Storage.THREAD_LOCAL
    return bool(others) or (may_be_many and root not in single)


def _is_string(node: Expr) -> bool:
    base = node.place.base if isinstance(node, AddressOf) else None
    return isinstance(base, Object) and base.storage is Storage.STRING


def _single_objects(templates: list[Template]) -> frozenset[Root]:
    """The locals and the allocated objects of which there is one, if each statement is executed at most once.

    Copies of a statement, as in an unrolled loop, may share their expressions.
    """
    calls = Counter(each for template in templates for each in template.instructions() if _allocates(each))
    single: set[Root] = {call for call, number in calls.items() if isinstance(call, ir.Operation) and number == 1}
    for template in templates:
        names = Counter(local.name for local in template.locals)
        single.update(local for local in (*template.locals, *template.parameters) if names[local.name] <= 1)
    return frozenset(single)


def _allocates(instruction: ir.Instruction) -> bool:
    return isinstance(instruction, ir.Operation) and instruction.function in ALLOCATES
