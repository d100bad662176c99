"""The two sides of a data race, from what its replay saw."""

import re

from cseq.model.claims import RACE
from cseq.model.trace import Atomicity, Race, RaceKind, Racing
from cseq.model.verdict import Property
from cseq.modules.analysis import probes
from cseq.modules.library.primitives import with_reusing
from cseq.modules.tracing.deadlock import hold
from cseq.modules.tracing.evidence import Evidence, StoppedThread

_ADDRESS, _SIZE, _WRITES, _ATOMIC = probes.SAID
_FREES = with_reusing("free", "realloc", "reallocarray")
_HOW = (Atomicity.NONE, Atomicity.ATOMIC, Atomicity.SECTION)


class Conflict:
    """The two accesses of a race.

    sides: both accesses, the smaller thread number first. violated: the property; its place is that of a write.
    """

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        said = evidence.said
        starts = said[_ADDRESS]
        ends = [starts[side] + said[_SIZE][side] for side in (0, 1)]
        first, last = max(starts.values()), min(ends)
        shared = evidence.objects.path_to(first, last - first) or ""
        sizes = {stand.thread: said[_SIZE][number] for number, stand in enumerate(evidence.stands)}
        self.sides = [self._side(number, stand) for number, stand in enumerate(evidence.stands)]
        one, other = sorted(self.sides, key=lambda side: side.action is RaceKind.READ)
        names = {side.name for side in self.sides} - {""}
        # What both touch; if the program has no name for it, the name used by the side that touches fewer bytes.
        least = min(self.sides, key=lambda side: sizes[side.thread])
        memory = names.pop() if len(names) == 1 else shared or least.name or one.name or other.name
        self.violated = Property(RACE, one.origin, account=Race((one, other), memory))

    def _side(self, number: int, stand: StoppedThread) -> Racing:
        said = self._evidence.said
        text, function = stand.accesses or ("", "")
        whole = self._evidence.objects.name_of(said[_ADDRESS][number], said[_SIZE][number])
        action = RaceKind.READ
        if said[_WRITES][number]:
            action = RaceKind.FREE if function in _FREES else RaceKind.WRITE
        return Racing(
            stand.thread,
            stand.origin,
            action,
            text if not whole or _is_field_of(text, whole) else whole,
            _HOW[said[_ATOMIC][number]],
            function,
            tuple(hold(held) for held in self._evidence.held_by(stand.thread)),
        )


def _is_field_of(text: str, whole: str) -> bool:
    """Whether *text* is a part of the object *whole* that has no address of its own, that is, a bit-field."""
    return re.match(rf"{re.escape(whole)}\.\w+$", text) is not None
