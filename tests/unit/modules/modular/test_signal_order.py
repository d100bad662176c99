"""What is ordered by waiting."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.modules.modular.program_analysis import ProgramAnalysis
from tests.unit.modules.modular.conftest import CREATE, LOOP, TWICE

ALL = LOOP.partition(" i = 0; while")[0]
POST = "sem_post(&s);"
LOCK, UNLOCK = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
COUNT = f"{LOCK} l = flag; flag = l + 1; {UNLOCK}"


def seen(condition: str) -> str:
    """Main has seen under the lock that the condition holds."""
    return f"{LOCK} while (!({condition})) {{ {UNLOCK} {LOCK} }} {UNLOCK}"


CASES = [
    (f"x = 1; {POST}", f"sem_init(&s, 0, 0); {CREATE} sem_wait(&s); x = 2;", True),
    (f"x = 1; {POST}", f"sem_init(&s, 0, 1); {CREATE} sem_wait(&s); x = 2;", False),
    (f"{POST} x = 1;", f"sem_init(&s, 0, 0); {CREATE} sem_wait(&s); x = 2;", False),
    (f"{LOCK} x = 1; {UNLOCK} {POST}", f"sem_init(&s, 0, 0); {TWICE} sem_wait(&s); sem_wait(&s); x = 2;", True),
    (f"{LOCK} x = 1; {UNLOCK} {POST}", f"sem_init(&s, 0, 0); {TWICE} sem_wait(&s); x = 2;", False),
    (f"{LOCK} x = 1; {UNLOCK} {POST} {POST}", f"sem_init(&s, 0, 0); {TWICE} sem_wait(&s); sem_wait(&s); x = 2;", False),
    (f"x = 1; {LOCK} flag = 1; {UNLOCK}", f"{CREATE} {seen('flag')} x = 2;", True),
    (f"x = 1; {LOCK} flag = 1; {UNLOCK}", f"{CREATE} {seen('flag >= 0')} x = 2;", False),
    (f"{LOCK} flag = 1; {UNLOCK} x = 1;", f"{CREATE} {seen('flag')} x = 2;", False),
    (f"x = 1; {LOCK} flag = 1; {UNLOCK}", f"flag = 1; {CREATE} {seen('flag')} x = 2;", False),
    ("x = 1; flag = 1;", f"{CREATE} {seen('flag')} x = 2;", False),
    (f"cells[i] = 1; {COUNT}", f"{ALL} {seen('flag == 4')} cells[1] = 2;", True),
    (f"cells[i] = 1; {COUNT}", f"{ALL} {seen('flag == 3')} cells[1] = 2;", False),
    (f"cells[i] = 1; {COUNT} {COUNT}", f"{ALL} {seen('flag == 4')} cells[1] = 2;", False),
]  # fmt: skip


@pytest.mark.parametrize(("work", "main", "is_free"), CASES)
def test_a_wait_orders_what_it_needs(
    work: str, main: str, is_free: bool, analyse: Callable[..., ProgramAnalysis]
) -> None:
    assert (not analyse(work, main).open) is is_free
