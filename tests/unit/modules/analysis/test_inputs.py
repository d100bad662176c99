"""Inputs: which of their values have to be tried, and which inputs have too many that count."""

import random
import re
import subprocess

import pytest

from cseq.c.preprocess import compiler
from tests.support.stages import INPUTS

VALUES = [
    ("g = __VERIFIER_nondet_bool();", "g = __CSEQ_choose(2);"),
    ("g = __VERIFIER_nondet_uchar();", "g = __CSEQ_choose(256);"),
    ("g = __VERIFIER_nondet_char();", "g = ((long long) __cs_choice_1) + (-128);"),
    ("unsigned char x = __VERIFIER_nondet_int(); g = x;", "x = __CSEQ_choose(256);"),
    ("int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x < 5); g = x;", "x = __CSEQ_choose(5);"),
    ("int x = __VERIFIER_nondet_int(); __VERIFIER_assume(3 <= x); __VERIFIER_assume(!(x > 9)); g = x;",
     "x = ((long long) __cs_choice_1) + 3;"),
    ("int x = __VERIFIER_nondet_int(); keep(x > 0 && x < 5); g = x;", "x = __CSEQ_choose(5);"),  # and 0, once
    ("unsigned x = __VERIFIER_nondet_uint(); if (x > 7) exit(0); g = x;", "x = __CSEQ_choose(9);"),
    ("int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == 7); g = x;", "x = 7;"),
    ("int x = __VERIFIER_nondet_int(); int y = x; __VERIFIER_assume(y >= 0); __VERIFIER_assume(x < 2); g = y;",
     "x = __CSEQ_choose(2);"),
    ("if (__VERIFIER_nondet_int()) g = 1;", "__cs_tmp_1 = __CSEQ_choose(2);"),
    ("int x = __VERIFIER_nondet_int(); if (x > 10) g = 1; else if (x < 11) g = 2;",
     "x = (__cs_choice_1 < 1) ? (0) : (11);"),
    ("int x = __VERIFIER_nondet_int(); while (x == 3) g = 1;", "x = (__cs_choice_1 < 1) ? (0) : (3);"),
    ("g = __VERIFIER_nondet_int() & 7;", "__cs_tmp_1 = __CSEQ_choose(8);"),
    ("g = __VERIFIER_nondet_int() & 6;", "__cs_tmp_1 = __cs_choice_1 << 1;"),
    ("g = __VERIFIER_nondet_int() & 5;", "__cs_tmp_1 = __CSEQ_spread(__cs_choice_1, 5);"),
    ("g = __VERIFIER_nondet_int() % 3;", "__cs_tmp_1 = ((long long) __cs_choice_1) + (-2);"),
    ("g = __VERIFIER_nondet_uint() % 3;", "__cs_tmp_1 = __CSEQ_choose(3);"),
    ("g = rand() & 6;", "__cs_tmp_1 = __cs_choice_1 << 1;"),
    ("g = rand() % 6 + 1;", "__cs_tmp_1 = __CSEQ_choose(6);"),
    ("int r = rand(); if (r % 4 == 1) g = r % 6;", "__cs_tmp_1 = __CSEQ_choose(12);"),
    ("g = rand() / (2147483647 / 3 + 1);", "__cs_tmp_1 = __cs_choice_1 * 715827883;"),
    ("int x = __VERIFIER_nondet_int();", "x = 0;"),
    ("unsigned x = __VERIFIER_nondet_uint(); x = x % 3; g = x; x = 1;", "x = __CSEQ_choose(3);"),
    ("int x = __VERIFIER_nondet_int(); x &= 3; g = x;", "x = __CSEQ_choose(4);"),
]  # fmt: skip


@pytest.mark.parametrize(("statements", "expected"), VALUES)
def test_the_values_of_an_input_that_count(chosen, statements, expected):
    assert expected in [line.strip() for line in chosen(statements).splitlines()]


SAMPLED = [
    "int a[3] = {0}, x = __VERIFIER_nondet_int(), y = a[x]; __VERIFIER_assume(x >= 0 && x < 3); g = x + y;",
    "unsigned x = __VERIFIER_nondet_uint(); if (x - 1 > 7) return 1; g = x;",
    "g = __VERIFIER_nondet_int() + n;",
    "int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x < n); g = x;",
    "int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x < 257); g = x;",
    "int x = __VERIFIER_nondet_int(); g = x; n = g + x; __VERIFIER_assume(x == 1);",  # others may see g before
    "g = __VERIFIER_nondet_int(); n++; n = g; __VERIFIER_assume(g == 1);",
    "int x = __VERIFIER_nondet_int(); x = x + 1; __VERIFIER_assume(x == 1); g = x;",
    "int x = __VERIFIER_nondet_int(); if (x > 3) g = 1; __VERIFIER_assume(x == 1); g = x;",
    "g = rand();",
    "g = rand() % n;",
    "g = __VERIFIER_nondet_int() & 511;",
    "char c = __VERIFIER_nondet_int(), d = c & 511; g = __VERIFIER_nondet_int() & -2;",
    "g = __VERIFIER_nondet_double() > 1;",
    "g = __VERIFIER_nondet_int() % 3u;",
    "char x = 0; int y = __VERIFIER_nondet_int(); x = y; if (x == 1) g = 1;",
]


@pytest.mark.parametrize("statements", SAMPLED)
def test_of_an_input_with_too_many_values_some_are_tried_and_that_is_noted(chosen, statements):
    line = INPUTS.count("\n") + 3
    assert re.search(rf'= __CSEQ_sampled\(\d+, "cut.sampled \d+: program.c:{line}"\);', chosen(statements))


class Random:
    """Writes functions of a short, the input, that return which way they took."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def function(self) -> list[str]:
        """Its statements: guards in front, then what depends on the input."""
        guards = [self._guard() for _ in range(self._random.randint(0, 3))]
        uses = self._random.choice([self._comparisons, self._remainders, self._masks])
        return [*guards, *uses()]

    def _number(self) -> str:
        return self._random.choice(["0", "1", "-1", "7", "100", "-100", "32767", "-32768", "40000", "5u", "65535u"])

    def _condition(self) -> str:
        one = f"x {self._random.choice(['<', '>', '<=', '>=', '==', '!='])} {self._number()}"
        kind = self._random.randint(0, 4)
        if kind == 0:
            return f"!({one})"
        if kind == 1:
            return f"({one}) {self._random.choice(['&&', '||'])} ({self._condition()})"
        return one if kind > 2 else "x"

    def _guard(self) -> str:
        cond = self._condition()
        return self._random.choice([
            f"__VERIFIER_assume({cond});", f"if ({cond}) return 1000;", f"c = {cond}; if (!c) return 2000;",
        ])  # fmt: skip

    def _comparisons(self) -> list[str]:
        return [f"if ({self._condition()}) g += {1 << number};" for number in range(3)]

    def _remainders(self) -> list[str]:
        return [f"g += {10**number} * (x % {self._random.randint(1, 5)});" for number in range(2)]

    def _masks(self) -> list[str]:
        return [f"g += {1000**number} * (x & {self._random.randint(1, 15)});" for number in range(2)]


@pytest.mark.engine
def test_the_values_that_are_tried_lead_everywhere_that_all_of_them_lead(translated, tmp_path):
    translated.use("explicit")
    translated_ones, functions = 0, []
    for seed in range(60):
        body = Random(seed).function()
        program = f"{INPUTS}int main(void)\n{{\nshort x = __VERIFIER_nondet_short(); int c;\n{' '.join(body)}\n"
        text = translated("input_choices", f"{program}g += 0;\nreturn 0;\n}}\n", "main", privatize=False)
        if "__CSEQ_sampled" in text:
            continue
        translated_ones += 1
        lines = [line for line in text.splitlines() if re.search(r"__cs_choice_1 =|^  x = ", line)]
        inner = " ".join(line for line in lines if "nondet" not in line)
        functions.append(
            f"int all{seed}(short x) {{ int c; g = 0; {' '.join(body)} return g; }}\n"
            f"short some{seed}(unsigned long k) {{ unsigned long __cs_choice_1 = 0; short x; taken = k;"
            f" {inner} return x; }}\n"
        )
    assert translated_ones > 30
    numbers = [re.search(r"all(\d+)", text)[1] for text in functions]
    calls = "".join(f"check({number}, all{number}, some{number});\n" for number in numbers)
    source = tmp_path / "check.c"
    source.write_text(
        "int printf(const char *, ...);\nint g, n; unsigned long taken, most;\n"
        "unsigned long __CSEQ_choose(unsigned long count) { most = count; return taken; }\n"
        "unsigned long __CSEQ_spread(unsigned long bits, unsigned long mask)\n"
        "{ unsigned long r = 0; for (; mask; mask &= mask - 1, bits >>= 1)"
        " r |= bits & 1 ? mask & -mask : 0; return r; }\n"
        "#define __VERIFIER_assume(c) do { if (!(c)) return 3000; } while (0)\n"
        + "".join(functions)
        + """
        static void check(int number, int (*all)(short), short (*some)(unsigned long))
        {
            static char seen[1 << 20];
            __builtin_memset(seen, 0, sizeof seen);
            most = 1;
            for (unsigned long k = 0; k < most; k++) {
                short x = some(k);
                if (k < most) seen[all(x) + (1 << 19)] = 1;
            }
            if (most > 256) printf("%d: %lu values\\n", number, most);
            for (int x = -32768; x < 32768; x++)
                if (all(x) != 3000 && !seen[all(x) + (1 << 19)]) { printf("%d: %d\\n", number, x); return; }
        }
        int main(void)
        {
        """
        + calls
        + "return 0;\n}\n"
    )
    subprocess.run([compiler(), "-w", "-O1", "-o", str(tmp_path / "check"), str(source)], check=True)
    run = subprocess.run([str(tmp_path / "check")], capture_output=True, text=True, check=True)
    assert run.stdout == ""
