"""The control flow of a thread: calls, contexts, loops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.modules.modular.environment import NotFollowedError
from cseq.modules.modular.program_analysis import ProgramAnalysis
from tests.unit.modules.modular.conftest import CREATE, LOOP


def test_a_function_that_is_called_twice_is_followed_in_both_contexts(analyse: Callable[..., ProgramAnalysis]) -> None:
    locked = "pthread_mutex_lock(&m); use(&x); pthread_mutex_unlock(&m); use(&cells[i]);"
    assert not analyse(locked, LOOP).open
    assert analyse(f"{locked} use(&x);", LOOP).open


def test_what_a_loop_joins_does_not_exist_any_more(analyse: Callable[..., ProgramAnalysis]) -> None:
    lock = "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);"
    assert not analyse(lock, f"{LOOP} x = 2;").open
    assert analyse(lock, f"{LOOP.replace('i < 4) { pthread_join', 'i < 3) { pthread_join')} x = 2;").open
    assert analyse(lock, f"{LOOP.replace('pthread_join(ts[i]', 'pthread_join(ts[0]')} x = 2;").open


def test_threads_are_numbered_only_if_their_numbers_grow(analyse: Callable[..., ProgramAnalysis]) -> None:
    assert not analyse("cells[i] = 1;", LOOP).open
    assert analyse("cells[i] = 1;", LOOP.replace("(void *) (long) i", "(void *) (long) (i & 1)")).open
    assert analyse("cells[i] = 1;", f"l = 0; while (l < 2) {{ {LOOP.partition(' i = 0; while')[0]} l = l + 1; }}").open


def test_a_thread_that_is_joined_before_the_next_is_alone(analyse: Callable[..., ProgramAnalysis]) -> None:
    one = f"{CREATE} pthread_join(t, 0);"
    assert not analyse("x = 1;", f"i = 0; while (i < 3) {{ {one} i = i + 1; }}").open
    assert analyse("x = 1;", f"i = 0; while (i < 3) {{ {CREATE} if (y) {{ pthread_join(t, 0); }} i = i + 1; }}").open


def test_a_program_without_main_is_refused(analyse: Callable[..., ProgramAnalysis]) -> None:
    with pytest.raises(NotFollowedError, match="like itself"):
        analyse("pthread_create((unsigned *) &x, 0, work, 0);")
