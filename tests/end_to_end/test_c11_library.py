"""Objects of the thread library under the memory model of C11: synchronisation, deadlocks, misuse."""

from __future__ import annotations

from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Verdict
from cseq.report.explain.paragraph import explain
from cseq.report.words import answer
from tests.end_to_end.test_c11 import program, verified
from tests.support.explained import check_explanation

OBJECTS = """#include <semaphore.h>
pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t k = PTHREAD_COND_INITIALIZER;
pthread_once_t o = PTHREAD_ONCE_INIT;
pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_spinlock_t i; pthread_barrier_t t; sem_t f;
void makes(void) { a++; }
"""


def with_objects(first: str, second: str, end: str = "") -> str:
    """Two threads, and objects of the thread library."""
    before = "pthread_spin_init(&i, 0); pthread_barrier_init(&t, 0, 2); sem_init(&f, 0, 0);"
    return program(first, second, end, before).replace("void *one", OBJECTS + "void *one")


def mutex(what: str, name: str = "m") -> str:
    """*what* under a mutex."""
    return f"pthread_mutex_lock(&{name}); {what} pthread_mutex_unlock(&{name});"


def spin(what: str) -> str:
    """*what* under a spin lock."""
    return f"pthread_spin_lock(&i); {what} pthread_spin_unlock(&i);"


def lock(how: str, what: str) -> str:
    """*what* under the read-write lock."""
    return f"pthread_rwlock_{how}lock(&w); {what} pthread_rwlock_unlock(&w);"


WAIT, MEET, SIGNAL = "pthread_cond_wait(&k, &m);", "pthread_barrier_wait(&t);", "pthread_cond_signal(&k);"
RACES, STICKS, FAILS = "no-data-race", "no-deadlock", "unreach-call"

# Name → the property; what the two threads of the buggy program and of the other one do; the assertion in the end.
PAIRS = {
    "a spin lock": (RACES, (spin("a++;"), "a++;"),
                    (spin("a++;"), "while (pthread_spin_trylock(&i)) ; a++; pthread_spin_unlock(&i);"),
                    "assert(a == 2);"),
    "a spin lock taken twice": (STICKS, ("pthread_spin_lock(&i); pthread_spin_lock(&i);", ""),
                                ("pthread_spin_lock(&i);", ""), ""),
    "a recursive mutex": (STICKS, (mutex("pthread_mutex_lock(&r);", "r"), mutex("", "r")),
                          (mutex(mutex("", "r"), "r"), mutex("", "r")), ""),
    "a mutex that checks": (FAILS, ("pthread_mutex_lock(&e); assert(pthread_mutex_lock(&e) == 0);", ""),
                            ("pthread_mutex_lock(&e); assert(pthread_mutex_lock(&e) == 35);", ""), ""),
    "a read-write lock": (RACES, (lock("rd", "a++;"), lock("rd", "b = a;")), (lock("wr", "a++;"), lock("rd", "b = a;")),
                          "assert(b <= 1);"),
    "a read-write lock that is not got": (
        RACES, ("a++; pthread_rwlock_rdlock(&w);", "if (pthread_rwlock_trywrlock(&w)) b = a;"),
        (f"a++; {lock('rd', '')} STORE(x, 1, relaxed);",
         "if (LOAD(x, relaxed) && !pthread_rwlock_trywrlock(&w)) b = 1;"), ""),
    "a read-write lock to be upgraded": (STICKS, ("pthread_rwlock_rdlock(&w); pthread_rwlock_wrlock(&w);",
                                                  lock("rd", "pthread_rwlock_wrlock(&w);")),
                                         (lock("rd", "") + lock("wr", ""), lock("rd", "") + lock("wr", "")), ""),
    "a semaphore": (RACES, ("a = 1; sem_post(&f);", "if (sem_trywait(&f)) b = a;"),
                    ("a = 1; sem_post(&f);", "sem_wait(&f); b = a;"), "assert(b == 1);"),
    "a semaphore that is 0": (STICKS, ("sem_post(&f);", "sem_wait(&f); sem_wait(&f);"),
                              ("sem_post(&f); sem_post(&f);", "sem_wait(&f); sem_wait(&f);"), ""),
    "a barrier": (RACES, ("a = 1;" + MEET, "b = a;" + MEET), ("a = 1;" + MEET, MEET + "b = a;"), "assert(b == 1);"),
    "a barrier that is used again": (STICKS, (MEET + MEET, MEET), ("a = 1;" + MEET + MEET, MEET + "b = a;" + MEET),
                                     "assert(b == 1);"),
    "the thread that a barrier chooses": (FAILS, (f"a = {MEET} assert(a == 0);", MEET), (f"a = {MEET}", f"b = {MEET}"),
                                          "assert(a + b == -1);"),
    "one initialisation": (RACES, ("pthread_once(&o, makes); a++;", "pthread_once(&o, makes); b = a;"),
                           ("pthread_once(&o, makes); b = a;", "pthread_once(&o, makes); c[0] = a;"),
                           "assert(a == 1 && b == 1 && c[0] == 1);"),
    "a condition variable": (
        RACES, (mutex(f"while (!LOAD(x, relaxed)) {WAIT} b = a;"), "a = 1; STORE(x, 1, relaxed);" + SIGNAL),
        (mutex(f"while (!a) {WAIT} b = a;"), mutex("a = 1;" + SIGNAL)), "assert(b == 1);"),
    "a wait without a loop": (FAILS, (mutex(f"if (!a) {WAIT} b = a;"), mutex("a = 1;" + SIGNAL)),
                              (mutex(f"while (!a) {WAIT} b = a;"), mutex("a = 1; pthread_cond_broadcast(&k);")),
                              "assert(b == 1);"),
    "a signal that is lost": (STICKS, (mutex(WAIT), mutex("a = 1;" + SIGNAL)),
                              (mutex(f"while (!a) {WAIT}"), mutex("a = 1;" + SIGNAL)), ""),
    "a mutex that is kept from a sleeper": (
        STICKS, (mutex(f"while (!a) {WAIT}"), "pthread_mutex_lock(&m); a = 1;" + SIGNAL),
        (mutex(f"while (!a) {WAIT}"), mutex("a = 1;" + SIGNAL)), ""),
}  # fmt: skip


def parts(name: str) -> tuple[str, str, str]:
    """The buggy program, its repaired version, and the property."""
    property_, buggy, repaired, end = PAIRS[name]
    return with_objects(*buggy, end), with_objects(*repaired, end), property_


@pytest.mark.parametrize("name", PAIRS)
def test_the_bug_is_found_and_its_repair_is_proved(tmp_path: Path, name: str) -> None:
    buggy, repaired, property_ = parts(name)
    found = verified(tmp_path, buggy, property_)
    assert (found.verdict, found.memory_model) == (Verdict.FALSE, "c11"), answer(found)
    check_explanation(found)
    for asked in {property_, FAILS}:
        proved = verified(tmp_path, repaired, asked)
        assert (proved.verdict, proved.memory_model) == (Verdict.TRUE, "c11"), answer(proved)


@pytest.mark.parametrize("name", PAIRS)
def test_under_sequential_consistency_the_explorer_agrees_with_native(tmp_path: Path, name: str) -> None:
    *texts, property_ = parts(name)
    wanted = {RACES: {"race": True}, STICKS: {"deadlock": True}}.get(property_, {})
    for text in texts:
        source = tmp_path / "program.c"
        source.write_text(text, encoding="utf-8")
        one = cseq.verify([source], backend="graphs", memory_model="sc", **wanted).of(property_)
        other = cseq.verify([source], backend="native", **wanted).of(property_)
        assert one.verdict is other.verdict and one.verdict is not Verdict.UNKNOWN, (answer(one), answer(other))


MISUSED = {
    "pthread_mutex_unlock(&m);": "pthread_mutex_unlock: the calling thread does not own the mutex",
    "pthread_mutex_t *u = malloc(99); pthread_mutex_lock(u);": "pthread_mutex_lock: the mutex was never initialised",
    "pthread_mutex_destroy(&m); pthread_mutex_lock(&m);": "pthread_mutex_lock: the mutex has been destroyed",
    "pthread_mutex_lock(&m); pthread_cond_wait(&k, &n);": "pthread_cond_wait: the calling thread does not own the",
    "pthread_spin_init(&i, 0);": "pthread_spin_init: the lock is already initialised",
}


@pytest.mark.parametrize("statement", MISUSED)
def test_misuse_is_a_violation(tmp_path: Path, statement: str) -> None:
    found = verified(tmp_path, with_objects(statement, "b = 0;"), FAILS)
    assert found.verdict is Verdict.FALSE and "program.c:" in answer(found)
    assert MISUSED[statement] in answer(found)


STUCK = {
    "a signal that is lost": "test under the mutex whether what it waits for has come already",
    "a semaphore that is 0": "`f` has to be posted before",
    "a barrier that is used again": "the number of threads that wait at it each time",
    "a mutex that is kept from a sleeper": "`m`",
}


@pytest.mark.parametrize("name", STUCK)
def test_the_explanation_names_what_a_thread_waits_for(tmp_path: Path, name: str) -> None:
    buggy, _, property_ = parts(name)
    assert STUCK[name] in explain(verified(tmp_path, buggy, property_))
