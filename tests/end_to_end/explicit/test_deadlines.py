"""Clocks that only feed deadlines are no inputs; where anything else depends on the time, it is not left out."""

import pytest

import cseq
from cseq.model.verdict import Verdict

PROGRAM = """\
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go;
void *waiter(void *u)
{{
    pthread_mutex_lock(&m);
    while (!go) {{
        struct timespec ts;
        clock_gettime(CLOCK_REALTIME, &ts);
        {changes}
        int result = pthread_cond_timedwait(&c, &m, &ts);
        assert(result == 0 || result == ETIMEDOUT);
    }}
    pthread_mutex_unlock(&m);
    return u;
}}
int main(void)
{{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    go = 1;
    {signals}
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}}
"""


@pytest.fixture
def told(tmp_path):
    """The outcome of a program."""

    def ask(changes: str, signals: str = "pthread_cond_signal(&c);", **more: object) -> cseq.Outcome:
        source = tmp_path / "program.c"
        source.write_text(PROGRAM.format(changes=changes, signals=signals), encoding="utf-8")
        return cseq.verify(source, backend="native", timeout=60, **more)

    return ask


@pytest.mark.parametrize("only", ["unreach-call", "no-deadlock"])
@pytest.mark.parametrize(
    "changes",
    [
        "ts.tv_sec += 1;",
        "ts.tv_sec = ts.tv_sec + 5;",
        "",
        "ts.tv_nsec += 50 * 1000000; if (ts.tv_nsec >= 1000000000) { ts.tv_sec++; ts.tv_nsec -= 1000000000; }",
        "ts.tv_nsec += 1000; if (ts.tv_nsec > 999999999L) { ts.tv_nsec -= 1000000000L; ts.tv_sec += 1; }",
        "ts.tv_nsec += 999999999; ts.tv_sec += ts.tv_nsec / 1000000000; ts.tv_nsec %= 1000000000;",
    ],
)
def test_a_deadline_may_have_any_value(told, changes, only):
    assert told(changes, only=only).verdict is Verdict.TRUE


def test_without_a_signal_the_deadline_ends_the_wait(told):
    assert told("ts.tv_sec += 1;", "", only="no-deadlock").verdict is Verdict.TRUE


@pytest.mark.parametrize(
    "changes",
    [
        "ts.tv_nsec += 999999999;",  # out of range, except in the first nanosecond of a second
        "ts.tv_nsec = -1;",
        "assert(ts.tv_sec != 1);",
        "if (ts.tv_sec > 7) ts.tv_nsec = 1000000000;",
        "struct timespec *p = &ts; p->tv_nsec += 999999999;",
    ],
)
def test_what_depends_on_the_time_is_found(told, changes):
    assert told(changes).verdict is Verdict.FALSE


@pytest.mark.parametrize(
    "changes",
    [
        "ts.tv_nsec += 1000; if (ts.tv_nsec > 1000000000) { ts.tv_sec++; ts.tv_nsec -= 1000000000; }",
        "ts.tv_nsec += 1000; if (ts.tv_nsec >= 1000000000) { ts.tv_sec++; ts.tv_nsec -= 100000000; }",
        "ts.tv_nsec += 1000; if (ts.tv_nsec >= 1000000000) ts.tv_sec++;",
        "ts.tv_nsec += 1000; assert(ts.tv_nsec != 5); if (ts.tv_nsec >= 1000000000) { ts.tv_sec++; "
        "ts.tv_nsec -= 1000000000; }",
        "ts.tv_nsec += 2 * 1000000000; ts.tv_sec += ts.tv_nsec / 1000000000; ts.tv_nsec %= 1000000000;",
    ],
)
def test_nanoseconds_that_may_leave_their_range_are_not_left_out(told, changes):
    assert told(changes, only="unreach-call").verdict is not Verdict.TRUE


def test_what_is_copied_is_still_sampled(told):
    outcome = told("long long now = ts.tv_sec; ts.tv_sec += 1; assert(now * 3 + 1 != 12345678);")
    assert outcome.verdict is not Verdict.TRUE
