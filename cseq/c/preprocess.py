"""Run the C preprocessor on the user's files."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cseq.c.scanner import without_comments
from cseq.model.errors import InputError, MissingError
from cseq.model.origin import Origin

_INCLUDERS = re.compile(r"^(?:In file included|  +) from (.+?):(\d+)[,:]", re.MULTILINE)
_MISSING = re.compile(r"(\S+): No such file")
_SYSTEM = ("/usr/", "/lib/", "/opt/", "/Library/", "/Applications/", "/nix/")
"""The prefixes of the names of system files."""

_MESSAGE = re.compile(r"^(.+?):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$", re.MULTILINE)


def compiler() -> str:
    """The C compiler: the first of ``$CC``, ``cc``, ``gcc`` and ``clang``. Raises BackendError if there is none."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and shutil.which(name):
            return name
    raise MissingError("no C compiler found (looked for $CC, cc, gcc and clang)")


def check_readable(path: Path) -> str:
    """The text of the file *path*. Raises InputError for anything that is not a C file."""
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


def is_preprocessed(path: Path) -> bool:
    """Whether the compiler treats the file *path* as preprocessed already."""
    return path.suffix == ".i"


class Source:
    """One C file of the input: it is preprocessed, and the compiler checks it at the same time.

    path:    the file, as the user calls it. A file that is preprocessed already is only read.
    include: the folder of our headers, which are found before the system's.
    folders: the folders of ``-I``, searched first.
    defines: ``NAME`` or ``NAME=VALUE``, as for ``-D``.
    bits:    32 or 64, the data model of the predefined macros.
    system:  only those of our headers that are in `always` are found before the system's. Ours are small; this is for
            programs that need more of a header.
    numbered: the text to be read instead, which has the numbers of statements and already contains the user's headers.
    flags:   of the preprocessor, for this file alone; they come after all others, so that they have the last word.
    """

    def __init__(
        self,
        path: Path,
        include: Path,
        folders: Sequence[str] = (),
        defines: Sequence[str] = (),
        bits: int = 64,
        system: bool = False,
        numbered: Path | None = None,
        flags: Sequence[str] = (),
    ) -> None:
        self._path = path
        self._read = numbered or path
        self._include = include
        self._bits = bits
        self.preprocessed = is_preprocessed(path)
        words = ["-std=gnu11", f"-m{bits}"]
        language = "cpp-output"
        self._preprocessing: subprocess.Popen[str] | None = None
        if not self.preprocessed:
            language = "c"
            words += ["-D__CSEQ__=1", *(f"-I{folder}" for folder in folders), *(f"-D{define}" for define in defines)]
            words += ["-isystem", str(include / "always"), "-idirafter"] if system else ["-isystem"]
            words += [str(include), *flags]
            self._preprocessing = self._start(self._read, "-E", *words, "-x", language)
        self._checking = self._start(
            path,
            "-fsyntax-only",
            "-w",
            "-Wno-implicit-function-declaration",
            "-D__CSEQ_CHECK__=1",
            *words,
            "-x",
            language,
        )

    def _start(self, path: Path, *flags: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [compiler(), *flags, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",  # bytes that are not UTF-8 are still those bytes in a string literal
            start_new_session=True,
        )

    def text(self) -> str:
        """The preprocessed text, with line markers. Raises InputError, with the place, if preprocessing fails."""
        if self._preprocessing is None:
            check_readable(self._path)
            return without_comments(self._read.read_text(encoding="utf-8", errors="surrogateescape"))
        return self._finished(self._preprocessing)

    def check(self) -> None:
        """Raise InputError, with the place of the compiler's first message, if the file is not valid C."""
        self._finished(self._checking)

    def close(self) -> None:
        """Stop the compiler, and leave nothing of it behind."""
        for process in (self._preprocessing, self._checking):
            if process is not None:
                if process.poll() is None:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.killpg(process.pid, signal.SIGKILL)  # the driver and what it has started
                for stream in (process.stdout, process.stderr):
                    if stream is not None:
                        stream.close()
                process.wait()

    def _finished(self, process: subprocess.Popen[str]) -> str:
        out, err = process.communicate()
        if process.returncode == 0:
            return out
        err = err.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        match = _MESSAGE.search(err)
        if not match:
            lines = err.strip().splitlines() or [f"exit status {process.returncode}"]
            said = next((line for line in lines if "error:" in line), lines[-1])  # the rest is notes and excerpts
            raise InputError(f"{self._path}: the compiler refuses it: {said}")
        message = match.group(3).removeprefix("#error ")
        place = self._place(match.group(1), int(match.group(2)), err[: match.start()])
        if place.file != match.group(1) and self._bits == 32 and _MISSING.match(message):
            message += " (the system's headers for 32 bits are not installed)"
        raise InputError(message, place)

    def _place(self, file: str, line: int, before: str) -> Origin:
        """The user's line for *line* of *file*: for the system's headers, and ours, the line that includes them."""
        if self._is_user_s(file):
            return Origin(file, line)
        for includer, number in _INCLUDERS.findall(before):
            if self._is_user_s(includer):
                return Origin(includer, int(number))
        return Origin(file, line)

    def _is_user_s(self, file: str) -> bool:
        return not file.startswith(_SYSTEM) and self._include not in Path(file).parents
