"""The pool of a cluster: each job is done by one of its workers."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cseq.model.errors import BackendError, UsageError
from cseq.model.jobrecords import JobEnd, JobRecord
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.options.cluster_options import CLUSTER, address
from cseq.pipeline.chain import modules_folder
from cseq.pipeline.jobs import Job, JobResult, Plan
from cseq.pipeline.session import Session
from cseq.pipeline.status import JobsChanged
from cseq.portfolio.cluster import messages
from cseq.portfolio.cluster.child import Bundle
from cseq.portfolio.cluster.transport import pack, unpack
from cseq.process.tree import Family

_AHEAD = 2
"""So many jobs for each place on a worker are submitted, so that none waits for us."""

_LEAVING = 3.0
"""Seconds for the broker to tell the cluster that nothing is wanted any more."""


@contextlib.contextmanager
def cluster_for(
    session: Session, values: Mapping[str, object], engines: Sequence[str], folder: Path
) -> Iterator[ClusterPool]:
    """The pool for the jobs of *session* on the cluster that the *values* of options name, while the block runs.

    engines: the backends that look for the answer. folder: for temporary files. Raises as `cluster` does.
    """
    where = address(str(CLUSTER.of(values)))
    _check(session, engines)
    settings = messages.Settings(
        "" if where.workers else where.url,
        where.workers,
        tls=messages.tls_of(values),
        engines=tuple(engines),
        is_open=len(engines) > 1,
    )
    with cluster(settings, folder) as pool:
        pool.session = session
        yield pool


@contextlib.contextmanager
def cluster(settings: messages.Settings, folder: Path) -> Iterator[ClusterPool]:
    """The pool of the cluster that *settings* describe, while the block runs. folder: for temporary files.

    Whatever ends the block, nothing of its jobs goes on, and workers that were started are gone.
    Raises UsageError without dask.distributed, UsageError and BackendError for a cluster that cannot be used.
    """
    if importlib.util.find_spec("distributed") is None:
        raise UsageError("--cluster takes dask.distributed: pip install 'lazy-cseq[cluster]'")
    with tempfile.TemporaryDirectory(prefix=".cluster-", dir=folder, ignore_cleanup_errors=True) as own:
        if settings.workers:
            settings = replace(settings, folder=own)
        family = Family()
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with control, (Path(own) / "errors").open("wb") as errors:
            with theirs:
                process = subprocess.Popen(
                    [sys.executable, "-m", "cseq.portfolio.cluster.broker", str(theirs.fileno())],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                    env=family.environment(PYTHONPATH=_path()),
                )
            family.leader = process.pid
            try:
                assert process.stdin is not None
                with contextlib.suppress(BrokenPipeError), process.stdin:
                    process.stdin.write(pickle.dumps(settings))
                yield ClusterPool(control, Path(own) / "errors")
            finally:
                control.close()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0 if settings.workers else _LEAVING)
                family.kill()
                process.wait()


class ClusterPool:
    """Has jobs done by the workers of a cluster, through the broker at the other end of *control*.

    engines: those that the workers have, as far as they are needed. session: what the jobs begin with.
    errors: a file with what the broker has to say where it ends.
    """

    is_far = True
    session: Session
    engines: frozenset[str] | None

    def __init__(self, control: socket.socket, errors: Path) -> None:
        self._control = control
        self._errors = errors
        link, ready = self._linked()
        link.close()
        self.width, self.engines = ready.width, ready.engines

    @property
    def has_room(self) -> bool:
        """Whether another job could begin: the cluster itself divides its places between those that there are."""
        return True

    def begin(self, many: int = 1) -> bool:
        """This process works on something itself: that takes no place on a worker."""
        return True

    def work(self, plan: Plan) -> None:
        """Have the jobs of *plan* done; see `cseq.pipeline.jobs.Pool`."""
        context = self.session.context
        link, ready = self._linked()
        running: dict[int, Job] = {}
        begun = over = 0

        def tell() -> None:
            names = [job.name for job in running.values()]  # those that were submitted first are done first
            waiting = plan.waiting + max(len(names) - self.width, 0)
            context.report(JobsChanged(tuple(names[: self.width]), over, waiting))

        with contextlib.closing(link), contextlib.ExitStack() as stack:
            stack.callback(lambda: context.report(JobsChanged((), over)))
            self.width = ready.width
            while not plan.is_done:
                while len(running) < _AHEAD * self.width and (job := plan.next()) is not None:
                    begun += 1
                    running[begun] = job
                    self._say(link, messages.Submit(begun, self._bundle(job), not job.name.tile))
                    tell()
                if not running:
                    return
                match self._heard(link):
                    case messages.Width(width):
                        self.width = width
                    case messages.Answer(number) as answer:
                        job = running.pop(number)
                        over += 1
                        done = _done(answer)
                        lost = (JobRecord(job.name, JobEnd.LOST, each.seconds, each.worker) for each in answer.lost)
                        for record in (*lost, done.record(job)):
                            context.note(record)
                        plan.over(job, done)
                        tell()

    def _bundle(self, job: Job) -> bytes:
        """The job, with what a worker needs to know."""
        session = self.session
        values = dict(job.values)
        begun = session.begun(values)
        try:
            return pack(Bundle(session.chain.path.stem, tuple(session.paths), begun, job))
        except RecursionError:
            raise BackendError("the program is nested too deeply to be sent to a cluster") from None

    def _linked(self) -> tuple[messages.Link, messages.Ready]:
        """A new connection to the broker. Raises CSeqError where the cluster cannot be used."""
        try:
            link = messages.connect(self._control)
        except OSError:
            raise self._ended() from None
        try:
            said = self._heard(link)
            assert isinstance(said, messages.Ready)
            return link, said
        except BaseException:
            link.close()
            raise

    def _say(self, link: messages.Link, message: messages.Submit) -> None:
        try:
            link.say(message)
        except OSError:
            raise self._ended() from None

    def _heard(self, link: messages.Link) -> messages.Said:
        """What the broker says next. Raises CSeqError where that is an end."""
        try:
            said = link.heard()
        except (EOFError, OSError):
            raise self._ended() from None
        if isinstance(said, messages.Unavailable):
            raise (UsageError if said.is_usage else BackendError)(f"--cluster: {said.message}")
        return said

    def _ended(self) -> BackendError:
        """The error for a broker that is gone."""
        time.sleep(0.05)  # it may still be writing
        with contextlib.suppress(OSError):
            lines = self._errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            if lines:
                return BackendError(f"--cluster: the connection to the cluster ended: {lines[-1]}")
        return BackendError("--cluster: the connection to the cluster ended")


def _done(answer: messages.Answer) -> JobResult:
    """What became of a job."""
    report = answer.report
    if report is None:  # most likely the system killed the workers for want of memory
        outcome = Outcome(Verdict.UNKNOWN, Reason.MEMORY, "the workers of the cluster died with it")
        return JobResult(outcome, worker=answer.lost[-1].worker if answer.lost else "")
    done = _unpacked(report)
    if isinstance(done.outcome, OSError):  # not about a file of the user's
        what = done.outcome.strerror or str(done.outcome)
        done = replace(done, outcome=BackendError(f"on the worker {report.worker}: {what.lower()}"))
    return JobResult(done.outcome, done.facts, done.times, done.seconds, report.worker)


def _unpacked(report: messages.Report) -> JobResult:
    """The result in *report*; a failure where there is none, which is an answer to nothing."""
    try:
        done = unpack(report.done)
    except Exception as error:  # bytes from elsewhere may be anything
        return JobResult(
            BackendError(f"the worker {report.worker} has sent no result: {type(error).__name__}: {error}")
        )
    if not isinstance(done, JobResult) or not isinstance(done.outcome, (Outcome, Exception)):
        return JobResult(BackendError(f"the worker {report.worker} has sent no result, but a {type(done).__name__}"))
    return done


def _check(session: Session, engines: Sequence[str]) -> None:
    """Raise UsageError for a chain or an engine that workers do not have."""
    if session.chain.path.parent.resolve() != modules_folder().resolve() or not session.is_ours:
        raise UsageError(f"--cluster: the workers have no chain {session.chain.path}; only those that come with CSeq")
    declared = next((engine for engine in engines if engine.endswith(".toml")), None)
    if declared is not None:
        raise UsageError(f"--cluster: the workers have no file {declared}; only the engines that CSeq knows by name")


def _path() -> str:
    """The search path of another Python that is to find what this one does."""
    return os.pathsep.join(path for path in sys.path if path)
