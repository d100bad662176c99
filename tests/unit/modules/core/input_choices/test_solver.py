"""Values of inputs that Z3 finds for branches."""

import re

import pytest

HEAD = """\
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
short __VERIFIER_nondet_short(void);
void __VERIFIER_assume(int);
int rand(void);
int g, h;
"""

SOLVED = [
    ("int x = __VERIFIER_nondet_int(); if (x * 7 == 91000) g = 1; h = x;", 13000),
    ("int x = __VERIFIER_nondet_int(); if ((x ^ 0x5a5a) == 0x1234) g = 1; h = x;", 0x5A5A ^ 0x1234),
    ("int x = __VERIFIER_nondet_int(), y = x + 5; if (g) y = 3 * y; if (g && y == 3015) g = 1; h = x;", 1000),
    ("unsigned x = __VERIFIER_nondet_uint(); if (x / 3 == 1431655765u) g = 1; h = x;", (1 << 32) - 1),
    ("short x = __VERIFIER_nondet_short(); if ((unsigned short) x == 65000) g = 1; h = x;", 65000 - 65536),
    ("int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 77777); while (x * 2 == 200002) g++; h = x;", 100001),
    ("int x = __VERIFIER_nondet_int(); g = x; if (g % 1000 == 999 && g > 5000 && g < 6000) h = 1;", 5999),
    ("int x = rand(); if (x << 1 == 246912) g = 1; h = x;", 123456),
]


@pytest.mark.parametrize(("statements", "expected"), SOLVED, ids=range(len(SOLVED)))
def test_values_with_which_branches_are_taken(translated, statements, expected):
    translated.use("explicit")
    text = translated(
        "input_choices", f"{HEAD}int main(void)\n{{\n{statements}\nreturn 0;\n}}\n", "main", privatize=False
    )
    chosen = next(line for line in text.splitlines() if re.search(r"= .*__cs_choice_1 <", line))
    assert any(expected in _values(chosen, count) for count in (24,)), chosen


def _values(line: str, count: int) -> set[int]:
    """The values of the expression that the line assigns, for each number that may be chosen."""
    text = line.partition(" = ")[2].rstrip(";").replace("(long long) ", "").replace("LL", "")
    found = set()
    for number in range(count):
        rest = text.replace("__cs_choice_1", str(number))
        while match := re.fullmatch(r"\((\d+) < (\d+)\) \? \((.*?)\) : \((.*)\)", rest):
            rest = match[3] if int(match[1]) < int(match[2]) else match[4]
        found.add(eval(rest))
    return found


def test_what_one_thread_stores_is_what_another_one_branches_on(translated):
    translated.use("explicit")
    text = translated(
        "input_choices",
        f"#include <pthread.h>\n{HEAD}void *f(void *p) {{ g = __VERIFIER_nondet_int(); return 0; }}\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int y = g; if (y * 3 == 777777) h = 1; return 0; }",
    )
    assert re.search(r"[ (]25925[789]\b", text)


def test_without_the_solver_there_is_a_warning_and_an_answer(translated, monkeypatch):
    monkeypatch.setattr("cseq.modules.core.input_choices.input_choices.solver", lambda: None)
    translated.use("explicit")
    text = translated("input_choices", f"{HEAD}int main(void) {{ g = __VERIFIER_nondet_int(); g++; return 0; }}")
    assert "__CSEQ_sampled(24," in text
