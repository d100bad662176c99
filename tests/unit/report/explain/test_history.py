"""What a counterexample says of memory and locks, and what a value depends on."""

from collections.abc import Sequence

import pytest

from cseq.model.actions import ActionKind
from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Access, Action, Counterexample, Step, Thread
from cseq.report.explain.history import CONTROL, DATA, Event, History, Lock, shared
from tests.support.counterexamples import LOST, MAIN, ONE, TWO, at, create, lock, own, read, wrote


def history(*steps: Step) -> History:
    return History(Counterexample(list(steps), [MAIN, ONE, TWO]))


def labels(events: Sequence[Event]) -> list[str]:
    """``step:name=value`` of each event."""
    return [f"{event.step}:{event.name}={event.value}" for event in events]


def end(thread: Thread, line: int) -> Step:
    return Step(thread, at(line), "return 0;", actions=[Action(ActionKind.END)])


def test_accesses_are_numbered_in_the_order_of_time() -> None:
    seen = history(*LOST)
    assert labels(seen.events) == ["1:x=0", "2:x=0", "2:x=1", "3:x=1", "4:x=1"]
    assert [event.number for event in seen.events] == list(range(seen.end))
    assert labels(seen.of_step(2)) == ["2:x=0", "2:x=1"]
    assert [event.writes for event in seen.events] == [False, False, True, True, False]


def test_who_stored_what_is_read() -> None:
    seen = history(*LOST)
    first, *_, last = seen.events
    assert seen.writer(first) is None
    writer = seen.writer(last)
    assert writer is not None and (writer.thread, writer.step) == (ONE, 3)


def test_memory_is_the_same_by_its_address_and_locals_belong_to_a_thread() -> None:
    seen = history(
        Step(ONE, at(1), "x = 1;", [wrote("x", "1", 64), own("n", "1")]),
        Step(TWO, at(2), "*p = 2;", [wrote("*p", "2", 64), own("n", "2")]),
        Step(ONE, at(3), "f(x, n);", [read("x", "2", 64), Access("read", "n", "1")]),
    )
    shared_read, local_read = seen.of_step(2)
    assert labels([event for event in [seen.writer(shared_read), seen.writer(local_read)] if event]) == [
        "1:*p=2",
        "0:n=1",
    ]
    assert seen.name(seen.of_step(1)[0]) == "x"  # a variable's name rather than an expression


def test_accesses_around_an_access() -> None:
    seen = history(*LOST)
    one_reads, _, two_writes, one_writes, _ = seen.events
    assert seen.after(one_reads) is one_writes and seen.before(one_writes) is one_reads
    assert seen.before(one_reads) is None and seen.after(one_writes) is None
    assert seen.strangers(one_reads, one_writes.number) == [two_writes]
    assert seen.strangers(one_reads, two_writes.number) == []
    assert seen.strangers(two_writes, seen.end) == [one_writes]


def test_the_lives_of_threads() -> None:
    joined = Step(MAIN, at(21, "main"), "pthread_join(t, 0);", actions=[Action(ActionKind.JOIN, "", ONE)])
    detached = Step(ONE, at(4), "pthread_detach(u);", actions=[Action(ActionKind.DETACH, "", TWO)])
    seen = history(create(ONE), detached, Step(ONE, at(5), "", created=[TWO]), end(ONE, 6), joined)
    assert (seen.creation(ONE), seen.creation(TWO), seen.creation(MAIN)) == (0, 2, None)
    assert (seen.creator(ONE), seen.creator(TWO), seen.creator(MAIN)) == (MAIN, ONE, None)
    assert [seen.has_ended(thread) for thread in (MAIN, ONE, TWO)] == [False, True, False]
    assert seen.joined(ONE) and seen.joined(ONE, MAIN) and not seen.joined(ONE, TWO) and not seen.joined(TWO)
    assert seen.detached() == {TWO}
    assert seen.last_step(ONE) is seen.steps[3] and seen.last_step(TWO) is None


def test_locks_are_held_until_they_are_given_back() -> None:
    access = Step(ONE, at(4), "x = 1;", [wrote("x", "1", 64)])
    seen = history(lock(ONE, 3), access, lock(ONE, 5, kind="unlock"), access)
    inside, outside = seen.events
    assert seen.held(inside) == (Lock("m", "m", at(3)),) and seen.held(outside) == ()
    assert seen.held_after(ONE, 1) == (Lock("m", "m", at(3)),)
    assert seen.held_after(ONE, 2) == () and seen.held_after(TWO, 3) == ()


def test_a_lock_that_was_taken_twice_is_held_until_it_was_given_back_twice() -> None:
    access = Step(ONE, at(4), "x = 1;", [wrote("x", "1", 64)])
    seen = history(lock(ONE, 2), lock(ONE, 3), lock(ONE, 4, kind="unlock"), access, lock(ONE, 6, kind="unlock"), access)
    assert seen.held(seen.events[0]) == (Lock("m", "m", at(2)),) and seen.held(seen.events[1]) == ()


def test_locks_are_not_told_where_the_line_itself_takes_some() -> None:
    step = Step(ONE, at(4), "lock(&m); x = 1;", [wrote("x", "1", 64)], [Action(ActionKind.LOCK, "m")])
    assert history(step).held(history(step).events[0]) is None


def test_a_lock_that_is_kept_and_one_that_is_let_go_in_between() -> None:
    access = Step(ONE, at(4), "x = 1;", [wrote("x", "1", 64)])
    kept = history(lock(ONE, 3), access, lock(TWO, 9, "n"), access)
    first, last = kept.events
    assert kept.keeps(Lock("m", "m", at(3)), first, last)
    left = history(lock(ONE, 3), access, lock(ONE, 5, kind="unlock"), lock(ONE, 3), access)
    first, last = left.events
    assert left.keeps(Lock("m", "m", at(3)), first, last) is False


def test_locks_in_common_are_known_by_their_keys() -> None:
    one, same, other = Lock("m", 96, at(3)), Lock("*p", 96, at(9), reading=True), Lock("m", 104, at(3))
    assert shared([one, other], [same]) == [one]
    assert shared([other], [same]) == []


def test_locals_in_a_text_have_the_values_that_they_got_last() -> None:
    seen = history(
        Step(ONE, at(1), "int n = 1;", [own("n", "1")]),
        Step(TWO, at(1), "int n = 5;", [own("n", "5")]),
        Step(ONE, at(2), "n = 2;", [own("n", "2")]),
        Step(ONE, at(3), "f(n, m);"),
    )
    assert labels(list(seen.names(3))) == ["2:n=2"]
    assert labels(list(seen.names(3, "m"))) == []


def test_locals_of_another_function_are_others() -> None:
    inner = Origin("a.c", 9, function="inner", path=(CallSite("work", "a.c", 2),))
    seen = history(
        Step(ONE, at(1), "int n = 1;", [own("n", "1")]),
        Step(ONE, inner, "int n = 7;", [own("n", "7")]),
        Step(ONE, inner, "n++;"),
        Step(ONE, at(3), "f(n);"),
    )
    assert labels(list(seen.names(3))) == ["0:n=1"]


def test_a_value_comes_from_what_its_statement_reads() -> None:
    seen = history(
        Step(TWO, at(8), "x = 3;", [wrote("x", "3", 64)]),
        Step(ONE, at(2), "int n = x;", [read("x", "3", 64), own("n", "3")]),
        Step(ONE, at(3), "y = n + 1;", [wrote("y", "4", 72)]),
    )
    stored, loaded, local, result = seen.events
    assert list(seen.sources(result)) == [local]
    assert list(seen.sources(local)) == [loaded] and list(seen.sources(loaded)) == [stored]
    assert seen.feeds(loaded, result) and not seen.feeds(result, local)


def test_a_variable_that_is_set_does_not_depend_on_what_it_was() -> None:
    seen = history(Step(ONE, at(1), "int n = 1;", [own("n", "1")]), Step(ONE, at(2), "n = 5;", [own("n", "5")]))
    assert list(seen.sources(seen.events[1])) == []
    seen = history(Step(ONE, at(1), "int n = 1;", [own("n", "1")]), Step(ONE, at(2), "n = n + 4;", [own("n", "5")]))
    assert labels(list(seen.sources(seen.events[1]))) == ["0:n=1"]


def test_a_local_whose_address_was_handed_out_is_not_certain() -> None:
    declared = Step(ONE, at(1), "int n = 1;", [own("n", "1")])
    assert history(declared, Step(ONE, at(2), "f(n);")).is_certain(history(declared).events[0])
    seen = history(declared, Step(ONE, at(2), "f(&n);"))
    assert not seen.is_certain(seen.events[0])


def test_an_interrupted_statement_is_one() -> None:
    seen = history(*LOST)
    assert seen.statement(3) == [1, 3] and seen.statement(2) == [2] and seen.statement(4) == [4]


def test_what_stores_again_is_another_execution_of_the_statement() -> None:
    again = Step(ONE, at(5), "x++;", [read("x", "0", 64), wrote("x", "1", 64)])
    assert history(again, again).statement(1) == [1]


@pytest.mark.parametrize(
    "source", ["if (x)", "while (x) {", "for (;;)", "} else if (x)", "switch (x)", "__VERIFIER_assume(x);"]
)
def test_conditions(source: str) -> None:
    seen = history(Step(ONE, at(1), source, [read("x", "0", 64)]), Step(ONE, at(2), "y = 1;"), Step(TWO, at(1), source))
    assert seen.branches(ONE, 2) == [0] and seen.branches(ONE, 0) == [] and seen.branches(ONE, 2, first=1) == []
    found = seen.condition(ONE, 1)
    assert found is seen.events[0] and seen.condition(TWO, 2) is None


def test_what_is_no_condition() -> None:
    seen = history(Step(ONE, at(1), "iffy(x);", [read("x", "0", 64)]), Step(ONE, at(2), "y = 1;"))
    assert seen.branches(ONE, 2) == [] and seen.condition(ONE, 1) is None


def test_a_failure_depends_on_values_and_on_branches() -> None:
    seen = history(
        Step(TWO, at(8), "x = 3;", [wrote("x", "3", 64)]),
        Step(ONE, at(1), "if (go)", [read("go", "1", 72)]),
        Step(ONE, at(2), "int n = x;", [read("x", "3", 64), own("n", "3")]),
        Step(ONE, at(3), "int k = z;", [read("z", "0", 80), own("k", "0")]),
        Step(ONE, at(4), "assert(n == 2);"),
    )
    stored, branch, loaded, local, other, _ = seen.events
    levels = seen.levels(seen.seen_at(4))
    assert levels == {local: 0, loaded: DATA, stored: DATA, branch: CONTROL}
    assert other not in levels


def test_what_was_read_decides_on_what_comes_later() -> None:
    seen = history(
        Step(ONE, at(1), "if (x)", [read("x", "1", 64)]),
        Step(TWO, at(8), "x = 0;", [wrote("x", "0", 64)]),
        Step(ONE, at(2), "y = 1;", [wrote("y", "1", 72)]),
    )
    tested, _, stored = seen.events
    assert seen.leads_to(tested, stored, 1) and seen.leads_to(tested, None, 1)
    plain = history(Step(ONE, at(1), "f(x);", [read("x", "1", 64)]), *seen.steps[1:])
    assert not plain.leads_to(plain.events[0], plain.events[2], 1)
