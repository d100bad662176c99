"""The names that the user's program has for addresses seen in a replay."""

from typing import Any

from pycparser import c_ast

from cseq.c.layout import Layout
from cseq.c.symbols import Symbols
from cseq.model.errors import CSeqError


class Objects:
    """The user's named objects and where they were in memory."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._layout = Layout(symbols)
        self._known: list[tuple[int, int, str, c_ast.Node]] = []  # start and end address (exclusive)
        self._pointers: dict[int, int] = {}  # where pointers are that other threads can reach, and their values

    def add(self, name: str, type_: c_ast.Node, address: int) -> None:
        """Register an object. One of unknown size is left out."""
        try:
            size = self._layout.sizeof(type_)
        except CSeqError:
            return
        self._known.append((address, address + size, name, type_))

    def store(self, address: int, value: int) -> None:
        """Register that *value* is stored to the pointer at *address*. The last stores come first in names."""
        self._pointers.pop(address, None)
        self._pointers[address] = value

    def size_of(self, type_name: str) -> int:
        """The size of a named type; 1 where the program does not know it."""
        try:
            return self._layout.sizeof(c_ast.TypeDecl(None, [], None, c_ast.IdentifierType([type_name])))
        except (CSeqError, KeyError):
            return 1

    def name_of(self, address: int, size: int = 1) -> str | None:
        """The object, or part of one, that contains *size* bytes at *address*, such as ``forks[1].lock``.

        It is the smallest part that holds that many bytes. None where the memory belongs to no named object.
        """
        found = self._named(address, size)
        return found[0] if found is not None else None

    def path_to(self, address: int, size: int = 1) -> str | None:
        """The same; for a block, as a pointer in a named object leads to it, such as ``first->lock``."""
        name = self.name_of(address, size)
        if name is not None:
            return name
        for place, value in reversed(self._pointers.items()):
            pointer = self._named(place, 1) if value <= address else None
            if pointer is None or not self._symbols.is_pointer(pointer[1]):
                continue
            target = self._symbols.element(pointer[1])
            try:
                is_in = address + size <= value + self._layout.sizeof(target)
            except CSeqError:
                continue
            if is_in:
                whole = f"*{pointer[0]}"
                part = self._part(whole, target, address - value, size)[0]
                return f"{pointer[0]}->{part[len(whole) + 1 :]}" if part.startswith(f"{whole}.") else part
        return None

    def _named(self, address: int, size: int) -> tuple[str, c_ast.Node] | None:
        for start, end, name, type_ in self._known:
            if start <= address < end:
                return self._part(name, type_, address - start, size)
        return None

    def _part(self, name: str, type_: c_ast.Node, offset: int, size: int) -> tuple[str, c_ast.Node]:
        """The name and the type of a part of an object."""
        if self._symbols.is_array(type_):
            element = self._symbols.element(type_)
            width = self._layout.sizeof(element)
            if width and offset % width + size <= width:
                return self._part(f"{name}[{offset // width}]", element, offset % width, size)
            return name, type_
        for field in self._layout.fields(type_):
            start = field.start // 8
            member: Any = field.member.name
            if field.width is not None or (member or "").startswith("__cs"):
                continue  # bit-fields share their memory; our own members have no name
            if start <= offset and offset + size <= start + self._layout.sizeof(field.type):
                return self._part(f"{name}.{member}" if member else name, field.type, offset - start, size)
        return name, type_
