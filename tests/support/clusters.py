"""A cluster on this machine, with an engine that waits where a test wants it to, and faults."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path

from cseq.backends.cbmc import BACKEND
from cseq.process.tree import Family
from tests.support.checkout import ROOT
from tests.support.processes import waited_for

_ENGINE = """\
#!/bin/sh
if [ "$1" != --version ]; then
  if [ -e '{gate}/closed' ]; then echo $PPID > '{gate}/begun.'$$; fi
  while [ -e '{gate}/closed' ]; do sleep 0.05; done
fi
exec '{engine}' "$@"
"""


class Cluster:
    """A scheduler and workers, each a process of its own, in *folder*.

    gate: where each engine waits while it is closed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gate = folder / "gate"
        self.gate.mkdir(parents=True)
        script = folder / "slow-cbmc"
        script.write_text(_ENGINE.format(gate=self.gate, engine=BACKEND.find()))
        script.chmod(0o755)
        self._family = Family()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        paths = os.pathsep.join([str(ROOT), *(path for path in sys.path if path)])
        self.environment = {"CSEQ_CBMC": str(script), "PYTHONPATH": paths, "TMPDIR": str(folder)}
        self.scheduler: subprocess.Popen[bytes]
        self.workers: list[subprocess.Popen[bytes]] = []
        self.begin()

    def begin(self) -> None:
        """Start the scheduler."""
        words = ["--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard", "--no-show"]
        self.scheduler = self._started("dask_scheduler", *words)

    def hire(self, count: int = 1, most: int | None = None, **environment: str) -> list[subprocess.Popen[bytes]]:
        """Start more workers. most: the bytes that they can write to a file."""
        words = [self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        new = [self._started("dask_worker", *words, most=most, environment=environment) for _ in range(count)]
        self.workers += new
        return new

    def fire(self) -> None:
        """End all workers."""
        for process in self.workers:
            process.kill()
            process.wait()
        self.workers.clear()

    def close(self) -> None:
        """Have engines wait from now on."""
        for path in self.gate.iterdir():
            path.unlink()
        (self.gate / "closed").touch()

    def open(self) -> None:
        """Let the engines go on."""
        with contextlib.suppress(FileNotFoundError):
            (self.gate / "closed").unlink()

    def waiting(self, count: int = 1) -> list[int]:
        """The processes of engines that wait, once there are so many."""

        def found() -> list[int]:
            return [int(path.suffix[1:]) for path in self.gate.glob("begun.*")]

        waited_for(lambda: len(found()) >= count)
        return found()

    def whose(self, engine: int) -> subprocess.Popen[bytes]:
        """The worker that has the process *engine* run."""
        number = engine
        known = {process.pid: process for process in self.workers}
        while number not in known:
            number = int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
        return known[number]

    def end(self) -> None:
        """End everything."""
        self._family.kill()
        for process in (self.scheduler, *self.workers):
            process.wait()

    def _started(
        self, command: str, *words: str, most: int | None = None, environment: dict[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        limit = ["/bin/sh", "-c", f'ulimit -f {most // 512}; exec "$0" "$@"'] if most is not None else []
        with (self.folder / f"{command}.log").open("ab") as log:
            return subprocess.Popen(
                [*limit, sys.executable, "-m", f"distributed.cli.{command}", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if limit else log,
                stderr=subprocess.DEVNULL if limit else log,
                cwd=self.folder,
                env=self._family.environment(**{**self.environment, **(environment or {})}),
            )
