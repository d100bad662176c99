"""Paragraphs in words, on programs of sv-benchmarks and on counterexamples made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from cseq import verify
from cseq.base.claims import Claim, Cut, Kind, Limit
from cseq.base.trace import (
    Step,
)
from cseq.base.verdict import Outcome, Property, Verdict, summed
from cseq.report.explain.paragraph import explain
from cseq.report.text.terminal import PLAIN, Style, render
from cseq.report.words import cells
from tests.support.checkout import ROOT
from tests.support.counterexamples import (
    LOST,
    ONE,
    TWO,
    at,
    create,
    own,
    read,
    told,
    violation,
    wrote,
)
from tests.support.explained import check_explanation

NO_LOCK = "holds a lock there"

PROGRAMS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("lost_update", {},
     ["finds `counter = 1`", "increment (thread 1)", "increment (thread 2)", "both at line 17",
      "is lost", NO_LOCK, "the same mutex for `counter`", "one atomic operation"]),
    ("check_then_use", {},
     ["user (thread 1)", "at line 20", "again at line 21 it finds NULL", "remover (thread 2) stored `shared = NULL`",
      "at line 31", "from line 20 to line 21", "the same mutex for `shared`"]),
    ("order_violation", {},
     ["no step stores `table` before thread 1 reads it at line 17", "main has not come further than line 26",
      "before it creates thread 1 at line 26"]),
    ("lazy_publish", {},
     ["user (thread 2) finds `value = 0`", "`ready = 1` at line 20", "user (thread 1) had stored at line 23",
      "before it stores `ready`", "holds `lock` there (since line 21)", "without that lock"]),
    ("lazy_init", {},
     ["had read `ready = 0` at line 19", "stored `ready = 1` at line 22", "holds no lock at line 19",
      "has to hold `lock`, too, from line 19 to line 21"]),
    ("stack_pop", {},
     ["had read `top = 1` at line 34", "at line 23 it finds 0", "stored `top = 0` at line 24",
      "both hold `lock` there, but thread 2 lets it go in between", "from line 34 to line 23 without letting it go"]),
    ("bank_transfer", {},
     ["transfer (thread 1) holds `lock` since line 18", "stored `a = 7` at line 19", "audit (thread 2)",
      "reads `a` at line 30 without that lock", "thread 2 has to hold `lock` as well"]),
    ("bounded_buffer", {},
     ["waited for `not_empty` at line 38", "producer (thread 2) woke it at line 27", "stored `items = 0` at line 40",
      "`while` instead of `if` at line 37"]),
    ("spin_flag", {},
     ["`flag = 1` at line 25", "producer (thread 1) had stored at line 17", "no step before had stored `data`"]),
    ("struct_fields", {},
     ["`w->ends.lo = 5`, which mover (thread 1) had stored at line 25", "`w->ends.hi = 3`",
      "as a whole under one lock"]),
    ("loop_variable_arg", {},
     ["when main created thread 1 at line 31", "`i = 0` held", "stored `i = 1` at line 30",
      "memory of its own"]),
    ("static_local", {},
     ["had stored `scratch = 1` at line 16", "worker (thread 2)", "over it", "a variable of its own"]),
    ("nested_create", {},
     ["child (thread 2), created at line 26, has not made a step yet", "main has to wait for"]),
    ("stop_flag", {},
     ["`open = 0` (stored by main at line 29)", "wait for its end (join) before the store"]),
    ("nondet_input", {}, ["certain inputs", "`wish = 1` at line 22"]),
    ("second_unwinding", {},
     ["has not seen anything that another thread did", "no special order of threads"]),
    ("unlock_not_owner", {},
     ["down (thread 2) calls pthread_mutex_unlock at", "nobody holds `lock`", "has not locked it"]),
    ("trylock_inverted", {},
     ["held by worker (thread 1) (since line 18)", "had tried to lock it at line 18", "has returned 0"]),
    ("late_mutex_init", {},
     ["nobody has initialised `lock`", "before main creates thread 1 at line 26"]),
    ("deadlock/philosophers_two", {"deadlock": True},
     ["plato (thread 1)", "kant (thread 2)", "holds `fork_a` (since line 18)", "holds `fork_b` (since line 29)",
      "wait for each other", "one and the same order"]),
    ("deadlock/missed_signal", {"deadlock": True},
     ["loader (thread 1) signalled `loaded` at line 20, before", "at line 30", "is lost", "test under the mutex"]),
    ("deadlock/signal_for_all", {"deadlock": True},
     ["a signal wakes one thread", "broadcast"]),
    ("deadlock/join_with_lock", {"deadlock": True},
     ["main must not hold `state` while it waits for", "to end"]),
    ("race/one_sided_lock", {"race": True},
     ["on `done`", "main reads it at line 30", "worker (thread 1) writes it at line 19", "`lock` (since line 18)",
      "main has to hold `lock` there as well", "join"]),
    ("race/two_locks", {"race": True},
     ["`put_lock`", "`take_lock`", "do not exclude each other", "one and the same lock"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "asked", "facts"), PROGRAMS, ids=[name for name, _, _ in PROGRAMS])
def test_what_matters_is_told(
    name: str, asked: dict[str, Any], facts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "sv-benchmarks")
    outcome = verify(f"{name}_bad.c", backend="native", **asked)
    check_explanation(outcome)
    text = explain(outcome).lower()
    assert [fact for fact in facts if fact.lower() not in text] == [], text


<<<<<<< HEAD
def at(line: int, function: str = "work", file: str = "a.c") -> Origin:
    return Origin(file, line, function=function)


def read(name: str, value: str, address: int = 0) -> Access:
    return Access("read", name, value, True, address)


def wrote(name: str, value: str, address: int = 0) -> Access:
    return Access("write", name, value, True, address)


def own(name: str, value: str) -> Access:
    return Access("write", name, value)


def invalid_write(state: State, place: Origin | None = None) -> Claim:
    return Claim(Kind.MEMSAFETY, Wrong.WRITE, "*p", memory=Memory(state, place))


def violation(steps: Sequence[Step], claim: str | Claim = "x == 2") -> Outcome:
    violated = Property(Claim(Kind.ASSERTION, subject=claim) if isinstance(claim, str) else claim, steps[-1].origin)
    threads = sorted({step.thread for step in steps} | {t for s in steps for t in s.created}, key=lambda t: t.number)
    return Outcome(Verdict.FALSE, violated=violated, counterexample=Counterexample(list(steps), threads))


def told(steps: Sequence[Step], claim: str | Claim = "x == 2") -> str:
    found = violation(steps, claim)
    check_explanation(found)
    return explain(found)


def create(*threads: Thread, line: int = 20) -> Step:
    return Step(MAIN, at(line, "main"), "pthread_create(…);", created=list(threads))


def lock(thread: Thread, line: int, name: str = "m", kind: str = "lock", address: int = 0) -> Step:
    return Step(
        thread, at(line), f"pthread_mutex_{kind}(&{name});", actions=[Action(ActionKind(kind), name, None, address)]
    )


LOST = [
    create(ONE, TWO),
    Step(ONE, at(5), "x++;", [read("x", "0", 64)]),
    Step(TWO, at(5), "x++;", [read("x", "0", 64), wrote("x", "1", 64)]),
    Step(ONE, at(5), "x++;", [wrote("x", "1", 64)]),
    Step(MAIN, at(23, "main"), "assert(x == 2);", [read("x", "1", 64)]),
]


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
    text = told(steps, invalid_write(State.NULL))
    assert "no step stores `p` before main reads it at line 21" in text.lower() and "join" in text
    assert "no step stores" not in told(steps, invalid_write(State.OUTSIDE)).lower()


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
    assert "No step stores `x` before main reads it, and nobody is left to." in text
    assert "came to its end at line 6, after it had found `todo = -7` at line 5, an input of main at line 19" in text


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
    text = told(steps, invalid_write(State.FREED, at(5)))
    assert "work (thread 1) had freed it at line 5" in text and "before all threads are done with it" in text
    steps[1] = Step(MAIN, at(5, "main"), "free(p);", actions=[Action(ActionKind.FREE, "p")])
    text = told(steps, invalid_write(State.FREED, at(5)))
    assert "main itself had freed it at line 5" in text


=======
>>>>>>> tests2
def test_a_bound_is_no_fault_of_the_program() -> None:
    text = told(LOST[:2], Claim(Kind.UNWINDING, cut=Cut(Limit.LOOP, 2)))
    assert "bound of the search" in text and "--unwind" in text


def test_of_several_properties_the_violated_one_is_told() -> None:
    safe = Outcome(Verdict.TRUE, property="no-overflow")
    assert explain(summed([safe, violation(LOST)])) == explain(violation(LOST))


def test_nothing_to_say() -> None:
    assert explain(Outcome(Verdict.TRUE)) == ""
    violated = Property(Claim(Kind.ASSERTION, subject="x"))
    assert explain(Outcome(Verdict.FALSE, violated=violated, unreplayed="no inputs")) == ""


@pytest.mark.parametrize("width", [None, 40, 100])
def test_the_paragraph_is_wrapped(width: int | None) -> None:
    report = render(violation(LOST), Style(width=width) if width else PLAIN, explained=True)
    lines = report.splitlines()
    start = lines.index("") + 1
    paragraph = lines[start : lines.index("", start)]
    assert " ".join(paragraph) == explain(violation(LOST))
    assert max(map(cells, paragraph)) <= (width or 80)
    assert lines[-1] == "(--cex shows how)"


def test_the_paragraph_comes_behind_the_counterexample() -> None:
    report = render(violation(LOST), steps=True, explained=True)
    before, _, behind = report.partition("\nassertion `x == 2` is violated at a.c:23 in main\n\n")
    assert "context switch: main goes on" in before and behind.startswith("Assertion `x == 2`")
    assert behind.endswith("operation.\n") and not behind.endswith("\n\n")


def test_long_executions_take_little_time() -> None:
    steps = [create(ONE, TWO)]
    for n in range(2000):
        steps += [
            Step(thread, at(5), "x = x + y;", [read("x", str(n), 64), wrote("x", str(n + 1), 64), own("y", str(n))])
            for thread in (ONE, TWO)
        ]
    steps.append(Step(ONE, at(6), "assert(x == 2);", [read("x", "2001", 64)]))
    assert "over it" in told(steps)
