"""What was over before what, and what explains results."""

import struct

import pytest

from cseq.modules.linearizability.histories import OrderTree, explained, orders, precedences
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
