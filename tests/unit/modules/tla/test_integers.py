"""Arithmetic in `tla/CIntegers.tla`, as the compiler has it."""

import random
from itertools import product

from cseq.modules.tla.numbers import number

TYPES = {
    "Int8": "signed char",
    "UInt8": "unsigned char",
    "Int16": "short",
    "UInt16": "unsigned short",
    "Int32": "int",
    "UInt32": "unsigned int",
    "Int64": "long",
    "UInt64": "unsigned long",
    "Bool": "_Bool",
}
PROMOTED = ("Int32", "UInt32", "Int64", "UInt64")
BINARY = {
    "Plus": "a + b",
    "Minus": "a - b",
    "Times": "a * b",
    "Quotient": "a / b",
    "Remainder": "a % b",
    "BitAnd": "a & b",
    "BitOr": "a | b",
    "BitXor": "a ^ b",
}
SHIFTS = {"ShiftLeft": "a << b", "ShiftRight": "a >> b"}
UNARY = {"Complement": "~a", "Negated": "-a"}
COMPARISONS = {"Less": "a < b", "LessEqual": "a <= b", "Same": "a == b"}
BOUNDARIES = (0, 1, 7, 46341, 2**15, 2**16 - 1, 2**30, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**47 + 12345, 2**63 - 1)
DISTANCES = (0, 1, 15, 16, 17, 30, 31, 32, 33, 47, 48, 63, 64, -1)

Group = tuple[str, str, list[tuple[int, int]]]
"""The name of an operator, a kind, and pairs of operands."""


def _wrapped(value: int, kind: str) -> int:
    bits = int(kind.lstrip("UInt"))
    value %= 2**bits
    return value - 2**bits if kind.startswith("I") and value >= 2 ** (bits - 1) else value


def _values(kind: str) -> list[int]:
    return sorted({_wrapped(sign * one, kind) for one in (*BOUNDARIES, 2**63) for sign in (1, -1)})


def _groups() -> list[Group]:
    chosen = random.Random(18)

    def pairs(kind: str) -> list[tuple[int, int]]:
        ends = chosen.sample(list(product(_values(kind), repeat=2)), 150)
        others = [[_wrapped(chosen.getrandbits(chosen.randint(1, 64)), kind) for _ in "ab"] for _ in range(100)]
        return ends + [(left, right) for left, right in others]

    groups = [(name, kind, pairs(kind)) for name, kind in product({**BINARY, **COMPARISONS}, PROMOTED)]
    groups += [(name, kind, list(product(_values(kind), DISTANCES))) for name, kind in product(SHIFTS, PROMOTED)]
    groups += [(name, kind, [(one, 0) for one in _values(kind)]) for name, kind in product(UNARY, PROMOTED)]
    everything = sorted({one for kind in PROMOTED for one in _values(kind)})
    groups += [("Convert", kind, [(one, 0) for one in everything]) for kind in TYPES]
    return [(name, kind, [pair for pair in pairs if not _traps(name, kind, *pair)]) for name, kind, pairs in groups]


def _traps(name: str, kind: str, left: int, right: int) -> bool:
    least = kind in ("Int32", "Int64") and left == _wrapped(-(2 ** (int(kind[3:]) - 1)), kind)
    return name in ("Quotient", "Remainder") and (right == 0 or (least and right == -1))


def _program(groups: list[Group]) -> str:
    """A program that prints the results of each group on a line."""
    operations = {**BINARY, **SHIFTS, **UNARY, **COMPARISONS, "Convert": "a"}
    lines = ["int printf(const char *, ...);"]
    for at, (name, kind, pairs) in enumerate(groups):
        operand = "__int128" if name == "Convert" else TYPES[kind]
        result = "int" if name in COMPARISONS else TYPES[kind]
        wanted = ", ".join(f"{_literal(left)}, {_literal(right)}" for left, right in pairs)
        lines += [
            f"static __int128 operands{at}[] = {{{wanted}}};",
            f"static void group{at}(void)",
            "{",
            f"  for (int i = 0; i < {len(pairs)}; i++) {{",
            f"    volatile {operand} a = operands{at}[2 * i];",
            f"    volatile {'int' if name in SHIFTS else operand} b = operands{at}[2 * i + 1];",
            f"    {result} value = {operations[name]};",
            f'    printf("{"%lu" if result.startswith("unsigned") else "%ld"} ", ({_long(result)})value);',
            "  }",
            '  printf("\\n");',
            "}",
        ]
    return "\n".join([*lines, "int main(void)", "{", *(f"  group{at}();" for at in range(len(groups))), "}", ""])


def _literal(value: int) -> str:
    return f"{value}UL" if value >= 0 else f"-(__int128){-value}UL"


def _long(name: str) -> str:
    return "unsigned long" if name.startswith("unsigned") else "long"


def _wrong(name: str, kind: str, pairs: list[tuple[int, int]], expected: list[int]) -> str:
    """An expression for the set of the cases in which the operator gives another value."""
    cases = [(*pair, one) for pair, one in zip(pairs, expected, strict=True)]
    texts = ", ".join(f"<<{', '.join(map(number, case))}>>" for case in cases)
    if name in COMPARISONS:
        holds = f"{name}(c[i][1], c[i][2]) = (c[i][3] = 1)"
    else:
        operands = "c[i][1]" if name in UNARY or name == "Convert" else "c[i][1], c[i][2]"
        holds = f"Same({name}({kind}, {operands}), c[i][3])"
    return f"LET c == <<{texts}>> IN {{c[i] : i \\in {{j \\in DOMAIN c : LET i == j IN ~({holds})}}}}"


def test_results_are_those_of_the_compiler(compiler, evaluated):
    groups = _groups()
    printed = compiler.run(_program(groups)).splitlines()
    assert sum(len(pairs) for _, _, pairs in groups) > 10_000
    results = [[int(word) for word in line.split()] for line in printed]
    wrong = [_wrong(*group, expected) for group, expected in zip(groups, results, strict=True)]
    traps = [f"{name}({kind}, Min({kind}), -1)" for name in ("Quotient", "Remainder") for kind in ("Int32", "Int64")]
    found = evaluated("Layouts == [x |-> 0]", wrong + traps)
    assert {group[:2]: text for group, text in zip(groups, found, strict=False) if text != "{}"} == {}
    assert found[len(groups) :] == ["-2147483648", "<<1, 1, 1, 1>>", "0", "0"], (
        "those that the processor traps wrap around"
    )
