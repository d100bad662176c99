"""What instructions do with what is known."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.modules.modular.program_analysis import ProgramAnalysis
from tests.unit.modules.modular.conftest import LOOP, TWICE

LOCK, UNLOCK = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
ANY = "k = __CSEQ_nondet_int();"

# Statements of each of two threads → whether nothing is left over.
CASES = [
    ("x = 1;", False),
    (f"{LOCK} x = 1; {UNLOCK}", True),
    (f"{LOCK} {UNLOCK} x = 1;", False),
    (f"{LOCK} if (y) {{ {UNLOCK} {LOCK} }} x = 1; {UNLOCK}", True),
    (f"{LOCK} if (y) {{ {UNLOCK} }} x = 1;", False),
    ("l = pthread_mutex_trylock(&m); if (l == 0) { x = 1; }", True),
    ("l = pthread_mutex_trylock(&m); if (l) { x = 1; }", False),
    ("l = pthread_mutex_trylock(&m); l = !l; if (l) { x = 1; }", True),
    (f"{LOCK} q = &x; *q = 1; {UNLOCK}", True),
    (f"{LOCK} use(&x); {UNLOCK}", True),
    ("use(&x);", False),
    (f"{ANY} p = &items[k]; pthread_mutex_lock(&p->m); p->v = 1; pthread_mutex_unlock(&p->m);", True),
    (f"{ANY} p = &items[k]; pthread_mutex_lock(&p->m); p->v = 1; p = p + 1; p->v = 1;", False),
    (f"{ANY} pthread_mutex_lock(&locks[k]); cells[k] = 1; pthread_mutex_unlock(&locks[k]);", True),
    (f"{ANY} pthread_mutex_lock(&locks[k]); cells[k] = 1; k = k + 1; cells[k] = 1;", False),
    ("p = malloc(8); p->v = 1; free(p);", True),
    ("p = malloc(8); shared = p;", False),
    (f"p = malloc(8); {LOCK} shared = p; {UNLOCK} p->v = 1; {LOCK} p = shared; l = p->v; {UNLOCK}", False),
    (f"p = malloc(8); p->v = 1; {LOCK} shared = p; p = shared; l = p->v; {UNLOCK}", True),
    (f"{LOCK} p = shared; p->v = 1; {UNLOCK}", True),
]


@pytest.mark.parametrize(("work", "is_free"), CASES)
def test_two_threads(work: str, is_free: bool, analyse: Callable[..., ProgramAnalysis]) -> None:
    assert (not analyse(work, f"shared = malloc(8); {TWICE}").open) is is_free


# Statements of four threads, which know their index.
BY_INDEX = [
    ("cells[i] = 1;", True),
    ("cells[i + 1] = 1;", True),
    ("cells[i] = 1; cells[i + 1] = 1;", False),
    ("cells[i * 2] = 1; cells[i * 2 + 1] = 1;", True),
    ("k = (int) i * 2; while (k < (int) i * 2 + 2) { cells[k] = 1; k = k + 1; }", True),
    ("k = (int) i * 2; while (k <= (int) i * 2 + 2) { cells[k] = 1; k = k + 1; }", False),
    ("k = (int) i * 2; while (k < (int) i * 2 + 2) { cells[k] = 1; k = k - 1; }", False),
    ("cells[i % 2] = 1;", False),
    ("if (i == 2) { x = 1; }", True),
    ("if (i >= 2) { x = 1; }", False),
    ("q = &cells[i]; *q = 1;", True),
    ("use(&cells[i]);", True),
    ("items[i].v = 1;", True),
]


@pytest.mark.parametrize(("work", "is_free"), BY_INDEX)
def test_threads_in_a_loop(work: str, is_free: bool, analyse: Callable[..., ProgramAnalysis]) -> None:
    assert (not analyse(work, LOOP).open) is is_free
