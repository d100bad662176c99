"""Which programs a proof without bounds is worth trying for."""

import pytest

from cseq.c import parse
from cseq.modules.analysis.worth_proving import is_worth_proving


@pytest.mark.parametrize(
    "body, is_worth",
    [
        ("", False),
        ("int i; for (i = 0; i < 3; i++) x = i;", False),
        ("int i; for (i = 9; i > 0; i--) x = i;", False),
        ("int i; for (i = 0; i < 3000; i++) x = i;", True),
        ("int i; for (i = 0; i < x; i++) x = 2;", True),
        ("int i; for (i = 0; i < 3; i++) i = 0;", True),
        ("int i; for (i = 0; i < 3; i++) f(&i);", True),
        ("for (;;) ;", True),
        ("while (x) x = 0;", True),
        ("do x = 1; while (0);", False),
        ("do x = 1; while (x);", True),
        ("again: x = 1; goto again;", True),
        ("goto over; over: x = 1;", False),
        ("x = __VERIFIER_nondet_int();", True),
        ("x = __VERIFIER_nondet_bool();", False),
    ],
)
def test_loops_and_inputs(body: str, is_worth: bool) -> None:
    program = "int x; int __VERIFIER_nondet_int(void); _Bool __VERIFIER_nondet_bool(void); void f(int *p);"
    tree = parse(f"{program} int main(void) {{ {body} return 0; }}", "program.c")
    assert is_worth_proving(tree) == is_worth
