"""Formulas of SMT-LIB that come from outside: read strictly, so that nothing but a formula gets to a solver."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_TOKEN = re.compile(r"\s*(?:([()])|\|([^|\\]*)\||([^\s()|;\"]+))")
_NUMERAL = re.compile(r"[0-9]+$|#x[0-9a-fA-F]+$|#b[01]+$")
_INDEX = re.compile(r"[0-9]+$")
_VECTOR = re.compile(r"bv[0-9]+$")
_DEPTH = 400  # nested parentheses

_CORE = "true false not and or xor => = distinct ite"
_INTEGERS = "+ - * div mod abs < <= > >="
_ARRAYS = "select store"
_BITS = """
    concat bvnot bvneg bvand bvor bvxor bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr
    bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge bv2nat ubv_to_int sbv_to_int"""
_OPERATORS = frozenset(f"{_CORE} {_INTEGERS} {_ARRAYS} {_BITS}".split())
_INDEXED = {
    "extract": 2, "zero_extend": 1, "sign_extend": 1, "rotate_left": 1, "rotate_right": 1, "int2bv": 1, "int_to_bv": 1,
}  # fmt: skip


class MalformedError(Exception):
    """A text is no formula over the parameters that it may use."""


@dataclass(frozen=True)
class Atom:
    """A symbol or a number."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Group:
    """What stands in a pair of parentheses."""

    items: tuple[Term, ...]

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


Term = Atom | Group


def parsed(text: str) -> Term:
    """The one s-expression in *text*. Raises MalformedError if it is not one; comments and strings are not accepted."""
    open_: list[list[Term]] = [[]]
    position = 0
    end = len(text.rstrip())
    while position < end:
        found = _TOKEN.match(text, position)
        if found is None:
            raise MalformedError(f"unexpected text {text[position : position + 20]!r}")
        position = found.end()
        if found.group(1) == "(":
            open_.append([])
            if len(open_) > _DEPTH:
                raise MalformedError("nested too deeply")
        elif found.group(1) == ")":
            if len(open_) == 1:
                raise MalformedError("unbalanced parentheses")
            group = Group(tuple(open_.pop()))
            open_[-1].append(group)
        else:
            open_[-1].append(Atom(found.group(2) if found.group(2) is not None else found.group(3)))
    if len(open_) != 1 or len(open_[0]) != 1:
        raise MalformedError("not one expression")
    return open_[0][0]


def admitted(text: str, parameters: Mapping[str, str]) -> Term:
    """The formula in *text*, with each of the *parameters* replaced by the symbol that it is mapped to.

    Variables that the formula binds get names of ours, too. So every symbol of the result is a standard operator, a
    value of *parameters*, or one of ours. Raises MalformedError for anything else. Sorts are left to the solvers.
    """
    return _Admission().term(parsed(text), dict(parameters))


class _Admission:
    """Checks a formula, and renames its symbols."""

    def __init__(self) -> None:
        self._bound = 0

    def term(self, term: Term, names: Mapping[str, str]) -> Term:
        if isinstance(term, Atom):
            if term.text in names:
                return Atom(names[term.text])
            if term.text in ("true", "false") or _NUMERAL.match(term.text):
                return term
            raise MalformedError(f"unknown symbol {term.text!r}")
        match term.items:
            case (Atom("let" | "forall" | "exists") as binder, Group(bindings), body):
                pairs = [_pair(binding) for binding in bindings]
                fresh = {name: self._fresh() for name, _ in pairs}
                if len(fresh) < len(pairs):
                    raise MalformedError("a name is bound twice")
                bound = [
                    Group((Atom(fresh[name]), self.term(what, names) if binder.text == "let" else _sort(what)))
                    for name, what in pairs
                ]
                return Group((binder, Group(tuple(bound)), self.term(body, {**names, **fresh})))
            case (Atom("_"), Atom(constant), Atom(width)) if _VECTOR.match(constant) and _INDEX.match(width):
                return term
            case (Group((Atom("as"), Atom("const"), sort)), value):
                head = Group((Atom("as"), Atom("const"), _sort(sort)))
                return Group((head, self.term(value, names)))
            case (Group((Atom("_"), Atom(operator), *indices)) as head, *operands) if operands and _is_indexed(
                operator, indices
            ):
                return Group((head, *(self.term(operand, names) for operand in operands)))
            case (Atom(operator) as head, *operands) if operator in _OPERATORS and operands:
                return Group((head, *(self.term(operand, names) for operand in operands)))
        raise MalformedError(f"unknown construct {str(term)[:40]!r}")

    def _fresh(self) -> str:
        self._bound += 1
        return f"bound/{self._bound}"


def _pair(binding: Term) -> tuple[str, Term]:
    """The name, and the value or sort, of one binding."""
    match binding:
        case Group((Atom(name), what)):
            return name, what
    raise MalformedError(f"unknown binding {str(binding)[:40]!r}")


def _is_indexed(operator: str, indices: list[Term]) -> bool:
    return _INDEXED.get(operator) == len(indices) and all(
        isinstance(index, Atom) and _INDEX.match(index.text) for index in indices
    )


def _sort(term: Term) -> Term:
    """A sort, made of Int, Bool, bit-vectors and arrays. Raises MalformedError for others."""
    match term:
        case Atom("Int" | "Bool"):
            return term
        case Group((Atom("_"), Atom("BitVec"), Atom(width))) if _INDEX.match(width):
            return term
        case Group((Atom("Array"), index, element)):
            return Group((Atom("Array"), _sort(index), _sort(element)))
    raise MalformedError(f"unknown sort {str(term)[:40]!r}")


def symbols(term: Term) -> Iterator[str]:
    """The texts of all atoms."""
    if isinstance(term, Atom):
        yield term.text
    else:
        for item in term.items:
            yield from symbols(item)
