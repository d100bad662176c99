"""What x86 instructions do, written as C: the accesses to memory as the single steps that they are."""

from collections.abc import Callable, Sequence

from cseq.modules.frontend.normalise.operands import ORDER, PLAIN, UNSIGNED, OperandPlace, Operands
from cseq.modules.frontend.normalise.x86_code import (
    IDLE,
    Exit,
    Immediate,
    Instruction,
    Operand,
    OperandReference,
    Register,
    Target,
)
from cseq.modules.library import lexicon

FULL_FENCE = "__sync_synchronize"
"""The built-in that orders all accesses."""

_SIGNED = {1: "signed char", 2: "short", 4: "int", 8: "long long"}
_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
_FETCHES = {"add": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor", "adc": "add", "sbb": "sub"}
_NOWHERE = frozenset({"cmp", "test", "bt"})

Change = Callable[[str], str]
"""A C expression for the new value → from the name of the old one."""


class Machine(Operands):
    """Writes the C text of instructions."""

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

    def _instruction(self, item: Instruction) -> None:
        if item.name in IDLE:
            if item.name == "mfence":
                self._lines.append(f"{FULL_FENCE}();")
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
            store = f"__atomic_store_n(&{place.text}, {value}, {PLAIN});"
            self._emit(store if place.memory else f"{place.text} = {value};")
        else:
            self._write(target, size, self._read(source, size))

    def _movx(self, item: Instruction, size: int) -> None:
        source, target = item.operands
        small, signed = item.extend or (None, False)
        if small is None:
            small = source.size if isinstance(source, (OperandReference, Register)) else None
        if small is None and isinstance(source, OperandReference):
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
        value = f"__atomic_fetch_{_FETCHES[name]}(&{place.text}, {operand}, {ORDER})"
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
                self._emit(f"__atomic_fetch_xor(&{place.text}, -1, {ORDER});")
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

    def _locked(self, target: Operand, size: int) -> OperandPlace:
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
                self._emit(f"{source.text} = __atomic_exchange_n(&{place.text}, {value}, {ORDER});")
                return
            place = self._locked(other, size)
            old = self._new(f"__atomic_exchange_n(&{place.text}, {self._read(one, size)}, {ORDER})", size)
        else:
            old = self._new(self._register_value(place, size), size)
            self._set(place, size, self._register_value(source, size))
        self._set(source, size, old)

    def _xadd(self, item: Instruction, size: int) -> None:
        source, target = item.operands
        added = self._new(self._register_value(self._place(source, size), size), size)
        if item.locked:
            place = self._locked(target, size)
            old = self._new(f"__atomic_fetch_add(&{place.text}, {added}, {ORDER})", size)
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

    def _as_pointer(self, place: OperandPlace, like: OperandPlace) -> str:
        return f"(__typeof__({like.text})){place.text}"

    def _bit(self, item: Instruction, size: int) -> None:
        """bt, bts, btr, btc: in memory, a register may name a bit outside of the operand."""
        source, target = item.operands
        width = 8 * size
        bit = self._new(self._read(source, size), size)
        place = self._place(target, size)
        constant = isinstance(source, Immediate) or (
            isinstance(source, OperandReference) and self._is_low(source, width)
        )
        if place.memory and not constant:
            log = {1: 3, 2: 4, 4: 5, 8: 6}[size]
            base = f"({UNSIGNED[size]} *)&{place.text}"
            at = f"({base})[({_SIGNED[size]}){bit} >> {log}]"
            place = OperandPlace(f"({at})", size, memory=True)
        elif place.memory and place.pointer:
            place = self._at(f"&{place.text}", size)
        mask = self._new(f"({UNSIGNED[size]})1 << ({bit} % {width})", size)
        changes = {
            "bts": ("or", "{old} | " + mask),
            "btr": ("and", "{old} & ~" + mask),
            "btc": ("xor", "{old} ^ " + mask),
        }
        if item.name == "bt":
            value = f"__atomic_load_n(&{place.text}, {ORDER})" if place.memory else self._register_value(place, size)
            old = self._new(value, size)
        elif item.locked:
            if not place.memory:
                raise self._no()
            fetch, _ = changes[item.name]
            operand = f"~{mask}" if fetch == "and" else mask
            old = self._new(f"__atomic_fetch_{fetch}(&{place.text}, {operand}, {ORDER})", size)
        elif place.memory:
            old = self._new(place.text, size)
            self._emit(f"{place.text} = {changes[item.name][1].format(old=old)};")
        else:
            old = self._new(self._register_value(place, size), size)
            self._set(place, size, changes[item.name][1].format(old=old))
        self._set_flag("c", f"({old} >> ({bit} % {width})) & 1")
        self._unknown("so")

    def _is_low(self, source: OperandReference, width: int) -> bool:
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
_METHODS = (
    dict.fromkeys((*_OPERATORS, "adc", "sbb", "cmp", "test"), "binary")
    | dict.fromkeys(("inc", "dec"), "step")
    | dict.fromkeys(("neg", "not"), "unary")
    | dict.fromkeys(("shl", "shr", "sar", "rol", "ror"), "shift")
    | dict.fromkeys(("bt", "bts", "btr", "btc"), "bit")
    | dict.fromkeys(("bsf", "bsr"), "scan")
    | {"set": "setcc"}
)
