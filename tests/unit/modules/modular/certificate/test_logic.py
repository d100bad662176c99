"""What follows from the limits of atoms."""

from __future__ import annotations

from collections.abc import Callable

from cseq.modules.modular.certificate.form import AtomKind, Limits, Names, Sum
from cseq.modules.modular.certificate.logic import Logic
from cseq.modules.modular.program_analysis import ProgramAnalysis


def test_limits_are_chained(analyse: Callable[..., ProgramAnalysis]) -> None:
    names, logic = Names(), Logic(analyse("x = 1;").program)
    one, other = (names.atom(AtomKind.COUNTER, ((0, 0), number)) for number in (1, 2))
    limits = {one: Limits(frozenset({other.sum.add(1)})), other: Limits(frozenset({Sum(0)}))}
    assert logic.positive(one.sum.add(-1), limits) and not logic.positive(one.sum.add(-2), limits)
    assert logic.differ(one.sum, other.sum, limits) and not logic.equal(one.sum, other.sum, limits)


def test_a_limit_by_the_greatest_of_several_is_kept(analyse: Callable[..., ProgramAnalysis]) -> None:
    names, logic = Names(), Logic(analyse("x = 1;").program)
    one, other = (names.atom(AtomKind.COUNTER, ((0, 0), number)) for number in (1, 2))
    part = frozenset({Sum(0), other.sum})
    limits = {one: Limits(upper=frozenset({part}))}
    assert logic.at_most(one.sum, part, limits) and not logic.at_most(one.sum, [other.sum], limits)
