/* Loops in loops, with break and continue in all of them. */
#include "show.h"

int shared;

int main(void)
{
    int i, j, n = 0;

    for (i = 0; i < 5; i++) {
        if (i == 1)
            continue;
        for (j = 0; ; j++) {
            if (j == i)
                break;
            if ((i + j) % 2)
                continue;
            n += i * 10 + j;
        }
        while (n % 3) {
            n++;
            if (n % 5 == 0)
                break;
        }
        if (n > 70)
            break;
    }
    show(i);
    show(n);
    do {
        n -= 7;
        if (n % 2)
            continue;
        shared++;
    } while (n > 50 || shared < 2);
    show(n);
    show(shared);
    do
        shared--;
    while (0);
    show(shared);
    for (int k = 0, m = 9; k < m; k++, m--)
        show(k * m);
    for (; shared < 3;)
        shared++;
    show(shared);
    while (1) {
        do {
            if (++shared > 6)
                break;
        } while (1);
        for (;;) {
            if (shared-- < 5)
                goto done;
        }
    }
done:
    show(shared);
    for (i = 3; i--;)
        show(i);
    for (unsigned k = 3; k-- > 0;)
        show(k);
    while (shared++ < 6) {
        switch (shared) {
        case 5:
            continue;
        case 6:
            break;
        }
        show(shared);
    }
    for (int k = 0; k < 2; k++) {
        int twice = k * 2;
        for (int k = twice; k < twice + 2; k++)
            show(k);
    }
    return 0;
}
