"""Which executions of statements moves belong to, and where the turns of threads end."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from cseq.model.origin import Origin
from cseq.model.trace import Access, Move, Thread
from cseq.modules.library import primitives
from cseq.reproducer.instances import Instances
from cseq.reproducer.turns import END, LAST, PAUSE, Call, CannotReproduceError, Schedule

MAIN, ONE, TWO = Thread(0, "main"), Thread(1, "f"), Thread(2, "f")
_points = iter(range(1, 100_000))


def move(
    thread: Thread, *statement: int, reads: str = "", writes: str = "", iteration: tuple[int, ...] = (), **more: object
) -> Move:
    """A move of the statement; what it reads and writes is ``name=value``, or else it is one that nobody notices."""
    accesses = [Access("read", *reads.split("="), shared=True)] if reads else []
    accesses += [Access("write", *writes.split("="), shared=True)] if writes else []
    visible = bool(accesses) or "function" in more
    made = Move(thread, Origin("a.c", statement[-1], statement=statement, iteration=iteration), next(_points), visible)
    made.accesses.extend(accesses)
    for name, value in more.items():
        setattr(made, name, value)
    made.effect = primitives.effect(made.function)
    return made


CREATES = [
    move(MAIN, 90, function="pthread_create", created=[ONE]),
    move(MAIN, 91, function="pthread_create", created=[TWO]),
]
FAILS = move(MAIN, 99, function="__CSEQ_assert")


def turns(moves: Sequence[Move], **more: object) -> list[str]:
    """The turns, as thread, form, slot, times and piece."""
    shown = []
    for turn in Schedule([*CREATES, *moves], **more).turns:  # type: ignore[arg-type]
        if isinstance(turn.until, Call):
            until = f"{turn.until.form} {turn.until.slot}"
        else:
            until = {END: "end", PAUSE: "pause", LAST: "last"}[turn.until]
        numbers = f" x{turn.times}" * (turn.times > 1) + f" part {turn.piece}" * (turn.piece > 0)
        shown.append(f"{turn.thread} {until}{numbers}")
    return shown


def test_executions_of_statements() -> None:
    moves = [
        move(ONE, 1),
        move(ONE, 1),  # of the same execution
        move(ONE, 2, 1, 5),  # in a call that statement 2 makes
        move(ONE, 2, 1, 6),
        move(ONE, 2),
        move(ONE, 2, 2, 5),  # in another call: statement 2 goes on
        move(ONE, 3, iteration=(1,)),
        move(ONE, 3, iteration=(2,)),
    ]
    again = Move(ONE, moves[-1].origin, moves[-1].point, False)  # the same move again: of another execution
    found = Instances([*moves, again])
    assert [(i.slot, i.times) for i in found.of if i] == [
        (1, 1), (1, 1), (5, 1), (6, 1), (2, 1), (5, 2), (3, 1), (3, 2), (3, 3),
    ]  # fmt: skip
    assert [(i.slot, i.times, i.first) for i in found.all] == [
        (1, 1, 0), (2, 1, 2), (5, 1, 2), (6, 1, 3), (5, 2, 5), (3, 1, 6), (3, 2, 7), (3, 3, 8),
    ]  # fmt: skip
    assert found.of[4] is found.all[1]


def test_conditions_of_loops() -> None:
    """If evaluating one takes several moves, the first of them come before the loop, and again after its body."""
    loop = [
        move(ONE, 1, reads="x=1"), move(ONE, 1, iteration=(1,)),
        move(ONE, 1, iteration=(1,), reads="x=1"), move(ONE, 1, iteration=(2,)),
        move(ONE, 2, iteration=(2,)),
        move(ONE, 1, iteration=(2,), reads="x=0"), move(ONE, 1, iteration=(3,)),
    ]  # fmt: skip
    assert [i.times for i in Instances(loop).of if i] == [1, 1, 2, 2, 1, 3, 3]
    short = [move(ONE, 1, iteration=(n,), reads="x=1") for n in (1, 2, 3)]
    assert [i.times for i in Instances(short).of if i] == [1, 2, 3]


def test_in_front_of_what_comes_next() -> None:
    moves = [move(ONE, 1, writes="x=1"), move(TWO, 1, writes="x=1"), move(ONE, 2, writes="y=1"), FAILS]
    assert turns(moves) == ["0 at 99", "1 at 2", "2 after 1", "1 after 2", "0 last"]


def test_what_nobody_notices_does_not_matter() -> None:
    moves = [move(ONE, 1, writes="x=1"), move(TWO, 1), move(ONE, 2, writes="y=1"), move(TWO, 2), FAILS]
    assert turns(moves) == ["0 at 99", "1 after 2", "0 last"]


def test_ends() -> None:
    moves = [move(ONE, 1, writes="x=1"), move(ONE, 2, ends=True), move(TWO, 3, function="pthread_exit", ends=True)]
    moves += [move(TWO, 4, writes="x=2"), FAILS]  # what a handler does
    assert turns(moves) == ["0 at 99", "1 end", "2 end", "0 last"]


def test_behind_a_call() -> None:
    moves = [move(ONE, 1, 1, 5, reads="x=0"), move(TWO, 7, writes="x=1"), move(ONE, 1, writes="x=1"), FAILS]
    assert turns(moves) == ["0 at 99", "1 after 5", "2 after 7", "1 after 1", "0 last"]


def test_inside_of_a_statement() -> None:
    moves = [move(ONE, 1, reads="x=0", more=True), move(TWO, 1, reads="x=0", more=True)]
    moves += [move(ONE, 1, writes="x=1"), move(TWO, 1, writes="x=1"), FAILS]
    assert turns(moves) == ["0 at 99", "1 split 1 part 1", "2 split 1 part 1", "1 after 1", "2 after 1", "0 last"]
    (split,) = {turn.until for turn in Schedule([*CREATES, *moves]).turns if turn.piece}
    assert split == Call("split", 1, "CSEQ_UPDATE(x), CSEQ_SWITCH(@, 1)", "")


def test_what_it_never_did_with_what_it_read_need_not_be_read() -> None:
    moves = [move(ONE, 1, writes="y=1"), move(ONE, 2, reads="x=0", more=True), move(TWO, 1, writes="x=1"), FAILS]
    assert turns(moves) == ["0 at 99", "1 after 1", "2 after 1", "0 last"]


def test_parts_of_a_statement() -> None:
    moves = [
        move(ONE, 1, reads="x=0"),
        move(ONE, 1, writes="y=3"),
        move(TWO, 2, writes="x=1"),
        move(ONE, 1, reads="z=0"),
    ]
    moves += [move(TWO, 3, writes="y=5"), move(ONE, 1, writes="a[0]=1"), FAILS]
    calls = [turn.until for turn in Schedule([*CREATES, *moves]).turns if turn.piece == 2]
    assert calls == [
        Call("split", 1, "CSEQ_READ(x), CSEQ_WRITE(y, 3), CSEQ_SWITCH(@, 1), CSEQ_READ(z), CSEQ_SWITCH(@, 2)", "")
    ]


def test_a_result_that_is_stored_later() -> None:
    moves = [
        move(ONE, 1, function="pthread_mutex_trylock"),
        move(TWO, 2, writes="r=1"),
        move(ONE, 1, writes="r=0"),
        FAILS,
    ]
    assert Schedule([*CREATES, *moves]).turns[1].until == Call(
        "split", 1, "CSEQ_DELAY(r)", "CSEQ_SWITCH(@, 1), CSEQ_APPLY(r)"
    )


def test_the_same_read_twice() -> None:
    moves = [move(ONE, 1, reads="x=0"), move(TWO, 2, writes="x=1"), move(ONE, 1, reads="x=1"), FAILS]
    assert Schedule([*CREATES, *moves]).turns[1].until == Call("inner", 1, "x", which=0)


def test_the_same_read_twice_by_two_names() -> None:
    moves = [move(ONE, 1, reads="x=0"), move(TWO, 2, writes="x=1"), move(ONE, 1, reads="*p=1"), FAILS]
    for place in (0, 2):
        moves[place].accesses = [replace(access, address=64) for access in moves[place].accesses]
    assert Schedule([*CREATES, *moves]).turns[1].until == Call("inner", 1, "x", which=0)


def test_pauses() -> None:
    wait = [move(ONE, 1, function="__cs_step_cond_sleep"), move(ONE, 1, function="__cs_step_cond_wake")]
    moves = [*wait, wait[0], move(TWO, 2, function="pthread_cond_signal"), wait[1], FAILS]
    assert turns(moves) == ["0 at 99", "1 pause x2", "2 after 2", "1 after 1 x2", "0 last"]


def test_threads_that_are_stuck() -> None:
    moves = [move(ONE, 1, function="pthread_mutex_lock"), move(ONE, 2, stands=True), move(TWO, 3, stands=True)]
    moves += [move(MAIN, 95, stands=True)]
    assert turns(moves, stuck=[1, 2, 0]) == ["0 at 95", "1 at 2", "2 at 3"]


@pytest.mark.parametrize(
    "moves, why",
    [
        ([move(ONE, 1, reads="x=0"), move(ONE, 1, 1, 5, reads="x=0"), move(ONE, 1, reads="y=0"),
          move(TWO, 2, writes="x=1"), move(ONE, 1, writes="y=1")],
         r"at a\.c:1 is interrupted after a call that it makes"),
        ([move(ONE, 1, function="trylock"), move(TWO, 2, writes="x=1"), move(ONE, 1, function="trylock")],
         r"at a\.c:1 is interrupted between calls of the library"),
        ([move(ONE, 1, reads="f()=0"), move(TWO, 2, writes="x=1"), move(ONE, 1, writes="y=1")],
         r"what the statement at a\.c:1 accesses, when interrupted, has no name"),
        ([move(ONE, 1, 1, writes="x=1"), move(TWO, 2, writes="x=1"), move(ONE, 1, 2, writes="y=1")],
         r"the statement at a\.c:1 could not be found again"),
    ],
)  # fmt: skip
def test_what_cannot_be(moves: list[Move], why: str) -> None:
    with pytest.raises(CannotReproduceError, match=why):
        Schedule([*CREATES, *moves, FAILS])
