"""Reads sections of object files, programs and libraries in the format ELF for 64 bits."""

import os
import struct

_FUNCTIONS = frozenset({2, 10})  # STT_FUNC, STT_GNU_IFUNC


def section(path: str | os.PathLike[str], name: str) -> bytes | None:
    """The contents of the section *name*; None if there is none, or if *path* is no such file. Raises OSError."""
    with open(path, "rb") as file:  # noqa: PTH123  # imported for each program that is linked
        header = file.read(64)
        if len(header) < 64 or header[:6] not in (b"\x7fELF\x02\x01", b"\x7fELF\x02\x02"):
            return None
        order = "<" if header[5] == 1 else ">"
        (offset,) = struct.unpack_from(order + "Q", header, 40)
        size, number, names = struct.unpack_from(order + "HHH", header, 58)
        file.seek(offset)
        table = file.read(size * number)
        if size < 64 or len(table) < size * number or names >= number:
            return None
        places = [struct.unpack_from(order + "I20xQQ", table, size * index) for index in range(number)]
        _, start, length = places[names]
        file.seek(start)
        strings = file.read(length)
        for place, start, length in places:
            end = strings.find(b"\0", place)
            if strings[place:end] == name.encode():
                file.seek(start)
                return file.read(length)
    return None


def defines_function(path: str | os.PathLike[str], name: str) -> bool:
    """Whether the object file *path* defines a function called *name* that other files can call. Raises OSError."""
    symbols, names = section(path, ".symtab") or b"", section(path, ".strtab") or b""
    for place, info, where in struct.iter_unpack("<IBxH16x", symbols):
        found = names[place : names.find(b"\0", place)]
        if found == name.encode() and info & 15 in _FUNCTIONS and info >> 4 and where:
            return True
    return False
