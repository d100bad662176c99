"""The wait-cycle stage: what the steps that lock and unlock do for the chain of waiting threads."""

from textwrap import dedent

import pytest

from cseq.pipeline.chain import load

HEAD = """\
#include <pthread.h>
#include <threads.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, many[2];
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t s;
mtx_t n;
int x;
"""


@pytest.fixture
def chained(translated):
    """``chained(stage, body)``: the function of a thread with this body, after the stage."""

    def run(stage: str, body: str, **parameters) -> str:
        program = f"""{HEAD}void *start(void *arg) {{ {body} return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, start, 0); return 0; }}
"""
        translated.use("guessed-chain")
        return translated(stage, program, "start__cs1", property="no-deadlock", **parameters)

    return run


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            "pthread_mutex_lock(&m);",
            "__CSEQ_ahead(__cs_chain_blocks(&m), __cs_chain_joins(&m));\npthread_mutex_lock(&m);",
        ),
        ("mtx_lock(&n);", "__CSEQ_ahead(__cs_chain_blocks(&n), __cs_chain_joins(&n));\nmtx_lock(&n);"),
        (
            "pthread_spin_lock(&s);",
            "__CSEQ_ahead(__cs_chain_blocks_spin(&s), __cs_chain_joins_spin(&s));\npthread_spin_lock(&s);",
        ),
        ("pthread_mutex_unlock(&m);", "__CSEQ_ahead(__cs_chain_keeps(&m));\npthread_mutex_unlock(&m);"),
        ("pthread_spin_unlock(&s);", "__CSEQ_ahead(__cs_chain_keeps_spin(&s));\npthread_spin_unlock(&s);"),
        (
            "pthread_cond_wait(&c, &m);",
            "__CSEQ_ahead(__cs_chain_keeps(&m));\n__cs_step_cond_sleep(&c, &m);\n"
            "__CSEQ_ahead(__cs_chain_blocks_woken(&m, &c), __cs_chain_joins(&m));\n__cs_step_cond_wake(&c, &m);",
        ),
    ],
)
def test_what_is_done_ahead_of_a_step(chained, call, expected):
    lines = [line.strip() for line in chained("wait_cycle", call).splitlines() if "__cs_ret_" not in line]
    assert "\n".join(lines[2:-2]) == expected


def test_a_result_that_is_kept(chained):
    after = """\
        void *start__cs1(void *arg)
        {
          int __cs_tmp_1;
          __CSEQ_ahead(__cs_chain_blocks(&m));
          __cs_tmp_1 = pthread_mutex_trylock(&m);
          if (__cs_tmp_1 == 0) {
            __CSEQ_ahead(__cs_chain_keeps(&m));
            pthread_mutex_unlock(&m);
          }
          return 0;
        }
        """
    assert chained("wait_cycle", "if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);") == dedent(after)


def test_the_index_of_a_mutex_is_loaded_before(chained):
    lines = [line.strip() for line in chained("wait_cycle", "pthread_mutex_lock(&many[x]);").splitlines()]
    assert lines[3:6] == [
        "__cs_tmp_1 = x;",
        "__CSEQ_ahead(__cs_chain_blocks(&many[__cs_tmp_1]), __cs_chain_joins(&many[__cs_tmp_1]));",
        "pthread_mutex_lock(&many[__cs_tmp_1]);",
    ]


def test_all_of_it_is_one_step_of_the_thread(chained):
    """There is one label for the lock and what is ahead of it; who joins does nothing any more, but has not ended."""
    after = """\
        static void start__cs1(void)
        {
          static void *arg;
          __cs_1_0:
          if ((__cs_pc_1 > 0) || (0 >= __cs_cs_1)) goto __cs_1_1;
          arg = (void *) __cs_argument[1];
          __cs_chain_keeps(&m);
          pthread_mutex_unlock(&m);
          __cs_1_1:
          if ((__cs_pc_1 > 1) || (1 >= __cs_cs_1)) goto __cs_1_2;
          if (__cs_chain_blocks(&m)) {
            __cs_stands_1_for_good_0: ;
            __cs_chain_joins(&m);
            goto __cs_exit_1;
          }
          pthread_mutex_lock(&m);
          x = 1;
          __cs_step_exit((void *) 0);
          goto __cs_exit_1;
          __cs_exit_1: ;
          __CSEQ_assume(__cs_cs_1 >= 2);
          __cs_1_2: ;
        }
        """
    found = chained("sequentializer", "pthread_mutex_unlock(&m); pthread_mutex_lock(&m); x = 1;")
    assert found == dedent(after)


def test_nobody_joins_inside_of_an_atomic_section(chained):
    lines = chained("sequentializer", "__VERIFIER_atomic_begin(); pthread_mutex_lock(&m); __VERIFIER_atomic_end();")
    assert "__cs_chain_blocks(&m);\n  pthread_mutex_lock(&m);\n" in lines


def test_where_only_the_way_there_tells_whether_there_is_a_section(chained):
    body = "if (arg) __VERIFIER_atomic_begin(); pthread_mutex_lock(&m); if (arg) __VERIFIER_atomic_end();"
    assert "  if (__cs_chain_blocks(&m) && (__cs_atomic == 0)) {\n" in chained("sequentializer", body)


def test_the_chain_is_the_lazy_one_but_for_this_stage():
    lazy, guessed = load("lazy"), load("guessed-chain")
    assert guessed.names == ["wait_cycle" if name == "deadlock_instrumentation" else name for name in lazy.names]
    assert guessed.conditions == {
        "wait_cycle" if name == "deadlock_instrumentation" else name: condition
        for name, condition in lazy.conditions.items()
    }
    assert (guessed.families, guessed.planner, guessed.defaults) == (lazy.families, lazy.planner, lazy.defaults)
