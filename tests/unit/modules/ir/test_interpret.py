"""The interpreter finds the violations of small programs, and only those."""

import pytest

from cseq.modules.ir.interpret import constants, explore

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
"""


def found(lowered, text, **parameters):
    program = lowered(HEAD + text, **parameters)
    return explore(program, constants(program))


def main(body: str, before: str = "") -> str:
    return f"{before} int main(void) {{ {body} return 0; }}"


COUNTER = """\
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *arg) {{ {0} int l = x; x = l + 1; {1} return 0; }}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(x == 2);
  return 0;
}}
"""


def test_a_lost_update_is_found_and_a_lock_prevents_it(lowered):
    broken = found(lowered, COUNTER.format("", ""))
    assert set(broken.violations) == {"assertion: x == 2"} and broken.cuts == set()
    repaired = found(lowered, COUNTER.format("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"))
    assert (repaired.violations, repaired.cuts, repaired.deadlocks) == ({}, set(), 0)


def test_a_section_is_one_step(lowered):
    text = COUNTER.format("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();")
    assert found(lowered, text).violations == {}


WAITS_INSIDE = """\
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) {
  __VERIFIER_atomic_begin(); x = 1; pthread_mutex_lock(&m); __VERIFIER_atomic_end();
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, work, 0);
  assert(x == 0);
  %s
  pthread_join(t, 0);
  return 0;
}
"""


def test_a_section_in_which_a_call_blocks_does_not_begin(lowered):
    """Disagreement 6 of the readers of the core language: x is not written before the section can be finished."""
    held = found(lowered, WAITS_INSIDE % "pthread_mutex_unlock(&m);")
    assert (held.violations, held.deadlocks) == ({}, 0)
    assert found(lowered, WAITS_INSIDE % "").deadlocks > 0


def test_sections_nest_to_any_depth(lowered):
    """Disagreement 5."""
    begin, end = "__VERIFIER_atomic_begin();" * 4, "__VERIFIER_atomic_end();" * 4
    assert found(lowered, COUNTER.format(begin, end)).violations == {}
    assert found(lowered, COUNTER.format(begin + end, "")).violations != {}


def test_a_violation_ends_the_execution(lowered):
    """Disagreement 2: what comes after an assertion that fails is not executed."""
    assert set(found(lowered, main("assert(x); assert(!x + 1 == x);", "int x;")).violations) == {"assertion: x"}


ASSUMES = """\
int x;
void *work(void *arg) { int l = 0; x = 1; __VERIFIER_assume(l); x = 2; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); assert(x == %d); return 0; }
"""


def test_an_assumption_on_locals_stops_the_thread_where_it_is(lowered):
    """Disagreement 3: other threads go on before it ends the execution."""
    assert set(found(lowered, ASSUMES % 0).violations) == {"assertion: x == 0"}
    assert found(lowered, (ASSUMES % 0).replace("x == 0", "x != 2")).violations == {}


def test_the_load_in_a_condition_happens_at_each_arrival(lowered):
    text = """\
        int x;
        void *work(void *arg) { x = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); while (!x) ; assert(%s); return 0; }
        """
    assert found(lowered, text % "x").violations == {}
    assert found(lowered, text % "!x").violations != {}


def test_an_endless_loop_of_one_thread_does_not_stop_the_others(lowered):
    text = """\
        int x;
        void *work(void *arg) { x = 1; while (1) ; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); assert(x == 0); return 0; }
        """
    result = found(lowered, text)
    assert set(result.violations) == {"assertion: x == 0"} and result.deadlocks == 0


def test_main_ends_all_threads(lowered):
    text = """\
        int x;
        void *work(void *arg) { x = 1; assert(x == %d); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return 0; }
        """
    assert found(lowered, text % 1).violations == {}
    assert found(lowered, text % 2).violations != {}


@pytest.mark.parametrize(
    "body, before, fails",
    [
        ("int n = __VERIFIER_nondet_int(); assert(n != 77);", "", True),
        ("int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 77); assert(n != 77);", "", False),
        ("int n; assert(n == 3 || n != 3);", "", False),
        ("int n; int k = n; assert(k == n);", "", False),
        ("int n; assert(n != 3);", "", True),
        ("s.b = 9; assert(s.b == 1 && s.c == 0);", "struct { unsigned b : 3; int c : 2; } s;", False),
        ("u.i = 258; assert(u.c[0] == 2 && u.c[1] == 1);", "union { int i; char c[4]; } u;", False),
        ("int *p = malloc(8); p[1] = 5; memcpy(v, p, 8); assert(v[1] == 5); free(p);", "int v[2];", False),
        ("assert((char) 200 == -56 && (unsigned) -1 > 0 && -7 / 2 == -3 && -7 % 2 == -1);", "", False),
        ("double d = 0.1f; assert(d != 0.1 && (int) 2.9 == 2 && 1 / 2.0 == 0.5);", "", False),
        ("int (*f)(int) = g; assert(f(1) == 2);", "int g(int n) { return n + 1; }", False),
        ('const char *t = "ab"; assert(t[1] == 98 && strlen(t) == 2);', "", False),
        ("assert(a[1].n == 4 && *p == 4);", "struct { int m, n; } a[2] = { [1] = { 3, 4 } }; int *p = &a[1].n;", False),
    ],
)
def test_values(lowered, body, before, fails):
    result = found(lowered, main(body, before), unwind=4)
    assert bool(result.violations) is fails and result.undefined == set()


def test_undefined_behaviour_is_noted(lowered):
    assert found(lowered, main("int *p = 0; *p = 1;")).undefined
    assert found(lowered, main("x = 1 / x;", "int x;")).undefined == {"a division by zero"}


def test_what_was_not_looked_at_is_noted(lowered):
    recursive = found(lowered, main("f(3);", "int f(int n) { return n ? f(n - 1) : 0; }"), recursion=2)
    assert recursive.cuts == {"cut.recursion 2: f"}
    assert not found(lowered, main("int n = __VERIFIER_nondet_int(); assert(n || !n);")).is_exact
    program = lowered(HEAD + COUNTER.format("", ""))
    assert explore(program, constants(program), limit=10).cuts == {"time"}


def test_a_wait_may_end_without_a_signal(lowered):
    text = """\
        int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        int main(void) { pthread_mutex_lock(&m); %s pthread_cond_wait(&c, &m); assert(x); return 0; }
        """
    assert found(lowered, text % "").violations != {}
    assert found(lowered, text % "while (!x)").violations == {}


def test_misuse_of_the_library_is_a_violation(lowered):
    result = found(lowered, main("pthread_mutex_unlock(&m);", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"))
    assert [key.partition(" ")[0] for key in result.violations] == ["misuse.not_held"]


def test_calls_before_the_inliner_have_frames(lowered):
    text = "int f(int n) { int l = n; if (n > 0) l = l + f(n - 1); return l; } int main(void) { assert(f(4) == %d); }"
    assert found(lowered, text % 10, stage="three_address").violations == {}
    assert found(lowered, text % 9, stage="three_address").violations != {}
