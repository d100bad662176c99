"""A run with given bounds as a single job, for another machine."""

from __future__ import annotations

import time
from collections.abc import Mapping

from cseq.model.jobrecords import JobName
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.analysis.spurious import HAS_SPURIOUS
from cseq.modules.explicit.encode.step_program import STEPS
from cseq.modules.symbolic.encode.unroller.room import THINNED
from cseq.modules.symbolic.verdict import HURRIED, REACHED
from cseq.options.properties import CLAIMS
from cseq.pipeline.jobs import Done, Job

WANTED = (REACHED, HURRIED, THINNED, HAS_SPURIOUS, CLAIMS, STEPS)
"""The facts that the planners read after a run."""


class Whole:
    """A plan: the run with *values*, called *name*. end: when the time is up, in `time.monotonic` seconds, or None.

    done: what became of it; out of time where nothing has.
    """

    def __init__(self, values: Mapping[str, object], name: JobName, end: float | None) -> None:
        left = None if end is None else max(end - time.monotonic(), 0.0)
        self._job: Job | None = Job(name, values, left, WANTED)
        self.is_done = False
        self.done = Done(Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "out of time"))

    @property
    def waiting(self) -> int:
        """Whether the job has not begun."""
        return int(self._job is not None)

    def next(self) -> Job | None:
        """The job, once."""
        job, self._job = self._job, None
        return job

    def over(self, job: Job, done: Done) -> None:
        """It is done."""
        self.done = done
        self.is_done = True
