"""A thread as a function that goes on where it was switched out: its text."""

import re
from textwrap import dedent

from tests.support.stages import TWO, thread_text


def test_a_thread_hops_from_label_to_label_to_where_it_was_and_on_to_where_it_is_switched_out(sequentialized):
    unit, _ = sequentialized(TWO)
    assert thread_text(unit, "inc__cs1") == dedent("""\
        static void inc__cs1(void)
        {
          static int l;
          static void *arg;
          __cs_1_0:
          if ((__cs_pc_1 > 0) || (0 >= __cs_cs_1)) goto __cs_1_1;
          arg = (void *) __cs_argument[1];
          l = *((int *) arg);
          __cs_1_1:
          if ((__cs_pc_1 > 1) || (1 >= __cs_cs_1)) goto __cs_1_2;
          x = l;
          __cs_1_2:
          if ((__cs_pc_1 > 2) || (2 >= __cs_cs_1)) goto __cs_1_3;
          x = l + 1;
          __cs_step_exit((void *) 0);
          goto __cs_exit_1;
          __cs_exit_1: ;
          __CSEQ_assume(__cs_cs_1 >= 3);
          __cs_1_3: ;
        }
        """)


def test_start_functions_of_other_types_get_and_give_what_a_pointer_can_hold(sequentialized):
    unit, _ = sequentialized("""
        int x;
        unsigned number(unsigned n) { return n + 1; }
        void nothing(void) { x = 1; }
        int main(void)
        {
          pthread_t t;
          pthread_create(&t, 0, (void *(*)(void *))number, (void *)3);
          pthread_create(&t, 0, (void *(*)(void *))nothing, &x);
          return 0;
        }
        """)
    assert re.findall(r"(\w = .*__cs.*|__cs_step_exit.*)", thread_text(unit, "number__cs1")) == [
        "n = (unsigned) __cs_argument[1];",
        "__cs_step_exit((void *) (n + 1));",
    ]
    assert re.findall(r"(\w = .*|__cs_step_exit.*)", thread_text(unit, "nothing__cs2")) == [
        "x = 1;",
        "__cs_step_exit(__CSEQ_nondet_pointer());",
    ]


def test_what_main_does_before_the_first_thread_is_one_step(sequentialized):
    unit, _ = sequentialized("""
        int x, y;
        void *t(void *arg) { x = 2; return 0; }
        int main(void) { pthread_t id; x = 1; y = x; if (y) x = 3; pthread_create(&id, 0, t, 0); x = 4; return 0; }
        """)
    labels = re.findall(r"__cs_0_\d+:", thread_text(unit, "main__cs0"))
    assert labels == ["__cs_0_0:", "__cs_0_1:", "__cs_0_2:", "__cs_0_3:"]  # all of it; x = 4; the end; after it


def test_the_code_in_threads_only_reads_control_variables(sequentialized):
    unit, _ = sequentialized("""
        int x;
        void *t(void *arg) { while (x) { if (x == 2) return 0; x--; } pthread_exit(0); }
        int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); x = 3; pthread_join(id, 0); assert(x != 1);
          return 0; }
        """)
    for name in ("main__cs0", "t__cs1"):
        assert not re.search(r"__cs_(pc|cs)_\d+ = ", thread_text(unit, name))


def test_branches_that_hold_labels_say_which_guesses_are_left(sequentialized):
    unit, _ = sequentialized("""
        int x, y;
        void *t(void *arg) { int l = y; if (l) { x = 1; x = 2; } else { x = 3; } x = 4; return 0; }
        int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); return 0; }
        """)
    text = thread_text(unit, "t__cs1")
    # labels 1 and 2 are in the first branch, 3 in the second, 4 after both
    assert re.search(r"\} else \{\n    __CSEQ_assume\(__cs_cs_1 >= 3\);\n    __cs_1_3:", text)
    assert re.search(r"  \}\n  __CSEQ_assume\(__cs_cs_1 >= 4\);\n  __cs_1_4:", text)


def test_a_jump_over_labels_says_which_guesses_are_left(sequentialized):
    unit, _ = sequentialized("""
        int x, y;
        void *t(void *arg) { int l = y; if (l) goto out; x = 1; x = 2; out: x = 3; return 0; }
        int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); return 0; }
        """)
    assert "  out: ;\n  __CSEQ_assume(__cs_cs_1 >= 3);\n  __cs_1_3:" in thread_text(unit, "t__cs1")


def test_there_is_no_label_in_an_atomic_section(sequentialized):
    unit, _ = sequentialized("""
        int x;
        void __VERIFIER_atomic_begin(void);
        void __VERIFIER_atomic_end(void);
        void *t(void *arg) { x = 1; __VERIFIER_atomic_begin(); x++; x++; __VERIFIER_atomic_end(); x = 2; return 0; }
        int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); return 0; }
        """)
    assert len(re.findall(r"__cs_1_\d+:\n", thread_text(unit, "t__cs1"))) == 3
