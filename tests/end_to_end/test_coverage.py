"""An answer without a violation names the assertions and threads that no execution reaches."""

from __future__ import annotations

import pytest

import cseq
from cseq.cli.main import main
from cseq.model.coverage import Kind
from cseq.model.verdict import Reason, Verdict

FRAME = """\
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
void reach_error(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
{functions}
int main(void) {{
  pthread_t p, q;
  {body}
  return 0;
}}
"""
INCREMENT = "void *t(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }"
CHECKER = "void __VERIFIER_assert(int c) { if (!c) { reach_error(); } }"
BOTH = "pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0);"
JOINED = f"{BOTH} pthread_join(p, 0); pthread_join(q, 0);"

CASES = {
    "an assumption that never holds": ("", "x = 1; __VERIFIER_assume(x == 2);\nassert(x == 2);\nassert(x == 3);",
        "2 of 2 assertions are never reached: 11, 12; `assume` at 10 ends every execution that gets there"),
    "an assumption that may hold": (INCREMENT, f"{BOTH} __VERIFIER_assume(x == 2);\nassert(x == 2);", ""),
    "a condition that never holds": (INCREMENT, f"{JOINED}\nif (x == 3)\nassert(x == 4);\nassert(x == 2);",
        "1 of 2 assertions are never reached: 12"),
    "a condition that seldom holds": (INCREMENT, f"{BOTH}\nif (x == 1)\nassert(x > 0);\nassert(x >= 0);", ""),
    "a creation that is never reached": (INCREMENT.replace("x++;", "x++; assert(x == 1);"),
        "if (x == 1)\npthread_create(&p, 0, t, 0);\nassert(x == 0);",
        "1 of 2 assertions are never reached: those of `t`, which no thread runs; "
        "the thread `t` at 11 is never created"),
    "a creation of two": (INCREMENT.replace("x++;", "x++; assert(x == 1);"),
        "pthread_create(&p, 0, t, 0);\npthread_join(p, 0); if (x > 1)\npthread_create(&q, 0, t, 0);",
        "the thread `t` at 12 is never created"),
    "a function that nothing calls": ("int f(int n) { assert(n); assert(n > 1); return n; }", "assert(x == 0);",
        "2 of 3 assertions are never reached: those of `f`, which is never called"),
    "a function that is called": ("int f(int n) { assert(n); assert(n > 1); return n; }", "f(2);", ""),
    "an assertion of the user's own": (CHECKER, "__VERIFIER_assert(x == 0);\nif (x)\n__VERIFIER_assert(x);",
        "1 of 2 assertions are never reached: 12"),
    "a place that must not be reached": (CHECKER, "if (x) reach_error();\nif (x) { if (x > 1) reach_error(); }",
        "1 of 2 assertions are never reached: 11"),
    "assertions that fail wherever they are": (
        "", "if (x) assert(0);\nif (x) assert(!\"so\");\nif (x) assert(0 && \"so\");", ""),
    "assertions that hold wherever they are": ("", "assert(1); assert(sizeof x > 0);", ""),
    "an assertion in an atomic section": (
        "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);"
        " void *t(void *a) { __VERIFIER_atomic_begin(); x++; assert(x); __VERIFIER_atomic_end(); return 0; }",
        f"{BOTH}\nassert(x >= 0);", ""),
    "an end of the program": ("void exit(int);", "assert(x == 0); exit(0);\nassert(x == 1);",
        "1 of 2 assertions are never reached: 11"),
    "a thread that waits for ever": (INCREMENT, "pthread_create(&p, 0, t, 0); pthread_mutex_lock(&m);\n"
        "pthread_join(p, 0);\nassert(x == 1);", ""),
    "a program without assertions": (INCREMENT, JOINED, ""),
}  # fmt: skip


def _said(path: str, **values: object) -> str:
    outcome = cseq.verify(path, **{"backend": "native", "timeout": 60, **values})
    assert outcome.verdict is Verdict.TRUE, (outcome.reason, outcome.message, outcome.violated)
    return "; ".join(warning.message for warning in outcome.warnings).replace(f"{path}:", "")


@pytest.mark.parametrize("name", CASES)
def test_what_is_not_reached_is_named(tmp_path, name):
    functions, body, said = CASES[name]
    path = tmp_path / "x.c"
    path.write_text(FRAME.format(functions=functions, body=body), encoding="utf-8")
    assert _said(str(path)) == said
    assert _said(str(path), no_por=True, no_movers=True, jobs=1) == said


SOME = ("an assumption that never holds", "a condition that seldom holds", "a creation that is never reached",
        "a place that must not be reached")  # fmt: skip


@pytest.mark.parametrize("name", SOME)
def test_spin_names_the_same(tmp_path, name):
    functions, body, said = CASES[name]
    path = tmp_path / "x.c"
    path.write_text(FRAME.format(functions=functions, body=body), encoding="utf-8")
    assert _said(str(path), backend="spin") == said
    assert _said(str(path), backend="spin", cores=2) == said


INPUT = """\
#include <assert.h>
#include <pthread.h>
int x;
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void reach_error(void);
void __VERIFIER_assert(int c) {{ if (!c) {{ reach_error(); }} }}
void *t(void *a) {{ x = 1; if (x > 4) reach_error(); return 0; }}
int main(void) {{
  pthread_t p;
  int n = __VERIFIER_nondet_int();
  pthread_create(&p, 0, t, 0);
  __VERIFIER_assume(n > 5 && n < {most});
  assert(n > x);
  __VERIFIER_assert(n > 0);
  if (n > 300)
    assert(n == 1);
  for (int i = 0; i < 2; i++) {{
    if (i == 1)
      __VERIFIER_assert(n);
    else
      assert(n > i);
  }}
  assert(1);
  return 0;
}}
"""


@pytest.mark.parametrize("encoding", ["sequential", "partial-order"])
@pytest.mark.parametrize(
    ("most", "said"),
    [
        (300, "1 of 6 assertions are never reached: 17"),
        (400, ""),
        (3, "5 of 6 assertions are never reached: 14, 15, 17, 20, 22; "
            "`assume` at 13 ends every execution that gets there"),
    ],
)  # fmt: skip
def test_cbmc_says_what_inputs_of_any_value_reach(tmp_path, encoding, most, said):
    path = tmp_path / "x.c"
    path.write_text(INPUT.format(most=most).replace("n == 1", "n > 1"), encoding="utf-8")
    values = {"encoding": encoding} if encoding != "sequential" else {"rounds": 6}
    assert _said(str(path), backend="cbmc", unwind=3, **values) == said


def test_cbmc_is_not_asked_without_assumptions(tmp_path):
    path = tmp_path / "x.c"
    text = INPUT.format(most=300).replace("__VERIFIER_assume(n > 5 && n < 300);", "n = 7;")
    path.write_text(text, encoding="utf-8")
    assert cseq.verify(path, backend="cbmc", unwind=3, rounds=6).coverage is None


def test_within_bounds_less_is_known(tmp_path):
    path = tmp_path / "x.c"
    path.write_text(FRAME.format(functions=INCREMENT, body=f"{JOINED}\nif (x > 2) assert(x == 0);"), encoding="utf-8")
    outcome = cseq.verify(path, backend="native", depth=3)
    assert outcome.reason is Reason.BOUNDED
    (said,) = (warning.message for warning in outcome.warnings)
    assert said.startswith(f"the assertion is not reached within the bounds: {path}:11")


LINES = """\
#include <assert.h>
#include <pthread.h>
int x;
int twice(int n)
{
  return
    n * 2;
}
void unused(void)
{
  x = 1;
}
void *t(void *a)
{
  while (x < 2) {
    x = twice(x)
        + 1;
  }
  if (x > 5)
    x = 0;
  return 0;
}
int main(void)
{
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  pthread_join(p, 0);
  if (x == 3)
    goto end;
  x = 4;
end:
  assert(x == 3);
  return 0;
}
"""
REACHED = [6, 15, 16, 19, 21, 26, 27, 28, 29, 32, 33]
UNREACHED = [11, 20, 30]


def test_lines_are_written_for_lcov(tmp_path, capsys):
    path, file = tmp_path / "x.c", tmp_path / "x.info"
    path.write_text(LINES, encoding="utf-8")
    assert main([str(path), "-b", "native", "--coverage", str(file)]) == 0
    hits = {**dict.fromkeys(REACHED, 1), **dict.fromkeys(UNREACHED, 0)}
    data = [f"DA:{line},{hit}" for line, hit in sorted(hits.items())]
    record = ["TN:", f"SF:{path}", *data, f"LF:{len(hits)}", f"LH:{len(REACHED)}", "end_of_record"]
    assert file.read_text(encoding="utf-8").splitlines() == record
    assert capsys.readouterr().err == ""


def test_where_there_is_no_coverage_none_is_written(tmp_path, capsys):
    path, file = tmp_path / "x.c", tmp_path / "x.info"
    path.write_text(LINES.replace("assert(x == 3)", "assert(x == 4)"), encoding="utf-8")
    assert main([str(path), "-b", "native", "--coverage", str(file)]) == 1
    assert "--coverage" in capsys.readouterr().err
    assert not file.exists()
    assert main([str(path), "-b", "tlc", "--coverage", str(file)]) == 2
    assert "--coverage is for native and spin, not for `tlc`" in capsys.readouterr().err
    assert main([str(path), "--coverage", str(path)]) == 2
    assert "is an input file" in capsys.readouterr().err


def test_violations_and_other_properties_say_nothing(tmp_path):
    path = tmp_path / "x.c"
    path.write_text(FRAME.format(functions=INCREMENT, body=f"{JOINED}\nif (x > 2) assert(x == 0); assert(x == 1);"),
                    encoding="utf-8")  # fmt: skip
    outcome = cseq.verify(path, backend="native", deadlock=True)
    assert [(part.verdict, part.coverage) for part in outcome.parts] == [(Verdict.FALSE, None), (Verdict.TRUE, None)]
    assert outcome.warnings == []


def test_points_have_their_places(tmp_path):
    path = tmp_path / "x.c"
    path.write_text(FRAME.format(functions=INCREMENT, body=f"{BOTH}\nassert(x >= 0);"), encoding="utf-8")
    covered = cseq.verify(path, backend="native").coverage
    assert [(p.kind, p.place.line, p.place.function) for p in covered.reached] == [
        (Kind.THREAD, 10, "main"),
        (Kind.CLAIM, 11, "main"),
    ]
    assert (covered.unreached, covered.ending) == ((), ())
