"""How threads got stuck, or into a race, in words: on counterexamples made by hand."""

from dataclasses import replace

import pytest

from cseq.model import trace as tr
from cseq.model.claims import DEADLOCK, RACE, Claim, Kind
from cseq.model.origin import CallSite, Origin
from cseq.model.verdict import Outcome, Property
from cseq.report.explain.paragraph import explain
from cseq.report.explain.phrases import Phrases
from cseq.report.explain.standstill import Deadlock, StandstillKind
from tests.support.counterexamples import LOST, MAIN, ONE, TWO, at, create, read, violation, wrote
from tests.support.explained import check_explanation


def test_what_is_repeated_for_ever() -> None:
    found = violation(
        [*LOST[:2], tr.Step(TWO, at(6), "while (!x);", [read("x", "0", 64)])], Claim(Kind.LTL, subject="F x")
    )
    assert found.counterexample is not None and found.violated is not None
    found.violated = Property(Claim(Kind.LTL, subject="F x"))
    found.counterexample.cycle = 2
    check_explanation(found)
    text = explain(found)
    assert "after 2 steps, the same steps are repeated for ever: of work (thread 2) (line 6)" in text
    assert "main and work (thread 1) do nothing any more" in text


def test_a_deadlock_of_three() -> None:
    threads = [ONE, TWO, tr.Thread(3, "work")]
    stuck = [
        tr.Stuck(
            thread,
            at(10 + n),
            tr.LockWait(tr.ObjectKind.MUTEX, f"m{(n + 1) % 3}", tr.Holder(threads[(n + 1) % 3], at(5))),
            (threads[(n + 1) % 3],),
            (tr.Hold(f"m{n}", at(5)),),
            True,
        )
        for n, thread in enumerate(threads)
    ]
    found = violation(LOST[:1], DEADLOCK)
    assert found.counterexample is not None
    found.counterexample.stuck = stuck
    check_explanation(found)
    text = explain(found)
    assert "work (thread 1), work (thread 2) and work (thread 3) wait for each other in a circle" in text
    assert "Thread 1 holds `m0` (since line 5) and waits at line 10 for `m1`." in text
    assert "`m1`, `m2` and `m0` in one and the same order" in text


def test_a_race_with_locks_for_reading() -> None:
    held = (tr.Hold("l", at(4), reading=True),)
    sides = [
        tr.Racing(ONE, at(5), tr.RaceKind.WRITE, "x", holds=held),
        tr.Racing(TWO, at(9), tr.RaceKind.READ, "x", tr.Atomicity.NONE, "memcpy", held),
    ]
    found = violation(LOST[:1], RACE)
    assert found.counterexample is not None
    found.counterexample.racing = sides
    check_explanation(
        Outcome(found.verdict, violated=Property(Claim(Kind.RACE), at(5)), counterexample=found.counterexample)
    )
    text = explain(found)
    assert "work (thread 2) reads it in `memcpy` at line 9" in text and "lock `l` for writing" in text


def stuck(*threads: tr.Stuck, after: tuple[tr.Step, ...] = ()) -> Deadlock:
    """A deadlock of some threads after main has created them, and further steps."""
    found = violation([*LOST[:1], *after], DEADLOCK)
    assert found.counterexample is not None and found.violated is not None
    found.counterexample.stuck = list(threads)
    return Deadlock(found.counterexample, found.violated, Phrases(found.counterexample))


def for_lock(name: str, holder: tr.Thread, ended: bool = False) -> tr.LockWait:
    return tr.LockWait(tr.ObjectKind.MUTEX, name, tr.Holder(holder, at(5), ended))


HELD_BY_ONE, HELD_BY_TWO = tr.Hold("m", at(5)), tr.Hold("n", at(6))
ONE_FOR_TWO = tr.Stuck(ONE, at(10), for_lock("n", TWO), (TWO,), (HELD_BY_ONE,), True, HELD_BY_ONE)
TWO_FOR_ONE = tr.Stuck(TWO, at(11), for_lock("m", ONE), (ONE,), (HELD_BY_TWO,), True, HELD_BY_TWO)
ONE_JOINS_TWO = tr.Stuck(ONE, at(10), tr.ThreadWait(TWO), (TWO,), (HELD_BY_ONE,), True)
TWO_JOINS_ONE = tr.Stuck(TWO, at(11), tr.ThreadWait(ONE), (ONE,), (), True)
RELOCKS = tr.Stuck(ONE, at(10), for_lock("m", ONE), (ONE,), (HELD_BY_ONE,), True)


@pytest.mark.parametrize(
    ("threads", "kind"),
    [
        ([RELOCKS], StandstillKind.ITSELF),
        ([ONE_FOR_TWO, TWO_FOR_ONE], StandstillKind.CIRCLE),
        ([ONE_JOINS_TWO, TWO_JOINS_ONE], StandstillKind.JOINS),
        ([ONE_JOINS_TWO, TWO_FOR_ONE], StandstillKind.LOCKED_JOIN),
        ([tr.Stuck(TWO, at(11), for_lock("m", ONE, ended=True), (ONE,))], StandstillKind.HOLDER_ENDED),
        ([tr.Stuck(TWO, at(11), tr.SemaphoreWait("s"))], StandstillKind.MISSING),
        ([RELOCKS, tr.Stuck(TWO, at(11), for_lock("m", ONE), (ONE,))], StandstillKind.ITSELF),
    ],
)
def test_why_threads_are_blocked(threads: list[tr.Stuck], kind: StandstillKind) -> None:
    assert stuck(*threads).kind is kind


def sentences(deadlock: Deadlock) -> str:
    return deadlock._phrases.text(deadlock.sentences())


def test_a_thread_that_locks_what_it_holds() -> None:
    text = sentences(stuck(RELOCKS, tr.Stuck(TWO, at(11), for_lock("m", ONE), (ONE,))))
    assert text.startswith(
        "A deadlock at a.c:20: work (thread 1) can never continue. Thread 1 holds `m` (since line 5) and"
    )
    assert "Also stuck is work (thread 2), which waits at line 11 for `m`" in text
    assert "thread 1 has to unlock it before it comes to line 10, or must not lock it there again" in text.lower()


def test_a_lock_for_reading_cannot_be_locked_for_writing() -> None:
    held = tr.Hold("l", at(5), reading=True, kind=tr.ObjectKind.RWLOCK)
    wait = tr.LockWait(tr.ObjectKind.RWLOCK, "l", tr.Holder(ONE, at(5)), tr.Mode.WRITING)
    text = sentences(stuck(tr.Stuck(ONE, at(10), wait, (ONE,), (held,), True)))
    assert "what it holds for reading it cannot lock for writing as well" in text


def test_a_join_while_the_other_thread_needs_a_lock() -> None:
    text = sentences(stuck(ONE_JOINS_TWO, TWO_FOR_ONE))
    assert "Thread 1 must not hold `m` while it waits for thread 2 to end, which needs that first" in text
    assert "must not wait for each other's end" in sentences(stuck(ONE_JOINS_TWO, TWO_JOINS_ONE))


def test_a_holder_that_has_ended() -> None:
    text = sentences(stuck(tr.Stuck(TWO, at(11), for_lock("m", ONE, ended=True), (ONE,))))
    assert "has to unlock it on every way to its end" in text


def test_a_holder_that_was_cancelled() -> None:
    asked = tr.Step(TWO, at(9), "pthread_cancel(a);", actions=[tr.Action(tr.ActionKind.CANCEL, thread=ONE)])
    ended = tr.Step(ONE, at(7), "sleep(1);", actions=[tr.Action(tr.ActionKind.END, manner=tr.Manner.CANCELLED)])
    waits = tr.Stuck(TWO, at(11), for_lock("m", ONE, ended=True), (ONE,))
    text = sentences(stuck(waits, after=(asked, ended)))
    assert (
        "Thread 1 still held it when it was cancelled: thread 2 cancelled it at line 9, and it ended at line 7" in text
    )
    assert "A cleanup handler (pthread_cleanup_push) has to unlock it" in text
    assert "on every way to its end" in sentences(stuck(waits, after=(asked,)))


def test_too_few_threads_at_a_barrier() -> None:
    text = sentences(stuck(tr.Stuck(ONE, at(10), tr.BarrierWait("b", 1, 3))))
    assert "at `b` only 1 of 3 have arrived" in text.lower()


def waiting(*before: tr.Step, after: tuple[tr.Step, ...] = ()) -> str:
    """Thread 1 waits for `c` in the end; steps before it goes to sleep, and after that."""
    asleep = [tr.Action(tr.ActionKind.UNLOCK, "m"), tr.Action(tr.ActionKind.WAIT, "c")]
    found = violation(
        [create(ONE, TWO), *before, tr.Step(ONE, at(4), "pthread_cond_wait(&c, &m);", actions=asleep), *after], DEADLOCK
    )
    assert found.counterexample is not None and found.violated is not None
    found.counterexample.stuck = [tr.Stuck(ONE, at(4), tr.SignalWait("c"))]
    return sentences(Deadlock(found.counterexample, found.violated, Phrases(found.counterexample)))


SIGNAL = tr.Step(TWO, at(14), "pthread_cond_signal(&c);", actions=[tr.Action(tr.ActionKind.SIGNAL, "c")])


def test_a_signal_that_comes_too_early_is_lost() -> None:
    text = waiting(SIGNAL)
    assert "work (thread 2) signalled `c` at line 14, before thread 1 began to wait at line 4" in text
    assert "a signal is lost if no thread waits for it" in text and "has to test under the mutex" in text


def test_a_condition_that_was_tested_after_the_last_signal() -> None:
    """The signal was not lost: the thread found out afterwards that there was nothing for it."""
    cleared = tr.Step(ONE, at(7), "ready = 0;", [wrote("ready", "0", 64)])
    tested = tr.Step(ONE, at(3), "while (!ready)", [read("ready", "0", 64)])
    text = waiting(SIGNAL, cleared, tested)
    assert (
        "waits since it had found `ready = 0` (stored by thread 1 at line 7) at line 3, after the last signal" in text
    )
    assert "signalled `c` last at line 14" in text and "lost" not in text and "has to test" not in text
    busy = tr.Step(TWO, at(20), "if (busy)", [read("busy", "1", 72)])
    text = waiting(SIGNAL, cleared, tested, busy)
    assert "and not again: later it found `busy = 1` at line 20" in text


def test_locks_of_one_name_are_told_apart_by_their_calls() -> None:
    def called(function: str, line: int) -> Origin:
        return at(9)._replace(path=(CallSite(function, at(9).file, line),))

    def waits(thread: tr.Thread, other: tr.Thread, first: Origin, second: Origin, theirs: Origin) -> tr.Stuck:
        wait = tr.LockWait(tr.ObjectKind.MUTEX, "l->m", tr.Holder(other, theirs))
        return tr.Stuck(thread, second, wait, (other,), (tr.Hold("l->m", first),), True)

    one, two = called("send", 17), called("expire", 24)
    text = sentences(
        stuck(waits(ONE, TWO, one, called("send", 18), two), waits(TWO, ONE, two, called("expire", 25), one))
    )
    assert "holds `l->m` (since line 9 when called in send at line 17)" in text
    assert "waits at line 9 when called in expire at line 25 for `l->m`" in text
    assert "take these locks in one and the same order" in text


def test_a_wrapper_of_locks_is_named_with_its_calls() -> None:
    def called(line: int) -> Origin:
        return at(9)._replace(path=(CallSite("send", at(9).file, line),))

    a, b = tr.Hold("a->m", called(17)), tr.Hold("b->m", called(24))
    one = tr.Stuck(
        ONE, called(18), tr.LockWait(tr.ObjectKind.MUTEX, "b->m", tr.Holder(TWO, b.since)), (TWO,), (a,), True
    )
    two = tr.Stuck(
        TWO, called(25), tr.LockWait(tr.ObjectKind.MUTEX, "a->m", tr.Holder(ONE, a.since)), (ONE,), (b,), True
    )
    text = sentences(stuck(one, two))
    assert "holds `a->m` (since line 9 when called in send at line 17)" in text
    assert "take `b->m` and `a->m` in one and the same order" in text


def test_a_signal_that_never_comes() -> None:
    assert "No other thread has signalled `c` in this execution" in waiting()


def test_a_test_that_no_longer_holds_when_the_thread_sleeps() -> None:
    test = tr.Step(ONE, at(3), "while (x == 0)", [read("x", "0", 64)])
    text = waiting(test, tr.Step(TWO, at(13), "x = 1;", [wrote("x", "1", 64)]), SIGNAL)
    assert (
        "Thread 1 had found `x = 0` at line 3, but thread 2 stored `x = 1` at line 13 before thread 1 was asleep"
        in text
    )
    assert "the test and the wait have to be under one mutex" in text.lower()


def test_a_signal_that_woke_another_thread() -> None:
    other = tr.Thread(3, "work")
    asleep = tr.Step(other, at(4), "pthread_cond_wait(&c, &m);", actions=[tr.Action(tr.ActionKind.WAIT, "c")])
    woken = tr.Step(other, at(4), "pthread_cond_wait(&c, &m);", actions=[tr.Action(tr.ActionKind.WAKE, "c")])
    text = waiting(asleep, after=(SIGNAL, woken))
    assert "a signal wakes one thread, and that was work (thread 3)" in text and "broadcast" in text


def test_a_semaphore_that_a_blocked_thread_has_taken() -> None:
    take = tr.Step(TWO, at(14), "sem_wait(&s);", actions=[tr.Action(tr.ActionKind.TAKE, "s")])
    found = violation([create(ONE, TWO), take], DEADLOCK)
    assert found.counterexample is not None and found.violated is not None
    found.counterexample.stuck = [
        tr.Stuck(ONE, at(10), tr.SemaphoreWait("s")), tr.Stuck(TWO, at(15), tr.SemaphoreWait("r")),
    ]  # fmt: skip
    text = sentences(Deadlock(found.counterexample, found.violated, Phrases(found.counterexample)))
    assert "Thread 2 took `s` at line 14 and has not given it back" in text
    assert "all threads have to take them in one and the same order" in text


def race(one: tr.Racing, two: tr.Racing, *steps: tr.Step) -> str:
    found = violation([create(ONE, TWO), *steps], RACE)
    assert found.counterexample is not None
    found.counterexample.racing = [one, two]
    return explain(found)


WRITES, READS = tr.Racing(ONE, at(5), tr.RaceKind.WRITE, "x"), tr.Racing(TWO, at(9), tr.RaceKind.READ, "x")


def test_a_race_without_locks() -> None:
    text = race(WRITES, READS)
    assert "A data race on `x` at a.c:20: work (thread 1) writes it at line 5, and work (thread 2) reads it" in text
    assert "Neither thread 1 nor thread 2 holds a lock there" in text


def test_only_one_side_of_a_race_is_atomic() -> None:
    text = race(replace(WRITES, how=tr.Atomicity.ATOMIC), READS)
    assert "thread 2 has to make its access in the same way" in text and "holds a lock" not in text


def test_only_one_side_of_a_race_holds_a_lock() -> None:
    tried = tr.Step(TWO, at(8), "pthread_mutex_trylock(&m);", actions=[tr.Action(tr.ActionKind.TRY, "m")])
    text = race(replace(WRITES, holds=(HELD_BY_ONE,)), READS, tried)
    assert "Thread 2 had tried to lock `m` at line 8, did not get it, and went on all the same" in text
    assert "Thread 2 has to hold `m` there as well" in text


def test_locks_that_do_not_exclude_each_other() -> None:
    text = race(replace(WRITES, holds=(HELD_BY_ONE,)), replace(READS, holds=(HELD_BY_TWO,)))
    assert "locks that do not exclude each other" in text and "one and the same lock" in text


def test_a_race_with_who_created_the_thread() -> None:
    main = tr.Racing(MAIN, at(22, "main"), tr.RaceKind.WRITE, "x")
    text = race(main, READS)
    assert "main created thread 2 at line 20 and has not waited for it" in text
    assert "wait for the end of thread 2 (join) first or write it before it creates thread 2" in text
    early = replace(main, function="pthread_create")
    assert "may run before pthread_create has stored its result" in race(early, READS)


def test_an_execution_in_which_nothing_happens_any_more() -> None:
    found = violation(LOST[:2], Claim(Kind.TERMINATION))
    assert found.counterexample is not None
    found.counterexample.cycle = 2
    assert "the step of work (thread 1) at line 5, nothing more happens" in explain(found)
