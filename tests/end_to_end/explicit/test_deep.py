"""Violations that are deep, or that one schedule alone leads to, are found by default; their twins are not violated."""

import pytest

import cseq
from cseq.model.verdict import Verdict

COUNTERS = """\
#include <assert.h>
#include <pthread.h>

int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    for (int i = 0; i < TIMES; i++) {
        if (LOCKS)
            pthread_mutex_lock(&lock);
        int before = count;
        count = before + 1;
        if (LOCKS)
            pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&other, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(count == 2 * TIMES);
    return 0;
}
"""

FIBONACCI = """\
#include <assert.h>
#include <pthread.h>

int i = 1, j = 1;

void *first(void *arg)
{
    for (int k = 0; k < STEPS; k++)
        i += j;
    return NULL;
}

void *second(void *arg)
{
    for (int k = 0; k < STEPS; k++)
        j += i;
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    assert(i < BOUND && j < BOUND);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "macros", "verdict", "found"),
    [
        (COUNTERS, ("TIMES=1000", "LOCKS=0"), Verdict.FALSE, {"walks", "dfs"}),
        (COUNTERS, ("TIMES=200", "LOCKS=1"), Verdict.TRUE, set()),
        (FIBONACCI, ("STEPS=10", "BOUND=17711"), Verdict.FALSE, {"directed"}),
        (FIBONACCI, ("STEPS=4", "BOUND=56"), Verdict.TRUE, set()),
    ],
)
def test_what_is_deep_is_found_by_default(tmp_path, text, macros, verdict, found):
    program = tmp_path / "x.c"
    program.write_text(text)
    outcome = cseq.verify(str(program), define=macros, backend="native", timeout=60)
    assert outcome.verdict is verdict
    assert {share.name for share in outcome.searches if share.found} <= found
    assert any(share.found for share in outcome.searches) == bool(found)


def test_a_proof_that_takes_too_long_ends_with_what_each_search_did(tmp_path):
    program = tmp_path / "x.c"
    program.write_text(FIBONACCI)
    outcome = cseq.verify(str(program), define=("STEPS=10", "BOUND=17712"), backend="native", timeout=10)
    assert outcome.verdict is Verdict.UNKNOWN
    assert {"bfs", "walks", "directed"} <= {share.name for share in outcome.searches}
    assert not any(share.found for share in outcome.searches)
