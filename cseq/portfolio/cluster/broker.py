"""The process of a run that is connected to the cluster: ``python -m cseq.portfolio.cluster.broker``.

It has the jobs done that it hears of, again where an attempt is lost, and answers each once. The processes of the run
need no threads and no connection of their own then, so they can be copied and killed at any time.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import pickle
import socket
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from distributed.scheduler import KilledWorker, heartbeat_interval

from cseq.model.errors import BackendError, CSeqError
from cseq.portfolio.cluster import messages
from cseq.portfolio.cluster.connection import Connection, configure, name_of, security, started
from cseq.portfolio.cluster.versions import Versions, check, core, tools_for

_TRIES = 3
"""On how many workers a job is tried that fails."""

_KILLS = 2
"""How often the scheduler may give a job up, with the workers that died with it."""

_LOOK = 0.5
"""Seconds between two looks at the workers."""

_STALLED = 5.0
"""Seconds without a sign of life after which a worker counts as stalled, at least."""

_ANSWERING = 5.0
"""Seconds for the scheduler to say what it knows of its workers."""

_NOBODY = 60.0
"""Seconds without a worker after which the run is given up."""

_GATHERING = 10.0
"""Seconds for a result that is there to get here."""


@dataclass(eq=False)
class _Work:
    """A job.

    results: of its attempts. going, futures: the attempts, with their keys. places: the workers that alone may do an
    attempt, where not all may. ended: when an attempt was seen to be done whose result is not here. used: the workers
    on which it failed. lost: attempts that came to nothing.
    """

    number: int
    payload: bytes
    is_urgent: bool
    results: asyncio.Queue[messages.Report | _GivenUp | _AttemptGone] = field(default_factory=asyncio.Queue)
    going: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    futures: dict[str, Any] = field(default_factory=dict)
    places: dict[str, frozenset[str]] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    lost: list[messages.AttemptLost] = field(default_factory=list)


@dataclass(frozen=True)
class _GivenUp:
    """Too many workers have died with the job. worker: the last one."""

    worker: str


@dataclass(frozen=True)
class _AttemptGone:
    """The attempt is lost: the scheduler knows it no more."""

    seconds: float


class Broker:
    """The jobs of a run, and the cluster."""

    def __init__(self, settings: messages.Settings) -> None:
        self._settings = settings
        self._state: messages.Ready | messages.Unavailable | None = None
        self._known = asyncio.Event()  # that the cluster can be used, or cannot
        self._links: dict[asyncio.StreamWriter, set[asyncio.Task[None]]] = {}
        self._works: set[_Work] = set()
        self._connection: Connection
        self._expected: Versions | None = None
        self._tools: tuple[str, ...] = ()
        self._width = 0
        self._stalled: set[str] = set()
        self._refused: dict[str, str] = {}  # address of a worker → why it may not work for us
        self._workers: dict[str, dict[str, Any]] = {}
        self._attempts = 0

    async def run(self, control: socket.socket) -> None:
        """Serve the links that come through *control* until that is closed."""
        links = asyncio.create_task(self._accept(control))
        serving = asyncio.create_task(self._serve())
        await asyncio.wait({links, serving}, return_when=asyncio.FIRST_COMPLETED)
        if not links.done():
            await links  # the cluster cannot be used, which everybody who comes is told
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving

    async def _serve(self) -> None:
        """Be connected until cancelled, or until the cluster cannot be used."""
        try:
            configure()
            encrypts = security(self._settings.tls) if self._settings.url.startswith("tls://") else None
            async with started(self._settings) as url:
                self._connection = Connection(url, encrypts)
                try:
                    await self._connection.open()
                    self._workers = await self._connection.first_workers()
                    engines = await self._checked()
                    self._width = self._threads(self._workers)
                    self._state = messages.Ready(self._width, engines)
                    self._known.set()
                    await self._watch()
                finally:
                    await self._connection.close()
        except CSeqError as error:
            self._refuse(messages.Unavailable(error.message, error.exit_status == 2))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._refuse(
                messages.Unavailable(f"the connection to the cluster failed: {type(error).__name__}: {error}", False)
            )

    def _refuse(self, why: messages.Unavailable) -> None:
        self._state = why
        self._known.set()
        for writer, tasks in self._links.items():
            for task in tasks:
                task.cancel()
            _say(writer, why)

    async def _checked(self) -> frozenset[str]:
        """The engines of the workers, which must have the same versions. Raises CSeqError."""
        if self._settings.workers:  # the same files, on the same machine
            return frozenset(self._settings.engines)
        found = await self._connection.versions(self._workers, tools_for(self._settings.engines))
        known = {self._name(address): each for address, each in found.items() if isinstance(each, Versions)}
        silent = [f"the worker {self._name(a)} {each}" for a, each in found.items() if not isinstance(each, Versions)]
        if silent:
            raise BackendError("; ".join(silent[:4]))
        engines = check(known, self._settings.engines, self._settings.is_open)
        self._tools = tools_for(sorted(engines))
        one = next(iter(known.values()))
        here = core()
        self._expected = Versions(here.cseq, here.code, here.python, here.packages, one.tools)
        return engines

    # Links

    async def _accept(self, control: socket.socket) -> None:
        """Serve each new link until *control* is closed."""
        control.setblocking(False)
        loop = asyncio.get_running_loop()
        serving: set[asyncio.Task[None]] = set()
        arrived = asyncio.Event()
        loop.add_reader(control, arrived.set)
        while True:
            await arrived.wait()
            arrived.clear()
            try:
                data, files, _, _ = socket.recv_fds(control, 16, 1)
            except BlockingIOError:
                continue
            if not data:
                break
            for file in files:
                task = asyncio.create_task(self._link(socket.socket(fileno=file)))
                serving.add(task)
                task.add_done_callback(serving.discard)
        loop.remove_reader(control)
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)

    async def _link(self, end: socket.socket) -> None:
        """Serve one link until it is closed; then its jobs are not wanted any more."""
        reader, writer = await asyncio.open_connection(sock=end)
        tasks: set[asyncio.Task[None]] = set()
        try:
            # A worker that is there before the cluster may leave before it.
            coming, known = asyncio.create_task(_heard(reader)), asyncio.create_task(self._known.wait())
            await asyncio.wait({coming, known}, return_when=asyncio.FIRST_COMPLETED)
            if self._state is None:
                known.cancel()
                return
            _say(
                writer,
                replace(self._state, width=self._width) if isinstance(self._state, messages.Ready) else self._state,
            )
            self._links[writer] = tasks
            while (submit := await coming) is not None:
                task = asyncio.create_task(self._do(submit, writer))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
                coming = asyncio.create_task(_heard(reader))
        except ConnectionError:
            pass  # its process was killed
        finally:
            self._links.pop(writer, None)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            writer.close()

    # Jobs

    async def _do(self, submit: messages.Submit, writer: asyncio.StreamWriter) -> None:
        """Have a job done, and answer."""
        work = _Work(submit.number, submit.payload, submit.is_urgent)
        self._works.add(work)
        try:
            report = await self._report(work)
            _say(writer, messages.Answer(work.number, report, tuple(work.lost)))
            await writer.drain()
        except ConnectionError:
            pass  # its process was killed
        except Exception as error:  # or the caller would wait for ever
            self._refuse(messages.Unavailable(f"a job cannot be done: {type(error).__name__}: {error}", False))
        finally:
            self._works.discard(work)
            for task in work.going.values():
                task.cancel()

    async def _report(self, work: _Work) -> messages.Report | None:
        """What a worker says of a job, after as many attempts as it takes; None where workers die with it."""
        failures = kills = 0
        self._attempt(work)
        while True:
            match await work.results.get():
                case messages.Report(refusal=why, address=address) if why:
                    self._refused[address] = why
                    self._attempt(work)
                case messages.Report() as report:
                    failures += report.has_failed
                    if not report.has_failed or failures >= _TRIES:
                        return report
                    work.lost.append(messages.AttemptLost(report.worker, report.seconds))
                    work.used.add(report.address)
                    self._attempt(work)
                case _GivenUp(address):
                    kills += 1
                    if kills >= _KILLS:
                        return None
                    work.lost.append(messages.AttemptLost(self._name(address), 0.0))
                    work.used.add(address)
                    self._attempt(work)
                case _AttemptGone(seconds):
                    if not work.going:
                        work.lost.append(messages.AttemptLost("", seconds))
                        self._attempt(work)

    def _attempt(self, work: _Work) -> None:
        """Begin an attempt at a job."""
        self._attempts += 1
        # The key has to differ from those of all other runs: dask keeps the answer to a key for all clients.
        key = f"cseq-{work.number}-{self._attempts}-{os.urandom(16).hex()}"
        work.going[key] = asyncio.create_task(self._attempted(work, key))

    async def _attempted(self, work: _Work, key: str) -> None:
        begun = time.monotonic()
        result: messages.Report | _GivenUp | _AttemptGone
        future = None
        try:
            client = await self._connection.client()
            from cseq.portfolio.cluster.worker import work as task

            where = self._where(work)
            if "allow_other_workers" not in where and "workers" in where:
                work.places[key] = frozenset(where["workers"])
            future = client.submit(
                task,
                work.payload,
                self._expected,
                self._tools,
                key=key,
                pure=False,
                priority=1 if work.is_urgent else 0,
                **where,
            )
            work.futures[key] = future
            found = await future
            seconds = time.monotonic() - begun
            result = found if isinstance(found, messages.Report) else _failure("a worker has sent no report", seconds)
        except KilledWorker as error:
            result = _GivenUp(str(getattr(error.last_worker, "address", "")))
        except asyncio.CancelledError:
            if asyncio.current_task().cancelling():  # type: ignore[union-attr]
                raise
            result = _AttemptGone(time.monotonic() - begun)  # by the scheduler
        except concurrent.futures.CancelledError:  # dask's: with the connection, or with what the scheduler knew
            result = _AttemptGone(time.monotonic() - begun)
        except BackendError as error:
            self._refuse(messages.Unavailable(error.message, False))
            return
        except Exception as error:  # raised by dask, or by what it does on the worker
            if not self._connection.is_up:
                result = _AttemptGone(time.monotonic() - begun)
            else:
                what = f"the cluster has not done a job: {type(error).__name__}: {str(error).partition(chr(10))[0]}"
                result = _failure(what, time.monotonic() - begun)
        finally:
            work.going.pop(key, None)
            work.futures.pop(key, None)
            work.places.pop(key, None)
            if future is not None:
                future.release()
        work.results.put_nowait(result)

    def _where(self, work: _Work) -> dict[str, Any]:
        """The arguments that keep a job from workers that are not to do it."""
        refused = self._refused.keys() & self._workers.keys()
        others = work.used | self._stalled
        if not refused and not others & self._workers.keys():
            return {}
        allowed = [address for address in self._workers if address not in refused]
        if not allowed:
            raise BackendError("; ".join(list(self._refused.values())[:4]))
        better = [address for address in allowed if address not in others]
        if refused:
            return {"workers": better or allowed}
        return {"workers": better, "allow_other_workers": True} if better else {}

    # Workers

    async def _watch(self) -> None:
        """Look at the workers from time to time. Raises BackendError where there are none for long."""
        loop = asyncio.get_running_loop()
        seen: dict[str, tuple[float, float]] = {}  # when a worker gave a sign of life, by its clock and by ours
        there = loop.time()
        while True:
            await asyncio.sleep(_LOOK)
            try:
                async with asyncio.timeout(_ANSWERING):  # `wait_for` of Python 3.11 may lose that it is cancelled
                    workers = await self._connection.workers()
            except BackendError:
                raise
            except Exception:  # the scheduler is busy, or starts again
                continue
            now = loop.time()
            there = now if workers else there
            if now > there + _NOBODY:
                raise BackendError(f"the scheduler at {self._connection.url} has had no worker for {_NOBODY:g} s")
            for address, worker in workers.items():
                if seen.get(address, (None, 0.0))[0] != worker["last_seen"]:
                    seen[address] = worker["last_seen"], now
            patience = max(_STALLED, 4 * heartbeat_interval(len(workers)))
            self._stalled = {address for address in workers if now > seen[address][1] + patience}
            self._workers = workers
            working = [address for address in workers if address not in self._stalled and address not in self._refused]
            width = self._threads({address: workers[address] for address in working})
            if width and width != self._width:
                self._width = width
                for writer in self._links:
                    _say(writer, messages.Width(width))
            if working:
                await self._speculate()

    async def _speculate(self) -> None:
        """Begin further attempts at jobs whose workers are stalled or have left: the first answer counts."""
        stuck: set[str] = set()
        client = await self._connection.client()
        if self._stalled:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(_ANSWERING):
                    processing = await client.processing(sorted(self._stalled))
                stuck = {str(key) for keys in processing.values() for key in keys}
        now = time.monotonic()
        for work in self._works:
            done = [key for key, future in work.futures.items() if future.status == "finished"]
            late = {key for key in done if now > work.ended.setdefault(key, now) + _GATHERING}
            left = {key for key, places in work.places.items() if places.isdisjoint(self._workers)}
            if work.going and (stuck | late | left).issuperset(work.going):
                self._attempt(work)

    def _name(self, address: str) -> str:
        return name_of(address, self._workers.get(address))

    @staticmethod
    def _threads(workers: dict[str, dict[str, Any]]) -> int:
        return sum(int(worker["nthreads"]) for worker in workers.values())


def _failure(what: str, seconds: float) -> messages.Report:
    """The report on an attempt that has failed in the cluster, and not in a job."""
    from cseq.pipeline.jobs import JobResult
    from cseq.portfolio.cluster.transport import pack

    return messages.Report(pack(JobResult(BackendError(what))), "", "", seconds, has_failed=True)


def _say(writer: asyncio.StreamWriter, what: messages.Said) -> None:
    if not writer.is_closing():
        writer.write(messages.framed(what))


async def _heard(reader: asyncio.StreamReader) -> messages.Submit | None:
    """The next message; None where the link is closed."""
    try:
        (length,) = messages.LENGTH.unpack(await reader.readexactly(messages.LENGTH.size))
        message: messages.Submit = pickle.loads(await reader.readexactly(length))
        return message
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


async def _main(control: socket.socket, settings: messages.Settings) -> None:
    await Broker(settings).run(control)


def main(words: Iterable[str]) -> None:
    """Serve. words: the number of a descriptor to get links from."""
    (number,) = words
    settings: messages.Settings = pickle.loads(sys.stdin.buffer.read())
    with socket.socket(fileno=int(number)) as control:
        asyncio.run(_main(control, settings))


if __name__ == "__main__":
    main(sys.argv[1:])
