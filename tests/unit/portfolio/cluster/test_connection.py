"""The connection to a scheduler: what is wrong with it is said in one line."""

import asyncio
import importlib.util
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

if importlib.util.find_spec("distributed") is None:
    pytest.skip("dask.distributed is not installed (pip install 'lazy-cseq[cluster]')", allow_module_level=True)

from cseq.model.errors import BackendError, UsageError
from cseq.portfolio.cluster import connection
from cseq.portfolio.cluster.connection import Connection, name_of, security
from cseq.portfolio.cluster.versions import core


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for what does not come."""
    monkeypatch.setattr(connection, "CONNECTING", 0.3)
    monkeypatch.setattr(connection, "AGAIN", 0.05)
    monkeypatch.setattr(connection, "FIRST_WORKER", 0.05)
    monkeypatch.setattr(connection, "ASKING", 0.05)


def failure(url: str) -> str:
    """The error of a connection to *url*."""
    with pytest.raises(BackendError) as raised:
        asyncio.run(Connection(url, None).open())
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_where_nobody_answers() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))  # and does not listen
        url = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
        assert failure(url).startswith(f"no scheduler can be reached at {url}: ")


def test_what_answers_and_is_no_scheduler() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    with server.accept()[0] as end:
                        end.sendall(b"220 mail.example ESMTP\r\n" * 9)
                except OSError:
                    return

        thread = threading.Thread(target=serve)
        thread.start()
        url = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        try:
            assert f" at {url}" in failure(url)
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


class Client:
    """A client of dask. workers: what the scheduler knows. answers: what each says, by address."""

    status = "running"

    def __init__(self, workers: dict[str, Any], answers: dict[str, Any]) -> None:
        self.scheduler = self
        self._workers, self._answers = workers, answers

    async def identity(self) -> dict[str, Any]:
        return {"workers": self._workers}

    async def run(self, function: Any, tools: Any, workers: list[str], on_error: str) -> dict[str, Any]:
        answer = self._answers[workers[0]]
        if answer is None:
            await asyncio.Event().wait()
        if isinstance(answer, KeyError):
            raise answer
        return {workers[0]: answer}

    async def close(self, timeout: float) -> None:
        self.status = "closed"


def connected(workers: dict[str, Any], answers: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Connection:
    async def made(self: Connection) -> Client:
        return Client(workers, answers)

    monkeypatch.setattr(Connection, "_made", made)
    return Connection("tcp://s:1", None)


def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        found = connected({}, {}, monkeypatch)
        await found.open()
        await found.first_workers()

    with pytest.raises(BackendError, match="the scheduler at tcp://s:1 has had no worker for"):
        asyncio.run(ask())


def test_workers_that_say_nothing_of_use_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {
        "good": core(),
        "silent": None,
        "bare": ModuleNotFoundError("No module named 'cseq'"),
        "odd": "text",
        "gone": KeyError("gone"),
        "broken": ValueError("first line\nsecond line"),
    }

    async def ask() -> dict[str, Any]:
        found = connected({}, answers, monkeypatch)
        await found.open()
        return dict(await found.versions({address: {} for address in answers}, None))

    assert asyncio.run(ask()) == {
        "good": core(),
        "silent": "does not answer within 0.05 s",
        "bare": "has no CSeq",
        "odd": "cannot say what is installed: text",
        "gone": "cannot say what is installed: 'gone'",
        "broken": "cannot say what is installed: first line",
    }


def test_a_connection_that_breaks_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        found = connected({"w": {}}, {}, monkeypatch)
        await found.open()
        first: Any = await found.client()
        first.status = "closed"
        assert not found.is_up
        second: Any = await found.client()
        assert second is not first and found.is_up and await found.workers() == {"w": {}}
        await found.close()
        assert second.status == "closed"

    asyncio.run(ask())


def test_a_connection_that_cannot_be_made_again_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        found = connected({}, {}, monkeypatch)
        await found.open()
        (await found.client()).status = "closed"

        async def fails(self: Connection) -> None:
            raise BackendError("no scheduler can be reached")

        monkeypatch.setattr(Connection, "_made", fails)
        await found.client()

    with pytest.raises(BackendError, match="no scheduler can be reached"):
        asyncio.run(ask())


def test_certificates_that_are_missing_or_wrong(tmp_path: Path) -> None:
    file = tmp_path / "some.pem"
    file.write_text("no certificate")
    for files, message in [
        ((None, None, None), "takes --tls-ca-file, --tls-cert, --tls-key"),
        ((str(file), None, None), "takes --tls-cert, --tls-key"),
        ((str(file), str(tmp_path / "none"), None), "--tls-cert: .*none: no such file"),
        ((str(file), str(file), str(file)), "the certificates cannot be used"),
    ]:
        with pytest.raises(UsageError, match=message):
            security(files)


def test_a_worker_is_called_by_its_name() -> None:
    assert name_of("tcp://w:1", {"name": "node-7"}) == "node-7 at tcp://w:1"
    assert [name_of("tcp://w:1", known) for known in (None, {}, {"name": "tcp://w:1"})] == ["tcp://w:1"] * 3
