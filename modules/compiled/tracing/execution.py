"""What a recorded run was, in terms of the user's sources."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from cseq.model.claims import RACE
from cseq.model.origin import Origin
from cseq.model.trace import Atomicity, Counterexample, Race, RaceKind, Racing, Step
from cseq.model.verdict import Property
from cseq.modules.compiled.client.record import AccessKind, End, EntryFlag, Op
from cseq.modules.compiled.client.recorded import RaceFound, RaceSide, RecordedRun
from cseq.modules.compiled.tracing.blocked import BlockedThreads, hold
from cseq.modules.compiled.tracing.callpaths import CallPaths
from cseq.modules.compiled.tracing.compiledsteps import CompiledSteps
from cseq.modules.compiled.tracing.held_locks import Possession, at_times
from cseq.modules.compiled.tracing.memorynames import MemoryNames
from cseq.modules.compiled.tracing.symbolizer import Symbolizer

# The data races of a recorded run.

_KINDS = {AccessKind.READ: RaceKind.READ, AccessKind.WRITE: RaceKind.WRITE, AccessKind.FREE: RaceKind.FREE}


def races(
    recorded: RecordedRun, paths: CallPaths, names: MemoryNames, steps: CompiledSteps
) -> dict[Property, RaceFound]:
    """A property for each race of the run, in the order in which they were noticed; a write is the first side.

    Races at the same lines of the user's are one: the first.
    """
    times = [side.entry for race in recorded.races for side in (race.first, race.second)]
    held = at_times(recorded.operations, times)
    known: set[object] = set()
    found: dict[Property, RaceFound] = {}
    for race in recorded.races:
        memory = names.name(race.address, min(race.first.size, race.second.size)).name
        sides = [_side(side, race, held[side.entry], paths, names, steps) for side in (race.first, race.second)]
        key = frozenset((side.origin[:2], side.action) for side in sides)
        if key not in known:
            known.add(key)
            one, other = sorted(sides, key=lambda side: side.action is RaceKind.READ)
            found[Property(RACE, one.origin, account=Race((one, other), memory))] = race
    return found


def _side(
    side: RaceSide,
    race: RaceFound,
    held: list[Possession],
    paths: CallPaths,
    names: MemoryNames,
    steps: CompiledSteps,
) -> Racing:
    own = [each for each in held if each.thread == side.thread]
    return Racing(
        steps.thread(side.thread),
        paths.place(side.stack),
        _KINDS[side.kind],
        names.name(race.address, side.size).name,
        Atomicity.ATOMIC if side.atomic else Atomicity.NONE,
        paths.library_function(side.stack),
        tuple(hold(steps, each) for each in own),
    )


class RunTrace:
    """One run: its places, names and steps, made when they are asked for.

    folder: the one that the names of files are relative to; the current one by default. like: another run of the
    program; what is known of addresses is used again.
    """

    def __init__(self, recorded: RecordedRun, folder: Path | None = None, like: RunTrace | None = None) -> None:
        self.recorded = recorded
        self._symbolizer: Symbolizer
        if like is not None and like.recorded.modules == recorded.modules:
            self._symbolizer = like._symbolizer
        else:
            self._symbolizer = Symbolizer(recorded.modules, folder)
        self.paths = CallPaths(recorded, self._symbolizer, folder)
        self.names = MemoryNames(recorded, self._symbolizer, self.paths.origin, self.paths.line)

    @cached_property
    def steps(self) -> CompiledSteps:
        """The steps of the whole run."""
        return CompiledSteps(self.recorded, self.paths, self.names)

    @cached_property
    def blocked(self) -> BlockedThreads:
        """The threads that are blocked in the end."""
        return BlockedThreads(self.recorded, self.steps)

    @cached_property
    def races(self) -> dict[Property, RaceFound]:
        """The data races of the run, each with what was recorded of it."""
        return races(self.recorded, self.paths, self.names, self.steps)

    def end(self) -> Origin | None:
        """Where the run was ended: the user's line, if there is one."""
        recorded = self.recorded
        stacks = [recorded.stack]
        if recorded.end is End.EXITED:
            done = (each for each in recorded.operations if not each.flags & EntryFlag.PENDING)
            stacks += [each.stack for each in done if each.op == Op.EXIT]
        found = (self.paths.origin(stack) for stack in stacks if stack)
        return next((origin for origin in found if origin is not None), None)

    def counterexample(self) -> Counterexample:
        """The whole run, to its end. Threads that are blocked for ever stand in the end."""
        return Counterexample(list(self.steps.steps), list(self.paths.threads), partial=True)

    def of_deadlock(self) -> Counterexample:
        """The run, and where all threads stand in the end."""
        found = self.blocked
        steps = [*self.steps.steps, *found.steps()]
        return Counterexample(steps, list(self.paths.threads), stuck=found.stuck, partial=True)

    def of_race(self, race: Property) -> Counterexample:
        """The run up to the second access of a race."""
        account = race.account
        assert isinstance(account, Race)
        noticed = self.races[race]
        until = _executed_until(self.recorded, noticed.second.entry)
        steps = CompiledSteps(self.recorded, self.paths, self.names, until).steps
        last = next(s for s in account.sides if s.thread.number == noticed.second.thread)
        if not steps or (steps[-1].thread, steps[-1].origin) != (last.thread, last.origin):
            steps.append(Step(last.thread, last.origin, self.paths.line(last.origin)))
        return Counterexample(steps, list(self.paths.threads), racing=list(account.sides), partial=True)


def _executed_until(recorded: RecordedRun, entries: int) -> int:
    """How many operations were executed among the first *entries*."""
    return sum(not each.flags & EntryFlag.PENDING for each in recorded.operations[:entries])
