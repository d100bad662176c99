"""A crash is a violation, and the same one, whichever engine comes across it."""

import pytest

from cseq.model.verdict import Verdict
from cseq.report.words import description
from tests.support.engines import ENGINES, ask, each_by_one

# What crashes, in main, while a worker makes it right; and what is said of it.
CRASHES = {
    "null pointer": ("int v, *p;", "p = &v;", "x = *p;", "invalid memory access"),
    "null pointer to a struct": ("struct n { int a; int b; } v, *p;", "p = &v;", "p->b = 1;", "invalid memory access"),
    "division": ("int d;", "d = 2;", "x = 4 / d;", "division by zero, or one that overflows"),
    "remainder": ("unsigned d;", "d = 2;", "x = 4 % d;", "division by zero, or one that overflows"),
    "quotient": (
        "int d = -1, least = -2147483647 - 1;",
        "d = 2;",
        "x = least / d;",
        "division by zero, or one that overflows",
    ),
    "subscript": ("int a[3], i = 100000000;", "i = 2;", "a[i] = 1;", "index outside of an array"),
}


def _program(objects: str, mends: str, crashes: str, waits: bool) -> str:
    join = "pthread_join(t, 0);"
    return f"""\
        #include <assert.h>
        #include <pthread.h>
        int x;
        {objects}
        void *worker(void *unused) {{ {mends} return 0; }}
        int main(void) {{
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          {join if waits else ""}
          {crashes}
          {"" if waits else join}
          assert(x >= -2147483647 - 1);
          return 0;
        }}
        """


@pytest.mark.parametrize(("name", "engine"), each_by_one(CRASHES))
def test_a_crash_is_the_same_violation_by_every_engine(name, engine, tmp_path, monkeypatch):
    *parts, words = CRASHES[name]
    found = ask(engine, tmp_path, monkeypatch, _program(*parts, waits=False), rounds=2)
    assert found.verdict is Verdict.FALSE
    assert found.violated is not None and found.violated.origin is not None
    assert (description(found.violated), found.violated.name) == (words, "crash")
    assert found.violated.origin.line == 10
    assert found.counterexample is not None and found.counterexample.steps
    assert ask(engine, tmp_path, monkeypatch, _program(*parts, waits=True), rounds=2).verdict is Verdict.TRUE


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_read_for_nothing_crashes_too(engine, tmp_path, monkeypatch):
    text = "int v, *p, never_read;\nint main(void) {\n  never_read = *p;\n  return 0;\n}\n"
    found = ask(engine, tmp_path, monkeypatch, text).violated
    assert found is not None and (found.name, found.origin.line) == ("crash", 3)
    assert ask(engine, tmp_path, monkeypatch, text.replace("*p,", "*p = &v,")).verdict is Verdict.TRUE


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_not_evaluated_does_not_crash(engine, tmp_path, monkeypatch):
    text = """\
        #include <assert.h>
        struct n { int a, b[2]; } *p;
        int d, i = 7, c[2];
        int main(void) {
          int x = p && p->a;
          x += d ? 4 / d : 1;
          if (i < 2) c[i] = 1;
          int *end = &c[2];
          assert(sizeof p->a == 4 && end && x == 1);
          return (long)&p->b[1] == 0;
        }
        """
    assert ask(engine, tmp_path, monkeypatch, text).verdict is Verdict.TRUE


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("calls", "verdict"), [("abort()", Verdict.TRUE), ("assert(0)", Verdict.FALSE)])
def test_abort_ends_the_program_and_is_no_violation(calls, verdict, engine, tmp_path, monkeypatch):
    text = f"""\
        #include <assert.h>
        #include <stdlib.h>
        int x;
        int main(void) {{ if (x == 0) {calls}; assert(0); return 0; }}
        """
    assert ask(engine, tmp_path, monkeypatch, text).verdict is verdict


@pytest.mark.parametrize("engine", ENGINES)
def test_recursion_that_nothing_ends_is_a_bound(engine, tmp_path, monkeypatch):
    text = """\
        int d;
        int depth(int n) { return d ? n : depth(n + 1); }
        int main(void) { return depth(0); }
        """
    outcome = ask(engine, tmp_path, monkeypatch, text, recursion=2)
    assert outcome.verdict is Verdict.UNKNOWN
    assert any("depth" in bound.cut.key for bound in outcome.bounds)
    assert ask(engine, tmp_path, monkeypatch, text.replace("int d;", "int d = 1;"), recursion=2).verdict is Verdict.TRUE


def test_sv_comp_takes_a_crash_for_the_end_of_an_execution(tmp_path, monkeypatch):
    text = """\
        int *p, x;
        void reach_error(void) {}
        int main(void) { x = *p; reach_error(); return 0; }
        """
    assert ask("cbmc 6.6", tmp_path, monkeypatch, text, excuse=True).violated.name == "crash"
    text = text.replace("x = *p; reach", "reach")
    assert ask("cbmc 6.6", tmp_path, monkeypatch, text, excuse=True).violated.name == "reachability"
