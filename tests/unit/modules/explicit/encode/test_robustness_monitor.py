"""Which accesses are reported to the monitor of robustness, and how."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

HEAD = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LOAD(x, o) atomic_load_explicit(&x, memory_order_##o)
#define STORE(x, v, o) atomic_store_explicit(&x, v, memory_order_##o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&x, v, memory_order_##o)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_barrier_t w;
atomic_int x, y; int a, b;
"""
Reported = Callable[..., list[str]]


@pytest.fixture
def stage(translated: Any) -> Callable[[str], str]:
    """The function `one` behind the stage; `two` has the same accesses."""
    translated.use("explicit")

    def run(statements: str) -> str:
        functions = "".join(f"void *{name}(void *v)\n{{\n{statements}\nreturn 0;\n}}\n" for name in ("one", "two"))
        creations = "pthread_t p, q;\npthread_create(&p, 0, one, 0);\npthread_create(&q, 0, two, 0);\n"
        main = f"int main(void)\n{{\n{creations}pthread_join(p, 0);\npthread_join(q, 0);\nreturn 0;\n}}\n"
        text = translated("robustness_monitor", HEAD + functions + main, "one", robustness=True)
        return re.sub(r"__cs_tmp_\d+", "T", text)

    return run


@pytest.fixture
def reported(stage: Callable[[str], str]) -> Callable[[str], list[str]]:
    """What the thread reports, in order."""
    return lambda statements: re.findall(
        r"__cs_robust_(.*?)\)[,;)]", stage(statements).replace("sizeof(x)", "4").replace("sizeof(m)", "sizeof m")
    )


@pytest.mark.parametrize(
    "statement, calls",
    [
        ("a = LOAD(x, acquire); STORE(x, 1, relaxed);", ["load(&x, 4, 3, 0", "store(&x, 4, 1, 0"]),
        ("if (x) x = 1;", ["load(&x, 4, 6, 0", "store(&x, 4, 6, 0"]),
        ("if (ADD(x, 1, acq_rel)) x = 1;", ["update(&x, 4, 5, 0", "store(&x, 4, 6, 0"]),
        ("atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_seq_cst);", ["fence(6"]),
        ("atomic_init(&x, 1);", ["store(&x, 4, 0, 1"]),
        ("a = LOAD(x, relaxed);", []),
        ("ADD(x, 1, relaxed);", []),
    ],
)
def test_accesses_and_their_orders(reported: Reported, statement: str, calls: list[str]) -> None:
    """Numbers: of the order, and whether other accesses to the memory may not be atomic."""
    found = [call for call in reported(statement) if "&a" not in call]
    assert found == calls


def test_what_is_under_a_lock_is_not_reported(reported: Reported) -> None:
    locked = "pthread_mutex_lock(&m); STORE(x, 1, relaxed); a = x; pthread_mutex_unlock(&m);"
    assert reported(locked) == ["step(&m, sizeof m, 3, m.__cs_type", "step(&m, sizeof m, 4, m.__cs_type"]
    assert len(reported(f"{locked} STORE(x, 2, relaxed);")) > 3


def test_a_compare_exchange_is_reported_where_it_is_known_whether_it_succeeds(stage: Callable[[str], str]) -> None:
    text = stage(
        "int e = 0;\natomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_acquire, memory_order_relaxed);"
    )
    assert "__CSEQ_checks(__cs_robust_compare(&x, sizeof(x), 3, 1));" in text
    made = "__CSEQ_checks((T) ? (__cs_robust_update(&x, sizeof(x), 3, 0)) : (__cs_robust_failed(&x, sizeof(x), 1, 0)));"
    assert f"{made}\n  if (T) {{" in text


def test_a_loop_that_waits_evaluates_its_condition_in_one_place(stage: Callable[[str], str]) -> None:
    text = stage("while (LOAD(x, acquire) != 1);\nSTORE(x, 2, release);")
    assert text.count("T = x;") == 1
    assert "while (1) {" in text and "goto __cs_waited_1;" in text


@pytest.mark.parametrize(
    "statement, what",
    [
        ("pthread_mutex_trylock(&m);", "a call of `pthread_mutex_trylock`"),
        ("int *p = calloc(1, 4); a = *p;", "a call of `calloc`"),
        ("pthread_barrier_wait(&w);", "a call of `__cs_step_barrier_arrive`"),
    ],
)
def test_what_is_refused(translated: Any, statement: str, what: str) -> None:
    translated.use("explicit")
    program = (
        f"{HEAD}void *one(void *v)\n{{\n{statement}\nx = 1;\nreturn 0;\n}}\n"
        "int main(void)\n{\npthread_t p, q;\npthread_create(&p, 0, one, 0);\npthread_create(&q, 0, one, 0);\n}\n"
    )
    refusal = translated.refusal("robustness_monitor", program, robustness=True)
    assert refusal == f"program.c:{HEAD.count(chr(10)) + 3}: {what} is not followed by the monitor of robustness"
