"""What the functions of barriers, semaphores, and read-write and spin locks return, checked by an engine.

What is misuse, and which bugs they prevent, is in tests/programs/conformance/threads.
"""

from pathlib import Path
from textwrap import dedent

import pytest

from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Spurious, Verdict
from tests.end_to_end.test_thread_library import REACHED, check, claim, table
from tests.support.cases import Case

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")

DECLARATIONS = """\
#include <fcntl.h>
#include <semaphore.h>
#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_rwlockattr_t rw_attr;
pthread_spinlock_t spin;
pthread_barrier_t barrier;
pthread_barrierattr_t barrier_attr;
sem_t sem;
struct timespec soon = { 0, 999999999 }, wrong = { 0, 1000000000 }, negative = { 0, -1 };
int value;
"""


@pytest.mark.parametrize("case", table("synchronisation"))
def test_what_always_holds(tmp_path: Path, case: Case) -> None:
    program = DECLARATIONS + case.before
    # That the end is reached is violated, and nothing else: an assertion that fails is reported first or instead.
    usual = {"unwind": 7, "no_spurious_wakeups": True}
    silent = check(tmp_path, program + "return 0; }\n", 2, **usual)
    assert silent.verdict is not Verdict.FALSE, silent.violated
    claim(check(tmp_path, program + "reach_error(); // FAIL\nreturn 0; }\n", 2, **usual), REACHED)


@pytest.mark.parametrize(
    "call",
    [
        "pthread_rwlock_timedrdlock(&rw, &soon)",
        "pthread_rwlock_timedwrlock(&rw, &soon)",
        "pthread_mutex_timedlock(&m, &soon)",
    ],
)
@pytest.mark.parametrize("result", ["0", "ETIMEDOUT"])
def test_deadlines_may_pass_or_not(tmp_path: Path, call: str, result: str) -> None:
    program = DECLARATIONS + dedent(f"""\
        void *f(void *arg) {{ int r = {call}; assert(r == 0 || r == ETIMEDOUT);
        assert(r != {result}); return 0; }} // FAIL
        int main(void) {{ pthread_rwlock_wrlock(&rw); LOCK; START(t, f); UNLOCK; pthread_rwlock_unlock(&rw);
        pthread_join(t, 0); }}
        """)
    claim(check(tmp_path, program, 2), f"assertion `r != {result}`")


@pytest.mark.parametrize("result", ["0", "PTHREAD_BARRIER_SERIAL_THREAD"])
def test_any_thread_can_be_the_serial_thread(tmp_path: Path, result: str) -> None:
    program = DECLARATIONS + dedent(f"""\
        void *f(void *arg) {{ pthread_barrier_wait(&barrier); return 0; }}
        int main(void) {{ pthread_barrier_init(&barrier, 0, 2); START(t, f); int r = pthread_barrier_wait(&barrier);
        assert(r != {result}); }} // FAIL
        """)
    claim(check(tmp_path, program, 2), f"assertion `r != {result}`")


# A thread that was signalled may say that its deadline passed, or not; one that was not, says so.
@pytest.mark.parametrize("result", ["0", "ETIMEDOUT"])
def test_a_wait_may_be_woken_or_end_too_late(tmp_path: Path, result: str) -> None:
    program = DECLARATIONS + dedent(f"""\
        int main(void) {{ LOCK; START(t, signaller); int r = pthread_cond_timedwait(&c, &m, &soon);
        assert(r == 0 || r == ETIMEDOUT);
        assert(r != {result}); }} // FAIL
        """)
    claim(check(tmp_path, program, 2), f"assertion `r != {result}`")


@pytest.mark.parametrize("wait", ["pthread_cond_wait(&c, &m);", "if (pthread_cond_timedwait(&c, &m, &soon) == 0)"])
def test_waits_end_without_a_signal_unless_that_is_excluded(tmp_path: Path, wait: str) -> None:
    program = DECLARATIONS + f"int main(void) {{ LOCK; {wait}\nreach_error(); }} // FAIL\n"
    assert check(tmp_path, program, 1, no_spurious_wakeups=True).verdict is not Verdict.FALSE
    found = check(tmp_path, program, 1)
    claim(found, REACHED)
    assert found.spurious is Spurious.NEEDED
    claim(check(tmp_path, program, 1, spurious_wakeups=True), REACHED)


# Whether a deadline is one at all need not be checked where there is nothing to wait for (POSIX.1-2017).
@pytest.mark.parametrize("call", ["pthread_rwlock_timedrdlock(&rw, &wrong)", "pthread_mutex_timedlock(&m, &negative)"])
@pytest.mark.parametrize("result", ["0", "EINVAL"])
def test_deadlines_that_are_none_may_be_noticed_or_not(tmp_path: Path, call: str, result: str) -> None:
    program = DECLARATIONS + dedent(f"""\
        int main(void) {{ int r = {call}; assert(r == 0 || r == EINVAL);
        assert(r != {result}); return 0; }} // FAIL
        """)
    claim(check(tmp_path, program, 1), f"assertion `r != {result}`")
