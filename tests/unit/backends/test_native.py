"""The runtime of replays: inputs, the trace, and the library functions that a program finds in it."""

import platform
import struct
from pathlib import Path

import pytest

from cseq.backends import native
from cseq.backends.records import Record, Tag, decoded
from cseq.c import parse
from cseq.model.errors import BackendError
from cseq.modules.symbolic.encode.instrumenter import instrumented
from cseq.pipeline.stage import Unit

pytestmark = pytest.mark.engine

X86 = pytest.mark.skipif(platform.machine() not in ("x86_64", "i686"), reason="the 32-bit runtime is for x86")
WIDTHS = [pytest.param(32, marks=X86), 64]


def execute(folder: Path, text: str, *inputs: int, bits: int = 64, timeout: float = 20.0) -> list[Record]:
    source = folder / "replay.c"
    source.write_text(native.program(text), encoding="utf-8")
    return native.execute(source, bits, list(inputs), timeout)


def shown(folder: Path, expressions: list[str], *inputs: int, bits: int = 64, before: str = "") -> list[int]:
    """The values of some expressions, as 64 bits."""
    body = " ".join(f"__CSEQ_show({n}, (long long)({text}));" for n, text in enumerate(expressions))
    lines = execute(folder, f"{before}\nint main(void) {{ {body} return 0; }}", *inputs, bits=bits)
    assert lines[-1] == Record(Tag.ENDED)
    assert [(record.tag, record.number) for record in lines[:-1]] == [(Tag.VALUE, n) for n in range(len(expressions))]
    return [record.value for record in lines[:-1]]


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize(
    "body, lines",
    [
        ("", ["ended"]),
        ("__CSEQ_end();", ["ended"]),
        ('__CSEQ_assert(1, "all"); __CSEQ_assume(2);', ["ended"]),
        ('__CSEQ_at(17); __CSEQ_assert(0, "what `x`");', ["at 11", "failed what `x`"]),
        ("__CSEQ_assume(0);", ["dropped"]),
        ('__CSEQ_unwound(0, "loop");', ["dropped"]),
        ("__CSEQ_at(1); *(volatile int *)0 = 1;", ["at 1", "crashed SIGSEGV"]),
        ("volatile int zero = 0; __CSEQ_at(1); zero = 7 / zero;", ["at 1", "crashed SIGILL"]),
        ("__CSEQ_show(1, -1); __CSEQ_show(2, 0);", ["value 1 ffffffffffffffff", "value 2 0", "ended"]),
    ],
)
def test_ends(tmp_path: Path, body: str, lines: list[str], bits: int) -> None:
    assert execute(tmp_path, f"int main(void) {{ {body} return 0; }}", bits=bits) == [decoded(line) for line in lines]


def test_no_end(tmp_path: Path) -> None:
    assert execute(tmp_path, "int main(void) { __CSEQ_at(0); for (;;) ; }", timeout=1.0) == [
        decoded("at 0"),
        Record(Tag.LATE),
    ]


def test_long_trace(tmp_path: Path) -> None:
    lines = execute(tmp_path, "int main(void) { for (int i = 0; i < 20000; i++) __CSEQ_show(i, i); return 0; }")
    assert lines == [*(Record(Tag.VALUE, (n, n)) for n in range(20000)), Record(Tag.ENDED)]


def test_refused_by_the_compiler(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=r"the replay does not compile: .*error.*nothing"):
        execute(tmp_path, "int main(void) { return nothing; }")


@pytest.mark.parametrize("bits", WIDTHS)
def test_inputs_in_order_and_zero_behind_them(tmp_path: Path, bits: int) -> None:
    values = [1, (1 << 64) - 1, -5, 1 << 40]
    words = shown(tmp_path, ["__CSEQ_take()"] * 6, *values, bits=bits)
    assert words == [1, (1 << 64) - 1, (1 << 64) - 5, 1 << 40, 0, 0]


def double(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def single(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


KINDS = [
    ("bool", 3, 1), ("bool", 2, 0), ("char", 0xFE, -2), ("schar", 0x80, -128), ("uchar", 0xFE, 254),
    ("short", 0xFFFF, -1), ("ushort", 0xFFFF, 65535), ("int", 0xFFFFFFFD, -3), ("uint", 0xFFFFFFFD, 0xFFFFFFFD),
    ("longlong", (1 << 64) - 7, -7), ("ulonglong", 1 << 63, 1 << 63),
    ("float", single(-2.5), double(-2.5)), ("double", double(0.1), double(0.1)),
]  # fmt: skip


@pytest.mark.parametrize("bits", WIDTHS)
def test_inputs_of_each_type(tmp_path: Path, bits: int) -> None:
    functions = [f"__CSEQ_nondet_{kind}" for kind, _, _ in KINDS]
    definitions = instrumented(
        Unit(tree=parse("void f(void) { " + "".join(f"{f}();" for f in functions) + "}")), native.DIALECT
    )
    calls = [f"__CSEQ_bits_of({f}())" if f.endswith(("float", "double")) else f"{f}()" for f in functions]
    words = shown(tmp_path, calls, *(given for _, given, _ in KINDS), bits=bits, before=definitions.text)
    assert words == [expected & 0xFFFFFFFFFFFFFFFF for _, _, expected in KINDS]


NUMBERS = [0, 1, 2, 3, 7, 10, 0xFFFFFFFF, 1 << 32, (1 << 32) + 1, 10**15, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("type_", ["long long", "unsigned long long"])
def test_division(tmp_path: Path, type_: str, bits: int) -> None:
    pairs = [(n, d) for n in NUMBERS for d in NUMBERS if d]
    if type_ == "long long":  # the one quotient that overflows is nobody's business
        pairs = [(n, d) for n, d in pairs if (n, d) != (1 << 63, (1 << 64) - 1)]
    text = f"volatile {type_} n, d;\n#define GO (n = __CSEQ_take(), d = __CSEQ_take())\n"
    inputs = [number for pair in pairs for number in pair]
    expressions = ["(GO, n / d)", "n % d"] * len(pairs)
    words = shown(tmp_path, expressions, *inputs, bits=bits, before=text)
    expected = []
    for n, d in pairs:
        if type_ == "long long":
            n, d = (v - (1 << 64) if v >> 63 else v for v in (n, d))  # noqa: PLW2901
        quotient = abs(n) // abs(d) * (1 if (n < 0) == (d < 0) else -1)
        expected += [quotient & 0xFFFFFFFFFFFFFFFF, (n - quotient * d) & 0xFFFFFFFFFFFFFFFF]
    assert words == expected


@pytest.mark.parametrize("bits", WIDTHS)
def test_library(tmp_path: Path, bits: int) -> None:
    before = (
        'char a[8] = "abcdef", b[8] = "abcdef"; char *p, *q;\n'
        "static int is(const char *text) { int i = 0; while (a[i] == text[i] && a[i]) i++; return a[i] == text[i]; }\n"
    )
    checks = [
        ("(memmove(a + 1, a, 4), is(\"aabcdf\"))", 1), ("(memmove(a, a + 1, 5), is(\"abcdff\"))", 1),
        ("memset(b, 'z', 2) == b && b[0] == 'z' && b[1] == 'z' && b[2] == 'c'", 1),
        ("memcpy(b, \"12\", 2) == b && b[1] == '2' && b[2] == 'c'", 1),
        ("(p = malloc(10), q = malloc(10), p != 0 && q >= p + 10 && (unsigned long)q % 8 == 0)", 1),
        ("(p = calloc(3, 4), p[0] == 0 && p[11] == 0)", 1), ("malloc(1 << 30) == 0", 1), ("(free(p), 1)", 1),
    ]  # fmt: skip
    assert shown(tmp_path, [text for text, _ in checks], bits=bits, before=before) == [value for _, value in checks]


def test_havoc_and_zero(tmp_path: Path) -> None:
    before = "unsigned char a[3];"
    lines = execute(
        tmp_path,
        before + "int main(void) { __CSEQ_havoc(a, sizeof(a)); __CSEQ_show(0, a[0] + a[1] * 256 + a[2] * 65536);"
        " __CSEQ_zero(&a[1], 1); __CSEQ_show(1, a[0] + a[1] * 256 + a[2] * 65536); return 0; }",
        0x101, 2, 0xFF,
    )  # fmt: skip
    assert lines == [Record(Tag.VALUE, (0, 0xFF0201)), Record(Tag.VALUE, (1, 0xFF0001)), Record(Tag.ENDED)]
