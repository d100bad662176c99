"""How far a run is: what is reported, put together."""

from cseq.model.activity import ActivityKind, phase
from cseq.model.verdict import Level, Reason, Verdict
from cseq.pipeline.status import (
    EngineDone,
    EngineReported,
    Event,
    LevelBegan,
    PhaseBegan,
    PropertyBegan,
    RunBegan,
    StageBegan,
    StageDone,
    Status,
)

LEVEL = Level("a", {"rounds": 1}, Verdict.UNKNOWN, Reason.BOUNDED, None, 0.1)


def reported(*events: Event) -> Status:
    status = Status()
    for event in events:
        status.report(event)
    return status


def test_a_run_of_a_chain() -> None:
    status = reported(
        PropertyBegan("no-deadlock", 2, 3),
        RunBegan(("merger", "normalise", "feeder"), 1),
        StageBegan("normalise"),
        PhaseBegan(phase(ActivityKind.TRANSLATING)),
        StageDone("normalise", 0.5),
        StageBegan("feeder"),
    )
    assert (status.property, status.number, status.count) == ("no-deadlock", 2, 3)
    lane = status.lane
    assert (lane.stages, lane.known, lane.times) == (("merger", "normalise", "feeder"), 1, {"normalise": 0.5})
    assert (lane.stage, lane.phase) == ("feeder", None)  # the phase was that of the stage before
    status.report(PhaseBegan(phase(ActivityKind.SOLVING, "cbmc")))
    assert status.lane.phase == phase(ActivityKind.SOLVING, "cbmc")


def test_levels_of_several_properties_in_turn() -> None:
    status = reported(
        PropertyBegan("a", 1, 2),
        LevelBegan({"rounds": 1}),
        PropertyBegan("b", 2, 2),
        LevelBegan({"rounds": 1}),
        PropertyBegan("a", 1, 2),
        LevelBegan({"rounds": 2}, (LEVEL,)),
    )
    assert (status.lane.level, status.lane.tried) == ({"rounds": 2}, (LEVEL,))


def test_engines_at_the_same_time() -> None:
    status = reported(
        PropertyBegan("a", 1, 2),
        EngineReported("native", StageBegan("explorer")),
        EngineReported("cbmc", PropertyBegan("a", 1, 1)),
        EngineReported("cbmc", LevelBegan({"rounds": 1})),
        EngineReported("native", PhaseBegan(phase(ActivityKind.SEARCHING, "native"))),
        EngineDone("native", "out of memory"),
    )
    assert list(status.engines) == ["native", "cbmc"]
    assert (status.number, status.count) == (1, 2)
    assert status.engines["cbmc"].level == {"rounds": 1}
    native = status.engines["native"]
    assert (native.result, native.stage, native.phase) == ("out of memory", "", None)
    status.report(PropertyBegan("b", 2, 2))
    assert status.engines == {}


def test_who_looks_sees_nothing_half_done() -> None:
    status = reported(RunBegan(("a",)), StageBegan("a"))
    seen = status.lane
    status.report(StageDone("a", 1.0))
    assert (seen.stage, seen.times) == ("a", {})
