"""The search for violations, with runs that are made up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cseq.modules.compiled import schedule_search as schedulesearch
from cseq.modules.compiled.client.record import AccessKind, ChoiceKind, End, RequestFlag, Strategy
from cseq.modules.compiled.client.recorded import Decision, RaceFound, RaceSide, RecordedRun
from cseq.modules.compiled.client.server import RunBatch, Server
from cseq.modules.compiled.rotation import Slice, slices
from cseq.modules.compiled.schedule_search import ScheduleSearch, Settings, ViolatingRun

NO_FLAGS = RequestFlag(0)


def recorded(order: RunBatch, end: End = End.EXITED, **facts: Any) -> RecordedRun:
    """A run in which two threads were there to choose from, once."""
    values: dict[str, Any] = {
        "detail": 0, "object": 0, "other": 0, "thread": 0, "stack": 0, "text": "", "operations": (),
        "decisions": (Decision(ChoiceKind.THREAD, 1, 2),), "frames": (), "threads": (), "races": (), "blocks": (),
        "modules": (), "output": b"", "steps": 10, "plain": 0, "switches": 0, "preemptions": 0,
        "schedule": order.seed % 7, "spinning": 0, "strategy": order.strategy, "seed": order.seed,
        "flags": order.flags, "sites": tuple(order.sites),
    }  # fmt: skip
    return RecordedRun(end=end, **{**values, **facts})


def race(first: int, second: int) -> RaceFound:
    sides = [RaceSide(n, pc, 0, AccessKind.WRITE, False, 4, 0) for n, pc in enumerate((first, second))]
    return RaceFound(sides[0], sides[1], 0, 0)


@dataclass
class FakeServer:
    """A server whose runs are what *make* says. orders: those that were executed."""

    make: Callable[[RunBatch], RecordedRun]
    modules: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.orders: list[RunBatch] = []
        self.made: list[RecordedRun] = []
        self.shared = SimpleNamespace(result=SimpleNamespace(world=0, end=End.EXITED, entries=3))

    def run(self, order: RunBatch) -> SimpleNamespace:
        self.orders.append(order)
        self.made = []
        for n in range(order.runs):
            run = self.make(replace(order, seed=order.seed + n))
            races = [one for one in run.races if (one.first.pc, one.second.pc) not in order.known]
            self.made.append(replace(run, races=tuple(races)))
            if run.end is not End.EXITED or run.detail != order.status or races:
                break
        last = self.made[-1]
        return SimpleNamespace(
            runs=len(self.made), end=last.end, detail=last.detail, races=len(last.races), operations=last.steps,
            spinning=last.spinning,
        )  # fmt: skip

    def copied(self, order: RunBatch) -> RecordedRun:
        return self.made[-1]

    def recorded(self, order: RunBatch) -> RecordedRun:
        self.orders.append(order)
        self.made = [self.make(order)]
        return self.made[-1]

    def array(self, name: str, count: int = 0) -> list[SimpleNamespace]:
        if name == "entries":
            return [SimpleNamespace(thread=thread) for thread in (0, 1, 1)]
        return [
            SimpleNamespace(schedule=run.schedule, operations=run.steps, end=run.end, races=len(run.races))
            for run in self.made
        ]


def searched(
    make: Callable[[RunBatch], RecordedRun], settings: Settings, others: Sequence[FakeServer] = ()
) -> tuple[ScheduleSearch, ViolatingRun | None, FakeServer]:
    server = FakeServer(make)
    search = ScheduleSearch(cast("list[Server]", [server, *others]), settings)
    return search, search.go(), server


def test_the_rotation_begins_without_preemptions_and_has_all_strategies_in_growing_slices() -> None:
    first, *rest = islice(slices(), 40)
    assert (first.strategy, first.runs) == (Strategy.RUN, 1)
    walks = [each.runs for each in rest if each.strategy is Strategy.WALK]
    assert walks == sorted(walks)
    assert walks[0] < walks[-1]
    assert {each.strategy for each in rest} == set(Strategy) - {Strategy.RUN, Strategy.PCTWM}


def test_where_loads_read_older_values_their_own_strategy_takes_part() -> None:
    taken = {(each.strategy, each.depth) for each in islice(slices(is_weak=True), 40)}
    assert {depth for strategy, depth in taken if strategy is Strategy.PCTWM} == {1, 2}
    assert {strategy for strategy, _ in taken} == set(Strategy)


def test_chosen_strategies_are_the_only_ones() -> None:
    taken = list(islice(slices([Strategy.PCT]), 6))
    assert {(each.strategy, each.depth) for each in taken} == {(Strategy.PCT, 2), (Strategy.PCT, 3)}
    assert Slice(Strategy.PCT, 3, 1).name == "pct3"


def test_it_stops_after_the_number_of_runs_and_counts_distinct_schedules() -> None:
    search, found, server = searched(recorded, Settings(runs=100))
    assert (found, search.statistics.runs, search.statistics.distinct) == (None, 100, 7)
    seeds = [order.seed + n for order in server.orders for n in range(order.runs)]
    assert seeds == list(range(1, 101))


def test_it_stops_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr(schedulesearch, "time", SimpleNamespace(monotonic=lambda: next(ticks) / 1000))
    search, found, server = searched(recorded, Settings(end=0.5))
    assert found is None
    assert 500 <= next(ticks) < 510
    assert search.statistics.runs > 100
    assert max(order.batch_seconds for order in server.orders) <= 1


def test_a_violation_is_found_with_the_choices_that_repeat_it() -> None:
    def make(order: RunBatch) -> RecordedRun:
        return recorded(order, End.DEADLOCK if order.seed == 40 else End.EXITED)

    search, found, _ = searched(make, Settings(runs=1000))
    assert found is not None
    assert (found.recorded.end, found.run, found.order.choices) == (End.DEADLOCK, 40, ((1, 1),))
    assert found.order.flags & RequestFlag.STRICT
    assert search.statistics.tallies[found.by.name].found == 1


def test_a_violation_that_does_not_repeat_is_counted_and_not_believed() -> None:
    def make(order: RunBatch) -> RecordedRun:
        fails = order.seed == 40 and not order.flags & RequestFlag.STRICT
        return recorded(order, End.ABORTED if fails else End.EXITED)

    search, found, _ = searched(make, Settings(runs=200))
    assert (found, search.statistics.unrepeated, search.statistics.runs) == (None, 1, 200)


@pytest.mark.parametrize(("expected", "is_found"), [(0, True), (3, False), (None, False)])
def test_another_exit_status_than_the_expected_one_is_a_violation(expected: int | None, is_found: bool) -> None:
    def make(order: RunBatch) -> RecordedRun:
        return recorded(order, detail=3)

    _, found, _ = searched(make, Settings(runs=20, status=expected))
    assert (found is not None) is is_found


def test_after_a_race_the_search_goes_on_for_a_little_with_its_places_as_switch_points() -> None:
    def make(order: RunBatch) -> RecordedRun:
        return recorded(order, races=(race(16, 32),)) if order.seed > 30 else recorded(order)

    search, found, server = searched(make, Settings(runs=10_000))
    assert found is not None
    assert found.is_race
    assert list(search.races) == [frozenset({16, 32})]
    assert 200 <= search.statistics.runs < 1000
    assert server.orders[-1].sites == (16, 32)
    assert list(server.orders[-1].known) == [(16, 32)]


def test_what_is_worse_than_a_race_is_preferred() -> None:
    def make(order: RunBatch) -> RecordedRun:
        if order.seed < 30:
            return recorded(order)
        return recorded(order, End.CRASHED if order.seed == 60 else End.EXITED, races=(race(16, 32),))

    search, found, _ = searched(make, Settings(runs=10_000))
    assert found is not None
    assert (found.recorded.end, len(search.races)) == (End.CRASHED, 1)


@pytest.mark.parametrize(
    ("end", "spinning", "ends_with_turns", "is_hang"),
    [
        (End.STEPS, 1000, False, True),
        (End.STEPS, 1000, True, False),
        (End.STEPS, 999, False, False),
        (End.TIME, 1000, False, False),
    ],
)
def test_only_a_run_in_which_nobody_gets_anywhere_hangs(
    end: End, spinning: int, ends_with_turns: bool, is_hang: bool
) -> None:
    def make(order: RunBatch) -> RecordedRun:
        ends = ends_with_turns and order.strategy is Strategy.ROUND and bool(order.choices)
        return recorded(order) if ends else recorded(order, end, spinning=spinning)

    search, found, _ = searched(make, Settings(runs=10))
    assert (found is not None and found.hang) is is_hang
    assert search.statistics.cut[end] >= 1


def test_a_process_with_other_addresses_does_not_take_part() -> None:
    same, other = FakeServer(recorded), FakeServer(recorded, modules=(1,))
    search, _, _ = searched(recorded, Settings(runs=2000), [same, other])
    assert search.statistics.runs == 2000
    assert other.orders == []


def test_an_error_of_a_process_ends_the_search() -> None:
    def make(order: RunBatch) -> RecordedRun:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        searched(make, Settings(runs=10))
