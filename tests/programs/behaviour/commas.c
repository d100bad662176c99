/* Comma expressions, in all places where an expression can stand. */
#include "show.h"

int shared, other;

static int tell(int value)
{
    show(value);
    return value;
}

int main(void)
{
    int x = (shared = 3, shared + 1), y, a[3] = {1, 2, 3};

    y = (x++, x += 2, x * 2);
    show(y);
    if (tell(1), x > 100)
        show(2);
    for (x = 0, y = 3; tell(x), x < y; x++, y--)
        tell(y), other++;
    while (shared--, shared > 0)
        show(shared);
    do
        shared++, other--;
    while (tell(shared), other > 0);
    a[(tell(5), 1)] = 60;
    a[2] = (tell(6), 70);
    show(a[1] + a[2]);
    switch (x = 4, x) {
    case 4:
        show(x);
    }
    show((tell(1), tell(2)) + 0);
    x = 1, y = 2;
    show(x * 10 + y);
    show(((x = 5), (y = x + 1), y) ? (x, y) : (y, x));
    return tell(9), 0;
}
