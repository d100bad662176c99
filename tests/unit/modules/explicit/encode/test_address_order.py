"""Comparisons whose results depend on where objects lie become choices, and other such uses are noted."""

import re

import pytest

PROGRAM = """\
#include <stdint.h>
#include <stdlib.h>
int a, b, many[4], *p, *q, result;
uintptr_t number, other;
int main(void)
{{
  p = &a; q = &b;
  {}
  return result;
}}
"""


@pytest.fixture
def calls(translated):
    """The functions that the stage adds calls of, for a program with some statements."""
    translated.use("explicit")

    def found(statements: str) -> set[str]:
        text = translated("address_order", PROGRAM.format(statements))
        return set(re.findall(r"\b__CSEQ_(order|are_apart|distance_of|looks|looks_at_bits|hashed)\(", text))

    return found


CHOSEN = {"are_apart", "order"}


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("result = p < q;", CHOSEN),
        ("number = (uintptr_t) p; other = (uintptr_t) q; result = number >= other;", CHOSEN),
        ("result = q - p;", {"distance_of"}),
        ("number = (uintptr_t) p; result = (number >> 4) % 7;", {"hashed"}),
        ("number = (uintptr_t) p; other = (number >> 3) ^ (number >> 5); result = other & 3;", {"hashed"}),
        ("number = (uintptr_t) p; other = number >> 4; result = other % 7 + (other == 2);", {"looks"}),
        ("number = (uintptr_t) p; other = number >> 4; result = *(int *) &other;", {"looks"}),
        ("number = (uintptr_t) p * 2654435761u; result = number >> 28 & 7;", {"looks"}),
        ("number = (uintptr_t) p; result = number % 8;", {"hashed"}),
        ("number = (uintptr_t) p | 1; result = number & 1;", {"looks", "looks_at_bits"}),
        ("number = (uintptr_t) p; result = (short) number;", {"looks"}),
        ("number = (uintptr_t) p; result = many[number];", {"looks"}),
        ("result = p == q;", set()),
        ("number = 5; result = number > 3;", set()),
    ],
)
def test_what_the_stage_adds(calls, statements, expected):
    assert calls(statements) == expected


def test_a_choice_has_the_users_words(translated):
    translated.use("explicit")
    text = translated("address_order", PROGRAM.format("int *r = &a; result = r < q;"))
    assert '"r < q", "q < r"' in text
    text = translated("address_order", PROGRAM.format("result = p < q;"))
    assert '"p < q", "q < p"' in text
