"""Where the preprocessor looks for headers: which new files it would read in place of others."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cseq.cli.projects.compiler_flags import options

_FOLDERS = ("-I", "-isystem", "-iquote", "-idirafter")
_SYSTEM = "/usr/include"

_NAMES = re.compile(
    rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*[<"]([^>"\n]+)[>"]|__has_include(?:_next)?[ \t(]*[<"]([^>"\n]+)[>"]',
    re.MULTILINE,
)
"""The names of headers: those that are included, and those that are asked for."""


def looked_for(reads: Sequence[str], words: Sequence[str], exists: Callable[[str], bool]) -> Iterator[str]:
    """Where the compiler may have looked for a header: if there is one, it reads that, or goes on in another way.

    reads: the files that it has read. words: its flags. exists: whether there is a file.
    """
    own = [path for path in reads if not path.startswith(f"{_SYSTEM}/")]
    folders = list(dict.fromkeys([*_searched(words), *(str(Path(path).parent) for path in own)]))
    inside = {path[len(root) + 1 :] for path in reads for root in (*folders, _SYSTEM) if path.startswith(f"{root}/")}
    # Names may lead out of a folder; and some are only asked for, with __has_include.
    spelled = {name for path in own for name in _included(path)}
    for folder in folders:
        yield from (place for name in sorted(inside | spelled) if not exists(place := f"{folder}/{name}"))


def _searched(words: Sequence[str]) -> Iterator[str]:
    """The folders, absolute, in which *words* have headers searched."""
    for option, name in options(words):
        if option in _FOLDERS and name:
            yield os.path.normpath(Path(name).absolute())


def _included(path: str) -> Iterator[str]:
    """The names of headers in the file *path* that are no absolute paths."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return
    for included, asked in _NAMES.findall(data):
        name = os.fsdecode(included or asked)
        if not name.startswith("/"):
            yield name
