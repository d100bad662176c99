"""What a task of ours does on a worker of the cluster: it has one job done in a process of its own.

A task that is no longer wanted runs on in its thread, since dask stops no running task. So each task looks itself
whether the scheduler still wants it. That is known in the worker, without a request: it also shows that the run has
ended in any way, or that the scheduler has gone, without a message of ours.
"""

import contextlib
import os
import select
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from distributed import get_worker
from distributed.core import Status

from cseq import version
from cseq.model.errors import BackendError, CSeqError, MissingError
from cseq.model.verdict import Reason
from cseq.pipeline.jobs import JobResult
from cseq.portfolio.cluster.messages import LENGTH, Report
from cseq.portfolio.cluster.transport import pack, unpack
from cseq.portfolio.cluster.versions import Versions, differences, installed
from cseq.process.tree import Family

PAUSE = 0.05
"""Seconds between two looks whether the job is still wanted."""

_ALIVE = (Status.running, Status.paused)

_TOLD = 400
"""The most characters of what a process has printed that a message repeats."""


def work(payload: bytes, wanted: Versions | None, tools: tuple[str, ...]) -> Report:
    """Have the job in *payload* done. wanted: what has to be installed here, of tools only *tools*; None for any."""
    worker: Any = get_worker()
    key = worker.get_current_task()
    name = f"{socket.gethostname()}/{worker.name}"
    if wanted is not None and (found := mismatch(wanted, tools)):
        return Report(b"", name, worker.address, refusal=f"the worker {name} has {', '.join(found)}")

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state in ("executing", "long-running") and worker.status in _ALIVE

    begun = time.monotonic()
    folder = None
    try:
        folder = tempfile.mkdtemp(prefix="cseq-", dir=_place(worker))
        done = done_in_child(payload, folder, memory(worker), is_wanted)
    except OSError as error:
        done = pack(JobResult(BackendError(f"on {name}: {error.strerror or error}")))
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
    return Report(done, name, worker.address, time.monotonic() - begun, has_failed(unpack(done)))


def mismatch(wanted: Versions, tools: tuple[str, ...]) -> list[str]:
    """How this machine differs from what is *wanted*, in words."""
    here = installed(tools)
    return [*differences(wanted.core(), here.core()), *differences(wanted.of(tools), here.of(tools))]


def memory(worker: Any) -> int:
    """Megabytes for one job: the worker's part of the machine, as dask has divided it; 0 where it has not."""
    limit = getattr(getattr(worker, "memory_manager", None), "memory_limit", None)
    return int(limit) // max(worker.state.nthreads, 1) >> 20 if limit else 0


def has_failed(done: JobResult) -> bool:
    """Whether *done* may be different on another machine: not for what is wrong with the program or the options."""
    if isinstance(done.outcome, Exception):
        return not isinstance(done.outcome, CSeqError) or isinstance(done.outcome, (BackendError, MissingError))
    return done.outcome.reason is Reason.BACKEND


def done_in_child(payload: bytes, folder: str, memory: int, is_wanted: Callable[[], bool]) -> bytes:
    """The packed `JobResult` of a process for *payload*. It is ended as soon as it is not wanted. Raises OSError.

    folder: for temporary files. memory: megabytes for the job; 0 for no limit.
    """
    family = Family()
    process = subprocess.Popen(
        [sys.executable, "-m", "cseq.portfolio.cluster.child", str(memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd=folder,
        env=family.environment(TMPDIR=folder, **_path()),
    )
    family.leader = process.pid
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    try:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(LENGTH.pack(len(payload)) + payload)
            process.stdin.flush()
        out, err = process.stdout.fileno(), process.stderr.fileno()
        heard = {out: bytearray(), err: bytearray()}
        poll = select.poll()
        for file in heard:
            poll.register(file, select.POLLIN)
        is_over = False
        while not is_over:
            for file, _ in poll.poll(1000 * PAUSE):
                part = os.read(file, 1 << 20)
                heard[file] += part
                if not part:
                    poll.unregister(file)
                    is_over = is_over or file == out
            if not is_wanted():
                return pack(JobResult(BackendError("the job was cancelled")))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1 if _whole(heard[out]) is None else 0)  # it says how it ended
    finally:
        family.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
    if (answer := _whole(heard[out])) is not None:
        return answer
    status = process.returncode
    how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
    said = " ".join(heard[err].decode("utf-8", "replace").strip().splitlines()[-1:])[:_TOLD]
    return pack(JobResult(BackendError(f"the process for a job {how}{f': {said}' if said else ''}")))


def _whole(data: bytearray) -> bytes | None:
    """The message in *data*; None where something is missing."""
    if len(data) < LENGTH.size or len(data) < LENGTH.size + LENGTH.unpack_from(data)[0]:
        return None
    return bytes(data[LENGTH.size :])


def _place(worker: Any) -> str | None:
    """The folder for temporary files: $TMPDIR, or that of the worker, which dask removes after accidents."""
    return os.environ.get("TMPDIR") or getattr(worker, "local_directory", None)


def _path() -> dict[str, str]:
    """The environment in which another Python finds CSeq, where this one has it from."""
    ours = str(Path(version.__file__).resolve().parents[1])
    if ours in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        return {}
    before = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": f"{ours}{os.pathsep}{before}" if before else ours}
