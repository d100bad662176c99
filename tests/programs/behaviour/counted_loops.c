/* Loops that count from a constant to a constant, whose bodies know which iteration it is. */
#include "show.h"

int a[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int shared;

int main(void)
{
    int i, sum = 0;
    unsigned u;
    signed char c;

    for (i = 0; i < 8; i++)
        a[i] += i;
    for (i = 7; i >= 0; i -= 3)
        show(a[i]);
    show(i);
    for (i = 1; i != 9; i += 2) {
        if (i == 5)
            continue;
        if (i > 5)
            sum += i;
        else if (i - 2 < 1u)
            sum += 100;
        else
            sum -= i;
    }
    show(sum);
    for (i = 0; i < 4; i++)
        if (i - 1 < sizeof(int))
            show(i);
    for (i = 0; i < 4; i++)
        show(1 << i);
    for (u = 5; u > 2; u--)
        show(u - 6);
    for (c = 0; c < 5; c++)
        show(c * 100);
    for (i = 0; i < 8; i++) {
        if (a[i] == 7)
            break;
        for (int j = i; j < 8; j += 4)
            show(j);
    }
    show(i);
    for (i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            show(i * 10 + j);
    for (i = 5; i < 3; i++)
        show(1000);
    show(i);
    for (i = 0; i < 6; i++) {
        int before = i;
        if (before == 2)
            i++;
        show(i);
    }
    for (shared = 0; shared < 3; shared++)
        show(shared);
    return 0;
}
