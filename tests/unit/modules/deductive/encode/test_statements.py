"""Statements of one thread: what they do, and what they must not do twice."""

import pytest

from cseq.model.claims import Kind
from cseq.modules.deductive.transitions import Check

MAIN = """
int x, y; struct s {{ int a, b; }} s, r; _Thread_local int own = 4; _Thread_local int zero;
_Thread_local int row[3] = {{1, 2}};
static int twice(int v) {{ return 2 * v; }}
static int deep(int n) {{ return n == 0 ? 0 : 1 + deep(n - 1); }}
int main(void) {{ int i = 0, k; {} return 0; }}
"""


@pytest.mark.parametrize(
    "text",
    [
        "while (i < 5) i++; assert(i == 5);",
        "for (;;) { if (i == 3) break; i++; continue; } assert(i == 3);",
        "do { i += 2; } while (i < 3); assert(i == 4);",
        "again: i++; if (i < 4) goto again; assert(i == 4);",
        "switch (twice(1)) { case 1: i = 1; case 2: i = 2; case 3: i += 5; break; default: i = 9; } assert(i == 7);",
        "s.a = 3; s.b = 4; r = s; assert(r.a + r.b == 7);",
        "assert(own == 4 && zero == 0); own++; assert(own == 5);",
        "assert(row[0] == 1 && row[1] == 2 && row[2] == 0); row[1]++; assert(row[1] == 3);",
        "struct { int n; struct { int one, other; }; } held; held.one = 1; held.other = 2; assert(held.one == 1);",
        "x = i++ + 1; y = ++i; assert(x == 1 && y == 2 && i == 2);",
        "x += 3; x *= 2; x <<= 1; x |= 1; assert(x == 13);",
        "if (__VERIFIER_nondet_bool()) k = 1; else k = 2; assert(k == 1 || k == 2);",
        "exit(0); assert(0);",
        "__VERIFIER_assume(x == 1); assert(0);",
        "int a[3]; for (k = 0; k < 3; k++) a[k] = k; assert(a[0] + a[1] + a[2] == 3);",
        "assert(deep(2) == 2);",
    ],
)
def test_statements(claims, text):
    assert claims(MAIN.format(text)) == set()


@pytest.mark.parametrize(
    "text",
    [
        "while (i < 5) i++; assert(i == 4);",
        "if (__VERIFIER_nondet_bool()) k = 1; else k = 2; assert(k == 1);",
        "int a[3]; assert(a[0] == 0);",
        "assert(k == 0);",
        "assert(row[2] == 2);",
        "struct { int n; struct { int one, other; }; } held; held.one = 1; held.other = 2; assert(held.one == 2);",
        "__VERIFIER_assume(x == 0); assert(0);",
        "abort_later: x = 1; assert(x == 0);",
    ],
)
def test_statements_that_violate_a_claim(claims, text):
    (key,) = claims(MAIN.format(text))
    assert key.startswith("assertion")


def test_what_the_translation_cuts_off_is_never_proved(system, claims):
    assert "unwinding" in claims(MAIN.format("deep(__VERIFIER_nondet_uchar());"))
    made = system(MAIN.format("deep(__VERIFIER_nondet_uchar());"))
    checks = [action for edge in made.main.edges for action in edge.actions if isinstance(action, Check)]
    assert any(check.claim.kind is Kind.UNWINDING and check.claim.cut is not None for check in checks)


def test_misuse_is_claimed(claims):
    text = MAIN.format("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_unlock(&m);")
    assert claims(text) == {"misuse.not_held pthread_mutex_unlock: mutex"}
