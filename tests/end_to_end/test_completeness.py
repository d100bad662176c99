"""That rounds cover all schedules is said only where they do: two threads take turns, in every way there is to do so.

`a` goes on when `b` has, and `b` when `a` has. `a` stands in front of `b` in each round, so the last turn needs three
rounds, and whatever the threads use to tell each other, no proof may come with two.
"""

from pathlib import Path

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.report.words import message

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")

TURNS = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void); void reach_error(void);
{objects}
void *a(void *arg) {{ {for_a} WAIT(0) SEND(1) WAIT(2) {last} return 0; }}
void *b(void *arg) {{ {for_b} SEND(0) WAIT(1) SEND(2) return 0; }}
int main(void) {{
  pthread_t t1, t2;
  {before}
  pthread_create(&t1, 0, a, ARG); pthread_create(&t2, 0, b, ARG);
  pthread_join(t1, 0); pthread_join(t2, 0);
  return 0;
}}
"""
MUTEXES = "pthread_mutex_t m[3] = {" + ", ".join(["PTHREAD_MUTEX_INITIALIZER"] * 3) + "};\n"

WAYS = {
    "an object": "int x = -1;\n#define SEND(n) x = n;\n#define WAIT(n) __VERIFIER_assume(x == n);",
    "elements of an array": "int x[3];\n#define SEND(n) x[n] = 1;\n#define WAIT(n) __VERIFIER_assume(x[n]);",
    "a pointer to an object": (
        "int x = -1, *p = &x;\n#define SEND(n) *p = n;\n#define WAIT(n) __VERIFIER_assume(x == n);"
    ),
    "a pointer to an array": (
        "int x[3];\n#define SEND(n) { int *p = x; p[n] = 1; }\n#define WAIT(n) __VERIFIER_assume(x[n]);"
    ),
    "a row of an array": (
        "int x[2][3];\n#define SEND(n) { int *p = x[1]; p[n] = 1; }\n#define WAIT(n) __VERIFIER_assume(x[1][n]);"
    ),
    "a member": (
        "struct { int y, x; } s = {0, -1};\n#define SEND(n) s.x = n;\n#define WAIT(n) __VERIFIER_assume(s.x == n);"
    ),
    "a pointer to a member": (
        "struct { int y, x; } s = {0, -1};\n#define SEND(n) { int *p = &s.x; *p = n; }\n"
        "#define WAIT(n) __VERIFIER_assume(s.x == n);"
    ),
    "a member array": (
        "struct { int y, x[3]; } s;\n#define SEND(n) { int *p = s.x; p[n] = 1; }\n"
        "#define WAIT(n) __VERIFIER_assume(s.x[n]);"
    ),
    "a union": (
        "union { int i; unsigned char c[4]; } u = {9};\n#define SEND(n) u.i = n;\n"
        "#define WAIT(n) __VERIFIER_assume(u.c[0] == n);"
    ),
    "a pointer in a table": (
        "int x = -1; struct { int *p; } table[2] = {{0}, {&x}};\n#define SEND(n) *table[1].p = n;\n"
        "#define WAIT(n) __VERIFIER_assume(x == n);"
    ),
    "a bit-field": (
        "struct { unsigned x : 3, y : 3; } s = {7, 0};\n#define SEND(n) s.x = n;\n"
        "#define WAIT(n) __VERIFIER_assume(s.x == n);"
    ),
    "a static local": (
        "int *at(void) { static int x = -1; return &x; }\n#define SEND(n) *at() = n;\n"
        "#define WAIT(n) __VERIFIER_assume(*at() == n);"
    ),
    "a local of main": (
        "#define ARG &n\n#define BEFORE int n = -1;\n#define SEND(n) *(int *)arg = n;\n"
        "#define WAIT(n) __VERIFIER_assume(*(int *)arg == n);"
    ),
    "a local of main and the object": (
        "#define ARG &n\n#define BEFORE int n = -1; where = &n;\nint *where;\n#define SEND(n) *where = n;\n"
        "#define WAIT(n) __VERIFIER_assume(*(int *)arg == n);"
    ),
    "memory of malloc": (
        "#define ARG p\n#define BEFORE int *p = malloc(4); *p = -1;\n#define SEND(n) *(int *)arg = n;\n"
        "#define WAIT(n) __VERIFIER_assume(*(int *)arg == n);"
    ),
    "an atomic object": (
        "atomic_int x;\n#define SEND(n) x++;\n#define WAIT(n) __VERIFIER_assume(atomic_load(&x) == n + 1);"
    ),
    "a built-in": (
        "int x;\n#define SEND(n) __sync_fetch_and_add(&x, 1);\n"
        "#define WAIT(n) __VERIFIER_assume(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == n + 1);"
    ),
    "an atomic section": (
        "int x = -1, y;\n#define SEND(n) __VERIFIER_atomic_begin(); y = n; x = y; __VERIFIER_atomic_end();\n"
        "#define WAIT(n) __VERIFIER_assume(x == n);"
    ),
    "an atomic section told at run time": (
        "int x = -1;\n#define SEND(n) { int c = __VERIFIER_nondet_int(); if (c) __VERIFIER_atomic_begin(); x = 7;"
        " x = n; if (c) __VERIFIER_atomic_end(); }\n#define WAIT(n) __VERIFIER_assume(x == n);"
    ),
    "a mutex": MUTEXES
    + (
        "#define SEND(n) pthread_mutex_lock(&m[n]);\n"
        "#define WAIT(n) __VERIFIER_assume(pthread_mutex_trylock(&m[n]) == EBUSY);"
    ),
    "a mutex behind a pointer": MUTEXES
    + (
        "#define SEND(n) { pthread_mutex_t *p = m + n; pthread_mutex_lock(p); }\n"
        "#define WAIT(n) __VERIFIER_assume(pthread_mutex_trylock(&m[n]) == EBUSY);"
    ),
    "a mutex in a struct": (
        "struct { pthread_mutex_t m[3]; } s;\n"
        "#define BEFORE for (int i = 0; i < 3; i++) pthread_mutex_init(&s.m[i], 0);\n"
        "#define SEND(n) pthread_mutex_lock(&s.m[n]);\n"
        "#define WAIT(n) __VERIFIER_assume(pthread_mutex_trylock(s.m + n) == EBUSY);"
    ),
    "a semaphore": (
        "sem_t s[3];\n#define BEFORE for (int i = 0; i < 3; i++) sem_init(&s[i], 0, 0);\n"
        "#define SEND(n) sem_post(&s[n]);\n#define WAIT(n) sem_wait(&s[n]);"
    ),
    "a semaphore's value": (
        "sem_t s;\n#define BEFORE sem_init(&s, 0, 0);\n#define SEND(n) sem_post(&s);\n"
        "#define WAIT(n) { int v; sem_getvalue(&s, &v); __VERIFIER_assume(v == n + 1); }"
    ),
    "a semaphore with a name": (
        '#define SEND(n) { sem_t *s = sem_open("/s" #n, 64, 0600, 0); sem_post(s); }\n'
        '#define WAIT(n) { sem_t *s = sem_open("/s" #n, 64, 0600, 0); sem_wait(s); }'
    ),
    "a barrier": (
        "pthread_barrier_t s[3];\n#define BEFORE for (int i = 0; i < 3; i++) pthread_barrier_init(&s[i], 0, 2);\n"
        "int x = -1;\n#define SEND(n) x = n; pthread_barrier_wait(&s[n]);\n"
        "#define WAIT(n) pthread_barrier_wait(&s[n]);"
    ),
    "a read-write lock": (
        "pthread_rwlock_t s[3];\n#define BEFORE for (int i = 0; i < 3; i++) pthread_rwlock_init(&s[i], 0);\n"
        "#define SEND(n) pthread_rwlock_wrlock(&s[n]);\n"
        "#define WAIT(n) __VERIFIER_assume(pthread_rwlock_tryrdlock(&s[n]) == EBUSY);"
    ),
    "a spin lock": (
        "pthread_spinlock_t s[3];\n#define BEFORE for (int i = 0; i < 3; i++) pthread_spin_init(&s[i], 0);\n"
        "#define SEND(n) pthread_spin_lock(&s[n]);\n"
        "#define WAIT(n) __VERIFIER_assume(pthread_spin_trylock(&s[n]) == EBUSY);"
    ),
    "a condition variable": (
        "int x = -1; pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
        "#define SEND(n) pthread_mutex_lock(&l); x = n; pthread_cond_signal(&c); pthread_mutex_unlock(&l);\n"
        "#define WAIT(n) pthread_mutex_lock(&l); if (x != n) pthread_cond_wait(&c, &l); "
        "__VERIFIER_assume(x == n); pthread_mutex_unlock(&l);"
    ),
    "once": (
        "int x = -1; pthread_once_t o[3]; void set(void) { x++; }\n#define SEND(n) pthread_once(&o[n], set);\n"
        "#define WAIT(n) __VERIFIER_assume(x == n);"
    ),
    "keys of thread-specific data": (
        "#define SEND(n) { pthread_key_t k; pthread_key_create(&k, 0); __VERIFIER_assume(k == 2 * n + 1); }\n"
        "#define WAIT(n) { pthread_key_t k; pthread_key_create(&k, 0); __VERIFIER_assume(k == 2 * n + 2); }"
    ),
    "initialising a mutex": (
        "pthread_mutex_t m[3]; int *volatile nothing;\n#define SEND(n) pthread_mutex_init(&m[n], 0);\n"
        "#define WAIT(n) __VERIFIER_assume(((unsigned char *)&m[n])[0] != 0);"
    ),
}


def program(way: str, last: str) -> str:
    objects = WAYS[way]
    before = "BEFORE" if "#define BEFORE" in objects else ""
    objects += "" if "#define ARG" in objects else "\n#define ARG 0"
    return TURNS.format(objects=objects, for_a="", for_b="", last=last, before=before)


def verified(folder: Path, text: str, rounds: int, **parameters: object) -> Outcome:
    path = folder / "program.c"
    path.write_text(text)
    return cseq.verify(path, rounds=rounds, unwind=3, prove=True, timeout=120, **parameters)


@pytest.mark.parametrize("way", WAYS)
def test_two_rounds_do_not_cover_the_third(tmp_path: Path, way: str) -> None:
    outcome = verified(tmp_path, program(way, "reach_error();"), 2)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.BOUNDED), way
    assert "rounds" in [bound.kind for bound in outcome.bounds]


@pytest.mark.parametrize("way", WAYS)
def test_the_third_round_shows_it(tmp_path: Path, way: str) -> None:
    assert verified(tmp_path, program(way, "reach_error();"), 3).verdict is Verdict.FALSE


@pytest.mark.parametrize("way", ["an object", "a pointer to an object", "a mutex", "a semaphore", "an atomic section"])
def test_three_rounds_are_a_proof_where_there_is_nothing_to_see(tmp_path: Path, way: str) -> None:
    assert verified(tmp_path, program(way, ""), 3).verdict is Verdict.TRUE
    assert verified(tmp_path, program(way, ""), 2).verdict is Verdict.UNKNOWN


ENDS = {
    "an object": ("pthread_t t2;", "&t2", "t2", "0"),
    "an element": ("pthread_t t[3];", "&t[2]", "t[2]", "0"),
    "a pointer": ("pthread_t t2, *p = &t2;", "&t2", "*p", "0"),
    "an argument": ("", "&t2", "*(pthread_t *)arg", "&t2"),
    "a copy": ("pthread_t t2, copied;", "&t2", "copied", "0"),
    "a member": ("struct { int a; pthread_t t; } s;", "&s.t", "s.t", "0"),
}


@pytest.mark.parametrize("way", ENDS)
def test_a_join_in_an_earlier_thread_needs_the_next_round(tmp_path: Path, way: str) -> None:
    objects, place, joined, argument = ENDS[way]
    text = f"""
        #include <pthread.h>
        void reach_error(void); void __VERIFIER_assume(int); int ready;
        {objects}
        void *a(void *arg) {{ __VERIFIER_assume(ready); pthread_join({joined}, 0); reach_error(); return 0; }}
        void *b(void *arg) {{ return 0; }}
        int main(void) {{
          pthread_t t1; {"" if objects else "pthread_t t2;"}
          pthread_create(&t1, 0, a, {argument}); pthread_create({place}, 0, b, 0);
          {"copied = t2;" if way == "a copy" else ""} ready = 1; pthread_join(t1, 0); return 0;
        }}
        """
    assert verified(tmp_path, text, 1).verdict is Verdict.UNKNOWN
    assert verified(tmp_path, text, 2).verdict is Verdict.FALSE
    assert verified(tmp_path, text.replace("reach_error();", ""), 2).verdict is Verdict.TRUE


LAST = {
    "valid-memsafety": ({"memsafety": True}, "int *p = 0; *p = 1;"),
    "valid-memsafety, at the end": ({"memsafety": True}, "exit(malloc(7) == 0);"),
    "no-overflow": ({"overflow": True}, "int big = 2147483647; big = big + 1;"),
    "no-data-race": ({"race": True}, "raced = 1;"),
    "no-deadlock": ({"deadlock": True}, "pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;"
                    " pthread_mutex_lock(&own); pthread_mutex_lock(&own);"),
}  # fmt: skip


@pytest.mark.parametrize("name", LAST)
def test_each_property_waits_for_the_third_round(tmp_path: Path, name: str) -> None:
    asked, last = LAST[name]
    way = "an atomic object" if name == "no-data-race" else "an object"
    text = "int raced;\n" + program(way, last).replace("pthread_join(t1, 0);", "raced = 2; pthread_join(t1, 0);")
    text = text if name == "no-data-race" else text.replace("raced = 2;", "")
    property_ = name.split(",", maxsplit=1)[0]
    assert verified(tmp_path, text, 2, **asked).of(property_).verdict is Verdict.UNKNOWN
    outcome = verified(tmp_path, text, 3, **asked).of(property_)
    assert outcome.verdict is (Verdict.UNKNOWN if "end" in name else Verdict.FALSE), message(outcome)


@pytest.mark.parametrize("name", ["valid-memsafety", "no-overflow", "no-data-race", "no-deadlock"])
def test_each_property_is_proved(tmp_path: Path, name: str) -> None:
    way = "an atomic object" if name == "no-data-race" else "an object"
    assert verified(tmp_path, program(way, ""), 3, **LAST[name][0]).of(name).verdict is Verdict.TRUE
