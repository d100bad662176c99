"""Which order of accesses is at fault, in words: on counterexamples made by hand."""

from dataclasses import replace

import pytest

from cseq.model.actions import ActionKind, Manner, ObjectKind
from cseq.model.claims import RACE, Claim, Kind, Memory, MemoryState, Object, Reason, misuse
from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Access, Action, Hold, RaceKind, Racing, Step
from cseq.report.explain.causes import CauseKind
from cseq.report.explain.interleaving import AccountKind
from cseq.report.explain.paragraph import explain
from tests.support.counterexamples import (
    LOST,
    MAIN,
    ONE,
    TWO,
    at,
    create,
    invalid_write,
    lock,
    own,
    read,
    told,
    violation,
    wrote,
)
from tests.support.explained import kind as kind_of


def test_a_local_that_is_set_on_the_line_of_the_claim() -> None:
    """The value is the new one, not that of an earlier call; a claim that changes it has seen the old one."""
    line = "int was = atomic_exchange(d, 1); assert(was == 0);"
    before = Step(ONE, at(6), line, [read("*d", "0", 64), wrote("*d", "1", 64), own("was", "0")])
    called = Step(ONE, at(8), "claim(e);", [own("d", "0x48")])
    stored = Step(TWO, at(6), line, [wrote("*d", "1", 72)])
    last = Step(ONE, at(6), line, [read("*d", "1", 72), wrote("*d", "1", 72), own("was", "1")])
    text = told([create(ONE, TWO), before, stored, called, last], "was == 0")
    assert "finds `*d = 1` (stored by work (thread 2) at line 6) and `was = 1`" in text and "was = 0" not in text
    assert "not stored" not in text and "No step stores" not in text
    counts = Step(ONE, at(6), "assert(was++ == 0);", [own("was", "2")])
    assert "was = 2" not in told([create(ONE, TWO), before, stored, last, counts], "was++ == 0")


def test_lost_update_without_a_lock() -> None:
    assert told(LOST) == (
        "Assertion `x == 2` is violated at a.c:23 in main: main finds `x = 1` (stored by work (thread 1) at line 5). "
        "Thread 1 had read `x = 0` at line 5, then work (thread 2) stored `x = 1` at line 5, and then thread 1 stored "
        "`x = 1` at line 5 without having seen that, so the update of thread 2 is lost. Neither thread 1 nor thread 2 "
        "holds a lock there. The load and the store must not be parted: thread 1 and thread 2, both at line 5, have to "
        "hold the same mutex for `x`, or the update has to be one atomic operation."
    )


def test_memory_is_the_same_under_another_name() -> None:
    steps = [*LOST]
    steps[2] = Step(TWO, at(9), "*p += 1;", [read("*p", "0", 64), wrote("*p", "1", 64)])
    assert "then work (thread 2) stored `*p = 1` (the same memory) at line 9" in told(steps)
    steps[2] = Step(TWO, at(9), "*p += 1;", [read("*p", "0", 128), wrote("*p", "1", 128)])
    assert "work (thread 2)" not in told(steps)


def test_a_lock_that_is_let_go_in_between() -> None:
    steps = [
        create(ONE, TWO),
        lock(ONE, 3), Step(ONE, at(4), "int y = x;", [read("x", "0", 64), own("y", "0")]), lock(ONE, 5, kind="unlock"),
        lock(TWO, 13, "l", address=0), Step(TWO, at(14), "x = 7;", [wrote("x", "7", 64)]), lock(TWO, 15, "l", "unlock"),
        lock(ONE, 6), Step(ONE, at(7), "x = y + 1;", [wrote("x", "1", 64)]), lock(ONE, 8, kind="unlock"),
        Step(MAIN, at(23, "main"), "assert(x == 2);", [read("x", "1", 64)]),
    ]  # fmt: skip
    text = told(steps)
    assert "thread 1 holds `m` (since line 3) at line 4" in text.lower()
    assert "thread 2 holds `l` (since line 13) at line 14, which do not exclude each other" in text
    same = [
        lock(step.thread, step.origin.line, "m", step.actions[0].kind) if step.thread == TWO and step.actions else step
        for step in steps
    ]
    text = told(same)
    assert "Both hold `m` there, but thread 1 lets it go in between" in text
    assert "thread 1 has to hold `m` from line 4 to line 7 without letting it go" in text


def test_locks_are_the_same_by_their_addresses() -> None:
    steps = [
        create(ONE, TWO),
        lock(ONE, 3, "m", address=96), Step(ONE, at(4), "int y = x;", [read("x", "0", 64), own("y", "0")]),
        lock(ONE, 5, "m", "unlock", 96),
        lock(TWO, 13, "*p", address=96), Step(TWO, at(14), "x = 7;", [wrote("x", "7", 64)]),
        lock(TWO, 15, "*p", "unlock", 96), Step(ONE, at(7), "x = y + 1;", [wrote("x", "1", 64)]),
        Step(MAIN, at(23, "main"), "assert(x == 2);", [read("x", "1", 64)]),
    ]  # fmt: skip
    assert "Both hold `m` there, but thread 1 lets it go in between" in told(steps)


def test_a_lock_on_the_line_of_an_access_is_not_guessed_at() -> None:
    step = Step(TWO, at(9), "lock(&m); x++; unlock(&m);", [read("x", "0", 64), wrote("x", "1", 64)])
    step.actions = [Action(ActionKind.LOCK, "m"), Action(ActionKind.UNLOCK, "m")]
    assert "holds" not in told([*LOST[:2], step, *LOST[3:]])


def test_a_wake_up_without_a_signal() -> None:
    wait, wake = (
        [Action(ActionKind.UNLOCK, "m"), Action(ActionKind.WAIT, "c")],
        [Action(ActionKind.WAKE, "c"), Action(ActionKind.LOCK, "m")],
    )
    steps = [
        create(ONE),
        lock(ONE, 2),
        Step(ONE, at(3), "if (x == 0)", [read("x", "0", 64)]),
        Step(ONE, at(4), "pthread_cond_wait(&c, &m);", actions=wait),
        Step(MAIN, at(21, "main"), "pause();"),
        Step(ONE, at(4), "pthread_cond_wait(&c, &m);", actions=wake),
        Step(ONE, at(5), "assert(x == 2);", [read("x", "0", 64)]),
    ]
    text = told(steps)
    assert "It woke up without a signal, but nothing has changed" in text
    assert "`while` instead of `if` at line 3" in text
    steps[2] = Step(ONE, at(3), "while (x == 0)", steps[2].accesses)
    assert "stand in a loop" in told(steps) and "instead of" not in told(steps)


def test_a_local_without_a_value() -> None:
    steps = [
        create(ONE),
        Step(ONE, at(3), "int x;", [Access("undefined", "x", "7")]),
        Step(ONE, at(4), "assert(x == 2);"),
    ]
    assert "`x` has no value where it is declared at line 3, so it can have any, and has 7 here" in told(steps)


def test_a_result_of_a_thread_is_no_local_without_a_value() -> None:
    steps = [
        Step(MAIN, at(19, "main"), "void *x;", [Access("undefined", "x", "NULL")]),
        create(ONE),
        Step(ONE, at(3), "long y = shared;", [read("shared", "1", 64), own("y", "1")]),
        Step(ONE, at(4), "return (void *)y;", actions=[Action(ActionKind.END)]),
        Step(MAIN, at(21, "main"), "pthread_join(t, &x);", actions=[Action(ActionKind.JOIN, "", ONE)]),
        Step(MAIN, at(22, "main"), "assert(x == 2);"),
    ]
    text = told(steps)
    assert "no value" not in text and "`y = 1` as what work (thread 1) has returned" in text


def test_a_local_whose_address_was_given_away_has_no_known_value() -> None:
    steps = [
        create(ONE),
        Step(ONE, at(3), "int x = 0;", [own("x", "0")]),
        Step(ONE, at(4), "set(&x);"),
        Step(ONE, at(5), "assert(x == 0);"),
    ]
    assert "finds" not in told(steps, "x == 0")
    del steps[2]
    assert "finds `x = 0`" in told(steps, "x == 0")


def test_who_waits_for_a_pointer_to_be_set() -> None:
    steps = [create(ONE), Step(MAIN, at(21, "main"), "*p = 1;", [read("p", "NULL", 64)])]
    text = told(steps, invalid_write(MemoryState.NULL))
    assert "no step stores `p` before main reads it at line 21" in text.lower() and "join" in text
    assert "no step stores" not in told(steps, invalid_write(MemoryState.OUTSIDE)).lower()


def test_the_routine_of_an_initialisation_is_no_lock() -> None:
    once = Step(ONE, at(3), "pthread_once(&o, f);", actions=[Action(ActionKind.BEGIN, "o")])
    assert "Neither thread 1 nor thread 2 holds a lock there" in told([LOST[0], once, *LOST[1:]])
    found = violation([LOST[0], once], RACE)
    assert found.counterexample is not None
    sides = [
        Racing(ONE, at(5), RaceKind.WRITE, "x", holds=(Hold("o", at(3), kind=ObjectKind.ONCE),)),
        Racing(TWO, at(9), RaceKind.READ, "x"),
    ]
    found.counterexample.racing = sides
    assert "in the routine of `o`: the other one has to call pthread_once for it first" in explain(found)


def test_both_have_the_lock_for_reading_only() -> None:
    steps = [LOST[0], lock(ONE, 3, kind="read_lock"), lock(TWO, 13, kind="read_lock"), *LOST[1:]]
    text = told(steps)
    assert "Both hold `m` there, but only for reading" in text
    assert "the thread that stores has to hold `m` for writing" in text


def test_a_wake_up_of_which_the_wait_is_not_seen() -> None:
    wake = Step(
        ONE, at(4), "pthread_cond_wait(&c, &m);", actions=[Action(ActionKind.WAKE, "c"), Action(ActionKind.LOCK, "m")]
    )
    read_twice = Step(ONE, at(3), "if (x == 0)", [read("x", "0", 64)])
    assert "woke" not in told(
        [create(ONE), read_twice, wake, Step(ONE, at(5), "assert(x == 2);", [read("x", "0", 64)])]
    )


def test_places_in_several_files_are_named_with_them() -> None:
    steps = [*LOST]
    steps[2] = Step(TWO, at(9, file="b.c"), "x++;", [read("x", "0", 64), wrote("x", "1", 64)])
    text = told(steps)
    assert "at b.c:9" in text and "at a.c:5" in text and "line " not in text


def test_no_cause_is_made_up() -> None:
    steps = [
        create(ONE, TWO),
        Step(TWO, at(5), "sem_post(&s);", actions=[Action(ActionKind.GIVE, "s")]),
        Step(ONE, at(3), "sem_wait(&s);", actions=[Action(ActionKind.TAKE, "s")]),
        Step(ONE, at(4), "assert(f() == 2);"),
    ]
    assert told(steps, "f() == 2") == (
        "Assertion `f() == 2` is violated at a.c:4 in work, by work (thread 1). This execution does not "
        "show which of the earlier steps should have come in another order."
    )


def test_a_store_of_another_thread_that_may_be_meant() -> None:
    steps = [
        create(ONE, TWO),
        Step(TWO, at(5), "x = 1;", [wrote("x", "1", 64)]),
        Step(ONE, at(4), "assert(x == 2);", [read("x", "1", 64)]),
    ]
    text = told(steps)
    assert "not whether it is meant to be" in text and "stored by work (thread 2) at line 5" in text


def test_one_line_that_two_threads_execute_is_named_with_its_calls() -> None:
    def called(line: int) -> Origin:
        return at(5, "claim")._replace(path=(CallSite("work", at(5).file, line),))

    steps = [
        create(ONE, TWO),
        Step(TWO, called(9), "x = 1;", [wrote("x", "1", 64)]),
        Step(ONE, called(8), "assert(x == 0);", [read("x", "1", 64)]),
    ]
    text = told(steps)
    assert (
        "the store at line 5 when called in work at line 9 must not come before the read at line 5 when called" in text
    )
    assert "when called" not in told([replace(step, origin=step.origin._replace(path=())) for step in steps])


def test_a_store_of_a_thread_that_was_joined_is_no_matter_of_order() -> None:
    steps = [
        create(ONE),
        Step(ONE, at(5), "x = 1;", [wrote("x", "1", 64)]),
        Step(ONE, at(6), "return NULL;", actions=[Action(ActionKind.END)]),
        Step(MAIN, at(21, "main"), "pthread_join(t, NULL);", actions=[Action(ActionKind.JOIN, "", ONE)]),
        Step(MAIN, at(22, "main"), "assert(x == 2);", [read("x", "1", 64)]),
    ]
    assert "main had waited for the end of thread 1 (join), so the order of these two is not at fault" in told(steps)


def test_a_store_that_never_comes() -> None:
    steps = [
        Step(MAIN, at(19, "main"), "todo = __VERIFIER_nondet_int();", [wrote("todo", "-7", 72)], inputs=["-7"]),
        create(ONE),
        Step(ONE, at(5), "if (todo < 0)", [read("todo", "-7", 72)]),
        Step(ONE, at(6), "return NULL;", actions=[Action(ActionKind.END)]),
        Step(MAIN, at(21, "main"), "pthread_join(t, NULL);", actions=[Action(ActionKind.JOIN, "", ONE)]),
        Step(MAIN, at(22, "main"), "assert(x == 2);", [read("x", "0", 64)]),
    ]
    text = told(steps)
    assert "No step stores `x` before main reads it, and no thread is left to." in text
    assert "came to its end at line 6, after it had found `todo = -7` at line 5, an input of main at line 19" in text
    asked = Step(MAIN, at(20, "main"), "pthread_cancel(t);", actions=[Action(ActionKind.CANCEL, "", ONE)])
    ended = replace(steps[3], actions=[Action(ActionKind.END, manner=Manner.CANCELLED)])
    text = told([*steps[:2], asked, ended, *steps[4:]])
    assert "did not: main cancelled it at line 20, and it ended at line 6" in text


def test_what_one_round_of_a_loop_leaves_the_next_one_does_not_rely_on() -> None:
    steps = [
        create(ONE, TWO),
        Step(ONE, at(7), "slot = 0;", [wrote("slot", "0", 64)]),
        Step(TWO, at(12), "slot = 3;", [wrote("slot", "3", 64)]),
        Step(ONE, at(5), "assert(slot == 2);", [read("slot", "3", 64)]),
    ]
    text = told(steps, "slot == 2")
    assert "kept out" not in text and "not whether it is meant to be" in text
    steps[1] = Step(ONE, at(4), "slot = 0;", [wrote("slot", "0", 64)])
    assert "Thread 2 has to be kept out" in told(steps, "slot == 2")


def test_memory_that_another_thread_has_freed() -> None:
    steps = [
        create(ONE),
        Step(ONE, at(5), "free(p);", actions=[Action(ActionKind.FREE, "p")]),
        Step(MAIN, at(21, "main"), "*p = 1;", [read("p", "0x40", 64)]),
    ]
    text = told(steps, invalid_write(MemoryState.FREED, at(5)))
    assert "work (thread 1) had freed it at line 5" in text and "before all threads are done with it" in text
    steps[1] = Step(MAIN, at(5, "main"), "free(p);", actions=[Action(ActionKind.FREE, "p")])
    text = told(steps, invalid_write(MemoryState.FREED, at(5)))
    assert "main itself had freed it at line 5" in text
    steps[1] = Step(ONE, at(5), "more = realloc(p, 8);")  # a call that does not say what it frees
    assert "work (thread 1) had freed it at line 5" in told(steps, invalid_write(MemoryState.FREED, at(5)))
    steps[1] = Step(ONE, at(5), "more = p;")
    assert "had freed it" not in told(steps, invalid_write(MemoryState.FREED, at(5)))


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        (Claim(Kind.ASSERTION, subject="x == 2"), CauseKind.LOST),
        (misuse("pthread_mutex_unlock", Object.MUTEX, Reason.NOT_HELD), AccountKind.MISUSE),
        (Claim(Kind.MEMSAFETY, Reason.LEAK), AccountKind.LEAKED),
        (Claim(Kind.MEMSAFETY, Reason.READ, "*p", memory=Memory(MemoryState.ENDED, at(3))), AccountKind.ENDED),
        (Claim(Kind.MEMSAFETY, Reason.READ, "*p", memory=Memory(MemoryState.FREED, at(99))), CauseKind.LOST),
    ],
)
def test_what_is_at_fault(claim: Claim, kind: AccountKind | CauseKind) -> None:
    found = violation(LOST, claim)
    assert found.counterexample is not None and found.violated is not None
    assert kind_of(found.counterexample, found.violated) == kind.value


def test_memory_counts_as_freed_where_a_step_frees_it() -> None:
    free = Step(ONE, at(5), "free(p);", actions=[Action(ActionKind.FREE, "p")])
    use = Step(MAIN, at(21, "main"), "*p = 1;", [read("p", "0x40", 64)])
    for place, kind in ((at(5), AccountKind.FREED), (at(99), AccountKind.ALONE)):
        found = violation([create(ONE), free, use], invalid_write(MemoryState.FREED, place))
        assert found.counterexample is not None and found.violated is not None
        assert kind_of(found.counterexample, found.violated) == kind.value


def test_a_thread_that_sees_nothing_of_the_others_is_alone() -> None:
    found = violation([create(ONE), Step(ONE, at(4), "assert(n == 2);")], "n == 2")
    assert found.counterexample is not None and found.violated is not None
    assert kind_of(found.counterexample, found.violated) == AccountKind.ALONE.value


def test_memory_whose_life_has_ended() -> None:
    claim = Claim(Kind.MEMSAFETY, Reason.WRITE, "*p", memory=Memory(MemoryState.ENDED, at(3)))
    text = told([create(ONE), Step(ONE, at(3), "return p;"), Step(MAIN, at(21, "main"), "*p = 1;")], claim)
    assert "line 3" in text and "Invalid write of `*p`" in text


def test_memory_that_is_never_freed() -> None:
    assert told(LOST, Claim(Kind.MEMSAFETY, Reason.LEAK)).endswith(
        "It has to be freed while something still leads to it."
    )


def test_what_is_read_twice() -> None:
    steps = [
        create(ONE, TWO),
        Step(ONE, at(3), "if (x == 2)", [read("x", "2", 64)]),
        Step(TWO, at(12), "x = 1;", [wrote("x", "1", 64)]),
        Step(ONE, at(4), "assert(x == 2);", [read("x", "1", 64)]),
    ]
    text = told(steps)
    assert "when it reads the same memory again at line 4 it finds 1: in between thread 2 stored `x = 1`" in text
    assert text.endswith("thread 1 from line 3 to line 4 and thread 2 at line 12 have to hold the same mutex for `x`.")
