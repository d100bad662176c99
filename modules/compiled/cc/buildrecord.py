"""With which compilers and options a program was compiled, as the compilers noted it in the program."""

import re
from dataclasses import dataclass
from pathlib import Path

from cseq.modules.compiled.cc.commandline import grouped, split
from cseq.modules.compiled.cc.elf import section
from cseq.modules.compiled.cc.hooking import CALLED, RECORD

_GNU = re.compile(r"GNU (C|C\+\+)\d* (\S+) (.*)")
_CLANG = re.compile(rb"clang version (\d+(?:\.\d+)*)")
_SHOWN = ("-O", "-std=", "-f", "-march=", "-D")
_OWN = frozenset({
    "-frecord-gcc-switches", "-frecord-command-line", "-fsanitize=thread", *(f"-fno-builtin-{name}" for name in CALLED),
})  # fmt: skip
_USUAL = frozenset({"-fasynchronous-unwind-tables", "-march=x86-64", "-fPIC", "-fPIE", "-fpic", "-fpie"})


@dataclass(frozen=True)
class Build:
    """How some of a program's files were compiled.

    compiler: ``gcc``, ``g++``, ``clang`` or ``clang++``. version: as in 12.2.0. options: those that the user gave and
    that change the code; the level of optimisation is always there.
    """

    compiler: str
    version: str
    options: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join([self.compiler, self.version, *self.options])


def builds(program: Path) -> list[Build]:
    """How the files of a program or a shared library were compiled with hooks; each way once.

    Empty if none was. Raises OSError if the file cannot be read.
    """
    notes = section(program, RECORD) or b""
    comment = section(program, ".comment") or b""
    found = _CLANG.search(comment)
    clang = found.group(1).decode() if found else ""
    result: dict[Build, None] = {}
    for note in notes.decode("utf-8", errors="replace").split("\0"):
        if "fsanitize=thread" in note:
            result[_build(note, clang)] = None
    return list(result)


def _build(note: str, clang: str) -> Build:
    if match := _GNU.fullmatch(note):
        compiler, version = "g++" if match.group(1) == "C++" else "gcc", match.group(2)
        words = split(match.group(3))
    else:
        path, *words = split(note)
        compiler, version = Path(path).name, clang
        cxx = any(Path(word).suffix in (".cc", ".cpp", ".cxx", ".C", ".c++") for word in words)
        if compiler.startswith("clang"):
            compiler = "clang++" if cxx or "--driver-mode=g++" in words else "clang"
    options = ["".join(option) for option in grouped(words) if len(option) == 1 or option[0] == "-D"]
    shown = [word for word in options if word.startswith(_SHOWN) and word not in _OWN and word not in _USUAL]
    if not any(word.startswith("-O") for word in shown):
        shown.insert(0, "-O0")
    return Build(compiler, version, tuple(shown))
