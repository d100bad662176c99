"""Standard output, standard error, and their terminal."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cseq.model.errors import UsageError

if TYPE_CHECKING:
    from cseq.report.text.style import Style


LAUNCHER = "cseq.py"
"""The file at the root of a checkout that runs CSeq."""


def called() -> str:
    """How CSeq was called, for command lines to be run later: the launcher of a checkout, as spelt, or `cseq`."""
    name = sys.argv[0]
    return name if os.path.basename(name) == LAUNCHER else "cseq"  # noqa: PTH119


def write(text: str) -> int:
    """Print *text* on standard output; returns 0. A closed pipe is not an error.

    Raises UsageError when the text cannot be written.
    """
    if sys.stdout is None:
        raise UsageError("standard output is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    except OSError as error:
        _drop_output()
        raise UsageError(f"standard output cannot be written: {error.strerror}") from None
    return 0


def _drop_output() -> None:
    """Discard what is still buffered, or the interpreter would report an error when it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(line: str) -> None:
    """Print a *line* on standard error, as far as that is possible."""
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


def warn(warnings: Iterable[str]) -> None:
    """Print *warnings* on standard error, one line each."""
    from cseq.report.words import clean

    with contextlib.suppress(OSError, ValueError):
        for warning in warnings:
            print(f"warning: {clean(warning)}", file=sys.stderr, flush=True)


def style() -> Style:
    """Colours and the width of the terminal; neither where standard output is not one."""
    from cseq.report.text.style import PLAIN, Style

    if sys.stdout is None or not sys.stdout.isatty():
        return PLAIN
    dull = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Style(colour=not dull, width=shutil.get_terminal_size().columns)
