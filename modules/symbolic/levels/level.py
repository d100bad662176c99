"""One run of a chain with given bounds: as a whole at first, and in tiles if that takes too long."""

import time
from pathlib import Path
from typing import Any

from cseq.model.jobrecords import JobRecord
from cseq.model.verdict import Outcome, Reason
from cseq.modules.analysis.spurious import HAS_SPURIOUS
from cseq.modules.questions.runs import Runs
from cseq.modules.symbolic.encode.facts import ENCODING, PARTIAL_ORDER
from cseq.modules.symbolic.encode.instrumenter import BACKEND
from cseq.modules.symbolic.encode.sequentializer.contexts import ROUNDS
from cseq.modules.symbolic.encode.sequentializer.tiles import TILE
from cseq.modules.symbolic.encode.unroller.room import THINNED
from cseq.modules.symbolic.levels.tiling import Tiling
from cseq.modules.symbolic.verdict import HURRIED, REACHED
from cseq.options.bounds import RECURSION, THREADS, UNWIND
from cseq.options.properties import CLAIMS, MEMLIMIT, TIMEOUT
from cseq.pipeline.facts import Fact, Facts
from cseq.pipeline.jobs import Job, JobResult, ending
from cseq.pipeline.stage import Parameter, Runner

_BOX = 10.0
"""Seconds that the whole may take before it is divided."""

_BESIDE = 2
"""With so many workers at least, one of them goes on with the whole: so tiles take no longer than that does."""

_FACTS: tuple[Fact[Any], ...] = (REACHED, HURRIED, THINNED, HAS_SPURIOUS, CLAIMS)
"""The facts after a run that planners read."""

SEQUENTIALIZER = "sequentializer"
"""The stage that makes the tiles."""

_GIVEN_UP = (Reason.TIMEOUT, Reason.MEMORY)

BOUNDS: tuple[Parameter[Any], ...] = (ROUNDS, UNWIND, RECURSION, THREADS)
"""The bounds of a level."""


class Levels(Runs):
    """Runs of a chain, each with values of the parameters. What tiles have been checked is remembered."""

    def __init__(self, session: Runner) -> None:
        super().__init__(session, BACKEND, _FACTS, BOUNDS)
        self._tilings: dict[frozenset[tuple[str, object]], Tiling] = {}

    def run(self, values: dict[str, object], folder: Path) -> Outcome:
        """The outcome with *values*. folder: for intermediate files."""
        context = self._session.context
        if not self._can_be_divided(values):
            return self._once(values, folder)
        key = frozenset((name, _hashable(value)) for name, value in values.items() if name != TIMEOUT.name)
        tiling = self._tilings.get(key)
        if tiling is None:
            outcome, is_to_be_divided = self._whole(values, folder)
            if not is_to_be_divided:
                return outcome
            assert context.pool is not None
            workers, memory = context.pool.width, MEMLIMIT.of(values)
            if memory is not None and not context.pool.is_far:
                values = {**values, MEMLIMIT.name: max(memory // workers, 1)}
            beside = workers >= _BESIDE and not self._is_far and outcome.reason is Reason.TIMEOUT
            tiling = self._tilings[key] = Tiling(values, self.name(values), workers, beside=beside)
        return self._in_tiles(tiling, folder)

    def _whole(self, values: dict[str, object], folder: Path) -> tuple[Outcome, bool]:
        """The outcome of the whole, in the time that it may take, and whether its parts are to be checked instead."""
        context, journal = self._session.context, self._session.context.journal
        left = context.left(TIMEOUT.of(values))
        seconds = left if self._is_alone else _BOX if left is None else min(left, _BOX)
        job = Job(self.name(values), values, seconds, _FACTS)
        known = journal.known(job) if journal is not None else None
        if known is not None and isinstance(known.outcome, Outcome):
            is_given_up = known.outcome.reason in _GIVEN_UP
            if is_given_up and not self._is_far:
                self._session.run(values, folder, until=SEQUENTIALIZER)  # what the tiles have in common
            else:
                context.facts = Facts()
            for fact in _FACTS:
                if fact.name in known.facts:
                    context.facts[fact] = known.facts[fact.name]
            return known.outcome, is_given_up
        begun, end = time.monotonic(), context.end
        context.end = None if seconds is None else begun + seconds
        try:
            outcome = self._once(values, folder)
        finally:
            context.end = end
        is_limited = self._is_alone or (left is not None and left <= _BOX)
        if context.facts.get(HURRIED, False) and not is_limited:
            outcome = self._once(values, folder)  # no violation, and that is known: only the rest takes longer
        if journal is not None:
            facts = {fact.name: context.facts[fact] for fact in _FACTS if fact in context.facts}
            journal.add(job, JobResult(outcome, facts))
        lacks_memory = self._is_alone and outcome.reason is Reason.MEMORY
        if outcome.reason not in _GIVEN_UP or (is_limited and not lacks_memory):
            return outcome, False
        if not self._is_far:  # such a pool notes its jobs itself
            context.note(JobRecord(job.name, ending(outcome), time.monotonic() - begun))
        return outcome, True

    def _in_tiles(self, tiling: Tiling, folder: Path) -> Outcome:
        context = self._session.context
        assert context.pool is not None
        facts, end = context.facts, context.end
        tiling.end = end
        context.workdir = folder
        context.pool.work(tiling)
        context.facts, context.end = facts, end
        context.facts[REACHED] = tiling.reached
        context.facts[THINNED] = tiling.thinned
        return tiling.outcome()

    def _can_be_divided(self, values: dict[str, object]) -> bool:
        """Whether there is a pool, and the stages know tiles, and the user has not asked for one."""
        if self._session.context.pool is None or TILE.of(values) is not None:
            return False
        return has_tiles(self._session, values)

    @property
    def _is_alone(self) -> bool:
        """Whether there is a single worker: then the parts take longer than the whole, more often than not."""
        pool = self._session.context.pool
        return pool is not None and pool.width == 1 and not pool.is_far

    @property
    def _is_far(self) -> bool:
        """Whether other machines do the work."""
        pool = self._session.context.pool
        return pool is not None and pool.is_far


def has_tiles(session: Runner, values: dict[str, object]) -> bool:
    """Whether the stages that *session* runs with *values* can restrict a program to a part of its schedules."""
    return session.takes(TILE, values) and ENCODING.of(values) != PARTIAL_ORDER


def _hashable(value: object) -> object:
    return repr(value) if isinstance(value, (list, dict, set)) else value
