"""The numbers that are made of addresses, and the period of hashes."""

import pytest

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.explicit.encode.address_values import Hashes, Numbers

PROGRAM = """
typedef unsigned long uintptr_t;
int a[8], *p; uintptr_t n, k; int i; unsigned char c;
void step(void) {{ {} }}
"""


def made(statements: str, kind: type[Numbers] = Hashes) -> Numbers:
    tree = parse(PROGRAM.format(statements), "program.c")
    function = tree.ext[-1]
    return kind(Symbols(tree), [function]) if kind is Hashes else kind(Symbols(tree), [function], False)


@pytest.mark.parametrize(
    ("statements", "period"),
    [
        ("i = 3;", 0),
        ("n = (uintptr_t) p; i = a[n % 8];", 8),
        ("n = (uintptr_t) p; i = a[(n >> 4) % 4];", 64),
        ("n = (uintptr_t) p; i = a[(n >> 4) & 3];", 64),
        ("n = (uintptr_t) p; i = a[n % 3] + a[n % 4];", 12),
        ("n = (uintptr_t) p; k = n * 2654435761; i = a[k >> 61];", 0),
        ("n = (uintptr_t) p; i = a[n % 1000003];", 0),
    ],
)
def test_the_period_of_a_program(statements: str, period: int) -> None:
    found = made(statements)
    assert isinstance(found, Hashes) and found.period == period


def test_numbers_that_may_be_addresses() -> None:
    found = made("n = (uintptr_t) p; k = n; i = 1;", Numbers)
    function = parse(PROGRAM.format("k + 1; i;"), "program.c").ext[-1]
    address, other = function.body.block_items
    assert found.has(address) and not found.has(other)
