"""The live view: on terminals, for people, and only while the run lasts."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.processes import waited_for
from tests.support.shell import BUGGY, Shell
from tests.support.terminal import Terminal

SAYING = """echo '[{"messageText": "size of program expression: 1234 steps"},{"messageText": "converting SSA"}'"""

LARGE = """\
#include <assert.h>
#include <pthread.h>
int a, b, c;
void *f(void *arg) { for (int i = 0; i < 9; i++) { a = a + i; if (a > b) b = a % 7; c++; } return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(c <= 36);
  return 0;
}
"""
"""With more states than are found in a minute."""


@pytest.fixture
def waiting(shell: Shell) -> Path:
    """The input, and an engine that solves it until a file is there, and fails then. Returns the path of that file."""
    shell.file("input.c", BUGGY)
    shell.environment["TERM"] = "xterm"
    shell.environment.pop("NO_COLOR", None)
    end = shell.tmp.parent / "end"
    shell.engine(f"{SAYING}\nuntil [ -e '{end}' ]; do sleep 0.02; done; echo ]; exit 6")
    return end


def shown(process: subprocess.Popen[str], terminal: Terminal) -> list[str]:
    """What is on the screen when the program has ended."""
    while process.poll() is None:
        terminal.read(0.05)
    return terminal.settle()


def test_a_long_run_is_shown_and_nothing_is_left(shell: Shell, waiting: Path, terminal: Terminal) -> None:
    with shell.start("input.c", "-b", "cbmc", "--timeout", "500", "--memlimit", "1000", stderr=terminal.file) as run:
        terminal.wait_for(lambda text: "cbmc: solving (1 234 steps)" in text)
        text = " ".join(terminal.screen.lines())
        for part in (
            "unreach-call",
            " s (limit 500 s)",
            " MB (limit 1000 MB)",
            "✓ merger",
            "symbolic/run",
            "symbolic/verdict",
        ):
            assert part in text
        waiting.touch()
        [line] = shown(run, terminal)
    assert line.startswith("cseq: error: the backend `cbmc` failed")
    assert terminal.screen.cursor[1] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_nothing(
    shell: Shell, waiting: Path, terminal: Terminal, number: signal.Signals
) -> None:
    with shell.start("input.c", "-b", "cbmc", stderr=terminal.file) as run:
        terminal.wait_for(lambda text: "solving" in text)
        run.send_signal(number)
        assert shown(run, terminal) == ["cseq: interrupted"]
    assert run.returncode == 130


@pytest.mark.skipif(signal.getsignal(signal.SIGTSTP) is signal.SIG_IGN, reason="the tests ignore Ctrl-Z")
def test_ctrl_z(shell: Shell, waiting: Path, terminal: Terminal) -> None:
    # A group of its own in the session of the tests, as a shell makes it: otherwise nobody could wake it up again.
    with shell.start("input.c", "-b", "cbmc", stderr=terminal.file, process_group=0) as run:
        terminal.wait_for(lambda text: "solving" in text)
        run.send_signal(signal.SIGTSTP)
        waited_for(lambda: os.waitid(os.P_PID, run.pid, os.WSTOPPED | os.WNOHANG))
        assert terminal.settle() == []
        os.write(terminal.file, b"[1]+  Stopped\r\n")
        run.send_signal(signal.SIGCONT)
        terminal.wait_for(lambda text: "solving" in text)
        waiting.touch()
        first, *_, last = shown(run, terminal)
    assert first == "[1]+  Stopped"
    assert last.startswith("cseq: error: ")


def test_levels_are_told_beside_it(shell: Shell, waiting: Path, terminal: Terminal) -> None:
    # The first level ends with a bound that is reached; the second one never does.
    count = shell.tmp.parent / "count"
    safe = """echo '[{"cProverStatus": "success"}]'; exit 0"""
    reached = (
        """echo '[{"status":"FAILURE","trace":[],"description":"it goes on"},{"cProverStatus":"failure"}]'; exit 10"""
    )
    shell.engine(
        f"echo >> '{count}'\ncase $(wc -l < '{count}') in 1) {safe};; 2) {reached};; esac\n"
        f"{SAYING}\nuntil [ -e '{waiting}' ]; do sleep 0.02; done; echo ]; exit 6"
    )
    with shell.start("input.c", "--auto", stderr=terminal.file, stdout=terminal.file) as run:
        terminal.wait_for(lambda text: "trying " in text and "solving" in text)
        told, empty, *_ = terminal.screen.lines()
        assert told.startswith("2 rounds, unwind 1: no violation; it goes on (")
        assert (empty, "\n".join(terminal.screen.lines()).count("no violation")) == ("", 1)
        run.send_signal(signal.SIGINT)
        assert shown(run, terminal) == [told, "cseq: interrupted"]


def test_engines_at_the_same_time(shell: Shell, waiting: Path, terminal: Terminal) -> None:
    shell.file("input.c", LARGE)
    with shell.start("input.c", stderr=terminal.file) as run:
        terminal.wait_for(lambda text: " states, " in text and "solving (1 234 steps)" in text)
        lines = terminal.screen.lines()
        assert any(line.startswith("native  ") for line in lines)
        assert any(line.startswith("cbmc    trying 2 rounds, unwind 1") for line in lines)
        run.send_signal(signal.SIGINT)
        assert shown(run, terminal) == ["cseq: interrupted"]


@pytest.mark.parametrize("option", ["--quiet", "--json", "--sarif"])
def test_it_is_not_shown_to_programs(shell: Shell, terminal: Terminal, option: str) -> None:
    shell.file("input.c", BUGGY)
    shell.environment["TERM"] = "xterm"
    shell.engine("sleep 0.8")
    with shell.start("input.c", "-b", "cbmc", option, stderr=terminal.file) as run:
        shown(run, terminal)
    assert terminal.written.startswith("cseq: error: ")


def test_files_and_pipes_get_no_escape_sequences(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.environment["TERM"] = "xterm"
    shell.engine("sleep 0.8")
    _, out, err = shell.run("input.c", "-b", "cbmc", "--verbose")
    assert (out, err.splitlines()[0].startswith("cseq: error: ")) == ("", True)
    assert "\x1b" not in err
    assert "\r" not in err
