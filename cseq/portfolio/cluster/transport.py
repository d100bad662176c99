"""Values as bytes that mean the same on each machine, wherever CSeq is installed there."""

import io
import pickle
import zlib
from pathlib import Path, PurePath
from typing import Any

from cseq.backends import declared
from cseq.pthread_stubs import FOLDER as STUBS

_ROOTS = {"stubs": str(STUBS), "backends": str(Path(declared.__file__).resolve().parent)}
"""Our folders that have places in programs: what we add to a program comes from there."""

_LEVEL = 1
"""Of the compression: trees shrink to a fifth, and higher levels save little more."""


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> tuple[str, str, bool] | None:
        """For a path in one of our folders: the folder, the rest of the path, and whether it is a text."""
        if type(value) is str:
            text = value
        elif isinstance(value, PurePath):
            text = str(value)
        else:
            return None
        for name, root in _ROOTS.items():
            if text.startswith(root) and text[len(root) : len(root) + 1] in ("", "/"):
                return name, text[len(root) :], type(value) is str
        return None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: tuple[str, str, bool]) -> str | Path:
        name, rest, is_text = pid
        text = _ROOTS[name] + rest
        return text if is_text else Path(text)


def pack(value: object) -> bytes:
    """*value* as bytes. Raises what pickling it raises."""
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return zlib.compress(buffer.getvalue(), _LEVEL)


def unpack(data: bytes) -> Any:
    """The value that `pack` made *data* of."""
    return _Unpickler(io.BytesIO(zlib.decompress(data))).load()
