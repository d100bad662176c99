"""Operators on atomic objects as calls that say a memory order."""

from __future__ import annotations

import pytest

from cseq.modules.graphs.orders.operators import operators
from cseq.modules.graphs.orders.words import written
from cseq.modules.ir.instructions import Order

NAMES = frozenset({"x", "y", "refs", "f"})
LOAD, STORE = "atomic_load_explicit(&{}, R)", "atomic_store_explicit(&{}, {}, R)"


def _relaxed(statement: str, before: str = "") -> str:
    text = f"{before}int main(void) {{ {statement} }}\n"
    found = operators({"p.c": text}, NAMES)
    new = written({"p.c": text}, dict.fromkeys(found, Order.RELAXED))["p.c"]
    assert written({"p.c": text}, dict.fromkeys(found, Order.SEQ_CST)) == {"p.c": text}
    return new.removeprefix(f"{before}int main(void) {{ ").removesuffix(" }\n").replace("memory_order_relaxed", "R")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("x = 1;", STORE.format("x", "1")),
        ("x = a + (b, 2);", STORE.format("x", "a + (b, 2)")),
        ("x = y;", STORE.format("x", LOAD.format("y"))),
        ("if (a) x = 1; else y = 2;", f"if (a) {STORE.format('x', '1')}; else {STORE.format('y', '2')}"),
        ("x++;", "atomic_fetch_add_explicit(&x, 1, R)"),
        ("a = x--;", "a = atomic_fetch_sub_explicit(&x, 1, R)"),
        ("++x;", "atomic_fetch_add_explicit(&x, 1, R)"),
        ("x |= 4;", "atomic_fetch_or_explicit(&x, 4, R)"),
        ("x += y;", f"atomic_fetch_add_explicit(&x, {LOAD.format('y')}, R)"),
        ("while (!x) ;", f"while (!{LOAD.format('x')}) "),
        ("return x;", f"return {LOAD.format('x')}"),
        ("a = b & x;", f"a = b & {LOAD.format('x')}"),
        ("p->refs = 1;", STORE.format("p->refs", "1")),
        ("a = q.b->refs + p[i].refs;", f"a = {LOAD.format('q.b->refs')} + {LOAD.format('p[i].refs')}"),
        ("f[i] = f[x];", STORE.format("f[i]", LOAD.format(f"f[{LOAD.format('x')}]"))),
        ("assert(x == 1);", f"assert({LOAD.format('x')} == 1)"),
    ],
)
def test_operators_become_calls(statement: str, expected: str) -> None:
    assert _relaxed(statement) == f"{expected};"


@pytest.mark.parametrize(
    "statement",
    [
        "g(&x);", "a = sizeof(x);", "a = sizeof x;", "atomic_int x = 1;", "x *= 2;", "a = x = 1;", "a = ++x;",
        "for (x = 0; a; b) ;", "x(1);", "p->x.a = 1;", "p = q->z;", "a.y_ = 1;",
    ],
)  # fmt: skip
def test_what_no_call_can_replace_stays(statement: str) -> None:
    assert _relaxed(statement) == statement


def test_only_bodies_of_functions_are_read() -> None:
    before = "#define M x = 1;\nstruct s { atomic_int refs; }; atomic_int x = 1, y; int a[] = { x };\nvoid g(int x);\n"
    assert _relaxed("return 0;", before) == "return 0;"
