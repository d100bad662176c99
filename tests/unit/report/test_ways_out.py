"""What would help where there is no verdict."""

import pytest

from cseq.model.claims import Cut, Limit
from cseq.model.verdict import Bound, Level, Outcome, Reason, Verdict
from cseq.report.ways_out import ways_out

ROUNDS, LOOP = Cut(Limit.ROUNDS, 2, runs=40), Cut(Limit.LOOP, 3)


def bounded(*cuts: Cut, reached: Cut | None = None, certain: Cut | None = None) -> Outcome:
    """An answer with these bounds."""
    bounds = [Bound.of(cut, certain=cut is certain) for cut in cuts]
    about = () if reached is None else (reached,)
    return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds, about=about)


@pytest.mark.parametrize(
    "cut, option",
    [
        (Cut(Limit.LOOP, 3), "--unwind 6"),
        (Cut(Limit.COUNTED, 3, runs=100), "--exact-limit 100"),
        (Cut(Limit.COUNTED, 3, runs=100, is_set=True), "--unwindset with 100 for this loop"),
        (Cut(Limit.RECURSION, 1, "f"), "--recursion 2"),
        (Cut(Limit.THREADS, 0), "--threads 1"),
        (Cut(Limit.HEAP, 128), "--heap 1024"),
        (Cut(Limit.ROUNDS, 2, runs=40), "--rounds 3"),
        (Cut(Limit.ROUNDS, 2, runs=9), "--rounds 9"),
        (Cut(Limit.CONTEXTS, 2, runs=5), "--contexts 5"),
        (Cut(Limit.DEPTH, 10), "--depth 20"),
        (Cut(Limit.MARKED), "no --bitstate or --swarm"),
    ],
)
def test_each_bound_has_an_option_with_a_value(cut: Cut, option: str) -> None:
    assert ways_out(bounded(cut)) == [option]


@pytest.mark.parametrize("cut", [Cut(Limit.GRAIN, 1), Cut(Limit.STRING, 63), Cut(Limit.LOST), Cut(Limit.SEARCH)])
def test_no_option_is_named_where_none_would_help(cut: Cut) -> None:
    assert ways_out(bounded(cut)) == []


def test_the_most_effective_option_comes_first() -> None:
    heap = Cut(Limit.HEAP, 128)
    assert ways_out(bounded(ROUNDS, LOOP, heap)) == ["--heap 1024", "--unwind 6", "--rounds 3"]
    assert ways_out(bounded(LOOP, ROUNDS, reached=ROUNDS)) == ["--rounds 3", "--unwind 6"]
    assert ways_out(bounded(heap, LOOP, certain=LOOP)) == ["--unwind 6", "--heap 1024"]


def test_one_value_does_for_all_loops() -> None:
    assert ways_out(bounded(LOOP, Cut(Limit.LOOP, 3), Cut(Limit.COUNTED, 1, runs=70))) == [
        "--exact-limit 70",
        "--unwind 6",
    ]
    assert ways_out(bounded(Cut(Limit.LOOP, 3), Cut(Limit.LOOP, 7))) == ["--unwind 14"]


@pytest.mark.parametrize(
    ("backend", "most", "other"), [("native", 127, "-b cbmc"), ("spin", 63, "-b native, which has room for more")]
)
def test_no_option_gives_an_engine_more_room_for_threads_than_it_has(backend: str, most: int, other: str) -> None:
    outcome = bounded(Cut(Limit.THREADS, most))
    outcome.backend = backend
    assert ways_out(outcome) == [f"at most {most} threads besides main, for which -b {backend} has room", other]
    fewer = bounded(Cut(Limit.THREADS, 40))
    fewer.backend = backend
    assert ways_out(fewer) == ["--threads 80"]


def test_rounds_that_follow_from_a_schedule_are_not_named() -> None:
    assert ways_out(bounded(ROUNDS, Cut(Limit.SCHEDULE, 2, "1:+"))) == ["a --schedule of more contexts"]


def test_bounds_that_were_deepened_want_time() -> None:
    deepened = bounded(ROUNDS, LOOP)
    deepened.levels = [Level("unreach-call", {"rounds": 1}, Verdict.UNKNOWN, Reason.BOUNDED, None, 1.0)]
    assert ways_out(deepened) == ["a larger --timeout"]
    coarse = bounded(Cut(Limit.GRAIN, 1))
    coarse.levels = deepened.levels
    assert ways_out(coarse) == []
    both = bounded(Cut(Limit.GRAIN, 1), ROUNDS, LOOP)  # larger bounds make no step finer
    assert ways_out(both) == []
    both.levels = deepened.levels
    assert ways_out(both) == []


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.MEMORY])
def test_smaller_bounds_are_for_those_who_gave_some(reason: Reason) -> None:
    chosen = Outcome(Verdict.UNKNOWN, reason, backend="cbmc")
    deepened = Outcome(Verdict.UNKNOWN, reason, backend="cbmc", bounded=True)
    deepened.levels = [Level("unreach-call", {"rounds": 1}, Verdict.UNKNOWN, Reason.BOUNDED, None, 1.0)]
    assert "smaller bounds" in ways_out(Outcome(Verdict.UNKNOWN, reason, backend="cbmc", bounded=True))
    assert "smaller bounds" not in ways_out(chosen) + ways_out(deepened)


@pytest.mark.parametrize(
    "reason, engine, ways",
    [
        (Reason.TIMEOUT, "native", ["a larger --timeout", "-b cbmc"]),
        (Reason.TIMEOUT, "cbmc", ["a larger --timeout"]),
        (Reason.MEMORY, "native", ["--bitstate", "a larger --memlimit", "-b cbmc"]),
        (Reason.MEMORY, "cbmc", ["-b native"]),
        (Reason.REPLAY, "cbmc", ["--memsafety"]),
        (Reason.BACKEND, "cbmc", []),
    ],
)
def test_an_engine_that_gives_up(reason: Reason, engine: str, ways: list[str]) -> None:
    assert ways_out(Outcome(Verdict.UNKNOWN, reason, backend=engine)) == ways


def test_an_answer_needs_no_way_out() -> None:
    assert ways_out(Outcome(Verdict.TRUE, bounds=[Bound.of(ROUNDS)])) == []


def test_runs_that_were_cut_off_want_a_larger_limit() -> None:
    cut = bounded(Cut(Limit.RUNS, 40, "random walk"), Cut(Limit.RUN_OPERATIONS, 100))
    cut.backend = "compiled"
    assert ways_out(cut)[:2] == ["a larger --steps", "a larger --time"]
