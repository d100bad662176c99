"""Programs that are run with limits end, and so does everything that they started."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from cseq.model.errors import BackendError
from cseq.process.run import Completed, Limits, first, run
from tests.support.processes import alive, waited_for

pytestmark = pytest.mark.engine

LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")


def gone(process: int) -> bool:
    """Whether a process has ended, within a while."""
    waited_for(lambda: not alive(process))
    return True


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
    completed = shell("echo begun; echo badly >&2; exec sleep 60", timeout=1)
    assert time.monotonic() - started < 20
    assert completed == Completed(-9, "begun\n", "badly\n", timed_out=True)


def test_in_time() -> None:
    assert shell("exit 4", timeout=60) == Completed(4, "", "")


@LINUX
@pytest.mark.parametrize("script", ["sleep 60 & echo $!; wait", "(sleep 60 & echo $!; wait) & wait"])
def test_timeout_ends_grandchildren(script: str) -> None:
    completed = shell(script, timeout=1)
    assert completed.timed_out
    assert gone(int(completed.stdout))


@LINUX
def test_nothing_outlives_the_end_of_the_program() -> None:
    completed = shell("sleep 60 >/dev/null 2>&1 & echo $!")
    assert (completed.status, completed.timed_out) == (0, False)
    assert gone(int(completed.stdout))


@LINUX
def test_an_interruption_ends_all(tmp_path: Path) -> None:
    def interrupt() -> None:
        while not (tmp_path / "started").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        shell("sleep 60 & setsid sleep 60 & echo $$ $! > new; mv new started; wait", folder=tmp_path)
    assert all(gone(int(word)) for word in (tmp_path / "started").read_text().split())
    assert [path.name for path in tmp_path.iterdir()] == ["started"]


def test_a_program_that_prints_without_end() -> None:
    for command in ("yes", "yes >&2"):
        completed = shell(command, timeout=60, output=1)
        assert (completed.exceeded, completed.timed_out) == ("output", False)
        assert 0 < len(completed.stdout) + len(completed.stderr) <= 1 << 20


def test_a_program_that_has_printed_too_much() -> None:
    assert shell("head -c 2000000 /dev/zero", output=1).exceeded == "output"
    assert shell("head -c 1000000 /dev/zero", output=1).exceeded == ""


@pytest.mark.parametrize(
    "script",
    [
        "exec dd if=/dev/zero of=one bs=1M count=100000",
        "mkdir -p in/side; i=0; while :; do i=$((i+1)); head -c 100000 /dev/zero > in/side/$i; done",
        'head -c 2000000 /dev/zero > "$TMPDIR/elsewhere"; sleep 60',
    ],
)
def test_a_program_that_writes_without_end(tmp_path: Path, script: str) -> None:
    completed = shell(script, folder=tmp_path, timeout=60, files=1, output=1)
    assert (completed.exceeded, completed.timed_out) == ("files", False)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 1 << 30


def test_what_was_in_the_folder_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(bytes(3_000_000))
    assert shell("sleep 0.2; echo new > new", folder=tmp_path, files=1).exceeded == ""


def test_what_is_in_the_temporary_folder_is_removed(tmp_path: Path) -> None:
    assert shell('echo > "$TMPDIR/some"; kill -9 $$', folder=tmp_path).status == -9
    assert not list(tmp_path.iterdir())


def test_no_core_is_left() -> None:
    assert shell("ulimit -c").stdout == "0\n"


EATER = "import time; time.sleep(0.3); b = bytearray({} << 20); print('fed')"


def test_memory_limit_as_the_program_sees_it() -> None:
    completed = run([sys.executable, "-c", EATER.format(2000)], memory=1000)
    assert completed.limited
    assert completed.status == 1
    assert "MemoryError" in completed.stderr


@pytest.mark.parametrize("memory", [4000, 1 << 60])
def test_memory_within_the_limit(memory: int) -> None:
    completed = run([sys.executable, "-c", EATER.format(1)], memory=memory)
    assert completed == Completed(0, "fed\n", "", limited=True)


RESERVES = "from mmap import *; m = mmap(-1, 4 << 30, MAP_PRIVATE | MAP_ANONYMOUS); {}; print('fed')"


def test_reserved_address_space_is_no_memory() -> None:
    completed = run([sys.executable, "-c", RESERVES.format("import time; time.sleep(0.3)")], memory=500, reserves=True)
    assert completed == Completed(0, "fed\n", "", limited=True)
    assert run([sys.executable, "-c", RESERVES.format("")], memory=500).status == 1


def test_no_limit() -> None:
    assert not shell("exit 0").limited


def test_the_first_that_is_wanted_ends_the_others(tmp_path: Path) -> None:
    scripts = ["echo $$ > slow; sleep 60", "exit 1", "while [ ! -e slow ]; do sleep 0.01; done; exit 10"]
    commands = [["/bin/sh", "-c", script] for script in scripts]
    begun = time.monotonic()
    completed = first(commands, lambda _, completed: completed.status == 10, Limits(), tmp_path)
    assert time.monotonic() - begun < 20
    assert list(completed) == [1, 2]
    assert completed[2] == Completed(10, "", "")
    assert gone(int((tmp_path / "slow").read_text()))


def test_all_end_where_none_is_wanted(tmp_path: Path) -> None:
    commands = [["/bin/sh", "-c", f"echo {number}; exit {number}"] for number in range(3)]
    completed = first(commands, lambda _, completed: completed.status == 10, Limits(), tmp_path)
    assert sorted(completed.items()) == [(number, Completed(number, f"{number}\n", "")) for number in range(3)]


def test_time_is_up_for_all(tmp_path: Path) -> None:
    commands = [["sleep", "60"], ["/bin/sh", "-c", "exit 2"], ["sleep", "50"]]
    completed = first(commands, lambda *_: False, Limits(timeout=1), tmp_path)
    assert {number: done.timed_out for number, done in completed.items()} == {0: True, 1: False, 2: True}


@LINUX
def test_memory_is_for_all_and_the_largest_has_to_go(tmp_path: Path) -> None:
    eater = (
        "import os, time\nwhile {0} < 90 and not os.path.exists('90'): time.sleep(0.01)\n"
        "b = bytearray({0} << 20); os.mkdir('{0}'); time.sleep({1}); print('done')"
    )
    commands = [[sys.executable, "-c", eater.format(*sizes)] for sizes in ((20, 1), (90, 60), (60, 1))]
    completed = first(commands, lambda *_: False, Limits(memory=150, reserves=True), tmp_path)
    assert completed[1].exceeded == "memory"
    assert [completed[number].stdout for number in (0, 2)] == ["done\n", "done\n"]


def test_one_that_cannot_be_started_ends_the_others(tmp_path: Path) -> None:
    commands = [["/bin/sh", "-c", "echo $$ > started; sleep 60"], [str(tmp_path / "none")]]
    with pytest.raises(BackendError, match="cannot start"):
        first(commands, lambda *_: True, Limits(), tmp_path)
    started = tmp_path / "started"
    assert not started.exists() or gone(int(started.read_text() or 0))


def test_what_is_printed_is_heard_while_it_runs(tmp_path: Path) -> None:
    # Each of them goes on when what it has printed has been heard.
    script = "echo out {0}; echo err {0} >&2; while [ ! -e heard{0} ]; do sleep 0.01; done; printf 'last {0}'"
    heard = ["", ""]

    def hear(position: int, text: str) -> None:
        heard[position] += text
        if f"out {position}\n" in heard[position] and f"err {position}\n" in heard[position]:
            (tmp_path / f"heard{position}").touch()

    commands = [["/bin/sh", "-c", script.format(number)] for number in range(2)]
    done = first(commands, lambda *_: False, Limits(timeout=30), tmp_path, hear=hear)
    for number in range(2):
        assert heard[number] == f"out {number}\nerr {number}\nlast {number}"
        assert (done[number].stdout, done[number].stderr) == (f"out {number}\nlast {number}", f"err {number}\n")


def test_of_much_that_is_printed_the_end_is_heard() -> None:
    heard: list[str] = []
    done = run(["/bin/sh", "-c", "head -c 1000000 /dev/zero; echo end"], hear=heard.append)
    assert len(done.stdout) == 1_000_004
    assert heard[-1].endswith("\0end\n")
    assert max(map(len, heard)) <= 64 * 1024
