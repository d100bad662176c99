"""A task on a worker: it leaves no process, and what its process does not say is no answer."""

import importlib.util
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

if importlib.util.find_spec("distributed") is None:
    pytest.skip("dask.distributed is not installed (pip install 'lazy-cseq[cluster]')", allow_module_level=True)

from cseq.model.errors import BackendError, InputError, MissingError
from cseq.model.jobrecords import JobName
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.pipeline.jobs import Job, JobResult
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context
from cseq.portfolio.cluster import worker
from cseq.portfolio.cluster.child import Bundle, do
from cseq.portfolio.cluster.transport import pack, unpack
from cseq.portfolio.cluster.versions import core
from cseq.portfolio.families import Families
from tests.support.processes import alive, waited_for

pytestmark = pytest.mark.engine


def done(payload: bytes, folder: Path, is_wanted: bool = True) -> JobResult:
    found = unpack(worker.done_in_child(payload, str(folder), 0, lambda: is_wanted))
    assert isinstance(found, JobResult)
    return found


def python(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Have the process for a job do what *script* says."""
    path = folder / "python"
    path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(path))


def test_a_payload_that_is_none_is_no_answer(tmp_path: Path) -> None:
    outcome = done(b"rubbish", tmp_path).outcome
    assert isinstance(outcome, BackendError)
    assert str(outcome).startswith("the process for a job ended with status 1: ")


@pytest.mark.parametrize(
    "script, message",
    [
        ("os.kill(os.getpid(), 9)", "the process for a job was killed by signal 9"),
        ("sys.exit('out of ideas')", "the process for a job ended with status 1: out of ideas"),
        ("os.write(1, (99).to_bytes(8, sys.byteorder) + b'half')", "the process for a job ended with status 0"),
        ("os.write(1, b'half')", "the process for a job ended with status 0"),
    ],
)
def test_a_process_that_says_nothing_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    python(tmp_path, monkeypatch, script)
    assert str(done(b"job", tmp_path).outcome) == message


def test_a_job_that_nobody_wants_ends_with_its_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = f"import subprocess\nengine = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n\
open('{tmp_path}/new', 'w').write(str(engine.pid)); os.rename('{tmp_path}/new', '{tmp_path}/engine'); time.sleep(1000)"
    python(tmp_path, monkeypatch, script)
    unwanted = threading.Event()
    results = []

    def work() -> None:
        results.append(unpack(worker.done_in_child(b"job", str(tmp_path), 0, lambda: not unwanted.is_set())))

    thread = threading.Thread(target=work)
    thread.start()
    waited_for((tmp_path / "engine").exists, 120)
    engine = int((tmp_path / "engine").read_text())
    assert alive(engine)
    unwanted.set()
    thread.join()
    assert not alive(engine)
    assert str(results[0].outcome) == "the job was cancelled"
    assert worker.has_failed(results[0])


@pytest.mark.parametrize(
    "outcome, fails",
    [
        (Outcome(Verdict.TRUE), False),
        (Outcome(Verdict.UNKNOWN, Reason.TIMEOUT), False),
        (Outcome(Verdict.UNKNOWN, Reason.BACKEND), True),
        (InputError("no main"), False),
        (BackendError("it crashed"), True),
        (MissingError("not installed"), True),
        (OSError(28, "No space left on device"), True),
        (RuntimeError("a bug"), True),
    ],
)
def test_what_may_go_well_on_another_machine(outcome: Outcome | Exception, fails: bool) -> None:
    assert worker.has_failed(JobResult(outcome)) is fails


def test_the_memory_of_a_job_is_its_part_of_the_worker() -> None:
    def limited(limit: float | None, threads: int) -> SimpleNamespace:
        manager = SimpleNamespace(memory_limit=limit)
        return SimpleNamespace(memory_manager=manager, state=SimpleNamespace(nthreads=threads))

    assert worker.memory(limited(4 << 30, 4)) == 1024
    assert worker.memory(limited(None, 4)) == 0
    assert worker.memory(SimpleNamespace(state=SimpleNamespace(nthreads=1))) == 0


def test_a_worker_that_differs_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    here = replace(core(), tools=(("cbmc", "6.6"),))
    monkeypatch.setattr(worker, "installed", lambda tools: here)
    assert worker.mismatch(here, ("cbmc",)) == []
    other = replace(here, python="2.7", tools=(("cbmc", "6.5"),))
    assert worker.mismatch(other, ("cbmc",)) == [f"Python {here.python} instead of 2.7", "cbmc 6.6 instead of 6.5"]


def bundle(folder: Path, text: str, seconds: float | None = None, **values: object) -> Bundle:
    """The job of checking the program *text*, as it is sent to a worker."""
    (folder / "a.c").write_text(text)
    way, _ = Families().ways({"backend": "native", "property": "unreach-call", **values})
    session = Session(way.chain, [str(folder / "a.c")], Context(way.values, folder))
    begun = session.begun(dict(way.values))
    (folder / "a.c").unlink()  # the worker has no such file
    job = Job(JobName("native", "unreach-call"), way.values, seconds)
    found: Bundle = unpack(pack(Bundle(way.chain.path.stem, ("a.c",), begun, job)))
    return found


def test_a_job_takes_none_of_the_files_of_the_user(tmp_path: Path) -> None:
    sent = bundle(tmp_path, "#include <assert.h>\nint x;\nint main(void) { assert(x == 1); return 0; }\n")
    found = do(sent, tmp_path, None)
    assert isinstance(found.outcome, Outcome) and found.outcome.verdict is Verdict.FALSE
    assert found.outcome.violated is not None and str(found.outcome.violated.origin).endswith("a.c:3")


def test_a_job_without_time_or_with_an_error_ends_with_that(tmp_path: Path) -> None:
    text = "int main(void) { return 0; }\n"
    late = do(bundle(tmp_path, text, seconds=-1e6), tmp_path, None).outcome
    assert isinstance(late, Outcome) and late.reason is Reason.TIMEOUT
    text = 'int x; int main(void) { asm("incl x"); return 0; }\n'
    refused = do(bundle(tmp_path, text, strict=True), tmp_path, None).outcome
    assert isinstance(refused, InputError) and not worker.has_failed(JobResult(refused))
