"""Where fences can be inserted in the text of a program."""

from __future__ import annotations

from cseq.modules.graphs.orders.fences import insertions
from cseq.modules.graphs.orders.words import written
from cseq.modules.ir.instructions import Order

PROGRAM = """\
#include <stdatomic.h>
#define TWICE { x = 1; y = 1; }
struct s { int m; int n; } g = { 1, 2 };
int f(int a)
{
    int i, b[] = { 1, 2 };
    for (i = 0; i < a; i++)
        x = 1; // stores
    do { y = 1; } while (y);
    if (a) { return y; } else x = ({ 1; 2; });
    switch (a) { case 1: x = 2; break; default: ; }
    struct s { int m; } t;
    return (struct s) { 1 }.m;
}
"""

MARKED = """\
#include <stdatomic.h>
#define TWICE { x = 1; y = 1; }
struct s { int m; int n; } g = { 1, 2 };
int f(int a)
{
    F int i, b[] = { 1, 2 };
    F for (i = 0; i < a; i++)
        x = 1; // stores
    F do { F y = 1; F } while (y);
    F if (a) { F return y; F } else x = ({ 1; 2; });
    F switch (a) { case 1: x = 2; F break; default: ; F }
    F struct s { int m; } t;
    F return (struct s) { 1 }.m;
F }
"""

FENCE = "atomic_thread_fence(memory_order_relaxed);"


def test_fences_are_between_statements() -> None:
    found = insertions({"p.c": PROGRAM})
    text = written({"p.c": PROGRAM}, dict.fromkeys(found, Order.RELAXED), explicit=True)["p.c"]
    assert text.replace(FENCE, "F") == MARKED


def test_a_relaxed_fence_is_none_and_lines_stay_where_they_are_until_the_end() -> None:
    texts = {"p.c": PROGRAM}
    found = insertions(texts)
    assert written(texts, dict.fromkeys(found, Order.RELAXED)) == texts
    whole = written(texts, dict.fromkeys(found, Order.SEQ_CST), explicit=True)["p.c"]
    assert whole.count("\n") == PROGRAM.count("\n")


def _with(text: str, number: int, order: Order = Order.RELEASE) -> str:
    return written({"p.c": text}, {insertions({"p.c": text})[number]: order})["p.c"]


def test_a_fence_has_a_line_of_its_own_where_the_statement_has() -> None:
    text = "#include <stdatomic.h>\nvoid f(void)\n{\n    x = 1; y = 1;\n}\n"
    fence = "atomic_thread_fence(memory_order_release);"
    assert _with(text, 0) == text.replace("x", f"{fence}\n    x")
    assert _with(text, 1) == text.replace("y", f"{fence} y")
    assert _with(text, 2) == text.replace("\n}", f"\n    {fence}\n}}")


def test_without_the_header_the_fence_is_that_of_the_compiler() -> None:
    text = "void f(void) { x = 1; }\n"
    assert _with(text, 0, Order.ACQ_REL) == text.replace("x", "__atomic_thread_fence(__ATOMIC_ACQ_REL); x")


def test_files_with_too_many_places_have_none() -> None:
    assert len(insertions({"p.c": f"void f(void) {{ {'x = 1; ' * 199}}}\n"})) == 200
    assert not insertions({"p.c": f"void f(void) {{ {'x = 1; ' * 200}}}\n"})
