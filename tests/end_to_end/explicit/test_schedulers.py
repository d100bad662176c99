"""Schedulers that do not let every thread run that can: each allows what it should, and nothing else."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import cseq
from cseq.model.errors import UsageError
from cseq.model.verdict import Verdict
from cseq.pipeline.chain import modules_folder
from cseq.report.words import description, message

PREFIX = """\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>
pthread_mutex_t lock, other_lock;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
struct timespec soon;
int x, y, waiting, order[8], made;
static pthread_t start(void *(*f)(void *), int priority)
{
    pthread_t t;
    pthread_attr_t attr;
    struct sched_param param = { priority };
    pthread_attr_init(&attr);
    pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
    pthread_attr_setschedparam(&attr, &param);
    pthread_create(&t, &attr, f, 0);
    return t;
}
static void become(int priority)
{
    struct sched_param param = { priority };
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
}
static void initialise(pthread_mutex_t *mutex, int protocol, int ceiling)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, protocol);
    pthread_mutexattr_setprioceiling(&attr, ceiling);
    pthread_mutex_init(mutex, &attr);
}
"""


def chain_without_replays(folder: Path) -> str:
    """What a scheduler allows is the question here, and replays take as long as the search."""
    path = folder / "no_replays.chain"
    lines = (modules_folder() / "explicit.chain").read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if line.split()[-1:] != ["explicit/replay"]), encoding="utf-8")
    return str(path)


def verdict(folder: Path, text: str, *defines: str, **parameters: Any) -> Verdict:
    """The verdict on a program, by priorities unless the parameters say otherwise."""
    path = folder / "program.c"
    path.write_text(PREFIX + dedent(text), encoding="utf-8")
    given = {"scheduler": "priority", **parameters}
    outcome = cseq.verify(path, chain=chain_without_replays(folder), define=defines, timeout=60, **given)
    assert outcome.verdict is not Verdict.UNKNOWN, (message(outcome), outcome.bounds)
    return outcome.verdict


# The middle thread runs while the high one waits for the low one.
INVERSION = """\
void *low(void *arg) { pthread_mutex_lock(&lock); x = 1; pthread_mutex_unlock(&lock); return 0; }
void *middle(void *arg) { sleep(1); assert(!waiting); return 0; }
void *high(void *arg)
{
    sleep(1);
    waiting = 1;
    pthread_mutex_lock(&lock);
    waiting = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    become(9);
    initialise(&lock, PROTOCOL, 3);
    pthread_t t = start(low, 1);
    start(middle, 2);
    start(high, 3);
    pthread_join(t, 0);
    pthread_exit(0);
}
"""


@pytest.mark.parametrize("protocol, expected", [("NONE", False), ("INHERIT", True), ("PROTECT", True)])
def test_protocols_prevent_priority_inversion(tmp_path, protocol, expected):
    found = verdict(tmp_path, INVERSION, f"PROTOCOL=PTHREAD_PRIO_{protocol}")
    assert found is (Verdict.TRUE if expected else Verdict.FALSE)


def test_what_violates_a_claim_under_a_scheduler_is_replayed(tmp_path):
    path = tmp_path / "program.c"
    path.write_text(PREFIX + INVERSION, encoding="utf-8")
    define = ("PROTOCOL=PTHREAD_PRIO_NONE",)
    outcome = cseq.verify(path, chain="explicit", scheduler="priority", define=define, timeout=60)
    assert outcome.verdict is Verdict.FALSE
    assert outcome.violated is not None and description(outcome.violated) == "assertion `!waiting`"
    assert outcome.counterexample is not None
    assert [thread.function for thread in outcome.counterexample.threads] == ["main", "low", "middle", "high"]


def test_a_protocol_is_nothing_where_any_thread_may_run(tmp_path):
    assert verdict(tmp_path, INVERSION, "PROTOCOL=PTHREAD_PRIO_INHERIT", scheduler="any") is Verdict.FALSE


# The high thread waits for `lock`, whose owner waits for `other_lock`, which the low thread owns.
CHAIN = """\
void *low(void *arg) { pthread_mutex_lock(&other_lock); x = 1; pthread_mutex_unlock(&other_lock); return 0; }
void *between(void *arg)
{
    sleep(1);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&other_lock);
    pthread_mutex_unlock(&other_lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
void *middle(void *arg) { sleep(1); assert(!waiting); return 0; }
void *high(void *arg)
{
    sleep(1);
    waiting = 1;
    pthread_mutex_lock(&lock);
    waiting = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    become(9);
    initialise(&lock, PTHREAD_PRIO_INHERIT, 1);
    initialise(&other_lock, PROTOCOL, 1);
    start(low, 1);
    start(between, 2);
    start(middle, 3);
    start(high, 4);
    pthread_exit(0);
}
"""


def test_priorities_are_inherited_along_a_chain(tmp_path):
    assert verdict(tmp_path, CHAIN, "PROTOCOL=PTHREAD_PRIO_INHERIT") is Verdict.TRUE
    assert verdict(tmp_path, CHAIN, "PROTOCOL=PTHREAD_PRIO_NONE") is Verdict.FALSE


# A thread that was signalled waits for the mutex again.
WOKEN = """\
void *low(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&cond);
    waiting = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}
void *middle(void *arg) { sleep(1); assert(!waiting); return 0; }
void *high(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&cond, &lock);
    waiting = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    become(9);
    initialise(&lock, PROTOCOL, 1);
    start(high, 3);
    start(middle, 2);
    start(low, 1);
    pthread_exit(0);
}
"""


def test_who_is_woken_lends_its_priority_too(tmp_path):
    for protocol, expected in (("INHERIT", Verdict.TRUE), ("NONE", Verdict.FALSE)):
        define = f"PROTOCOL=PTHREAD_PRIO_{protocol}"
        assert verdict(tmp_path, WOKEN, define, no_spurious_wakeups=True) is expected


# The high thread has nothing to do for a while, in which the low one runs.
PAUSE = """\
void *low(void *arg) { x = 1; return 0; }
void *high(void *arg) { PAUSE; assert(x == 0); return 0; }
int main(void)
{
    become(9);
    initialise(&lock, PTHREAD_PRIO_INHERIT, 1);
    pthread_mutex_lock(&lock);
    start(low, 1);
    start(high, 2);
    sleep(1);
    return 0;
}
"""


@pytest.mark.parametrize(
    "pause",
    ["usleep(1)", "pthread_mutex_timedlock(&lock, &soon)",
     "pthread_mutex_lock(&other_lock); pthread_cond_timedwait(&cond, &other_lock, &soon)"],
)  # fmt: skip
def test_time_may_pass_while_a_thread_sleeps(tmp_path, pause):
    text = PAUSE.replace("initialise(&lock", "initialise(&other_lock, PTHREAD_PRIO_NONE, 1);\n    initialise(&lock")
    assert verdict(tmp_path, text, f"PAUSE={pause}") is Verdict.FALSE


def test_who_does_not_sleep_keeps_others_from_running(tmp_path):
    assert verdict(tmp_path, PAUSE, "PAUSE=pthread_mutex_trylock(&lock)") is Verdict.TRUE


PRIORITIES = """\
static void demand(pthread_t t, int policy, int priority)
{
    int kept;
    struct sched_param param;
    assert(pthread_getschedparam(t, &kept, &param) == 0);
    assert(kept == policy && param.sched_priority == priority);
}
void *own(void *arg) { demand(pthread_self(), SCHED_FIFO, 4); return 0; }
void *inherited(void *arg) { demand(pthread_self(), SCHED_RR, 7); return 0; }
int main(void)
{
    struct sched_param param = { 7 }, none = { 0 };
    pthread_t t;
    demand(pthread_self(), SCHED_OTHER, 0);
    assert(pthread_setschedprio(pthread_self(), 1) == EINVAL);
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &param) == EINVAL);
    assert(pthread_setschedparam(pthread_self(), SCHED_RR, &none) == EINVAL);
    assert(pthread_setschedparam(pthread_self(), SCHED_RR, &param) == 0);
    assert(pthread_setschedprio(pthread_self(), 100) == EINVAL);
    pthread_create(&t, 0, inherited, 0);
    pthread_join(t, 0);
    t = start(own, 4);
    demand(t, SCHED_FIFO, 4);
    assert(pthread_setschedprio(pthread_self(), LAST) == 0);
    demand(pthread_self(), SCHED_RR, 6);
    return 0;
}
"""


@pytest.mark.parametrize("scheduler", ["any", "priority"])
def test_a_program_sees_the_priorities_that_it_has_set(tmp_path, scheduler):
    assert verdict(tmp_path, PRIORITIES, "LAST=6", scheduler=scheduler) is Verdict.TRUE


def test_a_program_sees_no_others(tmp_path):
    assert verdict(tmp_path, PRIORITIES, "LAST=5", scheduler="any") is Verdict.FALSE


# Who is first depends on what becomes of the priorities.
CHANGED = """\
void *first(void *arg) { order[made++] = 1; return 0; }
void *second(void *arg) { order[made++] = 2; return 0; }
int main(void)
{
    become(9);
    pthread_t u = start(first, 3), t = start(second, 2);
    CHANGE;
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(order[0] == WHO && order[1] == 3 - WHO);
    return 0;
}
"""


def test_the_highest_priority_runs(tmp_path):
    assert verdict(tmp_path, CHANGED, "CHANGE=x = 1", "WHO=2") is Verdict.FALSE
    assert verdict(tmp_path, CHANGED, "CHANGE=pthread_setschedprio(t, 4)", "WHO=2") is Verdict.TRUE
    assert verdict(tmp_path, CHANGED, "CHANGE=pthread_setschedprio(t, 3)", "WHO=2") is Verdict.FALSE


CEILING = """\
int main(void)
{
    become(5);
    initialise(&lock, PTHREAD_PRIO_PROTECT, 4);
    assert(pthread_mutex_lock(&lock) == EINVAL);
    assert(pthread_mutex_trylock(&lock) == EINVAL);
    assert(pthread_mutex_setprioceiling(&lock, LAST, 0) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    return 0;
}
"""


def test_nobody_above_the_ceiling_locks(tmp_path):
    assert verdict(tmp_path, CEILING, "LAST=5") is Verdict.TRUE
    assert verdict(tmp_path, CEILING, "LAST=3") is Verdict.FALSE


TURNS = """\
void *turns(void *arg) { for (int i = 0; i < 2; i++) { order[made] = arg != 0; made = made + 1; } return 0; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, turns, 0);
    pthread_create(&u, 0, turns, &x);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(made MADE);
    return 0;
}
"""


def test_round_robin_is_one_schedule(tmp_path):
    for quantum, made in ((1, 4), (3, 3)):
        robin = {"scheduler": "roundrobin", "quantum": quantum}
        assert verdict(tmp_path, TURNS, f"MADE=== {made}", **robin) is Verdict.TRUE
        assert verdict(tmp_path, TURNS, f"MADE=!= {made}", **robin) is Verdict.FALSE


PREEMPTS = """\
static int urgency[3] = { 0, 1, 2 };
int urgent(int a, int b) { return b < 0 ? !waiting || a != 2 : urgency[a] > urgency[b]; }
int equal(int a, int b) { return b < 0; }
int circle(int a, int b) { return b < 0 || (a + 1) % 3 == b; }
void *first(void *arg) { order[made++] = 1; return 0; }
void *second(void *arg) { order[made++] = 2; return 0; }
int main(void)
{
    pthread_t t, u;
    urgency[0] = 3;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    waiting = WAITING;
    pthread_join(u, 0);
    pthread_join(t, 0);
    assert(order[0] == 2);
    return 0;
}
"""


def test_a_comparison_of_the_user_s_says_who_goes_first(tmp_path):
    for name, expected in (("urgent", Verdict.TRUE), ("equal", Verdict.FALSE), ("circle", Verdict.FALSE)):
        parameters = {"scheduler": "any", "can_preempt": name}
        assert verdict(tmp_path, PREEMPTS, "WAITING=0", **parameters) is expected


def test_who_does_not_go_before_the_idle_thread_is_stuck(tmp_path):
    path = tmp_path / "program.c"
    path.write_text(PREFIX + PREEMPTS, encoding="utf-8")
    for waiting, expected in ((0, Verdict.TRUE), (1, Verdict.FALSE)):
        define = (f"WAITING={waiting}",)
        outcome = cseq.verify(path, chain="explicit", can_preempt="urgent", define=define, deadlock=True, timeout=60)
        assert outcome.of("no-deadlock").verdict is expected


def test_what_a_proof_is_about(tmp_path):
    path = tmp_path / "program.c"
    path.write_text("int main(void) { return 0; }\nint f(int a, int b) { return a < b; }\n")
    for parameters, words in (
        ({"scheduler": "priority"}, "no violation under scheduling by priorities"),
        ({"scheduler": "roundrobin", "quantum": 3}, "no violation under round robin with a quantum of 3"),
        ({"can_preempt": "f"}, "no violation under the scheduler `f`"),
    ):
        outcome = cseq.verify(path, chain="explicit", **parameters)
        assert (outcome.verdict, message(outcome)) == (Verdict.TRUE, words)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"scheduler": "fair"}, "`fair` is not one of any, roundrobin, priority"),
        ({"scheduler": "priority", "quantum": 2}, "--quantum is for --scheduler roundrobin"),
        ({"scheduler": "priority", "can_preempt": "f"}, "--scheduler and --can-preempt cannot be combined"),
        ({"scheduler": "roundrobin", "quantum": 0}, "0 is less than 1"),
    ],
)
def test_what_does_not_go_together(parameters, message):
    with pytest.raises(UsageError, match=message):
        cseq.verify("program.c", chain="explicit", **parameters)
