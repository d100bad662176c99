"""Calls of the C library's functions that are not modelled in C: the statements that they become."""

import re
from textwrap import dedent

import pytest

from cseq.model.errors import UnsupportedError

PROGRAM = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int x; char text[8]; double d; struct s {{ int a, b; }} s, t; void *p;
int main(void)
{{
  {}
  return 0;
}}
"""


@pytest.fixture
def lines(translated):
    """The translation of a statement; T is any temporary of ours."""

    def run(statement: str) -> list[str]:
        text = translated("three_address", PROGRAM.format(statement), "main")
        found = [re.sub(r"__cs_tmp_\d+", "T", line.strip()) for line in text.splitlines()[2:-2]]
        return [line for line in found if not re.fullmatch(r"[\w *]+ \**T;", line)]

    return run


@pytest.mark.parametrize(
    "statement, expected",
    [
        # memory
        ("p = malloc(8);", "T = malloc(8);\n__CSEQ_fresh(T, 8);\np = T;"),
        ("p = malloc(x);", "T = x;\nT = malloc(T);\np = T;"),
        ("p = calloc(2, 4);", "T = calloc(2, 4);\np = T;"),
        ("p = realloc(p, 8);", 'T = p;\n__CSEQ_coarse("`realloc`");\nT = realloc(T, 8);\np = T;'),
        ("free(p);", "T = p;\nfree(T);"),
        ("memcpy(&s, &t, sizeof s);", "T = t.a;\ns.a = T;\nT = t.b;\ns.b = T;"),
        ("memset(&s, 0, sizeof s);", "s.a = 0;\ns.b = 0;"),
        # what depends on the world
        ("x = rand();", "T = __CSEQ_nondet_int();\nx = T & 2147483647;"),
        ("srand(x++);", "T = x;\nx = T + 1;"),
        ("puts(text);", ""),
        # the end
        ("exit(x++);", "T = x;\nx = T + 1;\n__CSEQ_stop();"),
        # what is read in
        (
            'x = scanf("%d", &s.a);',
            "T = __CSEQ_nondet_int();\n__CSEQ_assume((T >= (-1)) && (T <= 1));\n"
            "if (T > 0) {\n*(&s.a) = __CSEQ_nondet_int();\n}\nx = T;",
        ),
        # what is known of constants
        ("d = sqrt(4.0);", "d = 2.0;"),
        ("d = pow(-2, 3);", "d = -8.0;"),
    ],
)
def test_what_a_call_becomes(lines, statement, expected):
    assert lines(statement) == dedent(expected).splitlines()


def test_what_is_refused(translated):
    program = PROGRAM.format("system(text);")
    message = translated.refusal("three_address", program, UnsupportedError)
    assert message == "program.c:9: `system` is not supported"


def test_what_scanf_reads_is_an_input_and_no_object_without_a_value(translated):
    translated.use("explicit")
    program = PROGRAM.format('int n = 2;\n  scanf("%d", &n);\n  if (n > 2)\n    x = 1;')
    text = translated("input_choices", program, "main")
    assert "*(&n) = __CSEQ_nondet_int();" not in text
