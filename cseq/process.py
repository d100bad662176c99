"""Run a program with limits, and let nothing of it survive."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

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
    # Files and not pipes: a pipe stays open for as long as anybody holds it, also when the program has ended.
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        process = _started(command, given, out, err, folder, memory)
        timed_out = False
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            _kill(process)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    return Completed(process.returncode, texts[0], texts[1], timed_out, memory is not None)


def _started(
    command: Sequence[str],
    stdin: IO[bytes],
    stdout: IO[bytes],
    stderr: IO[bytes],
    folder: Path | None,
    memory: int | None,
) -> subprocess.Popen[bytes]:
    def limit() -> None:
        most = min((memory or 0) * 1024 * 1024, _MOST)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    try:
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=folder,
            start_new_session=True,
            preexec_fn=limit if memory is not None else None,  # noqa: PLW1509  # one system call, before the first one
        )
    except OSError as error:
        raise BackendError(f"cannot start {command[0]}: {error.strerror}") from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group, for an engine may have started others, and wait for its leader."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
