"""Data independence: which inputs are taken to be, how many values they get, and what breaks it."""

import re

import pytest

HEAD = """\
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
struct node { int value; struct node *next; } *top, one;
struct other { long first; } *more;
int g, h, row[3], *p = row;
const int table[2] = {70, 80};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""


@pytest.fixture
def chosen(translated):
    """What the choices of a program are made among: the counts, and None for inputs that are sampled."""
    translated.use("explicit")

    def run(statements: str, functions: str = "") -> list[int | None]:
        program = f"{HEAD}{functions}\nint main(void)\n{{\npthread_t t;\n{statements}\nreturn 0;\n}}\n"
        text = translated("input_choices", program, privatize=False)
        found = re.findall(r"__CSEQ_(choose\((\d+)\)|sampled)", text[text.index("next;") :])
        return [int(number) if number else None for _, number in found]

    return run


READ = "int x = __VERIFIER_nondet_int();"
INDEPENDENT = [
    (f"{READ} g = x; h = g; if (g == h) h = 0;", [5]),  # 0, 70, 80, a state of the mutex, and a fresh one
    (f"{READ} g = x; if (g == 5 || g != 7 && !h) h = 6;", [7]),
    ("unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), z = x; if (z == -1) z = y;", [7, 7]),
    (f"{READ} row[g == 1] = x; one.value = row[2]; top = &one; if (top->value == 3) g = 1;", [6]),
    (f"{READ} top = malloc(sizeof *top); top->value = x; top = top->next; g = top->value;", [5]),
    (f"{READ} g = (int)x; if (g) h = 1; else __VERIFIER_assume(g != h);", [5]),
]


@pytest.mark.parametrize(("statements", "counts"), INDEPENDENT, ids=range(len(INDEPENDENT)))
def test_an_input_that_is_only_copied_and_compared_for_equality_needs_few_values(chosen, statements, counts):
    assert chosen(statements) == counts


def test_each_thread_that_takes_an_input_adds_a_value(chosen):
    worker = "void *f(void *q) { g = __VERIFIER_nondet_int(); return 0; }"
    create = "pthread_create(&t, 0, f, 0);"
    assert chosen(f"{create} {create} if (g == h) h = 9;", worker) == [7]
    assert chosen(f"while (h == 0) {{ {create} }} if (g == h) h = 9;", worker) == [None]


BREAKING = [
    "g = x + 1;",
    "g = x; if (g < h) h = 2;",
    "g = x; h = row[g];",
    "g = x; row[0] = h; row[g] = 1;",
    "g = x; __VERIFIER_assume(g > 0);",
    "g = x; long y = g; h = y == 2;",
    "char y = x; g = y == 2;",
    "g = x; p = &g; *p = 4;",
    "row[0] = x; p[1] = 2; g = row[1];",
    "g = x; top = malloc(g);",
    "g = x; pthread_create(&t, 0, (void *(*)(void *))abort, (void *)(long)g);",
    "top = malloc(sizeof *top); top->value = x; more = (struct other *)top; more->first = 1; g = top->value;",
    "void *v = malloc(8); top = v; top->value = x; more = v; more->first = 1; g = top->value;",
    "one.value = x; memset(&one, 1, sizeof one); g = one.value;",
    "union { int a; char b; } u; u.a = x; u.b = 1; g = u.a;",
    "g = x; g++; h = g;",
    "g = x; h = g * 2 == 4;",
    "h = h + 1; g = x; if (g == h) row[0] = 3; while (g == 1) h = h + 1;",
    "while (h == 1) { int y = __VERIFIER_nondet_int(); h = y; } g = x; h = g;",
]


@pytest.mark.parametrize("statements", BREAKING)
def test_what_makes_a_program_depend_on_the_value(chosen, statements):
    assert set(chosen(f"{READ} {statements}")) == {None}


def test_checks_of_memory_look_at_values(translated):
    translated.use("explicit")
    program = f"{HEAD}int main(void)\n{{\n{READ} g = x; row[2] = g; top = malloc(sizeof *top); return top->value;\n}}\n"
    text = translated("input_choices", program, privatize=False, checked=True, property="valid-memsafety")
    assert "__CSEQ_sampled" in text[text.index("next;") :]
