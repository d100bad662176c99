"""Expressions of C: their types, their conversions, and what their evaluation demands."""

import pytest

MAIN = """
struct p {{ int a; unsigned char b[3]; }}; struct p st, sa[2]; int g = 7, a[4] = {{1, 2, 3, 4}}, *gp = &a[1];
unsigned char uc = 250; short sh = -3; unsigned u = 5; long long ll = -9; _Bool flag; enum e {{ A, B = 5 }} e = B;
const int table[3] = {{4, 5, 6}}; int m[2][3];
char text[4] = "abc"; int flat[2][2] = {{1, 2, 3}}, last[4] = {{[3] = 9}};
static void set(int *p, int v) {{ *p = v; }}
int main(void) {{ int i = 2, j = -1, *p = &a[2]; {} }}
"""

HOLD = [
    "uc += 10; assert(uc == 4);",
    "assert((unsigned char) (uc + 10) == 4 && uc + 10 == 260);",
    "assert(j > 0u && u + j == 4 && sh / 2 == -1 && sh % 2 == -1);",
    "assert((sh >> 1) == -2 && (1 << 3) == 8 && (~0 & 6) == 6 && (5 ^ 1) == 4);",
    "flag = 5; assert(flag == 1 && !flag == 0); flag = ll + 9; assert(!flag);",
    "assert((int) 4294967295u == -1 && (long long) j == -1 && (unsigned long) j > 4294967295ul);",
    "assert(e == 5 && A == 0 && sizeof(struct p) == 8 && sizeof(a) / sizeof(a[0]) == 4);",
    "*p = 9; assert(a[2] == 9 && p == &a[2] && p - a == 2 && *(p + 1) == 4);",
    "p++; assert(*p == 4); p -= 3; assert(*p == 1 && p == a);",
    "set(&g, 3); set(&a[i], g); set(&st.a, 8); assert(g == 3 && a[2] == 3 && st.a == 8);",
    "*gp = 6; assert(a[1] == 6); gp = &g; assert(*gp == 7);",
    "st.b[1] = 257; sa[1].b[2] = 4; sa[0] = sa[1].a ? st : sa[0]; assert(st.b[1] == 1 && sa[i - 1].b[i] == 4);",
    "struct p c; c.a = 1; struct p *q = &sa[1]; q->a = 5; assert(sa[1].a == 5 && (q - 1)->a == 0);",
    "m[1][2] = 4; assert(m[i - 1][i] == 4 && m[0][2] == 0 && table[i] == 6);",
    "int k = i > 1 ? i : j; assert(k == 2 && (i > 5 || 4 / i == 2));",
    "p = 0; assert(!p && p == 0 && (i < 0 || 1));",
    "int k = __VERIFIER_nondet_uchar(); assert(k >= 0 && k < 256);",
    "double d = 1.5; int k = d > 1; k = (int) d; assert(i == 2);",
    "int z = 0; if (i == 2 || 1 / z) z = 1; assert(z == 1);",
    "assert(text[1] == 'b' && text[3] == 0 && flat[1][0] == 3 && last[3] == 9 && last[2] == 0);",
    "*(int *)&u = -1; assert(u == 4294967295u); u = 3000000000u; assert(*(int *)&u == -1294967296);",
    "p = &a[3]; p = p - 2; assert(*p == 2 && p[-1] == 1); p = p - j; assert(*p == 3);",
]
FAIL = {
    "assert(a[i + j] == 3);": "assertion",
    "i = 0; return 4 / i;": "crash.division",
    "i = (-2147483647 - 1) / j; return i;": "crash.division",
    "return a[i * 2];": "crash.index",
    "return a[j];": "crash.index",
    "p = 0; return *p;": "crash.access",
    "p = p + i; return *p;": "crash.access",
    "if (i == 2 && 1 / (i - 2)) return 1;": "crash.division",
    "double d = 1.5; if (d > 1) assert(0);": "assertion",
    "u = 3000000000u; assert(*(int *)&u == 3000000000u - 1);": "assertion",
    "assert(text[0] == 'b');": "assertion",
    "int k = i << __VERIFIER_nondet_int(); assert(k == 2);": "assertion",
}


@pytest.mark.parametrize("text", HOLD)
def test_what_holds(claims, text):
    assert claims(MAIN.format(text)) == set()


@pytest.mark.parametrize(("text", "claim"), FAIL.items())
def test_what_fails(claims, text, claim):
    (key,) = claims(MAIN.format(text))
    assert key.startswith(claim)
