"""Samples of inputs: which values are tried, and how many."""

from cseq.c import parse
from cseq.modules.core.input_choices.samples import Constants, Samples, Site, guesses

INT = (-(1 << 31), (1 << 31) - 1)


def constants(statements: str) -> Constants:
    return Constants([parse(f"int a[9]; void f(void) {{ {statements} }}")])


def tried(samples: Samples, *left: tuple[int, int], solved: tuple[int, ...] = ()) -> set[int]:
    return {n for first, last in samples.values(left, solved).ranges for n in range(first, last + 1)}


def test_what_is_compared_with_something_comes_first():
    found = constants('int x = 3; a[5] = 3; x = 3; if (x == 17) g("text"); __CSEQ_assert(x < \'c\', "assertion 99");')
    assert found.numbers == [17, 99, 3, 9]
    assert found.texts == [b"text"]


def test_the_values_are_constants_neighbours_ends_and_what_is_solved():
    values = tried(Samples(constants("x == 17;"), [Site(1)], 1, 0), INT, solved=(1234,))
    assert {1234, 0, 1, -1, 2, 16, 17, 18, -17, *INT} <= values


def test_an_assumption_leaves_its_ends_and_values_between_them():
    values = tried(Samples(constants("x == 17;"), [Site(1)], 1, 0), (5, 999))
    assert {5, 999, 17} <= values <= set(range(5, 1000))


def test_the_more_inputs_the_fewer_values_and_the_more_rounds_the_more():
    few = [Samples(constants(""), [Site(1)] * number, 1, 0).size for number in (1, 2, 3, 5, 50)]
    assert few == [24, 24, 9, 3, 3]
    again = [Samples(constants(""), [Site(1)] * 3, 1, number).size for number in (0, 1, 2)]
    assert again == sorted(set(again))


def test_the_random_values_depend_on_the_seed_only():
    found = [tried(Samples(constants(""), [Site(1)], seed, 0), INT) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_an_input_that_is_no_integer_and_memory_have_values():
    assert {0, 1} <= tried(Samples(constants(""), [Site(1)], 1, 0))
    assert guesses(constants("x == 17;"))[:4] == [0, 1, -1, 17]
