"""What engines get wrong is written in another way for them, and nothing else is."""

from pathlib import Path

import pytest

from cseq.backends import native
from cseq.backends.base import Dialect
from cseq.backends.cbmc import BACKEND as CBMC
from cseq.backends.esbmc import BACKEND as ESBMC
from cseq.c import parse
from cseq.modules.symbolic.encode.instrumenter import Instrumenter
from cseq.pipeline.stage import Context

_NAMES = """
    struct fields { int narrow : 5; long wide : 40; unsigned long all; };
    int i; short s; unsigned u; unsigned char c; long l; unsigned long ul; long long ll; unsigned long long ull;
    _Bool b; void *p; char *q; struct fields f; enum { LOW = -5 } e; double d;
    """


def statement(text: str, dialect: Dialect = CBMC.dialect, bits: int = 64, names: str = _NAMES) -> str:
    """The statement *text* in a dialect."""
    tree = parse(f"{names} void g(void) {{ {text} }}")
    lines = Instrumenter(Context({"bits": bits}, Path()), dialect).instrumented(tree).text.splitlines()
    return lines[lines.index("void g(void)") + 2].strip()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("p = (void *)(long)i;", "p = (void *) __CSEQ_pointer((long) i);"),
        ("p = (void *)(unsigned long)s;", "p = (void *) __CSEQ_pointer((unsigned long) s);"),
        ("p = (void *)i;", "p = (void *) __CSEQ_pointer(i);"),
        ("p = i;", "p = __CSEQ_pointer(i);"),
        ("q = (char *)(l + i);", "q = (char *) __CSEQ_pointer(l + i);"),
        ("q = (char *)(b ? l : s);", "q = (char *) __CSEQ_pointer((b) ? (l) : (s));"),
        ("p = (void *)(ul & -(long)e);", "p = (void *) __CSEQ_pointer(ul & (-((long) e)));"),
        ("p = (void *)-f.wide;", "p = (void *) __CSEQ_pointer(-f.wide);"),
        ("p = (void *)(long)f.narrow;", "p = (void *) __CSEQ_pointer((long) f.narrow);"),
        ("p = (void *)-1;", "p = (void *) 0xfffffffffffffffful;"),
        ("p = (void *)(char)LOW;", "p = (void *) 0xfffffffffffffffbul;"),
    ],
)
def test_a_number_that_may_lose_its_sign_becomes_a_variable_or_a_literal(before: str, after: str) -> None:
    assert statement(before) == after


@pytest.mark.parametrize(
    "same",
    [
        "p = (void *) l;",
        "p = (void *) ((unsigned long) u);",
        "p = (void *) ((long) c);",
        "p = (void *) 0;",
        "p = (void *) 7;",
        "q = (char *) p;",
        "q = (char *) (((unsigned long) p) & (~((unsigned long) 1)));",
        "p = (void *) ((long) (i < s));",
        "p = (void *) ((long) b);",
        "p = (void *) (ul << i);",
        "i = l < 0;",
    ],
)
def test_other_numbers_stay_as_they_are(same: str) -> None:
    assert statement(same) == same
    assert statement(same, native.DIALECT) == same


def test_a_number_that_is_too_wide_becomes_a_variable_or_a_literal() -> None:
    assert statement("p = (void *)ull;", bits=32) == "p = (void *) __CSEQ_pointer(ull);"
    assert statement("p = (void *)0x100000007ll;", bits=32) == "p = (void *) 0x7u;"
    assert statement("p = (void *) u;", bits=32) == "p = (void *) u;"


def test_wide_signed_numbers_are_compared_as_unsigned_ones_where_an_address_may_be_one() -> None:
    text = "i = (long)p < 0;"
    assert (
        statement(text)
        == "i = ((unsigned long long) (long long) ((long) p) ^ 0x8000000000000000ull) < 0x8000000000000000ull;"
    )
    assert statement(text, bits=32) == "i = ((unsigned int) (int) ((long) p) ^ 0x80000000u) < 0x80000000u;"
    inside = "{ long n; n = (long) p; } i = l >= ll;"
    assert statement(f"i = l > ll; {inside}").startswith("i = ((unsigned long long) (long long) (l) ^ ")
    union = _NAMES + "union both { long number; void *pointer; };"
    assert statement("i = l < 0;", names=union) != statement("i = l < 0;") == "i = l < 0;"
    assert statement("i = ul > l; l = (long) p;") == "i = ul > l;"
    assert statement("i = i > s; l = (long) p;") == "i = i > s;"
    assert statement("i = p > q; l = (long) p;") == "i = p > q;"
    assert statement("i = d > l; l = (long) p;") == "i = d > l;"


@pytest.mark.parametrize("dialect", [CBMC.dialect, ESBMC.dialect, native.DIALECT])
def test_a_pointer_becomes_a_wider_integer_as_gcc_makes_it(dialect: Dialect) -> None:
    assert statement("ull = (unsigned long long)p;", dialect, bits=32) == "ull = (unsigned long long) (long) (p);"
    assert statement("ll = p;", dialect, bits=32) == "ll = (long) (p);"
    assert statement("ull = (unsigned long long) p;", dialect) == "ull = (unsigned long long) p;"


def test_repeated_operators_are_unsigned_where_the_engine_folds_signed_constants_wrongly() -> None:
    assert (
        statement("i = 3 ^ (i ^ -7);", ESBMC.dialect) == "i = (int) ((unsigned int) (3) ^ (unsigned int) (i ^ (-7)));"
    )
    assert statement("l = (s | l) | 3;", ESBMC.dialect) == "l = (long) ((unsigned long) (s | l) | (unsigned long) (3));"
    for same in ("i = 3 ^ (i | (-7));", "u = 3 ^ (u ^ 7);", "i = 3 & (i & (-7));"):
        assert statement(same, ESBMC.dialect) == same
    assert statement("i = 3 ^ (i ^ (-7));") == "i = 3 ^ (i ^ (-7));"


def test_each_function_has_names_of_its_own() -> None:
    names = (
        _NAMES
        + "void *h(long n) { return (void *) n; } void *k(int n) { { short m; m = n; p = (void *) m; } return p; }"
    )
    tree = parse(names)
    text = Instrumenter(Context({"bits": 64}, Path()), CBMC.dialect).instrumented(tree).text
    assert "return (void *) n;" in text
    assert "p = (void *) __CSEQ_pointer(m);" in text
