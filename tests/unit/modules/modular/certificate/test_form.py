"""Sums of atoms."""

from __future__ import annotations

from cseq.modules.modular.certificate.form import AtomKind, Names, Sum


def test_equal_names_are_one_atom_and_sums_are_in_order() -> None:
    names = Names()
    one, other = (names.atom(AtomKind.OWN, number) for number in (1, 2))
    assert names.atom(AtomKind.OWN, 1) is one
    assert one.sum.plus(other.sum, 4) == other.sum.times(4).plus(one.sum)
    assert one.sum.minus(one.sum) == Sum(0)


def test_comparisons_with_0_do_not_depend_on_the_sign() -> None:
    names = Names()
    sum_ = names.atom(AtomKind.OWN, 1).sum.add(3)
    assert names.applied("=0", sum_) == names.applied("=0", sum_.times(-1))
    assert names.applied("<0", sum_) != names.applied("<0", sum_.times(-1))


def test_atoms_are_replaced_in_the_arguments_of_functions() -> None:
    names = Names()
    one, other = (names.atom(AtomKind.OWN, number) for number in (1, 2))
    assert names.replaced(names.applied("f", one.sum), {one: other.sum}.get) == names.applied("f", other.sum)
