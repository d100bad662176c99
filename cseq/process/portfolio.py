"""A portfolio: several contenders for an answer, each in its own process. The first good answer ends the others.

There may be several questions at the same time, which share the processors.
"""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import pickle
import select
import signal
import struct
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

from cseq.model.errors import BackendError, note_stage, stage_of
from cseq.process.tree import Family

_LENGTH = struct.Struct("=Q")
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_END = object()

M = TypeVar("M")
A = TypeVar("A")


@dataclass(frozen=True)
class Contender(Generic[M, A]):
    """One process of the portfolio: it sends messages of type M, and then gives an answer of type A.

    work:  finds the answer, in a process that is a copy of this one. It returns or raises something that can be
          pickled. Its argument is a function that sends a message, which must be picklable too. It must not write to
          standard output.
    delay: seconds that the others run alone before this one begins; it begins at once when none of them is left.
    question: what it answers. Only contenders with the same question end each other.
    """

    name: str
    work: Callable[[Callable[[M], None]], A]
    delay: float = 0.0
    question: str = ""


NOT_NOW: None = None
"""In place of a contender: there is none now, and there may be one when another has ended."""


@dataclass(frozen=True)
class _Message(Generic[M]):
    message: M


@dataclass(frozen=True)
class _Answer(Generic[A]):
    answer: A | Exception


PATIENCE = 1.0
"""Seconds after which another contender begins although as many work as there should be."""


def contest(
    contenders: Iterable[Contender[M, A] | None],
    wanted: Callable[[str, A], bool],
    folder: Path,
    hear: Callable[[str, M], None] = lambda name, message: None,
    over: Callable[[str, A | Exception], bool | None] = lambda name, answer: None,
    most: int | Callable[[], int] = 1_000,
    patience: float | None = PATIENCE,
    pause: float | None = None,
) -> dict[str, A | Exception]:
    """Have the *contenders* work until each question has an answer that is *wanted*, or all are done.

    contenders: with different names. The next one is asked for when it can begin; `NOT_NOW` if there is none yet.
    wanted: called with the name of a contender and its answer; says whether its question is answered.
    folder: where they may put temporary files.
    hear:   called with the name of a contender and a message from it.
    over:   called with the name of a contender that is done, and its answer, or the exception that it raised; not
       called for the winner of a question that has others to end, or for these. If it says that the question is
       over, these are ended, too.
    most:   how many work at the same time; a function where that changes, which is called again and again. After
       *patience* seconds without a change, another one begins nonetheless: none of them waits for others that do not
       end. None for never: then they end by themselves.
    pause:  seconds after which *contenders* is asked again that had none; None: when another has ended.
    Returns the answers by name, in order of time; for a contender that raised an exception, the exception. Contenders
    that were stopped because another one won are missing. Whatever ends the wait, nothing is left of any of them: no
    process, and no temporary file. Their processes also end when this one is killed.
    """
    with _life() as life, contextlib.ExitStack() as stack:
        held = _Contest(iter(contenders), wanted, folder, hear, over, most, patience, pause, life, stack)
        try:
            return held.answers()
        finally:
            held.strike()


class _Contest(Generic[M, A]):
    """The state of a contest; the arguments are those of `contest`."""

    def __init__(
        self,
        source: Iterator[Contender[M, A] | None],
        wanted: Callable[[str, A], bool],
        folder: Path,
        hear: Callable[[str, M], None],
        over: Callable[[str, A | Exception], bool | None],
        most: int | Callable[[], int],
        patience: float | None,
        pause: float | None,
        life: tuple[int, int],
        stack: contextlib.ExitStack,
    ) -> None:
        self._source: Iterator[Contender[M, A] | None] | None = source
        self._is_dry = False  # the source has nothing now
        self._wanted, self._hear, self._over = wanted, hear, over
        self._folder, self._life, self._stack = folder, life, stack
        self._most = most if callable(most) else lambda: most
        self._patience = math.inf if patience is None else patience
        self._again = math.inf if pause is None else pause
        self._waiting: list[tuple[float, Contender[M, A]]] = []  # when its delay is over
        self._going: dict[int, _Worker[M, A]] = {}
        self._answers: dict[str, A | Exception] = {}
        self._decided: set[str] = set()
        self._changed = time.monotonic()  # when a contender began or ended

    def answers(self) -> dict[str, A | Exception]:
        """Have them work."""
        while self._fill() or self._going:
            for number in _readable(self._going, self._pause()):
                if number in self._going:
                    self._listen(number, self._going[number])
        return self._answers

    def _fill(self) -> bool:
        """Begin as many contenders as may begin. Returns whether any are left that wait."""
        while len(self._going) < self._most() or time.monotonic() >= self._changed + self._patience:
            contender = self._next()
            if contender is None:
                break
            worker = _Worker(contender, self._folder)
            self._stack.callback(worker.end)
            self._going[worker.start(self._life)] = worker
            self._changed = time.monotonic()
        return bool(self._waiting)

    def _next(self) -> Contender[M, A] | None:
        """The next contender that may begin now, if any."""
        while True:
            now = time.monotonic()
            active = {worker.contender.question for worker in self._going.values()}
            for position, (begin, contender) in enumerate(self._waiting):
                if now >= begin or (contender.question not in active and self._is_first(position)):
                    return self._waiting.pop(position)[1]
            contender_ = next(self._source, _END) if self._source is not None else _END
            self._is_dry = contender_ is NOT_NOW
            if contender_ is _END:
                self._source = None
            if not isinstance(contender_, Contender):
                return None
            if contender_.question not in self._decided:
                self._waiting.append((time.monotonic() + contender_.delay, contender_))

    def _is_first(self, position: int) -> bool:
        """Whether no contender for the same question begins before the one that waits at *position*."""
        begin, contender = self._waiting[position]
        return all(
            begin <= other
            for other, rival in self._waiting
            if rival.question == contender.question and rival is not contender
        )

    def _pause(self) -> float | None:
        """Milliseconds until another contender may begin; None if that takes the end of one of those that work."""
        now = time.monotonic()
        moment = min((begin for begin, _ in self._waiting), default=math.inf)
        if self._source is not None:
            moment = min(moment, now + self._again if self._is_dry else now)
        if len(self._going) >= self._most():
            moment = max(moment, self._changed + self._patience)
        return None if math.isinf(moment) else 1000 * max(moment - now, 0.0) + 1

    def _listen(self, number: int, worker: _Worker[M, A]) -> None:
        """Hear what the contender says through the file descriptor *number*."""
        name, good = worker.contender.name, False
        for said in worker.heard():
            match said:
                case _Message(message):
                    self._hear(name, message)
                case _Answer(answer):
                    self._answers[name] = answer
                    good = good or (not isinstance(answer, Exception) and self._wanted(name, answer))
        if good:
            self._decide(worker.contender.question)
        elif worker.is_done:
            self._end(number)
            if name not in self._answers:
                self._answers[name] = worker.failure()
            if self._over(name, self._answers[name]):
                self._decide(worker.contender.question)

    def _decide(self, question: str) -> None:
        """The *question* is answered: end everybody who works on it."""
        self._decided.add(question)
        self._waiting = [each for each in self._waiting if each[1].question != question]
        losers = [number for number, worker in self._going.items() if worker.contender.question == question]
        self._strike(losers)
        for number in losers:
            self._end(number)

    def strike(self) -> None:
        """Kill everybody who works, at once; each is waited for later."""
        self._strike(list(self._going))

    def _strike(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._going[number].strike()
        for number in numbers:
            self._going[number].kill()  # all of them, before any time goes into files

    def _end(self, number: int) -> None:
        self._going.pop(number).end()
        self._changed = time.monotonic()


class _Worker(Generic[M, A]):
    """The process of one contender, with everything that it starts."""

    def __init__(self, contender: Contender[M, A], folder: Path) -> None:
        self.contender = contender
        self.is_done = False
        self._folder = tempfile.TemporaryDirectory(prefix="cseq-", dir=folder, ignore_cleanup_errors=True)
        self._family = Family()
        self._process: int | None = None
        self._status = 0
        self._reading: int | None = None
        self._buffer = bytearray()

    def start(self, life: tuple[int, int]) -> int:
        """Begin to work; returns the file descriptor to read its messages from."""
        self._reading, writing = os.pipe()
        # A signal must find either no process, or a process that is on record.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
        try:
            self._process = os.fork()
            if self._process == 0:
                self._work(writing, life, before)
            self._family.leader = self._process
        finally:
            os.close(writing)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return self._reading

    def heard(self) -> Iterator[_Message[M] | _Answer[A]]:
        """The messages and the answer that have arrived since the last call."""
        assert self._reading is not None
        part = os.read(self._reading, 1 << 20)
        self._buffer += part
        self.is_done = not part
        while len(self._buffer) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._buffer)[0]
            if len(self._buffer) < end:
                return
            message = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            yield pickle.loads(message)

    def strike(self) -> None:
        """Kill the process, with everything that it has started, and do not wait for the end."""
        if self._process is not None:
            self._family.strike()

    def kill(self) -> None:
        """Kill the process, with everything that it started."""
        if self._process is not None:
            self._family.kill()
            with contextlib.suppress(ChildProcessError):  # SIGCHLD is ignored
                ended, status = os.waitpid(self._process, os.WNOHANG)
                if not ended:  # there is no /proc
                    os.kill(self._process, signal.SIGKILL)
                    status = os.waitpid(self._process, 0)[1]
                self._status = os.waitstatus_to_exitcode(status)
            self._process = None

    def end(self) -> None:
        """Kill it, and leave nothing of it."""
        self.kill()
        self._folder.cleanup()
        if self._reading is not None:
            os.close(self._reading)
            self._reading = None

    def failure(self) -> BackendError:
        """The reason why it ended without an answer."""
        how = f"was killed by signal {-self._status}" if self._status < 0 else f"ended with status {self._status}"
        return BackendError(f"the process for {self.contender.name} {how}")

    def _work(self, writing: int, life: tuple[int, int], mask: Iterable[int]) -> NoReturn:
        """Work, in the new process."""
        folder = self._folder.name

        def say(what: _Message[M] | _Answer[A]) -> None:
            message = pickle.dumps(what)
            left = memoryview(_LENGTH.pack(len(message)) + message)
            while left:
                left = left[os.write(writing, left) :]

        status = 1
        try:
            os.setsid()
            for number in _STOPPING:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            os.environ.update(self._family.environment(TMPDIR=folder))
            tempfile.tempdir = folder
            os.close(life[1])
            end_with(life[0])
            try:
                say(_Answer(self.contender.work(lambda message: say(_Message(message)))))
            except Exception as error:
                error.add_note("".join(traceback.format_exception(error)))
                say(_Answer(portable(error)))
            status = 0
        finally:
            os._exit(status)


@contextlib.contextmanager
def _life() -> Iterator[tuple[int, int]]:
    """A pipe whose second end is closed when this process ends."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def end_with(reading: int) -> None:
    """Have this process interrupted when the other end of the pipe *reading* is closed, as that of its parent is when
    that ends, or when something is written to it; it then ends as after Ctrl-C."""

    def interrupt(*_: Any) -> None:
        signal.signal(signal.SIGIO, signal.SIG_IGN)  # the clean-up is not interrupted again
        raise KeyboardInterrupt

    signal.signal(signal.SIGIO, interrupt)
    with contextlib.suppress(FileNotFoundError):  # there is no /proc
        # The owner that gets the signal belongs to the open file, so this process needs one of its own.
        own = os.open(f"/proc/self/fd/{reading}", os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(own, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(own, fcntl.F_SETFL, fcntl.fcntl(own, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([reading], [], [], 0)[0]:  # it was gone before
        raise KeyboardInterrupt


def portable(error: Exception) -> Exception:
    """*error*, or an error with its text where it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # pickling a foreign exception may raise anything
        words = RuntimeError(f"{type(error).__name__}: {error}")
        if stage := stage_of(error):
            note_stage(words, stage)
        return words
    return error


def _readable(files: Mapping[int, object], milliseconds: float | None) -> list[int]:
    """The *files* that have something to read, within the time."""
    poll = select.poll()
    for number in files:
        poll.register(number, select.POLLIN)
    return [number for number, _ in poll.poll(None if milliseconds is None else max(milliseconds, 0))]
