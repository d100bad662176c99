"""Integers of C in specifications, in the form of `tla/CIntegers.tla`.

TLC's integers have 32 bits. What has more is a *wide* value there, made of limbs of 16 bits, the highest one first.
"""

from typing import Any

_LEAST, _MOST = -(2**31), 2**31 - 1
_BIAS = (32769, 1, 1, 1)
"""What is added to the limbs in a wide value, which consists of positive integers."""


def number(value: int) -> str:
    """The TLA+ expression for an integer from -2^63 to 2^64 - 1; it may be an operand of any operator.

    Raises ValueError for others.
    """
    if not -(2**63) <= value < 2**64:
        raise ValueError(f"no integer of C has the value {value}")
    if value == _LEAST:
        return "MinInt"
    if _LEAST < value <= _MOST:
        return str(value) if value >= 0 else f"({value})"
    return f"Wide({', '.join(str(limb) for limb in _limbs(value))})"


def value(parsed: Any) -> int | None:
    """The integer that a parsed value of TLC is: an int, or a tuple of limbs; None if it is none."""
    if isinstance(parsed, int) and not isinstance(parsed, bool):
        return parsed
    if not isinstance(parsed, tuple) or len(parsed) != len(_BIAS) or not all(isinstance(one, int) for one in parsed):
        return None
    result = 0
    for limb, bias in zip(parsed, _BIAS, strict=True):
        result = result * 2**16 + limb - bias
    return result


def _limbs(value: int) -> tuple[int, int, int, int]:
    return value >> 48, (value >> 32) & 0xFFFF, (value >> 16) & 0xFFFF, value & 0xFFFF
