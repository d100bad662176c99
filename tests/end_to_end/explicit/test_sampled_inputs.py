"""Inputs with too many values to try each: bugs are found, twins without are left to the symbolic engine.

Each program has a bug with `BUG` defined, and none without.
"""

from pathlib import Path

import pytest

import cseq
from cseq.model.trace import Counterexample
from cseq.model.verdict import Verdict
from cseq.report.words import bound_text

SOLVED = """\
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int given, ready;
void *worker(void *p) {
    given = __VERIFIER_nondet_int();
    ready = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (ready) {
        int x = given;
#ifdef BUG
        assert((x ^ 0x5a5a) != 0x123456);
#else
        assert((x ^ 0x5a5a) != 0x123456 || given == x);
#endif
    }
    pthread_join(t, 0);
    return 0;
}
"""

LIBRARY = """\
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int ready;
void *worker(void *p) { ready = 1; return 0; }
int main(int argc, char **argv) {
    pthread_t t;
    int hit;
    pthread_create(&t, 0, worker, 0);
#if PART == 1
    hit = rand() * 3 == 777777;
#elif PART == 2
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    hit = now.tv_sec == 1234;
#elif PART == 3
    char line[20] = "";
    hit = fgets(line, 20, stdin) && !strncmp(line, "quit", 4);
#elif PART == 4
    char *value = getenv("MODE");
    hit = value && atoi(value) == 4321;
#elif PART == 5
    hit = argc > 1 && !strcmp(argv[1], "quit");
#endif
    assert(!(hit && ready));
    pthread_join(t, 0);
    return 0;
}
"""


def checked(folder: Path, text: str, *define: str, **parameters: object) -> cseq.Outcome:
    """The outcome for a program."""
    (folder / "input.c").write_text(text, encoding="utf-8")
    return cseq.verify([folder / "input.c"], define=define, **parameters)


def values(shown: Counterexample | None) -> set[tuple[str, str]]:
    """The accesses that a counterexample shows: names and values."""
    assert shown is not None
    return {(each.name, each.value) for step in shown.steps for each in step.accesses}


def test_a_branch_that_a_solved_value_takes_is_reached_and_the_trace_has_the_value(tmp_path):
    outcome = checked(tmp_path, SOLVED, "BUG", backend="native")
    assert outcome.verdict is Verdict.FALSE
    assert not outcome.unreplayed
    assert ("given", str(0x5A5A ^ 0x123456)) in values(outcome.counterexample)


def test_samples_prove_nothing_and_hide_no_proof(tmp_path):
    outcome = checked(tmp_path, SOLVED, backend="native")
    assert outcome.verdict is Verdict.UNKNOWN
    assert [bound_text(bound).partition(":")[0] for bound in outcome.bounds] == [
        f"the values of the input at {tmp_path}/input.c"
    ]
    assert checked(tmp_path, SOLVED).verdict is Verdict.TRUE


@pytest.mark.parametrize("part", [1, 2, 3, 4, 5], ids=["rand", "clock_gettime", "fgets", "getenv", "argv"])
def test_what_comes_from_outside_of_the_program_is_sampled(tmp_path, part):
    outcome = checked(tmp_path, LIBRARY, f"PART={part}", backend="native", args_any=part == 5)
    assert outcome.verdict is Verdict.FALSE
    assert not outcome.unreplayed


def test_an_object_of_one_thread_is_zero_before_that_thread_stores_something(tmp_path):
    text = (
        "#include <assert.h>\nunsigned char __VERIFIER_nondet_uchar(void);\nint n;\n"
        "int main(void) { if ((__VERIFIER_nondet_uchar() & 6) == 2) n = 3; assert(n == 3); return 0; }\n"
    )
    assert checked(tmp_path, text, backend="native").verdict is Verdict.FALSE
