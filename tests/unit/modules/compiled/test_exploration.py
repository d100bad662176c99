"""From a program to the outcome of its exploration."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cseq.model.claims import Kind, Limit
from cseq.model.verdict import Binary, Reason, Verdict
from cseq.modules.compiled.client.record import RequestFlag
from cseq.modules.compiled.client.server import Server
from cseq.modules.compiled.exploration import Exploration
from cseq.modules.compiled.schedule_search import Settings
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static atomic_int balance, message, sent;
static int plain;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *lost(void *unused) {
    int before = atomic_load(&balance);
    atomic_store(&balance, before + 1);
    return unused;
}

static void *kept(void *unused) {
    pthread_mutex_lock(&lock);
    int before = atomic_load(&balance);
    atomic_store(&balance, before + 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *racy(void *unused) {
    plain++;
    return unused;
}

static void *clocked(void *unused) {
    time(NULL);
    return kept(unused);
}

static void *relaxed(void *unused) {
    if (atomic_fetch_add_explicit(&balance, 1, memory_order_relaxed) == 0) {
        atomic_store_explicit(&message, 1, memory_order_relaxed);
        atomic_store_explicit(&sent, 1, memory_order_relaxed);
    } else if (atomic_load_explicit(&sent, memory_order_relaxed)) {
        atomic_load_explicit(&message, memory_order_relaxed);
    }
    return unused;
}

static void *spinning(void *unused) {
    while (atomic_load(&balance) < 5) {
    }
    return unused;
}

int main(int count, char **words) {
    const char *mode = words[count - 1];
    void *(*start)(void *) = !strcmp(mode, "lost") ? lost : !strcmp(mode, "racy") || !strcmp(mode, "lost too") ? racy
        : !strcmp(mode, "clocked") ? clocked : !strcmp(mode, "relaxed") ? relaxed
        : !strcmp(mode, "spinning") ? spinning : kept;
    pthread_t one, other;
    pthread_create(&one, NULL, start, NULL);
    pthread_create(&other, NULL, start, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(start == racy || balance == 2);
    assert(strcmp(mode, "lost too") || plain == 2);
    return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(PROGRAM, tmp_path_factory.mktemp("exploration"))


@contextmanager
def exploring(program: Path, mode: str, **values: object) -> Iterator[Exploration]:
    settings = Settings(**{"end": time.monotonic() + 60, "runs": 3000, **values})  # type: ignore[arg-type]
    with Server([str(program), mode]) as server:
        yield Exploration([server], settings, Binary(str(program)), program.parent)


def test_a_lost_update_is_found_with_a_small_schedule(program: Path) -> None:
    with exploring(program, "lost") as exploration:
        explored = exploration.search()
    assert explored.outcome.verdict is Verdict.FALSE
    assert explored.outcome.violated is not None
    assert explored.outcome.violated.claim.kind is Kind.ASSERTION
    assert explored.found is not None
    assert explored.found.recorded.preemptions == 1
    assert explored.found.order.flags & RequestFlag.STRICT


def test_a_race_is_reported_although_nothing_else_is_wrong(program: Path) -> None:
    with exploring(program, "racy", runs=100) as exploration:
        outcome = exploration.search().outcome
    assert outcome.violated is not None
    assert outcome.violated.claim.kind is Kind.RACE


def test_races_that_are_no_violations_are_switch_points(program: Path) -> None:
    with exploring(program, "racy", runs=60, races=False) as exploration:
        assert exploration.search().outcome.verdict is Verdict.UNKNOWN
    with exploring(program, "lost too", races=False) as exploration:
        explored = exploration.search()
    assert explored.outcome.violated is not None
    assert explored.outcome.violated.claim.kind is Kind.ASSERTION
    assert explored.outcome.others == []
    assert explored.found is not None
    assert RequestFlag.NO_RACES in explored.found.order.flags


def test_a_search_proves_nothing(program: Path) -> None:
    with exploring(program, "kept", runs=100) as exploration:
        outcome = exploration.search().outcome
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)
    assert [bound.cut.number for bound in outcome.bounds if bound.cut.limit is Limit.RUNS] == [100]


def test_every_schedule(program: Path) -> None:
    with exploring(program, "kept") as exploration:
        explored = exploration.exhaust()
        assert explored.outcome.verdict is Verdict.TRUE
        assert explored.statistics.runs < 100
    with exploring(program, "lost") as exploration:
        outcome = exploration.exhaust().outcome
        assert outcome.verdict is Verdict.FALSE


@pytest.mark.parametrize(("mode", "limit"), [("clocked", Limit.WORLD_CLOCK), ("relaxed", Limit.WORLD_MEMORY)])
def test_every_schedule_is_not_every_execution(program: Path, mode: str, limit: Limit) -> None:
    with exploring(program, mode) as exploration:
        outcome = exploration.exhaust().outcome
    assert outcome.verdict is Verdict.UNKNOWN
    assert limit in [bound.cut.limit for bound in outcome.bounds]


def test_a_loop_that_waits_for_ever_is_a_hang(program: Path) -> None:
    with exploring(program, "spinning", runs=2, steps=2000) as exploration:
        explored = exploration.search()
    assert explored.outcome.violated is not None
    assert explored.outcome.violated.claim.kind is Kind.TERMINATION
