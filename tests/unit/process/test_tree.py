"""Nothing that a program has started escapes, wherever it has gone; its memory is that of all together."""

import subprocess
import sys
from pathlib import Path

import pytest

from cseq.process.run import run
from cseq.process.tree import Family
from tests.unit.process.test_run import LINUX, gone, shell

pytestmark = pytest.mark.engine

DAEMON = "(setsid sh -c 'echo $$ > new; mv new started; {}exec sleep 60' >/dev/null 2>&1 </dev/null &) ; {}"


UNTIL_IT_RUNS = "while [ ! -e started ]; do sleep 0.01; done"


@LINUX
@pytest.mark.parametrize("stubborn", ["", "trap : TERM INT HUP; (trap : TERM INT HUP; sleep 60) & wait; "])
@pytest.mark.parametrize(("end", "limits"), [("", {}), ("; sleep 60", {"timeout": 2})])
def test_a_daemon_does_not_escape(tmp_path: Path, stubborn: str, end: str, limits: dict[str, float]) -> None:
    completed = shell(DAEMON.format(stubborn, UNTIL_IT_RUNS + end), folder=tmp_path, **limits)
    assert completed.timed_out == bool(end)
    assert gone(int((tmp_path / "started").read_text()))


@LINUX
def test_a_child_without_environment_in_a_session_of_its_own_does_not_escape(tmp_path: Path) -> None:
    script = DAEMON.format("", UNTIL_IT_RUNS + "; sleep 60").replace("(setsid", "env -i setsid").replace(" &) ;", " &")
    assert shell(script, folder=tmp_path, timeout=2).timed_out
    assert gone(int((tmp_path / "started").read_text()))


@LINUX
def test_a_run_inside_of_a_run_belongs_to_both(tmp_path: Path) -> None:
    script = "from cseq.process.run import run; run(['sh', '-c', 'echo $$ > new; mv new started; sleep 60'])"
    completed = run([sys.executable, "-c", script], folder=tmp_path, timeout=6)
    assert completed.timed_out
    assert gone(int((tmp_path / "started").read_text()))


@LINUX
def test_processes_of_others_are_left_alone() -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        shell("exit 0")
        assert other.poll() is None
        other.kill()


@LINUX
def test_memory_of_all_together() -> None:
    eater = f"{sys.executable} -c 'b = bytearray(40 << 20); import time; time.sleep(60)' & "
    completed = shell(eater * 3 + "wait", memory=100, reserves=True, timeout=60)
    assert (completed.exceeded, completed.timed_out) == ("memory", False)
    assert shell(eater + "sleep 0.5", memory=100, reserves=True, timeout=60).exceeded == ""


@LINUX
def test_what_is_shared_after_a_fork_counts_once() -> None:
    script = "import os, time; b = bytearray(b'x') * (60 << 20); [os.fork() for _ in range(2)]; time.sleep(0.4)"
    assert run([sys.executable, "-c", script], memory=150, reserves=True).exceeded == ""


@LINUX
def test_processor_time_of_all_together() -> None:
    """Also of those that have ended, and that their parent has waited for."""
    family = Family()
    busy = f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.3: pass'"
    script = f"{busy}; {busy} & wait; echo; exec sleep 60"
    with subprocess.Popen(["/bin/sh", "-c", script], env=family.environment(), stdout=subprocess.PIPE) as process:
        family.leader = process.pid
        assert process.stdout is not None
        process.stdout.readline()
        family.look()
        assert 0.55 < family.cputime() < 10
        family.kill()
        family.look()
        assert family.memory(0) == 0  # it has ended, and is not waited for
