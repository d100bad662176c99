"""Which functions keep frames, and what a program with frames is like."""

from pathlib import Path
from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.c.printer import print_unit
from cseq.modules.core.inliner.recursion import FRAMED, FRAMES
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context

THREADS = """
#include <pthread.h>
void *worker(void *arg);
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return 0; }
"""


def framed(folder: Path, program: str) -> dict[str, str]:
    """The functions of the user's in the program with frames, by name; none if there is no such program."""
    (folder / "p.c").write_text(program)
    chain = load("explicit")
    context = Context({**chain.values({}), FRAMES.name: True}, folder)
    value: object = [str(folder / "p.c")]
    for name, stage in chain.chosen(context.values):
        value = stage(context).run(value)
        if name == "inliner":
            break
    found = context.facts[FRAMED]
    if found is None:
        return {}
    names = {"main", "worker", *found.functions}
    return {
        n.decl.name: print_unit(c_ast.FileAST([n]))[0]
        for n in found.tree.ext
        if isinstance(n, c_ast.FuncDef) and n.decl.name in names
    }


def test_functions_that_call_each_other_stay_and_all_others_go(tmp_path: Path) -> None:
    found = framed(
        tmp_path,
        """
        int g;
        int odd(int n);
        int less(int n) { return n - 1; }
        int even(int n) { if (n == 0) return 1; return odd(less(n)); }
        int odd(int n) { if (n == 0) return 0; return even(less(n)); }
        int main(void) { g = even(4); odd(3); return less(2); }
        """,
    )
    assert set(found) == {"main", "even", "odd"}
    assert (
        "__cs_ret_even = even(4);" in found["main"]
        and "odd(3);" in found["main"]
        and "less(" not in "".join(found.values())
    )
    assert found["odd"] == dedent("""\
        int odd(int n__cs3)
        {
          int __cs_tmp_3;
          int __cs_tmp_4;
          int __cs_ret_less;
          int n;
          int __cs_ret_even;
          if (n__cs3 == 0) {
            return 0;
          }
          n = n__cs3;
          __cs_ret_less = n - 1;
          __cs_tmp_3 = __cs_ret_less;
          __cs_ret_even = even(__cs_tmp_3);
          __cs_tmp_4 = __cs_ret_even;
          return __cs_tmp_4;
        }
        """)


def test_an_atomic_function_is_called_in_an_atomic_section(tmp_path: Path) -> None:
    found = framed(
        tmp_path,
        """
        int g;
        void __VERIFIER_atomic_add(int n) { if (n) { g++; __VERIFIER_atomic_add(n - 1); } }
        int main(void) { __VERIFIER_atomic_add(2); return 0; }
        """,
    )
    lines = [line.strip() for line in found["main"].splitlines()]
    at = lines.index("__VERIFIER_atomic_add(2);")
    assert (lines[at - 1], lines[at + 1]) == ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();")


def test_a_start_function_may_recurse_and_end_the_thread(tmp_path: Path) -> None:
    found = framed(
        tmp_path, THREADS + "int d; void *worker(void *arg) { if (d++ > 2) pthread_exit(arg); return worker(&d); }"
    )
    assert "pthread_exit(arg);" in found["worker"] and "worker(&d);" in found["worker"]


UNFRAMED = {
    "nothing recurses": THREADS + "void *worker(void *arg) { return arg; }",
    "main recurses": "int g; int main(void) { if (g++ < 2) main(); return 0; }",
    "an input": "int __VERIFIER_nondet_int(void); int f(int n) { return n ? f(n - 1) : 0; }"
    "int main(void) { return f(__VERIFIER_nondet_int()); }",
    "an object of the thread": THREADS
    + "_Thread_local int depth; void f(void) { if (depth++ < 2) f(); } void *worker(void *a) { f(); return a; }",
    "a handler of the caller's": THREADS
    + "void done(void *a) { } void f(int n) { if (n) f(n - 1); else pthread_exit(0); }"
    "void *worker(void *a) { pthread_cleanup_push(done, a); f(2); pthread_cleanup_pop(0); return a; }",
    "what runs at the end": "#include <stdlib.h>\nvoid done(void) { } int f(int n) { return n ? f(n - 1) : 0; }"
    "int main(void) { atexit(done); return f(2); }",
}


@pytest.mark.parametrize("program", UNFRAMED.values(), ids=UNFRAMED)
def test_what_cannot_be_followed_across_calls_is_inlined(tmp_path: Path, program: str) -> None:
    assert framed(tmp_path, program) == {}
