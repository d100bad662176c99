"""Run the C preprocessor on the user's files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cseq.errors import BackendError, InputError
from cseq.linemap import Origin

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


def preprocess(
    path: Path, include: Sequence[Path], user_include: Sequence[str], defines: Sequence[str], bits: int
) -> str:
    """Return the preprocessed text of *path*, with line markers.

    include:      our headers, which stand in for the system's.
    user_include: the folders of ``-I``, searched first.
    defines:      ``NAME`` or ``NAME=VALUE``, as for ``-D``.
    bits:         32 or 64, the data model that the predefined macros shall show.
    Raises InputError with the place of the first message of the preprocessor.
    """
    command = [compiler(), "-E", "-std=gnu11", "-nostdinc", f"-m{bits}", "-D__CSEQ__=1"]
    command += [f"-I{folder}" for folder in user_include]
    command += [f"-D{define}" for define in defines]
    for folder in include:
        command += ["-isystem", str(folder)]
    command += ["-x", "c", str(path)]
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode != 0:
        match = _MESSAGE.search(done.stderr)
        if match:
            raise InputError(match.group(3), Origin(match.group(1), int(match.group(2))))
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise InputError(f"{path}: the preprocessor failed: {lines[-1]}")
    return done.stdout
