"""Whether results of functions are only compared to null."""

from __future__ import annotations

import pytest

from cseq.c import parse
from cseq.modules.core.three_address.null_tests import are_only_tested

TESTED = (
    "if (get()) x = 1;",
    "if (!get() || (char *)get() == (void *)0) x = 1;",
    "p = get(); if (p && 0 != p) x = 1;",
    "char *q = (char *)get(); x = !q;",
    "while ((p = get())) x++;",
    "get();",
)
READ = (
    "x = *get();",
    "p = get(); x = p[0];",
    "p = get(); x = p == q;",
    "p = get(); look(p);",
    "p = get(); r = &p;",
    "q = p = get();",
    "p = get(); q = p; x = *q;",
    "s.m = get();",
    "return get();",
    "char *q[1] = {get()};",
    "x = (p = get())[0];",
    "x = y ? get() : 0;",
)


@pytest.mark.parametrize("body", TESTED + READ)
def test_what_is_only_tested(body: str) -> None:
    tree = parse(f"char *get(void); char *f(void) {{ {body} }}")
    assert are_only_tested(tree, {"get"}) is (body in TESTED)
