"""The output of a traced step program that followed a schedule.

`backends/explorer/follow.c` prints it: what each transition does (from the calls of `modules/explicit/step_tracer.py`),
and how the execution ends. Then, for each thread that was asked where it stands, its place, what it reports, each
access that counts for data races, and whether it is blocked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cseq.backends.records import ENDS, Record, Tag
from cseq.model.claims import Memory, MemoryState
from cseq.model.origin import Origin
from cseq.model.trace import Thread
from cseq.modules.analysis import probes
from cseq.modules.explicit.encode.step_accesses import ATOMIC, SECTION, WRITE
from cseq.modules.explicit.encode.step_program import ControlPlace, Steps
from cseq.modules.explicit.step_tracer import StepPoint, StepTracer
from cseq.modules.tracing.execution import ReplayEvent
from cseq.modules.tracing.observations import (
    AccessedValue,
    Clue,
    Iteration,
    Loop,
    ObjectOrder,
    Observation,
    RaceAnnouncement,
    RaceVariable,
    ThreadEnded,
)
from cseq.options.mutual_exclusion import Exclusion
from cseq.pipeline.translator import user_name

_UNWRITTEN = AccessedValue("read", "what was never written", "long long")
_STATES = frozenset(MemoryState)

_ADDRESS, _SIZE, _WRITES, _ATOMIC = probes.SAID


@dataclass
class _Part:
    """A transition of a thread, or its report on where it stands. created: the numbers of the threads that began.

    place: where it stands.
    """

    thread: int
    place: ControlPlace | None = None
    records: list[Record] = field(default_factory=list)
    created: list[int] = field(default_factory=list)

    @property
    def is_blocked(self) -> bool:
        return any(record.tag is Tag.BLOCKED for record in self.records)


@dataclass(frozen=True)
class _Reach:
    """An access that a thread is about to make. what: its announcement, if known."""

    point: StepPoint
    what: RaceAnnouncement | None
    start: int
    size: int
    kind: int

    def races(self, other: _Reach) -> bool:
        overlap = self.start < other.start + other.size and other.start < self.start + self.size
        return overlap and bool((self.kind | other.kind) & WRITE) and not self.kind & other.kind & ATOMIC

    def said(self) -> dict[str, int]:
        """What the symbolic verdict of the symbolic family would have recorded."""
        how = 2 if self.kind & SECTION else int(bool(self.kind & ATOMIC))
        return {_ADDRESS: self.start, _SIZE: self.size, _WRITES: int(bool(self.kind & WRITE)), _ATOMIC: how}


class StepOutput:
    """Reads what the program *reported* that *tracer* instrumented; *steps* has its places.

    threads: those created, in order. end: how the execution ended. invariant: the text of an invariant that
    does not hold in the last state; "" where all hold, or there is none.
    """

    def __init__(self, reported: Iterable[Record], tracer: StepTracer, steps: Steps) -> None:
        self._tracer = tracer
        self.threads: list[Thread] = []
        self.end = Record(Tag.OTHER)
        self.invariant = ""
        self._made: list[_Part] = []
        self._stands: list[_Part] = []
        self._memory: Record | None = None
        self._changed: dict[int, Origin | None] = {}  # where the object at an address was allocated, freed or ended
        self._last: dict[int, Origin] = {}  # the statement that each thread has begun
        self._turns: dict[tuple[int, int], int] = {}
        self._reached: dict[tuple[int, int], tuple[tuple[int, ...], StepPoint]] = {}  # the last time; by point, thread
        part = _Part(0)
        for record in reported:
            match record.tag:
                case Tag.AT:
                    part.records.append(record)
                    if (origin := tracer.points[record.number].origin).line:
                        self._last[part.thread] = origin.plain()
                case Tag.VALUE | Tag.ACCESS | Tag.ORDER:
                    part.records.append(record)
                case Tag.TURN:
                    part = _Part(record.number)
                    self._made.append(part)
                case Tag.UNWRITTEN:
                    if not self._is_shown(part, record.number):
                        part.records.append(record)
                case Tag.THREAD:
                    place = steps.places[record.value]
                    start = place.start if place is not None else ""
                    self.threads.append(Thread(record.number, user_name(start) or start))
                    part.created.append(record.number)
                case Tag.ASKED:
                    part = _Part(record.number)
                    self._stands.append(part)
                case Tag.PLACE:
                    part.place = steps.places[record.number]
                case Tag.CHANGED:
                    self._changed[record.number] = self._last.get(part.thread)
                case Tag.MEMORY:
                    self._memory = record
                case Tag.INVARIANT:
                    self.invariant = record.text
                case Tag.BLOCKED if self._stands:
                    part.records.append(record)
                case end if end in ENDS and not self._stands:
                    self.end = record

    def _is_shown(self, part: _Part, value: int) -> bool:
        """Whether the statement has announced the read of what was never written. It is then read as *value*.

        Such memory is zero; fresh blocks are filled with sixes.
        """
        for number in reversed(range(len(part.records))):
            record = part.records[number]
            if record.tag is Tag.AT:
                break
            seen = self._tracer.values[record.number] if record.tag is Tag.VALUE else None
            if isinstance(seen, AccessedValue) and seen.kind == "read" and not f"{record.value:x}".strip("06"):
                part.records[number] = record._replace(numbers=(record.number, value))
                return True
        return False

    @property
    def memory(self) -> Memory | None:
        """What became of the memory that the claim is about which fails, if it is about memory."""
        known = self._memory
        if known is None or known.text not in _STATES:
            return None
        state = MemoryState(known.text)
        if state is MemoryState.OUTSIDE:
            return Memory(state, size=known.number)
        return Memory(state, self._changed.get(known.number))

    def blocked(self, threads: Sequence[int]) -> bool:
        """Whether all of *threads* are."""
        stuck = {part.thread for part in self._stands if part.is_blocked}
        return stuck.issuperset(threads)

    def happenings(self, begin: int = 0, end: int | None = None) -> Iterator[ReplayEvent]:
        """What the threads did from transition *begin* up to *end*, without where they stand at the end."""
        for part in self._made[begin:end]:
            created = iter(part.created)
            for point, value, bits in self._reports(part):
                if point is None:
                    yield ReplayEvent(None, value, bits)
                elif point.role == "ends":
                    yield ReplayEvent(None, ThreadEnded(part.thread), 1)
                elif point.role == "creates":
                    number = next(created, None)
                    thread = None if number is None else self.threads[number]
                    yield ReplayEvent(replace(point, created=thread))
                elif point.role != "stands":
                    yield ReplayEvent(point)

    def blocks(self) -> Iterator[ReplayEvent]:
        """Where blocked threads stand, and the objects that their calls use."""
        for part in self._stands:
            reports = list(self._reports(part))
            last = max((n for n, (point, *_) in enumerate(reports) if point is not None), default=None)
            if not part.is_blocked or last is None:
                continue
            point = reports[last][0]
            assert point is not None
            yield ReplayEvent(_at_stand(point))
            yield from (ReplayEvent(*item) for item in reports[last + 1 :] if isinstance(item[1], Clue))

    def together(self, exclusion: Exclusion) -> list[ReplayEvent]:
        """Where the two threads stand that were asked, if that is at the lines of *exclusion*; empty if it is not."""
        stands = {part.thread: part for part in reversed(self._stands) if part.place is not None}
        if len(stands) != 2:
            return []
        one, other = (stands[thread] for thread in sorted(stands))
        if not any(
            line.has(_origin(one)) and another.has(_origin(other)) for line, another in (exclusion, exclusion[::-1])
        ):
            return []
        return [ReplayEvent(_at_stand(self._standing(part))) for part in (one, other)]

    def _standing(self, part: _Part) -> StepPoint:
        """The statement before which a thread stands."""
        origin = _origin(part)
        assert origin is not None
        return StepPoint(self.threads[part.thread], origin.plain())

    def race(self) -> list[ReplayEvent]:
        """Two racing accesses that threads are about to make; empty where there are none."""
        reaches = {part.thread: list[_Reach]() for part in sorted(self._stands, key=lambda part: part.thread)}
        for part in self._stands:
            reaches[part.thread].extend(self._reaches(part))
        first, *others = reaches.values()
        for one in first:
            for other in (reach for more in others for reach in more):
                if one.races(other):
                    return [happening for side in enumerate((one, other)) for happening in _side(*side)]
        return []

    def _reaches(self, part: _Part) -> Iterator[_Reach]:
        point: StepPoint | None = None
        what: RaceAnnouncement | None = None
        if part.is_blocked:
            return
        for record in part.records:
            if record.tag is Tag.AT:
                point = self._placed(record.number, part.thread)
                point = point if point.role != "ends" else None
            elif record.tag is Tag.VALUE:
                value = self._tracer.values[record.number]
                what = value if isinstance(value, RaceAnnouncement) else what
            elif record.tag is Tag.ACCESS and point is not None:
                yield _Reach(point, what, *record.numbers)

    def _reports(self, part: _Part) -> Iterator[tuple[StepPoint | None, Observation | None, int]]:
        for record in part.records:
            if record.tag is Tag.AT:
                yield self._placed(record.number, part.thread), None, 0
            elif record.tag is Tag.UNWRITTEN:
                yield None, _UNWRITTEN, record.number
            elif record.tag is Tag.ORDER:
                yield None, ObjectOrder(record.text), 0
            elif record.tag is Tag.VALUE:
                value = self._tracer.values[record.number]
                if isinstance(value, (Loop, Iteration)):
                    key = part.thread, value.number
                    self._turns[key] = 0 if isinstance(value, Loop) else self._turns.get(key, 0) + 1
                else:
                    yield None, value, record.value

    def _placed(self, number: int, thread: int) -> StepPoint:
        """A point as *thread* reaches it."""
        point = self._tracer.points[number]
        assert isinstance(point, StepPoint)
        turns = tuple(max(self._turns.get((thread, loop), 1), 1) for loop in point.loops)
        known = self._reached.get((number, thread))
        if known is None or known[0] != turns:  # what is not in a loop, or waits in one, is reached again as it was
            origin = point.origin._replace(iteration=(*point.origin.iteration, *turns))
            # An execution may have millions of them, and `replace` takes several times as long.
            known = turns, StepPoint(**{**vars(point), "thread": self.threads[thread], "origin": origin})
            self._reached[number, thread] = known
        return known[1]


def _origin(part: _Part) -> Origin | None:
    return part.place.origin if part.place is not None else None


def _at_stand(point: StepPoint) -> StepPoint:
    return replace(point, stands=True)


def _side(number: int, reach: _Reach) -> Iterator[ReplayEvent]:
    yield ReplayEvent(_at_stand(reach.point))
    if reach.what is not None:
        yield ReplayEvent(None, reach.what, 1)
    for name, bits in reach.said().items():
        yield ReplayEvent(None, RaceVariable(name, number), bits)
