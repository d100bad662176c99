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
    ("assert(sigaddset(&set, 65) == -1 && errno == EINVAL);", "assert(sigaddset(&set, 64) == -1);"),
]


@pytest.mark.engine
@pytest.mark.parametrize("number", range(len(RESULTS)))
def test_a_function_returns_what_it_may_return(number: int, tmp_path: Path) -> None:
    program = tmp_path / "program.c"
    for claim, expected in zip(RESULTS[number], (Verdict.TRUE, Verdict.FALSE), strict=True):
        program.write_text(HEAD % claim)
        outcome = cseq.verify(program, backend="cbmc", timeout=60)
        assert outcome.verdict is expected, (claim, outcome.verdict, outcome.violated)
