"""Formulas of Z3 over integers and truth values as C expressions.

The expression has the value of the formula in C's arithmetic, too: sums are computed in `long long`, to which all of
their operands fit. Where that cannot be said in C, there is no expression.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from typing import Any

from cseq.modules.deductive.transitions import BOOL, Array, Scalar, Variable

_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$")
_OPERAND = re.compile(r"[\w.]+(\[\d+\])?$")
_FLIPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "==", "!=": "!="}
_NEGATED = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "==": "!=", "!=": "=="}
_LARGEST_FACTOR = 1 << 24
_LARGEST = (1 << 63) - 1

# Levels of precedence, from the loosest
_CHOICE, _OR, _AND, _EQUALITY, _ORDER, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(9)


class _InexpressibleError(Exception):
    """There is no C expression for a formula."""


def is_expressible(variable: Variable) -> bool:
    """Whether a variable has a name in C, and is a number there as it is here."""
    element = variable.type.element if isinstance(variable.type, Array) else variable.type
    return variable.shown is not None and bool(_NAME.match(variable.shown)) and element.width > 0


def expression(formula: Any, variables: Mapping[str, Variable]) -> str | None:
    """A C expression without side effects that is true where the *formula* is; None if there is none.

    variables: those that may occur in it, by the names of their constants.
    """
    try:
        return _Printer(variables).truth(formula)[0]
    except _InexpressibleError:
        return None


class _Printer:
    """Makes expressions, each with its level of precedence."""

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        self._z3 = importlib.import_module("z3")
        self._variables = variables

    def truth(self, formula: Any) -> tuple[str, int]:
        """The expression for a truth value."""
        z3 = self._z3
        if z3.is_true(formula) or z3.is_false(formula):
            return ("1" if z3.is_true(formula) else "0"), _PRIMARY
        if z3.is_not(formula):
            return self._negation(formula.arg(0))
        if z3.is_and(formula) or z3.is_or(formula):
            sign, level = ("&&", _AND) if z3.is_and(formula) else ("||", _OR)
            # C compilers warn of && in || without parentheses.
            parts = [self._within(self.truth(part), _EQUALITY) for part in formula.children()]
            return f" {sign} ".join(parts), level
        if z3.is_implies(formula):
            return self.truth(z3.Or(z3.Not(formula.arg(0)), formula.arg(1)))
        if z3.is_app_of(formula, z3.Z3_OP_ITE):
            parts = [self._within(self.truth(part), _OR) for part in formula.children()]
            return f"{parts[0]} ? {parts[1]} : {parts[2]}", _CHOICE
        if z3.is_eq(formula) or (z3.is_distinct(formula) and formula.num_args() == 2):
            return self._comparison(formula, "==" if z3.is_eq(formula) else "!=")
        for sign, test in (("<=", z3.is_le), (">=", z3.is_ge), ("<", z3.is_lt), (">", z3.is_gt)):
            if test(formula):
                return self._comparison(formula, sign)
        if z3.is_const(formula) and z3.is_bool(formula):
            return self._variable(formula), _PRIMARY
        raise _InexpressibleError

    @staticmethod
    def _within(part: tuple[str, int], level: int) -> str:
        """The text of a part, in parentheses if it binds less tightly than *level*."""
        text, own = part
        return text if own >= level else f"({text})"

    def _negation(self, formula: Any) -> tuple[str, int]:
        z3 = self._z3
        if z3.is_not(formula):
            return self.truth(formula.arg(0))
        if z3.is_and(formula) or z3.is_or(formula):
            join = z3.Or if z3.is_and(formula) else z3.And
            return self.truth(join(*(z3.Not(part) for part in formula.children())))
        if z3.is_eq(formula):
            return self._comparison(formula, "!=")
        for sign, test in (("<=", z3.is_le), (">=", z3.is_ge), ("<", z3.is_lt), (">", z3.is_gt)):
            if test(formula):
                return self._comparison(formula, _NEGATED[sign])
        return f"!{self._within(self.truth(formula), _UNARY)}", _UNARY

    def _variable(self, constant: Any) -> str:
        variable = self._variables.get(constant.decl().name())
        if variable is None or not is_expressible(variable) or isinstance(variable.type, Array):
            raise _InexpressibleError
        return str(variable.shown)

    def _comparison(self, formula: Any, sign: str) -> tuple[str, int]:
        z3 = self._z3
        left, right = formula.children()
        level = _EQUALITY if sign in ("==", "!=") else _ORDER
        if z3.is_bool(left):
            parts = [self._within(self.truth(part), _SUM) for part in (left, right)]
            return f"{parts[0]} {sign} {parts[1]}", level
        if not z3.is_int(left):
            raise _InexpressibleError
        sum_ = _Sum()
        self._collect(left, 1, sum_)
        self._collect(right, -1, sum_)
        return sum_.compared(sign), level

    def _collect(self, term: Any, factor: int, sum_: _Sum) -> None:
        """Add *factor* times the *term* to a sum."""
        z3 = self._z3
        if z3.is_int_value(term):
            sum_.constant += factor * term.as_long()
        elif z3.is_add(term):
            for part in term.children():
                self._collect(part, factor, sum_)
        elif z3.is_sub(term):
            first, *rest = term.children()
            self._collect(first, factor, sum_)
            for part in rest:
                self._collect(part, -factor, sum_)
        elif z3.is_app_of(term, z3.Z3_OP_UMINUS):
            self._collect(term.arg(0), -factor, sum_)
        elif z3.is_mul(term) and term.num_args() == 2 and z3.is_int_value(first := z3.simplify(term.arg(0))):
            self._collect(term.arg(1), factor * first.as_long(), sum_)
        else:
            text, type_ = self._operand(term)
            sum_.add(text, type_, factor)

    def _operand(self, term: Any) -> tuple[str, Scalar]:
        """A term that is no sum: its text, which binds as tightly as a product, and its type."""
        z3 = self._z3
        if z3.is_const(term):
            variable = self._variables.get(term.decl().name())
            text = self._variable(term)
            assert variable is not None
            assert isinstance(variable.type, Scalar)
            return text, variable.type
        if z3.is_select(term) and z3.is_const(term.arg(0)) and z3.is_int_value(term.arg(1)):
            array = self._variables.get(term.arg(0).decl().name())
            index = term.arg(1).as_long()
            if array is None or not isinstance(array.type, Array) or not is_expressible(array):
                raise _InexpressibleError
            if 0 <= index < array.type.length and array.type.element != BOOL:
                return f"{array.shown}[{index}]", array.type.element
        if (z3.is_mod(term) or z3.is_idiv(term)) and z3.is_int_value(term.arg(1)) and z3.is_const(term.arg(0)):
            text, type_ = self._operand(term.arg(0))
            divisor = term.arg(1).as_long()
            if not type_.signed and 0 < divisor <= type_.greatest:
                return f"{text} {'%' if z3.is_mod(term) else '/'} {divisor}", type_
        raise _InexpressibleError


class _Sum:
    """A sum of operands with factors, and a constant."""

    def __init__(self) -> None:
        self.constant = 0
        self._factors: dict[str, int] = {}
        self._types: dict[str, Scalar] = {}

    def add(self, text: str, type_: Scalar, factor: int) -> None:
        """Add a multiple of an operand."""
        self._factors[text] = self._factors.get(text, 0) + factor
        self._types[text] = type_

    def compared(self, sign: str) -> str:
        """The expression for a comparison of the sum with zero. Raises _InexpressibleError."""
        factors = {text: factor for text, factor in self._factors.items() if factor}
        constant = self.constant
        if not factors:
            raise _InexpressibleError  # it says nothing
        if all(factor < 0 for factor in factors.values()):
            factors = {text: -factor for text, factor in factors.items()}
            constant, sign = -constant, _FLIPPED[sign]
        left = {text: factor for text, factor in factors.items() if factor > 0}
        right = {text: -factor for text, factor in factors.items() if factor < 0}
        if right and (sign, constant) in ((">=", -1), ("<=", 1)):
            sign, constant = sign[0], 0
        if right and (sign, constant) in ((">", 1), ("<", -1)):
            sign, constant = f"{sign}=", 0
        self._check(left, right, sign, constant)
        on_left, on_right = (constant, 0) if right and constant > 0 else (0, -constant)
        return f"{self._side(left, on_left)} {sign} {self._side(right, on_right)}"

    def _check(self, left: Mapping[str, int], right: Mapping[str, int], sign: str, constant: int) -> None:
        """Raises _InexpressibleError if C would compute something else, or the numbers may mean something else."""
        types = [self._types[text] for text in (*left, *right)]
        equates = sign in ("==", "!=") and constant == 0
        if any(type_.width == 64 for type_ in types):
            # An unsigned number of 64 bits may be a pointer, of which only null is known.
            simple = not self._is_sum(left, 0) and not self._is_sum(right, 0) and (not right or constant == 0)
            if not simple or len(set(types)) > 1 or (not types[0].signed and not equates):
                raise _InexpressibleError
        alone = not right and not self._is_sum(left, 0)
        if alone and not types[0].least <= -constant <= types[0].greatest:
            raise _InexpressibleError
        if max(map(abs, (*left.values(), *right.values(), constant // _LARGEST_FACTOR))) > _LARGEST_FACTOR:
            raise _InexpressibleError
        if len(left) + len(right) > 8 or abs(constant) > _LARGEST:
            raise _InexpressibleError

    @staticmethod
    def _is_sum(side: Mapping[str, int], constant: int) -> bool:
        return len(side) + bool(constant) > 1 or any(factor != 1 for factor in side.values())

    def _side(self, side: Mapping[str, int], constant: int) -> str:
        """One side of the comparison."""
        others_differ = len({self._types[text] for text, factor in self._factors.items() if factor}) > 1
        wide = self._is_sum(side, constant) or (side and others_differ and self._needs_width())
        parts = []
        for number, (text, factor) in enumerate(side.items()):
            operand = text if _OPERAND.match(text) or (factor == 1 and not wide) else f"({text})"
            cast = "(long long) " if wide and number == 0 else ""
            parts.append(f"{cast}{operand}" if factor == 1 else f"{factor}LL * {operand}")
        if not side:
            return str(constant)
        if constant:
            parts.append(str(constant))
        return " + ".join(parts).replace("+ -", "- ")

    def _needs_width(self) -> bool:
        """Whether C would convert a signed operand to an unsigned type."""
        types = [self._types[text] for text, factor in self._factors.items() if factor]
        return any(not type_.signed and type_.width >= 32 for type_ in types) and any(type_.signed for type_ in types)
