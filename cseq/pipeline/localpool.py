"""The pool of this machine: each job in a process of its own, which is a copy of this one."""

import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cseq.model.jobrecords import JobEnd, JobRecord
from cseq.model.verdict import Level, Outcome, Reason, Verdict
from cseq.pipeline.jobs import Job, JobResult, Plan
from cseq.pipeline.session import Session
from cseq.pipeline.status import JobsChanged
from cseq.process.deadline import TimeUpError, alarm
from cseq.process.job_slots import JobSlots
from cseq.process.portfolio import NOT_NOW, Contender, contest, portable

_NO_TIME = "out of time"

_GRACE = 0.5
"""Seconds after its time in which a job may say what it has found."""

_PAUSE = 1.0
"""Seconds after which a pool looks again if others have left it more slots."""

_NOTHING_TO_SEE = frozenset({Reason.BOUNDED, Reason.UNWINDING, Reason.TIMEOUT, Reason.MEMORY})
"""The intermediate files of such a job are not kept."""


@dataclass(frozen=True)
class _Began:
    """The message of a job that it has a slot."""


class LocalPool:
    """Has jobs done in processes that begin with what *session* has done so far.

    slots: a job waits for one, so that all pools of a run together use as many processors as there are slots.
    share: how many of them are for this pool now, where others want some, too; without it, all.
    """

    is_far = False
    engines: frozenset[str] | None = None

    def __init__(self, session: Session, slots: JobSlots, share: Callable[[], int] | None = None) -> None:
        self._session = session
        self.slots = slots
        self._share = share

    @property
    def width(self) -> int:
        """How many jobs at a time; that may change while others begin and end."""
        return self._share() if self._share is not None else self.slots.count

    @property
    def has_room(self) -> bool:
        """Whether a slot is free."""
        return self.slots.is_any_free

    def begin(self, many: int = 1) -> bool:
        """This process works on something itself."""
        return self.slots.try_to_take(many)

    def work(self, plan: Plan) -> None:
        """Have the jobs of *plan* done; see `cseq.pipeline.jobs.Pool`."""
        work = _Work(self, self._session, plan, self.slots)
        with self.slots.lent():
            try:
                contest(
                    work.contenders(), work.is_last, self._session.context.workdir,
                    hear=work.began, over=work.failed, most=self.slots.count, patience=None,
                    pause=None if self._share is None else _PAUSE,
                )  # fmt: skip
            finally:
                work.stopped()


class _Work:
    """The work on one *plan*."""

    def __init__(self, pool: LocalPool, session: Session, plan: Plan, slots: JobSlots) -> None:
        self._pool = pool
        self._session, self._plan, self._slots = session, plan, slots
        self._context = session.context
        self._folder = session.context.workdir
        self._begun: dict[str, Job] = {}
        self._since: dict[str, float] = {}  # when those that go on had their slots
        self._over = 0

    def contenders(self) -> Iterator[Contender[_Began, JobResult] | None]:
        """The jobs, as far as they are known."""
        while not self._plan.is_done:
            job = self._plan.next() if len(self._begun) - self._over < self._pool.width else None
            if job is None:
                yield NOT_NOW
                continue
            label = f"job {len(self._begun) + 1}"
            self._begun[label] = job
            yield Contender(label, self._in_its_process(job, self._own(label)))

    def began(self, label: str, message: _Began) -> None:
        """The job called *label* has its slot."""
        self._since[label] = time.monotonic()
        self._tell()

    def is_last(self, label: str, done: JobResult) -> bool:
        """The job called *label* is done. Returns whether the plan is."""
        self._since.pop(label, None)
        self._over += 1
        job = self._begun[label]
        self._context.note(done.record(job))
        self._plan.over(job, done)
        self._tell()
        if isinstance(done.outcome, Outcome) and done.outcome.reason in _NOTHING_TO_SEE:
            shutil.rmtree(self._own(label), ignore_errors=True)  # there may be thousands
        return self._plan.is_done

    def failed(self, label: str, answer: JobResult | Exception) -> bool:
        """The process of the job called *label* has ended, perhaps without an answer. Returns whether the plan is."""
        return isinstance(answer, Exception) and self.is_last(label, JobResult(answer))

    def stopped(self) -> None:
        """The jobs that still go on are stopped."""
        for label, since in self._since.items():
            record = JobRecord(self._begun[label].name, JobEnd.STOPPED, time.monotonic() - since)
            self._context.note(record)
        self._since.clear()
        self._context.report(JobsChanged((), self._over))

    def _own(self, label: str) -> Path:
        return self._folder / label.replace(" ", "-")

    def _tell(self) -> None:
        running = tuple(self._begun[label].name for label in self._since)
        waiting = self._plan.waiting + len(self._begun) - self._over - len(running)
        self._context.report(JobsChanged(running, self._over, waiting))

    def _in_its_process(self, job: Job, folder: Path) -> Callable[[Callable[[_Began], None]], JobResult]:
        """What the process for *job* does."""

        def silent(level: Level, named: bool) -> None:
            pass

        def quiet(outcome: Outcome) -> None:
            pass

        def work(say: Callable[[_Began], None]) -> JobResult:
            context = self._context
            context.watcher, context.tell, context.answered = None, silent, quiet
            context.progress = lambda phase: None
            if not self._slots.take(context.end):
                return JobResult(Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, _NO_TIME))
            say(_Began())
            begun = time.monotonic()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the alarm of the parent process does not ring here
            ends = [end for end in (context.end, None if job.seconds is None else begun + job.seconds) if end]
            try:
                with alarm(min(ends) + _GRACE if ends else None):
                    return perform(job, self._session, folder)
            except Exception as error:
                return JobResult(portable(error), seconds=time.monotonic() - begun)

        return work


def perform(job: Job, session: Session, folder: Path) -> JobResult:
    """Do *job* in this process. folder: for intermediate files. Raises what ends the run, except for lack of time."""
    context = session.context
    begun, times = time.monotonic(), dict(context.times)
    if job.seconds is not None:
        context.end = min(begun + job.seconds, context.end or begun + job.seconds)
    try:
        outcome = session.run(dict(job.values), folder)
    except TimeUpError:
        outcome = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, _NO_TIME)
    facts = {fact.name: context.facts[fact] for fact in job.wanted if fact in context.facts}
    spent = {stage: seconds - times.get(stage, 0.0) for stage, seconds in context.times.items()}
    return JobResult(outcome, facts, spent, time.monotonic() - begun)
