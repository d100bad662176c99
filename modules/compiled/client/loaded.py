"""The object files that a process has in memory."""

from __future__ import annotations

import struct
from pathlib import Path

from cseq.modules.compiled.client.recorded import Module

_HEADER = struct.Struct("<4sBB10xHHIQQQIHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_LOADED = 1
_PAGE = 4096


def modules_of(process: int) -> tuple[Module, ...]:
    """The object files with executable mappings in the process with this number, as /proc describes them."""
    begins: dict[str, tuple[int, int]] = {}
    ends: dict[str, int] = {}
    executable: set[str] = set()
    for line in Path(f"/proc/{process}/maps").read_text(errors="surrogateescape").splitlines():
        addresses, permissions, offset, _, inode, *name = line.split(None, 5)
        if inode == "0" or not name:
            continue
        low, high = (int(number, 16) for number in addresses.split("-"))
        path = name[0].removesuffix(" (deleted)")
        begins.setdefault(path, (low, int(offset, 16)))
        ends[path] = max(high, ends.get(path, 0))
        if "x" in permissions:
            executable.add(path)
    return tuple(
        _module(Path(path), low, offset, ends[path]) for path, (low, offset) in begins.items() if path in executable
    )


def _module(path: Path, low: int, offset: int, end: int) -> Module:
    """The file at *path*, whose page at *offset* is at the address *low*. end: of what is mapped from the file itself.

    Variables without an initial value come after that.
    """
    segments = _segments(path)
    if not segments:
        return Module(str(path), low - offset, end)  # it has been removed: as position-independent files are laid out
    starts = [address // _PAGE * _PAGE for position, address, _ in segments if position // _PAGE * _PAGE == offset]
    base = low - (starts[0] if starts else offset)
    return Module(str(path), base, max(end, base + max(address + size for _, address, size in segments)))


def _segments(path: Path) -> list[tuple[int, int, int]]:
    """The parts of an object file that are loaded: their offsets, addresses and sizes in memory."""
    try:
        with path.open("rb") as file:
            magic, wide, *_, start, _, _, _, size, count = _HEADER.unpack(file.read(_HEADER.size))
            file.seek(start)
            found = file.read(size * count)
    except (OSError, struct.error):
        return []
    if magic != b"\x7fELF" or wide != 2 or size != _SEGMENT.size:
        return []
    parts = _SEGMENT.iter_unpack(found)
    return [(position, address, memory) for kind, _, position, address, _, _, memory, _ in parts if kind == _LOADED]
