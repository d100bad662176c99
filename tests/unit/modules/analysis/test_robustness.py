"""Which programs have only sequentially consistent executions, by what is known without executing them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cseq.c.symbols import Symbols
from cseq.modules.analysis.robustness import is_robust
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.lower import lower
from cseq.pipeline.chain import load
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context

HEAD = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LOAD(x, o) atomic_load_explicit(&x, memory_order_##o)
#define STORE(x, v, o) atomic_store_explicit(&x, v, memory_order_##o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&x, v, memory_order_##o)
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t k = PTHREAD_COND_INITIALIZER; sem_t s;
atomic_int x, y; int a, b, c[2]; atomic_llong w; _Atomic _Bool t; _Atomic double d;
"""


def robust(tmp_path: Path, first: str, second: str, end: str = "", before: str = "") -> bool:
    """Whether a program of two threads is robust. end: what main does after it has joined them."""
    source = tmp_path / "program.c"
    source.write_text(
        f"{HEAD}void *one(void *v) {{ int r; {first} return 0; }}\nvoid *two(void *v) {{ int r; {second} return 0; }}\n"
        f"int main(void) {{ int r; pthread_t p, q; {before} pthread_create(&p, 0, one, 0); "
        f"pthread_create(&q, 0, two, 0); pthread_join(p, 0); pthread_join(q, 0); {end} return 0; }}\n",
        encoding="utf-8",
    )
    chain = load("graphs")
    context = Context(chain.values({}), tmp_path)
    tree = Session(chain, [str(source)], context).run(context.values, until="inliner").tree
    symbols = Symbols(tree, context.model)
    return is_robust(lower(tree, symbols, Visibility(symbols, tree)))


ROBUST = {
    "seq_cst": ("STORE(x, 1, seq_cst); r = LOAD(y, seq_cst);", "STORE(y, 1, seq_cst); r = LOAD(x, seq_cst);"),
    "operators": ("x = 1; r = y;", "y++; r = x;"),
    "weak accesses under a lock": (
        "LOCK; STORE(x, 1, relaxed); r = LOAD(y, relaxed); a = r; UNLOCK;",
        "LOCK; STORE(y, 1, release); r = LOAD(x, acquire); a = r; UNLOCK;",
    ),
    "one thread alone": ("STORE(x, 1, relaxed); r = LOAD(x, relaxed);", "STORE(y, 1, relaxed);"),
    "before and after the threads": ("r = LOAD(x, seq_cst);", "r = LOAD(x, seq_cst);", "STORE(x, 3, relaxed);",
                                     "STORE(x, 2, relaxed); STORE(y, 1, relaxed);"),
    "a counter": ("ADD(x, 1, relaxed);", "atomic_fetch_sub_explicit(&x, a, memory_order_release);",
                  "a = LOAD(x, relaxed);"),
    "two counters": ("ADD(x, 1, relaxed); ADD(y, 1, relaxed);", "ADD(y, 1, acq_rel); ADD(x, 1, relaxed);"),
    "a set of bits": ("atomic_fetch_or_explicit(&x, 1, memory_order_relaxed);",
                      "atomic_fetch_or_explicit(&x, 6, memory_order_relaxed);"),
    "a condition variable": ("LOCK; a = 1; pthread_cond_signal(&k); UNLOCK; ADD(x, 1, relaxed);",
                             "LOCK; while (!a) pthread_cond_wait(&k, &m); UNLOCK; ADD(x, 1, relaxed);"),
    "all only read": ("r = LOAD(x, relaxed); r = LOAD(y, relaxed);", "r = LOAD(y, acquire); r = LOAD(x, acquire);"),
}  # fmt: skip
OPEN = {
    "store buffering": ("STORE(x, 1, relaxed); r = LOAD(y, relaxed);", "STORE(y, 1, relaxed); r = LOAD(x, relaxed);"),
    "one weak access": ("STORE(x, 1, relaxed); r = LOAD(y, seq_cst);", "STORE(y, 1, seq_cst); r = LOAD(x, seq_cst);"),
    "release and acquire": ("a = 1; STORE(x, 1, release);", "if (LOAD(x, acquire)) b = a;"),
    "a plain access": ("a = 1; x = 1;", "if (x) b = a;"),
    "a plain access to an atomic object": ("__atomic_store_n(&a, 1, __ATOMIC_SEQ_CST);", "b = a;"),
    "different locks": ("LOCK; STORE(x, 1, relaxed); UNLOCK;",
                        "pthread_mutex_lock(&n); STORE(x, 2, relaxed); pthread_mutex_unlock(&n);"),
    "a lock that is tried": ("LOCK; STORE(x, 1, relaxed); UNLOCK;",
                             "if (!pthread_mutex_trylock(&m)) { STORE(x, 1, relaxed); UNLOCK; }"),
    "a semaphore": ("sem_post(&s); ADD(x, 1, relaxed);", "sem_wait(&s); ADD(x, 1, relaxed);"),
    "a counter that is looked at": ("ADD(x, 1, relaxed);", "r = LOAD(x, relaxed); ADD(y, 1, relaxed);"),
    "a counter whose old value counts": ("ADD(x, 1, relaxed);", "a = ADD(x, 1, relaxed);"),
    "a counter whose new value counts": ("ADD(x, 1, relaxed);", "a = __atomic_add_fetch(&x, 1, __ATOMIC_RELAXED);"),
    "a counter that is set": ("ADD(x, 1, relaxed);", "STORE(x, 1, relaxed);"),
    "updates that do not commute": ("ADD(x, 1, relaxed);", "atomic_fetch_or_explicit(&x, 1, memory_order_relaxed);"),
    "exchanges": ("atomic_exchange_explicit(&x, 1, memory_order_relaxed);",
                  "atomic_exchange_explicit(&x, 2, memory_order_relaxed);"),
    "a compare-exchange that is weak where it fails": (
        "r = 0; atomic_compare_exchange_strong_explicit(&x, &r, 1, memory_order_seq_cst, memory_order_relaxed);",
        "r = 0; atomic_compare_exchange_strong_explicit(&x, &r, 2, memory_order_seq_cst, memory_order_relaxed);"),
    "different sizes": ("*(atomic_char *)&x = 1;", "x = 2;"),
    "what is behind a pointer": ("atomic_int *u = a ? &x : &y; STORE(*u, 1, relaxed);", "r = LOAD(x, seq_cst);"),
}  # fmt: skip


@pytest.mark.parametrize("name", ROBUST)
def test_accesses_that_cannot_meet_may_be_weak(tmp_path: Path, name: str) -> None:
    assert robust(tmp_path, *ROBUST[name])


@pytest.mark.parametrize("name", OPEN)
def test_accesses_that_may_meet_may_not_be_weak(tmp_path: Path, name: str) -> None:
    assert not robust(tmp_path, *OPEN[name])


def test_operators_that_do_not_wrap_are_no_counters(tmp_path: Path) -> None:
    assert not robust(tmp_path, "d += 0.1; ADD(x, 1, relaxed); r = LOAD(y, relaxed);", "d += 0.2; ADD(y, 1, relaxed);")


def test_main_is_not_alone_between_two_threads(tmp_path: Path) -> None:
    source = "pthread_join(p, 0); STORE(x, 1, relaxed); r = LOAD(y, relaxed);"
    assert robust(tmp_path, "STORE(x, 2, relaxed);", "", source)
    assert not robust(tmp_path, "STORE(x, 2, relaxed);", "STORE(y, 2, relaxed); r = LOAD(x, relaxed);",
                      before="pthread_create(&p, 0, two, 0); STORE(x, 1, relaxed);")  # fmt: skip
