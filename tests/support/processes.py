"""Queries about processes that should have ended."""

import time
from collections.abc import Callable
from pathlib import Path


def alive(process: int) -> bool:
    """Whether a process still runs; a dead process may remain until its parent, if any, waits for it."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def waited_for(condition: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until *condition* holds, for less than *seconds*."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
