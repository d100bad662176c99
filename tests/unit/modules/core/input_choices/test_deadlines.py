"""Times of clocks that only feed deadlines are constants; others are inputs."""

import pytest

WAIT = "sem_timedwait(&s, &ts);"
ONLY_DEADLINES = [
    f"ts.tv_sec += 2; {WAIT}",
    f"ts.tv_nsec += 5000; if (ts.tv_nsec >= 1000000000) {{ ts.tv_sec += 1; ts.tv_nsec -= 1000000000; }} {WAIT}",
    f"ts.tv_nsec += 5000; ts.tv_sec += ts.tv_nsec / 1000000000; ts.tv_nsec %= 1000000000; {WAIT}",
]
OTHERS = [
    f"ts.tv_nsec += 5000; {WAIT}",
    f"ts.tv_nsec += 5000; if (ts.tv_nsec >= 1000000000) {{ ts.tv_nsec -= 1000000000; }} {WAIT}",
    f"ts.tv_nsec += 2000000000; ts.tv_sec += ts.tv_nsec / 1000000000; ts.tv_nsec %= 1000000000; {WAIT}",
    f"ts.tv_sec += ts.tv_sec; {WAIT}",
    f"{WAIT} x = ts.tv_sec;",
    f"keep(&ts); {WAIT}",
]


@pytest.fixture
def is_constant(translated):
    """Whether the time that a clock sets is a constant, in a program that does something with it."""
    translated.use("explicit")

    def run(statements: str) -> bool:
        program = f"""\
#include <semaphore.h>
#include <time.h>
long x;
sem_t s;
struct timespec *kept;
void keep(struct timespec *time) {{ kept = time; }}
int main(void)
{{
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    {statements}
    return 0;
}}
"""
        text = translated("input_choices", program)
        return "ts.tv_nsec = 0;" in text

    return run


@pytest.mark.parametrize("statements", ONLY_DEADLINES)
def test_what_only_feeds_deadlines_is_a_constant(statements, is_constant):
    assert is_constant(statements)


@pytest.mark.parametrize("statements", OTHERS)
def test_what_is_looked_at_is_an_input(statements, is_constant):
    assert not is_constant(statements)
