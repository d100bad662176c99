"""The processors that a run may use."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def count() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


@contextlib.contextmanager
def at_most(number: int | None) -> Iterator[int]:
    """In the block, this process and those that it starts use at most so many processors; None for all that there are.

    Yields how many jobs there may be at a time: *number*, which may exceed the processors.
    """
    allowed = os.sched_getaffinity(0)
    if number is None or number >= len(allowed):
        yield number or len(allowed)
        return
    # Beginning with the one on which this process is: other runs are likely to be on others.
    here = _current()
    chosen = sorted(allowed, key=lambda processor: (processor - here) % (max(allowed) + 1))[:number]
    os.sched_setaffinity(0, chosen)
    try:
        yield number
    finally:
        os.sched_setaffinity(0, allowed)


def _current() -> int:
    """The processor on which this process runs; 0 where that is not known."""
    try:
        return int(Path("/proc/self/stat").read_text(encoding="ascii").rpartition(")")[2].split()[36])
    except (OSError, IndexError, ValueError):
        return 0
