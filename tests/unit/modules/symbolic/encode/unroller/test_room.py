"""The room for loops that are unrolled as often as they run: which statements count, and what does not fit."""

from pathlib import Path

import pytest

from cseq.model.claims import Limit
from cseq.modules.symbolic.encode.facts import BOUNDS
from cseq.modules.symbolic.encode.unroller.room import THINNED
from tests.support.fake_engine import sent

PROGRAM = """\
#include <pthread.h>
int shared[10], n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) {{ int mine[10]; for (int i = 0; i < 10; i++) {{ {thread} }} n = mine[0]; return 0; }}
int main(void) {{
    pthread_t t; int i;
    for (i = 0; i < 10; i++) {{ {before} }}
    pthread_create(&t, 0, f, 0); n = 2;
    for (i = 0; i < 10; i++) {{ {after} }}
    return 0;
}}
"""


def unrolled(folder: Path, room: int | None, thread: str = "", before: str = "", after: str = "") -> tuple[bool, int]:
    """Whether a loop did not fit, and how many loops were cut off."""
    context, _ = sent(folder, PROGRAM.format(thread=thread, before=before, after=after), room=room)
    loops = [bound for bound in context.facts[BOUNDS] if bound.cut.limit in (Limit.LOOP, Limit.COUNTED)]
    return context.facts[THINNED], len(loops)


@pytest.mark.parametrize(
    "thread, steps",
    [
        ("shared[i] = 1;", 1),
        ("n = shared[i];", 2),
        ("if (n) mine[i] = 1;", 1),
        ("pthread_mutex_lock(&m); mine[i] = 1; pthread_mutex_unlock(&m);", 2),
    ],
)
def test_what_others_can_notice_counts(tmp_path: Path, thread: str, steps: int) -> None:
    assert unrolled(tmp_path, 10 * steps, thread) == (False, 0)
    assert unrolled(tmp_path, 10 * steps - 3 * steps, thread) == (True, 1)


def test_what_nobody_can_notice_does_not_count(tmp_path: Path) -> None:
    assert unrolled(tmp_path, 0, thread="mine[i] = i;", before="shared[i] = 1;") == (False, 0)
    assert unrolled(tmp_path, 5, before="shared[i] = 1;", after="shared[i] = 2;") == (True, 1)


def test_each_loop_has_the_room(tmp_path: Path) -> None:
    assert unrolled(tmp_path, 10, thread="shared[i] = 1;", after="shared[i] = 2;") == (False, 0)
    assert unrolled(tmp_path, 5, thread="shared[i] = 1;", after="shared[i] = 2;") == (True, 2)


def test_an_inner_loop_may_fit_where_the_outer_one_does_not(tmp_path: Path) -> None:
    inner = "for (int j = 0; j < 3; j++) shared[j] = i;"
    assert unrolled(tmp_path, 5, thread=inner) == (True, 1)


def test_without_a_limit_there_is_room(tmp_path: Path) -> None:
    assert unrolled(tmp_path, None, thread="shared[i] = 1;", after="shared[i] = 2;") == (False, 0)


def test_a_thread_is_more_than_a_step(tmp_path: Path) -> None:
    creates = "pthread_create(&t, 0, f, 0);"
    assert unrolled(tmp_path, 80, before=creates) == (False, 0)
    assert unrolled(tmp_path, 40, before=creates) == (True, 1)
