"""The uninitialised-reads stage: marks where objects begin to be undefined, if they may be read while they are."""

from textwrap import dedent

import pytest

HEAD = "#include <stdlib.h>\nstruct s { int a; };\nint g, h;\n"


@pytest.fixture
def defined(translated):
    """What the uninitialised-reads stage makes of the statements of main, without their indentation."""
    translated.use("explicit")

    def run(statements: str) -> list[str]:
        text = translated(
            "uninitialised_reads", f"{HEAD}int main(void)\n{{\n{dedent(statements)}\nreturn 0;\n}}\n", "main"
        )
        return [line.strip() for line in text.splitlines()]

    return run


def mark(name: str) -> str:
    return f"__CSEQ_undefine(&{name}, sizeof({name}));"


@pytest.mark.parametrize(
    "statements",
    [
        "int x; if (g) x = 1; h = x;",
        "int x; x = x;",
        "int x[2]; x[g] = 1; h = x[0];",
        "int x; int *p = &x; if (g) *p = 1; h = *p;",
        "struct s x; if (g) x.a = 1; h = x.a;",
        "int x; if (g) goto l; x = 1; l: h = x;",
        "int x; while (g) { if (h) g = x; x = 1; }",
    ],
)
def test_what_may_be_read_before_it_is_written_is_marked(defined, statements):
    assert defined(statements).count(mark("x")) == 1


@pytest.mark.parametrize(
    "statements",
    [
        "int x = 1; h = x;",
        "int x; x = g; h = x;",
        "int x; if (g) x = 1; else x = 2; h = x;",
        "int x; x = 1; while (g) { h = x; x = 2; }",
        "static int x; if (g) x = 1; h = x;",
        "struct s x = {0}; if (g) x.a = 1; h = x.a;",
    ],
)
def test_what_is_written_before_it_is_read_is_not_marked(defined, statements):
    text = defined(statements)
    assert mark("x") not in text
    assert "__CSEQ_nondet" not in " ".join(text)


def test_the_mark_is_where_the_declaration_is_reached(defined):
    assert defined("int n = 1;\nwhile (n) { int y; if (g) y = n; if (g) h = y; n = 0; }")[2:9] == [
        "int n;",
        "int y;",
        "n = 1;",
        "while (n) {",
        mark("y"),
        "if (g) {",
        "y = n;",
    ]
