"""What a function that may only look at the state may do."""

import pytest

from tests.unit.modules.frontend.observers.conftest import PROGRAM, refused

BODIES = [
    ("count = 1; return 1;", "assigns to `count`"),
    ("return count++;", "assigns to `count`"),
    ("pairs[0].b[1] = 1; return 1;", "assigns to `pairs[0].b[1]`"),
    ("int *p = &count; *p = 1; return 1;", "assigns to `*p`"),
    ("pair *p = pairs; p->a = 1; return 1;", "assigns to `p->a`"),
    ("int *p = &count; p[0] += 1; return 1;", "assigns to `p[0]`"),
    ("memset(name, 0, 4); return 1;", "calls `memset` on memory that is not its own"),
    ("memcpy(name, name, 4); return 1;", "calls `memcpy` on memory that is not its own"),
    ("static int seen; return seen;", "keeps `seen` from call to call"),
    ("return rand();", "calls `rand`, which is not a function of the program"),
    ("return pthread_self() == 0;", "calls `pthread_self`, which is not a function of the program"),
    ("int (*f)(int) = twice; return f(1);", "uses the function `twice` other than by calling it"),
    ("return own;", "reads `own`, of which each thread has its own"),
    ("int count = 1; return count;", "uses the name `count` for several things"),
    ("{ int *a; a = 0; } { int a[1]; a[0] = 1; } return 1;", "uses the name `a` for several things"),
    ('__asm__("nop"); return 1;', "contains assembly"),
]


@pytest.mark.parametrize("body, message", BODIES)
def test_what_may_change_the_state_is_refused(observed, body, message):
    line = PROGRAM.count("\n") + 1
    assert (
        refused(observed, f"int ok(void) {{ {body} }}\n", invariant=("ok",))
        == f"program.c:{line}: `ok` {message}, but may only look at the state"
    )


def test_a_constant_is_nothing_that_a_function_keeps(observed):
    text = "int ok(void) { static const int most[] = { 1, 2 }; return count < most[1]; }"
    fact, _ = observed(text, invariant=("ok",))
    assert "static const int most[] = {1, 2};" in fact.text


def test_a_function_that_is_called_is_looked_at_too(observed):
    functions = "void put(int *to) { *to = 1; }\nvoid view(struct view *to) { put(&to->x); }\n"
    assert refused(observed, functions, abstract="view").endswith(
        "`put` assigns to `*to`, but may only look at the state"
    )


def test_an_abstraction_keeps_its_pointer(observed):
    functions = "static struct view other;\nvoid view(struct view *to) { to = &other; to->x = 1; }\n"
    assert "`view` assigns to `to`" in refused(observed, functions, abstract="view")
