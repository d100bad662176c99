"""Where a program may look at how its objects lie in memory: numbers made from addresses, and comparisons of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.claims import Cut, Limit
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.model.verdict import Bound
from cseq.modules.analysis.points_to import ALLOCATES, COPIES, PointsTo, Root, pointer_within, uncast
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import AddressOf, Compare, Const, Convert, Expr, Place, PointerDiff, Read, Unary
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.types import Field, Int, Pointer

ORDERS = frozenset({"<", ">", "<=", ">=", "-"})
"""The operators whose results depend on where two objects lie."""

IDENTIFIERS = frozenset({"pthread_t", "thrd_t"})
"""The types of thread identifiers, which have no order that POSIX or C says."""

ARITHMETIC = frozenset({"<", ">", "<=", ">=", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
"""The operators whose results depend on more than whether their operands are equal."""
LOWEST = 4096
"""No object lies below this address."""
_PLACES = (c_ast.ID, c_ast.StructRef, c_ast.ArrayRef)
COMPARE_BYTES = frozenset({"memcmp", "bcmp"})

_Finds = Callable[[Template, ir.Instruction], bool]
"""Whether what an instruction of a template does depends on where objects lie."""


class AddressUses:
    """Where *threads*, functions of the inlined core, may look at how objects lie in memory.

    The program is lowered and analysed only if the text has what may be a use, and once for all questions.
    """

    def __init__(
        self, tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility, threads: list[c_ast.FuncDef]
    ) -> None:
        self._tree, self._symbols, self._visibility, self._threads = tree, symbols, visibility, threads

    def numbers(self) -> Iterator[Origin | None]:
        """Where they make numbers of addresses, and do not convert them back at once.

        Such numbers count if they are made from a pointer that may lead to an object of the program.
        """
        if any(has_numbers_of_pointers(self._symbols, node) for node in self._threads):
            yield from self._where(_evaluates(self._makes_number))

    def parts(self) -> Iterator[Origin | None]:
        """Where they read the bytes of a pointer as a number: by a union, a cast, a copy, or a comparison of bytes."""
        if any(_may_read_parts(self._symbols, node) for node in self._threads):

            def reads(template: Template, instruction: ir.Instruction) -> bool:
                return self._orders_bytes(template, instruction) or evaluates(template, instruction)

            evaluates = _evaluates(lambda node: _is_part_of_pointer(self._points_to, node))
            yield from self._where(reads)

    def unrelated(self, once: bool) -> Iterator[Origin | None]:
        """Where they compare, by `<` or `-`, pointers that may lead to different objects.

        once: whether each statement is executed at most once, so that a call allocates one block.
        """
        candidates = (part for node in self._threads for part in build.inside(node.body, c_ast.BinaryOp))
        if any(part.op in ORDERS and is_between_pointers(self._symbols, part) for part in candidates):

            def depends(node: Expr) -> bool:
                single = _single_objects(self._templates) if once else frozenset[Root]()
                return _may_be_unrelated(self._points_to, node, single, once)

            yield from self._where(_evaluates(depends))

    def _where(self, finds: _Finds) -> Iterator[Origin | None]:
        """The places of the instructions that *finds* holds for."""
        try:
            templates = self._templates
        except UnsupportedError as error:
            yield error.origin  # any may be one
            return
        for template in templates:
            for instruction in template.instructions():
                if finds(template, instruction):
                    yield instruction.origin

    @cached_property
    def _program(self) -> Program:
        return lower(self._tree, self._symbols, self._visibility)

    @cached_property
    def _templates(self) -> list[Template]:
        return [self._program.by_name[node.decl.name] for node in self._threads]

    @cached_property
    def _points_to(self) -> PointsTo:
        return PointsTo(self._program, self._templates, follows_literals=True)

    def _makes_number(self, node: Expr) -> bool:
        if not isinstance(node, Convert) or not isinstance(node.type, Int) or node.type.is_bool:
            return False
        return any(each.root for each in self._points_to.targets(node.operand))

    def _orders_bytes(self, template: Template, instruction: ir.Instruction) -> bool:
        """Whether *instruction* compares bytes that may be those of pointers, by more than whether they are equal."""
        if not isinstance(instruction, ir.Operation) or instruction.function not in COMPARE_BYTES:
            return False
        compared = (self._points_to.targets(uncast(each)) for each in instruction.arguments[:2])
        if not any(self._points_to.has_pointers(each) for targets in compared for each in targets):
            return False
        return instruction.result is None or not _is_only_tested(template, instruction.result)


def guessed_addresses(
    tree: c_ast.FileAST, symbols: Symbols, threads: Sequence[c_ast.FuncDef]
) -> Iterator[Origin | None]:
    """Where *threads* test pointers for equality, if pointers are made of constants that may be addresses."""
    initial = [node for node in tree.ext if isinstance(node, c_ast.Decl) and node.init is not None]
    bodies = [node.body for node in threads]
    casts = (cast for each in (*initial, *bodies) for cast in build.inside(each, c_ast.Cast))
    if any(_is_guess(symbols, cast) for cast in casts):
        tests = (node for body in bodies for node in build.inside(body, c_ast.BinaryOp))
        yield from (node.coord for node in tests if is_test_of_pointers(symbols, node))


def overlapping_literals(
    tree: c_ast.FileAST, symbols: Symbols, threads: Sequence[c_ast.FuncDef]
) -> Iterator[Origin | None]:
    """Where *threads* test pointers for equality, if pointers lead to literals of which one is the end of another.

    Compilers and linkers put those into one place (C17 §6.4.5), and keep equal literals once, as here.
    """
    bodies = [node.body for node in threads]
    initial = [node.init for node in tree.ext if isinstance(node, c_ast.Decl) and node.init is not None]
    stored = [node.rvalue for body in bodies for node in build.inside(body, c_ast.Assignment)]
    stored += [node.init for body in bodies for node in build.inside(body, c_ast.Decl) if node.init is not None]
    constants = (part for each in (*initial, *stored) for part in build.inside(each, c_ast.Constant))
    texts = {part.value.partition('"')[2] for part in constants if part.type == "string"}
    if any(one != other and one.endswith(other) for one in texts for other in texts):
        tests = (node for body in bodies for node in build.inside(body, c_ast.BinaryOp))
        yield from (node.coord for node in tests if is_test_of_pointers(symbols, node) and _are_texts(symbols, node))


def _are_texts(symbols: Symbols, node: c_ast.BinaryOp) -> bool:
    """Whether the pointers that *node* compares may lead to characters."""
    types = [symbols.value_type(side) for side in (node.left, node.right)]
    targets = [symbols.arithmetic(symbols.element(type_)) for type_ in types if symbols.is_pointer(type_)]
    return all(target in ("char", "signed char", "unsigned char", "void") for target in targets)


def computed_identifiers(symbols: Symbols, functions: Iterable[c_ast.FuncDef]) -> Iterator[Origin]:
    """Where *functions* of the core compute with identifiers of threads, or order them and other numbers.

    Comparisons of two identifiers are calls there.
    """
    bodies = [node.body for node in functions]
    names = _set_to_identifiers(symbols, bodies)
    for body in bodies:
        origin = body.coord
        for node in build.walk(body):
            origin = node.coord or origin
            operands: list[c_ast.Node] = []
            if isinstance(node, c_ast.ArrayRef):
                operands = [node.subscript]
            elif isinstance(node, c_ast.BinaryOp) and node.op in ARITHMETIC:
                operands = [node.left, node.right]
            if any(_is_identifier(symbols, build.uncast(operand), names) for operand in operands):
                yield origin


def layout_bounds(
    tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility, threads: list[c_ast.FuncDef], once: bool
) -> Iterator[Bound]:
    """What an engine with one layout of memory, and one identifier for each thread, leaves out of the core's *threads*.

    once: as for `AddressUses.unrelated`.
    """
    uses = AddressUses(tree, symbols, visibility, threads)
    for limit, origins in (
        (Limit.ADDRESSES, chain(uses.numbers(), uses.parts(), guessed_addresses(tree, symbols, threads))),
        (Limit.ORDER, uses.unrelated(once)),
        (Limit.LITERALS, overlapping_literals(tree, symbols, threads)),
        (Limit.IDENTIFIERS, computed_identifiers(symbols, threads)),
    ):
        for origin in islice(origins, 1):
            yield Bound.of(Cut(limit, 1), origin.plain() if origin else None)


def refuse_guesses(tree: c_ast.FileAST, symbols: Symbols, threads: Sequence[c_ast.FuncDef]) -> None:
    """Raise UnsupportedError where *threads* depend on the values of constants and of identifiers of threads, or on
    where literals lie."""
    for origin in guessed_addresses(tree, symbols, threads):
        raise UnsupportedError("a comparison with pointers that are made of constants is not supported", origin)
    for origin in overlapping_literals(tree, symbols, threads):
        raise UnsupportedError("a comparison of pointers to literals that may overlap is not supported", origin)
    for where in computed_identifiers(symbols, threads):
        raise UnsupportedError("arithmetic on the identifier of a thread is not supported", where)


def _set_to_identifiers(symbols: Symbols, bodies: list[c_ast.Compound]) -> set[str]:
    """The names of the numbers, and of the members, that are set to identifiers of threads."""
    names: set[str] = set()
    stores = [node for body in bodies for node in build.inside(body, c_ast.Assignment)]
    known = -1
    while known < len(names):
        known = len(names)
        names |= {
            name_of(symbols, n.lvalue) for n in stores if _is_identifier(symbols, build.uncast(n.rvalue), names)
        } - {""}
    return names


def _is_identifier(symbols: Symbols, node: Any, names: set[str]) -> bool:
    """Whether *node* is the identifier of a thread, by its type or by its name."""
    if not isinstance(node, (*_PLACES, c_ast.UnaryOp)) or (
        isinstance(node, c_ast.ID) and node.name not in symbols.types
    ):
        return False
    type_ = getattr(symbols.type_of(node), "type", None)
    if isinstance(type_, c_ast.IdentifierType) and type_.names[-1] in IDENTIFIERS:
        return True
    return isinstance(node, _PLACES) and name_of(symbols, node) in names


def name_of(symbols: Symbols, place: Any) -> str:
    """The name of the object or member *place*; "" for what a pointer leads to."""
    while isinstance(place, c_ast.ArrayRef):
        place = place.name
        if not isinstance(symbols.type_of(place), c_ast.ArrayDecl):
            return ""
    if isinstance(place, c_ast.StructRef):
        return str(place.field.name)
    return str(place.name) if isinstance(place, c_ast.ID) else ""


def _evaluates(depends: Callable[[Expr], bool]) -> _Finds:
    """Whether an instruction evaluates an expression that *depends* holds for."""

    def finds(_: Template, instruction: ir.Instruction) -> bool:
        return any(depends(node) for node in _evaluated(instruction))

    return finds


def _evaluated(instruction: ir.Instruction) -> Iterator[Expr]:
    """The expressions in *instruction*, but for pointers that are made numbers only to become pointers again."""
    place = instruction.target()
    for operand in (*instruction.operands(), *(() if place is None else place.operands())):
        yield from _within(operand)


def _is_only_tested(template: Template, result: Place) -> bool:
    """Whether the value of *result*, an object as a whole, is only compared with 0, by `==`, `!=` and `!`."""
    if not isinstance(result.base, Object):
        return False
    reads = tests = 0
    for instruction in template.instructions():
        condition = getattr(instruction, "condition", None)
        for node in _evaluated(instruction):
            tests += node is condition and _reads(node, result)
            reads += isinstance(node, (Read, AddressOf)) and node.place.base is result.base
            if isinstance(node, Unary) and node.op == "!":
                tests += _reads(node.operand, result)
            elif isinstance(node, Compare) and node.op in ("==", "!="):
                sides = (node.left, node.right)
                has_zero = any(isinstance(side, Const) and side.value == 0 for side in map(uncast, sides))
                tests += has_zero and any(_reads(side, result) for side in sides)
    return reads == tests


def _reads(node: Expr, place: Place) -> bool:
    inner = uncast(node)
    return isinstance(inner, Read) and inner.place.base is place.base


def is_between_pointers(symbols: Symbols, node: c_ast.BinaryOp) -> bool:
    """Whether both operands are pointers, and neither is a constant number."""
    return all(
        symbols.is_pointer(symbols.value_type(side)) and symbols.constant_or_none(build.uncast(side)) is None
        for side in (node.left, node.right)
    )


def is_test_of_pointers(symbols: Symbols, node: c_ast.BinaryOp) -> bool:
    """Whether *node* tests pointers for equality, other than with NULL."""
    sides = (node.left, node.right)
    if node.op not in ("==", "!=") or any(symbols.constant_or_none(build.uncast(side)) == 0 for side in sides):
        return False
    return any(symbols.is_pointer(symbols.value_type(side)) for side in sides)


def _is_guess(symbols: Symbols, node: c_ast.Cast) -> bool:
    """Whether *node* makes a pointer of a constant, where an object may lie in Linux."""
    if not symbols.is_pointer(node.to_type):
        return False
    value, size = symbols.constant_or_none(build.uncast(node)), symbols.model.pointer
    end = 2**47 if size == 8 else 2**32 - LOWEST
    return value is not None and LOWEST <= value % 2 ** (8 * size) < end


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
            found = build.callee(node) in COPIES | COMPARE_BYTES
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


def _within(node: Expr) -> Iterator[Expr]:
    yield node
    operands = node.operands()
    if isinstance(node, Convert) and isinstance(node.type, Pointer):
        operands = (pointer_within(node),)
    for operand in operands:
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
