"""Programs whose behaviour depends on where objects lie in memory: a wrong one and a right one of each kind."""

from __future__ import annotations

import pytest

import cseq
from cseq.model.actions import ActionKind
from cseq.model.claims import Limit
from cseq.model.errors import CSeqError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.report.words import message

HEAD = """\
#define HASH(p) (((uintptr_t)(p) >> 4) % 7)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int a, b, c;
char *p, *q;
static void *first(void *arg) { p = malloc(16); return arg; }
static void *second(void *arg) { q = malloc(16); return arg; }
static int in(const char *pool, const char *at) { return at >= pool && at < pool + 16; }
struct node { struct node *next; int value; } node;
"""
TWO_BLOCKS = """\
pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
"""
LIST = """\
struct { void *data, *next; } *x = malloc(16), *y = malloc(16);
    x->data = &a; x->next = y; y->data = strdup("b");
    assert(*(int *)x->data == 0 && *(char *)y->data == 98);
"""

WRONG = {
    "globals": "assert(&a < &b);",
    "globals, inverted": "assert(&a > &b);",
    "numbers": "assert((uintptr_t)&a <= (uintptr_t)&b);",
    "locals": "int x, y; assert(&x < &y);",
    "blocks": "p = malloc(8); q = malloc(8); assert(p < q);",
    "blocks of two threads": TWO_BLOCKS + "assert(p < q);",
    "blocks of one call": "char *v[2]; for (int i = 0; i < 2; i++) v[i] = malloc(4); assert(v[0] < v[1]);",
    "three objects": "assert(!(&a < &b && &c < &a));",
    "a union": "union { int *p; uintptr_t n; } x = {&a}, y = {&b}; assert(x.n < y.n);",
    "copied bytes": "int *x = &a, *y = &b; uintptr_t u, v; memcpy(&u, &x, 8); memcpy(&v, &y, 8); assert(u < v);",
    "an array through a pointer": "uintptr_t v[2], *u = v; u[1] = (uintptr_t)&a; assert(v[1] < (uintptr_t)&b);",
    "functions": "assert(first < second);",
    "numbers of functions": "assert((uintptr_t)second < (uintptr_t)first);",
    "equal hashes": "assert(HASH(&a) != HASH(&b));",
    "different hashes": "assert(HASH(&a) == HASH(&b));",
    "a number of a hash": "uintptr_t h = (uintptr_t)&a >> 4; h = h + 5; assert(h % 7 != 6);",
    "a hash of the lowest bits": "assert(((uintptr_t)&a >> 2) % 4 != 3);",
    "a mixed hash": "uintptr_t x = (uintptr_t)&a; int h = (int)((x >> 3) ^ (x >> 5)) & 3; assert(h != 2);",
    "a hash of a function": "assert(((uintptr_t)first >> 4) % 3 != 2);",
    "a narrow hash": "unsigned h = (unsigned)(uintptr_t)&a * 7; assert(((h >> 2) & 1) == 0);",
    "hashes of blocks": "p = malloc(4); q = malloc(4); assert(HASH(p) == (HASH(q) + 1) % 7);",
    "hashes of parts": "char v[32]; assert(HASH(v) + 1 == HASH(v + 16));",
    "a kept result": "int below = &a < &b; assert(below != (&b > &a));",
}
"""Each fails in one order of the objects."""

RIGHT = {
    "an order is total": "assert((&a < &b) != (&b < &a) && (&a < &b) == (&b > &a));",
    "an order is transitive": "assert(!(&a < &b && &b < &c) || &a < &c);",
    "an order of blocks": TWO_BLOCKS + "assert(p < q || q < p);",
    "parts of an object": "int x[4]; assert(&x[1] < &x[2] && x < x + 4 && (uintptr_t)(x + 1) - (uintptr_t)x == 4);",
    "a block and its end": "p = malloc(32); q = malloc(32); for (char *at = p; at < p + 32; at++) *at = 1;",
    "a pool": "p = malloc(16); q = malloc(16); assert(in(p, p + 15) && !in(p, q) && !in(p, (char *)&a));",
    "a string": 'const char *s = "text", *e = s + strlen(s); while (s < e) s++; assert(*e == 0);',
    "a tag": "uintptr_t u = (uintptr_t)&node | 1; assert(u & 1 && (struct node *)(u & ~(uintptr_t)1) == &node);",
    "an alignment": "p = malloc(3); assert(((uintptr_t)p & 15) == 0 && (uintptr_t)&a % 4 == 0);",
    "a tagged union": "union { long n; int *p; } v; v.p = &a; assert(*v.p == 0); v.n = 9; assert(v.n >> 1 == 4);",
    "a name beside a pointer": 'struct { char n[8]; int *at; } s = {"ab", &a}; char *e = s.n + 1; assert(*e == 98);',
    "bytes that are swapped": "char *v[2] = {p, q}; memcpy(&v[1], &v[0], 8); assert(v[1] == p);",
    "a list of anything": LIST,
    "a hash": "assert(HASH(&a) < 7 && HASH(&a) == HASH(&a));",
    "a hash of a block that is freed": "p = malloc(8); int h = HASH(p); free(p); assert(h < 7);",
    "a hash of a copied string": 'p = strdup("x"); assert(HASH(p) < 7);',
    "hashes of two parts": "char v[32]; assert((HASH(v) + 1) % 7 == HASH(v + 16));",
    "an aligned hash": "p = malloc(8); assert(((uintptr_t)p >> 3) % 2 == 0 && ((uintptr_t)&a * 3 & 31) % 4 == 0);",
    "hashes with one period": "uintptr_t x = (uintptr_t)&a; assert(((x >> 4) & 3) == ((x >> 4) & 7) % 4);",
    "functions lie below data": "assert((char *)first < (char *)&a && (first < second || second < first));",
    "equal bytes": "int *x = &a, *y = &b; assert(memcmp(&x, &y, sizeof x)); y = x; assert(!memcmp(&x, &y, sizeof x));",
    "constants that are no addresses": "assert(p != (char *)-1 && &a != (int *)0x1235 && (uintptr_t)&a != ~1UL);",
    "equality and NULL": "p = malloc(3); assert(p != (char *)&a && (!p || p > (char *)0) && (uintptr_t)p != 0);",
}
"""Each holds in every order, or depends on none."""

UNKNOWN = {
    "a hash of a union": "union { int *p; uintptr_t n; } x = {&a}; assert((x.n >> 5) % 7 < 8);",
    "a hash of bytes": "int *x = &a; unsigned char *u = (unsigned char *)&x; assert(u[0] + u[1] != 511);",
    "a hash of copied bytes": "int *x = &a; unsigned char u[8]; memcpy(u, &x, 8); assert(u[0] + u[1] != 511);",
    "bytes in an order": "int *x = &a, *y = &b; int z = memcmp(&x, &y, 8); assert(z < 500);",
    "a constant": "assert(&a != (int *)0x10000);",
    "a constant in a variable": "int *x = (int *)0x10000; assert(&a != x);",
    "a constant number": "assert((uintptr_t)&a != 0x10000);",
    "a hash of a string": 'const char *s = "a"; assert(((uintptr_t)s >> 5) % 7 < 8);',
    "a hash that is kept by its address": "uintptr_t h = (uintptr_t)&a >> 4, *x = &h; assert(*x % 7 < 8);",
    "a hash that is compared": "uintptr_t h = (uintptr_t)&a >> 4; assert(h != 5);",
    "a long hash": "assert(((uintptr_t)&a * 2654435761u >> 28 & 7) < 8);",
    "a signed remainder": "int h = (int)((uintptr_t)&a >> 4); assert(h % 4 >= 0);",
    "a mixed number": "uintptr_t h = (uintptr_t)&a; h = h ^ (h >> 7); assert((h & 7) < 8);",
    "a hash of an address that was inverted": "uintptr_t h = ~(uintptr_t)&a; assert(h >> 9 != 5);",
    "a page": "assert(((uintptr_t)&a & 4095) < 4096);",
    "a short number": "int short_number = (int)(uintptr_t)&a; assert(short_number || !short_number);",
    "strings in variables": 'const char *s = "a", *t = "b"; assert(s < t || t < s);',
    "a distance": "assert((char *)&a - (char *)&b || 1);",
    "a distance of numbers": "uintptr_t u = (uintptr_t)&a, v = (uintptr_t)&b; u = u - v; assert(u != 5);",
}
"""The native search does not look at all addresses."""

LOCKS = """\
#include <pthread.h>
#include <stdint.h>
static void transfer(pthread_mutex_t *from, pthread_mutex_t *to)
{{
    pthread_mutex_t *first = {below} ? from : to, *second = {below} ? to : from;
    {bug}
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}}
struct pair {{ pthread_mutex_t *one, *other; }};
static void *run(void *arg) {{ transfer(((struct pair *)arg)->one, ((struct pair *)arg)->other); return 0; }}
int main(void)
{{
    pthread_mutex_t m, n;
    struct pair there = {{&m, &n}}, back = {{&n, &m}};
    pthread_t s, t;
    pthread_mutex_init(&m, 0);
    pthread_mutex_init(&n, 0);
    pthread_create(&s, 0, run, &there);
    pthread_create(&t, 0, run, &back);
    pthread_join(s, 0);
    return pthread_join(t, 0);
}}
"""
COMPARISONS = {"pointers": "from < to", "numbers": "(uintptr_t)from < (uintptr_t)to"}


def checked(folder, statements: str, **options) -> Outcome:
    source = folder / "program.c"
    source.write_text(f"{HEAD}int main(void)\n{{\n    {statements}\n    return 0;\n}}\n", encoding="utf-8")
    return cseq.verify(source, **options)


@pytest.mark.parametrize("name", WRONG)
def test_each_order_of_the_objects_is_explored(name, tmp_path):
    outcome = checked(tmp_path, WRONG[name], backend="native")
    assert outcome.verdict is Verdict.FALSE, outcome.bounds
    assert outcome.counterexample is not None
    kinds = {action.kind for step in outcome.counterexample.steps for action in step.actions}
    assert ActionKind.ORDER in kinds or "hash" in name


def test_a_counterexample_says_which_object_lies_below_the_other(tmp_path):
    outcome = checked(tmp_path, WRONG["globals"], backend="native")
    assert outcome.counterexample is not None
    relied = [a for step in outcome.counterexample.steps for a in step.actions if a.kind is ActionKind.ORDER]
    assert [action.name for action in relied] == ["&b < &a"]


def test_pointers_have_numbers_where_the_replay_has_another_order(tmp_path):
    outcome = checked(tmp_path, "p = malloc(8); q = malloc(8); c = q == p; assert(p < q);", backend="native")
    assert outcome.counterexample is not None
    shown = [(each.name, each.value) for step in outcome.counterexample.steps for each in step.accesses]
    assert {("p", "address 1"), ("q", "address 2")} <= {*shown}
    assert not [value for _, value in shown if value.startswith("0x")]


@pytest.mark.parametrize("options", [{}, {"memsafety": True}, {"bits": 32}], ids=["64", "memsafety", "32"])
@pytest.mark.parametrize("name", RIGHT)
def test_what_holds_in_each_order_is_proved(name, options, tmp_path):
    outcome = checked(tmp_path, RIGHT[name], backend="native", **options).of("unreach-call")
    assert outcome.verdict is Verdict.TRUE, outcome.violated or outcome.bounds


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_else_depends_on_addresses_is_named(name, tmp_path):
    outcome = checked(tmp_path, UNKNOWN[name], backend="native")
    assert outcome.verdict is Verdict.UNKNOWN
    found = [bound for bound in outcome.bounds if bound.cut.limit in (Limit.ADDRESSES, Limit.ORDER)]
    assert [bound.origin.line for bound in found] == [15]


UNPROVED = {
    **{name: WRONG[name] for name in ("globals", "globals, inverted", "three objects", "blocks of one call")},
    **{name: WRONG[name] for name in ("functions", "numbers of functions")},
    **{name: UNKNOWN[name] for name in ("bytes in an order", "a constant", "a constant in a variable")},
    "a hash of a string": UNKNOWN["a hash of a string"],
    "an identifier": "pthread_t t = pthread_self(); assert(t % 7 != 3);",
}


@pytest.mark.parametrize("backend", ["cbmc", "horn", "tlc"])
@pytest.mark.parametrize("name", UNPROVED)
def test_no_engine_proves_what_one_layout_violates(name, backend, tmp_path):
    try:
        outcome = checked(tmp_path, UNPROVED[name], backend=backend)
    except CSeqError as refusal:
        assert refusal.origin is not None and refusal.origin.line == 15
    else:
        assert outcome.verdict is not Verdict.TRUE


def test_numbers_of_thread_identifiers_are_a_bound(tmp_path):
    outcome = checked(tmp_path, UNPROVED["an identifier"], backend="native")
    assert [bound.cut.limit for bound in outcome.bounds] == [Limit.IDENTIFIERS]


@pytest.mark.parametrize("name", ["parts of an object", "a block and its end"])
def test_comparisons_in_one_object_are_no_bound(name, tmp_path):
    outcome = checked(tmp_path, RIGHT[name], backend="cbmc", unwind=33)
    assert not [bound for bound in outcome.bounds if bound.cut.limit is Limit.ORDER]


def test_a_violation_that_is_not_replayed_names_the_place(tmp_path):
    outcome = checked(tmp_path, WRONG["globals"], backend="cbmc")
    if outcome.reason is Reason.REPLAY:
        assert "see " in message(outcome) and "program.c:15" in message(outcome)
        assert "bug of CSeq" not in message(outcome)
    else:
        assert outcome.verdict is Verdict.FALSE


@pytest.mark.parametrize("compared", COMPARISONS)
def test_locks_in_the_order_of_their_addresses_do_not_deadlock(compared, tmp_path):
    source = tmp_path / "locks.c"
    source.write_text(LOCKS.format(below=COMPARISONS[compared], bug=""), encoding="utf-8")
    assert cseq.verify(source, backend="native", deadlock=True).of("no-deadlock").verdict is Verdict.TRUE


@pytest.mark.parametrize("compared", COMPARISONS)
def test_locks_in_two_orders_deadlock(compared, tmp_path):
    source = tmp_path / "locks.c"
    bug = "if (from > to) { first = from; second = to; }"
    source.write_text(LOCKS.format(below=COMPARISONS[compared], bug=bug), encoding="utf-8")
    assert cseq.verify(source, backend="native", deadlock=True).of("no-deadlock").verdict is Verdict.FALSE


LITERALS = {
    # what is compared → whether that depends on where literals lie
    'const char *p = "abc", *q = "bc"; assert(p + 1 CLAIM q);': True,
    'const char *p = "abc", *q = "bd"; assert((p + 1 == q) == 0);': False,
    'const char *p = "abc", *q = "bc"; assert(p && *q == 98);': False,
}


@pytest.mark.parametrize("backend", ["native", "cbmc", "graphs"])
@pytest.mark.parametrize("body", LITERALS)
def test_literals_of_which_one_is_the_end_of_another_may_overlap(body, backend, tmp_path):
    for claim in ("==", "!="):
        outcome = checked(tmp_path, body.replace("CLAIM", claim), backend=backend)
        if not LITERALS[body]:
            assert outcome.verdict is Verdict.TRUE
        elif outcome.verdict is not Verdict.FALSE:
            assert outcome.verdict is Verdict.UNKNOWN
            assert [bound.cut.limit for bound in outcome.bounds] == [Limit.LITERALS]


@pytest.mark.parametrize("backend", ["horn", "tlc"])
def test_engines_that_know_no_addresses_refuse_literals_that_may_overlap(backend, tmp_path):
    with pytest.raises(CSeqError, match="literals that may overlap"):
        checked(tmp_path, 'const char *p = "abc", *q = "bc"; assert(p + 1 != q);', backend=backend)
    right = checked(tmp_path, 'const char *p = "abc", *q = "bd"; assert(p + 1 != q);', backend=backend)
    assert right.verdict is Verdict.TRUE
