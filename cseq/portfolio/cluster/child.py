"""The process that does one job on a worker: ``python -m cseq.portfolio.cluster.child``.

It reads the job from standard input, and writes the result to standard output. It ends, with everything that it has
started, when standard input is closed: the worker is gone then.
"""

import os
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from cseq.model.errors import BackendError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.options.properties import JOBS, MEMLIMIT
from cseq.pipeline.chain import load
from cseq.pipeline.jobs import Job, JobResult
from cseq.pipeline.localpool import perform
from cseq.pipeline.session import Session, StageResult
from cseq.pipeline.stage import Context
from cseq.portfolio.cluster.messages import LENGTH
from cseq.portfolio.cluster.transport import pack, unpack
from cseq.portfolio.collection import without_collection
from cseq.process.deadline import TimeUpError, alarm
from cseq.process.portfolio import end_with, portable

GRACE = 1.0
"""Seconds after the time limit in which engines may say what they have found."""

RECURSION = 20_000
"""The recursion limit: trees are as deep as programs are nested."""


@dataclass(frozen=True)
class Bundle:
    """A job, with all that a machine needs to know that has none of the user's files.

    chain: the name of the chain. paths: what the user calls the files. begun: what the first stage made of them.
    """

    chain: str
    paths: tuple[str, ...]
    begun: StageResult
    job: Job


def do(bundle: Bundle, folder: Path, memory: int | None) -> JobResult:
    """Do the job in this process. folder: for intermediate files. memory: megabytes that it may take."""
    job = bundle.job
    begun = time.monotonic()
    values = {**job.values, JOBS.name: 1}
    if memory is not None and values.get(MEMLIMIT.name) is None:
        values[MEMLIMIT.name] = memory
    context = Context(values, folder)
    session = Session(load(bundle.chain), list(bundle.paths), context)
    session.go_on(bundle.begun)
    try:
        with alarm(None if job.seconds is None else begun + job.seconds + GRACE):
            return perform(replace(job, values=values), session, folder)
    except TimeUpError:
        outcome = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "out of time")
        return JobResult(outcome, times=context.times, seconds=time.monotonic() - begun)
    except Exception as error:
        return JobResult(portable(error), times=context.times, seconds=time.monotonic() - begun)


def main() -> int:
    """Do the job of standard input."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))
    answer, life = os.dup(1), os.dup(0)  # nothing that is started has these
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    memory = int(sys.argv[1]) or None
    (size,) = LENGTH.unpack(_read(life, LENGTH.size))
    data = _read(life, size)
    try:
        end_with(life)
        with without_collection(), tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            done = do(unpack(data), Path(folder), memory)
    except KeyboardInterrupt:
        return 1
    result = _packed(done)
    left = memoryview(LENGTH.pack(len(result)) + result)
    while left:
        left = left[os.write(answer, left) :]
    return 0


def _packed(done: JobResult) -> bytes:
    try:
        return pack(done)
    except Exception as error:  # an outcome with something of an engine's that cannot be sent
        return pack(JobResult(BackendError(f"the result cannot be sent: {error}"), seconds=done.seconds))


def _read(file: int, number: int) -> bytes:
    parts = []
    while number:
        part = os.read(file, min(number, 1 << 20))
        if not part:
            raise SystemExit(1)
        parts.append(part)
        number -= len(part)
    return b"".join(parts)


if __name__ == "__main__":
    sys.exit(main())
