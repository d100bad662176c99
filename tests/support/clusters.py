"""A cluster on this machine, with an engine that waits where a test wants it to, and faults."""

import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path

from cseq.backends.cbmc import BACKEND
from cseq.process.tree import Family
from tests.support.checkout import ROOT
from tests.support.processes import alive, waited_for

PATIENCE = 200.0
"""Seconds for whatever a test waits for: it comes, or something is wrong."""

_ENGINE = """\
#!/bin/sh
if [ "$1" != --version ]; then
  if [ -e '{gate}/closed' ]; then echo > '{gate}/begun.'$$; fi
  while [ -e '{gate}/closed' ]; do sleep 0.05; done
fi
exec '{engine}' "$@"
"""


class Certificate:
    """A certificate that has signed itself, and its key, in files in *folder*. Raises OSError without openssl."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.cert, self.key = str(folder / "cert.pem"), str(folder / "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=test", "-keyout", self.key, "-out", self.cert],
            check=True, stdin=subprocess.DEVNULL, capture_output=True,
        )  # fmt: skip

    @property
    def words(self) -> list[str]:
        """The options of CSeq and of dask that name it."""
        return ["--tls-ca-file", self.cert, "--tls-cert", self.cert, "--tls-key", self.key]

    @property
    def values(self) -> dict[str, str]:
        """The parameters of CSeq that name it."""
        return {"tls_ca_file": self.cert, "tls_cert": self.cert, "tls_key": self.key}


class Cluster:
    """A scheduler and workers, each a process of its own, in *folder*.

    certificate: what encrypts its connections, if anything does. gate: where each engine waits while it is closed.
    workers: by name. is_over: nobody waits for engines any more, since the run has ended that they are of.
    """

    def __init__(self, folder: Path, certificate: Certificate | None = None) -> None:
        self.folder = folder
        self.certificate = certificate
        self.gate = folder / "gate"
        self.gate.mkdir(parents=True)
        script = folder / "slow-cbmc"
        script.write_text(_ENGINE.format(gate=self.gate, engine=BACKEND.find()))
        script.chmod(0o755)
        self._family = Family()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.address = f"{'tls' if certificate else 'tcp'}://127.0.0.1:{self._port}"
        paths = os.pathsep.join([str(ROOT), *(path for path in sys.path if path)])
        self.environment = {"CSEQ_CBMC": str(script), "PYTHONPATH": paths, "TMPDIR": str(folder)}
        self.scheduler: subprocess.Popen[bytes]
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.is_over = False
        self._hired = 0
        self.begin()

    @property
    def words(self) -> list[str]:
        """The options of CSeq that name it."""
        return ["--cluster", self.address, *(self.certificate.words if self.certificate else [])]

    @property
    def values(self) -> dict[str, str]:
        """The parameters of CSeq that name it."""
        return {"cluster": self.address, **(self.certificate.values if self.certificate else {})}

    def begin(self) -> None:
        """Start the scheduler, and wait until it can be reached. It gives up no worker that is merely silent."""
        words = ["--host", self.address.rpartition(":")[0], "--port", str(self._port), "--no-dashboard", "--no-show"]
        self.scheduler = self._started("dask_scheduler", *words, DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="None")
        waited_for(self._listens, PATIENCE)

    def hire(self, count: int = 1, most: int | None = None, **environment: str) -> list[str]:
        """Start more workers, and wait until the scheduler knows them; returns their names.

        most: the bytes that they can write to a file.
        """
        words = [self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        names = [f"worker-{self._hired + number}" for number in range(count)]
        for name in names:
            self.workers[name] = self._started("dask_worker", *words, "--name", name, most=most, **environment)
        self._hired += count
        waited_for(lambda: all(self._knows(name) for name in names), PATIENCE)
        return names

    def fire(self, name: str) -> None:
        """End a worker, at once."""
        process = self.workers.pop(name)
        process.kill()
        process.wait()

    def close(self) -> None:
        """Have engines wait from now on."""
        self.is_over = False
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
            assert not self.is_over, "the run has ended, and no engine waits"
            engines = [int(path.suffix[1:]) for path in self.gate.glob("begun.*")]
            return [engine for engine in engines if alive(engine)]

        waited_for(lambda: len(found()) >= count, PATIENCE)
        return found()

    def whose(self, engine: int) -> str:
        """The name of the worker that has the process *engine* run."""
        number = engine
        known = {process.pid: name for name, process in self.workers.items()}
        while number not in known:
            number = int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
        return known[number]

    def end(self) -> None:
        """End everything."""
        self._family.kill()
        for process in (self.scheduler, *self.workers.values()):
            process.wait()

    def _listens(self) -> bool:
        assert self.scheduler.poll() is None, (self.folder / "dask_scheduler.log").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0

    def _knows(self, name: str) -> bool:
        """Whether the scheduler has said that the worker *name* has come."""
        return f"name: {name}\n" in (self.folder / "dask_scheduler.log").read_text()

    def _started(
        self, command: str, *words: str, most: int | None = None, **environment: str
    ) -> subprocess.Popen[bytes]:
        limit = ["/bin/sh", "-c", f'ulimit -f {most // 512}; exec "$0" "$@"'] if most is not None else []
        security = self.certificate.words if self.certificate else []
        with (self.folder / f"{command}.log").open("ab") as log:
            return subprocess.Popen(
                [*limit, sys.executable, "-m", f"distributed.cli.{command}", *security, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if limit else log,
                stderr=subprocess.DEVNULL if limit else log,
                cwd=self.folder,
                env=self._family.environment(**{**self.environment, **environment}),
            )
