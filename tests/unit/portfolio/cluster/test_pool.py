"""The pool of a cluster, with a broker that says what a test wants: what counts as an answer, and what does not."""

import pickle
import socket
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cseq.cli.main import main
from cseq.model.errors import BackendError, CSeqError, UsageError
from cseq.model.jobrecords import JobEnd, JobName
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.options.cluster_options import check_security
from cseq.pipeline.facts import Fact
from cseq.pipeline.jobs import Job, JobResult
from cseq.pipeline.status import JobsChanged
from cseq.portfolio.cluster import messages
from cseq.portfolio.cluster.pool import ClusterPool, cluster
from cseq.portfolio.cluster.transport import pack, unpack
from cseq.pthread_stubs import FOLDER

NOTHING = Outcome(Verdict.UNKNOWN, Reason.BOUNDED)
SAID = messages.Ready(2, frozenset({"cbmc"}))


class Broker:
    """The other end. replies: what it says to each job, by number; an exception ends it."""

    def __init__(self, control: socket.socket, replies: Callable[[int], list[object]]) -> None:
        self.payloads: list[bytes] = []
        self.first: list[object] = [SAID]
        self._control, self._replies = control, replies
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def end(self) -> None:
        self._thread.join()

    def _serve(self) -> None:
        while True:
            data, files, _, _ = socket.recv_fds(self._control, 16, 1)
            if not data:
                return
            with socket.socket(fileno=files[0]) as link:
                for message in self.first:
                    link.sendall(messages.framed(message))
                stream = link.makefile("rb")
                while head := stream.read(messages.LENGTH.size):
                    submit = pickle.loads(stream.read(*messages.LENGTH.unpack(head)))
                    self.payloads.append(submit.payload)
                    for reply in self._replies(submit.number):
                        if reply is None:
                            link.shutdown(socket.SHUT_RDWR)
                        else:
                            link.sendall(messages.framed(reply))


class Listed:
    """A plan: so many jobs, of which the one called *last* ends it."""

    def __init__(self, number: int, last: str = "") -> None:
        self._jobs = [Job(JobName("cbmc", search=str(each)), {}) for each in range(1, number + 1)]
        self._last = last
        self.done: dict[str, JobResult] = {}
        self.is_done = False

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    def next(self) -> Job | None:
        return self._jobs.pop(0) if self._jobs else None

    def over(self, job: Job, done: JobResult) -> None:
        assert job.name.search not in self.done, "reported twice"
        self.done[job.name.search] = done
        self.is_done = job.name.search == self._last


Make = Callable[..., tuple[ClusterPool, Broker, list[Any]]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A pool, its broker, and what is noted and reported."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    brokers = []

    def made(replies: Callable[[int], list[object]]) -> tuple[ClusterPool, Broker, list[Any]]:
        (tmp_path / "errors").write_text("some warning\nthe last line\n")
        brokers.append(Broker(theirs, replies))
        pool = ClusterPool(ours, tmp_path / "errors")
        noted: list[Any] = []
        context = SimpleNamespace(note=noted.append, report=noted.append)
        session: Any = SimpleNamespace(
            context=context, chain=SimpleNamespace(path=Path("lazy.chain")), paths=["a.c"], begun=lambda values: None
        )
        pool.session = session
        return pool, brokers[0], noted

    with ours, theirs:
        yield made
        ours.close()
        for each in brokers:
            each.end()


def answer(number: int, done: object = None, *lost: messages.AttemptLost, worker: str = "w") -> messages.Answer:
    return messages.Answer(
        number, messages.Report(pack(done or JobResult(NOTHING, seconds=1.0)), worker, "tcp://w:1"), lost
    )


def test_each_job_is_over_once_with_its_worker(make: Make) -> None:
    pool, broker, noted = make(lambda number: [messages.Width(1), answer(number, worker=f"w{number}")])
    assert (pool.width, pool.engines, pool.is_far) == (2, {"cbmc"}, True)
    plan = Listed(9)
    pool.work(plan)
    assert {name: done.worker for name, done in plan.done.items()} == {str(n): f"w{n}" for n in range(1, 10)}
    assert [(each.end, each.worker) for each in noted if not isinstance(each, JobsChanged)] == [
        (JobEnd.NOTHING, f"w{number}") for number in range(1, 10)
    ]
    assert pool.width == 1 and noted[-1] == JobsChanged((), 9)
    assert unpack(broker.payloads[0]).job.name.search == "1"


def test_attempts_that_were_lost_are_noted(make: Make) -> None:
    pool, _, noted = make(lambda number: [answer(number, None, messages.AttemptLost("dead", 2.0))])
    pool.work(Listed(1))
    ends = [(each.end, each.worker) for each in noted if not isinstance(each, JobsChanged)]
    assert ends == [(JobEnd.LOST, "dead"), (JobEnd.NOTHING, "w")]


def test_the_work_ends_with_the_plan(make: Make) -> None:
    pool, _, noted = make(lambda number: [answer(number)] if number == 2 else [])
    plan = Listed(5, last="2")
    pool.work(plan)
    assert list(plan.done) == ["2"]
    assert noted[-1] == JobsChanged((), 1)  # the others do not go on


def test_a_job_that_was_given_up_is_no_answer(make: Make) -> None:
    pool, _, _ = make(lambda number: [messages.Answer(number, None, (messages.AttemptLost("dead", 1.0),))])
    plan = Listed(1)
    pool.work(plan)
    outcome = plan.done["1"].outcome
    assert isinstance(outcome, Outcome) and (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.MEMORY)


@pytest.mark.parametrize(
    "sent", [b"", b"rubbish", pack(7), pack(NOTHING), pack(JobResult("TRUE")), pack(JobResult(NOTHING))[:-9]]
)  # type: ignore[arg-type]
def test_what_is_no_result_is_no_answer(make: Make, sent: bytes) -> None:
    pool, _, _ = make(lambda number: [messages.Answer(number, messages.Report(sent, "w", "tcp://w:1"))])
    plan = Listed(1)
    pool.work(plan)
    outcome = plan.done["1"].outcome
    assert isinstance(outcome, BackendError) and str(outcome).startswith("the worker w has sent no result")


def test_what_the_system_of_a_worker_refuses_names_the_worker(make: Make) -> None:
    pool, _, _ = make(lambda number: [answer(number, JobResult(OSError(27, "File too large")))])
    plan = Listed(1)
    pool.work(plan)
    assert str(plan.done["1"].outcome) == "on the worker w: file too large"


@pytest.mark.parametrize(
    "reply, error, message",
    [
        (messages.Unavailable("no worker is left", False), BackendError, "--cluster: no worker is left"),
        (messages.Unavailable("another version", True), UsageError, "--cluster: another version"),
        (None, BackendError, "--cluster: the connection to the cluster ended: the last line"),
    ],
)
def test_where_the_cluster_cannot_go_on(make: Make, reply: object, error: type[CSeqError], message: str) -> None:
    pool, _, noted = make(lambda number: [reply])
    with pytest.raises(error) as raised:
        pool.work(Listed(1))
    assert raised.type is error and str(raised.value) == message
    assert noted[-1] == JobsChanged((), 0)


def test_paths_of_ours_are_those_of_each_machine() -> None:
    fact: Fact[int] = Fact("seen")
    values = (FOLDER / "mutex.c", str(FOLDER), f"{FOLDER}-other", Path("/home/a.c"))
    data = pack(JobResult(NOTHING, {fact.name: values}))
    assert unpack(data).facts["seen"] == values
    assert str(FOLDER / "mutex.c").encode() not in zlib.decompress(data)


def test_without_dask_there_is_one_line_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    monkeypatch.chdir(tmp_path)
    for words in (["-b", "cbmc", "--cluster", "local:2", "a.c"], ["cluster", "doctor", "tcp://127.0.0.1:8786"]):
        assert main(words) == 2, words
        out, err = capsys.readouterr()
        assert out == "" and err.count("\n") == 1
        assert err.endswith("takes dask.distributed: pip install 'lazy-cseq[cluster]'\n")
    with pytest.raises(UsageError), cluster(messages.Settings("tcp://127.0.0.1:8786"), tmp_path):
        pass


@pytest.mark.engine
@pytest.mark.parametrize(
    "words, message",
    [
        (["--cluster", "tcp://10.0.0.7:8786"], "use tls://… with --tls-ca-file, --tls-cert and --tls-key, or say"),
        (["--cluster", "tcp://cluster.example:8786"], "anyone who can reach that network can run programs"),
        (["--cluster", "tcp://[::]:8786"], "anyone who can reach that network can run programs"),
        (["--cluster", "tcp://127.0.0.1:8786", "--tls-cert", "a.pem"], "which is not encrypted; tls://… is"),
        (["--cluster", "tls://127.0.0.1:8786"], "tls://… takes --tls-ca-file, --tls-cert, --tls-key"),
        (["--cluster", "127.0.0.1:8786"], "is not the address of a cluster"),
        (["--cluster", "local:0"], "local:1 to local:256 can be started"),
        (["--insecure"], "--insecure says how to connect to a cluster: it takes --cluster ADDRESS"),
        (["--cluster", "local:1", "--jobs", "2"], "--cluster and --jobs cannot be combined"),
        (["--cluster", "local:1", "--keep", "kept"], "--keep cannot be combined with --cluster"),
    ],
)
def test_what_is_refused_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    monkeypatch.chdir(tmp_path)
    assert main(["-b", "cbmc", *words, "a.c"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and message in err


def test_an_address_of_other_machines_is_accepted_where_the_user_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("tcp://10.0.0.7:8786", "tls://10.0.0.7:8786", "tcp://127.0.0.1:8786", "tcp://[::1]:1", "local:3"):
        given = {"cluster": address, "insecure": address.startswith("tcp://10")}
        check_security(given)
    with pytest.raises(UsageError):
        check_security({"cluster": "tcp://10.0.0.7:8786"})
