"""Run a command under limits, in surroundings of its own, and measure it."""

import ctypes
import os
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cseq.process.tree import Family

OVERHEAD = 30
"""If there is no limit of wall-clock time, it is that of processor time plus so many seconds."""

_HEAD = "{}\n\n\n" + "-" * 80 + "\n\n\n"
_PR_SET_CHILD_SUBREAPER = 36
_NOT_STARTED = 127 << 8
_SHORTEST, _LONGEST = 0.01, 0.1  # seconds between two looks; short runs are looked at more often


@dataclass(frozen=True)
class Measured:
    """What a run took.

    status: how its process ended, as `os.wait` reports it. Times in seconds; memory in bytes: the largest sum of what
    its processes had resident at a time. reason: why it was stopped (``cputime``, ``walltime``, ``memory``), if it was.
    """

    status: int
    walltime: float
    cputime: float
    memory: int
    reason: str | None


@dataclass(frozen=True)
class Measurement:
    """One run of *command*.

    log: the file for the command line and the output, as BenchExec writes it. limits: BenchExec's `ResourceLimits`, in
    seconds and bytes. environment: variables that are set in addition to those of this process. cores: the processors
    to run on; any if there is none. folder: where the command runs, and what its first word is relative to.
    """

    command: Sequence[str]
    log: Path
    limits: Any
    environment: dict[str, str]
    cores: Sequence[int]
    folder: Path

    def run(self, _: object) -> Measured:
        """Run it to its end, or until it reaches a limit, and leave nothing of it: the work of a `Contender`.

        This process has no other children. It adopts whatever the command leaves running: so all of them are measured.
        Its temporary folder has the home of the command.
        """
        self.log.write_text(_HEAD.format(shlex.join(self.command)), encoding="utf-8")
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        if self.cores:
            os.sched_setaffinity(0, self.cores)
        family, begin, memory, pause = Family(), time.monotonic(), 0, _SHORTEST
        reason = None
        try:
            status = self._start(family)
            while status is None and reason is None:
                time.sleep(pause)
                pause = min(pause * 1.5, _LONGEST)
                status = _reaped(family.leader)
                if status is not None:
                    family.leader = None  # its number may be that of another process now
                family.look()
                memory = max(memory, family.memory(sys.maxsize))
                if status is None:
                    reason = self._exceeded(memory, _spent() + family.cputime(), time.monotonic() - begin)
        finally:
            family.kill()
        ended = _reaped(family.leader)
        status = ended if status is None else status
        return Measured(
            signal.SIGKILL if status is None else status,
            time.monotonic() - begin,
            _spent(),
            max(memory, _largest(memory == 0)),
            reason,
        )

    def _start(self, family: Family) -> int | None:
        """Start the command; its status if that is not possible."""
        folder = os.path.abspath(self.folder)  # noqa: PTH100  # links stay links
        command = [os.path.join(folder, self.command[0]), *self.command[1:]]  # noqa: PTH118
        home = Path(os.environ["TMPDIR"], "home")
        home.mkdir()
        temporary = Path(os.environ["TMPDIR"], "tmp")
        temporary.mkdir()
        environment = family.environment(HOME=str(home), TMPDIR=str(temporary), **self.environment)
        with self.log.open("ab") as log:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=folder,
                    env=environment,
                    start_new_session=True,
                )
            except OSError as error:
                log.write(f"cannot start {command[0]}: {error.strerror}\n".encode())
                return _NOT_STARTED
        family.leader = process.pid
        process.returncode = 0  # `_reaped` waits for it
        return None

    def _exceeded(self, memory: int, cputime: float, walltime: float) -> str | None:
        """The limit that is exceeded, if any."""
        limits = self.limits
        clock = limits.walltime
        if clock is None and limits.cputime is not None:
            clock = limits.cputime + OVERHEAD
        used = (("memory", memory, limits.memory), ("cputime", cputime, limits.cputime), ("walltime", walltime, clock))
        return next((name for name, value, limit in used if limit and value > limit), None)


def _spent() -> float:
    """Seconds of processor time of the descendants that have ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _largest(in_any_case: bool) -> int:
    """The most bytes that one of these had resident.

    0 where that may be the memory of this process, which is theirs before they are programs of their own, except
    *in_any_case*.
    """
    own, largest = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return largest * 1024 if largest > own or in_any_case else 0


def _reaped(leader: int | None) -> int | None:
    """Wait for all that have ended; the status of *leader* if it is one of them."""
    status = None
    while True:
        try:
            process, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if process == 0:
            return status
        if process == leader:
            status = ended
