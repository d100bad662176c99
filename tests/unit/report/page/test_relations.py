"""What the steps of a counterexample have to do with each other."""

from cseq.model.actions import ActionKind
from cseq.model.trace import Action, Counterexample, Hold, Step, Stuck, ThreadWait
from cseq.report.page.relations import Arrow, Bar, Relations, Span, relations
from tests.support.executions import MAIN, A, B, origin, step


def related(*steps: Step) -> Relations:
    return relations(Counterexample(list(steps), [MAIN, A, B]))


def test_threads_live_from_where_they_are_created_to_their_end() -> None:
    found = related(
        step(MAIN, 1, Action(ActionKind.CREATE, thread=A)),
        step(MAIN, 2),
        step(A, 10),
        step(A, 11, Action(ActionKind.END)),
        step(MAIN, 3, Action(ActionKind.JOIN, thread=A)),
    )
    assert found.lives == [Span(0, 0, 5), Span(1, 0, 3)]
    assert found.arrows == [Arrow("create", 0, 2), Arrow("join", 3, 4)]


def test_a_lock_makes_way_for_the_next_that_takes_the_same_object_by_whatever_name() -> None:
    found = related(
        step(A, 1, Action(ActionKind.LOCK, "m", object=8)),
        step(A, 2, Action(ActionKind.LOCK, "k", object=16)),
        step(A, 3, Action(ActionKind.UNLOCK, "m", object=8)),
        step(B, 4, Action(ActionKind.LOCK, "*l", object=8)),
        step(B, 5, Action(ActionKind.UNLOCK, "*l", object=8), Action(ActionKind.LOCK, "*l", object=8)),
    )
    assert found.arrows == [Arrow("lock", 2, 3, "*l")]
    assert found.bars == [
        Bar(1, 0, 2, "m", False, 0),
        Bar(1, 1, 5, "k", False, 1),
        Bar(2, 3, 4, "*l", False, 0),
        Bar(2, 4, 5, "*l", False, 0),
    ]


def test_a_lock_that_is_taken_twice_is_held_until_it_is_released_twice() -> None:
    lock, unlock = Action(ActionKind.LOCK, "m", object=8), Action(ActionKind.UNLOCK, "m", object=8)
    found = related(step(A, 1, lock), step(A, 2, lock), step(A, 3, unlock), step(A, 4, unlock), step(B, 5, lock))
    assert found.bars == [Bar(1, 0, 3, "m", False, 0), Bar(2, 4, 5, "m", False, 0)]
    assert found.arrows == [Arrow("lock", 3, 4, "m")]


def test_readers_do_not_wait_for_each_other() -> None:
    found = related(
        step(A, 1, Action(ActionKind.READ_LOCK, "l", object=8)),
        step(A, 2, Action(ActionKind.UNLOCK, "l", object=8)),
        step(B, 3, Action(ActionKind.READ_LOCK, "l", object=8)),
        step(B, 4, Action(ActionKind.UNLOCK, "l", object=8)),
        step(A, 5, Action(ActionKind.LOCK, "l", object=8)),
    )
    assert found.arrows == [Arrow("lock", 3, 4, "l")]
    assert [bar.reading for bar in found.bars] == [True, True, False]


def test_an_initialisation_that_has_been_done_is_not_held() -> None:
    begin, finish, skip = (Action(ActionKind(kind), "o", object=8) for kind in ("begin", "finish", "pass"))
    found = related(step(A, 1, begin), step(A, 2, finish), step(B, 3, skip), step(A, 4, skip))
    assert found.bars == [Bar(1, 0, 1, "o", False, 0)]
    assert found.arrows == [Arrow("once", 1, 2, "o")]


def test_what_is_held_in_the_end_has_the_name_that_is_told() -> None:
    steps = [
        step(A, 1, Action(ActionKind.LOCK, "forks[first]", object=8)),
        step(B, 2, Action(ActionKind.BEGIN, "o", object=16)),
    ]
    holds = Hold("forks[0]", steps[0].origin), Hold("o", steps[1].origin)
    stuck = [Stuck(A, origin(3), ThreadWait(B), holds=holds[:1]), Stuck(B, origin(3), ThreadWait(A), holds=holds[1:])]
    found = relations(Counterexample(steps, [MAIN, A, B], stuck))
    assert found.bars == [Bar(1, 0, 2, "forks[0]", False, 0), Bar(2, 1, 2, "o", False, 0)]


def test_a_signal_wakes_one_thread_that_waits_by_then() -> None:
    signal, wait, wake = (Action(ActionKind(kind), "c", object=8) for kind in ("signal", "wait", "wake"))
    found = related(step(MAIN, 1, signal), step(A, 2, wait), step(B, 3, wait), step(MAIN, 4, signal), step(B, 5, wake))
    assert found.arrows == [Arrow("wake", 3, 4, "c")]
    assert found.sleeps == [Span(2, 2, 4), Span(1, 1, 5)]


def test_a_broadcast_wakes_all() -> None:
    call, wait, wake = (Action(ActionKind(kind), "c", object=8) for kind in ("broadcast", "wait", "wake"))
    found = related(step(A, 1, wait), step(B, 2, wait), step(MAIN, 3, call), step(A, 4, wake), step(B, 5, wake))
    assert found.arrows == [Arrow("wake", 2, 3, "c"), Arrow("wake", 2, 4, "c")]


def test_semaphores_and_barriers() -> None:
    give, take, arrive, leave = (
        Action(ActionKind(kind), "s", object=8) for kind in ("give", "take", "arrive", "leave")
    )
    found = related(step(A, 1, take), step(MAIN, 2, give), step(B, 3, take))
    assert found.arrows == [Arrow("take", 1, 2, "s")]
    found = related(step(A, 1, arrive), step(B, 2, arrive), step(B, 3, leave), step(A, 4, leave))
    assert found.arrows == [Arrow("barrier", 1, 3, "s")]


def test_threads_that_only_stand_do_nothing() -> None:
    found = related(step(A, 1), step(B, 2, Action(ActionKind.LOCK, "m", object=8), stands=True))
    assert (found.arrows, found.bars) == ([], [])
