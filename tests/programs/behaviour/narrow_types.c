/* char, short, unsigned, _Bool, enumerations and bit-fields: conversions, promotions and wrapping. */
#include "show.h"

enum level { LOW, HIGH = 3 };
enum offset { BEFORE = -1, AT };

signed char c = 127;
unsigned char uc = 255;
short s = -1;
unsigned short us = 65535;
unsigned u = 0;
long l = -1;
unsigned long ul = 1;
_Bool t = 1;
float f = 1.5f;
enum level level = LOW;
enum offset offset = BEFORE;
struct { unsigned a : 3; int b : 4; unsigned char c : 2; } bits = {5, -3, 1};

static int positive(void)
{
    return 1;
}

int main(void)
{
    struct { unsigned low : 4; unsigned high : 4; } local = {9, 6};
    int x;

    show(c + 1);
    show((signed char)(c + 1));
    c++;
    show(c);
    show(uc + uc);
    uc += 2;
    show(uc);
    show(s < u);
    show(s < (int)u);
    show(s == us);
    show((us << 16) >> 20);
    show(l < ul);
    show(-1 < 1u);
    show(-1L < 1u);
    show(u - 1 > 0);
    show(us - 65536 < 0);
    show(~uc);
    show(~u >> 4);
    show(-s * us);
    show((char)200 + (unsigned char)200);
    show(t + t);
    show((_Bool)0.5 + (_Bool)256);
    show((int)(f * 3) + (f > 1) + (int)-f);
    show((level == LOW) + (offset < 0) * 2);
    show(positive() ? s : u);
    show(positive() ? c : l);
    show((positive() ? -1 : u) > 0);
    show((positive() ? level : HIGH) + (positive() && level == LOW));
    show(HIGH - 4 < 0);
    show(bits.a - 6 < 0);
    show((positive() ? bits.a - 6 : 0) < 0);
    show(bits.b);
    show(x = bits.a = 12);
    show(x = bits.b = 9);
    show(bits.a++);
    bits.a = 7;
    show(++bits.a);
    show(bits.b -= 7);
    show(local.low += 9);
    show(local.low-- - local.high);
    show(local.high - 7 < 0);
    x = 70000;
    s = x;
    show(s);
    us = s = -2;
    show(us);
    show(x = us = -3);
    ul = u - 1;
    show(ul);
    ul = s;
    show(ul >> 60);
    l = (unsigned)s;
    show(l);
    show(10 / 3u * -1 > 0);
    show(0x7fffffff + 1u > 0);
    show(4294967295 > 0);
    show(0xffffffff == -1);
    show(07777 + 0b101);
    show(1LL << 40 >> 38);
    show('a' * 1000000);
    return 0;
}
