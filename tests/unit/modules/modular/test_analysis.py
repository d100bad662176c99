"""The control flow of a thread: calls, contexts, loops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.modules.modular.surroundings import NotFollowedError
from cseq.modules.modular.world import World
from tests.unit.modules.modular.conftest import CREATE, LOOP


def test_a_function_that_is_called_twice_is_followed_in_both_contexts(world: Callable[..., World]) -> None:
    locked = "pthread_mutex_lock(&m); use(&x); pthread_mutex_unlock(&m); use(&cells[i]);"
    assert not world(locked, LOOP).open
    assert world(f"{locked} use(&x);", LOOP).open


def test_what_a_loop_joins_does_not_exist_any_more(world: Callable[..., World]) -> None:
    lock = "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);"
    assert not world(lock, f"{LOOP} x = 2;").open
    assert world(lock, f"{LOOP.replace('i < 4) { pthread_join', 'i < 3) { pthread_join')} x = 2;").open
    assert world(lock, f"{LOOP.replace('pthread_join(ts[i]', 'pthread_join(ts[0]')} x = 2;").open


def test_threads_are_numbered_only_if_their_numbers_grow(world: Callable[..., World]) -> None:
    assert not world("cells[i] = 1;", LOOP).open
    assert world("cells[i] = 1;", LOOP.replace("(void *) (long) i", "(void *) (long) (i & 1)")).open
    assert world("cells[i] = 1;", f"l = 0; while (l < 2) {{ {LOOP.partition(' i = 0; while')[0]} l = l + 1; }}").open


def test_a_thread_that_is_joined_before_the_next_is_alone(world: Callable[..., World]) -> None:
    one = f"{CREATE} pthread_join(t, 0);"
    assert not world("x = 1;", f"i = 0; while (i < 3) {{ {one} i = i + 1; }}").open
    assert world("x = 1;", f"i = 0; while (i < 3) {{ {CREATE} if (y) {{ pthread_join(t, 0); }} i = i + 1; }}").open


def test_a_program_without_main_is_refused(world: Callable[..., World]) -> None:
    with pytest.raises(NotFollowedError, match="like itself"):
        world("pthread_create((unsigned *) &x, 0, work, 0);")
