"""The sequentializer: the schema in the text of its programs, and, run for all guesses, what schedules they cover."""

import re
from textwrap import dedent

import pytest

from cseq.model.errors import UnsupportedError, UsageError
from cseq.modules.symbolic.encode.facts import BOUNDS, INSTANCES, ROUNDS_NEEDED
from cseq.report.words import bound_text
from tests.support.stages import HEADERS, TWO

# The text


def test_the_driver_runs_the_threads_that_exist_and_main_once_more(sequentialized):
    unit, _ = sequentialized(TWO, rounds=1)
    assert unit.text[unit.text.index("int main(void)\n") :] == dedent("""\
        int main(void)
        {
          __cs_active[0] = 1;
          __CSEQ_thread = 0;
          __cs_cs_0 = __CSEQ_nondet_bits_3();
          __CSEQ_assume(__cs_cs_0 <= 4);
          main__cs0();
          __cs_pc_0 = __cs_cs_0;
          if (__cs_active[1]) {
            __CSEQ_thread = 1;
            __cs_cs_1 = __CSEQ_nondet_bits_2();
            __CSEQ_assume(__cs_cs_1 <= 3);
            inc__cs1();
            __cs_pc_1 = __cs_cs_1;
          }
          __CSEQ_thread = 0;
          __cs_cs_0 = __CSEQ_nondet_bits_3();
          __CSEQ_assume(__cs_cs_0 <= 4);
          __CSEQ_assume(__cs_cs_0 >= __cs_pc_0);
          main__cs0();
          __cs_pc_0 = __cs_cs_0;
          return 0;
        }
        """)


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_each_round_calls_each_thread_once(sequentialized, rounds):
    unit, _ = sequentialized(TWO, rounds=rounds)
    driver = unit.text[unit.text.index("int main(void)\n") :]
    assert driver.count("inc__cs1();") == rounds
    assert driver.count("main__cs0();") == rounds + 1


def test_a_program_with_one_thread_has_one_round(sequentialized):
    unit, _ = sequentialized("int main(void) { return 0; }", rounds=3)
    assert unit.text.count("main__cs0();") == 1


def test_a_schedule_makes_a_smaller_driver(sequentialized):
    unit, facts = sequentialized(TWO, rounds=3, schedule="1:0:+")
    driver = unit.text[unit.text.index("int main(void)\n") :]
    assert re.findall(r"(\w+)\(\);\n", re.sub(r".*nondet.*", "", driver)) == [
        "main__cs0", "inc__cs1", "main__cs0", "main__cs0", "inc__cs1", "main__cs0"
    ]  # fmt: skip
    assert [(bound.kind, bound_text(bound)) for bound in facts[BOUNDS]] == [
        ("rounds", "3 rounds; 4 cover all schedules"),
        ("schedule", "the schedule `1:0:+`"),
    ]


def test_context_switches_are_counted_where_they_are_bounded(sequentialized):
    unit, facts = sequentialized(TWO, rounds=9, contexts=2)
    assert unit.text[unit.text.index("  if (__cs_active[1]) {") :].startswith("""\
  if (__cs_active[1]) {
    __CSEQ_thread = 1;
    __cs_cs_1 = __CSEQ_nondet_bits_2();
    __CSEQ_assume(__cs_cs_1 <= 3);
    if (__cs_cs_1 > __cs_pc_1) {
      __cs_switches = __cs_switches + (__cs_last != 1);
      __cs_last = 1;
      __CSEQ_assume(__cs_switches <= 2);
    }
    inc__cs1();
""")
    assert "__CSEQ_bits_1 __cs_last;\n__CSEQ_bits_2 __cs_switches;\n" in unit.text
    assert unit.text.count("main__cs0();") == 2  # there is nothing to do in a second round
    assert [(bound.kind, bound.value) for bound in facts[BOUNDS]] == [("contexts", 2)]
    assert "__cs_switches" not in sequentialized(TWO, rounds=4, contexts=8)[0].text


def test_one_of_a_bound_is_told_in_the_singular(sequentialized):
    told = [sequentialized(TWO, rounds=1)[1], sequentialized(TWO, rounds=9, contexts=1)[1]]
    assert [bound_text(facts[BOUNDS][0]) for facts in told] == [
        "1 round; 4 cover all schedules",
        "1 context switch; 6 cover all schedules",
    ]


def test_a_schedule_of_threads_that_are_not_there(translated):
    text = HEADERS + dedent(TWO)
    told = translated.refusal("sequentializer", text, UsageError, rounds=2, schedule="+:0,2")
    assert (
        told
        == "--schedule: column 5: there is no thread 2: the program has 2 threads, 0 (main) to 1, within its bounds"
    )


# The facts


def test_the_threads_and_the_rounds_that_would_do(sequentialized):
    _, facts = sequentialized(TWO)
    assert [str(thread) for thread in facts[INSTANCES]] == ["main", "inc"] or len(facts[INSTANCES]) == 2
    # main has 4 steps and the thread 3; a further round is worth it only if both still have something to do
    assert facts[ROUNDS_NEEDED] == 4


def test_rounds_that_are_too_few_are_a_bound(sequentialized):
    assert [bound.kind for bound in sequentialized(TWO, rounds=3)[1][BOUNDS]] == ["rounds"]
    assert sequentialized(TWO, rounds=4)[1][BOUNDS] == []


def test_what_was_cut_off_is_a_bound_with_its_place(sequentialized):
    _, facts = sequentialized(
        """
        int x;
        int f(int n) { return n ? f(n - 1) : 0; }
        int main(void)
        {
          x = f(x);
          while (x)
            x--;
          for (int i = 0; i < 5; i++)
            x = i;
          return x;
        }
        """,
        unwind=2,
        exact_limit=4,
        rounds=9,
    )
    places = {(bound.origin.line - len(HEADERS.splitlines()), bound_text(bound)) for bound in facts[BOUNDS]}
    assert places == {
        (7, "the loop may run more than 2 times"),
        (9, "the loop runs 5 times, and --unwind is 2"),
        (3, "`f` may call itself more than 2 deep"),
    }


def test_condition_variables_have_room_for_so_many_threads(translated):
    loop = "for (int i = 0; i < 64; i++) pthread_create(&t, 0, wait, 0);"
    program = f"""
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    void *wait(void *arg) {{ pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }}
    int main(void) {{ pthread_t t; {loop} return 0; }}
    """
    message = translated.refusal("sequentializer", HEADERS + dedent(program), UnsupportedError, unwind=64)
    assert "condition variables, barriers or read-write locks with more than 64 threads" in message


# The schedules that are covered


IN_TURN = """
    int x, y;
    void *t(void *arg) { x = 1; if (y == 1) x = 2; return 0; }
    int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); if (x == 1) y = 1; assert(x != 2); return 0; }
    """


@pytest.mark.parametrize(
    "schedule, expected",
    [
        ("+:+", {"x != 2"}),
        ("0,1:0,1", {"x != 2"}),
        ("1:0:1", {"x != 2"}),  # main runs in the first round, and after the last
        ("1,0:1", set()),  # in a round the order is that of the numbers
        ("1:1:1", set()),
        ("0:0:+", set()),
    ],
)
def test_a_schedule_restricts_who_runs(fails, schedule, expected):
    assert fails(IN_TURN, rounds=schedule.count(":") + 1, schedule=schedule) == expected


@pytest.mark.parametrize("contexts, expected", [(0, set()), (3, set()), (4, {"x != 2"}), (5, {"x != 2"})])
def test_a_bug_that_needs_four_context_switches(fails, contexts, expected):
    assert fails(IN_TURN, rounds=3, contexts=contexts) == expected


@pytest.mark.parametrize("contexts, expected", [(4, set()), (5, {"x != 3"})])
def test_a_bug_that_needs_five_context_switches(fails, contexts, expected):
    text = """
        int x, y;
        void *t(void *arg) { x = 1; if (y == 1) x = 2; return 0; }
        void *u(void *arg) { if (x == 2) x = 3; return 0; }
        int main(void)
        {
          pthread_t a, b;
          pthread_create(&a, 0, t, 0);
          pthread_create(&b, 0, u, 0);
          if (x == 1) y = 1;
          assert(x != 3);
          return 0;
        }
        """
    assert fails(text, rounds=3, contexts=contexts) == expected


LOST_UPDATE = """
    int x;
    void *inc(void *arg) { x++; return 0; }
    int main(void)
    {
      pthread_t a, b;
      pthread_create(&a, 0, inc, 0);
      pthread_create(&b, 0, inc, 0);
      pthread_join(a, 0);
      pthread_join(b, 0);
      assert(x != 1);
      assert(x != 2);
      assert(x == 1 || x == 2);
      return 0;
    }
    """


def test_a_lost_update(fails):
    assert fails(LOST_UPDATE, rounds=2) == {"x != 1", "x != 2"}
    assert fails(LOST_UPDATE, rounds=1) == {"x != 2"}


def test_an_atomic_section_that_is_left_in_one_of_two_ways(fails):
    program = """
        int x, y;
        void __VERIFIER_atomic_begin(void);
        void __VERIFIER_atomic_end(void);
        void *t(void *arg)
        {{
          __VERIFIER_atomic_begin();
          x = 1;
          if (y) {{ __VERIFIER_atomic_end(); {inside} }} else {{ x = 2; __VERIFIER_atomic_end(); }}
          x = 5;
          return 0;
        }}
        int main(void)
        {{
          pthread_t a;
          y = {y};
          pthread_create(&a, 0, t, 0);
          int seen = x;
          assert(seen != 1);
          assert(seen != 2);
          assert(seen != 3);
          assert(seen != 5);
          return 0;
        }}
        """
    assert fails(program.format(y=0, inside="x = 3;")) == {"seen != 2", "seen != 5"}
    assert fails(program.format(y=1, inside="x = 3;")) == {"seen != 1", "seen != 3", "seen != 5"}


@pytest.mark.parametrize("rounds, expected", [(1, set()), (2, {"!(a == 1 && b == 2)"})])
def test_a_bug_that_needs_a_second_round(fails, rounds, expected):
    assert (
        fails(
            """
        int x, y, a, b;
        void *t(void *arg) { x = 1; if (y == 1) x = 2; return 0; }
        int main(void)
        {
          pthread_t id;
          pthread_create(&id, 0, t, 0);
          a = x;
          if (a == 1) y = 1;
          b = x;
          assert(!(a == 1 && b == 2));
          return 0;
        }
        """,
            rounds=rounds,
        )
        == expected
    )


MISUSE = {
    "pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);":
        "pthread_mutex_unlock: the calling thread does not own the mutex",
    "pthread_mutex_destroy(&m);": "pthread_mutex_destroy: the mutex is locked",
    "pthread_mutex_unlock(&m); pthread_mutex_destroy(&m); pthread_mutex_lock(&m);":
        "pthread_mutex_lock: the mutex has been destroyed",
    "pthread_mutex_lock(&never);": "pthread_mutex_lock: the mutex was never initialised",
    "pthread_cond_signal(&no);": "pthread_cond_signal: the condition variable was never initialised",
    "pthread_join(nobody, 0);": "pthread_join: no such thread was ever created",
    "pthread_detach(pthread_self()); pthread_join(pthread_self(), 0);": "pthread_join: the thread is detached",
}  # fmt: skip


@pytest.mark.parametrize("statements", MISUSE)
def test_misuse_of_the_thread_library_is_a_violation(fails, statements):
    assert fails(f"""
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_t nobody;
        int main(void) {{ pthread_mutex_t never; pthread_cond_t no; pthread_mutex_lock(&m); {statements} return 0; }}
        """) == {MISUSE[statements]}


def test_keys_beyond_what_a_set_holds_are_refused(translated):
    text = """\
        #include <pthread.h>
        pthread_key_t key;
        int main(void)
        {
          for (int i = 0; i < 33; i++)
            pthread_key_create(&key, 0);
        }
        """
    told = translated.refusal("sequentializer", text, UnsupportedError, unwind=33)
    assert told == "program.c:6: more than 32 keys of thread-specific data"


# Its bounds


def test_only_what_is_called_of_the_library_has_bounds(sequentialized):
    text = "#include <stdio.h>\n#include <string.h>\nchar s[9];\nint main(void) {{ {} return 0; }}\n"
    _, facts = sequentialized(text.format('printf("%s", "literal"); puts(s);'))
    assert facts[BOUNDS] == []
    _, facts = sequentialized(text.format("return strlen(s);"))
    assert [bound_text(bound) for bound in facts[BOUNDS]] == ["strlen: the string may be longer than 63 characters"]
