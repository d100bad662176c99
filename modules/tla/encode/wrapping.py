"""Integer operations of C in TLA+: with the operators of CIntegers only where a result may not fit or may be wide."""

from dataclasses import replace

from cseq.c import integer_operators
from cseq.modules.tla.encode.terms import Guard, Level, Value, both, demanded, negated, together
from cseq.modules.tla.numbers import number

TRUE, FALSE = Value("TRUE"), Value("FALSE")

DIVISION = '"failed.crash.division"'

_NAMES = {
    "+": "Plus", "-": "Minus", "*": "Times", "/": "Quotient", "%": "Remainder", "<<": "ShiftLeft", ">>": "ShiftRight",
    "&": "BitAnd", "|": "BitOr", "^": "BitXor",
}  # fmt: skip
_SIGNS = {"+": (" + ", Level.SUM), "-": (" - ", Level.DIFFERENCE), "*": (" * ", Level.PRODUCT)}
_MEMBERSHIP = ("\\in", "\\notin")
_COMPARED = {"==": " = ", "!=": " # ", "<": " < ", ">": " > ", "<=": " <= ", ">=": " >= "}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}


def extent(kind: str) -> tuple[int, int]:
    """The least and the greatest integer of a kind."""
    if kind == "Bool":
        return 0, 1
    bits = bits_of(kind)
    return (0, (1 << bits) - 1) if kind.startswith("U") else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def bits_of(kind: str) -> int:
    """The number of bits of a kind of integers."""
    return 1 if kind == "Bool" else int(kind.removeprefix("U").removeprefix("Int"))


def integer(value: int, text: str = "") -> Value:
    """An integer constant. text: what it is written as, if it has a name."""
    if not text and -(1 << 31) < value < 0:
        return Value(str(value), (), Level.NEGATIVE, value, value)
    return Value(text or number(value), (), Level.ATOM, value, value)


def converted(value: Value, kind: str) -> Value:
    """An integer converted to another kind."""
    least, greatest = extent(kind)
    if value.within(least, greatest):
        return value
    if kind == "Bool":
        return as_number(differs_from_zero(value))
    if value.constant is not None:
        return replace(integer(_wrapped(value.constant, kind)), guards=value.guards)
    return Value(f"Convert({kind}, {value.text})", value.guards, Level.ATOM, least, greatest)


def narrowed(value: Value, kind: str, width: int) -> Value:
    """What a bit-field with a number of bits keeps of an integer."""
    signed = not kind.startswith("U") and kind != "Bool"
    least, greatest = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    if value.within(least, greatest):
        return value
    if value.constant is not None:
        kept = (value.constant - least) % (greatest - least + 1) + least
        return replace(integer(kept), guards=value.guards)
    if not signed:
        text = f"BitAnd({kind}, {converted(value, kind).text}, {number(greatest)})"
        return Value(text, value.guards, Level.ATOM, least, greatest)
    up = bits_of(kind) - width
    inner = f"ShiftLeft({kind}, {converted(value, kind).text}, {up})"
    return Value(f"ShiftRight({kind}, {inner}, {up})", value.guards, Level.ATOM, least, greatest)


def _wrapped(value: int, kind: str) -> int:
    return integer_operators.converted(value, *_bits_and_sign(kind))


def _bits_and_sign(kind: str) -> tuple[int, bool]:
    return bits_of(kind), extent(kind)[0] < 0


def as_number(condition: Value) -> Value:
    """1 if a condition holds, else 0."""
    if condition.text in ("TRUE", "FALSE"):
        return replace(integer(int(condition.text == "TRUE")), guards=condition.guards)
    return Value(f"IF {condition.text} THEN 1 ELSE 0", condition.guards, Level.WHOLE, 0, 1)


def differs_from_zero(value: Value) -> Value:
    """Whether an integer is not zero."""
    return compared("!=", value, integer(0))


def compared(op: str, left: Value, right: Value) -> Value:
    """A comparison of two integers, by the sign that it has in C."""
    guards = together([left.guards, right.guards])
    known = _known(op, left, right)
    if known is not None:
        return replace(TRUE if known else FALSE, guards=guards)
    if left.is_narrow and right.is_narrow:
        a, b = left.at(Level.COMPARISON), right.at(Level.COMPARISON)
        text, opposite = a + _COMPARED[op] + b, a + _COMPARED[_OPPOSITE[op]] + b
        return Value(text, guards, Level.COMPARISON, opposite=opposite)
    a, b = (right.text, left.text) if op in (">", "<=") else (left.text, right.text)
    if op in ("==", "!="):
        text = f"Same({left.text}, {right.text})"
        positive = op == "=="
    else:  # a <= b is ~(b < a)
        text = f"Less({a}, {b})"
        positive = op in ("<", ">")
    if positive:
        return Value(text, guards, Level.ATOM, opposite=f"~{text}")
    if op in ("<=", ">="):
        first, second = (left.text, right.text) if op == "<=" else (right.text, left.text)
        return Value(f"LessEqual({first}, {second})", guards, Level.ATOM, opposite=f"~LessEqual({first}, {second})")
    return Value(f"~{text}", guards, Level.NOT, opposite=text)


def with_bits(op: str, value: Value, bits: int, wanted: int) -> Value | None:
    """The comparison ``(value | bits) == wanted``, or with ``!=``, as one with the few values for which it holds.

    None if they are not few, or the value may be negative.
    """
    free = [1 << number for number in range(bits.bit_length()) if bits >> number & 1]
    if (
        op not in ("==", "!=")
        or bits & ~wanted
        or len(free) > 2
        or not 0 <= wanted < 1 << 31
        or not value.within(0, (1 << 31) - 1)
    ):
        return None
    found = [wanted & ~bits]
    for bit in free:
        found += [one | bit for one in found]
    if len(found) == 1:
        return compared(op, value, integer(found[0]))
    texts = [f"{value.at(Level.COMPARISON)} {sign} {{{', '.join(map(str, sorted(found)))}}}" for sign in _MEMBERSHIP]
    positive = op == "=="
    return Value(texts[not positive], value.guards, Level.COMPARISON, opposite=texts[positive])


def _known(op: str, left: Value, right: Value) -> bool | None:
    """The result of a comparison that the ranges determine."""
    if left.least is None or left.greatest is None or right.least is None or right.greatest is None:
        return None
    below = left.greatest < right.least
    above = left.least > right.greatest
    same = left.constant is not None and left.constant == right.constant
    match op:
        case "==":
            return True if same else False if below or above else None
        case "!=":
            return False if same else True if below or above else None
        case "<":
            return True if below else False if left.least >= right.greatest else None
        case ">":
            return _known("<", right, left)
        case "<=":
            return True if left.greatest <= right.least else False if above else None
    return _known("<=", right, left)


def negative(kind: str, value: Value) -> Value:
    """The negation of an integer of *kind*."""
    if value.constant is not None:
        return replace(integer(_wrapped(-value.constant, kind)), guards=value.guards)
    least, greatest = extent(kind)
    low, high = -value.greatest, -value.least  # type: ignore[operator]
    if value.is_narrow and least <= low and high <= greatest and high < 1 << 31:
        return Value(f"-{value.at(Level.DIFFERENCE)}", value.guards, Level.NEGATIVE, low, high)
    return Value(f"Negated({kind}, {value.text})", value.guards, Level.ATOM, least, greatest)


def complement(kind: str, value: Value) -> Value:
    """The bitwise complement of an integer of *kind*."""
    if value.constant is not None:
        return replace(integer(_wrapped(~value.constant, kind)), guards=value.guards)
    return Value(f"Complement({kind}, {value.text})", value.guards, Level.ATOM, *extent(kind))


def computed(op: str, kind: str, left: Value, right: Value) -> Value:
    """An arithmetic operation on two integers of *kind*, by the sign that it has in C. The result wraps around."""
    guards = together([left.guards, right.guards])
    if op in ("/", "%"):
        guards = together([guards, _division(kind, left, right)])
    found = _exact(op, kind, left, right)
    if found is None:
        text = f"{_NAMES[op]}({kind}, {left.text}, {right.text})"
        found = Value(text, (), Level.ATOM, *_range(op, kind, left, right))
    return replace(found, guards=guards)


def shifted(op: str, kind: str, left: Value, right: Value) -> Value:
    """*left*, of *kind*, shifted by *right* bits, of any kind. Too large a distance counts as on x86."""
    guards = together([left.guards, right.guards])
    inside = right.within(0, bits_of(kind) - 1)
    if inside and left.constant is not None and right.constant is not None:
        value = integer_operators.computed(op, left.constant, right.constant, *_bits_and_sign(kind))
        assert value is not None
        return replace(integer(value), guards=guards)
    least, greatest = extent(kind)
    if op == ">>" and left.least is not None and left.greatest is not None and left.least >= 0:
        least, greatest = 0, left.greatest >> (right.least or 0 if inside else 0)
    return Value(f"{_NAMES[op]}({kind}, {left.text}, {right.text})", guards, Level.ATOM, least, greatest)


def between(value: Value, least: int, greatest: int) -> Value:
    """Whether an integer is in a range, as one condition."""
    low, high = compared(">=", value, integer(least)), compared("<=", value, integer(greatest))
    parts = [part for part in (low, high) if part.text != "TRUE"]
    if len(parts) < 2:
        return replace(parts[0] if parts else TRUE, guards=())
    if value.is_narrow:
        text, limits = value.at(Level.COMPARISON), f"{number(least)}..{number(greatest)}"
        return Value(f"{text} \\in {limits}", (), Level.COMPARISON, opposite=f"{text} \\notin {limits}")
    return Value(f"IsBetween({value.text}, {number(least)}, {number(greatest)})")


def _division(kind: str, left: Value, right: Value) -> list[Guard]:
    """What must hold for a division not to end the process."""
    found = []
    nonzero = differs_from_zero(right)
    if nonzero.text != "TRUE":
        found.append(demanded(nonzero, DIVISION))
    least = extent(kind)[0]
    if least == 0 or left.within(least + 1, -least) or right.least is None or right.least > -1:
        return found
    overflows = both(compared("==", left, integer(least)), compared("==", right, integer(-1)))
    if overflows.text != "FALSE":
        overflows = replace(overflows, guards=())
        fits = negated(overflows)
        found.append(Guard(fits.text, DIVISION, fits.level, overflows))
    return found


def _exact(op: str, kind: str, left: Value, right: Value) -> Value | None:
    """The operation with TLA+'s own operators, if it cannot overflow and all numbers are narrow."""
    if left.constant is not None and right.constant is not None:
        return _folded(op, kind, left.constant, right.constant)
    if op in ("+", "-") and right.constant == 0:
        return left
    if op == "+" and left.constant == 0:
        return right
    if not left.is_narrow or not right.is_narrow:
        return None
    if op in ("/", "%"):
        if left.least is None or left.least < 0 or right.least is None or right.least < 1:
            return None  # TLA+ rounds down, and C towards zero
        sign, level = (" \\div ", Level.QUOTIENT) if op == "/" else (" % ", Level.REMAINDER)
        text = f"{left.at(Level.PRODUCT)}{sign}{right.at(Level.PRODUCT)}"
        return Value(text, (), level, *_range(op, kind, left, right))
    if op not in _SIGNS:
        return None
    least, greatest = _bounds(op, left, right)
    low, high = extent(kind)
    if not (max(low, -(1 << 31)) <= least and greatest <= min(high, (1 << 31) - 1)):
        return None
    sign, level = _SIGNS[op]
    first = left.text if left.level >= level and left.level != Level.NEGATIVE else left.at(level)
    return Value(f"{first}{sign}{right.at(level)}", (), level, least, greatest)


def _folded(op: str, kind: str, left: int, right: int) -> Value | None:
    value = integer_operators.computed(op, left, right, *_bits_and_sign(kind))
    return None if value is None else integer(value)


def _bounds(op: str, left: Value, right: Value) -> tuple[int, int]:
    """The range of the exact result of an addition, a subtraction or a multiplication."""
    a, b, c, d = left.least, left.greatest, right.least, right.greatest
    assert a is not None and b is not None and c is not None and d is not None
    match op:
        case "+":
            return a + c, b + d
        case "-":
            return a - d, b - c
    products = [a * c, a * d, b * c, b * d]
    return min(products), max(products)


def _range(op: str, kind: str, left: Value, right: Value) -> tuple[int, int]:
    """The range of the result of an operation, after wrapping."""
    low, high = extent(kind)
    a, b, c, d = left.least, left.greatest, right.least, right.greatest
    if a is None or b is None or c is None or d is None:
        return low, high
    if op in ("+", "-", "*"):
        least, greatest = _bounds(op, left, right)
    elif op == "/" and a >= 0 and c >= 1:
        least, greatest = a // d, b // c
    elif op == "%" and c >= 1:
        least, greatest = (0 if a >= 0 else max(a, 1 - d)), min(b, d - 1) if b >= 0 else 0
    elif op == "&" and (a >= 0 or c >= 0):
        least, greatest = 0, min(limit for start, limit in ((a, b), (c, d)) if start >= 0)
    elif op in ("|", "^") and a >= 0 and c >= 0:
        least, greatest = 0, (1 << max(b, d).bit_length()) - 1
    else:
        return low, high
    return (least, greatest) if low <= least and greatest <= high else (low, high)
