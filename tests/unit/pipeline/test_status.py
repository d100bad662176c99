"""How far a run is: what is reported, put together."""

from __future__ import annotations

import pytest

from cseq.pipeline.status import Status


def reported(*reports: tuple[str, object]) -> Status:
    status = Status()
    for what, value in reports:
        status.report(what, value)
    return status


def test_a_run_of_a_chain() -> None:
    status = reported(
        ("property", ("no-deadlock", 2, 3)),
        ("stages", (["merger", "scoper", "feeder"], 1)),
        ("stage", "scoper"),
        ("phase", "translating"),
        ("done", ("scoper", 0.5)),
        ("stage", "feeder"),
    )
    assert (status.property, status.number, status.count) == ("no-deadlock", 2, 3)
    lane = status.lane
    assert (lane.stages, lane.known, lane.times) == (("merger", "scoper", "feeder"), 1, {"scoper": 0.5})
    assert (lane.stage, lane.phase) == ("feeder", "")  # the phase was that of the stage before
    status.report("phase", "cbmc: solving")
    assert status.lane.phase == "cbmc: solving"


def test_levels_of_several_properties_in_turn() -> None:
    status = reported(
        ("property", ("a", 1, 2)),
        ("level", ("1 round", [])),
        ("property", ("b", 2, 2)),
        ("level", ("1 round", [])),
        ("property", ("a", 1, 2)),
        ("level", ("2 rounds", ["1 round: no violation"])),
    )
    assert (status.lane.level, status.lane.tried) == ("2 rounds", ("1 round: no violation",))


def test_engines_at_the_same_time() -> None:
    status = reported(
        ("property", ("a", 1, 2)),
        ("of", ("native", "stage", "explorer")),
        ("of", ("cbmc", "property", ("a", 1, 1))),
        ("of", ("cbmc", "level", ("1 round", []))),
        ("of", ("native", "phase", "searching")),
        ("over", ("native", "out of memory")),
    )
    assert list(status.engines) == ["native", "cbmc"]
    assert (status.number, status.count) == (1, 2)
    assert status.engines["cbmc"].level == "1 round"
    native = status.engines["native"]
    assert (native.result, native.stage, native.phase) == ("out of memory", "", "")
    status.report("property", ("b", 2, 2))
    assert status.engines == {}


def test_who_looks_sees_nothing_half_done() -> None:
    status = reported(("stages", (["a"], 0)), ("stage", "a"))
    seen = status.lane
    status.report("done", ("a", 1.0))
    assert (seen.stage, seen.times) == ("a", {})


@pytest.mark.parametrize("reports", [("weather", "fine"), ("of", ("cbmc", "weather", "fine"))])
def test_words_that_mean_nothing(reports: tuple[str, object]) -> None:
    with pytest.raises(ValueError, match="no report is called weather"):
        reported(reports)
