/* All operators, on operands that are variables. */
#include "show.h"

int a = 29, b = 5, zero;
unsigned u = 7;

int main(void)
{
    int x = a, y = b;

    show(a + b);
    show(a - b * 3);
    show(a / b);
    show(-a / b);
    show(a % b);
    show(-a % b);
    show(a << 3 | b >> 1);
    show(a & b ^ 6);
    show(~a);
    show(!a + !zero);
    show(a < b);
    show(a > b);
    show(a <= b);
    show(a >= 29);
    show(a == b);
    show(a != b);
    show(a && zero);
    show(zero || b);
    show(a > b ? x : y);
    show(zero ? x : y + 1);
    show(+x);
    show((x, y));
    show(sizeof x);
    show(sizeof(long) * a);
    show((char)(a * 100));
    show(*&x);
    show(-(-x));
    show(- -x + + +y);
    show(a - (b - 2) - (y - 1));
    show(a / (b / 2) * 2 % 7);
    show((a & 12) == 12);
    show(u - 8 > 0);
    return 0;
}
