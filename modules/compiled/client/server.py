"""The client of the process that forks the runs of a program."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import mmap
import os
import signal
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cseq.modules.compiled.client import record
from cseq.modules.compiled.client.recorded import Module, RecordedRun, copied

# The object files that a process has in memory.

_HEADER = struct.Struct("<4sBB10xHHIQQQIHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_LOADED = 1
_PAGE = 4096


def modules_of(process: int) -> tuple[Module, ...]:
    """The object files with executable mappings in the process with this number, as /proc describes them."""
    begins: dict[str, tuple[int, int]] = {}
    ends: dict[str, int] = {}
    executable: set[str] = set()
    for line in Path(f"/proc/{process}/maps").read_text(errors="surrogateescape").splitlines():
        addresses, permissions, offset, _, inode, *name = line.split(None, 5)
        if inode == "0" or not name:
            continue
        low, high = (int(number, 16) for number in addresses.split("-"))
        path = name[0].removesuffix(" (deleted)")
        begins.setdefault(path, (low, int(offset, 16)))
        ends[path] = max(high, ends.get(path, 0))
        if "x" in permissions:
            executable.add(path)
    return tuple(
        _module(Path(path), low, offset, ends[path]) for path, (low, offset) in begins.items() if path in executable
    )


def _module(path: Path, low: int, offset: int, end: int) -> Module:
    """The file at *path*, whose page at *offset* is at the address *low*. end: of what is mapped from the file itself.

    Variables without an initial value come after that.
    """
    segments = _segments(path)
    if not segments:
        return Module(str(path), low - offset, end)  # it has been removed: as position-independent files are laid out
    starts = [address // _PAGE * _PAGE for position, address, _ in segments if position // _PAGE * _PAGE == offset]
    base = low - (starts[0] if starts else offset)
    return Module(str(path), base, max(end, base + max(address + size for _, address, size in segments)))


def _segments(path: Path) -> list[tuple[int, int, int]]:
    """The parts of an object file that are loaded: their offsets, addresses and sizes in memory."""
    try:
        with path.open("rb") as file:
            magic, wide, *_, start, _, _, _, size, count = _HEADER.unpack(file.read(_HEADER.size))
            file.seek(start)
            found = file.read(size * count)
    except (OSError, struct.error):
        return []
    if magic != b"\x7fELF" or wide != 2 or size != _SEGMENT.size:
        return []
    parts = _SEGMENT.iter_unpack(found)
    return [(position, address, memory) for kind, _, position, address, _, _, memory, _ in parts if kind == _LOADED]


CAPACITIES = {
    "given": 1 << 20, "sites": 1 << 16, "choices": 1 << 20, "entries": 1 << 20, "frames": 1 << 18,
    "threads": record.MOST_THREADS, "races": 1 << 10, "blocks": 1 << 16, "briefs": 1 << 16, "known": 1 << 12,
    "modules": 1 << 8,
}  # fmt: skip
"""How many elements the arrays of the file have."""

_NO_RANDOMIZATION = 0x0040000
_AGAIN = 0xFFFFFFFF


_NO_FLAGS = record.RequestFlag(0)


@dataclass(frozen=True)
class RunBatch:
    """A number of runs with one strategy and consecutive seeds; the first that is remarkable ends them.

    choices: those that come first, as (kind, value). sites: places of plain accesses that are switch points.
    steps: the limit of visible operations of a run. seconds: the limit of its time. length, weights: what strategies
    expect of a run. asleep: the threads that sleep after the choices. status: the expected exit status; None for any.
    batch_seconds: when no other run is begun. known: data races that are not remarkable, as pairs of places.
    """

    runs: int = 1
    strategy: record.Strategy = record.Strategy.WALK
    seed: int = 1
    flags: record.RequestFlag = _NO_FLAGS
    depth: int = 3
    steps: int = 100_000
    seconds: float = 10.0
    length: int = 0
    choices: Sequence[tuple[int, int]] = ()
    sites: Sequence[int] = ()
    asleep: int = 0
    weights: Sequence[int] = field(default=())
    status: int | None = 0
    batch_seconds: float = 3600.0
    known: Sequence[tuple[int, int]] = ()


class ServerError(Exception):
    """The program cannot be run. The argument says what is wrong: ``not instrumented``, ``ended`` or ``model``.

    printed: what the program has printed. signal: the one that ended the scheduling model; 0 if it was none.
    """

    def __init__(self, what: str, printed: bytes = b"", signal: int = 0) -> None:
        super().__init__(what)
        self.printed, self.signal = printed, signal


class Server:
    """A process of the program that forks runs. Use it as a context manager."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        cpu: int | None = None,
        stdin: str | None = None,
    ) -> None:
        """Start *command*. folder: where the temporary files are. cpu: all runs are on this one, which is faster.
        stdin: the file that each run reads from its standard input; without it, that is empty.

        Raises ServerError("not instrumented") if it has not been linked with the runtime, or cannot be started.
        """
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (closed by close)
        self.output = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        total = self._lay_out()
        self._map = mmap.mmap(self._file.fileno(), total)
        self.shared = record.Shared.from_buffer(self._map)
        self._fill_header()
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        given = f"{requests},{answers},{self._file.fileno()},{self.output.fileno()}"
        for descriptor in (requests, answers, self._file.fileno(), self.output.fileno()):
            os.set_inheritable(descriptor, True)
        # Appending: after the file has been emptied, a run does not leave a hole as long as the last run's output.
        fcntl.fcntl(self.output, fcntl.F_SETFL, fcntl.fcntl(self.output, fcntl.F_GETFL) | os.O_APPEND)
        outside = {**(os.environ if environment is None else environment), "CSEQ_SERVER": given}
        try:
            with _fixed_addresses(), Path(stdin or os.devnull).open("rb") as opened:
                self._process = subprocess.Popen(
                    list(command),
                    env=outside,
                    stdin=opened,
                    stdout=self.output,
                    stderr=self.output,
                    pass_fds=(requests, answers, self._file.fileno(), self.output.fileno()),
                )
        except OSError as error:  # such as a program for another machine
            for descriptor in (requests, answers, self._requests, self._answers):
                os.close(descriptor)
            raise ServerError("not instrumented", (error.strerror or "").encode()) from None
        if cpu is not None:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(self._process.pid, {cpu})
        os.close(requests)
        os.close(answers)
        if os.read(self._answers, 1) != b"R":
            printed = os.pread(self.output.fileno(), os.fstat(self.output.fileno()).st_size, 0)
            self.close()
            raise ServerError("not instrumented", printed)
        self.modules: tuple[Module, ...] = modules_of(self._process.pid)

    def _lay_out(self) -> int:
        offset = 1 << 16
        self._offsets: dict[str, int] = {}
        for name, kind in record.ARRAYS.items():
            self._offsets[name] = offset
            offset += -(-CAPACITIES[name] * ctypes.sizeof(kind) // 4096) * 4096
        os.ftruncate(self._file.fileno(), offset)
        return offset

    def _fill_header(self) -> None:
        self.shared.magic, self.shared.layout = record.MAGIC, record.LAYOUT
        for name, offset in self._offsets.items():
            getattr(self.shared, name).offset = offset
            getattr(self.shared, name).capacity = CAPACITIES[name]

    def array(self, name: str, count: int | None = None) -> Any:
        """The array called *name*, as ctypes elements; by default as many as the last run has made."""
        number = count if count is not None else getattr(self.shared.result, name)
        return (record.ARRAYS[name] * number).from_buffer(self._map, self._offsets[name])

    def run(self, order: RunBatch) -> record.ResultRecord:
        """Have *order* executed; returns the result of the last run. It is overwritten by the next order.

        Raises ServerError if the process has ended, or if the scheduling model ends it.
        """
        self._fill(order)
        try:
            os.write(self._requests, b"G")
            answer = os.read(self._answers, 1)
        except BrokenPipeError:
            answer = b""
        if answer != b"D":
            raise ServerError("ended")
        result = self.shared.result
        if result.end == record.End.MODEL:
            ended = {record.End.CRASHED: result.detail, record.End.KILLED: result.detail, record.End.EXITED: 0}
            raise ServerError("model", signal=ended.get(record.End(result.other), signal.SIGABRT))
        return result  # type: ignore[no-any-return]

    def _fill(self, order: RunBatch) -> None:
        """Write *order* into the file."""
        request = self.shared.request
        for name in ("runs", "strategy", "seed", "flags", "depth", "steps", "length", "asleep"):
            setattr(request, name, int(getattr(order, name)))
        request.milliseconds = int(1000 * order.seconds)
        request.batch_milliseconds = min(int(1000 * order.batch_seconds), 0xFFFFFFFF)
        known = [place for pair in order.known[: CAPACITIES["known"] // 2 - 1] for place in pair]
        self.array("known", 1 + len(known))[:] = [len(known) // 2, *known]
        request.prescribed, request.sites = len(order.choices), len(order.sites)
        given = self.array("given", len(order.choices))
        for n, (kind, value) in enumerate(order.choices):
            given[n].kind, given[n].value = kind, value
        request.status = -1 if order.status is None else order.status
        self.array("sites", len(order.sites))[:] = list(order.sites)
        request.weights[:] = [*order.weights, *[0] * record.MOST_WEIGHTS][: record.MOST_WEIGHTS]

    def recorded(self, order: RunBatch) -> RecordedRun:
        """Have *order* executed as one run, and copy all that is known of it. Raises ServerError as run does."""
        one = replace(order, runs=1)
        self.run(one)
        return self.copied(one)

    def copied(self, order: RunBatch) -> RecordedRun:
        """The last run of *order*, which is the last that was executed."""
        result = self.shared.result
        written = os.pread(self.output.fileno(), os.fstat(self.output.fileno()).st_size, 0)
        seed = order.seed + max(result.runs, 1) - 1
        return copied(result, self.array, self.modules, written, order.strategy, seed, order.flags, order.sites)

    def request_file(self, order: RunBatch, path: Path) -> None:
        """Write *order* into a file of its own, for a program that is the run itself (CSEQ_RUN)."""
        self._fill(order)
        with path.open("wb") as file:
            end = self._offsets["choices"]  # what comes after that is for the run to write
            file.write(self._map[:end])
            file.truncate(len(self._map))

    def close(self) -> None:
        """End the process and remove the file."""
        for descriptor in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def _fixed_addresses() -> Iterator[None]:
    """What this thread starts has the same addresses each time.

    Where that is not allowed, addresses differ between processes, but not between the runs of one.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    before = libc.personality(ctypes.c_ulong(_AGAIN))
    libc.personality(ctypes.c_ulong(before | _NO_RANDOMIZATION))
    try:
        yield
    finally:
        libc.personality(ctypes.c_ulong(before))
