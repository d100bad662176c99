"""What evaluations do, and which of them must not change places."""

from textwrap import dedent
from typing import Any

import pytest
from pycparser import c_ast

from cseq.c.parser import parse
from cseq.c.symbols import Symbols
from cseq.modules.analysis.effects import ProgramEffects, may_act

TEXT = """\
    int x, y, exposed, list[2];
    _Thread_local int own;
    int *where;
    void exit(int status);
    int sin(int);
    int set(void) { x = 1; return 0; }
    int get(void) { return x; }
    int other(void) { y = 1; return 0; }
    int through(void) { *where = 1; return 0; }
    int indirectly(void) { return set(); }
    int keeps(void) { int mine; mine = 2; return mine; }
    int mark(void) { own = 1; return 0; }
    int stop(void) { exit(0); return 0; }
    int call(int (*f)(void)) { return f(); }
    int pthread_create();
    int main(void) {
      where = &exposed;
      THREADS
      probe(ONE, OTHER);
      return 0;
    }
    """


def _clash(one: str, other: str, threads: bool = False) -> bool:
    text = dedent(TEXT).replace("THREADS", "pthread_create();" if threads else "")
    tree: Any = parse(text.replace("ONE", one).replace("OTHER", other), "program.c")
    call = next(item for item in tree.ext[-1].body.block_items if _is_probe(item))
    program = ProgramEffects(Symbols(tree), tree)
    return program.clash(*(program.of(argument) for argument in call.args.exprs))


def _is_probe(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncCall) and node.name.name == "probe"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("set()", "get()"),
        ("set()", "x"),
        ("x", "indirectly()"),
        ("set()", "set()"),
        ("through()", "exposed"),
        ("through()", "list[1]"),
        ("call(set)", "get()"),
        ("call(get)", "through()"),
        ("x++", "get()"),
        ("(x = 1)", "x"),
        ("mark()", "own"),
        ("stop()", "stop()"),
    ],
)
def test_the_order_matters(one, other):
    assert _clash(one, other)
    assert _clash(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("set()", "other()"), ("get()", "x"), ("through()", "x"), ("keeps()", "keeps()"), ("sin(1)", "sin(2)"),
     ("sizeof(set())", "x"), ("stop()", "x")],
)  # fmt: skip
def test_the_order_does_not_matter_to_the_thread_itself(one, other):
    assert not _clash(one, other)


def test_other_threads_see_the_order_of_accesses_to_what_they_share():
    assert _clash("set()", "other()", threads=True)
    assert _clash("set()", "y", threads=True)
    assert not _clash("get()", "y", threads=True)
    assert not _clash("mark()", "x", threads=True)
    assert not _clash("keeps()", "set()", threads=True)


def test_what_only_reads_does_not_act():
    tree: Any = parse("int f(int); int x, g; int main(void) { x + g; f(x); x++; sizeof(x++); -x; return 0; }", "p.c")
    assert [may_act(item) for item in tree.ext[-1].body.block_items[:-1]] == [False, True, True, False, False]
