"""What steps may access, and the parts of the thread library that this relies on."""

import re
from typing import Any

import pytest

from cseq.modules.library.lexicon import stubs
from cseq.modules.symbolic.encode.sequentializer import footprints as module
from cseq.modules.symbolic.encode.sequentializer.footprints import Footprint


def conflict(one: Footprint, other: Footprint) -> bool:
    return bool(one.touches & other.writes | one.writes & other.touches)


MAIN = "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); %s return 0; }"


@pytest.mark.parametrize(
    "objects, theirs, ours, expected",
    [
        ("int x, y;", "x = 1;", "y = 1;", False),
        ("int x, y;", "x = 1;", "x = 2;", True),
        ("int x, y;", "int a = x;", "int b = x;", False),
        ("int x, y;", "int a = x;", "x = 1;", True),
        ("int x, y, *p = &x;", "*p = 1;", "x = 1;", True),
        ("int x, y, *p = &x;", "*p = 1;", "y = 1;", False),
        ("int x[3], y;", "x[0] = 1;", "x[1] = 1;", True),
        ("int x[3], y; void g(int *a) { a[1] = 1; }", "x[0] = 1;", "g(x);", True),
        ("int *p, *q;", "p = malloc(4);", "q = malloc(4);", False),
        ("struct { int a[2]; } s; int y;", "int *p = s.a; *p = 1;", "s.a[1] = 2;", True),
        ("struct { int a, b; } s; int y;", "s.a = 1;", "s.b = 2;", True),
        ("pthread_mutex_t m, n;", "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&n);", False),
        ("pthread_mutex_t m, n;", "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);", True),
        ("pthread_mutex_t m, *n = &m;", "pthread_mutex_lock(&m);", "pthread_mutex_unlock(n);", True),
        ("int x; static int *at(void) { static int z; return &z; }", "*at() = 1;", "*at() = 2;", True),
    ],
)
def test_statements_conflict(steps: Any, objects: str, theirs: str, ours: str, expected: bool) -> None:
    # In front of both, a step of its own: the first step of a thread conflicts with its creation.
    program = (
        f"{objects} int one, two; void *f(void *arg) {{ one = 1; {theirs} return 0; }}" + MAIN % f"two = 1; {ours}"
    )
    main, thread = steps(program)
    found = any(conflict(mine, other) for mine in main[1:] for other in thread[1:])
    assert found == expected


def test_a_step_includes_what_is_behind_a_jump(steps: Any) -> None:
    program = (
        """
        int x, y, z; void __VERIFIER_assume(int);
        void *f(void *arg) { z = 1; int a = x; if (arg) goto end; y = 2; end: ; int *p = 0; if (a) p = &x; return p; }
        """
        + MAIN % "y = 7; z = 3; x = 8;"
    )
    main, thread = steps(program)
    store = next(step for step in main if step.writes and step.writes == thread[2].writes)
    assert [bool(step.writes & store.writes) for step in thread] == [False, False, True]
    assert thread[1].reads and not thread[1].reads & store.writes


def test_the_first_step_conflicts_with_the_creation_and_a_join_with_the_end(steps: Any) -> None:
    program = "int x; void *f(void *arg) { x = 1; x = 2; return 0; }" + MAIN % "pthread_join(t, 0);"
    main, thread = steps(program)
    assert [[conflict(mine, other) for other in thread] for mine in main] == [
        [True, False],
        [False, True],
        [False, False],
    ]


def test_what_only_one_thread_accesses_needs_no_bit(steps: Any) -> None:
    objects = "".join(f"int x{number}; " for number in range(70))
    program = f"{objects} int y; void *f(void *arg) {{ y = 1; return 0; }}" + MAIN % (
        "".join(f"x{number} = 1; " for number in range(70)) + "y = 2;"
    )
    main, thread = steps(program)
    assert max(step.touches for step in main) < 4
    assert conflict(main[-2], thread[0])


def test_many_locations_share_bits(steps: Any) -> None:
    names = [f"x{number}" for number in range(70)]
    program = f"int {', '.join(names)}; void *f(void *arg) {{ {' '.join(f'{n} = 1;' for n in names)} return 0; }}"
    main, thread = steps(program + MAIN % "".join(f"{name} = 2; " for name in names))
    assert all(conflict(mine, theirs) for mine, theirs in zip(main[1:-1], thread, strict=True))
    assert max(step.touches for step in main) < 1 << module.MOST


def test_only_creation_and_end_write_what_belongs_to_a_thread() -> None:
    for name in module._BY_THREAD:
        writers = {
            function
            for function, item in stubs.items().items()
            if item.is_function and re.search(rf"\b{name}\[[^]]*\] (\W|\w+)?= ", item.text)
        }
        assert writers <= {"__cs_step_create", "__cs_step_exit"}, name
        assert writers, name


def test_nothing_points_to_the_objects_of_the_library_that_have_a_name() -> None:
    for name in [*module._NAMED, *module._BY_THREAD]:
        assert name in stubs.items(), name
        is_array = "[" in stubs.items()[name].text
        for function, item in stubs.items().items():
            if item.is_function:
                pointed = rf"(?<!>)\b{name}\b(?!\[)" if is_array else rf"&{name}\b"
                assert not re.search(pointed, item.text), (name, function)
