"""Whether a program has been linked with the runtime."""

import struct

from cseq.modules.compiled.cc.elf import section

_NOTE = ".note.cseq"


def layout_of(path: str) -> int | None:
    """The layout of the file that the runtime in the program *path* shares with its client; None without a runtime.

    Raises OSError if the program cannot be read.
    """
    note = section(path, _NOTE)
    return int(struct.unpack_from("<I", note, 20)[0]) if note is not None and len(note) >= 24 else None
