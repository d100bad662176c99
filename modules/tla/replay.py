"""Find the exact execution of the step program of which TLC found an outline.

TLC says which thread makes a step after which, and where it stands afterwards, but not what it chooses: an input, which
of the waiting threads wakes up. The engine `native` looks for an execution like that, and gives its schedule, which
`modules/explicit/replay.py` can follow. `backends/explorer/guide/guide.c` documents outlines.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cseq.model.claims import Claim, Kind, Reason
from cseq.model.errors import BackendError
from cseq.model.origin import Origin
from cseq.modules.explicit.encode.step_program import ControlPlace, Steps, labels_hook
from cseq.modules.explicit.engine import Exploration, compiled, read
from cseq.modules.explicit.run import link
from cseq.modules.tla.spec import FAILED, Specification
from cseq.process.run import run

_ENDED = 0  # the place of a thread that has ended
_SECONDS = 60.0
_MOST_EXPECTED = 2000  # moves: more make a program that takes long to compile
_GRACE = 2.0


@dataclass(frozen=True)
class Move:
    """A step of a thread in a trace of TLC's.

    before, after: the labels where the thread stands; None where it does not exist, or has ended. expected: what the
    memory is afterwards, as far as that is known: C expressions over the step program's objects, and their values.
    others: threads that may have made the step as well, where the trace does not say which one has.
    """

    thread: int
    before: str | None
    after: str | None
    expected: Mapping[str, int] = field(default_factory=dict)
    others: frozenset[int] = frozenset()

    @property
    def threads(self) -> frozenset[int]:
        """Those that may have made the step."""
        return self.others | {self.thread}


@dataclass(frozen=True)
class _WantedMove:
    """A transition that is wanted. places: where the thread may stand afterwards; none: anywhere.

    seldom: whether it may go on past these places.
    """

    threads: frozenset[int]
    places: tuple[int, ...]
    seldom: bool
    expected: Mapping[str, int]


class PlaceNumbers:
    """The numbers of the places of a step program that a label of the specification stands for."""

    def __init__(self, specification: Specification, steps: Steps) -> None:
        self._specification = specification
        self._places = steps.places
        self._of_node: dict[int, list[int]] = defaultdict(list)
        self._of_line: dict[tuple[str, int, str], list[int]] = defaultdict(list)
        for number, place in enumerate(steps.places):
            if place is None or place.entry:
                continue
            self._of_node[id(place.node)].append(number)
            if (line := _line(place.origin)) is not None:
                self._of_line[line].append(number)
        matched = {one.start for one in specification.statements if id(one.node) in self._of_node}
        self._others = {one.start for one in specification.statements} - matched

    def of(self, label: str) -> tuple[int, ...]:
        """The places; none if threads do not stop there."""
        statement = self._specification.statement(label)
        return tuple(self._of_node.get(id(statement.node), ())) or self._similar(label)

    def seldom(self, label: str) -> bool:
        """Whether threads of the step program may go on past the places of the label without stopping."""
        numbers = self.of(label)
        return bool(numbers) and (not self._is_known(label) or all(self._place(number).seldom for number in numbers))

    def _similar(self, label: str) -> tuple[int, ...]:
        """The places at the same line of the program, for functions of which the step program has copies."""
        statement = self._specification.statement(label)
        line = _line(statement.origin)
        return () if line is None or statement.start not in self._others else tuple(self._of_line.get(line, ()))

    def _is_known(self, label: str) -> bool:
        return id(self._specification.statement(label).node) in self._of_node

    def _place(self, number: int) -> ControlPlace:
        place = self._places[number]
        assert place is not None
        return place


def _line(origin: Origin | None) -> tuple[str, int, str] | None:
    return None if origin is None else (origin.file, origin.line, origin.function or "")


def violation(status: str) -> Exploration:
    """What is wanted where the status of the last memory says that a claim does not hold: its kind and its text."""
    key = status.removeprefix(FAILED)
    claim = Claim.of(key)
    kind = "crash" if claim.kind is Kind.CRASH and claim.reason is not Reason.SIGNAL else "assertion"  # else it traps
    return Exploration("violated", kind, key)


def outline(
    moves: Sequence[Move], sought: Exploration, places: PlaceNumbers
) -> tuple[list[str], list[Mapping[str, int]]]:
    """The outline of an execution, in lines as the engine reads them, and what is expected after each move.

    A step from a label where no other thread may run belongs to the transition that began before it.
    """
    kept: list[_WantedMove] = []
    repeated = 0
    following: dict[int, str | None] = {}  # where the thread's next transition begins
    pending: dict[int, Mapping[str, int]] = {}  # what is expected after steps that belong to an earlier transition
    later = set[int]()
    for number in range(len(moves) - 1, -1, -1):
        move = moves[number]
        if sought.cycle == number + 1:
            repeated = len(kept)
        if move.others:
            kept.append(_WantedMove(move.threads, (), False, move.expected))
            continue
        if move.thread not in later:
            later.add(move.thread)
            following[move.thread] = move.after
        expected = {**move.expected, **pending.pop(move.thread, {})}
        if move.before is not None and not places.of(move.before):
            pending[move.thread] = expected
            continue
        label = following[move.thread] if move.after is not None and not places.of(move.after) else move.after
        found = (_ENDED,) if label is None else places.of(label)
        kept.append(_WantedMove(move.threads, found, label is not None and places.seldom(label), expected))
        following[move.thread] = move.before
    if sought.cycle == 0:
        repeated = len(kept)
    kept.reverse()
    lines = [f"move {_set(one.threads)} {int(one.seldom)} {' '.join(map(str, one.places))}".rstrip() for one in kept]
    return [*lines, _end(sought, len(kept) - repeated)], [one.expected for one in kept]


def _end(sought: Exploration, first: int) -> str:
    """The last line of an outline. first: the number of the move from which on moves are repeated."""
    if sought.cycle is not None:
        return f"ends repeated {first}"
    if sought.kind in (Kind.DEADLOCK, Kind.RACE):
        return f"ends {sought.kind} {_set(sought.threads)}"
    if sought.kind == Kind.CRASH:  # several signals may stand for one claim
        return "ends crash"
    if sought.kind in (Kind.INVARIANT, "assertion"):
        return f"ends {'invariant' if sought.kind == Kind.INVARIANT else 'violated'} {sought.text}"
    return "ends reached"


def _set(threads: Iterable[int]) -> str:
    return f"{sum(1 << thread for thread in threads):x}"


def expectations(expected: Iterable[Mapping[str, int]]) -> str:
    """C text to append to the step program: whether its memory is what is expected after a move."""
    cases = [
        f"case {number}: return {' && '.join(f'({name}) == ({value}LL)' for name, value in values.items())};"
        for number, values in enumerate(expected)
        if values
    ]
    if not cases or len(cases) > _MOST_EXPECTED:
        return ""
    return f"int __CSEQ_is_expected(unsigned int move) {{ switch (move) {{ {' '.join(cases)} }} return 1; }}\n"


def guided(
    text: str,
    moves: Sequence[Move],
    sought: Exploration,
    specification: Specification,
    steps: Steps,
    folder: Path,
    bits: int,
    left: float | None = None,
) -> Exploration:
    """The exact execution, as the explicit replay needs it.

    text: the step program. sought: what is violated: a kind with its text (the key of the claim, also for a crash), or
    with the threads that are stuck or race; or a cycle: the number of the move from which on moves are repeated for
    ever, or of all moves where the last state stays for ever. left: seconds.

    For other kinds, the last state is what counts. Raises BackendError if none is found.
    """
    lines, expected = outline(moves, sought, PlaceNumbers(specification, steps))
    program = compiled(text + labels_hook(steps) + expectations(expected), folder / "steps.o", bits, left)
    binary, path = folder / "guide", folder / "outline.txt"
    link(program, binary, folder, "the search for the execution", left)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    seconds = _SECONDS if left is None else min(left, _SECONDS)
    command = [str(binary), "--guide", str(path), "--time", f"{seconds:.1f}"]
    done = run(command, timeout=seconds + _GRACE, folder=folder, reserves=True)
    try:
        found = read(done.stdout)
    except ValueError:
        why = "out of time" if done.timed_out else f"exit status {done.status}"
        raise BackendError(f"TLC's trace was not followed: {why}") from None
    if found.status != "violated":
        raise BackendError(f"TLC's trace was not followed: {found.text or found.status}")
    if sought.cycle is not None:
        return replace(sought, schedule=found.schedule, cycle=found.cycle)
    if sought.kind == Kind.CRASH and sought.text not in ("", found.claim.key):
        raise BackendError(f"TLC's trace was not followed: the program crashes, by {found.text}")
    if lines[-1] == "ends reached":
        return replace(sought, schedule=found.schedule)
    return replace(sought, kind=found.kind, text=found.text, schedule=found.schedule, threads=found.threads)
