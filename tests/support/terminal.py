"""A terminal for tests, with the contents of its screen after a program has written to it."""

import contextlib
import fcntl
import os
import re
import select
import struct
import termios
import time
from collections.abc import Callable

_PART = re.compile(r"\x1b\[(\d*)([A-Za-z])|\x1b\[[\d;]*m|[\r\n]|[^\x1b\r\n]")


class Screen:
    """A screen that knows only the escape sequences of the live view; ValueError for others."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.columns = columns
        self.rows = rows
        self.history: list[str] = []  # lines that have scrolled out at the top
        self._cells = [[" "] * columns for _ in range(rows)]
        self._row = self._column = 0

    def feed(self, text: str) -> None:
        """A program writes *text*."""
        at = 0
        while at < len(text):
            part = _PART.match(text, at)
            if part is None:
                raise ValueError(f"the terminal does not know {text[at : at + 10]!r}")
            at = part.end()
            if part[2] is not None:
                self._control(part[2], int(part[1] or 0))
            elif part[0] == "\r":
                self._column = 0
            elif part[0] == "\n":
                self._down()
            elif not part[0].startswith("\x1b"):
                self._put(part[0])

    def lines(self) -> list[str]:
        """The contents of the screen, without empty space at the end."""
        shown = ["".join(cells).rstrip() for cells in self._cells]
        while shown and not shown[-1]:
            shown.pop()
        return shown

    @property
    def cursor(self) -> tuple[int, int]:
        """The row and the column, from 0."""
        return self._row, self._column

    def _control(self, letter: str, number: int) -> None:
        match letter:
            case "A":
                self._row = max(self._row - max(number, 1), 0)
            case "K" if number == 0:
                self._cells[self._row][self._column :] = [" "] * (self.columns - self._column)
            case "J" if number == 0:
                self._control("K", 0)
                for row in range(self._row + 1, self.rows):
                    self._cells[row] = [" "] * self.columns
            case "m":
                return
            case _:
                raise ValueError(f"the terminal does not know {number}{letter}")

    def _put(self, character: str) -> None:
        if self._column == self.columns:
            self._column = 0
            self._down()
        self._cells[self._row][self._column] = character
        self._column += 1

    def _down(self) -> None:
        self._row += 1
        if self._row == self.rows:
            self._row -= 1
            self.history.append("".join(self._cells.pop(0)).rstrip())
            self._cells.append([" "] * self.columns)


class Terminal:
    """A terminal in which programs run. file: their output. screen: what it shows. written: everything written."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.ours, self.file = os.openpty()
        self.resize(columns, rows)
        self.screen = Screen(columns, rows)
        self.written = ""

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds: float = 0.0) -> bool:
        """Show what is written within this time; returns whether there was anything."""
        if not select.select([self.ours], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.ours, 65536)
        except OSError:  # no process has it open any more
            return False
        self.written += data.decode()
        self.screen.feed(data.decode())
        return bool(data)

    def settle(self) -> list[str]:
        """The contents of the screen when everything has been read."""
        while self.read(0.05):
            pass
        return self.screen.lines()

    def wait_for(self, condition: Callable[[str], object]) -> None:
        """Read until *condition* holds for the screen, for less than half a minute."""
        deadline = time.monotonic() + 30
        while not condition("\n".join(self.screen.lines())):
            assert time.monotonic() < deadline, self.screen.lines()
            self.read(0.1)

    def close(self) -> None:
        """Close the terminal."""
        for file in (self.ours, self.file):
            with contextlib.suppress(OSError):  # it is gone already
                os.close(file)
