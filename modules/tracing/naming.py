"""The names that the user's program has for addresses seen in a replay."""

from __future__ import annotations

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

    def add(self, name: str, type_: c_ast.Node, address: int) -> None:
        """Register an object. One of unknown size is left out."""
        try:
            size = self._layout.sizeof(type_)
        except CSeqError:
            return
        self._known.append((address, address + size, name, type_))

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
        for start, end, name, type_ in self._known:
            if start <= address < end:
                return self._part(name, type_, address - start, size)
        return None

    def _part(self, name: str, type_: c_ast.Node, offset: int, size: int) -> str:
        if self._symbols.is_array(type_):
            element = self._symbols.element(type_)
            width = self._layout.sizeof(element)
            if width and offset % width + size <= width:
                return self._part(f"{name}[{offset // width}]", element, offset % width, size)
            return name
        for field in self._layout.fields(type_):
            start = field.start // 8
            member: Any = field.member.name
            if field.width is not None or (member or "").startswith("__cs"):
                continue  # bit-fields share their memory; our own members have no name
            if start <= offset and offset + size <= start + self._layout.sizeof(field.type):
                return self._part(f"{name}.{member}" if member else name, field.type, offset - start, size)
        return name
