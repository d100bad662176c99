"""Each primitive of the thread library in a reproducer: the threads come in one order, and in the other one."""

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.scheduled_runs import ABORTED, TIMES, Ended, ended

pytestmark = pytest.mark.engine

# Two workers, which the main thread joins; the last turn is always its, and ends in CSEQ_FAIL.
_HEADER = """\
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
static pthread_t t1, t2;
static void say(int what) { char c = (char) what; if (write(1, &c, 1) != 1) _exit(1); }
"""
_MAIN = """
int main(void)
{
    static char names[] = "12";
    BEGIN
    pthread_create(&t1, NULL, worker, &names[0]);
    pthread_create(&t2, NULL, worker, &names[1]);
    CSEQ_AT(9);
    JOINS
    CSEQ_FAIL("the end");
    return 0;
}
"""
ONE = "0@9 1@end 2@end 0@last"
TWO = "0@9 2@end 1@end 0@last"


class Case(NamedTuple):
    """A worker, the code before it and at the beginning of main, and what is written in which schedule."""

    worker: str
    schedules: dict[str, str]
    before: str = ""
    begin: str = ""
    sets: str = ""
    joins: str = "pthread_join(t1, NULL); pthread_join(t2, NULL);"


_UNTIL_1 = "0@9 1@1 2@end 1@end 0@last"
CASES = {
    "mutex": Case(
        "pthread_mutex_lock(&m); say(me); CSEQ_AT(1); say(me); pthread_mutex_unlock(&m);",
        {ONE: "1122", TWO: "2211", "0@9 1@1 1@end 2@end 0@last": "1122"},
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
    ),
    "trylock": Case(
        "if (pthread_mutex_trylock(&m) == 0) { say(me); CSEQ_AT(1); pthread_mutex_unlock(&m); } else say('x');",
        {ONE: "12", _UNTIL_1: "1x"},
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
    ),
    "timedlock": Case(
        "struct timespec t; clock_gettime(CLOCK_REALTIME, &t); t.tv_sec += 100;"
        "if (pthread_mutex_timedlock(&m, &t) == ETIMEDOUT) say('x');"
        "else { say(me); CSEQ_AT(1); pthread_mutex_unlock(&m); }"
        "t.tv_nsec = -1; if (pthread_mutex_timedlock(&m, &t) == EINVAL) say('i'); else pthread_mutex_unlock(&m);",
        {ONE: "12", _UNTIL_1: "1xi"},
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
    ),
    "recursive": Case(
        "pthread_mutex_lock(&m); pthread_mutex_lock(&m); say(me); CSEQ_AT(1); pthread_mutex_unlock(&m);"
        "say(me); pthread_mutex_unlock(&m);",
        {ONE: "1122", TWO: "2211"},
        "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;",
    ),
    "condition": Case(
        "pthread_mutex_lock(&m); if (me == '1') while (!ready) pthread_cond_wait(&c, &m);"
        "else { ready = 1; pthread_cond_signal(&c); CSEQ_AT(1); } say(me); pthread_mutex_unlock(&m);",
        {"0@9 1@pause 2@end 1@end 0@last": "21", "0@9 1@pause 2@1 2@end 1@end 0@last": "21", TWO: "21"},
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;",
    ),
    "broadcast": Case(
        "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); say(me); pthread_mutex_unlock(&m);",
        {
            "0@9 1@pause 2@pause 0@8 1@end 2@end 0@last": "12",
            "0@9 1@pause 2@pause 0@8 2@end 1@end 0@last": "21",
        },
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;",
        joins="pthread_cond_broadcast(&c); CSEQ_AT(8); pthread_join(t1, NULL); pthread_join(t2, NULL);",
    ),
    "timed wait": Case(
        "struct timespec t = {0, me == '2' ? -1 : 0}; pthread_mutex_lock(&m);"
        "int e = pthread_cond_timedwait(&c, &m, &t); say(e == ETIMEDOUT ? 't' : e == EINVAL ? 'i' : 'w');"
        "pthread_mutex_unlock(&m);",
        {ONE: "ti", "0@9 1@pause 2@end 1@end 0@last": "it"},
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;",
        sets="{1, CSEQ_PAUSE, 1, 110}",
    ),
    "rwlock": Case(
        "if (me == '1') pthread_rwlock_rdlock(&l); else if (pthread_rwlock_trywrlock(&l) != 0) { say('x'); return 0; }"
        "say(me); CSEQ_AT(1); pthread_rwlock_unlock(&l);",
        {ONE: "12", _UNTIL_1: "1x"},
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;",
    ),
    "timed rwlock": Case(
        "struct timespec t; clock_gettime(CLOCK_REALTIME, &t); t.tv_sec += 100;"
        "if (pthread_rwlock_timedwrlock(&l, &t) != 0) say('x');"
        "else { say(me); CSEQ_AT(1); pthread_rwlock_unlock(&l); }",
        {TWO: "21", _UNTIL_1: "1x"},
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;",
    ),
    "spin lock": Case(
        "pthread_spin_lock(&l); say(me); CSEQ_AT(1); pthread_spin_unlock(&l);",
        {ONE: "12", TWO: "21"},
        "pthread_spinlock_t l;",
        "pthread_spin_init(&l, 0);",
    ),
    "barrier": Case(
        "int e = pthread_barrier_wait(&b); say(e == PTHREAD_BARRIER_SERIAL_THREAD ? 's' : me);",
        {"0@9 1@pause 2@end 1@end 0@last": "s1", "0@9 1@pause 2@pause 1@end 2@end 0@last": "1s"},
        "pthread_barrier_t b;",
        "pthread_barrier_init(&b, NULL, 2);",
        sets="{2, CSEQ_PAUSE, 1, -1}",
    ),
    "semaphore": Case(
        "if (me == '1') sem_wait(&s); else { say('p'); sem_post(&s); CSEQ_AT(1); } say(me);",
        {TWO: "p21", "0@9 2@1 1@end 2@end 0@last": "p12"},
        "sem_t s;",
        "sem_init(&s, 0, 0);",
    ),
    "semaphore with a time": Case(
        "struct timespec t = {2000000000000, 0};"
        "if (me == '2') sem_post(&s); else say(sem_timedwait(&s, &t) == 0 ? me : errno == ETIMEDOUT ? 't' : 'e');",
        {ONE: "t", TWO: "1"},
        "sem_t s;",
        "sem_init(&s, 0, 0);",
    ),
    "named semaphore": Case(
        'sem_t *s = sem_open("/cseq", O_CREAT, 0600, 0);'
        "if (me == '2') sem_post(s); else if (sem_trywait(s) != 0) say('x');"
        'say(me); if (sem_open("/cseq", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED) say(errno == EEXIST ? 101 : 63);'
        'if (sem_unlink("/cseq") == 0) say(117);',
        {ONE: "x1eu2eu", TWO: "2eux1eu"},
        "#include <fcntl.h>",
    ),
    "once": Case(
        "pthread_once(&o, first); say(me);",
        {ONE: "i12", TWO: "i21", "0@9 1@1 1@pause 1@end 2@end 0@last": "i12"},
        "pthread_once_t o = PTHREAD_ONCE_INIT; static void first(void) { say('i'); CSEQ_AT(1); }",
    ),
    "time": Case(
        "struct timespec t = {1000, 0}, bad = {0, -1}; say(me); sleep(1000); usleep(900000); nanosleep(&t, 0);"
        "CSEQ_AT(1);"
        "clock_nanosleep(CLOCK_MONOTONIC, 0, &t, 0); thrd_sleep(&t, 0); sched_yield();"
        "say(nanosleep(&bad, 0) == -1 && errno == EINVAL ? 'i' : '?');",
        {ONE: "1i2i", _UNTIL_1: "12ii"},
    ),
    "exit": Case(
        "pthread_cleanup_push(undo, arg); CSEQ_AT(1); say(me); pthread_exit(0); pthread_cleanup_pop(0);",
        {ONE: "1u2u", _UNTIL_1: "2u1u"},
        "static void undo(void *arg) { (void) arg; say('u'); }",
    ),
    "cancel": Case(
        "if (me == '1') { pthread_cleanup_push(undo, arg); CSEQ_AT(1); pthread_testcancel(); say(me);"
        "CSEQ_AT(2); sem_wait(&s); say('?'); pthread_cleanup_pop(0); }"
        "else { say(pthread_cancel(t1) == 0 ? 'c' : '?'); sem_post(&s); }",
        {_UNTIL_1: "cu", "0@9 1@1 1@2 2@end 1@end 0@last": "1cu"},
        "sem_t s; static void undo(void *arg) { (void) arg; say('u'); }",
        "sem_init(&s, 0, 0);",
    ),
    "cancel where the call can return": Case(
        "if (me == '1') { pthread_testcancel(); CSEQ_AT(1); sem_wait(&s); say(me); pthread_testcancel(); say('?'); }"
        "else { sem_post(&s); pthread_cancel(t1); }",
        {_UNTIL_1: "1"},
        "sem_t s;",
        "sem_init(&s, 0, 0);",
        "{1, CSEQ_GOES_ON, 2, 1}",
    ),
    "cancel a wait": Case(
        "if (me == '1') { pthread_mutex_lock(&m); pthread_cleanup_push(undo, arg);"
        "pthread_cond_wait(&c, &m); say('?'); pthread_cleanup_pop(0); } else pthread_cancel(t1);",
        {"0@9 1@pause 2@end 1@end 0@last": "u"},
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;"
        "static void undo(void *arg) { (void) arg; say(pthread_mutex_unlock(&m) == 0 ? 'u' : '?'); }",
    ),
    "keys": Case(
        "(void) me; pthread_setspecific(k, arg); CSEQ_AT(1); say(*(char *) pthread_getspecific(k));",
        {ONE: "1d2d", _UNTIL_1: "2d1d"},
        "pthread_key_t k; static void destroy(void *arg) { if (*(char *) arg) say('d'); }",
        "pthread_key_create(&k, destroy);",
    ),
    "join": Case(
        "void *r; struct timespec t = {2000000000, 0}; if (me == '1') return arg;"
        "int e = pthread_timedjoin_np(t1, &r, &t); say(e == ETIMEDOUT ? 't' : e == 0 ? *(char *) r : '?');"
        "if (e == 0) return 0; e = pthread_tryjoin_np(t1, &r); say(e == EBUSY ? 'b' : '?');",
        {ONE: "1", TWO: "tb"},
        joins="pthread_join(t2, NULL);",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_orders(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    worker = f"static void *worker(void *arg) {{ char me = *(char *) arg; {case.worker} return 0; }}\n"
    main = _MAIN.replace("BEGIN", case.begin).replace("JOINS", case.joins)
    source = f"{_HEADER}{case.before}\n{worker}{main}"
    line = source.split("\n").index('    CSEQ_FAIL("the end");') + 1
    for turns, output in case.schedules.items():
        expected = Ended(ABORTED, output, f"cseq: x.c:{line}: main: the end\n")
        assert ended(tmp_path, source, turns, times=TIMES, sets=case.sets) == expected


_C11 = """\
#include <stdio.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static tss_t k;
static once_flag o = ONCE_FLAG_INIT;
static int ready;
static void first(void) { printf("o"); }
static void destroy(void *arg) { printf("d%d", *(int *) arg); }
static int worker(void *arg)
{
    struct timespec t = {2000000000, 0};
    int me = *(int *) arg;
    call_once(&o, first);
    tss_set(k, arg);
    if (me != 3)
        mtx_lock(&m);
    else if (mtx_timedlock(&m, &t) == thrd_timedout) {
        printf("l");
        thrd_exit(me);
    }
    if (me == 1)
        while (!ready)
            cnd_wait(&c, &m);
    else if (me == 2 && cnd_timedwait(&c, &m, &t) == thrd_timedout)
        printf("t");
    printf("%d", me);
    CSEQ_AT(1);
    mtx_unlock(&m);
    return me;
}
int main(void)
{
    static int names[] = {0, 1, 2, 3};
    thrd_t threads[4];
    int sum = 0, result;
    mtx_init(&m, mtx_timed);
    cnd_init(&c);
    tss_create(&k, destroy);
    for (int i = 1; i < 4; i++)
        thrd_create(&threads[i], worker, &names[i]);
    CSEQ_AT(2);
    mtx_lock(&m);
    ready = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    CSEQ_AT(3);
    for (int i = 1; i < 4; i++) {
        thrd_join(threads[i], &result);
        sum += result;
    }
    printf("s%d", sum);
    fflush(stdout);
    CSEQ_FAIL("end");
}
"""


@pytest.mark.parametrize(
    "turns, sets, output",
    [
        ("0@2 1@pause:2 2@pause 0@3 2@end 1@end 3@end 0@last", "", "o2d21d13d3s6"),
        ("0@2 1@pause:2 2@pause 0@3 1@end 3@end 2@end 0@last", "{2, CSEQ_PAUSE, 1, 4}", "o1d13d3t2d2s6"),
        ("0@2 1@pause:2 2@pause 0@3 1@1 3@end 1@end 2@end 0@last", "", "o1ld3d12d2s6"),
    ],
)
def test_threads_of_c11(tmp_path: Path, turns: str, sets: str, output: str) -> None:
    found = ended(tmp_path, _C11, turns, sets=sets, times=3)
    assert (found.status, found.output) == (ABORTED, output)
