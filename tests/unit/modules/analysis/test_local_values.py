"""What is known of the variables of a thread where it is: numbers, targets, and the results of attempts to lock."""

import pytest

from tests.unit.modules.analysis.test_locksets import Analysed


@pytest.mark.parametrize(
    "thread, is_held",
    [
        ("i = 1; pthread_mutex_lock(&each[i]); look = 1; return 0;", True),
        ("if (x) { i = 0; } else { i = 1; } pthread_mutex_lock(&each[i]); look = 1; return 0;", False),
        ("p = &m; pthread_mutex_lock(p); look = 1; return 0;", True),
        ("if (x) { p = &m; } else { p = &n; } pthread_mutex_lock(p); look = 1; return 0;", False),
        ("i = pthread_mutex_trylock(&m); if (i == 0) { look = 1; } return 0;", True),
        ("i = pthread_mutex_trylock(&m); if (i != 0) { look = 1; } return 0;", False),
    ],
)  # fmt: skip
def test_what_is_known_of_a_variable_says_which_lock_is_held(thread: str, is_held: bool) -> None:
    ((_, held),) = Analysed(thread).looks("start")
    assert bool(held) is is_held
