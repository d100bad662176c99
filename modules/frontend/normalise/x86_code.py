"""The instructions in the template of an asm statement: x86, in the syntax of AT&T."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}
"""The suffixes of mnemonics → the size of the operands in bytes."""

CONDITIONS = {
    "e": "z", "z": "z", "ne": "!z", "nz": "!z", "c": "c", "b": "c", "nae": "c", "nc": "!c", "ae": "!c", "nb": "!c",
    "s": "s", "ns": "!s", "o": "o", "no": "!o", "a": "!c && !z", "nbe": "!c && !z", "be": "c || z", "na": "c || z",
    "l": "s != o", "nge": "s != o", "ge": "s == o", "nl": "s == o", "le": "z || s != o", "ng": "z || s != o",
    "g": "!z && s == o", "nle": "!z && s == o",
}  # fmt: skip
"""The conditions of set, cmov, j and of flag outputs → what they say of the flags zero, sign, carry and overflow."""

IDLE = frozenset({"nop", "pause", "mfence", "lfence", "sfence"})
"""Instructions that do nothing on a sequentially consistent machine."""

_PLAIN = frozenset({
    "mov", "add", "sub", "and", "or", "xor", "inc", "dec", "neg", "not", "adc", "sbb", "cmp", "test", "shl", "sal",
    "shr", "sar", "rol", "ror", "xchg", "xadd", "cmpxchg", "bt", "bts", "btr", "btc", "bsf", "bsr", "bswap",
})  # fmt: skip
_UNSIZED = IDLE | {"jmp", "ud2", "rdtsc", "cpuid"}
_COUNTS = {"jmp": 1, "inc": 1, "dec": 1, "neg": 1, "not": 1, "bswap": 1, "set": 1, "j": 1}
_LOCKABLE = frozenset({
    "add", "sub", "and", "or", "xor", "inc", "dec", "neg", "not", "adc", "sbb", "xchg", "xadd", "cmpxchg", "bts", "btr",
    "btc",
})  # fmt: skip
_PREFIXES = ("lock", "repne", "repnz", "repe", "repz", "rep", "xacquire", "xrelease", "data16")
_MODIFIERS = {"b": 1, "w": 2, "k": 4, "q": 8}
_FAMILIES = {letter: (f"{letter}l", f"{letter}x", f"e{letter}x", f"r{letter}x") for letter in "abcd"} | {
    letter.upper(): (f"{letter}il", f"{letter}i", f"e{letter}i", f"r{letter}i") for letter in "sd"
}
_REGISTERS = {
    name: (letter, 1 << place) for letter, names in _FAMILIES.items() for place, name in enumerate(names)
}  # name → its constraint and size

_SECTION = re.compile(r"\.(?:pushsection|section|subsection|text|data|previous|popsection)\b")
_DIRECTIVE = re.compile(
    r"\.(?:align|balign|p2align|globl|global|local|hidden|protected|internal|weak|type|size|cfi_\w+|loc|file|ident)\b"
)
_LABEL = re.compile(r"\s*((?:\.L)?[\w$]+)(?:%=)?\s*:")
_GIVEN = re.compile(r"%([a-zA-Z]?)(?:(\d+)|\[(\w+)\])")
_REGISTER = re.compile(r"%%?([a-z]+)")
_ADDRESS = re.compile(r"([-+\w]*)\((%[^,()]+)\)")
_SYMBOL = re.compile(r"([A-Za-z_]\w*)(?:\(%%?[re]ip\))?")
_FENCE = re.compile(
    r"(?:add|or)[lq]\s+\$(?:0|0x0)\s*,\s*(?:-?\d+)?\(%+[er]sp\)", re.IGNORECASE
)  # with a lock, the fence of processors without mfence


class NotUnderstoodError(Exception):
    """The instruction *text* is not supported."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True)
class Immediate:
    """``$value``."""

    value: int


@dataclass(frozen=True)
class OperandReference:
    """``%number``, an operand of the statement. size: that of its modifier, if it has one. high: the second byte."""

    number: int
    size: int | None = None
    high: bool = False


@dataclass(frozen=True)
class Register:
    """A register of its own. letter: its constraint."""

    letter: str
    size: int


@dataclass(frozen=True)
class Address:
    """``displacement(base)``."""

    base: OperandReference
    displacement: int


@dataclass(frozen=True)
class Symbol:
    """An object or a label of the program, by its name."""

    name: str


@dataclass(frozen=True)
class Target:
    """A label of the asm statement itself: the position of what it is before."""

    place: int


@dataclass(frozen=True)
class Exit:
    """``%l…``: the label with this number to which an asm goto jumps."""

    number: int


Operand = Immediate | OperandReference | Register | Address | Symbol | Target | Exit


@dataclass(frozen=True)
class Instruction:
    """name: without prefix, suffix and condition. size: that of the suffix. operands: the destination is the last.

    extend: for a move that extends, the size from which it does, and whether with the sign.
    """

    name: str
    text: str
    operands: tuple[Operand, ...] = ()
    size: int | None = None
    locked: bool = False
    condition: str = ""
    extend: tuple[int | None, bool] | None = None


def instructions(template: str, names: Sequence[str | None], labels: Sequence[str], hidden: int) -> list[Instruction]:
    """The instructions of *template* that may have an effect, in order; their `Target`s are positions in the list.

    names: the names of the operands. labels: where it may jump. hidden: the number of operands that are read and
    written, which labels come after. Raises NotUnderstoodError.
    """
    return _Reader(names, labels, hidden).read(template)


class _Reader:
    def __init__(self, names: Sequence[str | None], labels: Sequence[str], hidden: int) -> None:
        self._names = list(names)
        self._labels = list(labels)
        self._hidden = hidden

    def read(self, template: str) -> list[Instruction]:
        main, apart = _sections(_lines(template))
        lines: list[str] = []
        places: dict[str, list[int]] = {}
        self._scan(main, lines, places)
        if apart:
            end = f".Lend{len(lines)}"
            lines.append(f"jmp {end}")
            self._scan(apart, lines, places)
            places[end] = [len(lines)]
        return [self._instruction(line, at, places) for at, line in enumerate(lines)]

    def _scan(self, statements: list[str], lines: list[str], places: dict[str, list[int]]) -> None:
        """Add the instructions of *statements* to *lines*, and the positions of their labels to *places*."""
        for statement in statements:
            rest = statement
            while found := _LABEL.match(rest):
                places.setdefault(found.group(1), []).append(len(lines))
                rest = rest[found.end() :]
            if rest.strip():
                lines.append(rest.strip())

    def _instruction(self, line: str, at: int, places: dict[str, list[int]]) -> Instruction:
        words = line.split(None, 1)
        locked = False
        while words and words[0].lower() in _PREFIXES:
            locked = locked or words[0].lower() == "lock"
            words = words[1].split(None, 1) if len(words) > 1 else []
        if not words or _FENCE.fullmatch(" ".join(words)):
            return Instruction("mfence" if words and locked else "nop", line)
        name, size, condition, extend = _mnemonic(words[0].lower(), line)
        if name == "nop":
            return Instruction(name, line)
        texts = _split(words[1]) if len(words) > 1 else []
        jumps = name in ("j", "jmp")
        operands = tuple(self._jump(text, at, places, line) if jumps else self._operand(text, line) for text in texts)
        if name in ("shl", "shr", "sar", "rol", "ror") and len(operands) == 1:
            operands = (Immediate(1), *operands)
        if len(operands) != (0 if name in _UNSIZED - {"jmp"} else _COUNTS.get(name, 2)):
            raise NotUnderstoodError(line)
        if locked and name not in _LOCKABLE:
            raise NotUnderstoodError(line)
        return Instruction(name, line, operands, size, locked, condition, extend)

    def _jump(self, text: str, at: int, places: dict[str, list[int]], line: str) -> Operand:
        text = text.removesuffix("%=")
        if found := re.fullmatch(r"%l(?:(\d+)|\[(\w+)\])", text):
            number = int(found.group(1)) - len(self._names) - self._hidden if found.group(1) else None
            if number is None and found.group(2) in self._labels:
                number = self._labels.index(found.group(2))
            if number is None or not 0 <= number < len(self._labels):
                raise NotUnderstoodError(line)
            return Exit(number)
        if found := re.fullmatch(r"(\d+)([bf])", text):
            known = places.get(found.group(1), [])
            known = [place for place in known if (place <= at if found.group(2) == "b" else place > at)]
            if known:
                return Target(max(known) if found.group(2) == "b" else min(known))
        elif len(places.get(text, [])) == 1:
            return Target(places[text][0])
        raise NotUnderstoodError(line)

    def _operand(self, text: str, line: str) -> Operand:
        if text.startswith("$"):
            try:
                return Immediate(int(text[1:].strip("() "), 0))
            except ValueError:
                raise NotUnderstoodError(line) from None
        if found := _GIVEN.fullmatch(text):
            return self._given(found, line)
        if (found := _REGISTER.fullmatch(text)) and found.group(1) in _REGISTERS:
            return Register(*_REGISTERS[found.group(1)])
        if (found := _ADDRESS.fullmatch(text)) and (base := _GIVEN.fullmatch(found.group(2))):
            place = self._given(base, line)
            displacement = found.group(1)
            if isinstance(place, OperandReference) and re.fullmatch(
                r"[-+]?(?:0x[\da-f]+|\d+)?", displacement, re.IGNORECASE
            ):
                return Address(OperandReference(place.number), int(displacement or "0", 0))
        if found := _SYMBOL.fullmatch(text):
            return Symbol(found.group(1))
        raise NotUnderstoodError(line)

    def _given(self, found: re.Match[str], line: str) -> Operand:
        letter, number, name = found.groups()
        index = int(number or -1) if name is None else self._names.index(name) if name in self._names else -1
        if not 0 <= index < len(self._names):
            raise NotUnderstoodError(line)
        if letter in _MODIFIERS:
            return OperandReference(index, _MODIFIERS[letter])
        if letter == "h":
            return OperandReference(index, 1, high=True)
        if letter == "a":
            return Address(OperandReference(index), 0)
        if letter not in ("", "c", "P"):
            raise NotUnderstoodError(line)
        return OperandReference(index)


def _lines(template: str) -> Iterator[str]:
    """The statements of a template, without comments."""
    text = re.sub(r"\\(?:\r?\n|([abefnrtv\\\"']))", lambda found: _escape(found.group(1)), template)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"(?<!%)\{([^|{}]*)\|[^{}]*\}", r"\1", text)  # the dialect of AT&T
    for line in re.split(r"[\n;]", re.sub(r"#[^\n]*", "", text)):
        if line.strip():
            yield line.strip()


def _escape(letter: str | None) -> str:
    return {None: "", "n": "\n", "t": " ", "v": " ", "f": " ", "r": " "}.get(letter, letter or "")


def _sections(lines: Iterator[str]) -> tuple[list[str], list[str]]:
    """The statements that run one after the other, and those in another section of code, which are jumped to.

    What is in other sections is data about the code, such as the places of lock prefixes, or what it is patched with
    on another machine.
    """
    main: list[str] = []
    apart: list[str] = []
    ignored: list[str] = []
    stack = [main]
    pending: list[str] = []  # prefixes on a line of their own
    for text in lines:
        line = text
        while found := _LABEL.match(line):
            stack[-1].append(found.group())
            line = line[found.end() :].strip()
        if _SECTION.match(line):
            words = line.replace(",", " ").split()
            if words[0] in (".previous", ".popsection"):
                stack = stack[:-1] or [main]
            elif words[0] == ".text":
                stack = [main]
            else:
                code = words[0] == ".subsection" or (len(words) > 1 and words[1].startswith(".text"))
                stack.append(apart if code else ignored)
        elif line.lower() in _PREFIXES:
            pending.append(line)
        elif line and not _DIRECTIVE.match(line):
            stack[-1].append(" ".join([*pending, line]))
            pending = []
    main += pending
    return main, apart


def _split(text: str) -> list[str]:
    """The operands in *text*: commas in parentheses do not separate them."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", text)]


def _mnemonic(word: str, line: str) -> tuple[str, int | None, str, tuple[int | None, bool] | None]:
    """Name, size, condition and extension of the instruction *word*."""
    if word in ("nopw", "nopl"):
        return "nop", None, "", None
    if word in _PLAIN or word in _UNSIZED:
        return ("shl" if word == "sal" else word), None, "", None
    if word[:-1] in _PLAIN and word[-1] in SIZES:
        stem = word[:-1]
        return ("shl" if stem == "sal" else stem), SIZES[word[-1]], "", None
    if found := re.fullmatch(r"mov([zs])(x|[bwl])([wlq]?)", word):
        source = SIZES.get(found.group(2))
        return "movx", SIZES.get(found.group(3)), "", (source, found.group(1) == "s")
    if word.startswith("set") and word[3:] in CONDITIONS:
        return "set", 1, CONDITIONS[word[3:]], None
    if word.startswith("j") and word[1:] in CONDITIONS:
        return "j", None, CONDITIONS[word[1:]], None
    if word.startswith("cmov"):
        for size in (None, *SIZES):
            if word.endswith(size or "") and word[4 : len(word) - len(size or "")] in CONDITIONS:
                return "cmov", SIZES.get(size or ""), CONDITIONS[word[4 : len(word) - len(size or "")]], None
    raise NotUnderstoodError(line)
