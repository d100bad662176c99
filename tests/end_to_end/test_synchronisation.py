"""What the functions of barriers, semaphores, and read-write and spin locks return, checked by an engine.

What is misuse, and which bugs they prevent, is in tests/programs/conformance/threads.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Spurious, Verdict
from tests.end_to_end.test_thread_library import REACHED, check, claim

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")

DECLARATIONS = """\
#include <fcntl.h>
#include <semaphore.h>
#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_rwlockattr_t rw_attr;
pthread_spinlock_t spin;
pthread_barrier_t barrier;
pthread_barrierattr_t barrier_attr;
sem_t sem;
struct timespec soon = { 0, 999999999 }, wrong = { 0, 1000000000 }, negative = { 0, -1 };
int value;
"""

# (name, main, and what stands in front of it): all assertions hold, and the end is reached.
HOLDS = [
    (
        "who reads may read again, as often as not",
        """\
        assert(pthread_rwlock_rdlock(&rw) == 0); assert(pthread_rwlock_tryrdlock(&rw) == 0);
        assert(pthread_rwlock_timedrdlock(&rw, &soon) == 0);
        assert(pthread_rwlock_clockrdlock(&rw, CLOCK_REALTIME, &soon) == 0);
        assert(pthread_rwlock_trywrlock(&rw) == EBUSY);
        assert(pthread_rwlock_unlock(&rw) == 0); assert(pthread_rwlock_unlock(&rw) == 0);
        assert(pthread_rwlock_unlock(&rw) == 0); assert(pthread_rwlock_trywrlock(&rw) == EBUSY);
        assert(pthread_rwlock_unlock(&rw) == 0); assert(pthread_rwlock_trywrlock(&rw) == 0);
        """,
        "",
    ),
    (
        "a read lock can be had seven times",
        """\
        for (int i = 0; i < 7; i++) assert(pthread_rwlock_rdlock(&rw) == 0);
        assert(pthread_rwlock_rdlock(&rw) == EAGAIN);
        for (int i = 0; i < 7; i++) pthread_rwlock_unlock(&rw);
        assert(pthread_rwlock_trywrlock(&rw) == 0);
        """,
        "",
    ),
    (
        "who writes has the lock already",
        """\
        assert(pthread_rwlock_wrlock(&rw) == 0);
        assert(pthread_rwlock_rdlock(&rw) == EDEADLK); assert(pthread_rwlock_wrlock(&rw) == EDEADLK);
        assert(pthread_rwlock_timedrdlock(&rw, &soon) == EDEADLK);
        assert(pthread_rwlock_timedwrlock(&rw, &soon) == EDEADLK);
        assert(pthread_rwlock_tryrdlock(&rw) == EBUSY); assert(pthread_rwlock_trywrlock(&rw) == EBUSY);
        assert(pthread_rwlock_unlock(&rw) == 0); assert(pthread_rwlock_tryrdlock(&rw) == 0);
        """,
        "",
    ),
    (
        "deadlines of read-write locks",
        """\
        pthread_rwlock_wrlock(&rw); START(t, f); pthread_join(t, 0); pthread_rwlock_unlock(&rw);
        assert(pthread_rwlock_clockwrlock(&rw, CLOCK_PROCESS_CPUTIME_ID, &soon) == EINVAL);
        assert(pthread_rwlock_timedwrlock(&rw, &soon) == 0);
        """,
        """\
        void *f(void *arg) {
        assert(pthread_rwlock_timedrdlock(&rw, &wrong) == EINVAL);
        assert(pthread_rwlock_timedwrlock(&rw, &negative) == EINVAL);
        assert(pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
        assert(pthread_rwlock_clockwrlock(&rw, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
        return 0; }
        """,
    ),
    (
        "a lock that others read can be read but not written",
        """\
        pthread_rwlock_rdlock(&rw); START(t, f); pthread_join(t, 0);
        assert(pthread_rwlock_unlock(&rw) == 0); assert(pthread_rwlock_trywrlock(&rw) == 0);
        """,
        """\
        void *f(void *arg) {
        assert(pthread_rwlock_tryrdlock(&rw) == 0); assert(pthread_rwlock_trywrlock(&rw) == EBUSY);
        assert(pthread_rwlock_unlock(&rw) == 0); assert(pthread_rwlock_timedwrlock(&rw, &soon) == ETIMEDOUT);
        return 0; }
        """,
    ),
    (
        "attributes",
        """\
        assert(pthread_rwlockattr_init(&rw_attr) == 0); assert(pthread_rwlockattr_setpshared(&rw_attr, 2) == EINVAL);
        assert(pthread_rwlockattr_getpshared(&rw_attr, &value) == 0); assert(value == PTHREAD_PROCESS_PRIVATE);
        assert(pthread_rwlockattr_setkind_np(&rw_attr, 3) == EINVAL);
        assert(pthread_rwlockattr_setkind_np(&rw_attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
        assert(pthread_rwlockattr_getkind_np(&rw_attr, &value) == 0); assert(value == 2);
        assert(pthread_rwlock_destroy(&rw) == 0); assert(pthread_rwlock_init(&rw, &rw_attr) == 0);
        assert(pthread_rwlockattr_destroy(&rw_attr) == 0);
        assert(pthread_barrierattr_init(&barrier_attr) == 0);
        assert(pthread_barrierattr_setpshared(&barrier_attr, -1) == EINVAL);
        assert(pthread_barrierattr_setpshared(&barrier_attr, PTHREAD_PROCESS_SHARED) == 0);
        assert(pthread_barrierattr_getpshared(&barrier_attr, &value) == 0); assert(value == 1);
        assert(pthread_barrierattr_destroy(&barrier_attr) == 0);
        """,
        "",
    ),
    (
        "kinds of mutexes",
        """\
        pthread_mutexattr_init(&type); assert(pthread_mutexattr_settype(&type, 4) == EINVAL);
        assert(pthread_mutexattr_settype(&type, PTHREAD_MUTEX_ADAPTIVE_NP) == 0);
        assert(pthread_mutexattr_gettype(&type, &value) == 0); assert(value == 3);
        assert(pthread_mutexattr_setpshared(&type, 2) == EINVAL); assert(pthread_mutexattr_setpshared(&type, 1) == 0);
        assert(pthread_mutexattr_setprotocol(&type, 3) == EINVAL);
        assert(pthread_mutexattr_setprotocol(&type, PTHREAD_PRIO_INHERIT) == 0);
        assert(pthread_mutexattr_getprotocol(&type, &value) == 0); assert(value == 1);
        assert(pthread_mutexattr_setprioceiling(&type, 100) == EINVAL);
        assert(pthread_mutexattr_setprioceiling(&type, 7) == 0);
        assert(pthread_mutexattr_getprioceiling(&type, &value) == 0); assert(value == 7);
        assert(pthread_mutexattr_setrobust(&type, PTHREAD_MUTEX_STALLED) == 0);
        assert(pthread_mutex_init(&zero, &type) == 0); assert(pthread_mutex_lock(&zero) == 0);
        assert(pthread_mutex_trylock(&zero) == EBUSY); assert(pthread_mutex_timedlock(&zero, &soon) == ETIMEDOUT);
        assert(pthread_mutex_unlock(&zero) == 0);
        """,
        "",
    ),
    (
        "deadlines of mutexes",
        """\
        assert(pthread_mutex_timedlock(&m, &soon) == 0); assert(pthread_mutex_timedlock(&m, &wrong) == EINVAL);
        assert(pthread_mutex_clocklock(&m, CLOCK_THREAD_CPUTIME_ID, &soon) == EINVAL);
        assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &soon) == ETIMEDOUT); assert(UNLOCK == 0);
        assert(pthread_mutex_timedlock(&rec, &soon) == 0); assert(pthread_mutex_timedlock(&rec, &soon) == 0);
        assert(pthread_mutex_unlock(&rec) == 0); assert(pthread_mutex_unlock(&rec) == 0);
        assert(pthread_mutex_timedlock(&chk, &soon) == 0); assert(pthread_mutex_timedlock(&chk, &soon) == EDEADLK);
        """,
        "",
    ),
    (
        "waits with a deadline end with the mutex",
        """\
        pthread_condattr_t attr; clockid_t clock;
        assert(pthread_condattr_init(&attr) == 0); assert(pthread_condattr_setclock(&attr, 2) == EINVAL);
        assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
        assert(pthread_condattr_getclock(&attr, &clock) == 0); assert(clock == CLOCK_MONOTONIC);
        assert(pthread_condattr_setpshared(&attr, 3) == EINVAL); assert(pthread_cond_init(&zero_c, &attr) == 0);
        LOCK; assert(pthread_cond_timedwait(&c, &m, &wrong) == EINVAL); assert(pthread_mutex_trylock(&m) == EBUSY);
        assert(pthread_cond_timedwait(&c, &m, &soon) == ETIMEDOUT); assert(pthread_mutex_trylock(&m) == EBUSY);
        assert(pthread_cond_clockwait(&zero_c, &m, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
        assert(pthread_cond_clockwait(&zero_c, &m, 3, &soon) == EINVAL); assert(UNLOCK == 0);
        assert(pthread_cond_destroy(&zero_c) == 0); assert(pthread_cond_destroy(&c) == 0);
        """,
        "",
    ),
    (
        "a wait lets a recursive mutex go once",
        """\
        pthread_mutex_lock(&rec); pthread_mutex_lock(&rec); START(t, f);
        assert(pthread_cond_timedwait(&c, &rec, &soon) == ETIMEDOUT); assert(x == 0);
        pthread_mutex_unlock(&rec); assert(x == 0); pthread_mutex_unlock(&rec);
        """,
        "void *f(void *arg) { pthread_mutex_lock(&rec); x = 1; pthread_mutex_unlock(&rec); return 0; }\n",
    ),
    (
        "mutexes and condition variables of C11",
        """\
        mtx_t plain, both; cnd_t ready; assert(mtx_init(&plain, 4) == thrd_error);
        assert(mtx_init(&plain, mtx_plain) == thrd_success); assert(cnd_init(&ready) == thrd_success);
        assert(mtx_init(&both, mtx_recursive | mtx_timed) == thrd_success);
        assert(mtx_lock(&plain) == thrd_success); assert(mtx_trylock(&plain) == thrd_busy);
        assert(mtx_lock(&both) == thrd_success); assert(mtx_trylock(&both) == thrd_success);
        assert(mtx_timedlock(&both, &soon) == thrd_success); assert(cnd_signal(&ready) == thrd_success);
        assert(cnd_broadcast(&ready) == thrd_success); assert(cnd_timedwait(&ready, &plain, &wrong) == thrd_error);
        assert(cnd_timedwait(&ready, &plain, &soon) == thrd_timedout); assert(mtx_unlock(&plain) == thrd_success);
        assert(mtx_unlock(&both) == 0); assert(mtx_unlock(&both) == 0); assert(mtx_unlock(&both) == 0);
        mtx_destroy(&plain); mtx_destroy(&both); cnd_destroy(&ready);
        """,
        "",
    ),
    (
        "deadlines of mutexes of C11",
        """\
        mtx_init(&timed, mtx_timed); mtx_lock(&timed); START(t, f); pthread_join(t, 0); mtx_unlock(&timed);
        """,
        """\
        mtx_t timed;
        void *f(void *arg) {
        assert(mtx_timedlock(&timed, &soon) == thrd_timedout); assert(mtx_timedlock(&timed, &wrong) == thrd_error);
        return 0; }
        """,
    ),
    (
        "memory that was used before can be initialised, and so can what was destroyed",
        """\
        for (int i = 0; i < 2; i++) { pthread_mutex_t local; assert(pthread_mutex_init(&local, 0) == 0); }
        for (int i = 0; i < 2; i++) { assert(pthread_mutex_init(&zero, 0) == 0); pthread_mutex_destroy(&zero); }
        for (int i = 0; i < 2; i++) { pthread_mutex_t many[20]; assert(pthread_mutex_init(&many[9], 0) == 0); }
        pthread_mutex_t *one = malloc(sizeof *one); assert(pthread_mutex_init(one, 0) == 0); free(one);
        one = malloc(sizeof *one); assert(pthread_mutex_init(one, 0) == 0);
        """,
        "",
    ),
    (
        "spin locks",
        """\
        assert(pthread_spin_init(&spin, 0) == 0); assert(pthread_spin_trylock(&spin) == 0);
        assert(pthread_spin_trylock(&spin) == EBUSY); START(t, f); pthread_join(t, 0);
        assert(pthread_spin_unlock(&spin) == 0); assert(pthread_spin_lock(&spin) == 0);
        assert(pthread_spin_unlock(&spin) == 0); assert(pthread_spin_destroy(&spin) == 0);
        """,
        "void *f(void *arg) { assert(pthread_spin_trylock(&spin) == EBUSY); return 0; }\n",
    ),
    (
        "a barrier for nobody, and one for oneself",
        """\
        assert(pthread_barrier_init(&barrier, 0, 0) == EINVAL); assert(pthread_barrier_init(&barrier, 0, 1) == 0);
        assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
        assert(pthread_barrier_wait(&barrier) == -1); assert(pthread_barrier_destroy(&barrier) == 0);
        """,
        "",
    ),
    (
        "semaphores count",
        """\
        assert(sem_init(&sem, 0, SEM_VALUE_MAX + 1u) == -1); assert(errno == EINVAL); errno = 0;
        assert(sem_init(&sem, 0, SEM_VALUE_MAX) == 0); assert(sem_post(&sem) == -1); assert(errno == EOVERFLOW);
        assert(sem_destroy(&sem) == 0); assert(sem_init(&sem, 1, 2) == 0);
        assert(sem_wait(&sem) == 0); assert(sem_trywait(&sem) == 0);
        assert(sem_trywait(&sem) == -1); assert(errno == EAGAIN); assert(sem_getvalue(&sem, &value) == 0);
        assert(value == 0); assert(sem_post(&sem) == 0); assert(sem_timedwait(&sem, &soon) == 0);
        assert(sem_timedwait(&sem, &wrong) == -1); assert(errno == EINVAL); errno = 0;
        assert(sem_timedwait(&sem, &soon) == -1); assert(errno == ETIMEDOUT);
        assert(sem_clockwait(&sem, 9, &soon) == -1); assert(errno == EINVAL);
        assert(sem_clockwait(&sem, CLOCK_MONOTONIC, &soon) == -1); assert(errno == ETIMEDOUT);
        assert(sem_destroy(&sem) == 0);
        """,
        "",
    ),
    (
        "names of semaphores",
        """\
        assert(sem_open("/a", 0) == SEM_FAILED); assert(errno == ENOENT); errno = 0;
        assert(sem_unlink("/a") == -1); assert(errno == ENOENT); sem_t *a = sem_open("/a", O_CREAT, 0600, 1);
        assert(a != SEM_FAILED); assert(sem_open("/a", O_CREAT, 0600, 5) == a); assert(sem_open("/a", 0) == a);
        assert(sem_open("/a", O_CREAT | O_EXCL, 0600, 5) == SEM_FAILED); assert(errno == EEXIST);
        assert(sem_open("/b", O_CREAT, 0600, SEM_VALUE_MAX + 1u) == SEM_FAILED); assert(errno == EINVAL);
        sem_t *b = sem_open("/b", O_CREAT, 0600, 0); assert(b != a); assert(sem_getvalue(b, &value) == 0);
        assert(value == 0); assert(sem_wait(a) == 0); assert(sem_close(b) == 0); assert(sem_unlink("/a") == 0);
        sem_t *c = sem_open("/a", O_CREAT | O_EXCL, 0600, 1); assert(c != a);
        assert(sem_trywait(a) == -1); assert(sem_trywait(c) == 0); assert(sem_close(c) == 0);
        """,
        "",
    ),
    (
        "yielding and sleeping",
        """\
        struct timespec left = { 5, 6 };
        assert(sched_yield() == 0); assert(pthread_yield() == 0); assert(sleep(1) == 0); assert(usleep(9) == 0);
        assert(nanosleep(&soon, 0) == 0); assert(nanosleep(&wrong, &left) == -1); assert(errno == EINVAL);
        assert(nanosleep(&soon, &left) == 0); assert(left.tv_sec == 5 && left.tv_nsec == 6);
        assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &soon, 0) == 0);
        assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &negative, 0) == EINVAL);
        assert(clock_nanosleep(-1, 0, &soon, 0) == EINVAL);
        thrd_yield(); assert(thrd_sleep(&soon, &left) == 0); assert(thrd_sleep(&wrong, 0) == -2);
        """,
        "",
    ),
    (
        "clocks",
        """\
        struct timespec one, two;
        assert(clock_gettime(99, &one) == -1); assert(errno == EINVAL);
        assert(clock_gettime(CLOCK_REALTIME, &one) == 0); assert(one.tv_nsec >= 0 && one.tv_nsec < 1000000000);
        assert(one.tv_sec >= 0); assert(clock_gettime(CLOCK_MONOTONIC, &one) == 0);
        assert(clock_gettime(CLOCK_MONOTONIC, &two) == 0); assert(two.tv_sec >= one.tv_sec);
        if (two.tv_sec == one.tv_sec) assert(two.tv_nsec >= one.tv_nsec);
        assert(clock_getres(CLOCK_REALTIME, &one) == 0); assert(timespec_get(&one, TIME_UTC) == TIME_UTC);
        """,
        "",
    ),
]


@pytest.mark.parametrize("body, before", [row[1:] for row in HOLDS], ids=[row[0] for row in HOLDS])
def test_what_always_holds(tmp_path: Path, body: str, before: str) -> None:
    program = DECLARATIONS + dedent(before) + "int main(void) {\n" + dedent(body)
    # That the end is reached is violated, and nothing else: an assertion that fails is reported first or instead.
    usual = {"unwind": 7, "no_spurious_wakeups": True}
    silent = check(tmp_path, program + "return 0; }\n", 2, **usual)
    assert silent.verdict is not Verdict.FALSE, silent.violated
    claim(check(tmp_path, program + "reach_error(); // FAIL\nreturn 0; }\n", 2, **usual), REACHED)


@pytest.mark.parametrize(
    "call",
    [
        "pthread_rwlock_timedrdlock(&rw, &soon)",
        "pthread_rwlock_timedwrlock(&rw, &soon)",
        "pthread_mutex_timedlock(&m, &soon)",
    ],
)
@pytest.mark.parametrize("result", ["0", "ETIMEDOUT"])
def test_deadlines_may_pass_or_not(tmp_path: Path, call: str, result: str) -> None:
    program = DECLARATIONS + dedent(f"""\
        void *f(void *arg) {{ int r = {call}; assert(r == 0 || r == ETIMEDOUT);
        assert(r != {result}); return 0; }} // FAIL
        int main(void) {{ pthread_rwlock_wrlock(&rw); LOCK; START(t, f); UNLOCK; pthread_rwlock_unlock(&rw);
        pthread_join(t, 0); }}
        """)
    claim(check(tmp_path, program, 2), f"assertion `r != {result}`")


@pytest.mark.parametrize("result", ["0", "PTHREAD_BARRIER_SERIAL_THREAD"])
def test_any_thread_can_be_the_serial_thread(tmp_path: Path, result: str) -> None:
    program = DECLARATIONS + dedent(f"""\
        void *f(void *arg) {{ pthread_barrier_wait(&barrier); return 0; }}
        int main(void) {{ pthread_barrier_init(&barrier, 0, 2); START(t, f); int r = pthread_barrier_wait(&barrier);
        assert(r != {result}); }} // FAIL
        """)
    claim(check(tmp_path, program, 2), f"assertion `r != {result}`")


# A thread that was signalled may say that its deadline passed, or not; one that was not, says so.
@pytest.mark.parametrize("result", ["0", "ETIMEDOUT"])
def test_a_wait_may_be_woken_or_end_too_late(tmp_path: Path, result: str) -> None:
    program = DECLARATIONS + dedent(f"""\
        int main(void) {{ LOCK; START(t, signaller); int r = pthread_cond_timedwait(&c, &m, &soon);
        assert(r == 0 || r == ETIMEDOUT);
        assert(r != {result}); }} // FAIL
        """)
    claim(check(tmp_path, program, 2), f"assertion `r != {result}`")


@pytest.mark.parametrize("wait", ["pthread_cond_wait(&c, &m);", "if (pthread_cond_timedwait(&c, &m, &soon) == 0)"])
def test_waits_end_without_a_signal_unless_that_is_excluded(tmp_path: Path, wait: str) -> None:
    program = DECLARATIONS + f"int main(void) {{ LOCK; {wait}\nreach_error(); }} // FAIL\n"
    assert check(tmp_path, program, 1, no_spurious_wakeups=True).verdict is not Verdict.FALSE
    found = check(tmp_path, program, 1)
    claim(found, REACHED)
    assert found.spurious is Spurious.NEEDED
    claim(check(tmp_path, program, 1, spurious_wakeups=True), REACHED)


# Whether a deadline is one at all need not be checked where there is nothing to wait for (POSIX.1-2017).
@pytest.mark.parametrize("call", ["pthread_rwlock_timedrdlock(&rw, &wrong)", "pthread_mutex_timedlock(&m, &negative)"])
@pytest.mark.parametrize("result", ["0", "EINVAL"])
def test_deadlines_that_are_none_may_be_noticed_or_not(tmp_path: Path, call: str, result: str) -> None:
    program = DECLARATIONS + dedent(f"""\
        int main(void) {{ int r = {call}; assert(r == 0 || r == EINVAL);
        assert(r != {result}); return 0; }} // FAIL
        """)
    claim(check(tmp_path, program, 1), f"assertion `r != {result}`")
