"""The connection to the scheduler of a cluster: it is made, checked, and made again where it breaks."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import dask
from distributed import Client, LocalCluster
from distributed.security import Security

from cseq.model.errors import BackendError, UsageError
from cseq.portfolio.cluster.messages import Settings
from cseq.portfolio.cluster.versions import Versions
from cseq.process.run import available_memory

CONNECTING = 10.0
"""Seconds for the connection."""

AGAIN = 60.0
"""Seconds for a connection that has broken: a scheduler starts again."""

FIRST_WORKER = 30.0
"""Seconds for the first worker to come."""

ASKING = 30.0
"""Seconds for a worker to say what is installed there."""

_DEATHS = 2
"""How many workers may die with a job, where the scheduler is ours."""


def configure() -> None:
    """Set up dask in this process."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    dask.config.set(
        {
            "distributed.comm.timeouts.connect": f"{CONNECTING:g}s",
            "distributed.scheduler.allowed-failures": _DEATHS,
        }
    )


def security(tls: tuple[str | None, str | None, str | None]) -> Security:
    """What encrypts connections, by the files *tls*, or those that dask is configured for. Raises UsageError."""
    options = ("--tls-ca-file", "--tls-cert", "--tls-key")
    for option, file in zip(options, tls, strict=True):
        if file is not None and not Path(file).is_file():
            raise UsageError(f"{option}: {file}: no such file")
    names = ("tls_ca_file", "tls_client_cert", "tls_client_key")
    given = {name: file for name, file in zip(names, tls, strict=True) if file is not None}
    found = Security(require_encryption=True, **given)
    missing = [option for option, name in zip(options, names, strict=True) if not getattr(found, name)]
    if missing:
        raise UsageError(f"tls://… takes {', '.join(missing)}, or the same in dask's configuration")
    try:
        found.get_connection_args("client")  # reads the files
    except OSError as error:  # of the ssl module
        raise UsageError(f"the certificates cannot be used: {error}") from None
    return found


class Connection:
    """A client of dask that is connected, or is being connected.

    url: of the scheduler.
    """

    def __init__(self, url: str, security: Security | None) -> None:
        self.url = url
        self._security = security
        self._client: Any = None
        self._connecting = asyncio.Lock()

    async def open(self) -> None:
        """Connect for the first time. Raises BackendError if there is no answer."""
        self._client = await self._made()

    async def client(self) -> Any:
        """The client, connected. Raises BackendError where that has not been possible for a minute."""
        async with self._connecting:
            end = asyncio.get_running_loop().time() + AGAIN
            while self._client.status == "connecting" and asyncio.get_running_loop().time() < end:
                await asyncio.sleep(0.05)
            while self._client.status != "running":
                with contextlib.suppress(Exception):  # whatever the old one has to say does not matter
                    await self._client.close(timeout=1)
                try:
                    self._client = await self._made()
                except BackendError:
                    if asyncio.get_running_loop().time() >= end:
                        raise
                    await asyncio.sleep(0.2)
            return self._client

    @property
    def is_up(self) -> bool:
        """Whether it is connected now."""
        return self._client is not None and self._client.status == "running"

    async def close(self) -> None:
        """Close it: whatever the workers do for it is not wanted any more."""
        if self._client is not None:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                async with asyncio.timeout(2):
                    await self._client.close(timeout=1)

    async def workers(self) -> dict[str, dict[str, Any]]:
        """What the scheduler knows of its workers, by address."""
        client = await self.client()
        information: dict[str, Any] = await client.scheduler.identity()
        found: dict[str, dict[str, Any]] = information["workers"]
        return found

    async def first_workers(self) -> dict[str, dict[str, Any]]:
        """The workers, once there are any. Raises BackendError where none comes."""
        end = asyncio.get_running_loop().time() + FIRST_WORKER
        while True:
            if found := await self.workers():
                return found
            if asyncio.get_running_loop().time() >= end:
                raise BackendError(f"the scheduler at {self.url} has had no worker for {FIRST_WORKER:g} s")
            await asyncio.sleep(0.1)

    async def versions(
        self, workers: dict[str, dict[str, Any]], tools: tuple[str, ...] | None
    ) -> dict[str, Versions | str]:
        """What is installed on each of the *workers*, by address; in words where one has no answer.

        tools: those that are looked for; None for all.
        """
        client = await self.client()

        async def of(address: str) -> Versions | str:
            try:
                async with asyncio.timeout(ASKING):
                    asked = await client.run(_installed, tools, workers=[address], on_error="return")
                found = asked[address]
            except TimeoutError:
                return f"does not answer within {ASKING:g} s"
            except Exception as error:  # it may have gone, or may have no CSeq
                found = error
            return found if isinstance(found, Versions) else _why_not(found)

        answers = await asyncio.gather(*(of(address) for address in workers))
        return dict(zip(workers, answers, strict=True))

    async def _made(self) -> Any:
        try:
            return await Client(
                self.url, security=self._security, asynchronous=True, timeout=CONNECTING, set_as_default=False
            )
        except (OSError, TimeoutError) as error:
            why = str(error).partition("\n")[0] or "no answer"
            why = f"no answer within {CONNECTING:g} s" if "imed out" in why else why
            raise BackendError(f"no scheduler can be reached at {self.url}: {why}") from None
        except Exception as error:  # a program that is no scheduler
            raise BackendError(f"the server at {self.url} is not a dask scheduler: {error}") from None


async def installed_on(url: str, encrypts: Security | None) -> dict[str, Versions | str]:
    """What is installed on each worker of the cluster whose scheduler is at *url*, by name; in words where one has
    no answer. Raises BackendError where the cluster cannot be asked.
    """
    connection = Connection(url, encrypts)
    await connection.open()
    try:
        workers = await connection.first_workers()
        found = await connection.versions(workers, None)
        return {name_of(address, workers.get(address)): each for address, each in found.items()}
    finally:
        await connection.close()


def name_of(address: str, worker: Mapping[str, Any] | None) -> str:
    """The worker at *address* in words, as far as the scheduler knows it."""
    name = None if worker is None else worker.get("name")
    return address if name in (None, address) else f"{name} at {address}"


async def _installed(tools: tuple[str, ...] | None) -> Versions:
    """What is installed on a worker."""
    from cseq.portfolio.cluster.versions import everything, installed

    return await (asyncio.to_thread(everything) if tools is None else asyncio.to_thread(installed, tools))


def _why_not(error: object) -> str:
    """Why a worker did not say what is installed there."""
    if isinstance(error, ModuleNotFoundError) or "No module named 'cseq" in str(error):
        return "has no CSeq"
    return f"cannot say what is installed: {str(error).partition(chr(10))[0] or type(error).__name__}"


@contextlib.asynccontextmanager
async def started(settings: Settings) -> AsyncIterator[str]:
    """The URL of the scheduler: a new one with workers on this machine, while the block runs, if that is wanted."""
    if not settings.workers:
        yield settings.url
        return
    share = max(available_memory() // settings.workers, 64) << 20
    try:
        cluster = await LocalCluster(
            n_workers=settings.workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            memory_limit=share,
            local_directory=settings.folder,
            asynchronous=True,
        )
    except Exception as error:
        raise BackendError(f"the workers cannot be started: {str(error).partition(chr(10))[0]}") from None
    async with cluster:
        yield cluster.scheduler_address
