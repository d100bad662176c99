"""Locals that are alive although their declaration was not reached are undefined, and no others."""

import re
from textwrap import dedent

import pytest


@pytest.fixture
def scoped(translated):
    """The statements of ``int main(void) { int n = 0; … }`` after normalisation, with ? for any value, on a line."""

    def run(statements: str) -> str:
        text = translated("normalise", f"int main(void)\n{{\nint n = 0;\n{dedent(statements)}\nreturn 0;\n}}\n", "main")
        body = text[text.index("n = 0;") + len("n = 0;") : text.rindex("return 0;")]
        body = re.sub(r"\s+", " ", body.replace("__CSEQ_nondet_int()", "?"))
        return re.sub(r"\{ ((?:\w+ = \?; ?)+)\} ?", r"\1", body).strip()

    return run


@pytest.mark.parametrize(
    "before, after",
    [
        ("goto l; int u; u = 1; l: n = 2;", "u = ?; goto l; u = ?; u = 1; l: n = 2;"),
        ("goto l; { int u = 1; l: n = 2; }", "u = ?; goto l; u = 1; l: n = 2;"),
        ("goto l; int u = 1, v; l: n = 2;", "u = ?; v = ?; goto l; u = 1; v = ?; l: n = 2;"),
        ("goto l; { int u = 1; } l: n = 2;", "goto l; u = 1; l: n = 2;"),
        ("int u = 1; goto l; l: int v = 2;", "u = 1; goto l; l: ; v = 2;"),
        ("goto l; static int u = 1; l: n = 2;", "goto l; l: n = 2;"),
    ],
    ids=["past", "into a block", "past two", "past a block", "past none", "past a static one"],
)
def test_a_jump_forward(scoped, before, after):
    assert scoped(before) == after


OTHERS = {
    "a jump back to before a declaration reaches it again": ("l: ; int u = 1; goto l;", "l: ; u = 1; goto l;"),
    "a jump back inside of the scope keeps the value": ("int u = 1; l: u++; goto l;", "u = 1; l: u++; goto l;"),
    "a jump back into a block enters it": ("{ int u = 1; l: u++; } goto l;", "u = 1; l: u++; u = ?; goto l;"),
    "what may have been reached before is undefined where the block is entered":
        ("{ l: if (n) goto m; int u = 1; m: n = u; goto l; }", "u = ?; l: if (n) goto m; u = 1; m: n = u; goto l;"),
    "a jump into such a block enters it too":
        ("if (n) goto l; { l: if (n) goto m; int u = 1; m: n = u; goto l; }",
         "if (n) { u = ?; goto l; } u = ?; l: if (n) goto m; u = 1; m: n = u; goto l;"),
    "the variable of a for loop that is jumped into":
        ("goto l; for (int i = 0; i < 3; i++) { l: n++; }", "i = ?; goto l; i = 0; for (; i < 3; i++) { l: n++; }"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_other_jumps(scoped, name):
    before, after = OTHERS[name]
    assert scoped(before) == after


@pytest.mark.parametrize(
    "before, after",
    [
        ("switch (n) { int u = 1; case 1: n = u; }", "u = ?; switch (n) { u = 1; case 1: n = u; }"),
        ("switch (n) { case 1: ; int u = 1; default: n = u; }",
         "u = ?; switch (n) { case 1: ; u = 1; default: n = u; }"),
        ("switch (n) { case 1: do { int u = 1; case 2: n = u; } while (n); }",
         "u = ?; switch (n) { case 1: do { u = 1; case 2: n = u; } while (n); }"),
        ("switch (n) { case 1: { int u = 1; } case 2: ; int v; }", "switch (n) { case 1: u = 1; case 2: ; v = ?; }"),
        ("switch (n) { case 1: switch (n) { int u; case 2: ; } }",
         "switch (n) { case 1: u = ?; switch (n) { u = ?; case 2: ; } }"),
    ],
)  # fmt: skip
def test_the_labels_of_a_switch(scoped, before, after):
    assert scoped(before) == after
