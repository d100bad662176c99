"""Find, measure and kill all processes that come from one program, wherever they have gone."""

import contextlib
import os
import signal
import time
from typing import NamedTuple

_PROC = "/proc"
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_LARGE = 256 * 1024 * 1024
_PATIENCE = 5.0  # seconds; a process that survives SIGKILL longer hangs in a system call, with the signal pending


class _Process(NamedTuple):
    number: int
    parent: int
    session: int
    started: int
    alive: bool
    resident: int  # bytes
    used: int  # ticks of processor time, with those of children that it has waited for

    @property
    def name(self) -> tuple[int, int]:
        """An identity that no other process ever has, since process ids are reused."""
        return self.number, self.started


class Family:
    """The processes of one run: a leader and everything that it starts.

    A process can leave its group and its session, and its parent can end (a daemon does all three). It keeps its
    environment, so that has a variable whose name no other run has. A process without an environment belongs to the
    family if it is in the leader's session, or if its parent was seen to belong to the family.
    Where there is no /proc, only the leader's group is known.
    """

    def __init__(self) -> None:
        self.leader: int | None = None
        self._mark = f"CSEQ_RUN_{os.urandom(8).hex()}"
        self._members: list[_Process] = []
        self._known: set[tuple[int, int]] = set()
        self._strangers: set[tuple[int, int]] = set()

    def environment(self, **more: str) -> dict[str, str]:
        """The environment for the leader of the family, with *more* added."""
        return {**os.environ, **more, self._mark: "1"}

    def look(self) -> None:
        """Look for the family's processes, and remember them."""
        self._members = self._found()

    def memory(self, limit: int) -> int:
        """The memory in bytes of the processes that were seen last; exact where it may exceed *limit*."""
        resident = sum(process.resident for process in self._members)
        # The sum counts memory that is shared after a fork once per process. The shares count it once.
        return resident if resident <= limit else sum(_share(process) for process in self._members)

    def cputime(self) -> float:
        """Seconds of processor time of the processes that were seen last, and of those that they have waited for."""
        return sum(process.used for process in self._members) / _TICKS

    def strike(self) -> bool:
        """Kill the processes that are there now, without waiting for their end. Returns whether there were any."""
        self.look()  # first, since an orphan does not show whose it is
        if self.leader is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.leader, signal.SIGKILL)
        living = [process for process in self._members if process.alive]
        for process in living:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process.number, signal.SIGKILL)
        return bool(living)

    def kill(self) -> None:
        """Kill the whole family, repeatedly until no process is left: a dying process may have started others."""
        self._strangers.clear()  # some may have been looked at while they were being created
        end = time.monotonic() + _PATIENCE
        while self.strike() and time.monotonic() <= end:
            time.sleep(0.001)

    def _found(self) -> list[_Process]:
        everybody = _processes()
        living = {process.name for process in everybody}
        self._known &= living
        self._strangers &= living
        found = {process.number for process in everybody if process.name in self._known or self._is_marked(process)}
        while children := {process.number for process in everybody if process.parent in found} - found:
            found |= children
        members = [process for process in everybody if process.number in found]
        self._known |= {process.name for process in members}
        return members

    def _is_marked(self, process: _Process) -> bool:
        if self.leader in (process.number, process.session):
            return True
        if process.name in self._strangers:
            return False
        if b"\0" + self._mark.encode() + b"=" in b"\0" + _read(process.number, "environ"):
            return True
        self._strangers.add(process.name)
        return False


def usage(root: int) -> int:
    """The memory in bytes of the process *root* and all its descendants. 0 where there is no /proc."""
    everybody = _processes()
    found = {root}
    while children := {process.number for process in everybody if process.parent in found} - found:
        found |= children
    # Memory shared by forks is counted once where that is cheap: a large process has mostly memory of its own.
    members = [process for process in everybody if process.number in found]
    return sum(_share(process) if process.resident < _LARGE else process.resident for process in members)


def _processes() -> list[_Process]:
    """All processes of the machine; none where there is no /proc."""
    try:
        numbers = [int(name) for name in os.listdir(_PROC) if name.isdecimal()]  # noqa: PTH208  # often, and only names
    except OSError:
        return []
    return [process for number in numbers if (process := _process(number)) is not None]


def _process(number: int) -> _Process | None:
    text = _read(number, "stat")
    fields = text[text.rfind(b")") + 1 :].split()  # its name, in parentheses, may contain anything
    if not fields:
        return None
    return _Process(
        number,
        parent=int(fields[1]),
        session=int(fields[3]),
        started=int(fields[19]),
        alive=fields[0] not in (b"Z", b"X"),
        resident=int(fields[21]) * _PAGE,
        used=sum(map(int, fields[11:15])),
    )


def _share(process: _Process) -> int:
    """The proportional set size in bytes: the process's own memory, and its part of what it shares."""
    lines = _read(process.number, "smaps_rollup").splitlines()
    found = next((line.split()[1] for line in lines if line.startswith(b"Pss:")), None)
    return process.resident if found is None else int(found) * 1024


def _read(number: int, name: str) -> bytes:
    """The file *name* of a process in /proc; empty where it may not be read, or the process has ended."""
    parts = []
    try:
        file = os.open(f"{_PROC}/{number}/{name}", os.O_RDONLY)  # several times as fast as a file object
        try:
            while part := os.read(file, 65536):
                parts.append(part)
        finally:
            os.close(file)
    except OSError:
        return b""
    return b"".join(parts)
