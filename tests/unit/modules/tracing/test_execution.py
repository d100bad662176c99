"""What steps say for programs: actions of threads, and what memory is accessed. The same by both families."""

from pathlib import Path
from textwrap import dedent

import pytest

import cseq
from cseq.model.trace import Step
from cseq.report.words import message

pytestmark = pytest.mark.engine

ENGINES = {"native": {}, "cbmc": {"rounds": 2, "unwind": 2}}
"""Engine → the bounds that it takes."""


@pytest.fixture(params=ENGINES)
def steps_of(request: pytest.FixtureRequest, tmp_path: Path):
    """The steps to the violation of a program with the usual headers in front."""

    def steps_of(text: str) -> list[Step]:
        path = tmp_path / "program.c"
        headers = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <threads.h>\n"
        path.write_text(headers + dedent(text))
        outcome = cseq.verify(path, backend=request.param, **ENGINES[request.param])
        assert outcome.counterexample is not None, message(outcome)
        return outcome.counterexample.steps

    return steps_of


def acts(steps: list[Step], thread: int) -> list[tuple[str, str]]:
    """The kinds of what *thread* does, and the names of objects, or of threads."""
    found = [action for step in steps if step.thread.number == thread for action in step.actions]
    return [(action.kind, action.name or (str(action.thread.number) if action.thread else "")) for action in found]


def test_locks_have_one_object_under_all_names(steps_of):
    steps = steps_of("""\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void use(pthread_mutex_t *lock)
        {
          pthread_mutex_lock(lock);
          pthread_mutex_unlock(&m);
        }
        int main(void)
        {
          use(&m);
          assert(pthread_mutex_trylock(&m));
        }
        """)
    assert acts(steps, 0) == [("lock", "lock"), ("unlock", "m"), ("lock", "m")]
    assert len({action.object for step in steps for action in step.actions}) == 1


def test_a_call_that_gets_nothing_only_tries(steps_of):
    steps = steps_of("""\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
        sem_t s;
        int main(void)
        {
          sem_init(&s, 0, 1);
          int a = sem_trywait(&s), b = sem_trywait(&s);
          int c = pthread_mutex_trylock(&m), d = pthread_mutex_trylock(&m);
          int e = pthread_rwlock_tryrdlock(&l), f = pthread_rwlock_trywrlock(&l);
          sem_post(&s);
          sem_wait(&s);
          assert(a || !b || c || !d || e || !f);
        }
        """)
    assert acts(steps, 0) == [
        ("init", "s"), ("take", "s"), ("try_take", "s"), ("lock", "m"), ("try", "m"), ("read_lock", "l"), ("try", "l"),
        ("give", "s"), ("take", "s"),
    ]  # fmt: skip


def test_a_lock_that_is_refused_is_not_held(steps_of):
    steps = steps_of("""\
        pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
        int main(void)
        {
          int a = pthread_mutex_lock(&m), b = pthread_mutex_lock(&m);
          assert(a || !b);
        }
        """)
    assert acts(steps, 0) == [("lock", "m"), ("try", "m")]


def test_a_routine_runs_once(steps_of):
    steps = steps_of("""\
        pthread_once_t o = PTHREAD_ONCE_INIT;
        int x;
        void once(void) { x++; }
        int main(void)
        {
          pthread_once(&o, once);
          pthread_once(&o, once);
          assert(x != 1);
        }
        """)
    assert acts(steps, 0) == [("begin", "o"), ("finish", "o"), ("pass", "o")]


def test_a_timed_wait_that_ends_by_time_has_the_lock(steps_of):
    steps = steps_of("""\
        #include <time.h>
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        int main(void)
        {
          struct timespec soon = {1, 0};
          pthread_mutex_lock(&m);
          assert(pthread_cond_timedwait(&c, &m, &soon) == 0);
        }
        """)
    assert acts(steps, 0) == [("lock", "m"), ("unlock", "m"), ("wait", "c"), ("wake", "c"), ("lock", "m")]


def test_threads_and_condition_variables(steps_of):
    steps = steps_of("""\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        int ready;
        void *worker(void *arg)
        {
          pthread_mutex_lock(&m);
          while (!ready)
            pthread_cond_wait(&c, &m);
          assert(0);
          return 0;
        }
        int main(void)
        {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          pthread_mutex_lock(&m);
          while (!ready) {
            pthread_mutex_unlock(&m);
            pthread_mutex_lock(&m);
            ready = 1;
          }
          pthread_cond_signal(&c);
          pthread_mutex_unlock(&m);
          pthread_join(t, 0);
          return 0;
        }
        """)
    assert acts(steps, 0)[:2] == [("create", "1"), ("lock", "m")]
    if ("wait", "c") in acts(steps, 1):
        woken = [("lock", "m"), ("unlock", "m"), ("wait", "c"), ("wake", "c"), ("lock", "m")]
        assert acts(steps, 1) == woken and ("signal", "c") in acts(steps, 0)
    else:
        assert acts(steps, 1) == [("lock", "m")]


def test_waiting_unlocks_and_waking_up_locks(steps_of):
    steps = steps_of("""\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        int asleep, woken;
        void *worker(void *arg)
        {
          pthread_mutex_lock(&m);
          asleep = 1;
          pthread_cond_wait(&c, &m);
          woken = 1;
          pthread_mutex_unlock(&m);
          return 0;
        }
        int main(void)
        {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          pthread_mutex_lock(&m);
          if (asleep) {
            pthread_cond_broadcast(&c);
            pthread_mutex_unlock(&m);
            pthread_join(t, 0);
            assert(!woken);
          }
          return 0;
        }
        """)
    assert acts(steps, 0) == [("create", "1"), ("lock", "m"), ("broadcast", "c"), ("unlock", "m"), ("join", "1")]
    assert acts(steps, 1) == [
        ("lock", "m"), ("unlock", "m"), ("wait", "c"), ("wake", "c"), ("lock", "m"), ("unlock", "m"), ("end", ""),
    ]  # fmt: skip


def test_barriers(steps_of):
    steps = steps_of("""\
        pthread_barrier_t b;
        int main(void)
        {
          pthread_barrier_init(&b, 0, 1);
          pthread_barrier_wait(&b);
          pthread_barrier_destroy(&b);
          assert(0);
        }
        """)
    assert acts(steps, 0) == [("init", "b"), ("arrive", "b"), ("leave", "b"), ("destroy", "b")]


def test_misuse_is_no_action(steps_of):
    steps = steps_of("""\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        int main(void) { pthread_mutex_unlock(&m); }
        """)
    assert acts(steps, 0) == [] and not any(step.actions for step in steps)


def test_shared_memory_has_one_address_under_all_names(steps_of):
    steps = steps_of("""\
        int x, y;
        struct pair { int a; int b : 3; } s;
        void *worker(void *p)
        {
          *(int *)p = 2;
          return x + y + s.b ? p : 0;
        }
        int main(void)
        {
          pthread_t t;
          int own = 1, lent = 0;
          x = 1;
          y = x;
          s.b = 1;
          pthread_create(&t, 0, worker, &lent);
          pthread_join(t, 0);
          assert(own != lent - 1);
        }
        """)
    seen = [access for step in steps for access in step.accesses]
    of = {name: {access.address for access in seen if access.name == name and access.shared} for name in "xy"}
    assert all(len(addresses) == 1 and 0 not in addresses for addresses in of.values()) and of["x"] != of["y"]
    assert {access.shared for access in seen if access.name == "own"} == {False}
    assert {(access.shared, access.address) for access in seen if access.name == "s.b"} == {(True, 0)}
    (written,) = [access for access in seen if access.value == "2" and access.kind == "write"]
    assert {access.address for access in seen if access.name == "lent"} == {written.address} != {0}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_thread_that_is_cancelled(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        dedent("""\
        #include <assert.h>
        #include <pthread.h>
        void *worker(void *p) { pthread_testcancel(); return 0; }
        int main(void)
        {
          pthread_t t;
          void *result;
          pthread_create(&t, 0, worker, 0);
          pthread_cancel(t);
          pthread_join(t, &result);
          assert(result != PTHREAD_CANCELED);
        }
        """)
    )
    outcome = cseq.verify(path, backend=engine, **ENGINES[engine])
    assert outcome.counterexample is not None
    assert acts(outcome.counterexample.steps, 0) == [("create", "1"), ("cancel", "1"), ("join", "1")]
    assert acts(outcome.counterexample.steps, 1) == [("end", "")]


def test_what_the_library_stores_for_its_caller(steps_of):
    steps = steps_of("""\
        #include <string.h>
        struct pair { int first; char second[2]; } one, other;
        void *result;
        int numbers[2], value;
        sem_t s;
        void *work(void *arg) { return (void *) 3; }
        int main(void)
        {
          pthread_t t;
          sem_init(&s, 0, 4);
          sem_getvalue(&s, &value);
          memset(&one, 1, sizeof one);
          memcpy(&other, &one, sizeof other);
          memset(numbers, 2, sizeof numbers);
          memset(numbers, 0, 1);
          pthread_create(&t, 0, work, 0);
          pthread_join(t, &result);
          assert(result != (void *) 3);
        }
        """)
    written = [
        (access.name, access.value)
        for step in steps
        for access in step.accesses
        if access.kind == "write" and access.shared and step.origin.line >= 15
    ]
    record = [("first", "16843009"), ("second[0]", "1"), ("second[1]", "1")]
    assert written == [
        ("value", "4"),
        *((f"one.{name}", value) for name, value in record),
        *((f"other.{name}", value) for name, value in record),
        ("numbers[0]", "33686018"),
        ("numbers[1]", "33686018"),
        ("result", "0x3"),
    ]


def test_a_thread_that_is_created_at_the_very_end(steps_of):
    steps = steps_of("""\
        void *work(void *arg) { return 0; }
        int main(void)
        {
          pthread_t t, u;
          pthread_create(&t, 0, work, 0);
          int error = pthread_create(&u, 0, work, 0); assert(error);
        }
        """)
    assert acts(steps, 0) == [("create", "1"), ("create", "2")]
    assert [thread.number for thread in steps[-1].created] == [2]
