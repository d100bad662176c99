"""Compare what CSeq makes of x86 assembly with what the processor does.

    python -m tests.differential.assembly --seed 1 --count 400

makes instructions of all widths, with operands in registers and in memory, and runs them. Then each result is an
assertion, which has to hold by CSeq, with each engine of --backends; and with one bit changed it has not. Prints the
programs that disagree, and exits with status 1 if there are any.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from cseq.api import verify
from cseq.model.verdict import Verdict

_TYPES = {"b": ("unsigned char", "char"), "w": ("unsigned short", "short"), "l": ("unsigned int", "int"),
          "q": ("unsigned long", "long")}  # fmt: skip
_BITS = {"b": 8, "w": 16, "l": 32, "q": 64}
_ALL = ("e", "ne", "c", "nc", "s", "ns", "o", "no", "a", "be", "l", "ge", "le", "g", "z", "nz", "b", "ae")
_FEW = ("e", "ne", "s", "ns", "o", "no", "l", "ge", "le", "g")  # without the carry
_CARRY = ("c", "nc", "b", "ae")


class Case:
    """One asm statement: its declarations, its text, and the variables that it changes."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.suffix = rng.choice("bwlq")
        self.type = rng.choice(_TYPES[self.suffix])
        kind = rng.choice((self._binary, self._binary, self._unary, self._exchange, self._bits, self._others))
        self.before: list[str] = []
        self.shown: list[str] = []
        self.text = kind()

    def _value(self) -> str:
        width = _BITS[self.suffix]
        values = (0, 1, -1, 1 << width - 1, (1 << width - 1) - 1, self._rng.getrandbits(width), self._rng.randrange(70))
        return f"({self.type}){self._rng.choice(values) & (1 << width) - 1}UL"

    def _declare(self, name: str, shown: bool = True) -> None:
        self.before.append(f"{self.type} {name} = {self._value()};")
        if shown:
            self.shown.append(name)

    def _flag(self, conditions: tuple[str, ...]) -> tuple[str, str]:
        """Text after the instruction that reads a flag, and an output for it; often none."""
        choice = self._rng.randrange(4)
        if choice == 0 or not conditions:
            return "", ""
        condition = self._rng.choice(conditions)
        self.before.append("unsigned char f = 7;")
        self.shown.append("f")
        if choice == 1:
            return "", f', "=@cc{condition}"(f)'
        return f"; set{condition} %[f]", ', [f] "=&qm"(f)' if choice == 2 else ', [f] "=&q"(f)'

    def _asm(self, template: str, flag: tuple[str, str], outputs: str, inputs: str = "") -> str:
        more, output = flag
        return f'asm volatile("{template}{more}" : {outputs}{output} : {inputs} : "memory", "cc");'

    def _lock(self) -> str:
        return self._rng.choice(("lock; ", "lock ", "", "\\n\\tlock\\n\\t"))

    def _binary(self) -> str:
        name = self._rng.choice(("add", "sub", "and", "or", "xor", "cmp", "test"))
        self._declare("d")
        source = self._rng.choice(("r", "i", "$"))
        flag = self._flag(_ALL)
        if source == "$":
            operand, inputs = f"${self._rng.choice((0, 1, 5, 127, -1, -128))}", ""
        elif source == "i":
            operand, inputs = "%[s]", f'[s] "i"({self._rng.choice((0, 1, 77, -3))})'
        else:
            self._declare("s", shown=False)
            operand, inputs = "%[s]", '[s] "q"(s)'
        where = self._rng.randrange(3)
        lock = self._lock() if name not in ("cmp", "test") and where == 0 else ""
        if where == 0:
            return self._asm(f"{lock}{name}{self.suffix} {operand}, %0", flag, '"+m"(d)', inputs)
        if where == 1:
            return self._asm(f"{name}{self.suffix} {operand}, %[d]", flag, '[d] "+&q"(d)', inputs)
        return self._asm(f"{name}{self.suffix} {operand}, (%[p])", flag, '"+m"(d)', ", ".join(
            item for item in ('[p] "r"(&d)', inputs) if item))  # fmt: skip

    def _unary(self) -> str:
        name = self._rng.choice(("inc", "dec", "neg", "not"))
        self._declare("d")
        flag = self._flag({"not": (), "neg": _ALL}.get(name, _FEW))
        if self._rng.random() < 0.5:
            return self._asm(f"{name}{self.suffix} %0", flag, '"+&q"(d)')
        return self._asm(f"{self._lock()}{name}{self.suffix} %0", flag, '"+m"(d)')

    def _exchange(self) -> str:
        name = self._rng.choice(("xchg", "xadd", "cmpxchg"))
        self._declare("m")
        self._declare("r")
        suffix = self._rng.choice((self.suffix, ""))
        if name == "xchg":
            lock = self._rng.choice(("", "lock; "))
            if self._rng.random() < 0.5:
                return self._asm(f"{lock}xchg{suffix} %0, %1", ("", ""), '"=r"(r), "+m"(m)', '"0"(r)')
            return self._asm(f"{lock}xchg{suffix} %[r], %[m]", ("", ""), '[m] "+m"(m), [r] "+r"(r)')
        lock = self._lock()
        if name == "xadd":
            flag = self._flag(_ALL)
            if self._rng.random() < 0.5:
                return self._asm(f"{lock}xadd{suffix} %0, %1", flag, '"=&r"(r), "=m"(m)', '"0"(r), "m"(m)')
            return self._asm(f"{lock}xadd{suffix} %0, %1", flag, '"+&r"(r), "+m"(m)')
        self._declare("a")
        if self._rng.random() < 0.4:
            self.before.append("a = m;")
        flag = self._flag(_ALL)
        if self._rng.random() < 0.5:
            return self._asm(f"{lock}cmpxchg{suffix} %[r], %[m]", flag, '"+a"(a), [m] "+m"(m)', '[r] "q"(r)')
        numbered = flag if "[f]" not in flag[1] else ("", "")
        if numbered != flag:
            self.shown.remove("f")
        place = 2 if not numbered[1] else 3
        return self._asm(f"{lock}cmpxchg{suffix} %{place}, %1", numbered, '"=a"(a), "=m"(m)', '"q"(r), "m"(m), "0"(a)')

    def _bits(self) -> str:
        if self.suffix == "b":
            self.suffix, self.type = "l", "unsigned int"
        name = self._rng.choice(("bt", "bts", "btr", "btc"))
        kind = _TYPES[self.suffix][1]
        at = self._rng.randrange(_BITS[self.suffix])
        self.before.append(f"{self.type} m[3] = {{ {self._value()}, {self._value()}, {self._value()} }};")
        self.shown += ["m[0]", "m[1]", "m[2]"]
        flag = self._flag(_CARRY)
        lock = self._lock() if name != "bt" else ""
        if self._rng.random() < 0.4:
            return self._asm(f"{lock}{name}{self.suffix} %[n], %0", flag, '"+m"(m[1])', f'[n] "Ir"({at}L)'.replace(
                "L)", f"+({kind})0)"))  # fmt: skip
        far = at + _BITS[self.suffix] * self._rng.choice((0, 0, 1, -1))
        self.before.append(f"{kind} n = {far};")
        return self._asm(f"{lock}{name}{self.suffix} %[n], %0", flag, '"+m"(m[1])', '[n] "r"(n)')

    def _others(self) -> str:
        name = self._rng.choice(
            ("shl", "shr", "sar", "rol", "ror", "mov", "movx", "cmov", "scan", "bswap", "adc", "loop")
        )
        if name in ("cmov", "scan", "bswap") and self.suffix in "bw":
            self.suffix, self.type = "l", "int"
        self._declare("d")
        none = ("", "")
        if name in ("shl", "shr", "sar", "rol", "ror"):
            distance = self._rng.choice(("$1", "$3", "$8", "%b[n]"))
            self.before.append(f"int n = {self._rng.randrange(70)};")
            place = self._rng.choice(("+q", "+m"))
            return self._asm(f"{name}{self.suffix} {distance}, %0", none, f'"{place}"(d)', '[n] "c"(n)')
        if name == "bswap":
            return self._asm(f"bswap{self.suffix} %0", none, '"+r"(d)')
        self._declare("s", shown=False)
        if name == "mov":
            target, source = self._rng.choice((("=q", "q"), ("=q", "m"), ("=m", "q"), ("=m", "i")))
            given = "5" if source == "i" else "s"
            return self._asm(f"mov{self.suffix} %1, %0", none, f'"{target}"(d)', f'"{source}"({given})')
        if name == "movx":
            self.before.append(f"unsigned char c = {self._rng.randrange(256)};\nunsigned long x = -1UL;")
            self.shown.append("x")
            letter = self._rng.choice("zs")
            return self._asm(f"mov{letter}bq %1, %0", none, '"=r"(x)', f'"{self._rng.choice("qm")}"(c)')
        if name == "cmov":
            template = f"cmp{self.suffix} %[s], %[d]; cmov{self._rng.choice(_ALL)}{self.suffix} %[s], %[d]"
            return self._asm(template, none, '[d] "+r"(d)', '[s] "r"(s)')
        if name == "scan":
            return self._asm(f"bs{self._rng.choice('fr')}{self.suffix} %[s], %0", self._flag(("z", "nz")), '"+&r"(d)',
                             f'[s] "r"(({self.type})(s | 1))')  # fmt: skip
        if name == "adc":
            operator = self._rng.choice(("adc", "sbb"))
            template = f"add{self.suffix} %[s], %[s2]; {self._lock()}{operator}{self.suffix} %[s], %[d]"
            self._declare("s2")
            return self._asm(template, self._flag(_ALL), '[d] "+m"(d), [s2] "+&q"(s2)', '[s] "q"(s)')
        template = f"1: add{self.suffix} $1, %0\\n\\tdecl %1\\n\\tjnz 1b\\n2:"
        self.before.append(f"int n = {self._rng.randrange(1, 4)};")
        return self._asm(template, none, '"+m"(d), "+r"(n)')


def program(seed: int, count: int) -> tuple[str, list[tuple[int, str]]]:
    """A C program that shows what *count* asm statements do, and (the number of the case, the value it shows)."""
    rng = random.Random(seed)
    functions, shown = [], []
    for number in range(count):
        case = Case(rng)
        body = "\n    ".join([*case.before, case.text, *(f"SHOW({number}, {name});" for name in case.shown)])
        functions.append(f"static void case{number}(void)\n{{\n    {body}\n}}\n")
        shown += [(number, name) for name in case.shown]
    calls = "\n    ".join(f"case{number}();" for number in range(count))
    return "\n".join([*functions, f"int main(void)\n{{\n    {calls}\n    return 0;\n}}\n"]), shown


_COMPILED = '#include <stdio.h>\n#define SHOW(number, value) printf("%lu\\n", (unsigned long)(value))\n'


def results(text: str, folder: Path) -> list[int]:
    """What the compiled program shows."""
    source = folder / "compiled.c"
    source.write_text(_COMPILED + text)
    subprocess.run(["cc", "-O1", "-w", "-o", folder / "compiled", source], check=True)
    shown = subprocess.run([folder / "compiled"], check=True, capture_output=True, text=True).stdout
    return [int(line) for line in shown.split()]


def claimed(text: str, values: list[int], wrong: int = -1) -> str:
    """The program with an assertion for each value; that at *wrong* has a bit changed."""
    head = "#include <assert.h>\n#define SHOW(number, value)\n"
    expected = iter(value ^ (at == wrong) for at, value in enumerate(values))
    lines = []
    for line in text.splitlines():
        if line.strip().startswith("SHOW("):
            shown = line.strip()[5:-2].split(", ", 1)[1]
            lines.append(f"    assert((unsigned long)({shown}) == {next(expected)}UL);")
        else:
            lines.append(line)
    return head + "\n".join(lines) + "\n"


def disagreements(seed: int, count: int, backend: str, folder: Path) -> list[str]:
    """What CSeq says otherwise than the processor about the program of *seed*."""
    text, shown = program(seed, count)
    values = results(text, folder)
    assert len(values) == len(shown)
    found = []
    for wrong in (-1, len(values) // 2):
        source = folder / f"seed{seed}_{backend}_{wrong}.c"
        source.write_text(claimed(text, values, wrong))
        options = {"unwind": 5} if backend == "cbmc" else {}
        outcome = verify([source], backend=backend, **options)
        if (outcome.verdict is Verdict.FALSE) != (wrong >= 0):
            found.append(f"{source}: {outcome.verdict} {outcome.message}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--size", type=int, default=40)
    parser.add_argument("--backends", nargs="+", default=["native"])
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    found = [
        item
        for seed in range(options.seed, options.seed + -(-options.count // options.size))
        for backend in options.backends
        for item in disagreements(seed, options.size, backend, folder)
    ]
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
