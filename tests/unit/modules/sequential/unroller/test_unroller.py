"""The unroller: loops become as many copies of their bodies as the bound says, or as they run."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest


@pytest.fixture
def unrolled(translated):
    """What becomes of the statements of main, with shared x, y and a local n, unrolled twice unless said otherwise."""

    def run(statements: str, unwind: int = 2, **parameters: int) -> str:
        program = f"int x, y;\nint main(void)\n{{\nint n;\n{dedent(statements)}\nreturn 0;\n}}\n"
        lines = translated("unroller", program, "main", unwind=unwind, **parameters).splitlines()
        body = [line[2:] for line in lines[lines.index("  n = __CSEQ_nondet_int();") + 1 : -1] if line != "  return 0;"]
        return "".join(f"{line}\n" for line in body)

    return run


@pytest.fixture
def assert_unrolled(unrolled):
    def check(before: str, after: str, unwind: int = 2) -> None:
        assert unrolled(before, unwind) == dedent(after)

    return check


def test_a_loop_is_repeated_as_often_as_the_bound_says(assert_unrolled):
    assert_unrolled(
        "while (x) y = 1;",
        """\
        if (!x) goto __cs_loop_1;
        y = 1;
        if (!x) goto __cs_loop_1;
        y = 1;
        __CSEQ_unwound(!x, "cut.loop 2");
        __cs_loop_1: ;
        """,
    )


def test_once_is_a_bound_too(assert_unrolled):
    assert_unrolled(
        "while (x) y = 1;",
        """\
        if (!x) goto __cs_loop_1;
        y = 1;
        __CSEQ_unwound(!x, "cut.loop 1");
        __cs_loop_1: ;
        """,
        unwind=1,
    )


def test_an_endless_loop_is_cut_off(assert_unrolled):
    assert_unrolled(
        "while (1) y = 1;",
        """\
        y = 1;
        y = 1;
        __CSEQ_unwound(0, "cut.loop 2");
        """,
    )


def test_each_copy_has_labels_of_its_own_and_the_way_out_is_one(assert_unrolled):
    assert_unrolled(
        "while (x) { x = 2; if (y) continue; if (n) break; y = 1; }",
        """\
        if (!x) goto __cs_loop_1;
        x = 2;
        if (y) goto __cs_continue_1_1_1;
        if (n) goto __cs_break_1;
        y = 1;
        __cs_continue_1_1_1: ;
        if (!x) goto __cs_loop_1;
        x = 2;
        if (y) goto __cs_continue_1_1_2;
        if (n) goto __cs_break_1;
        y = 1;
        __cs_continue_1_1_2: ;
        __CSEQ_unwound(!x, "cut.loop 2");
        __cs_loop_1: ;
        __cs_break_1: ;
        """,
    )


def test_a_loop_in_a_loop_is_unrolled_in_each_copy(assert_unrolled):
    assert_unrolled(
        "while (x) { x = 2; while (y) { if (n) goto out; x = 1; } } out:;",
        """\
        if (!x) goto __cs_loop_1;
        x = 2;
        if (!y) goto __cs_loop_2;
        if (n) goto out;
        x = 1;
        if (!y) goto __cs_loop_2;
        if (n) goto out;
        x = 1;
        __CSEQ_unwound(!y, "cut.loop 2");
        __cs_loop_2: ;
        if (!x) goto __cs_loop_1;
        x = 2;
        if (!y) goto __cs_loop_3;
        if (n) goto out;
        x = 1;
        if (!y) goto __cs_loop_3;
        if (n) goto out;
        x = 1;
        __CSEQ_unwound(!y, "cut.loop 2");
        __cs_loop_3: ;
        __CSEQ_unwound(!x, "cut.loop 2");
        __cs_loop_1: ;
        out: ;
        """,
    )


def test_a_loop_in_a_branch(assert_unrolled):
    assert_unrolled(
        "if (x) { while (y) y = 1; } else { n = 2; }",
        """\
        if (x) {
          if (!y) goto __cs_loop_1;
          y = 1;
          __CSEQ_unwound(!y, "cut.loop 1");
          __cs_loop_1: ;
        } else {
          n = 2;
        }
        """,
        unwind=1,
    )


# Loops that count


def test_a_loop_that_counts_runs_as_often_as_it_does(assert_unrolled):
    assert_unrolled(
        "for (n = 0; n < 3; n++) x = n;",
        """\
        n = 0;
        x = 0;
        n = 1;
        x = 1;
        n = 2;
        x = 2;
        n = 3;
        """,
        unwind=9,
    )


def test_a_loop_that_counts_further_than_the_limit_is_cut_off_at_the_bound(unrolled):
    loop = "for (n = 0; n < 5; n += 2) x = n;"
    assert unrolled(loop, exact_limit=2) == dedent("""\
        n = 0;
        x = n;
        n = n + 2;
        x = n;
        n = n + 2;
        __CSEQ_unwound(0, "cut.counted 2/3");
        """)
    assert "__CSEQ_unwound" not in unrolled(loop, unwind=3, exact_limit=0)
    assert "__CSEQ_unwound" not in unrolled(loop, unwind=1, exact_limit=3)


def test_a_counter_decides_branches(assert_unrolled):
    assert_unrolled(
        "for (n = 2; n > 0; n--) { if (n == 2) x = 1; else x = n; if (n < y) y = n; }",
        """\
        n = 2;
        x = 1;
        if (2 < y) {
          y = 2;
        }
        n = 1;
        x = 1;
        if (1 < y) {
          y = 1;
        }
        n = 0;
        """,
    )


def test_counters_in_counters(unrolled):
    text = unrolled("int m; for (n = 0; n < 3; n++) for (m = 0; m <= n; m++) x = n * 10 + m;", unwind=3)
    assert re.findall(r"x = (.*);", text) == [
        "(0 * 10) + 0", "(1 * 10) + 0", "(1 * 10) + 1", "(2 * 10) + 0", "(2 * 10) + 1", "(2 * 10) + 2",
    ]  # fmt: skip


def test_the_counter_of_a_loop_that_is_left_early_keeps_its_value(assert_unrolled):
    assert_unrolled(
        "for (n = 0; n < 2; n++) if (x) break; y = n;",
        """\
        n = 0;
        if (x) goto __cs_break_1;
        n = 1;
        if (x) goto __cs_break_1;
        n = 2;
        __cs_break_1: ;
        y = n;
        """,
    )


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


def test_what_others_write_is_read_before_a_loop_ends(assert_unrolled):
    assert_unrolled(
        "for (n = 0; y && n < 1; n++) x = 1;",
        """\
        n = 0;
        if (!(y && (0 < 1))) goto __cs_loop_1;
        x = 1;
        n = 1;
        if (!(y && (1 < 1))) goto __cs_loop_1;
        __cs_loop_1: ;
        """,
        unwind=1,
    )
    assert_unrolled(
        "for (n = 0; n < 1 && y; n++) x = 1;",
        """\
        n = 0;
        __cs_tmp_2 = n < 1;
        if (__cs_tmp_2) {
          __cs_tmp_2 = y != 0;
        }
        if (!__cs_tmp_2) goto __cs_loop_1;
        x = 1;
        n = 1;
        __cs_tmp_2 = 0;
        __cs_loop_1: ;
        """,
        unwind=1,
    )


def test_the_limit_is_for_loops_in_loops_together(unrolled):
    loops = "int m; for (n = 0; n < 9; n++) for (m = 0; m < 9; m++) x = 1;"
    text = unrolled(loops, unwind=1, exact_limit=81)
    assert (text.count("x = 1;"), "__CSEQ_unwound" in text) == (81, False)
    text = unrolled(loops, unwind=1, exact_limit=80)
    assert text.count("x = 1;") == 9
    assert '__CSEQ_unwound(0, "cut.loop 1");' in text
    text = unrolled(loops, unwind=1, exact_limit=8)
    assert text.count("x = 1;") == 1
    assert unrolled(loops, unwind=9, exact_limit=0).count("x = 1;") == 81


def test_a_loop_that_is_too_long_keeps_its_state_for_what_is_behind(unrolled):
    text = unrolled("int m = 2; for (n = 0; n < 99; n++) { if (y) break; m = 5; } for (n = 0; n < m; n++) x = 1;")
    assert text.count("x = 1;") == 2  # m is 2 or 5
    assert text.count("__CSEQ_unwound") == 2
    text = unrolled("int m = 2; for (n = 0; n < 99; n++) { if (y) break; } for (n = 0; n < m; n++) x = 1;", unwind=1)
    assert (text.count("x = 1;"), text.count("__CSEQ_unwound")) == (2, 1)


def test_what_cannot_be_reached_any_more_is_left_out(assert_unrolled):
    assert_unrolled(
        "for (n = 0; n < 100; n++) x = 1; while (y) x = 2; x = 3;",
        """\
        n = 0;
        x = 1;
        n = n + 1;
        __CSEQ_unwound(0, "cut.counted 1/100");
        """,
        unwind=1,
    )


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


def test_threads_of_a_loop_that_counts_all_get_their_instances(translated):
    program = """\
        #include <pthread.h>
        static const int THREADS = 10;
        int x;
        void *worker(void *arg) { x = 1; return 0; }
        void start(pthread_t *t, int n) { for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0); }
        int main(void) { pthread_t t[10]; start(t, THREADS); return 0; }
        """
    text = translated("spawner", program, unwind=1)
    assert "worker__cs10" in text and "worker__cs11" not in text and "__CSEQ_unwound" not in text


def test_a_do_loop_that_never_goes_on_is_no_loop(unrolled):
    assert "__CSEQ_unwound" not in unrolled("do x = 1; while (0);", unwind=1)


# Origins


def test_origins_count_the_iterations(translated):
    unit = translated.unit(
        "unroller",
        """\
        int x;
        int main(void)
        {
          int i;
          for (i = 0; i < 2; i++)
            while (x)
              x = 3;
          return 0;
        }
        """,
        unwind=2,
    )
    lines = unit.text.splitlines()
    body = [unit.linemap[n].iteration for n, line in enumerate(lines, 1) if "x = 3" in line]
    tests = [unit.linemap[n].iteration for n, line in enumerate(lines, 1) if "if (!x)" in line]
    steps = [unit.linemap[n].iteration for n, line in enumerate(lines, 1) if re.search(r"\bi = [12];", line)]
    cuts = [unit.linemap[n] for n, line in enumerate(lines, 1) if "__CSEQ_unwound" in line]
    assert body == tests == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert steps == [(1,), (2,)]
    assert [(cut.line, cut.iteration) for cut in cuts] == [(6, (1,)), (6, (2,))]


def test_labels_of_copies_are_no_labels_of_the_user_s(translated, compiler, prelude):
    text = translated(
        "unroller",
        """\
        int x, y, z;
        int main(void)
        {
          while (x < 1) { x++; if (y) goto a; z = 1; a: z = 2; }
          if (z) goto a_1_1;
          z = 3;
          a_1_1: return z;
        }
        """,
    )
    assert compiler.run(prelude + text) == "exit status 2\n"


def test_a_jump_back_is_cut_off_at_its_label(translated):
    unit = translated.unit(
        "unroller",
        """\
        int x;
        int main(void)
        {
          x = 0;
        again:
          x++;
          if (x < 9)
            goto again;
          return 0;
        }
        """,
        unwind=2,
    )
    assert [
        (text.strip(), unit.linemap[number].line, unit.linemap[number].iteration)
        for number, text in enumerate(unit.text.splitlines(), 1)
        if "__cs_leave" in text or "__CSEQ_unwound" in text
    ] == [
        ("if (!(x < 9)) goto __cs_leave_1;", 7, (1,)),
        ("if (!(x < 9)) goto __cs_leave_1;", 7, (2,)),
        ('__CSEQ_unwound(0, "cut.loop 2");', 5, ()),
        ("__cs_leave_1: ;", 5, ()),
    ]


# Iterations that change nothing


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
        "while (x) { if (y) continue; n = x; } y = n;",  # what stands behind the loop may read an old value
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
