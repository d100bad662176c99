"""Programs that are run with limits end, and so does everything that they started."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from cseq.errors import BackendError
from cseq.process import Completed, run

LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")


def gone(process: int) -> bool:
    """Whether a process has ended, within a while."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if "\nState:\tZ" in Path(f"/proc/{process}/status").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def shell(script: str, **kwargs) -> Completed:
    return run(["/bin/sh", "-c", script], **kwargs)


@pytest.mark.parametrize("status", [0, 1, 10, 255])
def test_exit_status(status: int) -> None:
    assert shell(f"exit {status}").status == status


@pytest.mark.parametrize("number", [6, 9, 11])
def test_signal(number: int) -> None:
    completed = shell(f"kill -{number} $$")
    assert (completed.status, completed.timed_out, completed.limited) == (-number, False, False)


def test_streams(tmp_path: Path) -> None:
    completed = shell("cat; pwd; echo no >&2", stdin=b"given\n", folder=tmp_path)
    assert completed == Completed(0, f"given\n{tmp_path}\n", "no\n")


def test_no_input_is_no_terminal() -> None:
    assert shell("cat").stdout == ""


def test_much_of_everything() -> None:
    data = b"0123456789" * 100_000
    completed = shell("tee /dev/stderr", stdin=data, timeout=30)
    assert completed.stdout == completed.stderr == data.decode()


def test_input_that_nobody_reads() -> None:
    assert shell("exit 3", stdin=b"x" * 1_000_000).status == 3


def test_output_that_is_no_text() -> None:
    assert shell(r"printf 'a\377b'").stdout == "a\ufffdb"


def test_not_there(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=f"cannot start {tmp_path}/none: No such file"):
        run([str(tmp_path / "none")])


def test_not_a_program(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("text")
    with pytest.raises(BackendError, match="Permission denied"):
        run([str(tmp_path / "text")])


def test_timeout() -> None:
    started = time.monotonic()
    completed = shell("echo begun; echo badly >&2; exec sleep 60", timeout=0.3)
    assert time.monotonic() - started < 20
    assert completed == Completed(-9, "begun\n", "badly\n", timed_out=True)


def test_in_time() -> None:
    assert shell("exit 4", timeout=60) == Completed(4, "", "")


@LINUX
@pytest.mark.parametrize("script", ["sleep 60 & echo $!; wait", "(sleep 60 & echo $!; wait) & wait"])
def test_timeout_ends_grandchildren(script: str) -> None:
    completed = shell(script, timeout=0.3)
    assert completed.timed_out
    assert gone(int(completed.stdout))


@LINUX
def test_nothing_outlives_the_end_of_the_program() -> None:
    completed = shell("sleep 60 >/dev/null 2>&1 & echo $!")
    assert (completed.status, completed.timed_out) == (0, False)
    assert gone(int(completed.stdout))


@LINUX
def test_an_interruption_ends_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    wait = subprocess.Popen.wait

    def interrupted(self: subprocess.Popen[bytes], *args: object, **kwargs: object) -> None:
        monkeypatch.setattr(subprocess.Popen, "wait", wait)
        while not (tmp_path / "started").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        shell("sleep 60 & echo $$ $! > new; mv new started; wait", folder=tmp_path)
    assert all(gone(int(word)) for word in (tmp_path / "started").read_text().split())


EATER = "import time; time.sleep(0.3); b = bytearray({} << 20); print('fed')"


def test_memory_limit() -> None:
    completed = run([sys.executable, "-c", EATER.format(2000)], memory=1000)
    assert completed.limited
    assert completed.status == 1
    assert "MemoryError" in completed.stderr


@pytest.mark.parametrize("memory", [4000, 1 << 60])
def test_memory_within_the_limit(memory: int) -> None:
    completed = run([sys.executable, "-c", EATER.format(1)], memory=memory)
    assert completed == Completed(0, "fed\n", "", limited=True)


def test_no_limit() -> None:
    assert not shell("exit 0").limited
