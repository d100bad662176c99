"""All processes that come from one program, wherever they have gone: they are found, measured and killed."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import NamedTuple

_PROC = "/proc"
_PAGE = os.sysconf("SC_PAGE_SIZE")
_LARGE = 256 * 1024 * 1024
_PATIENCE = 5.0  # seconds; who is dead after SIGKILL only later hangs in a system call, and has the signal waiting


class _Process(NamedTuple):
    number: int
    parent: int
    session: int
    started: int
    alive: bool
    resident: int  # bytes

    @property
    def name(self) -> tuple[int, int]:
        """What no other process ever has; numbers are used again."""
        return self.number, self.started


class Family:
    """The processes of one run: a leader and all that it starts.

    A process can leave its group and its session, and its parent can end (a daemon does all of that). It takes along
    its environment, so there is a variable in it whose name no other run has. One that has no environment any more
    belongs to the family if it is in the leader's session, or if its parent was seen to belong to it.
    Where there is no /proc, only the leader's group is known.
    """

    def __init__(self) -> None:
        self.leader: int | None = None
        self._mark = f"CSEQ_RUN_{os.urandom(8).hex()}"
        self._members: list[_Process] = []
        self._known: set[tuple[int, int]] = set()
        self._strangers: set[tuple[int, int]] = set()

    def environment(self, **more: str) -> dict[str, str]:
        """The environment that makes a program the first of the family, with *more* in it."""
        return {**os.environ, **more, self._mark: "1"}

    def look(self) -> None:
        """See who there is, and remember that."""
        self._members = self._found()

    def memory(self, limit: int) -> int:
        """Bytes of memory that those had who were seen last; exact where it may be above *limit*."""
        resident = sum(process.resident for process in self._members)
        # What several share, as they do after a fork, is counted for each of them there, and here once.
        return resident if resident <= limit else sum(_share(process) for process in self._members)

    def kill(self) -> None:
        """Kill all of the family, again until nobody is left: who is being killed may have started others."""
        self._strangers.clear()  # some may have been looked at in the moment of their birth
        end = time.monotonic() + _PATIENCE
        while True:
            self.look()  # first, since orphans do not show whose they are
            if self.leader is not None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.leader, signal.SIGKILL)
            for process in self._members:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(process.number, signal.SIGKILL)
            if not self._members or time.monotonic() > end:
                return
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
        return [process for process in members if process.alive]

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
    """Bytes of memory that the process *root* has, with all that come from it. 0 where there is no /proc."""
    everybody = _processes()
    found = {root}
    while children := {process.number for process in everybody if process.parent in found} - found:
        found |= children
    # What forks share is counted once where finding out is cheap: a process that is large has made that by itself.
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
    fields = text[text.rfind(b")") + 1 :].split()  # its name, in parentheses, may have anything in it
    if not fields:
        return None
    return _Process(
        number,
        parent=int(fields[1]),
        session=int(fields[3]),
        started=int(fields[19]),
        alive=fields[0] not in (b"Z", b"X"),
        resident=int(fields[21]) * _PAGE,
    )


def _share(process: _Process) -> int:
    """The bytes of memory that are the process's own, and its part of what it shares."""
    lines = _read(process.number, "smaps_rollup").splitlines()
    found = next((line.split()[1] for line in lines if line.startswith(b"Pss:")), None)
    return process.resident if found is None else int(found) * 1024


def _read(number: int, name: str) -> bytes:
    """What the system says of a process; nothing where that is none of our business, or the process has ended."""
    parts = []
    try:
        file = os.open(f"{_PROC}/{number}/{name}", os.O_RDONLY)  # several times as fast as an object for the file
        try:
            while part := os.read(file, 65536):
                parts.append(part)
        finally:
            os.close(file)
    except OSError:
        return b""
    return b"".join(parts)
