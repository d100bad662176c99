"""A level as a whole, and in parts where that takes too long."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cseq.model.claims import Cut, Limit
from cseq.model.jobrecords import JobEnd, JobName
from cseq.model.verdict import Bound, Outcome, Reason, Tiles, Verdict
from cseq.modules.symbolic.encode.sequentializer.tiles import Tile
from cseq.modules.symbolic.encode.unroller.room import THINNED
from cseq.modules.symbolic.levels.level import Levels
from cseq.modules.symbolic.verdict import HURRIED, REACHED
from cseq.pipeline.facts import Facts
from cseq.pipeline.jobs import JobResult, Plan
from cseq.pipeline.stage import Context, Parameter

VALUES: dict[str, object] = {"rounds": 2, "unwind": 3, "backend": "cbmc", "property": "no-deadlock"}
NO_TIME = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT)
SAFE = Outcome(Verdict.UNKNOWN, Reason.BOUNDED)


class Session:
    """A session that answers a run of the whole with *whole*. It knows tiles if *tiled*."""

    is_ours = True

    def __init__(self, folder: Path, whole: Outcome, tiled: bool = True) -> None:
        self.context = Context({}, folder)
        self.ran: list[dict[str, object]] = []
        self._whole, self._tiled = whole, tiled

    def run(self, values: dict[str, object], folder: Path | None = None, until: str | None = None) -> Any:
        self.ran.append(values)
        self.context.facts = Facts()
        return self._whole

    def takes(self, parameter: Parameter[Any], values: dict[str, object]) -> bool:
        return self._tiled and parameter.name == "tile"


class Pool:
    """A pool that answers each job at once. most: how many it does before the time is up."""

    width = 2
    is_far = False
    has_room = True

    def __init__(self, session: Session, most: int = 1_000) -> None:
        self.values: list[object] = []
        self.most = most
        self._session = session
        session.context.pool = self

    def begin(self, many: int = 1) -> bool:
        return True

    def work(self, plan: Plan) -> None:
        while not plan.is_done and self.most and (job := plan.next()) is not None:
            self.most -= 1
            self.values.append(job.values)
            if not job.name.tile:
                plan.over(job, JobResult(NO_TIME))
                continue
            tile = Tile.read(job.name.tile)
            bound = Bound.of(Cut(Limit.TILE, tile.number, runs=tile.parts))
            facts = {"reached": Cut(Limit.MORE), "thinned": True}
            plan.over(job, JobResult(Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[bound]), facts))


@pytest.fixture
def divided(tmp_path: Path) -> Callable[..., tuple[Levels, Session, Pool]]:
    def make(whole: Outcome, tiled: bool = True, most: int = 1_000) -> tuple[Levels, Session, Pool]:
        session = Session(tmp_path, whole, tiled)
        pool = Pool(session, most)
        return Levels(session), session, pool

    return make


def test_what_the_whole_answers_in_time_needs_no_parts(divided: Any, tmp_path: Path) -> None:
    levels, session, pool = divided(SAFE)
    assert levels.run(VALUES, tmp_path) is SAFE
    assert (session.ran, pool.values, session.context.jobs) == ([VALUES], [], [])
    assert session.context.end is None, "the time for the whole was for it alone"


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.MEMORY])
def test_what_it_does_not_answer_is_divided(divided: Any, tmp_path: Path, reason: Reason) -> None:
    levels, session, pool = divided(Outcome(Verdict.UNKNOWN, reason))
    found = levels.run(VALUES, tmp_path)
    assert (found.verdict, found.tiles) == (Verdict.TRUE, Tiles(8, 8))
    beside = [VALUES] if reason is Reason.TIMEOUT else []  # it goes on where time was all that it lacked
    assert (session.ran, pool.values[: len(beside)], len(pool.values)) == ([VALUES], beside, 8 + len(beside))
    assert session.context.facts[REACHED] == Cut(Limit.MORE) and session.context.facts[THINNED]
    (record,) = session.context.jobs
    assert record.name == JobName("cbmc", "no-deadlock", (("rounds", 2), ("unwind", 3)))
    assert record.end is (JobEnd.TIMEOUT if reason is Reason.TIMEOUT else JobEnd.MEMORY)


@pytest.mark.parametrize("limit", [None, 60.0, 5.0])
def test_without_a_violation_the_whole_has_all_the_time_for_what_follows(
    divided: Any, tmp_path: Path, limit: float | None
) -> None:
    levels, session, pool = divided(SAFE)
    answers, ends = [SAFE, Outcome(Verdict.TRUE)], []

    def run(values: dict[str, object], folder: Path | None = None, until: str | None = None) -> Outcome:
        session.context.facts = Facts()
        ends.append(session.context.end)
        session.context.facts[HURRIED] = len(ends) == 1
        return answers[len(ends) - 1]

    session.run = run
    found = levels.run({**VALUES, **({"timeout": limit} if limit else {})}, tmp_path)
    assert pool.values == []
    if limit == 5.0:
        assert found is SAFE and len(ends) == 1, "that was all the time"
    else:
        assert found is answers[1] and ends[1] != ends[0]


def test_it_goes_on_where_it_was_when_its_time_was_up(divided: Any, tmp_path: Path) -> None:
    levels, session, pool = divided(NO_TIME, most=4)
    found = levels.run({**VALUES, "timeout": 60.0}, tmp_path)
    assert (found.verdict, found.reason, found.tiles) == (Verdict.UNKNOWN, Reason.TIMEOUT, Tiles(3, 8))
    pool.most = 1_000
    assert levels.run({**VALUES, "timeout": 30.0}, tmp_path).verdict is Verdict.TRUE
    assert (len(session.ran), len(pool.values)) == (1, 9)
    levels.run({**VALUES, "rounds": 3}, tmp_path)
    assert len(session.ran) == 2, "another level begins with the whole"


def test_parts_share_the_memory(divided: Any, tmp_path: Path) -> None:
    levels, _session, pool = divided(NO_TIME)
    levels.run({**VALUES, "memlimit": 1000}, tmp_path)
    assert {values["memlimit"] for values in pool.values} == {500}


def test_workers_of_a_cluster_do_not_check_the_whole_beside_its_parts(divided: Any, tmp_path: Path) -> None:
    levels, _session, pool = divided(NO_TIME)
    pool.is_far = True
    levels._whole = lambda values, folder: (NO_TIME, True)
    levels.run(VALUES, tmp_path)
    assert len(pool.values) == 8 and all("tile" in values for values in pool.values)


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.MEMORY])
def test_a_single_worker_has_all_the_time_for_the_whole(divided: Any, tmp_path: Path, reason: Reason) -> None:
    levels, session, pool = divided(Outcome(Verdict.UNKNOWN, reason))
    pool.width, ends, run = 1, [], session.run

    def noting(*given: Any) -> Any:
        ends.append(session.context.end)
        return run(*given)

    session.run = noting
    found = levels.run(VALUES, tmp_path)
    assert ends == [None]
    if reason is Reason.MEMORY:
        assert found.verdict is Verdict.TRUE and len(pool.values) == 8, "of which parts need less"
    else:
        assert found.reason is Reason.TIMEOUT and pool.values == []


@pytest.mark.parametrize("values, tiled", [({"tile": "0/2"}, True), ({}, False), ({"timeout": 5.0}, True)])
def test_what_cannot_be_divided_is_not(divided: Any, tmp_path: Path, values: dict[str, object], tiled: bool) -> None:
    levels, _session, pool = divided(NO_TIME, tiled)
    assert levels.run({**VALUES, **values}, tmp_path) is NO_TIME
    assert pool.values == []


def test_without_a_pool_nothing_is_divided(divided: Any, tmp_path: Path) -> None:
    levels, session, _pool = divided(NO_TIME)
    session.context.pool = None
    assert levels.run(VALUES, tmp_path) is NO_TIME


def test_the_name_of_a_level(divided: Any) -> None:
    levels, *_ = divided(NO_TIME)
    assert levels.name({**VALUES, "recursion": 4}).bounds == (("rounds", 2), ("unwind", 3), ("recursion", 4))
