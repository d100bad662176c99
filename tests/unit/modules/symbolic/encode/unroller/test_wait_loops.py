"""Loops around a wait that may end without a signal: which of them need not go back to waiting."""

from textwrap import dedent

import pytest

HEAD = """\
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other;
pthread_cond_t c = PTHREAD_COND_INITIALIZER, many[2];
int x, y;
void *user(void *arg) { int n = 0, i = 0; BODY return 0; }
int main(void) { pthread_t t; x = 1; y = 1; pthread_create(&t, 0, user, 0); pthread_cond_signal(&c); MORE return 0; }
"""


@pytest.fixture
def unrolled(translated):
    def run(body: str, more: str = "", spurious: bool = True) -> str:
        text = HEAD.replace("BODY", dedent(body)).replace("MORE", more)
        return translated("unroller", text, "user", unwind=2, spurious_wakeups=spurious)

    return run


def test_one_more_copy_shows_whether_the_thread_goes_back_to_waiting(unrolled):
    text = unrolled("while (x) pthread_cond_wait(&c, &m);")
    steps = [line.strip() for line in text.splitlines() if "__cs_step" in line or "unwound" in line]
    assert steps == [
        "__cs_step_cond_sleep(&c, &m);",
        "__cs_step_cond_wake__cs5(&c, &m);",
        "__cs_step_cond_sleep__cs5(&c, &m, 0);",
        "__cs_step_cond_wake__cs5(&c, &m);",
        "__cs_step_cond_sleep__cs5(&c, &m, 0);",
        '__CSEQ_unwound(0, "cut.loop 2");',
    ]


def test_what_changes_something_is_noted(unrolled):
    text = unrolled("while (x) { pthread_cond_wait(&c, &m); if (y) x = 0; }")
    assert text.count("__cs_tmp_moved_1 = 0;") == 2
    assert text.count("__cs_tmp_moved_1 = 1;") == 2
    assert "__cs_step_cond_sleep__cs5(&c, &m, __cs_tmp_moved_1);" in text


@pytest.mark.parametrize(
    "body",
    [
        "while (x) { n = n + 1; pthread_cond_wait(&c, &m); }",
        "while (x) { pthread_cond_wait(&c, &m); n = n + 1; }",
        "while (x) { i = y; pthread_cond_wait(&c, &m); } y = i;",  # what it read last is used after the loop
        "do { i = y; pthread_cond_wait(&c, &m); if (x) break; } while (1); y = i;",
        "while (x) { pthread_cond_wait(&c, &m); y = 2; }",
    ],
)
def test_statements_with_an_effect(unrolled, body):
    assert "__cs_tmp_moved_1 = 1;" in unrolled(body)


@pytest.mark.parametrize(
    "body",
    [
        "while (x || y) pthread_cond_wait(&c, &m);",
        "while (1) { if (x == 0) break; pthread_cond_wait(&c, &m); }",
        "do pthread_cond_wait(&c, &m); while (x);",
        "for (;;) { i = x; if (i == 0) break; pthread_cond_wait(&c, &m); } y = i;",
        "while (x) { pthread_cond_t *which = &c; pthread_cond_wait(which, &m); }",
        "while (x) { int r = pthread_cond_wait(&c, &m); if (r != 0) return 0; }",
        "while (x) { pthread_cond_wait(&many[1], &m); }",
    ],
)
def test_statements_without_an_effect(unrolled, body):
    text = unrolled(body)
    assert "__cs5" in text
    assert "moved" not in text


@pytest.mark.parametrize(
    "body",
    [
        "while (x) { if (y) pthread_cond_wait(&c, &m); }",
        "while (x) { if (y) continue; pthread_cond_wait(&c, &m); }",
        "while (x) { pthread_cond_wait(&c, &m); pthread_cond_wait(&c, &m); }",
        "while (x) { pthread_cond_wait(&many[y], &m); }",
        "while (x) { pthread_cond_wait(&many[n], &m); n = 1; }",
    ],
)
def test_loops_that_are_left_as_they_are(unrolled, body):
    assert "__cs5" not in unrolled(body)


def test_programs_that_are_left_as_they_are(unrolled):
    loop = "while (x) pthread_cond_wait(&c, &m);"
    assert "__cs5" not in unrolled(loop, spurious=False)
    assert "__cs5" not in unrolled(loop, more="if (pthread_mutex_trylock(&other) == 0) x = 0;")
