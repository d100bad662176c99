"""The engine `native` linked with the C library in advance, so that only the step program is left to be linked."""

from pathlib import Path

from cseq.c.preprocess import compiler
from cseq.model.errors import BackendError
from cseq.modules.explicit.engine import build, kept
from cseq.process.run import run

_BEFORE = ("crt1.o", "crti.o", "crtbeginT.o")
_LIBRARIES = ("libc.a", "libgcc.a", "libgcc_eh.a")
_AFTER = ("crtend.o", "crtn.o")
"""What a static executable consists of, besides the program."""


def whole(engine: Path, folder: Path) -> Path | None:
    """The object file *engine*, with the start of a process and the part of the C library that it needs.

    None where the system has no static C library. folder: for auxiliary files. It is made once per machine; an empty
    file stands for the attempt that failed.
    """

    def make(target: Path) -> None:
        try:
            before, libraries, after = ([_found(name) for name in names] for names in (_BEFORE, _LIBRARIES, _AFTER))
            group = ["-Wl,--start-group", *libraries, "-Wl,--end-group"]
            command = [compiler(), "-r", "-nostdlib", *before, str(engine), *group, *after, "-o", str(target)]
            build(command, "the engine `native`")
        except BackendError:
            target.write_bytes(b"")

    made = kept("native", ".whole.o", [compiler(), *_BEFORE, *_LIBRARIES, *_AFTER], [engine], folder, make)
    return made if made.stat().st_size > 0 else None


def _found(name: str) -> str:
    """The path of a file of the C compiler's. Raises BackendError where there is none."""
    path = run([compiler(), f"-print-file-name={name}"]).stdout.strip()
    if not Path(path).is_absolute():
        raise BackendError(f"there is no {name}")
    return path
