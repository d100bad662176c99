"""What functions return that are not modelled in full: what they may, and nothing else."""

from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Verdict

HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
int __VERIFIER_nondet_int(void);
int main(void)
{
    struct timeval now;
    struct stat info;
    sigset_t set;
    double x = __VERIFIER_nondet_int();
    %s
    return 0;
}
"""

RESULTS = [
    # what holds of the result; what does not
    ("int r = isatty(0); assert(r == 0 || r == 1);", "assert(isatty(0) == 1);"),
    ("assert(gettimeofday(&now, 0) == 0);", "assert(gettimeofday(&now, 0) != 0);"),
    (
        "gettimeofday(&now, 0); assert(now.tv_usec >= 0 && now.tv_usec < 1000000);",
        "gettimeofday(&now, 0); assert(now.tv_usec < 999999);",
    ),
    ('int r = close(open("x", O_RDONLY)); assert(r == 0 || r == -1);', 'assert(open("x", O_RDONLY) >= 0);'),
    ('int r = stat("x", &info); assert(r == 0 || r == -1);', 'assert(stat("x", &info) == 0);'),
    ('assert(write(1, "abc", 3) <= 3);', 'assert(write(1, "abc", 3) == 3);'),
    ('assert(write(1, "abc", 3) >= -1);', 'assert(write(1, "abc", 3) >= 0);'),
    ('assert(fwrite("abc", 1, 3, stdout) <= 3);', 'assert(fwrite("abc", 1, 3, stdout) == 3);'),
    ('assert(puts("abc") >= -1);', 'assert(puts("abc") >= 0);'),
    ("struct pollfd f = {0}; assert(poll(&f, 1, 0) <= 1);", "struct pollfd f = {0}; assert(poll(&f, 1, 0) < 1);"),
    ("double r = sin(x); assert(r >= -1 && r <= 1);", "assert(sin(x) < 0.5);"),
    ("assert(exp(x) >= 0);", "assert(exp(x) > 1);"),
    ("assert(asin(1.0) > 1.57 && asin(1.0) < 1.58);", "assert(asin(1.0) > 1.58);"),
    ("assert(rint(2.5) == 2 && lrint(-3.5) == -4);", "assert(rint(2.5) == 3);"),
    ("assert(copysign(2, -0.0) == -2);", "assert(copysign(2, -0.0) == 2);"),
    ('assert(strtod("-2.5", 0) == -2.5 && atof(" 1e2 m") == 100);', 'assert(atof("1e2") == 1);'),
    (
        "sigemptyset(&set); sigaddset(&set, SIGINT); assert(sigismember(&set, SIGINT) && !sigismember(&set, SIGTERM));",
        "sigfillset(&set); sigdelset(&set, SIGINT); assert(sigismember(&set, SIGINT));",
    ),
    (
        "srand(3); int a = rand(); srand(3); assert(a == rand());",
        "srand(3); int a = rand(); srand(4); assert(a == rand());",
    ),
    ("int a = rand(); srand(1); assert(a == rand());", "int a = rand(); srand(1); rand(); assert(a == rand());"),
    (
        "unsigned s = 7, t = 7; assert(rand_r(&s) == rand_r(&t) && s == t && rand_r(&s) == rand_r(&t));",
        "unsigned s = 7, t = 8; assert(rand_r(&s) == rand_r(&t));",
    ),
    ("srandom(2); long a = random(); srandom(2); assert(a == random());", "srandom(2); assert(random() != random());"),
    ("assert(sigaddset(&set, 65) == -1 && errno == EINVAL);", "assert(sigaddset(&set, 64) == -1);"),
]


SEEDED = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int one, two;
static void *draw(void *to)
{
    unsigned seed = SEED;
    *(int *)to = rand_r(&seed) % 10;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, draw, &one);
    pthread_join(t, 0);
    draw(&two);
    assert(one == two);
    return 0;
}
"""


@pytest.mark.engine
@pytest.mark.parametrize(("seed", "is_found"), [("42", False), ("(unsigned)time(0)", True)])
def test_threads_with_one_seed_draw_the_same_numbers(seed: str, is_found: bool, tmp_path: Path) -> None:
    program = tmp_path / "program.c"
    program.write_text(f"#define SEED {seed}\n{SEEDED}")
    outcome = cseq.verify(program, backend="cbmc", rounds=2, timeout=100)
    assert (outcome.verdict is Verdict.FALSE) == is_found
    assert outcome.exit_status == (1 if is_found else 0)


@pytest.mark.engine
def test_horn_takes_numbers_that_are_drawn_again_for_any_numbers(tmp_path: Path) -> None:
    program = tmp_path / "program.c"
    program.write_text(HEAD % "unsigned s = 7; for (;;) { int r = rand_r(&s); assert(r >= 0); }")
    assert cseq.verify(program, backend="horn", timeout=60).verdict is Verdict.TRUE
    program.write_text(HEAD % "unsigned s = 7; for (;;) { int r = rand_r(&s); assert(r != 5); }")
    assert cseq.verify(program, backend="horn", timeout=20).verdict is Verdict.UNKNOWN


@pytest.mark.engine
@pytest.mark.parametrize("number", range(len(RESULTS)))
def test_a_function_returns_what_it_may_return(number: int, tmp_path: Path) -> None:
    program = tmp_path / "program.c"
    for claim, expected in zip(RESULTS[number], (Verdict.TRUE, Verdict.FALSE), strict=True):
        program.write_text(HEAD % claim)
        outcome = cseq.verify(program, backend="cbmc", timeout=60)
        assert outcome.verdict is expected, (claim, outcome.verdict, outcome.violated)
