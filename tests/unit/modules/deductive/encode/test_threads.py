"""Threads: which have a template of their own, and what joins wait for and claim."""

import pytest

from cseq.modules.deductive import certificate, horn
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind

LOOP = """
int x; void *f(void *arg) {{ x = 1; return (void *) 3; }}
int main(void) {{ pthread_t t; while (__VERIFIER_nondet_bool()) {{ {} }} }}
"""
TWO = """
int x; void *f(void *arg) {{ __atomic_fetch_add(&x, (int) (long) arg, 5); return (void *) ((long) arg + 1); }}
int main(void)
{{
    pthread_t t[2]; void *r, *s; int i;
    pthread_create(&t[0], 0, f, (void *) 1);
    pthread_create(&t[1], 0, f, (void *) 2);
    {}
}}
"""


def test_each_creation_that_happens_once_has_a_template(system):
    made = system(TWO.format(""))
    assert [template.name for template in made.templates] == ["main", "f", "f.2"]
    assert [template.number for template in made.templates] == [0, 1, 2]


def test_threads_of_a_loop_share_one(system):
    made = system(LOOP.format("pthread_create(&t, 0, f, 0);"))
    assert [(template.name, template.is_replicated) for template in made.templates] == [("main", False), ("f", True)]
    assert made.template("f").identity in made.template("f").locals


def test_threads_that_create_threads_of_their_kind_are_many(system):
    text = "void *f(void *a) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; } int main(void) { f(0); }"
    assert [template.is_replicated for template in system(text).templates] == [False, False, True]


@pytest.mark.parametrize(
    ("rest", "expected"),
    {
        "pthread_join(t[0], 0); pthread_join(t[1], 0); assert(x == 3);": set(),
        "pthread_join(t[0], 0); assert(x == 3);": {"assertion: x == 3"},
        "for (i = 0; i < 2; i++) pthread_join(t[i], 0); assert(x == 3);": set(),
        "pthread_join(t[1], &r); assert((long) r == 3);": set(),
        "pthread_join(t[1], &r); assert((long) r == 2);": {"assertion: (long) r == 2"},
        "pthread_join(t[0], 0); pthread_join(t[0], 0);": {"misuse.joined_twice pthread_join: thread"},
        "pthread_t u = t[1]; pthread_join(u, 0); assert(x >= 2);": set(),
        "pthread_detach(t[0]); pthread_join(t[0], 0);": {"misuse.detached pthread_join: thread"},
        "pthread_detach(t[0]); pthread_detach(t[0]);": {"misuse.detached_twice pthread_detach: thread"},
        "pthread_join(7, 0);": {"misuse.none_created pthread_join: thread"},
        "assert(pthread_join(pthread_self(), 0) == EDEADLK);": set(),
        "assert(pthread_equal(t[0], t[0]) && pthread_equal(pthread_self(), pthread_self()));": set(),
    }.items(),
)
def test_joins(claims, rest, expected):
    assert claims(TWO.format(rest)) == expected


@pytest.mark.parametrize(
    ("body", "fails"),
    {
        "pthread_create(&t, 0, f, 0); pthread_join(t, 0);": False,
        "pthread_create(&t, 0, f, 0); pthread_detach(t);": False,
        "pthread_create(&t, 0, f, 0); pthread_t u = t; pthread_join(u, 0);": False,
        "pthread_create(&t, 0, f, 0); pthread_t u = t; pthread_join(u, 0); pthread_join(t, 0);": True,
        "pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_join(t, 0);": True,
        "pthread_create(&t, 0, f, 0); pthread_detach(t); pthread_join(t, 0);": True,
    }.items(),
)
def test_misuse_of_one_of_many_threads(system, body, fails):
    from tests.support.interpreter import walk

    found = walk(system(LOOP.format(body)), seed=1, walks=40, steps=30)
    assert bool(found.errors) == fails


def test_threads_of_a_loop_act_where_no_join_is_reached(system):
    from tests.support.interpreter import walk

    body = "pthread_create(&t, 0, f, 0); if (wanted) pthread_join(t, 0); assert(x == 0);"
    assert walk(system("int wanted;" + LOOP.format(body)), seed=1, walks=40, steps=30).errors


@pytest.mark.engine
@pytest.mark.parametrize(
    ("rest", "proved"),
    {
        "for (;;) { x = 0; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == 2); }": True,
        "for (;;) { x = 0; pthread_create(&t, 0, f, 0); u = t; pthread_join(u, 0); assert(x == 2); }": True,
        "for (;;) { x = 0; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == 0); }": False,
        "for (;;) { x = 0; pthread_create(&t, 0, f, 0); assert(x == 2); pthread_join(t, 0); }": False,
        "for (;;) { x = 0; pthread_create(&t, 0, f, 0); u = t; pthread_join(u, 0); pthread_join(t, 0); }": False,
        "for (;;) { x = 0; u = t; pthread_create(&t, 0, f, 0); if (x) pthread_join(u, 0); assert(x != 1); }": False,
        "for (;;) { x = 0; pthread_create(&u, 0, f, 0); pthread_create(&t, 0, f, 0); pthread_join(t, 0);"
        " assert(x == 2); }": False,
        "for (;;) { x = 0; pthread_create(&u, 0, f, 0); pthread_create(&t, 0, f, 0); pthread_join(t, 0);"
        " pthread_join(u, 0); assert(x == 2); }": True,
    }.items(),
)
def test_joins_of_some_of_many(system, rest, proved):
    """A join waits until no more threads run than have not been joined."""
    made = system(
        "int x; void *f(void *arg) { x = 1; x = 2; return 0; } int main(void) { pthread_t t, u; " + rest + " }"
    )
    assert made.templates[1].is_replicated
    found = horn.prove(made, InvariantKind.MODULAR, Arithmetic.EXACT, timeout=60)
    assert found.answer == ("proved" if proved else "refuted")
    assert found.proof is None or certificate.check(made, found.proof, 20).accepted


@pytest.mark.engine
@pytest.mark.parametrize(("value", "answer"), {1: "proved", 0: "refuted"}.items())
def test_nothing_is_assumed_of_identifiers_that_are_not_known(system, value, answer):
    text = LOOP.format("x = 1; pthread_create(&t, 0, f, 0); pthread_t u = t; pthread_join(t, 0); assert(x == VALUE);")
    made = system(text.replace("VALUE", str(value)), excused=True)
    assert horn.prove(made, InvariantKind.MODULAR, Arithmetic.EXACT, timeout=60).answer == answer


def test_locals_that_others_reach(claims):
    text = """
    void *f(void *arg) {{ *(int *) arg = 2; return 0; }}
    int main(void) {{ int l = 1; pthread_t t; pthread_create(&t, 0, f, &l); pthread_join(t, 0); assert(l == {}); }}
    """
    assert claims(text.format(2)) == set()
    assert claims(text.format(1)) != set()


def test_loops_that_create_a_few_threads_are_written_out(system, claims):
    text = """
    int x[3]; void *f(void *arg) {{ x[(long) arg] = 1; return 0; }}
    int main(void)
    {{
        pthread_t t[3];
        for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, f, (void *) i);
        for (int i = 0; i < {0}; i++) pthread_join(t[i], 0);
        assert(x[0] + x[1] + x[2] == 3);
    }}
    """
    assert [template.number for template in system(text.format(3)).templates] == [0, 1, 2, 3]
    assert claims(text.format(3)) == set()
    assert claims(text.format(2)) == {"assertion: x[0] + x[1] + x[2] == 3"}


def test_longer_loops_are_not(system):
    text = "void *f(void *arg) { return 0; } int main(void) { pthread_t t; int i;" \
           "for (i = 0; i < 5; i++) pthread_create(&t, 0, f, 0); }"  # fmt: skip
    assert [template.is_replicated for template in system(text).templates] == [False, True]


def test_the_argument_of_a_thread_whose_loop_is_written_out(claims):
    text = """
    int x = 1; void *g(void *arg) {{ *(int *) arg = 2; return 0; }}
    void *f(void *arg)
    {{
        pthread_t t;
        for (int i = 0; i < 2; i++) {{ pthread_create(&t, 0, g, arg); pthread_join(t, 0); }}
        assert(*(int *) arg == {});
        return 0;
    }}
    int main(void) {{ pthread_t t; pthread_create(&t, 0, f, &x); pthread_join(t, 0); }}
    """
    assert claims(text.format(2)) == set()
    assert claims(text.format(1)) == {"assertion: *(int *) arg == 1"}
