"""Marks before the calls that can block, and their values."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Outcome, Verdict
from cseq.modules.library import primitives
from cseq.modules.library.lexicon import stubs
from cseq.modules.symbolic.encode.facts import ROUNDS_NEEDED
from cseq.modules.tracing.evidence import subjects
from cseq.pipeline.chain import load
from cseq.report.words import bound_text
from tests.conftest import Translation

NEEDS_ENGINE = pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")

TWO = """\
#include <pthread.h>
pthread_mutex_t m;
void *f(void *arg) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
"""


def test_a_call_that_can_block_gets_a_mark(translated: Translation) -> None:
    after = """\
        void *f__cs1(void *arg)
        {
          __CSEQ_stands(1, "%s", 0, pthread_mutex_lock(&m), __cs_deadlock_is_blocked());
          pthread_mutex_lock(&m);
          pthread_mutex_unlock(&m);
          return 0;
        }
        """
    words = "cut.blocking 1"
    assert translated("deadlock_instrumentation", TWO, "f__cs1", property="no-deadlock") == dedent(after) % words


def test_a_thread_that_is_asked_makes_the_call_at_which_it_stands(translated: Translation) -> None:
    text = translated("sequentializer", TWO, "f__cs1", property="no-deadlock")
    asked = """\
        __cs_standing_1: ;
        if (__cs_pc_1 == 1) {
          __cs_stands_1_1: ;
          pthread_mutex_lock(&m);
          __cs_deadlock_is_blocked();
          goto __cs_stood_1;
        }
        __CSEQ_assume(0);
        __cs_stood_1: ;
        """
    assert "  if (__cs_standing) goto __cs_standing_1;\n" in text
    assert dedent(asked) in text.replace("\n  ", "\n")


def test_a_lock_names_its_owner(translated: Translation) -> None:
    text = translated("sequentializer", TWO, "pthread_mutex_lock", property="no-deadlock")
    asked = """\
          if (__cs_standing && (!(mutex__cs0->__cs_owner == 0))) {
            __cs_deadlock_waits_for(1ULL << (mutex__cs0->__cs_owner - 1));
            return 0;
          }
          __CSEQ_assume(mutex__cs0->__cs_owner == 0);
        """
    assert dedent(asked) in text.replace("\n  ", "\n")


def test_where_no_deadlock_is_looked_for_nothing_is_left_of_it(translated: Translation) -> None:
    text = translated("sequentializer", TWO)
    assert "stand" not in text
    assert "deadlock" not in text
    assert "may_hang" not in text


def test_more_threads_than_a_set_has_bits_are_refused(translated: Translation) -> None:
    program = TWO.replace("pthread_create(&t, 0, f, 0);", "pthread_create(&t, 0, f, 0); " * 64)
    refusal = translated.refusal("sequentializer", program, UnsupportedError, property="no-deadlock")
    assert refusal == "program.c:3: the search for deadlocks of more than 64 threads is not supported"


@pytest.mark.parametrize(
    "function, blocks",
    [
        ("pthread_mutex_lock", True),
        ("mtx_lock", True),  # calls one that blocks
        ("pthread_mutex_trylock", False),
        ("pthread_mutex_timedlock", False),  # a deadline passes
        ("pthread_cond_signal", False),  # whom it wakes is a choice
        ("__cs_step_cond_sleep", False),
        ("__cs_step_cond_wake", True),
        ("__cs_step_cond_timedwake", True),  # needs its mutex
        ("__cs_step_barrier_arrive", False),
        ("__cs_step_barrier_leave", True),
        ("pthread_join", True),
        ("pthread_tryjoin_np", False),
        ("pthread_timedjoin_np", False),
        ("sem_wait", True),
        ("sem_timedwait", False),
        ("pthread_rwlock_timedwrlock", False),
        ("pause", False),  # something outside of the program ends it
        ("pthread_mutex_unlock", False),
        ("malloc", False),
    ],
)
def test_what_can_block_for_ever(function: str, blocks: bool) -> None:
    assert stubs.can_block(function) is blocks


def test_it_is_known_what_each_call_that_blocks_is_about() -> None:
    steps = [name for name in stubs.items() if stubs.can_block(name) and not stubs.has_steps(name)]
    assert len(steps) > 12
    nameless = [name for name in steps if not subjects(name) and not primitives.called(name)]
    called = {word for name in steps for word in stubs.items()[name].words - {name}}
    assert [name for name in nameless if name not in called] == []  # parts of steps that have names


def test_while_main_is_alone_its_locks_take_no_more_rounds(translated: Translation) -> None:
    both = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"
    program = TWO.replace("pthread_t t;", "pthread_t t; LOCKED").replace(both, both * 9)
    needed = []
    for locked in ("", both):
        context = translated.context(property="no-deadlock")
        value: object = [translated.write(program.replace("LOCKED", locked))]
        for name, stage in load("lazy").chosen(context.values):
            value = stage(context).run(value)
            if name == "sequentializer":
                break
        needed.append(context.facts[ROUNDS_NEEDED])
    assert needed[0] == needed[1]


Check = Callable[..., Outcome]


@pytest.fixture
def verdict(tmp_path: Path) -> Check:
    """``verdict(text)``: what is found out of deadlocks in the program *text*."""

    def check(text: str, rounds: int = 2, **parameters: object) -> Outcome:
        path = tmp_path / "a.c"
        path.write_text("#include <pthread.h>\n#include <semaphore.h>\n#include <unistd.h>\n" + dedent(text))
        outcome = cseq.verify(path, rounds=rounds, deadlock=True, timeout=60, **parameters)
        return outcome.of("no-deadlock")

    return check


@NEEDS_ENGINE
def test_a_program_without_threads_has_no_deadlock(verdict: Check) -> None:
    assert verdict("int main(void) { return 0; }", 1).verdict is Verdict.TRUE


@pytest.mark.engine
@NEEDS_ENGINE
def test_a_proof(verdict: Check) -> None:
    program = """
        pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
        void *f(void *arg) { pthread_mutex_lock(&a); pthread_mutex_unlock(&a); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
        """
    outcome = verdict(program, 9)
    assert outcome.verdict is Verdict.TRUE, outcome.bounds
    assert verdict(program.replace("pthread_mutex_unlock(&a)", "pthread_mutex_lock(&a)"), 9).verdict is Verdict.FALSE


SECTION = """
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
    pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
    int main(void) {
        pthread_mutex_lock(&a);
        __VERIFIER_atomic_begin(); pthread_mutex_lock(&a); __VERIFIER_atomic_end();
        return 0;
    }
    """


@pytest.mark.engine
@NEEDS_ENGINE
def test_a_call_in_an_atomic_section_is_a_bound(verdict: Check) -> None:
    outcome = verdict(SECTION)
    assert outcome.verdict is Verdict.UNKNOWN
    assert [(bound.kind, bound.origin and bound.origin.line) for bound in outcome.bounds] == [("grain", 9)]
    assert "atomic section" in bound_text(outcome.bounds[0])
    outside = SECTION.replace("__VERIFIER_atomic_begin(); ", "").replace("__VERIFIER_atomic_end(); ", "")
    assert verdict(outside).verdict is Verdict.FALSE


@pytest.mark.engine
@NEEDS_ENGINE
def test_who_pauses_is_not_stuck_but_who_waits_for_him_in_a_circle_is(verdict: Check) -> None:
    program = """
        pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
        void *f(void *arg) { pthread_mutex_lock(&a); LOCK return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pause(); return 0; }
        """
    assert verdict(program.replace("LOCK", "")).verdict is not Verdict.FALSE
    assert verdict(program.replace("LOCK", "pthread_mutex_lock(&a);")).verdict is Verdict.FALSE


@pytest.mark.engine
@NEEDS_ENGINE
@pytest.mark.parametrize(
    "program",
    [
        "pthread_spinlock_t l; int main(void) { pthread_spin_init(&l, 0); pthread_spin_lock(&l); {} return 0; }",
        "#include <threads.h>\nmtx_t l; int main(void) { mtx_init(&l, 0); mtx_lock(&l); {} return 0; }",
    ],
)
def test_what_is_misuse_too_is_a_deadlock(verdict: Check, program: str) -> None:
    again = "pthread_spin_lock(&l);" if "spin" in program else "mtx_lock(&l);"
    assert verdict(program.replace("{} return", f"{again} return")).verdict is Verdict.FALSE
    assert verdict(program.replace("{} return", "return")).verdict is Verdict.TRUE


@pytest.mark.engine
@NEEDS_ENGINE
def test_a_cancellation_can_end_the_join_of_oneself(verdict: Check) -> None:
    program = """
        pthread_t t;
        void *f(void *arg) { STATE pthread_join(pthread_self(), 0); return 0; }
        int main(void) { pthread_create(&t, 0, f, 0); pthread_cancel(t); pthread_join(t, 0); return 0; }
        """
    assert verdict(program.replace("STATE", "")).verdict is not Verdict.FALSE
    disabled = program.replace("STATE", "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);")
    assert verdict(disabled).verdict is Verdict.FALSE
