"""Integer arithmetic on numbers, against what compiled C does."""

import subprocess
from itertools import product
from pathlib import Path

import pytest

from cseq.c.integer_operators import computed, converted, inverted
from cseq.c.preprocess import compiler as c_compiler

pytestmark = pytest.mark.engine  # compiles

TYPES = {
    "_Bool": (1, False), "signed char": (8, True), "unsigned char": (8, False), "short": (16, True),
    "unsigned short": (16, False), "int": (32, True), "unsigned int": (32, False), "long long": (64, True),
    "unsigned long long": (64, False),
}  # fmt: skip
PROMOTED = ("int", "unsigned int", "long long", "unsigned long long")
OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||")


def values(name: str) -> list[int]:
    """Values of a type: around its ends, around zero, and others."""
    bits, is_signed = TYPES[name]
    least = -(1 << bits - 1) if is_signed else 0
    near = {least, least + 1, -7, -2, -1, 0, 1, 2, 3, 31, 100, least + (1 << bits) - 1, least + (1 << bits) - 2}
    return sorted(value for value in near if least <= value < least + (1 << bits))


def literal(value: int) -> str:
    return f"(int64_t) {value & (1 << 64) - 1:#x}ULL"


def executed(lines: list[str], folder: Path) -> list[int]:
    """The values that compiled expressions have, as 64 bits with a sign."""
    source = folder / "program.c"
    body = "\n".join(f'printf("%lld\\n", (long long) ({line}));' for line in lines)
    source.write_text(f"#include <stdint.h>\n#include <stdio.h>\nint main(void) {{\n{body}\nreturn 0;\n}}\n")
    binary = folder / "program"
    subprocess.run([c_compiler(), "-w", "-O0", "-fwrapv", str(source), "-o", str(binary)], check=True)
    return [int(line) for line in subprocess.run([binary], capture_output=True, check=True).stdout.split()]


def test_operators_are_those_of_gcc(tmp_path: Path) -> None:
    lines: list[str] = []
    found: list[int] = []
    for name, op in product(PROMOTED, OPERATORS):
        bits, is_signed = TYPES[name]
        distances = [0, 1, bits // 2, bits - 1]
        for left, right in product(values(name), distances if op in ("<<", ">>") else values(name)):
            result = computed(op, left, right, bits, is_signed)
            if result is not None:
                lines.append(f"(({name}) {literal(left)}) {op} (({name}) {literal(right)})")
                found.append(converted(result, 64, True))
    for name, op in product(PROMOTED, "-+~!"):
        for value in values(name):
            lines.append(f"{op} (({name}) {literal(value)})")
            result = inverted(op, value, *TYPES[name])
            assert result is not None
            found.append(converted(result, 64, True))
    assert len(found) > 3000
    assert executed(lines, tmp_path) == found


def test_conversions_are_those_of_gcc(tmp_path: Path) -> None:
    pairs = [(name, value) for name in TYPES for value in {one for other in TYPES for one in values(other)}]
    lines = [f"({name}) {literal(value)}" for name, value in pairs]
    expected = [converted(converted(value, *TYPES[name]), 64, True) for name, value in pairs]
    assert executed(lines, tmp_path) == expected


@pytest.mark.parametrize(
    "op, left, right",
    [("+", 2147483647, 1), ("-", -2147483648, 1), ("*", 65536, 65536), ("/", -2147483648, -1), ("%", -2147483648, -1),
     ("<<", 1, 31), ("<<", -1, 1)],
)  # fmt: skip
def test_signed_results_that_do_not_fit_are_unknown_where_nothing_wraps_around(op: str, left: int, right: int) -> None:
    assert computed(op, left, right, 32, True, wraps=False) is None
    assert computed(op, left, right, 32, True) is not None
    assert computed(op, left, right, 64, True, wraps=False) is not None or left == -1
    assert inverted("-", -2147483648, 32, True, wraps=False) is None
    assert computed("+", (1 << 32) - 1, 1, 32, False, wraps=False) == 0


@pytest.mark.parametrize("op, right", [("/", 0), ("%", 0), ("<<", 32), (">>", 32), ("<<", -1), (">>", -1)])
def test_what_c_does_not_define_has_no_result(op: str, right: int) -> None:
    assert computed(op, 1, right, 32, True) is None
    assert computed(op, 1, right, 32, False) is None
