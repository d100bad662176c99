"""What the flags of a compiler mean for the preprocessor and for the data model; and those that would be misread."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cseq.cli.projects.compile_database import CompileCommand
from cseq.model.errors import UnsupportedError

_WITH_PATH = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I")
_WITH_VALUE = ("-D", "-U")
_TAKING = frozenset({"-o", "-x", "-MF", "-MT", "-MQ", "-arch", "-target", "-Xlinker", "-L", "-l", "-T", "--param"})
"""Other options whose value is the next word, which must not be taken for an option."""

_OTHER_MEANING = (
    "-funsigned-char", "-fno-signed-char", "-funsigned-bitfields", "-fno-signed-bitfields", "-fshort-enums",
    "-fshort-wchar", "-fpack-struct", "-mx32", "-m16", "-fopenmp", "-fopenacc", "-fgnu-tm", "-nostdinc",
)  # fmt: skip
"""The beginnings of options that give a program another meaning than it has here."""

_CROSS = re.compile(r"^(?P<machine>[\w.]+)-(?:[\w.]+-)+(?:gcc|cc|clang)(?:-[\d.]+)?$")
_SAME = re.compile(r"^(?:x86_64|amd64|i[3-6]86)$")
_OLD = re.compile(r"^-std=(?:c89|c90|iso9899:199[04]\w*)$|^-ansi$")


@dataclass(frozen=True)
class Flags:
    """The flags of a file. words: for the preprocessor. bits: of the data model. no_assertions: with `NDEBUG`.

    fault: for flags that give the program another meaning than it has here.
    """

    words: tuple[str, ...]
    bits: int
    no_assertions: bool
    fault: UnsupportedError | None = None


def shown(path: str) -> str:
    """*path* as the user sees it: relative if it is in the current folder."""
    here = str(Path.cwd())
    return os.path.relpath(path, here) if path.startswith(f"{here.rstrip('/')}/") else path


def flags(entry: CompileCommand) -> Flags:
    """The flags of *entry*, with paths that do not depend on its directory."""
    compiler = next((name for word in entry.words if not (name := Path(word).name).endswith("cache")), "")
    machine = _CROSS.match(compiler)
    fault = ""
    if machine and not _SAME.match(machine["machine"]):
        fault = f"programs for other machines, from the compiler `{compiler}`, are not supported"
    kept: list[str] = []
    bits, defined = 64, False
    for name, value in options(entry.words[1:]):
        if other := next((each for each in _OTHER_MEANING if name.startswith(each)), None):
            fault = fault or f"programs that are compiled with {other} are not supported"
        elif name in ("-m32", "-m64"):
            bits = int(name[2:])
        elif name in _WITH_PATH:
            kept += [name, _path(name, value, entry.directory)]
        elif name in _WITH_VALUE:
            kept.append(f"{name}{value}")
            if value.partition("=")[0] == "NDEBUG":
                defined = name == "-D"
        elif _OLD.match(name):
            kept.append("-std=gnu90")  # our headers have comments of today
        elif name.startswith("-std=") or name == "-pthread":
            kept.append(name)
    return Flags(tuple(kept), bits, defined, UnsupportedError(fault, entry.origin) if fault else None)


def options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options in *words*, those of the preprocessor with their values."""
    rest = iter(words)
    for word in rest:
        if word in _WITH_PATH or word in _WITH_VALUE:
            yield word, next(rest, "")
        elif word in ("-Xpreprocessor", "-Xclang"):
            yield from options([next(rest, "")])
        elif word in _TAKING:
            next(rest, None)
        elif word.startswith("-Wp,"):
            yield from options(word.split(",")[1:])
        else:
            joined = next((name for name in (*_WITH_PATH, *_WITH_VALUE) if word.startswith(name)), None)
            yield (joined, word.removeprefix(joined)) if joined is not None else (word, "")


def _path(name: str, value: str, directory: str) -> str:
    """The path in an option, which the compiler finds from *directory*."""
    path = os.path.normpath(Path(directory, value))
    if name in ("-include", "-imacros") and not Path(path).exists():
        return value  # it is looked for where other headers are
    return shown(path)
