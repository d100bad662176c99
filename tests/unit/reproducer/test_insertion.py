"""Code inserted into the user's text is executed when it has to be, and nothing else changes."""

import pytest

from cseq.c.numbering import Text
from cseq.reproducer.insertion import Insertions, inserted
from cseq.reproducer.turns import CannotReproduceError

BOTH = Insertions(["AT(1)"], [("AFTER(2, ", "AT(2)")])


def put(source: str, number: int, around: Insertions) -> str:
    head, tail = "int f(void) { ", " }"
    return inserted(Text("a.c", head + source + tail), {number: around}).removeprefix(head).removesuffix(tail)


@pytest.mark.parametrize(
    "source, number, result",
    [
        ("x = 1;", 1, "AT(1); x = 1; AT(2);"),
        ("int x = 1;", 1, "AT(1); int x = 1; AT(2);"),
        ("l: x = 1;", 1, "l: AT(1); x = 1; AT(2);"),
        ("switch (x) { case 1: x = 1; }", 2, "switch (x) { case 1: AT(1); x = 1; AT(2); }"),
        ("switch (x) { case 1: ; }", 1, "switch (AT(1), AFTER(2, x)) { case 1: ; }"),
        ("if (c) x = 1; else x = 2;", 1, "if (AT(1), AFTER(2, c)) x = 1; else x = 2;"),
        ("if (c) x = 1; else x = 2;", 2, "if (c) { AT(1); x = 1; AT(2); } else x = 2;"),
        ("if (c) x = 1; else x = 2;", 3, "if (c) x = 1; else { AT(1); x = 2; AT(2); }"),
        ("if (c) x = 1; else if (d) y;", 3, "if (c) x = 1; else if (AT(1), AFTER(2, d)) y;"),
        ("while (c) x = 1;", 1, "while (AT(1), AFTER(2, c)) x = 1;"),
        ("do x = 1; while (c);", 1, "do { AT(1); x = 1; AT(2); } while (c);"),
        ("do x = 1; while (c);", 2, "do x = 1; while (AT(1), AFTER(2, c));"),
        ("for (i = 0; i < n; i++) x;", 2, "for (i = 0; AT(1), AFTER(2, i < n); i++) x;"),
        ("for (i = 0; i < n; i++) x;", 3, "for (i = 0; i < n; AT(1), i++, AT(2)) x;"),
        ("for (i = 0; i < n; i++) x;", 4, "for (i = 0; i < n; i++) { AT(1); x; AT(2); }"),
        ("return f(1);", 1, "AT(1); return AFTER(2,  f(1));"),
        ("if (c) return x;", 2, "if (c) { AT(1); return AFTER(2,  x); }"),
    ],
)
def test_around(source: str, number: int, result: str) -> None:
    assert put(source, number, BOTH).replace("  ", " ") == result.replace("  ", " ")


@pytest.mark.parametrize(
    "source, number, result",
    [
        ("for (i = 0; i < n; i++) x;", 1, "AT(1); for (i = 0; i < n; i++) x;"),
        ("if (c) for (;;) { x; }", 2, "if (c) { AT(1); for (;;) { x; } }"),
        ("if (c) EACH(x) { y; } z;", 2, "if (c) { AT(1); EACH(x) { y; } } z;"),
        ("if (c) return;", 2, "if (c) { AT(1); return; }"),
    ],
)
def test_in_front(source: str, number: int, result: str) -> None:
    assert put(source, number, Insertions(["AT(1)"])) == result
    with pytest.raises(CannotReproduceError, match=r"there is no place after the statement at a\.c:1"):
        put(source, number, BOTH)


def test_around_a_read() -> None:
    assert put("f(x == p->x + x);", 1, Insertions(inner=[("x", 1, "AFTER(1, ")])) == "f(x == p->x + AFTER(1, x));"
    assert put("f(a[i] == a[ i ]);", 1, Insertions(inner=[("a[i]", 1, "AFTER(1, ")])) == "f(a[i] == AFTER(1, a[ i ]));"
    with pytest.raises(CannotReproduceError, match="other threads run inside"):
        put("SAME(x);", 1, Insertions(inner=[("x", 1, "AFTER(1, ")]))


def test_lines_stay() -> None:
    source = "int f(void)\n{\n  if (c)\n    x =\n      1;\n  return\n    x;\n}\n"
    text = Text("a.c", source)
    result = inserted(text, {slot.number: BOTH for slot in text.slots})
    assert [line.split()[-1] for line in result.splitlines()] == ["f(void)", "{", "c))", "=", "}", "return", "x);", "}"]
    assert result.splitlines()[4] == "      1; AT(2); }"
