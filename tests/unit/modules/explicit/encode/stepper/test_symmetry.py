"""Threads that nothing tells apart are interchangeable, and only these."""

import re
from pathlib import Path

import pytest

from tests.differential.explicit import searched, verdict
from tests.unit.modules.explicit.encode.stepper.test_stepper import stepped, written

pytestmark = pytest.mark.engine

ALL = "for (int i = 0; i < 3; i++) pthread_join(t[i], 0);"
COUNT = "pthread_mutex_lock(&m); int v = x; x = v + 1; pthread_mutex_unlock(&m);"
ONE = "sem_wait(&s); x = 1; y = x;"  # only one thread gets past the semaphore


def program(work: str, main: str = ALL, argument: str = "0") -> str:
    return f"""
        #include <assert.h>
        #include <pthread.h>
        #include <semaphore.h>
        int x, y; sem_t s; pthread_t t[3], *q; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, *n = &m;
        void *work(void *arg) {{ {work} return 0; }}
        int main(void) {{
            sem_init(&s, 0, 1);
            for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)({argument}));
            {main}
            return 0;
        }}
        """


def classes(folder: Path, text: str) -> list[int]:
    """The classes of the threads; empty where none are interchangeable."""
    found = re.findall(r"__CSEQ_class\[\] = {(.*)};", stepped(written(folder, text)))
    return [int(number) for row in found for number in row.split(",")]


@pytest.mark.parametrize(
    ("work", "main", "argument"),
    [
        (COUNT, ALL, "0"),
        (COUNT, ALL, "i"),
        (COUNT, "", "0"),
        (COUNT, "for (int i = 2; i >= 0; i--) pthread_join(t[i], 0);", "0"),
        (ONE + "assert(x == (long)arg);", ALL + "assert(x == 1);", "1"),
        ("if (x) return 0; " + COUNT, "if (x) y = 1;" + ALL, "0"),
    ],
)
def test_interchangeable(tmp_path: Path, work: str, main: str, argument: str) -> None:
    assert classes(tmp_path, program(work, main, argument)) == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("work", "main", "argument"),
    [
        ("x = (long)arg;", ALL, "i"),
        ("x = pthread_self() == t[1];", ALL, "0"),
        ("x = t[0];", ALL, "0"),
        (COUNT, "q = t;" + ALL, "0"),
        (COUNT, "pthread_join(t[0], 0);", "0"),
        (COUNT, "pthread_join(t[0], 0); x = 5; pthread_join(t[1], 0); pthread_join(t[2], 0);", "0"),
        (COUNT, "if (x) pthread_join(t[0], 0);", "0"),
        (COUNT, "for (int i = 0; i < 3; i++) { pthread_join(t[i], 0); assert(x > i); }", "0"),
        (COUNT, "void *r; for (int i = 0; i < 3; i++) pthread_join(t[i], &r);", "0"),
        ("pthread_mutex_lock(n); pthread_mutex_unlock(n);", ALL, "0"),
        ("int l = 0; y = &l == (int *)&x;", "x = t[0] + 1;" + ALL, "0"),
    ],
)
def test_told_apart(tmp_path: Path, work: str, main: str, argument: str) -> None:
    assert classes(tmp_path, program(work, main, argument)) == []


AGAIN = "for (int i = 0; i < 2; i++) pthread_create(&u[i], 0, work, 0);"
"""The second phase."""


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        (ALL + "assert(x == 3);" + AGAIN + "pthread_join(u[1], 0); pthread_join(u[0], 0);", [1, 1, 1, 1, 1]),
        (ALL + AGAIN, [1, 1, 1, 1, 1]),
        (ALL + AGAIN + "pthread_join(u[0], 0); x = 1; pthread_join(u[1], 0);", [1, 1, 1, 1, 0]),
        ("pthread_join(t[2], 0); pthread_join(t[0], 0); x = 1;" + AGAIN, [1, 0, 1, 1, 1]),
        ("pthread_join(t[2], 0); pthread_join(t[0], 0); x = 1; pthread_join(t[1], 0);", [1, 0, 1]),
        ("pthread_join(t[2], 0); pthread_join(t[0], 0);" + AGAIN + "pthread_join(t[1], 0);", [1, 0, 1, 1, 1]),
        ("pthread_join(t[2], 0); pthread_join(t[0], 0);", [1, 0, 1]),
        (AGAIN + ALL + "pthread_join(u[0], 0);", [1, 1, 1, 1, 0]),
    ],
)
def test_phases(tmp_path: Path, main: str, expected: list[int]) -> None:
    """A thread that is not joined at the end of its phase is like no other one."""
    text = program(COUNT, main).replace("pthread_t t[3]", "pthread_t t[3], u[2]")
    assert classes(tmp_path, text) == [0, *expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (program(COUNT, ALL + "assert(x == 3);"), "safe"),
        (program(COUNT.replace("_lock", "_trylock"), ALL + "assert(x != 2);"), "violated"),
        (program("int v = x; x = v + 1;", ALL + "assert(x == 3);"), "violated"),
        # Here it is one certain thread that leads to the violation.
        *((program(ONE + f"assert(arg != (void *){k});", "", "i"), "violated") for k in range(3)),
        (program(ONE + "assert(arg != (void *)3);", "", "i"), "safe"),
        *((program(ONE + f"assert(pthread_self() != t[{k}]);", ""), "violated") for k in range(3)),
        (program(ONE, "pthread_join(t[2], 0); assert(0);"), "violated"),
        (program(ONE, "pthread_join(t[2], 0); pthread_join(t[1], 0); assert(0);"), "safe"),
        (program(ONE, "pthread_join(t[2], 0); assert(0);" + ALL), "violated"),
        # In two phases, and with a thread that is left at the end of one.
        (program(COUNT, ALL + AGAIN.replace("&u", "&t") + "pthread_join(t[0], 0); assert(x != 5);"), "violated"),
        (program(COUNT, ALL + AGAIN.replace("&u", "&t") + "pthread_join(t[0], 0); assert(x > 3);"), "safe"),
        (program(ONE, "pthread_join(t[2], 0); pthread_join(t[2], 0);"), "violated"),
        (program(COUNT, "pthread_join(t[2], 0); pthread_join(t[1], 0); assert(x == 3);"), "violated"),
        (program(COUNT, "pthread_join(t[2], 0); pthread_join(t[1], 0); assert(x > 1);"), "safe"),
    ],
)
def test_verdicts_do_not_depend_on_it(tmp_path: Path, text: str, expected: str) -> None:
    tool = searched(text, tmp_path)
    for options in [(), ("--no-por",), ("--search", "dfs"), ("--no-symmetry",)]:
        found = tool.search(*options)
        assert verdict(found) == expected, options
        assert expected == "safe" or tool.fails(found), options


def test_there_are_fewer_states(tmp_path: Path) -> None:
    tool = searched(program(COUNT), tmp_path)
    with_it, without = (
        tool.search("--no-por", *options)["statistics"]["states"] for options in ((), ("--no-symmetry",))
    )
    assert with_it * 3 < without * 2
