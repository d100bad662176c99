"""A time limit that ends whatever Python code is running."""

from __future__ import annotations  # the type of a hook is not there at run time

import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any


class TimeUpError(BaseException):
    """The time limit is over. Like KeyboardInterrupt it is no Exception, so that no handler takes it for a failure."""


class _AlarmState:
    """What holds the alarm back. blocks: those that must not be disturbed. has_rung: whether it is to be raised."""

    def __init__(self) -> None:
        self.blocks = 0
        self.has_rung = False


_held = _AlarmState()
_AGAIN = 0.001
"""Seconds after which it is raised again, where it was lost."""


@contextlib.contextmanager
def alarm(end: float | None) -> Iterator[None]:
    """Raise TimeUpError in the block at *end*, in `time.monotonic` seconds; None for never.

    It is raised between two instructions of Python code, wherever that is; programs that are waited for are ended as
    after Ctrl-C. Only the main thread can be interrupted in this way, and only where nothing else uses the process's
    alarm: otherwise nothing is raised. What is raised in a destructor is lost in Python, so it is raised once more.
    """
    if end is None or signal.getitimer(signal.ITIMER_REAL)[0] or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        yield
        return

    def ring(*_: Any) -> None:
        if _held.blocks:
            _held.has_rung = True
        else:
            raise TimeUpError

    report = sys.unraisablehook

    def again(lost: sys.UnraisableHookArgs) -> None:
        if lost.exc_type is TimeUpError:
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
        else:
            report(lost)

    try:
        signal.signal(signal.SIGALRM, ring)
    except ValueError:  # not the main thread
        yield
        return
    try:
        sys.unraisablehook = again
        signal.setitimer(signal.ITIMER_REAL, max(end - time.monotonic(), 1e-6))
        yield
    finally:
        sys.unraisablehook = report
        _held.has_rung = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Raise nothing in the block, but after it: for what must not be left half done."""
    # Blocking the signal is not enough: another thread takes it then, and Python still interrupts the main thread.
    _held.blocks += 1
    try:
        yield
    finally:
        _held.blocks -= 1
        if not _held.blocks and _held.has_rung:
            _held.has_rung = False
            raise TimeUpError
