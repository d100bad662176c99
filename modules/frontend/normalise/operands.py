"""The operands of x86 instructions as C: where they are, their values, and the flags."""

from collections.abc import Sequence
from dataclasses import dataclass

from cseq.modules.frontend.normalise.x86_code import (
    Address,
    Immediate,
    Instruction,
    NotUnderstoodError,
    Operand,
    OperandReference,
    Register,
    Symbol,
)
from cseq.modules.library import lexicon

UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}
"""The number of bytes → a type."""

_GREATEST = {1: "0xff", 2: "0xffff", 4: "0xffffffff", 8: "0xffffffffffffffff"}
ORDER = "5"
"""Sequentially consistent, as GCC's built-in functions number it."""

PLAIN = "0x10005"
"""The same for an ordinary store: a hint says that it is no fence."""


@dataclass(frozen=True)
class OperandPlace:
    """Where an operand is. text: a C lvalue. size: of its type in bytes; 0 for anything but integers and pointers.

    memory: whether it is in memory. pointer: whether its type is one. element: what its pointer leads to, for an
    address: the size of that if it is an integer or pointer, else 0. value: that of a constant.
    """

    text: str
    size: int
    memory: bool = False
    pointer: bool = False
    element: int = 0
    value: int | None = None


class Operands:
    """Writes the C text that reads and changes operands.

    operands: the places of the asm's operands. registers: those of operands in registers with a name, by constraint.
    flags: those of the flags z, s, c, o that something depends on. labels: where an asm goto may jump. stem: what the
    names of its own variables and labels begin with. pointer: the size of one in bytes.
    """

    def __init__(
        self,
        operands: Sequence[OperandPlace],
        registers: dict[str, OperandPlace],
        labels: Sequence[str],
        stem: str,
        pointer: int,
    ) -> None:
        self._operands = operands
        self._registers = dict(registers)
        self._labels = labels
        self._stem = stem
        self._pointer = pointer
        self._flags: set[str] = set()
        self._lines: list[str] = []
        self._own: dict[str, str] = {}
        self._count = 0
        self._now = Instruction("nop", "")

    @property
    def variables(self) -> dict[str, str]:
        """The variables that the text needs → their types. It writes each before it reads it."""
        return dict(self._own)

    def condition(self, text: str) -> str:
        """The C condition for one of the flags."""
        return "".join(self._flag(letter) if letter in "zsco" else letter for letter in text)

    def _flag(self, letter: str) -> str:
        return f"{self._stem}_{letter}f"

    def _no(self) -> NotUnderstoodError:
        return NotUnderstoodError(self._now.text)

    def _emit(self, text: str) -> None:
        self._lines.append(text)

    # Places

    def _place(self, operand: Operand, size: int) -> OperandPlace:
        """Where an operand of *size* bytes is: a place of an integer or pointer type of that size, if in memory."""
        match operand:
            case OperandReference(number):
                place = self._operands[number]
                return self._typed(place, size) if place.memory else place
            case Register(letter):
                return self._register(letter)
            case Address(base, displacement):
                pointer = self._operands[base.number]
                if pointer.memory or not pointer.pointer:
                    raise self._no()
                if displacement == 0 and pointer.element == size:
                    return OperandPlace(f"(*{pointer.text})", size, memory=True)
                return self._at(f"(char *){pointer.text} + {displacement}", size)
            case Symbol(name):
                return self._typed(OperandPlace(name, 0, memory=True), size)
        raise self._no()

    def _typed(self, place: OperandPlace, size: int) -> OperandPlace:
        return place if place.size == size else self._at(f"&{place.text}", size)

    def _at(self, address: str, size: int) -> OperandPlace:
        return OperandPlace(f"(*({UNSIGNED[size]} *)({address}))", size, memory=True)

    def _register(self, letter: str) -> OperandPlace:
        if letter not in self._registers:
            name = f"{self._stem}_{letter}x"
            self._own[name] = UNSIGNED[self._pointer]
            self._lines.insert(0, f"{name} = {lexicon.NONDET}ulong();")
            self._registers[letter] = OperandPlace(name, self._pointer)
        return self._registers[letter]

    def _is_memory(self, operand: Operand) -> bool:
        return isinstance(operand, (Address, Symbol)) or (
            isinstance(operand, OperandReference) and self._operands[operand.number].memory
        )

    def _size(self) -> int:
        """The size of the operands of the present instruction."""
        if self._now.size is not None:
            return self._now.size
        operands = self._now.operands[1:] if self._now.extend else self._now.operands[::-1]
        if self._now.name in ("shl", "shr", "sar", "rol", "ror"):
            operands = self._now.operands[-1:]
        given = [item for item in operands if isinstance(item, OperandReference)]
        for item in operands:
            if isinstance(item, (Register, OperandReference)) and item.size is not None:
                return item.size
        for in_memory in (False, True):
            for item in given:
                place = self._operands[item.number]
                if place.memory == in_memory and place.value is None and place.size:
                    return place.size
        raise self._no()

    # Values

    def _read(self, operand: Operand, size: int) -> str:
        """The value of an operand, as an unsigned number of *size* bytes."""
        kind = UNSIGNED[size]
        if isinstance(operand, Immediate):
            return f"({kind}){operand.value}"
        place = self._place(operand, size)
        if isinstance(operand, OperandReference) and operand.high:
            if place.memory or place.size < 2:
                raise self._no()
            return f"({kind})({self._register_value(place, place.size)} >> 8)"
        if place.memory:
            value = f"__atomic_load_n(&{place.text}, {ORDER})"
            return f"({kind})(unsigned long){value}" if place.pointer else f"({kind}){value}"
        return self._register_value(place, size)

    def _register_value(self, place: OperandPlace, size: int) -> str:
        if place.value is not None:
            suffix = "ULL" if place.value >= 0 else "LL"
            return f"({UNSIGNED[size]})({place.value}{suffix})"
        if not place.size or place.size < size:  # the rest of the register is not known
            raise self._no()
        return f"({UNSIGNED[size]}){'(unsigned long)' if place.pointer else ''}{place.text}"

    def _value(self, operand: Operand, size: int) -> str:
        """The value of an operand, in a variable unless it is a constant: it is not evaluated twice."""
        value = self._read(operand, size)
        constant = isinstance(operand, Immediate) or (
            isinstance(operand, OperandReference) and self._operands[operand.number].value is not None
        )
        return f"({value})" if constant else self._new(value, size)

    def _new(self, value: str, size: int) -> str:
        self._count += 1
        name = f"{self._stem}_t{self._count}"
        self._own[name] = UNSIGNED[size]
        self._emit(f"{name} = {value};")
        return name

    def _moved(self, operand: Operand, size: int, place: OperandPlace) -> str:
        """The value of an operand, converted to the type of *place*; pointers stay pointers."""
        if place.pointer and isinstance(operand, OperandReference):
            source = self._operands[operand.number]
            if source.pointer and source.size == size:
                text = f"__atomic_load_n(&{source.text}, {ORDER})" if source.memory else source.text
                return f"(__typeof__({place.text})){text}"
        return self._as(self._read(operand, size), place)

    def _as(self, value: str, place: OperandPlace) -> str:
        through = "(unsigned long)" if place.pointer else ""
        return f"(__typeof__({place.text})){through}({value})"

    def _write(self, operand: Operand, size: int, value: str) -> None:
        """Store an unsigned *value* of *size* bytes, in one access if *operand* is in memory."""
        if isinstance(operand, OperandReference) and operand.high:
            raise self._no()
        place = self._place(operand, size)
        if place.memory:
            self._emit(f"__atomic_store_n(&{place.text}, {self._as(value, place)}, {PLAIN});")
        else:
            self._set(place, size, value)

    def _set(self, place: OperandPlace, size: int, value: str) -> None:
        if not place.size:
            raise self._no()
        if place.size > size and size < 4:  # the rest of the register stays
            whole = UNSIGNED[place.size]
            kept = f"({whole}){'(unsigned long)' if place.pointer else ''}{place.text} & ~({whole}){_GREATEST[size]}"
            value = f"({kept}) | ({whole})({value})"
        self._emit(f"{place.text} = {self._as(value, place)};")

    # Flags

    def _result(self, size: int, result: str) -> None:
        """Set z and s for *result*."""
        self._set_flag("z", f"{result} == 0")
        self._set_flag("s", f"({result} >> {8 * size - 1}) & 1")

    def _set_flag(self, letter: str, value: str) -> None:
        if letter in self._flags:
            self._emit(f"{self._flag(letter)} = {value};")

    def _unknown(self, letters: str) -> None:
        """The processor leaves these flags undefined, or it is not worth computing them."""
        for letter in letters:
            self._set_flag(letter, f"{lexicon.NONDET}bool()")
