"""What was over before what, and what explains results."""

import itertools
import random
import struct
from collections.abc import Iterator, Sequence

import pytest

from cseq.modules.linearizability.histories import (
    Before,
    History,
    Order,
    OrderTree,
    Place,
    explained,
    orders,
    precedences,
)
from cseq.modules.linearizability.results import Kind
from cseq.modules.linearizability.scenario_programs import ReturnedCall, ScenarioFrame
from cseq.modules.linearizability.scenarios import Scenario
from cseq.modules.linearizability.structure import Operation, Structure

THREE = Scenario(((1,), (1,), (1,)))


def frame(threads: int, calls: int, consistency: str = "sequential") -> ScenarioFrame:
    made = Structure(files=("a.c",), operations=(Operation("f()"),), consistency=consistency)
    return ScenarioFrame(made, (Kind.NUMBER,), threads, calls)


def test_a_call_that_has_not_begun_comes_after_those_that_have_returned() -> None:
    returned, before = precedences([[0, 0b011, 7]], THREE)
    assert returned == (ReturnedCall(0, 0, 7),)
    assert before == (((0, 0), (2, 0)),)  # thread 1 was in a call, and thread 2 was not


def test_the_last_call_of_each_thread_that_was_over_before() -> None:
    scenario = Scenario(((1, 1), (1,)))
    _, before = precedences([[0, 0b01, 1], [0, 0b01, 2], [1, 0b10, 3]], scenario)
    assert before == (((0, 1), (1, 0)),)


def test_calls_that_overlap_are_in_no_order() -> None:
    _, before = precedences([[0, 0b111, 1], [2, 0b110, 2], [1, 0b010, 3]], THREE)
    assert before == ()


def record(frame_: ScenarioFrame, results: list[int], periods: list[int]) -> str:
    room = frame_.threads * frame_.calls
    data = struct.pack(f"<{room}q{room}i2i", *results, *periods, 0, max(periods))
    return (data + b"\0" * (-len(data) % 8)).hex()


def order(*calls: tuple[int, int, int]) -> tuple[ReturnedCall, ...]:
    return tuple(ReturnedCall(*call) for call in calls)


def test_results_need_an_order_with_the_same_ones() -> None:
    two, scenario = frame(2, 1), Scenario(((1,), (1,)))
    known = OrderTree({order((0, 0, 1), (1, 0, 2)), order((1, 0, 1), (0, 0, 2)), order((0, 0, 5))})
    assert explained(record(two, [2, 1], [0, 0]), scenario, two, known) is None
    assert explained(record(two, [1, 1], [0, 0]), scenario, two, known) == (order((0, 0, 1), (1, 0, 1)), ())


@pytest.mark.parametrize(("periods", "before"), [([1, 1], None), ([1, 2], (((0, 0), (1, 0)),)), ([2, 1], None)])
def test_quiescence_keeps_periods_apart(periods: list[int], before: object) -> None:
    two, scenario = frame(2, 1, "quiescent"), Scenario(((1,), (1,)))
    found = explained(record(two, [2, 1], periods), scenario, two, OrderTree({order((1, 0, 1), (0, 0, 2))}))
    assert (found and found[1]) == before


def test_sequential_orders_are_read_with_the_number_of_each_call() -> None:
    data = struct.pack("<i4i4x4q", 3, 0, 1, 0, 0, 10, 11, -12, 0)
    assert list(orders([data.hex()], frame(2, 2))) == [order((0, 0, 10), (1, 0, 11), (0, 1, -12))]
    apart = struct.pack("<i4i4x4q", 2, 3, 0, 0, 0, 10, 11, 0, 0)  # each call is a thread
    assert list(orders([apart.hex()], frame(2, 2, "quiescent"))) == [order((1, 1, 10), (0, 0, 11))]


# Histories of execution graphs, whose calls are in a partial order. The structure is a queue: a number is put in, ""
# takes the first one or -1, and "wait" waits for one.

Calls = dict[Place, "int | str"]


def result_after(calls: Calls, done: Sequence[Place], place: Place) -> int | None:
    """What the call returns after those that are *done*; None if it waits for ever."""
    content: list[int] = []
    for call in [calls[each] for each in done]:
        if isinstance(call, int):
            content.append(call)
        elif content:
            content.pop(0)
    call = calls[place]
    if isinstance(call, int):
        return 0
    return content[0] if content else None if call == "wait" else -1


def sequential_orders(calls: Calls, done: tuple[ReturnedCall, ...] = ()) -> Iterator[Order]:
    """All orders that keep those of the threads, and their beginnings."""
    yield done
    places = [(one.thread, one.number) for one in done]
    for thread, number in calls:
        result = result_after(calls, places, (thread, number))
        if number == sum(one.thread == thread for one in done) and result is not None:
            yield from sequential_orders(calls, (*done, ReturnedCall(thread, number, result)))


def is_explained(calls: Calls, history: History) -> bool:
    """The definition: some permutation of the calls that have returned, and of some that wait."""
    results = {(one.thread, one.number): one.result for one in history.returned}
    waiting = sorted(history.waiting)
    chosen = (
        [()] if history.is_stuck else [c for k in range(len(waiting) + 1) for c in itertools.combinations(waiting, k)]
    )
    pairs = {*history.before, *(((t, n), (t, m)) for t, n in calls for u, m in calls if t == u and n < m)}
    for more in chosen:
        for order in itertools.permutations([*results, *more]):
            if any(later in order and earlier not in order[: order.index(later)] for earlier, later in pairs):
                continue
            found = [result_after(calls, order[:k], place) for k, place in enumerate(order)]
            fits = all(r is not None and results.get(p, r) == r for p, r in zip(order, found, strict=True))
            if fits and not (history.is_stuck and any(result_after(calls, order, w) is not None for w in waiting)):
                return True
    return False


def random_history(chance: random.Random) -> tuple[Calls, History]:
    """Calls of two or three threads, and what they may have returned."""
    lengths = [
        chance.randint(1, 3 if threads == 2 else 2) for threads in [chance.choice((2, 3))] for _ in range(threads)
    ]
    calls: Calls = {
        (t, n): chance.choice([1, 2, "", "", "wait"]) for t, length in enumerate(lengths) for n in range(length)
    }
    returned: list[ReturnedCall] = []
    waiting: set[Place] = set()
    for thread, length in enumerate(lengths):
        ended = chance.choice([length, length, length, chance.randint(0, length)])
        for number in range(ended):
            is_put = isinstance(calls[thread, number], int)
            returned.append(ReturnedCall(thread, number, 0 if is_put else chance.choice([-1, 1, 1, 2])))
        if ended < length and chance.random() < 0.7:
            waiting.add((thread, ended))
    begun = [*((one.thread, one.number) for one in returned), *waiting]
    chance.shuffle(begun)
    before = {
        (earlier, later)
        for earlier, later in itertools.combinations(begun, 2)
        if earlier not in waiting and earlier[0] != later[0] and chance.random() < 0.25
    }
    return calls, History(tuple(returned), frozenset(waiting), tuple(before), bool(waiting) and chance.random() < 0.4)


@pytest.mark.parametrize("seed", range(8))
def test_the_search_finds_what_some_permutation_explains(seed: int) -> None:
    chance, answers = random.Random(seed), set()
    for _ in range(40):
        calls, history = random_history(chance)
        tree = OrderTree(set(sequential_orders(calls)))
        answer = tree.explains(history)
        assert answer is is_explained(calls, history), (calls, history)
        answers.add(answer)
        if not answer:
            assert not tree.explains(tree.reduced(history))
    assert answers == {True, False}


def test_an_order_keeps_what_happens_before() -> None:
    calls: Calls = {(0, 0): 1, (1, 0): ""}
    tree = OrderTree(set(sequential_orders(calls)))
    empty = order((0, 0, 0), (1, 0, -1))
    assert tree.explains(History(empty))  # the dequeue may come first, whenever it ends
    assert not tree.explains(History(empty, before=(((0, 0), (1, 0)),)))


def pairs_of(consistency: str, begun: list[int], before: list[list[int]]) -> set[Before]:
    """Those that are kept of a history of three threads with two calls each."""
    record = {"returned": {}, "begun": {str(slot): 1 for slot in begun}, "before": before, "stuck": False}
    return set(History.of(record, frame(3, 2, consistency)).before)


@pytest.mark.parametrize(
    ("consistency", "kept"), [("linearizable", {((0, 0), (1, 1)), ((0, 0), (2, 0))}), ("sequential", set())]
)
def test_what_a_consistency_keeps_of_happens_before(consistency: str, kept: set[Before]) -> None:
    assert pairs_of(consistency, [0, 2, 3, 4], [[0, 3], [0, 4], [2, 3]]) == kept


def test_quiescence_keeps_parts_between_which_all_calls_are_ordered() -> None:
    all_after_first = [[0, 1], [0, 2], [0, 4], [1, 2]]
    assert pairs_of("quiescent", [0, 1, 2, 4], all_after_first) == {((0, 0), p) for p in ((0, 1), (1, 0), (2, 0))}
    assert pairs_of("quiescent", [0, 1, 2], [[0, 1]]) == set()  # the call of the other thread is beside both


def test_a_record_has_calls_by_their_slots() -> None:
    record = {
        "returned": {"0": 7, "3": -1},
        "begun": {"0": 1, "3": 1, "4": 1},
        "before": [[0, 3], [0, 4]],
        "stuck": True,
    }
    history = History.of(record, frame(3, 2, "linearizable"))
    assert history.returned == order((0, 0, 7), (1, 1, -1))
    assert (history.waiting, history.is_stuck) == ({(2, 0)}, True)
    assert history.between == (((0, 0), (1, 1)), ((0, 0), (2, 0)))
