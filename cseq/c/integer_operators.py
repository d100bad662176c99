"""Integer arithmetic of C (C11 §6.3.1.3, §6.5) on numbers, as gcc does it.

A type is a number of bits and whether it is signed: 1 bit without a sign is `_Bool`; 0 bits are the mathematical
integers. What conversions do is defined by gcc. Where a signed result does not fit, C leaves everything open, and gcc
with ``-fwrapv``, like all our engines, wraps around. So *wraps* is right where a value is asked for that engines are
known to compute, too; without it such a result is unknown, which is right where a program is changed.
"""

from collections.abc import Callable

_UNARY: dict[str, Callable[[int], int]] = {
    "-": lambda a: -a, "+": lambda a: a, "~": lambda a: ~a, "!": lambda a: int(not a),
}  # fmt: skip
_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b, "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
}  # fmt: skip
_TRUTHS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "&&": lambda a, b: bool(a and b),
    "||": lambda a, b: bool(a or b),
}  # fmt: skip


def converted(value: int, bits: int, is_signed: bool) -> int:
    """*value* converted to a type: modulo 2^bits; to `_Bool`, whether it differs from zero."""
    if bits == 0:
        return value
    if bits == 1 and not is_signed:
        return int(value != 0)
    value &= (1 << bits) - 1
    return value - (1 << bits) if is_signed and value >> (bits - 1) else value


def quotient(left: int, right: int) -> int:
    """The quotient, truncated toward zero. *right* is not zero."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def computed(op: str, left: int, right: int, bits: int, is_signed: bool, wraps: bool = True) -> int | None:
    """The result of a binary operator; None where C does not define it.

    bits, is_signed: the type of the operands; in a shift that of the left one, and the right one is as it is.
    wraps: whether signed results that do not fit wrap around, too.
    """
    if op in _TRUTHS:
        return int(_TRUTHS[op](left, right))
    if op in ("/", "%"):
        if right == 0:
            return None
        whole = fitted(quotient(left, right), bits, is_signed, wraps)
        return whole if op == "/" or whole is None else left - quotient(left, right) * right
    if op in ("<<", ">>") and not 0 <= right < bits:
        return None
    if op == "<<" and is_signed and left < 0 and not wraps:
        return None
    return fitted(_BINARY[op](left, right), bits, is_signed, wraps)


def inverted(op: str, value: int, bits: int, is_signed: bool, wraps: bool = True) -> int | None:
    """The result of a unary operator, as that of `computed`."""
    return fitted(_UNARY[op](value), bits, is_signed, wraps)


def fitted(value: int, bits: int, is_signed: bool, wraps: bool = True) -> int | None:
    """A mathematical result in a type; None if it is signed, does not fit, and nothing wraps around."""
    found = converted(value, bits, is_signed)
    return found if wraps or not is_signed or found == value else None
