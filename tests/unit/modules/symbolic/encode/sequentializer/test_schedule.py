"""Schedules as the user writes them: what they say, and at which character they are wrong."""

import pytest

from cseq.modules.symbolic.encode.sequentializer.schedule import ScheduleError, called, read


@pytest.mark.parametrize(
    "text, threads, rounds",
    [
        ("+", 3, [[0, 1, 2]]),
        ("+:+", 1, [[0], [0]]),
        ("1,2:+:0", 3, [[0, 1, 2], [0, 1, 2], [0]]),
        ("2:2,1", 3, [[0, 2], [1, 2]]),
        (" 0 , 01 :\t+ ", 2, [[0, 1], [0, 1]]),
        ("12:11", 13, [[0, 12], [11]]),
    ],
)
def test_what_a_schedule_says(text: str, threads: int, rounds: list[list[int]]) -> None:
    assert called(read(text), threads) == rounds


ROUND = "a round is `+` or thread numbers with commas between"


@pytest.mark.parametrize(
    "text, message",
    [
        ("", f"column 1: something is missing here: {ROUND}"),
        ("+:", f"column 3: something is missing here: {ROUND}"),
        ("0,", f"column 3: something is missing here: {ROUND}"),
        (":+", f"column 1: `:` cannot stand here: {ROUND}"),
        ("+::+", f"column 3: `:` cannot stand here: {ROUND}"),
        ("+,1", f"column 2: `,` cannot stand here: {ROUND}"),
        ("1,+", f"column 3: `+` cannot stand here: {ROUND}"),
        ("1 12", f"column 3: `12` cannot stand here: {ROUND}"),
        ("0:1;2", f"column 4: `;` cannot stand here: {ROUND}"),
        ("0:-1", f"column 3: `-` cannot stand here: {ROUND}"),
        ("0:1,2,1", "column 7: thread 1 is in this round already"),
        ("0:99999999999999999999", "column 3: there is no thread 99999999999999999999"),
    ],
)
def test_what_is_no_schedule(text: str, message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        read(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "threads, message",
    [
        (1, "column 5: there is no thread 3: the program has one thread, main, which is 0"),
        (3, "column 5: there is no thread 3: the program has 3 threads, 0 (main) to 2, within its bounds"),
    ],
)
def test_threads_that_are_not_there(threads: int, message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        called(read("+:0,3:1"), threads)
    assert str(caught.value) == message
