"""A pool that does not have tiles checked again whose ends are in a journal."""

from cseq.pipeline.jobs import Job, JobResult, Journal, Plan, Pool


class JournalPool:
    """Has jobs done by *pool*, except for tiles that *journal* knows, and has it remember the other ones."""

    def __init__(self, pool: Pool, journal: Journal) -> None:
        self._pool = pool
        self._journal = journal
        self.is_far, self.engines = pool.is_far, pool.engines

    @property
    def width(self) -> int:
        """How many jobs at a time."""
        return self._pool.width

    @property
    def has_room(self) -> bool:
        """Whether another job could begin at this moment."""
        return self._pool.has_room

    def begin(self, many: int = 1) -> bool:
        """This process works on something itself."""
        return self._pool.begin(many)

    def work(self, plan: Plan) -> None:
        """Have the jobs of *plan* done; see `cseq.pipeline.jobs.Pool`."""
        self._pool.work(_Rest(plan, self._journal))


class _Rest:
    """What is left of *plan* where *journal* knows the ends of some jobs."""

    def __init__(self, plan: Plan, journal: Journal) -> None:
        self._plan = plan
        self._journal = journal

    @property
    def is_done(self) -> bool:
        return self._plan.is_done

    @property
    def waiting(self) -> int:
        return self._plan.waiting

    def next(self) -> Job | None:
        while not self._plan.is_done and (job := self._plan.next()) is not None:
            known = self._journal.known(job) if job.name.tile else None
            if known is None:
                return job
            self._plan.over(job, known)
        return None

    def over(self, job: Job, done: JobResult) -> None:
        if job.name.tile:
            self._journal.add(job, done)
        self._plan.over(job, done)
