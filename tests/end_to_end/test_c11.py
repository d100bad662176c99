"""Programs under the memory model of C11: a buggy one and its repaired twin for each construct, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import cseq
from cseq.model.claims import Limit
from cseq.model.errors import UsageError
from cseq.model.verdict import Reason, Verdict
from cseq.portfolio import engine_race
from cseq.report.explain.paragraph import explain
from cseq.report.words import answer
from tests.support.explained import check_explanation

PRELUDE = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LOAD(x, o) atomic_load_explicit(&x, memory_order_##o)
#define STORE(x, v, o) atomic_store_explicit(&x, v, memory_order_##o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&x, v, memory_order_##o)
#define FENCE(o) atomic_thread_fence(memory_order_##o)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
atomic_int x, y, z; int a, b, c[4]; int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);
"""


def program(first: str, second: str, end: str, before: str = "") -> str:
    """Two threads, and what main does after it has joined them."""
    return f"""{PRELUDE}
void *one(void *arg) {{ {first} return 0; }}
void *two(void *arg) {{ {second} return 0; }}
int main(void) {{
    pthread_t p, q;
    {before}
    pthread_create(&p, 0, one, 0);
    pthread_create(&q, 0, two, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    {end}
    return 0;
}}
"""


SPIN = "while (atomic_exchange_explicit(&x, 1, memory_order_{}));"
CAS = (
    "int e = 0; while (!atomic_compare_exchange_{}_explicit(&x, &e, 1, memory_order_{}, memory_order_relaxed)) e = 0; "
    "a++; STORE(x, 0, {});"
)
PICK = """
int first(const char *s) { return s[0]; }
int second(const char *s) { return s[1]; }
int (*pick(int n))(const char *) { return n == 2 ? second : first; }
"""
INPUT = "int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= 0 && i < {});"
FAILURE = (
    "int e = 0; if (!atomic_compare_exchange_strong_explicit(&x, &e, 5, memory_order_acquire, memory_order_{0}) "
    "&& e == 1) b = a;"
)

C11_THREADS = (
    PRELUDE
    + """#include <threads.h>
int leaf(void *v) { a = 1; STORE(x, 1, LET); thrd_exit(-3); }
int middle(void *v) {
    thrd_t t; int r; thrd_create(&t, leaf, 0); OUT
    return r + (thrd_current() == 0);
}
int main(void) {
    thrd_t t; int r; thrd_create(&t, middle, 0); if (LOAD(x, acquire)) b = a;
    thrd_join(t, &r); assert(r == -3); return 0;
}
"""
)

# Name → what the threads do and what holds in the end, in the buggy program and in the other one; the property.
PAIRS = {
    "store buffering": (
        program("STORE(x, 1, release); a = LOAD(y, acquire);", "STORE(y, 1, release); b = LOAD(x, acquire);",
                "assert(a || b);"),
        program("STORE(x, 1, seq_cst); a = LOAD(y, seq_cst);", "STORE(y, 1, seq_cst); b = LOAD(x, seq_cst);",
                "assert(a || b);"),
        "unreach-call",
    ),
    "an atomic object without an order is seq_cst": (
        program("STORE(x, 1, relaxed); a = y;", "y = 1; b = LOAD(x, relaxed);", "assert(a || b);"),
        program("x = 1; a = y;", "y = 1; b = x;", "assert(a || b);"),
        "unreach-call",
    ),
    "message passing": (
        program("a = 1; STORE(x, 1, relaxed);", "if (LOAD(x, acquire)) b = a;", ""),
        program("a = 1; STORE(x, 1, release);", "if (LOAD(x, acquire)) b = a;", ""),
        "no-data-race",
    ),
    "consume is acquire": (
        program("a = 1; STORE(x, 1, release);", "if (LOAD(x, relaxed)) b = a;", ""),
        program("a = 1; STORE(x, 1, release);", "if (LOAD(x, consume)) b = a;", ""),
        "no-data-race",
    ),
    "fences": (
        program("a = 1; STORE(x, 1, relaxed);", "if (LOAD(x, relaxed)) { FENCE(acquire); b = a; }", ""),
        program("a = 1; FENCE(release); STORE(x, 1, relaxed);", "if (LOAD(x, relaxed)) { FENCE(acquire); b = a; }", ""),
        "no-data-race",
    ),
    "a fence for signal handlers is none": (
        program("a = 1; atomic_signal_fence(memory_order_release); STORE(x, 1, relaxed);",
                "if (LOAD(x, acquire)) b = a;", ""),
        program("a = 1; FENCE(release); STORE(x, 1, relaxed);", "if (LOAD(x, acquire)) b = a;", ""),
        "no-data-race",
    ),
    "the order of a compare-exchange that fails": (
        program("a = 1; STORE(x, 1, release);", FAILURE.format("relaxed"), ""),
        program("a = 1; STORE(x, 1, release);", FAILURE.format("acquire"), ""),
        "no-data-race",
    ),
    "a spin lock": (
        program(SPIN.format("relaxed") + "a++; STORE(x, 0, release);",
                SPIN.format("relaxed") + "a++; STORE(x, 0, release);", "assert(a == 2);"),
        program(SPIN.format("acquire") + "a++; STORE(x, 0, release);",
                SPIN.format("acquire") + "a++; STORE(x, 0, release);", "assert(a == 2);"),
        "no-data-race",
    ),
    "a weak compare-exchange": (
        program(CAS.format("weak", "acquire", "relaxed"), CAS.format("weak", "acquire", "relaxed"), ""),
        program(CAS.format("weak", "acquire", "release"), CAS.format("weak", "acquire", "release"), "assert(a == 2);"),
        "no-data-race",
    ),
    "an await": (
        program("a = 1; STORE(x, 1, relaxed);", "while (!LOAD(x, relaxed)) ; b = a;", ""),
        program("a = 1; STORE(x, 1, release);", "while (!LOAD(x, acquire)) ; b = a;", "assert(b == 1);"),
        "no-data-race",
    ),
    "a load and a store are no update": (
        program("STORE(x, LOAD(x, seq_cst) + 1, seq_cst);", "ADD(x, 1, seq_cst);", "assert(x == 2);"),
        program("ADD(x, 1, relaxed);", "ADD(x, 1, relaxed);", "assert(x == 2);"),
        "unreach-call",
    ),
    "old built-ins": (
        program("a = 1; __sync_lock_test_and_set(&b, 0);", "if (__sync_lock_test_and_set(&b, 1) == 0) c[0] = a;", "",
                "b = 1;"),
        program("a = 1; __sync_lock_release(&b);", "if (__sync_lock_test_and_set(&b, 1) == 0) c[0] = a;", "", "b = 1;"),
        "no-data-race",
    ),
    "a mutex": (
        program("a++;", "pthread_mutex_lock(&m); a++; pthread_mutex_unlock(&m);", ""),
        program("pthread_mutex_lock(&m); a++; pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&m); a++; pthread_mutex_unlock(&m);", "assert(a == 2);"),
        "no-data-race",
    ),
    "a mutex that main initialises": (
        program("pthread_mutex_lock(&k); a++; pthread_mutex_unlock(&k);", "a++;", "",
                "pthread_mutex_init(&k, 0);").replace("int a,", "pthread_mutex_t k; int a,"),
        program("pthread_mutex_lock(&k); a++; pthread_mutex_unlock(&k);",
                "pthread_mutex_lock(&k); a++; pthread_mutex_unlock(&k);", "assert(a == 2);",
                "pthread_mutex_init(&k, 0);").replace("int a,", "pthread_mutex_t k; int a,"),
        "no-data-race",
    ),
    "trying to lock does not synchronise if it fails": (
        program("a = 1; pthread_mutex_lock(&m);", "if (pthread_mutex_trylock(&m)) b = a;", ""),
        program("a = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); STORE(x, 1, relaxed);",
                "if (LOAD(x, relaxed) && !pthread_mutex_trylock(&m)) b = 1;", ""),
        "no-data-race",
    ),
    "a cycle of locks": (
        program("pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
                ""),
        program("pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                ""),
        "no-deadlock",
    ),
    "a mutex that a thread keeps": (
        program("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", ""),
        program("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", ""),
        "no-deadlock",
    ),
    "a cycle that main does not wait for": (
        program("pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
                "").replace("pthread_join(p, 0);", "").replace("pthread_join(q, 0);", ""),
        program("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
                "", "pthread_mutex_lock(&m);").replace("pthread_join(p, 0);", "").replace("pthread_join(q, 0);", ""),
        "no-deadlock",
    ),
    "joining a thread that waits for the lock": (
        program("a = 1;", "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", "", "pthread_mutex_lock(&m);"),
        program("a = 1;", "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", "",
                "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"),
        "no-deadlock",
    ),
    "joining orders": (
        program("a = 1;", "b = 1;", "a = 2;").replace("pthread_join(p, 0);", ""),
        program("a = 1;", "b = 1;", "a = 2;"),
        "no-data-race",
    ),
    "elements of an array are objects": (
        program("c[1] = 1;", "for (int i = 0; i < 3; i++) c[i] = 2;", ""),
        program("c[3] = 1;", "for (int i = 0; i < 3; i++) c[i] = 2;", "assert(c[3] == 1 && c[2] == 2);"),
        "no-data-race",
    ),
    "freeing is a write": (
        program("int *old = s; old[0] = 1; if (ADD(x, -1, relaxed) == 1) free(old);",
                "int *old = s; if (ADD(x, -1, relaxed) == 1) free(old);", "", "x = 2; s = malloc(8);"
                ).replace("int a,", "int *s; int a,"),
        program("int *old = s; old[0] = 1; if (ADD(x, -1, acq_rel) == 1) free(old);",
                "int *old = s; if (ADD(x, -1, acq_rel) == 1) free(old);", "", "x = 2; s = malloc(8);"
                ).replace("int a,", "int *s; int a,"),
        "no-data-race",
    ),
    "a thread that a thread creates": (
        program("pthread_t r; pthread_create(&r, 0, three, 0); a = 1; pthread_join(r, 0);", "", "",
                "").replace("void *one", "void *three(void *v) { a = 2; return 0; }\nvoid *one"),
        program("pthread_t r; pthread_create(&r, 0, three, 0); pthread_join(r, 0); a++;", "", "assert(a == 3);",
                "").replace("void *one", "void *three(void *v) { a = 2; return 0; }\nvoid *one"),
        "no-data-race",
    ),
    "threads of two threads": (
        program("pthread_t r; pthread_create(&r, 0, three, 0);", "pthread_t r; pthread_create(&r, 0, three, 0);", ""
                ).replace("void *one", "void *three(void *v) { a++; return 0; }\nvoid *one"),
        program("pthread_t r; pthread_create(&r, 0, three, 0);", "pthread_t r; pthread_create(&r, 0, three, 0);", ""
                ).replace("void *one", "void *three(void *v) { ADD(x, 1, relaxed); return 0; }\nvoid *one"),
        "no-data-race",
    ),
    "a thread-local object": (
        program("l++; assert(l == 5);", "l = 6; STORE(x, l, relaxed);", "assert(l == 3);"
                ).replace("int a,", "_Thread_local int l = 3; int a,"),
        program("l++; assert(l == 4);", "l = 6; STORE(x, l, relaxed);", "assert(l == 3);"
                ).replace("int a,", "_Thread_local int l = 3; int a,"),
        "unreach-call",
    ),
    "a thread-local object that another thread accesses": (
        program("s = &l[1]; STORE(x, 1, relaxed);", "assert(l[1] == 4); if (LOAD(x, acquire)) *s = 1;", ""
                ).replace("int a,", "_Thread_local int l[2] = {3, 4}; int *s, a,"),
        program("s = &l[1]; STORE(x, 1, release);", "assert(l[1] == 4); if (LOAD(x, acquire)) *s = 1;", ""
                ).replace("int a,", "_Thread_local int l[2] = {3, 4}; int *s, a,"),
        "no-data-race",
    ),
    "pthread_exit": (
        program("if (LOAD(x, relaxed)) pthread_exit(&a); a = 1;", "STORE(x, 1, relaxed); b = 1;",
                "a = 2; assert(a == 2);").replace("pthread_join(p, 0);", "pthread_join(p, &s); if (s) b = *(int *)s;"
                ).replace("int a,", "void *s; int a,").replace("pthread_join(q, 0);", ""),
        program("if (LOAD(x, relaxed)) pthread_exit(&a); a = 1;", "STORE(x, 1, relaxed); b = 1;",
                "assert((s == 0) == (a == 1));").replace("pthread_join(p, 0);", "pthread_join(p, &s);"
                ).replace("int a,", "void *s; int a,"),
        "no-data-race",
    ),
    "threads of C11": (
        C11_THREADS.replace("OUT", "thrd_join(t, 0); r = -3;").replace("LET", "relaxed"),
        C11_THREADS.replace("OUT", "thrd_join(t, &r);").replace("LET", "release"),
        "no-data-race",
    ),
    "a detached thread": (
        program("a = 1;", "b = 1;", "a = 2;").replace("pthread_join(p, 0);", "pthread_detach(p);"),
        program("STORE(x, 1, relaxed);", "b = 1;", "STORE(x, 2, relaxed);"
                ).replace("pthread_join(p, 0);", "pthread_detach(p);"),
        "no-data-race",
    ),
    "memory that is zeroed": (
        program("int *s = calloc(2, 4); assert(s[1]);", "STORE(x, 1, relaxed);", ""),
        program("int *s = calloc(2, 4); assert(!s[1]);", "STORE(x, 1, relaxed);", ""),
        "unreach-call",
    ),
    "a text and a function, by their addresses": (
        program("STORE(x, pick(2)(\"ab\"), relaxed);", "b = LOAD(x, relaxed);", "assert(b != 'b');"
                ).replace("void *one", PICK + "void *one"),
        program("STORE(x, pick(1)(\"ab\"), relaxed);", "b = LOAD(x, relaxed);", "assert(b != 'b');"
                ).replace("void *one", PICK + "void *one"),
        "unreach-call",
    ),
    "inputs of few values": (
        program(INPUT.format(9) + "STORE(x, i, relaxed);", "b = LOAD(x, relaxed);", "assert(b < 8);"),
        program(INPUT.format(8) + "STORE(x, i, relaxed);", "b = LOAD(x, relaxed);", "assert(b < 8);"),
        "unreach-call",
    ),
    "inputs that decide about a branch": (
        program("int i = __VERIFIER_nondet_int(); if (i > 1000) STORE(x, 1, relaxed);", "b = LOAD(x, relaxed);",
                "assert(!b);"),
        program("int i = __VERIFIER_nondet_int(); if (i > 1000 && i < 1000) STORE(x, 1, relaxed);",
                "b = LOAD(x, relaxed);", "assert(!b);"),
        "unreach-call",
    ),
    "results and arguments of threads": (
        program("", "return (void *)7;", "pthread_t r; void *got; pthread_create(&r, 0, three, (void *)3); "
                "pthread_join(r, &got); assert(got != (void *)4);"
                ).replace("void *one", "void *three(void *v) { return (void *)((long)v + 1); }\nvoid *one"),
        program("", "return (void *)7;", "pthread_t r; void *got; pthread_create(&r, 0, three, (void *)3); "
                "pthread_join(r, &got); assert(got == (void *)4);"
                ).replace("void *one", "void *three(void *v) { return (void *)((long)v + 1); }\nvoid *one"),
        "unreach-call",
    ),
}  # fmt: skip


def _with_deadlines(text: str) -> str:
    """The program *text* with what waits with deadlines need; its lines have the same numbers."""
    headers = "".join(f"#include <{name}>\n" for name in ("errno.h", "semaphore.h", "threads.h", "time.h"))
    objects = "struct timespec t = {1, 0}, no = {1, -1}; sem_t s; pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER; "
    objects += "pthread_cond_t w = PTHREAD_COND_INITIALIZER; mtx_t l; int e;"
    return f"{headers}#line 1\n{text.replace('int a,', f'{objects} int a,')}"


LOCKED = "pthread_mutex_lock(&m); a++; pthread_mutex_unlock(&m);"
SIGNALLED = "pthread_mutex_lock(&m); a = b = 1;{} pthread_mutex_unlock(&m);"
WAITED = "pthread_mutex_lock(&m); while (!a && e != ETIMEDOUT) e = pthread_cond_{}; {} pthread_mutex_unlock(&m);"
ENDLESS = "pthread_mutex_lock(&m); while (!a) pthread_cond_{}; pthread_mutex_unlock(&m);"

# Name → a buggy program, the same program repaired, and the property that tells.
WITH_DEADLINES = {
    "a mutex": (
        program(LOCKED, "e = pthread_mutex_timedlock(&m, &t); a++; if (!e) pthread_mutex_unlock(&m);", ""),
        program(LOCKED, "if (!pthread_mutex_timedlock(&m, &t)) { a++; pthread_mutex_unlock(&m); }", ""),
        "no-data-race",
    ),
    "a mutex in time": (
        program(LOCKED, "assert(pthread_mutex_timedlock(&m, &t) == 0);", ""),
        program(LOCKED, "e = pthread_mutex_timedlock(&m, &t); assert(e == 0 || e == ETIMEDOUT);", ""),
        "unreach-call",
    ),
    "what is no time": (
        program(LOCKED, "e = pthread_mutex_timedlock(&m, &no); assert(e != EINVAL);", ""),
        program(LOCKED, "e = pthread_mutex_timedlock(&m, &no); assert(e == EINVAL || e == 0);", ""),
        "unreach-call",
    ),
    "a mutex of C11": (
        program(LOCKED.replace("pthread_mutex_", "mtx_").replace("&m", "&l"),
                "if (mtx_timedlock(&l, &t) != thrd_error) a++;", "", "mtx_init(&l, mtx_timed);"),
        program(LOCKED.replace("pthread_mutex_", "mtx_").replace("&m", "&l"),
                "if (mtx_timedlock(&l, &t) == thrd_success) { a++; mtx_unlock(&l); }", "", "mtx_init(&l, mtx_timed);"),
        "no-data-race",
    ),
    "a semaphore": (
        program("a = 1; sem_post(&s);", "sem_timedwait(&s, &t); b = a;", "", "sem_init(&s, 0, 0);"),
        program("a = 1; sem_post(&s);", "if (!sem_timedwait(&s, &t)) b = a;", "", "sem_init(&s, 0, 0);"),
        "no-data-race",
    ),
    "a read-write lock": (
        program("pthread_rwlock_wrlock(&r); a = 1; pthread_rwlock_unlock(&r);",
                "if (pthread_rwlock_timedrdlock(&r, &t) != EDEADLK) b = a;", ""),
        program("pthread_rwlock_timedwrlock(&r, &t) ? 0 : (a = 1, pthread_rwlock_unlock(&r));",
                "if (!pthread_rwlock_timedrdlock(&r, &t)) { b = a; pthread_rwlock_unlock(&r); }", ""),
        "no-data-race",
    ),
    "a condition variable": (
        program(SIGNALLED.format(" pthread_cond_signal(&w);"),
                WAITED.format("timedwait(&w, &m, &t)", "assert(b);"), ""),
        program(SIGNALLED.format(" pthread_cond_signal(&w);"),
                WAITED.format("timedwait(&w, &m, &t)", "assert(b || e == ETIMEDOUT);"), ""),
        "unreach-call",
    ),
    "a signal may come too late": (
        program(SIGNALLED.format(" pthread_cond_signal(&w);"),
                WAITED.format("timedwait(&w, &m, &t)", "assert(!b || e != ETIMEDOUT);"), ""),
        program(SIGNALLED.format(" pthread_cond_signal(&w);"),
                WAITED.format("timedwait(&w, &m, &t)", "assert(!a == !b);"), ""),
        "unreach-call",
    ),
    "a wait without a signal": (
        program(SIGNALLED.format(""), ENDLESS.format("wait(&w, &m)"), ""),
        program(SIGNALLED.format(""), ENDLESS.format("timedwait(&w, &m, &t)"), ""),
        "no-deadlock",
    ),
}  # fmt: skip
PAIRS |= {f"{name}, with a deadline": (_with_deadlines(buggy), _with_deadlines(repaired), property_)
          for name, (buggy, repaired, property_) in WITH_DEADLINES.items()}  # fmt: skip


def verified(tmp_path: Path, text: str, property_: str, **options: object) -> cseq.Outcome:
    """The answer about *text* for one property."""
    source = tmp_path / "program.c"
    source.write_text(text, encoding="utf-8")
    wanted = {"no-data-race": {"race": True}, "no-deadlock": {"deadlock": True}}.get(property_, {})
    return cseq.verify([source], memory_model="c11", **wanted, **options).of(property_)


@pytest.mark.parametrize("name", PAIRS)
def test_the_bug_is_found_and_its_repair_is_proved(tmp_path: Path, name: str) -> None:
    buggy, repaired, property_ = PAIRS[name]
    found = verified(tmp_path, buggy, property_)
    assert (found.verdict, found.memory_model) == (Verdict.FALSE, "c11"), answer(found)
    assert found.counterexample is not None
    proved = verified(tmp_path, repaired, property_)
    assert (proved.verdict, answer(proved)) == (Verdict.TRUE, "no violation in any execution (memory model: C11)")
    assert verified(tmp_path, repaired, "unreach-call").verdict is Verdict.TRUE


REFUSED = {
    "pthread_key_t k; pthread_key_create(&k, 0);": "a call of `pthread_key_create`",
    "pthread_detach(pthread_self()); pthread_detach(pthread_self());": "a thread that is joined or detached twice",
    "x = 1; a = *(char *)&x;": "accesses of different sizes to the same memory",
    "int *s = malloc(4); a = *s;": "memory that may not have been written is read",
    "int *s = malloc(4); s[1] = 1;": "an access outside of allocated memory",
    "int *s = malloc(4); free(s); *s = 1;": "memory that is used after it was freed",
    "int *s = malloc(4); free(s); int *t = malloc(4); b = s == t;": "memory that may be that of a freed block",
    "int *s = 0; *s = 1;": "an access through a null pointer",
    "int i; if (a) i = 1; b = i;": "a variable that may not have been written is read",
    "int i = a + 4; c[i] = 1;": "an index outside of its array",
    "r.f = 1;": "a bit-field",
}  # fmt: skip


@pytest.mark.parametrize("statement", REFUSED)
def test_what_is_not_followed_is_named(tmp_path: Path, statement: str) -> None:
    text = program(statement, "b = 0;", "")
    objects = "struct { int f : 3; } r; int a,"
    found = verified(tmp_path, text.replace("int a,", objects), "unreach-call")
    assert (found.verdict, found.reason, found.exit_status) == (Verdict.UNKNOWN, Reason.UNPROVED, 3), answer(found)
    assert f"program.c:12: {REFUSED[statement]} is not followed by the backend `graphs`" in answer(found)


LAYOUTS = {
    "&a < &b": Limit.ORDER,
    "(unsigned long)&a % 8 != 1": Limit.ADDRESSES,
    "p - 1 != 100": Limit.IDENTIFIERS,
}


@pytest.mark.parametrize("condition", LAYOUTS)
def test_one_layout_of_memory_is_a_bound(tmp_path: Path, condition: str) -> None:
    holds = verified(tmp_path, program("", "", f"assert(({condition}) || 1);"), "unreach-call")
    assert (holds.verdict, [bound.cut.limit for bound in holds.bounds]) == (Verdict.UNKNOWN, [LAYOUTS[condition]])
    fails = verified(tmp_path, program("", "", f"assert(({condition}) && 0);"), "unreach-call")
    assert fails.verdict is Verdict.FALSE
    related = verified(tmp_path, program("", "", "assert(&c[0] < &c[1] && &a != &b);"), "unreach-call")
    assert related.verdict is Verdict.TRUE


def test_loops_that_are_no_awaits_need_a_bound(tmp_path: Path) -> None:
    text = program("while (1) ADD(x, 1, relaxed);", "STORE(y, 1, relaxed);", "")
    found = verified(tmp_path, text, "unreach-call", iterations=2)
    assert (found.verdict, found.reason, found.exit_status) == (Verdict.UNKNOWN, Reason.BOUNDED, 0)
    assert "2" in answer(found)


def test_inputs_of_many_values_are_sampled(tmp_path: Path) -> None:
    many = "int i = __VERIFIER_nondet_int(); STORE(x, i, relaxed);"
    found = verified(tmp_path, program(many, "b = LOAD(x, relaxed);", "assert(b * b != 123);"), "unreach-call")
    assert (found.verdict, found.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)
    assert [bound.cut.limit for bound in found.bounds] == [Limit.SAMPLED]
    text = program(many, "b = LOAD(x, relaxed);", "assert(b != 9);")
    assert verified(tmp_path, text, "unreach-call", nondet_range="5..9").verdict is Verdict.FALSE


def test_a_race_leaves_assertions_open(tmp_path: Path) -> None:
    found = verified(tmp_path, program("a = 1;", "a = 1;", "assert(a == 1);"), "unreach-call")
    assert found.verdict is Verdict.UNKNOWN
    assert "there is a data race (--race)" in answer(found)


def test_a_counterexample_says_which_store_a_load_does_not_see(tmp_path: Path) -> None:
    found = verified(tmp_path, PAIRS["store buffering"][0], "unreach-call")
    assert found.counterexample is not None
    unseen = [access.unseen for step in found.counterexample.steps for access in step.accesses if access.unseen]
    assert [(each.thread.function, each.value, each.order) for each in unseen] == [("one", "1", "acquire")]


def test_release_sequences_of_cxx20(tmp_path: Path) -> None:
    text = program("a = 1; STORE(x, 1, release); STORE(x, 2, relaxed);", "if (LOAD(x, acquire) == 2) b = a;", "")
    assert verified(tmp_path, text, "no-data-race").verdict is Verdict.TRUE
    assert verified(tmp_path, text, "no-data-race", cxx20_sequences=True).verdict is Verdict.FALSE


@pytest.mark.parametrize("name", PAIRS)
def test_the_same_explorer_under_sequential_consistency_agrees_with_native(tmp_path: Path, name: str) -> None:
    _, repaired, property_ = PAIRS[name]
    source = tmp_path / "program.c"
    source.write_text(repaired, encoding="utf-8")
    wanted = {"no-data-race": {"race": True}, "no-deadlock": {"deadlock": True}}.get(property_, {})
    for backend in ("graphs", "native"):
        model = {"memory_model": "sc"} if backend == "graphs" else {}
        assert cseq.verify([source], backend=backend, **model, **wanted).of(property_).verdict is Verdict.TRUE


EXPLAINED = {
    "store buffering": (
        "two (thread 2) reads `x = 0` at line 13, although one (thread 1) has stored 1 at line 12: nothing orders that "
        "store before this load (acquire). The store at line 12 is release, the load at line 12 is acquire, the store "
        "at line 13 is release and the load at line 13 is acquire: seq_cst at line 12 and seq_cst at line 13 would "
        "rule this execution out."
    ),
    "message passing": "The store at line 12 is relaxed: release at line 12 would order the two accesses.",
    "consume is acquire": "The load at line 13 is relaxed: acquire at line 13 would order the two accesses.",
    "freeing is a write": "would order the two accesses.",
    "a mutex": "Thread 2 holds `m` (since line 13)",
}


@pytest.mark.parametrize("name", EXPLAINED)
def test_the_explanation_names_the_accesses_that_nothing_orders(tmp_path: Path, name: str) -> None:
    buggy, _, property_ = PAIRS[name]
    found = verified(tmp_path, buggy, property_)
    check_explanation(found)
    assert EXPLAINED[name].lower() in explain(found).lower()


# By default


def by_default(tmp_path: Path, text: str, **options: object) -> cseq.Outcome:
    source = tmp_path / "program.c"
    source.write_text(text, encoding="utf-8")
    return cseq.verify([source], **options)


def asked(outcome: cseq.Outcome) -> set[str]:
    """The engines that have worked on the answers."""
    return {record.name.engine for part in outcome.all() for record in part.jobs}


WEAK = [
    "message passing", "consume is acquire", "fences", "a fence for signal handlers is none", "a spin lock",
    "a weak compare-exchange", "an await", "old built-ins", "the order of a compare-exchange that fails",
    "freeing is a write",
]  # fmt: skip


@pytest.mark.parametrize("name", WEAK)
def test_weaker_orders_are_those_of_c11_by_default(tmp_path: Path, name: str) -> None:
    buggy, repaired, _ = PAIRS[name]
    found = by_default(tmp_path, buggy, race=True).of("no-data-race")
    assert (found.verdict, found.backend, found.memory_model) == (Verdict.FALSE, "graphs", "c11"), answer(found)
    assert found.warnings == []
    proved = by_default(tmp_path, repaired, race=True)
    assert {(part.verdict, part.memory_model) for part in proved.all()} == {(Verdict.TRUE, "c11")}
    # Other engines prove it only if the search with the monitor shows that it is robust.
    assert all(part.backend in ("graphs", "modular") or part.robust for part in proved.all())


BUFFERING = program("STORE(x, 1, relaxed); FENCE(acq_rel); a = LOAD(y, relaxed);",
                    "STORE(y, 1, relaxed); FENCE(acq_rel); b = LOAD(x, relaxed);", "assert(a || b);")  # fmt: skip


def test_assertions_are_checked_with_the_orders_of_the_program_by_default(tmp_path: Path) -> None:
    found = by_default(tmp_path, BUFFERING)
    assert (found.verdict, found.memory_model) == (Verdict.FALSE, "c11")
    assert [attempt.backend for attempt in found.attempts] == ["native"]
    proved = by_default(tmp_path, BUFFERING.replace("acq_rel", "seq_cst"))
    assert (proved.verdict, proved.memory_model) == (Verdict.TRUE, "c11")


def test_a_deadlock_behind_a_weak_flag_is_found_by_default(tmp_path: Path) -> None:
    """Only if both flags are read as 0 does no thread let the lock go."""
    text = program(
        "pthread_mutex_lock(&m); STORE(x, 1, relaxed); if (LOAD(y, relaxed)) pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&n); STORE(y, 1, relaxed); if (LOAD(x, relaxed)) pthread_mutex_unlock(&n);",
        "if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m); else pthread_mutex_lock(&n);",
    )
    found = by_default(tmp_path, text, deadlock=True).of("no-deadlock")
    assert (found.verdict, found.memory_model) == (Verdict.FALSE, "c11"), answer(found)
    strong = by_default(tmp_path, text.replace("1, relaxed", "1, seq_cst").replace("y, relaxed", "y, seq_cst")
                        .replace("x, relaxed", "x, seq_cst"), deadlock=True)  # fmt: skip
    assert strong.of("no-deadlock").verdict is Verdict.TRUE


def test_a_violation_of_a_sequentially_consistent_execution_has_a_reproducer(tmp_path: Path) -> None:
    lost = program("STORE(x, LOAD(x, relaxed) + 1, relaxed);", "STORE(x, LOAD(x, relaxed) + 1, relaxed);",
                   "assert(x == 2);")  # fmt: skip
    assert by_default(tmp_path, lost).verdict is Verdict.FALSE


WAITING = """
pthread_cond_t k = PTHREAD_COND_INITIALIZER;
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
void *signaller(void *arg) {
    ADD(x, 1, relaxed);
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_begin();
    a = 1;
    __VERIFIER_atomic_end();
    pthread_cond_signal(&k);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, signaller, 0);
    pthread_mutex_lock(&m);
    while (!a) pthread_cond_wait(&k, &m);
    pthread_mutex_unlock(&m);
    assert(x == 1);
    pthread_join(p, 0);
    return 0;
}
"""


BUFFERED_TOO = WAITING.replace("ADD(x", "STORE(y, 1, relaxed); b = LOAD(z, relaxed); ADD(x").replace(
    "pthread_create(&p, 0, signaller, 0);",
    "pthread_create(&p, 0, signaller, 0); STORE(z, 1, relaxed); c[0] = LOAD(y, relaxed);",
)


def test_what_graphs_do_not_follow_may_be_robust(tmp_path: Path) -> None:
    found = by_default(tmp_path, PRELUDE + WAITING)
    assert (found.verdict, found.memory_model, found.robust) == (Verdict.TRUE, "c11", True)


def test_what_graphs_do_not_follow_keeps_the_answer_for_sequential_consistency(tmp_path: Path) -> None:
    found = by_default(tmp_path, PRELUDE + BUFFERED_TOO)
    assert (found.verdict, found.memory_model) == (Verdict.TRUE, "sc")
    assert answer(found) == "no violation in any execution (memory model: SC)"
    refused = [attempt.message for attempt in found.attempts if attempt.backend == "graphs"]
    assert len(refused) == 1 and "is not followed by the backend `graphs`" in refused[0]
    assert not any("report" in str(caution) for caution in found.warnings)
    wrong = by_default(tmp_path, PRELUDE + BUFFERED_TOO.replace("x == 1", "x == 2"))
    assert wrong.verdict is Verdict.FALSE


MANY = program("STORE(y, 1, relaxed); a = LOAD(z, relaxed); for (int i = 0; i < 40; i++) a = ADD(x, 1, relaxed);",
               "STORE(z, 1, relaxed); b = LOAD(y, relaxed); for (int i = 0; i < 40; i++) b = ADD(x, 1, relaxed);",
               "assert(x == 80);")  # fmt: skip


@pytest.mark.parametrize("limit", [None, 8])
def test_a_proof_waits_for_the_graphs_until_the_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: float | None
) -> None:
    monkeypatch.setattr(engine_race, "_GRAPHS_SECONDS", 4.0)
    found = by_default(tmp_path, MANY, timeout=limit)
    assert (found.verdict, answer(found)) == (Verdict.TRUE, "no violation in any execution (memory model: SC)")
    assert {attempt.backend for attempt in found.attempts} >= {"graphs"}
    assert "graphs" in asked(found)


ROBUST = (
    program("pthread_mutex_lock(&m); STORE(y, 1, relaxed); pthread_mutex_unlock(&m); ADD(x, 1, relaxed);",
            "ADD(x, 2, release); pthread_mutex_lock(&m); a = LOAD(y, relaxed); pthread_mutex_unlock(&m);",
            "assert(LOAD(x, relaxed) == 3 && a <= 1);")
)  # fmt: skip
ONLY_SC = "no violation in any execution (memory model: C11: every execution is sequentially consistent)"


def test_proofs_of_robust_programs_hold_under_c11(tmp_path: Path) -> None:
    """Also for properties that the execution graphs do not check, and of engines that do not have the orders of C11."""
    found = by_default(tmp_path, ROBUST, race=True, deadlock=True, memsafety=True)
    assert "graphs" not in asked(found)
    told = {(part.verdict, part.memory_model) for part in found.all()}
    assert told == {(Verdict.TRUE, "c11")}
    by_others = {(part.robust, answer(part)) for part in found.all() if part.backend != "modular"}
    assert by_others == {(True, ONLY_SC)}
    assert found.warnings == []
    assert verified(tmp_path, ROBUST, "unreach-call").verdict is Verdict.TRUE  # so say all graphs


@pytest.mark.parametrize("options", [{"backend": "native"}, {"backend": "horn"}, {"backend": "native", "race": True}])
def test_an_engine_that_is_named_is_asked_alone_about_a_robust_program(
    tmp_path: Path, options: dict[str, object]
) -> None:
    found = by_default(tmp_path, ROBUST, **options)
    assert {answer(part) for part in found.all()} == {ONLY_SC}
    weaker = by_default(tmp_path, ROBUST.replace("ADD(x, 2, release)", "STORE(x, 2, relaxed)"), **options)
    assert "c11" not in {part.memory_model for part in weaker.all()}


WAITS = "while (LOAD(x, {}) != 1); b = a; assert(b == 1);"
FENCED_WAITS = "while (LOAD(x, relaxed) != 1); FENCE(acquire); b = a; assert(b == 1);"
TREIBER = """
struct node {{ int value; struct node *next; }}; _Atomic(struct node *) top;
void push(int value) {{
    struct node *n = malloc(sizeof *n); n->value = value; n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &n->next, n, memory_order_{}, memory_order_relaxed));
}}
"""
POP = "struct node *n; while (!(n = LOAD(top, acquire))); assert(n->value == 3);"
DEKKER = (
    "STORE(x, 1, relaxed); FENCE({0}); if (!LOAD(y, relaxed)) {{ a++; }}",
    "STORE(y, 1, relaxed); FENCE({0}); if (!LOAD(x, relaxed)) {{ a++; }}",
)
# Name → a program whose executions are all sequentially consistent, and one of which that is not so.
SEARCHED = {
    "message passing": tuple(
        program(f"a = 1; STORE(x, 1, {order});", WAITS.format("acquire"), "") for order in ("release", "relaxed")
    ),
    "fences": tuple(
        program(f"a = 1; FENCE({order}); STORE(x, 1, relaxed);", FENCED_WAITS, "") for order in ("release", "acquire")
    ),
    "a spin lock": tuple(
        program(*[f"{SPIN.format(order)} a++; STORE(x, 0, release);"] * 2, "assert(a == 2);")
        for order in ("acquire", "relaxed")
    ),
    "a spin lock with a weak compare-exchange": tuple(
        program(*[CAS.format("weak", "acquire", order)] * 2, "assert(a == 2);") for order in ("release", "relaxed")
    ),
    "Dekker": tuple(
        program(*(each.format(order) for each in DEKKER), "assert(a < 2);") for order in ("seq_cst", "acq_rel")
    ),
    "memory that is allocated": tuple(
        program("push(3);", POP, "").replace("void *one", TREIBER.format(order) + "void *one")
        for order in ("release", "relaxed")
    ),
    "a ring of one element": tuple(
        program(
            "for (int i = 1; i < 3; i++) { while (LOAD(x, acquire) != 0); a = i; STORE(x, 1, release); }",
            f"for (int i = 1; i < 3; i++) {{ while (LOAD(x, acquire) != 1); assert(a == i); STORE(x, 0, {order}); }}",
            "",
        )
        for order in ("release", "relaxed")
    ),
    "a mutex, and a flag for a thread that does not take it": tuple(
        program("pthread_mutex_lock(&m); a = 1; pthread_mutex_unlock(&m); STORE(x, 1, relaxed);",
                f"while (LOAD(x, relaxed) != 1); {lock} b = a; {lock.replace('lock', 'unlock')} assert(b == 1);", "")
        for lock in ("pthread_mutex_lock(&m);", "")
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SEARCHED)
def test_a_search_shows_that_all_executions_are_sequentially_consistent(tmp_path: Path, name: str) -> None:
    robust, weaker = SEARCHED[name]
    assert answer(by_default(tmp_path, robust, backend="native")) == ONLY_SC
    found = by_default(tmp_path, weaker, backend="native")
    assert (found.verdict, found.memory_model, found.robust) == (Verdict.TRUE, "sc", False)


def test_a_proof_waits_for_the_search(tmp_path: Path) -> None:
    """Also where the execution graphs cannot be asked."""
    found = by_default(tmp_path, SEARCHED["a spin lock"][0], memsafety=True, race=True)
    assert {(part.verdict, part.memory_model) for part in found.all()} == {(Verdict.TRUE, "c11")}
    weaker = by_default(tmp_path, SEARCHED["a spin lock"][1], memsafety=True)
    told = {part.property: (part.verdict, part.memory_model) for part in weaker.all()}
    assert told["unreach-call"] != (Verdict.TRUE, "c11")
    assert told["valid-memsafety"] == (Verdict.TRUE, "sc")


@pytest.mark.parametrize(
    "first",
    [
        "if (pthread_mutex_trylock(&m) == 0) { a = 1; pthread_mutex_unlock(&m); } STORE(x, 1, release);",
        "int *p = calloc(1, sizeof *p); *p = 1; a = *p; STORE(x, 1, release);",
    ],
)
def test_what_the_search_does_not_follow(tmp_path: Path, first: str) -> None:
    text = program(first, "while (LOAD(x, acquire) != 1); b = 1;", "assert(b == 1);")
    found = by_default(tmp_path, text, backend="native")
    assert (found.verdict, found.memory_model) == (Verdict.TRUE, "sc")


def test_a_mutex_that_checks_for_errors_may_fail(tmp_path: Path) -> None:
    text = program(
        "if (pthread_mutex_unlock(&m)) a = 1; STORE(x, 1, relaxed);",
        "while (LOAD(x, relaxed) != 1); if (pthread_mutex_lock(&m) == 0) b = a; assert(b == 1);",
        "",
    )
    checking = text.replace(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER", "pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP"
    )
    found = by_default(tmp_path, f"#define _GNU_SOURCE\n{checking}", backend="native")
    assert (found.verdict, found.memory_model) == (Verdict.TRUE, "sc")


def test_a_violation_of_a_robust_program_is_one_of_sequential_consistency(tmp_path: Path) -> None:
    found = by_default(tmp_path, ROBUST.replace("== 3", "== 2"))
    assert (found.verdict, found.memory_model, found.robust) == (Verdict.FALSE, "sc", False)


def test_termination_is_not_carried_over(tmp_path: Path) -> None:
    found = by_default(tmp_path, ROBUST, backend="spin", termination=True)
    assert {part.property: part.robust for part in found.all()} == {"unreach-call": True, "termination": False}


@pytest.mark.parametrize("name", ["a mutex", "a load and a store are no update"])
def test_programs_without_weaker_orders_start_no_graphs(tmp_path: Path, name: str) -> None:
    text = PAIRS[name][1].replace("relaxed", "seq_cst")
    found = by_default(tmp_path, text, race=True)
    assert {(part.verdict, answer(part)) for part in found.all()} == {(Verdict.TRUE, "no violation in any execution")}
    assert "native" in asked(found) and "graphs" not in asked(found)


def test_a_program_may_have_other_arguments(tmp_path: Path) -> None:
    buggy, repaired, property_ = PAIRS["message passing"]
    for text, verdict in ((buggy, Verdict.FALSE), (repaired, Verdict.UNKNOWN)):
        given = text.replace("int main(void) {", "int main(int argc, char **argv) { if (argc > 2) return 1;")
        found = verified(tmp_path, given, property_)
        assert found.verdict is verdict
        assert verdict is Verdict.FALSE or [bound.kind for bound in found.bounds] == ["inputs"]


def test_sequential_consistency_can_be_asked_for(tmp_path: Path) -> None:
    rules = tmp_path / "unreach-call.prp"
    rules.write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", encoding="utf-8")
    for options in ({"memory_model": "sc"}, {"spec": str(rules)}):
        found = by_default(tmp_path, BUFFERING, **options)
        assert (found.verdict, found.memory_model, "graphs" in asked(found)) == (Verdict.TRUE, "sc", False)


@pytest.mark.parametrize(
    "option",
    [
        {"memsafety": True}, {"overflow": True}, {"rounds": 2}, {"backend": "cbmc"}, {"backend": "horn"},
        {"backend": "tlc"}, {"backend": "spin"}, {"backend": "native"}, {"backend": "compiled"}, {"termination": True},
        {"acceptance": True}, {"ltl": "[] p"}, {"prop": ["p=x"]}, {"invariant": ["main"]},
        {"abstract": "main"},
    ],
)  # fmt: skip
def test_other_questions_are_refused_by_name(tmp_path: Path, option: dict[str, object]) -> None:
    source = tmp_path / "program.c"
    source.write_text(program("", "", ""), encoding="utf-8")
    with pytest.raises(UsageError):
        cseq.verify([source], memory_model="c11", **option)
