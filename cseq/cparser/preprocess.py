"""Run the C preprocessor on the user's files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cseq.errors import BackendError, InputError, UnsupportedError
from cseq.linemap import Origin

_INCLUDER = re.compile(r"^In file included from (.+?):(\d+)", re.MULTILINE)
_MISSING = re.compile(r"(\S+): No such file")
_STANDARD = frozenset({
    "complex.h", "ctype.h", "fcntl.h", "fenv.h", "float.h", "iso646.h", "linux/types.h", "locale.h", "math.h",
    "netinet/in.h", "poll.h", "semaphore.h", "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h",
    "stdnoreturn.h", "sys/socket.h", "sys/stat.h", "sys/time.h", "sys/types.h", "sys/wait.h", "tgmath.h",
    "threads.h", "uchar.h", "wchar.h", "wctype.h",
})  # fmt: skip
"""Headers that a system has and we do not stand in for."""

_MESSAGE = re.compile(r"^(.+?):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$", re.MULTILINE)


def compiler() -> str:
    """The C compiler: ``$CC`` or ``cc``, ``gcc``, ``clang``, whichever comes first. BackendError without one."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and shutil.which(name):
            return name
    raise BackendError("no C compiler found (looked for $CC, cc, gcc and clang)")


def check_readable(path: Path) -> str:
    """The text of the file *path*; InputError, in words, for anything that is not a C file."""
    if path.is_dir():
        raise InputError(f"{path}: is a directory, not a C file")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if b"\0" in data:
        raise InputError(f"{path}: is a binary file, not C")
    if not data.strip():
        raise InputError(f"{path}: the file is empty")
    return data.decode("utf-8", errors="replace")


class Source:
    """One C file on its way in: it is preprocessed, and the compiler checks it at the same time.

    path:    the file, as the user calls it.
    include: our headers, which stand in for the system's.
    folders: those of ``-I``, searched first.
    defines: ``NAME`` or ``NAME=VALUE``, as for ``-D``.
    bits:    32 or 64, the data model that the predefined macros shall show.
    """

    def __init__(
        self, path: Path, include: Path, folders: Sequence[str] = (), defines: Sequence[str] = (), bits: int = 64
    ) -> None:
        self._path = path
        self._include = include
        flags = ["-std=gnu11", "-nostdinc", f"-m{bits}", "-D__CSEQ__=1"]
        flags += [f"-I{folder}" for folder in folders]
        flags += [f"-D{define}" for define in defines]
        flags += ["-isystem", str(include)]
        self._preprocessing = self._start("-E", *flags)
        self._checking = self._start("-fsyntax-only", "-w", "-Wno-implicit-function-declaration", *flags)

    def _start(self, *flags: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [compiler(), *flags, "-x", "c", str(self._path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )

    def text(self) -> str:
        """The preprocessed text, with line markers. InputError, with its place, when there is none."""
        return self._finished(self._preprocessing)

    def check(self) -> None:
        """InputError, with the place of the compiler's first message, for a file that is not valid C."""
        self._finished(self._checking)

    def close(self) -> None:
        """Let nothing of it survive."""
        for process in (self._preprocessing, self._checking):
            if process.poll() is None:
                process.kill()
            process.communicate()

    def _finished(self, process: subprocess.Popen[str]) -> str:
        out, err = process.communicate()
        if process.returncode == 0:
            return out
        match = _MESSAGE.search(err)
        if match:
            file, line = match.group(1), match.group(2)
            includer = _INCLUDER.search(err)
            if includer and Path(file).parent == self._include:
                file, line = includer.groups()  # the user's line, not that of our header
            header = _MISSING.match(match.group(3))
            if header and header.group(1) in _STANDARD:
                raise UnsupportedError(
                    f"<{header.group(1)}> is not supported by this version of CSeq", Origin(file, int(line))
                )
            raise InputError(match.group(3).removeprefix("#error "), Origin(file, int(line)))
        lines = err.strip().splitlines() or [f"exit status {process.returncode}"]
        raise InputError(f"{self._path}: the compiler fails: {lines[-1]}")
