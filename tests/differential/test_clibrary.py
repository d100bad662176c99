"""The models of the C library do on random arguments, options and input what the library does (see clibrary.py)."""

from tests.differential import clibrary


def test_random_calls_give_what_the_real_ones_give() -> None:
    assert clibrary.differences(1, 0, 3, 6, "native") == []
