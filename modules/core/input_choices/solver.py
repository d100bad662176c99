"""Values of inputs with which branches are taken, from the SMT solver Z3.

Each thread's function is executed once, symbolically: the first iteration of each loop, both branches of each `if`,
with inputs as unknowns. For each condition that depends on an input there are two questions: with which values do
executions get here and make it true, and with which false? The answers are values to try, and nothing relies on them.
So what is hard is guessed: memory behind a pointer goes by the text of the expression, what another thread stores in a
shared variable may be there at any time, and anything else is unknown. This is concolic testing (Godefroid, Klarlund
and Sen, PLDI 2005) with all paths before the first execution.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cseq.c import Printer
from cseq.c.symbols import Symbols, basic
from cseq.model.errors import CSeqError
from cseq.modules.analysis import cuts
from cseq.modules.library import lexicon

_EFFORT = 200_000
"""For one question, in the units that Z3 counts: some 50 ms. Time would make the values depend on the load."""
_EFFORT_IN_ALL = 20 * _EFFORT
_COMPARISONS = {"==", "!=", "<", ">", "<=", ">="}
_ENDS = frozenset({lexicon.STOP, lexicon.EXIT})
_WIDTH = 64


def solver() -> Any:
    """The module of Z3; None where it is not installed."""
    try:
        return importlib.import_module("z3")
    except ImportError:
        return None


@dataclass(frozen=True)
class _Value:
    """A term, the C type that it has, and the inputs that it depends on."""

    term: Any
    kind: str
    inputs: frozenset[int] = frozenset()


@dataclass
class _Path:
    """What is known where control stands: the values of places, by their text, and the conditions on the way."""

    values: dict[str, _Value] = field(default_factory=dict)
    conditions: list[Any] = field(default_factory=list)

    def copy(self) -> _Path:
        return _Path(dict(self.values), list(self.conditions))


class Solver:
    """Finds values for inputs.

    sampled: the ids of the assignments whose inputs are sampled. library: the functions of which results are.
    """

    def __init__(self, z3: Any, symbols: Symbols, sampled: Iterable[int], library: Iterable[str]) -> None:
        self._z3 = z3
        self._symbols = symbols
        self._sampled = frozenset(sampled)
        self._library = frozenset(library)
        self._inputs: dict[int, _Value] = {}
        self._stored: dict[str, _Value] = {}
        self._found: dict[int, dict[int, None]] = {}
        self._asked = False
        self._fresh = 0
        self._left = 0

    def solved(self, functions: Sequence[c_ast.FuncDef]) -> Mapping[int, list[int]]:
        """The values for the inputs, by the id of the assignment or call that takes one."""
        self._left = _EFFORT_IN_ALL
        for self._asked in (False, True):  # first for what the functions store in shared variables
            for function in functions:
                self._block(function.body.block_items or [], _Path())
        return {number: list(values) for number, values in self._found.items()}

    # Statements

    def _block(self, nodes: Sequence[c_ast.Node], path: _Path) -> bool:
        """Execute statements; returns whether control may get past them."""
        return all(self._statement(node, path) for node in nodes)

    def _statement(self, node: Any, path: _Path) -> bool:
        match node:
            case c_ast.Compound():
                return self._block(node.block_items or [], path)
            case c_ast.Label():
                return self._statement(node.stmt, path)
            case c_ast.Assignment():
                self._assign(node, path)
            case c_ast.If():
                return self._branch(node, path)
            case c_ast.While():
                self._loop(node, path)
            case c_ast.FuncCall(name=c_ast.ID(name=lexicon.ASSUME | lexicon.ASSERT | cuts.UNWOUND)):
                path.conditions.append(self._ask(self._value(node.args.exprs[0], path), path))
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name in _ENDS:
                return False
            case c_ast.Return() | c_ast.Goto():
                return False
        return True

    def _assign(self, node: c_ast.Assignment, path: _Path) -> None:
        place, kind, value = Printer().visit(node.lvalue), self._kind(node.lvalue), None
        if kind is not None and node.op == "=":
            is_call = isinstance(node.rvalue, c_ast.FuncCall)
            value = self._input(node, kind) if is_call else self._value(node.rvalue, path)
        if value is None or kind is None:
            path.values.pop(place, None)
            return
        path.values[place] = value = self._converted(value, kind)
        if value.inputs and self._root(node.lvalue) not in self._symbols.locals:
            self._stored[place] = value

    def _input(self, node: Any, kind: str) -> _Value | None:
        name = node.rvalue.name.name
        if id(node) not in self._sampled and name not in self._library:
            return None
        if id(node) not in self._inputs:
            type_ = lexicon.NONDET_TYPES.get(name.removeprefix(lexicon.NONDET), kind)
            if self._bits(type_) is None:
                return None
            self._inputs[id(node)] = _Value(
                self._z3.BitVec(f"input{len(self._inputs)}", self._bits(type_)), type_, frozenset({id(node)})
            )
        return self._inputs[id(node)]

    def _branch(self, node: c_ast.If, path: _Path) -> bool:
        holds = self._ask(self._value(node.cond, path), path)
        one, other = path.copy(), path.copy()
        one.conditions.append(holds)
        other.conditions.append(self._z3.Not(holds))
        first = self._statement(node.iftrue, one)
        second = node.iffalse is None or self._statement(node.iffalse, other)
        if first != second:
            left = one if first else other
            path.values, path.conditions = left.values, left.conditions
        elif first:
            path.values = {
                place: self._either(holds, value, other.values[place])
                for place, value in one.values.items()
                if place in other.values
            }
        return first or second

    def _either(self, holds: Any, one: _Value, other: _Value) -> _Value:
        if one is other:
            return one
        other = self._converted(other, one.kind)
        return _Value(self._z3.If(holds, one.term, other.term), one.kind, one.inputs | other.inputs)

    def _loop(self, node: c_ast.While, path: _Path) -> None:
        inside = path.copy()
        inside.conditions.append(self._ask(self._value(node.cond, inside), inside))
        self._statement(node.stmt, inside)
        for place in [place for place, value in path.values.items() if inside.values.get(place) is not value]:
            del path.values[place]

    # Questions

    def _ask(self, cond: _Value, path: _Path) -> Any:
        """The condition as a formula; notes values of the inputs with which it holds, and does not."""
        formula = cond.term != 0
        for wanted in (formula, self._z3.Not(formula)) if cond.inputs and self._asked else ():
            if self._left <= 0:
                break
            check = self._z3.Solver()
            check.set("rlimit", _EFFORT)
            check.add(*path.conditions, wanted)
            before = self._effort(check)
            if check.check() == self._z3.sat:
                model = check.model()
                for number in cond.inputs:
                    self._note(number, model)
            self._left -= self._effort(check) - before
        return formula

    @staticmethod
    def _effort(solver: Any) -> int:
        """What Z3 has counted in this process so far."""
        return int(solver.statistics().get_key_value("rlimit count"))

    def _note(self, number: int, model: Any) -> None:
        value = self._inputs[number]
        found = model.eval(value.term, model_completion=True)
        known = found.as_long() if _is_unsigned(value.kind) else found.as_signed_long()
        self._found.setdefault(number, {})[known] = None

    # Expressions

    def _value(self, node: Any, path: _Path) -> _Value:
        """The value of an expression; an unknown one where it is nothing that the solver knows."""
        try:
            return self._known(node, path) or self._unknown(self._kind(node) or "long")
        except CSeqError:  # an expression without a type of its own
            return self._unknown("long")

    def _known(self, node: Any, path: _Path) -> _Value | None:
        number = self._symbols.constant_or_none(node)
        kind = self._kind(node)
        if kind is None:
            return None
        if number is not None:
            return _Value(self._z3.BitVecVal(number, self._bits(kind)), kind)
        match node:
            case c_ast.ID() | c_ast.StructRef() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*"):
                return self._read(node, kind, path)
            case c_ast.Cast():
                return self._converted(self._value(node.expr, path), kind)
            case c_ast.UnaryOp(op="-" | "~" | "+" | "!"):
                return self._unary(node, kind, path)
            case c_ast.TernaryOp():
                cond = self._value(node.cond, path)
                one, other = (self._converted(self._value(each, path), kind) for each in (node.iftrue, node.iffalse))
                term = self._z3.If(cond.term != 0, one.term, other.term)
                return _Value(term, kind, cond.inputs | one.inputs | other.inputs)
            case c_ast.BinaryOp():
                return self._binary(node, kind, path)
        return None

    def _read(self, node: c_ast.Node, kind: str, path: _Path) -> _Value:
        place = Printer().visit(node)
        if place not in path.values:
            path.values[place] = self._unknown(kind)
        value, stored = path.values[place], self._stored.get(place)
        if stored is None or stored.kind != kind or stored.inputs <= value.inputs:
            return value
        self._fresh += 1  # another thread may have stored its value
        came_between = self._z3.Bool(f"between{self._fresh}")
        return _Value(self._z3.If(came_between, stored.term, value.term), kind, stored.inputs | value.inputs)

    def _unary(self, node: c_ast.UnaryOp, kind: str, path: _Path) -> _Value:
        value = self._value(node.expr, path)
        if node.op == "!":
            return self._truth(value.term == 0, value.inputs)
        value = self._converted(value, kind)
        term = {"-": -value.term, "~": ~value.term, "+": value.term}[node.op]
        return _Value(term, kind, value.inputs)

    def _binary(self, node: c_ast.BinaryOp, kind: str, path: _Path) -> _Value | None:
        z3, op = self._z3, node.op
        one, other = self._value(node.left, path), self._value(node.right, path)
        inputs = one.inputs | other.inputs
        if op in ("&&", "||"):
            join = z3.And if op == "&&" else z3.Or
            return self._truth(join(one.term != 0, other.term != 0), inputs)
        if op in _COMPARISONS:
            kind = self._symbols.arithmetic(self._symbols.usual(basic(one.kind), basic(other.kind))) or "long"
        if self._bits(kind) is None:
            return None
        left, right = self._converted(one, kind).term, self._converted(other, kind).term
        unsigned = _is_unsigned(kind)
        if op in _COMPARISONS:
            less = {"<": z3.ULT, ">": z3.UGT, "<=": z3.ULE, ">=": z3.UGE}
            if unsigned and op in less:
                return self._truth(less[op](left, right), inputs)
            signed = {"==": left == right, "!=": left != right, "<": left < right, ">": left > right,
                      "<=": left <= right, ">=": left >= right}  # fmt: skip
            return self._truth(signed[op], inputs)
        terms = {
            "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
            "&": lambda: left & right, "|": lambda: left | right, "^": lambda: left ^ right,
            "/": lambda: z3.UDiv(left, right) if unsigned else left / right,
            "%": lambda: z3.URem(left, right) if unsigned else z3.SRem(left, right),
            "<<": lambda: left << right, ">>": lambda: z3.LShR(left, right) if unsigned else left >> right,
        }  # fmt: skip
        return _Value(terms[op](), kind, inputs) if op in terms else None

    def _truth(self, holds: Any, inputs: frozenset[int]) -> _Value:
        bits = self._bits("int")
        return _Value(self._z3.If(holds, self._z3.BitVecVal(1, bits), self._z3.BitVecVal(0, bits)), "int", inputs)

    def _unknown(self, kind: str) -> _Value:
        self._fresh += 1
        return _Value(self._z3.BitVec(f"unknown{self._fresh}", self._bits(kind) or _WIDTH), kind)

    def _converted(self, value: _Value, kind: str) -> _Value:
        """*value* in the type *kind*."""
        if kind == "_Bool":
            truth = self._truth(value.term != 0, value.inputs)
            return _Value(self._z3.Extract(7, 0, truth.term), kind, value.inputs)
        now, wanted = value.term.size(), self._bits(kind) or _WIDTH
        if wanted < now:
            return _Value(self._z3.Extract(wanted - 1, 0, value.term), kind, value.inputs)
        if wanted > now:
            extend = self._z3.ZeroExt if _is_unsigned(value.kind) else self._z3.SignExt
            return _Value(extend(wanted - now, value.term), kind, value.inputs)
        return _Value(value.term, kind, value.inputs)

    # Types

    def _kind(self, node: c_ast.Node) -> str | None:
        """The name of the integer type of an expression; None for other types."""
        kind = self._symbols.arithmetic(self._symbols.value_type(node))
        return kind if kind is not None and self._bits(kind) is not None else None

    def _bits(self, kind: str) -> int | None:
        if kind in ("void", "void *", "float", "double", "long double") or kind.endswith("__int128"):
            return None
        return 8 * int(self._symbols.model.size(kind))

    @staticmethod
    def _root(place: Any) -> str | None:
        """The variable that *place* is, or is a part of; None for what a pointer leads to."""
        while not isinstance(place, c_ast.ID):
            if isinstance(place, (c_ast.ArrayRef, c_ast.StructRef)) and getattr(place, "type", ".") == ".":
                place = place.name
            else:
                return None
        return str(place.name)


def _is_unsigned(kind: str) -> bool:
    return kind.startswith("unsigned") or kind == "_Bool"
