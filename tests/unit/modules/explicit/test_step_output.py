"""What a traced step program printed: who did what in which order, and where threads stand in the end."""

from __future__ import annotations

from typing import cast

import pytest

from cseq.model.origin import Origin
from cseq.model.trace import ObjectKind, Thread
from cseq.modules.analysis import probes
from cseq.modules.explicit.encode.step_accesses import ATOMIC, READ, SECTION, WRITE
from cseq.modules.explicit.encode.step_program import Steps
from cseq.modules.explicit.step_output import Followed
from cseq.modules.explicit.step_tracer import NOBODY, StepPoint, StepTracer
from cseq.modules.tracing.execution import Happening
from cseq.modules.tracing.observations import (
    Accessed,
    Announced,
    Ended,
    Iteration,
    Judged,
    Loop,
    Observation,
    Sighted,
)

MAIN, WORK = Thread(0, "main"), Thread(1, "work")
ATOMIC_WRITE, SECTION_WRITE = WRITE | ATOMIC, WRITE | ATOMIC | SECTION
STORE = Accessed("write", "x", "int")


class Place:
    """A place of a step program, of which only the function that starts there matters here."""

    def __init__(self, start: str) -> None:
        self.start = start


class Program:
    """What a tracer has made, and the places, as far as they are looked at."""

    def __init__(self, points: list[StepPoint], values: list[Observation]) -> None:
        self.points = points
        self.values = values
        self.places = [Place("main"), Place("work__cs2"), Place("__cs_helper"), None]


def point(line: int, role: str = "", loops: tuple[int, ...] = ()) -> StepPoint:
    return StepPoint(NOBODY, Origin("a.c", line), role=role, loops=loops)


def followed(text: str, points: list[StepPoint] | None = None, values: list[Observation] | None = None) -> Followed:
    program = Program(points or [point(3), point(5), point(7, "creates"), point(9, "ends")], values or [STORE])
    lines = [line.strip() for line in text.strip().splitlines()]
    return Followed(lines, cast(StepTracer, program), cast(Steps, program))


def shown(happenings: list[Happening]) -> list[tuple[Thread, int] | tuple[Observation | None, int]]:
    """Of a point its thread and line; of a value what it is, and its bits."""
    return [(h.point.thread, h.point.origin.line) if h.point else (h.value, h.bits) for h in happenings]


def test_the_functions_of_threads_are_called_as_the_user_does() -> None:
    read = followed("n 0 0\nn 1 1\nn 2 2\nn 3 3\ne")
    assert read.threads == [MAIN, WORK, Thread(2, "__cs_helper"), Thread(3, "")]


def test_who_executes_what_and_which_values_are_seen() -> None:
    read = followed("n 0 0\nt 0\na 0\nv 0 2a\nn 1 1\nt 1\na 1\nt 0\na 1\ne")
    assert shown(list(read.happenings())) == [(MAIN, 3), (STORE, 42), (WORK, 5), (MAIN, 5)]
    assert read.end == "e"


def test_transitions_from_one_up_to_another() -> None:
    read = followed("n 0 0\nn 1 1\nt 0\na 0\nt 1\na 1\nt 0\na 1\ne")
    assert shown(list(read.happenings(1))) == [(WORK, 5), (MAIN, 5)]
    assert shown(list(read.happenings(0, 1))) == [(MAIN, 3)]


def test_a_statement_that_creates_a_thread_knows_which() -> None:
    read = followed("n 0 0\nt 0\na 2\nn 1 1\nt 0\na 2\ne")
    assert [happening.point and happening.point.created for happening in read.happenings()] == [WORK, None]


def test_the_end_of_a_thread_is_seen_as_such() -> None:
    read = followed("n 0 0\nn 1 1\nt 1\na 1\na 3\ne")
    assert shown(list(read.happenings())) == [(WORK, 5), (Ended(1), 1)]


def test_places_in_front_of_which_threads_can_stand_are_no_statements() -> None:
    assert shown(list(followed("n 0 0\nt 0\na 0\na 1\ne", [point(3, "stands"), point(5)]).happenings())) == [(MAIN, 5)]


def test_iterations_are_counted_for_each_thread_and_anew_for_each_run_of_a_loop() -> None:
    values: list[Observation] = [Loop(1), Iteration(1)]
    text = "n 0 0\nn 1 1\nt 0\nv 0 0\nv 1 0\na 0\nt 1\nv 0 0\nv 1 0\na 0\nt 0\nv 1 0\na 0\nt 0\nv 0 0\nv 1 0\na 0\ne"
    found = followed(text, [point(3, loops=(1,))], values).happenings()
    turns = [(h.point.thread.number, h.point.origin.iteration) for h in found if h.point]
    assert turns == [(0, (1,)), (1, (1,)), (0, (2,)), (0, (1,))]


def test_the_assertion_that_fails_and_the_invariant_are_the_end() -> None:
    read = followed("n 0 0\nt 0\na 0\nf assertion: x == 2\n")
    assert (read.end, read.invariant) == ("f assertion: x == 2", "")
    read = followed("n 0 0\nt 0\na 0\ne\ni invariant: x < 2")
    assert (read.end, read.invariant) == ("e", "invariant: x < 2")


def test_all_of_some_threads_are_blocked() -> None:
    read = followed("n 0 0\nn 1 1\nt 0\na 0\ne\ns 0\na 0\nb 0\ns 1\na 1")
    assert read.blocked([0]) and not read.blocked([1]) and not read.blocked([0, 1])
    assert read.end == "e"


def test_where_blocked_threads_stand_and_what_their_calls_are_about() -> None:
    sighted = Sighted(ObjectKind.MUTEX, "m")
    text = "n 0 0\nn 1 1\nt 0\na 0\ne\ns 0\na 0\na 1\nv 0 ff\nv 1 60\nb 0\ns 1\na 1\nv 1 60"
    found = list(followed(text, [point(3), point(5)], [STORE, sighted]).blocks())
    assert shown(found) == [(MAIN, 5), (sighted, 0x60)]
    assert found[0].point is not None and found[0].point.stands


def reaching(first: str, second: str) -> list[Happening]:
    """The race between what main and a thread are about to access: addresses, sizes and kinds."""
    text = f"n 0 0\nn 1 1\nt 0\na 0\ne\ns 1\na 1\nv 1 1\np {second}\ns 0\na 0\nv 0 1\np {first}"
    return followed(text, [point(3), point(5)], [Announced("x", ""), Announced("*p", "memcpy")]).race()


def test_two_accesses_that_race() -> None:
    found = reaching(f"100 4 {WRITE}", f"102 1 {READ}")
    said = probes.SAID
    assert shown(found) == [
        (MAIN, 3), (Announced("x", ""), 1),
        (Judged(said[0], 0), 0x100), (Judged(said[1], 0), 4), (Judged(said[2], 0), 1), (Judged(said[3], 0), 0),
        (WORK, 5), (Announced("*p", "memcpy"), 1),
        (Judged(said[0], 1), 0x102), (Judged(said[1], 1), 1), (Judged(said[2], 1), 0), (Judged(said[3], 1), 0),
    ]  # fmt: skip
    assert all(happening.point.stands for happening in found if happening.point)


@pytest.mark.parametrize(("kind", "how"), [(WRITE, 0), (ATOMIC_WRITE, 1), (SECTION_WRITE, 2)])
def test_how_memory_is_accessed(kind: int, how: int) -> None:
    found = reaching(f"100 4 {kind}", f"100 4 {READ}")
    assert [h.bits for h in found if h.value == Judged(probes.SAID[3], 0)] == [how]


@pytest.mark.parametrize(
    ("first", "second", "races"),
    [
        (f"100 4 {WRITE}", f"100 4 {WRITE}", True),
        (f"100 4 {READ}", f"100 4 {READ}", False),
        (f"100 4 {WRITE}", f"104 4 {WRITE}", False),
        (f"104 4 {WRITE}", f"100 4 {WRITE}", False),
        (f"100 4 {WRITE}", f"103 4 {READ}", True),
        (f"100 4 {ATOMIC_WRITE}", f"100 4 {ATOMIC_WRITE}", False),
        (f"100 4 {ATOMIC_WRITE}", f"100 4 {READ}", True),
        (f"100 0 {WRITE}", f"100 4 {WRITE}", False),
    ],
)
def test_which_accesses_race(first: str, second: str, races: bool) -> None:
    assert bool(reaching(first, second)) is races


def test_a_blocked_thread_is_about_to_access_nothing() -> None:
    text = f"n 0 0\nn 1 1\nt 0\ne\ns 0\na 0\np 100 4 {WRITE}\nb 0\ns 1\na 1\np 100 4 {WRITE}"
    assert followed(text).race() == []
