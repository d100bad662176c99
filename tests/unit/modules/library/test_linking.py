"""What a program gets of the library, and which functions its calls become."""

from cseq.model.errors import UnsupportedError

ROBUST = """\
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c;
int main(void)
{
  pthread_mutexattr_t a;
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_lock(&m);
  return 0;
}
"""


def test_calls_become_those_that_know_of_robust_mutexes(translated):
    text = translated("merger", ROBUST)
    assert "pthread_mutex_lock__cs3(&m);" in text and "__cs_robust_take" in text
    plain = translated("merger", ROBUST.replace("pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);", ""))
    assert "pthread_mutex_lock(&m);" in plain and "robust_take" not in plain


def test_a_program_that_only_says_that_mutexes_are_stalled_has_none_that_are_robust(translated):
    stalled = ROBUST.replace("_MUTEX_ROBUST)", "_MUTEX_STALLED)").replace("lock(&m);", "lock(&m); WAIT")
    wait = "pthread_cond_wait(&c, &m);"
    assert "pthread_mutex_lock(&m);" in translated("merger", stalled.replace("WAIT", wait))
    for other in (
        "int r = 0; pthread_mutexattr_setrobust(&a, r);",
        "int (*f)(pthread_mutexattr_t *, int) = pthread_mutexattr_setrobust;",
        "pthread_mutexattr_setrobust(&a, pthread_mutexattr_setrobust(&a, 1));",
    ):
        assert "pthread_mutex_lock__cs3(&m);" in translated("merger", stalled.replace("WAIT", other))


def test_a_condition_variable_does_not_go_together_with_them(translated):
    text = ROBUST.replace("pthread_mutex_lock(&m);", "pthread_cond_wait(&c, &m);")
    message = "program.c:8: `pthread_cond_wait` in a program with robust mutexes is not supported"
    assert translated.refusal("merger", text, UnsupportedError) == message


def test_calls_become_those_that_know_of_locks_that_prefer_writers(translated):
    text = """\
#define _GNU_SOURCE
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void)
{
  pthread_rwlockattr_t a;
  pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NP);
  pthread_rwlock_wrlock(&l);
  return 0;
}
"""
    plain = "pthread_rwlock_wrlock(&l);"
    assert plain in translated("merger", text)
    for preferring in (
        text.replace("WRITER_NP", "WRITER_NONRECURSIVE_NP"),
        text.replace("LOCK_INIT", "LOCK_WRITER_NONRECURSIVE_INIT").replace("IZER;", "IZER_NP;"),
        text.replace("PTHREAD_RWLOCK_PREFER_WRITER_NP", "sizeof l"),
    ):
        assert "pthread_rwlock_wrlock__cs8(&l);" in translated("merger", preferring)
