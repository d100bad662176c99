"""A command under limits: what it took, with everything that it has started."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cseq.bench.measure import Measured, Measurement
from cseq.process.portfolio import Contender, contest
from tests.support.processes import alive

pytestmark = pytest.mark.engine

BUSY = f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.5: pass'"


def measured(folder: Path, script: str, **limits: float) -> Measured:
    """What the shell took for *script*, in a process of its own as all measurements are."""
    given = SimpleNamespace(**{"cputime": None, "walltime": None, "memory": None, **limits})
    measurement = Measurement(["/bin/sh", "-c", script], folder / "log", given, {"GIVEN": "this"}, (), folder)
    (answer,) = contest([Contender("run", measurement.run)], lambda *_: False, folder).values()
    assert isinstance(answer, Measured), answer
    return answer


DAEMON = f'(setsid sh -c "{BUSY}; echo > done" &); while [ ! -e done ]; do sleep 0.05; done'


@pytest.mark.parametrize("script", [BUSY, f"{BUSY} & wait", DAEMON], ids=["itself", "child", "daemon"])
def test_processor_time_of_all_that_it_starts(tmp_path: Path, script: str) -> None:
    found = measured(tmp_path, script)
    assert (found.status, found.reason) == (0, None)
    assert 0.45 < found.cputime < 5 and found.walltime >= 0.45


def test_memory(tmp_path: Path) -> None:
    small = measured(tmp_path, "sleep 0.3")
    assert 100_000 < small.memory < 10_000_000  # and not that of the process that measures
    wait = 'os.mkdir(f"both/{os.getpid()}")\nwhile len(os.listdir("both")) < 2: time.sleep(0.01)'
    large = f"{sys.executable} -c 'import os, time; x = bytearray(100_000_000)\n{wait}\ntime.sleep(0.5)'"
    (tmp_path / "both").mkdir()
    assert measured(tmp_path, f"{large} & {large} & wait").memory > 190_000_000


@pytest.mark.parametrize(
    ("limits", "reason"), [({"walltime": 0.5}, "walltime"), ({"cputime": 0.3}, "cputime"), ({"memory": 1000}, "memory")]
)
def test_a_limit_ends_it_and_leaves_nothing(tmp_path: Path, limits: dict[str, float], reason: str) -> None:
    found = measured(tmp_path, "setsid sh -c 'echo $$ > left; while :; do :; done' & wait", **limits)
    assert found.reason == reason
    assert not (tmp_path / "left").exists() or not alive(int((tmp_path / "left").read_text() or 0))


def test_surroundings_and_output(tmp_path: Path) -> None:
    found = measured(tmp_path, 'echo "$GIVEN $HOME"; echo error >&2; kill -TERM $$')
    command, *_, said, error = (tmp_path / "log").read_text().splitlines()
    assert command.startswith("/bin/sh -c ") and error == "error"
    assert said.startswith("this ") and not Path(said.removeprefix("this ")).exists()
    assert found.status == 15  # as `os.wait` reports a signal


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    limits = SimpleNamespace(cputime=None, walltime=None, memory=None)
    measurement = Measurement(["nothing"], tmp_path / "log", limits, {}, (), tmp_path)
    (answer,) = contest([Contender("run", measurement.run)], lambda *_: False, tmp_path).values()
    assert isinstance(answer, Measured) and answer.status == 127 << 8
    assert (tmp_path / "log").read_text().endswith(f"cannot start {tmp_path}/nothing: No such file or directory\n")
