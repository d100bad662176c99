"""What is said of a deadlock, from the replay of its counterexample."""

from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Outcome, Verdict
from cseq.report.actions import events
from cseq.report.words import description, message

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)"),
]

HEAD = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#define M(x) pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER
"""

Check = Callable[..., Outcome]


@pytest.fixture
def found(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Check:
    """``found(text)``: what is found out of deadlocks in the program *text*, which is in a file ``a.c`` from line 1."""
    monkeypatch.chdir(tmp_path)

    def check(text: str, rounds: int = 2, unwind: int = 1, **parameters: Any) -> Outcome:
        (tmp_path / "head.h").write_text(HEAD)
        (tmp_path / "a.c").write_text('#include "head.h"\n' + dedent(text).lstrip("\n"))
        outcome = cseq.verify("a.c", rounds=rounds, unwind=unwind, deadlock=True, timeout=60, **parameters)
        return outcome.of("no-deadlock")

    return check


def told(outcome: Outcome) -> list[str]:
    """The parts of the description."""
    assert outcome.verdict is Verdict.FALSE, (outcome.verdict, message(outcome))
    assert outcome.violated is not None and outcome.violated.name == "deadlock"
    return description(outcome.violated).removeprefix("deadlock: ").split("; ")


CIRCLE = """
M(m0); M(m1); int n;
void *writer(void *arg) {
    pthread_mutex_lock(&m0);
    n++;
    pthread_mutex_lock(&m1);
    pthread_mutex_unlock(&m1);
    pthread_mutex_unlock(&m0);
    return 0;
}
void *reader(void *arg) {
    pthread_mutex_lock(&m1);
    pthread_mutex_lock(&m0);
    pthread_mutex_unlock(&m0);
    pthread_mutex_unlock(&m1);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, reader, 0);
    pthread_create(&u, 0, writer, 0);
}
"""


def test_a_circle(found: Check) -> None:
    outcome = found(CIRCLE, rounds=1)
    assert told(outcome) == [
        "reader (thread 1) holds `m1` since a.c:12 and waits for `m0` at a.c:13",
        "writer (thread 2) holds `m0` since a.c:4 and waits for `m1` at a.c:6",
    ]
    assert outcome.violated is not None and outcome.counterexample is not None
    steps = outcome.counterexample.steps
    assert [(str(s.thread), s.origin.line, events(s)) for s in steps if s.stands] == [
        ("reader (thread 1)", 13, ["waits for m0, held by writer (thread 2) since a.c:4"]),
        ("writer (thread 2)", 6, ["waits for m1, held by reader (thread 1) since a.c:12"]),
    ]
    assert [s.stands for s in steps[-3:]] == [False, True, True]
    assert [(s.thread.number, [w.number for w in s.who], s.in_circle) for s in outcome.counterexample.stuck] == [
        (1, [2], True),
        (2, [1], True),
    ]
    assert [[(h.name, h.since.line) for h in s.holds] for s in outcome.counterexample.stuck] == [
        [("m1", 12)],
        [("m0", 4)],
    ]


def test_the_place_is_where_the_last_one_got_stuck(found: Check) -> None:
    outcome = found(CIRCLE, rounds=1)
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert outcome.violated.origin.line == 6  # in one round, writer comes last
    assert message(outcome) == ""


def test_who_waits_for_the_circle_comes_behind_it(found: Check) -> None:
    program = CIRCLE.replace("writer, 0);\n}", "writer, 0);\n    pthread_join(t, 0);\n}").replace(
        "pthread_create(&u, 0, writer, 0);", "pthread_create(&u, 0, writer, 0); pthread_detach(u);"
    )
    parts = told(found(program + "\n", rounds=1))
    assert parts[:2] == [
        "reader (thread 1) holds `m1` since a.c:12 and waits for `m0` at a.c:13",
        "writer (thread 2) holds `m0` since a.c:4 and waits for `m1` at a.c:6",
    ]
    assert parts[2:] in ([], ["main waits at a.c:22 for reader (thread 1) to end"])


STUCK: dict[str, tuple[str, list[str]]] = {
    "a mutex that the thread holds itself": (
        "M(m);\nint main(void) {\n pthread_mutex_lock(&m);\n pthread_mutex_lock(&m);\n}",
        ["main waits at a.c:5 for `m`, which it holds itself since a.c:4"],
    ),
    "a mutex of a thread that has ended": (
        """
        M(m);
        void *worker(void *arg) { pthread_mutex_lock(&m); return 0; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, worker, 0);
            pthread_join(t, 0);
            pthread_mutex_lock(&m);
        }
        """,
        ["main waits at a.c:8 for `m`, held by worker (thread 1) since a.c:3, which has ended"],
    ),
    "a signal": (
        """
        M(m); pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        void *worker(void *arg) {
            pthread_mutex_lock(&m);
            pthread_cond_wait(&c, &m);
            return 0;
        }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, worker, 0);
            pthread_join(t, 0);
        }
        """,
        [
            "worker (thread 1) waits at a.c:5 for a signal on `c`, and no thread is left to send one",
            "main waits at a.c:11 for worker (thread 1) to end",
        ],
    ),
    "a signal, and a mutex behind it": (
        """
        M(m); pthread_cond_t c = PTHREAD_COND_INITIALIZER; int asleep;
        void *worker(void *arg) {
            pthread_mutex_lock(&m);
            asleep = 1;
            pthread_cond_wait(&c, &m);
            return 0;
        }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, worker, 0);
            pthread_mutex_lock(&m);
            if (asleep)
                pthread_join(t, 0);
            return 0;
        }
        """,
        [
            "main holds `m` since a.c:12 and waits for worker (thread 1) to end at a.c:14",
            "worker (thread 1) waits for a signal on `c` and for `m` at a.c:6",
        ],
    ),
    "a mutex behind a signal": (
        """
        M(m); pthread_cond_t c = PTHREAD_COND_INITIALIZER; int asleep;
        void *worker(void *arg) {
            pthread_mutex_lock(&m);
            asleep = 1;
            pthread_cond_wait(&c, &m);
            return 0;
        }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, worker, 0);
            pthread_mutex_lock(&m);
            pthread_cond_broadcast(&c);
            if (asleep)
                pthread_join(t, 0);
            return 0;
        }
        """,
        [
            "main holds `m` since a.c:12 and waits for worker (thread 1) to end at a.c:15",
            "worker (thread 1) waits for `m` at a.c:6",
        ],
    ),
    "a semaphore": (
        "int main(void) {\n sem_t s;\n sem_init(&s, 0, 0);\n sem_wait(&s);\n}",
        ["main waits at a.c:5 for semaphore `s`, whose value is 0, and no thread is left to post it"],
    ),
    "a barrier": (
        "int main(void) {\n pthread_barrier_t b;\n pthread_barrier_init(&b, 0, 2);\n pthread_barrier_wait(&b);\n}",
        ["main waits at a.c:5 for the others at barrier `b`, where 1 of 2 has arrived"],
    ),
    "the thread itself": (
        "int main(void) {\n pthread_join(pthread_self(), 0);\n}",
        ["main waits at a.c:3 for itself to end"],
    ),
    "a read-write lock that it reads itself": (
        """
        pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
        int main(void) {
            pthread_rwlock_rdlock(&l);
            pthread_rwlock_wrlock(&l);
        }
        """,
        ["main waits at a.c:5 to lock `l` for writing, which it holds itself since a.c:4"],
    ),
    "a routine that runs once": (
        """
        pthread_once_t once = PTHREAD_ONCE_INIT;
        void nothing(void) { }
        void routine(void) { pthread_once(&once, nothing); }
        int main(void) { pthread_once(&once, routine); }
        """,
        ["main waits at a.c:4 for the routine of `once`, which it runs itself since a.c:5"],
    ),
    "a spin lock that the thread holds itself": (
        "pthread_spinlock_t l;\nint main(void) {\n pthread_spin_init(&l, 0);\n pthread_spin_lock(&l);\n"
        " pthread_spin_lock(&l);\n}",
        ["main waits at a.c:6 for `l`, which it holds itself since a.c:5"],
    ),
}


@pytest.mark.parametrize("name", STUCK)
def test_what_is_waited_for(name: str, found: Check) -> None:
    program, words = STUCK[name]
    assert told(found(program, unwind=2)) == words


def test_one_reader_of_several_that_is_stuck_is_named(found: Check) -> None:
    program = """
        pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; M(m);
        void *passes(void *arg) { pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); return 0; }
        void *keeps(void *arg) { pthread_rwlock_rdlock(&l); return 0; }
        int main(void) {
            pthread_t t, u;
            pthread_create(&t, 0, passes, 0);
            pthread_create(&u, 0, keeps, 0);
            pthread_join(u, 0);
            pthread_rwlock_wrlock(&l);
        }
        """
    words = "main waits at a.c:10 to lock `l` for writing, held by keeps (thread 2) since a.c:4, which has ended"
    assert told(found(program)) == [words]


@pytest.mark.parametrize(
    "objects, expression, name",
    [
        ("pthread_mutex_t forks[3] = { [1] = PTHREAD_MUTEX_INITIALIZER };", "&forks[i]", "forks[1]"),
        ("struct { int n; M(lock); } a[2];", "&a[i].lock", "a[1].lock"),
        ("struct { struct { M(lock); }; } s;", "&s.lock", "s.lock"),
        ("M(m); pthread_mutex_t *p = &m;", "p", "m"),
        ("M(m); pthread_mutex_t *p[2] = { 0, &m };", "p[i]", "m"),
        ("static union { int n; M(lock); } u;", "&u.lock", "u.lock"),
    ],
)
def test_objects_at_file_level_have_their_names(found: Check, objects: str, expression: str, name: str) -> None:
    objects = objects.replace("M(lock)", "pthread_mutex_t lock")
    initialised = "" if "INITIALIZER" in objects or "M(" in objects else f"pthread_mutex_init({expression}, 0);"
    program = f"""
        {objects}
        int i = 1;
        int main(void) {{
            {initialised} pthread_mutex_lock({expression});
            pthread_mutex_lock({expression});
        }}
        """
    assert told(found(program)) == [f"main waits at a.c:6 for `{name}`, which it holds itself since a.c:5"]


def test_what_has_no_name_is_called_as_the_thread_calls_it(found: Check) -> None:
    program = """
        int main(void) {
            pthread_mutex_t *lock = malloc(sizeof *lock);
            pthread_mutex_init(lock, 0);
            pthread_mutex_lock(lock);
            pthread_mutex_lock(lock);
        }
        """
    assert told(found(program)) == ["main waits at a.c:6 for `lock`, which it holds itself since a.c:5"]


def test_a_local_of_main_has_its_name_in_other_threads(found: Check) -> None:
    program = """
        void *worker(void *arg) { pthread_mutex_lock(arg); pthread_mutex_lock(arg); return 0; }
        int main(void) {
            M(mine);
            pthread_t t;
            pthread_create(&t, 0, worker, &mine);
            pthread_join(t, 0);
        }
        """
    assert told(found(program))[0] == "worker (thread 1) waits at a.c:2 for `mine`, which it holds itself since a.c:2"


def test_the_way_to_the_call_is_known(found: Check) -> None:
    outcome = found("M(m);\nstatic void f(void) { pthread_mutex_lock(&m); }\nint main(void) {\n f();\n f();\n}")
    assert outcome.counterexample is not None
    assert [call.line for call in outcome.counterexample.steps[-1].origin.path] == [6]
    assert [call.line for call in outcome.counterexample.stuck[0].holds[0].since.path] == [5]
