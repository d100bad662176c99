"""Compare expressions and statements of one thread in engines and in the compiled program.

    python -m tests.differential.arithmetic --seed 1 --count 200

prints each case of which an engine does not say what gcc's program does, and exits with status 1. A case has integers
of all types, floats, structs, unions, bit-fields, enumerations, arrays, pointers into them, and statements over these.
What is undefined or depends on the order of evaluation is not made, or taken out when the compiled program meets it.
"""

import random
import sys

from tests.differential.casts import vectors
from tests.differential.engines import Case, main

_INTEGERS = (
    "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
    "long long", "unsigned long long", "_Bool", "enum Natural", "enum Integer",
)  # fmt: skip
_FLOATS = ("float", "double")
_INPUTS = (*_INTEGERS[:12], "int", "int", "unsigned", "long long", *_FLOATS)
_CONSTANTS = ("0", "1", "-1", "2", "7", "-3", "255", "128", "65535", "0x7fffffff", "0x80000000", "4294967295u", "1L",
              "-1LL", "0x8000000000000000ull", "'a'", "'\\xff'", "sizeof(short)", "BIG", "LOW", "010")  # fmt: skip
_REALS = ("0.0", "1.5", "-2.5f", "1e9", "0.1f", "3", "1e300")
_HEAD = """\
#ifndef ARITHMETIC
#define ARITHMETIC
enum Natural { NONE, ONE, BIG = 200 };
enum Integer { LOW = -5, HIGH = 70000 };
struct Fields {
  unsigned a : 3; int b : 5; unsigned long long c : 37; signed char d : 4; _Bool e : 1; unsigned f : 32;
  long long g : 50;
};
struct Point { short x; int y; unsigned char z[3]; };
struct Nested { char tag; struct Point at; struct Point more[2]; double weight; };
union Word { unsigned whole; unsigned short half[2]; unsigned char byte[4]; int sign; float real; };
union Long { unsigned long long whole; unsigned word[2]; double real; signed char byte[8]; long long sign; };
static const char text[] = "ab\\0\\377z";
static const short table[5] = { 1, -2, 30000, -32768, 77 };
static int twice(int value) { return value * 2; }
static unsigned char narrow(long long value) { return value; }
static struct Point moved(struct Point p, int by)
{ p.x += by; p.y -= by; p.z[1] ^= by; return p; }
static float half(float value) { return value / 2; }
static void swap(int *a, int *b) { int c = *a; *a = *b; *b = c; }
#endif
"""
_LOCALS = """\
  int i = 3, j = -4, n = 0; unsigned u = 5; short s = -7; unsigned char c = 250; signed char d = -100; long l = 9;
  unsigned long ul = 10; long long ll = -11; unsigned long long ull = 12; _Bool b = 1; float f = 1.25f; double w = -3.5;
  enum Natural en = ONE; enum Integer ei = LOW;
  struct Fields t = { 5, -9, 0x1fffffffffull, 7, 1, 4000000000u, -123456789012ll };
  struct Point p = { -1, 2, { 3, 200, 5 } }, q = { 10, -20, { 1 } };
  struct Nested v = { 'x', { 1, 2, { 3 } }, { { 4, 5, { 6 } }, { 7, 8, { 9 } } }, 0.5 };
  union Word x = { 0x81020304u }; union Long y = { 0xfedcba9876543210ull };
  int a[6] = { 1, -2, 3, -4, 5, -6 }; short m[3][4] = { { 1, 2, 3, 4 }, { -5, -6, -7, -8 }, { 9, 10, 11, 12 } };
  unsigned char bytes[8] = { 1, 2, 3, 250, 5 }; int *r = a + 1, *e = &a[4]; short (*row)[4] = m;
"""
_PLACES = (
    ("i", "int"), ("j", "int"), ("u", "unsigned"), ("s", "short"), ("c", "unsigned char"), ("d", "signed char"),
    ("l", "long"),
    ("ul", "unsigned long"), ("ll", "long long"), ("ull", "unsigned long long"), ("b", "_Bool"), ("en", "enum Natural"),
    ("ei", "enum Integer"), ("t.a", "unsigned"), ("t.b", "int"), ("t.c", "unsigned long long"), ("t.d", "int"),
    ("t.e", "_Bool"), ("t.f", "unsigned"), ("t.g", "long long"), ("p.x", "short"), ("p.y", "int"),
    ("p.z[1]", "unsigned char"),
    ("q.z[INDEX2]", "unsigned char"), ("v.at.x", "short"), ("v.more[INDEX1].y", "int"), ("x.whole", "unsigned"),
    ("x.half[INDEX1]", "unsigned short"), ("x.byte[INDEX3]", "unsigned char"), ("x.sign", "int"),
    ("y.whole", "unsigned long long"), ("y.word[INDEX1]", "unsigned"), ("y.byte[INDEX7]", "signed char"),
    ("y.sign", "long long"),
    ("a[INDEX3]", "int"), ("m[INDEX1][INDEX3]", "short"), ("m[2][INDEX1]", "short"), ("bytes[INDEX7]", "unsigned char"),
    ("*r", "int"), ("r[INDEX3]", "int"), ("e[-1]", "int"), ("(*row)[INDEX3]", "short"), ("row[INDEX1][2]", "short"),
)  # fmt: skip
_KINDS = ("binary", "binary", "binary", "binary", "binary", "divide", "shift", "shift", "compare", "logic", "condition",
          "unary", "cast", "cast", "read", "real", "comma", "builtin")  # fmt: skip
_WIDE = ("t.c", "t.g")
_READ = ("text[INDEX3]", "table[INDEX3]", "\"hello\"[INDEX3]", "e - r", "r < e", "r == e", "(char *)e - (char *)r",
         "*(a + (INDEX3))", "&m[1][2] - &m[0][0]", "sizeof(struct Point)", "twice((short)(EXPR))", "narrow(EXPR)",
         "(p.z + 2)[-1]", "&a[INDEX3] > r", "moved(p, (signed char)(EXPR)).y", "v.more[INDEX1].z[0]",
         "(r + (INDEX3))[0]", "_Alignof(int)", "!text[INDEX3]", "(union Long){ .real = REAL }.word[1]",
         "(struct Fields){ .b = EXPR }.b", "(struct Point){ .y = EXPR }.y", "(int){ EXPR }")  # fmt: skip
_REAL_PLACES = ("f", "w", "v.weight", "y.real", "x.real")


class Arithmetic:
    """The text of one case."""

    def __init__(self, rng: random.Random, label: str) -> None:
        self._rng = rng
        self._label = label
        self.inputs = tuple((rng.choice(_INPUTS), f"in{number}") for number in range(rng.randint(2, 3)))
        self._integers = [name for kind, name in self.inputs if kind not in _FLOATS]
        self._reals = [name for kind, name in self.inputs if kind in _FLOATS]
        self._loops = 0

    def case(self) -> Case:
        """The case."""
        rng = self._rng
        lines = [f"  {self.statement(2)}\n" for _ in range(rng.randint(1, 3))]
        kind = rng.choice(("integer", "integer", "integer", "real", "state"))
        if kind == "integer":
            lines.append(f"  OUT(0, ({rng.choice(_INTEGERS[:12])})({self.integer(3)}));\n")
        elif kind == "real":
            lines.append(f"  {{ union Long out; out.real = {self.real(3)}; "
                         "OUT(0, out.real == out.real ? out.whole : 1); }\n")  # fmt: skip
        else:
            lines.append(f"  OUT(0, {self.place()[0]});\n")
        lines.append(
            "  OUT(1, i ^ j * 3 ^ (unsigned)s * 7 ^ c << 3 ^ d ^ (t.a | t.b << 3) ^ t.d << 8 ^ t.e << 13 ^ p.x ^ p.y"
            " ^ p.z[1] ^ q.z[0] ^ q.z[2] ^ x.whole ^ a[0] ^ a[1] ^ a[3] ^ m[0][1] ^ m[1][3] ^ m[2][0] ^ n"
            " ^ en ^ ei ^ (b << 20));\n"
        )
        lines.append(
            "  OUT(2, u ^ l ^ ul ^ ll ^ ull ^ t.c ^ (unsigned long long)t.g ^ t.f ^ y.whole ^ bytes[3] ^ bytes[7]"
            " ^ v.at.x ^ v.more[1].y ^ a[2] ^ a[4] ^ (unsigned long long)(e - r));\n"
        )
        lines.append("  OUT(3, (f < 1) | (w > 2) << 1 | (f == f) << 2 | (w != w) << 3 | (v.weight >= 0.5) << 4);\n")
        return Case(self._label, _HEAD, self.inputs, _LOCALS + "".join(lines), 4, vectors(rng, self.inputs))

    def place(self) -> tuple[str, str]:
        """An integer object and its type."""
        text, type_ = self._rng.choice(_PLACES)
        return self._indexed(text), type_

    def integer(self, depth: int) -> str:
        """An integer expression without effects."""
        rng = self._rng
        if depth <= 0 or rng.random() < 0.12:
            return self._leaf()
        match rng.choice(_KINDS):
            case "binary":
                return f"({self.integer(depth - 1)} {rng.choice('+-*&|^')} {self.integer(depth - 1)})"
            case "divide":
                return f"({self.integer(depth - 1)} {rng.choice('/%')} {self._divisor(depth - 1)})"
            case "shift":
                by = f"({self.integer(depth - 1)} & {rng.choice((7, 15, 31))})"
                return f"({self.integer(depth - 1)} {rng.choice(('<<', '>>'))} {by})"
            case "compare":
                relation = rng.choice(("<", "<=", ">", ">=", "==", "!="))
                if rng.random() < 0.25:
                    return f"({self.real(depth - 1)} {relation} {self.real(depth - 1)})"
                return f"({self.integer(depth - 1)} {relation} {self.integer(depth - 1)})"
            case "logic":
                return f"({self.integer(depth - 1)} {rng.choice(('&&', '||'))} {self.integer(depth - 1)})"
            case "condition":
                return f"({self.integer(depth - 1)} ? {self.integer(depth - 1)} : {self.integer(depth - 1)})"
            case "unary":
                return f"({rng.choice('-~!+')} {self._leaf() if rng.random() < 0.3 else self.integer(depth - 1)})"
            case "cast":
                return f"({rng.choice(_INTEGERS)})({self.integer(depth - 1)})"
            case "real":
                return f"({rng.choice(_INTEGERS[:12])})({self.real(depth - 1)})"
            case "comma":
                return f"({self.integer(depth - 1)}, {self.integer(depth - 1)})"
            case "builtin":
                return self._indexed(
                    rng.choice(("(memcmp(bytes, text, 3) < 0)", "(int)strlen(text)", "abs((short)(EXPR))"))
                )
        text = rng.choice(_READ)
        return f"({self._filled(text, depth - 1)})"

    def real(self, depth: int) -> str:
        """A floating expression without effects."""
        rng = self._rng
        if depth <= 0 or rng.random() < 0.2:
            return rng.choice((*_REALS, *_REAL_PLACES[:3], *self._reals, *self._reals, *self._reals))
        match rng.choice(("binary", "binary", "integer", "integer", "cast", "condition", "minus", "call")):
            case "binary":
                return f"({self.real(depth - 1)} {rng.choice('+-*')} {self.real(depth - 1)})"
            case "integer":
                return f"({rng.choice(_FLOATS)})({self.integer(depth - 1)})"
            case "cast":
                return f"({rng.choice(_FLOATS)})({self.real(depth - 1)})"
            case "condition":
                return f"({self.integer(depth - 1)} ? {self.real(depth - 1)} : {self.real(depth - 1)})"
            case "minus":
                return f"(- {self.real(depth - 1)})"
        return f"half({self.real(depth - 1)})"

    def statement(self, depth: int) -> str:
        """A statement; loops end after a few iterations."""
        rng = self._rng
        if depth <= 0:
            return self._assignment()
        match rng.choice(
            ("assignment",) * 4 + ("if", "switch", "for", "while", "step", "copy", "real", "struct", "pointer")
        ):
            case "if":
                return (
                    f"if ({self.integer(2)}) {{ {self.statement(depth - 1)} }} else {{ {self.statement(depth - 1)} }}"
                )
            case "switch":
                cases = " ".join(
                    f"case {value}: {self.statement(depth - 1)} {rng.choice(('break;', 'break;', ''))}"
                    for value in rng.sample(("0", "1", "-1", "2 ... 5", "BIG", "'a'"), 3)
                )
                return f"switch ({self.integer(1)}) {{ {cases} default: {self.statement(depth - 1)} }}"
            case "for":
                self._loops += 1
                name = f"k{self._loops}"
                leave = f"if ({self.integer(1)}) {rng.choice(('break', 'continue'))};" if rng.random() < 0.4 else ""
                head = f"for (int {name} = 0; {name} < {rng.randint(1, 3)}; {name}++)"
                return f"{head} {{ {leave} a[{name}] += {name}; {self._assignment()} }}"
            case "while":
                return f"n = 0; while (n++ < {rng.randint(1, 3)} && ({self.integer(1)})) {{ {self._assignment()} }}"
            case "step":
                return (
                    f"{rng.choice(('++', '--'))}{self.place()[0]};"
                    if rng.random() < 0.5
                    else f"{self.place()[0]}{rng.choice(('++', '--'))};"
                )
            case "copy":
                return rng.choice((
                    "memcpy(bytes, &p, sizeof bytes);", f"memset(bytes + 2, {self.integer(1)}, 4);", "q = p;",
                    "memmove(bytes + 1, bytes, 5);", "v.at = q; p = v.more[1];",
                    f"memcpy(&y, &{rng.choice(('ll', 'ull', 'w'))}, 8);", "memset(&t, 0, sizeof t);",
                    "memcpy(m[1], m[0], sizeof m[0]);", "v.more[0] = moved(p, 3);", "x = (union Word){ u };",
                    "memset(a, -1, sizeof a);", "memcpy(&u, &f, 4);", "swap(&i, &a[2]);", "swap(r, e);",
                ))  # fmt: skip
            case "real":
                place = rng.choice(_REAL_PLACES[:3])
                return f"{place} {rng.choice(('=', '+=', '*=', '-='))} {self.real(2)};"
            case "struct":
                return self._indexed(rng.choice((
                    "{ struct Point o = p; o.x = EXPR; q = o; }",
                    "{ struct Point *o = &v.more[INDEX1]; o->y = EXPR; o->z[1]++; }",
                    "{ union Word o = x; o.half[0] = EXPR; x = o; }",
                    "{ struct Fields o = t, *k = &o; k->b = EXPR; t = *k; }",
                    "{ struct Nested o = v, *k = &o; k->more[0] = k->more[1]; k->more[1].y += EXPR; v = *k; }",
                )))  # fmt: skip
            case "pointer":
                return self._indexed(rng.choice((
                    "r++; e--;", "r = &a[INDEX1]; e = r + 2;", "row = &m[1]; (*row)[INDEX3] = 9;",
                    "{ unsigned char *o = (unsigned char *)&x; o[INDEX3] ^= EXPR; }",
                    "{ char *o = (char *)a; o += 4; *(int *)o = EXPR; }",
                    "{ int **o = &r; **o = EXPR; (*o)++; e = *o + 1; }",
                    "{ const char *o = text + (INDEX3); i = *o; }",
                    "{ unsigned char *o = bytes; while (*o && o < bytes + 7) o++; j = o - bytes; }",
                    "r = EXPR ? a + 1 : a + 2; e = r + 1;",
                )))  # fmt: skip
        return self._assignment()

    def _assignment(self) -> str:
        rng = self._rng
        place, type_ = self.place()
        operator = rng.choice(("=", "=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="))
        value = self.integer(2)
        if place in _WIDE and operator in ("/=", "%="):
            operator = "="
        if operator in ("<<=", ">>="):
            value = f"({value}) & 7"
        elif operator in ("/=", "%="):
            value = self._divisor(1)
        elif operator in ("=", "+=") and rng.random() < 0.1:
            value = self.real(1)
        if type_ == "_Bool" and operator == "=" and rng.random() < 0.5:
            return f"{place} = {self.integer(2)} {rng.choice(('<', '!='))} {self.integer(1)};"
        return f"{place} {operator} {value};"

    def _divisor(self, depth: int) -> str:
        return f"(({self.integer(depth)}) {self._rng.choice(('| 1', '& 15 | 1', '| 8'))})"

    def _leaf(self) -> str:
        rng = self._rng
        match rng.choice(("input", "input", "input", "place", "place", "constant")):
            case "input" if self._integers:
                return rng.choice(self._integers)
            case "constant":
                return rng.choice(_CONSTANTS)
        place, type_ = self.place()
        # To gcc a bit-field that is wider than int has a type of its own; to others, that of its declaration.
        return f"({type_}){place}" if place in _WIDE else place

    def _indexed(self, text: str) -> str:
        return self._filled(text, 1)

    def _filled(self, text: str, depth: int) -> str:
        """*text* with expressions for its words in capitals."""
        rng = self._rng
        index = rng.choice((*self._integers, "1", "2", "j", "u", "c"))
        for number in "1237":
            text = text.replace(f"INDEX{number}", f"(unsigned){index} {'% 3' if number == '2' else '& ' + number}")
        if "EXPR" in text:
            text = text.replace("EXPR", self.integer(depth))
        return text.replace("REAL", self.real(0)) if "REAL" in text else text


def make(seed: str, label: str) -> Case:
    """The case of a seed."""
    return Arithmetic(random.Random(f"arithmetic/{seed}"), label).case()


if __name__ == "__main__":
    sys.exit(main(make, (__doc__ or "").splitlines()[0]))
