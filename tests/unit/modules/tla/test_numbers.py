"""Integers as text for TLC, and back."""

import pytest

from cseq.modules.tla.numbers import number, value


@pytest.mark.parametrize(
    ("integer", "text"),
    [
        (5, "5"),
        (-5, "(-5)"),
        (2**31 - 1, "2147483647"),
        (-(2**31), "MinInt"),
        (2**31, "Wide(0, 0, 32768, 0)"),
        (-1 - 2**31, "Wide(-1, 65535, 32767, 65535)"),
        (2**64 - 1, "Wide(65535, 65535, 65535, 65535)"),
    ],
)
def test_texts_are_operands(integer, text):
    assert number(integer) == text


def test_there_are_no_more_than_64_bits():
    with pytest.raises(ValueError, match="18446744073709551616"):
        number(2**64)


def test_values_are_read_back():
    assert value(-7) == -7
    assert value((32769, 1, 32769, 1)) == 2**31
    assert value((1, 1, 1, 1)) == -(2**63)
    assert value((("x", 0, 0), 0)) is None
    assert value("Undef") is None
    assert value(True) is None
