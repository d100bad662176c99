"""Expressions of transition systems, made with the constants in them evaluated."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from cseq.c import integer_operators
from cseq.modules.deductive import transitions as ts

TRUE = ts.Number(1, ts.BOOL)
FALSE = ts.Number(0, ts.BOOL)

_OPPOSITE = {
    ts.Operator.EQ: ts.Operator.NE, ts.Operator.NE: ts.Operator.EQ, ts.Operator.LT: ts.Operator.GE,
    ts.Operator.GE: ts.Operator.LT,
    ts.Operator.LE: ts.Operator.GT, ts.Operator.GT: ts.Operator.LE,
}  # fmt: skip


def converted(value: int, type_: ts.Scalar) -> int:
    """*value* converted to *type_*: modulo 2^width; to `BOOL`, whether it differs from zero."""
    return integer_operators.converted(value, type_.width, type_.signed)


def computed(operator: ts.Operator, values: Sequence[int], type_: ts.Scalar) -> int | None:
    """The result of *operator*, in *type_*; None where it has none, such as that of a division by zero."""
    if len(values) == 1:
        sign = "-" if operator is ts.Operator.NEG else operator.value
        return integer_operators.inverted(sign, values[0], type_.width, type_.signed)
    left, right = values
    return integer_operators.computed(operator.value, left, right, type_.width, type_.signed)


# Constructors


def apply(operator: ts.Operator, *operands: ts.Expression, type_: ts.Scalar | None = None) -> ts.Expression:
    """The operator applied to *operands*, simplified. type_: of the result; by default that of the operands."""
    result = ts.BOOL if operator.compares or operator.connects else type_ or operands[0].type
    if operator is ts.Operator.NOT:
        return negation(operands[0])
    if operator is ts.Operator.AND:
        return conjunction(operands)
    if operator is ts.Operator.OR:
        return negation(conjunction(map(negation, operands)))
    values = [operand.value for operand in operands if isinstance(operand, ts.Number)]
    if len(values) == len(operands):
        value = computed(operator, tuple(values), result)
        if value is not None:
            return ts.Number(value, result)
    if operator.compares:
        return _comparison(operator, operands[0], operands[1])
    if len(operands) == 2:
        left, right = operands
        if operator in (ts.Operator.ADD, ts.Operator.BIT_OR, ts.Operator.BIT_XOR) and _is(left, 0):
            return right
        if operator in (ts.Operator.ADD, ts.Operator.SUB, ts.Operator.BIT_OR, ts.Operator.BIT_XOR) and _is(right, 0):
            return left
        if operator is ts.Operator.MUL and (_is(left, 0) or _is(right, 0)):
            return ts.Number(0, result)
        if operator in (ts.Operator.MUL, ts.Operator.DIV) and _is(right, 1):
            return left
        if operator is ts.Operator.MUL and _is(left, 1):
            return right
    return ts.Apply(operator, tuple(operands), result)


def _is(expression: ts.Expression, value: int) -> bool:
    return isinstance(expression, ts.Number) and expression.value == value


def _comparison(operator: ts.Operator, left: ts.Expression, right: ts.Expression) -> ts.Expression:
    if isinstance(left, ts.Number) and not isinstance(right, ts.Number):
        mirrored = {
            ts.Operator.LT: ts.Operator.GT, ts.Operator.GT: ts.Operator.LT, ts.Operator.LE: ts.Operator.GE,
            ts.Operator.GE: ts.Operator.LE,
        }  # fmt: skip
        return _comparison(mirrored.get(operator, operator), right, left)
    if left == right and not isinstance(left, ts.Element):
        return ts.Number(int(operator in (ts.Operator.EQ, ts.Operator.LE, ts.Operator.GE)), ts.BOOL)
    if isinstance(right, ts.Number) and isinstance(left, ts.Convert) and left.operand.type == ts.BOOL:
        outcomes = [computed(operator, (value, right.value), ts.BOOL) for value in (0, 1)]
        return {(0, 0): FALSE, (1, 1): TRUE, (0, 1): left.operand, (1, 0): negation(left.operand)}[tuple(outcomes)]  # type: ignore[index]
    if left.type == ts.BOOL and isinstance(right, ts.Number):
        outcomes = [computed(operator, (value, right.value), ts.BOOL) for value in (0, 1)]
        return {(0, 0): FALSE, (1, 1): TRUE, (0, 1): left, (1, 0): negation(left)}[tuple(outcomes)]  # type: ignore[index]
    return ts.Apply(operator, (left, right), ts.BOOL)


def negation(condition: ts.Expression) -> ts.Expression:
    """The condition that *condition* does not hold."""
    match condition:
        case ts.Number(value):
            return ts.Number(int(not value), ts.BOOL)
        case ts.Apply(ts.Operator.NOT, (inner,)):
            return inner
        case ts.Apply(operator, operands) if operator in _OPPOSITE:
            return ts.Apply(_OPPOSITE[operator], operands, ts.BOOL)
        case ts.Apply(ts.Operator.AND, operands):
            return ts.Apply(ts.Operator.OR, tuple(map(negation, operands)), ts.BOOL)
        case ts.Apply(ts.Operator.OR, operands):
            return ts.Apply(ts.Operator.AND, tuple(map(negation, operands)), ts.BOOL)
    return ts.Apply(ts.Operator.NOT, (condition,), ts.BOOL)


def conjunction(conditions: Iterable[ts.Expression]) -> ts.Expression:
    """The condition that all of *conditions* hold."""
    found: list[ts.Expression] = []
    for condition in conditions:
        for part in (
            condition.operands
            if isinstance(condition, ts.Apply) and condition.operator is ts.Operator.AND
            else [condition]
        ):
            if part == FALSE or negation(part) in found:
                return FALSE
            if part != TRUE and part not in found:
                found.append(part)
    if not found:
        return TRUE
    result = found[-1]
    for part in reversed(found[:-1]):
        result = ts.Apply(ts.Operator.AND, (part, result), ts.BOOL)
    return result


def disjunction(conditions: Iterable[ts.Expression]) -> ts.Expression:
    """The condition that one of *conditions* holds."""
    return negation(conjunction(map(negation, conditions)))


def implication(premise: ts.Expression, conclusion: ts.Expression) -> ts.Expression:
    """The condition that *conclusion* holds if *premise* does."""
    return disjunction([negation(premise), conclusion])


def convert(operand: ts.Expression, type_: ts.Scalar) -> ts.Expression:
    """The operand converted to *type_*."""
    if operand.type == type_:
        return operand
    if isinstance(operand, ts.Number):
        return ts.Number(converted(operand.value, type_), type_)
    if type_ == ts.BOOL:
        return apply(ts.Operator.NE, operand, ts.Number(0, operand.type))
    if isinstance(operand, ts.Convert) and operand.type.contains(operand.operand.type):
        return convert(operand.operand, type_)  # the inner conversion changes no value
    return ts.Convert(operand, type_)


def choose(condition: ts.Expression, then: ts.Expression, otherwise: ts.Expression) -> ts.Expression:
    """`condition ? then : otherwise`."""
    if isinstance(condition, ts.Number):
        return then if condition.value else otherwise
    if otherwise in (convert(condition, then.type), convert(negation(condition), then.type)):
        otherwise = ts.Number(int(otherwise != convert(condition, then.type)), then.type)
    if then == otherwise:
        return then
    truths = [_condition(value) for value in (then, otherwise)]
    if then.type != ts.BOOL and truths[0] is not None and truths[1] is not None:
        return convert(choose(condition, truths[0], truths[1]), then.type)
    if then.type == ts.BOOL and isinstance(otherwise, ts.Number):
        return disjunction([negation(condition), then]) if otherwise.value else conjunction([condition, then])
    if then.type == ts.BOOL and isinstance(then, ts.Number):
        return disjunction([condition, otherwise]) if then.value else conjunction([negation(condition), otherwise])
    return ts.Choose(condition, then, otherwise)


def _condition(value: ts.Expression) -> ts.Expression | None:
    """The condition that *value* is 1 rather than 0, if it is always one of these."""
    if isinstance(value, ts.Number):
        return ts.Number(value.value, ts.BOOL) if value.value in (0, 1) else None
    return value.operand if isinstance(value, ts.Convert) and value.operand.type == ts.BOOL else None


def equal(left: ts.Expression, right: ts.Expression) -> ts.Expression:
    """The condition that two values of one type are equal."""
    return apply(ts.Operator.EQ, left, right)


# What is known of values

Values = frozenset[int] | None
"""The values that something may have; None if they are too many, or unknown."""

MOST = 12
"""The maximum number of values that are told apart."""


_MOST_TRIED = 64


def _tried(expression: ts.Expression, known: Mapping[ts.Variable, Values]) -> Values:
    """The values that a condition may have, found by trying all values of its variables; None if that is too much."""
    variables = list(dict.fromkeys(ts.read(expression)))
    sets = [known.get(variable) for variable in variables]
    if any(values is None for values in sets) or any(isinstance(variable.type, ts.Array) for variable in variables):
        return None
    if prod(len(values or ()) for values in sets) > _MOST_TRIED:
        return None
    found: set[int] = set()
    for choice in product(*(values or () for values in sets)):
        tried = substituted(
            expression,
            {one: ts.Number(value, one.type) for one, value in zip(variables, choice, strict=True)},  # type: ignore[arg-type]
        )
        if not isinstance(tried, ts.Number):
            return None
        found.add(tried.value)
    return frozenset(found)


def _decided(operator: ts.Operator, expression: ts.Expression, known: Mapping[ts.Variable, Values]) -> bool:
    """Whether those parts of a conjunction or disjunction decide it whose variables have few values."""

    def flat(part: ts.Expression) -> list[ts.Expression]:
        same = isinstance(part, ts.Apply) and part.operator is operator
        return [inner for one in part.operands for inner in flat(one)] if same else [part]  # type: ignore[union-attr]

    parts_ = [part for part in flat(expression) if all(known.get(one) is not None for one in ts.read(part))]
    if not parts_:
        return False
    together = conjunction(parts_) if operator is ts.Operator.AND else disjunction(parts_)
    decides = int(operator is ts.Operator.OR)
    return together == ts.Number(decides, ts.BOOL) or _tried(together, known) == frozenset({decides})


def possible(expression: ts.Expression, known: Mapping[ts.Variable, Values]) -> Values:
    """The values that *expression* may have, if each variable only has those in *known*. No values: it has none yet."""
    match expression:
        case ts.Number(value):
            return frozenset({value})
        case ts.Read(variable) | ts.Element(array=variable):
            return known.get(variable)
        case ts.Convert(operand, type_):
            values = possible(operand, known)
            return None if values is None else frozenset(converted(value, type_) for value in values)
        case ts.Choose(condition, then, otherwise):
            which = possible(condition, known)
            found: set[int] = set()
            for value, part in ((1, then), (0, otherwise)):
                if which is None or value in which:
                    more = possible(part, known)
                    if more is None:
                        return None
                    found |= more
            return frozenset(found) if len(found) <= MOST else None
        case ts.Apply(ts.Operator.AND | ts.Operator.OR as operator, _, _) if _decided(operator, expression, known):
            return frozenset({int(operator is ts.Operator.OR)})
        case ts.Apply(operator, operands, type_):
            found_ = _applied(operator, [possible(operand, known) for operand in operands], type_)
            if type_ == ts.BOOL and found_ == frozenset({0, 1}):
                tried = _tried(expression, known)
                return found_ if tried is None else tried
            return found_
    raise AssertionError(expression)


def _applied(operator: ts.Operator, sets: list[Values], type_: ts.Scalar) -> Values:
    if operator in (ts.Operator.AND, ts.Operator.OR):
        decides = int(operator is ts.Operator.OR)
        if any(values == frozenset({decides}) for values in sets):
            return frozenset({decides})
    if any(values is None for values in sets):
        return frozenset({0, 1}) if type_ == ts.BOOL else None
    found: set[int] = set()
    left, right = sets[0] or frozenset(), sets[-1] or frozenset()
    for a in left:
        for b in right if len(sets) > 1 else (a,):
            value = computed(operator, (a, b)[: len(sets)], type_)
            if value is None:
                return None
            found.add(value)
    return frozenset(found) if len(found) <= MOST else None


def simplified(expression: ts.Expression, known: Mapping[ts.Variable, Values]) -> ts.Expression:
    """*expression* with the parts evaluated that have one value, if each variable only has those in *known*."""
    values = possible(expression, known)
    if values is not None and len(values) == 1:
        return ts.Number(next(iter(values)), expression.type)
    match expression:
        case ts.Element(array, index):
            return ts.Element(array, simplified(index, known))
        case ts.Convert(operand, type_):
            return convert(simplified(operand, known), type_)
        case ts.Choose(condition, then, otherwise):
            return choose(*(simplified(part, known) for part in (condition, then, otherwise)))
        case ts.Apply(operator, operands, type_):
            return apply(operator, *(simplified(part, known) for part in operands), type_=type_)
    return expression


def substituted(expression: ts.Expression, values: Mapping[ts.Variable, ts.Expression]) -> ts.Expression:
    """*expression* with variables replaced by *values*."""
    match expression:
        case ts.Read(variable):
            return values.get(variable, expression)
        case ts.Element(array, index):
            return ts.Element(array, substituted(index, values))
        case ts.Convert(operand, type_):
            return convert(substituted(operand, values), type_)
        case ts.Choose(condition, then, otherwise):
            return choose(*(substituted(part, values) for part in (condition, then, otherwise)))
        case ts.Apply(operator, operands, type_):
            return apply(operator, *(substituted(part, values) for part in operands), type_=type_)
    return expression
