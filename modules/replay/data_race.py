"""A data race in words, from what its replay saw."""

from __future__ import annotations

import re
from dataclasses import replace

from cseq.base.claims import RACE
from cseq.base.trace import Hold, Racing
from cseq.base.verdict import Property
from cseq.modules.analysis import probes
from cseq.modules.replay.evidence import Evidence, Stand

_ADDRESS, _SIZE, _WRITES, _ATOMIC = probes.SAID
_FREES = frozenset({"free", "realloc", "reallocarray"})
_HOW = ("", "atomically", "in an atomic section")
_ACTIONS = {"reads": "read", "writes": "write", "frees": "free"}


class Race:
    """The two accesses of a race: the first is that of the thread with the smaller number."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        said = evidence.said
        starts = said[_ADDRESS]
        ends = [starts[side] + said[_SIZE][side] for side in (0, 1)]
        first, last = max(starts.values()), min(ends)
        self._memory = evidence.objects.name_of(first, last - first) or ""
        self._sizes = {stand.thread: said[_SIZE][number] for number, stand in enumerate(evidence.stands)}
        self.sides = [self._side(number, stand) for number, stand in enumerate(evidence.stands)]

    def _side(self, number: int, stand: Stand) -> Racing:
        said = self._evidence.said
        text, function = stand.accesses or ("", "")
        writes = bool(said[_WRITES][number])
        whole = self._evidence.objects.name_of(said[_ADDRESS][number], said[_SIZE][number])
        name = text if not whole or _is_field_of(text, whole) else whole
        held = self._evidence.held_by(stand.thread)
        return Racing(
            stand.thread,
            stand.origin,
            "frees" if writes and function in _FREES else "writes" if writes else "reads",
            name,
            _HOW[said[_ATOMIC][number]],
            function,
            tuple(Hold(lock.name, lock.since, lock.reading) for lock in held),
        )

    @property
    def violated(self) -> Property:
        """The property, with the race in words; its place is that of a write."""
        one, other = sorted(self.sides, key=lambda side: side.action == "reads")
        names = {side.name for side in self.sides} - {""}
        # What both touch; where the program has no name for that, what the one calls it who touches less.
        least = min(self.sides, key=lambda side: self._sizes[side.thread])
        memory = names.pop() if len(names) == 1 else self._memory or least.name or one.name or other.name
        on = f" on `{memory}`" if memory else ""
        same = replace(one, thread=other.thread, holds=other.holds) == other
        if same:
            both = f"{one.thread} and {other.thread} both {_ACTIONS[one.action]} {_what(one, memory)} at {one.origin}"
            return Property(RACE, one.origin, account=f"data race{on}: {both}")
        sides = [f"{side.thread} {_doing(side, memory)} at {side.origin}" for side in (one, other)]
        return Property(RACE, one.origin, account=f"data race{on}: {', '.join(sides)}")


def about(side: Racing) -> list[str]:
    """What the reader is told of a thread that stands in front of its access: what it is about to do, and its locks."""
    action = _ACTIONS[side.action]
    how = f" {side.how}" if side.how else ""
    by = f" in {side.function}" if side.function and side.function != "free" else ""
    holds = [f"holds {lock.name}{' for reading' if lock.reading else ''} since {lock.since}" for lock in side.holds]
    return [f"is about to {action} {side.name or 'memory'}{how}{by}", *(holds or ["holds no lock"])]


def _doing(side: Racing, memory: str) -> str:
    how = f" {side.how}" if side.how else ""
    return f"{side.action} {_what(side, memory)}{how}"


def _what(side: Racing, memory: str) -> str:
    """What is accessed: `memory` is what the sentence is about."""
    what = "it" if side.name in ("", memory) else f"`{side.name}`"
    if not memory:
        what = "memory"
    return f"{what} in `{side.function}`" if side.function and side.function != "free" else what


def _is_field_of(text: str, whole: str) -> bool:
    """Whether *text* is a part of the object *whole* that has no address of its own: a bit-field."""
    return re.match(rf"{re.escape(whole)}\.\w+$", text) is not None
