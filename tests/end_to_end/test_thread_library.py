"""What each function of the thread library does, returns and complains about, checked by an engine and replayed."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Outcome, Verdict
from cseq.report.words import bound_text, description, message

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")

PREFIX = """\
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#define START(thread, function) pthread_create(&thread, 0, function, 0)
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
pthread_t t, u;
pthread_attr_t attr;
pthread_mutexattr_t type;
pthread_cond_t zero_c;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_mutex_t zero;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t rec = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t chk = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int x, y, z;
void *r, *s;
void *echo(void *arg) { return arg; }
void *signaller(void *arg) { LOCK; pthread_cond_signal(&c); UNLOCK; return 0; }
void *waiter(void *arg) { LOCK; x++; pthread_cond_wait(&c, &m); UNLOCK; return 0; }
"""

REACHED = "reach_error() is reached"
SIGNALLED = {"no_spurious_wakeups": True}  # waits end by signals only


def check(folder: Path, text: str, rounds: int, *, good: bool = True, **parameters: Any) -> Outcome:
    """Verify a program, of which lines that begin with + belong to the good twin only, those with - to the other."""
    lines = (PREFIX + dedent(text)).splitlines()
    lines = [line[1:] if line[:1] == "-+"[good] else line for line in lines if line[:1] != "+-"[good]]
    path = folder / "program.c"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    outcome = cseq.verify(path, rounds=rounds, timeout=60, **parameters)
    assert outcome.reason is None or outcome.exit_status == 0, (outcome.reason, message(outcome))
    return outcome


def claim(outcome: Outcome, words: str) -> None:
    """The program violates just this, in a line that says so."""
    assert outcome.violated is not None, (outcome.verdict, outcome.reason, message(outcome))
    assert description(outcome.violated) == words
    origin = outcome.violated.origin
    assert origin is not None
    assert "// FAIL" in Path(origin.file).read_text(encoding="utf-8").splitlines()[origin.line - 1], str(origin)


def main(body: str) -> str:
    """A program of main alone; what is beside the functions of the prefix."""
    return "int main(void) {\n" + dedent(body) + "return 0; }\n"


# In main alone: (name, body, message). The good twin reaches the end. tests/programs/misuses.py makes what is not here.
MISUSES = [
    # threads
    ("join zero", "-pthread_join(u, 0); // FAIL\n", "pthread_join: no such thread was ever created"),
    ("join beyond", "-pthread_join(99, 0); // FAIL\n", "pthread_join: no such thread was ever created"),
    ("join early", "-pthread_join(2, 0); // FAIL\nSTART(t, echo);\n", "pthread_join: no such thread was ever created"),
    (
        "join created detached",
        """\
        pthread_attr_init(&attr);
        -pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
        +pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_JOINABLE);
        pthread_create(&t, &attr, echo, 0);
        pthread_join(t, 0); // FAIL
        """,
        "pthread_join: the thread is detached",
    ),
    ("detach zero", "-pthread_detach(u); // FAIL\n", "pthread_detach: no such thread was ever created"),
    ("detach beyond", "-pthread_detach(99); // FAIL\n", "pthread_detach: no such thread was ever created"),
    (
        "detach early",
        "-pthread_detach(2); // FAIL\nSTART(t, echo);\n",
        "pthread_detach: no such thread was ever created",
    ),
    # mutexes
    ("lock zero", "-pthread_mutex_lock(&zero); // FAIL\n", "pthread_mutex_lock: the mutex was never initialised"),
    (
        "trylock zero",
        "+pthread_mutex_init(&zero, 0);\npthread_mutex_trylock(&zero); // FAIL\n",
        "pthread_mutex_trylock: the mutex was never initialised",
    ),
    ("unlock zero", "-pthread_mutex_unlock(&zero); // FAIL\n", "pthread_mutex_unlock: the mutex was never initialised"),
    (
        "destroy zero",
        "+pthread_mutex_init(&zero, 0);\npthread_mutex_destroy(&zero); // FAIL\n",
        "pthread_mutex_destroy: the mutex was never initialised",
    ),
    (
        "destroy recursively locked",
        """\
        pthread_mutex_lock(&rec); pthread_mutex_lock(&rec);
        pthread_mutex_unlock(&rec);
        +pthread_mutex_unlock(&rec);
        pthread_mutex_destroy(&rec); // FAIL
        """,
        "pthread_mutex_destroy: the mutex is locked",
    ),
    ("unlock free", "+LOCK;\nUNLOCK; // FAIL\n", "pthread_mutex_unlock: the calling thread does not own the mutex"),
    (
        "unlock twice",
        "LOCK; UNLOCK;\n-UNLOCK; // FAIL\n",
        "pthread_mutex_unlock: the calling thread does not own the mutex",
    ),
    # condition variables
    (
        "signal zero",
        "+pthread_cond_init(&zero_c, 0);\npthread_cond_signal(&zero_c); // FAIL\n",
        "pthread_cond_signal: the condition variable was never initialised",
    ),
    (
        "broadcast zero",
        "+pthread_cond_init(&zero_c, 0);\npthread_cond_broadcast(&zero_c); // FAIL\n",
        "pthread_cond_broadcast: the condition variable was never initialised",
    ),
    (
        "destroy cond zero",
        "+pthread_cond_init(&zero_c, 0);\npthread_cond_destroy(&zero_c); // FAIL\n",
        "pthread_cond_destroy: the condition variable was never initialised",
    ),
    (
        "wait zero",
        "LOCK;\n-pthread_cond_wait(&zero_c, &m); // FAIL\n",
        "pthread_cond_wait: the condition variable was never initialised",
    ),
    (
        "wait with mutex zero",
        "-pthread_cond_wait(&c, &zero); // FAIL\n",
        "pthread_cond_wait: the mutex is not initialised",
    ),
]


@pytest.mark.parametrize("body, message", [row[1:] for row in MISUSES], ids=[row[0] for row in MISUSES])
def test_misuse_in_main(tmp_path: Path, body: str, message: str) -> None:
    program = main(dedent(body) + "reach_error(); // FAIL\n")
    zeroed = "&zero" in body and message.endswith(("was never initialised", "is not initialised"))
    claim(check(tmp_path, program, 1, good=False, strict_posix=zeroed), message)
    if zeroed:  # works as one that has been initialised
        unowned = "unlock" in body or ", &zero)" in body
        words = f"{message.partition(':')[0]}: the calling thread does not own the mutex" if unowned else REACHED
        claim(check(tmp_path, program, 1, good=False), words)
    claim(check(tmp_path, program, 1, good=True), REACHED)


# (name, program, rounds, what is violated). The good twin violates nothing.
VIOLATIONS = [
    (
        "wait with another's mutex",
        """\
        void *locks(void *arg) { LOCK; return 0; }
        int main(void) {
        START(t, locks); pthread_join(t, 0);
        +exit(0);
        pthread_cond_wait(&c, &m); // FAIL
        }
        """,
        1,
        "pthread_cond_wait: the calling thread does not own the mutex",
    ),
    (
        "destroy the mutex of a wait",
        """\
        void *waits(void *arg) {
        LOCK; x = 1;
        pthread_cond_wait(&c, &m); // FAIL
        return 0; }
        int main(void) {
        START(t, waits);
        LOCK; __VERIFIER_assume(x); UNLOCK;
        -pthread_mutex_destroy(&m);
        pthread_cond_signal(&c);
        pthread_join(t, 0);
        }
        """,
        2,
        "pthread_cond_wait: the mutex has been destroyed",
    ),
    (
        "an atomic section is one step",
        """\
        void *add(void *arg) {
        +__VERIFIER_atomic_begin();
        int l = x; x = l + 1;
        +__VERIFIER_atomic_end();
        return 0; }
        int main(void) { START(t, add); START(u, add); pthread_join(t, 0); pthread_join(u, 0);
        assert(x == 2); } // FAIL
        """,
        2,
        "assertion `x == 2`",
    ),
    (
        "a nested atomic section ends with the outer one",
        """\
        void *add(void *arg) {
        __VERIFIER_atomic_begin();
        +__VERIFIER_atomic_begin();
        z = 1;
        __VERIFIER_atomic_end();
        int l = x; x = l + 1;
        +__VERIFIER_atomic_end();
        return 0; }
        int main(void) { START(t, add); START(u, add); pthread_join(t, 0); pthread_join(u, 0);
        assert(x == 2); } // FAIL
        """,
        2,
        "assertion `x == 2`",
    ),
    (
        "an atomic function that returns in a branch",
        """\
        -void add_one(int early) { int l = x; if (early) { x = l + 1; return; } y = l; x = y + 1; }
        +void __VERIFIER_atomic_one(int early) { int l = x; if (early) { x = l + 1; return; } y = l; x = y + 1; }
        +#define add_one __VERIFIER_atomic_one
        void *early(void *arg) { add_one(1); return 0; }
        void *late(void *arg) { add_one(0); return 0; }
        int main(void) { START(t, early); START(u, late); pthread_join(t, 0); pthread_join(u, 0);
        assert(x == 2); } // FAIL
        """,
        2,
        "assertion `x == 2`",
    ),
    (
        "behind an early return of an atomic function others run",
        """\
        void __VERIFIER_atomic_set(int early) { if (early) { x = 1; return; } x = 2; }
        void *sets(void *arg) {
        +__VERIFIER_atomic_begin();
        __VERIFIER_atomic_set(1); y = x;
        assert(x == y); // FAIL
        +__VERIFIER_atomic_end();
        return 0; }
        void *other(void *arg) { x = 3; return 0; }
        int main(void) { START(t, sets); START(u, other); pthread_join(t, 0); pthread_join(u, 0); }
        """,
        2,
        "assertion `x == y`",
    ),
    (
        "an assumption restricts",
        """\
        int main(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v > 3);
        -assert(v > 4); // FAIL
        +assert(v > 3);
        }
        """,
        1,
        "assertion `v > 4`",
    ),
    (
        "a thread knows its name before its creator does",
        """\
        void *f(void *arg) {
        +LOCK; UNLOCK;
        assert(pthread_equal(pthread_self(), t)); // FAIL
        return 0; }
        int main(void) { LOCK; START(t, f); UNLOCK; pthread_join(t, 0); }
        """,
        2,
        "assertion `pthread_equal(pthread_self(), t)`",
    ),
    (
        "a wait ends by a signal only",
        """\
        void *waits(void *arg) { LOCK; x = 1; pthread_cond_wait(&c, &m);
        assert(y == 1); // FAIL
        UNLOCK; return 0; }
        int main(void) { START(t, waits); LOCK;
        -pthread_cond_signal(&c);
        +if (x) { y = 1; pthread_cond_signal(&c); }
        UNLOCK; pthread_join(t, 0); }
        """,
        2,
        "assertion `y == 1`",
    ),
    (
        "a wait takes the mutex again",
        """\
        void *waits(void *arg) { LOCK; x = 1; pthread_cond_wait(&c, &m);
        assert(y == 0); // FAIL
        UNLOCK; return 0; }
        int main(void) { START(t, waits); LOCK;
        if (x) { pthread_cond_signal(&c);
        -UNLOCK;
        y = 1; y = 0;
        +UNLOCK;
        } pthread_join(t, 0); }
        """,
        2,
        "assertion `y == 0`",
    ),
    (
        "a waiting thread holds the mutex when it goes on",
        """\
        void *waits(void *arg) { LOCK; x = 1; pthread_cond_wait(&c, &m);
        -UNLOCK;
        assert(pthread_mutex_trylock(&m) == EBUSY); // FAIL
        return 0; }
        int main(void) { START(t, waits); LOCK; __VERIFIER_assume(x); pthread_cond_signal(&c); UNLOCK;
        pthread_join(t, 0); }
        """,
        2,
        "assertion `pthread_mutex_trylock(&m) == EBUSY`",
    ),
]


@pytest.mark.parametrize(
    "program, rounds, description", [row[1:] for row in VIOLATIONS], ids=[row[0] for row in VIOLATIONS]
)
def test_what_can_happen_and_what_prevents_it(tmp_path: Path, program: str, rounds: int, description: str) -> None:
    claim(check(tmp_path, program, rounds, good=False, **SIGNALLED), description)
    assert check(tmp_path, program, rounds, good=True, **SIGNALLED).verdict is not Verdict.FALSE


# (name, program, rounds). The end is not reached; in the good twin it is.
BLOCKED = [
    ("lock one's own normal mutex", "LOCK;\n-LOCK;\n", 1),
    ("exit()", "-exit(0);\n", 1),
    ("exit() with a failure", "-exit(1);\n", 1),
    ("abort()", "-abort();\n", 1),
    ("an assumption that does not hold", "-__VERIFIER_assume(x == 1);\n+__VERIFIER_assume(x == 0);\n", 1),
    (
        "signal without waiters",
        "LOCK;\n-pthread_cond_signal(&c);\n+START(t, signaller);\npthread_cond_wait(&c, &m);\n",
        1,
    ),
    (
        "broadcast without waiters",
        "LOCK;\n-pthread_cond_broadcast(&c);\n+START(t, signaller);\npthread_cond_wait(&c, &m);\n",
        1,
    ),
    ("a wait that nobody ends", "LOCK;\n-pthread_cond_wait(&c, &m);\n", 1),
    (
        "one signal for two waiters",
        """\
        START(t, waiter); START(u, waiter); LOCK; __VERIFIER_assume(x == 2);
        pthread_cond_signal(&c);
        +pthread_cond_signal(&c);
        UNLOCK; pthread_join(t, 0); pthread_join(u, 0);
        """,
        2,
    ),
    (
        "a broadcast for two waiters",
        """\
        START(t, waiter); START(u, waiter); LOCK; __VERIFIER_assume(x == 2);
        -pthread_cond_signal(&c);
        +pthread_cond_broadcast(&c);
        UNLOCK; pthread_join(t, 0); pthread_join(u, 0);
        """,
        2,
    ),
    (
        "the first of two waiters",
        """\
        START(t, waiter); START(u, waiter); LOCK; __VERIFIER_assume(x == 2);
        +pthread_cond_signal(&c);
        UNLOCK; pthread_join(t, 0);
        """,
        2,
    ),
    (
        "the second of two waiters",
        """\
        START(t, waiter); START(u, waiter); LOCK; __VERIFIER_assume(x == 2);
        +pthread_cond_signal(&c);
        UNLOCK; pthread_join(u, 0);
        """,
        2,
    ),
    (
        "signals are not saved up",
        """\
        START(t, waiter); LOCK;
        -__VERIFIER_assume(x == 0);
        +__VERIFIER_assume(x == 1);
        pthread_cond_signal(&c); pthread_cond_signal(&c);
        UNLOCK; pthread_join(t, 0);
        """,
        2,
    ),
]


@pytest.mark.parametrize("body, rounds", [row[1:] for row in BLOCKED], ids=[row[0] for row in BLOCKED])
def test_what_does_not_go_on(tmp_path: Path, body: str, rounds: int) -> None:
    program = main(dedent(body) + "reach_error(); // FAIL\n")
    assert check(tmp_path, program, rounds, good=False, **SIGNALLED).verdict is not Verdict.FALSE
    claim(check(tmp_path, program, rounds, good=True, **SIGNALLED), REACHED)


ENDS = [
    (
        "main returns",
        """\
        void *joins(void *arg) { pthread_join(u, 0);
        reach_error(); return 0; } // FAIL
        int main(void) { u = pthread_self(); START(t, joins);
        -return 0; }
        +pthread_exit(0); }
        """,
    ),
    (
        "main falls off its end",
        """\
        void *joins(void *arg) { pthread_join(u, 0);
        reach_error(); return 0; } // FAIL
        int main(void) { u = pthread_self(); START(t, joins);
        +pthread_exit(0);
        }
        """,
    ),
    (
        "a thread calls exit",
        """\
        void *ends(void *arg) {
        -exit(0);
        return 0; }
        int main(void) { START(t, ends); pthread_join(t, 0);
        reach_error(); } // FAIL
        """,
    ),
    (
        "a thread calls abort",
        """\
        void *ends(void *arg) {
        -abort();
        return 0; }
        int main(void) { START(t, ends); pthread_join(t, 0);
        reach_error(); } // FAIL
        """,
    ),
    (
        "a thread ends itself in a function",
        """\
        void inner(int end) { if (end) pthread_exit((void *)5); }
        void *ends(void *arg) {
        -inner(1);
        +inner(0);
        reach_error(); // FAIL
        return 0; }
        int main(void) { START(t, ends); pthread_join(t, 0); }
        """,
    ),
]


@pytest.mark.parametrize("program", [row[1] for row in ENDS], ids=[row[0] for row in ENDS])
def test_ends(tmp_path: Path, program: str) -> None:
    assert check(tmp_path, program, 2, good=False).verdict is not Verdict.FALSE
    claim(check(tmp_path, program, 2, good=True), REACHED)


# (name, program, rounds): all assertions hold, and the end is reached.
HOLDS = [
    # threads
    (
        "an argument and a result",
        "int main(void) { pthread_create(&t, 0, echo, &x); pthread_join(t, &r); assert(r == &x);",
        1,
    ),
    (
        "joining in another order",
        """\
        int main(void) { pthread_create(&t, 0, echo, &x); pthread_create(&u, 0, echo, &y);
        assert(pthread_join(u, &s) == 0); assert(pthread_join(t, &r) == 0); assert(r == &x); assert(s == &y);
        """,
        1,
    ),
    (
        "a join waits for the end",
        """\
        void *f(void *arg) { x = 1; x = 2; return 0; }
        int main(void) { START(t, f); pthread_join(t, 0); assert(x == 2);
        """,
        2,
    ),
    (
        "pthread_exit gives the result",
        """\
        void inner(void) { pthread_exit(&x); }
        void *f(void *arg) { inner(); x = 1; return 0; }
        int main(void) { START(t, f); pthread_join(t, &r); assert(r == &x); assert(x == 0);
        """,
        1,
    ),
    (
        "threads outlive a main that exits",
        "void *f(void *arg) { pthread_join(u, &r); assert(r == &x); END; return 0; }\n"
        "int main(void) { u = pthread_self(); START(t, f); pthread_exit(&x);",
        2,
    ),
    (
        "joining oneself",
        "void *f(void *arg) { assert(pthread_join(pthread_self(), 0) == EDEADLK); return 0; }\n"
        "int main(void) { assert(pthread_join(pthread_self(), 0) == EDEADLK); START(t, f); pthread_join(t, 0);",
        1,
    ),
    (
        "names of threads",
        """\
        void *f(void *arg) { LOCK; UNLOCK; assert(pthread_equal(pthread_self(), t));
        assert(!pthread_equal(pthread_self(), u)); return 0; }
        int main(void) { u = pthread_self(); LOCK; assert(pthread_create(&t, 0, f, 0) == 0); UNLOCK;
        pthread_join(t, 0); assert(pthread_equal(u, pthread_self())); assert(!pthread_equal(t, u));
        """,
        1,
    ),
    (
        "a detached thread runs",
        """\
        void *f(void *arg) { LOCK; x = 1; pthread_cond_signal(&c); UNLOCK; return 0; }
        int main(void) { START(t, f); assert(pthread_detach(t) == 0);
        LOCK; if (!x) pthread_cond_wait(&c, &m); assert(x == 1);
        """,
        2,
    ),
    (
        "attributes of threads",
        """\
        int main(void) { int state; assert(pthread_attr_init(&attr) == 0);
        assert(pthread_attr_getdetachstate(&attr, &state) == 0); assert(state == PTHREAD_CREATE_JOINABLE);
        assert(pthread_attr_setdetachstate(&attr, 2) == EINVAL);
        assert(pthread_attr_setdetachstate(&attr, -1) == EINVAL);
        pthread_attr_getdetachstate(&attr, &state); assert(state == PTHREAD_CREATE_JOINABLE);
        assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
        pthread_attr_getdetachstate(&attr, &state); assert(state == PTHREAD_CREATE_DETACHED);
        assert(pthread_attr_destroy(&attr) == 0);
        """,
        1,
    ),
    # mutexes
    (
        "attributes of mutexes",
        """\
        int main(void) { int kind; assert(pthread_mutexattr_init(&type) == 0);
        assert(pthread_mutexattr_gettype(&type, &kind) == 0); assert(kind == PTHREAD_MUTEX_DEFAULT);
        assert(pthread_mutexattr_settype(&type, 4) == EINVAL); assert(pthread_mutexattr_settype(&type, -1) == EINVAL);
        pthread_mutexattr_gettype(&type, &kind); assert(kind == PTHREAD_MUTEX_NORMAL);
        assert(pthread_mutexattr_settype(&type, PTHREAD_MUTEX_ERRORCHECK) == 0);
        pthread_mutexattr_gettype(&type, &kind); assert(kind == PTHREAD_MUTEX_ERRORCHECK);
        assert(pthread_mutex_init(&zero, &type) == 0); assert(pthread_mutexattr_destroy(&type) == 0);
        pthread_mutex_lock(&zero); assert(pthread_mutex_lock(&zero) == EDEADLK);
        """,
        1,
    ),
    (
        "the life of a mutex",
        """\
        int main(void) { assert(pthread_mutex_init(&zero, 0) == 0); assert(pthread_mutex_lock(&zero) == 0);
        assert(pthread_mutex_trylock(&zero) == EBUSY); assert(pthread_mutex_unlock(&zero) == 0);
        assert(pthread_mutex_trylock(&zero) == 0); assert(pthread_mutex_unlock(&zero) == 0);
        assert(pthread_mutex_destroy(&zero) == 0); assert(pthread_mutex_init(&zero, 0) == 0);
        assert(pthread_mutex_lock(&zero) == 0);
        """,
        1,
    ),
    (
        "an errorcheck mutex",
        """\
        int main(void) { assert(pthread_mutex_unlock(&chk) == EPERM); assert(pthread_mutex_lock(&chk) == 0);
        assert(pthread_mutex_lock(&chk) == EDEADLK); assert(pthread_mutex_trylock(&chk) == EBUSY);
        assert(pthread_mutex_unlock(&chk) == 0); assert(pthread_mutex_unlock(&chk) == EPERM);
        """,
        1,
    ),
    (
        "an errorcheck mutex of another",
        """\
        void *f(void *arg) { assert(pthread_mutex_unlock(&chk) == EPERM); assert(pthread_mutex_trylock(&chk) == EBUSY);
        return 0; }
        int main(void) { pthread_mutex_lock(&chk); START(t, f); pthread_join(t, 0);
        assert(pthread_mutex_unlock(&chk) == 0);
        """,
        1,
    ),
    (
        "a recursive mutex",
        """\
        int main(void) { assert(pthread_mutex_unlock(&rec) == EPERM); assert(pthread_mutex_lock(&rec) == 0);
        assert(pthread_mutex_lock(&rec) == 0); assert(pthread_mutex_trylock(&rec) == 0);
        assert(pthread_mutex_unlock(&rec) == 0); assert(pthread_mutex_unlock(&rec) == 0);
        assert(pthread_mutex_unlock(&rec) == 0); assert(pthread_mutex_unlock(&rec) == EPERM);
        assert(pthread_mutex_destroy(&rec) == 0);
        """,
        1,
    ),
    (
        "a recursive mutex of another",
        """\
        void *busy(void *arg) { assert(pthread_mutex_trylock(&rec) == EBUSY);
        assert(pthread_mutex_unlock(&rec) == EPERM); return 0; }
        void *free_now(void *arg) { assert(pthread_mutex_trylock(&rec) == 0); return 0; }
        int main(void) { pthread_mutex_lock(&rec); pthread_mutex_lock(&rec); pthread_mutex_unlock(&rec);
        START(t, busy); pthread_join(t, 0);
        pthread_mutex_unlock(&rec); START(u, free_now); pthread_join(u, 0);
        """,
        2,
    ),
    (
        "a mutex is free when its owner lets it go",
        """\
        void *f(void *arg) { LOCK; assert(y == 0); x = 1; UNLOCK; return 0; }
        int main(void) { LOCK; START(t, f); y = 1; y = 0; assert(x == 0); UNLOCK; pthread_join(t, 0); assert(x == 1);
        """,
        2,
    ),
    # condition variables
    (
        "the life of a condition variable",
        """\
        int main(void) { assert(pthread_cond_init(&zero_c, 0) == 0); assert(pthread_cond_signal(&zero_c) == 0);
        assert(pthread_cond_broadcast(&zero_c) == 0); assert(pthread_cond_destroy(&zero_c) == 0);
        assert(pthread_cond_init(&zero_c, 0) == 0); assert(pthread_cond_signal(&zero_c) == 0);
        """,
        1,
    ),
    (
        "a wait lets the mutex go",
        """\
        void *f(void *arg) { LOCK; x = 1; assert(pthread_cond_wait(&c, &m) == 0); assert(y == 1); UNLOCK; return 0; }
        int main(void) { START(t, f); LOCK; __VERIFIER_assume(x); y = 1; pthread_cond_signal(&c); UNLOCK;
        pthread_join(t, 0); assert(pthread_mutex_trylock(&m) == 0);
        """,
        2,
    ),
]


@pytest.mark.parametrize("program, rounds", [row[1:] for row in HOLDS], ids=[row[0] for row in HOLDS])
def test_what_always_holds(tmp_path: Path, program: str, rounds: int) -> None:
    program = dedent(program) + ("\n" if "END;" in program else "\nEND;\n") + "return 0; }\n"
    silent = check(tmp_path, "#define END\n" + program, rounds, **SIGNALLED)
    assert silent.verdict is not Verdict.FALSE, silent.violated
    program = program.replace("END;", "\nreach_error(); // FAIL\n")
    claim(check(tmp_path, program, rounds, **SIGNALLED), REACHED)


@pytest.mark.parametrize(
    "statement, description",
    [
        ("reach_error();", REACHED),
        ("__VERIFIER_error();", "__VERIFIER_error() is reached"),
        ("assert(x);", "assertion `x`"),
        ("if (!x) { ERROR: x = 1; }", "the label ERROR is reached"),
    ],
)
def test_claims(tmp_path: Path, statement: str, description: str) -> None:
    program = "void __VERIFIER_error(void);\n" + main(f"-{statement} // FAIL\n")
    claim(check(tmp_path, program, 1, good=False), description)
    assert check(tmp_path, program, 1, good=True).verdict is Verdict.TRUE


@pytest.mark.parametrize("engine", ["cbmc", "native"])
@pytest.mark.parametrize(
    "call, said",
    [
        ("pthread_setcanceltype(x, &y)", "asynchronous cancellation is not followed"),
    ],
)
def test_what_is_not_modelled_is_a_bound_and_no_violation(tmp_path: Path, engine: str, call: str, said: str) -> None:
    text = PREFIX + f"int main(void) {{ x = %d; {call}; return 0; }}\n"
    path = tmp_path / "program.c"
    path.write_text(text % 1)
    outcome = cseq.verify(path, backend=engine)
    assert outcome.verdict is Verdict.UNKNOWN and outcome.exit_status == 0
    assert [bound_text(bound).partition(": ")[2] for bound in outcome.bounds] == [said]
    path.write_text(text % 0)
    assert cseq.verify(path, backend=engine).verdict is Verdict.TRUE
