"""Critical sections as one step: for each rule and each exception a program with a bug, and its twin without."""

import pytest

import cseq
from cseq.model.verdict import Verdict
from tests.support.selection import everything

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t each[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, y, z;
struct box { pthread_mutex_t lock; int value; } box = { PTHREAD_MUTEX_INITIALIZER }, *heap;
#ifdef BUG
#define BUGGY(bad, good) bad
#else
#define BUGGY(bad, good) good
#endif
#define LOCK(l) pthread_mutex_lock(l)
#define UNLOCK(l) pthread_mutex_unlock(l)
"""
MAIN = """
int main(void)
{
    pthread_t s, t;
    heap = malloc(sizeof *heap);
    heap->value = 0;
    pthread_mutex_init(&heap->lock, 0);
    pthread_create(&s, 0, one, &n);
    pthread_create(&t, 0, two, &n);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
"""


def threads(one: str, two: str, more: str = "") -> str:
    """Two threads with these bodies, which main joins."""
    return f"{more}\nvoid *one(void *a) {{ {one} return 0; }}\nvoid *two(void *a) {{ {two} return 0; }}\n{MAIN}"


def alone(main: str, one: str) -> str:
    """A thread, and main."""
    return f"void *one(void *a) {{ {one} return 0; }}\nint main(void) {{ pthread_t s, t; {main} return 0; }}\n"


CHANGE = "LOCK(&m); x = 1; x = 0; UNLOCK(&m);"
LOOK = "LOCK(&m); assert(x == 0); UNLOCK(&m);"

ASSERTIONS = {
    "one access without the lock": threads(CHANGE, f"BUGGY(assert(x == 0);, {LOOK})"),
    "an alias of another lock": threads(
        CHANGE, "pthread_mutex_t *l = a; l = BUGGY(a, &m); LOCK(l); assert(!x); UNLOCK(l);"
    ),
    "one of two nested locks": threads(
        "LOCK(&n); LOCK(&m); BUGGY(UNLOCK(&n);, ) x = 1; x = 0; UNLOCK(&m); BUGGY(, UNLOCK(&n);)",
        "LOCK(&n); assert(x == 0); UNLOCK(&n);",
    ),
    "released in the middle": threads("LOCK(&m); x = 1; BUGGY(UNLOCK(&m); LOCK(&m);, ) x = 0; UNLOCK(&m);", LOOK),
    "an assertion about something else": threads("LOCK(&m); assert(y == 0); UNLOCK(&m);", "BUGGY(y, z) = 1;"),
    "a wait lets others in": threads(
        "LOCK(&m); x = 1; BUGGY(while (!y) pthread_cond_wait(&c, &m);, ) x = 0; y = 0; UNLOCK(&m);",
        "LOCK(&m); assert(x == 0); y = 1; pthread_cond_signal(&c); UNLOCK(&m);",
    ),
    "a lock of an array": threads(
        "LOCK(&each[1]); x = 1; x = 0; UNLOCK(&each[1]);",
        "LOCK(&each[BUGGY(0, 1)]); assert(x == 0); UNLOCK(&each[BUGGY(0, 1)]);",
    ),
    "a store under a read lock": threads(
        "pthread_rwlock_BUGGY_LOCK(&rw); x = 1; x = 0; pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_rdlock(&rw); assert(x == 0); pthread_rwlock_unlock(&rw);",
        "#define pthread_rwlock_BUGGY_LOCK BUGGY(pthread_rwlock_rdlock, pthread_rwlock_wrlock)",
    ),
    "a lock in allocated memory": threads(
        "LOCK(&heap->lock); heap->value = 1; heap->value = 0; UNLOCK(&heap->lock);",
        "struct box *b = BUGGY(&box, heap); LOCK(&b->lock); assert(heap->value != 1); UNLOCK(&b->lock);",
    ),
    "a lock of an allocated array": threads(
        "LOCK(&many[1].lock); x = 1; x = 0; UNLOCK(&many[1].lock);",
        "struct box *b = &many[BUGGY(0, 1)]; LOCK(&b->lock); assert(x == 0); UNLOCK(&b->lock);",
        "#define malloc(size) malloc(size); many = calloc(2, sizeof *many)\nstruct box *many;",
    ),
    "a lock that a computed address leads to": threads(
        "pthread_mutex_t *l = (pthread_mutex_t *) ((char *) &pair + sizeof m); LOCK(l); x = 1; x = 0; UNLOCK(l);",
        "pthread_mutex_t *l = (pthread_mutex_t *) ((char *) &pair + BUGGY(0, sizeof m));"
        "LOCK(l); assert(x == 0); UNLOCK(l);",
        "struct { pthread_mutex_t a, b; } pair = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };",
    ),
    "two members of an anonymous union": threads(
        "LOCK(&n); either.a = 1; either.a = 0; UNLOCK(&n);",
        "LOCK(BUGGY(&m, &n)); assert(either.b == 0); UNLOCK(BUGGY(&m, &n));",
        "struct { union { int a, b; }; int c; } either;",
    ),
    "a loop that never ends": threads(
        "BUGGY(z = 1;, ) LOCK(&m); x = 1; while (x == 1) y = 2; UNLOCK(&m);", "assert(z == 0);",
    ),
    "created inside of a section": alone(
        "LOCK(&m); pthread_create(&s, 0, one, 0); x = 1; x = 2; UNLOCK(&m); pthread_join(s, 0);",
        "BUGGY(, LOCK(&m);) assert(x != 1); BUGGY(, UNLOCK(&m);)",
    ),
    "not all are joined": alone(
        "for (int i = 0; i < 2; i++) { pthread_create(&t, 0, one, 0); BUGGY(if (i), ) pthread_join(t, 0); }"
        "assert(x != 3);",
        "LOCK(&m); x += 1; x += 1; UNLOCK(&m);",
    ),
    "a try that fails": threads("LOCK(&m); y++; UNLOCK(&m);", "assert(pthread_mutex_trylock(BUGGY(&m, &n)) == 0);"),
    "destroyed while it is held": alone(
        "pthread_create(&s, 0, one, 0); BUGGY(, pthread_join(s, 0);) if (y) pthread_mutex_destroy(&m);",
        "BUGGY(y = 1;, ) LOCK(&m); x = 1; UNLOCK(&m); y = 1;",
    ),
}  # fmt: skip

DEADLOCKS = {
    "a lock that is held": threads("LOCK(&m); x++; LOCK(&n); x++; UNLOCK(&n); UNLOCK(&m);",
                                   "LOCK(BUGGY(&n, &m)); LOCK(BUGGY(&m, &n)); x++; UNLOCK(&n); UNLOCK(&m);"),
    "a thread ends with the lock": threads("LOCK(&m); if (BUGGY(!x, 0)) return 0; UNLOCK(&m);", CHANGE),
}  # fmt: skip

RACES = {
    "one access without the lock": threads(CHANGE, f"BUGGY(x = 2;, {LOOK})"),
    "after the release": threads("LOCK(&m); x = 1; UNLOCK(&m); BUGGY(x = 2;, )", "LOCK(&m); x = 3; UNLOCK(&m);"),
}

CASES = [
    *(("unreach-call", name, text) for name, text in ASSERTIONS.items()),
    *(("no-deadlock", name, text) for name, text in DEADLOCKS.items()),
    *(("no-data-race", name, text) for name, text in RACES.items()),
]
ASKED = {"unreach-call": {}, "no-deadlock": {"deadlock": True}, "no-data-race": {"race": True}}


@pytest.fixture
def told(tmp_path):
    """The verdict of CSeq on a program."""

    def ask(text: str, kind: str, **more: object) -> Verdict:
        source = tmp_path / "program.c"
        source.write_text(HEAD + text, encoding="utf-8")
        return cseq.verify(source, timeout=60, **ASKED[kind], **more).verdict

    return ask


def chosen(remainder: int) -> pytest.MarkDecorator:
    """A third of the cases. All of them with --all."""
    found = CASES if everything() else CASES[remainder::3]
    return pytest.mark.parametrize(("kind", "name", "text"), found, ids=[f"{kind}: {name}" for kind, name, _ in found])


@chosen(0)
def test_explicit(told, kind, name, text):
    assert told(text, kind, backend="native", define=("BUG",)) is Verdict.FALSE
    assert told(text, kind, backend="native") is Verdict.TRUE


@chosen(1)
def test_symbolic(told, kind, name, text):
    bounds = {"backend": "cbmc", "rounds": 3, "unwind": 2}
    assert told(text, kind, **bounds, define=("BUG",)) is Verdict.FALSE
    assert told(text, kind, **bounds) is not Verdict.FALSE


OWN_LOCK = """
void add(void)
{
    BUGGY(pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;, )
    LOCK(BUGGY(&own, &m));
    int value = x;
    x = value + 1;
    UNLOCK(BUGGY(&own, &m));
}
void *one(void *a) { add(); return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    add();
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
"""
"""Once `add` is inlined, two threads have a local of one name; these are two locks."""


@pytest.mark.parametrize("kind", ["unreach-call", "no-data-race"])
def test_locks_that_are_locals_of_two_threads_exclude_nothing_explicitly(told, kind):
    assert told(OWN_LOCK, kind, backend="native", define=("BUG",)) is Verdict.FALSE
    assert told(OWN_LOCK, kind, backend="native") is Verdict.TRUE


def test_locks_that_are_locals_of_two_threads_exclude_nothing_symbolically(told):
    bounds = {"backend": "cbmc", "rounds": 3, "unwind": 2}
    assert told(OWN_LOCK, "unreach-call", **bounds, define=("BUG",)) is Verdict.FALSE
    assert told(OWN_LOCK, "unreach-call", **bounds) is not Verdict.FALSE


def test_no_proof_rests_on_locks_that_are_locals_of_two_threads(told):
    assert told(OWN_LOCK, "unreach-call", backend="horn", define=("BUG",)) is not Verdict.TRUE
    assert told(OWN_LOCK, "unreach-call", backend="horn") is Verdict.TRUE
