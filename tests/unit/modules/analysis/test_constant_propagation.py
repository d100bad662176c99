"""Counters: which numbers locals hold, and how often loops run, as far as the text shows."""

import re

import pytest


def test_counters_in_counters(unrolled):
    text = unrolled("int m; for (n = 0; n < 3; n++) for (m = 0; m <= n; m++) x = n * 10 + m;", unwind=3)
    assert re.findall(r"x = (.*);", text) == [
        "(0 * 10) + 0", "(1 * 10) + 0", "(1 * 10) + 1", "(2 * 10) + 0", "(2 * 10) + 1", "(2 * 10) + 2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "loop, copies",
    [
        ("for (n = 0; n < 4; n++) x = 1;", 4),
        ("for (n = 0; n <= 4; n++) x = 1;", 5),
        ("for (n = 6; n > 0; n -= 2) x = 1;", 3),
        ("for (n = 5; n >= 0; n--) x = 1;", 6),
        ("for (n = 1; n != 7; n += 3) x = 1;", 2),
        ("for (n = -2; n < 1; n++) x = 1;", 3),
        ("for (n = 3; n < 3; n++) x = 1;", 0),
        ("n = 4; while (n > 1) { x = 1; n = n - 1; }", 3),
        ("unsigned char c; for (c = 0; c < 3; c++) x = 1;", 3),
        ("unsigned u; for (u = 2; u > 0; u--) x = 1;", 2),
        ("long l; for (l = 0; l < 3; l++) x = 1;", 3),
        ("for (n = 0; n < 4; ) { x = 1; n++; if (y) goto l; l:; }", 4),
        ("enum { E } e; for (e = -1; e < 3; e++) x = 1;", 0),  # it is unsigned
        ("n = 0; if (y) goto in; while (n < 4) { x = 1; in: n++; }", 4),
        ("signed char c; for (c = 120; c > 0; c++) x = 1;", 8),
        ("unsigned char c; for (c = 250; c != 2; c++) x = 1;", 8),
        ("n = 3; while (n-- > 0) x = 1;", 3),
        ("n = 3; while (--n) x = 1;", 2),
        ("n = 0; do x = 1; while (++n < 3);", 3),
        ("for (n = 0;;) { if (n == 3) break; x = 1; n++; }", 3),
        ("for (n = 1; n < 20; n *= 3) x = 1;", 3),
        ("for (n = 1; n <= 16; n <<= 1) x = 1;", 5),
        ("for (n = 100; n; n >>= 2) x = 1;", 4),
        ("for (n = 5; 0 < n; n -= 2) x = 1;", 3),
        ("const int k = 2; for (n = 0; n < k; n++) x = 1;", 2),
        ("enum { K = 2 }; for (n = 0; n < K; n++) x = 1;", 2),
        ("static const int k = 2; for (n = 0; n < k; n++) x = 1;", 2),
        ("int a[3]; for (n = 0; n < sizeof a / sizeof *a; n++) x = 1;", 3),
        ("int m = 5; for (n = 0; n < m; n++, m--) x = 1;", 3),
        ("for (n = 0; n < 9; n++) { if (n == 1) n += 5; x = 1; }", 4),
        ("for (n = 0; n < 3 && y; n++) x = 1;", 3),
        ("for (n = 0; y && n < 3; n++) x = 1;", 3),
        ("for (n = 0; n < 4; n++) { if (y) break; x = 1; }", 4),
        ("for (n = 0; n < 4; n++) { if (y) continue; x = 1; }", 4),
        ("while (1) { x = 1; break; }", 1),
        ("int m; for (n = 0; n < 3; n++) for (m = n; m < 3; m++) x = 1;", 6),
        ("int m; for (n = 0; n < 3; n++) { m = 0; while (y) { x = 1; if (++m == 2) break; } }", 6),
        ("for (n = 0; n < 3; n++) { switch (n) { case 1: break; default: x = 1; } }", 2),
        ("n = 3; back: x = 1; if (--n) goto back;", 3),
    ],
)
def test_how_often_a_loop_runs(unrolled, loop, copies):
    text = unrolled(loop, unwind=1)
    assert text.count("x = 1;") == copies
    assert "__CSEQ_unwound" not in text


@pytest.mark.parametrize(
    "loop",
    [
        "for (n = 0; n < 4; n++) { int *p = &n; x = 1; }",  # somebody else may change it
        "for (n = 0; n < 4; n++) { x = 1; n = y; }",
        "for (n = 0; n < 4; n++) { x = 1; if (y) n++; }",
        "for (n = 0; n < 4; n++) { x = 1; while (y) n++; }",
        "for (n = 0; n < y; n++) x = 1;",
        "for (n = y; n < 4; n++) x = 1;",
        "n = 0; if (y) n = 3; while (n < 4) { x = 1; n++; }",
        "n = 0; if (y) goto l; n = 3; l: while (n < 4) { x = 1; n++; }",
        "for (x = 0; x < 4; x++) x = 1;",  # it is shared
        "for (n = 0; n < 4; n += y) x = 1;",
        "for (n = 0; n != 5; n += 2) x = 1;",  # it wraps around before it ends
        "for (n = 2147483640; n <= 2147483647; n++) x = 1;",
        "unsigned char c; for (c = 0; c < 300; c++) x = 1;",
        "unsigned u; for (u = 5; u >= 0; u--) x = 1;",
        "n = 0; again: while (n < 4) { x = 1; n++; } if (y) goto again;",
        "_Bool b; for (b = 0; b < 2; b++) x = 1;",
        "for (n = 0; n < 4u - 5; n++) x = 1;",
    ],
)
def test_loops_that_do_not_count_for_sure_are_cut_off_where_they_go_on(unrolled, loop):
    text = unrolled(loop, unwind=6)
    assert re.search(r'__CSEQ_unwound\(.*, "cut.loop 6"\);', text)


@pytest.mark.parametrize(
    "loop",
    [
        "for (n = 0; n < 4; n++) { x = 1; if (y) n = 0; }",
        "for (n = 0; y < 4; n++) x = 1;",
        "int a[4]; for (n = 0; a[n]; n++) x = 1;",
        "volatile const int *p; for (n = 0; n < *p; n++) x = 1;",
        "float f; for (f = 0; f < 3; f++) x = 1;",
        "for (n = 0; n < 3 || y; n++) x = 1;",
        "n = 4; while (n) { x = 1; n = n / y; }",
        "n = 2147483645; while (n > 0) { x = 1; n++; }",  # the end of it is undefined
        "n = 1; while (n != 0) { x = 1; n <<= 30; }",
    ],
)
def test_what_is_not_known_is_not_counted(unrolled, loop):
    assert "__CSEQ_unwound" in unrolled(loop, unwind=2)


def test_numbers_in_the_place_of_locals_have_their_types(unrolled):
    text = unrolled("for (unsigned u = 0; u < 2; u++) { x = u - 1 > 0; x = -u / 2; y = sizeof(u); }", unwind=1)
    assert text.splitlines()[-8:] == [
        "x = (0u - 1) > 0;",
        "x = (-0u) / 2;",
        "y = sizeof(u);",
        "u = 1u;",
        "x = (1u - 1) > 0;",
        "x = (-1u) / 2;",
        "y = sizeof(u);",
        "u = 2u;",
    ]
