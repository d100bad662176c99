"""Programs as transition systems: what goes wrong in the program goes wrong in the system, and nothing else."""

import pytest

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive.encode.listing import listed

ONE = """
int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; sem_t s;
void *f(void *arg) {{ {0} return 0; }}
int main(void) {{ pthread_t t; sem_init(&s, 0, 1); pthread_create(&t, 0, f, (void *) 5); {1} pthread_join(t, 0); {2} }}
"""
"""Main, and another thread: what that does, what main does meanwhile, and what it does when the other has ended."""

INCREMENT = "int l = x; x = l + 1;"

LOCKED = "pthread_mutex_lock(&m); {{ {0} }} pthread_mutex_unlock(&m);"
WAITING = "{} (!x) pthread_cond_wait(&c, &m); assert(x);"
SIGNALLING = LOCKED.format("x = 1; pthread_cond_signal(&c);")
TRYING = "if (pthread_mutex_trylock(&m) == 0) { x++; assert(x == 1); x--; pthread_mutex_unlock(&m); }"

PAIRS = {
    "mutex": (
        ONE.format(*[LOCKED.format(INCREMENT)] * 2, "assert(x == 2);"),
        ONE.format(*["{ int l = x; x = l + 1; }"] * 2, "assert(x == 2);"),
    ),
    "read-modify-write": (
        ONE.format(*["__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);"] * 2, "assert(x == 2);"),
        ONE.format(*["x++;"] * 2, "assert(x == 2);"),
    ),
    "section": (
        ONE.format("__VERIFIER_atomic_begin(); x = 1; x = 0; __VERIFIER_atomic_end();", "assert(x == 0);", ""),
        ONE.format("x = 1; x = 0;", "assert(x == 0);", ""),
    ),
    "loop in a section": (
        ONE.format("__VERIFIER_atomic_begin(); for (int i = 0; i < 2; i++) x++; x = 0; __VERIFIER_atomic_end();",
                   "assert(x == 0);", ""),
        ONE.format("__VERIFIER_atomic_begin(); for (int i = 0; i < 2; i++) x++; __VERIFIER_atomic_end();",
                   "assert(x == 0);", ""),
    ),
    "others after a section with a loop": (
        ONE.format("__VERIFIER_atomic_begin(); x = 1; while (x < 0) {} __VERIFIER_atomic_end(); int l = x; assert(l);",
                   "x = 2;", ""),
        ONE.format("__VERIFIER_atomic_begin(); x = 1; while (x < 0) {} __VERIFIER_atomic_end(); int l = x; assert(l);",
                   "x = 0;", ""),
    ),
    "assumption after a store": (
        ONE.format("x = 1; __VERIFIER_assume(y == 0); x = 0;", "y = 1; assert(x < 2);", ""),
        ONE.format("x = 1; __VERIFIER_assume(y == 1); x = 0;", "assert(x == 0);", ""),
    ),
    "assumption on a local after a store": (
        ONE.format("x = 1; __VERIFIER_assume(arg != 0); x = 0;", "assert(x <= 1);", ""),
        ONE.format("x = 1; __VERIFIER_assume(arg == 0); x = 0;", "assert(x == 0);", ""),
    ),
    "blocking after an unlock": (
        ONE.format("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); sem_wait(&s); sem_wait(&s);",
                   "pthread_mutex_lock(&m); assert(x <= 1); pthread_mutex_unlock(&m);", ""),
        ONE.format("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); sem_wait(&s); sem_wait(&s);",
                   "pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);", ""),
    ),
    "branch with a load": (
        ONE.format("int l = 0; if (arg) l = y; x = 1; assert(l == 0);", "if (x == 1) y = 1;", ""),
        ONE.format("int l = 0; x = 1; if (arg) l = y; assert(l == 0);", "if (x == 1) y = 1;", ""),
    ),
    "condition variable": (
        ONE.format(SIGNALLING, LOCKED.format(WAITING.format("while")), ""),
        ONE.format(SIGNALLING, LOCKED.format(WAITING.format("if")), ""),
    ),
    "wait without the mutex": (
        ONE.format("pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);", "", ""),
        ONE.format("pthread_cond_wait(&c, &m);", "", ""),
    ),
    "semaphore": (
        ONE.format(*["sem_wait(&s); { int l = x; x = l + 1; } sem_post(&s);"] * 2, "assert(x == 2);"),
        ONE.format("sem_wait(&s); { int l = x; x = l + 1; } sem_post(&s);", "{ int l = x; x = l + 1; }",
                   "assert(x == 2);"),
    ),
    "trylock": (
        ONE.format(*[TRYING] * 2, ""),
        ONE.format(*["pthread_mutex_trylock(&m); x++; assert(x == 1); x--;"] * 2, ""),
    ),
    "timedlock": (
        ONE.format(*[TRYING.replace("trylock(&m", "timedlock(&m, &(struct timespec){5, 0}")] * 2, ""),
        ONE.format(*["pthread_mutex_timedlock(&m, &(struct timespec){5, 0}); x++; assert(x == 1); x--;"] * 2, ""),
    ),
    "unlock": (
        ONE.format("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", "", ""),
        ONE.format("pthread_mutex_unlock(&m);", "pthread_mutex_lock(&m);", ""),
    ),
    "argument": (ONE.format("assert((long) arg == 5);", "", ""), ONE.format("assert((long) arg == 6);", "", "")),
    "errno": (
        ONE.format("errno = 3;", "errno = 0; sem_trywait(&s); if (sem_trywait(&s)) assert(errno == EAGAIN);", ""),
        ONE.format("errno = 3;", "errno = 0; sem_trywait(&s); if (sem_trywait(&s)) assert(errno == 3);", ""),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(claims, name):
    good, bad = PAIRS[name]
    assert claims(good) == set()
    assert claims(bad) != set()


BARRIER = """
pthread_barrier_t b; int x;
void *f(void *arg) {{ {} pthread_barrier_wait(&b); assert(x == 1); return 0; }}
int main(void)
{{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, f, 0);
    {} pthread_barrier_wait(&b);
    pthread_join(t, 0);
    pthread_barrier_destroy(&b);
}}
"""


def test_barriers(claims):
    assert claims(BARRIER.format("", "x = 1;")) == set()
    assert claims(BARRIER.format("x = 2;", "x = 1;")) == {"assertion: x == 1"}


RWLOCK = """
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x, readers;
void *f(void *arg) {{ pthread_rwlock_{}lock(&l); x = 1; x = 0; pthread_rwlock_unlock(&l); return 0; }}
int main(void)
{{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_rwlock_rdlock(&l); assert(x == 0); pthread_rwlock_unlock(&l); {}
}}
"""


def test_read_write_locks(claims):
    assert claims(RWLOCK.format("wr", "")) == set()
    assert claims(RWLOCK.format("rd", "")) == {"assertion: x == 0"}
    assert claims(RWLOCK.format("wr", "pthread_rwlock_unlock(&l);")) == {"misuse.not_held pthread_rwlock_unlock: lock"}


def test_what_cannot_be_expressed_is_refused_by_name_and_place(system):
    for text, message in {
        "int *p; int main(void) {\np = malloc(4); *p = 1; }": "`malloc`",
        "union { int i; char c; } u; int main(void) {\nu.i = 1; return u.c; }": "a union is not supported",
        "struct { int i : 3; } b; int main(void) {\nb.i = 1; }": "the bit-field `i`",
        "unsigned x = 65537; int main(void) {\n*(unsigned short *)&x = 2; assert(x == 2); }": "as one of another type",
        "int pipe(int *); int main(void) {\nint p[2]; pipe(p); }": "the function `pipe`",
    }.items():
        with pytest.raises(UnsupportedError) as caught:
            system(text)
        assert message in str(caught.value) and "program.c:11" in str(caught.value)


SAME_LOCAL = """\
int *shown;
void *work(void *arg);
void hold(int who)
{{
    pthread_t t;
    int x = 1;
    {}
    if (who == 0) {{
        pthread_create(&t, 0, work, {});
        pthread_join(t, 0);
        {}
    }} else
        x = 5;
}}
int main(void) {{ hold(0); return 0; }}
void *work(void *arg) {{ {} hold(1); return 0; }}
"""


@pytest.mark.parametrize(
    "parts",
    [
        ("shown = &x;", "0", "assert(x == 5);", ""),  # two objects: that of main is 1
        ("", "&x", "assert(x == 1);", "*(int *)arg = 5;"),  # the other thread writes that of main
    ],
)
def test_locals_of_two_threads_with_one_name_are_two_objects(system, parts):
    """A function that is inlined in two threads has one name for the locals of both."""
    with pytest.raises(UnsupportedError, match="the local `x` of several threads"):
        system(SAME_LOCAL.format(*parts))


def test_a_local_that_only_its_own_thread_has_a_pointer_to_may_have_a_name_twice(claims):
    parts = ("int *own = &x; *own = 1;", "0")
    assert claims(SAME_LOCAL.format(*parts, "assert(x == 1);", "")) == set()
    assert claims(SAME_LOCAL.format(*parts, "assert(x == 2);", "")) == {"assertion: x == 2"}


def test_the_listing_is_for_people(system):
    text = listed(system(ONE.format("x = 3;", "", "assert(x == 3);")))
    assert "shared i32 v.x = 0" in text
    assert "template f: thread 1" in text
    assert "        v.x := 3\n" in text
    assert "        check (v.x == 3)  [assertion: x == 3]" in text


def test_parts_of_the_library_that_are_not_used_cost_nothing(system):
    made = system(ONE.format("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "", ""))
    assert {one.name for one in made.shared if one.name.startswith("v.m.")} <= {"v.m.__cs_owner"}


def test_statements_under_a_lock_are_one_edge(system):
    lock = "pthread_mutex_lock(&m); x++; y = x; x--; pthread_mutex_unlock(&m);"
    made = system(ONE.format(lock, lock, ""))
    assert len(made.template("f").edges) == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    {
        "int n = 0; for (int i = 1; i < argc && i < 3; i++) n = 1; assert(argc >= 1 && n == (argc > 1));": set(),
        "assert(argc == 1);": {"assertion: argc == 1"},
    }.items(),
)
def test_the_number_of_arguments_is_an_input(claims, body, expected):
    text = "int main(int argc, char **argv) { " + body + " }"
    assert claims(text, args_count_any=True) == expected


def test_other_arguments_are_refused(claims):
    text = "int main(int argc, char **argv) { assert(argv[0] != 0 && argc == 1); }"
    with pytest.raises(UnsupportedError, match="arguments, unless --args gives them"):
        claims(text, args_count_any=True)
    assert claims(text, args_count_any=True, args="") == set()
