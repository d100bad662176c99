"""What the thread library is made of where priorities count, and what it is otherwise."""

import re

import pytest
from pycparser import c_ast

from cseq.modules.explicit.encode.scheduling_model import SCHEDULING, Scheduling

STAGES = ("merger", "observers", "scheduler", "normalise", "control_flow", "thread_local_promotion")
PROGRAM = """\
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon;
int before(int a, int b) { return a < b; }
void *start(void *arg)
{
    sleep(1);
    pthread_mutex_timedlock(&m, &soon);
    MORE
    return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, start, 0); return 0; }
"""


@pytest.fixture
def scheduled(translated, tmp_path):
    """``scheduled(more, option=…)``: the fact `scheduling`, the functions of the unit in order, and its text."""
    chain = tmp_path / "scheduler.chain"
    chain.write_text("families explicit\n" + "".join(f"stage {name}\n" for name in STAGES), encoding="utf-8")
    translated.use(str(chain))

    def run(more: str = "", **parameters: object) -> tuple[Scheduling, list[str], str]:
        from cseq.pipeline.chain import load

        context = translated.context(keep_unused=False, **parameters)
        value = [translated.write(PROGRAM.replace("MORE", more))]
        for name, stage in load(str(chain)).chosen(context.values):
            value = stage(context).run(value)
            if name == "scheduler":
                break
        functions = [node.decl.name for node in value.tree.ext if isinstance(node, c_ast.FuncDef)]
        return context.facts[SCHEDULING], functions, value.text

    return run


def test_nothing_changes_where_any_thread_may_run(scheduled):
    for parameters in ({}, {"scheduler": "roundrobin"}):
        scheduling, functions, text = scheduled("pthread_setschedprio(pthread_self(), 1);", **parameters)
        assert "__cs_priority[" not in text
        assert not any(name.endswith("__cs2") for name in functions)
        assert not scheduling.priorities


def test_a_program_that_asks_for_priorities_gets_those_that_it_has_set(scheduled):
    more = "int p; struct sched_param q; pthread_getschedparam(pthread_self(), &p, &q);"
    _, functions, text = scheduled(f"{more} pthread_setschedprio(pthread_self(), 1);")
    assert {name for name in functions if name.endswith("__cs2")} == {
        "__cs_step_create__cs2", "pthread_getschedparam__cs2", "pthread_setschedprio__cs2",
    }  # fmt: skip
    assert "  pthread_setschedprio__cs2(pthread_self(), 1);\n" in text
    assert "__CSEQ_dozes" not in text


def test_variants_stand_in_the_places_of_functions_by_priority(scheduled):
    scheduling, functions, text = scheduled(scheduler="priority")
    assert scheduling == Scheduling("priority", "scheduling by priorities", priorities=True, mutexes=True)
    assert "  sleep__cs2(1);\n" in text
    assert "  pthread_mutex_timedlock(&m, &soon);\n" in text
    for name in ("pthread_mutex_lock", "__cs_mutex_timedlock", "__cs_deadline", "__cs_step_create"):
        # What was there is called by the variant that has taken its name, and by nothing else.
        assert text.count(f" {name}__cs2(") == 2
        assert functions.index(f"{name}__cs2") < functions.index(name)
    assert functions.index("pthread_mutex_lock") < functions.index("__cs_mutex_timedlock__cs2")
    assert functions.index("__cs_deadline") < functions.index("__cs_mutex_timedlock__cs2")
    begins = r"int pthread_mutex_lock\(pthread_mutex_t \*(mutex\w+)\)\n\{\n  if \(__cs_is_above_ceiling\(\1\)\) \{"
    assert re.search(begins, text)


def test_mutexes_with_ceilings_are_remembered_where_there_are_any(scheduled):
    scheduling, _, text = scheduled("pthread_mutex_init(&m, 0);", scheduler="priority")
    assert scheduling.ceilings
    assert "pthread_mutex_t *__cs_protected[16];" in text


def test_a_comparison_of_the_user_s_knows_who_sleeps(scheduled):
    scheduling, functions, text = scheduled(can_preempt="before")
    assert (scheduling.name, scheduling.words) == ("user", "the scheduler `before`")
    assert "  sleep__cs2(1);\n" in text
    assert "__cs_deadline__cs2" in functions
    assert "pthread_mutex_lock__cs2" not in functions


def test_a_thread_that_can_be_cancelled_can_be_while_it_sleeps(scheduled):
    _, functions, text = scheduled("pthread_cancel(pthread_self());", scheduler="priority")
    assert "  sleep(1);\n" in text  # which the three-address stage makes one of the variant for cancellation
    assert re.search(r"return sleep__cs2\(seconds__cs\d\);", text)
    assert "sleep__cs1" in functions
