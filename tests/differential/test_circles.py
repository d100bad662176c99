"""Both searches for deadlocks against a reference, on random programs that do nothing but lock mutexes."""

import pytest

from tests.differential import circles
from tests.differential.circles import Op, Program


@pytest.mark.parametrize(("seed", "start", "count"), [(301, 0, 8), (302, 0, 8)])
def test_the_verdicts_are_the_reference_s(seed, start, count, tmp_path):
    sample = list(circles.programs(seed, count, start))
    assert 0 < sum(map(circles.has_circle, sample)) < count
    for program in sample:
        assert not circles.disagreement(program, tmp_path)


def ops(text: str) -> tuple[Op, ...]:
    """Operations in short: ``+0`` locks the first mutex, ``-0`` unlocks it, ``?0/2`` tries it, or leaves out two."""
    found = []
    for word in text.split():
        mutex, _, skip = word[1:].partition("/")
        found.append(Op({"+": "lock", "-": "unlock", "?": "try"}[word[0]], int(mutex), int(skip or 0)))
    return tuple(found)


@pytest.mark.parametrize(
    ("threads", "recursive", "expected"),
    [
        (("", "+0 +1 -1 -0", "+1 +0 -0 -1"), (), True),
        (("", "+0 +1 -1 -0", "+0 +1 -1 -0"), (), False),
        (("", "+0 +1 -0 -1", "+1 -1 +0 -0"), (), False),
        (("", "+2 +0 +1 -1 -0 -2", "+2 +1 +0 -0 -1 -2"), (), False),
        (("", "+0 +1 -1 -0", "+1 +2 -2 -1", "+2 +0 -0 -2"), (), True),
        (("", "+0 +1 -1 -0", "+1 ?0/1 -0 -1"), (), False),
        (("", "?0/3 +1 -1 -0", "+1 +0 -0 -1"), (), True),
        (("", "+0 +0 -0 -0"), (), True),
        (("", "+0 +0 -0 -0"), (0,), False),
        (("", "+0 +0 -0 +1 -1 -0", "+1 +0 -0 -1"), (0,), True),
        (("", "+0 +0 -0 -0 +1 -1", "+1 +0 -0 -1"), (0,), False),
        (("+0 +1 -1 -0", "+1 +0 -0 -1"), (), True),
    ],
)
def test_the_reference(threads, recursive, expected):
    program = Program(tuple(ops(thread) for thread in threads), frozenset(recursive))
    assert circles.has_circle(program) is expected
