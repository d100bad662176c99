"""The exhaustive search against all interleavings, on programs that are made of their arguments."""

import random
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from cseq.modules.compiled.client.record import End, ResultRecord
from cseq.modules.compiled.client.server import RunBatch as Runs
from cseq.modules.compiled.client.server import Server
from cseq.modules.compiled.happens_before import Event, Order, events
from cseq.modules.compiled.reduction import Reduction
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

INTERPRETER = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* Each argument is the program of a thread: l0 u0 locks and unlocks, r0 w0 reads and writes an atomic variable, i0
 * increments one, t0 tries a lock, p0 v0 are those of a semaphore, a0 asserts that an atomic variable is below 2.
 * c0 waits for a condition, m0 and k0 for a lock and a semaphore with a time limit, C0 for a condition with one; s0 b0
 * signal and broadcast; B0 meets another thread at a barrier; q0 Q0 read and write under a lock; o0 is done once; z0
 * sleeps; n0 creates a thread and joins it, d0 one that is detached; x0 ends the process. */
pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
atomic_int values[3];
sem_t semaphores[3];
pthread_cond_t conditions[3] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) { atomic_store(&values[2], 1); }

static void *increment(void *value) {
    atomic_fetch_add((atomic_int *)value, 1);
    return 0;
}

static void *interpret(void *text) {
    for (const char *next = text; next[0] != 0; next += 2) {
        int n = next[1] - '0';
        struct timespec soon = {.tv_sec = 1};
        pthread_t other;
        switch (next[0]) {
        case 'l': pthread_mutex_lock(&locks[n]); break;
        case 'u': pthread_mutex_unlock(&locks[n]); break;
        case 't': if (pthread_mutex_trylock(&locks[n]) == 0) pthread_mutex_unlock(&locks[n]); break;
        case 'r': atomic_load(&values[n]); break;
        case 'w': atomic_store(&values[n], 1); break;
        case 'i': atomic_fetch_add(&values[n], 1); break;
        case 'p': sem_wait(&semaphores[n]); break;
        case 'v': sem_post(&semaphores[n]); break;
        case 'c': case 'C':
            pthread_mutex_lock(&locks[n]);
            next[0] == 'c' ? pthread_cond_wait(&conditions[n], &locks[n])
                           : pthread_cond_timedwait(&conditions[n], &locks[n], &soon);
            pthread_mutex_unlock(&locks[n]);
            break;
        case 's': pthread_cond_signal(&conditions[n]); break;
        case 'b': pthread_cond_broadcast(&conditions[n]); break;
        case 'm': if (pthread_mutex_timedlock(&locks[n], &soon) == 0) pthread_mutex_unlock(&locks[n]); break;
        case 'k': sem_timedwait(&semaphores[n], &soon); break;
        case 'B': pthread_barrier_wait(&barrier); break;
        case 'q': pthread_rwlock_rdlock(&shared_lock); pthread_rwlock_unlock(&shared_lock); break;
        case 'Q': pthread_rwlock_wrlock(&shared_lock); pthread_rwlock_unlock(&shared_lock); break;
        case 'o': pthread_once(&once, initialise); break;
        case 'z': usleep(1); break;
        case 'n': pthread_create(&other, 0, increment, &values[n]); pthread_join(other, 0); break;
        case 'd': pthread_create(&other, 0, increment, &values[n]); pthread_detach(other); break;
        case 'x': exit(0);
        case 'a': assert(atomic_load(&values[n]) < 2); break;
        }
    }
    return 0;
}

int main(int count, char **programs) {
    pthread_t threads[8];
    for (int n = 0; n < 3; n++) sem_init(&semaphores[n], 0, 0);
    pthread_barrier_init(&barrier, 0, 2);
    for (int n = 1; n < count; n++) pthread_create(&threads[n], 0, interpret, programs[n]);
    for (int n = 1; n < count; n++) pthread_join(threads[n], 0);
    return 0;
}
"""


@pytest.fixture(scope="module")
def interpreter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(INTERPRETER, tmp_path_factory.mktemp("reduction"))


class Watched(Reduction):
    """A search that keeps each execution up to the order of operations that commute, and how often it was run."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.executions: dict[frozenset[object], int] = {}

    def _follow(self, made: list[tuple[int, int, int]], kept: int) -> None:
        super()._follow(made, kept)
        if self._server.shared.result.end != End.REDUNDANT:
            run, announced = events(bytes(self._server.array("entries")))
            key = frozenset([*shape(run), *((event.thread, event.op) for event in announced)])
            self.executions[key] = self.executions.get(key, 0) + 1


def shape(run: list[Event]) -> Iterator[object]:
    """What does not change when operations that commute are exchanged."""
    order = Order(run)
    of_thread: dict[int, list[int]] = {}
    for number, event in enumerate(run):
        of_thread.setdefault(event.thread, []).append(number)
    for number, event in enumerate(run):
        clock = {thread: bisect_left(of_thread[thread], time) for thread, time in order.clocks[number].items()}
        yield event.thread, event.op, tuple(sorted(clock.items()))


def never(result: ResultRecord) -> bool:
    return False


def searched(program: Path, threads: list[str], reduced: bool, bad: Any = never) -> tuple[Watched, Any]:
    with Server([str(program), *threads]) as server:
        search = Watched(server, Runs(), bad, reduced=reduced)
        return search, search.go(most=1000)


SIMPLE = ("r{0}", "w{0}", "i{0}", "l{0}r0u{0}", "t{0}", "p{0}", "v{0}")
OTHERS = ("c{0}", "C{0}", "s{0}", "b{0}", "m{0}", "k{0}", "B0", "q0", "Q0", "o0", "z0", "n{0}", "d{0}", "x0")


def generated(seed: int, operations: Sequence[str] = SIMPLE) -> list[str]:
    """Two threads of a few operations."""
    chance = random.Random(seed)
    threads = []
    for _ in range(2):
        text = ""
        for _ in range(chance.randint(1, 2)):
            n = chance.randrange(2)
            text += chance.choice(operations).format(n)
        threads.append(text)
    return threads


@pytest.mark.parametrize("seed", range(2))
def test_all_executions_are_run_and_none_twice(interpreter: Path, seed: int) -> None:
    for threads in (generated(10 * seed + n) for n in range(3)):
        full, complete = searched(interpreter, threads, reduced=False)
        if not complete.complete:
            continue
        reduced, result = searched(interpreter, threads, reduced=True)
        assert result.complete
        assert reduced.executions.keys() == full.executions.keys(), threads
        assert set(reduced.executions.values()) == {1}, threads
        assert result.runs <= complete.runs


@pytest.mark.parametrize("threads", [["i0", "n1"], ["x0", "x0"], ["s0", "C0"]])
def test_other_operations(interpreter: Path, threads: list[str]) -> None:
    full, complete = searched(interpreter, threads, reduced=False)
    reduced, result = searched(interpreter, threads, reduced=True)
    assert complete.complete
    assert result.complete
    assert reduced.executions.keys() == full.executions.keys()
    assert set(reduced.executions.values()) == {1}


def test_what_commutes_is_run_once(interpreter: Path) -> None:
    search, result = searched(interpreter, ["r0r0r0", "r0r0r0", "w1w1w1"], reduced=True)
    assert result.complete
    assert len(search.executions) == 1


def test_a_violation_is_found_with_the_order_that_repeats_it(interpreter: Path) -> None:
    _, result = searched(interpreter, ["i0a0", "i0i1"], reduced=True, bad=lambda result: result.end == End.ABORTED)
    assert not result.complete
    assert result.found is not None
    with Server([str(interpreter), "i0a0", "i0i1"]) as server:
        assert server.run(result.found).end == End.ABORTED
    _, result = searched(interpreter, ["i0a0", "i1i1"], reduced=True, bad=lambda result: result.end == End.ABORTED)
    assert result.complete


def test_a_deadlock_of_three_is_found(interpreter: Path) -> None:
    deadlock = ["l0l1u1u0", "l1l2u2u1", "l2l0u0u2"]
    _, result = searched(interpreter, deadlock, reduced=True, bad=lambda result: result.end == End.DEADLOCK)
    assert result.found is not None
    ordered = ["l0l1u1u0", "l1l2u2u1", "l0l2u2u0"]
    _, result = searched(interpreter, ordered, reduced=True, bad=lambda result: result.end == End.DEADLOCK)
    assert result.complete
