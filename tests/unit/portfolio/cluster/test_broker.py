"""The broker of a run, with a cluster that does what a test says: each job has one answer, whatever fails."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.util
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from cseq.model.errors import BackendError
from cseq.portfolio.cluster import messages
from cseq.portfolio.cluster.transport import unpack
from tests.support.processes import waited_for

if importlib.util.find_spec("distributed") is None:
    pytest.skip("dask.distributed is not installed (pip install 'lazy-cseq[cluster]')", allow_module_level=True)

from distributed.scheduler import KilledWorker

from cseq.portfolio.cluster import broker

LIMIT = 60.0
A, B = "tcp://a:1", "tcp://b:2"
HANGS = object()
"""In place of a result: there is none until the attempt is not wanted any more."""


def done(text: bytes = b"x", worker: str = "a", address: str = A, **more: Any) -> messages.Report:
    return messages.Report(text, worker, address, **more)


class Future:
    """An attempt. result: what becomes of it."""

    def __init__(self, result: Any) -> None:
        self.status = "pending"
        self.is_released = False
        self._result = result

    def __await__(self) -> Any:
        return self._awaited().__await__()

    async def _awaited(self) -> Any:
        if self._result is HANGS:
            await asyncio.Event().wait()
        if isinstance(self._result, BaseException):
            raise self._result
        return self._result

    def release(self) -> None:
        self.is_released = True


class FakeCluster:
    """What the broker knows of a cluster. results: what becomes of the attempts, one after the other.

    beats: the workers that give signs of life. attempts: their arguments, with the futures.
    """

    url = "tcp://fake:1"
    is_up = True

    def __init__(self, *results: Any) -> None:
        self.results = list(results)
        self.there = {A: 1, B: 1}  # the numbers of their threads
        self.beats = {A, B}
        self.attempts: list[tuple[dict[str, Any], Future]] = []
        self.fails: BackendError | None = None
        self.processes: dict[str, str] = {}
        self._clock = 0.0
        self._seen: dict[str, float] = {}

    async def open(self) -> None:
        if self.fails is not None:
            raise self.fails

    async def close(self) -> None:
        pass

    async def client(self) -> FakeCluster:
        return self

    async def workers(self) -> dict[str, dict[str, Any]]:
        self._clock += 1
        self._seen |= dict.fromkeys(self.beats, self._clock)
        return {a: {"name": a[6], "nthreads": n, "last_seen": self._seen.get(a, 0.0)} for a, n in self.there.items()}

    first_workers = workers

    def submit(self, task: Any, payload: bytes, expected: Any, tools: Any, **given: Any) -> Future:
        future = Future(self.results.pop(0))
        self.attempts.append((given, future))
        where = given.get("workers") or [A]
        self.processes[given["key"]] = where[0]
        return future

    async def processing(self, addresses: list[str]) -> dict[str, list[str]]:
        return {a: [key for key, where in self.processes.items() if where == a] for a in addresses}


Begin = Callable[..., messages.Link]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Start a broker for a cluster; returns a link to it that has heard nothing yet."""
    monkeypatch.setattr(broker, "_LOOK", 0.005)
    monkeypatch.setattr(broker, "_STALLED", 0.05)
    monkeypatch.setattr(broker, "heartbeat_interval", lambda number: 0.0)
    with contextlib.ExitStack() as stack:

        def begun(cluster: FakeCluster) -> messages.Link:
            @contextlib.asynccontextmanager
            async def started(settings: messages.Settings) -> AsyncIterator[str]:
                yield cluster.url

            monkeypatch.setattr(broker, "started", started)
            monkeypatch.setattr(broker, "Connection", lambda url, security: cluster)
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stack.enter_context(theirs)
            settings = messages.Settings("", 2, engines=("cbmc",))
            thread = threading.Thread(target=lambda: asyncio.run(broker.Broker(settings).run(theirs)))
            thread.start()
            stack.callback(thread.join)
            stack.callback(ours.close)  # that ends it
            link = messages.connect(ours)
            link._end.settimeout(LIMIT)  # a broker that says nothing is an error, and no test that never ends
            stack.callback(link.close)
            return link

        yield begun


def said(link: messages.Link) -> Any:
    """What the broker says next, but for the number of places."""
    while True:
        message = link.heard()
        if type(message).__name__ != "Width":
            return message


def answered(link: messages.Link, number: int = 1) -> Any:
    """The answer to a job."""
    link.say(messages.Submit(number, b"job", False))
    return said(link)


def test_each_job_is_answered(begin: Begin) -> None:
    cluster = FakeCluster(done(b"one"), done(b"two"))
    link = begin(cluster)
    assert link.heard() == messages.Ready(2, frozenset({"cbmc"}))
    assert answered(link, 1) == messages.Answer(1, done(b"one"))
    assert answered(link, 2) == messages.Answer(2, done(b"two"))
    assert all(future.is_released for _, future in cluster.attempts)
    keys = [given["key"] for given, _ in cluster.attempts]
    assert len(set(keys)) == 2 and all(len(key) > 32 for key in keys)


def test_what_fails_on_one_worker_is_tried_on_another(begin: Begin) -> None:
    cluster = FakeCluster(done(has_failed=True, seconds=2.0), done(b"well", "b", B))
    link = begin(cluster)
    said(link)
    assert answered(link) == messages.Answer(1, done(b"well", "b", B), (messages.AttemptLost("a", 2.0),))
    given, _ = cluster.attempts[1]
    assert (given["workers"], given["allow_other_workers"]) == ([B], True)


def test_what_fails_everywhere_is_the_answer(begin: Begin) -> None:
    failures = [done(b"%d" % number, has_failed=True) for number in range(3)]
    link = begin(FakeCluster(*failures))
    said(link)
    answer = answered(link)
    assert answer.report == failures[2] and len(answer.lost) == 2


def test_a_job_with_which_workers_die_is_given_up(begin: Begin) -> None:
    class Dead:
        address = B

    def killed() -> KilledWorker:
        return KilledWorker("key", Dead(), 2)

    link = begin(FakeCluster(killed(), killed()))
    said(link)
    answer = answered(link)
    assert answer.report is None and [lost.worker for lost in answer.lost] == [f"b at {B}"]


@pytest.mark.parametrize("error", [concurrent.futures.CancelledError(), asyncio.CancelledError()])
def test_what_the_scheduler_forgets_is_done_again_and_is_no_failure(begin: Begin, error: BaseException) -> None:
    link = begin(FakeCluster(*[error] * 5, done(b"at last")))
    said(link)
    answer = answered(link)
    assert answer.report == done(b"at last") and [lost.worker for lost in answer.lost] == [""] * 5


def test_a_worker_without_a_sign_of_life_is_not_waited_for(begin: Begin) -> None:
    cluster = FakeCluster(HANGS, done(b"quick", "b", B), done(b"next"))
    link = begin(cluster)
    said(link)
    link.say(messages.Submit(1, b"job", False))
    cluster.beats = {B}
    assert said(link) == messages.Answer(1, done(b"quick", "b", B))
    assert cluster.attempts[1][0]["workers"] == [B]
    waited_for(lambda: cluster.attempts[0][1].is_released)  # nobody wants its answer any more
    assert answered(link, 2).number == 2  # and the first job has no second one


def test_a_job_does_not_wait_for_workers_that_have_left(begin: Begin) -> None:
    cluster = FakeCluster(done(b"", refusal="a has Python 2"), HANGS, done(b"new", "c", "tcp://c:3"))
    link = begin(cluster)
    said(link)
    link.say(messages.Submit(1, b"job", False))
    waited_for(lambda: len(cluster.attempts) == 2)
    assert cluster.attempts[1][0]["workers"] == [B] and "allow_other_workers" not in cluster.attempts[1][0]
    cluster.there = {A: 1, "tcp://c:3": 1}
    cluster.beats = set(cluster.there)
    assert said(link).report == done(b"new", "c", "tcp://c:3")
    assert cluster.attempts[2][0]["workers"] == ["tcp://c:3"]


def test_workers_that_are_all_refused_end_the_run(begin: Begin) -> None:
    refusals = [done(b"", refusal="a has Python 2"), done(b"", address=B, refusal="b has Python 3")]
    link = begin(FakeCluster(*refusals))
    said(link)
    assert answered(link) == messages.Unavailable("a has Python 2; b has Python 3", False)


@pytest.mark.parametrize("result", [b"no report", RuntimeError("cannot be unpickled")])
def test_what_is_no_report_is_no_answer(begin: Begin, result: Any) -> None:
    link = begin(FakeCluster(result, result, result))
    said(link)
    report = answered(link).report
    outcome = unpack(report.done).outcome
    assert isinstance(outcome, BackendError) and (
        "has sent no report" in str(outcome) or "cannot be unpickled" in str(outcome)
    )


def test_who_leaves_wants_nothing_any_more(begin: Begin) -> None:
    cluster = FakeCluster(HANGS, done())
    first = begin(cluster)
    said(first)
    first.say(messages.Submit(1, b"job", False))
    waited_for(lambda: cluster.attempts)
    first.close()
    waited_for(lambda: cluster.attempts[0][1].is_released)


def test_a_cluster_that_has_lost_all_workers_is_given_up(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "_NOBODY", 0.02)
    cluster = FakeCluster(HANGS)
    link = begin(cluster)
    said(link)
    link.say(messages.Submit(1, b"job", False))
    cluster.there = {}
    message = said(link)
    assert (
        isinstance(message, messages.Unavailable)
        and "has had no worker for" in message.message
        and not message.is_usage
    )


def test_whoever_comes_is_told_that_the_cluster_cannot_be_used(begin: Begin) -> None:
    cluster = FakeCluster()
    cluster.fails = BackendError("no scheduler can be reached")
    assert said(begin(cluster)) == messages.Unavailable("no scheduler can be reached", False)
