"""How many execution graphs there are: each once, and none for how often a loop fails that waits."""

from __future__ import annotations

from math import factorial
from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Verdict

_PROGRAM = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum {{ relaxed = memory_order_relaxed, acquire = memory_order_acquire, release = memory_order_release,
    acq_rel = memory_order_acq_rel, seq_cst = memory_order_seq_cst }};
#define LOAD(x, o) atomic_load_explicit(&x, o)
#define STORE(x, v, o) atomic_store_explicit(&x, v, o)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;
struct node {{ _Atomic(struct node *) next; atomic_int waits; }} nodes[16];
_Atomic(struct node *) tail; atomic_int l, next, x, table[128], flags[16]; int n, k;
{threads}
int main(void)
{{
    pthread_t t[16];
    for (long i = 0; i < {count}; i++)
        pthread_create(&t[i], 0, f, (void *)i);
    for (int i = 0; i < {count}; i++)
        pthread_join(t[i], 0);
    {end}
    return 0;
}}
"""

PROGRAMS = {
    "updates": (6, "void *f(void *a) { atomic_fetch_add_explicit(&x, 1, relaxed); return 0; }", "x == 6", factorial(6)),
    "a mutex": (
        4,
        "void *f(void *a) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }",
        "n == 4",
        factorial(4),
    ),
    "two mutexes in turn": (
        3,
        """void *f(void *a) {
            pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m);
            pthread_mutex_lock(&o); k++; pthread_mutex_unlock(&o);
            return 0;
        }""",
        "n == 3 && k == 3",
        factorial(3) ** 2,
    ),
    "a spin lock": (
        4,
        """void *f(void *a) {
            int e;
            do e = 0; while (!atomic_compare_exchange_strong_explicit(&l, &e, 1, acquire, relaxed));
            n++;
            STORE(l, 0, release);
            return 0;
        }""",
        "n == 4",
        factorial(4),
    ),
    "a lock that looks before it takes": (
        3,
        """void *f(void *a) {
            for (;;) {
                while (LOAD(l, relaxed)) {}
                int e = 0;
                if (atomic_compare_exchange_strong_explicit(&l, &e, 1, acquire, relaxed)) break;
            }
            n++;
            STORE(l, 0, release);
            return 0;
        }""",
        "n == 3",
        36,
    ),
    "a ticket lock": (
        4,
        """void *f(void *a) {
            int mine = atomic_fetch_add_explicit(&next, 1, relaxed);
            while (LOAD(l, acquire) != mine) {}
            n++;
            STORE(l, mine + 1, release);
            return 0;
        }""",
        "n == 4",
        factorial(4),
    ),
    "an MCS lock": (
        3,
        """void *f(void *a) {
            struct node *own = &nodes[(long)a], *other, *expected = own;
            STORE(own->next, 0, relaxed);
            STORE(own->waits, 1, relaxed);
            other = atomic_exchange_explicit(&tail, own, acq_rel);
            if (other) {
                STORE(other->next, own, release);
                while (LOAD(own->waits, acquire)) {}
            }
            n++;
            other = LOAD(own->next, acquire);
            if (!other) {
                if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, release, relaxed)) return 0;
                while (!(other = LOAD(own->next, acquire))) {}
            }
            STORE(other->waits, 0, release);
            return 0;
        }""",
        "n == 3",
        66,
    ),
    "different cells of a hash table": (
        13,
        """void *f(void *a) {
            int key = (long)a + 1, at = key * 7 % 128;
            for (int i = 0; i < 4; i++, at = (at + 1) % 128) {
                int e = 0;
                if (atomic_compare_exchange_strong_explicit(&table[at], &e, key, acq_rel, acquire)) break;
            }
            return 0;
        }""",
        "table[7] == 1",
        1,
    ),
    "store buffering": (
        5, "void *f(void *a) { long i = (long)a; STORE(flags[i], 1, seq_cst); "
        "return (void *)(long)LOAD(flags[(i + 1) % 5], seq_cst); }", "flags[0]", 2**5 - 1
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_graph_is_made_once(name: str, tmp_path: Path) -> None:
    """The numbers are those that GenMC 0.11 has for the same programs."""
    count, threads, end, executions = PROGRAMS[name]
    source = tmp_path / "program.c"
    source.write_text(_PROGRAM.format(count=count, threads=threads, end=f"assert({end});"), encoding="utf-8")
    found = cseq.verify([source], memory_model="c11")
    assert (found.verdict, found.statistics["executions"]) == (Verdict.TRUE, executions)
