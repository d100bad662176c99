"""Programs that need more threads, or more memory, than their text suggests get them, and what remains is named."""

from pathlib import Path

import pytest

import cseq
from cseq.model.claims import Limit
from cseq.model.verdict import Outcome, Verdict
from cseq.report.ways_out import ways_out

ONE_BY_ONE = """
#include <assert.h>
#include <pthread.h>
int x, most = NUMBER;
void *worker(void *arg) { x++; return 0; }
int main(void)
{
    pthread_t t;
    for (int i = 0; i < most; i++) {
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
    }
    assert(x == EXPECTED);
}
"""


@pytest.fixture
def searched(tmp_path: Path):
    """The outcome for the text of a program."""

    def run(text: str, *defines: str, **values: object) -> Outcome:
        path = tmp_path / "program.c"
        path.write_text(text, encoding="utf-8")
        return cseq.verify(path, backend="native", define=defines, **values)

    return run


def test_as_many_threads_as_the_program_creates(searched) -> None:
    assert searched(ONE_BY_ONE, "NUMBER=20", "EXPECTED=20").verdict is Verdict.TRUE
    outcome = searched(ONE_BY_ONE, "NUMBER=20", "EXPECTED=19")
    assert outcome.verdict is Verdict.FALSE
    assert len(outcome.counterexample.threads) == 21


@pytest.mark.parametrize("loop, most", [("1", 8), ("x < 2", 127)])
def test_there_is_a_limit_for_programs_that_create_threads_for_ever(searched, loop: str, most: int) -> None:
    endless = ONE_BY_ONE.replace("int i = 0; i < most; i++", f"; {loop}; most++").replace("x++", "x = 1")
    outcome = searched(endless, "NUMBER=8", "EXPECTED=1")
    assert outcome.verdict is Verdict.UNKNOWN
    assert [(bound.cut.limit, bound.value) for bound in outcome.bounds] == [(Limit.THREADS, most)]


BLOCKS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *block, size = SIZE;
void *worker(void *arg) { block[size - 1]++; return 0; }
int main(void)
{
    pthread_t t;
    block = calloc(size, sizeof(int));
    pthread_create(&t, 0, worker, 0);
    RACY
    pthread_join(t, 0);
    assert(block[size - 1] == EXPECTED && block[size / 2] == 0);
    free(block);
}
"""


@pytest.mark.parametrize("bits", [32, 64])
def test_as_much_memory_as_the_program_allocates(searched, bits: int) -> None:
    assert searched(BLOCKS, "SIZE=100000", "RACY=", "EXPECTED=1", bits=bits).verdict is Verdict.TRUE
    assert searched(BLOCKS, "SIZE=3000", "RACY=block[size - 1]++;", "EXPECTED=2", bits=bits).verdict is Verdict.FALSE


def test_memory_beyond_all_limits_is_named(searched) -> None:
    outcome = searched(BLOCKS, "SIZE=10000000", "RACY=", "EXPECTED=1")
    assert [(bound.cut.limit, bound.value) for bound in outcome.bounds] == [(Limit.HEAP, 1 << 22)]
    assert "--heap 33554432" in ways_out(outcome)
