"""The scheduler of reproducers, in C: how runs end, what is reported, and which programs it works with."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from cseq.c.scanner import identifiers
from cseq.model.actions import Manner
from cseq.model.trace import Effect
from cseq.modules.library import primitives, stubs
from cseq.reproducer import runtime
from tests.support.scheduled_runs import ABORTED, LEFT, TIMES, Ended, compiled, ended, program, run
from tests.support.scheduled_runs import thread_name as _name

pytestmark = pytest.mark.engine

_COUNTER = """\
#include <assert.h>
#include <pthread.h>
static int counter, other;
static void *increment(void *arg)
{
    CSEQ_SPLIT(2, ACTIONS); STATEMENT; CSEQ_DONE(BEHIND);
    return arg;
}
int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, increment, NULL);
    pthread_create(&t2, NULL, increment, NULL);
    CSEQ_AT(1);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(counter + 10 * other != EXPECTED);
    return 0;
}
"""
_ALONE, _SWITCH = "0@1 1@end 2@end 0@last", "CSEQ_SWITCH(2, 1)"
_EARLY = f"CSEQ_READ(counter), CSEQ_WRITE(counter, counter + 1), {_SWITCH}"
_INSIDE, _OTHER_INSIDE = "0@1 1@2/1 2@end 1@end 0@last", "0@1 2@2/1 1@end 2@end 0@last"


@pytest.mark.parametrize(
    "statement, actions, schedules, behind",
    [
        ("counter++", f"CSEQ_UPDATE(counter), {_SWITCH}", {_INSIDE: 1, _OTHER_INSIDE: 1, _ALONE: 2}, "2"),
        # What was read is taken out again where the statement does not write it.
        ("other = counter++ + 1", f"CSEQ_UPDATE(counter), {_SWITCH}", {_INSIDE: 11, _ALONE: 22}, "2"),
        ("other += ++counter", f"CSEQ_READ(other), {_SWITCH}", {_INSIDE: 12}, "2"),
        ("other = counter += 1", _EARLY, {_INSIDE: 12}, "2"),
        ("other = counter += 1", "CSEQ_DELAY(other)", {_INSIDE: 12}, f"2, {_SWITCH}, CSEQ_APPLY(other)"),
        ("other = 3", _SWITCH, {_INSIDE: 30}, "2"),
    ],
)  # fmt: skip
def test_inside_of_a_statement(
    tmp_path: Path, statement: str, actions: str, schedules: dict[str, int], behind: str
) -> None:
    for turns, value in schedules.items():
        source = _COUNTER.replace("ACTIONS", actions).replace("STATEMENT", statement).replace("BEHIND", behind)
        found = ended(tmp_path, source.replace("EXPECTED", str(value)), turns, times=TIMES)
        assert found.status == ABORTED
        assert f"x.c:17: main: Assertion `counter + 10 * other != {value}' failed." in found.errors


_STUCK = """\
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t r = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t s;
static int turn;
static void again(void) { pthread_once(&o, again); }
static void *worker(void *arg)
{
    CSEQ_AT(1);
    switch (*(int *) arg) {
    case 1: pthread_mutex_lock(&a); CSEQ_AT(2); pthread_mutex_lock(&b); break;
    case 2: pthread_mutex_lock(&b); CSEQ_AT(2); pthread_mutex_lock(&a); break;
    case 3: pthread_mutex_lock(&r); pthread_cond_wait(&c, &r); break;
    case 4: pthread_rwlock_rdlock(&l); CSEQ_AT(2); pthread_rwlock_wrlock(&l); break;
    case 5: CSEQ_AT(2); pthread_once(&o, again); break;
    case 6: pthread_barrier_wait(&barrier); break;
    case 7: CSEQ_AT(2); pthread_spin_lock(&spin); break;
    case 8: CSEQ_AT(2); sem_wait(&s); break;
    case 9: CSEQ_AT(2); pthread_join(pthread_self(), 0); break;
    }
    turn++;
    return 0;
}
int main(void)
{
    static int numbers[10];
    pthread_t threads[10];
    sem_init(&s, 0, 0);
    pthread_barrier_init(&barrier, 0, 2);
    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    for (int i = 1; i < 10; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, worker, &numbers[i]);
    }
    CSEQ_AT(3);
    pthread_join(threads[1], 0);
    return turn;
}
"""
_STUCK_TURNS = "0@3 1@1 1@2 2@1 2@2 3@1 3@pause 4@2 5@2 6@pause 7@2 8@2 9@2"
_WAITS = [
    (1, 18, "waits for mutex b", 0),
    (2, 19, "waits for mutex a", 0),
    (3, 20, "waits for a signal of c", 1),
    (4, 21, "waits for lock l", 0),
    (5, 22, "waits for itself", 0),
    (6, 23, "waits at barrier", 0),
    (7, 24, "waits for spin", 0),
    (8, 25, "waits for s", 0),
    (9, 26, "waits for its own end", 0),
    (0, 44, "waits for worker (thread 1) to end", 0),
]
_STUCK_END = Ended(
    ABORTED,
    "",
    "\n".join(
        ["cseq: deadlock", *(f"cseq:   {_name(thread)} at x.c:{line} {text}" for thread, line, text, _ in _WAITS)]
    )
    + "\n",
)


def test_deadlock(tmp_path: Path) -> None:
    assert ended(tmp_path, _STUCK, _STUCK_TURNS, "deadlock", stuck=_WAITS, times=3) == _STUCK_END


@pytest.mark.parametrize(
    "turns, stuck",
    [
        # Nobody has the lock that it is said to wait for.
        ("0@3 1@2 2@1", _WAITS[0]),
        # It is said to have been woken, and the mutex is free.
        ("0@3 3@pause", (*_WAITS[2][:3], 0)),
        ("0@3 8@1", (1, 18, "waits for nothing", 0)),
    ],
)
def test_no_deadlock(tmp_path: Path, turns: str, stuck: tuple[int, int, str, int]) -> None:
    found = ended(tmp_path, _STUCK, f"{turns} 9@2", "deadlock", stuck=[stuck])
    assert found.status == LEFT
    assert found.errors == "cseq: left the schedule after its last turn, where threads block: the thread has ended\n"


_ENDING = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg)
{
    CSEQ_AT(1);
    BODY
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    CSEQ_AT(2);
    pthread_join(t, 0);
    CSEQ_FAIL("the end");
    return 0;
}
"""
_WORKER, _MAIN_TURN = "turn 2 of 3 (worker (thread 1), until x.c:101)", "turn 3 of 3 (main, until x.c:102)"


@pytest.mark.parametrize(
    "body, turns, errors",
    [
        ("", "0@2 1@3 0@last", f"{_WORKER}: the thread has ended"),
        ("", "0@2 1@end 1@last", "turn 3 of 3 (worker (thread 1), until x.c:102): the thread does not exist"),
        ("", "0@2 2@end 0@last", "turn 2 of 3 (worker (thread 2), until x.c:101): the thread does not exist"),
        ("exit(0);", "0@2 1@end 0@last", f"{_WORKER}: the process ends"),
        ("abort();", "0@2 1@end 0@last", f"{_WORKER}: the program is aborted or crashes"),
        ("*(volatile int *) 0 = 1;", "0@2 1@end 0@last", f"{_WORKER}: the program is aborted or crashes"),
        ("for (;;) ;", "0@2 1@end 0@last", f"{_WORKER}: it does not end"),
        ("pthread_mutex_lock(&m);", "0@2 1@end 0@last", f"{_WORKER}: the thread is blocked"),
        ("", "0@2 1@1 0@last", f"{_MAIN_TURN}: the thread is blocked"),
        ("cseq_input();", "0@2 1@end 0@last", f"{_WORKER}: it asks for an input that the counterexample does not have"),
        (
            "pthread_t t; pthread_create(&t, 0, worker, 0);",
            "0@2 1@end 0@last",
            f"{_WORKER}: it creates one more thread",
        ),
    ],
)
def test_an_execution_that_leaves_the_schedule(tmp_path: Path, body: str, turns: str, errors: str) -> None:
    """Also where the program does not come to an end, which the watch sees."""
    binary = compiled(tmp_path, program(_ENDING.replace("BODY", body), turns), "-DCSEQ_PATIENCE=30")
    assert run(binary) == Ended(LEFT, "", f"cseq: left the schedule in {errors}\n")


def test_a_claim_that_fails_too_early(tmp_path: Path) -> None:
    found = ended(tmp_path, _ENDING.replace("BODY", 'assert(!"early");'), "0@2 1@end 0@last")
    assert found.status == LEFT
    assert found.errors.endswith(f"cseq: left the schedule in {_WORKER}: the program is aborted or crashes\n")


@pytest.mark.parametrize(
    "body, status",
    [
        ('CSEQ_FAIL("again");', ABORTED),
        ("*(volatile int *) 0 = 1;", -11),
        ("exit(0);", ABORTED),
        ("", ABORTED),
        ("pthread_mutex_lock(&m);", ABORTED),
        ("pthread_spinlock_t s = 0; pthread_spin_init(&s, 0); pthread_spin_lock(&s); pthread_spin_lock(&s);", ABORTED),
        ('return CSEQ_AFTER_FAIL(CSEQ_FAIL("again"), arg);', ABORTED),
    ],
)
def test_misuse_is_told_and_executed(tmp_path: Path, body: str, status: int) -> None:
    found = ended(tmp_path, _ENDING.replace("BODY", body), "0@2 1@1 1@last", "misuse")
    more = "cseq: x.c:8: worker: again\n" if "again" in body else ""
    assert found == Ended(status, "", f"cseq: x.c:99: the message\n{more}")


def test_trace(tmp_path: Path) -> None:
    binary = compiled(tmp_path, program(_ENDING.replace("BODY", ""), "0@2 1@1 1@end 0@last"))
    assert run(binary, {"CSEQ_TRACE": "1"}).errors.split("\n")[:-1] == [
        "cseq: turn 1: main runs until x.c:100",
        "cseq: turn 2: worker (thread 1) runs until x.c:101",
        "cseq: turn 3: worker (thread 1) runs until its end at x.c:102",
        "cseq: turn 4: main runs into the violation at x.c:103",
        "cseq: x.c:18: main: the end",
    ]


_VALUES = """\
#include <pthread.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void) { return (int) cseq_input(); }
double __VERIFIER_nondet_double(void) { return cseq_input_double(); }
static void *worker(void *arg)
{
    printf("%d %d\\n", __VERIFIER_nondet_int(), *(int *) arg);
    return 0;
}
int main(void)
{
    pthread_t t;
    int i = __VERIFIER_nondet_int(), left = 7;
    double d = __VERIFIER_nondet_double();
    pthread_create(&t, 0, worker, &i);
    CSEQ_AT(7);
    pthread_join(t, 0);
    for (int k = 0; k < 2; k++) {
        signed char c = 1; CSEQ_SET(1, c); long l; CSEQ_SET(2, l); float f; CSEQ_SET(3, f); _Bool b; CSEQ_SET(4, b);
        const void *p; CSEQ_SET(5, p); CSEQ_SET(6, left);
        if (k == 1)
            printf("%d %g %d %ld %g %d %p %d\\n", i, d, c, l, f, b, p, left);
    }
    fflush(stdout);
    CSEQ_FAIL("end");
}
"""


def test_values(tmp_path: Path) -> None:
    half, quarter = "0x3fe0000000000000", "0x3fd0000000000000"
    values = ["-3", "1ull << 40", quarter, "1", "0x10"]
    rows = [f"{{0, {call}, 2, {bits}}}" for call, bits in enumerate(values, 1)]
    inputs = f"{{0, -5}}, {{1, 42}}, {{0, {half}}}"
    found = ended(tmp_path, _VALUES, "0@7 1@end 0@last", inputs=inputs, sets=", ".join(rows))
    assert found.status == ABORTED
    assert found.output == "42 -5\n-5 0.5 -3 1099511627776 0.25 1 0x10 7\n"


@cache
def _has(*command: str) -> bool:
    """Whether a program can be compiled and linked with that command."""
    if shutil.which(command[0]) is None:
        return False
    line = [*command, "-x", "c", "-", "-o", "/dev/null"]
    return subprocess.run(line, input=b"int main(void) { return 0; }", capture_output=True, check=False).returncode == 0


def _skip_without(*command: str) -> None:
    if not _has(*command):
        pytest.skip(f"{' '.join(command)} does not work here")


@pytest.mark.parametrize(
    "command",
    [
        "gcc -O2",
        "gcc -O1 -std=c11",
        "gcc -O2 -static",
        "gcc -O1 -fsanitize=address,undefined",
        "clang",
        "clang -O2 -std=c17",
        "clang -fsanitize=address",
        "musl-gcc",
    ],
)
def test_compilers(tmp_path: Path, command: str) -> None:
    """All of the text compiles without a warning; a deadlock has all threads in one run."""
    compiler, *options = command.split()
    _skip_without(compiler, *options)
    names = runtime.supported() if compiler != "musl-gcc" else set()
    headers = "".join(f"#include <{name}.h>\n" for name in ("fcntl", "semaphore", "threads", "time", "unistd"))
    pointers = "".join(f"__typeof__({name}) *const p_{name} = {name};\n" for name in sorted(names))
    source = f"#define _GNU_SOURCE\n{headers}{_STUCK}{pointers}"
    binary = compiled(tmp_path, program(source, _STUCK_TURNS, "deadlock", stuck=_WAITS), *options, compiler=compiler)
    assert run(binary) == _STUCK_END


_THREAD_SANITIZER = ("gcc", "-fsanitize=thread")


def test_turns_do_not_hide_a_race(tmp_path: Path) -> None:
    _skip_without(*_THREAD_SANITIZER)
    source = _COUNTER.replace("ACTIONS", "CSEQ_SWITCH(2, 1)").replace("STATEMENT", "counter++").replace("BEHIND", "2")
    source = source.replace("EXPECTED", "2")
    binary = compiled(tmp_path, program(source, "0@1 1@end 2@end 0@last"), "-g", "-fsanitize=thread")
    errors = run(binary).errors
    assert errors.count("WARNING: ThreadSanitizer") == 1
    assert re.search(r"SUMMARY: ThreadSanitizer: data race .*x.c:6 in increment", errors)


_OWN = """\
#define _POSIX_C_SOURCE 200809L
#define NULL ((void *) 0)
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
extern int printf(const char *, ...);
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
struct queue { int read, send; } queue;
int read(int index) { return index + 1; }
int write(int x) { return x; }
int send(int x) { return x; }
int signal(int x) { return x; }
int syscalls, pause, link, time, open, close, raise, kill;
static double y0, gamma;
int *index(int *x) { return x; }
pthread_mutex_t m;
int count;
void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    count = read(count);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;
    int (*create)(pthread_t *, const void *, void *(*)(void *), void *) = pthread_create;
    create(&t, NULL, worker, NULL);
    CSEQ_AT(1);
    if (index(&count) == &count && signal(count) == 1 && write(count) && send(1) && y0 == gamma)
        __assert_fail("count", "x.c", 36, "main");
    pthread_join(t, NULL);
}
"""


@pytest.mark.parametrize("standard", ["c99", "gnu17"])
def test_programs_declare_what_they_like(tmp_path: Path, standard: str) -> None:
    binary = compiled(tmp_path, program(_OWN, "0@1 1@end 0@last"), f"-std={standard}", "-fno-builtin")
    found = run(binary)
    assert (found.status, found.errors) == (ABORTED, "out: x.c:36: main: Assertion `count' failed.\n")


def test_whatever_lets_others_run_or_looks_at_the_time_is_replaced() -> None:
    cancellable = {name for name in primitives.PRIMITIVES if stubs.cancellable(name) in stubs.items()}
    timed = {each.name for each in primitives.ALL if any(act.manner is Manner.TIMED for act in each.acts)}
    pausing = {each.of for each in primitives.ALL if each.effect in (Effect.PAUSES, Effect.FINISHES)}
    others = {each.name for each in primitives.ALL if each.effect in (Effect.CREATES, Effect.CANCELS)}
    wanted = {name for name in cancellable | timed | pausing | others if not name.startswith("__cs_")}
    assert len(wanted) > 25
    assert wanted <= runtime.supported()


def test_macros_expand_to_names_of_the_scheduler_alone():
    """They are expanded in the user's text, where any other name may mean something else."""
    keywords = {"void", "return", "sizeof", "const", "volatile", "unsigned", "char", "int", "long", "if"}
    keywords |= {"default", "double", "float"}
    found = 0
    for path in sorted(Path(runtime.__file__).parent.glob("*.h")):
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")
        for name, parameters, body in re.findall(r"^#\s*define (CSEQ_\w+)\(([^)]*)\)(.*)$", text, re.MULTILINE):
            words = set(identifiers(body)) - set(re.findall(r"\w+", parameters)) - keywords
            found += 1
            assert [word for word in words if not re.match("cseq_|CSEQ_|__|_[A-Z]", word)] == [], name
    assert found > 15
