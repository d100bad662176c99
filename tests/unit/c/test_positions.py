"""Where statements, calls and variables are in a text."""

from textwrap import dedent

import pytest

from cseq.c.positions import SourceText, Statement

PROGRAM = """\
#include <assert.h>
int shared, other = 1, *pointer;
static int taken;
_Thread_local int own;
struct pair { int first; } pair;
/* int nothing(void) { return 1; } */
static void *worker(void *arg)
{
    int local = 3, second; // {
    if (local ==
        second) shared = 1; else shared++;
    do {
        local--;
    } while (local > 0);
again: second = f(a,
                  ")", g(1));
    for (int i = 0; i < 2; i++) { pthread_create(&x, 0, worker, 0); x += 1; }
    switch (local) { case 1: case 'a': shared = 2; break; default: ; }
    return &taken;
}
int main(void) { while (shared) ; return 0; }
"""


@pytest.fixture
def text() -> SourceText:
    return SourceText("a.c", PROGRAM)


def where(text: SourceText, statement: Statement | None) -> tuple[str, int, int] | None:
    if statement is None:
        return None
    token = text.begin(statement)
    return statement.keyword, token.line, token.column


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (9, ("", 9, 5)),
        (10, ("if", 10, 5)),
        (11, ("", 11, 17)),  # what begins there, not the condition that ends there
        (12, ("do", 12, 5)),
        (13, ("", 13, 9)),
        (14, ("tail", 14, 14)),  # the condition is an expression of its own
        (15, ("", 15, 8)),  # after the label
        (16, ("", 15, 8)),
        (17, ("for", 17, 5)),
        (18, ("switch", 18, 5)),
        (21, ("while", 21, 18)),
        (8, None),
        (99, None),
    ],
)
def test_the_statement_on_a_line(text: SourceText, line: int, place: tuple[str, int, int] | None) -> None:
    assert where(text, text.statement([line])) == place


def test_calls_and_the_statements_that_make_them(text: SourceText) -> None:
    (outer, inner) = text.calls([16], "worker")
    assert (outer.name, inner.name) == ("f", "g")
    closing = text.tokens[outer.closing]
    assert (closing.line, closing.column) == (16, 28)
    (create,) = text.calls([17], "worker")
    assert "worker" in text.words(create)
    assert where(text, text.around(create)) == ("", 17, 35)
    assert text.calls([17], "main") == []


def test_statements_behind_a_case(text: SourceText) -> None:
    assert [where(text, s) for s in text.functions[0].statements if text.tokens[s.first].line == 18] == [
        ("switch", 18, 5),
        ("", 18, 40),
        ("", 18, 52),
    ]


def test_the_end_of_a_loop_is_that_of_its_body(text: SourceText) -> None:
    loops = [s for s in text.functions[0].statements if s.is_loop]
    assert [(s.keyword, text.tokens[s.end].line) for s in loops] == [("do", 14), ("tail", 14), ("for", 17)]


def test_variables_that_have_one_meaning(text: SourceText) -> None:
    assert {"shared", "other", "taken", "pair"} <= text.variables()
    assert "own" not in text.variables()
    assert not {"nothing", "local", "worker", "first"} & text.variables()
    assert {"taken", "own", "local", "second", "arg", "i", "x"} <= text.others(alone=True)
    assert "shared" not in text.others(alone=True)
    assert "taken" in text.others(alone=False)


def test_lines_of_a_preprocessed_text_are_those_that_it_has() -> None:
    preprocessed = dedent("""\
        # 1 "a.c"
        # 1 "<built-in>"
        # 7 "sub/a.c" 2
        int main(void) {
          ((void) sizeof (
        # 8 "sub/a.c"
          1));
        # 8 "sub/a.c"
          other();
        #line 20
          last();
        }
        """)
    text = SourceText("a.i", preprocessed)
    assert text.lines("sub/a.c", 8) == [5, 7, 9]
    assert text.lines("sub/a.c", 20) == [11]
    assert text.lines("a.i", 4) == []
    assert where(text, text.statement(text.lines("sub/a.c", 8))) == ("", 5, 3)
    assert where(text, text.statement(text.lines("sub/a.c", 20))) == ("", 11, 3)


@pytest.mark.parametrize(
    "broken", ["int f(void) { if (", "}}}} ;;", "f( { ) }", "int f() { case", "do", "int f() { x: }"]
)
def test_what_is_no_c_has_no_statements_and_is_no_error(broken: str) -> None:
    text = SourceText("a.c", f"{broken}\nint main(void) {{ return 0; }}\n")
    assert text.statement([9]) is None
    assert text.lines("a.c", 2) == [2]
