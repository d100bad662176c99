"""A run with given bounds, divided into tiles: parts of its schedules, each of which is a smaller question.

A tile that takes too long, or too much memory, is divided in two. The first violation is the answer. Where no tile has
one, the answers of all of them together are that of the whole.
"""

import random
import time
from collections.abc import Mapping
from dataclasses import replace

from cseq.model.claims import Cut, Limit
from cseq.model.jobrecords import JobName
from cseq.model.verdict import Bound, Outcome, Reason, Tiles, Verdict
from cseq.modules.symbolic.encode.sequentializer.tiles import TILE, Tile
from cseq.modules.symbolic.encode.unroller.room import THINNED
from cseq.modules.symbolic.verdict import REACHED
from cseq.pipeline.jobs import Job, JobResult

_BOX = 20.0
"""Seconds that a tile may take before it is divided."""

_GROWTH = 1.5
"""How many times as long each half of a tile may take."""

_PER_WORKER = 4
"""So many tiles for each worker in the beginning, at least."""

_LEAST, _MOST = 8, 1 << 40
"""The number of tiles in the beginning at least, and the number of which one is not divided any more."""

_MOST_MEMORY = 1
"""How often in a row too little memory divides a tile: where halves need as much, smaller ones most likely do, too."""

_ATTEMPTS = 3
"""How often a tile is tried whose process ends without an answer."""

_GOING_ON = frozenset({Reason.BOUNDED, Reason.UNWINDING})
"""The reasons for which a tile has no violation."""

_NO_TIME = "the engine ran out of time"

WANTED = (REACHED, THINNED)
"""The facts that are combined."""


class Tiling:
    """A plan: the tiles of the run with *values*. It can be gone on with after a break.

    name: of the whole run. workers: how many tiles can be checked at the same time. end: when the time is up, in
    `time.monotonic` seconds; None for never. seed: of the order of the tiles.
    beside: whether the whole is checked as well, by one of the workers, from the beginning and for as long as it takes:
    its violation may be easier to find than that of any tile, and the first answer is right.
    reached: the cut that some execution in some tile reaches. thinned: whether loops were cut off for want of room.
    """

    def __init__(
        self, values: Mapping[str, object], name: JobName, workers: int, seed: int = 0, beside: bool = False
    ) -> None:
        self.end: float | None = None
        self.reached: Cut | None = None
        self.thinned = False
        self._values = values
        self._name = name
        self._random = random.Random(seed)
        parts = _LEAST
        while parts < _PER_WORKER * workers:
            parts *= 2
        self._box = dict.fromkeys((Tile(number, parts) for number in range(parts)), _BOX)
        self._left = list(self._box)
        self._random.shuffle(self._left)
        self._going: set[Tile] = set()
        self._whole_waits, self._whole_goes = beside, False
        self._of_whole: Outcome | None = None
        self._failures: dict[Tile, int] = {}
        self._hungry: dict[Tile, int] = {}  # how often in a row memory was too little for what they are a part of
        self._lost: dict[Tile, Outcome] = {}  # those for which memory is too little
        self._answers: dict[Tile, Outcome] = {}
        self._final: Outcome | None = None
        self._unclear: Outcome | None = None  # of the first tile whose violation, if it is one, is not known to exist
        self._stopped: Outcome | None = None  # of the last tile that ran out of time or memory
        self._error: Exception | None = None

    @property
    def is_done(self) -> bool:
        """Whether the answer is known."""
        if self._final is not None or self._of_whole is not None or self._error is not None:
            return True
        return not (self._left or self._going) and not (self._lost and self._whole_goes)

    @property
    def waiting(self) -> int:
        """The number of jobs that have not begun."""
        return len(self._left) + self._whole_waits

    @property
    def tiles(self) -> Tiles:
        """How many tiles have no violation, and how many there are."""
        return Tiles(len(self._answers), len(self._answers) + len(self._left) + len(self._going) + len(self._lost))

    def next(self) -> Job | None:
        """The whole, if it is checked beside its tiles; then the next tile, in random order."""
        left = None if self.end is None else self.end - time.monotonic()
        if not self._left or (left is not None and left <= 0):
            return None
        if self._whole_waits:
            self._whole_waits, self._whole_goes = False, True
            return Job(self._name, self._values, left, WANTED)
        tile = self._left.pop()
        self._going.add(tile)
        box = self._box[tile] if left is None else min(self._box[tile], left)
        return Job(replace(self._name, tile=str(tile)), {**self._values, TILE.name: str(tile)}, box, WANTED)

    def over(self, job: Job, done: JobResult) -> None:
        """A tile has been checked, or has not; or the whole."""
        if not job.name.tile:
            self._whole_over(done)
            return
        tile = Tile.read(job.name.tile)
        self._going.discard(tile)
        outcome = done.outcome
        if isinstance(outcome, Exception):
            self._failures[tile] = self._failures.get(tile, 0) + 1
            if self._failures[tile] < _ATTEMPTS:
                self._left.append(tile)
            else:
                self._error = outcome
        elif outcome.reason is Reason.TIMEOUT and self.end is not None and time.monotonic() >= self.end:
            self._stopped = outcome
            self._left.append(tile)  # it had less time than it may have
        elif outcome.reason in (Reason.TIMEOUT, Reason.MEMORY):
            self._stopped = outcome
            hungry = self._hungry.get(tile, 0) + 1 if outcome.reason is Reason.MEMORY else 0
            if hungry > _MOST_MEMORY:
                self._lost[tile] = outcome
            else:
                self._divide(tile, hungry)
        elif outcome.verdict is Verdict.TRUE or (outcome.reason in _GOING_ON and not _is_about(tile, outcome)):
            self._error = AssertionError(f"the part {tile} of the schedules is said to be all of them")
        elif outcome.reason in _GOING_ON:
            self._answers[tile] = outcome
            reached = done.facts.get(REACHED.name)
            self.reached = self.reached or (reached if isinstance(reached, Cut) else None)
            self.thinned = self.thinned or bool(done.facts.get(THINNED.name))
        elif outcome.verdict is Verdict.FALSE:
            self._final = outcome
        else:
            self._unclear = self._unclear or outcome

    def _whole_over(self, done: JobResult) -> None:
        """If it has no answer, the tiles may have one: an error of its own is one of theirs, too."""
        self._whole_goes = False
        outcome = done.outcome
        if isinstance(outcome, Exception) or outcome.reason in (Reason.TIMEOUT, Reason.MEMORY):
            return
        if outcome.verdict is Verdict.UNKNOWN and outcome.reason not in _GOING_ON:
            self._unclear = self._unclear or outcome
            return
        self._of_whole = outcome
        reached = done.facts.get(REACHED.name)
        self.reached = reached if isinstance(reached, Cut) else None
        self.thinned = bool(done.facts.get(THINNED.name))

    def outcome(self) -> Outcome:
        """The answer for the whole, as far as it is known. Raises what ended a tile for good."""
        if self._error is not None:
            raise self._error
        if self._of_whole is not None:
            return self._of_whole
        final = self._final or self._unclear
        if final is not None:
            return replace(final, bounds=_others(final.bounds), tiles=self.tiles)
        if self._lost and not self._left and not self._going:
            lost = next(iter(self._lost.values()))
            return replace(lost, bounds=_others(lost.bounds), tiles=self.tiles)
        if self._left or self._going or not self._answers:
            stopped = self._stopped or Outcome(Verdict.UNKNOWN)
            bounds = _others(stopped.bounds)
            return replace(stopped, reason=Reason.TIMEOUT, message=_NO_TIME, bounds=bounds, tiles=self.tiles)
        outcomes = list(self._answers.values())
        chosen = max(outcomes, key=lambda outcome: outcome.reason is Reason.UNWINDING)
        bounds = list(dict.fromkeys(bound for outcome in outcomes for bound in _others(outcome.bounds)))
        warnings = list(dict.fromkeys(caution for outcome in outcomes for caution in outcome.warnings))
        chosen = replace(chosen, bounds=bounds, warnings=warnings, tiles=self.tiles)
        if not bounds:
            return replace(chosen, verdict=Verdict.TRUE, reason=None, message="", about=())
        return chosen

    def _divide(self, tile: Tile, hungry: int) -> None:
        halves = tile.halves() if tile.parts < _MOST else (tile,)
        for half in halves:
            self._hungry[half] = hungry
            self._box[half] = self._box[tile] * _GROWTH
            self._left.insert(0, half)  # after those that may be easy


def _is_about(tile: Tile, outcome: Outcome) -> bool:
    """Whether *outcome* says that it is about this part of the schedules only."""
    cuts = [bound.cut for bound in outcome.bounds if bound.cut.limit is Limit.TILE]
    return [(cut.number, cut.runs) for cut in cuts] == [(tile.number, tile.parts)]


def _others(bounds: list[Bound]) -> list[Bound]:
    """*bounds* without that of the tile."""
    return [bound for bound in bounds if bound.kind != Limit.TILE]
