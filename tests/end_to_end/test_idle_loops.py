"""Threads that wait in loops: what is dropped is nothing that could make a difference, and the rest is proved."""

from textwrap import dedent

import pytest

import cseq
from cseq.model.verdict import Verdict
from cseq.report.words import message

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
int flag, data, other;
"""
MAIN = """
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
"""

PAIRS = {  # the program, where it is wrong, the bounds
    "a flag": (
        """\
        void *first(void *arg) { DATA FLAG return arg; }
        void *second(void *arg) { while (!flag) ; assert(data == 1); return arg; }
        """,
        {"DATA FLAG": "flag = 1; data = 1;"}, {"DATA": "data = 1;", "FLAG": "flag = 1;"}, 3, 1,
    ),
    "a flag that is read into a local, and a thread that yields": (
        """\
        void *first(void *arg) { DATA flag = 1; return arg; }
        void *second(void *arg)
        {
            int seen = flag;
            while (seen == 0) { sched_yield(); seen = flag; }
            assert(data == 1);
            return arg;
        }
        """,
        {"DATA": ""}, {"DATA": "data = 1;"}, 3, 1,
    ),
    "iterations that are counted": (
        """\
        void *first(void *arg) { flag = 1; return arg; }
        void *second(void *arg)
        {
            int n = 0;
            while (!flag) { COUNT if (n == 2) break; }
            assert(n < 2);
            return arg;
        }
        """,
        {"COUNT": "n++;"}, {"COUNT": "n = 1;"}, 3, 3,
    ),
    "a lock that is taken by compare and exchange": (
        """\
        atomic_int lock;
        void enter(void) { int free = 0; while (!TAKE) free = 0; }
        void *first(void *arg) { enter(); data++; assert(data == 1); data--; lock = 0; return arg; }
        void *second(void *arg) { return first(arg); }
        """,
        {"TAKE": "(lock == 0 && (lock = 1))"}, {"TAKE": "atomic_compare_exchange_strong(&lock, &free, 1)"}, 3, 2,
    ),
    "two threads that let each other pass": (
        """\
        int wants[2], turn;
        #define PASS(me) wants[me] = 1; turn = TURN(me); while (wants[1 - me] && turn != me) ; \\
            data++; assert(data == 1); data--; wants[me] = 0; return arg;
        void *first(void *arg) { PASS(0) }
        void *second(void *arg) { PASS(1) }
        """,
        {"TURN(me)": "me"}, {"TURN(me)": "1 - me"}, 4, 1,
    ),
}  # fmt: skip


STALE = (  # what the last iteration but one has seen is seen behind the loop
    """\
    void *first(void *arg) { DATA other = 1; data = 2; flag = 1; return arg; }
    void *second(void *arg)
    {
        int last = 0;
        while (!flag) { if (other) continue; last = data; }
        assert(last != 1);
        return arg;
    }
    """,
    {"DATA": "data = 1;"}, {"DATA": "data = 3;"}, 3, 3,
)  # fmt: skip


def verdict(pair: tuple, which: int, tmp_path) -> cseq.Outcome:
    text = HEAD + dedent(pair[0])
    for word, replacement in pair[which].items():
        assert word in text
        text = text.replace(word, replacement)
    path = tmp_path / "program.c"
    path.write_text(text + MAIN)
    return cseq.verify([path], rounds=pair[3], unwind=pair[4], prove=True)


@pytest.mark.parametrize("name", PAIRS)
def test_the_bug_is_found(name, tmp_path):
    assert verdict(PAIRS[name], 1, tmp_path).verdict is Verdict.FALSE


@pytest.mark.parametrize("name", PAIRS)
def test_the_twin_is_proved(name, tmp_path):
    outcome = verdict(PAIRS[name], 2, tmp_path)
    assert outcome.verdict is Verdict.TRUE, (message(outcome), outcome.bounds)


def test_an_iteration_whose_values_are_read_later(tmp_path):
    assert verdict(STALE, 1, tmp_path).verdict is Verdict.FALSE
    assert verdict(STALE, 2, tmp_path).verdict is Verdict.UNKNOWN
