"""The progress line: what is going on, and since when."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO

_TICK = 0.1
_ERASE = "\r\x1b[K"


class Progress:
    """A line on a terminal that is rewritten ten times a second. Call it with the name of each phase when it begins."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._phase = ""
        self._start = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tick, name="progress", daemon=True)

    def __call__(self, phase: str) -> None:
        self._phase = phase

    def start(self) -> None:
        """Show the line from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Erase the line."""
        self._over.set()
        self._thread.join()

    def _tick(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # a terminal that has gone away
            while not self._over.wait(_TICK):
                width = shutil.get_terminal_size().columns
                line = f"{self._phase} {time.monotonic() - self._start:.1f} s"
                self._stream.write(_ERASE + line[: width - 1])
                self._stream.flush()
            self._stream.write(_ERASE)
            self._stream.flush()


@contextlib.contextmanager
def progress(wanted: bool) -> Iterator[Progress | None]:
    """A progress line on standard error while the block runs; None, and no line, where that is no terminal."""
    stream = sys.stderr
    if not wanted or stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    line = Progress(stream)
    line.start()
    try:
        yield line
    finally:
        line.stop()
