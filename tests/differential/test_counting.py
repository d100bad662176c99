"""A few random systems: the search that counts threads agrees with the interpreter."""

import pytest

from tests.differential.counting import compare


@pytest.mark.parametrize("first", [0, 25])
def test_counting_agrees_with_telling_apart(first: int) -> None:
    said = sum((compare(seed, limit=1_500) for seed in range(first, first + 25)), start=compare(first))
    assert sum(number for what, number in said.items() if what.startswith("any number: safe")) > 5
    assert sum(number for what, number in said.items() if "violated" in what) > 5
