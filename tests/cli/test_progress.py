"""The progress line: on terminals, for people."""

from __future__ import annotations

import os
import pty
import re
from collections.abc import Iterator

import pytest

from tests.cli.shell import BUGGY, Shell


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)


def test_progress_is_shown_on_a_terminal_and_erased(shell: Shell, terminal: tuple[int, int]) -> None:
    shell.file("input.c", BUGGY)
    shell.engine("sleep 0.6")
    shell.environment["TERM"] = "xterm"
    ours, theirs = terminal
    with shell.start("input.c", "-b", "cbmc", stderr=theirs) as process:
        process.wait(timeout=60)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    line, _, error = shown.rpartition("\r\x1b[K")
    assert re.search(r"\r\x1b\[Kcbmc \d+\.\d s", line)
    assert error.startswith("cseq: error: ")


@pytest.mark.parametrize("option", ["--quiet", "--json"])
def test_progress_is_not_shown_to_programs(shell: Shell, terminal: tuple[int, int], option: str) -> None:
    shell.file("input.c", BUGGY)
    shell.engine("sleep 0.3")
    ours, theirs = terminal
    with shell.start("input.c", "-b", "cbmc", option, stderr=theirs) as process:
        process.wait(timeout=60)
    os.close(theirs)
    assert os.read(ours, 65536).decode().startswith("cseq: error: ")
