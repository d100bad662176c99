"""Run a program with limits, and let nothing of it survive."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cseq.errors import BackendError

_MOST = (1 << 63) - 1  # what the system call can take


@dataclass(frozen=True)
class Completed:
    """How a program ended.

    status:    its exit status; negative: the signal that killed it.
    timed_out: it was stopped because its time was up.
    limited:   there was a limit to its memory.
    """

    status: int
    stdout: str
    stderr: str
    timed_out: bool = False
    limited: bool = False


def run(
    command: Sequence[str],
    *,
    stdin: bytes = b"",
    timeout: float | None = None,
    memory: int | None = None,
    folder: Path | None = None,
) -> Completed:
    """Run *command* to its end.

    timeout: seconds of wall-clock time. memory: megabytes of address space. folder: where it runs.
    The program gets a process group of its own; whatever ends the wait, Ctrl-C included, ends the group.
    Raises BackendError when the program cannot be started.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            start_new_session=True,
        )
    except OSError as error:
        raise BackendError(f"cannot start {command[0]}: {error.strerror}") from None
    if memory is not None:
        limit = min(memory * 1024 * 1024, _MOST)
        with contextlib.suppress(ProcessLookupError):  # it may have ended already
            resource.prlimit(process.pid, resource.RLIMIT_AS, (limit, limit))
    timed_out = False
    try:
        out, err = process.communicate(stdin, timeout=timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
        _kill(process)
        out, err = process.communicate()
    finally:
        _kill(process)
    texts = out.decode("utf-8", "replace"), err.decode("utf-8", "replace")
    return Completed(process.returncode, *texts, timed_out, memory is not None)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group: an engine may have started others."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.poll()
