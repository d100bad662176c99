"""Runs of a chain that can be made at the same time, on one machine or on several.

A plan says which jobs there are, and learns how each ended; a pool has them done.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cseq.model.errors import BackendError, CSeqError
from cseq.model.jobrecords import JobEnd, JobName, JobRecord
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.pipeline.facts import Fact

PASSING = frozenset({
    "timeout", "memlimit", "jobs", "only", "tile", "resume", "cluster", "insecure", "tls_ca_file", "tls_cert", "tls_key"
})  # fmt: skip
"""Names of parameters that do not change what a run is about, apart from its part of the schedules."""


def telling(values: Mapping[str, object]) -> dict[str, object]:
    """Those of the *values* that say what a run is about, as JSON has them."""
    told = json.dumps({name: value for name, value in values.items() if name not in PASSING}, default=repr)
    found: dict[str, object] = json.loads(told)
    return found


@dataclass(frozen=True)
class Job:
    """One run of a chain. It can be pickled, and means the same on each machine that has the sources.

    name: which part of the work it is. values: of all parameters. seconds: after which it is given up, if not None.
    wanted: the facts that are read after the run.
    """

    name: JobName
    values: Mapping[str, object]
    seconds: float | None = None
    wanted: tuple[Fact[Any], ...] = ()

    @property
    def key(self) -> str:
        """A hash that all tiles of the same run share, in each session, and no other jobs."""
        name = self.name
        about = [name.engine, name.property, name.bounds, name.search, name.seed, name.program, telling(self.values)]
        return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class JobResult:
    """What became of a job.

    outcome: of the run, or the exception that ended it. facts: those that were wanted, by name. times: seconds per
    stage. seconds: how long it took. worker: who did it; empty for this machine.
    """

    outcome: Outcome | Exception
    facts: Mapping[str, object] = field(default_factory=dict)
    times: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    worker: str = ""

    def record(self, job: Job) -> JobRecord:
        """The entry for the report about *job*, of which this is the result."""
        return JobRecord(job.name, ending(self.outcome), self.seconds, self.worker)


_ENDS = {
    Reason.TIMEOUT: JobEnd.TIMEOUT, Reason.MEMORY: JobEnd.MEMORY, Reason.INTERRUPTED: JobEnd.STOPPED,
    Reason.BOUNDED: JobEnd.NOTHING, Reason.UNWINDING: JobEnd.NOTHING, Reason.UNPROVED: JobEnd.NOTHING,
}  # fmt: skip


def ending(outcome: Outcome | Exception) -> JobEnd:
    """How a job ended that had this *outcome*."""
    if isinstance(outcome, Exception):
        is_refusal = isinstance(outcome, CSeqError) and not isinstance(outcome, BackendError)
        return JobEnd.REFUSED if is_refusal else JobEnd.FAILED
    if outcome.verdict is not Verdict.UNKNOWN:
        return JobEnd.VIOLATED if outcome.verdict is Verdict.FALSE else JobEnd.PROVED
    return _ENDS.get(outcome.reason or Reason.BACKEND, JobEnd.FAILED)


class Plan(Protocol):
    """Which jobs there are. A pool asks for them, and reports how each ended, in any order."""

    @property
    def is_done(self) -> bool:
        """Whether the answer is known, so that jobs that go on can be stopped."""

    @property
    def waiting(self) -> int:
        """How many jobs are known that have not begun."""

    def next(self) -> Job | None:
        """A job to begin now; None if there is none until others have ended."""

    def over(self, job: Job, done: JobResult) -> None:
        """*job* has ended. It is reported once."""


class Pool(Protocol):
    """Has jobs done.

    is_far: whether on other machines, so that whatever takes time belongs there.
    engines: the backends that these have; None where what this machine has counts.
    """

    is_far: bool
    engines: frozenset[str] | None

    @property
    def width(self) -> int:
        """How many jobs at a time."""

    @property
    def has_room(self) -> bool:
        """Whether another job could begin at this moment."""

    def begin(self, many: int = 1) -> bool:
        """This process begins to work on something itself, on *many* processors: that counts as so many jobs.

        Returns whether there was room for any.
        """

    def work(self, plan: Plan) -> None:
        """Have the jobs of *plan* done until it is done, or has no more of them.

        Jobs that are lost are done again. Nothing is left of any job in the end, whatever ends the work.
        """


class Journal(Protocol):
    """Remembers how jobs ended, also after this process."""

    def known(self, job: Job) -> JobResult | None:
        """How *job* ended earlier, if that spares doing it again; None otherwise."""

    def add(self, job: Job, done: JobResult) -> None:
        """*job* has ended. Whatever is worth remembering is on disk when this returns."""
