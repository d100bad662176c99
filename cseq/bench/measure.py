"""Run a command under limits, in surroundings of its own, and measure it."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from cseq.base.errors import BackendError

OVERHEAD = 30
"""By so many seconds the limit of wall-clock time is larger than that of processor time, where none is given."""

_SUPERVISE = Path(__file__).resolve().parent / "supervise.py"
_HEAD = "{}\n\n\n" + "-" * 80 + "\n\n\n"


@dataclass(frozen=True)
class Limits:
    """What a run may use: seconds and bytes; None for no limit. cores: how many processors."""

    cputime: float | None = None
    walltime: float | None = None
    memory: int | None = None
    cores: int | None = None


@dataclass(frozen=True)
class Measured:
    """What a run took.

    status: how its process ended, as `os.wait` tells it. Times in seconds, memory in bytes: the largest sum of what its
    processes had resident at a time. reason: why it was stopped (``cputime``, ``walltime``, ``memory``, ``killed``).
    """

    status: int
    walltime: float
    cputime: float
    memory: int
    reason: str | None


class Measurement:
    """One run of *command*, which can be stopped from another thread.

    log: the file that gets the command line and its output, as BenchExec writes it. environment: variables that are
    set beside those of this process. cores: the processors to run on.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        limits: Limits,
        environment: dict[str, str] | None = None,
        cores: Sequence[int] = (),
    ) -> None:
        self._command = list(command)
        self._log = log
        self._limits = limits
        self._environment = environment or {}
        self._cores = cores
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    def run(self) -> Measured:
        """Run it to its end. Its home and its temporary folder are its own, and gone with it."""
        self._log.write_text(_HEAD.format(shlex.join(self._command)), encoding="utf-8")
        temporary = Path(tempfile.mkdtemp(prefix="cseq-bench-"))
        try:
            for name in ("home", "tmp"):
                (temporary / name).mkdir()
            return self._supervised(temporary)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def _supervised(self, temporary: Path) -> Measured:
        limits = asdict(self._limits)
        if limits["walltime"] is None and limits["cputime"] is not None:
            limits["walltime"] = limits["cputime"] + OVERHEAD
        order = {
            "command": [os.path.abspath(self._command[0]), *self._command[1:]],  # noqa: PTH100  # links stay links
            "folder": os.getcwd(),  # noqa: PTH109
            "output": str(self._log.absolute()),
            "environment": {
                **os.environ,
                "HOME": str(temporary / "home"),
                "TMPDIR": str(temporary / "tmp"),
                **self._environment,
            },
            "limits": limits,
            "cores": list(self._cores),
        }
        with subprocess.Popen(
            [sys.executable, "-I", "-S", str(_SUPERVISE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as self._process:
            if self._stopped:
                self._process.terminate()
            out, _ = self._process.communicate(json.dumps(order))
        if not out:
            raise BackendError(f"the supervisor of {self._command[0]} ended with status {self._process.returncode}")
        return Measured(**json.loads(out))

    def stop(self) -> None:
        """Kill it, with all that it has started."""
        self._stopped = True
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
