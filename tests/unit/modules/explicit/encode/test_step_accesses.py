"""What statements touch that other threads can notice."""

import re

import pytest

PROGRAM = """\
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *work(void *argument)
{
  int own = 0, *block = malloc(4);
  shared = &own;
  free(block);
  return 0;
}
int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  return 0;
}
"""


@pytest.fixture
def touched(translated):
    """What the steps of the thread touch, in order."""
    translated.use("explicit")

    def run(program: str = PROGRAM, **parameters) -> list[str]:
        text = translated("stepper", program, **parameters)
        step = text[text.index("static void __cs_run_work") : text.index("const unsigned int __CSEQ_most_threads")]
        return re.findall(r"__CSEQ_touches\((.*), \d+\);", step)

    return run


READER = """\
#include <pthread.h>
#include <stdio.h>
int number;
void *work(void *argument) { scanf("%d", &number); return 0; }
int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  return number;
}
"""


FINISHED = "&__cs_finished[__CSEQ_thread], sizeof(__cs_finished[__CSEQ_thread])"


def test_a_thread_touches_nothing_of_its_own_that_nobody_reads(touched):
    assert [what for what in touched() if "own" not in what] == ["&shared, sizeof(shared)", "0, 0", FINISHED]


def test_blocks_and_the_ends_of_lives_are_noticed_where_memory_is_checked(touched):
    found = touched(property="valid-memsafety", checked=True)
    assert "__cs_heap_units + __CSEQ_thread, 1" in found
    assert found[-2:] == [FINISHED, "&__cs_f->own, sizeof(__cs_f->own)"]


def test_what_an_input_is_stored_in_is_noticed(touched):
    assert any("number" in what for what in touched(READER))
