"""Data independence: inputs of which a few values are as good as all.

Of an input that is only copied, stored and compared for equality it only matters which values are equal (P. Wolper,
Expressing interesting properties of programs in propositional temporal logic, POPL 1986). Let C be the constants that a
family of such inputs meets, 0 among them, and let an execution take at most n inputs of the family. A permutation of
the values of the type that leaves C as it is maps executions to executions: every statement that such a value gets to
is a copy, or a comparison of two of them, and permutations respect both. So any execution is mapped to one in which
every input is in C, or one of n values outside of C: the order in which they first occur gives the permutation. It
takes the same branches and violates the same claims. So the |C| + n values are enough for each input, also for a proof.

A family is what copies and comparisons connect. It is found without regard to the order of statements, by the names of
variables and members, and every use that is not listed here breaks it: arithmetic, order, subscripts, sizes, arguments,
casts to another type. Addresses break it as well: values are only followed through names, and through pointers to one
type of struct. n is the number of inputs in the text, each times the threads that may execute it; in a loop, or in a
thread that a loop creates, it is not bounded, and the inputs are sampled.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.inputs import is_undefined
from cseq.modules.analysis.ranges import MOST, Range, Values, contains, joined
from cseq.modules.library import lexicon, primitives

_EQUALITY = frozenset({"==", "!="})
_TRUTHS = frozenset({"!", "&&", "||", *_EQUALITY})
_CONDITIONS = frozenset({lexicon.ASSUME, lexicon.ASSERT, "__CSEQ_unwound"})
_HARMLESS = frozenset({
    "malloc", "calloc", "free", lexicon.FRESH, lexicon.ACCESS, lexicon.COARSE, lexicon.STOP, lexicon.EXIT,
    lexicon.ATOMIC_BEGIN, lexicon.ATOMIC_END, lexicon.CREATE, lexicon.BEGINS, lexicon.ENDS, *_CONDITIONS,
})  # fmt: skip
"""Calls that neither read nor write a value of the user's, other than their arguments."""


@dataclass
class _Family:
    """Places that copies and comparisons connect. kind: of their type, None if they have several, or are misused."""

    kind: str | None = ""
    constants: set[int] = field(default_factory=set)
    sites: dict[int, int | None] = field(default_factory=dict)


class Independence:
    """Finds the families in a program in the core language.

    functions: those of the threads. declarations: of the user's objects. ranges: of an integer type, by its name.
    """

    def __init__(
        self, functions: Sequence[c_ast.FuncDef], declarations: Iterable[c_ast.Decl], symbols: Symbols
    ) -> None:
        self._symbols = symbols
        self._functions = functions
        self._parents: dict[str, str] = {}
        self._families: dict[str, _Family] = {}
        self._all_constants: set[int] = {0}
        self._pointed: set[str] = set()
        self._is_opaque = False
        self._times: int | None = 1
        self._taken: dict[int, str] = {}  # the inputs, by the id of the assignment, and their places
        self._declared(functions)
        for declaration in declarations:
            self._initial(declaration.init)
        for function in functions:
            self._times = self._instances(function.decl.name)
            self._statement(function.body)

    def values(self, node: c_ast.Assignment, whole: Range) -> Values | None:
        """The values that are enough for the input *node*; None if it depends on them.

        whole: the range of the input's type.
        """
        family = self._families.get(self._root(self._taken.get(id(node), "")))
        if family is None or self._is_opaque or not family.kind or len(self._pointed) > 1:
            return None
        times = list(family.sites.values())
        size = whole[1] - whole[0] + 1  # constants are converted when they are stored or compared
        constants = {(number - whole[0]) % size + whole[0] for number in family.constants | self._all_constants}
        fresh = (number for number in _outwards(whole) if number not in constants)
        taken = sum(time or 0 for time in times)
        if None in times or len(constants) + taken > min(MOST, whole[1] - whole[0]):
            return None
        found = sorted([*constants, *(next(fresh) for _ in range(taken))])
        return Values(tuple(joined([(number, number) for number in found])))

    def _declared(self, functions: Iterable[c_ast.FuncDef]) -> None:
        """Note whether locals of several functions have one name, and different types."""
        kinds: dict[str, set[str | None]] = {}
        for function in functions:
            for item in function.body.block_items or []:
                if isinstance(item, c_ast.Decl):
                    kinds.setdefault(item.name, set()).add(self._symbols.arithmetic(item.type))
        self._is_opaque |= any(len(found) > 1 for found in kinds.values())

    # How often statements are executed

    def _instances(self, name: str, within: tuple[str, ...] = ()) -> int | None:
        """How many threads execute the function *name*; None if there is no bound."""
        if name == "main":
            return 1
        if name in within:
            return None
        total = 0
        for function in self._functions:
            for started, in_loop in _created(function.body, False):
                if started == name:
                    times = None if in_loop else self._instances(function.decl.name, (*within, name))
                    if times is None:
                        return None
                    total += times
        return total

    # Families

    def _root(self, key: str) -> str:
        while self._parents.get(key, key) != key:
            key = self._parents[key]
        return key

    def _family(self, key: str) -> _Family:
        return self._families.setdefault(self._root(key), _Family())

    def _join(self, one: str, other: str) -> None:
        first, second = self._root(one), self._root(other)
        if first == second:
            return
        kept, gone = self._family(first), self._family(second)
        self._parents[second] = first
        del self._families[second]
        kept.kind = kept.kind and gone.kind and (kept.kind if kept.kind == gone.kind else None)
        kept.constants |= gone.constants
        kept.sites |= gone.sites

    def _break(self, node: Any) -> None:
        """Note that the value of *node*, or of anything in it, matters."""
        if node is None:
            return
        key = self._key(node)
        if key is not None:
            self._family(key).kind = None
        for child in _operands(node):
            self._break(child)

    def _key(self, place: Any) -> str | None:
        """The name for a place with a value of an integer type, or an array of such; None for other expressions.

        All elements of an array have one name, and all members of one name, whatever struct they are in.
        """
        match place:
            case c_ast.ID() if place.name in self._symbols.types:
                key = str(place.name)
            case c_ast.StructRef():
                key = f".{place.field.name}"
            case c_ast.ArrayRef() if self._symbols.is_array(self._symbols.type_of(place.name)):
                return self._key(place.name)
            case c_ast.UnaryOp(op="*", expr=c_ast.UnaryOp(op="&")):
                return self._key(place.expr.expr)
            case _:
                return None
        if self._root(key) not in self._families:
            self._families[self._root(key)] = _Family(self._kind(place))
        return key

    def _kind(self, place: c_ast.Node) -> str | None:
        type_ = self._symbols.resolve(self._symbols.type_of(place))
        while isinstance(type_, c_ast.ArrayDecl):
            type_ = self._symbols.resolve(type_.type)
        kind = self._symbols.arithmetic(type_)
        is_whole = self._symbols.bit_field(place) is None
        return kind if kind not in ("void", "float", "double", "long double", "_Bool") and is_whole else None

    def _is_scalar(self, node: c_ast.Node) -> bool:
        return self._symbols.arithmetic(self._symbols.value_type(node)) is not None

    # Statements

    def _statement(self, node: Any) -> None:
        match node:
            case c_ast.Compound():
                for item in node.block_items or []:
                    self._statement(item)
            case c_ast.Label():
                self._statement(node.stmt)
            case c_ast.If():
                self._condition(node.cond)
                self._statement(node.iftrue)
                self._statement(node.iffalse)
            case c_ast.While():
                times, self._times = self._times, None
                self._condition(node.cond)
                self._statement(node.stmt)
                self._times = times
            case c_ast.Assignment():
                self._assignment(node)
            case c_ast.FuncCall():
                self._call(node)
            case c_ast.Return():
                self._passed(node.expr)
            case None | c_ast.Decl() | c_ast.Goto() | c_ast.EmptyStatement():
                return
            case _:
                self._break(node)
                self._check(node)

    def _assignment(self, node: c_ast.Assignment) -> None:
        self._check(node.lvalue)
        self._converts(node.lvalue, node.rvalue)
        self._subscripts(node.lvalue)
        if is_undefined(node):
            return  # whether it is read is known when it happens, and no proof then
        if isinstance(node.rvalue, c_ast.FuncCall):
            self._result(node)
            return
        self._check(node.rvalue)
        if not self._is_scalar(node.lvalue):
            if self._symbols.record(self._symbols.type_of(node.lvalue)) is None:
                self._break(node.rvalue)
            self._subscripts(node.rvalue)
            return  # a struct is copied, member by member
        key = self._key(node.lvalue)
        if key is None or node.op != "=" or not self._copies(key, node.rvalue):
            self._break(node.lvalue)
            self._break(node.rvalue)

    def _copies(self, key: str, value: Any) -> bool:
        """Whether *value* is a constant, a condition, or the value of a place, which then joins the family of *key*."""
        number = self._symbols.constant_or_none(value)
        if number is not None:
            self._meets(key, number)
            return True
        value = self._uncast(value)
        if isinstance(value, (c_ast.UnaryOp, c_ast.BinaryOp)) and value.op in _TRUTHS:
            self._condition(value)
            self._meets(key, 0)
            self._meets(key, 1)
            return True
        other = self._key(value)
        if other is None or not self._is_scalar(value):
            return False
        self._subscripts(value)
        self._join(key, other)
        return True

    def _uncast(self, node: Any) -> Any:
        """The expression in casts to its own type."""
        while isinstance(node, c_ast.Cast):
            to, inner = (self._symbols.arithmetic(self._symbols.type_of(each)) for each in (node, node.expr))
            if to is None or to != inner:
                break
            node = node.expr
        return node

    def _meets(self, key: str, number: int) -> None:
        """Note that the family meets a constant."""
        self._family(key).constants.add(number)

    def _result(self, node: Any) -> None:
        """An assignment of what a call returns."""
        name = node.rvalue.name.name
        key = self._key(node.lvalue)
        type_ = lexicon.NONDET_TYPES.get(name.removeprefix(lexicon.NONDET))
        if key is not None and type_ is not None and type_ == self._kind(node.lvalue):
            self._taken[id(node)] = key
            self._family(key).sites[id(node)] = self._times
            return
        self._break(node.lvalue)
        self._call(node.rvalue)

    def _call(self, node: c_ast.FuncCall) -> None:
        name = node.name.name
        arguments = node.args.exprs if node.args else []
        if name in _CONDITIONS:
            self._condition(arguments[0])
            return
        if name == lexicon.CHECKS:
            self._is_opaque = True  # they look at the values of indices and operands
            return
        if name.startswith(lexicon.NONDET) or name in lexicon.WHOLE:
            return  # undefined, and so no part of a proof if it is read; or zero
        self._is_opaque |= name not in _HARMLESS and name not in primitives.PRIMITIVES
        for argument in arguments:
            self._passed(argument)

    def _passed(self, value: Any) -> None:
        """A value that goes to, or through, a function of the library."""
        if value is None:
            return
        self._check(value)
        self._break(value)
        place = build.addressed(value)
        if place is not None and self._is_scalar(place):
            self._break(place)
        pointee = self._pointee(value)
        if pointee is not None and not self._is_librarys(value):
            self._points(pointee)

    def _is_librarys(self, pointer: c_ast.Node) -> bool:
        """Whether *pointer* leads to an object of the thread library."""
        record = self._symbols.record(self._symbols.element(self._symbols.value_type(pointer)))
        members = [] if record is None else self._symbols.members(record)
        return bool(members) and str(members[0].name).startswith("__cs_")

    def _points(self, *pointees: str) -> None:
        """Note that a pointer to these types may come from one to any."""
        self._pointed.update(name for name in pointees if name != "FuncDecl" and not name.islower())

    # Expressions

    def _condition(self, node: Any) -> None:
        """A condition: only equality, and whether values are 0, break no family."""
        match node:
            case c_ast.UnaryOp(op="!"):
                self._condition(node.expr)
            case c_ast.BinaryOp(op="&&" | "||"):
                self._condition(node.left)
                self._condition(node.right)
            case c_ast.TernaryOp():
                for part in (node.cond, node.iftrue, node.iffalse):
                    self._condition(part)
            case c_ast.BinaryOp() if node.op in _EQUALITY and self._are_compared(node.left, node.right):
                self._check(node)
            case _:
                self._check(node)
                key = self._key(node)
                if key is None:
                    self._break(node)
                else:
                    self._subscripts(node)
                    self._meets(key, 0)

    def _are_compared(self, one: Any, other: Any) -> bool:
        """Whether the values of places of one type, or of one and a constant, are compared."""
        for place, value in ((self._uncast(one), other), (self._uncast(other), one)):
            key = self._key(place)
            if key is not None and self._is_scalar(place):
                self._subscripts(place)
                return self._copies(key, value)
        return False

    def _subscripts(self, place: Any) -> None:
        """Break what determines which place it is."""
        match place:
            case c_ast.ArrayRef():
                self._break(place.subscript)
                self._subscripts(place.name)
            case c_ast.StructRef():
                self._subscripts(place.name)
            case c_ast.UnaryOp():
                self._subscripts(place.expr)

    def _check(self, node: Any) -> None:
        """Note what values may take ways that have no names."""
        match node:
            case c_ast.UnaryOp(op="sizeof" | "_Alignof") | c_ast.Constant() | c_ast.Typename():
                return
            case c_ast.UnaryOp(op="&") if self._is_scalar(node.expr):
                self._break(node.expr)
            case c_ast.UnaryOp(op="*") if not isinstance(node.expr, c_ast.UnaryOp) and self._is_scalar(node):
                self._is_opaque = True
            case c_ast.ArrayRef() if not self._symbols.is_array(self._symbols.type_of(node.name)):
                self._is_opaque |= self._is_scalar(node)
            case c_ast.Cast():
                self._converts(node, node.expr)
            case c_ast.ID() if node.name in self._symbols.types and self._symbols.is_array(self._symbols.type_of(node)):
                self._break(node)  # not as the array of a subscript: see below
            case c_ast.StructRef():
                record = self._symbols.record(self._record_of(node))
                self._is_opaque |= isinstance(record, c_ast.Union)
                if self._symbols.is_array(self._symbols.type_of(node)):
                    self._break(node)
        if isinstance(node, c_ast.ArrayRef) and self._symbols.is_array(self._symbols.type_of(node.name)):
            self._check(node.subscript)
            for child in _operands(node.name):
                self._check(child)
            return
        for child in _operands(node):
            self._check(child)

    def _record_of(self, node: c_ast.StructRef) -> c_ast.Node:
        type_ = self._symbols.type_of(node.name)
        return self._symbols.element(type_) if node.type == "->" else type_

    def _converts(self, to: Any, value: Any) -> None:
        """Note a conversion between types of pointers: the name of a member says nothing if it has several types."""
        target = self._pointee(to)
        if target is None or isinstance(value, c_ast.Constant) or self._symbols.constant_or_none(value) is not None:
            return
        source = None if isinstance(value, c_ast.FuncCall) else self._pointee(value)
        if source is None or "void" in (source, target):
            self._points(target, source or target)
        elif source != target:
            self._is_opaque = True

    def _pointee(self, node: Any) -> str | None:
        """A name for the type that a pointer points to; None for what is no pointer. Capitals: no arithmetic type."""
        type_ = self._symbols.resolve(self._symbols.value_type(node))
        if not isinstance(type_, c_ast.PtrDecl):
            return None
        element = self._symbols.resolve(type_.type)
        record: Any = self._symbols.record(element)
        if record is not None:
            return f"STRUCT {record.name or id(record)}"
        return self._symbols.arithmetic(element) or type(element).__name__

    def _initial(self, node: Any) -> None:
        """Note the constants in an initialiser at file level: any family may meet them."""
        number = None if node is None else self._symbols.constant_or_none(node)
        if number is not None:
            self._all_constants.add(number)
            return
        for child in _operands(node) if node is not None else ():
            self._initial(child)


def _operands(node: Any) -> Iterator[Any]:
    """The expressions in an expression that are evaluated."""
    match node:
        case c_ast.UnaryOp(op="sizeof" | "_Alignof"):
            return
        case c_ast.StructRef():
            yield node.name
        case c_ast.Cast():
            yield node.expr
        case c_ast.FuncCall():
            yield from node.args.exprs if node.args else []
        case _:
            for _, child in node.children():
                if not isinstance(child, c_ast.Typename):
                    yield child


def _created(node: Any, in_loop: bool) -> Iterator[tuple[str, bool]]:
    """The start functions of the threads that a statement creates, each with whether it does so in a loop."""
    if build.is_call(node, lexicon.CREATE):
        yield node.args.exprs[2].name, in_loop
    for _, child in node.children():
        yield from _created(child, in_loop or isinstance(node, c_ast.While))


def _outwards(whole: Range) -> Iterator[int]:
    """The numbers of a range, the small ones first, but not the smallest: they stand for any."""
    start = min(1000, (whole[0] + whole[1]) // 2 + 1)
    for distance in range(whole[1] - whole[0] + 1):
        for number in {start + distance, start - distance}:
            if contains(whole, (number, number)):
                yield number
