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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cseq.model.errors import BackendError

OVERHEAD = 30
"""If there is no limit of wall-clock time, it is that of processor time plus so many seconds."""

_SUPERVISE = Path(__file__).resolve().parent / "supervise.py"
_HEAD = "{}\n\n\n" + "-" * 80 + "\n\n\n"


@dataclass(frozen=True)
class Measured:
    """What a run took.

    status: how its process ended, as `os.wait` reports it. Times in seconds; memory in bytes: the largest sum of what
    its processes had resident at a time. reason: why it was stopped (``cputime``, ``walltime``, ``memory``,
    ``killed``), if it was.
    """

    status: int
    walltime: float
    cputime: float
    memory: int
    reason: str | None


class Measurement:
    """One run of *command*, which can be stopped from another thread.

    log: the file for the command line and the output, as BenchExec writes it. limits: BenchExec's `ResourceLimits`, in
    seconds and bytes. environment: variables that are set in addition to those of this process. cores: the processors
    to run on; any if there is none. folder: where the command runs, and what its first word is relative to.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        limits: Any,
        environment: dict[str, str] | None = None,
        cores: Sequence[int] = (),
        folder: Path = Path(),
    ) -> None:
        self._command = list(command)
        self._log = log
        self._limits = limits
        self._environment = environment or {}
        self._cores = cores
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    def run(self) -> Measured:
        """Run it to its end. It has a home and a temporary folder of its own, which are removed afterwards.

        Raises BackendError if it could not be measured.
        """
        self._log.write_text(_HEAD.format(shlex.join(self._command)), encoding="utf-8")
        temporary = Path(tempfile.mkdtemp(prefix="cseq-bench-"))
        try:
            for name in ("home", "tmp"):
                (temporary / name).mkdir()
            return self._supervised(temporary)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def _supervised(self, temporary: Path) -> Measured:
        limits = {name: getattr(self._limits, name) for name in ("cputime", "walltime", "memory")}
        if limits["walltime"] is None and limits["cputime"] is not None:
            limits["walltime"] = limits["cputime"] + OVERHEAD
        folder = os.path.abspath(self._folder)  # noqa: PTH100  # links stay links
        order = {
            "command": [os.path.join(folder, self._command[0]), *self._command[1:]],  # noqa: PTH118
            "folder": folder,
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
        """Kill it, and all that it has started."""
        self._stopped = True
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
