/* Integer widths and signs, mixed in all ways: arithmetic, comparison, shifts, assignment, parameters, results. */
#include "show.h"

signed char sc = -100;
unsigned char uc = 200;
short s = -30000;
unsigned short us = 60000;
int i = -2000000000;
unsigned u = 4000000000u;
long l = -5000000000L;
unsigned long ul = 18000000000000000000ul;
long long ll = 1;

static unsigned char narrow(int v) { return v; }
static long widen(signed char v) { return v; }
static unsigned flip(int v) { return ~v; }
static int truth(_Bool b) { return b; }
static float real(int v) { return v; }
static short both(long a, unsigned char b) { return a + b; }

int main(void)
{
    int one = 1, zero = 0;
    long r;

    show(sc + uc + s + us);
    show(sc * uc);
    show(us * us);
    show((unsigned)us * us);
    show(i - 2000000000);
    show(u + i);
    show(u + l);
    show(ul + l);
    show(i < u);
    show(l < u);
    show(ul > l);
    show(sc > uc);
    show((unsigned char)sc > uc);
    show(u >> 4);
    show(i >> 4);
    show(i << 1);
    show(one << 31);
    show(1L << 33);
    show(uc << 24);
    show(u / -1);
    show(i / 3u);
    show(l % 7);
    show(-7 % (int)sizeof(int));
    show(-s - us);
    show(~uc);
    show(-u);
    show(!u);
    show(narrow(-1) + narrow(513));
    show(widen(200));
    show(flip(5));
    show(truth(256) + truth(0) + truth(-1));
    show(real(16777217) == 16777216);
    show(both(65535, 3));
    show(sc = uc);
    show(uc = sc = 300);
    show(us = s);
    show(s = us + 1);
    show(i = ul);
    show(u = l);
    show(l = u);
    show(r = one ? -1 : 1u);
    show(r = one ? -1 : 1L);
    show(r = zero ? 1u : sc);
    show((one ? sc : u) > 0);
    show((one && zero) - 1 < 0);
    show((one, sc) + 0);
    sc += 200;
    show(sc);
    uc -= 201;
    show(uc);
    s *= s;
    show(s);
    us <<= 3;
    show(us);
    u >>= 1, u += i;
    show(u);
    l /= 3u;
    show(l);
    i ^= ul;
    show(i);
    ll <<= 40;
    show(ll);
    show(ll-- >> 39);
    show(sc++ * 2);
    show(uc-- - --us);
    show((char)(sc + 256) == sc);
    show((short)70000 + (unsigned short)-1);
    show(0xffffffff + 1);
    show(2147483647 + 1u);
    show(2147483648 - 1);
    show(-2147483648 < 0);
    show(sizeof(sc + uc) + sizeof(l + u) * 10 + sizeof(ul ? i : l) * 100);
    return 0;
}
