"""A session runs stages again only where their parameters have other values."""

from pathlib import Path
from typing import Any

import pytest

from cseq.model.activity import ActivityKind, phase
from cseq.model.errors import UnsupportedError, note_stage, stage_of
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.pipeline.chain import Chain
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context, Parameter, Stage, Wrapper
from cseq.pipeline.status import Event, PhaseBegan, RunBegan, StageBegan, StageDone

RAN: list[str] = []


WIDTH = Parameter("width", int, 1, "a number")
ROUNDS = Parameter("rounds", int, 1, "a number")


class First(Stage):
    takes = (WIDTH,)
    width = Gives(Fact[int]("width"))

    def run(self, value: Any) -> Any:
        RAN.append("first")
        self.context.warn("narrow")
        self.width = self.parameter(WIDTH)
        return [*value, self.parameter(WIDTH)]


class Second(Stage):
    takes = (ROUNDS,)

    def run(self, value: Any) -> Any:
        RAN.append("second")
        self.context.warn("short")
        return [*value, self.parameter(ROUNDS)]


class Last(Stage):
    def run(self, value: Any) -> Outcome:
        RAN.append("last")
        return Outcome(Verdict.TRUE, message=f"{value} {self.context.facts}")


def session(folder: Path, conditions: dict[str, tuple[str, str]] | None = None) -> Session:
    RAN.clear()
    chain = Chain(Path("x.chain"), stages=[("first", First), ("second", Second), ("last", Last)])
    chain.conditions.update(conditions or {})
    return Session(chain, ["x.c"], Context({}, folder))


def test_what_stays_the_same_is_not_done_again(tmp_path: Path) -> None:
    runs = session(tmp_path)
    assert runs.run({"width": 1, "rounds": 1}).message == "['x.c', 1, 1] {'width': 1}"
    again = runs.run({"width": 1, "rounds": 2})
    assert again.message == "['x.c', 1, 2] {'width': 1}"
    assert [caution.message for caution in again.warnings] == ["narrow", "short"]
    assert RAN == ["first", "second", "last", "second", "last"]
    assert runs.run({"width": 3, "rounds": 2}).message == "['x.c', 3, 2] {'width': 3}"
    assert RAN[5:] == ["first", "second", "last"]


def test_what_is_reported(tmp_path: Path) -> None:
    runs = session(tmp_path)
    reports: list[Event] = []
    runs.context.watcher = reports.append
    runs.run({"width": 1, "rounds": 1})
    done = reports[3]
    assert isinstance(done, StageDone) and done.seconds > 0
    assert reports[:5] == [
        RunBegan(("first", "second", "last"), 0),
        StageBegan("first"),
        PhaseBegan(phase(ActivityKind.TRANSLATING)),
        StageDone("first", done.seconds),
        StageBegan("second"),
    ]
    reports.clear()
    runs.run({"width": 1, "rounds": 2})
    assert reports[:2] == [RunBegan(("first", "second", "last"), 1), StageBegan("second")]


def test_no_outcome_is_handed_out_twice(tmp_path: Path) -> None:
    runs = session(tmp_path)
    values = {"width": 1, "rounds": 1}
    assert runs.run(values) is not runs.run(values)
    assert RAN == ["first", "second", "last", "last"]


@pytest.mark.parametrize(("reason", "again"), [(Reason.TIMEOUT, True), (Reason.MEMORY, True), (Reason.BOUNDED, False)])
def test_an_engine_that_lacked_time_or_memory_is_asked_again(tmp_path: Path, reason: Reason, again: bool) -> None:
    class Engine(Wrapper):
        def run(self, value: Any) -> Any:
            RAN.append("engine")
            return value

    class Judging(Wrapper):
        def run(self, value: Any) -> Outcome:
            return Outcome(Verdict.UNKNOWN, reason)

    RAN.clear()
    stages: list[tuple[str, type[Stage]]] = [("first", First), ("engine", Engine), ("last", Judging)]
    runs = Session(Chain(Path("x.chain"), stages=stages), ["x.c"], Context({}, tmp_path))
    runs.run({"width": 1})
    runs.run({"width": 1})
    assert ["first", "engine", *(["engine"] if again else [])] == RAN


def test_a_stage_with_a_condition_runs_where_it_holds(tmp_path: Path) -> None:
    runs = session(tmp_path, {"second": ("rounds", "2")})
    assert runs.run({"width": 1, "rounds": 1}).message == "['x.c', 1] {'width': 1}"
    assert runs.run({"width": 1, "rounds": 2}).message == "['x.c', 1, 2] {'width': 1}"
    assert runs.run({"width": 1, "rounds": 1}).message == "['x.c', 1] {'width': 1}"
    assert RAN == ["first", "last", "second", "last", "last"]


def test_each_run_has_its_files_where_it_is_told(tmp_path: Path) -> None:
    runs = session(tmp_path)
    runs.run({"width": 1, "rounds": 1}, tmp_path / "one")
    assert runs.context.workdir == tmp_path / "one"
    assert (tmp_path / "one").is_dir()


def test_a_run_until_a_stage_does_nothing_that_was_done(tmp_path: Path) -> None:
    runs = session(tmp_path)
    values = {"width": 1, "rounds": 1}
    assert runs.run(values, until="second") == ["x.c", 1, 1]
    assert runs.run(values, until="first") == ["x.c", 1]
    assert runs.run(values, until="second") == ["x.c", 1, 1]
    assert RAN == ["first", "second"]
    assert runs.run(values).message == "['x.c', 1, 1] {'width': 1}"
    assert runs.run(values, until="first") == ["x.c", 1]
    assert RAN == ["first", "second", "last"]


def test_what_two_chains_have_in_common_is_done_once(tmp_path: Path) -> None:
    runs = session(tmp_path)
    values = {"width": 1, "rounds": 1}
    runs.run(values)
    runs.use(Chain(Path("y.chain"), stages=[("first", First), ("last", Last)]))
    assert runs.run(values).message == "['x.c', 1] {'width': 1}"
    assert RAN == ["first", "second", "last", "last"]


class Broken(Stage):
    def run(self, value: Any) -> Any:
        return {}["the key"]


class Refusing(Stage):
    def run(self, value: Any) -> Any:
        raise UnsupportedError("this")


def test_a_bug_names_its_stage(tmp_path: Path) -> None:
    chain = Chain(Path("x.chain"), stages=[("first", First), ("broken", Broken)])
    with pytest.raises(KeyError) as caught:
        Session(chain, ["x.c"], Context({}, tmp_path)).run({"width": 1})
    assert stage_of(caught.value) == "broken"
    assert caught.value.__notes__ == ["in the stage `broken`"]
    note_stage(caught.value, "another")
    assert stage_of(caught.value) == "broken"


def test_what_a_stage_refuses_is_no_bug(tmp_path: Path) -> None:
    chain = Chain(Path("x.chain"), stages=[("refusing", Refusing)])
    with pytest.raises(UnsupportedError) as caught:
        Session(chain, ["x.c"], Context({}, tmp_path)).run({})
    assert stage_of(caught.value) == "" and str(caught.value) == "this"
