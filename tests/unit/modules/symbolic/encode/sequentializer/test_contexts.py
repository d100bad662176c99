"""The contexts of the driver: what rounds, schedules and context switches leave out, against all schedules."""

from collections.abc import Iterator
from itertools import groupby, pairwise, product

import pytest

from cseq.model.errors import UsageError
from cseq.modules.symbolic.encode.sequentializer.contexts import plan, rounds_for, settle


def schedules(sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The orders in which threads of so many steps can make them; main makes the first."""

    def go_on(left: tuple[int, ...], last: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        yield last
        for thread, steps in enumerate(left):
            if steps and (last or thread == 0):
                yield from go_on((*left[:thread], steps - 1, *left[thread + 1 :]), (*last, thread))

    yield from go_on(sizes, ())


def contexts(schedule: tuple[int, ...]) -> list[int]:
    return [thread for thread, _ in groupby(schedule)]


def fits(schedule: tuple[int, ...], rounds: list[list[int]], switches: int | None) -> bool:
    """Whether the driver makes these contexts, one after the other, and may make so many."""
    calls = iter([thread for listed in [*rounds, [0]] for thread in listed])
    wanted = contexts(schedule)
    return all(thread in calls for thread in wanted) and (switches is None or len(wanted) - 1 <= switches)


def rounds_of(order: tuple[int, ...]) -> int:
    """The least rounds in which contexts of these threads fit, one after the other."""
    down = sum(later < earlier for earlier, later in pairwise(order))
    return 1 + down - (len(order) > 1 and order[-1] == 0)


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("switches", range(7))
def test_rounds_for_so_many_switches(threads: int, switches: int) -> None:
    orders = [
        (0, *order)
        for number in range(switches + 1)
        for order in product(range(threads), repeat=number)
        if all(one != other for one, other in pairwise((0, *order)))
    ]
    assert rounds_for(switches, threads) == max(map(rounds_of, orders))


SIZES = [(3,), (1, 1), (2, 2), (1, 3), (4, 2), (2, 1, 1), (1, 2, 2), (2, 2, 1)]


@pytest.mark.parametrize("sizes", SIZES)
def test_no_bound_is_told_only_where_all_schedules_fit(sizes: tuple[int, ...]) -> None:
    everything = set(schedules(sizes))
    proofs = 0
    for rounds, switches in product(range(1, 7), [None, *range(9)]):
        for schedule in [None, ":".join("+" * rounds), ":".join(["+"] * (rounds - 1) + ["0"])]:
            made = plan(sizes, rounds, switches, schedule)
            if not made.bounds:
                proofs += 1
                assert all(fits(one, made.rounds, made.switches) for one in everything), (rounds, switches, schedule)
    assert proofs


@pytest.mark.parametrize("sizes", SIZES)
def test_nothing_within_the_bounds_is_lost(sizes: tuple[int, ...]) -> None:
    everything = set(schedules(sizes))
    for rounds, switches in product(range(1, 6), range(8)):
        made = plan(sizes, rounds, switches)
        within = [one for one in everything if fits(one, [list(range(len(sizes)))] * rounds, switches)]
        assert all(fits(one, made.rounds, made.switches) for one in within)


@pytest.mark.parametrize("sizes", SIZES)
def test_context_switches_alone_are_no_bound_on_rounds(sizes: tuple[int, ...]) -> None:
    for switches in range(12):
        values = {"rounds": 1, "contexts": switches, "schedule": None}
        settle(values, {"contexts"})
        made = plan(sizes, **values)
        assert "rounds" not in [bound.kind for bound in made.bounds]
        assert all(
            fits(one, made.rounds, made.switches) for one in schedules(sizes) if len(contexts(one)) <= switches + 1
        )


def test_a_schedule_says_how_many_rounds_there_are() -> None:
    values = {"rounds": 1, "schedule": "+:1:+", "contexts": None}
    settle(values, {"schedule"})
    assert values["rounds"] == 3
    settle(values, {"schedule", "rounds"})
    values["rounds"] = 4
    with pytest.raises(UsageError, match="--rounds is 4, and --schedule has 3 rounds: leave --rounds out"):
        settle(values, {"schedule", "rounds"})


def test_the_rounds_of_a_schedule_are_not_left_out_for_few_switches() -> None:
    made = plan((4, 4), 4, 2, "0:0:1:0")
    assert made.rounds == [[0], [0], [1], [0]]
    assert [bound.kind for bound in made.bounds] == ["contexts", "schedule"]
