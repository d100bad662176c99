"""The thread-local promotion: which objects at file level only one thread can get at."""

from __future__ import annotations

from textwrap import dedent

import pytest

from cseq.modules.analysis.threadlocals import is_thread_local


@pytest.fixture
def private(translated):
    """The names of the user's objects that are made thread-local."""

    def run(text: str) -> set[str]:
        program = f"#include <pthread.h>\npthread_t t, u;\n{dedent(text)}"
        unit = translated.unit("thread_local_promotion", program, privatize=True, keep_unused=False)
        return {node.name for node in unit.tree.ext if is_thread_local(node)}

    return run


CREATE = "pthread_create(&t, 0, start, 0); pthread_create(&u, 0, other, 0);"


def test_what_one_thread_alone_mentions_is_its_own(private):
    assert private(
        f"""\
        int a, b, shared, c = 1; double d; _Bool e;
        void *start(void *arg) {{ for (a = 0; a < 3; a++) shared++; return arg; }}
        void *other(void *arg) {{ for (b = 0; b < 3; b++) shared++; return arg; }}
        int main(void) {{ {CREATE} c++; d = c; return e + shared; }}
        """
    ) == {"a", "b", "c", "d", "e"}


def test_what_a_function_of_two_threads_mentions_is_shared(private):
    assert private(
        f"""\
        int a, b;
        void f(void) {{ a++; }}
        void g(void) {{ b++; }}
        void *start(void *arg) {{ f(); return arg; }}
        void *other(void *arg) {{ f(); g(); return arg; }}
        int main(void) {{ {CREATE} return 0; }}
        """
    ) == {"b"}


def test_a_thread_that_is_created_twice_shares_with_itself(private):
    program = """\
        int a;
        void *start(void *arg) { a++; return arg; }
        void create(void) { pthread_create(&t, 0, start, 0); }
        """
    assert private(program + "int main(void) { create(); return 0; }") == {"a"}
    assert private(program + "int main(void) { create(); create(); return 0; }") == set()
    assert private(program + "int main(void) { for (int i = 0; i < 2; i++) create(); return 0; }") == set()
    assert (
        private(program + "int main(int argc, char **argv) { again: create(); if (argc) goto again; return 0; }")
        == set()
    )


def test_a_thread_that_a_thread_creates_of_which_there_are_two(private):
    assert private(
        """\
        int a, b;
        void *other(void *arg) { a++; return arg; }
        void *start(void *arg) { pthread_create(&u, 0, other, 0); return arg; }
        int main(void) { b++; pthread_create(&t, 0, start, 0); pthread_create(&t, 0, start, 0); return 0; }
        """
    ) == {"b"}


def test_a_thread_that_creates_itself(private):
    assert (
        private(
            """\
        int a;
        void *start(void *arg) { a++; pthread_create(&u, 0, start, 0); return arg; }
        int main(void) { pthread_create(&t, 0, start, 0); return 0; }
        """
        )
        == set()
    )


def test_a_start_function_that_is_also_called(private):
    assert (
        private(
            """\
        int a;
        void *start(void *arg) { a++; return arg; }
        int main(void) { pthread_create(&t, 0, start, 0); start(0); return 0; }
        """
        )
        == set()
    )


def test_what_a_pointer_to_a_function_may_lead_to_is_shared(private):
    assert private(
        f"""\
        int a, b;
        void f(void) {{ a++; }}
        void g(void) {{ b++; }}
        void (*pointer)(void) = f;
        void *start(void *arg) {{ pointer(); g(); return arg; }}
        void *other(void *arg) {{ return arg; }}
        int main(void) {{ {CREATE} return 0; }}
        """
    ) == {"b"}


def test_a_start_function_in_a_pointer(private):
    assert private(
        """\
        int a, b;
        void *start(void *arg) { a++; return arg; }
        int main(void) { void *(*f)(void *) = start; b++; pthread_create(&t, 0, f, 0); return 0; }
        """
    ) == {"b"}


def test_an_address_that_is_taken(private):
    assert (
        private(
            """\
        int a, b, *p = &b;
        int main(void) { int *q = &a; b++; return *q + *p; }
        """
        )
        == set()
    )


def test_what_is_not_arithmetic_or_has_another_meaning_stays(private):
    assert (
        private(
            """\
        int array[2], *pointer; struct { int x; } record; volatile int v; _Atomic int w; const int c = 1;
        int main(void) { array[0] = v; pointer = array; record.x = w; return c + record.x + *pointer; }
        """
        )
        == set()
    )


def test_a_local_that_is_static_counts_as_well(private):
    assert private(
        """\
        int f(void) { static int calls; return ++calls; }
        int main(void) { f(); return f(); }
        """
    ) == {"calls"}


def test_a_main_that_is_called_is_no_thread_alone(private):
    assert private("int a; int main(void) { return a++ < 2 ? main() : 0; }") == set()
    assert (
        private(
            """\
            int a;
            int main(void);
            void *start(void *arg) { main(); return arg; }
            int main(void) { a++; pthread_create(&t, 0, start, 0); return 0; }
            """
        )
        == set()
    )
