"""Input partitioning: which values of an input have to be tried so that no behaviour is missed.

An input is the value that ``x = __CSEQ_nondet_T();`` gives a local. The constants that it is compared with divide its
range into intervals. Assumptions on it in the statements that follow exclude some of the intervals. One value
represents a whole interval if the execution ends at once for all values in it, or if nothing but such comparisons ever
reads the input. If nothing but ``x % c``, ``x / c`` or ``x & c`` reads it, one value for each different result is
enough.
"""

import functools
import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic
from cseq.modules.analysis.ranges import MOST, Range, Values, contains, given_part, joined, nearest, small
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon

_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_MAY_CRASH = frozenset({"/", "%"})


@dataclass
class _Use:
    """A read of a local: the nodes around it, outermost (the statement) first, and the node itself."""

    around: tuple[c_ast.Node, ...]
    node: c_ast.Node


@dataclass
class _InputFacts:
    """What is known after an input.

    range: the range of its type. names: the locals that hold its value. mask: the constant that every read of it is
    combined with by ``&``; None if there is no such constant. conditions: the locals that hold the truth value of a
    condition on it. guards: conditions; for each, True if executions in which it holds end, False if executions in
    which it does not hold are dropped. copies: the ids of the assignments among these locals. only: the statement right
    after the input, if it overwrites the local with a value computed from it; else None.
    """

    range: Range
    names: list[str]
    mask: int | None = None
    conditions: dict[str, c_ast.Node] = field(default_factory=dict)
    guards: list[tuple[c_ast.Node, bool]] = field(default_factory=list)
    copies: set[int] = field(default_factory=set)
    only: c_ast.Node | None = None


class Inputs:
    """Finds the values to try for the inputs of one function in the core language.

    left: the ranges that assumptions leave of the last input, at most; empty for one that is no integer.
    """

    def __init__(self, function: c_ast.FuncDef, symbols: Symbols, visibility: Visibility) -> None:
        self._symbols = symbols
        self._visibility = visibility
        self.left: list[Range] = []
        self._uses: dict[str, list[_Use]] = {}
        self._assigned: dict[str, int] = {}
        self._collect(function.body, ())

    def values(self, node: c_ast.Assignment, rest: list[c_ast.Node], given: Range | None) -> Values | None:
        """The values to try for the input that the statement *node* assigns; None if there are too many.

        rest: the statements after it in the same block. given: the range from which the user wants inputs to be taken
        if there are too many values otherwise.
        """
        self.left = []
        whole = self.range_of(basic(lexicon.NONDET_TYPES[node.rvalue.name.name.removeprefix(lexicon.NONDET)]))
        if whole is None:
            return None
        held = self.range_of(self._symbols.type_of(node.lvalue))
        if held is not None and not contains(held, whole) and held[1] - held[0] <= whole[1] - whole[0]:
            whole = held  # the conversion yields each value of the narrower type
        self.left = [whole]
        if held is None or not contains(held, whole) or not self._is_own(node.lvalue):
            return small(Values((whole,))) or given_part([whole], given)
        known = _InputFacts(whole, [node.lvalue.name])
        if rest and isinstance(rest[0], c_ast.Assignment) and _is_name(rest[0].lvalue, node.lvalue.name):
            known.only = rest[0]
        self._mask(known)
        for statement in rest:
            if not self._follow(statement, known):
                break
        return self._tried(known, given)

    def range_of(self, type_: c_ast.Node) -> Range | None:
        """The least and the greatest value of an integer type; None for other types."""
        kind = self._symbols.arithmetic(type_)
        if kind is None or kind in ("void", "void *", "float", "double", "long double"):
            return None
        if kind == "_Bool":
            return 0, 1
        bits = 8 * self._symbols.model.size(kind)
        if bits > 64:
            return None
        return (0, (1 << bits) - 1) if kind.startswith("unsigned") else (-(1 << bits - 1), (1 << bits - 1) - 1)

    def _is_own(self, place: c_ast.Node) -> bool:
        """Whether *place* is a local that only its name leads to."""
        return (
            isinstance(place, c_ast.ID)
            and place.name in self._symbols.locals
            and not self._visibility.is_visible(place)
        )

    # Where locals are read and written

    def _collect(self, node: c_ast.Node, around: tuple[c_ast.Node, ...]) -> None:
        match node:
            case c_ast.ID():
                self._uses.setdefault(node.name, []).append(_Use(around, node))
            case c_ast.UnaryOp(op="sizeof" | "_Alignof") | c_ast.Typename() | c_ast.Decl():
                return
            case c_ast.StructRef():
                self._collect(node.name, (*around, node))
            case c_ast.FuncCall():
                if node.args is not None:
                    for argument in node.args.exprs:
                        self._collect(argument, (*around, node))
            case c_ast.Assignment(lvalue=c_ast.ID()):
                if not is_undefined(node):
                    self._assigned[node.lvalue.name] = self._assigned.get(node.lvalue.name, 0) + 1
                self._collect(node.rvalue, (*around, node))
            case c_ast.Compound() | c_ast.Label():
                for _, child in node.children():  # type: ignore[no-untyped-call]
                    self._collect(child, ())
            case c_ast.If() | c_ast.While():
                for name, child in node.children():  # type: ignore[no-untyped-call]
                    self._collect(child, (node,) if name == "cond" else ())
            case _:
                for _, child in node.children():
                    self._collect(child, (*around, node))

    # The statements after the input

    def _follow(self, node: c_ast.Node, known: _InputFacts) -> bool:
        """Take the statement *node* into account; return whether nothing but locals has been touched after it."""
        match node:
            case c_ast.Label():
                return isinstance(node.stmt, c_ast.EmptyStatement)
            case c_ast.EmptyStatement():
                return True
            case c_ast.Compound():
                return all(self._follow(item, known) for item in node.block_items or [])
            case c_ast.Assignment(lvalue=c_ast.ID(name=name), op="=") if self._is_own(node.lvalue):
                if name in known.names or isinstance(node.rvalue, c_ast.FuncCall) or self._has_effect(node.rvalue):
                    return name not in known.names and is_undefined(node)
                known.conditions.pop(name, None)
                if self._value_of(node.rvalue, known) is not None:
                    if self._holds(node.lvalue, known):
                        known.names.append(name)
                        known.copies.add(id(node))
                elif (condition := self._condition(node.rvalue, known)) is not None:
                    known.conditions[name] = condition
                return True
            case c_ast.FuncCall(name=c_ast.ID(name=lexicon.ASSUME)):
                cond = node.args.exprs[0]
                return self._guard(cond, False, known) and not self._has_effect(cond)
            case c_ast.FuncCall(name=c_ast.ID(name=lexicon.ACCESS)):
                return True
            case c_ast.If(iffalse=None) if self._ends(node.iftrue, known):
                return self._guard(node.cond, True, known) and not self._has_effect(node.cond)
        return False

    def _guard(self, cond: c_ast.Node, ends: bool, known: _InputFacts) -> bool:
        condition = self._condition(cond, known)
        if condition is not None:
            known.guards.append((condition, ends))
        return condition is not None or not ends

    def _has_effect(self, node: c_ast.Node) -> bool:
        """Whether evaluating *node* touches memory that others can reach, or may crash."""
        if self._visibility.count(node) > 0 or isinstance(node, (c_ast.FuncCall, c_ast.ArrayRef)):
            return True
        return (isinstance(node, c_ast.BinaryOp) and node.op in _MAY_CRASH) or any(
            self._has_effect(child) for _, child in node.children() if not isinstance(child, c_ast.Typename)
        )

    def _ends(self, node: c_ast.Node, known: _InputFacts) -> bool:
        """Whether the thread ends in the statement *node*, and does nothing before that depends on the input."""
        last = node
        while isinstance(last, c_ast.Compound):
            if len(last.block_items or []) != 1:
                return False
            last = last.block_items[0]
        ends = isinstance(last, c_ast.Return) or (
            isinstance(last, c_ast.FuncCall) and last.name.name in (lexicon.STOP, lexicon.EXIT)
        )
        return ends and set(build.names(last)).isdisjoint([*known.names, *known.conditions])

    def _value_of(self, node: Any, known: _InputFacts) -> c_ast.ID | None:
        """The local in *node*, if *node* is just the value of the input, in a type that can represent it; else None."""
        match node:
            case c_ast.ID():
                return node if node.name in known.names else None
            case c_ast.Cast():
                return self._value_of(node.expr, known) if self._fits(node.to_type, known) else None
            case c_ast.BinaryOp(op="&"):
                mask = self._symbols.constant_or_none(node.right)
                return self._value_of(node.left, known) if known.mask is not None and mask == known.mask else None
        return None

    def _fits(self, type_: c_ast.Node, known: _InputFacts) -> bool:
        """Whether the type can represent all values of the input."""
        range_ = self.range_of(type_)
        return range_ is not None and contains(range_, known.range)

    def _holds(self, place: c_ast.ID, known: _InputFacts) -> bool:
        return self._assigned.get(place.name, 0) == 1 and self._fits(self._symbols.type_of(place), known)

    def _condition(self, node: Any, known: _InputFacts) -> c_ast.Node | None:
        """*node*, if it is a condition on the input, in terms of the input's locals and constants only; else None."""
        match node:
            case c_ast.ID() if node.name in known.conditions:
                return known.conditions[node.name]
            case c_ast.UnaryOp(op="!"):
                inner = self._condition(node.expr, known)
                return None if inner is None else c_ast.UnaryOp("!", inner)
            case c_ast.BinaryOp(op="&&" | "||"):
                left, right = self._condition(node.left, known), self._condition(node.right, known)
                return None if left is None or right is None else c_ast.BinaryOp(node.op, left, right)
            case c_ast.BinaryOp() if node.op in _COMPARISONS:
                if self._thresholds(node, known) is not None:
                    return node
                for one, other in ((node.left, node.right), (node.right, node.left)):
                    inner = self._condition(one, known)
                    if inner is not None and self._value_of(one, known) is None and _is_zero(other):
                        return (
                            c_ast.BinaryOp(node.op, inner, other)
                            if one is node.left
                            else c_ast.BinaryOp(node.op, other, inner)
                        )
        return node if self._value_of(node, known) is not None else None

    # The numbers at which the outcome changes

    def _thresholds(self, node: c_ast.BinaryOp, known: _InputFacts) -> list[int] | None:
        """The numbers at which the result of comparing the input with a constant may change."""
        for one, other in ((node.left, node.right), (node.right, node.left)):
            value, constant = self._value_of(one, known), self._symbols.constant_or_none(other)
            if value is None or constant is None:
                continue
            types = (self._symbols.value_type(one), self._symbols.value_type(other))
            range_ = self.range_of(self._symbols.usual(*types))
            if range_ is None:
                return None
            found = [constant, constant + 1]
            if range_[0] == 0:  # as unsigned numbers, negative values come last
                modulus = range_[1] + 1
                found += [0, constant % modulus, constant % modulus + 1]
                found += [constant % modulus - modulus, constant % modulus - modulus + 1]
            return found
        return None

    def _all_thresholds(self, node: c_ast.Node, known: _InputFacts) -> list[int]:
        """The thresholds of a condition."""
        if isinstance(node, c_ast.BinaryOp) and node.op in _COMPARISONS:
            found = self._thresholds(node, known)
            if found is not None:
                return found
        if self._value_of(node, known) is not None:
            return [0, 1]
        return [number for _, child in node.children() for number in self._all_thresholds(child, known)]

    def _holds_for(self, cond: c_ast.Node, value: int, known: _InputFacts) -> bool | None:
        result = self._symbols.constant_or_none(self._with(cond, value, known))
        return None if result is None else result != 0

    def _with(self, node: Any, value: int, known: _InputFacts) -> c_ast.Node:
        """The condition *node* with *value* in place of the input."""
        if isinstance(node, c_ast.ID) and node.name in known.names:
            return c_ast.Cast(build.typename(self._symbols.type_of(node)), build.number(value))
        match node:
            case c_ast.UnaryOp():
                return c_ast.UnaryOp(node.op, self._with(node.expr, value, known))
            case c_ast.BinaryOp():
                return c_ast.BinaryOp(
                    node.op, self._with(node.left, value, known), self._with(node.right, value, known)
                )
            case c_ast.Cast():
                return c_ast.Cast(node.to_type, self._with(node.expr, value, known))
        return node  # type: ignore[no-any-return]

    # What else reads the input

    def _mask(self, known: _InputFacts) -> None:
        """Note the mask that all reads of the input go through, if it keeps just the lowest bits."""
        masks = {mask_of(use, self._symbols) for use in self._uses_of(known.names[0], known) or ()}
        mask = masks.pop() if len(masks) == 1 else None
        if mask and mask & (mask + 1) == 0 and mask <= known.range[1]:
            known.mask = mask
            known.range = (0, mask)

    def _uses_of(self, name: str, known: _InputFacts) -> list[_Use] | None:
        """The reads of the input's value in the local *name*; None if the local also holds other values."""
        uses = self._uses.get(name, [])
        if known.only is not None:
            return [use for use in uses if use.around and use.around[0] is known.only]
        return uses if self._assigned.get(name) == 1 else None

    def _reads(self, known: _InputFacts) -> Iterator[tuple[c_ast.Node, c_ast.Node]] | None:
        """Each operand that is the input's value, with the expression around it; None if they cannot be determined."""
        found = []
        for name in known.names:
            uses = self._uses_of(name, known)
            if uses is None:
                return None
            for use in uses:
                if use.around and id(use.around[0]) in known.copies:
                    continue
                node, around = use.node, list(use.around)
                while around and isinstance(around[-1], (c_ast.Cast, c_ast.BinaryOp)):
                    if self._value_of(around[-1], known) is None:
                        break
                    node = around.pop()
                if not around:
                    return None
                found.append((node, around[-1]))
        return iter(found)

    def _compared(self, known: _InputFacts) -> list[c_ast.Node] | None:
        """The conditions on the input's value, if nothing else reads it; else None."""
        reads = self._reads(known)
        found: list[c_ast.Node] = []
        for node, around in reads or ():
            if isinstance(around, c_ast.BinaryOp) and around.op in _COMPARISONS:
                if self._thresholds(around, known) is None:
                    return None
                found.append(around)
            elif _is_truth(node, around):
                found.append(node)
            else:
                return None
        return None if reads is None else found

    def _tried(self, known: _InputFacts, given: Range | None) -> Values | None:
        if known.mask is None and len(known.names) == 1 and not known.guards:
            masked = self._masked(known)
            if masked is not None:
                return masked
        if not known.guards and (computed := self._computed(known)) is not None:
            return computed
        compared = self._compared(known)
        conditions = [cond for cond, _ in known.guards] + (compared or [])
        thresholds = {number for cond in conditions for number in self._all_thresholds(cond, known)}
        first, last = known.range
        inner = sorted(number for number in thresholds if first < number <= last)
        ranges: list[Range] = []
        alike: dict[tuple[bool | None, ...], int] = {}
        for start, end in pairwise([first, *inner, last + 1]):
            goes_on = self._goes_on(start, known)
            if goes_on is None:
                continue
            if goes_on and compared is None:
                ranges.append((start, end - 1))
                continue
            outcome = (goes_on, *(self._holds_for(cond, start, known) for cond in conditions))
            value = nearest(start, end - 1)
            alike[outcome] = min(value, alike.get(outcome, value), key=abs)
        ranges = joined(sorted([*ranges, *((value, value) for value in alike.values())])) or [(first, first)]
        self.left = ranges
        return small(Values(tuple(ranges))) or given_part(ranges, given)

    def _goes_on(self, value: int, known: _InputFacts) -> bool | None:
        """Whether executions with this *value* continue after the guards; None if they are dropped."""
        for cond, ends in known.guards:
            holds = self._holds_for(cond, value, known)
            if holds is None:
                return True  # nothing is known: every value counts
            if ends and holds:
                return False
            if not ends and not holds:
                return None
        return True

    def _masked(self, known: _InputFacts) -> Values | None:
        """The parts of the union of the masks, if every read has a mask and there are few bits; else None."""
        mask = 0
        uses = self._uses_of(known.names[0], known)
        for use in uses or ():
            bits = mask_of(use, self._symbols)
            if not bits or bits > known.range[1]:
                return None
            mask |= bits
        return Values(mask=mask) if 0 < mask.bit_count() <= MOST.bit_length() - 1 else None

    def _computed(self, known: _InputFacts) -> Values | None:
        """A value for each result, if all reads compute a remainder, quotient or some bits by constants; else None."""
        reads = self._reads(known)
        operators, constants = set(), []
        around: Any
        for node, around in reads or ():
            constant = self._symbols.constant_or_none(around.right) if isinstance(around, c_ast.BinaryOp) else None
            if constant is None or constant <= 0 or around.left is not node:
                return None
            operators.add(around.op)
            constants.append(constant)
        first, last = known.range
        if len(operators) != 1 or (first < 0 and self._is_unsigned(known)):
            return None
        if operators == {"%"}:
            period = math.lcm(*constants)
            least = max(first, 1 - period)
            return small(Values(((least, min(last, period - 1)),)))
        if operators == {"&"} and first == 0 and last & (last + 1) == 0:
            mask = functools.reduce(operator.or_, constants) & last
            return Values(mask=mask) if 0 < mask.bit_count() <= MOST.bit_length() - 1 else None
        if operators == {"/"} and first == 0 and len(set(constants)) == 1:
            return small(Values(((0, last - last % constants[0]),), step=constants[0]))
        return None

    def _is_unsigned(self, known: _InputFacts) -> bool:
        """Whether a division converts the input, which is signed, to an unsigned number."""
        return any(
            (self.range_of(self._symbols.type_of(around)) or (0, 0))[0] == 0 for _, around in self._reads(known) or ()
        )


def is_undefined(node: c_ast.Node) -> bool:
    """Whether a statement marks an object as undefined: the call in it has no origin."""
    return (
        isinstance(node, c_ast.Assignment)
        and isinstance(node.rvalue, c_ast.FuncCall)
        and node.rvalue.coord is None
        and node.rvalue.name.name.startswith(lexicon.NONDET)
    )


def mask_of(use: _Use, symbols: Symbols) -> int:
    """The constant that the value is directly combined with by ``&``; 0 if there is none, or it is negative."""
    last: Any = use.around[-1] if use.around else None
    if not isinstance(last, c_ast.BinaryOp) or last.op != "&":
        return 0
    return max(symbols.constant_or_none(last.right if last.left is use.node else last.left) or 0, 0)


def _is_name(node: c_ast.Node, name: str) -> bool:
    return isinstance(node, c_ast.ID) and node.name == name


def _is_zero(node: c_ast.Node) -> bool:
    return build.is_constant(node, 0)


def _is_truth(node: c_ast.Node, around: Any) -> bool:
    """Whether *around* only tests whether its operand *node* is 0."""
    match around:
        case c_ast.UnaryOp(op="!") | c_ast.BinaryOp(op="&&" | "||"):
            return True
        case c_ast.If() | c_ast.While() | c_ast.TernaryOp():
            return around.cond is node
        case c_ast.FuncCall(name=c_ast.ID(name=lexicon.ASSUME | lexicon.ASSERT)):
            return around.args.exprs[0] is node
    return False
