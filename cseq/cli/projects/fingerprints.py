"""What answers depend on besides the program: the contents of files, CSeq itself, and the engines on this machine."""

import hashlib
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from cseq.backends.base import engines_folder

_PROGRAMS = ("cc", "gcc", "clang", "as", "ld", "nm", "objcopy", "cbmc", "goto-cc", "goto-instrument", "esbmc", "klee",
             "cadical", "minisat", "kissat", "z3", "bitwuzla", "cvc5", "spin", "java")  # fmt: skip
"""The programs that take part in answers."""

_VARIABLES = frozenset({"CC", "CPATH", "C_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "CLASSPATH", "JAVA_HOME"})
"""The variables that say where programs and headers are."""

ENGINES = frozenset({"auto", "native", "spin", "cbmc", "esbmc", "klee", "horn", "tlc"})
"""The engines whose programs are known here."""

_OURS = Path(__file__).resolve().parents[2]
"""The folder of CSeq."""


class Contents:
    """The contents of files, each read once."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}
        self._marked: dict[str, bytes] = {}

    def digest(self, path: str) -> str:
        """The hash of the file *path*; empty if it cannot be read."""
        if path not in self._digests:
            try:
                data = Path(path).read_bytes()
            except OSError:
                self._digests[path] = ""
            else:
                self._digests[path] = hashlib.sha256(data).hexdigest()
                if b"cseq:" in data:
                    self._marked[path] = data
        return self._digests[path]

    def marked(self, path: str) -> bytes:
        """What is in the file *path* if it may have comments for us; else nothing."""
        self.digest(path)
        return self._marked.get(path, b"")


def machine() -> str:
    """A hash of CSeq, of the engines, and of what of the environment says where they are; no program is started."""
    facts = [sys.version, str(Path.cwd())]
    facts += [f"{name}={value}" for name, value in sorted(os.environ.items())
              if name in _VARIABLES or name.startswith("CSEQ_")]  # fmt: skip
    facts += _below(_OURS)
    here = str(Path(sys.executable).parent)
    for name in (os.environ.get("CC", ""), *_PROGRAMS):
        found = [shutil.which(name), shutil.which(name, path=here)] if name else []
        facts += [_state(Path(path).resolve()) for path in found if path is not None]
    named = [value for name, value in os.environ.items() if name.startswith("CSEQ_") and Path(value).is_file()]
    facts += [_state(Path(value)) for value in named]
    folder = engines_folder()
    facts += [_state(path) for pattern in ("*/*", "*/bin/*") for path in sorted(folder.glob(pattern)) if path.is_file()]
    facts.append(_state(Path(sysconfig.get_paths()["purelib"])))
    return hashlib.sha256("\n".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


def _state(path: Path) -> str:
    """The size of a file and when it was changed."""
    try:
        found = path.stat()
    except OSError:
        return f"{path} -"
    return f"{path} {found.st_size} {found.st_mtime_ns}"


def _below(folder: Path) -> Iterator[str]:
    """The states of the files in *folder* and below, and where links lead to."""
    for place, inside, names in os.walk(folder, followlinks=True):
        inside[:] = sorted(name for name in inside if name != "__pycache__")
        for name in sorted(names):
            found = os.stat(f"{place}/{name}")  # noqa: PTH116
            yield f"{place}/{name} {found.st_size} {found.st_mtime_ns}"
