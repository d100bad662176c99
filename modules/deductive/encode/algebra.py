"""Expressions of transition systems, made with the constants in them evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from cseq.c import integer_operators
from cseq.modules.deductive.transitions import (
    BOOL,
    Apply,
    Array,
    Choose,
    Convert,
    Element,
    Expression,
    Number,
    Operator,
    Read,
    Scalar,
    Variable,
    read,
)

TRUE = Number(1, BOOL)
FALSE = Number(0, BOOL)

_OPPOSITE = {
    Operator.EQ: Operator.NE, Operator.NE: Operator.EQ, Operator.LT: Operator.GE, Operator.GE: Operator.LT,
    Operator.LE: Operator.GT, Operator.GT: Operator.LE,
}  # fmt: skip


def converted(value: int, type_: Scalar) -> int:
    """*value* converted to *type_*: modulo 2^width; to `BOOL`, whether it differs from zero."""
    return integer_operators.converted(value, type_.width, type_.signed)


def computed(operator: Operator, values: Sequence[int], type_: Scalar) -> int | None:
    """The result of *operator*, in *type_*; None where it has none, such as that of a division by zero."""
    if len(values) == 1:
        sign = "-" if operator is Operator.NEG else operator.value
        return integer_operators.inverted(sign, values[0], type_.width, type_.signed)
    left, right = values
    return integer_operators.computed(operator.value, left, right, type_.width, type_.signed)


# Constructors


def apply(operator: Operator, *operands: Expression, type_: Scalar | None = None) -> Expression:
    """The operator applied to *operands*, simplified. type_: of the result; by default that of the operands."""
    result = BOOL if operator.compares or operator.connects else type_ or operands[0].type
    if operator is Operator.NOT:
        return negation(operands[0])
    if operator is Operator.AND:
        return conjunction(operands)
    if operator is Operator.OR:
        return negation(conjunction(map(negation, operands)))
    values = [operand.value for operand in operands if isinstance(operand, Number)]
    if len(values) == len(operands):
        value = computed(operator, tuple(values), result)
        if value is not None:
            return Number(value, result)
    if operator.compares:
        return _comparison(operator, operands[0], operands[1])
    if len(operands) == 2:
        left, right = operands
        if operator in (Operator.ADD, Operator.BIT_OR, Operator.BIT_XOR) and _is(left, 0):
            return right
        if operator in (Operator.ADD, Operator.SUB, Operator.BIT_OR, Operator.BIT_XOR) and _is(right, 0):
            return left
        if operator is Operator.MUL and (_is(left, 0) or _is(right, 0)):
            return Number(0, result)
        if operator in (Operator.MUL, Operator.DIV) and _is(right, 1):
            return left
        if operator is Operator.MUL and _is(left, 1):
            return right
    return Apply(operator, tuple(operands), result)


def _is(expression: Expression, value: int) -> bool:
    return isinstance(expression, Number) and expression.value == value


def _comparison(operator: Operator, left: Expression, right: Expression) -> Expression:
    if isinstance(left, Number) and not isinstance(right, Number):
        mirrored = {
            Operator.LT: Operator.GT, Operator.GT: Operator.LT, Operator.LE: Operator.GE, Operator.GE: Operator.LE,
        }  # fmt: skip
        return _comparison(mirrored.get(operator, operator), right, left)
    if left == right and not isinstance(left, Element):
        return Number(int(operator in (Operator.EQ, Operator.LE, Operator.GE)), BOOL)
    if isinstance(right, Number) and isinstance(left, Convert) and left.operand.type == BOOL:
        outcomes = [computed(operator, (value, right.value), BOOL) for value in (0, 1)]
        return {(0, 0): FALSE, (1, 1): TRUE, (0, 1): left.operand, (1, 0): negation(left.operand)}[tuple(outcomes)]  # type: ignore[index]
    if left.type == BOOL and isinstance(right, Number):
        outcomes = [computed(operator, (value, right.value), BOOL) for value in (0, 1)]
        return {(0, 0): FALSE, (1, 1): TRUE, (0, 1): left, (1, 0): negation(left)}[tuple(outcomes)]  # type: ignore[index]
    return Apply(operator, (left, right), BOOL)


def negation(condition: Expression) -> Expression:
    """The condition that *condition* does not hold."""
    match condition:
        case Number(value):
            return Number(int(not value), BOOL)
        case Apply(Operator.NOT, (inner,)):
            return inner
        case Apply(operator, operands) if operator in _OPPOSITE:
            return Apply(_OPPOSITE[operator], operands, BOOL)
        case Apply(Operator.AND, operands):
            return Apply(Operator.OR, tuple(map(negation, operands)), BOOL)
        case Apply(Operator.OR, operands):
            return Apply(Operator.AND, tuple(map(negation, operands)), BOOL)
    return Apply(Operator.NOT, (condition,), BOOL)


def conjunction(conditions: Iterable[Expression]) -> Expression:
    """The condition that all of *conditions* hold."""
    found: list[Expression] = []
    for condition in conditions:
        for part in (
            condition.operands if isinstance(condition, Apply) and condition.operator is Operator.AND else [condition]
        ):
            if part == FALSE or negation(part) in found:
                return FALSE
            if part != TRUE and part not in found:
                found.append(part)
    if not found:
        return TRUE
    result = found[-1]
    for part in reversed(found[:-1]):
        result = Apply(Operator.AND, (part, result), BOOL)
    return result


def disjunction(conditions: Iterable[Expression]) -> Expression:
    """The condition that one of *conditions* holds."""
    return negation(conjunction(map(negation, conditions)))


def implication(premise: Expression, conclusion: Expression) -> Expression:
    """The condition that *conclusion* holds if *premise* does."""
    return disjunction([negation(premise), conclusion])


def convert(operand: Expression, type_: Scalar) -> Expression:
    """The operand converted to *type_*."""
    if operand.type == type_:
        return operand
    if isinstance(operand, Number):
        return Number(converted(operand.value, type_), type_)
    if type_ == BOOL:
        return apply(Operator.NE, operand, Number(0, operand.type))
    if isinstance(operand, Convert) and operand.type.contains(operand.operand.type):
        return convert(operand.operand, type_)  # the inner conversion changes no value
    return Convert(operand, type_)


def choose(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """`condition ? then : otherwise`."""
    if isinstance(condition, Number):
        return then if condition.value else otherwise
    if then == otherwise:
        return then
    if then.type == BOOL and (isinstance(then, Number) or isinstance(otherwise, Number)):
        return disjunction([conjunction([condition, then]), conjunction([negation(condition), otherwise])])
    return Choose(condition, then, otherwise)


def equal(left: Expression, right: Expression) -> Expression:
    """The condition that two values of one type are equal."""
    return apply(Operator.EQ, left, right)


# What is known of values

Values = frozenset[int] | None
"""The values that something may have; None if they are too many, or unknown."""

MOST = 12
"""The maximum number of values that are told apart."""


_MOST_TRIED = 64


def _tried(expression: Expression, known: Mapping[Variable, Values]) -> Values:
    """The values that a condition may have, found by trying all values of its variables; None if that is too much."""
    variables = list(dict.fromkeys(read(expression)))
    sets = [known.get(variable) for variable in variables]
    if any(values is None for values in sets) or any(isinstance(variable.type, Array) for variable in variables):
        return None
    if prod(len(values or ()) for values in sets) > _MOST_TRIED:
        return None
    found: set[int] = set()
    for choice in product(*(values or () for values in sets)):
        tried = substituted(
            expression,
            {one: Number(value, one.type) for one, value in zip(variables, choice, strict=True)},  # type: ignore[arg-type]
        )
        if not isinstance(tried, Number):
            return None
        found.add(tried.value)
    return frozenset(found)


def _decided(operator: Operator, expression: Expression, known: Mapping[Variable, Values]) -> bool:
    """Whether those parts of a conjunction or disjunction decide it whose variables have few values."""

    def flat(part: Expression) -> list[Expression]:
        same = isinstance(part, Apply) and part.operator is operator
        return [inner for one in part.operands for inner in flat(one)] if same else [part]  # type: ignore[union-attr]

    parts_ = [part for part in flat(expression) if all(known.get(one) is not None for one in read(part))]
    if not parts_:
        return False
    together = conjunction(parts_) if operator is Operator.AND else disjunction(parts_)
    decides = int(operator is Operator.OR)
    return together == Number(decides, BOOL) or _tried(together, known) == frozenset({decides})


def possible(expression: Expression, known: Mapping[Variable, Values]) -> Values:
    """The values that *expression* may have, if each variable only has those in *known*. No values: it has none yet."""
    match expression:
        case Number(value):
            return frozenset({value})
        case Read(variable) | Element(array=variable):
            return known.get(variable)
        case Convert(operand, type_):
            values = possible(operand, known)
            return None if values is None else frozenset(converted(value, type_) for value in values)
        case Choose(condition, then, otherwise):
            which = possible(condition, known)
            found: set[int] = set()
            for value, part in ((1, then), (0, otherwise)):
                if which is None or value in which:
                    more = possible(part, known)
                    if more is None:
                        return None
                    found |= more
            return frozenset(found) if len(found) <= MOST else None
        case Apply(Operator.AND | Operator.OR as operator, _, _) if _decided(operator, expression, known):
            return frozenset({int(operator is Operator.OR)})
        case Apply(operator, operands, type_):
            found_ = _applied(operator, [possible(operand, known) for operand in operands], type_)
            if type_ == BOOL and found_ == frozenset({0, 1}):
                tried = _tried(expression, known)
                return found_ if tried is None else tried
            return found_
    raise AssertionError(expression)


def _applied(operator: Operator, sets: list[Values], type_: Scalar) -> Values:
    if operator in (Operator.AND, Operator.OR):
        decides = int(operator is Operator.OR)
        if any(values == frozenset({decides}) for values in sets):
            return frozenset({decides})
    if any(values is None for values in sets):
        return frozenset({0, 1}) if type_ == BOOL else None
    found: set[int] = set()
    left, right = sets[0] or frozenset(), sets[-1] or frozenset()
    for a in left:
        for b in right if len(sets) > 1 else (a,):
            value = computed(operator, (a, b)[: len(sets)], type_)
            if value is None:
                return None
            found.add(value)
    return frozenset(found) if len(found) <= MOST else None


def simplified(expression: Expression, known: Mapping[Variable, Values]) -> Expression:
    """*expression* with the parts evaluated that have one value, if each variable only has those in *known*."""
    values = possible(expression, known)
    if values is not None and len(values) == 1:
        return Number(next(iter(values)), expression.type)
    match expression:
        case Element(array, index):
            return Element(array, simplified(index, known))
        case Convert(operand, type_):
            return convert(simplified(operand, known), type_)
        case Choose(condition, then, otherwise):
            return choose(*(simplified(part, known) for part in (condition, then, otherwise)))
        case Apply(operator, operands, type_):
            return apply(operator, *(simplified(part, known) for part in operands), type_=type_)
    return expression


def substituted(expression: Expression, values: Mapping[Variable, Expression]) -> Expression:
    """*expression* with variables replaced by *values*."""
    match expression:
        case Read(variable):
            return values.get(variable, expression)
        case Element(array, index):
            return Element(array, substituted(index, values))
        case Convert(operand, type_):
            return convert(substituted(operand, values), type_)
        case Choose(condition, then, otherwise):
            return choose(*(substituted(part, values) for part in (condition, then, otherwise)))
        case Apply(operator, operands, type_):
            return apply(operator, *(substituted(part, values) for part in operands), type_=type_)
    return expression
