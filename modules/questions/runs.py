"""Runs of a chain with given bounds, on this machine or, where a cluster does the work, as jobs on others."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cseq.model.errors import UsageError
from cseq.model.jobrecords import JobName
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.options.bounds import RECURSION, THREADS, UNWIND
from cseq.options.properties import PROPERTY, TIMEOUT
from cseq.pipeline.facts import Fact, Facts
from cseq.pipeline.jobs import Job, JobResult, Pool
from cseq.pipeline.stage import Parameter, Runner

Run = Callable[[dict[str, object], Path], Outcome]
"""Runs the stages of a chain with these values of the parameters; the folder is for intermediate files."""


def bounds_of(values: Mapping[str, object], bounds: Sequence[Parameter[int | None]]) -> tuple[tuple[str, int], ...]:
    """The names of those of the parameters *bounds* that have a value in *values*, with that value."""
    given = ((parameter.name, parameter.of(values)) for parameter in bounds)
    return tuple((name, value) for name, value in given if value is not None)


class WholeRun:
    """A plan: the run with *values*, called *name*. end: when the time is up, in `time.monotonic` seconds, or None.

    wanted: the facts that are read after it. done: its result; out of time until there is one.
    """

    def __init__(
        self, values: Mapping[str, object], name: JobName, end: float | None, wanted: Sequence[Fact[Any]]
    ) -> None:
        left = None if end is None else max(end - time.monotonic(), 0.0)
        self._job: Job | None = Job(name, values, left, tuple(wanted))
        self.is_done = False
        self.done = JobResult(Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "out of time"))

    @property
    def waiting(self) -> int:
        """Whether the job has not begun."""
        return int(self._job is not None)

    def next(self) -> Job | None:
        """The job, once."""
        job, self._job = self._job, None
        return job

    def over(self, job: Job, done: JobResult) -> None:
        """It is done."""
        self.done = done
        self.is_done = True


class Runs:
    """Runs of the chain of *session*. engine: the parameter of its engine. wanted: the facts that are read afterwards.

    bounds: the parameters that tell one run from another, for the names of jobs.
    """

    def __init__(
        self,
        session: Runner,
        engine: Parameter[str],
        wanted: Sequence[Fact[Any]],
        bounds: Sequence[Parameter[int | None]] = (UNWIND, RECURSION, THREADS),
    ) -> None:
        self._session = session
        self._engine = engine
        self._wanted = wanted
        self._bounds = bounds

    def run(self, values: dict[str, object], folder: Path) -> Outcome:
        """The outcome with *values*. folder: for intermediate files."""
        return self._once(values, folder)

    def name(self, values: Mapping[str, object]) -> JobName:
        """What a run with *values* is called."""
        bounds = bounds_of(values, self._bounds)
        return JobName(str(self._engine.of(values)), str(PROPERTY.of(values)), bounds)

    def _once(self, values: dict[str, object], folder: Path) -> Outcome:
        pool = self._session.context.pool
        if pool is not None and pool.is_far:
            return self._elsewhere(values, folder, pool)
        outcome = self._session.run(values, folder)
        if not isinstance(outcome, Outcome):
            raise UsageError("the chain ends without a verdict")
        return outcome

    def _elsewhere(self, values: dict[str, object], folder: Path, pool: Pool) -> Outcome:
        """The outcome with *values*, of a run on another machine."""
        context = self._session.context
        context.left(TIMEOUT.of(values))
        context.workdir = folder
        whole, end = WholeRun(values, self.name(values), context.end, self._wanted), context.end
        pool.work(whole)
        done = whole.done
        context.end, context.facts = end, Facts()
        for fact in self._wanted:
            if fact.name in done.facts:
                context.facts[fact] = done.facts[fact.name]
        for stage, seconds in done.times.items():
            context.times[stage] = context.times.get(stage, 0.0) + seconds
        if isinstance(done.outcome, Exception):
            raise done.outcome
        context.warnings = list(done.outcome.warnings)
        return done.outcome
