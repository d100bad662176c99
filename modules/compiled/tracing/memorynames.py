"""The names of memory: of variables and their parts, of blocks of the heap, of objects in stacks."""

import re
import struct
import subprocess
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cseq.model.actions import ObjectKind
from cseq.model.origin import Origin
from cseq.modules.compiled.client.recorded import Block, Module, RecordedRun
from cseq.modules.compiled.tracing.debugtypes import DebugTypes, Form, Member, Type
from cseq.modules.compiled.tracing.symbolizer import Symbolizer

_ALLOCATED = re.compile(
    r"\bnew\s+(?:\([^)]*\)\s*)?([A-Za-z_][\w:]*)|sizeof\s*\(?\s*(?:struct\s+)?([A-Za-z_][\w:]*)\s*\)"
    r"|\bmake_(?:unique|shared)(?:_for_overwrite)?\s*<\s*([A-Za-z_][\w:]*)\s*[>\[]"
)
"""The type in an expression that allocates memory."""

_CONTROL = 16
"""The bytes before the object in a block of `std::make_shared`."""

_FLOATS = {4: "<f", 8: "<d"}
_FILES = {"_IO_2_1_stdout_": "stdout", "_IO_2_1_stderr_": "stderr", "_IO_2_1_stdin_": "stdin"}
_GUARD = "guard variable for "


@dataclass(frozen=True)
class NamedMemory:
    """A piece of memory. type: of the smallest part that contains it, None where that is not known.

    private: it is in the stack of a thread.
    """

    name: str
    type: Type | None = None
    private: bool = False


class MemoryNames:
    """The names of addresses in one run.

    place: the user's place of a node of the call stacks. line: the text of the source at a place.
    """

    def __init__(
        self,
        recorded: RecordedRun,
        symbolizer: Symbolizer,
        place: Callable[[int], Origin | None],
        line: Callable[[Origin], str],
    ) -> None:
        self._recorded = recorded
        self._symbolizer = symbolizer
        self._place = place
        self._line = line
        self._named: dict[tuple[int, int], NamedMemory] = {}
        self._given: dict[int, str] = {}  # what the program calls an object for which there is no other name
        self._blocks: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._order = sorted(recorded.blocks, key=lambda block: block.address)
        self._starts = [block.address for block in self._order]
        self._symbols: dict[str, list[tuple[int, int, str]]] = {}

    def name(self, address: int, size: int = 0) -> NamedMemory:
        """What *size* bytes at *address* are; 0 where the size does not matter, as for an object of the library."""
        key = (address, size)
        if key not in self._named:
            self._named[key] = self._found(address, size)
        return self._named[key]

    def object_name(self, kind: ObjectKind, address: int, expression: str = "") -> str:
        """The name of an object of the thread library. expression: what it is called at a place that uses it."""
        named = self.name(address)
        if named.name and not named.private and "+" not in named.name and "#" not in named.name:
            return named.name
        if expression and address not in self._given:
            used = [given for given in self._given.values() if given.split(" (", 1)[0] == expression]
            self._given[address] = f"{expression} ({len(used) + 1})" if used else expression
        return self._given.get(address) or named.name or f"{kind.value} at {address:#x}"

    def block_at(self, address: int) -> Block | None:
        """The block of the heap that contains *address*, or ends there; the one that lives, or else was freed last."""
        at = bisect_right(self._starts, address)
        found = None
        while at > 0 and (found is None or self._starts[at - 1] == found.address):
            at -= 1
            block = self._order[at]
            if address >= block.address + max(block.size, 1):
                break
            if found is None or block.freed == 0:
                found = block
        return found

    def block_name(self, address: int) -> str:
        """The name of the block that begins at *address*: ``Node#2``, or ``block#2``."""
        if address not in self._blocks:
            block = self.block_at(address)
            found = self._block_type(block) if block is not None else None
            noun = found[0].name.rpartition("::")[2] if found is not None else "block"
            self._numbers[noun] = self._numbers.get(noun, 0) + 1
            self._blocks[address] = f"{noun}#{self._numbers[noun]}"
        return self._blocks[address]

    def value(self, number: int, size: int, type_: Type | None) -> str:
        """A value as C text. number: its bytes, as an unsigned number."""
        bits = 8 * (size or 8)
        number &= (1 << bits) - 1
        signed = number - (1 << bits) if number >> (bits - 1) else number
        leaf = _scalar(type_, size)
        match leaf.form if leaf is not None else Form.OTHER:
            case Form.BOOLEAN:
                return {0: "false", 1: "true"}.get(number, str(number))
            case Form.UNSIGNED:
                return str(number)
            case Form.SIGNED:
                return str(signed)
            case Form.FLOAT if size in _FLOATS:
                return f"{struct.unpack(_FLOATS[size], number.to_bytes(size, 'little'))[0]:g}"
            case Form.ENUMERATION if leaf is not None:
                return leaf.values.get(number) or leaf.values.get(signed) or str(signed)
            case Form.POINTER:
                return self._pointer(number)
        return str(signed) if abs(signed) < 1 << 31 else f"{number:#x}"

    def _pointer(self, number: int) -> str:
        if number == 0:
            return "nullptr"
        block = self.block_at(number)
        if block is not None and block.address == number:
            return f"&{self.block_name(number)}"
        module = self._symbolizer.module_of(number)
        if module is not None and (named := self.name(number).name) and "+" not in named:
            return f"&{named}"
        return f"{number:#x}"

    # What is at an address

    def _found(self, address: int, size: int) -> NamedMemory:
        module = self._symbolizer.module_of(address)
        if module is not None:
            variable = self._debug(module).variable_at(address - module.base)
            if variable is not None:
                name, type_ = _part(variable.name, variable.type, address - module.base - variable.address, size)
                return NamedMemory(name, type_)
            return NamedMemory(_shown_symbol(self._symbol(address)))
        block = self.block_at(address)
        if block is not None:
            return self._in_block(block, address, size)
        for thread in self._recorded.threads:
            if thread.stack_low <= address < thread.stack_high:
                return NamedMemory(f"local+{thread.stack_high - address:#x}", private=True)
        return NamedMemory("")

    def _in_block(self, block: Block, address: int, size: int) -> NamedMemory:
        name, offset = self.block_name(block.address), address - block.address
        found = self._block_type(block)
        if found is not None:
            type_, start = found
            inside = offset - start
            if type_.size and 0 <= inside < block.size - start:
                if type_.size < block.size - start:
                    name, inside = f"{name}[{inside // type_.size}]", inside % type_.size
                part, leaf = _part(name, type_, inside, size)
                return NamedMemory(part, leaf)
        return NamedMemory(f"{name}+{offset}" if offset else name)

    def _block_type(self, block: Block) -> tuple[Type, int] | None:
        """The type of what is in a block, from the expression that allocated it, and its offset."""
        origin = self._place(block.allocated)
        if origin is None:
            return None
        text = self._line(origin)
        for found in _ALLOCATED.finditer(text):
            name = next(filter(None, found.groups()))
            for module in self._symbolizer.instrumented:
                type_ = self._debug(module).record_named(name)
                if type_ is None or type_.size == 0:
                    continue
                if block.size % type_.size == 0:
                    return type_, 0
                if found[3] and type_.size <= block.size - _CONTROL < 2 * type_.size:
                    return type_, _CONTROL
        return None

    def _debug(self, module: Module) -> DebugTypes:
        if module.path not in self._symbolizer.types:
            ours = module in self._symbolizer.instrumented
            self._symbolizer.types[module.path] = DebugTypes(module.path if ours else "")
        return self._symbolizer.types[module.path]

    # Symbols

    def _symbol(self, address: int) -> str:
        module = self._symbolizer.module_of(address)
        if module is None:
            return ""
        if module.path not in self._symbols:
            self._symbols[module.path] = _symbols(module.path)
        wanted = address - module.base
        for start, size, name in self._symbols[module.path]:
            if wanted == start or start <= wanted < start + size:
                return _demangled(name)
        return ""


def _shown_symbol(name: str) -> str:
    """The name of a variable; that of a guard is the variable that it guards."""
    return _FILES.get(name, name.removeprefix(_GUARD))


def _symbols(path: str) -> list[tuple[int, int, str]]:
    """The symbols of an object file: address, size and mangled name."""
    try:
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile
    except ImportError:
        return []
    found: list[tuple[int, int, str]] = []
    try:
        with Path(path).open("rb") as stream:
            file: Any = ELFFile(stream)
            for section in (file.get_section_by_name(name) for name in (".symtab", ".dynsym")):
                if section is not None and not found:
                    found = [
                        (symbol["st_value"], symbol["st_size"], symbol.name)
                        for symbol in section.iter_symbols()
                        if symbol["st_shndx"] != "SHN_UNDEF" and symbol.name
                        and symbol["st_info"]["type"] in ("STT_OBJECT", "STT_FUNC")
                    ]  # fmt: skip
    except (OSError, ELFError):
        return []
    return found


def _demangled(name: str) -> str:
    return demangled([name])[0]


def demangled(names: Sequence[str]) -> list[str]:
    """The names of C++ as people write them; as they are where there is no tool for that."""
    wanted = [name for name in names if name.startswith("_Z")]
    if not wanted:
        return list(names)
    try:
        done = subprocess.run(["c++filt", *wanted], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return list(names)
    known = dict(zip(wanted, done.stdout.splitlines(), strict=False))
    return [known.get(name, name) for name in names]


# Parts of objects


def _part(name: str, type_: Type, offset: int, size: int) -> tuple[str, Type]:
    """The smallest part of an object that has *size* bytes at *offset*, as far as it has a name for users.

    size: 0 for the outermost object of the library there, or else the innermost object of any kind.
    """
    while True:
        holds_elements = [member.name for member in type_.members] == ["_M_elems"]  # of std::array
        if size == 0 and type_.is_library and type_.form is Form.RECORD and not holds_elements:
            return name, type_
        if type_.form is Form.ARRAY and type_.element is not None and type_.element.size:
            element = type_.element
            if offset % element.size + size > element.size or (size == 0 and offset >= type_.size):
                return name, type_
            name, type_, offset = f"{name}[{offset // element.size}]", element, offset % element.size
            continue
        member = _member_at(type_, offset, size)
        if member is None:
            return name, type_
        name, type_, offset = _joined(name, type_, member), member.type, offset - member.offset


def _member_at(type_: Type, offset: int, size: int) -> Member | None:
    ends = [member.offset for member in type_.members[1:]] + [type_.size]
    for member, following in zip(type_.members, ends, strict=False):
        # Clang leaves types out that are defined elsewhere: such a member goes on to the next one.
        end = member.offset + member.type.size if member.type.size else following
        if member.offset <= offset and offset + max(size, 1) <= end:
            return member
    return None


def _joined(name: str, type_: Type, member: Member) -> str:
    """The name of a member. Of what is in the C++ library, only names that say something are shown."""
    if not member.name:
        return name
    inner = member.name.startswith("_")
    if type_.is_library and inner and (member.type.members or "atomic" in type_.name or member.type.form is Form.ARRAY):
        return name
    if type_.is_library and inner and type_.name.startswith("std::atomic"):
        return name
    if type_.is_library and member.name in ("_M_i", "_M_b", "_M_p", "_M_base"):
        return name
    return f"{name}.{member.name}"


def _scalar(type_: Type | None, size: int) -> Type | None:
    """The scalar of *size* bytes that a type consists of, such as the value of a `std::atomic`."""
    while type_ is not None and type_.form in (Form.RECORD, Form.ARRAY):
        if type_.form is Form.ARRAY:
            type_ = type_.element
        else:
            type_ = next((member.type for member in type_.members if member.type.size == size), None)
    return type_
