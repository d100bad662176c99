"""Data races: two references against what is known and against each other, and CSeq against the first of them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.differential import fuzz, overlaps, races
from tests.differential.race_reference import standing, unordered
from tests.differential.reference import (
    Assign,
    Atomic,
    AtomicBegin,
    AtomicEnd,
    Body,
    Const,
    Create,
    Declare,
    Do,
    Function,
    If,
    Increment,
    Join,
    Lock,
    Program,
    Return,
    Shared,
    Sync,
    TooBig,
    TryLock,
    Unary,
    Undefined,
    Unlock,
    Var,
    Wait,
)

SET_X = Do(Assign("=", Var("x"), Const(1)))
COUNT_X = Do(Increment("++", False, Var("x")))
READ_X = Declare("int", "l", Var("x"))
RAISE = Do(Assign("=", Var("f"), Const(1)))
AFTER_FLAG = If(Var("f"), (COUNT_X,))
ATOMIC_SET = Do(Atomic("gnu", "store", "", Var("x"), Const(1)))
ATOMIC_ADD = Do(Atomic("gnu", "fetch", "add", Var("x"), Const(1)))
NO_LOCK = Unary("!", TryLock("m"))


def _locked(*body: Declare | Do) -> Body:
    return (Lock("m"), *body, Unlock("m"))


def _in(first: str, name: str, last: str) -> Body:
    return (Sync(first, name), COUNT_X, Sync(last, name))


_RDLOCK, _WRLOCK, _UNLOCK = (f"pthread_rwlock_{call}" for call in ("rdlock", "wrlock", "unlock"))
_BARRIER = Sync("pthread_barrier_wait", "b")

KNOWN: list[tuple[str, Body, Body, bool]] = [
    ("two writes", (SET_X,), (SET_X,), True),
    ("two reads", (READ_X,), (Declare("int", "k", Var("x")),), False),
    ("a read and a write", (READ_X,), (SET_X,), True),
    ("both under a lock", _locked(COUNT_X), _locked(READ_X), False),
    ("one under a lock", _locked(COUNT_X), (READ_X,), True),
    ("under two locks", _locked(COUNT_X), (Lock("m2"), READ_X, Unlock("m2")), True),
    ("in front of a lock and behind it", (COUNT_X, *_locked()), (*_locked(), COUNT_X), True),
    ("both atomic", (ATOMIC_ADD,), (ATOMIC_SET,), False),
    ("one atomic", (ATOMIC_ADD,), (READ_X,), True),
    ("two sections", (AtomicBegin(), COUNT_X, AtomicEnd()), (AtomicBegin(), SET_X, AtomicEnd()), False),
    ("a section and none", (AtomicBegin(), RAISE, COUNT_X, AtomicEnd()), (SET_X,), True),
    ("a section and an atomic operation", (AtomicBegin(), COUNT_X, AtomicEnd()), (ATOMIC_ADD,), False),
    ("an atomic flag", (COUNT_X, RAISE), (AFTER_FLAG,), False),
    ("an atomic flag, too early", (RAISE, COUNT_X), (AFTER_FLAG,), True),
    ("a flag raised in a section", (AtomicBegin(), RAISE, COUNT_X, AtomicEnd()), (AFTER_FLAG,), False),
    ("trylock", (If(NO_LOCK, (COUNT_X, Unlock("m"))),), _locked(COUNT_X), False),
    ("trylock that failed", (If(TryLock("m"), (COUNT_X,), (Unlock("m"),)),), _locked(COUNT_X), True),
    ("a lock shows itself", (SET_X, Lock("m")), (If(TryLock("m"), (SET_X,)),), False),
    ("a semaphore of one", _in("sem_wait", "s1", "sem_post"), _in("sem_wait", "s1", "sem_post"), False),
    ("a semaphore of two", _in("sem_wait", "s2", "sem_post"), _in("sem_wait", "s2", "sem_post"), True),
    ("a semaphore as a signal", (COUNT_X, Sync("sem_post", "s0")), (Sync("sem_wait", "s0"), COUNT_X), False),
    ("a semaphore, posted too early", (Sync("sem_post", "s0"), COUNT_X), (Sync("sem_wait", "s0"), COUNT_X), True),
    ("two writers", _in(_WRLOCK, "w", _UNLOCK), _in(_WRLOCK, "w", _UNLOCK), False),
    ("two readers that write", _in(_RDLOCK, "w", _UNLOCK), _in(_RDLOCK, "w", _UNLOCK), True),
    ("a writer and a reader", _in(_WRLOCK, "w", _UNLOCK), _in(_RDLOCK, "w", _UNLOCK), False),
    ("before and behind a barrier", (COUNT_X, _BARRIER), (_BARRIER, COUNT_X), False),
    ("both behind a barrier", (_BARRIER, COUNT_X), (_BARRIER, COUNT_X), True),
    ("a wait lets the lock go", (Lock("m"), Wait("c", "m"), COUNT_X, Unlock("m")), _locked(COUNT_X), False),
]


_SYNCS = (("s0", 0), ("s1", 1), ("s2", 2), ("w", 0), ("b", 2))


def _program(one: Body, other: Body, *, atomic: bool = True) -> Program:
    """Two threads, created and joined by main, which looks at x before and behind."""
    functions = (Function("t1", "thread", "void", (), one), Function("t2", "thread", "void", (), other))
    main = (
        COUNT_X,
        Declare("thread", "h1"),
        Create("h1", "t1"),
        Declare("thread", "h2"),
        Create("h2", "t2"),
        Join("h1"),
        Join("h2"),
        COUNT_X,
        Return(Const(0)),
    )
    shared = (Shared("int", "x"), Shared("int", "f", atomic=atomic))
    return Program(shared, ("m", "m2"), ("c",), (*functions, Function("main", "main", "int", (), main)), _SYNCS)


@pytest.mark.parametrize(("name", "one", "other", "race"), KNOWN, ids=[known[0] for known in KNOWN])
def test_the_references_know(name: str, one: Body, other: Body, race: bool) -> None:
    del name
    program = _program(one, other)
    assert standing(program, None, 1) == ({("x",)} if race else set())
    assert unordered(program, 1) == race


@pytest.mark.parametrize(("name", "one", "other", "race"), KNOWN, ids=[known[0] for known in KNOWN])
def test_cseq_knows(name: str, one: Body, other: Body, race: bool) -> None:
    del name
    verdict, message = races.said(fuzz.to_c(_program(one, other)), fuzz.Bounds(3, 1, 64))
    assert verdict in (("FALSE",) if race else ("TRUE", "UNKNOWN")), message


def test_a_plain_flag_is_a_race_itself() -> None:
    program = _program((COUNT_X, RAISE), (AFTER_FLAG,), atomic=False)
    assert standing(program, None, 1) == {("f",)}
    assert unordered(program, 1)


def test_the_references_agree() -> None:
    counts: Counter[bool] = Counter()
    for number, program in races.programs(1, 100):
        try:
            race = bool(standing(program, None, 2, limit=5_000))
            assert unordered(program, 2, limit=5_000) == race, f"program {number}:\n{fuzz.to_c(program)}"
            counts[race] += 1
        except (Undefined, TooBig):
            continue
    assert counts[False] > 30
    assert counts[True] > 20


SAMPLE = [
    # seed, programs, rounds
    (301, 10, 1),
    (302, 10, 2),
    (303, 6, 3),
]


@pytest.mark.parametrize(("seed", "count", "rounds"), SAMPLE)
def test_the_verdict_is_the_reference_s(seed: int, count: int, rounds: int) -> None:
    bounds = fuzz.Bounds(rounds, 2, 64)
    counts: Counter[str] = Counter()
    for number, program in races.programs(seed, count):
        wrong = races.disagreement(program, bounds, counts)
        assert not wrong, f"{wrong}, program {number}, with {bounds}:\n{fuzz.to_c(program)}"
    assert counts["race True: FALSE"] >= 1
    assert counts["race False: UNKNOWN"] + counts["race False: TRUE"] >= 1


def test_the_bytes_of_two_accesses() -> None:
    found: Counter[bool] = Counter()
    for number, text, race in overlaps.programs(1, 18):
        wrong = overlaps.disagreement(text, race)
        assert not wrong, f"program {number}, a race: {race}; CSeq: {wrong}\n{text}"
        found[race] += 1
    assert min(found.values()) >= 5
