"""Clang's built-in functions for atomic accesses: what they compute, and that each is one step."""

import pytest

import cseq
from cseq.model.verdict import Verdict

PROGRAM = """\
#include <assert.h>
#include <pthread.h>
_Atomic int count, most;
int least = 9;
void *thread(void *to)
{
#ifdef BUG
    __c11_atomic_store(&count, __c11_atomic_load(&count, 5) + 1, 5);
    if (__c11_atomic_load(&most, 5) < 3) __c11_atomic_store(&most, 3, 5);
#else
    __c11_atomic_fetch_add(&count, 1, 5);
    __c11_atomic_fetch_max(&most, 3, 5);
#endif
    __sync_fetch_and_min(&least, 4);
    return to;
}
int main(void)
{
    pthread_t t;
    __c11_atomic_init(&count, 0);
    pthread_create(&t, NULL, thread, NULL);
    __c11_atomic_fetch_add(&count, 1, 5);
    __c11_atomic_fetch_max(&most, 5, 5);
    pthread_join(t, NULL);
    assert(count == 2);
    assert(most == 5 && least == 4);
    int expected = 7, negative = -1;
    assert(!__c11_atomic_compare_exchange_strong(&count, &expected, 8, 5, 5) && expected == 2);
    assert(__c11_atomic_compare_exchange_strong(&count, &expected, 8, 5, 5) && count == 8);
    assert(__c11_atomic_exchange(&count, 6, 5) == 8 && __c11_atomic_fetch_or(&count, 1, 5) == 6 && count == 7);
    assert(__sync_fetch_and_umax(&negative, 5) == -1 && negative == -1);
    assert(__sync_fetch_and_umin(&negative, 5) == -1 && negative == 5);
    assert(__sync_fetch_and_max(&negative, -7) == 5 && negative == 5);
    assert(__atomic_fetch_min(&negative, -7, 5) == 5 && __atomic_max_fetch(&negative, 2, 5) == 2);
    return 0;
}
"""


@pytest.mark.parametrize("engine", ["native", "cbmc"])
def test_they_compute_what_clang_says(engine, tmp_path):
    source = tmp_path / "program.c"
    source.write_text(PROGRAM, encoding="utf-8")
    outcome = cseq.verify(source, backend=engine, timeout=60, **({"rounds": 2} if engine == "cbmc" else {}))
    assert outcome.verdict is not Verdict.FALSE and outcome.exit_status == 0
    assert outcome.verdict is Verdict.TRUE or engine == "cbmc"


def test_without_them_updates_are_lost(tmp_path):
    source = tmp_path / "program.c"
    source.write_text(PROGRAM, encoding="utf-8")
    assert cseq.verify(source, backend="native", define=("BUG",), timeout=60).verdict is Verdict.FALSE
