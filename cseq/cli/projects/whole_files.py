"""Files that are written whole or not at all."""

import contextlib
import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write *data* to *path*, in place of what is there. Raises OSError.

    mode: the permissions of the file; without it, only the user may read it. A link stays, and leads to the new file.
    """
    target = path.resolve()
    number, made = tempfile.mkstemp(dir=target.parent, prefix=".cseq-new-")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        if mode is not None:
            Path(made).chmod(mode)
        Path(made).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(made).unlink()
        raise
