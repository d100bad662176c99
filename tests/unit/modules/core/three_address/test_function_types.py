"""Which functions may be called as those of another type."""

from typing import Any

import pytest

from cseq.c.parser import parse
from cseq.c.symbols import Symbols
from cseq.modules.core.three_address.function_types import FunctionTypes


def _types(text: str) -> tuple[FunctionTypes, Symbols]:
    tree: Any = parse(text, "program.c")
    symbols = Symbols(tree)
    return FunctionTypes(symbols, tree), symbols


@pytest.mark.parametrize(
    "use",
    [
        "void (*p)(int *) = f; void (*q)(char *);",
        "void *p = f;",
        "void *q[2] = {0, f};",
        "struct { int n; void (*q)(int *); } o = {1, f};",
        "void (*q)(int *); void set(void) { q = f; }",
        "typedef void (*any)(int *); any get(void) { return f; }",
        "void take(void (*q)(int *)); void give(void) { take(&f); }",
        "void (*p)(char *) = f; void *v; void keep(void) { v = p; }",
        "void (*q)(int *) = (void (*)(int *))(void *)f;",
    ],
)
def test_where_the_types_differ_a_function_is_converted(use):
    types, _ = _types(f"void f(char *p) {{ }} {use}")
    assert types.converted == {"f"}


@pytest.mark.parametrize(
    "use",
    [
        "void (*p)(char *) = f;",
        "void (*p[2])(char *) = {f, &f};",
        "struct { int n; void (*q)(char *); } o = {1, f}, r = {.q = f};",
        "void (*q)(char *); void set(void) { q = f; f(0); }",
        "typedef void (*any)(char *); any get(void) { return f; }",
        "void take(void (*q)(char *)); void give(void) { take(f); }",
        "void (*p)(char *) = f; void (*q)(char *); void keep(void) { q = p; }",
    ],
)
def test_where_they_are_the_same_it_is_not(use):
    types, _ = _types(f"void f(char *p) {{ }} {use}")
    assert types.converted == set()


@pytest.mark.parametrize(
    ("function", "called", "works"),
    [
        ("void f(char *p)", "void (*q)(int *)", True),
        ("char *f(void)", "void *(*q)(void)", True),
        ("int f(char *p)", "void (*q)(void *)", True),
        ("void f(char *p)", "void *(*q)(char *)", True),
        ("void f()", "void (*q)(void *, int)", True),
        ("void f(unsigned a)", "void (*q)(int)", True),
        ("void f(char a[2])", "void (*q)(void *)", True),
        ("void f(char a)", "void (*q)(unsigned char)", False),
        ("void f(long a)", "void (*q)(void *)", False),
        ("void f(char *a, char *b)", "void (*q)(char *)", False),
        ("void f(void)", "void (*q)(char *)", False),
        ("double f(void)", "void (*q)(void)", False),
        ("float f(void)", "int (*q)(void)", False),
        ("void f(double a)", "void (*q)(long)", False),
        ("void f(char *a, ...)", "void (*q)(char *, int)", False),
        ("struct s f(void)", "void (*q)(void)", False),
    ],
)
def test_what_works_as_what(function, called, works):
    types, symbols = _types(f"struct s {{ int n; }}; {function} {{ }} {called};")
    assert types.works_as("f", symbols.types["q"]) is works


@pytest.mark.parametrize(
    ("function", "exactly", "works"),
    [
        ("void *f(void *a)", True, True),
        ("void *f()", True, True),
        ("void *f(const void *a)", True, True),
        ("struct s *f(struct s *a)", False, True),
        ("void *f(void)", False, True),
        ("int f(void *a)", False, True),
        ("void f()", False, True),
        ("void *f(long a)", False, True),
        ("void *f(double a)", False, False),
        ("double f(void *a)", False, False),
        ("struct s f(void *a)", False, False),
        ("void *f(void *a, void *b)", False, False),
    ],
)
def test_what_a_thread_can_start_with(function, exactly, works):
    types, _ = _types(f"struct s {{ int n; }}; {function} {{ }}")
    assert (types.is_exactly_start("f"), types.is_start("f")) == (exactly, works)
