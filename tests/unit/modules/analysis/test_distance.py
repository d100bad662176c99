"""The distance of a state from one that violates a claim: as C, compiled and asked in states."""

import subprocess

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.c.preprocess import compiler
from cseq.modules.analysis.distance import hook, targets

pytestmark = pytest.mark.engine

ASSERT = "void __VERIFIER_assert(int cond) { if (!(cond)) reach_error(); }"


def _hook(body: str) -> list[str]:
    functions = [node for node in parse(f"{ASSERT}\nvoid f(int a) {{ {body} }}").ext if isinstance(node, c_ast.FuncDef)]
    return hook(targets(functions, ("reach_error",)), {"x", "y"})


def _distance(body: str, x: int, y: int, folder) -> int:
    lines = ["#include <stdio.h>", f"int x = {x}, y = {y};", *_hook(body)]
    lines += ['int main(void) { printf("%lld", __CSEQ_distance()); }']
    source, binary = folder / "x.c", folder / "x"
    source.write_text("\n".join(lines))
    subprocess.run([compiler(), source, "-o", binary], check=True)
    return int(subprocess.run([binary], capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize(
    ("body", "distance"),
    [
        ('__CSEQ_check(x < 10, "");', 7),
        ('__CSEQ_check(x != 10, "");', 7),
        ('__CSEQ_check(!(x == 10), "");', 7),
        ('__CSEQ_check(x < 10 && y < 6, "");', 1),  # one of them is enough
        ('__CSEQ_check(x < 10 || y < 6, "");', 8),  # both have to fail
        ("__VERIFIER_assert(x <= y);", 3),
        ("if (x >= 10 && y >= 6) reach_error();", 8),
        ('if (y > 9) { __CSEQ_check(0, ""); }', 5),
        ('__CSEQ_check(x > 5, "");', 0),
        ('__CSEQ_check(x < 10, ""); __CSEQ_check(y < 7, "");', 2),  # the nearest
        ('int fine = x < 10, too = fine; __CSEQ_check(too, "");', 7),  # the values of locals
        ('__CSEQ_check(x <= a, "");', 2**30 - 3 + 1),  # only the direction is known
        ('__CSEQ_check(g(a) < x, "");', 2**30 + 3),
        ('__CSEQ_check(x < 10 || a == 1, "");', 7),
    ],
)
def test_it_is_by_how_much_the_claims_hold(body, distance, tmp_path):
    assert _distance(body, 3, 5, tmp_path) == distance


@pytest.mark.parametrize(
    "body",
    [
        '__CSEQ_check(a < 10, "");',  # not at file level
        '__CSEQ_check(x == 3, "");',  # nothing to follow
        '__CSEQ_check(g(x) < 3, "");',
        'int fine = x < 10; fine = 1; __CSEQ_check(fine, "");',
        "if (x > 3) y = 1;",
        "y = x;",
    ],
)
def test_where_values_say_nothing_there_is_none(body):
    assert _hook(body) == []
