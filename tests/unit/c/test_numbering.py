"""The places in a text where threads can be made to wait, and the text with their numbers in it."""

import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from cseq.c import parse
from cseq.c.numbering import Text, flat, marked
from cseq.c.preprocess import compiler

PROGRAM = """\
#define TWICE(x) x++; x++
int x, y;
#if 0
} not C (
#endif
static int (*get(int i))(void) { return 0; }
int old(a, b) int a; char b; { return a + b; }
void *(worker)(void *arg)
{
    int i = 1, j; for (i = 0; i < 2; i++) x++;
    if (x == 2) y = 1; else if (y) { y = 2; }
    else
        do x--; while (x > 0);
    switch (y) { case 1: x = 1; break; case 2 ... 4: default: y = 3; }
    for (;;) { TWICE(x); if (x) goto out; }
out: ;
    while (x) ;
    return (arg);
}
"""


def slots(source: str) -> list[str]:
    text = Text("a.c", source)
    return [f"{s.kind} {text.text[s.first : s.stop]}" + ("!" if s.bare else "") for s in text.slots]


def test_slots() -> None:
    assert slots(PROGRAM) == [
        "return return 0;",
        "return return a + b;",
        "statement int i = 1, j;",
        "init for (i = 0;",
        "condition i < 2",
        "next i++",
        "statement x++;!",
        "condition x == 2",
        "statement y = 1;!",
        "condition y!",
        "statement y = 2;",
        "statement x--;!",
        "condition x > 0",
        "condition y",
        "statement x = 1;",
        "jump break;",
        "statement y = 3;",
        "init for (;",
        "statement TWICE(x);",
        "condition x",
        "jump goto out;!",
        "statement ;",
        "condition x",
        "return return (arg);",
    ]


def test_a_macro_with_a_block_behind_it() -> None:
    assert slots("void f(void) { if (1) EACH(i, 3) { x++; } y = 1; }") == [
        "condition 1",
        "head EACH(i, 3)!",
        "statement x++;",
        "statement y = 1;",
    ]


def test_slots_know_the_places_that_markers_name() -> None:
    text = Text("a.i", '# 7 "b.c"\nint f(void)\n{ return\n 1; }\n# 1 "c.h" 3\nstatic int g(void) { return 2; }\n', 5)
    (slot,) = text.slots
    assert (slot.number, slot.file, slot.line, slot.function) == (5, "b.c", 8, "f")  # c.h is the system's
    assert text.end == 6
    with pytest.raises(KeyError):
        text.slot(4)


def preprocessed(folder: Path, text: str) -> str:
    path = folder / "a.c"
    path.write_text(text)
    done = subprocess.run([compiler(), "-E", str(path)], capture_output=True, text=True, check=True)
    return done.stdout


def tokens(text: str) -> str:
    return "".join(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def test_the_numbers_change_nothing_but_are_in_the_origins(tmp_path: Path) -> None:
    text = Text("a.c", PROGRAM)
    plain, numbered = (preprocessed(tmp_path, each) for each in (PROGRAM, text.numbered()))
    assert tokens(plain) == tokens(numbered)
    body = parse(marked(numbered), "a.c").ext[-1].body.block_items
    found = [(type(node).__name__, node.coord.statement, node.coord.line) for node in body]
    assert ("For", (4,), 10) in found
    assert ("If", (8,), 11) in found
    loop = next(node for node in body if type(node).__name__ == "For")
    assert [part.coord.statement for part in (loop.init, loop.cond, loop.next, loop.stmt)] == [(4,), (5,), (6,), (7,)]
    twice = next(node for node in body if type(node).__name__ == "For" and node.cond is None).stmt.block_items
    assert [node.coord.statement for node in twice[:2]] == [(19,), (19,)]  # both are of one place in the text


def test_headers_of_the_user_s_are_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "more.h").write_text("#pragma once\nint more;\n")
    (tmp_path / "own.h").write_text("#include <more.h>\nstatic int own(void) { return 1; }")
    program = tmp_path / "a.c"
    program.write_text('#include "own.h"\n#include <stdio.h>\n/*\n#include "own.h"\n*/\nint x;\n')
    inc = f"{tmp_path}/inc"
    assert flat(program, [inc]) == dedent(
        f"""\
        #line 1 "{tmp_path}/a.c"
        #line 1 "{tmp_path}/own.h"
        #ifndef CSEQ_ONCE_1
        #define CSEQ_ONCE_1
        #line 1 "{inc}/more.h"

        int more;

        #endif
        #line 2 "{tmp_path}/own.h"
        static int own(void) {{ return 1; }}
        #line 2 "{tmp_path}/a.c"
        #include <stdio.h>
        /*
        #include "own.h"
        */
        int x;
        """
    )
