"""The time limit ends a run whatever it does, and keeps what is known.

What hangs in these tests would take ten minutes, and the limit of the shell is one.
"""

import shutil
import signal
from pathlib import Path
from textwrap import dedent

import pytest

from cseq.backends import cbmc
from tests.support.shell import BUGGY, Shell

LONG = "sleep 600"

needs_cbmc = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")


def compiler(shell: Shell, script: str) -> None:
    """Let the C compiler be a *script*, which ends with the real one."""
    real = next(path for name in ("cc", "gcc", "clang") if (path := shutil.which(name)))
    path = shell.bin / "cc"
    path.write_text(f'#!/bin/sh\n{script}\nexec {real} "$@"\n')
    path.chmod(0o755)
    shell.environment["CC"] = str(path)


@pytest.mark.parametrize(
    "hangs, words, answer",
    [
        ("-E", ("-b", "native"), "out of time in the stage `merger`"),
        ("-E", (), "out of time in the stage `merger`"),
        ("*/steps.c", ("-b", "native"), "out of time: the step program was still being compiled"),
        ("*/steps.c", ("-b", "spin"), "out of time: the step program was still being compiled"),
        pytest.param(
            "*/replay.c", ("-b", "cbmc", "--rounds", "2"), "out of time in the stage `symbolic/replay`",
            marks=needs_cbmc
        ),
    ],
)  # fmt: skip
def test_a_compiler_that_hangs(hangs: str, words: tuple[str, ...], answer: str, shell: Shell) -> None:
    if "spin" in words and not shutil.which("spin"):
        pytest.skip("SPIN is not installed")
    compiler(shell, f"for word; do case $word in {hangs}) {LONG};; esac; done")
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--timeout", "6" if "replay" in hangs else "1", *words)
    assert (status, err) == (3, "")
    assert out.splitlines()[0] == f"UNKNOWN: {answer}"
    assert not list(shell.tmp.iterdir()), "stray files in the temporary folder"


def test_a_verifier_that_ignores_signals(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.file(
        "deaf.toml",
        dedent("""\
            about = "a verifier that does not listen"
            install = "it is here"
            complete = true
            programs = ["deaf"]
            version = { arguments = ["--version"], pattern = '(\\d+\\.\\d+)' }
            command = ["{program}"]

            [language]
            assume = "assume"
            assert = "assert({condition});"

            [answer]
            safe = "^SUCCESSFUL$"
            violated = "^FAILED$"
            """),
    )
    path = shell.bin / "deaf"
    path.write_text(
        f"#!/bin/sh\n[ $1 = --version ] && echo 1.0 && exit\ntrap '' TERM INT HUP\n(trap '' TERM; {LONG}) &\n{LONG}\n"
    )
    path.chmod(0o755)
    shell.environment["PATH"] = f"{shell.bin}:{shell.environment['PATH']}"
    status, out, _ = shell.run("input.c", "-b", "./deaf.toml", "--rounds", "2", "--timeout", "1")
    assert status == 3
    assert "out of time" in out.splitlines()[0]
    assert not list(shell.tmp.iterdir())


@pytest.mark.parametrize("words", [(), ("-b", "native"), ("--race", "--deadlock")])
def test_a_program_that_takes_our_own_stages_long(words: tuple[str, ...], shell: Shell) -> None:
    statements = "\n".join(f"  x = x * {number} + y;" for number in range(60_000))
    shell.file(
        "input.c",
        "#include <assert.h>\n#include <pthread.h>\nint x, y;\npthread_mutex_t m;\n"
        f"void *work(void *p) {{ pthread_mutex_lock(&m);\n{statements}\n  pthread_mutex_unlock(&m); return p; }}\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(&x); assert(x != y); }\n",
    )
    status, out, err = shell.run("input.c", "--timeout", "1", *words)
    assert (status, err) == (3, "")
    stage = " in the stage `" if "-b" in words else ""  # with several engines, they may be in different ones
    assert all(f"UNKNOWN: out of time{stage}" in line for line in out.splitlines() if "UNKNOWN" in line)
    assert out.count("UNKNOWN: out of time") == (3 if "--race" in words else 1)
    assert not list(shell.tmp.iterdir())


def test_an_intermediate_program_for_which_there_is_no_time(shell: Shell) -> None:
    compiler(shell, LONG)
    shell.file("input.c", BUGGY)
    line = shell.refuse("input.c", "--timeout", "1", "--seq-only", status=3)
    assert line == "cseq: error: out of time in the stage `merger`"


def test_after_a_violation_an_interruption_shows_what_is_known(shell: Shell) -> None:
    compiler(shell, f"for word; do case $word in */no-data-race/steps.c) {LONG};; esac; done")
    shell.file("input.c", BUGGY)
    with shell.start("input.c", "-b", "native", "--race", "--keep", "kept") as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert line == "unreach-call: FALSE: assertion `x == 2` is violated at input.c:11 in main\n"
    assert (process.returncode, err) == (1, "")
    assert out.splitlines()[:2] == [line.rstrip("\n"), "no-data-race: UNKNOWN: interrupted"]
    assert Path(shell.here, "kept").is_dir()
