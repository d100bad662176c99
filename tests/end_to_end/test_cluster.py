"""Runs on a cluster: their answers, and what becomes of them when machines and networks fail.

Where openssl can make a certificate, the connections of the cluster are encrypted.
"""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.cli.main import main
from cseq.model.jobrecords import JobEnd
from cseq.model.verdict import Outcome, Tiles, Verdict
from cseq.modules.symbolic.levels import level, tiling
from cseq.report.json import jsonreport
from tests.support.processes import alive, waited_for
from tests.support.shell import BUGGY, LAUNCHER

if importlib.util.find_spec("distributed") is None:
    pytest.skip("dask.distributed is not installed (pip install 'lazy-cseq[cluster]')", allow_module_level=True)
if BACKEND.find() is None:
    pytest.skip("CBMC is not installed (setup/provide-cbmc)", allow_module_level=True)

from tests.support.clusters import PATIENCE, Certificate, Cluster

CORRECT = BUGGY.replace("x++;", "ADD(x);")
HEADER = "#define ADD(x) __atomic_fetch_add(&(x), 1, __ATOMIC_SEQ_CST)\n"

PROGRAMS = {"buggy.c": '#include "add.h"\n' + BUGGY, "correct.c": '#include "add.h"\n' + CORRECT}

BOUNDS: dict[str, Any] = {"rounds": 2, "unwind": 1, "prove": True}
OPTIONS = ["-b", "cbmc", "--rounds", "2", "--unwind", "1", "-I", "own", "--timeout", f"{PATIENCE:g}"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    certificate = Certificate(folder / "certificate") if shutil.which("openssl") else None
    made = Cluster(folder / "machines", certificate)
    try:
        made.hire(2)
        yield made
    finally:
        made.end()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The programs, in the current folder: the workers have another one, so they cannot read its files."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "add.h").write_text(HEADER)
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level is cut into four parts, since the whole never has time enough."""
    monkeypatch.setattr(level, "_BOX", 0.001)
    monkeypatch.setattr(tiling, "_LEAST", 4)
    monkeypatch.setattr(tiling, "_PER_WORKER", 1)


def answer(name: str, **given: Any) -> Outcome:
    return cseq.verify(name, backend="cbmc", include=("own",), timeout=PATIENCE, **{**BOUNDS, **given})


def answer_with(fault: Callable[[], None], cluster: Cluster, name: str) -> Outcome:
    """The answer from the cluster, where *fault* happens while it is looked for. Engines wait until that is over."""
    cluster.close()

    def happen() -> None:
        try:
            fault()
        finally:
            cluster.open()

    with ThreadPoolExecutor(1) as pool:
        happening = pool.submit(happen)
        try:
            found = answer(name, **cluster.values)
        finally:
            cluster.is_over = True
        happening.result(PATIENCE)
    return found


def report(outcome: Outcome) -> Any:
    """The JSON report, without what differs from run to run, and with whoever does the work."""
    told = jsonreport.report(outcome)
    for each in (told, *told["properties"]):
        for name in ("jobs", "times", "tiles"):
            each.pop(name, None)
    return told


def started(here: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    """A run with these words in a process of its own."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, str(LAUNCHER), *OPTIONS, *words],
        cwd=here,
        env={**os.environ, "PYTHONPATH": paths, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_worker_that_dies_is_replaced_by_another_one(cluster: Cluster) -> None:
    dead = []

    def kill() -> None:
        (engine,) = cluster.waiting()
        dead.append(cluster.whose(engine))
        cluster.fire(dead[0])
        waited_for(lambda: not alive(engine), PATIENCE)  # it does not outlive its worker

    found = answer_with(kill, cluster, "buggy.c")
    cluster.hire()
    assert found.verdict is Verdict.FALSE
    (done,) = found.jobs
    assert done.end is JobEnd.VIOLATED and done.worker and not done.worker.endswith(dead[0])
    assert report(found) == report(answer("buggy.c"))


def test_the_part_of_a_worker_that_stops_is_checked_by_others(cluster: Cluster, divided: None) -> None:
    stopped = []

    def stop() -> None:
        engines = cluster.waiting(2)
        stopped.append(cluster.whose(engines[0]))
        cluster.workers[stopped[0]].send_signal(signal.SIGSTOP)

    try:
        found = answer_with(stop, cluster, "correct.c")
    finally:
        cluster.workers[stopped[0]].send_signal(signal.SIGCONT)
    assert found.verdict is Verdict.TRUE and found.tiles == Tiles(4, 4)
    ends = {record.name.tile: record for record in found.jobs if record.end is JobEnd.NOTHING}
    assert set(ends) == {"0/4", "1/4", "2/4", "3/4"}
    assert not any(record.worker.endswith(stopped[0]) for record in ends.values())
    assert report(found) == report(answer("correct.c"))


def test_a_violation_in_a_part(cluster: Cluster, divided: None) -> None:
    found = answer("buggy.c", **cluster.values)
    assert found.verdict is Verdict.FALSE and found.counterexample is not None and not found.unreplayed
    (violated,) = [record for record in found.jobs if record.end is JobEnd.VIOLATED]
    assert violated.name.tile and violated.worker
    whole = answer("buggy.c")
    assert (found.violated, found.bounds, found.warnings) == (whole.violated, whole.bounds, whole.warnings)


def test_a_scheduler_that_starts_again_is_found_again(cluster: Cluster) -> None:
    def restart() -> None:
        (engine,) = cluster.waiting()
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        cluster.begin()
        for worker in cluster.workers.values():  # dask's end with their scheduler
            worker.wait(PATIENCE)
        cluster.workers.clear()
        waited_for(lambda: not alive(engine), PATIENCE)
        cluster.hire(2)

    found = answer_with(restart, cluster, "correct.c")
    assert found.verdict is Verdict.TRUE
    assert [record.end for record in found.jobs] == [JobEnd.LOST, JobEnd.PROVED]


def test_nothing_is_left_on_workers_when_a_run_is_interrupted(cluster: Cluster, here: Path) -> None:
    cluster.close()
    run = started(here, *cluster.words, "buggy.c")
    try:
        (engine,) = cluster.waiting()
        run.send_signal(signal.SIGINT)
        assert run.communicate(timeout=PATIENCE) == ("", "cseq: interrupted\n")
        waited_for(lambda: not alive(engine), PATIENCE)
    finally:
        cluster.open()
        run.kill()


def test_workers_that_a_run_has_started_end_when_it_is_killed(cluster: Cluster, here: Path) -> None:
    cluster.close()
    mark = f"CSEQ_TEST_{os.urandom(8).hex()}"
    run = started(here, "--cluster", "local:1", "buggy.c", **{**cluster.environment, mark: "1"})
    try:
        cluster.waiting()
        assert len(marked(mark)) > 3
        run.kill()
        assert run.communicate(timeout=PATIENCE) == ("", "")
        waited_for(lambda: not marked(mark), PATIENCE)
    finally:
        cluster.open()
        run.kill()


def test_encrypted_connections(cluster: Cluster, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if cluster.certificate is None:
        pytest.skip("openssl is not installed, which makes the certificates (apt-get install openssl)")
    assert main(["cluster", "doctor", cluster.address, *cluster.certificate.words]) == 0
    assert "2 workers\n" in capsys.readouterr().out
    ours, other = cluster.certificate, Certificate(here / "other")
    for words, status, message in [
        ([], 2, "tls://… takes --tls-ca-file, --tls-cert, --tls-key"),
        (other.words, 3, "no scheduler can be reached at tls://"),
        (["--tls-ca-file", ours.cert, "--tls-cert", other.cert, "--tls-key", other.key], 3, "can be reached at tls://"),
        (["--tls-ca-file", ours.cert, "--tls-cert", ours.cert, "--tls-key", other.key], 2, "cannot be used"),
        (["--tls-ca-file", "none.pem"], 2, "none.pem: no such file"),
    ]:
        assert main(["cluster", "doctor", cluster.address, *words]) == status, words
        out, err = capsys.readouterr()
        assert out == "" and err.count("\n") == 1 and message in err, words


# The last one: it leaves no worker that can do anything.
def test_a_job_is_done_elsewhere_where_the_disk_is_full(cluster: Cluster, here: Path) -> None:
    full_disk = here / "full"
    full_disk.mkdir()
    before = full_disk.stat().st_mtime_ns
    while len(cluster.workers) > 1:
        cluster.fire(next(iter(cluster.workers)))
    cluster.close()
    runs = []
    try:
        runs.append(started(here, *cluster.words, "--json", "correct.c"))
        cluster.waiting()  # the only worker that could do more is busy
        (full,) = cluster.hire(1, most=2048, TMPDIR=str(full_disk))
        runs.append(started(here, *cluster.words, "--json", "buggy.c"))
        waited_for(lambda: full_disk.stat().st_mtime_ns != before, PATIENCE)  # it has begun
        cluster.open()
        correct, buggy = (json.loads(run.communicate(timeout=PATIENCE)[0]) for run in runs)
    finally:
        cluster.open()
        for run in runs:
            run.kill()
            run.communicate()
    assert (correct["reason"], buggy["verdict"]) == ("bounded", "FALSE")
    ends = [(job["end"], job["worker"].endswith(full)) for job in buggy["properties"][0]["jobs"]]
    assert ends == [("lost", True), ("violated", False)]

    cluster.fire(next(name for name in cluster.workers if name != full))
    run = started(here, *cluster.words, "correct.c")
    out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out) == (3, ""), "an answer is made up where all disks are full"
    assert "file too large" in err and err.count("\n") == 1


def marked(mark: str) -> list[int]:
    """The processes whose environment has the variable *mark*."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:  # it has ended
            continue
    return [process for process in found if alive(process)]
