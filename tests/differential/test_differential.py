"""CSeq's verdicts against an independent reference: a fixed sample, and every program that they once disagreed on."""

import random
from collections import Counter
from typing import NamedTuple

import pytest

from tests.differential import contention, fuzz, reference

SAMPLE = [
    # seed, first program, programs, rounds, unwind, bits
    (101, 0, 6, 1, 2, 64),
    (102, 0, 6, 2, 1, 64),
    (103, 0, 6, 2, 2, 64),
    (104, 0, 6, 2, 2, 32),
    (105, 0, 6, 3, 1, 64),
    (106, 0, 6, 2, 3, 64),
]


@pytest.mark.parametrize(("seed", "start", "count", "rounds", "unwind", "bits"), SAMPLE)
def test_the_verdict_is_the_reference_s(seed: int, start: int, count: int, rounds: int, unwind: int, bits: int) -> None:
    bounds = fuzz.Bounds(rounds, unwind, bits)
    checked = 0
    for number, program in fuzz.programs(seed, count, start):
        rng = random.Random(f"{seed}/{number}/tests")
        for test in fuzz.tests_of(program, bounds, rng, Counter()):
            wrong = fuzz.disagreement(test, bounds)
            assert not wrong, f"{wrong}, with {bounds}:\n{fuzz.to_c(test)}"
            checked += 1
    assert checked >= count // 2  # the reference drops what is undefined, or too big for it


def test_loops_that_are_counted_are_no_false_alarms_and_no_proofs_of_less() -> None:
    bounds = fuzz.Bounds(2, 1, 64, exact=4)
    checked = 0
    for number, program in fuzz.programs(107, 8):
        for test in fuzz.tests_of(program, bounds, random.Random(f"107/{number}/tests"), Counter()):
            wrong = fuzz.disagreement(test, bounds)
            assert not wrong, f"{wrong}, with {bounds}:\n{fuzz.to_c(test)}"
            checked += 1
    assert checked >= 4


CONTENTION = [
    # seed, first program, programs, rounds, unwind, bits
    (201, 0, 7, 2, 1, 64),
    (202, 0, 7, 1, 1, 32),
]


@pytest.mark.parametrize(("seed", "start", "count", "rounds", "unwind", "bits"), CONTENTION)
def test_threads_that_access_the_same_few_objects(
    seed: int, start: int, count: int, rounds: int, unwind: int, bits: int
) -> None:
    bounds = fuzz.Bounds(rounds, unwind, bits)
    checked = 0
    for number, program in contention.programs(seed, count, start):
        rng = random.Random(f"{seed}/{number}/tests")
        for test in fuzz.tests_of(program, bounds, rng, Counter()):
            wrong = fuzz.disagreement(test, bounds)
            assert not wrong, f"{wrong}, with {bounds}:\n{fuzz.to_c(test)}"
            checked += 1
    assert checked >= count


def test_what_only_a_torn_copy_gives_is_found() -> None:
    bounds = fuzz.Bounds(2, 1, 64)
    checked = 0
    for _, program in contention.programs(31, 90):
        observes = [part for part in reference.walk(program) if isinstance(part, reference.Observe)]
        try:
            seen = reference.explore(program, 2, 1, limit=20_000).seen
            whole = reference.explore(program, 2, 1, limit=20_000, whole=frozenset({"copies"})).seen
        except (reference.Undefined, reference.TooBig):
            continue
        for observe in observes:
            torn = seen.get(observe.name, {}).keys() - whole.get(observe.name, {}).keys()
            if torn:
                check = reference.Binary("!=", reference.Var(observe.name), reference.Const(min(torn)))
                text = fuzz.to_c(fuzz.replaced(program, observe, (observe, reference.Assert(check))))
                verdict, message = fuzz.said(text, bounds)
                assert verdict == "FALSE", f"{verdict} {message}:\n{text}"
                checked += 1
                break
    assert checked >= 4


class Regression(NamedTuple):
    """expected: FALSE, or not FALSE. open: why CSeq says something else today."""

    name: str
    rounds: int
    unwind: int
    expected: str
    text: str
    open: str = ""


_HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""

REGRESSIONS = [
    Regression(
        "a write is noticed although its thread then assumes what does not hold",
        1,
        1,
        "FALSE",
        """
        int x;
        void *t(void *arg) { int l = 0; x = 1; __VERIFIER_assume(l); return 0; }
        int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); assert(x == 0); }
        """,
    ),
    Regression(
        "a lock is taken although its thread then assumes what does not hold",
        1,
        1,
        "FALSE",
        """
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *t(void *arg) { if (pthread_mutex_trylock(&m)) assert(0); else __VERIFIER_assume(0); return 0; }
        int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_create(&h, 0, t, 0); }
        """,
    ),
    Regression(
        "between the last repetition and the loop's last test others can run",
        2,
        1,
        "FALSE",
        """
        int x, y;
        void *t(void *arg) { while (y == 0) { x = 1; } assert(0); return 0; }
        void *u(void *arg) { if (x == 1) y = 1; return 0; }
        int main(void) {
            pthread_t h; pthread_create(&h, 0, t, 0); pthread_create(&h, 0, u, 0); pthread_join(h, 0);
        }
        """,
    ),
    Regression(
        "the store in front of a cut is noticed",
        1,
        2,
        "FALSE",
        """
        int x;
        void *t(void *arg) { for (int l = 1; l != x; l++) { x++; } return 0; }
        void *u(void *arg) { x++; assert(x != 3); return 0; }
        int main(void) {
            pthread_t h; x = 0; pthread_create(&h, 0, t, 0); pthread_create(&h, 0, u, 0);
        }
        """,
    ),
    Regression(
        "the mutex that the last repetition lets go is free",
        1,
        1,
        "FALSE",
        """
        int x;
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *t(void *arg) {
            while (1) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
            return 0;
        }
        int main(void) {
            pthread_t h; pthread_create(&h, 0, t, 0);
            pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);
        }
        """,
    ),
    Regression(
        "a bool does not count to two",
        1,
        4,
        "FALSE",
        """
        int n;
        int main(void) { for (_Bool b = 0; b < 2; b++) { n++; assert(n < 3); } }
        """,
    ),
    Regression(
        "a bool does not count to two, and what is behind the loop is not reached",
        1,
        2,
        "not FALSE",
        """
        int main(void) { for (_Bool b = 0; b != 2; b++) { } assert(0); }
        """,
    ),
    Regression(
        "a jump into a block passes over the start of a counter",
        1,
        3,
        "FALSE",
        """
        int x, y, n;
        void *t(void *arg) { x = 1; return 0; }
        int main(void) {
            pthread_t h; pthread_create(&h, 0, t, 0);
            int i = 2;
            if (x) goto inside;
            i = 0;
            if (y) { inside: ; }
            while (i < 3) { n++; i++; }
            assert(n == 3);
        }
        """,
    ),
    Regression(
        "a block that control enters by a jump alone",
        1,
        1,
        "FALSE",
        """
        int x;
        int main(void) { goto inside; if (x) { inside: assert(x); } }
        """,
    ),
    Regression(
        "the value of an assignment to a bit-field is the bit-field's",
        1,
        1,
        "not FALSE",
        """
        struct { unsigned int u : 3; int v : 2; } r = { 0, 1 };
        int main(void) {
            unsigned int l = (r.u = 15);
            assert(l == 7);
            l = ++r.u;
            assert(l == 0);
            int n = (r.v += 1);
            assert(n == -2);
        }
        """,
    ),
    Regression(
        "an unsigned bit-field that int can hold is promoted to int",
        1,
        1,
        "not FALSE",
        """
        struct { unsigned int u : 3; unsigned int v : 3; } r = { 1, 2 };
        int main(void) { assert(r.u - r.v < 0); }
        """,
    ),
    Regression(
        "a local is undefined also where its declaration is jumped over",
        1,
        1,
        "FALSE",
        """
        int main(void) { switch (1) { int u; case 1: assert(u != 3); } }
        """,
    ),
    Regression(
        "memory from malloc has any contents",
        1,
        1,
        "FALSE",
        """
        int main(void) { int *p = malloc(sizeof(int)); assert(*p != 3); }
        """,
    ),
    Regression(
        "a function with a prototype whose address is taken",
        1,
        1,
        "FALSE",
        """
        int f(int n);
        int (*pointer)(int) = f;
        int f(int n) { return n; }
        int main(void) { assert(0); }
        """,
    ),
    Regression(
        "a copy of a struct is several accesses",
        2,
        1,
        "FALSE",
        """
        struct pair { int a, b; } g;
        void *t(void *arg) { g.a = 1; g.b = 1; return 0; }
        int main(void) {
            pthread_t h; pthread_create(&h, 0, t, 0);
            struct pair l = g;
            assert(l.a >= l.b);
        }
        """,
    ),
]


@pytest.mark.parametrize(
    "regression",
    [
        pytest.param(r, id=r.name, marks=[pytest.mark.xfail(strict=True, reason=r.open)] if r.open else [])
        for r in REGRESSIONS
    ],
)
def test_once_wrong(regression: Regression) -> None:
    bounds = fuzz.Bounds(regression.rounds, regression.unwind, 64)
    verdict, message = fuzz.said(_HEAD + regression.text, bounds)
    assert not verdict.startswith("bug"), message
    assert verdict in ("FALSE", "TRUE", "UNKNOWN")
    assert (verdict == "FALSE") == (regression.expected == "FALSE"), f"{verdict} {message}"
