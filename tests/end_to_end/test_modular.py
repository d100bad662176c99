"""Thread-modular analysis: a racy program and its twin for each reason why accesses are in no data race."""

from __future__ import annotations

from pathlib import Path

import pytest

import cseq
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from tests.differential.modular import disagreement, program
from tests.support.checkout import ROOT

HEAD = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
char text[8] = "a b";
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
struct item { int v; pthread_mutex_t m; struct item *next; } items[4], *list;
struct job { int id; int *cell; };
struct { pthread_mutex_t m[2]; int v[30]; } two;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, locks[4];
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t b;
pthread_once_t once = PTHREAD_ONCE_INIT;
sem_t s;
int x, cells[8], config, ended;
atomic_int flag;
struct item *_Atomic top;
atomic_int next, serving;
pthread_key_t key, rival;
void setup(void) { config = 1; }
"""

MANY = """\
#define N 3
int main(void) {{
    pthread_t t[N];
    {before}
    for (int i = 0; i < N; i++) {{ {each} pthread_create(&t[i], 0, work, {argument}); }}
    {after}
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    {end}
    return 0;
}}
"""


def many(body: str, argument: str = "0", before: str = "", each: str = "", after: str = "", end: str = "") -> str:
    """Three threads that do the same."""
    main = MANY.format(before=before, each=each, argument=argument, after=after, end=end)
    return f"{HEAD}void *work(void *arg) {{ int i = (int)(long)arg; {body} return 0; }}\n{main}"


def waiting(body: str, wait: str, before: str = "", threads: int = 2) -> str:
    """Threads for which main waits, without joining them; then it reads what they have written."""
    return f"""{HEAD}void *work(void *arg) {{ int i = (int)(long)arg; {body} return 0; }}
int main(void) {{
    pthread_t t[2];
    {before}
    for (int i = 0; i < {threads}; i++) pthread_create(&t[i], 0, work, (void *)(long)i);
    {wait}
    return cells[0] + cells[1];
}}
"""


INDEX = "(void *)(long)i"
OWN = "struct job *j = arg; cells[j->id]++;"
MAKE = "struct job *j = malloc(sizeof *j); if (!j) exit(1); j->id = i; j->cell = &cells[i];"
TAKE, GIVE = "pthread_mutex_lock(&{});", "pthread_mutex_unlock(&{});"
LOCKED, UNLOCKED = TAKE.format("m"), GIVE.format("m")
SET = "while (atomic_exchange(&flag, 1)) ;"
NEW = "struct item *k = malloc(sizeof *k); if (!k) return 0; k->v = i;"
PUBLISH = f"{LOCKED} k->next = list; list = k; {UNLOCKED}"
HANDED = (
    "struct item *k = malloc(sizeof *k); if (!k) return 0; k->v = i; "
    "atomic_store_explicit(&top, k, memory_order_{}); "
    "k = atomic_load_explicit(&top, memory_order_acquire); if (k) i = k->v;"
)
COUNT = f"{LOCKED} ended++; {UNLOCKED}"
UNTIL = f"{LOCKED} while (ended < {{}}) {{{{ {UNLOCKED} {LOCKED} }}}} {UNLOCKED}"
INIT_LOCKS = "for (int i = 0; i < 4; i++) { pthread_mutex_init(&locks[i], 0); pthread_mutex_init(&items[i].m, 0); }"

INIT_TWO = "pthread_mutex_init(&two.m[0], 0); pthread_mutex_init(&two.m[1], 0);"
ASK = "int c = __VERIFIER_nondet_int();"
TICKET = "int t = atomic_fetch_add(&next, 1); while (serving != {}) ; "
ORDERED_TICKET = (
    "int t = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed); "
    "while (atomic_load_explicit(&serving, memory_order_{}) != t) ; x++; "
    "atomic_store_explicit(&serving, t + 1, memory_order_{});"
)
FENCED = (
    "while (atomic_exchange_explicit(&flag, 1, memory_order_relaxed)) ; atomic_thread_fence(memory_order_{}); x++; "
    "atomic_thread_fence(memory_order_{}); atomic_store_explicit(&flag, 0, memory_order_relaxed);"
)
MESSAGE = "while (!atomic_load_explicit(&flag, memory_order_relaxed)) ; atomic_thread_fence(memory_order_acquire); x++;"
HAND = "lock(&p->m); while (p->next) { struct item *q = p->next; lock(&q->m); p->v++; unlock(&p->m); p = q; } "
KEY = "pthread_key_create(&key, 0);"
SEM = "sem_init(&s, 0, 1);"
CELL = "void *work(void *arg) { cells[(int)(long)arg]++; return 0; }\n"
NEW_ONE = "struct item *k = malloc(sizeof *k); if (!k) return 0; k->v = 1;"
SLOTS = "struct item *q[2]; if (!q) return 0; q[0] = q[1] = 0;"
SLOT = "q[__VERIFIER_nondet_int() & 1] = k; struct item *r = q[__VERIFIER_nondet_int() & 1]; list = r;"
HALVES = "union { struct item *p; int h[2]; } one, other;"
HALF = "one.p = k; other.h[0] = one.h[0]; other.h[1] = one.h[1]; list = other.p;"


def publishing(body: str, how: str = SLOT) -> str:
    """A thread that publishes a block, where *body* has empty braces, and one that reads it under the same lock."""
    return f"""{HEAD}void put(int n, ...) {{ va_list a; va_start(a, n); list = va_arg(a, struct item *); va_end(a); }}
void *work(void *arg) {{ {body.replace("{}", f"{LOCKED} {how} {UNLOCKED}")} return 0; }}
void *use(void *arg) {{ {LOCKED} if (list) x = list->v; {UNLOCKED} return 0; }}
int main(void) {{
    pthread_t t, u;
    pthread_create(&t, 0, work, 0); pthread_create(&u, 0, use, 0);
    pthread_join(t, 0); pthread_join(u, 0);
    return 0;
}}
"""


def optional(body: str, condition: str) -> str:
    """A thread that exists only if something is not 0, and what main does then."""
    return (
        f"{HEAD}void *work(void *arg) {{ {LOCKED} x++; {UNLOCKED} return 0; }}\n"
        f"int main(void) {{ pthread_t t; config = 1; {ASK} if ({condition}) pthread_create(&t, 0, work, 0); {body} "
        "return 0; }\n"
    )


def walking(body: str) -> str:
    """Two threads that walk along a list."""
    return (
        f"{HEAD}#define lock pthread_mutex_lock\n#define unlock pthread_mutex_unlock\n"
        f"void *work(void *arg) {{ struct item *p = list; {body} return 0; }}\n"
        f"int main(void) {{ pthread_t s, t; {INIT_LOCKS} list = items; items[0].next = &items[1]; "
        "items[1].next = &items[2]; pthread_create(&s, 0, work, 0); pthread_create(&t, 0, work, 0); return 0; }\n"
    )


def three(body: str) -> str:
    """Two threads that a barrier for two separates, and a third one."""
    return f"""{HEAD}pthread_barrier_t *at;
void *one(void *arg) {{ x = 1; pthread_barrier_wait(&b); return 0; }}
void *two_(void *arg) {{ pthread_barrier_wait(&b); x = 2; return 0; }}
void *other(void *arg) {{ {body} return 0; }}
int main(void) {{
    pthread_t t[3];
    pthread_barrier_init(&b, 0, 2);
    at = &b;
    pthread_create(&t[0], 0, one, 0); pthread_create(&t[1], 0, two_, 0); pthread_create(&t[2], 0, other, 0);
    pthread_exit(0);
}}
"""


# Name → the program with a data race, and the one without.
PAIRS = {
    "a cell for each thread": (many("cells[i + (i == 1)]++;", INDEX), many("cells[i]++;", INDEX)),
    "a range for each thread": (
        many("for (int k = 2 * i; k <= 2 * i + 2; k++) cells[k]++;", INDEX),
        many("for (int k = 2 * i; k < 2 * i + 2; k++) cells[k]++;", INDEX),
    ),
    "the index in memory": (
        many("cells[*(int *)arg]++;", "&ids[0]", "int ids[N];", "ids[i] = i;"),
        many("cells[*(int *)arg]++;", "&ids[i]", "int ids[N];", "ids[i] = i;"),
    ),
    "a block that is handed over": (
        many(f"{OWN} free(j);", "j", each=MAKE, after="x = cells[0];"),
        many(f"{OWN} free(j);", "j", each=MAKE, end="x = cells[0];"),
    ),
    "a lock in each object": (
        many(f"{TAKE.format('items[0].m')} items[i].v++; items[3 - i].v++; {GIVE.format('items[0].m')} items[i].v = 1;",
             INDEX, INIT_LOCKS),
        many("struct item *k = &items[__VERIFIER_nondet_int() & 3]; pthread_mutex_lock(&k->m); k->v++; "
             "pthread_mutex_unlock(&k->m);", before=INIT_LOCKS),
    ),
    "a lock for each cell": (
        many("int k = __VERIFIER_nondet_int() & 3; pthread_mutex_lock(&locks[(k + i) & 3]); cells[k]++; "
             "pthread_mutex_unlock(&locks[(k + i) & 3]);", INDEX, INIT_LOCKS),
        many("int k = __VERIFIER_nondet_int() & 3; pthread_mutex_lock(&locks[k]); cells[k]++; "
             "pthread_mutex_unlock(&locks[k]);", INDEX, INIT_LOCKS),
    ),
    "a semaphore as a lock": (
        many("sem_wait(&s); x++; sem_post(&s);", before="sem_init(&s, 0, 2);"),
        many("sem_wait(&s); x++; sem_post(&s);", before="sem_init(&s, 0, 1);"),
    ),
    "a flag as a lock": (
        many(f"{SET} atomic_store(&flag, 0); x++;"), many(f"{SET} x++; atomic_store(&flag, 0);"),
    ),
    "a flag with the orders of a lock": (
        many("while (atomic_exchange_explicit(&flag, 1, memory_order_acquire)) ; x++; "
             "atomic_store_explicit(&flag, 0, memory_order_relaxed);"),
        many("while (atomic_exchange_explicit(&flag, 1, memory_order_acquire)) ; x++; "
             "atomic_store_explicit(&flag, 0, memory_order_release);"),
    ),
    "published with the order for it": (
        many(HANDED.format("relaxed")), many(HANDED.format("release")),
    ),
    "a lock for readers and writers": (
        many("pthread_rwlock_rdlock(&rw); x++; pthread_rwlock_unlock(&rw);"),
        many("pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);"),
    ),
    "a trylock": (
        many("if (pthread_mutex_trylock(&m) != 1) { x++; }"),
        many("if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }"),
    ),
    "published under a lock": (
        many(f"{NEW} {PUBLISH} k->v = 2; {LOCKED} x += list->v; {UNLOCKED}"),
        many(f"{NEW} k->v = 2; {PUBLISH} {LOCKED} x += list->v; {UNLOCKED}"),
    ),
    "written before the threads exist": (
        many("cells[i] = config;", INDEX, after="config = 2;"), many("cells[i] = config;", INDEX, "config = 2;"),
    ),
    "initialised once": (
        many("if (!i) setup(); pthread_once(&once, setup); cells[i] = config;", INDEX),
        many("pthread_once(&once, setup); cells[i] = config;", INDEX),
    ),
    "after the join": (
        many(f"{LOCKED} x++; {UNLOCKED}", after="x = 1;"), many(f"{LOCKED} x++; {UNLOCKED}", end="x = 1;"),
    ),
    "phases": (
        many("cells[i]++; pthread_barrier_wait(&b); cells[(i + 1) % 3]++; cells[i] = 1;", INDEX,
             "pthread_barrier_init(&b, 0, N);"),
        many("cells[i]++; pthread_barrier_wait(&b); if (i == 0) cells[1]++;", INDEX, "pthread_barrier_init(&b, 0, N);"),
    ),
    "a semaphore for each end": (
        waiting("cells[i]++; sem_post(&s);", "sem_wait(&s);", "sem_init(&s, 0, 0);"),
        waiting("cells[i]++; sem_post(&s);", "sem_wait(&s); sem_wait(&s);", "sem_init(&s, 0, 0);"),
    ),
    "threads that are counted": (
        waiting(f"cells[i]++; {COUNT}", UNTIL.format(1)), waiting(f"cells[i]++; {COUNT}", UNTIL.format(2)),
    ),
    "an address that is read as something else": (
        publishing(f"{SLOTS} {NEW_ONE} {{}} k->v = 2;"), publishing(f"{SLOTS} {NEW_ONE} k->v = 2; {{}}"),
    ),
    "an address in a block of one's own": (
        publishing(f"{SLOTS.replace('*q[2]', '**q = calloc(2, 8)')} {NEW_ONE} {{}} k->v = 2;"),
        publishing(f"{SLOTS.replace('*q[2]', '**q = calloc(2, 8)')} {NEW_ONE} k->v = 2; {{}}"),
    ),
    "an address in two halves": (
        publishing(f"{HALVES} {NEW_ONE} {{}} k->v = 2;", HALF), publishing(f"{HALVES} {NEW_ONE} k->v = 2; {{}}", HALF),
    ),
    "an address among variable arguments": (
        publishing(f"{NEW_ONE} {{}} k->v = 2;", "put(1, k);"), publishing(f"{NEW_ONE} k->v = 2; {{}}", "put(1, k);"),
    ),
    "a trylock that is tested late": (
        many(f"int r = pthread_mutex_trylock(&m); if (r == 16) return 0; {UNLOCKED} if (r == 0) x++;"),
        many(f"int r = pthread_mutex_trylock(&m); if (r == 16) return 0; if (r == 0) x++; {UNLOCKED}"),
    ),
    "one of several locks in an object": (
        many("pthread_mutex_lock(&two.m[i & 1]); two.v[20]++; pthread_mutex_unlock(&two.m[i & 1]);", INDEX, INIT_TWO),
        many("pthread_mutex_lock(&two.m[1]); two.v[20]++; pthread_mutex_unlock(&two.m[1]);", INDEX, INIT_TWO),
    ),
    "an identifier that is overwritten": (
        f"{HEAD}{CELL}int main(void) {{ pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, {INDEX}); "
        "pthread_join(t, 0); cells[0] = 3; return 0; }",
        f"{HEAD}{CELL}int main(void) {{ pthread_t t; for (int i = 0; i < 2; i++) {{ "
        f"pthread_create(&t, 0, work, {INDEX}); pthread_join(t, 0); }} cells[0] = 3; return 0; }}",
    ),
    "a barrier that is reached by its address": (
        three("pthread_barrier_wait(at);"), three("cells[7] = 0;"),
    ),
    "numbers that are large or negative": (
        many("unsigned long u = __VERIFIER_nondet_ulong(); if ((long)u < 0 || u + 1 == 0) x++;"),
        many("unsigned long u = __VERIFIER_nondet_ulong() & 255; if ((long)u < 0 || u + 1 == 0) x++;"),
    ),
    "a negative index": (
        many("unsigned long u = (unsigned long)arg; if (u > 100) x++;", "(void *)(long)(i - 2)"),
        many("unsigned long u = (unsigned long)arg; if (u > 100) x++;", "(void *)(long)(i + 2)"),
    ),
    "a lock under a condition": (
        many(f"{ASK} if (c) {LOCKED} if (!c) x++; if (c) {UNLOCKED}"),
        many(f"{ASK} if (c) {LOCKED} if (c) x++; if (c) {UNLOCKED}"),
    ),
    "a condition that changes": (
        many(f"{ASK} if (c) {LOCKED} c = !c; if (c) x++; if (!c) {UNLOCKED}"),
        many(f"{ASK} if (c) {LOCKED} c = !c; if (!c) x++; if (!c) {UNLOCKED}"),
    ),
    "a thread under a condition": (
        optional(f"if (c) {LOCKED} x++; if (c) {UNLOCKED} if (c) pthread_join(t, 0); if (!c) x = 1;", "config"),
        optional(f"if (c) {LOCKED} x++; if (c) {UNLOCKED} if (c) pthread_join(t, 0); x = 1;", "c"),
    ),
    "two names of one lock": (
        walking("lock(&p->m); struct item *q = p->next; if (q) lock(&q->m); while (q && q->v < 9) "
                "{ unlock(&p->m); p->v++; p = q; q = q->next; if (q) lock(&q->m); } if (q) unlock(&q->m); "
                "unlock(&p->m);"),
        walking("lock(&p->m); struct item *q = p->next; if (q) lock(&q->m); while (q && q->v < 9) "
                "{ p->v++; unlock(&p->m); p = q; q = q->next; if (q) lock(&q->m); } if (q) unlock(&q->m); "
                "unlock(&p->m);"),
    ),
    "hand over hand": (
        walking(HAND + "unlock(&p->m); p->v++;"), walking(HAND + "p->v++; unlock(&p->m);"),
    ),
    "a ticket": (
        many(TICKET.format("serving + 1 - 1") + "x++; serving = t + 1;"),
        many(TICKET.format("t") + "x++; serving = t + 1;"),
    ),
    "two tickets of one thread": (
        many("next--; next++; " + TICKET.format("t") + "x++; serving = t + 1;"),
        many(TICKET.format("t") + "x++; serving = serving + 1; " + TICKET.format("u").replace("t =", "u =")
             + "x++; serving++;"),
    ),
    "a ticket with the orders of a lock": (
        many(ORDERED_TICKET.format("relaxed", "release")), many(ORDERED_TICKET.format("acquire", "release")),
    ),
    "a flag with fences": (
        many(FENCED.format("release", "release")), many(FENCED.format("acquire", "release")),
    ),
    "a message with fences": (
        waiting("x = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed); "
                "atomic_thread_fence(memory_order_release);", MESSAGE, threads=1),
        waiting("x = 1; atomic_thread_fence(memory_order_release); "
                "atomic_store_explicit(&flag, 1, memory_order_relaxed);", MESSAGE, threads=1),
    ),
    "a value of each thread's own": (
        many("pthread_setspecific(key, &items[1]); struct item *k = pthread_getspecific(key); k->v++;", before=KEY),
        many(f"{NEW} pthread_setspecific(key, k); k = pthread_getspecific(key); k->v++;", before=KEY),
    ),
    "values of two keys": (
        many(f"{NEW} pthread_setspecific(key, k); pthread_setspecific(rival, &items[1]); k = pthread_getspecific(key); "
             "k->v++;", before=f"{KEY} rival = key;"),
        many(f"{NEW} pthread_setspecific(rival, &items[1]); pthread_setspecific(key, k); k = pthread_getspecific(key); "
             "k->v++;", before=f"{KEY} rival = key;"),
    ),
    "a semaphore that begins anew": (
        many("sem_wait(&s); x++; sem_post(&s);", before=f"{SEM} sem_wait(&s); {SEM} sem_post(&s);"),
        many("sem_wait(&s); x++; sem_post(&s);", before=f"{SEM} sem_wait(&s); sem_post(&s);"),
    ),
}  # fmt: skip


def ask(text: str, folder: Path, backend: str = "modular") -> Outcome:
    """What *backend* says of data races."""
    path = folder / "program.c"
    path.write_text(text)
    return cseq.verify(path, backend=backend, only="no-data-race", timeout=60)


@pytest.mark.parametrize("name", PAIRS)
def test_the_racy_program_is_not_proved_and_its_twin_is(name: str, tmp_path: Path) -> None:
    racy, free = PAIRS[name]
    assert ask(racy, tmp_path).verdict is Verdict.UNKNOWN
    assert ask(free, tmp_path).verdict is Verdict.TRUE


@pytest.mark.parametrize("name", PAIRS)
def test_the_search_agrees(name: str, tmp_path: Path) -> None:
    racy, free = PAIRS[name]
    if "memory_order_relaxed" not in racy:  # such a race is none under sequential consistency
        assert ask(racy, tmp_path, "native").verdict is Verdict.FALSE
    assert ask(free, tmp_path, "native").verdict is not Verdict.FALSE


ORDERED = (
    "error_path_leak", "gate_lock", "join_with_lock", "lock_order_array", "lock_order_functions", "lock_order_pointers",
    "once_recursion", "philosophers_two", "rwlock_upgrade", "spinlock_order", "three_way_cycle",
)  # fmt: skip
"""Pairs of `sv-benchmarks/deadlock/` whose repaired version has an order of locks."""


@pytest.mark.parametrize("name", ORDERED)
def test_an_order_of_locks_excludes_deadlocks(name: str) -> None:
    folder = ROOT / "sv-benchmarks" / "deadlock"
    assert cseq.verify(folder / f"{name}_good.c", backend="modular", deadlock=True).verdict is Verdict.TRUE
    assert cseq.verify(folder / f"{name}_bad.c", backend="modular", deadlock=True).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("name", ["seventy_votes", "two_stages"])
def test_many_threads_of_one_loop(name: str) -> None:
    path = ROOT / "sv-benchmarks" / "default" / f"{name}_good.c"
    for question in ("no-data-race", "no-deadlock"):
        assert cseq.verify(path, backend="modular", only=question).verdict is Verdict.TRUE
    bad = cseq.verify(path.with_name("seventy_votes_bad.c"), backend="modular", only="no-data-race")
    assert bad.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("name", ["barrier_count", "missed_signal", "semaphore_order"])
def test_a_wait_for_something_else_is_named(name: str) -> None:
    found = cseq.verify(ROOT / f"sv-benchmarks/deadlock/{name}_good.c", backend="modular", only="no-deadlock")
    assert found.verdict is Verdict.UNKNOWN and "something else than a lock or a thread" in (found.message or "")


@pytest.mark.parametrize("call", ['char *end = text; strtok_r(0, " ", &end);', 'strtok(0, " ");'])
def test_what_the_library_reads_by_pointers_in_memory(call: str, tmp_path: Path) -> None:
    found = ask(many(call, before='strtok(text, " ");', after="text[1] = 'x';"), tmp_path)
    assert found.verdict is Verdict.UNKNOWN


def test_the_pair_that_is_left_over_is_named(tmp_path: Path) -> None:
    found = ask(many("x++;"), tmp_path)
    assert found.reason is Reason.UNPROVED
    assert found.message is not None and found.message.count(f"program.c:{HEAD.count(chr(10)) + 1}") == 2


@pytest.mark.parametrize("number", range(12))
def test_random_programs(number: int) -> None:
    from collections import Counter

    assert not disagreement(program(11, number), Counter(), sample=False)


def test_a_proof_takes_part_by_default(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(many("for (int k = 0; k < 1000; k++) cells[i]++;", INDEX).replace("N 3", "N 8"))
    found = cseq.verify(path, only="no-data-race", timeout=60)
    assert (found.verdict, found.backend) == (Verdict.TRUE, "modular")


def test_it_says_that_memory_has_to_be_safe(tmp_path: Path) -> None:
    assert "see --memsafety" in (ask(many("cells[i]++;", INDEX), tmp_path).message or "")
    assert not ask(many(f"{LOCKED} x++; {UNLOCKED}"), tmp_path).message


@pytest.mark.parametrize("only", ["unreach-call", "no-overflow", "valid-memsafety"])
def test_other_properties_are_refused(only: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(many("x++;"))
    with pytest.raises(UsageError, match="modular"):
        cseq.verify(path, backend="modular", only=only)


@pytest.mark.parametrize(
    ("body", "what"),
    [("pthread_cancel(pthread_self());", "pthread_cancel"), ("pthread_key_t k; pthread_key_create(&k, free);", "key")],
)
def test_what_is_not_followed_is_named(body: str, what: str, tmp_path: Path) -> None:
    found = ask(many(body), tmp_path)
    assert found.verdict is Verdict.UNKNOWN and what in (found.message or "")


def test_a_call_at_the_beginning_of_a_loop_of_a_function_that_begins_with_a_loop(tmp_path: Path) -> None:
    work = (
        "void until(int k) { while (x != k) ; }\nvoid *work(void *arg) { for (int k = 0;; k++) until(1); return 0; }\n"
    )
    main = "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 1; return 0; }\n"
    assert ask(f"{HEAD}{work}{main}", tmp_path).verdict is Verdict.UNKNOWN
