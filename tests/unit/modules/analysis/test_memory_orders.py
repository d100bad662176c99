"""Whether a program asks for memory orders weaker than seq_cst."""

import pytest

from cseq.c import parse
from cseq.c.datamodel import LP64
from cseq.modules.analysis.memory_orders import has_weaker

DECLARED = "enum order { relaxed = 0, release = 3, strong = 5 }; int x; "


@pytest.mark.parametrize(
    "statement",
    [
        "__atomic_store_n(&x, 1, relaxed);",
        "x = __atomic_load_n(&x, 2);",
        "__atomic_thread_fence(release);",
        "while (__atomic_test_and_set(&x, 2)) ;",
        "x = __atomic_compare_exchange_n(&x, &x, 1, 0, 5, 0);",
        "__atomic_store_n(&x, 1, 0x10000 | release);",
    ],
)
def test_some_order_is_weaker(statement: str) -> None:
    assert has_weaker(parse(f"{DECLARED} void f(void) {{ {statement} }}", "program.c"), LP64)


@pytest.mark.parametrize(
    "statement",
    ["__atomic_store_n(&x, 1, strong);", "__atomic_thread_fence(5);", "__sync_fetch_and_add(&x, 1);", "x = relaxed;"],
)
def test_no_order_is_weaker(statement: str) -> None:
    assert not has_weaker(parse(f"{DECLARED} void f(void) {{ {statement} }}", "program.c"), LP64)
