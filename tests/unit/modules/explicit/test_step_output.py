"""What a traced step program printed: who did what in which order, and where threads stand in the end."""

from typing import cast

import pytest

from cseq.backends.records import Record, Tag, records
from cseq.model.actions import ObjectKind
from cseq.model.claims import Memory, MemoryState
from cseq.model.origin import Origin
from cseq.model.trace import Thread
from cseq.modules.analysis import probes
from cseq.modules.explicit.encode.step_accesses import ATOMIC, READ, SECTION, WRITE
from cseq.modules.explicit.encode.step_program import Steps
from cseq.modules.explicit.step_output import StepOutput
from cseq.modules.explicit.step_tracer import NO_THREAD, StepPoint, StepTracer
from cseq.modules.tracing import observations as obs
from cseq.modules.tracing.execution import ReplayEvent

MAIN, WORK = Thread(0, "main"), Thread(1, "work")
ATOMIC_WRITE, SECTION_WRITE = WRITE | ATOMIC, WRITE | ATOMIC | SECTION
STORE = obs.AccessedValue("write", "x", "int")


class Place:
    """A place of a step program, of which only the function that starts there matters here."""

    def __init__(self, start: str) -> None:
        self.start = start


class Program:
    """What a tracer has made, and the places, as far as they are looked at."""

    def __init__(self, points: list[StepPoint], values: list[obs.Observation]) -> None:
        self.points = points
        self.values = values
        self.places = [Place("main"), Place("work__cs2"), Place("__cs_helper"), None]


def point(line: int, role: str = "", loops: tuple[int, ...] = ()) -> StepPoint:
    return StepPoint(NO_THREAD, Origin("a.c", line), role=role, loops=loops)


def followed(
    text: str, points: list[StepPoint] | None = None, values: list[obs.Observation] | None = None
) -> StepOutput:
    program = Program(points or [point(3), point(5), point(7, "creates"), point(9, "ends")], values or [STORE])
    return StepOutput(records(text), cast(StepTracer, program), cast(Steps, program))


def shown(happenings: list[ReplayEvent]) -> list[tuple[Thread, int] | tuple[obs.Observation | None, int]]:
    """Of a point its thread and line; of a value what it is, and its bits."""
    return [(h.point.thread, h.point.origin.line) if h.point else (h.value, h.bits) for h in happenings]


def test_the_functions_of_threads_are_called_as_the_user_does() -> None:
    read = followed("thread 0 0\nthread 1 1\nthread 2 2\nthread 3 3\nended")
    assert read.threads == [MAIN, WORK, Thread(2, "__cs_helper"), Thread(3, "")]


def test_who_executes_what_and_which_values_are_seen() -> None:
    read = followed("thread 0 0\nturn 0\nat 0\nvalue 0 2a\nthread 1 1\nturn 1\nat 1\nturn 0\nat 1\nended")
    assert shown(list(read.happenings())) == [(MAIN, 3), (STORE, 42), (WORK, 5), (MAIN, 5)]
    assert read.end == Record(Tag.ENDED)


def test_transitions_from_one_up_to_another() -> None:
    read = followed("thread 0 0\nthread 1 1\nturn 0\nat 0\nturn 1\nat 1\nturn 0\nat 1\nended")
    assert shown(list(read.happenings(1))) == [(WORK, 5), (MAIN, 5)]
    assert shown(list(read.happenings(0, 1))) == [(MAIN, 3)]


def test_a_statement_that_creates_a_thread_knows_which() -> None:
    read = followed("thread 0 0\nturn 0\nat 2\nthread 1 1\nturn 0\nat 2\nended")
    assert [happening.point and happening.point.created for happening in read.happenings()] == [WORK, None]


def test_the_end_of_a_thread_is_seen_as_such() -> None:
    read = followed("thread 0 0\nthread 1 1\nturn 1\nat 1\nat 3\nended")
    assert shown(list(read.happenings())) == [(WORK, 5), (obs.ThreadEnded(1), 1)]


def test_places_in_front_of_which_threads_can_stand_are_no_statements() -> None:
    found = followed("thread 0 0\nturn 0\nat 0\nat 1\nended", [point(3, "stands"), point(5)])
    assert shown(list(found.happenings())) == [(MAIN, 5)]


def test_iterations_are_counted_for_each_thread_and_anew_for_each_run_of_a_loop() -> None:
    values: list[obs.Observation] = [obs.Loop(1), obs.Iteration(1)]
    turns = ["turn 0\nvalue 0 0", "turn 1\nvalue 0 0", "turn 0", "turn 0\nvalue 0 0"]
    text = "\n".join(["thread 0 0\nthread 1 1", *(f"{turn}\nvalue 1 0\nat 0" for turn in turns), "ended"])
    found = followed(text, [point(3, loops=(1,))], values).happenings()
    turns = [(h.point.thread.number, h.point.origin.iteration) for h in found if h.point]
    assert turns == [(0, (1,)), (1, (1,)), (0, (2,)), (0, (1,))]


def test_the_assertion_that_fails_and_the_invariant_are_the_end() -> None:
    read = followed("thread 0 0\nturn 0\nat 0\nfailed assertion: x == 2\n")
    assert (read.end, read.invariant) == (Record(Tag.FAILED, text="assertion: x == 2"), "")
    read = followed("thread 0 0\nturn 0\nat 0\nended\ninvariant invariant: x < 2")
    assert (read.end, read.invariant) == (Record(Tag.ENDED), "invariant: x < 2")


def test_all_of_some_threads_are_blocked() -> None:
    read = followed("thread 0 0\nthread 1 1\nturn 0\nat 0\nended\nasked 0\nat 0\nblocked 0\nasked 1\nat 1")
    assert read.blocked([0]) and not read.blocked([1]) and not read.blocked([0, 1])
    assert read.end == Record(Tag.ENDED)


def test_where_blocked_threads_stand_and_what_their_calls_are_about() -> None:
    sighted = obs.LibraryObject(ObjectKind.MUTEX, "m")
    asked = "asked 0\nat 0\nat 1\nvalue 0 ff\nvalue 1 60\nblocked 0\nasked 1\nat 1\nvalue 1 60"
    text = f"thread 0 0\nthread 1 1\nturn 0\nat 0\nended\n{asked}"
    found = list(followed(text, [point(3), point(5)], [STORE, sighted]).blocks())
    assert shown(found) == [(MAIN, 5), (sighted, 0x60)]
    assert found[0].point is not None and found[0].point.stands


def reaching(first: str, second: str) -> list[ReplayEvent]:
    """The race between what main and a thread are about to access: addresses, sizes and kinds."""
    asked = f"asked 1\nat 1\nvalue 1 1\naccess {second}\nasked 0\nat 0\nvalue 0 1\naccess {first}"
    text = f"thread 0 0\nthread 1 1\nturn 0\nat 0\nended\n{asked}"
    return followed(
        text, [point(3), point(5)], [obs.RaceAnnouncement("x", ""), obs.RaceAnnouncement("*p", "memcpy")]
    ).race()


def test_two_accesses_that_race() -> None:
    found = reaching(f"100 4 {WRITE:x}", f"102 1 {READ:x}")
    said = probes.SAID
    assert shown(found) == [
        (MAIN, 3), (obs.RaceAnnouncement("x", ""), 1),
        (obs.RaceVariable(said[0], 0), 0x100), (obs.RaceVariable(said[1], 0), 4), (obs.RaceVariable(said[2], 0), 1),
        (obs.RaceVariable(said[3], 0), 0),
        (WORK, 5), (obs.RaceAnnouncement("*p", "memcpy"), 1),
        (obs.RaceVariable(said[0], 1), 0x102), (obs.RaceVariable(said[1], 1), 1), (obs.RaceVariable(said[2], 1), 0),
        (obs.RaceVariable(said[3], 1), 0),
    ]  # fmt: skip
    assert all(happening.point.stands for happening in found if happening.point)


@pytest.mark.parametrize(("kind", "how"), [(WRITE, 0), (ATOMIC_WRITE, 1), (SECTION_WRITE, 2)])
def test_how_memory_is_accessed(kind: int, how: int) -> None:
    found = reaching(f"100 4 {kind:x}", f"100 4 {READ:x}")
    assert [h.bits for h in found if h.value == obs.RaceVariable(probes.SAID[3], 0)] == [how]


@pytest.mark.parametrize(
    ("first", "second", "races"),
    [
        (f"100 4 {WRITE:x}", f"100 4 {WRITE:x}", True),
        (f"100 4 {READ:x}", f"100 4 {READ:x}", False),
        (f"100 4 {WRITE:x}", f"104 4 {WRITE:x}", False),
        (f"104 4 {WRITE:x}", f"100 4 {WRITE:x}", False),
        (f"100 4 {WRITE:x}", f"103 4 {READ:x}", True),
        (f"100 4 {ATOMIC_WRITE:x}", f"100 4 {ATOMIC_WRITE:x}", False),
        (f"100 4 {ATOMIC_WRITE:x}", f"100 4 {READ:x}", True),
        (f"100 0 {WRITE:x}", f"100 4 {WRITE:x}", False),
    ],
)
def test_which_accesses_race(first: str, second: str, races: bool) -> None:
    assert bool(reaching(first, second)) is races


def test_a_blocked_thread_is_about_to_access_nothing() -> None:
    access = f"access 100 4 {WRITE:x}"
    text = f"thread 0 0\nthread 1 1\nturn 0\nended\nasked 0\nat 0\n{access}\nblocked 0\nasked 1\nat 1\n{access}"
    assert followed(text).race() == []


def test_what_became_of_memory() -> None:
    found = followed("thread 0 0\nturn 0\nat 1\nchanged 100\nat 0\nmemory freed 100\nfailed memsafety.read")
    assert found.memory == Memory(MemoryState.FREED, Origin("a.c", 5))
    assert followed("thread 0 0\nmemory outside 8\nended").memory == Memory(MemoryState.OUTSIDE, size=8)
    assert followed("thread 0 0\nmemory there 0\nended").memory is None


def test_what_was_never_written_is_read_as_its_value() -> None:
    read = obs.AccessedValue("read", "x", "int")
    text = "thread 0 0\nturn 0\nat 0\nvalue 0 6660\nunwritten 2a\nat 1\nvalue 0 7\nunwritten 5\nended"
    happened = [(h.value and h.value.name, h.bits) for h in followed(text, values=[read]).happenings() if not h.point]
    assert happened == [("x", 0x2A), ("x", 7), ("what was never written", 5)]
