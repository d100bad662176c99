"""The words for jobs: what was done at the same time, and what is being done now."""

from collections import Counter
from collections.abc import Sequence

from cseq.model.jobrecords import JobEnd, JobName, JobRecord
from cseq.model.verdict import Tiles, limits
from cseq.report.catalogue import Catalogue

_ENDS = Catalogue(
    "job",
    {
        JobEnd.VIOLATED: "violation found",
        JobEnd.PROVED: "proved",
        JobEnd.NOTHING: "no violation",
        JobEnd.TIMEOUT: "out of time",
        JobEnd.MEMORY: "out of memory",
        JobEnd.FAILED: "failed",
        JobEnd.REFUSED: "not supported",
        JobEnd.STOPPED: "stopped",
        JobEnd.LOST: "lost with its worker",
    },
)


def job(name: JobName) -> str:
    """Which part of the work it is: "cbmc, 2 rounds, unwind 1, part 3/16", or "native, dfs, seed 4"."""
    parts = [name.program, name.engine, limits(dict(name.bounds)), name.search]
    seed = [] if name.seed is None else [f"seed {name.seed}"]
    tile = [f"part {name.tile}"] if name.tile else []
    return ", ".join([part for part in parts if part] + seed + tile)


def record(done: JobRecord) -> str:
    """What became of it: "cbmc, 2 rounds, unwind 1, part 3/16: out of time (20.0 s)"."""
    where = f" on {done.worker}" if done.worker else ""
    return f"{job(done.name)}: {_ENDS.say(done.end)}{where} ({done.seconds:.1f} s)"


def summary(jobs: Sequence[JobRecord]) -> str:
    """How many there were, and how they ended: "12 jobs: 1 violation found, 11 stopped"; empty for none."""
    if not jobs:
        return ""
    counted = Counter(each.end for each in jobs)
    ends = ", ".join(f"{counted[end]} {_ENDS.say(end)}" for end in JobEnd if counted[end])
    return f"{len(jobs)} {'job' if len(jobs) == 1 else 'jobs'}: {ends}"


def now(running: Sequence[JobName], done: int, waiting: int) -> str:
    """What goes on: "parts of 3 rounds, unwind 4: 5 running, 12 of 40 done". waiting: those that have not begun."""
    first = running[0] if running else JobName("")
    known = len(running) + done + waiting
    if first.tile:
        what = f"parts of {limits(dict(first.bounds))}"
    elif first.program:
        what = "programs"
    elif not running:
        return f"{waiting} waiting for a processor, {done} of {known} done"
    else:
        what = "further searches"
    of = f"{done} of {known}" if waiting or first.tile else str(done)
    return f"{what}: {len(running)} running, {of} done"


def progress(tiles: Tiles) -> str:
    """How far a run is that was divided and is not done: "12 of 16 parts of the schedules have no violation"."""
    return f"{tiles.done} of {tiles.all} parts of the schedules have no violation"
