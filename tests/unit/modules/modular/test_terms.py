"""Linear combinations of symbols, and what follows from bounds."""

import pytest

from cseq.modules.modular.terms import ZERO, Bounds, SymbolKind, Symbols, Term, is_positive

symbols = Symbols()
i, j, n = (symbols.term(SymbolKind.VALUE, name) for name in "ijn")
ONE, TWO, _ = (term.parts[0][0] for term in (i, j, n))


def at_least(*terms: Term) -> Bounds:
    return Bounds(frozenset(terms))


def at_most(*terms: Term) -> Bounds:
    return Bounds(frozenset(), frozenset({frozenset(terms)}))


def test_terms_are_sums() -> None:
    assert i.plus(j).minus(j) == i
    assert i.times(0) == ZERO and i.minus(i) == ZERO
    assert i.plus(j) == j.plus(i)
    assert i.times(3).shifted(6).divided(3) == i.shifted(2)
    assert i.shifted(1).divided(2) is None and i.times(3).divided(2) is None
    assert i.times(2).plus(j).coefficient(ONE) == 2 and i.times(2).plus(j).without(ONE) == j


def test_equal_functions_of_equal_terms_are_equal() -> None:
    assert symbols.applied("%", i, Term(4)) == symbols.applied("%", i, Term(4))
    assert symbols.applied("%", i, Term(4)) != symbols.applied("%", j, Term(4))
    replaced = symbols.replaced(symbols.applied("%", i, Term(4)), lambda each: j if each is ONE else None)
    assert replaced == symbols.applied("%", j, Term(4))
    assert symbols.applied("%", i).mentions(frozenset({ONE})) and not symbols.applied("%", i).mentions(frozenset({TWO}))


@pytest.mark.parametrize(
    ("term", "bounds", "holds"),
    [
        (ZERO, {}, True),
        (Term(-1), {}, False),
        (i, {}, False),
        (i, {ONE: at_least(ZERO)}, True),
        (i.shifted(-1), {ONE: at_least(ZERO)}, False),
        (i.minus(j), {ONE: at_least(n), TWO: at_most(n)}, True),
        (i.minus(j), {ONE: at_least(n), TWO: at_most(n.shifted(1))}, False),
        (i.minus(j), {ONE: at_least(n, ZERO), TWO: at_most(n, ZERO)}, True),
        (i.minus(j), {ONE: at_least(n), TWO: at_most(n, ZERO)}, False),
        (Term(9).minus(i), {ONE: at_most(j), TWO: at_most(Term(9))}, True),
    ],
)
def test_what_bounds_tell(term: Term, bounds: dict, holds: bool) -> None:
    assert is_positive(term, bounds) is holds


def test_the_range_of_a_symbol() -> None:
    byte = symbols.term(SymbolKind.VALUE, "byte")
    byte.parts[0][0].least, byte.parts[0][0].most = 0, 255
    assert is_positive(byte, {}) and is_positive(Term(255).minus(byte), {})
    assert not is_positive(Term(254).minus(byte), {})


def test_sums_of_many_symbols() -> None:
    symbols = Symbols()
    parts = [symbols.of(SymbolKind.VALUE, number) for number in range(8)]
    total = ZERO
    for each in parts:
        total = total.plus(each.term)
    limits = {each: Bounds(lower=frozenset({Term(0)})) for each in parts}
    assert is_positive(total, limits, depth=8)
    assert not is_positive(total, limits, depth=7)
    of_another = {**limits, parts[0]: Bounds(lower=frozenset({total.without(parts[0]).times(-1)}))}
    assert is_positive(total, of_another, depth=1)
    assert not is_positive(total.shifted(-1), of_another, depth=4)
