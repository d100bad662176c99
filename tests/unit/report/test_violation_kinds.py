"""The kinds of violations: each claim that there is has a deliberate one, and each kind is well-formed."""

import re
from typing import Any

import pytest

from cseq.model.claims import CRASHES, DEADLOCK, RACE, Claim, Cut, Kind, Limit, Memory, MemoryState, Object
from cseq.model.claims import Reason as Wrong
from cseq.model.origin import Origin
from cseq.model.verdict import Property
from cseq.modules.core.three_address.va_lists import _NO_ARGUMENT
from cseq.modules.explicit import run_spin as spinner
from cseq.modules.explicit.encode.allocator import BAD_FREE, BAD_SIZE
from cseq.modules.library.lexicon import FAILS
from cseq.modules.library.stubs import items
from cseq.report import violations as in_words
from cseq.report.violation_kinds import BY_ID, CLAIMS, CWE, KINDS, kind_of
from tests.support.checkout import ROOT

_UNINITIALISED = "uninitialised-object"
MISUSE = {
    "a thread is created without an object for its identifier": "missing-object",
    "a thread waits at the barrier": "destroyed-in-use",
    "a thread waits on the condition variable": "destroyed-in-use",
    "another thread waits with another mutex": "wait-with-two-mutexes",
    "no such key was ever created": "no-such-thread",
    "no such thread was ever created": "no-such-thread",
    "the attributes have been destroyed": "use-after-destroy",
    "the attributes of threads have been destroyed": "use-after-destroy",
    "the attributes of threads were never initialised": _UNINITIALISED,
    "the attributes were never initialised": _UNINITIALISED,
    "the barrier has already been destroyed": "destroyed-twice",
    "the barrier has been destroyed": "use-after-destroy",
    "the barrier is already initialised": "initialised-twice",
    "the barrier was never initialised": _UNINITIALISED,
    "the calling thread already holds the lock": "double-lock",
    "the calling thread already holds the mutex": "double-lock",
    "the calling thread does not hold the lock": "unlock-not-held",
    "the calling thread does not hold the mutex": {"cnd_": "wait-without-lock", "mtx_": "unlock-not-held"},
    "the calling thread does not own the mutex": {
        "pthread_cond_": "wait-without-lock",
        "pthread_mutex_": "unlock-not-held",
    },
    "the condition variable has already been destroyed": "destroyed-twice",
    "the condition variable has been destroyed": "use-after-destroy",
    "the condition variable is already initialised": "initialised-twice",
    "the condition variable was never initialised": _UNINITIALISED,
    "the key has been deleted": "use-after-destroy",
    "the lock has already been destroyed": "destroyed-twice",
    "the lock has been destroyed": "use-after-destroy",
    "the lock is already initialised": "initialised-twice",
    "the lock is held": "destroyed-in-use",
    "the lock was never initialised": _UNINITIALISED,
    "the mutex has already been destroyed": "destroyed-twice",
    "the mutex has been destroyed": "use-after-destroy",
    "the mutex is already initialised": "initialised-twice",
    "the mutex is locked": "destroyed-in-use",
    "the mutex is not initialised": _UNINITIALISED,
    "the mutex was never initialised": _UNINITIALISED,
    "the mutex was not initialised with mtx_timed": "wrong-kind-of-object",
    "the routine calls pthread_once for itself": "recursive-once",
    "the semaphore has already been closed": "destroyed-twice",
    "the semaphore has already been destroyed": "destroyed-twice",
    "the semaphore has been closed": "use-after-destroy",
    "the semaphore has been destroyed": "use-after-destroy",
    "the semaphore is already initialised": "initialised-twice",
    "the semaphore was never initialised": _UNINITIALISED,
    "the semaphore was not opened with sem_open": "mismatched-release",
    "the semaphore was opened with sem_open": "mismatched-release",
    "the thread has already been joined": {
        "pthread_join": "joined-twice",
        "pthread_tryjoin": "joined-twice",
        "pthread_timedjoin": "joined-twice",
        "pthread_detach": "joined-twice",
        "pthread_cancel": "use-of-ended-thread",
        "pthread_kill": "use-of-ended-thread",
        "thrd_": "joined-twice",
    },
    "the thread is already detached": "joined-twice",
    "the thread is detached": "use-of-ended-thread",
    "the thread is detached and has ended": "use-of-ended-thread",
    "there is no object that says whether it is done": "missing-object",
}
"""Each requirement of the thread library, without the name of the function, and the kind of its violation."""

EMITTED = [
    (Claim(Kind.REACHABILITY, Wrong.LEFT_BY_RETURN), "return between pthread_cleanup_push and pthread_cleanup_pop",
     "cleanup-unbalanced"),
    (Claim(Kind.REACHABILITY, Wrong.LEFT_BY_JUMP),
     "a jump out of the code between pthread_cleanup_push and pthread_cleanup_pop", "cleanup-unbalanced"),
    (Claim(Kind.MISUSE, Wrong.ENDS_ALREADY, function="pthread_exit"),
     "pthread_exit: called while the thread ends, by a destructor", "exit-while-ending"),
    (Claim(Kind.REACHABILITY, Wrong.NO_FUNCTION),
     "a call through a function pointer that points to no function of its type", "call-of-no-function"),
    (Claim(Kind.REACHABILITY, Wrong.NO_LENGTH), "the length of a variable-length array is not positive",
     "array-length-not-positive"),
    (Claim(Kind.REACHABILITY, Wrong.MISSING, "thread"), "a thread is created without an object for its identifier",
     "missing-object"),
    (BAD_FREE, "free: this is no block from malloc, or it has been freed already", "invalid-free"),
    (BAD_SIZE, "realloc: this is no block from malloc, or it has been freed already", "misuse-of-thread-library"),
    (_NO_ARGUMENT, "va_arg: there is no further argument, or it has another type", "missing-argument"),
    (Claim(Kind.REACHABILITY, Wrong.LABEL), "the label ERROR is reached", "error-reached"),
    (Claim(Kind.REACHABILITY, Wrong.CALLED, function="trap"), "trap() is reached", "error-reached"),
]  # fmt: skip
"""What translations claim by themselves, in words, and the kind that a violation is of."""

NULL, OUTSIDE = Memory(MemoryState.NULL), Memory(MemoryState.OUTSIDE, size=8)


def at(line: int, state: MemoryState, file: str = "a.c") -> Memory:
    return Memory(state, Origin(file, line))


def memory(reason: Wrong, subject: str = "", **more: Any) -> Claim:
    return Claim(Kind.MEMSAFETY, reason, subject, **more)


DEMANDS = [
    (memory(Wrong.READ, "*p", memory=NULL), "invalid read of `*p` (the pointer is NULL)", "null-dereference"),
    (memory(Wrong.WRITE, "q", function="memcpy", is_range=True, size=4, memory=NULL),
     "memcpy: invalid write of 4 bytes through `q` (the pointer is NULL)", "null-dereference"),
    (memory(Wrong.WRITE, "p->next", memory=at(20, MemoryState.FREED, "a (b).c")),
     "invalid write of `p->next` (the memory has been freed at a (b).c:20)", "use-after-free"),
    (memory(Wrong.READ, "s[i]", within="strlen", memory=at(3, MemoryState.ENDED)),
     "invalid read in `strlen` (the life of the object has ended at a.c:3)", "use-after-lifetime"),
    (memory(Wrong.READ, "a[i]", memory=OUTSIDE),
     "invalid read of `a[i]` (outside of the object, which has 8 bytes)", "out-of-bounds-read"),
    (memory(Wrong.WRITE, "p", is_range=True, size=4, memory=Memory(MemoryState.OUTSIDE, size=1)),
     "invalid write of 4 bytes through `p` (outside of the object, which has 1 byte)", "out-of-bounds-write"),
    (memory(Wrong.WRITE, "p", function="memset", is_range=True, memory=OUTSIDE),
     "memset: invalid write through `p` (outside of the object, which has 8 bytes)", "out-of-bounds-write"),
    (memory(Wrong.TEXT, function="sprintf"), "sprintf: the text does not fit into its object", "out-of-bounds-write"),
    (memory(Wrong.INDEX, "a[i]", size=1), "`a[i]` is outside of the array, which has 1 element",
     "index-out-of-bounds"),
    (memory(Wrong.INDEX, "freed[(invalid read)]", size=3),
     "`freed[(invalid read)]` is outside of the array, which has 3 elements", "index-out-of-bounds"),
    (memory(Wrong.READ, "*p"), "invalid read of `*p`", "invalid-access"),
    (memory(Wrong.READ, "p", function="memcpy", is_range=True), "memcpy: invalid read through `p`", "invalid-access"),
    (memory(Wrong.READ, "p", is_range=True, size=2, within=""), "invalid read of 2 bytes in a call", "invalid-access"),
    (memory(Wrong.FREE, "p", memory=at(20, MemoryState.FREED)),
     "invalid free of `p` (the memory has been freed at a.c:20)", "double-free"),
    (memory(Wrong.FREE, "p", memory=Memory(MemoryState.UNALLOCATED)),
     "invalid free of `p` (no pointer to a block from malloc)", "invalid-free"),
    (memory(Wrong.FREE, "p"), "invalid free of `p`", "invalid-free"),
    (memory(Wrong.FREE, "p", within="realloc"), "invalid free in `realloc`", "invalid-free"),
    (memory(Wrong.LEAK, memory=at(3, MemoryState.ALLOCATED)),
     "memory is never freed, and nothing leads to it when the process ends (allocated at a.c:3)", "memory-leak"),
]  # fmt: skip


def claims_of_the_library() -> set[str]:
    """The keys of all that the thread library demands."""
    found = set()
    for item in items().values():
        found |= set(re.findall(r'__CSEQ_fail_unless\([^;]*?"([^"]+)"\);', item.text))
    return found


def the_rule(claim: Claim) -> str:
    return kind_of(Property(claim)).id


def test_each_demand_of_the_thread_library_has_its_kind_and_its_words() -> None:
    found = [Claim.of(key) for key in claims_of_the_library()]
    assert len(found) > 150
    assert {in_words.demand(claim) for claim in found} == set(MISUSE)
    for claim in found:
        expected = MISUSE[in_words.demand(claim)]
        if isinstance(expected, dict):
            (expected,) = {id_ for prefix, id_ in expected.items() if claim.function.startswith(prefix)}
        assert the_rule(claim) == expected, claim
        assert in_words.claim(claim).endswith(in_words.demand(claim))


def test_keys_say_all_that_the_library_demands() -> None:
    for key in claims_of_the_library():
        assert Claim.of(key).key == key
        assert Claim.of(key).subject in frozenset(Object) and Claim.of(key).reason not in (None, Wrong.SAID)


@pytest.mark.parametrize(("claim", "words", "id_"), EMITTED)
def test_claims_of_translations(claim: Claim, words: str, id_: str) -> None:
    assert (in_words.claim(claim), the_rule(claim)) == (words, id_)
    assert Claim.of(claim.key) == claim


def test_each_claim_that_a_translation_makes_is_known() -> None:
    """Each reason for which a stage violates reachability, or says that something is misused."""
    found = set()
    for path in (ROOT / "modules").rglob("*.py"):
        calls = r"\bClaim\(\s*Kind\.(?:REACHABILITY|MISUSE),\s*Reason\.(\w+)"
        found.update(re.findall(calls, path.read_text(encoding="utf-8")))
    assert len(found) >= 4
    assert found <= {claim.reason.name for claim, _, _ in EMITTED if claim.reason is not None}


@pytest.mark.parametrize(("claim", "words", "id_"), DEMANDS)
def test_demands_of_memory_safety(claim: Claim, words: str, id_: str) -> None:
    assert (in_words.claim(claim), the_rule(claim)) == (words, id_)


@pytest.mark.parametrize(
    ("claim", "words", "id_"),
    [
        (Claim(Kind.OVERFLOW, Wrong.RESULT, "a + b", type="int"), "the value of `a + b` does not fit into `int`",
         "integer-overflow"),
        (Claim(Kind.OVERFLOW, Wrong.RESULT, "division by 0", type="int", within="abs"),
         "the result does not fit into `int` in `abs`", "integer-overflow"),
        (Claim(Kind.OVERFLOW, Wrong.DIVISION, "a / b"), "division by zero in `a / b`", "division-by-zero"),
        (Claim(Kind.OVERFLOW, Wrong.DIVISION, within=""), "division by zero in a call", "division-by-zero"),
        (Claim(Kind.OVERFLOW, Wrong.SHIFT, "a << b", size=32),
         "a shift by less than 0 or by 32 or more bits in `a << b`", "invalid-shift"),
    ],
)  # fmt: skip
def test_arithmetic(claim: Claim, words: str, id_: str) -> None:
    assert (in_words.claim(claim), the_rule(claim)) == (words, id_)


def test_failures_of_the_program() -> None:
    assert the_rule(Claim(Kind.ASSERTION, subject="the thread is detached")) == "assertion-violation"
    reached = {Claim(Kind.REACHABILITY, reason, function=name) for name, reason in FAILS.items()}
    failing = {in_words.claim(claim) for claim in reached if the_rule(claim) == "assertion-violation"}
    assert failing == {"an assertion fails"}
    assert {the_rule(claim) for claim in reached} == {"assertion-violation", "error-reached"}
    crashes = {in_words.claim(claim): the_rule(claim) for claim in CRASHES.values()}
    assert crashes == {
        "invalid memory access": "invalid-access",
        "division by zero, or one that overflows": "division-by-zero",
        "index outside of an array": "index-out-of-bounds",
    }
    ended = Claim(Kind.CRASH, Wrong.SIGNAL, "SIGABRT")
    assert (in_words.claim(ended), the_rule(ended)) == ("the program is ended by SIGABRT", "crash")


def test_deadlocks() -> None:
    assert the_rule(DEADLOCK) == "deadlock"
    assert the_rule(Claim(Kind.DEADLOCK, Wrong.ITSELF)) == "self-deadlock"
    assert the_rule(Claim(Kind.DEADLOCK, Wrong.ENDED_HOLDER)) == "lock-never-released"


def test_infinite_executions_and_bounds() -> None:
    kinds = {kind: the_rule(Claim(kind)) for kind in spinner._VIOLATIONS.values()}
    progress = {Kind.NON_PROGRESS: "no-progress", Kind.TERMINATION: "no-progress"}
    assert kinds == {Kind.LTL: "temporal-violation", Kind.ACCEPTANCE: "temporal-violation", **progress}
    invariant = Claim(Kind.INVARIANT, subject="ok")
    assert (in_words.claim(invariant), the_rule(invariant)) == ("invariant `ok` does not hold", "invariant-violation")
    for limit, id_ in {
        **dict.fromkeys((Limit.LOOP, Limit.COUNTED, Limit.DESTRUCTORS), "bound-exceeded"),
        **dict.fromkeys((Limit.RECURSION, Limit.STARTS), "recursion-exceeds-bound"),
        Limit.THREADS: "threads-exceed-bound",
    }.items():
        assert the_rule(Claim(Kind.UNWINDING, cut=Cut(limit, 2, "f", runs=5))) == id_


def test_race() -> None:
    assert kind_of(Property(RACE)).cwes == (366, 362)


def test_what_is_not_known() -> None:
    assert kind_of(None).id == "violation"
    said = Claim.of("another engine says so: it is wrong")
    assert (in_words.claim(said), the_rule(said)) == ("another engine says so: it is wrong", "error-reached")
    assert the_rule(Claim(Kind.MISUSE, function="f")) == "misuse-of-thread-library"


def test_the_catalogue_is_complete() -> None:
    """Each kind of claim and each reason has an entry, each entry is that of some claim, and each kind has one."""
    assert {(kind,) for kind in Kind} <= set(CLAIMS)
    assert len(CLAIMS) == sum(len(kind.claims) for kind in KINDS), "an entry is there twice"
    about = {key[-1] if isinstance(key[-1], Wrong) else key[0] for key in CLAIMS if isinstance(key[0], Kind | Wrong)}
    assert set(Wrong) - about == {Wrong.SAID}
    for kind in KINDS:
        assert kind.claims or kind.states or kind.limits or kind.id == "violation", kind.id
        for key in kind.claims:
            assert kind_of(Property(_claim(key))) is kind, key
        for reason, state in kind.states:
            assert kind_of(Property(memory(reason or Wrong.READ, memory=Memory(state)))) is kind, (reason, state)
        for limit in kind.limits:
            assert kind_of(Property(Claim(Kind.UNWINDING, cut=Cut(limit)))) is kind, limit


def _claim(key: tuple[object, ...]) -> Claim:
    """A claim for which an entry of the catalogue is made."""
    kind = next((part for part in key if isinstance(part, Kind)), Kind.MISUSE)
    reason = next((part for part in key if isinstance(part, Wrong)), None)
    return Claim(kind, reason, next((part for part in key if isinstance(part, Object)), ""))


def test_rules_are_well_formed() -> None:
    assert len(BY_ID) == len(KINDS) == len({rule.name for rule in KINDS})
    used = set()
    for rule in KINDS:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id)
        assert re.fullmatch(r"([A-Z][a-z]+)+", rule.name)
        assert rule.id.replace("-", "") != rule.name.lower() or "-" in rule.id
        assert rule.short.endswith(".")
        assert rule.full.endswith(".")
        assert not set(rule.cwes) & set(rule.related)
        assert rule.severity is None or 0 < rule.severity <= 10
        used |= {*rule.cwes, *rule.related}
    assert used == set(CWE)


def test_the_manual_has_all_kinds_with_their_weaknesses() -> None:
    manual = (ROOT / "docs" / "sarif.md").read_text()
    for rule in KINDS:
        related = f" ({', '.join(map(str, rule.related))})" if rule.related else ""
        cwes = ", ".join(map(str, rule.cwes)) or "none"
        assert f"| `{rule.id}` | {rule.short.removesuffix('.')} | {cwes}{related} |" in manual
