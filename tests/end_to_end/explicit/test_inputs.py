"""Explicit-state search branches over inputs. Each program is wrong with a macro, and right without."""

from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Verdict
from cseq.report.words import bound_text

PROGRAMS = {
    "assumption": """
        extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_assume(int);
        int g, h;
        void *thread(void *p)
        {
            int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 0 && x < 4);
            g = x;
            h = x;
            return 0;
        }
        int main(void)
        {
            pthread_t t;
            int a, b;
            pthread_create(&t, 0, thread, 0);
            a = h;
            b = g;
            pthread_join(t, 0);
            #ifdef BUG
            assert(a != 3);
            #endif
            assert(a < 4 && (a == 0 || a == b));
            return 0;
        }
        """,
    "random numbers": """
        int seen[3], last;
        int main(void)
        {
            int coin = rand() % 2, die = rand() % 3 + 1;
            seen[die - 1] = 1 + (rand() & 5);
            #ifdef BUG
            assert(coin == 0 || die < 3 || seen[2] != 6);
            #endif
            assert(coin + die <= 4 && seen[0] != 3);
            return 0;
        }
        """,
    "whom a signal wakes": """
        pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
        int go, waiting, first, woken;
        void *thread(void *number)
        {
            pthread_mutex_lock(&lock);
            waiting++;
            while (!go) pthread_cond_wait(&cond, &lock);
            go--;
            woken++;
            if (!first) first = (int)(long)number;
            pthread_mutex_unlock(&lock);
            return 0;
        }
        int main(void)
        {
            pthread_t t[2];
            for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)(i + 1));
            for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&lock);
                go++;
                pthread_cond_signal(&cond);
                pthread_mutex_unlock(&lock);
            }
            for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
            #ifdef BUG
            assert(first == 1);
            #endif
            assert(woken == 2);
            return 0;
        }
        """,
}

UNBOUNDED = """
    extern int __VERIFIER_nondet_int(void);
    int g;
    int main(void)
    {
        g = __VERIFIER_nondet_int();
        assert(g * g != 81);
        return 0;
    }
    """


def checked(folder: Path, text: str, **parameters: object) -> cseq.Outcome:
    """What the engine `native` says of a program."""
    start = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
    (folder / "input.c").write_text(start + text, encoding="utf-8")
    return cseq.verify([folder / "input.c"], backend="native", **parameters)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_value_that_is_wrong_is_found_and_what_is_right_is_proved(tmp_path, name):
    wrong = checked(tmp_path, PROGRAMS[name], define=["BUG"])
    assert (wrong.verdict, wrong.counterexample is None) == (Verdict.FALSE, False)
    assert checked(tmp_path, PROGRAMS[name]).verdict is Verdict.TRUE


def test_a_range_for_inputs_is_a_bound(tmp_path):
    assert checked(tmp_path, UNBOUNDED, nondet_range="5..9").verdict is Verdict.FALSE
    outcome = checked(tmp_path, UNBOUNDED, nondet_range="0..8")
    assert outcome.verdict is Verdict.UNKNOWN
    assert [(bound.kind, bound_text(bound)) for bound in outcome.bounds] == [("inputs", "inputs outside of 0..8")]
