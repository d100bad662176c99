"""Memory as bytes: what the interpreter's states consist of, beside threads.

Every object has an address, which follows from what it is and whose it is, so equal states are equal however they came
about. A block is a tuple of bytes, each of which is a number, or None while it is undefined.
"""

from __future__ import annotations

import struct

from cseq.modules.ir.expressions import wrapped
from cseq.modules.ir.types import Array, Float, Int, Pointer, Record, Type

Bytes = tuple[int | None, ...]
Value = int | float | Bytes
"""A scalar, or the bytes of a record."""

_FORMATS = {4: "<f", 8: "<d"}


class UndefinedBehaviourError(Exception):
    """What C leaves undefined, and no property that is interpreted here asks about."""


class OpenError(Exception):
    """The value of the object of *type* at *address* is needed, and is undefined."""

    def __init__(self, address: int, type_: Type) -> None:
        super().__init__(address)
        self.address = address
        self.type = type_


class Memory:
    """The blocks by number. shift: how many bits of an address are the offset in its block."""

    def __init__(self, blocks: dict[int, Bytes], shift: int) -> None:
        self.blocks = blocks
        self.shift = shift

    def copy(self) -> Memory:
        """The same contents, for a step that may change them."""
        return Memory(dict(self.blocks), self.shift)

    def address(self, number: int) -> int:
        """The address of the block *number*."""
        return number << self.shift

    def block(self, address: int) -> Bytes:
        """The contents of the block to which *address* belongs."""
        return self._block(address, 0)[2]

    def _block(self, address: int, size: int) -> tuple[int, int, Bytes]:
        number, offset = address >> self.shift, address & ((1 << self.shift) - 1)
        block = self.blocks.get(number)
        if block is None or offset + size > len(block):
            raise UndefinedBehaviourError(f"an access to {size} bytes at {address:#x}")
        return number, offset, block

    def bytes(self, address: int, size: int) -> Bytes:
        """The bytes from *address* on."""
        _, offset, block = self._block(address, size)
        return block[offset : offset + size]

    def store_bytes(self, address: int, data: Bytes) -> None:
        """Write bytes."""
        number, offset, block = self._block(address, len(data))
        self.blocks[number] = (*block[:offset], *data, *block[offset + len(data) :])

    def load(self, address: int, type_: Type, bits: tuple[int, int] | None = None) -> Value:
        """The value of the object of *type_* at *address*. Raises OpenError for a scalar that is undefined."""
        size = type_.size if bits is None else (bits[0] + bits[1] + 7) // 8
        data = self.bytes(address, size)
        if isinstance(type_, (Record, Array)):
            return data
        if None in data:
            raise OpenError(address, type_)
        raw = bytes(data)  # type: ignore[arg-type]
        if isinstance(type_, Float):
            return float(struct.unpack(_FORMATS[min(size, 8)], raw[:8])[0])
        number = int.from_bytes(raw, "little")
        if bits is not None:
            return _field(number >> bits[0], bits[1], type_)
        return wrapped(number, type_)

    def store(self, address: int, type_: Type, value: Value, bits: tuple[int, int] | None = None) -> None:
        """Write *value*, which is one of *type_*."""
        if isinstance(value, tuple):
            self.store_bytes(address, value)
        elif isinstance(type_, Float):
            data = struct.pack(_FORMATS[min(type_.size, 8)], value)
            self.store_bytes(address, tuple(data.ljust(type_.size, b"\0")))
        elif bits is None:
            number = int(value) & ((1 << 8 * type_.size) - 1)
            self.store_bytes(address, tuple(number.to_bytes(type_.size, "little")))
        else:
            self._store_field(address, int(value), bits)

    def _store_field(self, address: int, value: int, bits: tuple[int, int]) -> None:
        first, width = bits
        size = (first + width + 7) // 8
        old = bytes(byte or 0 for byte in self.bytes(address, size))
        mask = ((1 << width) - 1) << first
        number = (int.from_bytes(old, "little") & ~mask) | (value << first & mask)
        self.store_bytes(address, tuple(number.to_bytes(size, "little")))


def _field(number: int, width: int, type_: Type) -> int:
    number &= (1 << width) - 1
    signed = isinstance(type_, Int) and type_.signed
    return number - (1 << width) if signed and number >> (width - 1) else number


def converted(value: Value, to: Type) -> Value:
    """*value* converted to *to* (C11 §6.3)."""
    if isinstance(value, tuple):
        return value
    if isinstance(to, Float):
        return struct.unpack("<f", struct.pack("<f", value))[0] if to.size == 4 else float(value)
    if isinstance(to, (Int, Pointer)):
        if isinstance(to, Int) and to.is_bool:
            return int(value != 0)
        return wrapped(int(value), to)
    return value
