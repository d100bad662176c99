"""Runs on a cluster: their answers, and what becomes of them when machines and networks fail.

Each fault is tried on a buggy program and its correct twin, which are checked at the same time.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cseq.backends.cbmc import BACKEND
from tests.support.processes import alive, waited_for
from tests.support.shell import BUGGY, LAUNCHER

if importlib.util.find_spec("distributed") is None:
    pytest.skip("dask.distributed is not installed (pip install 'lazy-cseq[cluster]')", allow_module_level=True)
if BACKEND.find() is None:
    pytest.skip("CBMC is not installed (setup/provide-cbmc)", allow_module_level=True)

from tests.support.clusters import Cluster

CORRECT = BUGGY.replace("x++;", "ADD(x);")
HEADER = "#define ADD(x) __atomic_fetch_add(&(x), 1, __ATOMIC_SEQ_CST)\n"

PROGRAMS = {"buggy.c": '#include "add.h"\n' + BUGGY, "correct.c": '#include "add.h"\n' + CORRECT}
ANSWERS = ["FALSE", "TRUE"]

Fault = Callable[[list[int]], None]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster") / "machines")
    try:
        made.hire(2)
        yield made
    finally:
        made.end()


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "add.h").write_text(HEADER)
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def started(here: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    """A run with these words, in the folder *here*: the workers have another one, so they cannot read its files."""
    command = [sys.executable, str(LAUNCHER), "-b", "cbmc", "--rounds", "3", "--unwind", "1", "-I", "own", *words]
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        command,
        cwd=here,
        env={**os.environ, "PYTHONPATH": paths, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def both(cluster: Cluster, here: Path, fault: Fault, *words: str) -> list[str]:
    """The answers about the programs, where *fault* happens while the engine of each of them runs."""
    cluster.close()
    runs = [started(here, "--cluster", cluster.address, "-q", *words, name) for name in PROGRAMS]
    try:
        fault(cluster.waiting(2))
        return ["".join(run.communicate(timeout=100)).strip() for run in runs]
    finally:
        cluster.open()
        for run in runs:
            run.kill()
            run.communicate()


def report(here: Path, *words: str) -> Any:
    """The JSON report, without what differs from run to run."""
    out, err = started(here, "--json", *words).communicate(timeout=100)
    assert out, err
    found = json.loads(out)
    for name in ("jobs", "times", "seconds", "parameters", "command"):
        found.pop(name, None)
    return found


def test_answers_are_those_of_this_machine(cluster: Cluster, here: Path) -> None:
    for name, answer in zip(PROGRAMS, ANSWERS, strict=True):
        afar = report(here, "--cluster", cluster.address, name)
        near = report(here, name)
        assert afar["verdict"] == answer
        assert all(any(job["worker"] for job in each.pop("jobs")) for each in afar["properties"])
        assert not any(job["worker"] for each in near["properties"] for job in each.pop("jobs"))
        assert afar == near


def test_a_worker_that_dies_is_replaced_by_others(cluster: Cluster, here: Path) -> None:
    def kill(engines: list[int]) -> None:
        worker = cluster.whose(engines[0])
        worker.kill()
        worker.wait()
        cluster.workers.remove(worker)
        waited_for(lambda: not alive(engines[0]))  # it does not outlive its worker
        cluster.open()

    assert both(cluster, here, kill) == ANSWERS
    cluster.hire()


def test_a_worker_that_stops_is_not_waited_for(cluster: Cluster, here: Path) -> None:
    stopped = []

    def stop(engines: list[int]) -> None:
        stopped.append(cluster.whose(engines[0]))
        stopped[0].send_signal(signal.SIGSTOP)
        cluster.open()

    try:
        assert both(cluster, here, stop) == ANSWERS
    finally:
        stopped[0].send_signal(signal.SIGCONT)


def test_a_scheduler_that_starts_again_is_found_again(cluster: Cluster, here: Path) -> None:
    def restart(engines: list[int]) -> None:
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        for worker in cluster.workers:  # dask's end with their scheduler
            worker.wait()
        cluster.workers.clear()
        waited_for(lambda: not any(alive(engine) for engine in engines))
        cluster.begin()
        cluster.hire(2)
        cluster.open()

    assert both(cluster, here, restart) == ANSWERS


def test_nothing_is_left_on_workers_when_a_run_is_killed(cluster: Cluster, here: Path) -> None:
    cluster.close()
    run = started(here, "--cluster", cluster.address, "buggy.c")
    engines = cluster.waiting()
    run.kill()
    run.communicate(timeout=100)
    waited_for(lambda: not any(alive(engine) for engine in engines))
    cluster.open()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_that_a_run_starts_end_with_it(cluster: Cluster, here: Path, number: signal.Signals) -> None:
    cluster.close()
    mark = f"CSEQ_TEST_{os.urandom(8).hex()}"
    run = started(here, "--cluster", "local:1", "buggy.c", **{**cluster.environment, mark: "1"})
    cluster.waiting()
    assert len(marked(mark)) > 3
    run.send_signal(number)
    out, err = run.communicate(timeout=100)
    assert (out, err) == ("", "" if number is signal.SIGKILL else "cseq: interrupted\n")
    waited_for(lambda: not marked(mark))
    cluster.open()


def test_a_job_is_done_elsewhere_where_the_disk_is_full(cluster: Cluster, here: Path) -> None:
    cluster.fire()
    cluster.hire(1, most=2048)
    cluster.hire(1)
    runs = [started(here, "--cluster", cluster.address, "-q", name) for name in PROGRAMS]
    assert ["".join(run.communicate(timeout=100)).strip() for run in runs] == ANSWERS


def test_no_answer_is_made_up_where_all_disks_are_full(cluster: Cluster, here: Path) -> None:
    cluster.fire()
    cluster.hire(1, most=2048)
    run = started(here, "--cluster", cluster.address, "correct.c")
    out, err = run.communicate(timeout=100)
    assert (run.returncode, out) == (3, "")
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
