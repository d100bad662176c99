"""Symbolic values: linear combinations of symbols.

A symbol is a value that stays the same: the address of an object, what an instruction read, the counter of a loop in
one iteration. Two terms that are equal have equal values, in one thread; across threads only symbols that are *fixed*
have one value for all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple


class SymbolKind(Enum):
    """Where the value of a symbol comes from."""

    ADDRESS = "address"
    """The address of a named object."""
    BLOCK = "block"
    """The address of a block that an instruction has allocated."""
    VALUE = "value"
    """What an instruction read, or was given."""
    COUNTER = "counter"
    """The value of something at the head of a loop, or where paths meet."""
    OWN = "own"
    """The number of a thread among those that one creation makes: no two that exist together have the same."""
    GIVEN = "given"
    """A value that the creator of a thread handed over."""
    APPLIED = "applied"
    """A function of terms."""


OBJECTS = frozenset({SymbolKind.ADDRESS, SymbolKind.BLOCK})
"""The kinds of the addresses of objects."""


class Symbol:
    """One value. key: identifies it among the symbols of its kind.

    is_fixed: whether all threads mean the same value by it. operator, of: the function that gives an applied symbol,
    and its arguments. least, most: its range, if known.
    """

    __slots__ = ("is_fixed", "key", "kind", "least", "most", "number", "of", "operator")

    def __init__(self, number: int, kind: SymbolKind, key: Any, is_fixed: bool) -> None:
        self.number = number
        self.kind = kind
        self.key = key
        self.is_fixed = is_fixed
        self.operator = ""
        self.of: tuple[Term, ...] = ()
        self.least: int | None = None
        self.most: int | None = None

    def __repr__(self) -> str:
        if self.kind is SymbolKind.APPLIED:
            return f"({self.operator} {' '.join(map(str, self.of))})"
        return f"{self.kind.value}{self.number}"

    @property
    def term(self) -> Term:
        """It as a term."""
        return Term(0, ((self, 1),))

    def mentions(self, symbols: frozenset[Symbol]) -> bool:
        """Whether it is one of *symbols*, or a function of one."""
        return self in symbols or any(each.mentions(symbols) for each in self.of)


class Term(NamedTuple):
    """``constant + sum of coefficient * symbol``; symbols in the order of their numbers, without coefficients of 0."""

    constant: int
    parts: tuple[tuple[Symbol, int], ...] = ()

    def __str__(self) -> str:
        return " + ".join([*(f"{c}*{s}" if c != 1 else str(s) for s, c in self.parts), str(self.constant)])

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols in it."""
        return tuple(symbol for symbol, _ in self.parts)

    @property
    def symbol(self) -> Symbol | None:
        """The symbol that it consists of; None if it is anything else."""
        return self.parts[0][0] if not self.constant and len(self.parts) == 1 and self.parts[0][1] == 1 else None

    @property
    def object(self) -> Symbol | None:
        """The object that an address is certain to be in; None if that is not known."""
        return self._base(OBJECTS)

    @property
    def base(self) -> Symbol | None:
        """The object that an address is in, or the value from the creator of the thread that it is computed from."""
        return self._base(OBJECTS) if self.has_object else self._base(frozenset({SymbolKind.GIVEN}))

    @property
    def has_object(self) -> bool:
        """Whether a number is the address of an object, or of something in it."""
        return any(c == 1 and s.kind in OBJECTS for s, c in self.parts)

    def _base(self, kinds: frozenset[SymbolKind]) -> Symbol | None:
        found = [s for s, c in self.parts if c == 1 and s.kind in kinds]
        return found[0] if len(found) == 1 else None

    def is_in(self, objects: Collection[Symbol]) -> bool:
        """Whether an address is in one of *objects*."""
        return any(c == 1 and s in objects for s, c in self.parts)

    @property
    def is_constant(self) -> bool:
        """Whether it is a number."""
        return not self.parts

    def mentions(self, symbols: frozenset[Symbol]) -> bool:
        """Whether one of *symbols* is in it, or in the arguments of a function."""
        return any(symbol.mentions(symbols) for symbol, _ in self.parts)

    @property
    def is_fixed(self) -> bool:
        """Whether all threads mean the same value by it."""
        return all(symbol.is_fixed for symbol, _ in self.parts)

    def plus(self, other: Term, times: int = 1) -> Term:
        """``self + times * other``."""
        if not other.parts:
            return Term(self.constant + times * other.constant, self.parts)
        found = dict(self.parts)
        for symbol, coefficient in other.parts:
            found[symbol] = found.get(symbol, 0) + times * coefficient
        return _term(self.constant + times * other.constant, found)

    def minus(self, other: Term) -> Term:
        """``self - other``."""
        return self.plus(other, -1)

    def times(self, factor: int) -> Term:
        """``factor * self``."""
        return Term(0).plus(self, factor)

    def shifted(self, by: int) -> Term:
        """``self + by``."""
        return Term(self.constant + by, self.parts) if by else self

    def coefficient(self, symbol: Symbol) -> int:
        """How often *symbol* is in it, outside of functions."""
        return next((c for s, c in self.parts if s is symbol), 0)

    def without(self, symbol: Symbol) -> Term:
        """It without *symbol*."""
        return Term(self.constant, tuple(part for part in self.parts if part[0] is not symbol))

    def divided(self, by: int) -> Term | None:
        """``self / by`` if all is divisible."""
        if not by or self.constant % by or any(c % by for _, c in self.parts):
            return None
        return Term(self.constant // by, tuple((s, c // by) for s, c in self.parts))


def _term(constant: int, parts: Mapping[Symbol, int]) -> Term:
    return Term(constant, tuple(sorted(((s, c) for s, c in parts.items() if c), key=lambda part: part[0].number)))


ZERO = Term(0)


class Symbols:
    """Makes symbols; equal keys give the same one."""

    def __init__(self) -> None:
        self._made: dict[Any, Symbol] = {}

    def of(self, kind: SymbolKind, key: Any, is_fixed: bool = False) -> Symbol:
        """The symbol of *kind* with this *key*."""
        found = self._made.get((kind, key))
        if found is None:
            found = self._made[kind, key] = Symbol(len(self._made), kind, key, is_fixed)
        return found

    def term(self, kind: SymbolKind, key: Any, is_fixed: bool = False) -> Term:
        """The symbol as a term."""
        return self.of(kind, key, is_fixed).term

    def applied(self, operator: str, *terms: Term) -> Term:
        """A function of *terms*, of which nothing is known but that equal arguments give equal results."""
        found = self.of(SymbolKind.APPLIED, (operator, terms), all(term.is_fixed for term in terms))
        found.operator, found.of = operator, terms
        return found.term

    def replaced(self, term: Term, new: Callable[[Symbol], Term | None]) -> Term:
        """*term* with symbols replaced, also in the arguments of functions; None keeps one."""
        result = Term(term.constant)
        for symbol, coefficient in term.parts:
            instead = new(symbol)
            if instead is None and symbol.kind is SymbolKind.APPLIED:
                arguments = tuple(self.replaced(each, new) for each in symbol.of)
                if arguments != symbol.of:
                    instead = self.applied(symbol.operator, *arguments)
                    made = instead.parts[0][0]
                    made.least, made.most = symbol.least, symbol.most
            result = result.plus(symbol.term if instead is None else instead, coefficient)
        return result


class Bounds(NamedTuple):
    """What is known of a symbol: it is at least each of *lower*, and at most the greatest in each set of *upper*."""

    lower: frozenset[Term] = frozenset()
    upper: frozenset[frozenset[Term]] = frozenset()


NO_BOUNDS = Bounds()
_DEPTH = 5


def is_positive(term: Term, bounds: Mapping[Symbol, Bounds], depth: int = _DEPTH) -> bool:
    """Whether *term* is certainly at least 0."""
    return _is_positive(term, bounds, depth, {})


def _is_positive(term: Term, bounds: Mapping[Symbol, Bounds], depth: int, failed: dict[Term, int]) -> bool:
    """The same. failed: terms for which that is not known, however they are bounded in so many steps."""
    if not term.parts:
        return term.constant >= 0
    if not depth or failed.get(term, -1) >= depth or _has_too_many(term, bounds, depth):
        return False
    for symbol, coefficient in term.parts:
        rest = term.without(symbol)
        known = bounds.get(symbol, NO_BOUNDS)
        if coefficient > 0:
            lowers: Iterable[Term] = known.lower if symbol.least is None else [*known.lower, Term(symbol.least)]
            if any(_is_positive(rest.plus(each, coefficient), bounds, depth - 1, failed) for each in lowers):
                return True
        else:
            uppers = known.upper if symbol.most is None else [*known.upper, frozenset({Term(symbol.most)})]
            for each in uppers:
                if all(_is_positive(rest.plus(part, coefficient), bounds, depth - 1, failed) for part in each):
                    return True
    failed[term] = depth
    return False


def _has_too_many(term: Term, bounds: Mapping[Symbol, Bounds], depth: int) -> bool:
    """Whether more symbols are in a term than are replaced in so many steps, since they are bounded by numbers only."""
    if len(term.parts) <= depth:
        return False
    known = [bounds.get(symbol, NO_BOUNDS) for symbol, _ in term.parts]
    return not any(
        limit.parts for each in known for limit in (*each.lower, *(part for parts in each.upper for part in parts))
    )
