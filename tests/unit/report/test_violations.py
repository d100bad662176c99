"""What claims and cuts say, in words."""

import pytest

from cseq.model.claims import Claim, Cut, Kind, Limit, Memory, MemoryState, Object, Reason, misuse
from cseq.model.origin import Origin
from cseq.report import violations
from cseq.report.violations import claim, cut, demand, loop, memory

FREED = Memory(MemoryState.FREED, Origin("a.c", 3))


@pytest.mark.parametrize(
    ("claimed", "words"),
    [
        (Claim(Kind.ASSERTION, subject="x == 2"), "assertion `x == 2`"),
        (Claim(Kind.REACHABILITY, Reason.CALLED, function="reach_error"), "reach_error() is reached"),
        (Claim(Kind.REACHABILITY, Reason.SAID, "the engine's words"), "the engine's words"),
        (Claim(Kind.INVARIANT, subject="ok"), "invariant `ok` does not hold"),
        (Claim(Kind.DEADLOCK), "deadlock"),
        (Claim(Kind.CRASH, Reason.SIGNAL, "SIGABRT"), "the program is ended by SIGABRT"),
        (Claim(Kind.UNWINDING, cut=Cut(Limit.LOOP, 2)), "the loop may run more than 2 times"),
    ],
)
def test_claims_of_several_kinds(claimed: Claim, words: str) -> None:
    assert claim(claimed) == words


@pytest.mark.parametrize(
    ("claimed", "words"),
    [
        (misuse("pthread_mutex_lock", Object.MUTEX, Reason.DESTROYED),
         "pthread_mutex_lock: the mutex has been destroyed"),
        (misuse("pthread_attr_destroy", Object.THREAD_ATTRIBUTES, Reason.UNINITIALISED),
         "pthread_attr_destroy: the attributes of threads were never initialised"),
        (misuse("pthread_attr_destroy", Object.ATTRIBUTES, Reason.DESTROYED_TWICE),
         "pthread_attr_destroy: the attributes have already been destroyed"),
        (misuse("pthread_mutex_unlock", Object.MUTEX, Reason.NOT_HELD),
         "pthread_mutex_unlock: the calling thread does not own the mutex"),
        (misuse("mtx_unlock", Object.MUTEX, Reason.NOT_HELD), "mtx_unlock: the calling thread does not hold the mutex"),
        (misuse("pthread_mutex_destroy", Object.MUTEX, Reason.IN_USE), "pthread_mutex_destroy: the mutex is locked"),
        (misuse("pthread_barrier_destroy", Object.BARRIER, Reason.IN_USE),
         "pthread_barrier_destroy: a thread waits at the barrier"),
        (misuse("pthread_key_delete", Object.KEY, Reason.NONE_CREATED),
         "pthread_key_delete: no such key was ever created"),
    ],
)  # fmt: skip
def test_misuse_names_the_function_and_the_object(claimed: Claim, words: str) -> None:
    assert claim(claimed) == words
    assert f"{claimed.function}: {demand(claimed)}" == words


@pytest.mark.parametrize(
    ("claimed", "words"),
    [
        (Claim(Kind.MEMSAFETY, Reason.READ, "*p"), "invalid read of `*p`"),
        (Claim(Kind.MEMSAFETY, Reason.WRITE, "p", function="memset", is_range=True, size=1),
         "memset: invalid write of 1 byte through `p`"),
        (Claim(Kind.MEMSAFETY, Reason.WRITE, "p", function="memset", is_range=True),
         "memset: invalid write through `p`"),
        (Claim(Kind.MEMSAFETY, Reason.READ, "s", within="strlen"), "invalid read in `strlen`"),
        (Claim(Kind.MEMSAFETY, Reason.READ, "s", within=""), "invalid read in a call"),
        (Claim(Kind.MEMSAFETY, Reason.READ, "*p", memory=FREED),
         "invalid read of `*p` (the memory has been freed at a.c:3)"),
        (Claim(Kind.MEMSAFETY, Reason.INDEX, "a[i]", size=1), "`a[i]` is outside of the array, which has 1 element"),
        (Claim(Kind.MEMSAFETY, Reason.INDEX, "a[i]", size=3), "`a[i]` is outside of the array, which has 3 elements"),
        (Claim(Kind.OVERFLOW, Reason.DIVISION, "1 / x"), "division by zero in `1 / x`"),
        (Claim(Kind.OVERFLOW, Reason.DIVISION, "1 / x", within="div"), "division by zero in `div`"),
        (Claim(Kind.OVERFLOW, Reason.RESULT, "x + 1", type="int"), "the value of `x + 1` does not fit into `int`"),
        (Claim(Kind.OVERFLOW, Reason.RESULT, "x", type="int", within="abs"),
         "the result does not fit into `int` in `abs`"),
        (Claim(Kind.OVERFLOW, Reason.SHIFT, "x << n", size=32),
         "a shift by less than 0 or by 32 or more bits in `x << n`"),
    ],
)  # fmt: skip
def test_memory_and_arithmetic(claimed: Claim, words: str) -> None:
    assert claim(claimed) == words


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (Memory(MemoryState.NULL), "the pointer is NULL"),
        (FREED, "the memory has been freed at a.c:3"),
        (Memory(MemoryState.FREED), "the memory has been freed"),
        (Memory(MemoryState.OUTSIDE, size=1), "outside of the object, which has 1 byte"),
        (Memory(MemoryState.OUTSIDE, size=8), "outside of the object, which has 8 bytes"),
    ],
)
def test_what_became_of_memory(known: Memory, words: str) -> None:
    assert memory(known) == words


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Cut(Limit.LOOP, 1), "the loop may run more than once"),
        (Cut(Limit.COUNTED, 2, runs=5), "the loop runs 5 times, and --unwind is 2"),
        (Cut(Limit.COUNTED, 1, runs=1, is_set=True), "the loop runs once, and --unwindset says 1"),
        (Cut(Limit.RECURSION, 3, "fib"), "`fib` may call itself more than 3 deep"),
        (Cut(Limit.THREADS, 1), "more than 1 thread may be created"),
        (Cut(Limit.ROUNDS, 2, runs=4), "2 rounds; 4 cover all schedules"),
        (Cut(Limit.CONTEXTS, 1, runs=4), "1 context switch; 4 cover all schedules"),
        (Cut(Limit.CONTEXTS, 3, runs=4), "3 context switches; 4 cover all schedules"),
        (Cut(Limit.STRING, 8, function="strlen"), "strlen: the string may be longer than 8 characters"),
        (Cut(Limit.SAID, subject="gave up"), "gave up"),
    ],
)
def test_cuts(made: Cut, words: str) -> None:
    assert cut(made) == words


def test_a_loop_may_have_a_place() -> None:
    assert loop(Cut(Limit.LOOP, 2), " at a.c:7 in f") == "the loop at a.c:7 in f may run more than 2 times"


@pytest.mark.parametrize("limit", [limit for limit in Limit if limit is not Limit.SAID])
def test_each_limit_has_a_sentence_without_gaps(limit: Limit) -> None:
    words = cut(Cut(limit, 2, "subject", "function", 3))
    assert words and not set("{}") & set(words)


OTHERS = frozenset({Reason.SAID})
"""What an engine says in its own words."""


@pytest.mark.parametrize("reason", list(Reason))
def test_each_reason_has_a_sentence_without_gaps(reason: Reason) -> None:
    kinds = [key[0] for key in violations._CLAIMS if key[1:] == (reason,)] or [Kind.MISUSE]
    abouts = [key[1] for key in violations._CLAIMS if key[0] is reason and len(key) > 1] or [Object.MUTEX]
    for kind in kinds:
        for about in abouts:
            words = demand(Claim(kind, reason, str(about), "f", type="int", size=8))
            assert not set("{}") & set(words)
            assert (words == about) is (reason in OTHERS), "it has no sentence"
