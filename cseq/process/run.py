"""Run programs within limits, and leave nothing of them behind."""

import contextlib
import os
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from cseq.model.errors import BackendError
from cseq.process.tree import Family

OUTPUT = 512
"""Megabytes that a program may print by default."""

FILES = 2048
"""Megabytes of files that a program may have in its folder by default."""

_LITTLE = 512  # megabytes that are always reported as available
_MEGABYTE = 1024 * 1024
_EXCERPT = 64 * 1024  # bytes kept of an output that is too long
_WATCHFUL = (0.05, 1.0)  # seconds between two looks at what a program uses, at least and at most
_SHELL = "/bin/sh"


@dataclass(frozen=True)
class Completed:
    """How a program ended.

    status:    its exit status; if negative, the signal that killed it.
    timed_out: it was stopped because its time was up.
    limited:   its memory was limited.
    exceeded:  what it used too much of, so that it was stopped: ``memory``, ``output`` or ``files``.
    """

    status: int
    stdout: str
    stderr: str
    timed_out: bool = False
    limited: bool = False
    exceeded: str = ""


@dataclass(frozen=True)
class Limits:
    """The resources that a program, with everything that it starts, may use.

    timeout: seconds of wall-clock time. memory, output, files: megabytes; files are those in its folder.
    reserves: the program reserves far more address space than it uses. Otherwise the limit on memory also limits the
       address space of each process, so that an allocation fails and the program can report this itself.
    """

    timeout: float | None = None
    memory: int | None = None
    reserves: bool = False
    output: int = OUTPUT
    files: int = FILES


def run(
    command: Sequence[str],
    *,
    stdin: bytes = b"",
    timeout: float | None = None,
    memory: int | None = None,
    folder: Path | None = None,
    reserves: bool = False,
    output: int = OUTPUT,
    files: int = FILES,
    hear: Callable[[str], None] | None = None,
) -> Completed:
    """Run *command* to its end, in *folder*. hear: as in `first`. The other arguments are limits, as in `Limits`.

    Whatever ends the wait, Ctrl-C included, also ends the program and everything that it started, even processes that
    left its process group.
    Raises BackendError when the program cannot be started.
    """
    limits = Limits(timeout, memory, reserves, output, files)
    heard = None if hear is None else lambda _, text: hear(text)
    return first([command], lambda *_: False, limits, folder, stdin, heard)[0]


def first(
    commands: Sequence[Sequence[str]],
    wanted: Callable[[int, Completed], bool],
    limits: Limits,
    folder: Path | None = None,
    stdin: bytes = b"",
    hear: Callable[[int, str], None] | None = None,
) -> dict[int, Completed]:
    """Run *commands* at the same time until one ends as *wanted*; then kill the others.

    wanted: called with the position of a command and how it ended.
    hear: called now and then with the position of a running command, and what it has printed since the last call, or
       the end of that where it is long.
    Returns how the commands ended, by position, in order of time: the wanted one, if any, comes last. The commands that
    were killed for it are missing. Each command has the limits to itself, except the limit on memory, which all share:
    where it is exceeded, the command that uses most is stopped.
    Raises BackendError when a command cannot be started.
    """
    completed: dict[int, Completed] = {}
    end = None if limits.timeout is None else time.monotonic() + limits.timeout
    with contextlib.ExitStack() as stack:
        going: dict[int, _Program] = {}
        for position, command in enumerate(commands):
            going[position] = stack.enter_context(_running(command, stdin, limits, folder))
        pause = _WATCHFUL[0]
        while going:
            _wait(list(going.values()), pause if end is None else min(pause, end - time.monotonic()))
            begun = time.monotonic()
            _watch(list(going.values()), limits, end)
            for position, program in [*going.items()]:
                has_ended = program.has_ended()  # before its output is read, so that the end of that is heard
                if hear is not None and (text := program.news()):
                    hear(position, text)
                if has_ended:
                    del going[position]
                    completed[position] = program.end()
                    if wanted(position, completed[position]):
                        return completed
            pause = min(max(20 * (time.monotonic() - begun), _WATCHFUL[0]), _WATCHFUL[1])
    return completed


class _Program:
    """A running program: its family of processes, and the files with its output."""

    def __init__(self, limits: Limits, folder: Path | None, own: Path, stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self.family = Family()
        self.limits = limits
        self.folder = folder or own
        self.known = {entry.name for entry in self.folder.iterdir()} - {own.name}
        self.streams = (stdout, stderr)
        self.process: subprocess.Popen[bytes] | None = None
        self.exit: int | None = None  # a file descriptor to wait on
        self.heard = [0, 0]  # the number of bytes of each stream
        self.timed_out = False
        self.exceeded = ""
        self._environment = self.family.environment(TMPDIR=str(own))

    def start(self, command: Sequence[str], folder: Path | None, stdin: IO[bytes]) -> None:
        """Start *command*. Raises BackendError when it cannot be started."""
        try:
            self.process = subprocess.Popen(
                [*_limited(self.limits), *_program(command)],
                stdin=stdin,
                stdout=self.streams[0],
                stderr=self.streams[1],
                cwd=folder,
                env=self._environment,
                start_new_session=True,
            )
        except OSError as error:
            raise BackendError(f"cannot start {command[0]}: {error.strerror}") from None
        self.family.leader = self.process.pid
        with contextlib.suppress(AttributeError, OSError):  # the system has no such file descriptors
            self.exit = os.pidfd_open(self.process.pid)

    def has_ended(self) -> bool:
        """Whether it has ended, or must end. Its process id stays its own until `kill` waits for it."""
        if self.timed_out or self.exceeded or self.process is None:
            return True
        try:
            return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def watch(self) -> None:
        """Check whether it has written too much."""
        if sum(os.fstat(stream.fileno()).st_size for stream in self.streams) >= self.limits.output * _MEGABYTE:
            self.exceeded = "output"
        elif _size(self.folder, self.known) >= self.limits.files * _MEGABYTE:
            self.exceeded = "files"

    def news(self) -> str:
        """The output since the last call."""
        parts = []
        for number, stream in enumerate(self.streams):
            end = os.fstat(stream.fileno()).st_size
            begin = max(self.heard[number], end - _EXCERPT)
            parts.append(os.pread(stream.fileno(), end - begin, begin))  # does not move the writer's offset
            self.heard[number] = end
        return b"".join(parts).decode("utf-8", "replace")

    def kill(self) -> None:
        if self.process is not None and self.process.returncode is not None:
            return
        self.family.kill()
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
        if self.exit is not None:
            os.close(self.exit)
            self.exit = None

    def end(self) -> Completed:
        """Kill what is left of it, and return how it ended."""
        self.kill()
        status = self.process.returncode if self.process is not None else None
        if not self.timed_out and not self.exceeded:
            self.watch()  # what it wrote since the last look
        if status == -signal.SIGXFSZ and not self.exceeded:
            self.exceeded = "files"
        most = _EXCERPT if self.exceeded else -1
        texts = []
        for stream in self.streams:
            stream.seek(0)
            texts.append(stream.read(most).decode("utf-8", "replace"))
        return Completed(
            -signal.SIGKILL if status is None else status,
            texts[0],
            texts[1],
            self.timed_out,
            self.limits.memory is not None,
            self.exceeded,
        )


@contextlib.contextmanager
def _running(command: Sequence[str], stdin: bytes, limits: Limits, folder: Path | None) -> Iterator[_Program]:
    """Start a program; at the end of the block, nothing is left of it."""
    # Files, not pipes: a pipe stays open as long as any process holds it, even after the program has ended.
    with (
        tempfile.TemporaryDirectory(prefix="cseq-", dir=folder, ignore_cleanup_errors=True) as own,
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        program = _Program(limits, folder, Path(own), out, err)
        try:
            program.start(command, folder, given)
            yield program
        finally:
            program.kill()


def _wait(programs: Sequence[_Program], seconds: float) -> None:
    """Wait until one of the programs ends, or the time is up."""
    exits = [program.exit for program in programs if program.exit is not None]
    if len(exits) < len(programs):
        seconds, exits = min(seconds, 0.01), []
    poll = select.poll()
    for exit_ in exits:
        poll.register(exit_, select.POLLIN)
    poll.poll(max(seconds, 0) * 1000)


def _watch(programs: Sequence[_Program], limits: Limits, end: float | None) -> None:
    """Check which of the programs have exceeded their limits."""
    going = [program for program in programs if not program.has_ended()]
    for program in going:
        if end is not None and time.monotonic() >= end:
            program.timed_out = True
        else:
            program.family.look()
            program.watch()
    if limits.memory is not None:
        limit = limits.memory * _MEGABYTE
        used = [program.family.memory(limit // len(going)) for program in going]
        if sum(used) > limit:
            going[used.index(max(used))].exceeded = "memory"


def _limited(limits: Limits) -> list[str]:
    """The beginning of a command that lowers the system's limits before the program itself starts."""
    # A shell can be started safely from any thread; Python code cannot run safely between fork and exec.
    wanted = [
        (resource.RLIMIT_CORE, "-c", 0, 512),
        (resource.RLIMIT_FSIZE, "-f", max(limits.files, limits.output) * _MEGABYTE, 512),
    ]
    if limits.memory is not None and not limits.reserves:
        wanted.append((resource.RLIMIT_AS, "-v", limits.memory * _MEGABYTE, 1024))
    words = []
    for kind, option, most, unit in wanted:
        hard = resource.getrlimit(kind)[1]
        if most < (1 << 62) and (hard == resource.RLIM_INFINITY or most < hard):
            words.append(f"ulimit {option} {most // unit}")
    return [_SHELL, "-c", f'{" && ".join([*words, "exec"])} "$0" "$@"']


def _program(command: Sequence[str]) -> list[str]:
    """The command with the path of its program. Raises OSError where there is none."""
    path = shutil.which(command[0])
    if path is None:
        Path(command[0]).stat()
        raise PermissionError(13, "Permission denied")
    return [path, *command[1:]]


def available_memory() -> int:
    """The available memory in megabytes: the limit for programs that would otherwise take everything."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        kilobytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 1024
    return max(kilobytes // 1024, _LITTLE)


def _size(folder: Path, known: Collection[str]) -> int:
    """The size in bytes of all files in *folder* that are not *known*."""
    total = 0
    left = [str(folder)]
    while left:
        with contextlib.suppress(OSError), os.scandir(left.pop()) as entries:  # files may disappear meanwhile
            for entry in entries:
                if entry.name in known:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                else:
                    with contextlib.suppress(OSError):
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
        known = ()
    return total
