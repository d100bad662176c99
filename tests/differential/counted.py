"""Compare what random loops that count do before and behind the unroller.

    python -m tests.differential.counted --seed 1 --count 300

prints each loop that is another one behind the unroller, and exits with status 1. The counters have all types, and
begin, end and step wherever they like, in particular at the ends of their types; what a loop does is the list of
numbers that it shows. One that the unroller does not cut off has to show all of them; one that it cuts off the first,
and it has to have more.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.differential import control

UNWIND = 6
LONG = 100  # iterations, more than the unroller ever makes of a loop; one that has as many is stopped

_TYPES = (
    "int", "unsigned", "char", "signed char", "unsigned char", "short", "unsigned short", "long", "unsigned long",
    "long long", "unsigned long long", "_Bool", "float", "double", "enum natural", "enum integer",
)  # fmt: skip
_SMALL = ("0", "1", "2", "3", "5", "-1", "-2", "3u", "0u")
_LARGE = (
    "7", "100", "127", "128", "126", "255", "256", "254", "32767", "32766", "65535", "2147483647", "2147483646",
    "2147483648", "4294967295u", "4294967294", "-3", "'a'", "E", "N", "3L", "5ul", "0x7fffffffffffffff",
    "-2147483647-1", "2.5", "(char)200", "(unsigned char)3", "sizeof(int)", "10-7", "~0", "~0u", "(short)70000",
)  # fmt: skip
_ENDS = {
    "char": 127, "signed char": 127, "unsigned char": 255, "short": 32767, "unsigned short": 65535, "int": 2147483647,
    "unsigned": 4294967295, "_Bool": 1, "long": 9223372036854775804,
}  # fmt: skip
_STEPS = (
    "i++", "i--", "i += 1", "i -= 1", "i += 2", "i -= 3", "i = i + 1", "i += 1u", "i -= 1u", "i += -1", "i = i - 1L",
    "++i", "i += 1.5", "i += 100", "i -= 50", "i = 1 + i", "i += 2147483647", "i = i + 4294967295u",
    "i *= 2", "i = i * 3 + 1", "i /= 2", "i = (int)i << 1", "i = (int)i >> 1", "i = 7 - i", "i = -i", "i = ~(int)i",
    "i = (int)i % 3 + 1", "i = (signed char)(i + 1)", "i += k", "i = i + 1 + (i == 1)", "i = i < 3 ? i + 1 : i + 2",
    "i++, k++", "i = (int)i ^ 5", "i += (int)sizeof(short)", "k ? i++ : (i += 2)",
)  # fmt: skip
_INSIDE = (
    "", "", "", "if (n == 1) i++;", "{ int *p = 0; if (p) i = 3; }", "{ typeof(i) *p = &i; if (n == 2) *p = 1; }",
    "if (i == 2) JUMP;", "if (i > 1u) show(77);", "show(i - 1 > 2u);", "show(-i < 2);", "show(i * 2 + sizeof(i));",
    "show(i / 2 - 1 > sizeof(char));", "if (n == 2) goto end;", "if (i) { show(3); } else if (i - 1 < 0u) show(4);",
    "switch ((int)i) { case 1: show(5); break; default: if (n == 3) i = 0; }",
    "if (n > 3) JUMP;", "k = n;", "for (int j = 0; j < n && j < 4; j++) show(j);",
    "for (int j = (int)i & 3; j < 3; j++) show(j);",
    "{ int j = 2; while (j-- > 0) { if (j == k) JUMP; show(j); } }", "if (z) JUMP;", "if (n == 2) i = z;",
    "{ short s = i; unsigned u = i; show(s); show(u); show(u / 3); show(s < u); }", "show((char)i * 3 - k);",
)  # fmt: skip
_FORMS = (
    ("continue", "for (i = START; i OP LIMIT; STEP) { CUT n++; show(i); INSIDE end: ; }"),
    ("continue", "for (i = START; i OP LIMIT; STEP) { CUT n++; show(i); INSIDE if (z) goto end; } end: ;"),
    ("continue", "for (i = START; LIMIT OP i; STEP) { CUT n++; show(i); INSIDE end: ; }"),
    ("break", "i = START; while (i OP LIMIT) { CUT n++; show(i); INSIDE end: STEP; }"),
    ("break", "i = START; do { CUT n++; show(i); INSIDE end: STEP; } while (i OP LIMIT);"),
    ("break", "i = START; while (i-- OP LIMIT) { CUT n++; show(i); INSIDE end: ; }"),
    ("break", "i = START; while (++i OP LIMIT) { CUT n++; show(i); INSIDE end: ; }"),
    ("break", "i = START; for (;;) { CUT n++; show(i); if (!(i OP LIMIT)) break; INSIDE end: STEP; }"),
    ("break", "i = START; for (; i OP LIMIT && n < 9;) { CUT n++; show(i); INSIDE end: STEP; }"),
    ("break", "i = START; for (; n < 3 || i OP LIMIT;) { CUT n++; show(i); INSIDE end: STEP; }"),
    ("return", "i = START; again: CUT n++; show(i); INSIDE end: STEP; if (i OP LIMIT) goto again;"),
    ("continue", "i = START; if (!z) goto in; for (; i OP LIMIT; STEP) { in: CUT n++; show(i); INSIDE end: ; }"),
    ("continue", "i = START; n = z; if (!n) i = 1; for (; i OP LIMIT; STEP) { CUT n++; show(i); INSIDE end: ; }"),
    ("continue", "i = START; if (z) { back: i = 1; } for (; i OP LIMIT; STEP) { CUT n++; show(i); INSIDE end: ; } "
     "if (z++ == 0 && n < 3) { n = 0; goto back; }"),
    ("continue", "i = 1; if (!z) goto in; i = START; in: for (; i OP LIMIT; STEP) { CUT n++; show(i); INSIDE end: ; }"),
)  # fmt: skip

_CUT = -99999
_HEAD = """\
long long results[400000];
int count, z, which;
enum natural { E = 3 };
enum integer { N = -2 };
static void show(long long value) { results[count++] = value; }
"""


def loop(rng: random.Random, number: int) -> str:
    """A function with a loop, where ``CUT`` stands for what stops it at the bound."""
    jump, form = rng.choice(_FORMS)
    parts = {
        "INSIDE": rng.choice(_INSIDE).replace("JUMP", jump),
        "START": rng.choice(_SMALL if rng.random() < 0.7 else _LARGE),
        "LIMIT": rng.choice(_SMALL if rng.random() < 0.6 else _LARGE),
        "OP": rng.choice(("<", "<", "<", "<=", ">", ">=", "!=")),
        "STEP": rng.choice(_STEPS),
    }
    type_ = rng.choice(_TYPES)
    if rng.random() < 0.5:
        type_, end = rng.choice(list(_ENDS.items()))
        up = rng.random() < 0.7
        near, far = f"{end} - {rng.randint(0, 3)}", f"{end + rng.randint(0, 1)}"
        lower = "-2" if end == 1 or "unsigned" in type_ else f"-{end} - {rng.randint(1, 3)}"
        parts["START"], parts["LIMIT"] = (near, far) if up else (rng.choice(("2", "0", f"-{end}")), lower)
        parts["OP"] = rng.choice(("<", "<=", "!=")) if up else rng.choice((">", ">=", "!="))
        parts["STEP"] = rng.choice(("i++", "i += 2", "i += 1L") if up else ("i--", "i -= 2"))
    for name, text in parts.items():
        form = form.replace(name, text)
    declarations = f"{type_} i; int n = 0, k = {rng.randint(0, 3)};"
    return f"static void f{number}(void) {{ {declarations} z = 0; show({number}000000L); {form} show(n); show(i); }}\n"


class Comparison(control.Comparison):
    """Runs many loops in one program, one after the other."""

    def differing(self, loops: list[str]) -> list[str]:
        """Those of the loops that do something else behind the unroller, with what they do before and behind."""
        calls = "".join(f"if (which == {number}) f{number}(); " for number in range(1, len(loops) + 1))
        main = f"int main(void) {{ {calls}return 0; }}\n"
        cut = f"if (n >= {LONG}) {{ show({_CUT}); return; }}"
        before = self._shown(len(loops), _HEAD, *(text.replace("CUT", cut) for text in loops), main)
        found = self.unrolled("".join((_HEAD, *(text.replace("CUT", "") for text in loops), main)))
        primitives = control.PRIMITIVES.replace("if (!holds) exit(4);", "if (!holds) __CSEQ_cut();")
        noted = f"void __CSEQ_cut(void) {{ results[count++] = {_CUT}; }}\n"
        behind = self._shown(len(loops), "void __CSEQ_cut(void);\n", primitives, found, noted)
        return [
            f"{text}{before[number]}\n{behind[number]}\n"
            for number, text in enumerate(loops, 1)
            if not _is_same(before[number], behind[number])
        ]

    def _shown(self, loops: int, *texts: str) -> dict[int, list[int]]:
        each = f"int main(void) {{ for (which = 1; which <= {loops}; which++) __CSEQ_one(); return 0; }}"
        renamed = (text.replace("int main(void)", "int __CSEQ_one(void)") for text in texts)
        shown, status = self._run(*renamed, each, control.TAIL)
        assert status == 0, shown
        groups: dict[int, list[int]] = {}
        for value in map(int, shown):
            if value > 0 and value % 1_000_000 == 0:
                group = groups[value // 1_000_000] = []
            elif _CUT not in group:
                group.append(value)
        return groups


def _is_same(before: list[int], behind: list[int]) -> bool:
    if _CUT not in behind:
        return behind == before
    return before[: len(behind) - 1] == behind[:-1] and len(before) > len(behind) - 1


def differing(seed: int, count: int, folder: Path) -> list[str]:
    """The loops of a seed that the unroller makes others of."""
    rng = random.Random(seed)
    return Comparison(folder, UNWIND).differing([loop(rng, number) for number in range(1, count + 1)])


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="counted-") as folder:
        found = differing(options.seed, options.count, Path(folder))
    print("\n".join(found), f"{len(found)} differences of {options.count} loops", sep="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
