"""Paragraphs about misuse of an object whose memory has been freed; others are in test_paragraph.py."""

import pytest

from cseq.model.actions import ActionKind
from cseq.model.claims import Claim, Kind, Memory, MemoryState, Object, Reason
from cseq.model.trace import Action, Step, Thread
from tests.support.counterexamples import ONE, TWO, at, create, lock, told


def freed_by(thread: Thread) -> str:
    free = Step(thread, at(9), "free(p);", actions=[Action(ActionKind.FREE, "p", None, 64)])
    use = lock(ONE, 12)
    use.actions = []
    memory = Memory(MemoryState.FREED, at(9))
    claim = Claim(Kind.MISUSE, Reason.FREED, Object.MUTEX, "pthread_mutex_lock", memory=memory)
    return told([create(ONE, TWO), free, use], claim)


@pytest.mark.parametrize(
    "thread, said",
    [
        (ONE, ["itself had freed the memory of `m` at line 9", "must not use it after that"]),
        (TWO, ["(thread 2) had freed the memory of `m` at line 9", "was still to use it", "join them first"]),
    ],
    ids=["itself", "another"],
)
def test_who_freed_the_memory_of_a_mutex_is_named(thread: Thread, said: list[str]) -> None:
    text = freed_by(thread)
    assert "the mutex no longer exists" in text
    for part in said:
        assert part in text, text
