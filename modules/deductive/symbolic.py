"""What edges do, as terms of Z3 over integers (`Arithmetic.EXACT` or `Arithmetic.WRAPPING`)."""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.proofs import Arithmetic

Term = Any
"""A term of Z3, whose package has no types."""
Store = dict[str, Term]
"""The values of variables, by name: `Bool` for `BOOL`, `Int` otherwise, and arrays of these."""


@dataclass
class EdgeEffect:
    """What an edge does in a state.

    after: the values of shared variables and the thread's locals after it. holds: the terms that hold if it is taken
    and nothing goes wrong, in the order in which they come up. owed: what has to hold or else it goes wrong, each with
    the number of terms in *holds* that came up before it. created: the threads that it begins: their templates, and
    the values of their locals.
    """

    after: Store
    holds: list[Term] = field(default_factory=list)
    owed: list[tuple[int, Term]] = field(default_factory=list)
    created: list[tuple[str, Store]] = field(default_factory=list)


class Executor:
    """Executes edges on terms. It makes up symbols, each but once."""

    def __init__(self, system: ts.System, arithmetic: Arithmetic) -> None:
        self._z3 = importlib.import_module("z3")
        self._system = system
        self._exact = arithmetic is Arithmetic.EXACT
        if arithmetic is Arithmetic.BITS:
            raise UnsupportedError("bit-vectors in invariants of counters")
        self._made = 0

    def symbols(self, variables: Iterable[ts.Variable], suffix: str = "") -> Store:
        """The variables with any value of their types (`within` says so), as symbols of their names and *suffix*."""
        return {variable.name: self._symbol(variable.name + suffix, variable.type) for variable in variables}

    def within(self, variables: Iterable[ts.Variable], store: Store) -> list[Term]:
        """That the values of scalars are within their types."""
        ranges = []
        for variable in variables:
            if isinstance(variable.type, ts.Scalar) and _is_bounded(variable.type):
                ranges.append(self._is_within(store[variable.name], variable.type))
        return ranges

    def beginning(self, store: Store) -> list[Term]:
        """That shared variables have their initial values."""
        terms = []
        for variable in self._system.shared:
            value = self._system.initial.get(variable.name)
            if value is None:
                continue
            if isinstance(variable.type, ts.Scalar):
                assert isinstance(value, int)
                terms.append(store[variable.name] == self._literal(value, variable.type))
            else:
                values = value if isinstance(value, tuple) else (value,) * variable.type.length
                if len(set(values)) == 1:
                    literal = self._literal(values[0], variable.type.element)
                    terms.append(store[variable.name] == self._z3.K(self._z3.IntSort(), literal))
                    continue
                for index, element in enumerate(values):
                    literal = self._literal(element, variable.type.element)
                    terms.append(self._z3.Select(store[variable.name], index) == literal)
        return terms

    def step(self, template: ts.Template, edge: ts.Edge, before: Store) -> EdgeEffect:
        """Execute an edge in the state *before*, which has values of shared variables and of the template's locals."""
        step = EdgeEffect(dict(before))
        for action in edge.actions:
            self._act(action, step)
        return step

    def integer(self, term: Term) -> Term:
        """A term as an integer: 0 or 1 if it is a truth value."""
        return self._z3.If(term, self._z3.IntVal(1), self._z3.IntVal(0)) if self._z3.is_bool(term) else term

    def _act(self, action: ts.Action, step: EdgeEffect) -> None:
        match action:
            case ts.Assign(target, value):
                self._store(target, self._stored(value, step), step)
            case ts.Havoc(target):
                self._store(target, self._any(target.type, step), step)
            case ts.Assume(condition):
                step.holds.append(self._value(condition, step))
            case ts.Check(condition):
                self._owe(self._value(condition, step), step)
            case ts.Create(name, arguments):
                self._create(self._system.template(name), arguments, step)

    def _create(
        self, template: ts.Template, arguments: tuple[tuple[ts.Variable, ts.Expression], ...], step: EdgeEffect
    ) -> None:
        self._made += 1
        locals_ = self.symbols(template.locals, f"!{self._made}")
        step.holds += self.within(template.locals, locals_)
        for variable, expression in arguments:
            locals_[variable.name] = self._value(expression, step)
        step.created.append((template.name, locals_))

    def _store(self, target: ts.Read | ts.Element, value: Term, step: EdgeEffect) -> None:
        if isinstance(target, ts.Read):
            step.after[target.variable.name] = value
        else:
            index = self.integer(self._value(target.index, step))
            name = target.array.name
            step.after[name] = self._z3.Store(step.after[name], index, value)

    def _stored(self, expression: ts.Expression, step: EdgeEffect) -> Term:
        """A value that is only stored: any, if it has gone wrong, since that need not matter."""
        owed, held = len(step.owed), len(step.holds)
        value = self._value(expression, step)
        conditions = [condition for _, condition in step.owed[owed:]]
        if not conditions:
            return value
        del step.owed[owed:]
        step.holds[held:] = [term for term in step.holds[held:] if not any(term is owed for owed in conditions)]
        return self._z3.If(self._z3.And(*conditions), value, self._any(expression.type, step))

    def _owe(self, condition: Term, step: EdgeEffect) -> None:
        step.owed.append((len(step.holds), condition))
        step.holds.append(condition)

    def _any(self, type_: ts.Scalar, step: EdgeEffect) -> Term:
        self._made += 1
        symbol = self._symbol(f"any!{self._made}", type_)
        if _is_bounded(type_):
            step.holds.append(self._is_within(symbol, type_))
        return symbol

    def _value(self, expression: ts.Expression, step: EdgeEffect) -> Term:
        z3 = self._z3
        match expression:
            case ts.Number(value, type_):
                return self._literal(value, type_)
            case ts.Read(variable):
                return step.after[variable.name]
            case ts.Element(array, index):
                term = z3.Select(step.after[array.name], self.integer(self._value(index, step)))
                if _is_bounded(expression.type):
                    step.holds.append(self._is_within(term, expression.type))
                return term
            case ts.Choose(condition, then, otherwise):
                return z3.If(*(self._value(part, step) for part in (condition, then, otherwise)))
            case ts.Convert(operand, type_):
                return self._converted(operand, type_, step)
            case ts.Apply(operator, operands, type_):
                return self._applied(operator, operands, type_, step)

    def _converted(self, operand: ts.Expression, type_: ts.Scalar, step: EdgeEffect) -> Term:
        value = self._value(operand, step)
        if type_ == ts.BOOL:
            return value if operand.type == ts.BOOL else value != 0
        value = self.integer(value)
        if type_.contains(operand.type):
            return value
        return self._fitted(value, type_, step)

    def _fitted(self, value: Term, type_: ts.Scalar, step: EdgeEffect) -> Term:
        """A mathematical result in its type."""
        if not _is_bounded(type_):
            return value
        if self._exact:
            self._owe(self._is_within(value, type_), step)
            return value
        size = 1 << type_.width
        wrapped = (value - type_.least) % size + type_.least
        return self._z3.If(self._is_within(value, type_), value, wrapped)

    def _applied(
        self, operator: ts.Operator, operands: tuple[ts.Expression, ...], type_: ts.Scalar, step: EdgeEffect
    ) -> Term:
        z3 = self._z3
        values = [self._value(operand, step) for operand in operands]
        if operator is ts.Operator.NOT:
            return z3.Not(values[0])
        if operator in (ts.Operator.AND, ts.Operator.OR):
            return (z3.And if operator is ts.Operator.AND else z3.Or)(*values)
        if operator in (ts.Operator.EQ, ts.Operator.NE):
            return values[0] == values[1] if operator is ts.Operator.EQ else values[0] != values[1]
        if type_ == ts.BOOL and operator in (ts.Operator.BIT_AND, ts.Operator.BIT_OR, ts.Operator.BIT_XOR):
            return {ts.Operator.BIT_AND: z3.And, ts.Operator.BIT_OR: z3.Or, ts.Operator.BIT_XOR: z3.Xor}[operator](
                *values
            )
        if type_ == ts.BOOL and not operator.compares:
            raise UnsupportedError(f"arithmetic of truth values by {operator.value}")
        values = [self.integer(value) for value in values]
        match operator, values:
            case ts.Operator.LT, [left, right]:
                return left < right
            case ts.Operator.LE, [left, right]:
                return left <= right
            case ts.Operator.GT, [left, right]:
                return left > right
            case ts.Operator.GE, [left, right]:
                return left >= right
            case ts.Operator.ADD, [left, right]:
                return self._fitted(left + right, type_, step)
            case ts.Operator.SUB, [left, right]:
                return self._fitted(left - right, type_, step)
            case ts.Operator.MUL, [left, right]:
                return self._fitted(left * right, type_, step)
            case ts.Operator.NEG, [value]:
                return self._fitted(-value, type_, step)
            case ts.Operator.DIV, [left, right]:
                return self._fitted(self._quotient(left, right), type_, step)
            case ts.Operator.REM, [left, right]:
                return self._fitted(left - right * self._quotient(left, right), type_, step)
            case _:
                return self._bits(operator, operands, values, type_, step)

    def _quotient(self, left: Term, right: Term) -> Term:
        """C's quotient: truncated, where that of SMT-LIB has a remainder that is never negative."""
        z3 = self._z3
        if z3.is_int_value(right) and right.as_long() > 0:
            return z3.If(left >= 0, left / right, -((-left) / right))
        size = z3.If(right >= 0, right, -right)
        quotient = z3.If(left >= 0, left, -left) / size
        return z3.If((left >= 0) == (right >= 0), quotient, -quotient)

    def _bits(
        self,
        operator: ts.Operator,
        operands: tuple[ts.Expression, ...],
        values: list[Term],
        type_: ts.Scalar,
        step: EdgeEffect,
    ) -> Term:
        """Operators on bits: exact where a constant makes them arithmetic, else any value of their type."""
        right = operands[-1].value if isinstance(operands[-1], ts.Number) else None
        if operator is ts.Operator.BIT_NOT:
            return -values[0] - 1 if type_.signed else type_.greatest - values[0]
        if right is not None and 0 <= right < type_.width and operator is ts.Operator.SHL:
            return self._fitted(values[0] * (1 << right), type_, step)
        if right is not None and 0 <= right < type_.width and operator is ts.Operator.SHR:
            return values[0] / (1 << right)
        if right is not None and right >= 0 and right & (right + 1) == 0 and operator is ts.Operator.BIT_AND:
            return values[0] % (right + 1)
        if operator is ts.Operator.SHL and self._exact:
            self._owe(self._z3.BoolVal(False), step)
        return self._any(type_, step)

    def _is_within(self, term: Term, type_: ts.Scalar) -> Term:
        return self._z3.And(term >= type_.least, term <= type_.greatest)

    def _literal(self, value: int, type_: ts.Scalar) -> Term:
        return self._z3.BoolVal(bool(value)) if type_ == ts.BOOL else self._z3.IntVal(value)

    def _symbol(self, name: str, type_: ts.Scalar | ts.Array) -> Term:
        z3 = self._z3
        if isinstance(type_, ts.Array):
            return z3.Array(name, z3.IntSort(), z3.BoolSort() if type_.element == ts.BOOL else z3.IntSort())
        return z3.Bool(name) if type_ == ts.BOOL else z3.Int(name)


def conjunction(terms: list[Term]) -> Term:
    """`And` of truth values. That of Z3's package asks for the sort of each operand, which takes most of the time."""
    z3 = importlib.import_module("z3")
    if not terms:
        return z3.BoolVal(True)
    context = terms[0].ctx
    operands = (z3.Ast * len(terms))(*(term.ast for term in terms))
    return z3.BoolRef(z3.Z3_mk_and(context.ref(), len(terms), operands), context)


def _is_bounded(type_: ts.Scalar) -> bool:
    """Whether there are integers that are not within a type."""
    return type_.width != 0 and type_ != ts.BOOL
