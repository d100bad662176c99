"""Iterations that change nothing, and what becomes of loops that have such."""

import pytest


@pytest.mark.parametrize(
    "loop",
    [
        "while (x) n = n + 1;",  # the next iteration reads it
        "while (x) { if (n) y = 1; n = x; }",
        "while (x) { if (y) n = x; if (n) break; }",
        "while (x) y = x;",  # others may read it
        "while (x) { if (y) continue; n = x; } y = n;",  # the code after the loop may read an old value
        "while (x) { if (y) break; n = x; } y = n;",
        "while (x) { if (y) __VERIFIER_atomic_begin(); }",
        "while (x) { __VERIFIER_atomic_begin(); if (y) goto next; __VERIFIER_atomic_end(); next:; }",
    ],
)
def test_an_iteration_that_changes_something(unrolled, loop):
    text = unrolled(loop, 1)
    assert "cut.loop 1" in text
    assert "assume(0)" not in text


@pytest.mark.parametrize(
    "loop",
    [
        "while (x) { n = y; if (n) break; }",
        "while (x) { __VERIFIER_atomic_begin(); n = y; __VERIFIER_atomic_end(); if (n) break; } y = n;",
        "while (x) { n = 0; while (y) n = 1; if (n) break; }",
    ],
)
def test_an_iteration_that_changes_nothing(unrolled, loop):
    assert "the loop may run" not in unrolled(loop, 1)
