"""Tests of the benchmark of many workers: the model, the tables, the plot, and what stands beside the programs."""

import json
import random
import re
from dataclasses import asdict, replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.scale import picture, simulation
from benchmarks.scale.programs import FOLDER, PROGRAMS, named
from benchmarks.scale.run import ORDERS, WAYS, Answer, TileSet, first_bug, results, tile_cells
from benchmarks.scale.scheduler import Overhead
from benchmarks.scale.workers import Plan, Scheduler, Shape, Tile, expected, saturation, simulate

MEASURED = TileSet("deque", 3, 1, 4, 60.0, 20.0, "FALSE", [2.0, 4.0, 1.0, 3.0], [2], [])
SHAPE = Shape.of([MEASURED])
OVERHEAD = Overhead(1.0, 2.0, 500.0, 0.001, 0.01, {"distributed": "1"})


def tiles(*seconds: float, violated: int | None = None) -> list[Tile]:
    return [Tile(each, number == violated) for number, each in enumerate(seconds)]


def test_one_worker_takes_the_sum() -> None:
    outcome = simulate(tiles(3, 1, 4, 1, violated=2), 1, Scheduler())
    assert (outcome.done, outcome.first, outcome.work_first) == (9, 8, 8)
    assert outcome.efficiency == outcome.efficiency_first == 1


def test_workers_take_the_next_tile_when_they_are_free() -> None:
    outcome = simulate(tiles(3, 1, 1, 2, violated=3), 2, Scheduler())
    assert (outcome.done, outcome.first) == (4, 4)
    assert outcome.efficiency == 7 / 8


def test_the_first_violation_is_the_one_that_ends_first() -> None:
    outcome = simulate([Tile(9, True), Tile(2, True), Tile(5, False)], 3, Scheduler())
    assert (outcome.first, outcome.work_first, outcome.done) == (2, 6, 9)


def test_without_a_violation_there_is_no_first() -> None:
    assert simulate(tiles(1, 1), 2, Scheduler()).first is None


def test_the_scheduler_gives_one_task_after_the_other() -> None:
    outcome = simulate(tiles(1, 1, 1), 3, Scheduler(service=2, latency=0.5, start=10))
    assert outcome.done == 10 + 3 * 2 + 0.5 + 1


@pytest.mark.parametrize("overhead", [0.0, 0.001, 0.1])
def test_efficiency_grows_when_the_scheduler_is_faster(overhead: float) -> None:
    many = tiles(*[1.0] * 1000)
    slower = simulate(many, 10, Scheduler(service=overhead + 0.05)).efficiency
    assert slower < simulate(many, 10, Scheduler(service=overhead)).efficiency <= 1


def test_efficiency_is_whole_with_a_scheduler_that_costs_nothing_and_equal_tiles() -> None:
    assert simulate(tiles(*[1.0] * 1000), 10, Scheduler()).efficiency == 1


def test_a_scheduler_saturates_where_it_takes_as_long_as_a_tile() -> None:
    scheduler = Scheduler(service=0.01)
    limit = saturation(1.0, scheduler)
    assert limit == pytest.approx(101)
    many = tiles(*[1.0] * 4000)
    below, above = (simulate(many, int(limit * factor), scheduler) for factor in (0.5, 4))
    assert below.efficiency > 0.9
    assert above.done == pytest.approx(4000 * 0.01 + 1)
    assert saturation(1.0, Scheduler()) == float("inf")


def test_tiles_without_a_violation_have_the_mean_1() -> None:
    assert SHAPE.clean == pytest.approx([2 / 3, 4 / 3, 1])
    assert SHAPE.bad == pytest.approx([1 / 3])
    assert Shape.of([MEASURED, replace(MEASURED, violated=[0, 1, 2, 3])]) == SHAPE


def test_a_plan_has_as_many_tiles_and_bugs_as_it_says() -> None:
    drawn = SHAPE.draw(Plan(1000, 5.0, 3), random.Random(1))
    assert len(drawn) == 1000
    assert sum(tile.violated for tile in drawn) == 3
    assert [tile.seconds for tile in drawn if tile.violated] == pytest.approx([5 / 3] * 3)
    drawn = SHAPE.draw(Plan(1000, 5.0, 1), random.Random(1), share=0.25)
    assert [number for number, tile in enumerate(drawn) if tile.violated] == [250]


def test_the_simulation_is_deterministic() -> None:
    plan = Plan(64, 5.0, 1)
    once, again = (expected(plan, (1, 8), SHAPE, Scheduler(0.001), 5) for _ in range(2))
    assert once == again
    assert once != expected(plan, (1, 8), SHAPE, Scheduler(0.001), 5, seed=1)
    one, eight = once
    assert one.low <= one.first <= one.done and eight.first < one.first
    assert one.cost == pytest.approx(one.done / 3600) and eight.cost == pytest.approx(8 * eight.done / 3600)


def test_the_tables_of_the_simulation_have_a_cell_for_each_column() -> None:
    found = expected(Plan(64, 5.0, 1), (8,), SHAPE, Scheduler(0.001), 5)
    assert len(simulation.row(found[0])) == len(simulation.HEADER)
    assert len(simulation.spread(found[0])) == len(simulation.HEADER[2:6]) + 1
    text = simulation.saturations(OVERHEAD, Scheduler(0.001, 0.01))
    assert "| 1.0 s | 1 011 | 506 |" in text
    assert "| `deque` | 4 | 1 | 20.0 | 2.5 | 1.0 | 4.0 | 0.50 |" in simulation.shapes([MEASURED])
    assert simulation.fixed_cost([MEASURED]) == 1.0


def test_the_plot_has_a_curve_for_each_number_of_tiles() -> None:
    found = {count: expected(Plan(count, 5.0, 1), (1, 8), SHAPE, Scheduler(0.001), 2) for count in (16, 64)}
    root = ElementTree.fromstring(picture.drawn(found))
    curves = [line.get("stroke") for line in root.iter("{http://www.w3.org/2000/svg}polyline")]
    assert [curves.count(colour) for colour in picture.COLOURS] == [3, 3, 0, 0]  # two panels, and the legend


def test_tiles_on_one_core_stop_at_the_first_violation() -> None:
    firsts = [MEASURED.first(seed) for seed in range(200)]
    assert min(filter(None, firsts)) == 1.0 and max(filter(None, firsts)) == 10.0
    assert firsts[0] == MEASURED.first(0)
    none = TileSet("deque", 3, 1, 2, 60.0, 20.0, "UNKNOWN", [2.0, 4.0], [], [1])
    assert none.first(0) is None
    assert tile_cells(none)[-1] == "6.0, 1 lost"


def test_the_table_of_first_bugs_renders() -> None:
    times = {"whole": [30.0, 32.0, 90.0], "2 jobs": [9.0] * 3}
    asked = {("safe_stack", way): [Answer("FALSE", each, each / 2) for each in row] for way, row in times.items()}
    asked["safe_stack", "2 jobs"][1] = Answer("out of time", 60.0, 50.0)
    lines = results(named(["safe_stack"]), asked, [replace(MEASURED, program="safe_stack")]).splitlines()
    assert {line.count("|") for line in lines} == {lines[0].count("|")}
    assert "| 3 | 32.0 (16.0) | out of time (4.5) | 1 of 4 |" in lines[2]
    assert ORDERS % 2 == 1


def test_answers_that_a_file_has_are_not_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    rows = [{"program": "safe_stack", "way": way, **asdict(Answer("FALSE", 1.0, 2.0))} for way in WAYS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = first_bug(named(["safe_stack"]), 1, 0.0, path)
    assert asked == {("safe_stack", way): [Answer("FALSE", 1.0, 2.0)] for way in WAYS}


def test_each_program_is_listed_and_says_what_its_bug_is() -> None:
    assert sorted(FOLDER.glob("*.c")) == sorted(program.path for program in PROGRAMS)
    for program in PROGRAMS:
        text = program.path.read_text(encoding="utf-8")
        assert re.search(r"^ \* (Bug|Two bugs)[:,] ", text, re.MULTILINE), program.name
        assert "#ifdef REPAIRED" in text or "#ifndef REPAIRED" in text, program.name
    assert [program.name for program in named(["safe"])] == ["safe_stack"]
