"""The unroller: loops become as many copies of their bodies as the bound says, or as they run."""

import re
from textwrap import dedent

# Loops that count


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


def test_threads_of_a_loop_that_counts_all_get_their_instances(translated):
    program = """\
        #include <pthread.h>
        static const int THREADS = 10;
        int x;
        void *worker(void *arg) { x = 1; return 0; }
        void start(pthread_t *t, int n) { for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0); }
        int main(void) { pthread_t t[10]; start(t, THREADS); return 0; }
        """
    text = translated("thread_instances", program, unwind=1)
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
