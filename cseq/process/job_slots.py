"""Slots: so many processes of a run work at the same time, however deep they are nested.

A slot is a lock on a file. The system gives the lock back when its process ends, however that happens.
"""

import contextlib
import fcntl
import mmap
import os
import struct
import time
from collections.abc import Iterator
from pathlib import Path

_PAUSE = 0.01
"""Seconds between two attempts to take a slot."""

_COUNT = struct.Struct("=q")


class JobSlots:
    """*count* slots, whose files are in *folder*, which all processes of the run share.

    A process holds one, or several where what it runs works on several processors. A process that began to work when
    none was free works without one. Where it has others work in its place, they have one more among them.
    """

    def __init__(self, folder: Path, count: int) -> None:
        self.count = count
        self._folder = folder
        self._held: list[int] = []  # file descriptors
        self._owner = 0  # the process that holds them
        self._without = 0  # the process that works without one
        self._more = ""  # the file of the slot that only this process's children may take

    @property
    def held(self) -> int:
        """How many this process holds."""
        return len(self._held) if self._owner == os.getpid() else 0

    @property
    def is_any_free(self) -> bool:
        """Whether some slot is free at this moment."""
        for number in range(self.count):
            if (held := self._locked(str(number))) is not None:
                os.close(held)
                return True
        return False

    def take(self, end: float | None = None) -> bool:
        """Wait until this process has a slot. end: how long, in `time.monotonic` seconds; None for as long as it takes.

        Returns whether it has one.
        """
        while not self.try_to_take():
            if end is not None and time.monotonic() >= end:
                return False
            time.sleep(_PAUSE)
        return True

    def try_to_take(self, many: int = 1) -> bool:
        """Take as many slots as are free, until this process has so *many*. Returns whether it has any now."""
        if self._owner != os.getpid():
            self._held, self._owner = [], os.getpid()
        names = [str(number) for number in range(self.count)] + ([self._more] if self._more else [])
        for name in names:
            if len(self._held) >= many:
                break
            if (held := self._locked(name)) is not None:
                self._held.append(held)
        self._without = 0 if self._held else os.getpid()
        return bool(self._held)

    def release(self) -> None:
        """Give the slots back that this process holds, if any."""
        for held in self._held if self._owner == os.getpid() else ():
            fcntl.flock(held, fcntl.LOCK_UN)  # copies of the descriptor in other processes hold nothing then
            os.close(held)
        self._held = []

    @contextlib.contextmanager
    def lent(self) -> Iterator[None]:
        """In the block, others may have the slots that this process holds; if it works without any, they have one."""
        had, me = self.held, os.getpid()
        self.release()
        before, self._more = self._more, f"of-{me}" if not had and self._without == me else ""
        try:
            yield
        finally:
            self._more = before
            if had:
                self.try_to_take(had)

    def _locked(self, name: str) -> int | None:
        """A descriptor that holds the slot of this name; None where another one has it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        file = os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return None
        return file


class SharedSlots:
    """As many runs at a time as there are *slots*; the last ones have the processors of those that are over.

    *count* runs are left in the beginning. The number is in memory that all processes of the run share.
    """

    def __init__(self, slots: JobSlots, count: int) -> None:
        self.slots = slots
        self._memory = mmap.mmap(-1, _COUNT.size)
        self._note(count)

    @property
    def left(self) -> int:
        """How many runs go on, or have not begun."""
        return int(_COUNT.unpack(self._memory[: _COUNT.size])[0])

    @property
    def width(self) -> int:
        """How many runs there are at a time."""
        return max(min(self.slots.count, self.left), 1)

    def share(self) -> int:
        """How many processors are for each of the runs now."""
        return self.slots.count // self.width

    def over(self) -> None:
        """A run is over. Only the process that counts calls this."""
        self._note(self.left - 1)

    def _note(self, count: int) -> None:
        self._memory[: _COUNT.size] = _COUNT.pack(count)
