"""The variables of an object file and their types, from its debug information (DWARF)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any

_MOST_BYTES = 24 << 20
"""Of debug information: it is read at some 2 MB per second."""

_OUR_RUNTIME = "/backends/compiled/runtime/"

_ADDRESS = 3  # DW_OP_addr
_ADDRESS_BY_NUMBER = 0xA1  # DW_OP_addrx, by Clang
_TRANSPARENT = frozenset({"DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_typedef", "DW_TAG_atomic_type"})
_RECORDS = frozenset({"DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"})
_POINTERS = frozenset({
    "DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type", "DW_TAG_ptr_to_member_type",
})  # fmt: skip
_SCOPES = frozenset({"DW_TAG_namespace", "DW_TAG_subprogram", "DW_TAG_lexical_block", *_RECORDS})


class Form(Enum):
    """What values of a type look like."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    FLOAT = "float"
    BOOLEAN = "boolean"
    POINTER = "pointer"
    ENUMERATION = "enumeration"
    RECORD = "record"
    ARRAY = "array"
    OTHER = "other"


_FORMS = {1: Form.UNSIGNED, 2: Form.BOOLEAN, 4: Form.FLOAT, 5: Form.SIGNED, 6: Form.SIGNED, 7: Form.UNSIGNED,
          8: Form.UNSIGNED, 16: Form.UNSIGNED}  # fmt: skip
"""By DW_ATE_…."""


@dataclass
class Type:
    """A type. name: as the program calls it, with its namespace. size: in bytes, 0 where it is not known.

    element, count: of an array. members: of a record, in order. is_library: the C++ library or the C library has it.
    values: of an enumeration, the names by number.
    """

    form: Form
    name: str = ""
    size: int = 0
    element: Type | None = None
    count: int = 0
    members: list[Member] = field(default_factory=list)
    is_library: bool = False
    values: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Member:
    """A member of a record, or a base class, whose name is empty."""

    name: str
    offset: int
    type: Type


@dataclass(frozen=True)
class Variable:
    """A variable with a fixed address, in the addresses of the file."""

    name: str
    address: int
    type: Type


class DebugTypes:
    """What the debug information of the object file at *path* says of variables and types; nothing if there is none."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._types: dict[int, Type] = {}

    def variable_at(self, address: int) -> Variable | None:
        """The variable that contains *address*, an address of the file."""
        for variable in self._variables:
            if variable.address <= address < variable.address + max(variable.type.size, 1):
                return variable
        return None

    def record_named(self, name: str) -> Type | None:
        """The class or struct of the user's with this name, with or without its namespaces."""
        found = self._records.get(name)
        return self._type(found) if found is not None else None

    @cached_property
    def _units(self) -> list[Any]:
        try:
            from elftools.common.exceptions import ELFError
            from elftools.elf.elffile import ELFFile
        except ImportError:  # the names are those of symbols then
            return []
        with suppress(OSError, ELFError):
            file = ELFFile(Path(self._path).open("rb"))  # noqa: SIM115  read from until the process ends
            section = file.get_section_by_name(".debug_info")
            if section is not None and section.data_size <= _MOST_BYTES:
                return [unit for unit in file.get_dwarf_info().iter_CUs() if not _is_ours(unit)]
        return []

    @cached_property
    def _entries(self) -> tuple[list[Any], dict[str, Any]]:
        """The entries of variables with addresses, and those of the user's records by name."""
        variables: list[Any] = []
        records: dict[str, Any] = {}
        for unit in self._units:
            for entry in unit.iter_DIEs():
                if entry.tag == "DW_TAG_variable" and _address(entry) is not None:
                    variables.append(entry)
                elif entry.tag in _RECORDS and _is_users(entry):
                    records.setdefault(_own_name(entry), entry)
                    records.setdefault(_qualified(entry), entry)
        return variables, records

    @cached_property
    def _variables(self) -> list[Variable]:
        found = []
        for entry in self._entries[0]:
            declared = _declared(entry)
            address = _address(entry)
            if address is not None:
                found.append(Variable(_qualified(declared), address, self._type_of(declared, entry)))
        return found

    @property
    def _records(self) -> dict[str, Any]:
        return self._entries[1]

    def _type_of(self, *entries: Any) -> Type:
        """The type that the first of *entries* that has one names."""
        for entry in entries:
            if "DW_AT_type" in entry.attributes:
                return self._type(entry.get_DIE_from_attribute("DW_AT_type"))
        return Type(Form.OTHER, "void")

    def _type(self, entry: Any) -> Type:
        if entry.offset in self._types:
            return self._types[entry.offset]
        found = Type(Form.OTHER)
        self._types[entry.offset] = found  # before its members, which may have pointers to it
        self._fill(found, entry)
        return found

    def _fill(self, found: Type, entry: Any) -> None:
        tag, attributes = entry.tag, entry.attributes
        found.name = _qualified(entry)
        found.size = _constant(attributes, "DW_AT_byte_size")
        found.is_library = _scope(entry).startswith(("std", "__gnu_cxx")) or found.name.startswith(
            ("pthread_", "__pthread", "sem_t", "std::")
        )
        if tag in _TRANSPARENT:
            inner = self._type_of(entry)
            is_library = found.is_library or inner.is_library
            name = found.name or inner.name
            vars(found).update(vars(inner))
            found.name, found.is_library = name, is_library
        elif tag == "DW_TAG_base_type":
            found.form = _FORMS.get(_constant(attributes, "DW_AT_encoding"), Form.OTHER)
        elif tag in _POINTERS:
            found.form, found.size = Form.POINTER, found.size or 8
        elif tag == "DW_TAG_enumeration_type":
            found.form = Form.ENUMERATION
            found.values = {
                _constant(child.attributes, "DW_AT_const_value"): _own_name(child) for child in entry.iter_children()
            }
        elif tag == "DW_TAG_array_type":
            self._fill_array(found, entry)
        elif tag in _RECORDS:
            found.form = Form.RECORD
            found.members = list(self._members(entry))

    def _fill_array(self, found: Type, entry: Any) -> None:
        counts = []
        for child in entry.iter_children():
            if child.tag == "DW_TAG_subrange_type":
                count = _constant(child.attributes, "DW_AT_count")
                counts.append(count or _constant(child.attributes, "DW_AT_upper_bound", -1) + 1)
        element = self._type_of(entry)
        for count in reversed(counts[1:]):
            element = Type(Form.ARRAY, "", element.size * count, element, count, is_library=element.is_library)
        count = counts[0] if counts else 0
        found.form, found.element, found.count, found.size = Form.ARRAY, element, count, element.size * count

    def _members(self, entry: Any) -> Iterator[Member]:
        for child in entry.iter_children():
            if "DW_AT_data_bit_offset" in child.attributes or "DW_AT_external" in child.attributes:
                continue  # bit-fields share their memory; static members are elsewhere
            if child.tag in ("DW_TAG_member", "DW_TAG_inheritance"):
                name = _own_name(child) if child.tag == "DW_TAG_member" else ""
                offset = _constant(child.attributes, "DW_AT_data_member_location")
                yield Member("" if name.startswith("_vptr") else name, offset, self._type_of(child))


def _is_ours(unit: Any) -> bool:
    """Whether a unit of the debug information is a file of the runtime."""
    return _OUR_RUNTIME in _own_name(unit.get_top_DIE())


def _is_users(entry: Any) -> bool:
    """Whether a record is defined there, has a name, and does not belong to the C++ library."""
    is_complete = "DW_AT_byte_size" in entry.attributes and bool(_own_name(entry))
    return is_complete and not _scope(entry).startswith(("std", "__gnu_cxx"))


def _constant(attributes: Any, name: str, default: int = 0) -> int:
    value = attributes[name].value if name in attributes else default
    return value if isinstance(value, int) else default


def _address(entry: Any) -> int | None:
    """The fixed address of a variable; None where it has none."""
    location = entry.attributes.get("DW_AT_location")
    if location is None or not isinstance(location.value, list) or not location.value:
        return None
    first, *rest = location.value
    if first == _ADDRESS and len(rest) == 8:
        return int.from_bytes(bytes(rest), "little") or None
    if first == _ADDRESS_BY_NUMBER and rest and not rest[-1] & 0x80:
        number = sum((byte & 0x7F) << 7 * at for at, byte in enumerate(rest))
        if all(byte & 0x80 for byte in rest[:-1]):  # nothing comes after the number, such as an offset
            return int(entry.cu.dwarfinfo.get_addr(entry.cu, number)) or None
    return None


def _declared(entry: Any) -> Any:
    """The entry that declares a variable: its own, or that of a member or an outer function."""
    for name in ("DW_AT_specification", "DW_AT_abstract_origin"):
        if name in entry.attributes:
            return _declared(entry.get_DIE_from_attribute(name))
    return entry


def _own_name(entry: Any) -> str:
    found = entry.attributes.get("DW_AT_name")
    return found.value.decode(errors="replace") if found is not None else ""


def _scope(entry: Any) -> str:
    """The names of what a declaration is in, joined; functions are left out, and so is what has no name."""
    names: list[str] = []
    parent = entry.get_parent()
    while parent is not None and parent.tag in _SCOPES:
        declared = _declared(parent)
        if declared.tag in ("DW_TAG_namespace", *_RECORDS) and _own_name(declared):
            names.insert(0, _own_name(declared))
        parent = parent.get_parent()
    return "::".join(names)


def _qualified(entry: Any) -> str:
    scope, name = _scope(entry), _own_name(entry)
    return f"{scope}::{name}" if scope and name else name
