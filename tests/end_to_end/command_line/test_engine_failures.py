"""Runs that end before the engine has said anything of use, and what is left of them: nothing."""

import signal

import pytest

from tests.support.processes import alive, waited_for
from tests.support.shell import BUGGY, Shell


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo nonsense", "the backend `cbmc` failed"),
        ("exit 6", "the backend `cbmc` failed"),
        ("kill -9 $$", "the backend `cbmc` failed: CBMC was killed by signal 9"),
        ("head -c 100000 /dev/urandom", "the backend `cbmc` failed: CBMC's output (exit status 0) is not JSON: "),
        ("exec yes", "the backend `cbmc` failed: it prints more than 512 MB"),
    ],
)
def test_engine_that_fails(shell: Shell, script: str, complaint: str) -> None:
    shell.file("input.c", BUGGY)
    shell.engine(script)
    assert shell.refuse("input.c", "-b", "cbmc", status=3).startswith(f"cseq: error: {complaint}")


def test_engine_that_is_missing(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.environment["CSEQ_CBMC"] = str(shell.bin / "none")
    assert "`cbmc`" in shell.refuse("input.c", "-b", "cbmc", status=3)


def test_engine_that_takes_too_long(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.engine("sleep 60")
    said = "UNKNOWN: the engine ran out of time\n(what helps: a larger --timeout)\n"
    assert shell.run("input.c", "-b", "cbmc", "--timeout", "0.2") == (3, said, "")
    bounded = said.replace("timeout)", "timeout, smaller bounds)")
    assert shell.run("input.c", "-b", "cbmc", "--unwind", "2", "--timeout", "0.2") == (3, bounded, "")
    assert not list(shell.tmp.iterdir())


LINGERING = "(setsid sh -c 'trap : TERM; echo $$ > {0}.new; mv {0}.new {0}; sleep 60; :' >/dev/null 2>&1 &)"


FAILS = "while [ ! -e {0} ]; do sleep 0.01; done; exit 1"


@pytest.mark.parametrize(("end", "lines"), [(FAILS, 1), ("trap : TERM INT; sleep 60", 2)])
def test_engine_that_leaves_a_daemon(shell: Shell, end: str, lines: int) -> None:
    shell.file("input.c", BUGGY)
    started = shell.bin / "started"
    shell.engine(f"{LINGERING}; {end}".format(started))
    status, out, err = shell.run("input.c", "-b", "cbmc", "--timeout", "3")
    assert (status, len(out.splitlines()) + len(err.splitlines())) == (3, lines)
    waited_for(lambda: not alive(int(started.read_text())))
    assert not list(shell.tmp.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_ends_the_children_too(shell: Shell, number: signal.Signals) -> None:
    shell.file("input.c", BUGGY)
    started = shell.bin / "started"
    daemon = shell.bin / "daemon"
    until = f"while [ ! -e {daemon} ]; do sleep 0.01; done"
    lasting = f"sleep 60 & echo $$ $! $(cat {daemon}) > {started}.new; mv {started}.new {started}; wait"
    shell.engine(f'echo > "$TMPDIR/scratch"; {LINGERING.format(daemon)}; {until}; {lasting}')
    with shell.start("input.c", "-b", "cbmc") as process:
        waited_for(started.exists)
        children = [int(word) for word in started.read_text().split()]
        assert len(children) == 3 and all(map(alive, children))
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "cseq: interrupted\n")
    waited_for(lambda: not any(map(alive, children)))
    assert shell.files() == ["input.c"]
    assert not list(shell.tmp.iterdir())
