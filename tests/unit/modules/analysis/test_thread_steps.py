"""What the steps of a thread do with locks, and how often it makes them."""

from cseq.modules.analysis.local_values import READING, WRITING
from tests.unit.modules.analysis.test_locksets import Analysed


def steps(thread: str) -> list[tuple[str, str | None, bool]]:
    """The calls of the thread in the order of the text: the function, how it gains a lock, whether it loses one."""
    found = Analysed(thread).threads["start"]
    calls = [step for node in sorted(found.steps) for step in found.steps[node] if step.function]
    return [(step.function, step.gains, step.loses) for step in calls]


def test_locks_are_gained_and_lost() -> None:
    assert steps("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0;") == [
        ("pthread_mutex_lock", WRITING, False),
        ("pthread_mutex_unlock", None, True),
    ]


def test_a_lock_for_reading_is_gained_for_reading() -> None:
    assert steps("pthread_rwlock_rdlock(&rw); return 0;") == [("pthread_rwlock_rdlock", READING, False)]


def test_calls_in_loops_are_made_many_times() -> None:
    found = Analysed("pthread_mutex_lock(&m); i = 0; while (i < x) { pthread_mutex_unlock(&n); i = i + 1; } return 0;")
    times = {call.function: number for call, number in found.threads["start"].executions()}
    assert times == {"pthread_mutex_lock": 1, "pthread_mutex_unlock": 2}
