"""Which threads a join can wait for, as far as the text shows."""

from typing import Any

import pytest

from tests.unit.modules.symbolic.encode.sequentializer.test_footprints import conflict

TWO = "int x, y; void *f(void *arg) { x = 1; x = 2; return 0; } void *g(void *arg) { y = 1; y = 2; return 0; } "


@pytest.mark.parametrize(
    "body, expected",
    [
        ("pthread_t a, b; %s pthread_join(a, 0);", "f"),
        ("pthread_t a, b; %s pthread_join(b, 0);", "g"),
        ("pthread_t a, b; %s pthread_t c = a; pthread_join(c, 0);", "f"),
        ("pthread_t a, b; %s a = b; pthread_join(a, 0);", "g"),
        ("pthread_t a, b; %s if (x) a = b; pthread_join(a, 0);", "fg"),
        ("pthread_t a, b, c; %s if (x) c = b; pthread_join(c, 0);", "fg"),
        ("pthread_t a, b; %s pthread_t *p = &a; *p = b; pthread_join(a, 0);", "fg"),
        ("pthread_t a, b; %s a = x; pthread_join(a, 0);", "fg"),
        ("pthread_t a, b; %s if (x) goto end; a = b; end: pthread_join(a, 0);", "fg"),
    ],
)
def test_a_join_of_a_thread_that_is_known(steps: Any, body: str, expected: str) -> None:
    created = "pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);"
    main, *threads = steps(TWO + "int main(void) { " + body % created + " return 0; }")
    assert [name for name, thread in zip("fg", threads, strict=True) if conflict(main[-2], thread[-1])] == [*expected]


@pytest.mark.parametrize(
    "place, more, expected",
    [
        ("pthread_t t[2];", "", "g"),
        ("static pthread_t t[2];", "", "g"),
        ("static struct { pthread_t t[2]; } s;\n#define t s.t\n", "", "fg"),
        ("static pthread_t t[2], *p = t;", "", "fg"),
        ("static pthread_t t[2];", "t[1] = t[0];", "fg"),
        ("static pthread_t t[2];", "pthread_create(&t[1], 0, f, 0);", "gh"),
        ("static pthread_t t[2];", "pthread_create(&t[x & 1], 0, f, 0);", "fgh"),
    ],
)
def test_a_join_of_an_element(steps: Any, place: str, more: str, expected: str) -> None:
    objects, local = ("", place) if not place.startswith("static") else (place, "")
    created = f"pthread_create(&t[0], 0, f, 0); pthread_create(&t[1], 0, g, 0); {more}"
    main, *threads = steps(f"{TWO} {objects}\nint main(void) {{ {local} {created} pthread_join(t[1], 0); return 0; }}")
    assert [name for name, thread in zip("fgh", threads, strict=False) if conflict(main[-2], thread[-1])] == [*expected]
