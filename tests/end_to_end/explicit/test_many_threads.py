"""More threads than a word has bits: sets of threads are wide, in the library and in the engine."""

from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Outcome, Verdict

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_spinlock_t spin;
pthread_barrier_t b;
int x, y, go;
void init(void) { x = 1; }
void *nothing(void *arg) { return NULL; }
"""

MAIN = """
int main(void) {
    pthread_t early[70], t[2];
    for (int i = 0; i < 70; i++) {
        pthread_create(&early[i], NULL, nothing, NULL);
        pthread_join(early[i], NULL);
    }
    pthread_barrier_init(&b, NULL, N);
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(x != 9);
    return 0;
}
"""


def program(one: str, other: str, count: int = 2) -> str:
    """A program in which the threads 71 and 72 do something."""
    threads = f"void *one(void *arg) {{ {one} return NULL; }}\nvoid *other(void *arg) {{ {other} return NULL; }}\n"
    return f"{HEAD}#define N {count}\n{threads}{MAIN}"


QUESTIONS = {"deadlock": "no-deadlock", "race": "no-data-race"}


def asked(folder: Path, text: str, question: str, **parameters: object) -> Outcome:
    """The answer of the explicit search about the program *text*."""
    path = folder / "input.c"
    path.write_text(text)
    return cseq.verify(path, chain="explicit", **{question: True}, **parameters).of(QUESTIONS[question])


READS = "pthread_rwlock_rdlock(&l); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_rwlock_unlock(&l);"
WRITES = "pthread_mutex_lock(&m); pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); pthread_mutex_unlock(&m);"
WRITES_LAST = "pthread_rwlock_wrlock(&l); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_rwlock_unlock(&l);"
WAITS = "pthread_mutex_lock(&m); {}pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"
SIGNALS = "pthread_mutex_lock(&m); go = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);"
MEETS = "if (pthread_barrier_wait(&b)) y++;"


@pytest.mark.parametrize("bits", [64, 32])
@pytest.mark.parametrize(
    ("bug", "twin", "said"),
    [
        (program(READS, WRITES), program(READS, WRITES_LAST), "thread 71"),
        (program(WAITS.format(""), SIGNALS), program(WAITS.format("while (!go) "), SIGNALS), "thread 71"),
        (program(MEETS, MEETS, 3), program(MEETS, MEETS), "thread 72"),
    ],
    ids=["rwlock", "condition", "barrier"],
)
def test_deadlocks(tmp_path: Path, bug: str, twin: str, said: str, bits: int) -> None:
    found = asked(tmp_path, bug, "deadlock", bits=bits)
    assert found.verdict is Verdict.FALSE
    assert said in str(found.violated)
    assert asked(tmp_path, twin, "deadlock", bits=bits).verdict is Verdict.TRUE


def test_data_races(tmp_path: Path) -> None:
    locked = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
    found = asked(tmp_path, program("x++;", locked), "race")
    assert found.verdict is Verdict.FALSE
    assert found.counterexample is not None
    assert {step.thread.number for step in found.counterexample.steps if step.stands} == {71, 72}
    assert asked(tmp_path, program(locked, locked), "race").verdict is Verdict.TRUE


@pytest.mark.parametrize("scheduler", ["roundrobin", "priority"])
def test_schedulers(tmp_path: Path, scheduler: str) -> None:
    path = tmp_path / "input.c"
    path.write_text(program("x = 9;", ""))
    assert cseq.verify(path, chain="explicit", scheduler=scheduler).verdict is Verdict.FALSE


def test_misuse_is_found_where_a_number_has_no_bit_in_a_word(tmp_path: Path) -> None:
    path = tmp_path / "input.c"
    for text, verdict in [
        (program("pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);", ""), Verdict.TRUE),
        (program("pthread_rwlock_unlock(&l);", "pthread_rwlock_rdlock(&l);"), Verdict.FALSE),
    ]:
        path.write_text(text)
        assert cseq.verify(path, chain="explicit").verdict is verdict
