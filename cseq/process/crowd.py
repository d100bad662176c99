"""Runs that go on at the same time, each for a program of its own, and share the processors."""

from __future__ import annotations

import mmap
import struct

from cseq.process.job_slots import Slots

_COUNT = struct.Struct("=q")


class Crowd:
    """As many runs at a time as there are *slots*; the last ones have the processors of those that are over.

    *count* runs are left in the beginning. The number is in memory that all processes of the run share.
    """

    def __init__(self, slots: Slots, count: int) -> None:
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
