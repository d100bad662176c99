"""The live view: shows on a terminal what a run is doing. `cseq/report/text/live.py` defines its appearance."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from cseq.model.activity import ActivityKind
    from cseq.pipeline.status import Status
    from cseq.report.text.live import Frame

_DELAY = 0.5  # seconds before anything is shown of a run
_TICK = 0.1  # seconds between two pictures
_SAMPLE = 1.0  # seconds between two measurements of the memory
_SMALLEST = (20, 4)  # columns and rows; smaller terminals have no room
_ERASE = b"\r\x1b[J"

_importing = threading.Lock()
# A process that is forked while another thread imports a module would wait for that module for ever.
os.register_at_fork(before=_importing.acquire, after_in_parent=_importing.release, after_in_child=_importing.release)


class Progress:
    """The view of a *status* on the terminal *stream*.

    It is drawn below the line of the cursor, and the cursor stays there. So the output of others on the same terminal,
    such as a program that standard output is piped to, appears there and is not drawn over; and erasing works even
    after a change of the window's size has moved the lines. The cursor is never hidden.
    """

    def __init__(self, stream: TextIO, status: Status) -> None:
        self.status = status
        self.error: Exception | None = None
        self._file = stream.fileno()
        self._encoding = stream.encoding
        self._memory = 0
        self._sampled = 0.0
        self._is_drawn = False
        self._over = threading.Event()
        self._lock = threading.RLock()  # protects what is on the screen
        self._thread = threading.Thread(target=self._show, name="progress", daemon=True)

    def start(self) -> None:
        """Show the view after a moment."""
        self._thread.start()

    def stop(self) -> None:
        """Erase the view."""
        self._over.set()
        try:
            self._thread.join()
        except KeyboardInterrupt:
            self._thread.join()
            raise

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Show nothing while the block runs, which may write on the same terminal."""
        with self._lock:
            self._erase()
            yield

    def suspend(self, *_: Any) -> None:
        """Stop this process, as Ctrl-Z asks, with nothing left on the screen."""
        is_ours = self._lock.acquire(timeout=_DELAY)
        try:
            if is_ours:
                self._erase()
            handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTSTP)
            signal.signal(signal.SIGTSTP, handler)
        finally:
            if is_ours:
                self._lock.release()

    def _show(self) -> None:
        if self._over.wait(_DELAY):
            return
        try:
            with _importing:
                from cseq.process.tree import usage

                draw = self._renderer()
                draw(self.status, time.monotonic(), 0, *_SMALLEST)  # which imports the rest
            while not self._over.is_set():
                now = time.monotonic()
                if now - self._sampled >= _SAMPLE:
                    self._sampled = now
                    self._memory = usage(os.getpid())
                with self._lock:
                    self._draw(draw)
                self._over.wait(_TICK)
        except OSError:
            return  # the terminal is gone
        except Exception as error:  # no answer depends on the view
            self.error = error
        with self._lock:
            self._erase()

    def _renderer(self) -> Frame:
        from cseq.report.text import live

        capable = self._encoding.lower().replace("-", "") == "utf8" and os.environ.get("TERM") != "linux"
        return live.renderer(not os.environ.get("NO_COLOR"), live.UNICODE if capable else live.ASCII)

    def _draw(self, draw: Frame) -> None:
        if not self._is_in_front():
            self._is_drawn = False  # what is on the screen now belongs to others
            return
        columns, rows = os.get_terminal_size(self._file)
        if columns < _SMALLEST[0] or rows < _SMALLEST[1]:
            self._erase()
            return
        text = draw(self.status, time.monotonic(), self._memory, columns, rows)
        # Each line is drawn over the previous one: clearing the screen first would make it flicker.
        lines = text.split("\r\n")[:-1]
        picture = "".join(f"\r\n{line}\x1b[K" for line in lines)
        self._put(f"\r\x1b[K{picture}\x1b[J\x1b[{len(lines)}A\r".encode(self._encoding, "replace"))
        self._is_drawn = True

    def _is_in_front(self) -> bool:
        """Whether this process is the terminal's foreground job."""
        try:
            return os.tcgetpgrp(self._file) == os.getpgrp()
        except OSError:
            return True  # no job control there

    def _erase(self) -> None:
        if self._is_drawn:
            self._is_drawn = False
            with contextlib.suppress(OSError):  # the terminal is gone
                self._put(_ERASE)

    def _put(self, data: bytes) -> None:
        # Not with the stream, which would keep what could not be written and try again.
        left = memoryview(data)
        while left:
            left = left[os.write(self._file, left) :]


@contextlib.contextmanager
def progress(
    wanted: bool, timeout: float | None = None, memory: int | None = None, told: bool = False
) -> Iterator[Progress | None]:
    """A live view on standard error while the block runs; None, and no view, where that is not a terminal.

    timeout, memory: the user's limits, as in `Status`. told: whether levels are printed on standard output.
    """
    stream = sys.stderr
    if not wanted or stream is None or not _is_terminal(stream):
        yield None
        return
    from cseq.pipeline.status import Status

    told = told and sys.stdout is not None and sys.stdout.isatty()
    view = Progress(stream, Status(timeout, memory, told))
    before = _on_suspension(view.suspend)
    view.start()
    try:
        yield view
    finally:
        view.stop()
        if before is not None:
            signal.signal(signal.SIGTSTP, before)
        if view.error is not None:
            with contextlib.suppress(OSError):
                what = f"{type(view.error).__name__}: {view.error}"
                print(f"warning: the live view failed: {what}; please report it", file=stream, flush=True)


@contextlib.contextmanager
def working(wanted: bool, name: str, doing: ActivityKind) -> Iterator[Progress | None]:
    """A live view of work that is not a run of a chain; None where there is none.

    name: the name of the work. doing: its activity.
    """
    with progress(wanted) as view:
        if view is not None:
            from cseq.model.activity import phase
            from cseq.pipeline.status import PhaseBegan, RunBegan, StageBegan

            view.status.report(RunBegan((name,)))
            view.status.report(StageBegan(name))
            view.status.report(PhaseBegan(phase(doing)))
        yield view


def _is_terminal(stream: TextIO) -> bool:
    """Whether the view can be shown on *stream*."""
    try:
        return os.isatty(stream.fileno()) and os.environ.get("TERM", "dumb") != "dumb"
    except (OSError, ValueError):  # it is closed, or not a file
        return False


def _on_suspension(handler: Any) -> Any:
    """Have *handler* called on suspension by the user; returns the previous handler, or None if nothing was changed."""
    if signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL:
        return None
    try:
        return signal.signal(signal.SIGTSTP, handler)
    except ValueError:  # not the main thread: others handle the signals
        return None
