"""The schedule in the trace of a program with threads of its own."""

import pytest

from cseq.modules.symbolic.encode.partial_order.trace_order import ARRIVED, DONE, Run, arrival, runs


def at(engines: int, thread: int, label: int) -> tuple[int, str, int]:
    return engines, ARRIVED, arrival(thread, label)


def test_a_step_is_where_its_access_is_and_ends_where_its_thread_arrives():
    events = [at(0, 0, 0), at(0, 0, 1), at(1, 1, 0), at(1, 1, DONE), at(0, 0, DONE), at(1, 1, 2), (0, "", 0)]
    assert runs(events) == [Run(0, 1), Run(1, 2), Run(0)]


def test_inputs_belong_to_the_step_of_their_thread():
    events = [at(0, 0, 0), (0, "in", 7), at(0, 0, 1), at(1, 2, 0), (1, "in", 8), (0, "in", 9), at(1, 2, 1), (0, "", 0)]
    assert runs(events) == [Run(0, 1, [7]), Run(2, 1, [8]), Run(0, None, [9])]


def test_a_thread_in_the_middle_of_a_step_is_left_behind_after_it():
    events = [at(0, 0, 0), at(0, 0, 1), at(1, 1, 0), at(1, 1, 3), at(1, 1, DONE), (0, "", 0)]
    assert runs(events) == [Run(0, 1), Run(1, 4, is_left=True), Run(0)]


def test_a_trace_without_a_violation_is_none():
    with pytest.raises(ValueError, match="its trace"):
        runs([at(0, 0, 0)])
