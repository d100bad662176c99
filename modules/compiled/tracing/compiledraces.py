"""The data races of a recorded run."""

from __future__ import annotations

from cseq.model.claims import RACE
from cseq.model.trace import Atomicity, Race, RaceKind, Racing
from cseq.model.verdict import Property
from cseq.modules.compiled.client.record import AccessKind
from cseq.modules.compiled.client.recorded import RaceFound, RaceSide, Recorded
from cseq.modules.compiled.tracing.blocked import hold
from cseq.modules.compiled.tracing.callpaths import CallPaths
from cseq.modules.compiled.tracing.compiledsteps import CompiledSteps
from cseq.modules.compiled.tracing.held_locks import Possession, at_times
from cseq.modules.compiled.tracing.memorynames import MemoryNames

_KINDS = {AccessKind.READ: RaceKind.READ, AccessKind.WRITE: RaceKind.WRITE, AccessKind.FREE: RaceKind.FREE}


def races(recorded: Recorded, paths: CallPaths, names: MemoryNames, steps: CompiledSteps) -> dict[Property, RaceFound]:
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
