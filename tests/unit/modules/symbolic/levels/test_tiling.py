"""A run divided into parts of its schedules: what is asked, and what the answers of the parts say of the whole."""

import itertools
import time
from dataclasses import replace

import pytest

from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.errors import BackendError
from cseq.model.jobrecords import JobName
from cseq.model.verdict import Bound, Caution, Outcome, Property, Reason, Tiles, Verdict
from cseq.modules.symbolic.encode.sequentializer.tiles import Tile, missing
from cseq.modules.symbolic.levels import tiling
from cseq.modules.symbolic.levels.tiling import Tiling
from cseq.pipeline.jobs import Job, JobResult

LOOP = Bound.of(Cut(Limit.LOOP, 2))
OTHER = Bound.of(Cut(Limit.LOOP, 3))
NO_TIME = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT)
NO_MEMORY = Outcome(Verdict.UNKNOWN, Reason.MEMORY)
VIOLATED = Outcome(Verdict.FALSE, violated=Property(Claim(Kind.ASSERTION)), bounds=[LOOP])


def safe(*others: Bound, reason: Reason = Reason.BOUNDED) -> Outcome:
    return Outcome(Verdict.UNKNOWN, reason, bounds=list(others))


def plan(workers: int = 1, seed: int = 0) -> Tiling:
    return Tiling({"rounds": 3}, JobName("cbmc", "unreach-call", (("rounds", 3),)), workers, seed)


def jobs(of: Tiling) -> list[Job]:
    """All that can begin now."""
    return list(iter(of.next, None))


def part(job: Job, outcome: Outcome | Exception) -> Outcome | Exception:
    """*outcome* as that of the part that *job* is about."""
    if isinstance(outcome, Exception) or outcome.verdict is Verdict.TRUE:
        return outcome
    tile = Tile.read(job.name.tile)
    return replace(outcome, bounds=[Bound.of(Cut(Limit.TILE, tile.number, runs=tile.parts)), *outcome.bounds])


def checked(of: Tiling, *outcomes: Outcome | Exception) -> list[Job]:
    """Have the next jobs done with these *outcomes*, and all that follow with the last of them."""
    asked = []
    for outcome in itertools.chain(outcomes[:-1], itertools.repeat(outcomes[-1])):
        if of.is_done:
            break
        job = of.next()
        assert job is not None
        asked.append(job)
        of.over(job, JobResult(part(job, outcome), seconds=1))
    return asked


def test_the_parts_are_all_schedules_in_an_order_that_the_seed_decides() -> None:
    for workers, count in ((1, 8), (2, 8), (3, 16), (64, 256)):
        asked = [Tile.read(job.name.tile) for job in jobs(plan(workers))]
        assert len(asked) == count and not missing(asked)
    first, again, other = ([job.name.tile for job in jobs(plan(4, seed))] for seed in (1, 1, 2))
    assert first == again != other
    assert first != sorted(first, key=lambda text: Tile.read(text).number)


def test_a_job_has_the_values_of_the_run_and_its_part() -> None:
    job = plan().next()
    assert job is not None
    assert job.values == {"rounds": 3, "tile": job.name.tile}
    assert job.name == JobName("cbmc", "unreach-call", (("rounds", 3),), job.name.tile)
    assert job.seconds == tiling._BOX and job.wanted == tiling.WANTED


def test_no_violation_in_any_part_is_a_proof_if_the_parts_are_all_that_was_left_out() -> None:
    whole = plan()
    checked(whole, safe())
    found = whole.outcome()
    assert (found.verdict, found.reason, found.bounds, found.tiles) == (Verdict.TRUE, None, [], Tiles(8, 8))


def test_what_any_part_leaves_out_the_whole_leaves_out() -> None:
    whole = plan()
    warned = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[OTHER], warnings=[Caution("look")])
    checked(whole, safe(), safe(LOOP), safe(), warned, safe(LOOP))
    found = whole.outcome()
    assert (found.verdict, found.reason, found.bounds) == (Verdict.UNKNOWN, Reason.BOUNDED, [LOOP, OTHER])
    assert found.warnings == [Caution("look")]
    whole = plan()
    checked(whole, safe(), safe(LOOP, reason=Reason.UNWINDING), safe())
    assert whole.outcome().reason is Reason.UNWINDING


def test_the_first_violation_is_the_answer() -> None:
    whole = plan()
    checked(whole, safe(), VIOLATED)
    assert whole.is_done
    found = whole.outcome()
    assert (found.verdict, found.bounds, found.tiles) == (Verdict.FALSE, [LOOP], Tiles(1, 7))


@pytest.mark.parametrize("reason", [Reason.REPLAY, Reason.BUFFERING, Reason.BACKEND])
def test_what_is_not_clear_keeps_nobody_from_a_violation_and_is_no_proof(reason: Reason) -> None:
    unclear = Outcome(Verdict.UNKNOWN, reason)
    whole = plan()
    checked(whole, safe(), unclear, VIOLATED)
    assert whole.outcome().verdict is Verdict.FALSE
    whole = plan()
    checked(whole, unclear, safe())
    assert (whole.outcome().verdict, whole.outcome().reason) == (Verdict.UNKNOWN, reason)


@pytest.mark.parametrize("why", [NO_TIME, NO_MEMORY])
def test_a_part_that_is_too_hard_is_divided_and_comes_last(why: Outcome) -> None:
    whole = plan()
    asked = checked(whole, why, safe())
    hard, *others = (Tile.read(job.name.tile) for job in asked)
    assert set(others[-2:]) == set(hard.halves()) and len(others) == 9
    assert {job.seconds for job in asked[-2:]} == {tiling._BOX * tiling._GROWTH}
    assert not missing(others)
    found = whole.outcome()
    assert (found.verdict, found.tiles) == (Verdict.TRUE, Tiles(9, 9))


def test_where_halves_need_as_much_memory_there_is_an_end_of_it() -> None:
    whole = plan()
    asked = checked(whole, NO_MEMORY)
    assert len(asked) == 8 + 16, "each part is divided once"
    found = whole.outcome()
    assert (found.verdict, found.reason, found.tiles) == (Verdict.UNKNOWN, Reason.MEMORY, Tiles(0, 16))
    whole = plan()
    checked(whole, NO_MEMORY, *[safe()] * 7, NO_MEMORY, safe())
    assert (whole.outcome().reason, whole.outcome().tiles) == (Reason.MEMORY, Tiles(8, 9)), "no proof without it"
    whole = plan()
    checked(whole, NO_MEMORY, *[safe()] * 7, NO_MEMORY, VIOLATED)
    assert whole.outcome().verdict is Verdict.FALSE


def beside() -> tuple[Tiling, Job]:
    """A plan that has the whole checked beside its parts, and the job that does so, which has begun."""
    made = Tiling({"rounds": 3}, JobName("cbmc", "unreach-call", (("rounds", 3),)), 2, beside=True)
    job = made.next()
    assert job is not None and job.name.tile == "" and "tile" not in job.values and job.seconds is None
    return made, job


@pytest.mark.parametrize("answer", [safe(LOOP), safe(reason=Reason.UNWINDING), Outcome(Verdict.TRUE), VIOLATED])
def test_the_answer_of_the_whole_beside_its_parts_is_the_answer(answer: Outcome) -> None:
    whole, job = beside()
    other = whole.next()
    assert other is not None and other.name.tile
    whole.over(job, JobResult(answer, {"reached": LOOP.cut}))
    assert whole.is_done and whole.outcome() is answer


@pytest.mark.parametrize("answer", [NO_TIME, NO_MEMORY, BackendError("1"), Outcome(Verdict.UNKNOWN, Reason.REPLAY)])
def test_without_an_answer_of_the_whole_its_parts_have_it(answer: Outcome | Exception) -> None:
    whole, job = beside()
    whole.over(job, JobResult(answer))
    assert not whole.is_done
    checked(whole, VIOLATED)
    assert whole.outcome().verdict is Verdict.FALSE


def test_all_parts_are_the_answer_before_the_whole_has_one_and_parts_that_are_lost_leave_it_to_the_whole() -> None:
    whole, _ = beside()
    checked(whole, safe())
    assert (whole.outcome().verdict, whole.outcome().tiles) == (Verdict.TRUE, Tiles(8, 8))
    whole, job = beside()
    for each in iter(whole.next, None):
        whole.over(each, JobResult(part(each, NO_MEMORY)))
    assert not whole.is_done
    whole.over(job, JobResult(safe(LOOP)))
    assert whole.is_done and whole.outcome().reason is Reason.BOUNDED


def test_a_part_that_fails_is_tried_three_times() -> None:
    whole = plan()
    asked = checked(whole, BackendError("1"), BackendError("2"), safe())
    assert [job.name.tile for job in asked[:3]] == [asked[0].name.tile] * 3
    assert whole.outcome().verdict is Verdict.TRUE
    whole = plan()
    checked(whole, BackendError("1"), BackendError("2"), BackendError("3"), safe())
    assert whole.is_done
    with pytest.raises(BackendError, match="3"):
        whole.outcome()


def test_a_part_is_never_a_proof() -> None:
    whole = plan()
    checked(whole, Outcome(Verdict.TRUE), safe())
    with pytest.raises(AssertionError, match="is said to be all of them"):
        whole.outcome()


def test_a_part_whose_answer_is_about_another_part_is_no_proof() -> None:
    for bounds in ([LOOP], [Bound.of(Cut(Limit.TILE, 9, runs=16))]):
        whole = plan()
        job = whole.next()
        assert job is not None
        whole.over(job, JobResult(Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds)))
        with pytest.raises(AssertionError, match="is said to be all of them"):
            whole.outcome()


def test_when_the_time_is_up_nothing_more_is_asked_and_nothing_divided() -> None:
    whole = plan()
    checked_one = whole.next()
    assert checked_one is not None
    whole.over(checked_one, JobResult(part(checked_one, safe(LOOP))))
    late = whole.next()
    assert late is not None
    whole.end = time.monotonic()
    whole.over(late, JobResult(NO_TIME))
    assert whole.next() is None and not whole.is_done
    found = whole.outcome()
    assert (found.verdict, found.reason, found.tiles) == (Verdict.UNKNOWN, Reason.TIMEOUT, Tiles(1, 8))
    whole.end = None
    rest = checked(whole, safe())
    assert rest[0].name.tile == late.name.tile and len(rest) == 7
    assert whole.outcome().bounds == [LOOP]


def test_what_some_part_reaches_the_whole_reaches() -> None:
    whole, cut = plan(), Cut(Limit.LOOP, 2)
    first, second, *_ = jobs(whole)
    whole.over(first, JobResult(part(first, safe(LOOP)), {"reached": None, "thinned": False}))
    assert (whole.reached, whole.thinned) == (None, False)
    whole.over(second, JobResult(part(second, safe(LOOP)), {"reached": cut, "thinned": True}))
    assert (whole.reached, whole.thinned) == (cut, True)
