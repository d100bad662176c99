"""Data races: two references against what is known and against each other, and CSeq against the first of them."""

from collections import Counter

import pytest

from tests.differential import fuzz, overlaps, races
from tests.differential import reference as ref
from tests.differential.race_reference import standing, unordered

SET_X = ref.Do(ref.Assign("=", ref.Var("x"), ref.Const(1)))
COUNT_X = ref.Do(ref.Increment("++", False, ref.Var("x")))
READ_X = ref.Declare("int", "l", ref.Var("x"))
RAISE = ref.Do(ref.Assign("=", ref.Var("f"), ref.Const(1)))
AFTER_FLAG = ref.If(ref.Var("f"), (COUNT_X,))
ATOMIC_SET = ref.Do(ref.Atomic("gnu", "store", "", ref.Var("x"), ref.Const(1)))
ATOMIC_ADD = ref.Do(ref.Atomic("gnu", "fetch", "add", ref.Var("x"), ref.Const(1)))
NO_LOCK = ref.Unary("!", ref.TryLock("m"))


def _locked(*body: ref.Declare | ref.Do) -> ref.Body:
    return (ref.Lock("m"), *body, ref.Unlock("m"))


def _in(first: str, name: str, last: str) -> ref.Body:
    return (ref.Sync(first, name), COUNT_X, ref.Sync(last, name))


_RDLOCK, _WRLOCK, _UNLOCK = (f"pthread_rwlock_{call}" for call in ("rdlock", "wrlock", "unlock"))
_BARRIER = ref.Sync("pthread_barrier_wait", "b")

KNOWN: list[tuple[str, ref.Body, ref.Body, bool]] = [
    ("two writes", (SET_X,), (SET_X,), True),
    ("two reads", (READ_X,), (ref.Declare("int", "k", ref.Var("x")),), False),
    ("a read and a write", (READ_X,), (SET_X,), True),
    ("both under a lock", _locked(COUNT_X), _locked(READ_X), False),
    ("one under a lock", _locked(COUNT_X), (READ_X,), True),
    ("under two locks", _locked(COUNT_X), (ref.Lock("m2"), READ_X, ref.Unlock("m2")), True),
    ("in front of a lock and behind it", (COUNT_X, *_locked()), (*_locked(), COUNT_X), True),
    ("both atomic", (ATOMIC_ADD,), (ATOMIC_SET,), False),
    ("one atomic", (ATOMIC_ADD,), (READ_X,), True),
    ("two sections", (ref.AtomicBegin(), COUNT_X, ref.AtomicEnd()), (ref.AtomicBegin(), SET_X, ref.AtomicEnd()), False),
    ("a section and none", (ref.AtomicBegin(), RAISE, COUNT_X, ref.AtomicEnd()), (SET_X,), True),
    ("a section and an atomic operation", (ref.AtomicBegin(), COUNT_X, ref.AtomicEnd()), (ATOMIC_ADD,), False),
    ("an atomic flag", (COUNT_X, RAISE), (AFTER_FLAG,), False),
    ("an atomic flag, too early", (RAISE, COUNT_X), (AFTER_FLAG,), True),
    ("a flag raised in a section", (ref.AtomicBegin(), RAISE, COUNT_X, ref.AtomicEnd()), (AFTER_FLAG,), False),
    ("trylock", (ref.If(NO_LOCK, (COUNT_X, ref.Unlock("m"))),), _locked(COUNT_X), False),
    ("trylock that failed", (ref.If(ref.TryLock("m"), (COUNT_X,), (ref.Unlock("m"),)),), _locked(COUNT_X), True),
    ("a lock shows itself", (SET_X, ref.Lock("m")), (ref.If(ref.TryLock("m"), (SET_X,)),), False),
    ("a semaphore of one", _in("sem_wait", "s1", "sem_post"), _in("sem_wait", "s1", "sem_post"), False),
    ("a semaphore of two", _in("sem_wait", "s2", "sem_post"), _in("sem_wait", "s2", "sem_post"), True),
    ("a semaphore as a signal", (COUNT_X, ref.Sync("sem_post", "s0")), (ref.Sync("sem_wait", "s0"), COUNT_X), False),
    (
        "a semaphore, posted too early",
        (ref.Sync("sem_post", "s0"), COUNT_X),
        (ref.Sync("sem_wait", "s0"), COUNT_X),
        True,
    ),
    ("two writers", _in(_WRLOCK, "w", _UNLOCK), _in(_WRLOCK, "w", _UNLOCK), False),
    ("two readers that write", _in(_RDLOCK, "w", _UNLOCK), _in(_RDLOCK, "w", _UNLOCK), True),
    ("a writer and a reader", _in(_WRLOCK, "w", _UNLOCK), _in(_RDLOCK, "w", _UNLOCK), False),
    ("before and behind a barrier", (COUNT_X, _BARRIER), (_BARRIER, COUNT_X), False),
    ("both behind a barrier", (_BARRIER, COUNT_X), (_BARRIER, COUNT_X), True),
    ("a wait lets the lock go", (ref.Lock("m"), ref.Wait("c", "m"), COUNT_X, ref.Unlock("m")), _locked(COUNT_X), False),
]


_SYNCS = (("s0", 0), ("s1", 1), ("s2", 2), ("w", 0), ("b", 2))


def _program(one: ref.Body, other: ref.Body, *, atomic: bool = True) -> ref.Program:
    """Two threads, created and joined by main, which looks at x before and behind."""
    functions = (ref.Function("t1", "thread", "void", (), one), ref.Function("t2", "thread", "void", (), other))
    main = (
        COUNT_X,
        ref.Declare("thread", "h1"),
        ref.Create("h1", "t1"),
        ref.Declare("thread", "h2"),
        ref.Create("h2", "t2"),
        ref.Join("h1"),
        ref.Join("h2"),
        COUNT_X,
        ref.Return(ref.Const(0)),
    )
    shared = (ref.Shared("int", "x"), ref.Shared("int", "f", atomic=atomic))
    return ref.Program(shared, ("m", "m2"), ("c",), (*functions, ref.Function("main", "main", "int", (), main)), _SYNCS)


@pytest.mark.parametrize(("name", "one", "other", "race"), KNOWN, ids=[known[0] for known in KNOWN])
def test_the_references_know(name: str, one: ref.Body, other: ref.Body, race: bool) -> None:
    del name
    program = _program(one, other)
    assert standing(program, None, 1) == ({("x",)} if race else set())
    assert unordered(program, 1) == race


@pytest.mark.parametrize(("name", "one", "other", "race"), KNOWN, ids=[known[0] for known in KNOWN])
def test_cseq_knows(name: str, one: ref.Body, other: ref.Body, race: bool) -> None:
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
        except (ref.Undefined, ref.TooBig):
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
