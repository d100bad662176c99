"""Compare casts between integers and pointers in engines and in the compiled program.

    python -m tests.differential.casts --seed 1 --count 200

prints each case of which an engine does not say what gcc's program does, and exits with status 1. The values pass
through integers and pointers of all kinds, directly, by conditions, arguments, members, elements, unions and memory.
"""

import random
import sys

from tests.differential.engines import Case, main

INTEGERS = (
    "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
    "long long", "unsigned long long", "_Bool", "intptr_t", "uintptr_t", "size_t", "ptrdiff_t", "enum E",
)  # fmt: skip
POINTERS = ("void *", "char *", "int *", "struct R *", "void **", "const void *", "volatile char *", "int (*)(void)")
_INPUTS = ("signed char", "short", "int", "long", "long long", "unsigned char", "unsigned short", "unsigned",
           "unsigned long", "_Bool", "char", "double")  # fmt: skip
_CONSTANTS = ("-1", "0", "1", "-2", "255", "127", "-128", "0x80000000u", "0xffffffffu", "-1L", "-1LL", "1ul", "65535",
              "0x7fffffff", "sizeof(int)", "(short)-3", "(char)-1")  # fmt: skip
_VALUES = {
    "char": ("-1", "0", "1", "127", "-128", "-5"),
    "short": ("-1", "0", "1", "32767", "-32767-1", "-300"),
    "int": ("-1", "0", "1", "2147483647", "-2147483647-1", "-70000", "12345"),
    "long": ("-1", "0", "1", "2147483647", "-2147483647-1", "-2", "(long)0x123456789abcll", "(long)-0x123456789all"),
    "long long": ("-1", "0", "1", "9223372036854775807ll", "-9223372036854775807ll-1", "-2", "-0x123456789all",
                  "0x180000000ll"),
    "unsigned char": ("255", "0", "1", "128"),
    "unsigned short": ("65535", "0", "1", "32768"),
    "unsigned": ("4294967295u", "0", "1", "2147483648u", "70000"),
    "unsigned long": ("-1ul", "0", "1", "2147483648u", "(unsigned long)0xfedcba987654ull"),
    "unsigned long long": ("-1ull", "0", "1", "9223372036854775808ull", "0x180000000ull"),
    "_Bool": ("0", "1"),
    "float": ("0.0f", "1.0f", "-1.0f", "0.5f", "-2.75f", "1e10f", "16777217.0f", "3.4e38f", "1e-40f",
              "0.0f/0.0f", "1.0f/0.0f", "-1.0f/0.0f", "100.25f", "-2147483648.0f"),
    "double": ("0.0", "1.0", "-1.0", "0.5", "-2.75", "1e10", "9007199254740993.0", "1.7e308", "4.9e-324",
               "0.0/0.0", "1.0/0.0", "-1.0/0.0", "100.1", "-2147483648.0", "4294967295.0"),
}  # fmt: skip
_VALUES["signed char"] = _VALUES["char"]
_VECTORS = 3

_HEAD = """\
#ifndef CASTS
#define CASTS
enum E {{ N = -2, P = 3 }};
struct R {{ char c; int i; }};
struct F {{ signed char : 0; int s : 5; unsigned u : 5; long w : 20; }};
int objects[4] = {{ 11, 22, 33, 44 }};
#endif
"""


def vectors(
    rng: random.Random, inputs: tuple[tuple[str, str], ...], count: int = _VECTORS
) -> tuple[tuple[str, ...], ...]:
    """Some values for the *inputs*."""
    return tuple(tuple(rng.choice(_VALUES[kind]) for kind, _ in inputs) for _ in range(count))


class Casts:
    """The text of one case."""

    def __init__(self, rng: random.Random, label: str) -> None:
        self._rng = rng
        self._label = label
        self._helpers: list[str] = []
        kinds = [rng.choice(_INPUTS) for _ in range(rng.randint(1, 3))]
        self.inputs = (*((kind, f"a{number}") for number, kind in enumerate(kinds)), ("unsigned char", "at"))

    def case(self) -> Case:
        """The case."""
        rng = self._rng
        lines = []
        outputs = rng.randint(1, 3)
        for number in range(outputs):
            kind = rng.choice(("integer", "integer", "pointer", "pointer", "pointer", "object"))
            if kind == "object":
                lines.append(f"  OUT({number}, {self._of_object()});\n")
                continue
            depth = rng.randint(1, 4)
            if kind == "pointer":
                type_ = rng.choice(POINTERS)
                lines.append(f"  {_declared(type_, f'p{number}')} = {self.pointer(type_, depth)};\n")
                lines.append(f"  OUT({number}, {self._seen(type_, f'p{number}')});\n")
            else:
                lines.append(f"  OUT({number}, {self.integer(rng.choice(INTEGERS), depth)});\n")
        before = _HEAD.format() + "".join(self._helpers)
        return Case(self._label, before, self.inputs, "".join(lines), outputs, vectors(rng, self.inputs))

    def integer(self, type_: str, depth: int) -> str:
        """An expression that is converted to the integer *type_*."""
        rng = self._rng
        if depth <= 0:
            return f"({type_})({self._leaf()})"
        match rng.choice(
            ("integer", "pointer", "pointer", "pointer", "condition", "via", "operator", "compare", "field")
        ):
            case "integer":
                return f"({type_})({self.integer(rng.choice(INTEGERS), depth - 1)})"
            case "pointer":
                return f"({type_})({self.pointer(rng.choice(POINTERS), depth - 1)})"
            case "condition":
                return (
                    f"({type_})(({self._leaf()}) ? {self.integer(rng.choice(INTEGERS), depth - 1)}"
                    f" : {self.integer(rng.choice(INTEGERS), depth - 1)})"
                )
            case "via":
                return self._via(type_, self.integer(type_, depth - 1))
            case "operator":
                operator = rng.choice("+-&|^")
                return (
                    f"({type_})({self.integer(rng.choice(INTEGERS), depth - 1)} {operator} "
                    f"{self.integer(rng.choice(INTEGERS), depth - 1)})"
                )
            case "field":
                field = rng.choice("suw")
                return f"({type_})(((struct F){{ .{field} = {self.integer('int', depth - 1)} }}).{field})"
        one = rng.choice(POINTERS)
        left = self.pointer(one, depth - 1)
        return f"({type_})({left} {rng.choice(('==', '!='))} {self.pointer(one, depth - 1)})"

    def pointer(self, type_: str, depth: int) -> str:
        """An expression that is converted to the pointer *type_*."""
        rng = self._rng
        if depth <= 0:
            return f"({type_})({self._leaf()})"
        match rng.choice(("integer", "integer", "integer", "pointer", "condition", "via", "memory")):
            case "integer":
                return f"({type_})({self.integer(rng.choice(INTEGERS), depth - 1)})"
            case "pointer":
                return f"({type_})({self.pointer(rng.choice(POINTERS), depth - 1)})"
            case "condition":
                return f"(({self._leaf()}) ? {self.pointer(type_, depth - 1)} : {self.pointer(type_, depth - 1)})"
            case "via":
                return self._via(type_, self.pointer(type_, depth - 1))
        return self._through_memory(type_, self.integer(rng.choice(("long", "unsigned long", "intptr_t")), depth - 1))

    def _leaf(self) -> str:
        if self._rng.random() < 0.2:
            return self._rng.choice(_CONSTANTS)
        kind, name = self._rng.choice(self.inputs[:-1])
        return f"(long){name}" if kind == "double" else name

    def _helper(self, text: str) -> str:
        name = f"h{self._label}_{len(self._helpers)}"
        self._helpers.append(text.replace("NAME", name) + "\n")
        return name

    def _via(self, type_: str, value: str) -> str:
        x, m, a = _declared(type_, "x"), _declared(type_, "m"), _declared(type_, "a[3]")
        body = self._rng.choice((
            "return x;",
            f"struct {{ char c; {m}; }} s; s.m = x; return s.m;",
            f"union {{ {m}; char c[8]; }} u; u.m = x; return u.m;",
            f"{a}; a[at % 3] = x; return a[at % 3];",
            f"static {m}; m = x; return m;",
            f"{m}; memcpy(&m, &x, sizeof x); return m;",
            f"struct S {{ {m}; int n; }} s, t[2]; s.m = x; t[at & 1] = s; return t[at & 1].m;",
        ))  # fmt: skip
        head = _declared(type_, f"NAME({x}, unsigned char at)")
        return f"{self._helper(f'static {head} {{ {body} }}')}({value}, at)"

    def _through_memory(self, type_: str, value: str) -> str:
        returned = _declared(type_, "NAME(long x)")
        m = _declared(type_, "m")
        body = self._rng.choice((
            f"union {{ long l; {m}; }} u; u.l = x; return u.m;",
            f"{m}; memcpy(&m, &x, sizeof m); return m;",
            f"void *m = (void *)x; return ({type_})*(void **)&m;",
        ))  # fmt: skip
        return f"{self._helper(f'static {returned} {{ {body} }}')}({value})"

    def _seen(self, type_: str, name: str) -> str:
        rng = self._rng
        match rng.choice(("integer", "integer", "integer", "equal", "null", "condition", "negative")):
            case "integer":
                return f"({rng.choice(INTEGERS)}){name}"
            case "equal":
                return f"{name} == ({type_}){self.integer(rng.choice(INTEGERS), 1)}"
            case "null":
                return rng.choice((f"!{name}", f"{name} != 0", f"0 == {name}"))
            case "condition":
                return f"{name} ? {rng.choice(_CONSTANTS)} : {self._leaf()}"
        return f"(long){name} < 0"

    def _of_object(self) -> str:
        """What becomes of the address of an object, which is another one in each program."""
        rng = self._rng
        text, type_ = f"&objects[at & {rng.choice((1, 3))}]", "int *"
        tag = ""
        for _ in range(rng.randint(1, 4)):
            match rng.choice(("pointer", "integer", "via", "tag", "condition")):
                case "pointer":
                    type_ = rng.choice(POINTERS[:-1])
                    text = f"(({type_})({text}))"
                case "integer":
                    type_ = rng.choice(("intptr_t", "uintptr_t", "long", "unsigned long", "size_t"))
                    text = f"(({type_})({text}))"
                case "via":
                    text = self._via(type_, text)
                case "tag":
                    number = rng.choice("123")
                    text = f"((uintptr_t)({text}) | {number})"
                    tag = rng.choice((f" & ~(uintptr_t){number}", f" - {number}", f" ^ {number}"))
                    if rng.random() < 0.3:
                        return f"({text} & 3) == {number}"
                    text = f"({text}{tag})"
                    type_ = "uintptr_t"
                case _:
                    text = f"({self._leaf()} ? {text} : ({type_})({text}))"
        return rng.choice((
            f"*(int *)({text})",
            f"(int *)({text}) - objects",
            f"({text}) == ({type_})&objects[1]",
            f"({text}) == ({type_})(objects + (at & 3))",
            f"((uintptr_t)({text}) & 3)",
            f"(intptr_t)({text}) - (intptr_t)objects",
            f"(int *)({text}) < &objects[2]",
            f"({text}) ? 1 : 2",
        ))  # fmt: skip


def _declared(type_: str, name: str) -> str:
    """The declaration of *name*, which may be that of an array or a function."""
    return f"int (*{name})(void)" if "(*)" in type_ else f"{type_}{'' if type_.endswith('*') else ' '}{name}"


def make(seed: str, label: str) -> Case:
    """The case of a seed."""
    return Casts(random.Random(f"casts/{seed}"), label).case()


if __name__ == "__main__":
    sys.exit(main(make, (__doc__ or "").splitlines()[0]))
