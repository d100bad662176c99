"""What x86 instructions do, written as C: the accesses to memory as the single steps that they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cseq.modules.front.scoper.instructions import (
    IDLE,
    Address,
    Exit,
    Given,
    Immediate,
    Instruction,
    NotUnderstoodError,
    Operand,
    Register,
    Symbol,
    Target,
)
from cseq.modules.library import lexicon

UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}
_SIGNED = {1: "signed char", 2: "short", 4: "int", 8: "long long"}
_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
_FETCHES = {"add": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor", "adc": "add", "sbb": "sub"}
_NOWHERE = frozenset({"cmp", "test", "bt"})
_ORDER = "5"  # sequentially consistent

Change = Callable[[str], str]
"""A C expression for the new value → from the name of the old one."""


@dataclass(frozen=True)
class Place:
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


class Machine:
    """Writes the C text of instructions.

    operands: the places of the asm's operands. registers: those of operands in registers with a name, by constraint.
    flags: those of the flags z, s, c, o that something depends on. labels: where an asm goto may jump. stem: what the
    names of its own variables and labels begin with. pointer: the size of one in bytes.
    """

    def __init__(
        self,
        operands: Sequence[Place],
        registers: dict[str, Place],
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

    def write(self, code: Sequence[Instruction], asked: str = "") -> list[str]:
        """The C text of *code*, a statement a line. asked: conditions of flag outputs. Raises NotUnderstoodError."""
        conditions = asked + "".join(item.condition for item in code)
        self._flags = {flag for flag in "zsco" if flag in conditions}
        if any(item.name in ("adc", "sbb") for item in code):
            self._flags.add("c")
        for flag in sorted(self._flags):
            self._own[self._flag(flag)] = "int"
            if not _sets_first(code, flag):
                self._set_flag(flag, f"{lexicon.NONDET}bool()")
        targets = {place.place for item in code for place in item.operands if isinstance(place, Target)}
        for at, item in enumerate(code):
            if at in targets:
                self._lines.append(f"{self._stem}_{at}: ;")
            self._now = item
            self._instruction(item)
        if len(code) in targets:
            self._lines.append(f"{self._stem}_{len(code)}: ;")
        return self._lines

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

    def _place(self, operand: Operand, size: int) -> Place:
        """Where an operand of *size* bytes is: a place of an integer or pointer type of that size, if in memory."""
        match operand:
            case Given(number):
                place = self._operands[number]
                return self._typed(place, size) if place.memory else place
            case Register(letter):
                return self._register(letter)
            case Address(base, displacement):
                pointer = self._operands[base.number]
                if pointer.memory or not pointer.pointer:
                    raise self._no()
                if displacement == 0 and pointer.element == size:
                    return Place(f"(*{pointer.text})", size, memory=True)
                return self._at(f"(char *){pointer.text} + {displacement}", size)
            case Symbol(name):
                return self._typed(Place(name, 0, memory=True), size)
        raise self._no()

    def _typed(self, place: Place, size: int) -> Place:
        return place if place.size == size else self._at(f"&{place.text}", size)

    def _at(self, address: str, size: int) -> Place:
        return Place(f"(*({UNSIGNED[size]} *)({address}))", size, memory=True)

    def _register(self, letter: str) -> Place:
        if letter not in self._registers:
            name = f"{self._stem}_{letter}x"
            self._own[name] = UNSIGNED[self._pointer]
            self._lines.insert(0, f"{name} = {lexicon.NONDET}ulong();")
            self._registers[letter] = Place(name, self._pointer)
        return self._registers[letter]

    def _is_memory(self, operand: Operand) -> bool:
        return isinstance(operand, (Address, Symbol)) or (
            isinstance(operand, Given) and self._operands[operand.number].memory
        )

    def _size(self) -> int:
        """The size of the operands of the present instruction."""
        if self._now.size is not None:
            return self._now.size
        operands = self._now.operands[1:] if self._now.extend else self._now.operands[::-1]
        if self._now.name in ("shl", "shr", "sar", "rol", "ror"):
            operands = self._now.operands[-1:]
        given = [item for item in operands if isinstance(item, Given)]
        for item in operands:
            if isinstance(item, (Register, Given)) and item.size is not None:
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
        if place.memory:
            value = f"__atomic_load_n(&{place.text}, {_ORDER})"
            return f"({kind})(unsigned long){value}" if place.pointer else f"({kind}){value}"
        return self._register_value(place, size)

    def _register_value(self, place: Place, size: int) -> str:
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
            isinstance(operand, Given) and self._operands[operand.number].value is not None
        )
        return f"({value})" if constant else self._new(value, size)

    def _new(self, value: str, size: int) -> str:
        self._count += 1
        name = f"{self._stem}_t{self._count}"
        self._own[name] = UNSIGNED[size]
        self._emit(f"{name} = {value};")
        return name

    def _moved(self, operand: Operand, size: int, place: Place) -> str:
        """The value of an operand, converted to the type of *place*; pointers stay pointers."""
        if place.pointer and isinstance(operand, Given):
            source = self._operands[operand.number]
            if source.pointer and source.size == size:
                text = f"__atomic_load_n(&{source.text}, {_ORDER})" if source.memory else source.text
                return f"(__typeof__({place.text})){text}"
        return self._as(self._read(operand, size), place)

    def _as(self, value: str, place: Place) -> str:
        through = "(unsigned long)" if place.pointer else ""
        return f"(__typeof__({place.text})){through}({value})"

    def _write(self, operand: Operand, size: int, value: str) -> None:
        """Store an unsigned *value* of *size* bytes, in one access if *operand* is in memory."""
        place = self._place(operand, size)
        if place.memory:
            self._emit(f"__atomic_store_n(&{place.text}, {self._as(value, place)}, {_ORDER});")
        else:
            self._set(place, size, value)

    def _set(self, place: Place, size: int, value: str) -> None:
        if not place.size:
            raise self._no()
        if place.size > size and size < 4:  # the rest of the register stays
            whole = UNSIGNED[place.size]
            kept = f"({whole}){'(unsigned long)' if place.pointer else ''}{place.text} & ~({whole}){UNSIGNED_MAX[size]}"
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

    # Instructions

    def _instruction(self, item: Instruction) -> None:
        if item.name in IDLE:
            return
        if item.name in ("j", "jmp"):
            self._jump(item)
        elif item.name == "ud2":
            self._emit("__builtin_trap();")
        elif item.name in ("rdtsc", "cpuid"):
            for letter in "ad" if item.name == "rdtsc" else "abcd":
                self._set(self._register(letter), 4, f"{lexicon.NONDET}uint()")
        else:
            method = getattr(self, f"_{_METHODS.get(item.name, item.name)}")
            method(item, self._size())

    def _jump(self, item: Instruction) -> None:
        [target] = item.operands
        match target:
            case Target(place):
                label = f"{self._stem}_{place}"
            case Exit(number):
                label = self._labels[number]
            case _:
                raise self._no()
        jump = f"goto {label};"
        self._emit(jump if item.name == "jmp" else f"if ({self.condition(item.condition)}) {jump}")

    def _mov(self, item: Instruction, size: int) -> None:
        source, target = item.operands
        place = self._place(target, size)
        if place.size == size and place.pointer:
            value = self._moved(source, size, place)
            store = f"__atomic_store_n(&{place.text}, {value}, {_ORDER});"
            self._emit(store if place.memory else f"{place.text} = {value};")
        else:
            self._write(target, size, self._read(source, size))

    def _movx(self, item: Instruction, size: int) -> None:
        source, target = item.operands
        small, signed = item.extend or (None, False)
        if small is None:
            small = source.size if isinstance(source, (Given, Register)) else None
        if small is None and isinstance(source, Given):
            small = self._operands[source.number].size
        if not small:
            raise self._no()
        value = self._read(source, small)
        self._write(target, size, f"({UNSIGNED[size]})({_SIGNED[small]})({value})" if signed else value)

    def _cmov(self, item: Instruction, size: int) -> None:
        source, target = item.operands
        value = self._value(source, size)
        self._write(target, size, f"({self.condition(item.condition)}) ? {value} : {self._read(target, size)}")

    def _setcc(self, item: Instruction, size: int) -> None:
        self._write(item.operands[0], 1, self.condition(item.condition))

    def _binary(self, item: Instruction, size: int) -> None:
        """add, sub, and, or, xor, with and without carry, and those that only set flags."""
        source, target = item.operands
        name = item.name
        if source == target and name in ("xor", "sub", "sbb") and not self._is_memory(target):
            return self._same(name, target, size)
        operand = self._value(source, size)
        if name in ("adc", "sbb"):
            carry = self._new(self._flag("c"), size)
            total = self._new(f"{operand} + {carry}", size)
        else:
            carry, total = "", operand
        old = self._changed(item, target, size, name, total)
        self._flags_after(name, size, old, operand, carry)

    def _same(self, name: str, target: Operand, size: int) -> None:
        """A register with itself: 0, or with the borrow -1, whatever it was."""
        if name != "sbb":
            self._set_flag("c", "0")
        borrow = self._flag("c") if name == "sbb" else "0"
        self._write(target, size, f"({UNSIGNED[size]})(0 - {borrow})")
        self._set_flag("z", f"!{borrow}")
        self._set_flag("s", borrow)
        self._set_flag("o", "0")

    def _changed(self, item: Instruction, target: Operand, size: int, name: str, operand: str) -> str:
        """Write the change of *target*, in one step if it is locked; return the name of the old value, or ""."""
        if name in _NOWHERE:
            return self._value(target, size)
        if not item.locked:
            return self._in_two_steps(target, size, lambda old: f"{old} {_OPERATORS[_FETCHES[name]]} {operand}")
        if not self._is_memory(target):
            raise self._no()
        place = self._place(target, size)
        if place.pointer:  # gcc's built-in does not scale, and no integer becomes a pointer
            place = self._at(f"&{place.text}", size)
        value = f"__atomic_fetch_{_FETCHES[name]}(&{place.text}, {operand}, {_ORDER})"
        if not self._flags:
            self._emit(f"{value};")
            return ""
        return self._new(value, size)

    def _in_two_steps(self, target: Operand, size: int, change: Change) -> str:
        """Load, and store what *change* makes of the value: to others, these are two plain accesses."""
        place = self._place(target, size)
        if not place.memory:
            old = self._new(self._register_value(place, size), size)
            self._set(place, size, f"({UNSIGNED[size]})({change(old)})")
            return old
        through = "(unsigned long)" if place.pointer else ""
        old = self._new(f"({UNSIGNED[size]}){through}{place.text}", size)
        self._emit(f"{place.text} = {self._as(f'({UNSIGNED[size]})({change(old)})', place)};")
        return old

    def _flags_after(self, name: str, size: int, old: str, operand: str, carry: str = "") -> None:
        if not self._flags:
            return
        if name in ("and", "or", "xor", "test"):
            sign = "&" if name == "test" else _OPERATORS[name]
            result = self._new(f"{old} {sign} {operand}", size)
            self._set_flag("c", "0")
            self._set_flag("o", "0")
        elif name in ("add", "adc"):
            result = self._new(f"{old} + {operand}{f' + {carry}' if carry else ''}", size)
            more = f" || ({carry} && {result} == {old})" if carry else ""
            self._set_flag("c", f"{result} < {old}{more}")
            self._set_flag("o", f"((({old} ^ {result}) & ({operand} ^ {result})) >> {8 * size - 1}) & 1")
        else:
            result = self._new(f"{old} - {operand}{f' - {carry}' if carry else ''}", size)
            more = f" || ({carry} && {old} == {operand})" if carry else ""
            self._set_flag("c", f"{old} < {operand}{more}")
            self._set_flag("o", f"((({old} ^ {operand}) & ({old} ^ {result})) >> {8 * size - 1}) & 1")
        self._result(size, result)

    def _step(self, item: Instruction, size: int) -> None:
        """inc, dec: they leave the carry as it is."""
        name = "add" if item.name == "inc" else "sub"
        old = self._changed(item, item.operands[0], size, name, "1")
        if self._flags:
            result = self._new(f"{old} {_OPERATORS[name]} 1", size)
            self._set_flag("o", f"{result if name == 'add' else old} == ({UNSIGNED[size]})(1ULL << {8 * size - 1})")
            self._result(size, result)

    def _unary(self, item: Instruction, size: int) -> None:
        """neg, not."""
        [target] = item.operands
        if item.name == "not":
            if item.locked:
                place = self._locked(target, size)
                self._emit(f"__atomic_fetch_xor(&{place.text}, -1, {_ORDER});")
            else:
                self._in_two_steps(target, size, lambda old: f"~{old}")
            return
        if item.locked:
            self._locked(target, size)
            self._emit(f"{lexicon.ATOMIC_BEGIN}();")
        old = self._in_two_steps(target, size, lambda old: f"0 - {old}")
        if item.locked:
            self._emit(f"{lexicon.ATOMIC_END}();")
        if self._flags:
            self._set_flag("c", f"{old} != 0")
            self._set_flag("o", f"{old} == ({UNSIGNED[size]})(1ULL << {8 * size - 1})")
            self._result(size, self._new(f"0 - {old}", size))

    def _locked(self, target: Operand, size: int) -> Place:
        """The place of the destination of a locked instruction, as an integer."""
        if not self._is_memory(target):
            raise self._no()
        place = self._place(target, size)
        return self._at(f"&{place.text}", size) if place.pointer else place

    def _shift(self, item: Instruction, size: int) -> None:
        source, target = item.operands
        distance = self._new(f"({self._read(source, 1)}) & {63 if size == 8 else 31}", 1)
        width = 8 * size

        def change(old: str) -> str:
            wide = f"(unsigned long long){old}"
            match item.name:
                case "shl":
                    return f"{wide} << {distance}"
                case "shr":
                    return f"{wide} >> {distance}"
                case "sar":
                    return f"(long long)({_SIGNED[size]}){old} >> {distance}"
            left, right = (f"({distance} % {width})", f"(({width} - {distance} % {width}) % {width})")
            if item.name == "ror":
                left, right = right, left
            return f"({wide} << {left}) | ({wide} >> {right})"

        self._in_two_steps(target, size, change)
        if self._flags:
            raise self._no()

    def _xchg(self, item: Instruction, size: int) -> None:
        """Exchange: with memory always in one step."""
        one, other = item.operands
        if self._is_memory(one):
            one, other = other, one
        if self._is_memory(one):
            raise self._no()
        source, place = self._place(one, size), self._place(other, size)
        if place.memory:
            if place.pointer and source.pointer and source.size == size:
                value = self._moved(one, size, place)
                self._emit(f"{source.text} = __atomic_exchange_n(&{place.text}, {value}, {_ORDER});")
                return
            place = self._locked(other, size)
            old = self._new(f"__atomic_exchange_n(&{place.text}, {self._read(one, size)}, {_ORDER})", size)
        else:
            old = self._new(self._register_value(place, size), size)
            self._set(place, size, self._register_value(source, size))
        self._set(source, size, old)

    def _xadd(self, item: Instruction, size: int) -> None:
        source, target = item.operands
        added = self._new(self._register_value(self._place(source, size), size), size)
        if item.locked:
            place = self._locked(target, size)
            old = self._new(f"__atomic_fetch_add(&{place.text}, {added}, {_ORDER})", size)
        else:
            old = self._in_two_steps(target, size, lambda old: f"{old} + {added}")
        self._set(self._place(source, size), size, old)
        self._flags_after("add", size, old, added)

    def _cmpxchg(self, item: Instruction, size: int) -> None:
        source, target = item.operands
        expected = self._register("a")
        place = self._place(target, size)
        if item.locked and not place.memory:
            raise self._no()
        new = self._place(source, size)
        if item.locked and place.pointer and expected.pointer and new.pointer and self._flags <= {"z"}:
            wanted = self._as_pointer(expected, place)
            saved = f"{self._stem}_p{self._count}"
            self._own[saved] = "void *"
            self._emit(f"{saved} = (void *){expected.text};")
            swap = f"__sync_val_compare_and_swap(&{place.text}, {wanted}, {self._as_pointer(new, place)})"
            self._emit(f"{expected.text} = (__typeof__({expected.text})){swap};")
            self._set_flag("z", f"(void *){expected.text} == {saved}")
            return
        wanted = self._new(self._register_value(expected, size), size)
        value = self._new(self._register_value(new, size), size)
        if item.locked:
            place = self._locked(target, size)
            old = self._new(f"__sync_val_compare_and_swap(&{place.text}, {wanted}, {value})", size)
        else:
            old = self._in_two_steps(target, size, lambda old: f"{old} == {wanted} ? {value} : {old}")
        self._set(expected, size, old)
        self._flags_after("cmp", size, wanted, old)

    def _as_pointer(self, place: Place, like: Place) -> str:
        return f"(__typeof__({like.text})){place.text}"

    def _bit(self, item: Instruction, size: int) -> None:
        """bt, bts, btr, btc: in memory, a register may name a bit outside of the operand."""
        source, target = item.operands
        width = 8 * size
        bit = self._new(self._read(source, size), size)
        place = self._place(target, size)
        constant = isinstance(source, Immediate) or (isinstance(source, Given) and self._is_low(source, width))
        if place.memory and not constant:
            log = {1: 3, 2: 4, 4: 5, 8: 6}[size]
            base = f"({UNSIGNED[size]} *)&{place.text}"
            at = f"({base})[({_SIGNED[size]}){bit} >> {log}]"
            place = Place(f"({at})", size, memory=True)
        elif place.memory and place.pointer:
            place = self._at(f"&{place.text}", size)
        mask = self._new(f"({UNSIGNED[size]})1 << ({bit} % {width})", size)
        changes = {
            "bts": ("or", "{old} | " + mask),
            "btr": ("and", "{old} & ~" + mask),
            "btc": ("xor", "{old} ^ " + mask),
        }
        if item.name == "bt":
            value = f"__atomic_load_n(&{place.text}, {_ORDER})" if place.memory else self._register_value(place, size)
            old = self._new(value, size)
        elif item.locked:
            if not place.memory:
                raise self._no()
            fetch, _ = changes[item.name]
            operand = f"~{mask}" if fetch == "and" else mask
            old = self._new(f"__atomic_fetch_{fetch}(&{place.text}, {operand}, {_ORDER})", size)
        elif place.memory:
            old = self._new(place.text, size)
            self._emit(f"{place.text} = {changes[item.name][1].format(old=old)};")
        else:
            old = self._new(self._register_value(place, size), size)
            self._set(place, size, changes[item.name][1].format(old=old))
        self._set_flag("c", f"({old} >> ({bit} % {width})) & 1")
        self._unknown("so")

    def _is_low(self, source: Given, width: int) -> bool:
        value = self._operands[source.number].value
        return value is not None and 0 <= value < width

    def _scan(self, item: Instruction, size: int) -> None:
        """bsf, bsr: of 0, the destination stays as it was."""
        source, target = item.operands
        value = self._value(source, size)
        wide = self._new(value, 8)
        if item.name == "bsf":
            found = f"__builtin_popcountll(({wide} & -{wide}) - 1)"
        else:
            for distance in (1, 2, 4, 8, 16, 32):
                self._emit(f"{wide} |= {wide} >> {distance};")
            found = f"__builtin_popcountll({wide}) - 1"
        self._emit(f"if ({value} != 0) {{")
        self._write(target, size, found)
        self._emit("}")
        self._set_flag("z", f"{value} == 0")
        self._unknown("sco")

    def _bswap(self, item: Instruction, size: int) -> None:
        if size not in (4, 8):
            raise self._no()
        self._in_two_steps(item.operands[0], size, lambda old: f"__builtin_bswap{8 * size}({old})")


def _sets_first(code: Sequence[Instruction], flag: str) -> bool:
    """Whether *code* sets *flag* before anything can depend on it."""
    for item in code:
        if item.name in _SETTING and not (flag == "c" and item.name in ("inc", "dec")):
            return True
        if item.name not in ("mov", "movx", "xchg", "not", *IDLE):
            return flag == "c" and item.name in ("bt", "bts", "btr", "btc")
    return False


_SETTING = frozenset({"add", "sub", "and", "or", "xor", "inc", "dec", "neg", "cmp", "test", "xadd", "cmpxchg"})
UNSIGNED_MAX = {1: "0xff", 2: "0xffff", 4: "0xffffffff", 8: "0xffffffffffffffff"}
_METHODS = (
    dict.fromkeys((*_OPERATORS, "adc", "sbb", "cmp", "test"), "binary")
    | dict.fromkeys(("inc", "dec"), "step")
    | dict.fromkeys(("neg", "not"), "unary")
    | dict.fromkeys(("shl", "shr", "sar", "rol", "ror"), "shift")
    | dict.fromkeys(("bt", "bts", "btr", "btc"), "bit")
    | dict.fromkeys(("bsf", "bsr"), "scan")
    | {"set": "setcc"}
)
