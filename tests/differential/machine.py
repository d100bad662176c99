"""Random programs against the machine: the verdicts against runs of the compiled program.

    python -m tests.differential.machine --seed 1 --count 100
    python -m tests.differential.machine --only pipes --only cuts --backend cbmc

Each program has operations of one to three kinds: pipes (with event counters and polls), futexes, cuts (statements
and functions that CSeq does not know, but gcc does), addresses, locks (with attributes) and conditions. It is compiled
in several ways, which place its objects differently, and run with random pauses between the operations. Then CSeq is
asked whether it can end with a value that few runs ended with, or none. A run that ends with it, or gets stuck,
contradicts a proof. The reverse is no error: no number of runs refutes a violation, so each has to come with a
counterexample, which CSeq has replayed.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cseq
from cseq.model.errors import CSeqError
from cseq.model.verdict import Verdict

PROPERTIES = ("unreach-call", "no-deadlock")

HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifndef PAUSE
#define PAUSE
#endif
atomic_int x, w;
"""

OUTSIDE = """\
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int verbose = 2;
int outside(void) { return 1; }
void fills(atomic_int *number) { *number = 3; }
static _Thread_local unsigned state;
void pauses(void)
{
    if (state == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        state = (unsigned)(now.tv_nsec ^ (uintptr_t)&state ^ getpid() * 2654435761u) | 1;
    }
    state = state * 1664525 + 1013904223;
    switch (state >> 29) {
    case 0: case 1: usleep((state >> 16) % 300); break;
    case 2: sched_yield(); break;
    }
}
"""
"""The functions and objects that the programs only declare, which runs need, and the pauses."""

WAYS = (("-O0",), ("-O1", "-fno-toplevel-reorder"), ("-O2",))
"""Options of gcc. They differ in the order of objects in memory."""

SURROUNDINGS: tuple[dict[str, str], ...] = ({}, {"MALLOC_MMAP_THRESHOLD_": "1"}, {"MALLOC_ARENA_MAX": "1"})
"""Variables with which malloc places blocks upwards, downwards, and those of all threads in one region."""

RESULT = "RESULT"
RUNS = 60
_WATCHED = 0.06
"""Seconds between two looks at the threads of a run that takes long."""
_LONGEST = 3.0
"""Seconds after which a run is given up that neither ends nor is stuck."""


# The kinds of operations. Each kind: what is declared, what main does first, and an operation


def _pipes(rng: random.Random) -> str:
    pipe, value = rng.randrange(2), rng.randrange(1, 4)
    write = f"{{ char b = {value}; write(p[{pipe}][1], &b, 1); }}"
    polled = f"struct pollfd f = {{p[{pipe}][0], POLLIN, 0}}"
    return rng.choice((
        write,
        write,
        f"{{ char b = 0; if (read(p[{pipe}][0], &b, 1) == 1) x += b; }}",
        f"{{ char b[2] = {{0}}; if (read(p[{pipe}][0], b, 2) == 2) x += 10; }}",
        f"{{ {polled}; if (poll(&f, 1, {rng.choice((-1, 0, 1))}) == 1) x += f.revents & POLLIN; }}",
        f"close(p[{pipe}][1]);",
        "{ uint64_t c = 1; write(e, &c, 8); }",
        "{ uint64_t c = 0; read(e, &c, 8); x += c; }",
    ))  # fmt: skip


def _opened(rng: random.Random) -> Iterator[str]:
    for number in range(2):
        yield f"pipe2(p[{number}], {rng.choice(('0', '0', 'O_NONBLOCK'))});"
    yield f"e = eventfd({rng.randrange(3)}, {rng.choice(('0', 'EFD_SEMAPHORE'))});"


def _futexes(rng: random.Random) -> str:
    return rng.choice((
        "if (w == 0) syscall(SYS_futex, &w, FUTEX_WAIT, 0, 0, 0, 0);",
        "while (w == 0) syscall(SYS_futex, &w, FUTEX_WAIT, 0, 0, 0, 0);",
        f"w = 1; PAUSE syscall(SYS_futex, &w, FUTEX_WAKE, {rng.choice((1, 1, 2))}, 0, 0, 0);",
        "if (syscall(SYS_futex, &w, FUTEX_WAIT, 1, 0, 0, 0) == -1) x += errno == EAGAIN;",
        "{ struct timespec t = {0, 1000000}; if (syscall(SYS_futex, &w, FUTEX_WAIT, 0, &t, 0, 0)) x += 1; }",
        "x += syscall(SYS_futex, &w, FUTEX_WAKE, 2, 0, 0, 0);",
    ))  # fmt: skip


def _cuts(rng: random.Random) -> str:
    value, label = rng.randrange(4), rng.randrange(10**6)
    unknown = rng.choice((
        "x += outside();",
        "while (x < 3) { PAUSE x += outside(); }",
        "fills(&x);",
        "x += verbose;",
        '__asm__ volatile("rolb $1, %0" : "+m"(x));',
        f"{{ void *to[] = {{ &&odd{label}, &&even{label} }}; goto *to[x & 1]; odd{label}: x = 2; even{label}: x++; }}",
        "{ _Complex double z = x; x = z != 0; }",
        "{ jmp_buf b; if (!setjmp(b)) longjmp(b, 1); x++; }",
        "x += 1 - system(0);",
    ))  # fmt: skip
    condition = rng.choice((f"x == {value}", f"w > {value}", f"x > {value + 1}", "w && !x", f"x == {value + 20}"))
    return rng.choice((f"if ({condition}) {{ {unknown} }}",) * 4 + (unknown, "w++;", "w = w + 1;"))


def _addresses(rng: random.Random) -> str:
    own, other = rng.sample(("a", "b", "c"), 2)
    block = rng.randrange(2)
    pair = rng.choice(("&m0, &m1", "&m1, &m0"))
    same = rng.choice(("s == t", "(uintptr_t)s == (uintptr_t)t"))
    return rng.choice((
        f"if (&{own} < &{other}) x++;",
        f"assert(&{own} {rng.choice('<>')} &{other} || x);",
        f"if ((uintptr_t)&{own} > (uintptr_t)&{other}) x += 2;",
        f"q[{block}] = malloc(16);",
        f"{{ char *s = malloc(16), *t = q[{block}]; if (t) x += s < t; q[{block}] = s; }}",
        "{ char *s = q[0], *t = q[1]; if (s && t && s > t) x += 2; }",
        f"x += (uintptr_t)q[{block}] & {rng.choice((3, 7, 15))};",
        f"x += ((uintptr_t)&{own} >> {rng.choice((3, 4, 12))}) % 2;",
        f"{{ char *s = malloc(8); x += ((uintptr_t)s >> {rng.choice((4, 12))}) & 1; free(s); }}",
        f"x += (char *)&{own} - (char *)&{other} > 0;",
        f"{{ intptr_t n = (intptr_t)&{own}; PAUSE *(atomic_int *)n += 1; x += {own}; }}",
        f"{{ uintptr_t n = (uintptr_t)&{own} | 1; if (n & 1) *(atomic_int *)(n & ~(uintptr_t)1) = 1; x += {own}; }}",
        f"{{ uintptr_t n = (uintptr_t)&{own} ^ (uintptr_t)&{other};"
        f" *(atomic_int *)(n ^ (uintptr_t)&{other}) = 1; x += {own}; }}",
        "{ int l; if ((char *)&l < (char *)far) x++; }",
        f"{{ int l, k; if (&l < &k) x++; if (&k < &l) x {rng.choice(('++', '+= 2'))}; }}",
        f"{{ char *s = malloc(8); free(s); char *t = malloc(8); if ({same}) x++; }}",
        f"ordered({pair});",
        f"ordered({pair});",
        f"hashed({pair});",
        f"{{ pthread_mutex_t *f[] = {{{pair}}}; lock_all(f[0], f[1]); unlock_all(f[0], f[1]); }}",
        "{ union { void *at; uintptr_t n; } u = {&a}, v = {&b}; x += u.n < v.n; }",
        "{ void *f = &a, *g = &b; uintptr_t n, k; memcpy(&n, &f, 8); memcpy(&k, &g, 8); x += n < k; }",
    ))  # fmt: skip


_ADDRESSED = """\
atomic_int a, b, c;
char *_Atomic q[2];
int *far;
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static void lock_all(pthread_mutex_t *f, pthread_mutex_t *g)
{
    pthread_mutex_lock(f);
    PAUSE
    pthread_mutex_lock(g);
}
static void unlock_all(pthread_mutex_t *f, pthread_mutex_t *g)
{
    x++;
    pthread_mutex_unlock(g);
    pthread_mutex_unlock(f);
}
static void ordered(pthread_mutex_t *f, pthread_mutex_t *g)
{
    if (f < g) lock_all(f, g); else lock_all(g, f);
    unlock_all(f, g);
}
static void hashed(pthread_mutex_t *f, pthread_mutex_t *g)
{
    if (((uintptr_t)f >> 5) % 2 <= ((uintptr_t)g >> 5) % 2) lock_all(f, g); else lock_all(g, f);
    unlock_all(f, g);
}
"""


def _located(rng: random.Random) -> Iterator[str]:
    yield "int local; far = &local;"


def _locks(rng: random.Random) -> str:
    own, other = rng.choice((("l[0]", "l[1]"), ("l[1]", "l[0]")))
    read = f"pthread_rwlock_rdlock(&{rng.choice(('rw', 'rw'))});"
    return rng.choice((
        f"pthread_mutex_lock(&{own}); y++; pthread_mutex_unlock(&{own});",
        f"pthread_mutex_lock(&{own}); PAUSE pthread_mutex_lock(&{other}); y++;"
        f" pthread_mutex_unlock(&{other}); pthread_mutex_unlock(&{own});",
        f"if (!pthread_mutex_lock(&{own})) {{ int n = pthread_mutex_lock(&{own}); if (n) x++;"
        f" else pthread_mutex_unlock(&{own}); pthread_mutex_unlock(&{own}); }}",
        f"if (!pthread_mutex_trylock(&{own})) {{ PAUSE pthread_mutex_unlock(&{own}); }} else x++;",
        f"{{ struct timespec t = {{1, 0}}; if (pthread_mutex_timedlock(&{own}, &t)) x += 2;"
        f" else {{ PAUSE pthread_mutex_unlock(&{own}); }} }}",
        f"if (!pthread_mutex_lock(&{own})) {{ int n = pthread_mutex_trylock(&{own}); x += n == EBUSY;"
        f" if (!n) pthread_mutex_unlock(&{own}); pthread_mutex_unlock(&{own}); }}",
        f"{{ struct timespec t = {{1, 0}}; if (!pthread_mutex_lock(&{own})) {{ int n = pthread_mutex_timedlock(&{own},"
        f" &t); x += n == ETIMEDOUT ? 3 : n == EDEADLK; if (!n) pthread_mutex_unlock(&{own});"
        f" pthread_mutex_unlock(&{own}); }} }}",
        "if (!pthread_rwlock_tryrdlock(&rw)) { x += z; PAUSE pthread_rwlock_unlock(&rw); } else x += 3;",
        "{ struct timespec t = {1, 0}; if (pthread_rwlock_timedwrlock(&rw, &t)) x += 2;"
        " else { z++; PAUSE pthread_rwlock_unlock(&rw); } }",
        f"{read} PAUSE x += pthread_rwlock_trywrlock(&rw) == EBUSY; pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_wrlock(&rw); x += pthread_rwlock_rdlock(&rw) == EDEADLK; pthread_rwlock_unlock(&rw);",
        f"{read} PAUSE {read} x += z; pthread_rwlock_unlock(&rw); pthread_rwlock_unlock(&rw);",
        f"{read} x += z; PAUSE pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_wrlock(&rw); z++; PAUSE pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_wrlock(&rw); z++; PAUSE z--; pthread_rwlock_unlock(&rw);",
        "if (!pthread_rwlock_trywrlock(&rw)) { z += 2; pthread_rwlock_unlock(&rw); }",
        "pthread_spin_lock(&spin); y++; PAUSE pthread_spin_unlock(&spin);",
        "if (pthread_mutex_lock(&robust) == EOWNERDEAD) { x += 2; pthread_mutex_consistent(&robust); }"
        f" {rng.choice(('pthread_mutex_unlock(&robust);', 'return 0;', 'pthread_mutex_unlock(&robust);'))}",
    ))  # fmt: skip


def _attributed(rng: random.Random) -> Iterator[str]:
    yield "pthread_mutexattr_t kind[3]; pthread_rwlockattr_t of_rw;"
    is_robust = rng.random() < 0.25  # which cannot be combined with protocols and conditions
    for number in range(3):
        yield f"pthread_mutexattr_init(&kind[{number}]);"
        if rng.random() < 0.3 and not is_robust:
            yield f"pthread_mutexattr_setprotocol(&kind[{number}], PTHREAD_PRIO_INHERIT);"
        if rng.random() < 0.2:
            yield f"pthread_mutexattr_setpshared(&kind[{number}], PTHREAD_PROCESS_SHARED);"
    for number in range(2):
        kind = rng.choice(("NORMAL", "NORMAL", "RECURSIVE", "ERRORCHECK"))
        yield f"pthread_mutexattr_settype(&kind[{number}], PTHREAD_MUTEX_{kind});"
        yield f"pthread_mutex_init(&l[{number}], &kind[{number}]);"
    if is_robust:
        yield "pthread_mutexattr_setrobust(&kind[2], PTHREAD_MUTEX_ROBUST);"
    yield "pthread_mutex_init(&robust, &kind[2]);"
    kind = rng.choice(("PREFER_READER_NP", "PREFER_WRITER_NP", "PREFER_WRITER_NONRECURSIVE_NP"))
    yield f"pthread_rwlockattr_init(&of_rw); pthread_rwlockattr_setkind_np(&of_rw, PTHREAD_RWLOCK_{kind});"
    yield f"pthread_rwlock_init(&rw, {rng.choice(('&of_rw', '&of_rw', '0'))}); pthread_spin_init(&spin, 0);"


def _conditions(rng: random.Random) -> str:
    number = rng.randrange(2)
    wake = f"pthread_cond_{rng.choice(('signal', 'signal', 'broadcast'))}(&cv);"
    test, least = rng.choice(("while", "while", "while", "if")), rng.choice((0, 0, 0, 1))
    wait = f"{test} (r[{number}] <= {least}) pthread_cond_wait(&cv, &m);"
    timed = (
        f"struct timespec t; clock_gettime(CLOCK_REALTIME, &t); t.tv_nsec += 1000; int n = 0;"
        f" while (r[{number}] == 0 && n == 0) n = pthread_cond_timedwait(&cv, &m, &t);"
    )
    return rng.choice((
        f"pthread_mutex_lock(&m); {wait} r[{number}]--; x++; pthread_mutex_unlock(&m);",
        f"pthread_mutex_lock(&m); {wait} pthread_mutex_unlock(&m);",
        f"pthread_mutex_lock(&m); r[{number}]++; {wake} pthread_mutex_unlock(&m);",
        f"pthread_mutex_lock(&m); r[{number}]++; pthread_mutex_unlock(&m); PAUSE {wake}",
        f"pthread_mutex_lock(&m); r[{number}] += 2; {wake} pthread_mutex_unlock(&m);",
        f"{{ {timed.replace('int n', 'pthread_mutex_lock(&m); int n')} x += n != 0; pthread_mutex_unlock(&m); }}",
        "{ struct timespec t = {1, 0}; x += sem_timedwait(&s, &t) ? 3 : 1; }",
        "x += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;",
        "{ int n; sem_getvalue(&s, &n); x += n; }",
        "sem_wait(&s); x++;",
        "sem_post(&s);",
        "if (sem_trywait(&s)) x += 2;",
        "pthread_barrier_wait(&barrier);",
    ))  # fmt: skip


def _synchronised(rng: random.Random) -> Iterator[str]:
    yield f"sem_init(&s, 0, {rng.randrange(2)}); pthread_barrier_init(&barrier, 0, {rng.choice((1, 2))});"


_LOCKED = """\
pthread_mutex_t l[2], robust;
pthread_rwlock_t rw;
pthread_spinlock_t spin;
atomic_int y, z;
"""
_WAITED = """\
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
pthread_barrier_t barrier;
sem_t s;
int r[2];
"""
_UNKNOWN = "extern int verbose; int outside(void); void fills(atomic_int *number);\n"

_Operation = Callable[[random.Random], str]
_Beginning = Callable[[random.Random], Iterator[str]]


def _nothing(rng: random.Random) -> Iterator[str]:
    return iter(())


KINDS: dict[str, tuple[str, _Beginning, _Operation]] = {
    "pipes": ("int p[2][2], e;\n", _opened, _pipes),
    "futexes": ("", _nothing, _futexes),
    "cuts": (_UNKNOWN, _nothing, _cuts),
    "addresses": (_ADDRESSED, _located, _addresses),
    "locks": (_LOCKED, _attributed, _locks),
    "conditions": (_WAITED, _synchronised, _conditions),
}


def program(rng: random.Random, only: Sequence[str] = ()) -> str:
    """Two threads or three, besides main, which joins them; in the end there is `RESULT`, for what is said of `x`.

    only: the kinds of operations to choose from.
    """
    chosen = rng.sample(sorted(only or KINDS), min(len(only or KINDS), rng.choice((1, 1, 2, 2, 3))))
    threads = rng.choice((2, 2, 2, 3))
    plain = lambda rng: rng.choice(("x = x + 1;", "x++;", "w = 1;"))  # noqa: E731
    operations = [KINDS[kind][2] for kind in chosen] * 4 + [plain]
    lines = []
    for number in range(threads):
        body = [f"PAUSE {rng.choice(operations)(rng)}" for _ in range(rng.choice((1, 2, 2, 3)))]
        lines += [f"void *t{number}(void *u)", "{", *body, "return 0;", "}"]
    lines += ["int main(void)", "{", "pthread_t t[3];"]
    for kind in chosen:
        lines += KINDS[kind][1](rng)
    lines += [f"pthread_create(&t[{number}], 0, t{number}, 0);" for number in range(threads)]
    if rng.random() < 0.3:
        lines.append(f"PAUSE {rng.choice(operations)(rng).replace('return 0;', '')}")
    lines += [f"pthread_join(t[{number}], 0);" for number in range(threads)]
    lines += [RESULT, "return 0;", "}"]
    return HEAD + "".join(KINDS[kind][0] for kind in chosen) + "\n".join(lines) + "\n"


@dataclass
class Runs:
    """What some runs of a program did. values: those of `x` in the end. violated: what each run violates or not."""

    values: Counter[int] = field(default_factory=Counter)
    violated: set[str] = field(default_factory=set)


def runs(text: str, folder: Path, count: int = RUNS) -> Runs:
    """*count* runs of the program *text*."""
    path, outside = folder / "run.c", folder / "outside.c"
    path.write_text(text.replace(RESULT, 'printf("%d\\n", x);'), encoding="utf-8")
    outside.write_text(OUTSIDE, encoding="utf-8")
    binaries = []
    for number, options in enumerate(WAYS):
        binaries.append(folder / f"run{number}")
        command = ["gcc", *options, "-w", "-pthread", "-DPAUSE=pauses();", str(path), str(outside), "-o"]
        subprocess.run([*command, str(binaries[-1])], check=True)
    found = Runs()
    for number in range(count):
        _run(binaries[number % len(WAYS)], SURROUNDINGS[number // len(WAYS) % len(SURROUNDINGS)], found)
    return found


def _run(binary: Path, surroundings: dict[str, str], found: Runs) -> None:
    """Add what one run does to what was *found*."""
    begun = time.monotonic()
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen([binary], env=surroundings, stdout=pipe, stderr=pipe, stdin=nothing) as process:
        before: tuple[str, ...] = ()
        while time.monotonic() < begun + _LONGEST:
            try:
                printed, said = process.communicate(timeout=_WATCHED)
            except subprocess.TimeoutExpired:
                now = _asleep(process.pid)
                if now and now == before:
                    found.violated.add("no-deadlock")
                    break
                before = now
            else:
                if b"Assertion" in said:
                    found.violated.add("unreach-call")
                found.values.update(int(value) for value in printed.split())
                return
        process.kill()


def _asleep(pid: int) -> tuple[str, ...]:
    """How often each thread of a process has gone to sleep, where all threads sleep; empty otherwise.

    If this is the same twice, none has run in between, however busy the machine is: a thread that could run is not
    asleep, and pauses and time limits end sooner.
    """
    counts = []
    for status in sorted(Path(f"/proc/{pid}/task").glob("*/status")):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except (FileNotFoundError, ProcessLookupError):
            return ()
        if not lines["State"].startswith("S"):
            return ()
        counts.append(f"{status.parent.name} {lines['voluntary_ctxt_switches']}")
    return tuple(counts)


def compared(
    rng: random.Random, folder: Path, only: Sequence[str] = (), backend: str = "native"
) -> tuple[str, dict[str, Verdict], set[str]]:
    """A program, the verdicts on it, by property, and the properties whose verdicts a run contradicts.

    In the end, the program asserts that `x` does not have a certain value: mostly the one that was seen least often. A
    violation without a counterexample counts as contradicted.
    """
    text = program(rng, only)
    found = runs(text, folder)
    seen = [value for value, _ in found.values.most_common()]
    value = seen[-1] if seen and rng.random() < 0.7 else rng.randrange(12)
    if value in seen:
        found.violated.add("unreach-call")
    text = text.replace(RESULT, f"assert(x != {value});")
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    try:
        outcome = cseq.verify(path, deadlock=True, backend=backend, timeout=20)
    except CSeqError as error:
        sys.stderr.write(f"refused: {error}\n")
        return text, dict.fromkeys(PROPERTIES, Verdict.UNKNOWN), set()
    verdicts = {name: outcome.of(name).verdict for name in PROPERTIES}
    wrong = {name for name in found.violated if verdicts[name] is Verdict.TRUE}
    unshown = {name for name in PROPERTIES if outcome.of(name).counterexample is None}
    return text, verdicts, wrong | {name for name in unshown if verdicts[name] is Verdict.FALSE}


def main() -> int:
    """Compare *count* programs of *seed*; print each contradiction, and how many are decided."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", choices=sorted(KINDS), action="append", default=[])
    parser.add_argument("--backend", default="native")
    given = parser.parse_args()
    answers: Counter[tuple[str, str]] = Counter()
    decided = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.first, given.first + given.count):
            rng = random.Random(f"{given.seed}/{number}")
            text, verdicts, contradicted = compared(rng, Path(folder), given.only, given.backend)
            answers.update((name, verdict.value) for name, verdict in verdicts.items())
            decided += Verdict.UNKNOWN not in verdicts.values()
            if contradicted:
                wrong += 1
                print(f"{given.seed}/{number}: {sorted(contradicted)}\n{text}", flush=True)
    print(f"{given.count} programs, {decided} decided, {wrong} contradicted by a run; {dict(answers)}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
