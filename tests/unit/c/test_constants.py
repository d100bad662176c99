"""Constant expressions have the values that the compiler gives them."""

import pytest

from cseq.c import Printer, build
from cseq.model.errors import UnsupportedError
from tests.unit.c.test_symbols import DECLARATIONS, MODELS, expression, symbols_of

CONSTANTS = [
    "1 + 2 * 3", "-7 / 2", "-7 % 3", "7 % -3", "1 << 4 | 3", "~5", "!5", "'a' + 1", r"'\n'", r"'\x41'", r"'\0'",
    r"'\377'",
    "0x1F", "017", "0b101", "10u", "BLUE", "GREEN * 2", "sizeof(int) * 3", "sizeof(struct mixed)", "sizeof l",
    "sizeof r[0]",
    "(char)300", "(unsigned char)-1", "(_Bool)5", "(short)0x18000", "(unsigned)-1 > 0", "-1 < 0u",
    "sizeof(int) - 5 > 0",
    "~0u >> 28", "0xffffffffu + 1", "-1u / 2", "1 ? 2 : 3", "0 ? 2 : BLUE", "3 > 2 && 2 > 1", "0 || 7", "-5 >> 1",
    "2147483647 == 0x7fffffff", "(1 < 2) + (2 <= 2) + (3 >= 4) + (1 != 1)", "5 & 6 ^ 1", "1LL << 40",
    "(long long)-1 < 1u",
    "(unsigned char)200 + 100", "(word)70000", "-(unsigned char)1", "1 ? 2 : 1 / 0",
]  # fmt: skip


@pytest.mark.parametrize("model, option", MODELS)
def test_constants(compiler, model, option):
    symbols = symbols_of(DECLARATIONS, model)
    checks = "".join(
        f'_Static_assert(({text}) == {Printer().visit(build.number(symbols.constant(expression(text))))}, "");\n'
        for text in CONSTANTS
    )
    compiler.check(f"{DECLARATIONS}{checks}", option)


@pytest.mark.parametrize("text", ["(int)3.9", "_Alignof(long)", "(unsigned long)&((struct mixed *)0)->b"])
def test_other_constants(compiler, text):
    value = symbols_of(DECLARATIONS).constant(expression(text))
    compiler.check(f'{DECLARATIONS}_Static_assert({text} == {value}, "");', "-m64")


def test_a_constant_may_leave_an_operand_unevaluated():
    symbols = symbols_of("")
    assert symbols.constant(expression("0 && 1 / 0")) == 0
    assert symbols.constant(expression("3 || 1 / 0")) == 1


@pytest.mark.parametrize("text", ["i", "1.5", "func(1, 2)", "1 / 0", "5 % 0", "i ? 1 : 2", "&i", "(float)1", "1 + i"])
def test_what_is_no_constant(text):
    symbols = symbols_of(DECLARATIONS)
    assert symbols.constant_or_none(expression(text)) is None
    with pytest.raises(UnsupportedError, match="must be constant"):
        symbols.constant(expression(text))


def test_a_shift_by_too_much_is_no_constant():
    symbols = symbols_of("")
    assert symbols.constant_or_none(expression("1 << -1")) is None
    assert symbols.constant_or_none(expression("1 << 100")) is None


@pytest.mark.parametrize(
    "text, wrapped",
    [
        ("2147483647 + 1", -(1 << 31)),
        ("-2147483647 - 2", 2147483647),
        ("65536 * 65536", 0),
        ("-(-2147483647 - 1)", -(1 << 31)),
        ("1 << 31", -(1 << 31)),
        ("-1 << 1", -2),
        ("(-2147483647 - 1) / -1", -(1 << 31)),
        ("(-2147483647 - 1) % -1", 0),
        ("(2147483647 + 1) * 0", 0),
    ],
)
def test_what_overflows_is_constant_only_where_c_needs_a_constant(compiler, text, wrapped):
    symbols = symbols_of("")
    assert symbols.constant_or_none(expression(text)) is None
    assert symbols.constant(expression(text)) == wrapped
    assert compiler.run(f"long long found = {text}; int main(void) {{ return found != {wrapped}LL; }}") == ""


def test_unsigned_results_wrap_around():
    assert symbols_of("").constant_or_none(expression("4294967295u + 1")) == 0
