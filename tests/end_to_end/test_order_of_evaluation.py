"""Operands whose order C leaves open: what an expression may give is what some order gives, in every engine."""

import pytest

from cseq.model.verdict import Verdict
from tests.support.engines import ENGINES, ask, each_by_one

# An expression, and the values that it may have.
EXPRESSIONS = {
    "sum": ("set(1) + get()", {1, 2}),
    "difference": ("get() - set(1)", {-1, 0}),
    "comparison": ("get() < set(1)", {0, 1}),
    "variable and call": ("x * 10 + set(1)", {1, 11}),
    "arguments": ("pair(set(1), get())", {10, 11}),
    "argument and variable": ("pair(x, set(1))", {1, 11}),
    "compound assignment": ("(x += set(1))", {1, 2}),
    "subscript": ("(a[get()] = set(1), a[0] + 10 * a[1])", {1, 10}),
    "pointer": ("*where() + set(1)", {1, 2}),
    "nested": ("(set(1) + get()) + (set(2) + get())", {4, 5, 6, 7}),
    "increment": ("pair(next(), next())", {1, 10}),
    "sequenced": ("set(1) && get()", {1}),
    "comma": ("(set(1), get())", {1}),
    "condition": ("set(1) ? get() : 7", {1}),
    "no effect": ("pair(get(), x)", {0}),
    "ends": ("quit() + fail()", {0}),
}


def _program(expression: str, claim: str) -> str:
    return f"""\
        #include <assert.h>
        #include <stdlib.h>
        int x, a[2];
        int set(int to) {{ x = to; return to; }}
        int get(void) {{ return x; }}
        int next(void) {{ return x++; }}
        int *where(void) {{ return &x; }}
        int quit(void) {{ exit(0); return 0; }}
        int fail(void) {{ assert(0); return 0; }}
        int pair(int one, int other) {{ return 10 * one + other; }}
        int main(void) {{
          int r = {expression};
          assert({claim});
          return 0;
        }}
        """


@pytest.mark.parametrize(("name", "engine"), each_by_one(EXPRESSIONS))
def test_every_order_is_explored_and_no_other(name, engine, tmp_path, monkeypatch):
    expression, values = EXPRESSIONS[name]
    if name == "ends":
        assert ask(engine, tmp_path, monkeypatch, _program(expression, "1")).verdict is Verdict.FALSE
        return
    for value in values:
        outcome = ask(engine, tmp_path, monkeypatch, _program(expression, f"r != {value}"))
        assert (outcome.verdict, outcome.warnings) == (Verdict.FALSE, []), value
        assert outcome.violated is not None and outcome.violated.name == "assertion"
    claim = " || ".join(f"r == {value}" for value in values)
    assert ask(engine, tmp_path, monkeypatch, _program(expression, claim)).verdict is Verdict.TRUE


@pytest.mark.parametrize("engine", ENGINES)
def test_another_thread_sees_the_order(engine, tmp_path, monkeypatch):
    text = """\
        #include <assert.h>
        #include <pthread.h>
        int x, y;
        int one(void) { x = 1; return 0; }
        int two(void) { y = 1; return 0; }
        void *worker(void *unused) {
          int seen = y;
          assert(!seen || x);
          return 0;
        }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          CALLS;
          pthread_join(t, 0);
          return 0;
        }
        """
    outcome = ask(engine, tmp_path, monkeypatch, text.replace("CALLS", "int r = one() + two(); (void)r"), rounds=2)
    assert outcome.verdict is Verdict.FALSE
    outcome = ask(engine, tmp_path, monkeypatch, text.replace("CALLS", "one(), two()"), rounds=2)
    assert outcome.verdict is Verdict.TRUE or (engine != "native" and outcome.exit_status == 0)


# Where not all orders are explored.
WARNED = {
    "three": ("int r = three(next(), next(), next());", "from left to right, and the reverse,"),
    "statements": ("int r = ({ x = 1; x; }) + get();", "from left to right"),
    "list": ("int r[2] = {set(1), get()};", "from left to right"),
    "bit-field": ("f[get()].bits = set(1);", "from left to right"),
}


@pytest.mark.parametrize("name", WARNED)
def test_where_an_order_is_left_out_a_warning_says_so(name, tmp_path, monkeypatch):
    statement, order = WARNED[name]
    text = f"""\
        int x;
        struct {{ int bits : 3; }} f[2];
        int set(int to) {{ x = to; return to; }}
        int get(void) {{ return x; }}
        int next(void) {{ return x++; }}
        int three(int a, int b, int c) {{ return a + b + c; }}
        int main(void) {{
          {statement}
          return 0;
        }}
        """
    outcome = ask("native", tmp_path, monkeypatch, text)
    assert outcome.verdict is Verdict.TRUE
    found = [(caution.origin.line, caution.message) for caution in outcome.warnings if caution.origin is not None]
    assert len(found) == 1 and found[0][0] == 8
    assert f"only the order {order} is explored" in found[0][1]


def test_statements_that_share_a_line_are_no_list(tmp_path, monkeypatch):
    text = """\
        struct entry { int id; struct entry *next; } *head, one;
        int number;
        int main(void) {
          struct entry *e = &one, own, other;
          e->id = ++number; e->next = head; head = e; e->id = number;
          own.id = number++; other.id = number;
          return own.id == 1 && other.id == 2 ? 0 : 1;
        }
        """
    assert ask("native", tmp_path, monkeypatch, text).warnings == []
