"""Deadlocks: the search through all states against what is known, and CSeq against the search."""

from collections import Counter
from pathlib import Path

import pytest

from tests.differential import deadlocks
from tests.differential.deadlocks import START, Op, Program, TooBig, search

Body = tuple[Op, ...]


def _locked(*mutexes: int) -> Body:
    return (*(("lock", m) for m in mutexes), *(("unlock", m) for m in reversed(mutexes)))


_WAIT: Body = (("lock", 1), ("sleep", 0), ("wake", 0), ("unlock", 1))
_TOLD: Body = (("lock", 1), ("signal", 0), ("unlock", 1))
_MEET: Body = (("arrive", 0), ("leave", 0))
_JOINED_UNDER_A_LOCK: Body = (("lock", START), ("unlock", START), ("lock", 1), ("join", 2), ("unlock", 1))

KNOWN: list[tuple[str, Body, Body, bool]] = [
    ("two locks in one order", _locked(1, 2), _locked(1, 2), False),
    ("two locks in opposite orders", _locked(1, 2), _locked(2, 1), True),
    ("two locks in opposite orders behind a gate", _locked(3, 1, 2), _locked(3, 2, 1), False),
    ("a lock that is kept", (("lock", 1),), _locked(1), True),
    ("a lock that is only tried", (("lock", 1),), (("try", 1), ("unlock", 1), ("endtry", 1)), False),
    ("a lock taken twice", _locked(1, 1), (), True),
    ("a recursive lock taken twice", _locked(4, 4), _locked(4), False),
    ("a signal may be too early", _WAIT, _TOLD, True),
    ("two at a barrier", _MEET, _MEET, False),
    ("one at a barrier", _MEET, _locked(1), True),
    ("a semaphore that is posted", (("wait", 0),), (("post", 0),), False),
    ("a semaphore that is not posted", (("wait", 0),), (("post", 1),), True),
    ("two readers", (("rdlock", 0), ("rwunlock", 0)), (("rdlock", 0), ("rwunlock", 0)), False),
    ("a reader that becomes a writer", (("rdlock", 0), ("wrlock", 0)), (), True),
    ("a reader and a lock, a lock and a writer",
     (("rdlock", 0), *_locked(1), ("rwunlock", 0)), (("lock", 1), ("wrlock", 0), ("rwunlock", 0), ("unlock", 1)), True),
    ("a join under a lock", _JOINED_UNDER_A_LOCK, _locked(1), True),
]  # fmt: skip


@pytest.mark.parametrize(("name", "one", "other", "expected"), KNOWN, ids=[known[0] for known in KNOWN])
def test_the_search_knows(name: str, one: Body, other: Body, expected: bool) -> None:
    del name
    joins = [("join", t) for t in (1, 2) if ("join", t) not in one]
    main: Body = (("lock", START), ("create", 1), ("create", 2), ("unlock", START), *joins)
    threads = (main, one or (("post", 1),), other or (("post", 1),))
    program = Program(threads, (False, False, False, False, True), (0, 0), (1,), (2,), True)
    assert search(program, 2) == expected


def test_what_is_stuck_stays_so() -> None:
    counts: Counter[bool] = Counter()
    for _, program in deadlocks.programs(1000, 150):
        try:
            counts[search(program, 2)] += 1  # which asserts it of all states
        except TooBig:
            continue
    assert min(counts[False], counts[True]) > 30


@pytest.mark.parametrize("rounds", [1, 2])
def test_cseq_agrees_with_the_search(rounds: int, tmp_path: Path) -> None:
    answers = set()
    for number, program in deadlocks.programs(100 * rounds, 8):
        expected, found = deadlocks.compare(program, rounds, tmp_path)
        assert found == expected, f"program {number}:\n{deadlocks.to_c(program)}"
        answers.add(found)
    assert answers == {False, True}
