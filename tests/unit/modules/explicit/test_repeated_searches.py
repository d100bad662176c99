"""Searches that are repeated: with more room, with more samples of the inputs, and with arguments."""

from collections.abc import Callable

import pytest

from cseq.model.claims import Cut, Limit
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Bound, Outcome, Reason, Verdict
from cseq.modules.explicit.encode.thread_sets import NarrowError
from cseq.modules.explicit.repeated_searches import with_any_arguments, with_enough, with_fine_steps, with_more_samples


def searching(needed: int, tried: list[int], beyond: Callable[[], Outcome] | None = None) -> Callable[..., Outcome]:
    """A search of a program that allocates *needed* bytes. beyond: what happens with 4000 bytes and more."""

    def run(values: dict[str, object]) -> Outcome:
        size = int(str(values.get("heap") or 128))
        tried.append(size)
        if size < needed and not (beyond and size >= 4000):
            return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(Cut(Limit.HEAP, size))])
        return beyond() if beyond else Outcome(Verdict.TRUE)

    return run


def never() -> bool:
    return False


def creating(needed: int, tried: list[dict[str, object]]) -> Callable[..., Outcome]:
    """A search of a program with *needed* threads besides main."""

    def run(values: dict[str, object]) -> Outcome:
        tried.append(values)
        most = int(str(values["threads"] or 8))
        if most >= needed:
            return Outcome(Verdict.TRUE)
        return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(Cut(Limit.THREADS, most))])

    return run


NOTHING: dict[str, object] = {"heap": None, "threads": None}


def test_threads_are_doubled_and_only_the_last_search_goes_on_at_the_limit() -> None:
    tried: list[dict[str, object]] = []
    assert with_enough(creating(200, tried), NOTHING, never).bounds[0].value == 127
    assert [values["threads"] for values in tried] == [None, 16, 32, 63, 127]
    assert [values["wide"] for values in tried] == [False, False, False, False, True]
    assert [Limit.THREADS in values["stops"] for values in tried] == [True] * 4 + [False]  # type: ignore[operator]
    tried.clear()
    assert with_enough(creating(15, tried), NOTHING, never).verdict is Verdict.TRUE
    assert [values["threads"] for values in tried] == [None, 16]


def test_an_engine_with_words_for_sets_of_threads_gets_no_more_than_they_have_bits_for() -> None:
    tried: list[dict[str, object]] = []
    assert with_enough(creating(100, tried), NOTHING, never, may_be_wide=False).bounds[0].value == 63
    assert {values["wide"] for values in tried} == {None}


def test_a_program_with_many_threads_gets_wide_sets_at_once() -> None:
    tried: list[dict[str, object]] = []

    def run(values: dict[str, object]) -> Outcome:
        tried.append(values)
        if not values["wide"]:
            raise NarrowError("more than 63 threads")
        return Outcome(Verdict.TRUE)

    assert with_enough(run, NOTHING, never).verdict is Verdict.TRUE
    assert [(values["threads"], values["wide"]) for values in tried] == [(None, False), (None, True)]
    tried.clear()
    assert with_enough(run, {"heap": None, "threads": 64}, never).verdict is Verdict.TRUE
    assert [(values["threads"], values["wide"]) for values in tried] == [(64, True)]


def test_a_program_that_creates_threads_for_ever_is_searched_once() -> None:
    tried: list[dict[str, object]] = []
    assert with_enough(creating(100, tried), NOTHING, lambda: True).bounds[0].value == 8
    assert len(tried) == 1


def test_the_user_s_number_of_threads_stays() -> None:
    tried: list[dict[str, object]] = []
    assert with_enough(creating(100, tried), {"heap": None, "threads": 4}, never).bounds[0].value == 4
    assert tried[0]["stops"] == (Limit.HEAP,)


def test_symbolic_engines_do_without() -> None:
    values: dict[str, object] = {"threads": None}
    tried: list[dict[str, object]] = []
    assert with_enough(creating(100, tried), values, never).bounds[0].value == 8
    assert tried == [values]


def test_the_search_begins_again_until_the_heap_is_large_enough() -> None:
    tried: list[int] = []
    assert with_enough(searching(5000, tried), {"heap": None}, never).verdict is Verdict.TRUE
    assert tried == [128, 16384]


def test_the_user_s_bound_stays() -> None:
    tried: list[int] = []
    outcome = with_enough(searching(5000, tried), {"heap": 256}, never)
    assert (outcome.verdict, tried) == (Verdict.UNKNOWN, [256])


def test_it_grows_up_to_a_limit() -> None:
    tried: list[int] = []
    outcome = with_enough(searching(10**9, tried), {"heap": None}, never)
    assert (outcome.verdict, tried[-1]) == (Verdict.UNKNOWN, 1 << 22)


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.MEMORY])
def test_a_larger_search_without_an_end_names_the_limit_before_it(reason: Reason) -> None:
    tried: list[int] = []
    outcome = with_enough(searching(10**9, tried, lambda: Outcome(Verdict.UNKNOWN, reason)), {"heap": None}, never)
    assert (outcome.reason, outcome.bounds[0].value, tried) == (reason, 128, [128, 16384])


def test_a_refusal_with_more_heap_is_a_warning() -> None:
    def refuse() -> Outcome:
        raise UnsupportedError("memory is read before it is written")

    outcome = with_enough(searching(10**9, [], refuse), {"heap": None}, never)
    assert (outcome.verdict, outcome.exit_status) == (Verdict.UNKNOWN, 0)
    assert str(outcome.warnings[0]) == "with --heap 16384 there is no answer: memory is read before it is written"


SAMPLED = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(Cut(Limit.SAMPLED, 3, "x.c:1"))])
FOUND = Outcome(Verdict.FALSE)


def sampled(outcomes: list[Outcome], left: float | None = None) -> tuple[Outcome, list[object]]:
    """The outcome, and the numbers with which searches ran."""
    seen: list[object] = []

    def run(values: dict[str, object]) -> Outcome:
        seen.append(values.get("sampling", 0))
        return outcomes[len(seen) - 1]

    return with_more_samples(run, {}, lambda: left), seen


def test_it_is_repeated_until_something_is_found():
    assert sampled([SAMPLED, FOUND]) == (FOUND, [0, 1])
    assert sampled([SAMPLED] * 3) == (SAMPLED, [0, 1, 2])


def test_nothing_is_repeated_without_samples_or_without_time():
    assert sampled([FOUND]) == (FOUND, [0])
    assert sampled([SAMPLED], left=0.0)[1] == [0]


def test_a_search_that_does_not_end_says_less_than_the_one_before():
    assert sampled([SAMPLED, Outcome(Verdict.UNKNOWN, Reason.TIMEOUT)]) == (SAMPLED, [0, 1])


def open_() -> Outcome:
    return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[Bound.of(Cut(Limit.NO_ARGUMENTS))])


def with_arguments(*outcomes: Outcome, **values: object) -> tuple[Outcome, list[object]]:
    """The outcome, and for each run whether the arguments were any."""
    seen: list[object] = []

    def run(tried: dict[str, object]) -> Outcome:
        seen.append(tried.get("args_any", False))
        return outcomes[len(seen) - 1]

    return with_any_arguments(run, values), seen


@pytest.mark.parametrize("verdict", [Verdict.TRUE, Verdict.UNKNOWN, Verdict.FALSE])
def test_only_a_violation_with_arguments_is_the_answer(verdict: Verdict) -> None:
    first, second = open_(), Outcome(verdict)
    outcome, seen = with_arguments(first, second)
    assert outcome is (second if verdict is Verdict.FALSE else first)
    assert seen == [False, True]


@pytest.mark.parametrize("values", [{"args": "1"}, {"args_any": True}])
def test_the_arguments_of_the_user_stay(values: dict[str, object]) -> None:
    assert len(with_arguments(open_(), **values)[1]) == 1


def test_nothing_is_repeated_where_arguments_change_nothing() -> None:
    for outcome in (Outcome(Verdict.TRUE), Outcome(Verdict.UNKNOWN, Reason.TIMEOUT), Outcome(Verdict.FALSE)):
        assert with_arguments(outcome) == (outcome, [False])


def test_what_is_not_supported_with_arguments_is_a_warning() -> None:
    first = open_()

    def run(tried: dict[str, object]) -> Outcome:
        if tried.get("args_any"):
            raise UnsupportedError("arguments of this kind are not supported")
        return first

    assert with_any_arguments(run, {}) is first
    assert "arguments of this kind" in first.warnings[0].message


def coarse(*others: Limit) -> Callable[[dict[str, object]], Outcome]:
    """A search that ends with a step that is too coarse, and with *others*."""
    bounds = [Bound.of(Cut(limit, 1)) for limit in (Limit.GRAIN, *others)]
    return lambda values: Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=list(bounds))


def test_a_coarse_step_without_a_data_race_is_fine() -> None:
    outcome = with_fine_steps(coarse(), {"property": "unreach-call"}, lambda: Outcome(Verdict.TRUE))
    assert (outcome.verdict, outcome.reason, outcome.bounds) == (Verdict.TRUE, None, [])


@pytest.mark.parametrize(
    "races",
    [Outcome(Verdict.FALSE), Outcome(Verdict.UNKNOWN, Reason.TIMEOUT), Outcome(Verdict.TRUE, message="no violation …")],
)
def test_without_that_proof_it_stays_coarse(races: Outcome) -> None:
    assert with_fine_steps(coarse(), {"property": "unreach-call"}, lambda: races).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("search", "values"),
    [
        (coarse(Limit.DEPTH), {"property": "unreach-call"}),
        (coarse(), {"property": "no-data-race"}),
        (coarse(), {"property": "unreach-call", "invariant": "x == 1"}),
    ],
)
def test_it_is_not_asked_where_it_proves_nothing(search: Callable[..., Outcome], values: dict[str, object]) -> None:
    def never_asked() -> Outcome:
        raise AssertionError

    assert with_fine_steps(search, values, never_asked).verdict is Verdict.UNKNOWN
