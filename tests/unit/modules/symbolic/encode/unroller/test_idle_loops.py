"""Iterations that change nothing, and what becomes of loops that have such."""

from __future__ import annotations

import pytest


def test_a_loop_that_only_waits_is_left_or_not(assert_unrolled):
    assert_unrolled(
        "while (x) n = y;",
        """\
        if (!x) goto __cs_loop_1;
        n = y;
        __CSEQ_assume(!x);
        __cs_loop_1: ;
        """,
        unwind=5,
    )


def test_a_loop_that_never_ends_and_changes_nothing(assert_unrolled):
    assert_unrolled("while (1) { n = x; if (n) break; } y = n;", """\
        n = x;
        if (n) goto __cs_break_1;
        __CSEQ_assume(0);
        __cs_break_1: ;
        y = n;
        """)  # fmt: skip


def test_an_iteration_that_changes_nothing_is_not_followed_by_another_one(assert_unrolled):
    assert_unrolled(
        "while (x) { if (y) x = 0; }",
        """\
        if (!x) goto __cs_loop_1;
        __cs_tmp_moved_1 = 0;
        if (y) {
          x = 0;
          __cs_tmp_moved_1 = 1;
        }
        if (!x) goto __cs_loop_1;
        __CSEQ_assume(__cs_tmp_moved_1);
        __cs_tmp_moved_1 = 0;
        if (y) {
          x = 0;
          __cs_tmp_moved_1 = 1;
        }
        if (!x) goto __cs_loop_1;
        __CSEQ_assume(__cs_tmp_moved_1);
        __CSEQ_unwound(0, "cut.loop 2");
        __cs_loop_1: ;
        """,
    )


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
