"""Integer operations whose results are in a range: TLA+'s own operators are used where they are right."""

import pytest

from cseq.modules.tla.encode.terms import Level, Value
from cseq.modules.tla.encode.wrapping import (
    compared,
    complement,
    computed,
    converted,
    extent,
    integer,
    narrowed,
    negative,
    shifted,
)


def of(kind: str, text: str = "x") -> Value:
    return Value(text, (), Level.ATOM, *extent(kind))


@pytest.mark.parametrize(
    ("value", "text", "least", "greatest"),
    [
        (computed("+", "Int32", of("UInt8"), integer(1)), "x + 1", 1, 256),
        (computed("+", "Int32", of("Int32"), integer(0)), "x", *extent("Int32")),
        (computed("+", "Int32", of("Int32"), integer(1)), "Plus(Int32, x, 1)", *extent("Int32")),
        (computed("+", "Int64", of("Int32"), integer(1)), "Plus(Int64, x, 1)", 1 - 2**31, 2**31),
        (computed("-", "UInt32", of("UInt8"), integer(1)), "Minus(UInt32, x, 1)", *extent("UInt32")),
        (computed("*", "Int32", of("Int16"), of("Int16", "y")), "x * y", -(2**30) + 2**15, 2**30),
        (computed("%", "Int32", of("UInt8"), integer(4)), "x % 4", 0, 3),
        (computed("%", "Int32", of("Int32"), integer(4)), "Remainder(Int32, x, 4)", -3, 3),
        (computed("/", "Int32", of("UInt8"), integer(4)), "x \\div 4", 0, 63),
        (computed("&", "Int32", of("Int32"), integer(15)), "BitAnd(Int32, x, 15)", 0, 15),
        (computed("|", "Int32", of("UInt8"), integer(3)), "BitOr(Int32, x, 3)", 0, 255),
        (shifted(">>", "Int32", of("UInt8"), integer(4)), "ShiftRight(Int32, x, 4)", 0, 15),
        (shifted(">>", "Int32", of("UInt8"), of("Int32", "y")), "ShiftRight(Int32, x, y)", 0, 255),
        (shifted("<<", "Int32", integer(1), integer(31)), "MinInt", -(2**31), -(2**31)),
        (converted(of("UInt8"), "Int32"), "x", 0, 255),
        (converted(of("Int32"), "UInt8"), "Convert(UInt8, x)", 0, 255),
        (converted(integer(-1), "UInt16"), "65535", 65535, 65535),
        (converted(of("Int32"), "Bool"), "IF x # 0 THEN 1 ELSE 0", 0, 1),
        (negative("Int32", of("UInt8")), "-x", -255, 0),
        (negative("Int32", of("Int32")), "Negated(Int32, x)", *extent("Int32")),
        (complement("UInt32", integer(0)), "Wide(0, 0, 65535, 65535)", 2**32 - 1, 2**32 - 1),
        (narrowed(of("UInt32"), "UInt32", 3), "BitAnd(UInt32, x, 7)", 0, 7),
        (narrowed(of("UInt8"), "UInt32", 8), "x", 0, 255),
        (narrowed(of("Int32"), "Int32", 5), "ShiftRight(Int32, ShiftLeft(Int32, x, 27), 27)", -16, 15),
        (narrowed(integer(9), "UInt32", 3), "1", 1, 1),
    ],
)
def test_texts_and_ranges(value, text, least, greatest):
    assert (value.text, value.least, value.greatest) == (text, least, greatest)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (compared("<", of("Int32"), integer(3)), "x < 3"),
        (compared("!=", of("Int32"), integer(-1)), "x # -1"),
        (compared("<", of("UInt32"), integer(3)), "Less(x, 3)"),
        (compared(">", of("UInt32"), integer(3)), "Less(3, x)"),
        (compared("<=", of("Int64"), integer(3)), "LessEqual(x, 3)"),
        (compared("!=", of("Int64"), integer(3)), "~Same(x, 3)"),
        (compared(">=", of("UInt32"), integer(0)), "TRUE"),
        (compared("<", of("UInt8"), integer(256)), "TRUE"),
        (compared("==", of("UInt8"), integer(-1)), "FALSE"),
        (compared("==", of("UInt8"), integer(255)), "x = 255"),
    ],
)
def test_comparisons(value, text):
    assert value.text == text


@pytest.mark.parametrize(
    ("kind", "left", "right", "failures"),
    [
        ("Int32", of("Int32"), of("Int32", "y"), ["y = 0", "x = MinInt /\\ y = -1"]),
        ("Int32", of("Int16"), of("Int32", "y"), ["y = 0"]),
        ("Int32", of("Int32"), integer(7), []),
        ("Int32", of("Int32"), integer(-1), ["x = MinInt"]),
        ("UInt32", of("UInt32"), of("UInt32", "y"), ["Same(y, 0)"]),
        ("Int32", of("Int32"), integer(0), ["TRUE"]),
    ],
)
def test_a_division_may_end_the_process(kind, left, right, failures):
    found = computed("/", kind, left, right).guards
    assert [guard.failure.text for guard in found] == failures
    assert {guard.status for guard in found} <= {'"failed.crash.division"'}
