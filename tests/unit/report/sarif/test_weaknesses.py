"""The kinds of violations: each claim that there is has a deliberate one, and each kind is well-formed."""

from __future__ import annotations

import ast
import re

import pytest

from cseq.base.verdict import Property
from cseq.modules.analysis import cuts
from cseq.modules.core.linearizer.va_lists import _NO_ARGUMENT
from cseq.modules.explicit.allocator import BAD_FREE
from cseq.modules.library.claims import NO_FUNCTION, NO_LENGTH
from cseq.modules.library.lexicon import FAILS
from cseq.modules.library.stubs import stub_text
from cseq.modules.replay.execution import kind
from cseq.modules.runs import follower, spinner
from cseq.pthread_stubs import FOLDER
from cseq.report.sarif.weaknesses import BY_ID, CWE, RULES, rule_of
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
"""What the thread library demands, behind the name of the function, and the kind that a violation is of."""

EMITTED = {
    "return between pthread_cleanup_push and pthread_cleanup_pop": "cleanup-unbalanced",
    "a jump out of what stands between pthread_cleanup_push and pthread_cleanup_pop": "cleanup-unbalanced",
    "pthread_exit: called while the thread ends, by a destructor": "exit-while-ending",
    NO_FUNCTION: "call-of-no-function",
    NO_LENGTH: "array-length-not-positive",
    BAD_FREE: "invalid-free",
    _NO_ARGUMENT: "missing-argument",
    "the label ERROR is reached": "error-reached",
    "trap() is reached": "error-reached",
}
"""What translations claim by themselves."""

DEMANDS = {
    "invalid read of `*p` (the pointer is NULL)": "null-dereference",
    "memcpy: invalid write of 4 bytes through `q` (the pointer is NULL)": "null-dereference",
    "invalid write of `p->next` (the memory has been freed at a (b).c:20)": "use-after-free",
    "invalid read in `strlen` (the life of the object has ended at a.c:3)": "use-after-lifetime",
    "invalid read of `a[i]` (outside of the object, which has 8 bytes)": "out-of-bounds-read",
    "invalid write of 4 bytes through `p` (outside of the object, which has 1 byte)": "out-of-bounds-write",
    "memset: invalid write through `p` (outside of the object, which has 1 byte)": "out-of-bounds-write",
    "sprintf: the text does not fit into its object": "out-of-bounds-write",
    "`a[i]` is outside of the array, which has 1 element": "index-out-of-bounds",
    "`freed[(invalid read)]` is outside of the array, which has 3 elements": "index-out-of-bounds",
    "invalid read of `*p`": "invalid-access",
    "memcpy: invalid read through `p`": "invalid-access",
    "invalid free of `p` (the memory has been freed at a.c:20)": "double-free",
    "invalid free of `p` (no pointer to a block from malloc)": "invalid-free",
    "invalid free of `p`": "invalid-free",
    "invalid free in `realloc`": "invalid-free",
    "memory is never freed, and nothing leads to it when the process ends (allocated at a.c:3)": "memory-leak",
}


def messages() -> set[str]:
    """All that the thread library demands."""
    found = set()
    for path in FOLDER.glob("*.c"):
        found |= set(re.findall(r'__CSEQ_fail_unless\([^;]*?"([^"]+)"\)', stub_text(path.name)))
    return found


def the_rule(name: str, text: str) -> str:
    return rule_of(Property(name, text)).id


def test_each_message_of_the_thread_library_has_its_kind() -> None:
    found = messages()
    assert len(found) > 150
    assert {text.rpartition(": ")[2] for text in found} == set(MISUSE)
    for text in found:
        function, _, demand = text.rpartition(": ")
        expected = MISUSE[demand]
        if isinstance(expected, dict):
            (expected,) = {id_ for prefix, id_ in expected.items() if function.startswith(prefix)}
        assert the_rule(kind(text), text) == expected, text


@pytest.mark.parametrize(("text", "id_"), EMITTED.items())
def test_claims_of_translations(text: str, id_: str) -> None:
    assert the_rule(kind(text), text) == id_


def test_each_text_that_a_translation_claims_is_known() -> None:
    """What is handed to an assertion as a string that stands there, in any stage."""
    found = set()
    for path in (ROOT / "modules").rglob("*.py"):
        text = path.read_text()
        if "lexicon.ASSERT" in text or ".fail(" in text:
            for node in ast.walk(ast.parse(text)):
                strings = isinstance(node, ast.Call) and ast.unparse(node.func) in ("build.string", "self._calls.fail")
                if strings and isinstance(node.args[0], ast.Constant):
                    found.add(node.args[0].value)
    assert len(found) >= 4
    assert found <= set(EMITTED)


@pytest.mark.parametrize(("text", "id_"), DEMANDS.items())
def test_demands_of_memory_safety(text: str, id_: str) -> None:
    assert the_rule("memsafety", text) == id_


def test_arithmetic() -> None:
    assert the_rule("overflow", "the value of `a + b` does not fit into `int`") == "integer-overflow"
    assert the_rule("overflow", "the value of `division by 0` does not fit into `int` in `abs`") == "integer-overflow"
    assert the_rule("overflow", "division by zero in `a / b`") == "division-by-zero"
    assert the_rule("overflow", "a shift by less than 0 or by 32 or more bits in `a << b`") == "invalid-shift"


def test_failures_of_the_program() -> None:
    assert the_rule("assertion", "assertion `the thread is detached`") == "assertion-violation"
    reached = {text: the_rule(kind(text), text) for text in FAILS.values()}
    assert {text for text, id_ in reached.items() if id_ == "assertion-violation"} == {"an assertion fails"}
    assert set(reached.values()) == {"assertion-violation", "error-reached"}
    crashes = {text: the_rule("crash", text) for text in follower._CRASHES.values()}
    assert set(crashes.values()) == {"invalid-access", "division-by-zero", "index-out-of-bounds"}
    assert the_rule("crash", "the program is ended by SIGABRT") == "crash"


def test_deadlocks() -> None:
    circle = "deadlock: f (thread 1) holds `a` since x.c:1 and waits for `b` at x.c:2; main holds `b` and waits for `a`"
    assert the_rule("deadlock", circle) == "deadlock"
    itself = "deadlock: main waits at x.c:3 for `m`, which it holds itself since x.c:2"
    assert the_rule("deadlock", itself) == "self-deadlock"
    assert the_rule("deadlock", "deadlock: main waits at x.c:3 for itself to end") == "self-deadlock"
    ended = "deadlock: main waits at x.c:3 for `m`, held by f (thread 1) since x.c:2, which has ended"
    assert the_rule("deadlock", ended) == "lock-never-released"
    assert the_rule("deadlock", f"{ended}; g (thread 2) waits at x.c:9 for main to end") == "lock-never-released"


def test_infinite_executions_and_bounds() -> None:
    kinds = {kind: the_rule(kind, text) for kind, text in spinner._VIOLATIONS.values()}
    progress = {"non-progress": "no-progress", "termination": "no-progress"}
    assert kinds == {"ltl": "temporal-violation", "acceptance": "temporal-violation", **progress}
    assert the_rule("invariant", "invariant `ok` does not hold") == "invariant-violation"
    for text in (cuts.loop(2), cuts.counted(5, 2, "--unwind"), "a thread may call destructors more than once"):
        assert the_rule("unwinding", text) == "bound-exceeded"
    assert the_rule("unwinding", cuts.recursion("f", 2)) == "recursion-exceeds-bound"
    assert the_rule("unwinding", cuts.starts("f", 2)) == "recursion-exceeds-bound"
    assert the_rule("unwinding", cuts.threads(2)) == "threads-exceed-bound"


def test_race() -> None:
    assert rule_of(Property("race", "data race on `x`: …")).cwes == (366, 362)


def test_what_is_not_known() -> None:
    assert rule_of(None).id == rule_of(Property("something", "else")).id == "violation"
    assert the_rule("misuse", "f: something that another library demands") == "misuse-of-thread-library"


def test_rules_are_well_formed() -> None:
    assert len(BY_ID) == len(RULES) == len({rule.name for rule in RULES})
    used = set()
    for rule in RULES:
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
    manual = (ROOT / "docs" / "reports.md").read_text()
    for rule in RULES:
        related = f" ({', '.join(map(str, rule.related))})" if rule.related else ""
        cwes = ", ".join(map(str, rule.cwes)) or "none"
        assert f"| `{rule.id}` | {rule.short.removesuffix('.')} | {cwes}{related} |" in manual
