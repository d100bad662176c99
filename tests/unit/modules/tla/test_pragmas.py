"""The lines of the statement after `#pragma cseq agglomerate`."""

import pytest

from cseq.model.errors import InputError
from cseq.modules.tla.pragmas import regions

PRAGMA = "#pragma cseq agglomerate"


@pytest.mark.parametrize(
    "statement",
    [
        "x = 1;",
        "f(a,\n  b[1]\n);",
        "{\n  a();\n  { b(); }\n}",
        "while (x) { // }\n  a(); /* { */\n}",
        "for (i = 0; i < 3; i++)\n  a();",
        "if (a) b = \"}\";\nelse if (c)\n  d = ';';\nelse {\n}",
        "do\n  x--;\nwhile (x\n);",
        "switch (x) {\ncase 1: a(); break;\n}",
        "f(a,\n#if 0\n;\n#endif\n  b);",
        "struct s v = { 1,\n 2 };",
    ],
)
def test_the_lines_of_a_statement(statement):
    count = statement.count("\n") + 1
    lines = f"void f(void)\n{{\n  {PRAGMA}\n{statement}\n  other();\n}}".split("\n")
    assert regions(lines) == [(4, 3 + count)]


def test_several_pragmas_and_those_of_others():
    lines = ["#pragma once", PRAGMA, "", "/* here", "*/", "a();", "  #  pragma  cseq  agglomerate  ", "b();"]
    assert regions(lines) == [(6, 6), (8, 8)]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("#pragma cseq\nx;", "is unknown"),
        ("#pragma cseq agglomerated\nx;", "is unknown"),
        (PRAGMA, "before a statement"),
        (f"{{\n{PRAGMA}\n}}", "before a statement"),
        (f"{PRAGMA}\nf(", "before a statement"),
    ],
)
def test_pragmas_that_say_nothing(text, what):
    with pytest.raises(InputError, match=what) as refused:
        regions(text.split("\n"), "x.c")
    assert str(refused.value.origin).startswith("x.c:")
