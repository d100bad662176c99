"""Circles of threads that wait for each other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.modules.modular.program_analysis import ProgramAnalysis
from tests.unit.modules.modular.conftest import CREATE, LOOP, TWICE

A, B = "pthread_mutex_lock(&m);", "pthread_mutex_lock(&n);"
FREE_A, FREE_B = "pthread_mutex_unlock(&m);", "pthread_mutex_unlock(&n);"

CASES = [
    (f"{A} {B} {FREE_B} {FREE_A}", TWICE, True),
    (f"if (x) {{ {A} {B} }} else {{ {B} {A} }} {FREE_B} {FREE_A}", TWICE, False),
    (f"if (x) {{ {A} {B} }} else {{ {B} {A} }} {FREE_B} {FREE_A}", CREATE, True),
    (f"{A} {FREE_A} {B} {A} {FREE_A} {FREE_B}", TWICE, True),
    (f"{A} {A} {FREE_A}", CREATE, False),
    (f"{A} if (x) {{ {FREE_A} }}", TWICE, False),
    (f"{A} {FREE_A}", f"{CREATE} {A} pthread_join(t, 0); {FREE_A}", False),
    (f"{A} {FREE_A}", f"{CREATE} {A} {FREE_A} pthread_join(t, 0);", True),
    (f"{A} {FREE_A}", f"{A} {CREATE} {FREE_A} pthread_join(t, 0);", True),
    ("k = __CSEQ_nondet_int(); pthread_mutex_lock(&locks[k]); pthread_mutex_unlock(&locks[k]);", LOOP, True),
    ("pthread_mutex_lock(&locks[i]); pthread_mutex_lock(&locks[1]); pthread_mutex_unlock(&locks[1]); "
     "pthread_mutex_unlock(&locks[i]);", LOOP, False),
    ("sem_wait(&s); sem_post(&s);", TWICE, False),
]  # fmt: skip


@pytest.mark.parametrize(("work", "main", "is_free"), CASES)
def test_a_circle_of_waits(work: str, main: str, is_free: bool, analyse: Callable[..., ProgramAnalysis]) -> None:
    assert (not analyse(work, main).waits.open()) is is_free
