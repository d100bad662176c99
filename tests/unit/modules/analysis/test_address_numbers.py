"""Where programs look at how their objects lie in memory."""

import pytest

from cseq.c.symbols import Symbols
from cseq.modules.analysis.address_numbers import AddressUses, computed_identifiers, guessed_addresses
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.visibility import Visibility

PROGRAM = """\
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int a, b, many[4], *p, *q, result;
uintptr_t number;
int main(void)
{{
  p = &a;
  {}
  return result;
}}
"""
LINE = 9


@pytest.fixture
def places(translated):
    """The lines at which the program with some statements makes numbers of addresses, and compares pointers."""
    translated.use("explicit")

    def found(statements: str, once: bool = False, parts: bool = False) -> tuple[list[int], list[int]]:
        tree = translated.unit("uninitialised_reads", PROGRAM.format(statements)).tree
        symbols = Symbols(tree)
        uses = AddressUses(tree, symbols, Visibility(symbols, tree), threads_of(tree))
        numbers = uses.parts() if parts else uses.numbers()
        compared = uses.unrelated(once)
        lines = [sorted({each.line for each in origins if each is not None}) for origins in (numbers, compared)]
        return lines[0], lines[1]

    return found


@pytest.mark.parametrize(
    ("statements", "makes", "compares"),
    [
        ("result = p < &b;", False, True),
        ("result = &a < &b;", False, True),
        ("q = &b; result = q - p;", False, True),
        ("q = result ? &a : &b; result = p > q;", False, True),
        ("p = malloc(4); q = malloc(4); result = p <= q;", False, True),
        ('result = "a" < "b";', False, True),
        ("for (q = many; q < many + 4; q++) result++;", False, False),
        ("result = p == &b || p != 0 || p > (int *) 0;", False, False),
        ("q = &a; result = p < q;", False, False),
        ("number = (uintptr_t) p; result = number % 7;", True, False),
        ("p = (int *) (uintptr_t) p;", False, False),
        ("number = (uintptr_t) malloc(4);", True, False),
        ("number = (uintptr_t) (int *) 0;", False, False),
    ],
)
def test_what_depends_on_addresses_has_its_place(places, statements, makes, compares):
    assert places(statements) == ([LINE] * makes, [LINE] * compares)


@pytest.mark.parametrize(
    ("statements", "reads"),
    [
        ("union { int *p; uintptr_t n; } u; u.p = p; result = u.n % 7;", True),
        ("union { int *p; int n; } u; u.p = p; result = u.n;", False),
        ("union { int *p; uintptr_t n; } u; u.n = 5; result = u.n;", False),
        ("number = *(uintptr_t *) &p;", True),
        ("result = *(char *) &p;", True),
        ("result = *(char *) &result;", False),
        ("memcpy(&number, &p, 8); result = number;", True),
        ("memcpy(&q, &p, 8); result = *q + (number > 2);", False),
        ("struct { char name[8]; int *p; } s; s.p = p; char *e = s.name; e = e + 1; result = *e;", False),
    ],
)
def test_where_bytes_of_pointers_are_read_as_numbers(places, statements, reads):
    assert places(statements, parts=True)[0] == [LINE] * reads


def test_a_call_allocates_one_block_where_it_is_executed_once(places):
    statements = "q = malloc(8); result = q < q + 1;"
    assert places(statements) == ([], [LINE])
    assert places(statements, once=True) == ([], [])


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("result = number % 7 < 3;", []),
        ("result = self % 7 < 3;", [LINE + 1]),
        ("number = self; result = number & 3;", [LINE + 1]),
        ("result = many[self];", [LINE + 1]),
        ("result = self > 5;", [LINE + 1]),
        ("result = self == 5;", []),
    ],
)
def test_where_a_program_computes_with_identifiers_of_threads(translated, statements, expected):
    translated.use("explicit")
    text = "#include <pthread.h>\n" + PROGRAM.format("pthread_t self = pthread_self(); " + statements)
    tree = translated.unit("uninitialised_reads", text).tree
    assert [each.line for each in computed_identifiers(Symbols(tree), threads_of(tree))] == expected


@pytest.mark.parametrize(
    ("statements", "guesses"),
    [
        ("result = p == (int *) 0x12345678;", True),
        ("q = (int *) 0x12345678; result = p != q;", True),
        ("result = p == q || p == (int *) -1 || p == (int *) 1;", False),
    ],
)
def test_pointers_that_are_made_of_constants_may_be_addresses(translated, statements, guesses):
    translated.use("explicit")
    tree = translated.unit("uninitialised_reads", PROGRAM.format(statements)).tree
    symbols = Symbols(tree)
    assert bool([*guessed_addresses(tree, symbols, threads_of(tree))]) is guesses


@pytest.mark.parametrize(
    ("statements", "orders"),
    [
        ("result = memcmp(&p, &q, 8) < 0;", True),
        ("result = memcmp(&p, &q, 8);", True),
        ("result = memcmp(&p, &q, 8) == 0;", False),
        ("if (!memcmp(&p, &q, 8)) result = 1;", False),
        ("result = memcmp(&a, &b, 4) < 0;", False),
    ],
)
def test_bytes_of_pointers_that_are_compared(places, statements, orders):
    assert places(statements, parts=True)[0] == [LINE] * orders
