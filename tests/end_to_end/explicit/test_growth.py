"""Programs that need more threads, or more memory, than their text suggests get them, and what remains is named."""

from __future__ import annotations

from pathlib import Path

import pytest

import cseq
from cseq.base.claims import Limit
from cseq.base.verdict import Outcome, Verdict

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


@pytest.mark.parametrize("loop, most", [("1", 8), ("x < 2", 63)])
def test_there_is_a_limit_for_programs_that_create_threads_for_ever(searched, loop: str, most: int) -> None:
    endless = ONE_BY_ONE.replace("int i = 0; i < most; i++", f"; {loop}; most++").replace("x++", "x = 1")
    outcome = searched(endless, "NUMBER=8", "EXPECTED=1")
    assert outcome.verdict is Verdict.UNKNOWN
    assert [(bound.cut.limit, bound.value) for bound in outcome.bounds] == [(Limit.THREADS, most)]
