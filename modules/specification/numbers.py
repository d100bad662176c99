"""Integer constants in TLA+."""

from __future__ import annotations

_LEAST = -(1 << 31)


def number(value: int) -> str:
    """The TLA+ text of an integer that fits in 32 bits with a sign."""
    if value == _LEAST:
        return f"({_LEAST + 1} - 1)"  # 2147483648 is too large for TLC
    return str(value)
